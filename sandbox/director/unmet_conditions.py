"""A condition in words, what it still lacks, and what may undo one that holds, as sentences computed from the state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from sandbox.core.text import upper
from sandbox.director.conditions import (
    CLOSENESS,
    Believes,
    ClaimPattern,
    DecisionPattern,
    EndingPattern,
    HasHistory,
    Matters,
    Predicate,
    Spoke,
    TiePattern,
    Unknown,
    is_met,
    knowing,
    matching_beliefs,
    matching_claims,
    matching_decisions,
    matching_endings,
    matching_pressures,
    own_patterns,
    pattern_holds,
    tie_values,
)
from sandbox.director.history import Finished
from sandbox.people.beliefs import HELD, fact_sentence, strength_at
from sandbox.people.claim_handlers import claim_clause, claim_words
from sandbox.people.claim_model import Claim, StandingClaim
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_handlers import doer, find_fact
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.ties import pair_key

MANY = 3  # names in a list, at most
FEW = 2  # matters named for one part, at most


def obstacles(w: HasHistory, predicate: Predicate) -> list[str]:
    """What a condition lacks, a sentence without full stop for each part that does not hold; [] if it holds."""
    if is_met(w, predicate):
        return []
    out: list[str] = []
    for pattern in own_patterns(predicate):
        if not pattern_holds(w, pattern):
            out += LACKS[type(pattern)](w, pattern)
    if predicate.after and w.clock.moment(predicate.after) > w.now:
        out.append(f"it is too early: not before {w.clock.words(w.clock.moment(predicate.after))}")
    for x in predicate.all_:
        out += obstacles(w, x)
    if predicate.any_ and not any(is_met(w, x) for x in predicate.any_):
        out += [s for x in predicate.any_ for s in obstacles(w, x)[:1]]
    if predicate.not_ is not None and is_met(w, predicate.not_):
        out += reasons_it_holds(w, predicate.not_)
    return list(dict.fromkeys(map(upper, out)))


def reasons_it_holds(w: HasHistory, predicate: Predicate) -> list[str]:
    """Sentences saying that a condition holds, for use where it should not."""
    out = [says for pattern in own_patterns(predicate) for says in REASONS[type(pattern)](w, pattern)]
    for x in (*predicate.all_, *predicate.any_):
        out += reasons_it_holds(w, x) if is_met(w, x) else []
    return out or ["it is so, and should not be"]


def threats(w: HasHistory, predicate: Predicate) -> list[str]:
    """What may undo a condition that holds: open matters that could break its parts, with their hours."""
    out: list[str] = []
    if predicate.claim is not None:
        out += [pressure_with_hour(w, p) for claim in matching_claims(w, predicate.claim) for p in _breaking(w, claim)]
    for x in (*predicate.all_, *predicate.any_):
        out += threats(w, x) if is_met(w, x) else []
    if predicate.not_ is not None and predicate.not_.claim is not None:
        out += [pressure_with_hour(w, p) for p in _making(w, predicate.not_.claim)]
    if predicate.not_ is not None and predicate.not_.ended is not None:
        out += [pressure_with_hour(w, p) for p in matching_pressures(w, predicate.not_.ended)]
    return list(dict.fromkeys(map(upper, out)))[: 2 * FEW]


# ---- claims


def _no_claim(w: HasHistory, x: ClaimPattern) -> list[str]:
    """What is so instead of a missing claim, and which open matters might bring it about."""
    kind = w.claim_deck.kinds.get(x.kind)
    if kind is None:
        return ["there are no claims of that kind here"]
    wanted = Claim("", x.kind, x.a, x.b, x.terms, x.where)
    others = [
        claim
        for claim in w.claims.open.values()
        if claim.kind == x.kind
        and (
            (kind.one and getattr(x, kind.one) == getattr(claim, kind.one) != "")
            or (x.kind == "couple" and {x.a, x.b} & {*claim.people} - {""})
        )
    ]
    out = [claim_words(w.handbook, kind.says, claim) for claim in others][:FEW]
    out += [pressure_with_hour(w, p) for p in _making(w, x)][:FEW]
    if not out:
        named = all(getattr(x, end) for end in kind.needs)
        said = claim_clause(w.handbook, kind.says, wanted) if named else f"there is no such claim ({x.kind})"
        out = [f"it is not so yet: {said}" if named else said]
    return out


def _making(w: HasHistory, x: ClaimPattern) -> Iterator[ActivePressure]:
    """Open matters that make such a claim if they end well."""
    for p in w.pressures.open.values():
        kind, two = w.drama.kinds[p.kind], {p.holder, p.about} - {""}
        makes = {m.kind for end in kind.ends.values() for m in end.makes} | _own(w, p, "makes")
        goal = w.goals.open.get(p.id)
        wants = goal is not None and goal.claim.kind == x.kind and x.terms in ("", goal.claim.terms)
        if (x.kind in makes and {x.a, x.b} - {""} <= two and x.a + x.b) or (wants and x.a in ("", p.holder)):
            yield p


def _breaking(w: HasHistory, claim: StandingClaim) -> Iterator[ActivePressure]:
    """Open matters that break a claim if they end badly; all people of the claim must be in them."""
    for p in w.pressures.open.values():
        kind, two = w.drama.kinds[p.kind], {p.holder, p.about} - {""}
        breaks = {x.kind for end in kind.ends.values() for x in end.breaks} | _own(w, p, "breaks")
        if claim.kind in breaks and {*claim.people} <= two | {""} and claim.people:
            yield p


def _own(w: HasHistory, p: ActivePressure, which: str) -> set[str]:
    """The kinds of claims that one matter of the cast makes or breaks, beyond those of its kind."""
    cast = w.cast_pressures.get(p.id)
    return {x.kind for end in cast.ends.values() for x in getattr(end, which)} if cast is not None else set()


# ---- what is believed


def _does_not_know(w: HasHistory, x: Believes) -> str:
    name, fact = w.handbook.name(x.who), fact_words(w, x.fact)
    held = w.beliefs.held.get(x.who, {}).get(x.fact)
    if held is not None and strength_at(held, w.now, w.belief_parameters) >= HELD:
        true = w.beliefs.facts[x.fact]
        if (x.truly or x.of) and held.a != (x.of or true.a):
            return f"{name} believes that it was {w.handbook.name(held.a)}: {fact}"
        if x.before and held.since >= w.clock.moment(x.before):
            return f"{name} came to know of it too late: {fact}"
        return f"{name} is not sure enough of it: {fact}"
    others = knowing(w, Unknown(x.fact))
    if not others:
        whose = doer(w, x.fact)
        return f"nobody{f' but {w.handbook.name(whose)}' if whose else ''} knows of it: {fact}"
    return f"{name} does not know of it, and {short_name_list(w, others)} {'do' if len(others) > 1 else 'does'}: {fact}"


def fact_words(w: HasHistory, id: str) -> str:
    """A fact in words, also of a matter that has not begun or is over."""
    fact = find_fact(w, id)
    if fact is not None:
        return fact_sentence(w, fact, (fact.a, fact.b, fact.where, fact.bad)) or gist(fact.stakes)
    cast = w.cast_pressures.get(id)
    return gist(cast.stakes) if cast is not None else id


def short_name_list(w: HasHistory, who: Sequence[str]) -> str:
    """First names as a list in words; from the fourth on only their number."""
    found = [w.handbook.name(x) for x in who]
    more = len(found) - MANY
    if more > 1:
        return f"{', '.join(found[:MANY])} and {more} others"
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))


# ---- ties, and talks


def _felt_otherwise(w: HasHistory, x: TiePattern) -> list[str]:
    """Which feeling or closeness is not within the range asked for."""
    values = tie_values(w, x)
    return [_level(w, x, i, value) for i, value in enumerate(values) if not x.least <= value <= x.most]


def _level(w: HasHistory, x: TiePattern, i: int, value: float) -> str:
    u, v = (w.handbook.name(who) for who in ((x.u, x.v) if i == 0 else (x.v, x.u)))
    wanted = f"{x.least:.2f} at least" if value < x.least else f"{x.most:.2f} at most" if value > x.most else ""
    bound = f", and has to be {wanted}" if wanted else ""
    what = f"{u}'s closeness to {v}" if x.of == CLOSENESS else f"{u}'s feeling for {v}"
    return f"{what} is {value:z.2f}{bound}"


def _unkind(w: HasHistory, x: Spoke) -> str:
    a, b = w.handbook.name(x.a), w.handbook.name(x.b)
    last = w.annals.quarrels.get(pair_key(x.a, x.b))
    if last is None:
        return f"{a} and {b} have not spoken kindly yet"
    return f"{a} and {b} have not spoken kindly since their words of {w.clock.words(last)}"


# ---- matters, and what is decided


def pressure_with_hour(w: HasHistory, p: ActivePressure) -> str:
    """An open matter with its hour: "Kit owes Zeno: two months' rent, by Tue 4 Mar 20:30"."""
    said = w.drama.kinds[p.kind].says.format(**w.handbook.both(p.holder, p.about), stakes=gist(p.stakes))
    coins = f" ({p.amount} coins)" if p.amount else ""
    return f"{said}{coins}" + (f", by {w.clock.words(p.due)}" if p.due >= 0 else "")


def _not_over(w: HasHistory, x: EndingPattern) -> list[str]:
    """Which such matters are still open, how they ended instead, or that none has begun."""
    any_how = EndingPattern(x.matter, x.thread, x.kind, x.holder, x.about)
    out = [
        pressure_with_hour(w, p) for p in matching_pressures(w, Matters(x.matter, x.thread, x.kind, x.holder, x.about))
    ][:FEW]
    out += [_ending(w, c) for c in [*matching_endings(w, any_how)][-1:]]
    cast = w.cast_pressures.get(x.matter)
    if not out and cast is not None and x.matter not in w.pressures.woken:
        return [f"it has not come up yet: {gist(cast.stakes)}"]
    return out or ["nothing of the kind has begun"]


def _ending(w: HasHistory, x: Finished) -> str:
    """How a matter ended, and its stakes."""
    says = ending_sentence(w, x)
    return f"{says}: {gist(x.course.stakes)}" if says != x.how else says


def ending_sentence(w: HasHistory, x: Finished) -> str:
    """How a matter ended, in the words of its kind, or else the ending's name."""
    c = x.course
    kind = w.drama.kinds.get(c.kind)
    if kind is None or x.how not in kind.ends:
        return x.how
    return kind.ends[x.how].says.format(**w.handbook.both(c.holder, c.about), stakes=gist(c.stakes))


