"""Timeline rows at a stop: headline, reasons, the weightiest of many, and whom or where to look at."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from sandbox.core.text import clean, join_names
from sandbox.readers.phrases import opening, tie_kinds
from sandbox.readers.pressures import MATTER, Matter, matter_sentence, wanted_sentence
from sandbox.readers.stories_of_talk import TURNED_AWAY
from sandbox.readers.talks import ROW, TIE, TalkLine, TalkStory
from sandbox.readers.timeline import OCCASION, TimelineRow
from sandbox.town.plan import sector_of
from sandbox.town.ways import map_position
from sandbox.tui.view.viewer import Viewer

BEST = 3  # rows that `weightiest_rows` returns, at most
NAMED = 6  # people of an occasion that are named; the others are counted
BEGAN, SAYS = "it began with this: ", " said “"
TELLING = frozenset(("leak", "confide"))  # exchanges whose news is what is told, however it is received
FELT = (TURNED_AWAY, TIE)  # marks of rows that a grudge may explain
BESIDE = 8.0  # tiles within which somebody is at an occasion
OLD = 0.2  # least size of a feeling from before the world began that counts as a reason
TOLD_FROM = 2.0  # rows of less weight are never among the best


def row_headline(row: TimelineRow) -> str:
    """A row's text up to its first colon or semicolon: "Bo and Ada had words at the bakery"."""
    return clean(row.text).partition(": ")[0].partition("; ")[0]


def company(viewer: Viewer, row: TimelineRow) -> str:
    """The people an occasion is for: the first NAMED by name, the others as a count."""
    names = [viewer.name(who) for who in row.who]
    return join_names(names if len(names) <= NAMED else [*names[:NAMED], f"{len(names) - NAMED} more"])


def why_told(viewer: Viewer, row: TimelineRow) -> str:
    """The reason of a row, or what it begins, with "because", "and now" or "with"; "" if nothing is known."""
    if row.mark == OCCASION:
        return f"with {company(viewer, row)}"
    begun = spark_reason(viewer, row) if row.mark == MATTER and not row.matter else ""
    because = row_reason(viewer, row)
    if begun:
        return f"and now {begun}"
    alone = because.startswith(BEGAN) or SAYS in because.partition("; ")[0]
    return because if not because or alone else f"because {because}"


def row_reason(viewer: Viewer, row: TimelineRow) -> str:
    """The reason of a row, in words that follow "because"; "" if nothing is known. It looks at the moment shown.

    If only the beginning or what was said is known, the result is that, and stands alone without "because". Causes of
    somebody's mood are not used as reasons for events: they are shown with the mood.
    """
    story = viewer.story(row.talk) if row.talk else None
    matter = viewer.timeline.matters.get(row.matter)
    if matter is not None:
        return matter_reason(viewer, row, matter, story)
    if story is not None:
        return talk_reason(viewer, row, story)
    if row.why:  # a row with a reason of its own
        return row.why
    return root(viewer, row.who, cold=True, one_sided=True) if row.mark in FELT and len(row.who) == 2 else ""


def matter_reason(viewer: Viewer, row: TimelineRow, matter: Matter, story: TalkStory | None) -> str:
    """The reason of a row about a pressure, to follow "because" as in `row_reason`: the row's own, the cause of
    the pressure, and what its holder wanted unless the row names the matter and both people; then the words that
    settled it. "" if none is known. Once it is over or its hour has passed (row.over), its cause is worded as its
    beginning: that somebody promised something is no reason for breaking the promise.
    """
    handbook = viewer.world.handbook
    names = [viewer.name(who) for who in (matter.holder, matter.about) if who]
    told = matter.gist in row.text and all(name in row.text for name in names)
    what = "" if told else wanted_sentence(handbook, matter)
    line = _decisive(viewer, story, row) if story is not None else None
    words = f"{viewer.name(line.who)}{SAYS}{line.text.removesuffix('.')}”" if line is not None else ""
    cause = f"{BEGAN}{matter.cause}" if row.over and matter.cause else matter.cause
    why = "; ".join(part for part in (row.why, cause, what) if part)
    return f"{why}; then {words}" if why and words else why or words


def spark_reason(viewer: Viewer, row: TimelineRow) -> str:
    """The pressures that an event from outside began (they follow it in the log), in words that follow "and now"."""
    begun = {m.seq: m for m in viewer.timeline.matters.values() if m.seq > row.seq}
    found: list[str] = []
    while (m := begun.get(row.seq + len(found) + 1)) is not None:
        found.append(matter_sentence(viewer.world.handbook, m))
    return "; ".join(found)


def _decisive(viewer: Viewer, story: TalkStory, row: TimelineRow) -> TalkLine | None:
    """The line that settled a row's matter: the speaker's own if it was accepted or told news, else (also after a
    question or a hostile exchange) the other's answer.
    """
    done = next((x for x in story.deeds if x.matter == row.matter), None)
    if done is None:
        return None
    exchange = viewer.world.drama.exchanges.get(done.do)
    asked = exchange is not None and (exchange.hostile or exchange.move.startswith("ask_"))
    first = done.do in TELLING or (done.answer == "accept" and not asked)
    return next((x for x in story.lines if x.seq == done.seq and (x.who == done.who) == first), None)


def talk_reason(viewer: Viewer, row: TimelineRow, story: TalkStory) -> str:
    """Why a talk went as it did: a telling line, the old feeling between the two, or else the intent of the talk."""
    old, new = _kinds(row, story)
    line = _telling(story, row)
    words = quote_talk_line(viewer, story, line) if line is not None else ""
    long = root(viewer, row.who if new else story.who, cold=old == "sour" or _cold(story, new), one_sided=bool(new))
    if old == "sour" and long:
        long = f"it was this: {long.partition(': ')[2]}"
    return "; ".join(x for x in (words, long) if x) or opening(viewer.world.handbook, *story.who, story.intent)


