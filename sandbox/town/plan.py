"""The floor plan as data: what a world's `map.txt`, `areas.yaml` and calendar say, checked and ready to store in a
save.
"""

from __future__ import annotations

from typing import Literal

import msgspec

TileKind = Literal["ground", "wall", "door", "water", "tree", "object"]
Rect = tuple[int, int, int, int]


class Glyph(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one letter of the map stands for.

    look: how the screen draws it. affords: what people can do with an object. idle: an object's state at rest.
    walk: whether one can stand on the tile; None means what its kind allows.
    """

    name: str
    kind: TileKind
    look: str
    affords: tuple[str, ...] = ()
    idle: str = ""
    walk: bool | None = None

    @property
    def walkable(self) -> bool:
        """Whether a person can stand there."""
        return self.walk if self.walk is not None else self.kind in ("ground", "door", "object")

    @property
    def opaque(self) -> bool:
        """Whether it blocks sight: walls alone do."""
        return self.kind == "wall"


class Arena(msgspec.Struct, frozen=True, omit_defaults=True):
    """A room or an open place within a sector. rect: x, y, width, height of its inside, in tiles."""

    name: str
    rect: Rect
    floor: str = ""
    tags: tuple[str, ...] = ()


class Sector(msgspec.Struct, frozen=True, omit_defaults=True):
    """A building or a plot. rect includes its walls. roof is "" in the open air. called: "the bakery", as people
    say it.
    """

    name: str
    rect: Rect
    arenas: tuple[Arena, ...]
    roof: str = ""
    called: str = ""


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an occasion decides, `at` seconds after it begins, if at least `least` of those who take part are there.

    kind: "vote" or "contest". about: of a vote the topic of opinions, of a contest the prize. who: voters or entrants.
    says: how it is told, one of several sentences each; of a vote keyed "yes", "no", "tie", of a contest "won", and of
    either "off", when too few have come. Up to its first ": " a sentence is the news in short.
    judge: who decides a contest, and must be there. trait: of the Big Five, that counts in it; skill: person -> what
    counts for them, in [-1, 1].
    settles: pressure -> what makes it end well: "yes" or "no", or who wins ("" = its holder, if anybody).
    sways: pressure -> "yes" or "no", to which it draws its holder as long as it is open.
    children: what comes of it between the foremost of either side, or the winner and the second.
    """

    kind: str
    about: str
    at: int
    who: tuple[str, ...]
    says: dict[str, tuple[str, ...]]
    least: int = 2
    judge: str = ""
    trait: str = ""
    skill: dict[str, float] = {}
    settles: dict[str, str] = {}
    sways: dict[str, str] = {}
    children: tuple[str, ...] = ()


class Occasion(msgspec.Struct, frozen=True, omit_defaults=True, rename={"from_": "from"}):
    """Something that brings people together. days: day rules (core.clock.DAY_RULES); on: one date instead.

    from_ and to are seconds after midnight; who: ids of those who come; block: what their plan calls it.
    decides: what comes of it, if anything does.
    """

    id: str
    title: str
    from_: int
    to: int
    where: str
    block: str
    days: tuple[str, ...] = ()
    on: str = ""
    who: tuple[str, ...] = ()
    why: str = ""
    decides: Decision | None = None


class Plan(msgspec.Struct, frozen=True):
    """A whole town: rows of letters (all of one length; first row is y = 0), their legend, the area tree."""

    rows: tuple[str, ...]
    legend: dict[str, Glyph]
    sectors: tuple[Sector, ...]
