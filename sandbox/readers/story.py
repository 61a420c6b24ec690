"""The form of a story: everything that readers of the log need to describe one type of event, declared once.

The stories of a domain's events are in a module `stories_of_...`; `all_stories.py` collects them and answers for any
event. The functions of a story take a `Teller` (what is known besides), the event and its stamp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.core.faults import Faults, unknown
from sandbox.core.places import data_dir
from sandbox.core.textfiles import MappingReader, Value, open_yaml
from sandbox.people.claim_model import Claim, Made
from sandbox.people.handbook import Handbook
from sandbox.people.persona import Persona
from sandbox.people.pressure_deck import DramaDeck
from sandbox.people.pressure_model import Turned
from sandbox.readers.facts import (
    ActStage,
    EndedMatter,
    Intent,
    MoodChange,
    NewThing,
    Outside,
    Payment,
    SpeechTurn,
    TieShift,
)
from sandbox.readers.pressures import UNKNOWN, Matter, Matters
from sandbox.talk.model import Relation, ScoredRule

NAME = "notable.yaml"
MOST, MOST_EACH = 10.0, 100.0  # largest value of a weight, and of a key `each`
EACH = "each"  # key: what a change of size 1 adds to a weight


@dataclass(frozen=True)
class Notable:
    """Weights by dotted key: "talk.tense", "notable"."""

    weights: Mapping[str, float]

    def __getitem__(self, key: str) -> float:
        return self.weights[key]

    def get(self, key: str, default: str) -> float:
        """The weight of a key, or that of `default` if there is none."""
        return self.weights[key if key in self.weights else default]

    def grown(self, what: str, base: float, size: float) -> float:
        """base plus what a change of that size adds, at most 10. what: a section with the keys `each` and `most`."""
        return min(MOST, base + min(self[f"{what}.most"], self[f"{what}.{EACH}"] * abs(size)))

    @property
    def line(self) -> float:
        """The weight from which a row counts as notable."""
        return self["notable"]


@cache
def default_notable() -> Notable:
    """The table that ships with the program."""
    faults = Faults()
    found = _read(data_dir() / NAME, {}, faults)
    assert not len(faults), "\n".join(map(str, faults))
    return Notable(MappingProxyType(found))


def table_of(folder: Path, faults: Faults) -> Notable:
    """The table that ships, overridden by the one in a folder of settings if there is one. What is wrong in that file
    is added to the faults and ignored.
    """
    path = folder / NAME
    return (
        Notable(MappingProxyType(_read(path, default_notable().weights, faults)))
        if path.exists()
        else default_notable()
    )


def _read(path: Path, known: Mapping[str, float], faults: Faults) -> dict[str, float]:
    """Read a table. known: the keys that may be given, with their defaults; empty: any key may be given."""
    out = dict(known)
    for key, value in MappingReader(open_yaml(path, faults)).entries():
        if value.is_mapping:
            for inner, number in value.mapping().entries():
                _take(out, known, f"{key}.{inner}", number)
        else:
            _take(out, known, key, value)
    return out


def _take(out: dict[str, float], known: Mapping[str, float], key: str, value: Value) -> None:
    section, _, last = key.rpartition(".")
    if known and key not in known:
        sections = {k.partition(".")[0] for k in known if "." in k}
        if not section and key in sections:
            value.fault("is no mapping; write its keys beneath, each with a number")
        elif section and section not in sections:
            value.fault(unknown("section", section, sections))
        else:
            inside = {k.rpartition(".")[2] for k in known if k.rpartition(".")[0] == section}
            value.fault(unknown("key", last, inside))
        return
    number = value.number(0, MOST_EACH if last == EACH else MOST)
    if number is not None:
        out[key] = number


E = TypeVar("E", bound=Event)
Tone: TypeAlias = Literal["text", "soft", "dim", "warm", "cool"]


class TonedText(NamedTuple):
    """Some words in one tone."""

    text: str
    tone: Tone = "soft"
    bold: bool = False


class WrappedText(NamedTuple):
    """Text that wraps into indented lines, at most `most`."""

    text: str
    tone: Tone = "soft"
    most: int = 99


class SingleLine(NamedTuple):
    """Pieces on one line, cut off at its end."""

    pieces: tuple[TonedText, ...]


class SideBySide(NamedTuple):
    """Short parts side by side, in as many indented lines as needed; a part is never broken."""

    parts: tuple[tuple[TonedText, ...], ...]


class RuleBars(NamedTuple):
    """The rules behind a decision with their weights, as bars."""

    rules: Sequence[ScoredRule]


Block: TypeAlias = WrappedText | SingleLine | SideBySide | RuleBars


def delta_text(value: float) -> TonedText:
    """A change as text, in the tone of its sign."""
    return TonedText(f" {value:+z.2f}", "warm" if value > 0 else "cool")


@dataclass(frozen=True, slots=True)
class Teller:
    """What is known besides an event when it is described. matters: what pressures are about, as far as known. lately:
    the latest events of the feed by number, since what was written is in another event than what it is about. users:
    number of a feed account -> id of its owner; "" for a stranger or if unknown.
    """

    handbook: Handbook
    matters: Matters = field(default_factory=lambda: UNKNOWN)
    notable: Notable = field(default_factory=default_notable)
    lately: Mapping[int, Event] = field(default_factory=dict)
    users: Callable[[int], str] = lambda user: ""

    def name(self, who: str) -> str:
        """The name of a person."""
        return self.handbook.name(who)

    def user(self, number: int) -> str:
        """The name of a feed user; strangers are called by number."""
        who = self.users(number)
        return self.name(who) if who else f"user {number}"

    def came_of(self, at: Stamp, kind: type[E]) -> E | None:
        """The first event of that kind among the causes of an event, as far as it is in `lately`."""
        return next((e for seq in at.causes if isinstance(e := self.lately.get(seq), kind)), None)


class MarkAndWeight(NamedTuple):
    """How an event looks as a row of the timeline: its mark, and how notable it is, from 0 to 10.

    matter: the pressure concerned, if the event itself belongs to none. why, over: see `timeline.TimelineRow`. deed: it
    says what was done in the talk it came of. once: at most one row an hour with the same text here; "" = no limit.
    """

    mark: str
    weight: float
    matter: str = ""
    why: str = ""
    over: bool = False
    deed: bool = False
    once: str = ""


class DecisionText(NamedTuple):
    """A decision in words that follow the person's name, and the reasons for it."""

    words: str
    blocks: Sequence[Block]


