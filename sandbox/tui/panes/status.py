"""The first row: what time does and why, the hour, how many are up and how they feel, and whether it is saved."""

from __future__ import annotations

from collections import Counter

from sandbox.tui.ink import ALARM, DIM, FAINT, GOLD, SOFT, TEXT, Line, apart, ink, of_mood, outside, width_of
from sandbox.tui.panes.lines import LinesPane
from sandbox.tui.viewer import Viewer

YOU = "you paused"


def status_line(viewer: Viewer, width: int) -> Line:
    """The row. In too little room the rarest moods go first, then the right end."""
    pace, clock, t = viewer.pace, viewer.world.clock, int(viewer.shown)
    words = clock.words(t)
    rows = viewer.view.rows(t)
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
    right: Line = [ink(kept(viewer), DIM)]
    room = width - width_of(right) - 2 if width_of(left) + width_of(right) + 2 <= width else width
    for i, (mood, count) in enumerate(sorted(moods.items(), key=lambda m: (-m[1], m[0]))):
        part = [bar if i == 0 else ink(" "), ink(f"{mood} {count}", of_mood(mood))]
        if width_of(left) + width_of(part) > room:
            break
        left += part
    return apart(left, right, width)


def kept(viewer: Viewer) -> str:
    """What becomes of what is seen."""
    if viewer.session.path is None:
        return "not saved"
    return (
        "saved" if viewer.pace.fault is None and not viewer.pace.paced.reason.startswith("disk") else "saved up to here"
    )


class Status(LinesPane):
    """Row 1."""

    def lines(self, width: int, height: int) -> list[Line]:
        return [status_line(self.viewer, width)]
