"""Queries for a person's mood at a second, and the question that describes it: its labels, its main causes in the order
in which they are listed everywhere, and a memory (docs/mechanisms.md, Words for moods).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from operator import mul

from msgspec import UNSET
from msgspec.structs import replace

from sandbox.core.clock import Clock
from sandbox.people.memory import retrieve
from sandbox.people.model import HasPeople
from sandbox.people.mood import MUSED, Cause, MoodParameters, Pad, mood_at, rest_at
from sandbox.people.mood import ledger as ledger_at
from sandbox.people.mood_words import (
    COLOURS,
    PLEASES,
    SHIPPED,
    VALENCES,
    WORTH,
    Anchors,
    Set,
    along,
    colour,
    nearest_anchor,
)
from sandbox.people.persona import Persona
from sandbox.people.question_mood import DescribeMood
from sandbox.people.wording import clause, lower_first_word, since_phrase

CAUSES, MEMORIES, LATEST = 2, 1, 400
STAYS, TODAY = 0, 1  # ranks of causes
SHARE = 0.1  # least size of a cause of today, relative to the largest cause, to be listed before larger older ones
OLDER = "many small things of the hours before"


def half_life(w: HasPeople, who: str) -> float:
    """A person's half-life of mood in minutes: that of their file, else the world's."""
    return half_life_of(w.mood_parameters, w.cast[who])


def half_life_of(p: MoodParameters, persona: Persona) -> float:
    """A persona's half-life of mood in minutes."""
    usual, temper = p.half_life, persona.mood
    own = None if temper is UNSET else temper.half_life
    return usual if own is None or usual == inf else own  # where no mood fades, nobody's does


def mood_of(w: HasPeople, who: str, t: float) -> Pad:
    """Their mood at second t."""
    return mood_at(w.people.residents[who].mood, t, half_life_of(w.mood_parameters, w.cast[who]))


def rest_of(w: HasPeople, who: str, t: float) -> Pad:
    """The rest their mood decays to at second t: temperament, and what is left of marks."""
    return rest_at(w.people.residents[who].mood, t)


def tag_of(w: HasPeople, who: str, t: float) -> Pad:
    """Their mood at second t rounded to three decimals, as events carry it."""
    p, a, d = mood_of(w, who, t)
    return Pad(round(p, 3) + 0.0, round(a, 3) + 0.0, round(d, 3) + 0.0)


def ledger_of(w: HasPeople, who: str, t: float) -> list[Cause]:
    """The causes of their mood at second t: marks first, then the others, largest first."""
    return ledger_at(w.people.residents[who].mood, t, half_life(w, who))


# ---- how it is told


def start_of_day(w: HasPeople, who: str) -> int:
    """The second at which somebody's day began: it ends when they plan the next, not at midnight."""
    return w.clock.midnight(w.people.residents[who].day)


def rank(cause: Cause, since: int) -> int:
    """The rank of a cause in lists: 0 marks, 1 causes of today (since second `since`), 2 what one woke with or brooded
    over, 3 causes from before, 4 the folded "older" ones. Temperament is no cause, and comes after all of them.
    """
    if cause.sort == "mark":
        return STAYS
    if cause.sort == "older":
        return 4
    if cause.t < since:
        return 3
    return 2 if cause.sort in MUSED else TODAY


def cause_phrase(clock: Clock, cause: Cause, now: float) -> str:
    """A cause in words; a mark with since when."""
    if cause.sort == "older":
        return OLDER
    return (
        f"since {since_phrase(clock, cause.t, int(now))}, {lower_first_word(cause.why)}"
        if cause.sort == "mark"
        else cause.why
    )


def moved_by(mood: Pad, nature: Pad) -> Pad:
    """The difference of a mood from temperament, which is the part that has causes."""
    return Pad(*(x - y for x, y in zip(mood, nature, strict=True)))


def by_nature(mood: Pad, nature: Pad) -> bool:
    """Whether temperament outweighs what moved a mood, and both have the same label or valence."""
    moved, now, then = sum(x * x for x in moved_by(mood, nature)), colour(mood), colour(nature)
    return sum(x * x for x in nature) > moved and (now == then or VALENCES[now] * VALENCES[then] > 0)


def against_nature(mood: Pad, nature: Pad) -> bool:
    """Whether a mood is good or bad by temperament although causes moved it the other way, or resembles temperament
    although causes moved it away.
    """
    moved, valence = moved_by(mood, nature), valence_of(mood)
    if nature.p * valence > 0.0 and moved.p * valence < -PLEASES:
        return True
    return by_nature(mood, nature) and along(moved, Cause(*nature, 0, 0, "")) < 0.0


def valence_of(mood: Pad) -> int:
    """A mood's valence: 1 good, -1 bad, even if faint; 0 for calm, surprise and the like."""
    named = COLOURS[nearest_anchor(mood).label]
    return VALENCES[named] if named != "calm" else 0


