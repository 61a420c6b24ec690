"""Talks under way, what has been said, and the events of talk."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from sandbox.core.chance import Chance
from sandbox.core.events import Event
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.goal_handlers import HasGoals
from sandbox.people.model import Block
from sandbox.people.mood import Pad, Sort
from sandbox.people.planning import HasWays
from sandbox.people.pressure_model import Turned
from sandbox.people.ties import Closeness, Delta, Feeling

# Intents of small talk; such a talk has no words unless something comes of it.
SMALL = frozenset(("chat", "small_talk", "ask_plans", "compliment", "tease", "share_news", "gossip", "remember"))


ASIDES = 1  # most ordinary side subjects with words in a talk


class TalkParameters(msgspec.Struct, frozen=True):
    """cooldown: minutes until the same two talk again. rate: chance per minute that two in reach think of it. reach: in
    tiles. exchange: seconds per pair of turns. cap: most exchanges of a talk. quiet: whether small talk, repeated talks
    of a day and side subjects run without words; if not, everything said has words, each goodbye included.
    """

    cooldown: Annotated[float, msgspec.Meta(ge=0, le=43200)] = 60.0
    rate: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.09
    reach: Annotated[int, msgspec.Meta(ge=1, le=30)] = 4
    exchange: Annotated[int, msgspec.Meta(ge=10, le=600)] = 60
    cap: Annotated[int, msgspec.Meta(ge=3, le=60)] = 8
    quiet: bool = True


Side = Annotated[int, msgspec.Meta(ge=-1, le=1)]  # which of the two in a talk; -1 = neither


class Talk(msgspec.Struct):
    """A talk under way; who[0] began it. at: second of the next exchange. length: planned exchanges. beats: leading
    moves so far. warmth: sum of valences of what each said; words: turns of each. told: whether each brought something
    new. aim: the pressure it was begun for; the intent is then an exchange of the deck. led: who led the last exchange.
    do, answer: the last exchange of the deck and its answer; third: whether it was about somebody else; came: who had
    come for it; said: its leading words. quiet: no words so far. asides: ordinary subjects that had words; hushed: the
    last exchange had none. grave: it told bad news; cold: it was answered coldly or evaded.
    """

    id: str
    who: tuple[str, str]
    since: int
    at: int
    place: str
    intent: str
    length: int
    seq: int
    exchanges: int = 0
    beats: list[str] = []
    topics: list[str] = []
    warmth: list[float] = []
    words: list[int] = []
    told: list[bool] = []
    worst: float = 0.0
    low: Side = -1
    aim: str = ""
    led: Side = -1
    do: str = ""
    answer: str = ""
    third: bool = False
    came: Side = -1
    said: str = ""
    quiet: bool = False
    asides: int = 0
    hushed: bool = False
    grave: bool = False
    cold: bool = False

    @property
    def tone(self) -> float:
        """Mean valence of everything said so far, in [-1, 1]; 0 before anything was."""
        return sum(self.warmth) / max(1, sum(self.words))

    def kindness(self, i: int) -> float:
        """Mean valence of what one of the two has said."""
        return self.warmth[i] / max(1, self.words[i])


class TalkState(msgspec.Struct):
    """open: talks under way, by id. last: pair -> end of their last talk or declined offer. spoken_of: "speaker
    listener" -> pressures and outcomes they have spoken about, oldest first.
    """

    open: dict[str, Talk] = msgspec.field(default_factory=dict)
    last: dict[str, int] = msgspec.field(default_factory=dict)
    spoken_of: dict[str, list[str]] = msgspec.field(default_factory=dict)


class HasTalk(HasWays, HasGoals):
    """The part of a world that this package uses."""

    chance: Chance
    rules: dict[str, str]
    talk: TalkState
    talk_parameters: TalkParameters


class ScoredRule(msgspec.Struct, frozen=True, array_like=True):
    """A named part of a decision's utility."""

    name: str
    value: float