def _not_decided(w: HasHistory, x: DecisionPattern) -> list[str]:
    """When it will be decided, or how else it was."""
    otherwise = list(matching_decisions(w, DecisionPattern(x.occasion)))
    hour = next_hour(w, x.occasion)
    if hour is not None:
        title, t = hour
        return [f"{title} is not decided before {w.clock.words(t)}"]
    return [f"it came out otherwise: {otherwise[-1].says}"] if otherwise else ["it was never decided"]


def next_hour(w: HasHistory, occasion: str, days: int = 14) -> tuple[str, int] | None:
    """The title of an occasion, and the next second at which it decides; None if not within `days`."""
    for o in w.calendar.deciding:
        if o.id == occasion:
            for day in range(w.clock.day(w.now), w.clock.day(w.now) + days):
                if o in w.calendar.on(day) and (t := w.calendar.hour(o, day)) >= w.now:
                    return o.title, t
    return None


# ---- a condition in words, whether it holds or not


ANYBODY = "somebody"


def condition_words(w: HasHistory, predicate: Predicate) -> str:
    """A condition in words: its author's `says`, or else the words of its parts."""
    if predicate.says:
        return predicate.says
    out = [WORDS[type(pattern)](w, pattern) for pattern in own_patterns(predicate)]
    if predicate.after:
        out.append(f"it is {w.clock.words(w.clock.moment(predicate.after))} or later")
    out += [condition_words(w, x) for x in predicate.all_]
    if predicate.any_:
        out.append(" or ".join(condition_words(w, x) for x in predicate.any_))
    if predicate.not_ is not None:
        out.append(f"it is not so that {condition_words(w, predicate.not_)}")
    return "; ".join(out)


