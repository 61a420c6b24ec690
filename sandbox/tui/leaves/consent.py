"""The question whether a model may be asked that a world names and that may cost the player money.

Time stands until it is answered. A yes is remembered for that save; to close the sheet is a no.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.faults import safe
from sandbox.store.errors import SaveError
from sandbox.store.minding import allow
from sandbox.tui.ink import DIM, TEXT, ink, prose
from sandbox.tui.panes.entries import Deed, Entry
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage

WAITS = "a question"  # why time stands


def ask(stage: Stage) -> None:
    """Put the question, if the world that is shown names a model which costs money; tell of one that logs in by itself,
    for which a yes here is not enough.
    """
    session = stage.viewer.session
    if session.path is not None and any(model.plain for model in session.withheld.values()):
        stage.open_sheet(ConsentLeaf(stage))
    for name in dict.fromkeys(model.name for model in session.withheld.values() if not model.plain):
        text = f"{name} is not asked: it may log in by itself, so name it yourself, by --mind or in your settings"
        stage.notify(text, severity="warning", timeout=12, markup=False)


class ConsentLeaf(Leaf[Stage]):
    """Which models they are, yes and no."""

    kind, title = "consent", "May it cost money?"
    short = picks = True
    start = "No"

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.named = {who: m for who, m in stage.viewer.session.withheld.items() if m.plain}
        paced = stage.viewer.pace.paced
        self.before = paced.reason if paced.paused else ""  # why time stood already, "" = it ran
        paced.pause(WAITS)

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.stage.viewer
        says = [f"The world {safe(viewer.world.scenario.title, 60)} names what may cost you money, with your key:"]
        says += [f"  {m.name} for {viewer.name(who) if who else 'everybody'}" for who, m in self.named.items()]
        out = [Entry([*(line for text in says for line in prose(text, width, TEXT)), []])]
        out.append(self._entry("Yes", "ask it; remembered for this save", self._yes))
        out.append(self._entry("No", "the embedded mind answers, for nothing", self.stage.close_all))
        return out

    def _entry(self, name: str, says: str, does: Deed) -> Entry:
        return Entry([[ink(f"{name:5}", TEXT), ink(says, DIM)]], does, name)

    async def _yes(self) -> None:
        try:
            uid = (await self.stage.viewer.session.save.info()).uid
            allow(uid, [model.name for model in self.named.values()])
        except (SaveError, OSError) as error:
            text = f"that cannot be remembered, so nobody is asked: {safe(str(error))}"
            self.stage.notify(text, severity="error", timeout=12, markup=False)
            return
        self.stage.house.reopen()

    def closed(self) -> None:
        pace = self.stage.viewer.pace
        if pace.stands_for(WAITS) and self.before:
            pace.paced.pause(self.before)
        elif pace.stands_for(WAITS):
            pace.paced.go()
