"""The sheet "run until": an hour, an occasion, a talk, a change of mood, or the next notable event. And bookmarks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.clock import DAY, HOUR, parse_time
from sandbox.core.protocols import JournalFull
from sandbox.core.text import clean
from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.replay_jumps import jump_to
from sandbox.tui.sheets.asking import TypedLine
from sandbox.tui.sheets.saves import recorded_day
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view import ports
from sandbox.tui.view.action import first_key
from sandbox.tui.view.replay_log import time_label
from sandbox.tui.view.text_lines import Ink, hung, ink, justify, outside
from sandbox.tui.view.timeline_rows import HOURLY
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Deed, Entry, remark

OCCASIONS = 3  # most occasions listed


class UntilSheet(TownSheet):
    """The moments that time can run to; a replay jumps there instead."""

    kind = "until"
    small = picks = True
    keys = frozenset(("time.until", "time.next"))

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage, "Go to" if stage.viewer.replaying else "Run until")

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.viewer
        clock, now = viewer.world.clock, int(viewer.shown)
        out = [self._entry("an hour ...", "you type it", width, self._ask)]
        for name, goal in sorted(self._moments(now), key=lambda ahead: ahead[1].at or 0):
            when = f"{ports.tomorrow(clock, now, goal.at or 0)} {clock.hhmm(goal.at or 0)}".strip()
            out.append(self._entry(name, when, width, self._to(goal)))
        if not viewer.replaying and (who := viewer.selected):
            name, mood = viewer.name(who), viewer.view.row(who, now).mood
            out.append(self._entry(f"{name} talks", "with anybody", width, self._to(ports.until_talk(viewer, who))))
            turns = self._to(ports.until_mood_turns(viewer, who))
            out.append(self._entry(f"{name}'s mood turns", f"{mood} now", width, turns))
        key = first_key("time.next", viewer.keys)
        says = f"what concerns {viewer.name(viewer.plays)}" if viewer.plays else "the next notable event"
        out.append(self._entry(says, key, width, self._to(ports.until_stop(viewer)), "accent"))
        if not viewer.replaying and not viewer.selected:
            hint = ("Choose somebody first to run to a talk", "or a mood of theirs.")
            out.append(Entry([[], *([ink(line, "dim")] for line in hint)]))
        return out

    @staticmethod
    def _entry(says: str, when: str, width: int, does: Deed, fg: Ink = "soft") -> Entry:
        return Entry([justify([outside(says)], [outside(when, fg)], width)], does, says)

    def _moments(self, now: int) -> list[tuple[str, ports.TimeGoal]]:
        """The next occasions and some hours of the day, each with its name."""
        viewer = self.viewer
        clock = viewer.world.clock
        due = []
        for day in (clock.day(now), clock.day(now) + 1):
            due += [(clean(o.title, 40), clock.midnight(day) + o.from_) for o in viewer.calendar.on(day)]
        found = [(title, ports.until_moment(viewer, t, title)) for title, t in due if t > now][:OCCASIONS]
        return found + [(name, ports.until_hour(viewer, second)) for name, second in ports.HOURS]

    def _to(self, goal: ports.TimeGoal) -> Deed:
        async def does() -> None:
            self.stage.close_all()
            if not self.viewer.replaying:
                self.stage.guard.run(goal)
            elif goal.rows is not None:
                await self.stage.do("time.next")
            elif goal.at is not None:
                await jump_to(self.stage, goal.at)

        return does

    def _ask(self) -> None:
        async def answered(hour: str | None) -> None:
            if hour is None:
                return
            viewer, second = self.viewer, parse_hour(hour)
            if viewer.replaying:
                clock = viewer.world.clock
                await jump_to(self.stage, clock.midnight(clock.day(int(viewer.shown))) + second)
            else:
                self.stage.guard.run(ports.until_hour(viewer, second))
            self.stage.close_all()

        title = "Go to the hour" if self.viewer.replaying else "Run until the hour"
        self.stage.app.push_screen(HourScreen(title, "", "18:00", 8, parse_hour), answered)


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
        raise ValueError(f'"{clean(text, 20)}" is not an hour; type it as 18:00') from None


class HourScreen(TypedLine):
    """Asks for an hour, as `parse_hour` takes it."""

    keys = "enter goes, esc leaves"
    narrow = True


# ---- bookmarks: set or remove one at the moment shown, and list them in a replay; enter goes to one


NEAR = 900  # seconds: a bookmark is named after an event of at most so long before


async def toggle_mark(stage: TownLayout) -> None:
    """Set a bookmark at the step that is shown, or remove it; live and in a replay."""
    viewer = stage.viewer
    step = viewer.world.step
    try:
        there = step in await viewer.session.save.bookmarks()
        note = "" if there else note_at(viewer)
        await _write_mark(viewer, step, note)
        if stage.scrubber.tape is not None:
            await stage.scrubber.tape.find_bookmarks()
    except (SaveError, JournalFull) as error:
        stage.notify(clean(str(error), 600), title="no bookmark", severity="warning", timeout=8)
        return
    stage.notify(note or viewer.world.clock.words(int(viewer.shown)), timeout=3,
                 title="bookmark removed" if there else "bookmark")  # fmt: skip
    stage.update()


async def _write_mark(viewer: Viewer, step: int, note: str) -> None:
    save = viewer.session.save
    if isinstance(save, Save) and save.writes:
        await viewer.pace.between(partial(save.bookmark, step, note))
        return
    ships = recorded_day()
    if ships is not None and save.path.resolve() == ships.resolve():
        raise SaveError(save.path, "belongs to the program", "go on live from here, and bookmark that save")
    async with await Save.open(save.path) as other:  # a replay's save is open read-only: open it for writing
        await other.bookmark(step, note)


def note_at(viewer: Viewer) -> str:
    """The text for a bookmark at the moment shown: the weightiest row of the last NEAR seconds, else the time."""
    t = int(viewer.shown)
    rows = viewer.chronicle.between(t - NEAR, t)
    told = (row for row in rows if row.mark != HOURLY)
    best = max(told, key=lambda row: (row.weight, -abs(row.t - t)), default=None)
    return clean(best.text, 200) if best is not None else viewer.world.clock.words(t)


class MarksSheet(TownSheet):
    """The list of bookmarks; enter on one jumps there."""

    kind, title = "marks", "Bookmarks"
    picks = True

    def entries(self, width: int) -> Sequence[Entry]:
        viewer, tape = self.viewer, self.stage.scrubber.tape
        if tape is None or not tape.bookmarks:
            key = first_key("replay.mark", viewer.keys)
            says = f"No bookmark yet. {key} puts one at the moment shown."
            return [remark(says, width)]
        hours = {step: time_label(viewer, tape.moments[step]) for step in tape.bookmarks}
        wide = max(map(len, hours.values())) + 2
        out = []
        for step, note in tape.bookmarks.items():
            hour = ink(hours[step].ljust(wide), "accent" if step == viewer.world.step else "dim")
            out.append(Entry(hung([hour], note, width, most=3), partial(self._go, tape.moments[step]), step))
        return out

    async def _go(self, t: int) -> None:
        self.stage.close_sheet()
        await jump_to(self.stage, t)
