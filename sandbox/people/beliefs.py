"""Beliefs: who believes what about other people's matters, from whom, how surely, and how it was changed on the way.

A fact is about a pressure, or about something that happened because of one (a row, an ending). What somebody believes
about it are its slots: who, where, and how bad; they may be wrong. Strengths: docs/mechanisms.md, Beliefs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Annotated, NamedTuple

import msgspec

from sandbox.core.clock import DAY
from sandbox.core.events import Event, Stamp, r6
from sandbox.people.claim_model import BREAKER, EITHER, ENDS, FELLOW, OPEN, TOLD, Breach, Claim, ClaimEvent
from sandbox.people.model import HasPeople
from sandbox.people.pressure_deck import DramaDeck, ending_template, gist, one_way

# Sources that are no person. "knew": from before the first day; "inferred": deduced from other beliefs;
# "paper": from an unsigned letter or note.
SAW, OVERHEARD, KNEW, INFERRED, PAPER = "saw", "overheard", "knew", "inferred", "paper"
FIRSTHAND = (SAW, OVERHEARD, KNEW, INFERRED, PAPER)
SEEN, STATED, CAUGHT, GARBLED = 20.0, 5.0, 5.0, 3.0  # strength of what is seen, told, overheard, told wrongly
HELD, STRONGEST = 1.0, 40.0  # least and greatest strength of a belief
WORST = 3  # highest value of `bad`
ROW = "row"
CLUE, TRUTH = ("clue", "truth")  # values of Fact.how: a visible sign of a matter; a fact that is about no pressure
EVENT = "#"  # a fact about an event has this and the event's number as its id


class BeliefParameters(msgspec.Struct, frozen=True):
    """decay: share of its strength that a belief loses in a day. kept: most beliefs a person holds.

    garble: chance that one slot is changed when a calm person passes on what they have just learned; aroused, aged:
    what arousal (times 0 to 1) and each day of the belief's age add to that chance.
    """

    decay: Annotated[float, msgspec.Meta(ge=0, le=0.99)] = 0.05
    kept: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 30
    garble: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.12
    aroused: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.25
    aged: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.06


class Fact(msgspec.Struct, frozen=True):
    """Something that can be known, as it truly is. matter: id of the pressure it is about; kind: that pressure's kind.

    how: "" for the pressure itself, "row", "clue", "truth", or the ending it came to. a, b: the two people it is about,
    b may be ""; where: an address or ""; bad: how bad it is, 0 to 3; good: whether it is a good ending.
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
    """What person `who` came to believe through an event. fact: its id ("" = a fact about this event itself).

    strength: after the event, 0 if they did not believe it. source: "saw", "overheard" or who told them. lie: the
    teller knew better. exposes: the person whose lie it reveals, or "".
    """

    who: str
    fact: str
    a: str
    b: str
    where: str
    bad: Annotated[int, msgspec.Meta(ge=0, le=WORST)]
    strength: Annotated[float, msgspec.Meta(ge=0, le=STRONGEST)]
    source: str
    lie: bool = False
    exposes: str = ""

    @property
    def slots(self) -> Slots:
        """What it says: who, where, how bad."""
        return self.a, self.b, self.where, self.bad


Slots = tuple[str, str, str, int]


class Belief(msgspec.Struct):
    """What somebody believes about a fact. strength: at second t. since: second at which they first believed it.

    seq: number of the event that caused it. told: the people they have told.
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
    """The people that rows name: those a belief is about, and those whose lie comes out."""
    return (who for row in rows for who in (row.a, row.b, row.exposes) if who)


def rows_of(e: Event) -> tuple[BeliefUpdate, ...]:
    """The belief updates that an event carries."""
    rows: list[object] = [*(getattr(e, "told", None) or ()), *(getattr(e, "learned", None) or ())]
    return tuple(row for row in rows if isinstance(row, BeliefUpdate))


class BeliefState(msgspec.Struct):
    """held: person -> fact -> belief. facts: by id, all facts that somebody holds a belief about."""

    held: dict[str, dict[str, Belief]] = msgspec.field(default_factory=dict)
    facts: dict[str, Fact] = msgspec.field(default_factory=dict)


class HasBeliefs(HasPeople):
    """The part of a world that these rules touch."""

    beliefs: BeliefState
    belief_parameters: BeliefParameters


# ---- strength


def strength_at(belief: Belief, t: int, q: BeliefParameters) -> float:
    """A belief's strength at second t, in [0, STRONGEST]: it loses the share `decay` each day, linearly within a day,
    and is 0 from the day after it fell below HELD. No powers: plain arithmetic gives the same result on every machine.
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
    """What somebody still believes at second t, oldest belief first."""
    return (b for b in state.held.get(who, {}).values() if strength_at(b, t, q) >= HELD)


def garbles(arousal: float, age: int, q: BeliefParameters) -> float:
    """The chance that a belief is changed when it is passed on. age: of the belief, in seconds."""
    return min(1.0, q.garble + q.aroused * max(0.0, arousal) + q.aged * age / DAY)


