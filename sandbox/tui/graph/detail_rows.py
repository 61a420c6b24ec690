"""The rows under the picture: the person under the cursor, how others feel about them, the chosen tie, and why."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.plain import count_of
from sandbox.people import ties
from sandbox.tui.graph.looks import LONER
from sandbox.tui.graph.model import LEAST, MOST, Edge, TieSide, people_in_order, regard
from sandbox.tui.graph.past import signs
from sandbox.tui.graph.selection import TieSelection
from sandbox.tui.view.person_words import feeling_label
from sandbox.tui.view.text_lines import COOL, DIM, GOLD, SOFT, SOUR, TEXT, WARM, Line, fit, hung, ink, outside

WORST = "the most disliked of {}"
LOW, MIDDLE, HIGH = 4, 5, 7  # rows of the details, by how much room there is


def called_ink(name: str) -> int:
    """The ink of a bond by its name: warm, cold or neutral."""
    return WARM if name in ties.WARM else SOUR if name in ties.COLD else SOFT


def foot(desk: TieSelection, width: int, rows: int) -> list[Line]:
    """The details in at most `rows` rows."""
    who = desk.who
    if not who:
        return [[ink("Nobody lives here.", SOFT)]]
    if desk.viewer.knower:
        return _own(desk, width, rows)
    edges = desk.edges
    out = [_person(desk, width)]
    tie = desk.tie
    if not edges:
        says = f"{desk.viewer.name(who)} is tied to nobody yet. Meeting and talking make ties."
        return [*out, *hung([], says, width, SOFT)]
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
    says = "  your own ties; what others feel is not to be known"
    out: list[Line] = [fit([outside(desk.viewer.world.cast[me].name, GOLD, bold=True), ink(says, SOFT)], width)]
    for edge in strongest:
        if len(out) < rows:
            out += _side(desk, edge.a, edge.b, edge.there, width, min(2, rows - len(out)))
    return out


def _person(desk: TieSelection, width: int) -> Line:
    ties, who = desk.ties(), desk.who
    name, found = desk.viewer.world.cast[who].name, regard(ties, who)
    line: Line = [outside(name, GOLD, bold=True)]
    if place := _place(desk):
        line.append(ink(f", {place}", TEXT, bold=True))
    line += [ink(f"  {count_of(found.dislikes, 'dislike')} ", SOFT), ink(f"{found.bad:+z.2f}", SOUR)]
    line += [ink(f"  {count_of(found.likes, 'like')} ", SOFT), ink(f"{found.good:+z.2f}", WARM)]
    group = desk.groups.get(who, LONER)
    if group != LONER:
        many = sum(number == group for number in desk.groups.values())
        line.append(ink(f"  community {group + 1}, {many} people", DIM))
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
    return out or [[ink("Nobody feels much about them.", SOFT)]]


def _side(desk: TieSelection, u: str, v: str, side: TieSide, width: int, rows: int, first: bool = True) -> list[Line]:
    """How u is tied to v, in words and numbers, and why. first: also the claims between the two."""
    viewer = desk.viewer
    head: Line = [outside(viewer.name(u), TEXT, bold=True), ink(" to ", DIM), outside(viewer.name(v), TEXT, bold=True)]
    if not side.known:
        return [fit([*head, ink("  nothing yet", DIM)], width)]
    feels, mark, fg = feeling_label(side.feeling)
    head += [ink(f"  {mark} {feels} {side.feeling:+z.2f}", fg)]
    name = desk.bond(u, v)
    head += [ink("  close ", DIM), ink(f"{side.closeness:.2f}  ", SOFT), ink(f"{name}  ", called_ink(name))]
    if first:
        for kind in desk.kinds().get((u, v), ()):
            head += [outside(f"{signs((kind,))} {kind}", SOFT), ink("  ")]
    why = desk.why(u, v, side)
    if why is None:
        return [fit(head, width)]
    clock = viewer.world.clock
    when = "at the start:" if not why.seq else clock.words(why.t)
    said = [ink(f"{why.delta:+z.2f} ", WARM if why.delta > 0.0 else COOL), ink(f"{when} ", DIM)]
    if rows == 1:
        return [fit([*head, *said, outside(why.words, SOFT)], width)]
    return [fit(head, width), *hung([ink("  "), *said], why.words, width, SOFT, most=rows - 1)]
