"""Conditions on the town, over claims, beliefs, ties, endings and decisions: the form shared by the player's goals and
by card scripts; and whether one holds, with what matches its parts. Its words, and what it lacks: unmet_conditions.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Annotated, Any, NamedTuple

import msgspec

from sandbox.core.clock import parse_moment
from sandbox.core.fields import Finding, meta, unknown_words
from sandbox.director.history import Course, Finished, HasAnnals, OccasionDecision
from sandbox.director.model import HasDirector
from sandbox.people.beliefs import STRONGEST, Belief, Fact, strength_at
from sandbox.people.claim_model import StandingClaim
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.ties import closeness_at, pair_key
from sandbox.talk.content import tie_of

FEELING, CLOSENESS = "feeling", "closeness"
OUTCOMES = ("yes", "no", "won", "off")  # how a decision can come out: vote yes or no, contest won, called off
Who = Annotated[str, meta(most=40)]
Word = Annotated[str, meta(most=80)]
Moment = Annotated[str, meta(reads="moment", most=40)]


class ClaimPattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """An open claim. a, b, terms, where: "" matches anything."""

    kind: Annotated[str, meta("couple", most=40)]
    a: Who = ""
    b: Who = ""
    terms: Annotated[str, meta(most=120)] = ""
    where: Annotated[str, meta(reads="address")] = ""


class Believes(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody believes a fact. how: instead, a fact about this outcome of it ("row", or an ending). least: strength;
    truly: they have the right people; of: they hold this person responsible; before: since before that moment.
    """

    who: Annotated[str, meta("basil", most=40)]
    fact: Annotated[str, meta("hidden_deed", most=60)]
    how: Word = ""
    least: Annotated[float, meta(low=0, high=STRONGEST)] = 1.0
    truly: bool = False
    of: Who = ""
    before: Moment = ""


class Unknown(msgspec.Struct, frozen=True, omit_defaults=True):
    """Nobody believes a fact, except those in `but` and whoever did it. least: strength from which it counts."""

    fact: Annotated[str, meta("hidden_deed", most=60)]
    but: Annotated[tuple[str, ...], meta(distinct="person of the cast")] = ()
    how: Word = ""
    least: Annotated[float, meta(low=0, high=STRONGEST)] = 1.0


class TiePattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """What u is to v: feeling, -1 to 1, or closeness, 0 to 1. both: v to u as well."""

    u: Annotated[str, meta("zeno", most=40)]
    v: Annotated[str, meta("dov", most=40)]
    of: Annotated[str, meta(options=(FEELING, CLOSENESS), what="side of a tie")] = FEELING
    least: Annotated[float, meta(low=-1, high=1)] = -1.0
    most: Annotated[float, meta(low=-1, high=1)] = 1.0
    both: bool = False


class Matters(msgspec.Struct, frozen=True, omit_defaults=True):
    """Pressures with an id, thread or kind, held by or about somebody; "" matches anything."""

    matter: Annotated[str, meta(most=60)] = ""
    thread: Annotated[str, meta(most=60)] = ""
    kind: Annotated[str, meta(most=40)] = ""
    holder: Who = ""
    about: Who = ""


class EndingPattern(Matters, frozen=True, omit_defaults=True):
    """Such a pressure has ended. how: one of these endings; good: whether it ended well. before, after: ended before or
    after that moment.
    """

    how: tuple[Word, ...] = ()
    good: bool | None = None
    before: Moment = ""
    after: Moment = ""


class DecisionPattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """An occasion has decided. how: "yes" or "no" of a vote, "won" of a contest, "off"; winner: who won it. after:
    decided after that moment.
    """

    occasion: Annotated[str, meta("council_vote", most=60)]
    how: Annotated[str, meta(options=OUTCOMES, blank=True, what="outcome")] = ""
    winner: Who = ""
    after: Moment = ""


