"""What people can be doing: blocks a day is planned in, and the activities blocks are cut into. Both are data."""

from __future__ import annotations

import msgspec


class Block(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of block. do, doing and past are phrases: "have lunch", "having lunch", "had lunch".

    kind: leisure (it may give way to company, mood or a whim), duty (no time to chat), or "". feeds: need -> what it
    gives, once for each thing done in it. costs: tag or name of a place ("" = anywhere) -> what is paid for there.
    """

    key: str
    do: str
    doing: str
    past: str
    kind: str = ""
    feeds: dict[str, float] = {}
    costs: dict[str, str] = {}


class Activity(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something visible that takes 5 to 60 minutes.

    do, doing, past: phrases. blocks: kinds of block it belongs to. needs: an affordance, "" for none. where: arena
    tags or sector
    names it is limited to. jobs: jobs it is limited to. minutes: shortest and longest. state: what its object
    shows meanwhile. costs: as a block's.
    """

    do: str
    doing: str
    past: str
    blocks: tuple[str, ...]
    minutes: tuple[int, int]
    needs: str = ""
    where: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    state: str = ""
    costs: dict[str, str] = {}


class Outcome(msgspec.Struct, frozen=True):
    """What an act can do to a mood. feel: an OCC emotion; size: its intensity in [0, 1]; why: the cause in words."""

    feel: str
    size: float
    why: str


class Outcomes(msgspec.Struct, frozen=True, omit_defaults=True):
    """How acts of a block can turn out."""

    good: tuple[Outcome, ...] = ()
    bad: tuple[Outcome, ...] = ()


class Deck(msgspec.Struct, frozen=True):
    """All blocks and activities of a world, and by block how they can turn out."""

    blocks: dict[str, Block]
    activities: tuple[Activity, ...]
    feelings: dict[str, Outcomes] = {}
