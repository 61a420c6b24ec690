"""What a deck says of plans: the steps that somebody takes who wants a claim, and the ways to take them."""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandbox.core.fields import meta
from sandbox.people.claim_model import Making
from sandbox.people.purse import Given

WITH = ("about", "near", "friend", "owner", "office", "member")  # with whom a step of a plan is taken
Name = Annotated[str, meta(most=40)]


class StepMeans(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to take a step of a plan: to come to somebody, or to spend a free hour on it.

    do: an exchange; to: with whom: whom it is about, somebody near to that person, a friend, who owns what is at stake,
    who has an office, or who belongs to what is wanted. block: what a free hour is spent on, instead. alone: as of a
    way. children, makes: what comes of it besides.
    """

    do: Name = ""
    to: Annotated[str, meta(options=WITH, what="listener", usual="about")] = "about"
    block: Name = ""
    alone: bool = False
    children: tuple[Name, ...] = ()
    makes: tuple[Making, ...] = ()


class PlanStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step of a plan. says: completes "{holder} has to ..."; done: a sentence; both with {holder}, {about}, {whom},
    {stakes}.

    by: ways to take it, the first that is open is gone. first: steps that must be taken before. coins: so many are put
    by for it, as soon as the holder has them; `by` is then for who has not.
    """

    says: Annotated[str, meta('"practise in a free hour"', most=160)]
    done: Annotated[str, meta('"{holder} has practised"', most=160)]
    by: tuple[StepMeans, ...] = ()
    first: tuple[Name, ...] = ()
    coins: Given = 0
