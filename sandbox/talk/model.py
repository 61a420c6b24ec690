"""Talks under way, what has been said, the events of talk, and what people are asked about it."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Protocol

import msgspec

from sandbox.core.events import Event
from sandbox.core.protocols import Answer, Question
from sandbox.people.beliefs import Told
from sandbox.people.model import Block
from sandbox.people.mood import Pad
from sandbox.people.persona import Speech
from sandbox.people.planning import HasWays
from sandbox.people.pressures.apply import HasPressures
from sandbox.people.pressures.model import Turned


class TalkParameters(msgspec.Struct, frozen=True):
    """cooldown: minutes before the same two talk again. rate: chance a minute that two who could talk think of it.

    reach: tiles apart at most. exchange: seconds a pair of turns takes. cap: exchanges no talk goes beyond.
    """

    cooldown: Annotated[float, msgspec.Meta(ge=0, le=43200)] = 60.0
    rate: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.09
    reach: Annotated[int, msgspec.Meta(ge=1, le=30)] = 4
    exchange: Annotated[int, msgspec.Meta(ge=10, le=600)] = 60
    cap: Annotated[int, msgspec.Meta(ge=3, le=60)] = 8


Side = Annotated[int, msgspec.Meta(ge=-1, le=1)]  # of a talk: which of the two, -1 for neither


class Talk(msgspec.Struct):
    """A talk under way between two people; who[0] began it.

    at: second of the next exchange. length: exchanges it is meant to have. beats: leading moves so far. warmth:
    sum of the valence of what each said to the other, and words: how many turns each had. told: whether each brought
    the other something new. aim: the pressure it was begun for; the intent is then an exchange of the drama deck.
    led: which of the two led the last exchange. do, answer: the last exchange of the deck and how it was taken; third:
    whether it was about somebody else; came: which of the two had come for it; said: what led it, in words.
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


class TalkState(msgspec.Struct):
    """open: talks under way, by id. last: pair -> end of their last talk, or of an offer that was declined."""

    open: dict[str, Talk] = msgspec.field(default_factory=dict)
    last: dict[str, int] = msgspec.field(default_factory=dict)


class HasTalk(HasWays, HasPressures, Protocol):
    """The part of a world that this package's handlers and rules touch."""

    rules: dict[str, str]
    talk: TalkState
    talk_parameters: TalkParameters


class Rule(msgspec.Struct, frozen=True, array_like=True):
    """A named part of a decision's utility."""

    name: str
    value: float


class Opened(Event, frozen=True):
    """The actor begins a talk. intent: the exchange they want; why: the rules that spoke for it; over: the
    runner-up. aim: the pressure that it is for, or "".
    """

    KIND: ClassVar[str] = "talk_opened"
    id: str
    other: str
    place: str
    intent: str
    length: int
    why: tuple[Rule, ...]
    over: str = ""
    aim: str = ""

    def touches(self) -> tuple[str, ...]:
        return (self.other,)


class Declined(Event, frozen=True):
    """The actor does not go into a talk that `other` offered. how: deflect (busy) or refuse (does not want to).
    mood: of the one turned away; aim: the pressure they came for, or ""."""

    KIND: ClassVar[str] = "talk_declined"
    other: str
    how: str
    intent: str
    why: tuple[Rule, ...]
    mood: Pad = Pad(0.0, 0.0, 0.0)
    aim: str = ""

    def touches(self) -> tuple[str, ...]:
        return (self.other,)


