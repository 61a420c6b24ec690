"""The floor plan as data: what a world's `map.txt`, `areas.yaml` and calendar say, checked and ready to store in a
save.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from sandbox.core.clock import DAY, DAY_RULES, MINUTE
from sandbox.core.fields import meta, names

VOTE, CONTEST = "vote", "contest"
OUTCOMES = {VOTE: ("yes", "no"), CONTEST: ("won",)}
PLACED = ("winner", "second", "judge")  # roles in a contest
FLOORS = ("wood", "tile", "stone", "carpet", "plaster", "grass", "gravel", "sand", "paving", "planks")
TAGS = ("indoors", "outdoors", "home", "shop", "food", "drink", "worship", "school", "office", "water", "green")
# Affordances that several people share at one thing: a table, a counter, a shelf, a fountain.
TOGETHER = frozenset(
    ("sit", "eat", "drink", "buy", "browse", "debate", "talk", "warm", "dance", "listen", "watch_water", "feed", "pray")
)
MANY = 100  # users of a thing without a limit
ROOFS = ("terracotta", "slate", "plum", "moss", "ochre", "blue", "thatch", "none")
TileKind = Literal["ground", "wall", "door", "water", "tree", "object"]
SIDE = 2000  # tiles of a map, at most
Corner = Annotated[int, meta(low=0, high=SIDE)]
Takes = Annotated[int, meta(low=1, high=MANY)]
Length = Annotated[int, meta(low=1, high=SIDE)]
Rect = tuple[Corner, Corner, Length, Length]
Area = Annotated[Rect, meta("[10, 4, 22, 9]", names=("x", "y", "width", "height"), pair="four")]
Name = Annotated[str, meta(most=120, least=1)]


class Glyph(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one letter of the map stands for.

    look: how the screen draws it. affords: what people can do with an object. idle: an object's state at rest.
    walk: whether one can stand on the tile; None means what its kind allows. takes: how many use an object at once;
    None means one, or MANY if it is used from beside and affords something in TOGETHER. Equal letters side by side are
    one thing if one stands on it and it takes several: a double bed.
    """

    name: Annotated[str, meta("grass", most=40, least=1)]
    kind: Annotated[TileKind, meta("ground", what="kind of tile", usual="ground")]
    look: Annotated[str, meta("grass", most=40)]
    affords: tuple[Annotated[str, meta(most=40)], ...] = ()
    idle: Annotated[str, meta(most=60)] = ""
    walk: bool | None = None
    takes: Takes | None = None

    @property
    def users(self) -> int:
        """How many use it at once."""
        if self.takes is not None:
            return self.takes
        return 1 if self.walkable or TOGETHER.isdisjoint(self.affords) else MANY

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

    name: Name
    rect: Area
    floor: Annotated[str, meta(options=FLOORS, blank=True, what="floor")] = ""
    tags: tuple[Annotated[str, meta(options=TAGS, what="tag")], ...] = ()


class Sector(msgspec.Struct, frozen=True, omit_defaults=True):
    """A building or a plot. rect includes its walls. roof is "" in the open air. called: "the bakery", as people
    say it.
    """

    name: Name
    rect: Area
    arenas: Annotated[tuple[Arena, ...], meta("{room: {rect: [11, 5, 10, 7]}}")]
    roof: Annotated[str, meta(options=ROOFS, blank=True)] = ""
    called: str = ""


class Breaks(msgspec.Struct, frozen=True, omit_defaults=True):
    """Claims (people/claims) that a decision ends: those of a kind that a has with b, or with anybody.

    a, b: somebody of the cast; of a contest also "winner", "second" or "judge".
    """

    kind: Annotated[str, meta("employs", most=40), names("claim made")]
    a: Annotated[str, meta("winner", most=40)]
    b: Annotated[str, meta(most=40)] = ""


