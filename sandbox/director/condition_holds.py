"""Whether a condition holds in the town now, and which claims, beliefs, ties and so on match its parts. Pure functions
of the state.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.director.conditions import (
    FEELING,
    Believes,
    ClaimPattern,
    DecisionPattern,
    EndingPattern,
    Matters,
    Predicate,
    Spoke,
    TiePattern,
    Unknown,
)
from sandbox.director.history import Course, Finished, HasAnnals, OccasionDecision
from sandbox.director.model import HasDirector
from sandbox.people.beliefs import Belief, Fact, strength_at
from sandbox.people.claim_model import StandingClaim
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.ties import closeness_at, pair_key
from sandbox.talk.content import tie_of

LEAST = 1e-6  # belief strength below which nothing counts as believed


class HasHistory(HasDirector, HasAnnals):
    """The part of a world that conditions look at."""


def is_met(w: HasHistory, predicate: Predicate) -> bool:
    """Whether a condition holds now."""
    return (
        (predicate.claim is None or any(True for _ in matching_claims(w, predicate.claim)))
        and (predicate.believes is None or bool(matching_beliefs(w, predicate.believes)))
        and (predicate.nobody_believes is None or not knowing(w, predicate.nobody_believes))
        and (
            predicate.tie is None
            or all(predicate.tie.least <= x <= predicate.tie.most for x in tie_values(w, predicate.tie))
        )
        and (predicate.ended is None or any(True for _ in matching_endings(w, predicate.ended)))
        and (predicate.open_ is None or any(True for _ in matching_pressures(w, predicate.open_)))
        and (predicate.decided is None or any(True for _ in matching_decisions(w, predicate.decided)))
        and (predicate.spoke is None or _kindly(w, predicate.spoke))
        and (not predicate.after or w.clock.moment(predicate.after) <= w.now)
        and all(is_met(w, x) for x in predicate.all_)
        and (not predicate.any_ or any(is_met(w, x) for x in predicate.any_))
        and (predicate.not_ is None or not is_met(w, predicate.not_))
    )


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
