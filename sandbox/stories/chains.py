"""What came of one event, directly or through others: the chain of causes from it, and the shortest way back to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from sandbox.core.events import Event, Record
from sandbox.core.text import clean
from sandbox.drama.outcomes import Decided
from sandbox.drama.showdown import Showdown
from sandbox.drama.turns import quarrel
from sandbox.feed.events import Posted, Quoted, Reacted
from sandbox.people.claims.model import Broken, Made
from sandbox.people.model import Felt, Noticed, Planned, Reflected
from sandbox.people.pressures.model import Began, Ended, Sought, Sparked, Stirred
from sandbox.phones.model import Crossed, Read, Wrote
from sandbox.stories.of_phones import RULE_WORDS
from sandbox.stories.story import Teller
from sandbox.talk.model import Closed, Declined, Exchanged, Opened

MOST = 60  # letters of a link's words


class Link(msgspec.Struct, frozen=True):
    """An event on the way, and what it is called there, in a word or three: "told Una"."""

    seq: int
    words: str


class Chain:
    """The events that have `act` among what they came of, and the act itself. Records must come in order.

    until: the second after which nothing is followed any more.
    """

    def __init__(self, act: Record, until: int) -> None:
        self.act, self.until = act, until
        self.records: dict[int, Record] = {act.stamp.seq: act}
        self._far: dict[int, int] = {act.stamp.seq: 0}
        self._from: dict[int, int] = {}

    def __contains__(self, seq: int) -> bool:
        return seq in self.records

    def __len__(self) -> int:
        """How many events came of the act."""
        return len(self.records) - 1

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log, from the act on."""
        far = self._far
        for record in records:
            seq, _, t, _, causes = record.stamp
            if t > self.until or seq in far:
                continue
            near = min((c for c in causes if c in far), key=lambda c: (far[c], c), default=0)
            if near:
                self.records[seq], self._from[seq], far[seq] = record, near, far[near] + 1

    def came(self) -> list[Record]:
        """What came of the act, in order."""
        return [record for seq, record in self.records.items() if seq != self.act.stamp.seq]

    def path(self, seq: int) -> list[Record]:
        """The shortest way from the act to an event of the chain, both of them with it. Raises KeyError for others."""
        out = [self.records[seq]]
        while seq in self._from:
            seq = self._from[seq]
            out.append(self.records[seq])
        return out[::-1]


def links(chain: Chain, teller: Teller, seq: int) -> tuple[Link, ...]:
    """The way to an event in words. Of several that are called the same one after another the first stands."""
    out: list[Link] = []
    for record in chain.path(seq):
        words = called(record, teller)
        if not out or out[-1].words != words:
            out.append(Link(record.stamp.seq, words))
    return tuple(out)


def shown(way: Iterable[Link]) -> str:
    """ "post -> Una read -> told Bo -> row"."""
    return " -> ".join(link.words for link in way)


def called(record: Record, teller: Teller) -> str:
    """What an event is called in a chain, clean and short."""
    e = record.event
    words = CALLED.get(type(e))
    return clean(words(teller, record) if words is not None else e.KIND.replace("_", " "), MOST)


def _stirred(teller: Teller, record: Record) -> str:
    e: Any = record.event
    m = teller.matters.get(e.id)
    if m is not None and (how := quarrel(e, m.kind)):
        return how
    return _done(e.how)


def _ended(teller: Teller, record: Record) -> str:
    e: Any = record.event
    m = teller.matters.get(e.id)
    return (quarrel(e, m.kind) if m is not None else "") or f"ended: {_done(e.how)}"


def _done(how: str) -> str:
    return how.replace("_", " ")


def _exchanged(teller: Teller, record: Record) -> str:
    e: Any = record.event
    heard = [row.who for row in e.told if row.strength]
    return f"told {teller.name(heard[0])}" if heard else _done(e.do) or "talk"


def _name(teller: Teller, record: Record) -> str:
    return teller.name(record.stamp.actor)


def _seen(teller: Teller, record: Record) -> str:
    return f"{_name(teller, record)} saw it"


CALLED: Mapping[type[Event], Callable[[Teller, Record], str]] = {
    Sparked: lambda teller, record: "spark",
    Posted: lambda teller, record: "post",
    Quoted: lambda teller, record: "quote",
    Reacted: lambda teller, record: "like" if getattr(record.event, "act", "") == "like" else "vote",
    Wrote: lambda teller, record: getattr(record.event, "kind", "post"),
    Read: lambda teller, record: f"{_name(teller, record)} read",
    Crossed: lambda teller, record: RULE_WORDS.get(getattr(record.event, "rule", ""), "rule"),
    Exchanged: _exchanged,
    Opened: lambda teller, record: "talk",
    Closed: lambda teller, record: "end of talk",
    Declined: lambda teller, record: "turned away",
    Began: lambda teller, record: _done(getattr(record.event, "kind", "matter")),
    Stirred: _stirred,
    Ended: _ended,
    Sought: lambda teller, record: (
        f"{_name(teller, record)} looked for {teller.name(getattr(record.event, 'whom', ''))}"
    ),
    Planned: lambda teller, record: f"{_name(teller, record)}'s plan",
    Felt: lambda teller, record: f"{_name(teller, record)} felt it",
    Reflected: lambda teller, record: f"{_name(teller, record)} thought",
    Noticed: _seen,
    Made: lambda teller, record: "claim",
    Broken: lambda teller, record: "claim broken",
    Decided: lambda teller, record: "decided",
    Showdown: lambda teller, record: "showdown",
}
