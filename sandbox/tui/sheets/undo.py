"""The question whether the player's last act is to be taken back: what it was, how long ago, and where one goes on."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import MINUTE
from sandbox.core.faults import path_text
from sandbox.core.plain import count_of
from sandbox.engine.engine import Engine
from sandbox.readers.partings import EventLine, in_words
from sandbox.store.acts import StepActs, last_act
from sandbox.store.unnamed_branches import KEPT
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import AskingSheet
from sandbox.tui.widgets.entries import Deed


async def ask_back(stage: TownLayout) -> None:
    """Ask, if a player has done anything in the town that is lived. What waits for its step is taken back at once.

    Raises SaveError.
    """
    viewer = stage.viewer
    engine, save = viewer.session.engine, viewer.session.save
    if stage.close_kind(UndoSheet.kind):
        return
    if isinstance(engine, Engine) and engine.commands:
        engine.commands.pop()
        stage.notify("Your last act is taken back: it had not been done yet.", timeout=5, markup=False)
        return
    acts = await last_act(save)
    if acts is None:
        stage.notify("You have done nothing in this town that could be taken back.", timeout=5, markup=False)
        return
    notable = viewer.notable
    told = [await in_words(save, record, viewer.world, notable) for record in acts.records]
    stage.open_sheet(UndoSheet(stage, acts, told))


class UndoSheet(AskingSheet):
    """The acts of the last step that began with any, yes and no."""

    kind, title = "undo", "Take back your last act?"
    start = "No"
    keys = frozenset(("saves.undo",))

    def __init__(self, stage: TownLayout, acts: StepActs, told: Sequence[EventLine]) -> None:
        super().__init__(stage)
        self.acts, self.told = acts, told

    def says(self) -> Sequence[str]:
        viewer = self.stage.viewer
        clock, t = viewer.world.clock, self.told[0].t
        lived = max(0, viewer.world.now - t)
        ago = (
            f"{lived // 3600} h {lived % 3600 // MINUTE:02d} min"
            if lived >= 3600
            else count_of(lived // MINUTE, "minute")
        )
        path = viewer.session.path
        kept = f"What was lived since ({ago}) stays in {path_text(path)}." if path is not None else ""
        ten = f"Of saves made this way the newest {KEPT} are kept; one that you name stays."
        return [*(f"{clock.words(t)}: {one.text}." for one in self.told), *([kept] if kept else []), ten]

    def answers(self) -> Sequence[tuple[str, str, Deed]]:
        return (
            ("Yes", "go on from before it, in a save of its own", self._yes),
            ("No", "leave it done", self.stage.close_all),
        )

    def _yes(self) -> None:
        stage, step = self.stage, max(0, self.acts.step - 1)
        stage.close_all()
        stage.viewer.pace.pause()
        stage.house.take_back(stage.viewer, step)
