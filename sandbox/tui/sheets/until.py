"""The sheet "run until": an hour, an occasion, a talk, a change of mood, or the next notable event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from sandbox.core.clock import DAY, HOUR, parse_time
from sandbox.core.text import clean
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.replay_jumps import jump_to
from sandbox.tui.view.action import first_key
from sandbox.tui.view.ports import (
    HOURS,
    TimeGoal,
    tomorrow,
    until_hour,
    until_moment,
    until_mood_turns,
    until_stop,
    until_talk,
)
from sandbox.tui.view.text_lines import DIM, GOLD, SOFT, TEXT, ink, justify, outside
from sandbox.tui.view.textual_internals import BaseScreen
from sandbox.tui.widgets.entries import Deed, Entry
from sandbox.tui.widgets.sheet_pane import Sheet

OCCASIONS = 3  # most occasions listed


class UntilSheet(Sheet[TownLayout]):
    """The moments that time can run to; a replay jumps there instead."""

    kind = "until"
    small = picks = True
    keys = frozenset(("time.until", "time.next"))

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage, "Go to" if stage.viewer.replaying else "Run until")

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.stage.viewer
        clock, now = viewer.world.clock, int(viewer.shown)
        out = [self._entry("an hour ...", "you type it", width, self._ask)]
        for name, goal in sorted(self._moments(now), key=lambda ahead: ahead[1].at or 0):
            when = f"{tomorrow(clock, now, goal.at or 0)} {clock.hhmm(goal.at or 0)}".strip()
            out.append(self._entry(name, when, width, self._to(goal)))
        if not viewer.replaying and (who := viewer.selected):
            name, mood = viewer.name(who), viewer.view.row(who, now).mood
            out.append(self._entry(f"{name} talks", "with anybody", width, self._to(until_talk(viewer, who))))
            out.append(
                self._entry(f"{name}'s mood turns", f"{mood} now", width, self._to(until_mood_turns(viewer, who)))
            )
        key = first_key("time.next", viewer.keys)
        says = f"what concerns {viewer.name(viewer.plays)}" if viewer.plays else "the next notable event"
        out.append(self._entry(says, key, width, self._to(until_stop(viewer)), GOLD))
        if not viewer.replaying and not viewer.selected:
            out.append(
                Entry([[], [ink("Choose somebody first to run to a talk", DIM)], [ink("or a mood of theirs.", DIM)]])
            )
        return out

    @staticmethod
    def _entry(says: str, when: str, width: int, does: Deed, fg: int = SOFT) -> Entry:
        return Entry([justify([outside(says, TEXT)], [outside(when, fg)], width)], does, says)

    def _moments(self, now: int) -> list[tuple[str, TimeGoal]]:
        """The next occasions and some hours of the day, each with its name."""
        viewer = self.stage.viewer
        clock = viewer.world.clock
        due = [
            (clean(o.title, 40), clock.midnight(day) + o.from_)
            for day in (clock.day(now), clock.day(now) + 1)
            for o in viewer.calendar.on(day)
        ]
        found = [(title, until_moment(viewer, t, title)) for title, t in due if t > now][:OCCASIONS]
        return found + [(name, until_hour(viewer, second)) for name, second in HOURS]

    def _to(self, goal: TimeGoal) -> Deed:
        async def does() -> None:
            self.stage.close_all()
            if not self.stage.viewer.replaying:
                self.stage.guard.run(goal)
            elif goal.rows is not None:
                await self.stage.do("time.next")
            elif goal.at is not None:
                await jump_to(self.stage, goal.at)

        return does

    def _ask(self) -> None:
        async def answered(second: int | None) -> None:
            viewer = self.stage.viewer
            if second is not None and viewer.replaying:
                clock = viewer.world.clock
                await jump_to(self.stage, clock.midnight(clock.day(int(viewer.shown))) + second)
            elif second is not None:
                self.stage.guard.run(until_hour(viewer, second))
            if second is not None:
                self.stage.close_all()

        self.stage.app.push_screen(HourScreen(self.stage.viewer.replaying), answered)


def parse_hour(text: str) -> int:
    """ "18", "18:00", "1800", "6.30" or "6pm" as a second of the day. Raises ValueError."""
    digits = text.strip().lower().replace(".", ":").replace("h", ":").rstrip(":")
    half = next((h for h in ("am", "pm") if digits.endswith(h)), "")
    digits = digits.removesuffix(half).strip()
    if digits.isdigit() and len(digits) <= 2:
        digits = f"{digits}:00"
    elif digits.isdigit() and len(digits) <= 4:
        digits = f"{digits[:-2]}:{digits[-2:]}"
    try:
        second = parse_time(digits) % DAY
        if half and not HOUR <= second < 13 * HOUR:
            raise ValueError
        return second if not half else second % (DAY // 2) + (DAY // 2 if half == "pm" else 0)
    except ValueError:
        raise ValueError(f'"{clean(text, 20)}" is no hour; type it as 18:00') from None


class HourScreen(BaseScreen[int | None], ModalScreen[int | None]):
    """Asks for an hour. Returns the second of the day, or None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "back", show=False)]

    def __init__(self, replaying: bool) -> None:
        super().__init__()
        self._title = "Go to the hour" if replaying else "Run until the hour"

    def compose(self) -> ComposeResult:
        with Vertical(id="hour") as box:
            box.border_title = self._title
            box.border_subtitle = "enter goes, esc leaves"
            yield Input(placeholder="18:00", max_length=8, id="hour-input")
            yield Static("", id="hour-fault", markup=False)

    def on_input_changed(self) -> None:
        self.query_one("#hour-fault", Static).update("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            self.dismiss(parse_hour(event.value))
        except ValueError as fault:
            self.query_one("#hour-fault", Static).update(str(fault))

    def action_leave(self) -> None:
        self.dismiss(None)
