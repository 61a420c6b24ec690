"""What people are asked about their day, and what they answer: a plan, what a block is made of, a look back in three
steps, how they feel.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from sandbox.core.protocols import Answer, Question
from sandbox.people.activities import Activity
from sandbox.people.causes import Sort
from sandbox.people.model import Block, Insight, Item, Note
from sandbox.people.mood import Pad
from sandbox.people.persona import Persona
from sandbox.people.shelf import Form


class Friend(msgspec.Struct, frozen=True):
    """Somebody the planner may want to see. feeling in [-1, 1]; closeness in [0, 1]; home: the arena to call at."""

    who: str
    name: str
    feeling: float
    closeness: float
    home: str


class PlanDay(Question, frozen=True):
    """What will you do from `now` until you sleep, and when do you wake? Times are seconds since the world's start.

    usual: the routine's blocks of that day. occasions: what the calendar offers this person today. leisure: (block,
    where) one may choose instead. free, bound: blocks that may give way, and blocks that begin on time. notes: whom one
    means to see, about what, the newest first; of them only those one has not talked with since. midnight: t of the
    day's start. mood: PAD. why: "" in the morning, else what upset the old plan. shaken: it was words that hurt.
    """

    day: int = 1
    midnight: int = 0
    wake_next: int = 0
    sleep: int = 0
    bed: str = ""
    usual: tuple[Block, ...] = ()
    occasions: tuple[Block, ...] = ()
    leisure: tuple[tuple[str, str], ...] = ()
    free: tuple[str, ...] = ()
    bound: tuple[str, ...] = ()
    friends: tuple[Friend, ...] = ()
    notes: tuple[Note, ...] = ()
    persona: Persona | None = None
    mood: Pad = Pad(0.0, 0.0, 0.0)
    jitter: float = 8.0
    why: str = ""
    shaken: bool = False


class DayPlan(Answer, frozen=True):
    """Blocks in order without gaps; the last is sleep and ends when the person wakes."""

    blocks: tuple[Block, ...]


class CutBlock(Question, frozen=True):
    """Cut a block into activities. options: those possible there; recent: what was done lately; minutes: its length."""

    do: str = ""
    where: str = ""
    minutes: int = 0
    options: tuple[Activity, ...] = ()
    recent: tuple[str, ...] = ()
    mood: Pad = Pad(0.0, 0.0, 0.0)


class Items(Answer, frozen=True):
    """Activities in order."""

    items: tuple[Item, ...]


class Look(msgspec.Struct, frozen=True):
    """A memory as a question shows it. pleasure: what it did to that axis of the mood; t: when it was; form: what its
    text is.
    """

    id: int
    kind: str
    text: str
    about: tuple[str, ...]
    poignancy: int
    pleasure: float
    topic: str
    t: int = 0
    form: Form = ""


class Wonder(msgspec.Struct, frozen=True):
    """A focus question. about: the person it has to do with, topic: the matter; "" for none. tone: whether it asks for
    what was good or bad, if it asks for either.
    """

    text: str
    about: str = ""
    topic: str = ""
    tone: Literal["", "good", "bad"] = ""


class LookBack(Question, frozen=True):
    """What the three questions of a reflection share. names: first names of those in the memories; feelings: for them,
    in [-1, 1], as far as there are any; mood: PAD.
    """

    memories: tuple[Look, ...] = ()
    names: dict[str, str] = {}
    feelings: dict[str, float] = {}
    persona: Persona | None = None
    mood: Pad = Pad(0.0, 0.0, 0.0)


class Focus(LookBack, frozen=True):
    """These are the latest and weightiest memories: what are the most salient questions they raise?"""


class Focused(Answer, frozen=True):
    """Up to three focus questions."""

    questions: tuple[Wonder, ...]


class FindInsights(LookBack, frozen=True):
    """These memories bear on a focus question, the n-th: what follows? lately: what one has thought of late."""

    question: Wonder = Wonder("")
    lately: tuple[str, ...] = ()


class Insights(Answer, frozen=True):
    """A few insights, each with the ids of the memories shown that support it and its poignancy, 1..10."""

    insights: tuple[Insight, ...]


class Reflect(LookBack, frozen=True):
    """From these insights, what do you feel, what do you mean to do, and what will you remember?

    memories: those behind the insights; talks: memories of the talks since the last reflection, the oldest first.
    """

    insights: tuple[Insight, ...] = ()
    talks: tuple[Look, ...] = ()


class Reflection(Answer, frozen=True):
    """An emotion (an OCC name, "" for none) with its intensity in [0, 1]; planning notes; memorable moments."""

    emotion: str
    intensity: float
    notes: tuple[Note, ...] = ()
    moments: tuple[Insight, ...] = ()


class DescribeMood(Question, frozen=True):
    """Say in two or three sentences how this person feels and why; no numbers. labels: of the nearest points, the
    nearest first (`people.anchors`); none = there is no mood to speak of. mood: PAD. causes: what moved it, in the
    order it is told (`people.describing.leading`), and sorts: of which sort each is; memories: what comes to mind.
    """

    persona: Persona | None = None
    labels: tuple[str, ...] = ()
    mood: Pad = Pad(0.0, 0.0, 0.0)
    causes: tuple[str, ...] = ()
    sorts: tuple[Sort, ...] = ()
    memories: tuple[str, ...] = ()


class Described(Answer, frozen=True):
    """The mood paragraph."""

    text: str


class React(Question, frozen=True):
    """A talk is over: go on as planned, or change the plan? late: it has run into what comes next. hard: the words
    were tense or hostile; sore: how far pleasure lies below its rest. join: what the other goes to and one could, too.
    """

    other: str = ""
    late: bool = False
    hard: bool = False
    sore: float = 0.0
    warm: bool = False
    join: Block | None = None


class Reacted(Answer, frozen=True):
    """keep: as planned; change: plan anew; join: go along with the other."""

    do: Literal["keep", "change", "join"]


class Recollection(Look, frozen=True):
    """A memory that a question brought to mind. when: in words ("this morning"); day: 0 = today, 1 = yesterday ..."""

    when: str = ""
    day: int = 0


class Interview(Question, frozen=True):
    """Somebody from outside asks you something; nothing in the town changes by it. ask: the question. memories: what
    it brings to mind; believes: what one believes of others, the most fitting first; feelings: name -> what one feels
    for them, in words.

    felt: the question how one feels. about: ids of those the question names, and topic: the matter one has an opinion
    on, "" = none. heard: for each belief, the name of who told it, "" if one saw or knew it. pressed: what presses
    most, in one's own words. ahead, tomorrow: what one means to do, each "do what where". names: id -> first name.
    """

    ask: str = ""
    persona: Persona | None = None
    mood: str = ""
    memories: tuple[Recollection, ...] = ()
    believes: tuple[str, ...] = ()
    feelings: dict[str, str] = {}
    plan: str = ""
    felt: DescribeMood | None = None
    about: tuple[str, ...] = ()
    topic: str = ""
    heard: tuple[str, ...] = ()
    pressed: str = ""
    ahead: tuple[str, ...] = ()
    tomorrow: tuple[str, ...] = ()
    names: dict[str, str] = {}


class Interviewed(Answer, frozen=True):
    """What they say to it. memories: ids of those it rests on."""

    text: str
    memories: tuple[int, ...] = ()
