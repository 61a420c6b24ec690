"""Clip of a row: an outgoing bystander filmed it and posts it."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.clock import HOUR
from sandbox.core.events import r6
from sandbox.core.protocols import Step
from sandbox.drama.consequences import free_moment
from sandbox.people.beliefs import ROW, SAW, current_beliefs, fact_sentence
from sandbox.people.pressure_model import Stirred
from sandbox.people.pressure_rules import intensity_at, next_stage
from sandbox.phones.deck import RULE_POSTS
from sandbox.phones.ideas import Idea, belief_topic, solo_features
from sandbox.phones.model import HasPhones, Written
from sandbox.phones.rule_form import Guess, Hooks, finds, record_crossing, rule_to_begin
from sandbox.talk.content import tie_of

NAME = "clip"
WITHIN = 4 * HOUR  # how soon after the row it is posted
WITNESSES = 3  # least eyewitnesses
LOUDER = 0.1  # added intensity


def witnesses(w: HasPhones, fact: str) -> list[str]:
    """Who has seen a row with their own eyes."""
    return [who for who, held in w.beliefs.held.items() if fact in held and held[fact].source == SAW]


def ideas(w: HasPhones, me: str, t: int) -> Iterator[Idea]:
    """Rows that somebody has filmed."""
    rule = w.phone_deck.rules.get(NAME)
    if rule is None or w.cast[me].big_five.extraversion < rule.least:
        return
    for b in current_beliefs(w.beliefs, me, t, w.belief_parameters):
        fact = w.beliefs.facts[b.fact]
        if fact.how != ROW or b.source != SAW or t - b.since > WITHIN or rule_to_begin(w, NAME, fact.id, t) is None:
            continue
        seen = witnesses(w, fact.id)
        if len(seen) < WITNESSES:
            continue
        says = fact_sentence(w, fact, b.slots)
        both = (tie_of(w, me, b.a).feeling + tie_of(w, me, b.b).feeling) / 2
        yield Idea(
            NAME, RULE_POSTS[NAME], 0.8, belief_topic(w, fact, b),
            {"rumour": says, "place": w.handbook.place(b.where) if b.where else "the street"}, b.seq,
            {**solo_features(w, me, t), "fond": both}, {"topic_kind": "rumour", "told": "row"}, matter=fact.matter,
            fact=fact.id, says=b.slots, proof=True, whom=b.a, valence=-0.5, heat=rule.heat, rule=NAME, why=says,
        )  # fmt: skip


def wrote(step: Step, w: HasPhones, written: Written) -> None:
    """Raise the intensity and stage of the matter, as it is public now."""
    p = w.pressures.open.get(written.matter)
    seq = record_crossing(
        step, w, NAME, "feed", written.fact, written.author, written.a, written.topic, (written.seq,), written.number
    )
    if p is None:
        return
    t = max(free_moment(step, w, p.holder), p.t)
    q = w.pressure_parameters
    before = intensity_at(p, t, q)
    after, stage = r6(min(1.0, before + LOUDER)), min(2, next_stage(p, p.stage + 1, t, q)) if p.stage < 2 else p.stage
    event = Stirred(p.id, "again", "", p.about, r6(after - before), after, stage, due=p.due)
    step.emit(event, t=t, actor=p.holder, causes=(seq, p.last))


def read(step: Step, w: HasPhones, me: str, written: Written, seq: int, guess: Guess | None) -> None:
    """Those who appear in the clip find out."""
    if written.move == RULE_POSTS[NAME] and me in (written.a, written.b):
        finds(step, w, NAME, "filmed", me, written, seq)


HOOKS = Hooks(NAME, ideas, wrote, read)
