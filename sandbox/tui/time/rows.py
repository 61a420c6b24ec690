"""Rows as time has to do with them: in few words, with their why, the weightiest of many, and how to go there."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from sandbox.core.text import clean
from sandbox.stories.phrases import SOUGHT, listed, opening
from sandbox.stories.talks import ROW, TalkStory
from sandbox.stories.timeline import OCCASION, Row
from sandbox.town.rules import position
from sandbox.tui.panes.person import because
from sandbox.tui.viewer import Viewer

if TYPE_CHECKING:
    from sandbox.tui.stage import Stage

BEST = 3
TOLD_FROM = 2.0  # rows of less weight are never among the best


def headline(row: Row) -> str:
    """A row up to where it goes into particulars: "Bo and Ada had words, the bakery"."""
    return clean(row.text).partition(": ")[0]


def company(viewer: Viewer, row: Row, most: int = 6) -> str:
    """Whom an occasion is for, the first by name."""
    names = [viewer.name(who) for who in row.who]
    return listed(names if len(names) <= most else [*names[:most], f"{len(names) - most} more"])


def reason(viewer: Viewer, row: Row) -> str:
    """Why it came to that, in words that follow "because"; "" where nothing is known. It looks at the moment shown."""
    story = viewer.story(row.talk) if row.talk else None
    if story is not None:
        return talk_reason(viewer, story)
    if not row.who or len(row.who) > 2 or ": " in row.text:
        return ""
    found = because(viewer, row.who[0], viewer.shown)
    return "; ".join(c.why for head, c in found if head != "despite" and c.seq and c.why not in row.text)


def talk_reason(viewer: Viewer, story: TalkStory) -> str:
    """Why a talk went as it did: what it was begun for, and what moved one of the two most."""
    begun = opening(viewer.world.handbook, *story.who, story.intent)
    sign = -1.0 if story.mark == ROW else 1.0
    moved = [shift for _, shift in story.shifts if sign * shift.delta[0] > 0 and shift.why != "small talk"]
    if not moved:
        return begun
    a, _ = (viewer.name(who) for who in story.who)
    most = max(moved, key=lambda shift: sign * shift.delta[0])
    return f"of {most.why}; {a} had come {SOUGHT.get(story.intent, 'to talk')}"


def telling(viewer: Viewer, row: Row) -> tuple[str, str]:
    """The line that sums up the row's talk, and whose it is: (id, text); ("", "") if it had none that we know."""
    story = viewer.story(row.talk) if row.talk else None
    if story is None or not story.lines:
        return "", ""
    cold = story.mark == ROW or story.warmth < 0
    line = min(story.lines, key=lambda x: x.valence if cold else -x.valence)
    return line.who, line.text


def best(rows: Iterable[Row], most: int = BEST, but: Row | None = None) -> tuple[Row, ...]:
    """The weightiest rows, most important first, one for each talk. but: a row that is told already."""
    told = {but.talk} if but is not None and but.talk else set()
    out: list[Row] = []
    for row in sorted(rows, key=lambda r: (-r.weight, -r.t)):
        if len(out) == most or row.weight < TOLD_FROM:
            break
        if row == but or row.talk in told:
            continue
        told |= {row.talk} - {""}
        out.append(row)
    return tuple(out)


def whom(viewer: Viewer, row: Row, place: tuple[float, float] | None = None) -> str:
    """Whom to look at: the chosen person if it is about them, else the first, or the one nearest to where it is."""
    if viewer.selected in row.who:
        return viewer.selected
    here = [who for who in row.who if who in viewer.world.cast]
    if place is None or not here:
        return here[0] if here else ""
    spots = {who: viewer.view.spot(who, viewer.shown) for who in here}
    width = viewer.world.map.width
    return min(here, key=lambda who: math.dist(position(spots[who], viewer.shown, width), place))


def where(viewer: Viewer, row: Row) -> tuple[float, float] | None:
    """The middle of the place of an occasion, in tiles; None if the row is of something else."""
    if row.mark != OCCASION:
        return None
    world = viewer.world
    second = world.clock.second_of_day(row.t)
    for occasion in viewer.calendar.on(world.clock.day(row.t)):
        if occasion.from_ == second and row.text.startswith(occasion.title):
            sector = occasion.where.partition(" / ")[0]
            for x, y, w, h in (s.rect for s in world.scenario.plan.sectors if s.name == sector):
                return x + w / 2, y + h / 2
    return None


def go_to_row(stage: Stage, number: int, trace: bool = True) -> None:
    """Choose whom a row is about, centre the map on them and put the timeline's cursor on it.

    trace: remember where one came from. A row that is not kept any more is passed over.
    """
    viewer = stage.viewer
    if not viewer.chronicle.first <= number < viewer.chronicle.told:
        return
    row = viewer.chronicle[number]
    if trace:
        stage.leave_trace()
    place = where(viewer, row)
    if who := whom(viewer, row, place):
        viewer.following = viewer.following and who == viewer.selected and place is None
        stage.choose(who)
        if place is None:
            stage.town.look_at(who)
    if place is not None:
        stage.town.stand(*place, stage.town.zoom)
    stage.timeline.go_to(number)
    stage.update()
