"""The state of pressures, the events that change it, and the numbers a world may change."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from sandbox.core.events import Event
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.model import Block
from sandbox.people.purse import Sum
from sandbox.people.ties import Delta, Feeling


class PressureParameters(msgspec.Struct, frozen=True):
    """ladder: minutes between two stages. quiet: hours after which one that nobody touches fades, half_life: hours.

    least: intensity below which it ends as faded. seek: intensity from which one goes looking. turns: minutes between
    two turns of one person. faces: minutes between two confrontations of a pair. breaks, rows: most of them a day.
    crowd: open pressures a head at which nothing new begins by itself. mercy: bad turns of a person within a day
    after which somebody who likes them comes to be kind (0: nobody does). tries: times two people may do one thing over
    one matter without end, before that way is shut to them until there is news of it (0: it never is).
    showdowns: most scenes of many in seven days (0: there are none).
    drift: most days by which a pressure of the cast that waits for no hour wakes later than written, by chance.
    truth: whether there is evidence, and what asks is answered; infers: chance a day that somebody puts two clues
    together; grows: by how much a day what is kept secret weighs more, once nobody touches it (0: it fades).
    """

    ladder: Annotated[float, msgspec.Meta(ge=1, le=10080)] = 60.0
    quiet: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 12.0
    half_life: Annotated[float, msgspec.Meta(ge=0.1, le=10000)] = 24.0
    least: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.2
    seek: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.5
    turns: Annotated[float, msgspec.Meta(ge=0, le=10080)] = 150.0
    faces: Annotated[float, msgspec.Meta(ge=0, le=10080)] = 360.0
    breaks: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 2
    rows: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 8
    crowd: Annotated[float, msgspec.Meta(ge=0, le=100)] = 1.75
    drift: Annotated[int, msgspec.Meta(ge=0, le=30)] = 4
    truth: bool = True
    infers: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.3
    grows: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.05
    mercy: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 2
    tries: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 2
    showdowns: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 3


class ActivePressure(msgspec.Struct):
    """A pressure that is awake. intensity: as it stood at second t, when something last touched it.

    seq: the event it began with; last: the latest that changed it. staged: when its stage last changed. tried: person
    and exchange ("mara confront") -> when; "mara confront away": when they came for it and were turned away. sought:
    when the holder last went looking; sought_for: the exchange they had in mind ("": any, in saves from before it was
    kept). refused: how often. amount: coins still owed. asks: the fact its holder wants to know, "" for none.
    dated: when the hour it waits for was set; not as it is put off for who came in vain. taken: exchange -> when its
    holder last came for it to whom it is about, and how that was taken.
    """

    id: str
    kind: str
    holder: str
    about: str
    intensity: float
    t: int
    stage: int
    due: int
    stakes: str
    cause: str
    thread: str
    known_by: list[str]
    seq: int
    last: int
    staged: int
    tried: dict[str, int] = {}
    sought: int = -1
    sought_for: str = ""
    refused: int = 0
    amount: Sum = 0
    asks: str = ""
    dated: int = 0
    taken: dict[str, tuple[int, str]] = {}


class PressureState(msgspec.Struct):
    """open: pressures awake, by id. woken: those of the cast that have been -> the event. turned: person -> their
    last turn.

    faced: pair -> their last confrontation. breaks, rows: when those of the last day were. sparks: spark -> when it was
    last drawn; sparked: when any was; befallen: person -> the last that befell them.
    last_turn: when anybody had one. hurt: person -> (second, event, thread) of their bad turns within a day, since
    anybody was kind to them.
    """

    open: dict[str, ActivePressure] = msgspec.field(default_factory=dict)
    woken: dict[str, int] = msgspec.field(default_factory=dict)
    turned: dict[str, int] = msgspec.field(default_factory=dict)
    faced: dict[str, int] = msgspec.field(default_factory=dict)
    breaks: list[int] = msgspec.field(default_factory=list)
    rows: list[int] = msgspec.field(default_factory=list)
    sparks: dict[str, int] = msgspec.field(default_factory=dict)
    sparked: int = -1
    last_turn: int = 0
    befallen: dict[str, int] = msgspec.field(default_factory=dict)
    hurt: dict[str, list[tuple[int, int, str]]] = msgspec.field(default_factory=dict)


class Tried(msgspec.Struct, array_like=True):
    """What two people have done over a matter without end. times; vain: how often, of those, it was dodged, refused or
    not heard; refused: the last time; seq: the event of the last time.
    """

    times: int
    vain: int
    refused: bool
    seq: int


class Thread(msgspec.Struct):
    """A matter, whatever pressures it has. tried: pair -> exchange -> what came of it. over: pressures that ended."""

    tried: dict[str, dict[str, Tried]] = msgspec.field(default_factory=dict)
    over: list[str] = msgspec.field(default_factory=list)


class TryState(msgspec.Struct):
    """threads: those in which something was tried without end, by name."""

    threads: dict[str, Thread] = msgspec.field(default_factory=dict)


class ShowdownState(msgspec.Struct):
    """held: thread -> when it last came to a showdown, of those of the last week."""

    held: dict[str, int] = msgspec.field(default_factory=dict)


Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Stage = Annotated[int, msgspec.Meta(ge=0, le=3)]
Due = Annotated[int, msgspec.Meta(ge=-1, le=2**53)]


class Turned(msgspec.Struct, frozen=True, array_like=True):
    """How u's feeling for v moved: by delta, to feeling, and why."""

    u: str
    v: str
    delta: Delta
    feeling: Feeling
    why: str