class Utterance(msgspec.Struct, frozen=True, array_like=True):
    """Something said: by whom, the words, the move, its topic, whom it is about, valence in [-1, 1], variants,
    memory told (or -1).
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
    """A mood moved by an exchange: delta as applied, the state after, and why."""

    who: str
    delta: Pad
    after: Pad
    why: str


class Exchanged(Event, frozen=True, omit_defaults=True):
    """A pair of turns. n: its number in the talk, from 1; lead: the move that led; shifts: the fast update of both
    moods. aim: the pressure it is about ("" = none), do: the exchange, answer: accept, dodge, refuse or lie, and why.
    told: what people have come to believe by it, and feelings: how those turned with it.
    """

    KIND: ClassVar[str] = "exchanged"
    talk: str
    n: int
    lead: str
    lines: tuple[Utterance, ...]
    shifts: tuple[Shift, ...]
    aim: str = ""
    do: str = ""
    answer: Literal["", "accept", "dodge", "refuse", "lie"] = ""
    why: tuple[Rule, ...] = ()
    told: tuple[Told, ...] = ()
    feelings: tuple[Turned, ...] = ()

    def touches(self) -> tuple[str, ...]:
        return tuple(line.who for line in self.lines)


class Relation(msgspec.Struct, frozen=True, array_like=True):
    """How u's feeling and closeness to v came out of a talk: deltas as applied and values after; grown: closeness
    gained today.
    """

    u: str
    v: str
    feeling_delta: float
    feeling: float
    closeness_delta: float
    closeness: float
    grown: float
    why: str


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

    moods: of the two as it ends.
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

    def touches(self) -> tuple[str, ...]:
        return self.who


class Partner(msgspec.Struct, frozen=True):
    """What one of two people is to the other and looks like. tie: a word of `ties.kind`; mood: a screen mood."""

    who: str
    name: str
    feeling: float
    closeness: float
    tie: str
    relation: str
    mood: str
    busy: bool
    age: int
    extraversion: float
    opposed: float


class Aim(msgspec.Struct, frozen=True):
    """Something a pressure presses a person to do with the other. do: an exchange; wish, weight: as its deck has them.

    features: what the wish depends on, as it is now. due: minutes until its hour (-1 = none, 0 = now or past).
    sought: one has come looking for the other because of it.
    """

    pressure: str
    kind: str
    do: str
    intensity: float
    weight: float
    wish: dict[str, float]
    features: dict[str, float]
    due: float = -1.0
    sought: bool = False


class Approach(Question, frozen=True):
    """Do you speak to `other`, and to what end? options: intents that have a subject; aims: what presses."""

    other: Partner | None = None
    options: tuple[str, ...] = ()
    pad: tuple[float, float, float] = (0.0, 0.0, 0.0)
    extraversion: float = 0.0
    agreeableness: float = 0.0
    neuroticism: float = 0.0
    busy: bool = False
    hurry: bool = False
    first_today: bool = True
    aims: tuple[Aim, ...] = ()


class Approached(Answer, frozen=True):
    """intent: "" to leave it, else one of the options or what an aim does. why: the top rules; over: the runner-up.

    aim: the pressure of the aim that was chosen, or "".
    """

    intent: str
    why: tuple[Rule, ...] = ()
    over: str = ""
    aim: str = ""


class Accept(Question, frozen=True):
    """`other` speaks to you: do you go into it?"""

    other: Partner | None = None
    intent: str = ""
    pad: tuple[float, float, float] = (0.0, 0.0, 0.0)
    agreeableness: float = 0.0
    extraversion: float = 0.0
    busy: bool = False
    hurry: bool = False


class Accepted(Answer, frozen=True):
    """how: accept, deflect or refuse."""

    how: Literal["accept", "deflect", "refuse"]
    why: tuple[Rule, ...] = ()


class Respond(Question, frozen=True):
    """`other` has come to you because of a pressure: how do you take it? do: the exchange; weights and features: what
    the answer depends on. lie: the same for a lie; empty where there is nothing to hide.
    """

    other: str = ""
    do: str = ""
    kind: str = ""
    intensity: float = 0.0
    weights: dict[str, float] = {}
    features: dict[str, float] = {}
    lie: dict[str, float] = {}


class Responded(Answer, frozen=True):
    """how: accept, dodge, refuse or, if that was asked for, lie. why: the rules that weighed most."""

    how: Literal["accept", "dodge", "refuse", "lie"]
    why: tuple[Rule, ...] = ()


class Say(Question, frozen=True):
    """Put these moves into words, in order, as one turn. context: criterion -> value; slots: name -> words.

    avoid: variants the speaker said lately, with the minutes since; heard: as `memory.Spoken` has it; t: now.
    """

    moves: tuple[str, ...] = ()
    voice: str = "plain"
    context: dict[str, str] = {}
    traits: tuple[str, ...] = ()
    slots: dict[str, str] = {}
    pad: tuple[float, float, float] = (0.0, 0.0, 0.0)
    avoid: dict[str, int] = {}
    heard: dict[str, tuple[int, float]] = {}
    t: int = 0
    catchphrase: str = ""
    speech: Speech = Speech()


class Said(Answer, frozen=True):
    """The words, and the variants used (empty if they are the speaker's own)."""

    text: str
    variants: tuple[str, ...] = ()


class FeelAbout(Question, frozen=True):
    """The talk is over: how has your feeling towards `other` moved? warmth: mean valence of what they said, in
    [-1, 1].
    """

    other: str = ""
    feeling: float = 0.0
    warmth: float = 0.0
    pleasure: float = 0.0
    agreeableness: float = 0.0
    neuroticism: float = 0.0


class FeltAbout(Answer, frozen=True):
    """u: the signed change asked for; bounded by the world."""

    u: float
