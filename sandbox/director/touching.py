"""Whom a card is likely to touch, and why: worked out before it is dealt, from what people owe, hide, want and believe.
Reading the state only, it draws no chance.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.director.card_rule import Touch, fact_of, presses, slots_of
from sandbox.director.card_rules import RULES
from sandbox.director.dealing import validate_card
from sandbox.director.model import Dealt, HasDirector
from sandbox.people.beliefs import current_beliefs
from sandbox.people.guest_model import in_town
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_rules import intensity_at
from sandbox.talk.content import tie_of

MOST = 8  # people who are named
DEAR, FOE = 0.4, -0.3  # feelings from which somebody cares
LIKELY = 0.15  # below which nobody is named


def likely_touches(w: HasDirector, d: Dealt) -> list[Touch]:
    """Whom it touches, the likeliest first: whom it comes to, then whoever has to do with those and with its matter.

    Raises ValueError, in a sentence, if the card cannot be dealt.
    """
    card, d = validate_card(w, d)
    out: dict[str, Touch] = {}
    for t in (*RULES[card.rule].touches(w, d, card), *_beyond(w, d)):
        if t.who and t.much >= LIKELY and (in_town(w, t.who) or t.who == d.guest):
            known = out.get(t.who)
            if known is None:
                out[t.who] = t
            elif t.why not in known.why and known.why.count(";") < 2:
                out[t.who] = Touch(t.who, f"{known.why}; {t.why}", max(known.much, t.much))
    order = {who: i for i, who in enumerate(w.cast)}
    return sorted(out.values(), key=lambda t: (-t.much, order[t.who]))[:MOST]


def _beyond(w: HasDirector, d: Dealt) -> Iterator[Touch]:
    """Who has to do with a matter, and with those whom a card names."""
    fact = fact_of(w, d)
    if fact is not None:
        yield from _of_matter(w, d)
        accused = slots_of(fact, d)[0]
        if accused != fact.a:
            yield Touch(accused, "is said to have done it", 0.9)
            yield from _friends(w, accused, d)
    for one, other in ((d.to, d.whom), (d.whom, d.to)):
        for p in w.pressures.open.values() if one and other else ():
            if (p.holder, p.about) == (one, other):
                yield Touch(one, presses(w, p), 0.4 + 0.6 * intensity_at(p, w.now, w.pressure_parameters))
    if fact is None and d.to and not d.whom:
        mine = [p for p in w.pressures.open.values() if p.holder == d.to]
        most = max(mine, key=lambda p: intensity_at(p, w.now, w.pressure_parameters), default=None)
        if most is not None:
            yield Touch(d.to, presses(w, most), 0.5)


def _of_matter(w: HasDirector, d: Dealt) -> Iterator[Touch]:
    """Who owes it, hides it, asks about it, or believes something of it."""
    fact = fact_of(w, d)
    assert fact is not None
    p = w.pressures.open.get(fact.matter)
    if p is not None:
        yield Touch(p.holder, presses(w, p), 0.9)
        if p.about and p.about not in p.known_by:
            yield Touch(p.about, f"does not know it yet: {gist(p.stakes)}", 0.8)
        elif p.about:
            yield Touch(p.about, f"it is about them: {gist(p.stakes)}", 0.7)
    elif fact.a:
        yield Touch(fact.a, "it is their doing", 0.8)
    for x in w.pressures.open.values():
        if x.asks in (fact.id, fact.matter):
            yield Touch(x.holder, f"asks about it: {gist(x.stakes)}", 0.8)
    for who in w.cast:
        if any(b.fact == fact.id for b in current_beliefs(w.beliefs, who, w.now, w.belief_parameters)):
            yield Touch(who, "has heard of it", 0.3)
    yield from _friends(w, fact.a, d)


def _friends(w: HasDirector, whom: str, d: Dealt) -> Iterator[Touch]:
    """Who would mind what is told of somebody."""
    for who in w.cast:
        f = tie_of(w, who, whom).feeling
        if who in (whom, d.to):
            continue
        if f >= DEAR:
            yield Touch(who, f"is fond of {w.handbook.name(whom)}", 0.2 + 0.2 * f)
        elif f <= FOE:
            yield Touch(who, f"would be glad to hear it of {w.handbook.name(whom)}", 0.2 - 0.2 * f)