class Began(Event, frozen=True):
    """A pressure wakes, or is born. The actor holds it. due: -1 for none. parent: the pressure it came of, or "".

    amount: of a debt in coins, 0 if it is none of money. asks: the fact its holder wants to know, left out for none.
    """

    KIND: ClassVar[str] = "pressure_began"
    id: str
    kind: str
    about: str
    intensity: Share
    stage: Stage
    due: Due
    stakes: str
    cause: str
    thread: str
    known_by: tuple[str, ...]
    parent: str = ""
    amount: Sum = 0
    asks: str | msgspec.UnsetType = msgspec.UNSET


class Stirred(Event, frozen=True, omit_defaults=True):
    """A pressure is touched. how: an exchange, or "shows", "late", "again", "clue", "inferred"; answer: of the other
    ("" = none, "away" = they would not hear a word; in saves of old that is a "dodge" that came of a `talk_declined`).
    says: the clues that were come upon, or put together; of an hour that passed how it came to that, "" if nobody
    knows.

    to: with whom. delta as applied, and intensity and stage after. told: who knows of it since; due: after (-1 = none).
    learned: what people have come to believe by it. tries: the how-many-eth time it is that these two do so over this
    matter without end (0 = it is not counted).
    """

    KIND: ClassVar[str] = "pressure_stirred"
    OVER: ClassVar[bool] = False  # whether the pressure is over by it
    id: str
    how: str
    answer: str
    to: str
    delta: float
    intensity: Share
    stage: Stage
    told: tuple[str, ...] = ()
    due: Due = -1
    feelings: tuple[Turned, ...] = ()
    hostile: bool = False
    turn: bool = False
    learned: tuple[BeliefUpdate, ...] = ()
    tries: int = 0
    says: str = ""

    @property
    def done(self) -> str:
        """What was done, or has come about, by its name in the deck."""
        return self.how


class Ended(Event, frozen=True, omit_defaults=True):
    """A pressure ends. how: an ending of its kind, or "faded". by, answer: the exchange that ended it, or
    "late". to: with whom. why: how it came to that, a clause, where no words settled it. learned: what people have come
    to believe by it. tries: as of Stirred, where it did not end well.
    """

    KIND: ClassVar[str] = "pressure_ended"
    OVER: ClassVar[bool] = True
    id: str
    how: str
    good: bool
    by: str = ""
    answer: str = ""
    to: str = ""
    feelings: tuple[Turned, ...] = ()
    hostile: bool = False
    turn: bool = True
    why: str = ""
    learned: tuple[BeliefUpdate, ...] = ()
    tries: int = 0

    @property
    def done(self) -> str:
        """As of Stirred."""
        return self.by


class Sought(Event, frozen=True):
    """The actor goes looking for somebody because of a pressure. block: when and where they believe to find them.

    do: the exchange they have in mind.
    """

    KIND: ClassVar[str] = "sought"
    id: str
    whom: str
    block: Block
    why: str
    do: str = ""


class Sparked(Event, frozen=True):
    """A small thing from outside. roles: role -> person; says: what happened, a sentence."""

    KIND: ClassVar[str] = "sparked"
    id: str
    roles: dict[str, str]
    says: str
