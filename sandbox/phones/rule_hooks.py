"""All rules that link town and feed, run at their hooks."""

from __future__ import annotations

from typing import Any

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
# Hook -> the rules that have it, and what they do there.
AT_HOOK = {
    hook: [(name, does) for name, hooks in ALL.items() if (does := getattr(hooks, hook)) is not None]
    for hook in Hooks._fields[1:]
}


def running(w: HasPhones, hook: str) -> list[Any]:
    """The functions at this hook of the rules that run in a world."""
    return [does for name, does in AT_HOOK[hook] if rule_of(w, name) is not None]


def ideas(w: HasPhones, me: str, t: int) -> list[Idea]:
    """The weightiest idea of each rule."""
    found = ([*some(w, me, t)] for some in running(w, "ideas"))
    return [max(some, key=lambda idea: idea.size) for some in found if some]


def wrote(step: Step, w: HasPhones, written: Written) -> None:
    """Run a post's own rule after it was written."""
    hooks = ALL.get(written.rule)
    if hooks is not None and hooks.wrote is not None and rule_of(w, written.rule) is not None:
        hooks.wrote(step, w, written)


def read_by(step: Step, w: HasPhones, me: str, written: Written, seq: int, guess: Guess | None) -> None:
    """Run all rules after somebody has read something."""
    for read in running(w, "read"):
        read(step, w, me, written, seq, guess)


def looked(step: Step, w: HasPhones, me: str, cause: int) -> None:
    """Run all rules when somebody takes their phone out."""
    for see in running(w, "looked"):
        see(step, w, me, cause)


def passes(step: Step, w: HasPhones) -> None:
    """Run all rules that act once per slice."""
    for act in running(w, "passes"):
        act(step, w)
