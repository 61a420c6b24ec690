"""The tab of measures: a table with values and sparklines, plots by day, and the list of communities. And the rows
under the picture of ties: the person under the cursor, how others feel about them, the chosen tie, and why.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment

from sandbox.core.clock import Clock
from sandbox.core.plain import count_of
from sandbox.people import ties
from sandbox.readers.tielines import TieState
from sandbox.tui.graph.draw import LONER, GraphLook
from sandbox.tui.graph.metrics import MEASURES, THETA, format_measure, measure_chart, members
from sandbox.tui.graph.model import LEAST, MOST, Edge, people_in_order, regard
from sandbox.tui.graph.past import signs
from sandbox.tui.graph.selection import TieSelection
from sandbox.tui.view.person_words import feeling_label
from sandbox.tui.view.text_lines import Ink, Line, as_lines, fit, hung, ink, outside, style, to_width, with_background

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
    head = f"Tied: a mean closeness of {THETA:.1f} or more. At the end of each day, and {desk.slider.words()}."
    out: list[Line] = [fit([ink(head, "dim")], width)]
    for i, measure in enumerate(MEASURES):
        values = _values(desk, measure.key)
        first = next((v for v in values if v is not None), None)
        line: Line = [ink(f"{'>' if i == chosen else ' '}{measure.name:<12}", "text", bold=i == chosen)]
        line += [ink(f"{format_measure(values[-1], measure.whole):>6}  ", "accent")]
        line += [ink(f"{format_measure(first, measure.whole):>6} ", "dim")]
        shown = values[-SPARK:]
        (spark,), _, _ = measure_chart(shown, 1, 1)
        line += [ink(spark.ljust(SPARK), "link"), ink(f"  {measure.says}", "soft")]
        row = fit(line, width)
        out.append(with_background(row, "chosen", width) if i == chosen and focus else row)
    return out


def _plot(desk: TieSelection, which: int, chosen: bool, width: int, rows: int) -> list[Line]:
    """A plot of a measure by day under its name: `rows` + 3 lines. which: index of the measure."""
    measure = MEASURES[which]
    values = _values(desk, measure.key)
    wide = max(1, min(5, (width - AXIS) // max(1, len(values))))
    values = values[-((width - AXIS) // wide) :]
    lines, low, high = measure_chart(values, rows, wide)
    out: list[Line] = [[], [ink(measure.name, "accent" if chosen else "soft", bold=chosen)]]
    for y, line in enumerate(lines):
        value = high if y == 0 else low if y == rows - 1 else None
        mark = f"{format_measure(value, False):>5} ┤" if value is not None else f"{'':>5} │"
        out.append([ink(mark, "dim"), ink(line, "link")])
    return [*out, fit([ink(" " * AXIS), ink(_days(desk, len(values), wide), "dim")], width)]


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
    out: list[Line] = [[], [ink(f"Communities, {desk.slider.words()}", "accent", bold=True)]]
    if desk.measured is None:
        return [*out, [ink("looking for them ...", "soft")]]
    if not found:
        says = "There are none: no two people are close, by the mean of both."
        return [*out, *as_lines(says, width)]
    for group, people in found.items():
        fg, bg = look.chip(group)
        colours = style(fg, True, bg) if look.dots else look.styler(fg, bg, True)
        head = [Segment(f" {group + 1} ", colours), ink(f" {len(people):>3}  ", "soft")]
        names = ", ".join(desk.viewer.name(who) for who in people)
        out += hung(head, names, width, "text", most=3)
    lone = len(desk.ties().people) - sum(map(len, found.values()))
    if lone:
        out.append([ink(f"{count_of(lone, 'other')} in none", "dim")])
    return out


# ---- the rows under the picture


WORST = "the most disliked of {}"
LOW, MIDDLE, HIGH = 4, 5, 7  # rows of the details, by how much room there is


def called_ink(name: str) -> Ink:
    """The ink of a bond by its name: warm, cold or neutral."""
    return "warm" if name in ties.WARM else "sour" if name in ties.COLD else "soft"


def foot(desk: TieSelection, width: int, rows: int) -> list[Line]:
    """The details in at most `rows` rows."""
    who = desk.who
    if not who:
        return [[ink("Nobody lives here.", "soft")]]
    if desk.viewer.knower:
        return _own(desk, width, rows)
    edges = desk.edges
    out = [_person(desk, width)]
    tie = desk.tie
    if not edges:
        says = f"{desk.viewer.name(who)} is tied to nobody yet. Meeting and talking make ties."
        return [*out, *hung([], says, width, "soft")]
    each = max(2, (rows - 1) // 2)
    if tie is not None:
        out += _side(desk, tie.b, tie.a, tie.back, width, each)
        out += _side(desk, tie.a, tie.b, tie.there, width, rows - len(out), first=False)
        return out[:rows]
    return [*out, *_ends(desk, edges, width, rows - 1)][:rows]


def _own(desk: TieSelection, width: int, rows: int) -> list[Line]:
    """The played person's tie to the chosen one, else their strongest ties; what others feel stays hidden."""
    me = desk.viewer.knower
    edges = [desk.ties().edge(me, desk.other or desk.who)] if me != (desk.other or desk.who) else desk.ties().circle(me)
    strongest = sorted(edges, key=lambda e: -abs(e.there.weight))
    says = "  your own ties; what others feel you cannot know"
    out: list[Line] = [fit([outside(desk.viewer.world.cast[me].name, "accent", bold=True), ink(says, "soft")], width)]
    for edge in strongest:
        if len(out) < rows:
            out += _side(desk, edge.a, edge.b, edge.there, width, min(2, rows - len(out)))
    return out


