"""What happened, whatever type of event says so: the facts that stories declare, and that readers of the log ask for.

A reader asks `all_stories` for the facts of an event (`event_ties`, `event_payments` ...) and for the kinds of event
that may hold some (`kinds_where`). So a new type of event is read by all of them once its story declares its facts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from sandbox.people.mood import MoodMark, Pad, Sort
from sandbox.play.model import Wished
from sandbox.talk.model import ScoredRule, Utterance


class MoodChange(NamedTuple):
    """A change of somebody's mood. delta: by how much; after: the mood then; why, sort: its reason; page: the reason as
    the page of a day words it. mark: the lasting mark it leaves, None if none.
    """

    who: str
    delta: Pad
    after: Pad
    why: str
    sort: Sort
    page: str = ""
    mark: MoodMark | None = None


class TieShift(NamedTuple):
    """A change of a tie. what: "feeling" or "closeness"; delta: 0 if it was weighed and stayed; after: its value then.
    Closeness fades from the day of the event on.
    """

    who: str
    whom: str
    what: str
    delta: float
    after: float
    why: str


class SpeechTurn(NamedTuple):
    """An exchange of a talk, or a turn of a showdown, at second t. lines: those with words, perhaps none; change: how
    far it moved both moods; tone: mean valence of what was said. why: the rules by which the other answered a request.
    """

    talk: str
    who: tuple[str, str]
    t: int
    lead: str
    lines: tuple[Utterance, ...]
    change: float
    tone: float
    why: tuple[ScoredRule, ...] = ()


class Outside(NamedTuple):
    """Something that needs no cause in town, and of which others may come. people: whom it may draw in, None = anybody.
    passes: it may draw in those, too, whom its own causes may. seen: it shows, and so is a sign of what it starts.
    """

    people: Iterable[str] | None = None
    passes: bool = False
    seen: bool = True


class Payment(NamedTuple):
    """Coins that changed hands. who: the payer, "" where wages are paid; to: who got them, "" where something was
    bought. what: what for; debt: the pressure that they were paid for, "" = none. left: coins the payer then had, -1
    where nobody paid.
    """

    who: str
    to: str
    amount: int
    what: str
    debt: str = ""
    left: int = -1


class EndedMatter(NamedTuple):
    """A claim or a pressure that ended. why: the reason, a clause, "" = none."""

    id: str
    why: str = ""


class Intent(NamedTuple):
    """What the person who is played means to do next has changed. wish: what they mean to say now, None = nothing;
    vain: whom they have looked for in vain, "" = nobody. hands: in whose hands they are from now on, the player's or
    their own; "" = as before.
    """

    wish: Wished | None = None
    vain: str = ""
    hands: Literal["", "player", "own"] = ""


class ActStage(NamedTuple):
    """How far somebody is with what they do: up, with or without a plan; with an act ahead, walking to it, there, or
    stopped on the way; with an act begun, or dropped, perhaps as they are moved elsewhere; talking, or done with it.
    seconds: how long the act ahead, or begun, takes; sleep: whether it is that.
    """

    who: str
    stage: Literal[
        "up", "planned", "unplanned", "ahead", "walking", "arrived", "stopped", "begun", "dropped", "moved", "talking",
        "talked",
    ]  # fmt: skip
    seconds: int = 0
    sleep: bool = False


class NewThing(NamedTuple):
    """A thing that came with an event, and by whom (who) it lies. people: everybody it concerns."""

    text: str
    who: str
    people: tuple[str, ...]
