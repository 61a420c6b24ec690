"""The best thing happening now, as one sentence with its key, and on a first visit one key to try."""

from __future__ import annotations

from sandbox.tui.ink import DIM, GOLD, SOFT, TEXT, Line, apart, fit, ink, of_mood, outside, width_of
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.viewer import Viewer

RECENT = 40 * 60
# what is shown until it has been done once: id of an action -> what to say of it
LESSONS = (
    ("town.next", "j", "next person"),
    ("chosen.open", "enter", "who is this"),
    ("chosen.why", "w", "why they feel so"),
    ("chosen.talk", "t", "the talk"),
    ("chosen.follow", "f", "follow"),
    ("time.faster", ">", "faster"),
    ("time.pause", "space", "pause"),
)


NEEDS_SOMEBODY = frozenset(("chosen.open", "chosen.why", "chosen.talk", "chosen.follow"))


def now_line(viewer: Viewer, width: int) -> Line:
    """Who says what; else the most notable thing of the last while; else what comes next."""
    return apart(fit(_best(viewer), width), _lesson(viewer), width)


def _best(viewer: Viewer) -> Line:
    spoken = viewer.spoken
    if spoken is not None:
        fg = of_mood(viewer.view.row(spoken.line.who, viewer.shown).mood)
        return [
            outside(viewer.name(spoken.line.who), fg, bold=True),
            ink(" to ", DIM),
            outside(viewer.name(spoken.to), SOFT),
            ink("  “", DIM),
            outside(spoken.line.text, TEXT),
            ink("”", DIM),
        ]
    t = viewer.shown
    recent = [row for row in viewer.chronicle.between(t - RECENT, t) if row.weight >= 3]
    if recent:
        row = max(recent, key=lambda r: (r.weight, r.t))
        return [
            ink(f"{row.mark} ", GOLD, bold=True),
            outside(row.text),
            ink("   2 ", GOLD),
            ink("timeline", SOFT),
        ]
    return _next(viewer)


def _next(viewer: Viewer) -> Line:
    clock, now = viewer.world.clock, int(viewer.shown)
    for day in (clock.day(now), clock.day(now) + 1):
        for occasion in viewer.calendar.on(day):
            t = clock.midnight(day) + occasion.from_
            if t > now:
                tomorrow = "" if day == clock.day(now) else "tomorrow "
                place = viewer.world.handbook.place(occasion.where)
                return [ink("next ", DIM), outside(f"{occasion.title}, {place}, {tomorrow}at {clock.hhmm(t)}", SOFT)]
    return [ink("a quiet hour", SOFT)]


def _lesson(viewer: Viewer) -> Line:
    for id, key, says in LESSONS:
        if id not in viewer.learnt:
            if (id in NEEDS_SOMEBODY) != bool(viewer.selected) and id != "time.faster" and id != "time.pause":
                continue
            return [ink("   "), ink(key, GOLD, bold=True), ink(f" {says}", SOFT)]
    return []


class NowLine(LinesPane):
    """The row above the footer."""

    def lines(self, width: int, height: int) -> list[Line]:
        line = now_line(self.viewer, width)
        return [line if width_of(line) <= width else fit(line, width)]