def _person(desk: TieSelection, width: int) -> Line:
    ties, who = desk.ties(), desk.who
    name, found = desk.viewer.world.cast[who].name, regard(ties, who)
    line: Line = [outside(name, "accent", bold=True)]
    if place := _place(desk):
        line.append(ink(f", {place}", "text", bold=True))
    line += [ink(f"  {count_of(found.dislikes, 'dislike')} ", "soft"), ink(f"{found.bad:+z.2f}", "sour")]
    line += [ink(f"  {count_of(found.likes, 'like')} ", "soft"), ink(f"{found.good:+z.2f}", "warm")]
    group = desk.groups.get(who, LONER)
    if group != LONER:
        many = sum(number == group for number in desk.groups.values())
        line.append(ink(f"  community {group + 1}, {many} people", "dim"))
    return fit(line, width)


def _place(desk: TieSelection) -> str:
    """Words if the person is the most disliked or best liked of the town, else ""."""
    ties, who, names = desk.ties(), desk.who, desk.names
    found, many = regard(ties, who), len(ties.people)
    if found.dislikes and who == people_in_order(ties, LEAST, names)[0]:
        return WORST.format(many)
    if found.likes and who == people_in_order(ties, MOST, names)[0]:
        return f"the best liked of {many}"
    return ""


def _ends(desk: TieSelection, edges: Sequence[Edge], width: int, rows: int) -> list[Line]:
    """Who dislikes them most and who likes them most, and why; likes first if they prevail."""
    worst, best = (pick(edges, key=lambda e: e.back.feeling) for pick in (min, max))
    found = [e for e in (worst, best) if abs(e.back.feeling) >= 0.05]
    of = regard(desk.ties(), desk.who)
    if of.good > -of.bad and _place(desk) != WORST.format(len(desk.ties().people)):
        found.reverse()
    out: list[Line] = []
    for left, edge in zip((2, 1), dict.fromkeys(found), strict=False):
        out += _side(desk, edge.b, edge.a, edge.back, width, max(1, -(-(rows - len(out)) // left)))
    return out or [[ink("Nobody feels much about them.", "soft")]]


def _side(desk: TieSelection, u: str, v: str, side: TieState, width: int, rows: int, first: bool = True) -> list[Line]:
    """How u is tied to v, in words and numbers, and why. first: also the claims between the two."""
    viewer = desk.viewer
    head: Line = [
        outside(viewer.name(u), "text", bold=True),
        ink(" to ", "dim"),
        outside(viewer.name(v), "text", bold=True),
    ]
    if not side.known:
        return [fit([*head, ink("  nothing yet", "dim")], width)]
    feels, mark, fg = feeling_label(side.feeling)
    head += [ink(f"  {mark} {feels} {side.feeling:+z.2f}", fg)]
    name = desk.bond(u, v)
    head += [ink("  close ", "dim"), ink(f"{side.closeness:.2f}  ", "soft"), ink(f"{name}  ", called_ink(name))]
    if first:
        for kind in desk.kinds().get((u, v), ()):
            head += [outside(f"{signs((kind,))} {kind}", "soft"), ink("  ")]
    why = desk.why(u, v, side)
    if why is None:
        return [fit(head, width)]
    clock = viewer.world.clock
    when = "at the start:" if not why.seq else clock.words(why.t)
    said = [ink(f"{why.delta:+z.2f} ", "warm" if why.delta > 0.0 else "cool"), ink(f"{when} ", "dim")]
    if rows == 1:
        return [fit([*head, *said, outside(why.why, "soft")], width)]
    return [fit(head, width), *hung([ink("  "), *said], why.why, width, "soft", most=rows - 1)]
