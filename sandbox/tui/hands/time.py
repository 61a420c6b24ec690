"""Time: pause, steps, speeds, running to something, going back."""

from __future__ import annotations

from sandbox.tui.hands.hand import Hand
from sandbox.tui.leaves.consent import WAITS
from sandbox.tui.leaves.page import page_of
from sandbox.tui.leaves.until import UntilLeaf
from sandbox.tui.reading import talk_story
from sandbox.tui.replaying import jump_to, next_notable
from sandbox.tui.tape import notable_from
from sandbox.tui.time.goals import next_notable as the_next_notable


class Time(Hand):
    """`time.*`; while a question waits for an answer, no key lets time go on."""

    def pause(self) -> None:
        if not self.viewer.pace.stands_for(WAITS):
            self.viewer.pace.toggle()

    def step(self) -> None:
        if not self.viewer.pace.stands_for(WAITS):
            self.viewer.pace.ask_step().add_done_callback(lambda _: self._stepped())

    def _stepped(self) -> None:
        if self.stage.is_attached:
            self.viewer.bubbles.forget()
            self.stage.town.pull()
            self.stage.update()

    def slower(self) -> None:
        self.viewer.pace.faster(-1)

    def faster(self) -> None:
        self.viewer.pace.faster(1)

    async def next(self) -> None:
        """Run to the next notable event. What is open would cover it."""
        self.stage.close_all()
        if self.viewer.replaying:
            if not await self._ended_day():
                await self._stop(1)
        else:
            self.stage.guard.run(the_next_notable(self.viewer))

    async def last(self) -> None:
        """Show the last notable event."""
        self.stage.close_all()
        viewer = self.viewer
        if viewer.replaying:
            await self._stop(-1)
            return
        number = viewer.chronicle.last(lambda row: row.weight >= viewer.notable.line)
        if number is None and not viewer.past.whole:
            viewer.past.want()
            self.stage.notify("What was before is being read; try again in a moment.", timeout=3, markup=False)
        elif number is None:
            self.stage.notify("Nothing notable has happened yet.", timeout=3, markup=False)
        else:
            self.stage.go_to_row(number)

    async def _ended_day(self) -> bool:
        """Stand at midnight, with the page of the day, if the next notable event of a replay lies beyond it; whether it
        does.
        """
        stage, viewer = self.stage, self.viewer
        clock, number = viewer.world.clock, notable_from(viewer, viewer.shown, 1)
        day = clock.day(int(viewer.shown))
        if number is None or clock.day(viewer.chronicle[number].t) == day or not viewer.settings.on("quiet_skip"):
            return False
        if await jump_to(stage, clock.midnight(day + 1)):
            viewer.pace.arrive(f"the end of day {day}")
            stage.open_sheet(await page_of(stage, day))
        return True

    async def _stop(self, by: int) -> None:
        """Jump to a notable event of a replay, and show it as a stop."""
        number = await next_notable(self.stage, by)
        if number is None:
            return
        viewer = self.viewer
        row = viewer.chronicle[number]
        viewer.recalled = await talk_story(viewer, row.talk) if row.talk else None
        self.stage.guard.stop_at(number)

    def go_on(self) -> None:
        """Wait for no mind any more."""
        self.viewer.pace.go_on()

    def until(self) -> None:
        """Choose what to run to."""
        if self.stage.sheet.kind == UntilLeaf.kind:
            self.stage.close_sheet()
        else:
            self.stage.open_sheet(UntilLeaf(self.stage))

    async def rewind(self) -> None:
        """Watch again from this moment."""
        await self.stage.house.rewind(self.viewer)
