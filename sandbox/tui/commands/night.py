"""Quiet nights: while everybody sleeps, time runs on to the first who wakes, and the day's page is there to be read.

Time then waits for a key. So it does when it ran to the next notable event; when it runs to an hour, a talk or a mood,
it runs on.
"""

from __future__ import annotations

from sandbox.core.clock import HOUR
from sandbox.store.errors import SaveError
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.page import PageSheet, page_of

LATE = 12 * HOUR
MOVES_ON = ("time.step", "time.slower", "time.faster", "time.next", "time.last", "time.until")


class Night:
    """Skips the hours in which nobody is awake, and waits at the first waking."""

    def __init__(self, stage: TownLayout) -> None:
        self.stage = stage
        self._page: PageSheet | None = None
        self._reason = ""
        self._skipping = self._reading = False

    @property
    def waiting(self) -> bool:
        """Whether time stands at the first waking, for the page to be read."""
        return bool(self._reason) and self.stage.viewer.pace.stands_for(self._reason)

    def saw(self) -> None:
        """A step was made."""
        viewer = self.stage.viewer
        pace, residents = viewer.pace, viewer.world.people.residents
        up = next((who for who, r in residents.items() if r.awake), "")
        if self._skipping:
            if not pace.night:  # a key has ended it
                self._skipping = False
            elif up:
                self._skipping = False
                self._wake(up)
            return
        if (
            up
            or not pace.running
            or (pace.goal and not self.stage.guard.seeks_row)
            or not viewer.settings.on("quiet_skip")
        ):
            return
        clock, now = viewer.world.clock, viewer.world.now
        untils = [r.act.until for r in residents.values() if r.act is not None and r.act.until > now]
        if not untils:
            return
        self._skipping = True
        pace.skip(clock.hhmm(min(untils)))
        self.stage.call_later(self.stage.town.leapt)  # a night goes by within a few frames: the first has no lamp lit
        day = clock.day(now) - (clock.second_of_day(now) < LATE)
        if day >= 1 and self.stage.sheets.topmost is None and not self._reading:
            self._reading = True
            self.stage.run_worker(self._open(day), exit_on_error=False, group="page")

    async def _open(self, day: int) -> None:
        page: PageSheet | None = None
        try:
            page = await page_of(self.stage, day)
        except SaveError:
            pass  # there is no page: the day goes on
        finally:
            self._reading = False
        wanted = bool(self.stage.viewer.pace.night) or self.waiting  # else a key has let the new day begin meanwhile
        if page is not None and wanted and self.stage.sheets.topmost is None:
            self._page = page
            page.does = self.put_away
            self.stage.open_sheet(page)
        elif self._reason:
            self.on()

    def _wake(self, who: str) -> None:
        viewer = self.stage.viewer
        if self._page is None and not self._reading:  # nothing to read: the day goes on
            viewer.pace.release()
            return
        self._reason = f"{viewer.name(who)} is the first up"
        viewer.pace.arrive(self._reason)

    def touched(self, id: str) -> bool:
        """A key that is about to act; whether it is meant for the page alone."""
        if self._page is None or self.stage.sheets.topmost is not self._page:
            return False
        if id in MOVES_ON:
            self.put_away()
        elif id in ("time.pause", "chosen.open"):
            if self.waiting:
                self.on()
            else:
                self.stage.close_sheet()
            return True
        return False

    def on(self) -> None:
        """Put the page away, and let the day go on if time still waits for that."""
        waiting = self.waiting
        self.put_away()
        if waiting:
            self.stage.viewer.pace.toggle()
        self.stage.update()

    def put_away(self) -> None:
        """No page any more; time stands, or goes on, as it does."""
        page = self._page
        self._page, self._reason = None, ""
        if page is not None and self.stage.sheets.topmost is page:
            self.stage.close_sheet()
