"""The first row: what time does and why, the hour, how many are up and how they feel, and whether it is saved."""

from __future__ import annotations

from collections import Counter

from sandbox.tui.ink import ALARM, DIM, FAINT, GOLD, SOFT, TEXT, Line, apart, ink, outside
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.render.people import mood_colour
from sandbox.tui.watch import Watch


def status_line(watch: Watch, width: int) -> Line:
    """The row, its right end cut first."""
    pace, clock, t = watch.pace, watch.world.clock, int(watch.shown)
    words = clock.words(t)
    rows = watch.view.rows(t)
    up = [row for row in rows if row.awake]
    first = ALARM if pace.fault is not None else GOLD
    bar = ink(" | ", FAINT)
    left: Line = [
        outside(pace.words, first, bold=True),
        ink("  "),
        ink(words[:-5], SOFT),
        ink(words[-5:], TEXT, bold=True),
        ink(f"  day {clock.day(t)}", SOFT),
        bar,
        ink(f"{len(up)} up {len(rows) - len(up)} asleep", SOFT),
    ]
    moods = Counter(row.mood for row in up)
    for i, (mood, count) in enumerate(sorted(moods.items(), key=lambda m: (-m[1], m[0]))):
        left += [bar if i == 0 else ink(" "), ink(f"{mood} {count}", mood_colour(mood, "default"))]
    return apart(left, [ink(kept(watch), DIM)], width)


def kept(watch: Watch) -> str:
    """What becomes of what is seen."""
    if watch.session.path is None:
        return "not saved"
    return (
        "saved" if watch.pace.fault is None and not watch.pace.paced.reason.startswith("disk") else "saved up to here"
    )


class Status(LinesPane):
    """Row 1."""

    def lines(self, width: int, height: int) -> list[Line]:
        return [status_line(self.watch, width)]
