"""Two runs from one moment, compared event by event, whatever numbers their events, cards, comments and messages have.

An event is called by what it says, where a number stands for what it names: an event before the two part keeps its own,
one after that is called by second, actor and kind. A card of a resident is called by its author and second, one of the
crowd by its place among those of the crowd. Ids of memories are counts of what somebody remembers, and left out; so is
what many did at once (`PACKED`), which one more event changes anyhow.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from sandbox.core.events import Event, Record, numbers_in
from sandbox.director.model import CardPlayed
from sandbox.feed.events import (
    Browsed,
    Commented,
    Deleted,
    Messaged,
    Posted,
    Quoted,
    Reacted,
    Reported,
    Reposted,
)
from sandbox.people.model import Recalled, Reflected
from sandbox.phones.model import Crossed, Read, Wrote
from sandbox.talk.model import Exchanged
from sandbox.town.conditions import ConditionBegan

Content: TypeAlias = dict[str, Any]
CARD, COMMENT, MESSAGE = "card", "comment", "message"
MEMORY, EVIDENCE, NOTED = 7, 1, 3  # places of memories in an utterance, an insight and a note
MADE: Mapping[type[Event], tuple[str, str]] = {
    Posted: (CARD, "post"),
    Quoted: (CARD, "post"),
    Reposted: (CARD, "post"),
    Commented: (COMMENT, "comment"),
    Messaged: (MESSAGE, "message"),
}
# The fields of events that name cards, comments and messages.
NAMES: Mapping[type[Event], Mapping[str, str]] = {
    Posted: {"post": CARD},
    Quoted: {"post": CARD, "of": CARD, "via": CARD},
    Reposted: {"post": CARD, "root": CARD, "via": CARD},
    Commented: {"comment": COMMENT, "post": CARD},
    Reported: {"post": CARD},
    Deleted: {"post": CARD},
    Messaged: {"message": MESSAGE, "quotes": MESSAGE},
    Crossed: {"card": CARD},
    Wrote: {"on": CARD},
    ConditionBegan: {"post": CARD},
}
OF_KIND = {"post": CARD, "comment": COMMENT, "message": MESSAGE}


class NamedEvent(NamedTuple):
    """An event as both runs know it: what it is, and what it came of."""

    what: str
    causes: tuple[str, ...]


class Numbers:
    """What the numbers of a run stand for. records: all events of the span, in order."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._made: dict[tuple[str, int], str] = {}
        self._all: dict[str, list[int]] = {CARD: [], COMMENT: [], MESSAGE: []}
        self._back: dict[str, int] = {}
        for at, e in records:
            made = MADE.get(type(e))
            if made is not None:
                sort, number = made[0], getattr(e, made[1])
                name = f"{sort} of {at.actor} {at.t}"
                while name in self._back:  # two of the same second, in their order
                    name += "+"
                self._made[sort, number], self._back[name] = name, number
                self._all[sort].append(number)

    def name(self, sort: str, number: int) -> str | int:
        """What a number is called: as it was before the span, or by those who made it. -1 stays what it is."""
        found = self._made.get((sort, number))
        return found if found is not None else number - bisect_left(self._all[sort], number)

    def number(self, sort: str, name: str | int) -> int | None:
        """The number that is called so in this run; None if a resident has not made it here."""
        if isinstance(name, str):
            return self._back.get(name)
        for number in self._all[sort]:
            name += number <= name
        return name


def content(e: Event, name: Callable[[str, int], Any]) -> Content:
    """What an event says, with these names for the numbers of cards, comments and messages."""
    out: Content = msgspec.to_builtins(e, str_keys=True)
    for key, sort in NAMES.get(type(e), {}).items():
        if key in out:
            out[key] = name(sort, out[key])
    if isinstance(e, Wrote | Read):
        out["number"] = name(OF_KIND[e.kind], e.number)
    elif isinstance(e, Reacted):
        out["target"] = name(OF_KIND[e.on], e.target)
    elif isinstance(e, CardPlayed):
        out["dealt"]["post"] = name(CARD, e.dealt.post)
    elif isinstance(e, Browsed) and e.act != "search_users":
        out["shown"] = [name(MESSAGE if e.act == "listen" else CARD, x) for x in e.shown]
    return out


class RunEvents:
    """The events of a span, by what they are called. Packed ones, and what came to mind, are left out."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.numbers = Numbers(records)
        self.records: list[Record] = []
        self.named: list[NamedEvent] = []
        self._called: dict[int, str] = {}  # event of the span -> what it is called as a cause
        seen = Counter[str]()
        for at, e in records:
            name = f"{e.KIND} of {at.actor} {at.t}"
            seen[name] += 1
            self._called[at.seq] = name if seen[name] == 1 else f"{name}, {seen[name]}"
        for record in records:
            at, e = record
            if not e.PACKED and not isinstance(e, Recalled):
                self.records.append(record)
                self.named.append(NamedEvent(f"{at.t} {at.actor} {self._says(e)}", tuple(map(self._cause, at.causes))))

    def _cause(self, seq: int) -> str:
        return self._called.get(seq, str(seq))

    def _says(self, e: Event) -> str:
        out = content(e, self.numbers.name)
        if isinstance(e, Exchanged):
            for line in out["lines"]:
                del line[MEMORY:]
        elif isinstance(e, Reflected):
            for insight in (*out["insights"], *out["moments"]):
                del insight[EVIDENCE]
            for note in out["notes"]:
                del note[NOTED:]
        text = msgspec.json.encode(out, order="deterministic").decode()
        return f"{e.KIND} {numbers_in(type(e)).sub(lambda found: f'<{self._cause(int(found[0]))}>', text)}"


class Difference(NamedTuple):
    """a, b: what only one run has, in order. alike_a, alike_b: numbers of events of each run that the other has by what
    they are, whatever they came of.
    """

    a: list[Record]
    b: list[Record]
    alike_a: frozenset[int]
    alike_b: frozenset[int]


def difference(a: Sequence[Record], b: Sequence[Record]) -> Difference:
    """Compare two runs from one moment: all their events since then, in order."""
    one, two = RunEvents(a), RunEvents(b)
    return Difference(_only(one, two), _only(two, one), _alike(one, two), _alike(two, one))


def unshared_events(a: Sequence[Record], b: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """The events that only a has, and those that only b has."""
    found = difference(a, b)
    return found.a, found.b


def same_but(a: Sequence[Record], b: Sequence[Record], seq: int) -> bool:
    """Whether event `seq` of run a is all that the two differ in."""
    found = difference(a, b)
    return [r.stamp.seq for r in found.a] == [seq] and not found.b


def _alike(one: RunEvents, other: RunEvents) -> frozenset[int]:
    whats = {named.what for named in other.named}
    return frozenset(r.stamp.seq for r, named in zip(one.records, one.named, strict=True) if named.what in whats)


def _only(one: RunEvents, other: RunEvents) -> list[Record]:
    there = Counter(other.named)
    out = []
    for record, named in zip(one.records, one.named, strict=True):
        if there[named]:
            there[named] -= 1
        else:
            out.append(record)
    return out
