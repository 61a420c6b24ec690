"""What people are asked about talk, and what they answer: whom to speak to, how to take it, what to say."""

from __future__ import annotations

from typing import Literal

import msgspec

from sandbox.core.protocols import Answer, Question
from sandbox.people.persona import Speech
from sandbox.talk.model import Rule


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
    """Do you speak to `other` now? options: intents that have a subject; aims: what presses."""

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
    """Whether one speaks to the other."""

    yes: bool


class Exchange(Approach, frozen=True):
    """You speak to `other`: to what end?"""


class Chosen(Answer, frozen=True):
    """intent: one of the options or what an aim does. why: the top rules; over: the runner-up.

    aim: the pressure of the aim that was chosen, or "".
    """

    intent: str
    why: tuple[Rule, ...] = ()
    over: str = ""
    aim: str = ""


class Accept(Question, frozen=True):
    """`other` speaks to you: do you go into it? knows: you know of the pressure they come because of, if one it is."""

    other: Partner | None = None
    intent: str = ""
    pad: tuple[float, float, float] = (0.0, 0.0, 0.0)
    agreeableness: float = 0.0
    extraversion: float = 0.0
    busy: bool = False
    hurry: bool = False
    knows: bool = False


class Accepted(Answer, frozen=True):
    """how: accept, deflect or refuse."""

    how: Literal["accept", "deflect", "refuse"]
    why: tuple[Rule, ...] = ()


class Respond(Question, frozen=True):
    """`other` has come to you because of a pressure: how do you take it? do: the exchange; weights and features: what
    the answer depends on. lie: the same for a lie; empty where there is nothing to hide. just: what was said. knows:
    you know of that pressure without being told.
    """

    other: str = ""
    do: str = ""
    kind: str = ""
    intensity: float = 0.0
    weights: dict[str, float] = {}
    features: dict[str, float] = {}
    lie: dict[str, float] = {}
    just: str = ""
    knows: bool = False


class Responded(Answer, frozen=True):
    """how: accept, dodge, refuse or, if that was asked for, lie. why: the rules that weighed most."""

    how: Literal["accept", "dodge", "refuse", "lie"]
    why: tuple[Rule, ...] = ()


class Say(Question, frozen=True):
    """Put these moves into words, in order, as one turn. context: criterion -> value; slots: name -> words.

    avoid: variants the speaker said lately, or has just been told, and when; heard: line -> variant -> how often the
    town has heard it, less each day. just: what the other has just said, if this answers it.
    turn: how many there were before in this talk; whoever leads has the even ones.
    theirs: slots that come of what the other knows; whoever reads goes by what has been said of them.
    """

    moves: tuple[str, ...] = ()
    voice: str = "plain"
    context: dict[str, str] = {}
    traits: tuple[str, ...] = ()
    slots: dict[str, str] = {}
    pad: tuple[float, float, float] = (0.0, 0.0, 0.0)
    avoid: dict[str, int] = {}
    heard: dict[str, dict[str, float]] = {}
    catchphrase: str = ""
    speech: Speech = Speech()
    just: str = ""
    turn: int = 0
    theirs: tuple[str, ...] = ()


class Said(Answer, frozen=True):
    """The words, and the variants used (empty if they are the speaker's own). closes: they want to end the talk."""

    text: str
    variants: tuple[str, ...] = ()
    closes: bool = False


class Line(msgspec.Struct, frozen=True):
    """Something said in an exchange, as one of the two takes it. mine: they said it themselves; name: of who said it;
    feeling: theirs for that person (0 for their own words).
    """

    mine: bool
    name: str
    text: str
    move: str
    topic: str
    feeling: float


class Appraise(Question, frozen=True):
    """You have said the one and heard the other: what does it make you feel?"""

    lines: tuple[Line, ...] = ()
    neuroticism: float = 0.0


class Appraised(Answer, frozen=True):
    """felt: OCC emotions with their intensity in [0, 1]. why: of the strongest, as the ledger of the mood names it."""

    felt: tuple[tuple[str, float], ...]
    why: str


class Summarise(Question, frozen=True):
    """The talk is over: what was it about? topics: what was named, in order; intent: what it was begun for."""

    other: str = ""
    topics: tuple[str, ...] = ()
    intent: str = ""


class Summary(Answer, frozen=True):
    """A clause that fits after "talked about"."""

    gist: str


class Rate(Question, frozen=True):
    """How much will you remember of this talk? gist: what it was about; tone: warm, plain, tense or hostile."""

    other: str = ""
    gist: str = ""
    tone: str = "plain"


class Rated(Answer, frozen=True):
    """Poignancy from 1 (as every day) to 10 (turns a life)."""

    poignancy: int


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