class Spoke(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two have spoken kindly since their last quarrel. after: and after that moment."""

    a: Annotated[str, meta("zeno", most=40)]
    b: Annotated[str, meta("dov", most=40)]
    after: Moment = ""


class Predicate(
    msgspec.Struct,
    frozen=True,
    omit_defaults=True,
    rename={"all_": "all", "any_": "any", "not_": "not", "open_": "open"},
):
    """A condition: every field that is set must hold. all_: each of these; any_: at least one; not_: this does not
    hold. claim: it is open; believes, nobody_believes; tie; ended: a matter has; open_: one is open; decided: an
    occasion has; spoke; after: that moment is past. says: the author's own words for it.
    """

    claim: ClaimPattern | None = None
    believes: Believes | None = None
    nobody_believes: Unknown | None = None
    tie: TiePattern | None = None
    ended: EndingPattern | None = None
    open_: Matters | None = None
    decided: DecisionPattern | None = None
    spoke: Spoke | None = None
    after: Moment = ""
    says: Annotated[str, meta(most=160)] = ""
    all_: tuple[Predicate, ...] = ()
    any_: tuple[Predicate, ...] = ()
    not_: Predicate | None = None


# ---- of whom and of what it speaks


def own_patterns(predicate: Predicate) -> tuple[msgspec.Struct, ...]:
    """The patterns of a condition itself, without those of conditions nested in it."""
    x = predicate
    found = (x.claim, x.believes, x.nobody_believes, x.tie, x.ended, x.open_, x.decided, x.spoke)
    return tuple(pattern for pattern in found if pattern is not None)


def condition_parts(predicate: Predicate) -> Iterator[msgspec.Struct]:
    """All patterns in a condition, nested ones too."""
    for one in every(predicate):
        yield from own_patterns(one)


def every(predicate: Predicate) -> Iterator[Predicate]:
    """A condition and all conditions nested in it."""
    yield predicate
    for inner in (*predicate.all_, *predicate.any_, *([predicate.not_] if predicate.not_ is not None else [])):
        yield from every(inner)


ENDS = ("a", "b", "who", "of", "u", "v", "holder", "about", "winner")  # fields of patterns that name a person


def condition_people(predicate: Predicate) -> tuple[str, ...]:
    """The people whom a condition names, each once."""
    out: dict[str, None] = {}
    for part in condition_parts(predicate):
        for field in ENDS:
            if (who := getattr(part, field, "")) and not (field == "of" and isinstance(part, TiePattern)):
                out[who] = None
        out |= dict.fromkeys(getattr(part, "but", ()))
    return tuple(out)


class Nameable(NamedTuple):
    """What the conditions of a world may name. outcomes: occasion -> how its decision can come out."""

    people: Collection[str]
    claims: Collection[str]
    facts: Collection[str]
    matters: Collection[str]
    threads: Collection[str]
    kinds: Collection[str]
    endings: Collection[str]
    outcomes: dict[str, tuple[str, ...]]


def no_moment(text: str) -> str:
    """What is wrong with a text that should be a moment, "" if nothing."""
    try:
        parse_moment(text)
    except ValueError as error:
        return str(error)
    return ""


def odd(predicate: Predicate, w: Nameable) -> Iterator[Finding]:
    """Faults of a condition: it asks for nothing, or names something that does not exist."""
    nested = predicate.all_ or predicate.any_ or predicate.not_ is not None
    if not predicate.after and not nested and not own_patterns(predicate):
        yield Finding(
            predicate, "", "says nothing; give it a part, for example `claim: {kind: couple, a: mara, b: bo}`"
        )
    for x in every(predicate):
        if x.after and (wrong := no_moment(x.after)):
            yield Finding(x, "after", wrong)
    for part in condition_parts(predicate):
        for field in ("before", "after"):
            if (text := getattr(part, field, "")) and (wrong := no_moment(text)):
                yield Finding(part, field, wrong)
        yield from _odd(part, w)


def _odd(part: msgspec.Struct, w: Nameable) -> Iterator[Finding]:
    for field in ENDS:
        if (who := getattr(part, field, "")) and not (field == "of" and isinstance(part, TiePattern)):
            yield from unknown_words(part, field, (who,), w.people, "person of the cast")
    if isinstance(part, Unknown):
        yield from unknown_words(part, "but", part.but, w.people, "person of the cast")
    if isinstance(part, ClaimPattern):
        yield from unknown_words(part, "kind", (part.kind,), w.claims, "kind of claim")
    if isinstance(part, (Believes, Unknown)):
        yield from unknown_words(part, "fact", (part.fact,), w.facts, "fact")
        yield from unknown_words(part, "how", (part.how,) if part.how and w.kinds else (), w.endings, "ending")
    if isinstance(part, Matters):
        if not (part.matter or part.thread or part.kind or part.holder or part.about):
            yield Finding(part, "matter", "is missing; say which matter, for example `matter: two_months`")
        for field, among, what in (
            ("matter", w.matters, "matter"), ("thread", w.threads, "thread"), ("kind", w.kinds, "kind of pressure"),
        ):  # fmt: skip
            word = getattr(part, field)
            yield from unknown_words(part, field, (word,) if word else (), among, what)
    if isinstance(part, EndingPattern):
        yield from unknown_words(part, "how", part.how if w.kinds else (), w.endings, "ending")
    if isinstance(part, TiePattern) and part.least > part.most:
        yield Finding(part, "least", f"{part.least} is more than the most, {part.most}; turn them round")
    if isinstance(part, DecisionPattern):
        yield from unknown_words(part, "occasion", (part.occasion,), w.outcomes, "occasion that decides something")
        hows = w.outcomes.get(part.occasion, OUTCOMES)
        yield from unknown_words(part, "how", (part.how,) if part.how else (), hows, "outcome of it")


# ---- whether it holds now, and what matches its parts; pure functions of the state


LEAST = 1e-6  # belief strength below which nothing counts as believed


class HasHistory(HasDirector, HasAnnals):
    """The part of a world that conditions look at."""


def is_met(w: HasHistory, predicate: Predicate) -> bool:
    """Whether a condition holds now."""
    return (
        all(pattern_holds(w, x) for x in own_patterns(predicate))
        and (not predicate.after or w.clock.moment(predicate.after) <= w.now)
        and all(is_met(w, x) for x in predicate.all_)
        and (not predicate.any_ or any(is_met(w, x) for x in predicate.any_))
        and (predicate.not_ is None or not is_met(w, predicate.not_))
    )


def pattern_holds(w: HasHistory, pattern: msgspec.Struct) -> bool:
    """Whether something in the town matches a pattern now."""
    return HOLDS[type(pattern)](w, pattern)


def matching_claims(w: HasHistory, x: ClaimPattern) -> Iterator[StandingClaim]:
    """The open claims that match a pattern."""
    kind = w.claim_deck.kinds.get(x.kind)
    for claim in w.claims.open.values():
        if claim.kind != x.kind or x.terms not in ("", claim.terms) or x.where not in ("", claim.where):
            continue
        ends = [(claim.a, claim.b), *([(claim.b, claim.a)] if kind is not None and kind.mutual else [])]
        if any(x.a in ("", a) and x.b in ("", b) for a, b in ends):
            yield claim


def fact_ids(w: HasHistory, fact: str, how: str) -> list[str]:
    """The ids of the facts meant: the one named, or with `how` those about that outcome of the matter."""
    return [x.id for x in w.beliefs.facts.values() if x.matter == fact and x.how == how] if how else [fact]


def matching_beliefs(w: HasHistory, x: Believes) -> list[Belief]:
    """The beliefs of x.who that match a pattern."""
    held = w.beliefs.held.get(x.who, {})
    before = w.clock.moment(x.before) if x.before else None
    return [
        b
        for id in fact_ids(w, x.fact, x.how)
        if (b := held.get(id)) is not None
        and strength_at(b, w.now, w.belief_parameters) >= max(x.least, LEAST)
        and (not x.truly or _true(b, w.beliefs.facts[id]))
        and x.of in ("", b.a)
        and (before is None or b.since < before)
    ]


def _true(belief: Belief, fact: Fact) -> bool:
    """Whether a belief names the right people."""
    return (belief.a, belief.b) == (fact.a, fact.b)


def knowing(w: HasHistory, x: Unknown) -> list[str]:
    """Who believes it although they should not, in cast order."""
    least = max(x.least, LEAST)
    out = []
    for who in w.cast:
        held = w.beliefs.held.get(who, {})
        ids = [id for id in fact_ids(w, x.fact, x.how) if id in held and w.beliefs.facts[id].a != who]
        if who not in x.but and any(strength_at(held[id], w.now, w.belief_parameters) >= least for id in ids):
            out.append(who)
    return out


def tie_values(w: HasHistory, x: TiePattern) -> list[float]:
    """The feeling or closeness of u to v, and of v to u if `both` is set."""
    day, pairs = w.clock.day(w.now), [(x.u, x.v), *([(x.v, x.u)] if x.both else [])]
    ties = [tie_of(w, u, v) for u, v in pairs]
    return [tie.feeling if x.of == FEELING else closeness_at(tie, day, w.tie_parameters) for tie in ties]


def matching_endings(w: HasHistory, x: EndingPattern) -> Iterator[Finished]:
    """The recorded endings that match a pattern."""
    for came in w.annals.ended:
        fits = _fits(x, came.course)
        timely = (not x.before or came.t < w.clock.moment(x.before)) and (
            not x.after or came.t >= w.clock.moment(x.after)
        )
        if fits and timely and (not x.how or came.how in x.how) and x.good in (None, came.good):
            yield came


def matching_pressures(w: HasHistory, x: Matters) -> Iterator[ActivePressure]:
    """The open pressures that match a pattern."""
    return (p for p in w.pressures.open.values() if _fits(x, p))


def _fits(x: Matters, p: ActivePressure | Course) -> bool:
    return (
        x.matter in ("", p.id)
        and x.thread in ("", p.thread)
        and x.kind in ("", p.kind)
        and x.holder in ("", p.holder)
        and x.about in ("", p.about)
    )


def matching_decisions(w: HasHistory, x: DecisionPattern) -> Iterator[OccasionDecision]:
    """The recorded decisions that match a pattern."""
    after = w.clock.moment(x.after) if x.after else None
    for v in w.annals.decided:
        fits = v.occasion == x.occasion and x.how in ("", v.how) and x.winner in ("", v.winner)
        if fits and (after is None or v.t >= after):
            yield v


def _kindly(w: HasHistory, x: Spoke) -> bool:
    two = pair_key(x.a, x.b)
    last = w.annals.warm.get(two, -1)
    least = max(w.annals.quarrels.get(two, -1) + 1, w.clock.moment(x.after) if x.after else 0)
    return last >= least


HOLDS: Mapping[type[msgspec.Struct], Callable[[HasHistory, Any], bool]] = {
    ClaimPattern: lambda w, x: any(True for _ in matching_claims(w, x)),
    Believes: lambda w, x: bool(matching_beliefs(w, x)),
    Unknown: lambda w, x: not knowing(w, x),
    TiePattern: lambda w, x: all(x.least <= value <= x.most for value in tie_values(w, x)),
    EndingPattern: lambda w, x: any(True for _ in matching_endings(w, x)),
    Matters: lambda w, x: any(True for _ in matching_pressures(w, x)),
    DecisionPattern: lambda w, x: any(True for _ in matching_decisions(w, x)),
    Spoke: _kindly,
}
