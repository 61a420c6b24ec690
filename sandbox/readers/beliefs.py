"""Who knows of a matter, and from whom: beliefs as trees, with those who saw it at the root."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sandbox.people.beliefs import (
    CLUE,
    FIRSTHAND,
    HELD,
    INFERRED,
    KNEW,
    OVERHEARD,
    PAPER,
    SAW,
    Belief,
    Fact,
    HasBeliefs,
    Slots,
    current_beliefs,
    fact_sentence,
    strength_at,
)
from sandbox.people.pressure_handlers import HasPressures, find_fact
from sandbox.people.pressure_model import ActivePressure

HOW = {  # firsthand source of a belief -> words
    SAW: "saw it",
    OVERHEARD: "overheard it",
    KNEW: "knew of it before",
    INFERRED: "put two and two together",
    PAPER: "read it on a paper without a name",
}
NOTICED = "noticed it"  # instead of "saw it", for a fact that is not an event


class Knower(NamedTuple):
    """Somebody who holds a belief. depth: through how many people it came. source: as in `Belief`.

    says: what they believe, as a sentence. right: whether it is true. changed: whether it differs from what their
    source holds. event: whether it is about an event; fact: its id. t: when they first held it; seq: the event that
    gave it to them. strength: at the moment asked for.
    """

    who: str
    depth: int
    source: str
    t: int
    seq: int
    says: str
    right: bool
    changed: bool
    lie: bool
    strength: float
    where: str
    event: bool
    fact: str


class KnownFact(NamedTuple):
    """Who knows one fact. says: what is true; holder: whose it is; knowers: in the order of the tree."""

    fact: str
    says: str
    holder: str
    knowers: tuple[Knower, ...]


def known_facts(w: HasBeliefs, matter: str, t: int) -> list[KnownFact]:
    """All beliefs about a matter at t: about the matter itself first, then about what happened because of it."""
    facts = [f for f in w.beliefs.facts.values() if f.matter == matter]
    facts.sort(key=lambda f: (bool(f.how), f.id))
    return [KnownFact(f.id, fact_sentence(w, f, true(f)), f.a, tuple(_grown(w, f, t))) for f in facts]


def true(fact: Fact) -> Slots:
    """The true content of a fact, in the slots of a belief."""
    return fact.a, fact.b, fact.where, fact.bad


def beliefs_about_others(w: HasBeliefs, who: str, t: int) -> list[Knower]:
    """What somebody believes about others, the latest first."""
    mine = [b for b in current_beliefs(w.beliefs, who, t, w.belief_parameters) if who not in (b.a, b.b)]
    mine.sort(key=lambda b: (-b.since, b.fact))
    return [_knower(w, w.beliefs.facts[b.fact], who, b, 0, t) for b in mine]


def answer_and_clues(w: HasPressures, p: ActivePressure, t: int) -> tuple[str, list[Knower]]:
    """The truth that the holder of a pressure wants to know, and their clues to it; "" and none if they ask nothing."""
    fact = find_fact(w, p.asks) if p.asks else None
    if fact is None:
        return "", []
    held = current_beliefs(w.beliefs, p.holder, t, w.belief_parameters)
    clues = [b for b in held if w.beliefs.facts[b.fact].how == CLUE and w.beliefs.facts[b.fact].matter == p.asks]
    return fact_sentence(w, fact, true(fact)), [_knower(w, w.beliefs.facts[b.fact], p.holder, b, 0, t) for b in clues]


def _grown(w: HasBeliefs, fact: Fact, t: int) -> Iterator[Knower]:
    """Those who hold a belief about a fact, depth first: each after the person they heard it from."""
    q = w.belief_parameters
    held = {
        who: beliefs[fact.id]
        for who, beliefs in w.beliefs.held.items()
        if fact.id in beliefs and strength_at(beliefs[fact.id], t, q) >= HELD
    }
    order = sorted(held, key=lambda who: (held[who].since, who))
    heard_from: dict[str, list[str]] = {}
    for who in reversed(order):
        heard_from.setdefault(held[who].source, []).append(who)
    first = [who for who in order if held[who].source not in held]
    done: set[str] = set()
    for root in (*first, *order):  # whoever is left heard it from each other in a circle, as beliefs can be replaced
        branch = [(root, 0)]
        while branch:
            who, depth = branch.pop()
            if who not in done:
                done.add(who)
                yield _knower(w, fact, who, held[who], depth, t)
                branch += [(other, depth + 1) for other in heard_from.get(who, ())]


def _knower(w: HasBeliefs, fact: Fact, who: str, belief: Belief, depth: int, t: int) -> Knower:
    theirs = w.beliefs.held.get(belief.source, {}).get(fact.id)
    before = theirs.slots if theirs is not None else true(fact)
    strength = strength_at(belief, t, w.belief_parameters)
    right, changed = belief.slots == true(fact), belief.slots != before
    says = fact_sentence(w, fact, belief.slots)
    event = bool(fact.how)
    return Knower(
        who,
        depth,
        belief.source,
        belief.since,
        belief.seq,
        says,
        right,
        changed,
        belief.lie,
        strength,
        belief.where,
        event,
        fact.id,
    )


# ---- in words


def knower_words(w: HasBeliefs, knower: Knower) -> str:
    """Who knows it and how: "Una saw it", "Basil, from Una"."""
    name = w.handbook.name(knower.who)
    if knower.source in FIRSTHAND:
        return f"{name} {NOTICED if knower.source == SAW and not knower.event else HOW[knower.source]}"
    return f"{name}, {'by a lie of' if knower.lie else 'from'} {w.handbook.name(knower.source)}"


def surely(strength: float) -> str:
    """How certain somebody is, in words. strength: that of the belief."""
    words = ((12.0, "certain"), (6.0, "sure"), (3.0, "believes it"))
    return next((word for least, word in words if strength >= least), "half believes it")
