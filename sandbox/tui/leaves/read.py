"""A leaf that tells what stands in the log: it is shown at once, and filled when that is read."""

from __future__ import annotations

from functools import partial

from sandbox.store.errors import SaveError
from sandbox.tui.ink import BLUE, SOFT, Line, ink, prose
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.replaying import jump_to
from sandbox.tui.stage import Stage


class ReadLeaf(Leaf[Stage]):
    """Subclasses give `read`, and call `keep_up` from `entries`. ready: whether it has been read."""

    whole = True

    def __init__(self, stage: Stage, title: str) -> None:
        super().__init__(stage, title)
        self.ready = False
        self._fault = ""
        self._busy = False
        self._upto: object = None

    async def read(self) -> None:
        """Read what is told. Raises SaveError."""
        raise NotImplementedError

    def keep_up(self, upto: object) -> None:
        """Have it read, unless that was done for this very `upto`; never twice at a time."""
        if not self._busy and self._upto != upto:
            self._busy, self._upto = True, upto
            self.stage.run_worker(self._reading(), group="reading")

    async def _reading(self) -> None:
        try:
            await self.read()
            self._fault = ""
        except SaveError as error:
            self._fault = str(error)
        finally:
            first, self._busy, self.ready = not self.ready, False, True
            if first and self.stage.sheet.leaf is self:
                self.stage.sheet.begin()
            self.stage.update()

    def waiting(self, width: int) -> list[Line]:
        """What it says of the reading itself: that it goes on, or that it failed."""
        says = self._fault or ("" if self.ready else "reading ...")
        return prose(says, width) if says else []


def again(stage: Stage, t: int, who: str) -> Entry:
    """The entry that shows on the map what happened at second t. who: whom to look at then, "" = nobody."""
    return Entry([[ink("◀ ", BLUE), ink("watch it again", SOFT)]], partial(watch, stage, t, who), "again")


async def watch(stage: Stage, t: int, who: str) -> None:
    """Go to second t in a replay; a living town is rewound for it, and waits."""
    if not stage.viewer.replaying:
        await stage.house.rewind(stage.viewer)
        shown = stage.app.screen
        if not isinstance(shown, Stage) or not shown.viewer.replaying:
            return  # it could not be opened, and that was said
        stage = shown
    stage.close_all()
    await jump_to(stage, t)
    if stage.viewer.there(who):
        stage.call_after_refresh(stage.go_to_person, who)
