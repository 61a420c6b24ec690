"""What people can be doing: blocks a day is planned in, and the activities blocks are cut into. Both are data."""

from __future__ import annotations

import msgspec


class Block(msgspec.Struct, frozen=True):
    """A kind of block. do, doing and past are phrases: "have lunch", "having lunch", "had lunch"."""

    key: str
    do: str
    doing: str
    past: str


class Activity(msgspec.Struct, frozen=True):
    """Something visible that takes 5 to 60 minutes.

    do, doing, past: phrases. blocks: kinds of block it belongs to. needs: an affordance, "" for none. where: arena
    tags or sector
    names it is limited to. jobs: jobs it is limited to. minutes: shortest and longest. state: what its object
    shows meanwhile.
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


class Deck(msgspec.Struct, frozen=True):
    """All blocks and activities of a world."""

    blocks: dict[str, Block]
    activities: tuple[Activity, ...]
