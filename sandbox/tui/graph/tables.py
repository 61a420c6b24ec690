"""The tab of measures: a table with values and sparklines, plots by day, and the list of communities."""

from __future__ import annotations

from rich.segment import Segment

from sandbox.core.clock import Clock
from sandbox.core.plain import count_of
from sandbox.tui.graph.looks import GraphLook
from sandbox.tui.graph.metrics import MEASURES, THETA, format_measure, measure_chart, members
from sandbox.tui.graph.selection import TieSelection
from sandbox.tui.view.text_lines import (
    BLUE,
    CHOSEN,
    DIM,
    GOLD,
    SOFT,
    TEXT,
    Line,
    as_lines,
    fit,
    hung,
    ink,
    style,
    to_width,
    with_background,
)  # fmt: skip

SPARK = 16  # cells of a sparkline
PLOT, AXIS = 5, 7  # rows of a plot, and cells of its axis labels
TWO = 60  # width from which two plots stand side by side
DAYS = 60  # most days drawn, the latest


def measures(desk: TieSelection, chosen: int, width: int, height: int, look: GraphLook, focus: bool) -> list[Line]:
    """The lines of the tab, as many as fit. chosen: index of the chosen measure."""
    out = _table(desk, chosen, width, focus)
    room = height - len(out)
    if width >= TWO and room >= 2 * (PLOT + 3) + 4:
        first = [*range(4)] if chosen < 4 else [chosen, *range(3)]
        wide = (width - 2) // 2
        for pair in (first[:2], first[2:]):
            left, right = (_plot(desk, i, i == chosen, wide, PLOT) for i in pair)
            out += [[*to_width(a, wide), ink("  "), *b] for a, b in zip(left, right, strict=True)]
    elif room >= 8:
        out += _plot(desk, chosen, True, width, min(PLOT + 2, room - 6))
    out += _communities(desk, width, height - len(out), look)
    return out[:height]


def _values(desk: TieSelection, key: str) -> list[float | None]:
    """The values of a measure at the end of each day, and now; None where it is unknown."""
    days = [desk.history.get(t) for t in desk.slider.moments(desk.now)][-DAYS:]
    now = desk.measured
    return [*(day.values[key] if day is not None else None for day in days), now.values[key] if now else None]


def _table(desk: TieSelection, chosen: int, width: int, focus: bool) -> list[Line]:
    head = f"Two are tied from a mean closeness of {THETA:.1f} on. As each day ended, and {desk.slider.words()}."
    out: list[Line] = [fit([ink(head, DIM)], width)]
    for i, measure in enumerate(MEASURES):
        values = _values(desk, measure.key)
        first = next((v for v in values if v is not None), None)
        line: Line = [ink(f"{'>' if i == chosen else ' '}{measure.name:<12}", TEXT, bold=i == chosen)]
        line += [ink(f"{format_measure(values[-1], measure.whole):>6}  ", GOLD)]
        line += [ink(f"{format_measure(first, measure.whole):>6} ", DIM)]
        shown = values[-SPARK:]
        (spark,), _, _ = measure_chart(shown, 1, 1)
        line += [ink(spark.ljust(SPARK), BLUE), ink(f"  {measure.says}", SOFT)]
        row = fit(line, width)
        out.append(with_background(row, CHOSEN, width) if i == chosen and focus else row)
    return out


def _plot(desk: TieSelection, which: int, chosen: bool, width: int, rows: int) -> list[Line]:
    """A plot of a measure by day under its name: `rows` + 3 lines. which: index of the measure."""
    measure = MEASURES[which]
    values = _values(desk, measure.key)
    wide = max(1, min(5, (width - AXIS) // max(1, len(values))))
    values = values[-((width - AXIS) // wide) :]
    lines, low, high = measure_chart(values, rows, wide)
    out: list[Line] = [[], [ink(measure.name, GOLD if chosen else SOFT, bold=chosen)]]
    for y, line in enumerate(lines):
        value = high if y == 0 else low if y == rows - 1 else None
        mark = f"{format_measure(value, False):>5} ┤" if value is not None else f"{'':>5} │"
        out.append([ink(mark, DIM), ink(line, BLUE)])
    return [*out, fit([ink(" " * AXIS), ink(_days(desk, len(values), wide), DIM)], width)]


def _days(desk: TieSelection, many: int, wide: int) -> str:
    """Labels under the columns: the day where there is room; the last is now."""
    clock: Clock = desk.viewer.world.clock
    today = clock.day(desk.now)
    out = ""
    for i in range(many):
        day = today - many + i + 1
        text = "now" if i == many - 1 else f"{day}" if day > 0 else "0"
        room = i * wide - len(out)
        if room >= 0 and (i == many - 1 or len(text) + 1 <= wide or not out or room >= 2):
            out += " " * room + text
    return out


def _communities(desk: TieSelection, width: int, rows: int, look: GraphLook) -> list[Line]:
    found = members(desk.groups, desk.ties().people)
    if rows < 3:
        return []
    out: list[Line] = [[], [ink(f"Communities, {desk.slider.words()}", GOLD, bold=True)]]
    if desk.measured is None:
        return [*out, [ink("being looked for ...", SOFT)]]
    if not found:
        says = "There are none: nobody is close to anybody, by the mean of both."
        return [*out, *as_lines(says, width)]
    for group, people in found.items():
        fg, bg = look.chip(group)
        colours = style(fg, True, bg) if look.dots else look.styler(fg, bg, True)
        head = [Segment(f" {group + 1} ", colours), ink(f" {len(people):>3}  ", SOFT)]
        names = ", ".join(desk.viewer.name(who) for who in people)
        out += hung(head, names, width, TEXT, most=3)
    lone = len(desk.ties().people) - sum(map(len, found.values()))
    if lone:
        out.append([ink(f"{count_of(lone, 'other')} in none", DIM)])
    return out