def quote_talk_line(viewer: Viewer, story: TalkStory, line: TalkLine) -> str:
    """A line of a talk; a cold one with the line it answers before it: "Pip said “...” and Thea said “...”"."""
    at = story.lines.index(line)
    first = at - 1 if at and line.valence < 0 and story.lines[at - 1].seq == line.seq else at
    return " and ".join(f"{viewer.name(x.who)} said “{x.text}”" for x in story.lines[first : at + 1])


def root(viewer: Viewer, who: Sequence[str], cold: bool, one_sided: bool = False) -> str:
    """A feeling between two people from before the world began, the stronger of both directions; "" if there is none.

    cold: a negative one, else a positive one. one_sided: only the first person's.
    """
    u, v = who[:2]
    ties = viewer.world.people.ties
    found = []
    for x, y in ((u, v),) if one_sided else ((u, v), (v, u)):
        tie = ties.get(x, {}).get(y)
        first = tie.causes[0] if tie is not None and tie.causes else None
        if first is not None and not first.seq and (first.delta <= -OLD if cold else first.delta >= OLD):
            found.append((abs(first.delta), x, y, first.why))
    if not found:
        return ""
    _, x, y, why = max(found)
    return f"what {viewer.name(x)} {'holds against' if cold else 'likes in'} {viewer.name(y)}: {why}"


def _kinds(row: TimelineRow, story: TalkStory) -> tuple[str, str]:
    """The kind of tie before and after a talk, if the row is about a tie; else ("", "")."""
    for relation in story.relations if row.mark == TIE else ():
        if relation.u == row.who[0]:
            return tie_kinds(relation)
    return "", ""


def _cold(story: TalkStory, tie: str = "") -> bool:
    return tie == "sour" or (not tie and story.mark == ROW) or story.warmth < 0


def _telling(story: TalkStory, row: TimelineRow) -> TalkLine | None:
    """The line that best explains a row: the coldest (or warmest, by the row's sign) line of the exchange that moved
    the mood concerned most in that direction. If the row is about one person, a line of the other. None if no line
    fits.
    """
    _, new = _kinds(row, story)
    one = row.who[0] if new or len(row.who) == 1 else ""
    sign = -1.0 if _cold(story, new) else 1.0
    if one and not new:  # a row about their own mood, whatever the tone of the talk
        sign = sum(s.delta[0] for _, s in story.shifts if s.who == one)
    moved = dict.fromkeys((seq for seq, _ in story.shifts), 0.0)  # includes exchanges without words
    for seq, shift in story.shifts:
        if shift.who == one or not one:
            moved[seq] += sign * shift.delta[0]
    felt = bool(story.shifts)  # without moods, lines are ranked by their warmth
    lines = [x for x in story.lines if x.who != one and (moved.get(x.seq, 0.0) > 0 if felt else sign * x.valence > 0)]
    return max(lines, key=lambda x: (moved.get(x.seq, 0.0), sign * x.valence), default=None)


def summary_line(viewer: Viewer, row: TimelineRow) -> tuple[str, str]:
    """The line that sums up the row's talk, as (speaker's id, text); ("", "") if none is known."""
    story = viewer.story(row.talk) if row.talk else None
    line = (_decisive(viewer, story, row) or _telling(story, row)) if story is not None else None
    return (line.who, line.text) if line is not None else ("", "")


def weightiest_rows(rows: Iterable[TimelineRow], but: TimelineRow | None = None) -> tuple[TimelineRow, ...]:
    """The BEST weightiest rows, heaviest first, at most one a talk. but: a row shown already; its talk is left out."""
    told = {but.talk} if but is not None and but.talk else set()
    out: list[TimelineRow] = []
    for row in sorted(rows, key=lambda r: (-r.weight, -r.t)):
        if len(out) == BEST or row.weight < TOLD_FROM:
            break
        if row == but or row.talk in told:
            continue
        told |= {row.talk} - {""}
        out.append(row)
    return tuple(out)


def akin(row: TimelineRow, other: TimelineRow) -> bool:
    """Whether two rows share one of the two people each names first. Occasions are akin to nothing."""
    return OCCASION not in (row.mark, other.mark) and not set(row.who[:2]).isdisjoint(other.who[:2])


def whom(viewer: Viewer, row: TimelineRow, place: tuple[float, float] | None = None) -> str:
    """Whom to look at: the chosen person if the row names them, else the first. place: only people near it count."""
    here = [who for who in row.who if viewer.is_known(who)]
    if place is None:
        return viewer.selected if viewer.selected in here else here[0] if here else ""
    width = viewer.world.map.width
    away = {
        who: math.dist(map_position(viewer.view.spot(who, viewer.shown), viewer.shown, width), place) for who in here
    }
    if away.get(viewer.selected, BESIDE) < BESIDE:
        return viewer.selected
    nearest = min(away, key=away.__getitem__, default="")
    return nearest if away.get(nearest, BESIDE) < BESIDE else ""


def where(viewer: Viewer, row: TimelineRow) -> tuple[float, float] | None:
    """The middle of an occasion's place, in tiles; None if the row is no occasion or it is not found."""
    if row.mark != OCCASION:
        return None
    world = viewer.world
    for occasion in viewer.calendar.on(world.clock.day(row.t)):
        if occasion.id == row.occasion:
            sector = sector_of(occasion.where)
            for x, y, w, h in (s.rect for s in world.scenario.plan.sectors if s.name == sector):
                return x + w / 2, y + h / 2
    return None
