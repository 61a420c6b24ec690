"""What people can be doing: blocks a day is planned in, and the activities blocks are cut into. Both are data."""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandbox.core.fields import MANY, meta
from sandbox.people.mood import OCC
from sandbox.people.needs import ROWS

SHORTEST, LONGEST = 5, 60
Minutes = Annotated[int, meta(low=SHORTEST, high=LONGEST)]
LEISURE, DUTY = "leisure", "duty"  # kinds of block: what one does as one likes, and what one must
Costs = Annotated[dict[str, Annotated[str, meta(most=40)]], meta(alone=True)]


class BlockKind(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of block. do, doing and past are phrases: "have lunch", "having lunch", "had lunch".

    kind: leisure (it may give way to company, mood or a whim), duty (no time to chat), or "". feeds: need -> what it
    gives, once for each thing done in it. costs: tag or name of a place ("" = anywhere) -> what is paid for there.
    want: what one does it for, after "wants" ("" = nothing that the deck knows).
    """

    key: str
    do: Annotated[str, meta("have lunch", most=80)]
    doing: Annotated[str, meta("having lunch", most=80)]
    past: Annotated[str, meta("had lunch", most=80)]
    kind: Annotated[str, meta(options=(LEISURE, DUTY), blank=True, what="kind of block")] = ""
    feeds: dict[Annotated[str, meta(options=ROWS, what="need")], Annotated[float, meta(low=-1, high=1)]] = {}
    costs: Costs = {}
    want: Annotated[str, meta(most=80)] = ""


class Activity(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something visible that takes 5 to 60 minutes.

    do, doing, past: phrases. blocks: kinds of block it belongs to. needs: an affordance, "" for none. where: arena tags
    or sector names it is limited to. jobs: jobs it is limited to. claim: only for who has a claim of these terms, or
    in a place that is that by one. minutes: shortest and longest. state: what its object shows meanwhile. costs: as a
    block's.
    """

    do: Annotated[str, meta(most=80, least=1, named=True)]
    doing: Annotated[str, meta("kneading dough", most=80)]
    past: Annotated[str, meta("kneaded dough", most=80)]
    blocks: Annotated[tuple[str, ...], meta("[work]", key="for", distinct="block")]
    minutes: Annotated[
        tuple[Minutes, Minutes],
        meta(usual=(10, 30), names=("shortest", "longest"), pair="two", so=f", from {SHORTEST} to {LONGEST}"),
    ]
    needs: Annotated[str, meta(most=40)] = ""
    where: tuple[Annotated[str, meta(most=60)], ...] = ()
    jobs: tuple[Annotated[str, meta(most=60)], ...] = ()
    state: Annotated[str, meta(most=60)] = ""
    costs: Costs = {}
    claim: Annotated[str, meta(most=120)] = ""


class ActOutcome(msgspec.Struct, frozen=True):
    """What an act can do to a mood. feel: an OCC emotion; size: its intensity in [0, 1]; why: the cause in words."""

    feel: Annotated[str, meta("pride", options=OCC, what="emotion")]
    size: Annotated[float, meta(low=0.0, high=1.0, usual=0.5)]
    why: Annotated[str, meta("got it just right", most=120)]


class Outcomes(msgspec.Struct, frozen=True, omit_defaults=True):
    """How acts of a block can turn out."""

    good: tuple[ActOutcome, ...] = ()
    bad: tuple[ActOutcome, ...] = ()


class Deck(msgspec.Struct, frozen=True):
    """All blocks and activities of a world, and by block how they can turn out."""

    blocks: Annotated[dict[str, BlockKind], MANY]
    activities: Annotated[tuple[Activity, ...], MANY]
    feelings: dict[str, Outcomes] = {}
