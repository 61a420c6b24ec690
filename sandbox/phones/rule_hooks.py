"""All rules that link town and feed, run at their hooks."""

from __future__ import annotations

from sandbox.core.protocols import Step
from sandbox.phones import (
    rule_apology,
    rule_appeal,
    rule_clip,
    rule_falsehood,
    rule_pile_on,
    rule_provenance,
    rule_screenshot,
    rule_subtweet,
    rule_telling_like,
    rule_unfollow,
)
from sandbox.phones.deck import RULES
from sandbox.phones.ideas import Idea
from sandbox.phones.model import HasPhones, Written
from sandbox.phones.rule_form import Guess, Hooks, rule_of

ALL: dict[str, Hooks] = {
    m.HOOKS.name: m.HOOKS
    for m in (
        rule_subtweet, rule_screenshot, rule_pile_on, rule_apology, rule_falsehood, rule_provenance, rule_telling_like,
        rule_unfollow, rule_appeal, rule_clip,
    )
}  # fmt: skip
assert tuple(ALL) == RULES


def running(w: HasPhones) -> list[Hooks]:
    """The rules that run in a world."""
    return [hooks for name, hooks in ALL.items() if rule_of(w, name) is not None]


def ideas(w: HasPhones, me: str, t: int) -> list[Idea]:
    """The weightiest idea of each rule."""
    found = ([*hooks.ideas(w, me, t)] for hooks in running(w) if hooks.ideas is not None)
    return [max(some, key=lambda idea: idea.size) for some in found if some]


def wrote(step: Step, w: HasPhones, written: Written) -> None:
    """Run a post's own rule after it was written."""
    hooks = ALL.get(written.rule)
    if hooks is not None and hooks.wrote is not None and rule_of(w, written.rule) is not None:
        hooks.wrote(step, w, written)


def read_by(step: Step, w: HasPhones, me: str, written: Written, seq: int, guess: Guess | None) -> None:
    """Run all rules after somebody has read something."""
    for hooks in running(w):
        if hooks.read is not None:
            hooks.read(step, w, me, written, seq, guess)


def looked(step: Step, w: HasPhones, me: str, cause: int) -> None:
    """Run all rules when somebody takes their phone out."""
    for hooks in running(w):
        if hooks.looked is not None:
            hooks.looked(step, w, me, cause)


def passes(step: Step, w: HasPhones) -> None:
    """Run all rules that act once per slice."""
    for hooks in running(w):
        if hooks.passes is not None:
            hooks.passes(step, w)
