"""Compare two runs from one moment, event by event, even where the same event, post or message has other numbers.

Events are compared by what they say, with each number in them replaced by a name: an event before the runs part keeps
its number; a later one is named by second, actor and kind. A resident's post is named by author and second, the crowd's
by its place among the crowd's posts. What is written is compared by its words, not by what they are about, which old
logs say in another event. Ids of memories are counters of a person, and left out; so are packed events (`PACKED`: what
many did at once), which any additional event changes.
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
    Writing,
)
from sandbox.people.model import Recalled, Reflected
from sandbox.phones.model import Crossed, Read
from sandbox.phones.old_log import OldWrote
from sandbox.talk.model import Exchanged
from sandbox.town.conditions import ConditionBegan

Content: TypeAlias = dict[str, Any]
CARD, COMMENT, MESSAGE = "card", "comment", "message"
MEMORY, EVIDENCE, NOTED = 7, 1, 3  # index of the memories in an encoded utterance, insight and note
MADE: Mapping[type[Event], tuple[str, str]] = {  # type of event -> the sort of number it creates, and the field
    Posted: (CARD, "post"),
    Quoted: (CARD, "post"),
    Reposted: (CARD, "post"),
    Commented: (COMMENT, "comment"),
    Messaged: (MESSAGE, "message"),
}
# The fields of events that refer to cards (posts), comments and messages.
NAMES: Mapping[type[Event], Mapping[str, str]] = {
    Posted: {"post": CARD},
    Quoted: {"post": CARD, "of": CARD, "via": CARD},
    Reposted: {"post": CARD, "root": CARD, "via": CARD},
    Commented: {"comment": COMMENT, "post": CARD},
    Reported: {"post": CARD},
    Deleted: {"post": CARD},
    Messaged: {"message": MESSAGE, "quotes": MESSAGE},
    Crossed: {"card": CARD},
    ConditionBegan: {"post": CARD},
}
OF_KIND = {"post": CARD, "comment": COMMENT, "message": MESSAGE}


class NamedEvent(NamedTuple):
    """An event in terms valid in both runs: what it says, and its causes by name."""

    what: str
    causes: tuple[str, ...]


class Numbers:
    """Names for the numbers of posts, comments and messages of a run. records: all events of the span, in order."""

    def __init__(self, records: Sequence[Record]) -> None:
        self._made: dict[tuple[str, int], str] = {}
        self._all: dict[str, list[int]] = {CARD: [], COMMENT: [], MESSAGE: []}
        self._back: dict[str, int] = {}
        for at, e in records:
            made = MADE.get(type(e))
            if made is not None:
                sort, number = made[0], getattr(e, made[1])
                name = f"{sort} of {at.actor} {at.t}"
                while name in self._back:  # several in one second are told apart by their order
                    name += "+"
                self._made[sort, number], self._back[name] = name, number
                self._all[sort].append(number)

    def name(self, sort: str, number: int) -> str | int:
        """The name of a number: text if a resident made it, else the number without those residents made before it."""
        found = self._made.get((sort, number))
        return found if found is not None else number - bisect_left(self._all[sort], number)

    def number(self, sort: str, name: str | int) -> int | None:
        """The number that has this name in this run; None if no resident made it here."""
        if isinstance(name, str):
            return self._back.get(name)
        for number in self._all[sort]:
            name += number <= name
        return name


def content(e: Event, name: Callable[[str, int], Any]) -> Content:
    """The fields of an event. name: (sort, number) -> what to write for the number of a card, comment or message."""
    out: Content = msgspec.to_builtins(e, str_keys=True)
    for key, sort in NAMES.get(type(e), {}).items():
        if key in out:
            out[key] = name(sort, out[key])
    if isinstance(e, Read):
        out["number"] = name(OF_KIND[e.kind], e.number)
    elif isinstance(e, Writing):
        for of_words in ("about", "mood", "variants"):
            del out[of_words]
    elif isinstance(e, Reacted):
        out["target"] = name(OF_KIND[e.on], e.target)
    elif isinstance(e, CardPlayed):
        out["dealt"]["post"] = name(CARD, e.dealt.post)
    elif isinstance(e, Browsed) and e.act != "search_users":
        out["shown"] = [name(MESSAGE if e.act == "listen" else CARD, x) for x in e.shown]
    return out


class RunEvents:
    """The events of a span with their names. Packed events and recalled memories are left out."""

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
            if isinstance(e, OldWrote):
                self._called[at.seq] = self._cause(at.causes[0])
        for record in records:
            at, e = record
            if not e.PACKED and not isinstance(e, Recalled | OldWrote):
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
    """a, b: events that only one run has, in order. alike_a, alike_b: numbers of the events in each run that the other
    also has if causes are ignored.
    """

    a: list[Record]
    b: list[Record]
    alike_a: frozenset[int]
    alike_b: frozenset[int]


def difference(a: Sequence[Record], b: Sequence[Record]) -> Difference:
    """Compare two runs from one moment on. a, b: all their events since then, in order."""
    one, two = RunEvents(a), RunEvents(b)
    return Difference(_only(one, two), _only(two, one), _alike(one, two), _alike(two, one))


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