def _claim(w: HasHistory, x: ClaimPattern) -> str:
    kind = w.claim_deck.kinds.get(x.kind)
    if kind is None:
        return x.kind
    ends = (x.a or ANYBODY, x.b or ANYBODY)
    where = x.where or next((c.where for c in w.claims.open.values() if c.kind == x.kind and c.a == x.a), "")
    return claim_clause(w.handbook, kind.says, Claim("", x.kind, *ends, x.terms or "something", where))


def _tie(w: HasHistory, x: TiePattern) -> str:
    u, v = w.handbook.name(x.u), w.handbook.name(x.v)
    what = "closeness to" if x.of == CLOSENESS else "feeling for"
    low, high = (0.0 if x.of == CLOSENESS else -1.0), 1.0
    bound = f"{x.least:.2f} at least" if x.least > low else ""
    bound += (" and " if bound and x.most < high else "") + (f"{x.most:.2f} at most" if x.most < high else "")
    return f"{u}'s {what} {v} is {bound or 'whatever it is'}" + (", and the other way round" if x.both else "")


def matter_words(w: HasHistory, x: Matters) -> str:
    """A pattern of pressures in words."""
    cast = w.cast_pressures.get(x.matter)
    if cast is not None:
        return gist(cast.stakes)
    two = [w.handbook.name(who) for who in (x.holder, x.about) if who]
    return " and ".join(filter(None, (x.thread and f"the matter {x.thread}", x.kind and f"a {x.kind}", *two)))