class Makes(msgspec.Struct, frozen=True, omit_defaults=True):
    """A claim that a decision makes. a, b: as in `Breaks`, or "" for nobody; terms, where: as in a Claim."""

    kind: Annotated[str, meta("owns", most=40), names("claim made")]
    a: Annotated[str, meta(most=40)] = ""
    b: Annotated[str, meta(most=40)] = ""
    terms: Annotated[str, meta(most=120)] = ""
    where: Annotated[str, meta(reads="address"), names("area")] = ""


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an occasion decides, `at` seconds after it begins, if at least `least` of those who take part are there.

    kind: "vote" or "contest". about: of a vote the topic of opinions, of a contest the prize. who: voters or entrants.
    says: how it is told, one of several sentences each; of a vote keyed "yes", "no", "tie", of a contest "won", and of
    either "off", when too few have come. Up to its first ": " a sentence is the news in short.
    of: the group only whose members take part, by the terms of their claims ("" = none): who has left it has no vote.
    judge: who decides a contest, and must be there. trait: of the Big Five, that counts in it; skill: person -> what
    counts for them, in [-1, 1].
    settles: pressure -> what makes it end well: "yes" or "no", or who wins ("" = its holder, if anybody).
    sways: pressure -> "yes" or "no", to which it draws its holder as long as it is open.
    beliefs: fact -> "yes" or "no", to which it draws whoever believes it.
    children: pressures it makes between the leaders of the two sides, or the winner and the second.
    worth: what it is worth, in [0, 1], to a winner and a second, or to a voter whose mind is fully made up.
    makes, breaks: outcome ("yes", "no", "won") -> claims that it makes and ends.
    """

    kind: Annotated[str, meta(VOTE, options=(VOTE, CONTEST), what="kind of decision")]
    about: Annotated[str, meta('"selling the field"', most=120)]
    at: Annotated[int, meta(low=0, high=DAY, unit=MINUTE, whole=True)]
    who: tuple[str, ...]
    says: dict[str, tuple[Annotated[str, meta(most=240)], ...]]
    least: Annotated[int, meta(low=1)] = 2
    of: Annotated[str, meta(most=120)] = ""
    judge: Annotated[str, meta(given=1)] = ""
    trait: str = ""
    skill: dict[str, Annotated[float, meta(low=-1, high=1)]] = {}
    settles: dict[Annotated[str, names("pressure")], str] = {}
    sways: dict[Annotated[str, names("pressure")], str] = {}
    beliefs: dict[Annotated[str, names("fact")], str] = {}
    children: Annotated[tuple[str, ...], names("child")] = ()
    worth: Annotated[float, meta(low=0, high=1)] = 0.3
    makes: dict[str, tuple[Makes, ...]] = {}
    breaks: dict[str, tuple[Breaks, ...]] = {}


class Occasion(msgspec.Struct, frozen=True, omit_defaults=True, rename={"from_": "from"}):
    """Something that brings people together. days: day rules (core.clock.DAY_RULES); on: one date instead.

    from_ and to are seconds after midnight; who: ids of those who come; block: what their plan calls it.
    of: the group it is for, by the terms of its members' claims: who has left it stays away, who has joined it comes.
    decides: what it decides, if anything.
    """

    id: Annotated[str, meta("market", most=60)]
    title: Annotated[str, meta("Market morning", most=80, least=1)]
    from_: Annotated[int, meta('"07:00"', low=0, high=DAY, reads="time")]
    to: Annotated[int, meta('"13:00"', low=0, high=DAY, reads="time", usual=DAY)]
    where: Annotated[str, meta("Market Square / stalls", reads="address"), names("area")]
    block: Annotated[str, meta("work"), names("block")]
    days: tuple[Annotated[str, meta(options=DAY_RULES, what="day")], ...] = ()
    on: Annotated[str, meta(reads="date")] = ""
    who: Annotated[tuple[str, ...], meta(distinct="person of the cast"), names("resident")] = ()
    why: Annotated[str, meta(most=240)] = ""
    of: Annotated[str, meta(most=120)] = ""
    decides: Decision | None = None


def sector_of(address: str) -> str:
    """The building or the plot of an address."""
    return address.partition(" / ")[0]


def arena_of(address: str) -> str:
    """The address of the room or open place in which an address is."""
    return " / ".join(address.split(" / ")[:2])


class FloorPlan(msgspec.Struct, frozen=True):
    """A whole town: rows of letters (all of one length; first row is y = 0), their legend, the area tree."""

    rows: tuple[str, ...]
    legend: Annotated[dict[str, Glyph], meta('{".": {name: grass, kind: ground, look: grass}}')]
    sectors: Annotated[tuple[Sector, ...], meta("{Town Square: {rect: [0, 0, 9, 9]}}"), msgspec.Meta(min_length=1)]
