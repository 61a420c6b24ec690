"""The best thing happening now, as one sentence with its key, and on a first visit one key to try."""

from __future__ import annotations

from sandbox.tui.ink import DIM, GOLD, SOFT, TEXT, Line, apart, fit, ink, outside, width_of
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.render.people import mood_colour
from sandbox.tui.watch import Watch

RECENT = 40 * 60
# what is shown until it has been done once: id of an action -> what to say of it
LESSONS = (
    ("town.next", "j", "next person"),
    ("open", "enter", "who is this"),
    ("person.why", "w", "why they feel so"),
    ("talk.read", "t", "the talk"),
    ("camera.follow", "f", "follow"),
    ("time.faster", ">", "faster"),
    ("time.pause", "space", "pause"),
)


def now_line(watch: Watch, width: int) -> Line:
    """Who says what; else the most notable thing of the last while; else what comes next."""
    return apart(fit(_best(watch), width), _lesson(watch), width)


def _best(watch: Watch) -> Line:
    spoken = watch.spoken
    if spoken is not None:
        fg = mood_colour(watch.view.row(spoken.line.who, watch.shown).mood, "default")
        return [
            outside(watch.name(spoken.line.who), fg, bold=True),
            ink(" to ", DIM),
            outside(watch.name(spoken.to), SOFT),
            ink("  “", DIM),
            outside(spoken.line.text, TEXT),
            ink("”", DIM),
        ]
    t = watch.shown
    recent = [row for row in watch.rows if t - RECENT <= row.t <= t and row.weight >= 3]
    if recent:
        row = max(recent, key=lambda r: (r.weight, r.t))
        clock = watch.world.clock
        return [
            ink(f"{clock.hhmm(row.t)} {row.mark} ", DIM),
            outside(row.text),
            ink("   2 ", GOLD),
            ink("timeline", SOFT),
        ]
    return _next(watch)


def _next(watch: Watch) -> Line:
    clock, now = watch.world.clock, int(watch.shown)
    for day in (clock.day(now), clock.day(now) + 1):
        for occasion in watch.calendar.on(day):
            t = clock.midnight(day) + occasion.from_
            if t > now:
                tomorrow = "" if day == clock.day(now) else "tomorrow "
                place = watch.world.handbook.place(occasion.where)
                return [ink(f"{tomorrow}{clock.hhmm(t)} ", DIM), outside(f"{occasion.title}, {place}", SOFT)]
    return [ink("a quiet hour", SOFT)]


def _lesson(watch: Watch) -> Line:
    for id, key, says in LESSONS:
        if id not in watch.learnt:
            if id in ("open", "person.why", "talk.read", "camera.follow") and not watch.selected:
                continue
            return [ink("   "), ink(key, GOLD, bold=True), ink(f" {says}", SOFT)]
    return []


class NowLine(LinesPane):
    """The row above the footer."""

    def lines(self, width: int, height: int) -> list[Line]:
        line = now_line(self.watch, width)
        return [line if width_of(line) <= width else fit(line, width)]
