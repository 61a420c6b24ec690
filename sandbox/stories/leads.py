"""What could lead a day's page: rows first, then ties that turned, then kindness, then what the calendar held."""

from __future__ import annotations

from typing import NamedTuple

from sandbox.core.clock import Clock
from sandbox.drama.decided import VOTE, Decided
from sandbox.people.handbook import Handbook
from sandbox.stories.phrases import says_where, tie_kinds, upper
from sandbox.stories.talks import Line, TalkStory
from sandbox.town.plan import Occasion

VOTED = 150.0  # score of a vote


class Lead(NamedTuple):
    """A possible headline. score: how well it leads, from about 10 to 150; line: the words that sum it up."""

    score: float
    t: int
    seq: int
    who: tuple[str, ...]
    headline: str
    text: str
    place: str
    line: Line | None


def _day(clock: Clock, t: int, today: int, before: str = "") -> str:
    """ "on Thursday ", or "" for the day that need not be named."""
    return "" if clock.day(t) == today else f"{before}{clock.at(t):%A} "


def lead_of_talk(story: TalkStory, handbook: Handbook, clock: Clock, seq: int, today: int) -> Lead | None:
    """What a finished talk offers; None if it was a talk like any other. today: the day that need not be named."""
    a, b = (handbook.name(who) for who in story.who)
    place = handbook.place(story.place)
    at = handbook.at(story.place)
    hour = f"{_day(clock, story.since, today, 'on ')}at {clock.hhmm(story.since)}"
    fell = -min((r.feeling_delta for r in story.relations), default=0.0)
    rose = max((r.feeling_delta for r in story.relations), default=0.0)
    turned = [(r, *tie_kinds(r)) for r in story.relations]
    sour = [r for r, old, new in turned if new == "sour" != old]
    healed = [r for r, old, new in turned if old == "sour" != new]
    coldest = min(story.lines, key=lambda line: line.valence, default=None)
    warmest = max(story.lines, key=lambda line: line.valence, default=None)
    if sour:
        u, v = handbook.name(sour[0].u), handbook.name(sour[0].v)
        head = f"{a} and {b} fall out" if len(sour) == 2 else f"{u} has had enough of {v}"
        text = f"It came to a head between {a} and {b} {at} {hour}, over {story.gist}"
        return Lead(90.0 + 100.0 * fell, story.since, seq, story.who, head, text, place, coldest)
    if story.tone == "hostile":
        text = f"{a} and {b} fell out {at} {hour}, over {story.gist}"
        return Lead(80.0 + 100.0 * fell, story.since, seq, story.who, f"A row {at}", text, place, coldest)
    if story.tone == "tense":
        score = 60.0 + 100.0 * max(0.0, fell) - 20.0 * story.warmth + max(0, 5 - len(story.lines) // 2)
        text = f"{a} and {b} had words {at} {hour}, over {story.gist}"
        return Lead(score, story.since, seq, story.who, f"Sharp words {at}", text, place, coldest)
    if healed:
        u, v = handbook.name(healed[0].u), handbook.name(healed[0].v)
        text = f"{u} no longer holds it against {v}: {at} {hour} they talked about {story.gist}"
        score = 45.0 + 100.0 * rose
        return Lead(score, story.since, seq, story.who, f"{u} makes peace with {v}", text, place, warmest)
    close = [r for r, old, new in turned if new == "close" != old]
    if len(close) == 2:
        text = f"{a} and {b} have grown close: {at} {hour} they talked about {story.gist}"
        score = 40.0 + 60.0 * rose
        return Lead(score, story.since, seq, story.who, f"{a} and {b} are close now", text, place, warmest)
    if story.mark == "♥":
        text = f"{a} and {b} talked long and kindly {at} {hour}, about {story.gist}"
        score = 25.0 + 20.0 * story.warmth
        return Lead(score, story.since, seq, story.who, f"A kind word {at}", text, place, warmest)
    return None


def lead_of_outcome(e: Decided, t: int, seq: int) -> Lead | None:
    """What a vote offers, which goes before all else; contests are told with what happened."""
    if e.how != VOTE:
        return None
    return Lead(VOTED, t, seq, tuple(p.who for p in e.parts), upper(e.news), e.says.removesuffix("."), "", None)


def lead_of_occasion(o: Occasion, t: int, handbook: Handbook, clock: Clock, today: int) -> Lead:
    """What an occasion offers; those of one date only go before those of every week."""
    score = (20.0 if o.on else 10.0) + min(9.0, len(o.who) / 3)
    place = handbook.place(o.where)
    why = f": {o.why}" if o.why else ""
    where = o.title if says_where(o.title, place) else f"{o.title}, {place}"
    return Lead(score, t, 0, (), o.title, upper(f"{where}, {_day(clock, t, today)}{clock.hhmm(t)}{why}"), place, None)
