"""The best lines of a day: strong moves, lines made for the occasion, things seldom said, no greetings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import heappush, heappushpop
from typing import NamedTuple

import msgspec

from sandbox.core.events import Stamp
from sandbox.people.handbook import Handbook
from sandbox.talk.lines import BookLine
from sandbox.talk.model import Exchanged

HELD = 400  # candidates kept at a time
BEST, LEAST = 7, 5  # lines chosen if all differ in speaker, move and topic; else filled up to LEAST
STRENGTH = {  # move -> score; lines of other moves are never chosen
    "snap": 6.0,
    "tease_back": 4.5,
    "cold_reply": 4.2,
    "disagree": 4.0,
    "tease": 4.0,
    "vent": 4.0,
    "worry": 3.8,
    "answer_low": 3.5,
    "comfort": 3.5,
    "complain_back": 3.5,
    "gossip": 3.2,
    "react_gossip": 3.0,
    "compliment": 3.0,
    "reassure": 3.0,
    "opinion": 3.0,
    "remember": 3.0,
    "dodge": 2.6,
    "thank": 2.0,
    "agree": 1.8,
    "share_news": 2.0,
    "answer_about": 2.0,
    "react_news": 1.6,
    "answer_well": 1.5,
    "small_talk": 1.2,
    "small_talk_back": 1.2,
}
SPECIFIC, OFTEN, GREETED = 0.6, 2.0, 2.2  # score: per condition of a line, divided by times said, off for greetings
SHORT, LONG, ROOM = 32, 130, 40.0  # characters: below and above the first two a line loses 1 point per ROOM


class Quote(msgspec.Struct, frozen=True):
    """Something said. who, to: ids; name, listener: their names; place: in words; t, seq: second and event."""

    t: int
    seq: int
    who: str
    to: str
    name: str
    listener: str
    place: str
    move: str
    text: str


class _Candidate(NamedTuple):
    """A quote that may be chosen. line: its id in the line book, "" for words that are not from the book."""

    quote: Quote
    line: str
    topic: str


class Quotes:
    """Listens to a day's talk and keeps the best of it, in bounded memory."""

    def __init__(self, lines: Iterable[BookLine], handbook: Handbook) -> None:
        self._handbook = handbook
        self._made_for = {
            line.id: SPECIFIC * min(3, len(line.when)) + (0.3 if line.registers else 0.0) for line in lines
        }
        self._said: Counter[str] = Counter()
        self._heap: list[tuple[float, int, _Candidate]] = []
        self._n = 0

    def hear(self, at: Stamp, e: Exchanged, place: str) -> None:
        """Take in an exchange. place: where, in words."""
        name = self._handbook.name
        for u in e.lines:
            id_ = u.variants[-1].split("#")[0] if u.variants else ""
            if id_:
                self._said[id_] += 1
            strength = STRENGTH.get(u.move, 0.0)
            if not strength or not u.text:
                continue
            to = next((other.who for other in e.lines if other.who != u.who), "")
            size = len(u.text)
            score = strength + self._made_for.get(id_, 0.0) + (0.5 if u.topic else 0.0)
            score -= max(0, SHORT - size) / ROOM + max(0, size - LONG) / ROOM
            score -= GREETED if len(u.variants) > 1 or e.n == 1 else 0.0
            quote = Quote(at.t, at.seq, u.who, to, name(u.who), name(to), place, u.move, u.text)
            self._n += 1
            entry = (score, -self._n, _Candidate(quote, id_, u.topic))
            if len(self._heap) < HELD:
                heappush(self._heap, entry)
            else:
                heappushpop(self._heap, entry)

    def best(self, told: str) -> tuple[Quote, ...]:
        """The best lines except `told`, by time: of different people, moves and topics as far as there are enough."""
        ranked = sorted(
            ((score + (OFTEN / self._said[c.line] if c.line else OFTEN), n, c) for score, n, c in self._heap),
            key=lambda entry: (-entry[0], -entry[1]),
        )
        chosen: list[_Candidate] = []
        for most, strict in ((BEST, True), (LEAST, False)):
            for _, _, c in ranked:
                if len(chosen) >= most:
                    break
                if c.quote.text != told and not any(_alike(c, other, strict) for other in chosen):
                    chosen.append(c)
        return tuple(sorted((c.quote for c in chosen), key=lambda q: (q.t, q.seq)))


def _alike(c: _Candidate, other: _Candidate, strict: bool) -> bool:
    """Whether two candidates are too similar. strict: the same speaker, move or topic is enough."""
    a, b = c.quote, other.quote
    if a.text == b.text or (c.line and c.line == other.line):
        return True
    return strict and (a.who == b.who or a.move == b.move or bool(c.topic and c.topic == other.topic))
