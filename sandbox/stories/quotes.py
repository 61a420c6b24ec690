"""The best lines of a day: strong moves, lines made for the occasion, things not said every hour, no greetings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from heapq import heappush, heappushpop

import msgspec

from sandbox.core.events import Stamp
from sandbox.talk.lines import Line
from sandbox.talk.model import Exchanged

HELD = 400  # candidates held at a time
BEST, LEAST = 7, 5
STRENGTH = {
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
SPECIFIC, OFTEN, GREETED = 0.6, 2.0, 2.2
SHORT, LONG, ROOM = 32, 130, 40.0


class Quote(msgspec.Struct, frozen=True):
    """Something said. who, to: ids; name, listener: what they are called; place: in words; t, seq: when."""

    t: int
    seq: int
    who: str
    to: str
    name: str
    listener: str
    place: str
    move: str
    text: str


class _Candidate(msgspec.Struct, frozen=True):
    t: int
    seq: int
    who: str
    to: str
    place: str
    move: str
    text: str
    line: str
    topic: str
    score: float


class Quotes:
    """Hears a day's talk and keeps the best of it, in bounded memory."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self._made_for = {
            line.id: SPECIFIC * min(3, len(line.when)) + (0.3 if line.registers else 0.0) for line in lines
        }
        self._said: Counter[str] = Counter()
        self._heap: list[tuple[float, int, _Candidate]] = []
        self._n = 0

    def hear(self, at: Stamp, e: Exchanged, place: str) -> None:
        """Take in a pair of turns; place: where, in words."""
        for u in e.lines:
            id_ = u.variants[-1].split("#")[0] if u.variants else ""
            if id_:
                self._said[id_] += 1
            strength = STRENGTH.get(u.move, 0.0)
            if not strength or not u.text:
                continue
            others = [other.who for other in e.lines if other.who != u.who]
            size = len(u.text)
            score = strength + self._made_for.get(id_, 0.0) + (0.5 if u.topic else 0.0)
            score -= max(0, SHORT - size) / ROOM + max(0, size - LONG) / ROOM
            score -= GREETED if len(u.variants) > 1 or e.n == 1 else 0.0
            found = _Candidate(
                at.t, at.seq, u.who, others[0] if others else "", place, u.move, u.text, id_, u.topic, score
            )
            self._n += 1
            entry = (score, -self._n, found)
            if len(self._heap) < HELD:
                heappush(self._heap, entry)
            else:
                heappushpop(self._heap, entry)

    def best(self, names: dict[str, str], told: str = "", count: int = BEST) -> tuple[Quote, ...]:
        """The best lines but that one, by time: of different people, moves and topics as far as there are enough."""
        ranked = sorted(
            ((c.score + (OFTEN / self._said[c.line] if c.line else OFTEN), n, c) for _, n, c in self._heap),
            key=lambda entry: (-entry[0], -entry[1]),
        )
        chosen: list[_Candidate] = []
        for strict in (2, 1):
            for _, _, c in ranked:
                if len(chosen) >= (count if strict == 2 else min(count, LEAST)):
                    break
                if c.text != told and _fresh(c, chosen, strict):
                    chosen.append(c)
        chosen.sort(key=lambda c: (c.t, c.seq))
        return tuple(
            Quote(c.t, c.seq, c.who, c.to, names.get(c.who, c.who), names.get(c.to, c.to), c.place, c.move, c.text)
            for c in chosen
        )


def _fresh(c: _Candidate, chosen: list[_Candidate], strict: int) -> bool:
    for other in chosen:
        if c.text == other.text or (c.line and c.line == other.line):
            return False
        if strict == 2 and (c.who == other.who or c.move == other.move or (c.topic and c.topic == other.topic)):
            return False
    return True
