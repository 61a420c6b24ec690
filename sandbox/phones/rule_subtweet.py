"""Subtweet: whoever gets nowhere with a grudge posts about it without a name, and readers guess who is meant."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.protocols import Step
from sandbox.feed.reading import either_blocked
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_rules import intensity_at, is_exhausted, last_try
from sandbox.phones.deck import RULE_POSTS
from sandbox.phones.ideas import Idea, features_towards
from sandbox.phones.model import HasPhones, Written
from sandbox.phones.rule_form import (
    Guess,
    Hooks,
    matter_thread,
    record_crossing,
    record_crossing_by_reading,
    ripe,
    rule_to_begin,
    start_pressure,
)
from sandbox.phones.seeing import account_of
from sandbox.talk.content import when_it_was

NAME = "subtweet"
FACED = "confront"  # the exchange that is impossible or has failed
TWICE = 2  # failed attempts that are enough


def cannot_confront(w: HasPhones, me: str, other: str, thread: str, refused: int) -> bool:
    """Whether confronting somebody over a matter is impossible, or has failed."""
    done = last_try(w, thread, FACED, me, other)
    account, theirs = account_of(w, me), account_of(w, other)
    blocked = account is not None and theirs is not None and either_blocked(account, theirs.number)
    return (
        is_exhausted(w, thread, FACED, me, other)
        or (done is not None and (done.refused or done.vain >= TWICE or done.times >= TWICE))
        or refused >= TWICE
        or blocked
    )


def ideas(w: HasPhones, me: str, t: int) -> Iterator[Idea]:
    """Grudges that somebody would post about without a name."""
    for p in w.pressures.open.values():
        if p.holder != me or p.kind != "grudge" or not p.about:
            continue
        rule = rule_to_begin(w, NAME, p.thread, t)
        if rule is None or not cannot_confront(w, me, p.about, p.thread, p.refused):
            continue
        yield Idea(
            NAME, RULE_POSTS[NAME], intensity_at(p, t, w.pressure_parameters), "somebody who is not named",
            {"when": when_it_was(w, p.t, t)}, p.last,
            features_towards(w, me, p.about, t, p),
            {"topic_kind": "pressure", "pressure": p.kind, "stage": str(p.stage)},
            matter=p.id, valence=-0.6, heat=rule.heat, rule=NAME, why=f"got nowhere with it: {gist(p.stakes)}",
        )  # fmt: skip


def wrote(step: Step, w: HasPhones, written: Written) -> None:
    """Record that it was published."""
    p = w.pressures.open.get(written.matter)
    if p is not None:
        record_crossing(
            step, w, NAME, "feed", p.thread, written.author, p.about, gist(p.stakes), (written.seq,), written.number
        )


def read(step: Step, w: HasPhones, me: str, written: Written, seq: int, guess: Guess | None) -> None:
    """Who feels meant may take offence; who wrongly suspects another begins to wonder about them."""
    p = w.pressures.open.get(written.matter)
    if guess is None or p is None or written.move != RULE_POSTS[NAME]:
        return
    rule = ripe(w, NAME, f"{me} {written.number}", step.now)
    if rule is None:
        return
    if guess.whom == me:
        part = "meant" if guess.right else "mistaken"
        if step.chance(me, f"minds {written.name}").unit() < rule.chance:
            cause = record_crossing_by_reading(step, w, NAME, me, written, seq, what="being meant")
            start_pressure(step, w, rule, part, cause, me, written.author, thread=matter_thread(w, written))
    elif not guess.right and step.chance(me, f"wonders {written.name}").unit() < rule.chance:
        cause = record_crossing_by_reading(step, w, NAME, me, written, seq, whom=guess.whom, what="who was meant")
        start_pressure(step, w, rule, "wonders", cause, me, guess.whom, asks=p.id, thread=p.thread)


HOOKS = Hooks(NAME, ideas, wrote, read)