def part(moved: Pad, cause: Cause) -> float:
    """How far a cause points in the direction a mood has moved. If that is mainly pleasure, a pleasant cause never
    supports a move for the worse, nor an unpleasant one a move for the better.
    """
    size = max(WORTH, float(sum(x * x for x in moved) ** 0.5))
    if 2.0 * abs(moved.p) >= size:
        return along(moved, cause)
    return (cause.p * moved.p + cause.a * moved.a + cause.d * moved.d) / size


def main_causes(
    causes: Iterable[Cause], moved: Pad, since: int, most: int = CAUSES, mood: Pad | None = None
) -> list[Cause]:
    """The main causes of a mood, sorted by `rank`: at most `most` that point the way it has moved, with equal reasons
    added up; a mark replaces the causes of its own second.

    They are the largest, except that the largest of today is always among them if it reaches `SHARE` of the largest.
    "older" comes last if it outweighs them. moved: see `moved_by`; since: start of the day. mood: if given, pleasant
    causes are left out for a bad mood, and unpleasant ones for a good one.
    """
    valence = valence_of(mood) if mood is not None else 0
    once: dict[tuple[str, bool, bool], Cause] = {}
    causes = tuple(causes)
    stays = {c.t for c in causes if c.sort == "mark"}
    for c in (c for c in causes if c.sort == "mark" or c.t not in stays):
        key = (c.why, c.sort == "mark", c.t >= since)
        same = once.get(key)
        once[key] = c if same is None else replace(same, p=same.p + c.p, a=same.a + c.a, d=same.d + c.d)
    fitting = [c for c in once.values() if part(moved, c) >= WORTH and c.p * valence >= 0.0]
    fitting.sort(key=lambda c: -part(moved, c))
    told_apart = [c for c in fitting if c.sort != "older"]
    least = SHARE * part(moved, told_apart[0]) if told_apart else 0.0
    first = [c for c in told_apart if rank(c, since) == TODAY and part(moved, c) >= least][:1]
    found = [*first, *(c for c in told_apart if c not in first)][:most]
    rest = [c for c in fitting if c.sort == "older" and part(moved, c) > sum(part(moved, x) for x in found)]
    return sorted((*found, *rest), key=lambda c: rank(c, since))


def _reasons(ledger: list[Cause], mood: Pad, nature: Pad, away: bool, since: int) -> tuple[list[Cause], list[Cause]]:
    """(main causes of a mood, causes that moved it but contradict its label). away: as `against_nature` returns."""
    moved, valence = moved_by(mood, nature), valence_of(mood)
    causes = main_causes(ledger, mood if away else moved, since, mood=mood)
    said, most = {c.seq for c in causes}, max((part(moved, c) for c in causes), default=0.0)
    against = [
        c
        for c in main_causes(ledger, moved, since)
        if c.sort != "older" and c.seq not in said
        and (c.p * valence < -PLEASES or (away and sum(map(mul, (c.p, c.a, c.d), nature)) < 0.0))
        and (away or part(moved, c) > most)
    ]  # fmt: skip
    if causes or away:
        return causes, against
    return main_causes(ledger, moved, since), []


def describe(w: HasPeople, who: str, t: float, anchors: Anchors = SHIPPED, of: Set = "categories") -> DescribeMood:
    """The question how somebody feels at second t. Its memory is an event about the people behind the causes; none if
    memories are not read yet. It does not count as recalled. Without moods in the world there are no labels.
    """
    if not w.mood_parameters.on:
        return DescribeMood(who=who, now=int(t), persona=w.cast[who], name=w.handbook.name(who))
    mood, nature = mood_of(w, who, t), w.people.residents[who].mood.rest
    away = against_nature(mood, nature)
    causes, against = _reasons(ledger_of(w, who, t), mood, nature, away, start_of_day(w, who))
    stream = w.memories.of(who)
    latest = stream[-LATEST:]
    seqs = {c.seq for c in causes}
    people = {p for m in latest if m.seq in seqs for p in m.about}
    telling = [m for m in latest if m.topic and m.kind == "event" and m.seq not in seqs and people & {*m.about}]
    found = retrieve(stream, " ".join(c.why for c in causes), int(t), mood, w.memory_parameters, MEMORIES, telling)
    return DescribeMood(
        who=who,
        now=int(t),
        persona=w.cast[who],
        labels=anchors.labels(mood, of),
        mood=mood,
        nature=by_nature(mood, nature),
        away=away,
        against=tuple(clause(cause_phrase(w.clock, c, t), c.sort, w.handbook.name(who)) for c in against),
        causes=tuple(cause_phrase(w.clock, c, t) for c in causes),
        sorts=tuple(c.sort for c in causes),
        memories=tuple(m.text for m in found),
        name=w.handbook.name(who),
        asleep=not w.people.residents[who].awake,
    )
