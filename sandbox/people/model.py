"""What changes in people, and the events that change it."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Annotated, ClassVar

import msgspec

from sandbox.core.clock import Clock
from sandbox.core.events import Event
from sandbox.people.guest_model import GuestState
from sandbox.people.handbook import Handbook
from sandbox.people.memory import Memories, MemoryParameters
from sandbox.people.mood import Mood, MoodParameters, Pad, Sort, Upset
from sandbox.people.needs import NeedParameters, Needs
from sandbox.people.persona import Persona
from sandbox.people.played import PlayedState
from sandbox.people.purse import Money, Purse
from sandbox.people.ties import Tie, TieParameters
from sandbox.town.calendar import Calendar
from sandbox.town.conditions import HasConditions


class PlanParameters(msgspec.Struct, frozen=True):
    """jitter: minutes by which starts vary. late: minutes behind that make a person plan anew."""

    jitter: Annotated[float, msgspec.Meta(ge=0, le=120)] = 8.0
    late: Annotated[float, msgspec.Meta(ge=0, le=720)] = 2.0


SEEK = "seek"  # the block of somebody who looks for somebody
BESIDE = "sit_with"  # the block of somebody who sits beside somebody


class Block(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A piece of a day's plan: from start to end (seconds since the world's start), doing what, where, and why then.

    whom: who is looked for there, or sat beside.
    """

    start: int
    end: int
    do: str
    where: str
    why: str
    whom: str = ""


class BlockItem(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A piece of a block: an activity's phrase (or the block's key) for some minutes."""

    do: str
    minutes: int


class CurrentAct(msgspec.Struct, gc=False):
    """What a person does, or is on the way to do. tile: where it is done; until: 0 while on the way."""

    do: str
    block: str
    where: str
    thing: str
    tile: int
    seconds: int
    until: int = 0


class Resident(msgspec.Struct):
    """The changing side of a person.

    due: when they next have something to decide. talk: id of the talk they are in. seen: keys of the latest sights.
    upset: what sort of thing the plan no longer fits ("" = it does), replan: that in words, replan_cause: the event;
    join: a block to make room for. acted: the last activities, newest last. notes: planning notes of the last day, the
    oldest first, each with its second. leanings: opinion -> their stance, where what they read has moved it.
    over: concerns of theirs whose matter is over.
    """

    mood: Mood
    due: int = 0
    awake: bool = False
    day: int = 0
    plan: tuple[Block, ...] = ()
    block: int = -1
    items: tuple[BlockItem, ...] = ()
    item: int = 0
    act: CurrentAct | None = None
    going: CurrentAct | None = None
    talk: str = ""
    seen: list[str] = []
    acted: list[str] = []
    upset: Upset = ""
    replan: str = ""
    replan_cause: int = 0
    join: Block | None = None
    needs: Needs = msgspec.field(default_factory=Needs)
    purse: Purse = msgspec.field(default_factory=Purse)
    notes: list[tuple[int, Note]] = []
    leanings: dict[str, float] = {}
    over: list[str] = []


class PeopleState(msgspec.Struct):
    """residents by id, in cast order. ties: u -> v -> how u is tied to v.

    agenda: a heap of (due, id) in which entries may be stale; None until somebody asks who is due (no replay does).
    """

    residents: dict[str, Resident]
    ties: dict[str, dict[str, Tie]]
    agenda: list[tuple[int, str]] | None = None


class HasPeople(HasConditions):
    """The part of a world that this package's handlers and rules touch. cast: people as they are now, with who has left
    (`people/guest_model.py: in_town`); files: as their files have them.
    """

    people: PeopleState
    played: PlayedState
    guests: GuestState
    cast: dict[str, Persona]
    files: dict[str, Persona]
    handbook: Handbook
    clock: Clock
    calendar: Calendar
    memories: Memories
    mood_parameters: MoodParameters
    tie_parameters: TieParameters
    memory_parameters: MemoryParameters
    plan_parameters: PlanParameters
    need_parameters: NeedParameters
    money: Money | None


def set_due(state: PeopleState, who: str, t: int) -> None:
    """Set the second at which somebody next has something to decide."""
    state.residents[who].due = t
    if state.agenda is not None:
        heappush(state.agenda, (t, who))


def take_due(state: PeopleState, before: int) -> list[str]:
    """Take off the agenda those who have something due before that second and are in no talk; in the order of ids."""
    if state.agenda is None or len(state.agenda) > 64 + 8 * len(state.residents):
        state.agenda = sorted((r.due, who) for who, r in state.residents.items())
    agenda = state.agenda
    out = set()
    while agenda and agenda[0][0] < before:
        t, who = heappop(agenda)
        r = state.residents[who]
        if r.due == t and not r.talk:
            out.add(who)
    return sorted(out)


class Woke(Event, frozen=True):
    """The actor wakes."""

    KIND: ClassVar[str] = "woke"


class Planned(Event, frozen=True):
    """The actor's plan from now on. day: the day's number; upset: what sort of thing upset the old plan, "" for the
    morning's; why: that in words.
    """

    KIND: ClassVar[str] = "planned"
    VERSION: ClassVar[int] = 2
    day: int
    blocks: tuple[Block, ...]
    why: str = ""
    upset: Upset = ""


class Cut(Event, frozen=True):
    """The actor settles what to do in block number `block` of the plan."""

    KIND: ClassVar[str] = "cut"
    block: int
    items: tuple[BlockItem, ...]


class Chose(Event, frozen=True):
    """The actor goes on to the next act, in that mood. there: it begins at once; else when the walk that follows ends.

    x, y: the tile where it is done; thing: the object it uses, or "". item: number in the block's items.
    """

    KIND: ClassVar[str] = "chose"
    do: str
    block: str
    where: str
    thing: str
    x: int
    y: int
    seconds: int
    item: int
    there: bool
    mood: Pad = Pad(0.0, 0.0, 0.0)


class Sight(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Somebody seen: who, doing what (an activity's key, "walk", "talk" or "sleep"), where."""

    who: str
    do: str
    where: str


