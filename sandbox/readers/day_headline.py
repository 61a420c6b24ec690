"""What could lead a day's page: quarrels first, then ties that turned, then kindness, then occasions. Also the best
lines of the day: strong moves, lines made for the occasion, things seldom said, no greetings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from heapq import heappush, heappushpop
from pathlib import Path
from typing import NamedTuple

import msgspec

from sandbox.core.clock import Clock
from sandbox.core.events import Stamp
from sandbox.core.text import upper
from sandbox.people.handbook import Handbook
from sandbox.readers.phrases import both, crossing, moment_words, on_day, says_where, tie_kinds
from sandbox.readers.talks import TalkLine, TalkStory
from sandbox.talk.lines import BookLine
from sandbox.talk.model import Exchanged, Relation
from sandbox.town.plan import Occasion

LESS, MORE, CLOSE, HEALED, AWAY, PLANS = 3, 2, 2, 1, 2, 2  # changes listed at most, by sort
WORTH = 0.02  # a smaller sum of changes of a feeling is not listed
MUCH = 0.15  # sum of changes of a feeling from which it is called much
TIMES = ("", "", "twice", "three times", "four times", "five times", "time and again")


class Lead(NamedTuple):
    """A possible headline. score: how well it leads, from about 10 to 150; line: a quote that sums it up."""

    score: float
    t: int
    seq: int
    who: tuple[str, ...]
    headline: str
    text: str
    place: str
    line: TalkLine | None


def lead_of_talk(story: TalkStory, handbook: Handbook, clock: Clock, seq: int, today: int) -> Lead | None:
    """The lead that a finished talk makes; None if it was an ordinary one. today: the day that need not be named."""
    a, b = (handbook.name(who) for who in story.who)
    at = handbook.at(story.place)
    there = f"{at} {moment_words(clock, story.since, clock.midnight(today))}"
    fell = -min((r.feeling_delta for r in story.relations), default=0.0)
    rose = max((r.feeling_delta for r in story.relations), default=0.0)
    turned = [(r, *tie_kinds(r)) for r in story.relations]
    sour = [r for r, old, new in turned if new == "sour" != old]
    healed = [r for r, old, new in turned if old == "sour" != new]
    coldest = min(story.lines, key=lambda line: line.valence, default=None)
    warmest = max(story.lines, key=lambda line: line.valence, default=None)

    def lead(score: float, headline: str, text: str, line: TalkLine | None) -> Lead:
        return Lead(score, story.since, seq, story.who, headline, text, handbook.place(story.place), line)

    if sour:
        u, v = handbook.name(sour[0].u), handbook.name(sour[0].v)
        head = f"{a} and {b} fall out" if len(sour) == 2 else f"{u} has had enough of {v}"
        text = f"It came to a head between {a} and {b} {there}, over {story.gist}"
        return lead(90.0 + 100.0 * fell, head, text, coldest)
    if story.tone == "hostile":
        return lead(80.0 + 100.0 * fell, f"A row {at}", f"{a} and {b} fell out {there}, over {story.gist}", coldest)
    if story.tone == "tense":
        score = 60.0 + 100.0 * max(0.0, fell) - 20.0 * story.warmth + max(0, 5 - len(story.lines) // 2)
        return lead(score, f"Sharp words {at}", f"{a} and {b} had words {there}, over {story.gist}", coldest)
    if healed:
        u, v = handbook.name(healed[0].u), handbook.name(healed[0].v)
        text = f"{u} no longer holds it against {v}: {there} they talked about {story.gist}"
        return lead(45.0 + 100.0 * rose, f"{u} makes peace with {v}", text, warmest)
    close = [r for r, old, new in turned if new == "close" != old]
    if len(close) == 2:
        text = f"{a} and {b} have grown close: {there} they talked about {story.gist}"
        return lead(40.0 + 60.0 * rose, f"{a} and {b} are close now", text, warmest)
    if story.mark == "♥":
        text = f"{a} and {b} talked long and kindly {there}, about {story.gist}"
        return lead(25.0 + 20.0 * story.warmth, f"A kind word {at}", text, warmest)
    return None


def lead_of_occasion(occasion: Occasion, t: int, handbook: Handbook, clock: Clock, today: int) -> Lead:
    """The lead that an occasion makes; one of a single date scores above a weekly one."""
    score = (20.0 if occasion.on else 10.0) + min(9.0, len(occasion.who) / 3)
    place = handbook.place(occasion.where)
    why = f": {occasion.why}" if occasion.why else ""
    where = occasion.title if says_where(occasion.title, place) else f"{occasion.title}, {place}"
    when = f"{on_day(clock, t, clock.midnight(today))} {clock.hhmm(t)}".lstrip()
    return Lead(score, t, 0, (), occasion.title, upper(f"{where}, {when}{why}"), place, None)


class Shifted(msgspec.Struct):
    """All changes in how u is tied to v. was, now: kinds of tie; gist: of the talk that moved the feeling most."""

    u: str
    v: str
    was: str
    now: str = ""
    feeling: float = 0.0
    closeness: float = 0.0
    largest: float = 0.0
    gist: str = ""

    def add(self, r: Relation, now: str, gist: str) -> None:
        """Add what a talk changed. now: the kind of tie after it; gist: what it was about."""
        self.now = now
        self.feeling += r.feeling_delta
        self.closeness += r.closeness_delta
        if abs(r.feeling_delta) >= abs(self.largest):
            self.largest, self.gist = r.feeling_delta, gist


def _after(gist: str, cold: bool = False) -> str:
    """What a talk was about, as the end of a sentence. cold: the change was for the worse."""
    return f" over {gist}" if cold else f", since they talked about {gist}"


def told_changes(
    shifted: Iterable[Shifted],
    refused: Counter[tuple[str, str]],
    replans: Sequence[tuple[str, str]],
    handbook: Handbook,
) -> tuple[str, ...]:
    """The largest changes of ties and plans as sentences, the worst first; slight ones are left out."""
    by = {(s.u, s.v): s for s in shifted}
    all_ = sorted(by.values(), key=lambda s: (s.feeling, s.u, s.v))
    name = handbook.name
    out: list[str] = []
    told: set[tuple[str, str]] = set()
    fell = [s for s in all_ if s.feeling <= -WORTH or s.now == "sour" != s.was]
    for s in sorted(fell, key=lambda s: not s.now == "sour" != s.was)[:LESS]:
        text = crossing(name(s.u), name(s.v), s.was, s.now) if s.now == "sour" != s.was else ""
        much = "much less" if s.feeling <= -MUCH else "less"
        out.append((text or f"{name(s.u)} thinks {much} of {name(s.v)}") + _after(s.gist, cold=True))
        told.add((s.u, s.v))
    for (u, v), n in sorted(refused.items(), key=lambda x: (-x[1], x[0]))[:AWAY]:
        if (u, v) in told:
            continue
        back = refused.get((v, u), 0)
        told |= {(u, v), (v, u)}
        times = TIMES[min(n + back, len(TIMES) - 1)]
        if back:
            total = f", {times} in all" if n + back < len(TIMES) - 1 else f" {times}"
            out.append(f"{name(u)} and {name(v)} turned each other away{total}")
        else:
            out.append(f"{name(u)} turned {name(v)} away{' ' + times if times else ''}")
    for s in [s for s in reversed(all_) if s.was == "sour" != s.now and (s.u, s.v) not in told][:HEALED]:
        out.append(crossing(name(s.u), name(s.v), s.was, s.now) + _after(s.gist))
        told.add((s.u, s.v))
    out += _closer(by, told, handbook)
    rose = [s for s in reversed(all_) if s.feeling >= WORTH and (s.u, s.v) not in told][: MORE + 1]
    for s in rose:
        if (s.u, s.v) in told:
            continue
        much = "the world" if s.feeling >= 2 * MUCH else "much better" if s.feeling >= MUCH else "better"
        if any((x.u, x.v) == (s.v, s.u) for x in rose):
            out.append(f"{name(s.u)} and {name(s.v)} think {much} of each other{_after(s.gist)}")
            told.add((s.v, s.u))
        else:
            out.append(f"{name(s.u)} thinks {much} of {name(s.v)}{_after(s.gist)}")
        told.add((s.u, s.v))
    out += [f"{name(who)} changed plans: {why}" for who, why in replans[:PLANS]]
    return tuple(out)


def _closer(by: dict[tuple[str, str], Shifted], told: set[tuple[str, str]], handbook: Handbook) -> list[str]:
    """Sentences on pairs that became friends or close, both ways, the largest growth first; adds them to `told`."""
    found = []
    for (u, v), s in by.items():
        back = by.get((v, u))
        new = ("close", "friendly")
        if u >= v or back is None or told & {(u, v), (v, u)}:
            continue
        if s.now == back.now in new and s.now != s.was and back.now != back.was:
            found.append((-(s.closeness + back.closeness), u, v, s))
    out = []
    for _, u, v, s in sorted(found, key=lambda x: x[:3])[:CLOSE]:
        told |= {(u, v), (v, u)}
        out.append(both(handbook.name(u), handbook.name(v), s.now) + _after(s.gist))
    return out


# ---- the best lines of a day


HELD = 400  # candidates kept at a time
BEST, LEAST = 7, 5  # lines chosen if all differ in speaker, move and topic; else filled up to LEAST
# move -> score; lines of other moves are never chosen
STRENGTH = msgspec.yaml.decode(Path(__file__).with_name("strength.yaml").read_bytes(), type=dict[str, float])
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