class Opened(Event, frozen=True):
    """The actor begins a talk. intent: what for; why: the rules in favour; over: the runner-up. aim: the pressure it is
    for, or "". quiet: it begins without words: small talk, or with somebody met today.
    """

    KIND: ClassVar[str] = "talk_opened"
    id: str
    other: str
    place: str
    intent: str
    length: int
    why: tuple[ScoredRule, ...]
    over: str = ""
    aim: str = ""
    quiet: bool = False

    def touches(self) -> tuple[str, ...]:
        return (self.other,)


class Declined(Event, frozen=True):
    """The actor does not go into a talk that `other` offered. how: deflect (busy) or refuse (does not want to).
    mood: of the one turned away; aim: the pressure they came for, or ""."""

    KIND: ClassVar[str] = "talk_declined"
    other: str
    how: str
    intent: str
    why: tuple[ScoredRule, ...]
    mood: Pad = Pad(0.0, 0.0, 0.0)
    aim: str = ""

    def touches(self) -> tuple[str, ...]:
        return (self.other,)


class Utterance(msgspec.Struct, frozen=True, array_like=True):
    """One turn. text: the words ("" = none: a nod, or unheard small talk); about: a third person; valence: in [-1, 1];
    variants: the line book's, as used; memory: the one told (-1 = none).
    """

    who: str
    text: str
    move: str
    topic: str
    about: str
    valence: float
    variants: tuple[str, ...]
    memory: int = -1


class Shift(msgspec.Struct, frozen=True, array_like=True):
    """A mood changed by an exchange: delta as applied, the mood after, the reason and its sort."""

    who: str
    delta: Pad
    after: Pad
    why: str
    sort: Sort = "event"


class Exchanged(Event, frozen=True, omit_defaults=True):
    """A pair of turns. n: its number in the talk, from 1; lead: the leading move; shifts: changes of mood. aim: the
    pressure it is about ("" = none), do: the exchange, answer: accept, dodge, refuse or lie; why: reasons for the
    answer, or for an unusual reply. told: new beliefs; feelings: as changed by them. closes: one of them wants to end
    the talk. over: the pressure or outcome that ordinary talk is about ("" = none).
    """

    KIND: ClassVar[str] = "exchanged"
    VERSION: ClassVar[int] = 2
    talk: str
    n: int
    lead: str
    lines: tuple[Utterance, ...]
    shifts: tuple[Shift, ...]
    aim: str = ""
    do: str = ""
    answer: Literal["", "accept", "dodge", "refuse", "lie"] = ""
    why: tuple[ScoredRule, ...] = ()
    told: tuple[BeliefUpdate, ...] = ()
    feelings: tuple[Turned, ...] = ()
    closes: bool = False
    over: str = ""

    @property
    def in_words(self) -> bool:
        """Whether any of it has words."""
        return any(line.text for line in self.lines)

    def touches(self) -> tuple[str, ...]:
        return tuple(line.who for line in self.lines)


class Relation(msgspec.Struct, frozen=True, array_like=True):
    """How u's tie to v came out of a talk or of reading the feed: deltas as applied and values after; grown: closeness
    gained today; liked: moving average of v's likes of u's posts (-1 = unchanged).
    """

    u: str
    v: str
    feeling_delta: Delta
    feeling: Feeling
    closeness_delta: Delta
    closeness: Closeness
    grown: Closeness
    why: str
    liked: Annotated[float, msgspec.Meta(ge=-1, le=1_000_000)] = -1.0


class Replan(msgspec.Struct, frozen=True, array_like=True):
    """A plan that a talk has upset. late: they drop their activity; shaken: by harsh words; join: a block to make room
    for.
    """

    who: str
    why: str
    late: bool = False
    shaken: bool = False
    join: Block | None = None


class Closed(Event, frozen=True):
    """A talk ends. gist: what it was about, a clause. tone: warm, plain, tense or hostile. replans: plans it upset.
    moods: of the two at the end. stays: poignancy for each, 1 to 10.
    """

    KIND: ClassVar[str] = "talk_closed"
    talk: str
    who: tuple[str, str]
    gist: str
    tone: str
    topic: str
    relations: tuple[Relation, ...]
    replans: tuple[Replan, ...] = ()
    moods: tuple[Pad, ...] = ()
    stays: tuple[int, ...] = ()

    def touches(self) -> tuple[str, ...]:
        return self.who
