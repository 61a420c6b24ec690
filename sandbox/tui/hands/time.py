"""Time: pause, steps, speeds, running to something, going back."""

from __future__ import annotations

from sandbox.tui.hands.hand import Hand


class Time(Hand):
    """`time.*`"""

    def pause(self) -> None:
        self.viewer.pace.toggle()

    def step(self) -> None:
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

    def next(self) -> None:
        """Run to the next notable event."""

    def last(self) -> None:
        """Show the last notable event."""

    def until(self) -> None:
        """Choose what to run to."""

    async def rewind(self) -> None:
        """Watch again from this moment."""
        await self.stage.house.rewind(self.viewer)
