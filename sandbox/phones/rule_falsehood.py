"""Falsehood: somebody agitated posts a false belief; reactions amplify it, corrections travel less, and exposure brands
the author a liar.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.protocols import Step
from sandbox.people.beliefs import FIRSTHAND, Belief, Fact, current_beliefs, fact_sentence
from sandbox.people.mood_queries import mood_of
from sandbox.phones.deck import RULE_POSTS
from sandbox.phones.ideas import Idea, belief_topic, is_kept_secret, solo_features
from sandbox.phones.model import HasPhones, Written
from sandbox.phones.rule_form import (
    Guess,
    Hooks,
    delete,
    matter_thread,
    record_crossing_by_posting,
    record_crossing_by_reading,
    ripe,
    rule_to_begin,
    start_pressure,
)
from sandbox.talk.content import tie_of
from sandbox.talk.rumours import fact_tone, rumours_run

NAME = "falsehood"
RIGHT = "put_right"  # the move of a comment that corrects a falsehood
RELENTS = 0.25  # chance per look to delete after a correction, and more with agreeableness


def is_false_belief(fact: Fact, belief: Belief) -> bool:
    """Whether a belief deviates from the fact."""
    return _wrong(fact, belief.a, belief.b, belief.where, belief.bad)


def _wrong(fact: Fact, a: str, b: str, where: str, bad: int) -> bool:
    return (a, b) != (fact.a, fact.b) or bad > fact.bad or (bool(fact.where) and where != fact.where)


def untrue(w: HasPhones, written: Written) -> bool:
    """Whether a post claims something false."""
    fact = w.beliefs.facts.get(written.fact)
    return fact is not None and _wrong(fact, written.a, written.b, written.where or fact.where, written.bad)


def knows_better(w: HasPhones, me: str, written: Written) -> bool:
    """Whether somebody knows the truth behind a false post: they were involved, or have it first-hand."""
    fact, mine = w.beliefs.facts[written.fact], w.beliefs.held.get(me, {}).get(written.fact)
    return me in (fact.a, fact.b) or (mine is not None and mine.source in FIRSTHAND and not is_false_belief(fact, mine))


def ideas(w: HasPhones, me: str, t: int) -> Iterator[Idea]:
    """False beliefs that somebody agitated would spread."""
    rule = w.phone_deck.rules.get(NAME)
    if rule is None or not rumours_run(w) or mood_of(w, me, t).a < rule.least:
        return
    for b in current_beliefs(w.beliefs, me, t, w.belief_parameters):
        fact = w.beliefs.facts[b.fact]
        if (
            not is_false_belief(fact, b)
            or me in (b.a, b.b, fact.a, fact.b)
            or rule_to_begin(w, NAME, fact.id, t) is None
        ):
            continue
        if is_kept_secret(w, me, fact):
            continue
        says = fact_sentence(w, fact, b.slots)
        if says and w.handbook.name(me) not in says:
            likes = tie_of(w, me, b.a).feeling
            yield Idea(
                NAME, RULE_POSTS[NAME], 0.5 + 0.1 * b.bad, belief_topic(w, fact, b),
                {"rumour": says, "third": w.handbook.name(b.a)}, b.seq, {**solo_features(w, me, t), "fond": likes},
                {"topic_kind": "rumour", "told": fact_tone(fact)}, matter=fact.matter, fact=fact.id, says=b.slots,
                whom=b.a, valence=-0.4, heat=rule.heat, rule=NAME, why=says,
            )  # fmt: skip


def wrote(step: Step, w: HasPhones, written: Written) -> None:
    """Record that it was published."""
    record_crossing_by_posting(step, w, NAME, written.fact, written, written.cites)


def read(step: Step, w: HasPhones, me: str, written: Written, seq: int, guess: Guess | None) -> None:
    """The accused and those who know better take the author for a liar."""
    if written.rule != NAME or not untrue(w, written):
        return
    fact = w.beliefs.facts[written.fact]
    wronged = me in (written.a, written.b) and me not in (fact.a, fact.b)
    if not wronged and not knows_better(w, me, written):
        return
    rule = ripe(w, NAME, f"{me} {written.number}", step.now)
    if rule is None or (not wronged and step.chance(me, f"exposes {written.name}").unit() >= rule.chance):
        return
    cause = record_crossing_by_reading(step, w, NAME, me, written, seq)
    start_pressure(step, w, rule, "wronged" if wronged or me in (fact.a, fact.b) else "liar", cause, me, written.author,
          thread=matter_thread(w, written), stakes=written.topic)  # fmt: skip


def looked(step: Step, w: HasPhones, me: str, cause: int) -> None:
    """An author who was corrected may delete the post."""
    for x in [x for x in w.phones.written.values() if x.author == me and x.rule == NAME]:
        told = [c for c in w.phones.comments.values() if c.on == x.number and c.move == RIGHT]
        if told and not w.feed.posts.gone.item(x.number):
            likely = RELENTS + RELENTS * w.cast[me].big_five.agreeableness
            if step.chance(me, f"takes down {x.name}").unit() < likely:
                delete(step, w, x, "was put right", (cause, told[-1].seq))


HOOKS = Hooks(NAME, ideas, wrote, read, looked)
