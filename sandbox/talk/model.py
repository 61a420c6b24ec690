"""Talks under way, what has been said, and the events of talk."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import msgspec

from sandbox.core.chance import Chance
from sandbox.core.events import Event
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.causes import Sort
from sandbox.people.goal_handlers import HasGoals
from sandbox.people.model import Block
from sandbox.people.mood import Pad
from sandbox.people.planning import HasWays
from sandbox.people.pressure_model import Turned
from sandbox.people.ties import Closeness, Delta, Feeling

# Intents that are small talk: such a talk has no words, unless it comes to something.
SMALL = frozenset(("chat", "small_talk", "ask_plans", "compliment", "tease", "share_news", "gossip", "remember"))


ASIDES = 1  # ordinary subjects that have words in a talk, beside what matters in it: who talk on do so without


class TalkParameters(msgspec.Struct, frozen=True):
    """cooldown: minutes before the same two talk again. rate: chance a minute that two who could talk think of it.

    reach: tiles apart at most. exchange: seconds a pair of turns takes. cap: exchanges no talk goes beyond. quiet:
    whether small talk, talks of those who have met today, and whatever a talk goes on to beside what matters in it run
    without words; if not, all that is said has words, each goodbye included.
    """

    cooldown: Annotated[float, msgspec.Meta(ge=0, le=43200)] = 60.0
    rate: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.09
    reach: Annotated[int, msgspec.Meta(ge=1, le=30)] = 4
    exchange: Annotated[int, msgspec.Meta(ge=10, le=600)] = 60
    cap: Annotated[int, msgspec.Meta(ge=3, le=60)] = 8
    quiet: bool = True


Side = Annotated[int, msgspec.Meta(ge=-1, le=1)]  # of a talk: which of the two, -1 for neither


class Talk(msgspec.Struct):
    """A talk under way between two people; who[0] began it.

    at: second of the next exchange. length: exchanges it is meant to have. beats: leading moves so far. warmth:
    sum of the valence of what each said to the other, and words: how many turns each had. told: whether each brought
    the other something new. aim: the pressure it was begun for; the intent is then an exchange of the drama deck.
    led: which of the two led the last exchange. do, answer: the last exchange of the deck and how it was taken; third:
    whether it was about somebody else; came: which of the two had come for it; said: what led it, in words. quiet: it
    has no words so far. asides: ordinary subjects that had words; hushed: the last exchange had none.
    grave: the last exchange told bad news of a life; cold: it was answered coldly, or not at all.
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
        """Mean valence of what was said so far, in [-1, 1]; 0 before anything was."""
        return sum(self.warmth) / max(1, sum(self.words))

    def kindness(self, i: int) -> float:
        """Mean valence of what one of the two has said."""
        return self.warmth[i] / max(1, self.words[i])


class TalkState(msgspec.Struct):
    """open: talks under way, by id. last: pair -> end of their last talk, or of an offer that was declined. spoken_of:
    "speaker listener" -> what of a life's news has been spoken of between them, the oldest first.
    """

    open: dict[str, Talk] = msgspec.field(default_factory=dict)
    last: dict[str, int] = msgspec.field(default_factory=dict)
    spoken_of: dict[str, list[str]] = msgspec.field(default_factory=dict)


class HasTalk(HasWays, HasGoals):
    """The part of a world that this package's handlers and rules touch."""

    chance: Chance
    rules: dict[str, str]
    talk: TalkState
    talk_parameters: TalkParameters


class ScoredRule(msgspec.Struct, frozen=True, array_like=True):
    """A named part of a decision's utility."""

    name: str
    value: float


class Opened(Event, frozen=True):
    """The actor begins a talk. intent: the exchange they want; why: the rules that spoke for it; over: the
    runner-up. aim: the pressure that it is for, or "". quiet: it begins without words, unless something comes of it at
    once: small talk, or a nod to one who was met today.
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
    """Something said: by whom, the words ("" = without any: a nod, or small talk that nobody listens to), the move, its
    topic, whom it is about, valence in [-1, 1], variants, memory told (or -1).
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
    """A mood moved by an exchange: delta as applied, the state after, why, and of which sort that is."""

    who: str
    delta: Pad
    after: Pad
    why: str
    sort: Sort = "event"


class Exchanged(Event, frozen=True, omit_defaults=True):
    """A pair of turns. n: its number in the talk, from 1; lead: the move that led; shifts: the fast update of both
    moods. aim: the pressure it is about ("" = none), do: the exchange, answer: accept, dodge, refuse or lie, and why;
    or why somebody replied as they mostly do not.
    told: what people have come to believe by it, and feelings: how those turned with it. closes: one of them wants to
    end the talk with the next. over: the pressure, or the outcome, that ordinary talk is about ("" = none).
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
        """Whether anything of it is put in words."""
        return any(line.text for line in self.lines)

    def touches(self) -> tuple[str, ...]:
        return tuple(line.who for line in self.lines)


class Relation(msgspec.Struct, frozen=True, array_like=True):
    """How u's feeling and closeness to v came out of a talk, or of what u saw on the feed: deltas as applied and values
    after; grown: closeness gained today; liked: the moving average of v's likes of what u writes (-1 = as it was).
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
    """A plan that a talk has upset: whose and why. late: they drop what they were at; shaken: by hard words; join: a
    block to make room for.
    """

    who: str
    why: str
    late: bool = False
    shaken: bool = False
    join: Block | None = None


class Closed(Event, frozen=True):
    """A talk ends. gist: a clause of what it was about. tone: warm, plain, tense or hostile. replans: plans upset.

    moods: of the two as it ends. stays: how poignant each will find it, 1 to 10.
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
