"""The form of a story: all that is told of one type of event, declared once, for every reader of the log.

The stories of a domain's events stand together in a module `stories_of_...`; `all_stories.py` holds them all and
answers for any event. Functions of a story take what the teller knows, the event and its stamp, as handlers do the
world.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.people.causes import Sort
from sandbox.people.claim_model import Claim, Made
from sandbox.people.handbook import Handbook
from sandbox.people.mood import MoodMark, Pad
from sandbox.people.pressure_model import Turned
from sandbox.readers.notable import Notable, default_notable
from sandbox.readers.pressures import UNKNOWN, Matters
from sandbox.talk.model import Relation, ScoredRule, Utterance

E = TypeVar("E", bound=Event)
Tone: TypeAlias = Literal["text", "soft", "dim", "warm", "cool"]


class TonedText(NamedTuple):
    """Some words in one tone."""

    text: str
    tone: Tone = "soft"
    bold: bool = False


class WrappedText(NamedTuple):
    """Words in as many indented lines as they need, at most so many."""

    text: str
    tone: Tone = "soft"
    most: int = 99


class SingleLine(NamedTuple):
    """Pieces in one line, cut where it ends."""

    pieces: tuple[TonedText, ...]


class SideBySide(NamedTuple):
    """Short parts side by side, in as many indented lines as they need; none is parted."""

    parts: tuple[tuple[TonedText, ...], ...]


class RuleBars(NamedTuple):
    """The rules behind a decision with their weights, as bars."""

    rules: Sequence[ScoredRule]


Block: TypeAlias = WrappedText | SingleLine | SideBySide | RuleBars


def delta_text(value: float) -> TonedText:
    """How far something moved, in the tone of its sign."""
    return TonedText(f" {value:+z.2f}", "warm" if value > 0 else "cool")


@dataclass(frozen=True, slots=True)
class Teller:
    """What is known to whoever tells. matters: what pressures are about, as far as it is known. lately: the latest
    events of the feed by number, for the words of what is written stand in another event than what it is about.
    users: whose account of the feed a number is, an id; "" for a stranger, and where it is not known.
    """

    handbook: Handbook
    matters: Matters = field(default_factory=lambda: UNKNOWN)
    notable: Notable = field(default_factory=default_notable)
    lately: Mapping[int, Event] = field(default_factory=dict)
    users: Callable[[int], str] = lambda user: ""

    def name(self, who: str) -> str:
        """What somebody is called."""
        return self.handbook.name(who)

    def user(self, number: int) -> str:
        """What a user of the feed is called: people of the town by name, strangers by number."""
        who = self.users(number)
        return self.name(who) if who else f"user {number}"

    def came_of(self, at: Stamp, kind: type[E]) -> E | None:
        """The first event of that kind that another came of, as far as it is known."""
        return next((e for seq in at.causes if isinstance(e := self.lately.get(seq), kind)), None)


class MarkAndWeight(NamedTuple):
    """How a row of the timeline tells an event: its mark, and how notable it is, from 0 to 10.

    matter: a pressure, of an event that belongs to none. why, over: see `timeline.TimelineRow`. deed: whether it tells
    what is done in the talk that it came of. once: of rows with the same words here one an hour is told; "" = all are.
    """

    mark: str
    weight: float
    matter: str = ""
    why: str = ""
    over: bool = False
    deed: bool = False
    once: str = ""


class MoodChange(NamedTuple):
    """Somebody's mood moved: by how much, where it came to, why, and of which sort that is. page: why, as the page of a
    day has it. mark: what stays of it in the rest of the mood, None if nothing does.
    """

    who: str
    delta: Pad
    after: Pad
    why: str
    sort: Sort
    page: str = ""
    mark: MoodMark | None = None


class TieShift(NamedTuple):
    """What one is to another moved. what: "feeling" or "closeness"."""

    who: str
    whom: str
    what: str
    delta: float
    after: float
    why: str


class SpeechTurn(NamedTuple):
    """An exchange of a talk, or a turn of a showdown, from second t on. lines: what is said in words, perhaps nothing;
    change: how far it moved both moods; tone: mean valence of what is said. why: the rules by which the other answered
    what was asked.
    """

    talk: str
    who: tuple[str, str]
    t: int
    lead: str
    lines: tuple[Utterance, ...]
    change: float
    tone: float
    why: tuple[ScoredRule, ...] = ()


class DecisionText(NamedTuple):
    """What somebody decided, in words after their name, and what it was decided by."""

    words: str
    blocks: Sequence[Block]


@dataclass(frozen=True, kw_only=True)
class Story:
    """What is told of a type of event.

    sentence: the event in words, without full stop. mark, weight: of its row in the timeline; weight is a key of
    notable.yaml. weigh: both, where they depend on the event; None of those that make no row. untold: why no event of
    the type makes a row. about: whom it concerns beside its actor, those it touches and those of its matter; others:
    whom only the sheet lists.

    sheet: what the sheet of an event shows beyond its sentence. choice: what stands under "why" of one who decided it.
    result: whether a sheet tells it as what came of another event. matter: the pressure it belongs to; talk: the talk
    it is a part of; doing: what its actor is at from then on; "" = none. plan_day: the day that it is a plan of, 0 =
    none. speech: what is said in it; absent: of whom, who are not there. moods, ties: what it moved. claims: what is so
    since; unclaims: the claim that is no longer so, "" = none. counts: what a day and an experiment count of it.
    aftermath: the group (a key of `aftermath.HEADS`) in which it is told as what came of an act, "" = none.
    """

    sentence: Callable[[Teller, Any, Stamp], str]
    mark: str = ""
    weight: str = ""
    weigh: Callable[[Teller, Any, Stamp], MarkAndWeight | None] | None = None
    untold: str = ""
    about: Callable[[Any], Iterable[str]] = lambda e: ()
    others: Callable[[Any], Iterable[str]] = lambda e: ()
    sheet: Callable[[Teller, Any, Clock], Sequence[Block]] = lambda teller, e, clock: ()
    choice: Callable[[Teller, Any], DecisionText] | None = None
    result: bool = False
    matter: Callable[[Any], str] = lambda e: ""
    talk: Callable[[Any], str] = lambda e: ""
    doing: Callable[[Any], str] = lambda e: ""
    plan_day: Callable[[Any], int] = lambda e: 0
    speech: Callable[[Any, Stamp], Sequence[SpeechTurn]] = lambda e, at: ()
    absent: Callable[[Any], Iterable[str]] = lambda e: ()
    moods: Callable[[Any, Stamp], Iterable[MoodChange]] | None = None
    ties: Callable[[Any], Iterable[TieShift]] | None = None
    claims: Callable[[Any], Iterable[Claim | Made]] | None = None
    unclaims: Callable[[Any], str] | None = None
    counts: Callable[[Any], Iterable[tuple[str, int]]] | None = None
    aftermath: Callable[[Any], str] = lambda e: ""

    def __post_init__(self) -> None:
        ways = (bool(self.mark), self.weigh is not None, bool(self.untold))
        if sum(ways) != 1 or bool(self.mark) != bool(self.weight):
            raise TypeError("a story has a mark and a weight, or weigh, or says why it is untold; one of the three")

    def weighed(self, teller: Teller, e: Any, at: Stamp) -> MarkAndWeight | None:
        """Mark and weight of an event's row; None if it makes none, as what weighs nothing does not."""
        if self.weigh is not None:
            found = self.weigh(teller, e, at)
        else:
            found = MarkAndWeight(self.mark, teller.notable[self.weight]) if self.mark else None
        return found if found is not None and found.weight else None


def ties_from_relations(relations: Iterable[Relation]) -> list[TieShift]:
    """What an event says of how ties came out."""
    out = []
    for r in relations:
        if r.feeling_delta:
            out.append(TieShift(r.u, r.v, "feeling", r.feeling_delta, r.feeling, r.why))
        if r.closeness_delta:
            out.append(TieShift(r.u, r.v, "closeness", r.closeness_delta, r.closeness, r.why))
    return out


def ties_from_feelings(feelings: Iterable[Turned]) -> list[TieShift]:
    """Feelings that an event turned."""
    return [TieShift(f.u, f.v, "feeling", f.delta, f.feeling, f.why) for f in feelings if f.delta]
