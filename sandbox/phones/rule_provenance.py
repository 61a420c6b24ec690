"""Provenance: whoever a post is about traces the rumour back to its first teller. Deleted posts stay believed."""

from __future__ import annotations

from sandbox.core.protocols import Step
from sandbox.people.beliefs import FIRSTHAND
from sandbox.phones.model import HasPhones, Written
from sandbox.phones.rule_form import Guess, Hooks, matter_thread, record_crossing, rule_to_begin, start_pressure
from sandbox.talk.rumours import harms

NAME = "provenance"


def source_chain(w: HasPhones, fact: str, who: str) -> tuple[list[str], list[int]]:
    """The chain of tellers from `who` back to the first, and the events of their beliefs."""
    people, events = [who], []
    while (b := w.beliefs.held.get(people[-1], {}).get(fact)) is not None:
        events.append(b.seq)
        if b.source in FIRSTHAND or b.source in people or b.source not in w.people.residents:
            break
        people.append(b.source)
    return people, events


def read(step: Step, w: HasPhones, me: str, written: Written, seq: int, guess: Guess | None) -> None:
    """Readers of harm about themselves trace its source, unless the post proves it."""
    fact = w.beliefs.facts.get(written.fact)
    if (
        written.proof
        or fact is None
        or me not in (written.a, written.b)
        or written.author == me
        or not harms(fact)
        or written.author in (fact.a, fact.b)
    ):
        return
    rule = rule_to_begin(w, NAME, f"{me} {written.fact}", step.now)
    if rule is None or step.chance(me, f"traces {written.name}").unit() >= rule.chance:
        return
    people, events = source_chain(w, written.fact, written.author)
    told = next((who for who in reversed(people) if who != me), written.author)
    cause = record_crossing(
        step, w, NAME, "street", f"{me} {written.fact}", me, told, written.topic, (seq, *events), written.number
    )  # fmt: skip
    start_pressure(
        step, w, rule, "told" if told != written.author else "posted", cause, me, told, thread=matter_thread(w, written)
    )


HOOKS = Hooks(NAME, read=read)
