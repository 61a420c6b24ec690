"""Beliefs: who holds what about other people's matters, from whom, how surely, and how it was changed on the way.

A fact is about a pressure, or about something that happened because of one (a row, an ending). What somebody believes
of it are its slots: who, where, and how bad; they may be wrong. Strengths: docs/mechanisms.md, Beliefs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Annotated

import msgspec

from sandbox.core.clock import DAY
from sandbox.core.events import Event, Stamp, r6
from sandbox.people.model import HasPeople
from sandbox.people.pressure_deck import ending_template, gist, one_way

# sources that are no person; "knew": from before the first day; "inferred": put together from what else one believes
# "paper": from a letter or a note that nobody has signed
SAW, OVERHEARD, KNEW, INFERRED, PAPER = "saw", "overheard", "knew", "inferred", "paper"
FIRSTHAND = (SAW, OVERHEARD, KNEW, INFERRED, PAPER)
SEEN, STATED, CAUGHT, GARBLED = 20.0, 5.0, 5.0, 3.0  # strength of what is seen, told, overheard, told wrongly
HELD, MOST = 1.0, 40.0  # least strength of what is held, and the greatest
WORST = 3
ROW = "row"
CLUE, TRUTH = (
    "clue",
    "truth",
)  # how a fact is that stands for itself: what shows of a matter, or one that is no pressure
EVENT = "#"  # the id of a fact about an event is this and the event's number


class BeliefParameters(msgspec.Struct, frozen=True):
    """decay: part of its strength that a belief loses in a day. kept: beliefs a person has room for.

    garble: chance that one slot is changed when something is passed on by a calm person who has just learned it;
    aroused, aged: what arousal (times 0 to 1) and each day of its age add to that.
    """

    decay: Annotated[float, msgspec.Meta(ge=0, le=0.99)] = 0.05
    kept: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 30
    garble: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.12
    aroused: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.25
    aged: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.06


class Fact(msgspec.Struct, frozen=True):
    """Something that can be known, as it truly is. matter: the pressure it is about; kind: that pressure's kind.

    how: "" for the pressure itself, "row", "clue", "truth", or the ending it came to. a, b: the two it is about, b may
    be ""; where: an address or ""; bad: how bad it is, 0 to 3; good: an ending that is good.
    """

    id: str
    matter: str
    kind: str
    how: str
    a: str
    b: str
    where: str
    bad: int
    stakes: str
    cause: str
    good: bool = False


class BeliefUpdate(msgspec.Struct, frozen=True, array_like=True):
    """What somebody has come to believe by an event: of which fact ("" = this very event), and what of it.

    strength: after it, 0 if they did not believe it. source: "saw", "overheard" or who told them. lie: whoever told
    them knows better. exposes: the one whose lie it shows up, or "".
    """

    who: str
    fact: str
    a: str
    b: str
    where: str
    bad: Annotated[int, msgspec.Meta(ge=0, le=WORST)]
    strength: Annotated[float, msgspec.Meta(ge=0, le=MOST)]
    source: str
    lie: bool = False
    exposes: str = ""

    @property
    def slots(self) -> Slots:
        """What it says: who, where, how bad."""
        return self.a, self.b, self.where, self.bad


Slots = tuple[str, str, str, int]


class Belief(msgspec.Struct):
    """What somebody holds of a fact. strength: as it stood at second t. since: when they first held it.

    seq: the event it came of. told: whom they have told.
    """

    fact: str
    a: str
    b: str
    where: str
    bad: int
    strength: float
    t: int
    since: int
    source: str
    seq: int
    lie: bool = False
    told: list[str] = []

    @property
    def slots(self) -> Slots:
        """What it says: who, where, how bad."""
        return self.a, self.b, self.where, self.bad


def people_named(rows: Iterable[BeliefUpdate]) -> Iterator[str]:
    """The people that rows name: those it is about, and whose lie comes out."""
    return (who for row in rows for who in (row.a, row.b, row.exposes) if who)


def rows_of(e: Event) -> tuple[BeliefUpdate, ...]:
    """What people have come to believe by an event."""
    rows: list[object] = [*(getattr(e, "told", None) or ()), *(getattr(e, "learned", None) or ())]
    return tuple(row for row in rows if isinstance(row, BeliefUpdate))


class BeliefState(msgspec.Struct):
    """held: person -> fact -> belief. facts: all that somebody holds a belief about, by id."""

    held: dict[str, dict[str, Belief]] = msgspec.field(default_factory=dict)
    facts: dict[str, Fact] = msgspec.field(default_factory=dict)


class HasBeliefs(HasPeople):
    """The part of a world that these rules touch."""

    beliefs: BeliefState
    belief_parameters: BeliefParameters


# ---- strength


def strength_at(belief: Belief, t: int, q: BeliefParameters) -> float:
    """In [0, MOST]: less by `decay` each day, and evenly within a day; 0 on the days after it fell below HELD.

    Plain arithmetic, which is the same on every machine.
    """
    if not q.decay:
        return belief.strength
    days, rest = divmod(max(0, t - belief.t), DAY)
    return _left(belief.strength, days, q.decay) * (1.0 - q.decay * rest / DAY)


@lru_cache(512)  # most beliefs begin with one of four strengths
def _left(strength: float, days: int, decay: float) -> float:
    for _ in range(days):
        strength *= 1.0 - decay
        if strength < HELD:
            return 0.0
    return strength


def current_beliefs(state: BeliefState, who: str, t: int, q: BeliefParameters) -> Iterator[Belief]:
    """What somebody still believes at t, in the order in which they came to it."""
    return (b for b in state.held.get(who, {}).values() if strength_at(b, t, q) >= HELD)


def garbles(arousal: float, age: int, q: BeliefParameters) -> float:
    """The chance that something is changed when it is passed on. age: of the belief, seconds."""
    return min(1.0, q.garble + q.aroused * max(0.0, arousal) + q.aged * age / DAY)


def learns(
    w: HasBeliefs, who: str, fact: Fact, slots: Slots, weight: float, source: str, t: int, lie: bool = False
) -> BeliefUpdate:
    """What somebody comes to believe who sees or hears that. Of two versions the stronger one is held.

    The same once more adds up.
    """
    old, strength, exposes = w.beliefs.held.get(who, {}).get(fact.id), weight, ""
    left = strength_at(old, t, w.belief_parameters) if old is not None else 0.0
    if old is not None and left >= HELD:
        if old.slots == slots:
            strength = r6(min(MOST, left + weight))
        elif weight <= left:
            strength = 0.0
        elif old.lie and old.source != source and slots[:2] == (fact.a, fact.b):
            exposes = old.source
    return BeliefUpdate(who, "" if fact.id == EVENT else fact.id, *slots, strength, source, lie, exposes)


# ---- what events do


def believe(w: HasBeliefs, rows: Iterable[BeliefUpdate], facts: dict[str, Fact], stamp: Stamp) -> None:
    """Enter what people have come to believe. facts: those the event is about, by the name its rows have for them.

    Raises KeyError for people, places and facts that are not known.
    """
    state = w.beliefs
    for row in rows:
        fact = facts.get(row.fact) or state.facts[row.fact]
        for who in (row.who, row.a, *((row.b,) if row.b else ()), *((row.exposes,) if row.exposes else ())):
            w.people.residents[who]
        if row.where:
            w.map.areas[row.where]
        if row.source not in FIRSTHAND:
            w.people.residents[row.source]
            mine = state.held.get(row.source, {}).get(fact.id)
            if mine is not None and row.who not in mine.told:
                mine.told.append(row.who)
        if row.strength >= HELD:
            state.facts.setdefault(fact.id, fact)
            _enter(state, row, fact.id, stamp, w.belief_parameters)


def _enter(state: BeliefState, row: BeliefUpdate, fact: str, stamp: Stamp, q: BeliefParameters) -> None:
    held = state.held.setdefault(row.who, {})
    old = held.get(fact)
    if old is not None and old.slots == row.slots:
        old.strength, old.t = row.strength, stamp.t
        return
    held.pop(fact, None)
    held[fact] = Belief(fact, *row.slots, row.strength, stamp.t, stamp.t, row.source, stamp.seq, row.lie, [])
    gone = [b.fact for b in held.values() if strength_at(b, stamp.t, q) < HELD]
    if len(held) - len(gone) > q.kept:
        others = [b for b in held.values() if b.fact != fact and b.fact not in gone]
        gone.append(min(others, key=lambda b: strength_at(b, stamp.t, q)).fact)
    for id in gone:
        del held[id]
        if not any(id in beliefs for beliefs in state.held.values()):
            del state.facts[id]


# ---- in words


def fact_sentence(w: HasPeople, fact: Fact, slots: Slots, by: str = "") -> str:
    """What somebody says who believes that, without full stop; "" if the deck has no words for it. by: who says it, for
    not everybody words it alike.
    """
    a, b, where, bad = slots
    drama = w.handbook.drama
    if fact.how in (CLUE, TRUTH):
        return substitute_names(w, fact, slots, fact.stakes)
    r, name, teller = drama.rumours, fact.how or fact.kind, by and f"{by} {fact.a} {fact.b} {fact.stakes}"
    if fact.how not in ("", ROW):
        text = ending_template(drama, fact.kind, fact.how, teller)
    else:
        others = r.also.get(name, ())[bad : bad + 1]
        text = one_way((r.says.get(name, ("",) * (WORST + 1))[bad], *(x for ways in others for x in ways)), teller)
    stakes = substitute_names(w, fact, slots, gist(fact.stakes))
    return text.format(stakes=stakes, place=w.handbook.at(where) if where else "", **w.handbook.both(a, b))


def substitute_names(w: HasPeople, fact: Fact, slots: Slots, text: str) -> str:
    """A text about a fact, with the names of those it is said to be about."""
    for true, said in zip((fact.a, fact.b), slots[:2], strict=True):
        if true and said and true != said:
            for name, other in ((w.cast[true].name, w.cast[said].name), (w.handbook.name(true), w.handbook.name(said))):
                text = other.join(re.split(rf"(?<!\w){re.escape(name)}(?!\w)", text))
    return text
