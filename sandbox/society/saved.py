"""A society that is a world by itself, as its save holds it (`store/societies.py`): the parameters, and each step.

`Growth` makes the network of them; no granter is asked again.
"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec

from sandbox.core.domain import Domain, State
from sandbox.core.events import Event, Stamp
from sandbox.society.model import NOBODY, Grew, GrowthParameters, check_follows, check_parameters


class SocietyBegan(Event, frozen=True):
    """A society begins, and grows by these parameters."""

    KIND: ClassVar[str] = "society_began"
    parameters: GrowthParameters


class GrownSociety(msgspec.Struct):
    """parameters: None = there is no society. steps: all that has grown, without words. agents: how many there are."""

    parameters: GrowthParameters | None = None
    steps: list[Grew] = []
    agents: int = 0


def _began(w: Any, e: SocietyBegan, stamp: Stamp) -> None:
    if w.grown.parameters is not None:
        raise ValueError("a society begins once")
    w.grown = GrownSociety(check_parameters(e.parameters), [], 2 * e.parameters.begin)


def _grew(w: Any, e: Grew, stamp: Stamp) -> None:
    s: GrownSociety = w.grown
    if s.parameters is None:
        raise ValueError("there is no society to grow")
    check_follows(s.parameters, e, len(s.steps), s.agents)
    s.steps.append(e.without_words)
    s.agents += e.newborn != NOBODY


GROWN = Domain(
    "grown",
    states=(State("grown", GrownSociety, lambda w: GrownSociety(), later=True),),
    handlers={SocietyBegan: _began, Grew: _grew},
)


class HasGrown:
    """The part of a world that this uses."""

    grown: GrownSociety