class Noticed(Event, frozen=True):
    """The actor takes in what others do, in that mood."""

    KIND: ClassVar[str] = "noticed"
    seen: tuple[Sight, ...]
    mood: Pad = Pad(0.0, 0.0, 0.0)


class Felt(Event, frozen=True):
    """The actor's mood moves for a reason other than talk. why: a clause; about: a person it has to do with; sort: of
    the cause.
    """

    KIND: ClassVar[str] = "felt"
    VERSION: ClassVar[int] = 2
    delta: Pad
    after: Pad
    emotion: str
    why: str
    about: str = ""
    sort: Sort = "event"


class Needed(Event, frozen=True):
    """The actor goes to see to a need. block: where and until when."""

    KIND: ClassVar[str] = "needed"
    need: str
    block: Block
    why: str


class Recalled(Event, frozen=True):
    """Memories (ids in the actor's stream) came to mind in a decision."""

    KIND: ClassVar[str] = "recalled"
    ids: tuple[int, ...]


class Insight(msgspec.Struct, frozen=True, array_like=True):
    """A thought: its text, the memories (ids) that support it, its poignancy 1..10, whom it is about ("" = nobody)."""

    text: str
    evidence: tuple[int, ...]
    poignancy: int
    about: str


class Note(msgspec.Struct, frozen=True, array_like=True):
    """A planning note. text: what one means to do, as an infinitive ("see Otis about the loaf"); about: the person it
    is about; topic: what there is to talk about ("the loaf"), or "".
    """

    text: str
    about: str
    topic: str = ""
    evidence: tuple[int, ...] = ()


class Reflected(Event, frozen=True):
    """The actor looks back: focus questions, insights, and what that does to the mood (the slow update).

    notes: what is planned from recent talks; moments: what of them is worth remembering. felt: which insight is told
    for what one feels, -1 for none.
    """

    KIND: ClassVar[str] = "reflected"
    focus: tuple[str, ...]
    insights: tuple[Insight, ...]
    delta: Pad
    after: Pad
    notes: tuple[Note, ...] = ()
    moments: tuple[Insight, ...] = ()
    felt: int = 0

    @property
    def thought(self) -> str:
        """The insight that is told for what one feels, "" for none."""
        return self.insights[self.felt].text if 0 <= self.felt < len(self.insights) else ""