def _over(w: HasHistory, x: EndingPattern) -> str:
    how = " or ".join(_how(w, x, end) for end in x.how)
    well = {True: "has ended well", False: "has ended badly", None: "is over"}[x.good]
    return f"{matter_words(w, x)}: {how}" if how else f"{matter_words(w, x)} {well}"


def _how(w: HasHistory, x: EndingPattern, end: str) -> str:
    cast = w.cast_pressures.get(x.matter)
    kind = w.drama.kinds.get(cast.kind if cast is not None else x.kind)
    if kind is None or end not in kind.ends:
        return end.replace("_", " ")
    holder, about = (cast.holder, cast.about) if cast is not None else (x.holder, x.about)
    both = w.handbook.both(holder or ANYBODY, about)
    return kind.ends[end].says.format(**both, stakes=gist(cast.stakes) if cast is not None else "it")


def _decided(w: HasHistory, x: DecisionPattern) -> str:
    title = next((o.title for o in w.calendar.deciding if o.id == x.occasion), x.occasion)
    how = {"yes": "is carried", "no": "is lost", "off": "is called off"}.get(x.how, "is decided")
    return f"{title} is won by {w.handbook.name(x.winner)}" if x.winner else f"{title} {how}"


def _nobody_knows(w: HasHistory, x: Unknown) -> str:
    who = f"nobody but {short_name_list(w, x.but)}" if x.but else "nobody"
    return f"{who} knows of it: {fact_words(w, x.fact)}"


def _some_know(w: HasHistory, x: Unknown) -> str:
    who = knowing(w, x)
    return f"{short_name_list(w, who)} {'know' if len(who) > 1 else 'knows'} of it: {fact_words(w, x.fact)}"


def _claims_there(w: HasHistory, x: ClaimPattern) -> list[str]:
    says = w.claim_deck.kinds
    return [claim_words(w.handbook, says[claim.kind].says, claim) for claim in matching_claims(w, x)]


def _believes_it(w: HasHistory, x: Believes) -> list[str]:
    who = w.handbook.name(x.who)
    return [f"{who} believes it: {fact_words(w, x.fact)}"] if matching_beliefs(w, x) else []


# Of each pattern: the condition in words, what it lacks where it does not hold, and why it holds.
WORDS: Mapping[type[msgspec.Struct], Callable[[HasHistory, Any], str]] = {
    ClaimPattern: _claim,
    Believes: lambda w, x: f"{w.handbook.name(x.who)} knows of it: {fact_words(w, x.fact)}",
    Unknown: _nobody_knows,
    TiePattern: _tie,
    EndingPattern: _over,
    Matters: lambda w, x: f"it is open still: {matter_words(w, x)}",
    DecisionPattern: _decided,
    Spoke: lambda w, x: f"{w.handbook.name(x.a)} and {w.handbook.name(x.b)} have spoken kindly",
}
LACKS: Mapping[type[msgspec.Struct], Callable[[HasHistory, Any], list[str]]] = {
    ClaimPattern: _no_claim,
    Believes: lambda w, x: [_does_not_know(w, x)],
    Unknown: lambda w, x: [_some_know(w, x)],
    TiePattern: _felt_otherwise,
    EndingPattern: _not_over,
    Matters: lambda w, x: ["there is no such matter between them now"],
    DecisionPattern: _not_decided,
    Spoke: lambda w, x: [_unkind(w, x)],
}
REASONS: Mapping[type[msgspec.Struct], Callable[[HasHistory, Any], list[str]]] = {
    ClaimPattern: _claims_there,
    Believes: _believes_it,
    Unknown: lambda w, x: [],
    TiePattern: lambda w, x: [_level(w, x, i, value) for i, value in enumerate(tie_values(w, x))],
    EndingPattern: lambda w, x: [_ending(w, came) for came in matching_endings(w, x)][:FEW],
    Matters: lambda w, x: [pressure_with_hour(w, p) for p in matching_pressures(w, x)][:FEW],
    DecisionPattern: lambda w, x: [came.says for came in matching_decisions(w, x)],
    Spoke: lambda w, x: [],
}