@dataclass(frozen=True, kw_only=True)
class Story:
    """How to describe one type of event.

    sentence: the event in words, without full stop. mark, weight: of its row in the timeline; weight is a key of
    notable.yaml. weigh: both, if they depend on the event; it returns None for no row. untold: why no event of the type
    makes a row. about: whom it concerns besides its actor, those it touches and those of its matter ("" = nobody);
    others: people whom only the detail page (sheet) lists.

    sheet: what the detail page shows beyond the sentence. choice: the decision that the event is, for the actor's
    "why". result: whether detail pages list it among the consequences of its causes. matter: the pressure it belongs
    to; talk: its talk; doing: what its actor does from then on; "" = none. plan_day: the day it is a plan for, 0 =
    none. absent: people who are talked about but not there. counts: what it adds to the counts of a day or an
    experiment. aftermath: the group (a key of `aftermath.HEADS`) in which it is listed among the consequences of an
    act, "" = none. link: a few words for it in a chain of causes, "" = the first clause of its sentence.

    The facts it holds (`facts.py`): speech: what is said in it; moods, ties: the changes it made; payments: coins that
    change hands; begins: the pressure that begins with it, None = none; claims: those that begin with it; ends: the
    claim or pressure that ends; thing: what it brings that lies about, None = nothing; intent: what the person who is
    played means to do since, None = as before; outside: what it brings into town without a cause there; guest: who
    comes to town with it; stages: how far people are since with what they do.
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
    absent: Callable[[Any], Iterable[str]] = lambda e: ()
    counts: Callable[[Any], Iterable[tuple[str, int]]] = lambda e: ()
    aftermath: Callable[[Any], str] = lambda e: ""
    link: Callable[[Teller, Any, Stamp], str] = lambda teller, e, at: ""
    speech: Callable[[Any, Stamp], Sequence[SpeechTurn]] = lambda e, at: ()
    moods: Callable[[Any, Stamp], Iterable[MoodChange]] | None = None
    ties: Callable[[Any], Iterable[TieShift]] | None = None
    payments: Callable[[Any, Stamp], Iterable[Payment]] | None = None
    begins: Callable[[Any, Stamp], Matter | None] | None = None
    claims: Callable[[Any], Iterable[Claim | Made]] | None = None
    intent: Callable[[Any], Intent | None] | None = None
    outside: Callable[[Any, Stamp], Outside] | None = None
    ends: Callable[[Any], EndedMatter] | None = None
    thing: Callable[[DramaDeck, Any, Stamp], NewThing | None] | None = None
    guest: Callable[[Any], Persona] | None = None
    stages: Callable[[Any, Stamp], Iterable[ActStage]] | None = None

    def __post_init__(self) -> None:
        ways = (bool(self.mark), self.weigh is not None, bool(self.untold))
        if sum(ways) != 1 or bool(self.mark) != bool(self.weight):
            raise TypeError("a story has a mark and a weight, or weigh, or says why it is untold; one of the three")

    def weighed(self, teller: Teller, e: Any, at: Stamp) -> MarkAndWeight | None:
        """Mark and weight of an event's row; None if it makes no row, or one of weight 0."""
        if self.weigh is not None:
            found = self.weigh(teller, e, at)
        else:
            found = MarkAndWeight(self.mark, teller.notable[self.weight]) if self.mark else None
        return found if found is not None and found.weight else None


def stage(name: Any) -> Callable[[Any, Stamp], Iterable[ActStage]]:
    """Where an event brings its actor, as in `ActStage`."""
    return lambda e, at: (ActStage(at.actor, name),)


def does(words: str) -> Callable[[Teller, Any, Stamp], str]:
    """A sentence: the name of an event's actor, and these words."""
    return lambda teller, e, at: f"{teller.name(at.actor)} {words}"


def ties_from_relations(relations: Iterable[Relation]) -> list[TieShift]:
    """The changes of ties in a field `relations`."""
    out = []
    for r in relations:
        out.append(TieShift(r.u, r.v, "feeling", r.feeling_delta, r.feeling, r.why))
        out.append(TieShift(r.u, r.v, "closeness", r.closeness_delta, r.closeness, r.why))
    return out


def ties_from_feelings(feelings: Iterable[Turned]) -> list[TieShift]:
    """The changes of ties in a field `feelings`."""
    return [TieShift(f.u, f.v, "feeling", f.delta, f.feeling, f.why) for f in feelings]
