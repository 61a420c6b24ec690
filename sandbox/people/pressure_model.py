"""The state of pressures, the events that change it, and the numbers a world may change."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec

from sandbox.core.events import Event
from sandbox.core.fields import meta
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.model import Block
from sandbox.people.purse import Sum
from sandbox.people.ties import Delta, Feeling


class PressureParameters(msgspec.Struct, frozen=True):
    """ladder: minutes between two stages. quiet: hours untouched before a pressure fades, with half_life in hours.

    least: intensity below which it ends as faded. seek: intensity from which the holder goes looking. turns: minutes
    between two turning points of one person. faces: minutes between two confrontations of a pair. breaks, rows: most
    per day. crowd: open pressures per head at which nothing new begins by itself. mercy: bad turns of a person within
    a day after which somebody who likes them comes to be kind (0: never). tries: attempts at one exchange between two
    people over one thread before it is shut to them until there is news (0: never shut).
    showdowns: most showdowns in seven days (0: none).
    drift: most days by which a pressure of the cast without a due time may wake later than written, by chance.
    truth: whether there are clues, and pressures that ask a fact get answers; infers: chance per day that somebody
    combines two clues; grows: intensity that an untouched secret gains per day (0: it fades). facts:
    whether matters have theirs; "shuffled": each those of another of its kind, as a control.
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
    facts: Annotated[str, meta(options=("on", "shuffled", "off"), what="setting")] = "on"


class ActivePressure(msgspec.Struct):
    """A pressure that is awake; times are seconds. intensity: as of t, when something last touched it.

    seq: the event that began it; last: the latest event that changed it. staged: when its stage last changed. tried:
    "person exchange" ("mara confront") -> when; "mara confront away": when they were turned away with it. sought: when
    the holder last went looking; sought_for: the exchange they had in mind ("": unknown, in old saves). refused: number
    of refusals. amount: coins still owed. asks: the fact its holder wants to know, "" for none. dated: when `due` was
    last set, apart from delays for a holder who came in vain. taken: exchange -> when the holder last tried it on the
    person it is about, and the answer. words: slots of its facts, beside its two people (Began).
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
    words: dict[str, str] = {}


class PressureState(msgspec.Struct):
    """open: pressures awake, by id. woken: pressure of the cast -> the event that woke it. turned: person -> second of
    their last turning point.

    faced: pair -> second of their last confrontation. breaks, rows: seconds of those of the last day. sparks: spark ->
    when it was last drawn; sparked: when any last was; befallen: person -> when a spark last involved them.
    last_turn: second of anybody's last turning point. hurt: person -> (second, event, thread) of their bad turns within
    a day, cleared when somebody is kind to them.
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
    """Unsuccessful attempts of two people at one exchange. times: how many; vain: how many of them were dodged, refused
    or turned away; refused: whether the last one was refused; seq: the event of the last one.
    """

    times: int
    vain: int
    refused: bool
    seq: int


class Thread(msgspec.Struct):
    """A thread of related pressures. tried: pair -> exchange -> attempts. over: ids of its pressures that ended."""

    tried: dict[str, dict[str, Tried]] = msgspec.field(default_factory=dict)
    over: list[str] = msgspec.field(default_factory=list)


class TryState(msgspec.Struct):
    """threads: by name, those with unsuccessful attempts."""

    threads: dict[str, Thread] = msgspec.field(default_factory=dict)


class ShowdownState(msgspec.Struct):
    """held: thread -> second of its last showdown, for those of the last week."""

    held: dict[str, int] = msgspec.field(default_factory=dict)


Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Stage = Annotated[int, msgspec.Meta(ge=0, le=3)]
Due = Annotated[int, msgspec.Meta(ge=-1, le=2**53)]


class Turned(msgspec.Struct, frozen=True, array_like=True):
    """A change of u's feeling for v by `delta` to `feeling`, and why."""

    u: str
    v: str
    delta: Delta
    feeling: Feeling
    why: str


class Began(Event, frozen=True):
    """A pressure wakes, or is born; the actor is its holder. due: -1 for none. parent: the pressure that caused it, or
    "". amount: coins of a debt, 0 if it is not about money. asks: the fact its holder wants to know, unset for none.
    words: slots of its facts, unset for none: "third" is a person, the others are words.
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
    words: dict[str, str] | msgspec.UnsetType = msgspec.UNSET


class Stirred(Event, frozen=True, omit_defaults=True):
    """A pressure is touched. how: an exchange, or "shows", "late", "again", "clue", "inferred"; answer: the other's (""
    = none, "away" = they refused to listen; in old saves that is a "dodge" caused by a `talk_declined`). says: the
    clues found or combined; for "late", why the due time passed, "" if nobody knows.

    to: with whom. delta: as applied; intensity, stage, due (-1 = none): the new ones. told: who knows of it from now
    on. learned: what people came to believe by it. tries: number of this unsuccessful attempt of these two in this
    thread (0 = not counted).
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
        """The exchange, or the kind of thing that happened."""
        return self.how


class Ended(Event, frozen=True, omit_defaults=True):
    """A pressure ends. how: an ending of its kind, or "faded". by, answer: the exchange that ended it, or "late", and
    the other's answer. to: with whom. why: the reason, a clause, if no talk settled it. learned: what people came to
    believe by it. tries: as in Stirred, if it did not end well.
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
        """The exchange that ended it, or "late"."""
        return self.by


class Sought(Event, frozen=True):
    """The actor goes looking for somebody because of a pressure. block: when and where they expect to find them.

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
