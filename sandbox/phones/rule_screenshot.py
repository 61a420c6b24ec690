"""Screenshot: a private message is published, and believed like something seen."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.protocols import Step
from sandbox.people.beliefs import fact_sentence
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_handlers import find_fact
from sandbox.people.pressure_rules import pressures_between
from sandbox.phones.deck import RULE_POSTS
from sandbox.phones.ideas import Idea, features_towards
from sandbox.phones.model import HasPhones, Written
from sandbox.phones.rule_form import Guess, Hooks, finds, record_crossing_by_posting, rule_to_begin
from sandbox.talk.content import tie_of

NAME = "screenshot"
GAINS = 0.35  # gain from being the writer's rival, and from preferring the one it is hidden from


def gains(w: HasPhones, me: str, writer: str, about: str) -> float:
    """How much somebody gains by publishing it, in [0, 1]."""
    rivals = any(p.kind in ("rivalry", "grudge") for p in pressures_between(w.pressures, me, writer))
    dearer = bool(about) and tie_of(w, me, about).feeling > tie_of(w, me, writer).feeling
    return GAINS * (rivals + dearer)


def ideas(w: HasPhones, me: str, t: int) -> Iterator[Idea]:
    """Private messages that somebody could publish."""
    for x in w.phones.messages.values():
        p = w.pressures.open.get(x.matter)
        if x.whom != me or p is None or not x.fact or rule_to_begin(w, NAME, p.id, t) is None:
            continue
        rule, fact = w.phone_deck.rules[NAME], find_fact(w, x.fact)
        likes, gain = tie_of(w, me, x.author).feeling, gains(w, me, x.author, p.about)
        if fact is None or (likes >= rule.least and not gain):
            continue
        says = fact_sentence(w, fact, (x.a, x.b, "", 0))
        known = features_towards(w, me, x.author, t, p)
        yield Idea(
            NAME, RULE_POSTS[NAME], 0.6 + gain, gist(p.stakes), {"third": w.handbook.name(x.author), "rumour": says},
            x.seq, {**known, "pressed": gain}, {"topic_kind": "rumour", "told": "hidden"}, matter=p.id, fact=x.fact,
            says=(x.a, x.b, "", 0), proof=True, whom=x.author, valence=-0.5, heat=rule.heat, rule=NAME, why=says,
        )  # fmt: skip


def wrote(step: Step, w: HasPhones, written: Written) -> None:
    """Record that it was published."""
    record_crossing_by_posting(step, w, NAME, written.matter, written, written.cites)


def read(step: Step, w: HasPhones, me: str, written: Written, seq: int, guess: Guess | None) -> None:
    """The message's author discovers it."""
    if written.move == RULE_POSTS[NAME] and me == written.whom:
        finds(step, w, NAME, "shown", me, written, seq)


HOOKS = Hooks(NAME, ideas, wrote, read)
