"""Quiet nights: while everybody sleeps, time is skipped until the first person wakes, and the day's page is shown.

Time then waits for a key, also in a run to the next notable event; a run to an hour, a talk or a mood is not stopped.
"""

from __future__ import annotations

from sandbox.core.clock import HOUR
from sandbox.store.errors import SaveError
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.page import PageSheet, page_of

LATE = 12 * HOUR  # second of the day; a night that begins before it shows the page of the day before
MOVES_ON = ("time.step", "time.slower", "time.faster", "time.next", "time.last", "time.until")


class Night:
    """Skips the hours in which nobody is awake, and stops time when the first person wakes, if there is a page."""

    def __init__(self, layout: TownLayout) -> None:
        self.layout, self.viewer = layout, layout.viewer
        self.page: PageSheet | None = None
        self._reason = ""
        self._skipping = self._reading = False

    @property
    def waiting(self) -> bool:
        """Whether time is stopped at the first waking, so that the page can be read."""
        return bool(self._reason) and self.viewer.pace.stands_for(self._reason)

    def saw(self) -> None:
        """Called after each step: begin to skip, or stop when somebody wakes."""
        pace, residents = self.viewer.pace, self.viewer.world.people.residents
        up = next((who for who, r in residents.items() if r.awake), "")
        if self._skipping:
            if not pace.night:  # a key has ended the skipping
                self._skipping = False
            elif up:
                self._skipping = False
                self._wake(up)
            return
        if (
            up
            or not pace.running
            or (pace.goal and not self.layout.guard.seeks_row)
            or not self.viewer.settings.on("quiet_skip")
        ):
            return
        clock, now = self.viewer.world.clock, self.viewer.world.now
        untils = [r.act.until for r in residents.values() if r.act is not None and r.act.until > now]
        if not untils:
            return
        self._skipping = True
        pace.skip(clock.hhmm(min(untils)))
        self.layout.call_later(self.layout.town.leapt)  # a night lasts a few frames: else no lamp is lit in the first
        day = clock.day(now) - (clock.second_of_day(now) < LATE)
        if day >= 1 and self.layout.sheets.topmost is None and not self._reading:
            self._reading = True
            self.layout.run_worker(self._open(day), exit_on_error=False, group="page")

    async def _open(self, day: int) -> None:
        """Make the page of a day, and show it if it is still wanted."""
        page: PageSheet | None = None
        try:
            page = await page_of(self.layout, day)
        except SaveError:
            pass  # no page; time goes on
        finally:
            self._reading = False
        wanted = bool(self.viewer.pace.night) or self.waiting  # else a key has begun the new day
        if page is not None and wanted and self.layout.sheets.topmost is None:
            self.page = page
            page.does = self.put_away
            self.layout.open_sheet(page)
        elif self._reason:
            self.on()

    def _wake(self, who: str) -> None:
        if self.page is None and not self._reading:  # no page to read: time goes on
            self.viewer.pace.end_run()
            return
        self._reason = f"{self.viewer.name(who)} is the first up"
        self.viewer.pace.arrive(self._reason)

    def touched(self, id: str) -> bool:
        """Called before the action `id` is done; returns True if it only closed the page, and must not be done."""
        if self.page is None or self.layout.sheets.topmost is not self.page:
            return False
        if id in MOVES_ON:
            self.put_away()
        elif id in ("time.pause", "chosen.open"):
            if self.waiting:
                self.on()
            else:
                self.layout.close_sheet()
            return True
        return False

    def on(self) -> None:
        """Close the page, and let time go on if it waited for that."""
        waiting = self.waiting
        self.put_away()
        if waiting:
            self.viewer.pace.toggle()
        self.layout.update()

    def put_away(self) -> None:
        """Close the page without changing whether time runs."""
        page = self.page
        self.page, self._reason = None, ""
        if page is not None and self.layout.sheets.topmost is page:
            self.layout.close_sheet()
