"""Whom a post means that names nobody: what each reader makes of it, by what they believe."""

from __future__ import annotations

from typing import NamedTuple

from sandbox.core.protocols import Step
from sandbox.people.beliefs import ROW, current_beliefs
from sandbox.people.pressure_rules import pressures_between
from sandbox.phones.model import HasPhones, Written
from sandbox.talk.content import tie_of
from sandbox.talk.pressure_aims import known_slots

CONSCIENCE = 0.55  # chance that somebody takes it to be meant for them who has something to answer to the writer for
FEARS = 0.3  # added for the nervous
WONDERS = 0.5  # chance that somebody who knows of another quarrel of the writer's takes it for that


class Guess(NamedTuple):
    """whom: for whom somebody takes it to be meant. right: whether it is. why: a clause."""

    whom: str
    right: bool
    why: str


def guess_person(step: Step, w: HasPhones, me: str, written: Written, t: int) -> Guess | None:
    """For whom somebody takes a post without a name; None if they make nothing of it."""
    p = w.pressures.open.get(written.matter)
    if p is None:
        return None
    name = w.handbook.name(written.author)
    knows = me == p.about and "matter" in known_slots(w, p, me)
    if knows or me in p.known_by or p.id in w.beliefs.held.get(me, {}):
        return Guess(
            p.about, True, f"knows what {name} has against {'them' if me == p.about else w.handbook.name(p.about)}"
        )
    chance = step.chance(me, f"guess {written.name}")
    uneasy = tie_of(w, me, written.author).feeling < 0 or any(
        y.holder == me and y.kind in ("guilt", "debt", "secret", "promise")
        for y in pressures_between(w.pressures, me, written.author)
    )
    likely = CONSCIENCE + FEARS * w.cast[me].big_five.neuroticism
    if uneasy and chance.unit() < likely:
        return Guess(me, me == p.about, f"has something to answer to {name} for")
    at_odds = [
        b.b if b.a == written.author else b.a
        for b in current_beliefs(w.beliefs, me, t, w.belief_parameters)
        if written.author in (b.a, b.b)
        and (w.beliefs.facts[b.fact].how == ROW or w.beliefs.facts[b.fact].kind == "grudge")
    ]
    found = [who for who in dict.fromkeys(reversed(at_odds)) if who and who not in (me, written.author)]
    if found and chance.unit() < WONDERS:
        return Guess(found[0], found[0] == p.about, f"has heard of {name} and {w.handbook.name(found[0])}")
    return None
