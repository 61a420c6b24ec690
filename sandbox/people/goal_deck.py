"""Deck data of plans: the steps towards a wanted claim, and the ways to take them."""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandbox.core.fields import meta, names
from sandbox.people.claim_model import Making
from sandbox.people.purse import Given

WITH = ("about", "near", "friend", "owner", "office", "member")  # whom a step of a plan can be taken with
Name = Annotated[str, meta(most=40)]


class StepMeans(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to take a step of a plan: a talk with somebody, or a free hour spent on it.

    do: the exchange; to: whom with: the person the goal is about, somebody near to them, a friend, the owner of what is
    at stake, the holder of an office, or a member of what is wanted. block: instead, what the free hour is spent on.
    alone: as in PressureWay. children, makes: pressures and claims that result besides.
    """

    do: Annotated[Name, names("exchange")] = ""
    to: Annotated[str, meta(options=WITH, what="listener", usual="about")] = "about"
    block: Annotated[Name, names("block of the day")] = ""
    alone: bool = False
    children: tuple[Annotated[Name, names("child")], ...] = ()
    makes: tuple[Making, ...] = ()


class PlanStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of a plan. says: completes "{holder} has to ..."; done: the sentence once it is taken; both with {holder},
    {about}, {whom}, {stakes}.

    by: ways to take it; the first open one is used. first: steps that must come before. coins: sum to save for it,
    which takes the step as soon as the holder has it; `by` is for those who do not.
    """

    says: Annotated[str, meta('"practise in a free hour"', most=160)]
    done: Annotated[str, meta('"{holder} has practised"', most=160)]
    by: tuple[StepMeans, ...] = ()
    first: tuple[Annotated[Name, names("step")], ...] = ()
    coins: Given = 0