def learns(
    w: HasBeliefs, who: str, fact: Fact, slots: Slots, weight: float, source: str, t: int, lie: bool = False
) -> BeliefUpdate:
    """The update for somebody who sees or hears this version of a fact with this weight. The same version adds to the
    strength; of two different versions the stronger one is kept.
    """
    old, strength, exposes = w.beliefs.held.get(who, {}).get(fact.id), weight, ""
    left = strength_at(old, t, w.belief_parameters) if old is not None else 0.0
    if old is not None and left >= HELD:
        if old.slots == slots:
            strength = r6(min(STRONGEST, left + weight))
        elif weight <= left:
            strength = 0.0
        elif old.lie and old.source != source and slots[:2] == (fact.a, fact.b):
            exposes = old.source
    return BeliefUpdate(who, "" if fact.id == EVENT else fact.id, *slots, strength, source, lie, exposes)


# ---- what events do


def believe(w: HasBeliefs, rows: Iterable[BeliefUpdate], facts: dict[str, Fact], stamp: Stamp) -> None:
    """Apply belief updates to the state. facts: the facts the event is about, by the id its rows use.

    Raises KeyError for unknown people, places and facts.
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
    """The sentence, without full stop, that states a belief; "" if the deck has no words for it. by: the speaker, as
    different people word it differently.
    """
    a, b, where, bad = slots
    if fact.how in (CLUE, TRUTH):
        return substitute_names(w, fact, slots, fact.stakes)
    stakes = substitute_names(w, fact, slots, gist(fact.stakes))
    text, place = fact_template(w.handbook.drama, fact, bad, by), w.handbook.at(where) if where else ""
    return text.format(stakes=stakes, place=place, **w.handbook.both(a, b))


def fact_template(drama: DramaDeck, fact: Fact, bad: int, by: str = "") -> str:
    """The template of `fact_sentence`; "" if the deck has no words for it."""
    if fact.how in (CLUE, TRUTH):
        return fact.stakes
    r, name, teller = drama.rumours, fact.how or fact.kind, by and f"{by} {fact.a} {fact.b} {fact.stakes}"
    if fact.how not in ("", ROW):
        return ending_template(drama, fact.kind, fact.how, teller)
    first, others = r.says.get(name, ("",) * (WORST + 1))[bad], r.also.get(name, ())[bad : bad + 1]
    return one_way((first, *others[0]), teller) if others else first


def substitute_names(w: HasPeople, fact: Fact, slots: Slots, text: str) -> str:
    """A text about a fact with the true names replaced by those the believed slots name."""
    for true, said in zip((fact.a, fact.b), slots[:2], strict=True):
        if true and said and true != said:
            for name, other in ((w.cast[true].name, w.cast[said].name), (w.handbook.name(true), w.handbook.name(said))):
                text = other.join(re.split(rf"(?<!\w){re.escape(name)}(?!\w)", text))
    return text


# ---- which of somebody's claims a deed breaches, and by whom


ClaimsOf = Callable[[str, str], Iterable["Claim | ClaimEvent"]]  # who, kind -> their claims


class Broke(NamedTuple):
    """A claim that was breached, who did it, and the third person the deed involved."""

    breach: Breach
    claim: Claim | ClaimEvent
    breaker: str
    third: str


def broken_by(
    breaches: Iterable[Breach], of: ClaimsOf, me: str, fact: Fact, slots: Slots, source: str = ""
) -> Iterator[Broke]:
    """The breaches of my claims by a deed. slots: what I believe about the fact; source: who told me, or ""."""
    a, b, _, bad = slots
    for x in breaches:
        if x.fact != fact.kind or (fact.how or OPEN) not in x.how or bad < x.bad or not b:
            continue
        if x.by == TOLD:
            found = _told(x, of, me, fact, source) if me == a else None
            if found is not None:
                yield Broke(x, found, _other(found, me), b)
            continue
        for breaker, third in ((a, b), (b, a)) if x.by == EITHER else ((a, b),) if x.by == ENDS[0] else ((b, a),):
            if me == breaker or x.own is not (me == third):
                continue
            found = _of_theirs(x, of, me, breaker, third)
            if found is not None:
                yield Broke(x, found, breaker, third)


def _of_theirs(breach: Breach, of: ClaimsOf, me: str, breaker: str, third: str) -> Claim | ClaimEvent | None:
    mine = [c for c in of(me, breach.claim) if breach.holds == EITHER or getattr(c, breach.holds) == me]
    if breach.with_ == FELLOW:
        terms = {c.terms for c in of(breaker, breach.claim)} if any(of(breaker, breach.office)) else ()
        return next((c for c in mine if c.terms in terms), None)
    if breach.with_ == BREAKER:
        return next((c for c in mine if _other(c, me) == breaker), None)
    torn = any(breaker in (c.a, c.b) for c in of(me, ""))  # who is something to both takes neither side
    return next((c for c in mine if _other(c, me) == third), None) if not torn else None


def _told(breach: Breach, of: ClaimsOf, me: str, fact: Fact, source: str) -> Claim | ClaimEvent | None:
    """My claim of confidence whose terms the stakes mention, unless the confidant is the one who told me."""
    named = [c for c in of(me, breach.claim) if c.terms and c.terms in fact.stakes]
    if any(_other(c, me) == source for c in named):
        return None
    return next((c for c in named if breach.holds == EITHER or getattr(c, breach.holds) == me), None)


def _other(claim: Claim | ClaimEvent, me: str) -> str:
    return claim.b if claim.a == me else claim.a
