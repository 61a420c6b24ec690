"""The question whether a model may be asked that a world names and that may cost the player money.

Time stands until it is answered. A yes is remembered for that save; to close the sheet is a no.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.faults import safe
from sandbox.core.text import upper
from sandbox.store.choose_mind import allow
from sandbox.store.errors import SaveError
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import AskingSheet
from sandbox.tui.widgets.entries import Deed


def ask_consent(stage: TownLayout) -> None:
    """Put the question, if the world that is shown names a model which costs money; tell of one that logs in by itself,
    for which a yes here is not enough, and of what its tables have that it was begun without.
    """
    session = stage.viewer.session
    if session.path is not None and any(model.plain for model in session.withheld.values()):
        stage.open_sheet(ConsentSheet(stage))
    for name in dict.fromkeys(model.name for model in session.withheld.values() if not model.plain):
        text = f"{name} is not asked: it may log in by itself, so name it yourself, by --mind or in your settings"
        stage.notify(text, severity="warning", timeout=12, markup=False)
    for line in session.left:
        stage.notify(safe(upper(line)), severity="warning", timeout=12, markup=False)


class ConsentSheet(AskingSheet):
    """Which models they are, yes and no."""

    kind, title = "consent", "May it cost money?"
    start = "No"

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage)
        self.named = {who: m for who, m in stage.viewer.session.withheld.items() if m.plain}

    def says(self) -> Sequence[str]:
        viewer = self.stage.viewer
        says = [f"The world {safe(viewer.world.scenario.title, 60)} names what may cost you money, with your key:"]
        return says + [f"  {m.name} for {viewer.name(who) if who else 'everybody'}" for who, m in self.named.items()]

    def answers(self) -> Sequence[tuple[str, str, Deed]]:
        return (
            ("Yes", "ask it; remembered for this save", self._yes),
            ("No", "the embedded mind answers, for nothing", self.stage.close_all),
        )

    async def _yes(self) -> None:
        try:
            uid = (await self.stage.viewer.session.save.info()).uid
            allow(uid, [model.name for model in self.named.values()])
        except (SaveError, OSError) as error:
            text = f"that cannot be remembered, so nobody is asked: {safe(str(error))}"
            self.stage.notify(text, severity="error", timeout=12, markup=False)
            return
        self.stage.house.reopen()
