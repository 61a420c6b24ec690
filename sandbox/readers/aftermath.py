"""What came of one act: the events in its chain of causes with the shortest path to each, and all that as sentences, in
groups for reading. Each line has its time, its event and the path from the act to it. Also whom the act reached, and
when first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from sandbox.core.events import Record
from sandbox.core.text import clean, join_names
from sandbox.feed.events import Writing
from sandbox.people.beliefs import EVENT, FIRSTHAND, HELD, BeliefUpdate, Fact, fact_sentence, rows_of
from sandbox.people.model import HasPeople
from sandbox.people.pressure_model import Ended, Stirred
from sandbox.readers.all_stories import (
    STORIES,
    event_end,
    event_matter,
    event_moods,
    event_sentence,
    event_ties,
    matter_begun,
)
from sandbox.readers.beliefs import HOW
from sandbox.readers.phrases import MOVED
from sandbox.readers.story import Teller
from sandbox.readers.threads import Incident

LENGTH = 60  # characters in the words of a link


class ChainLink(msgspec.Struct, frozen=True):
    """An event on a path, and a few words for it: "Bo told Una"."""

    seq: int
    words: str


class Chain:
    """An act and all events that it caused, directly or through others. Records must come in order.

    until: events after this second are ignored.
    """

    def __init__(self, act: Record, until: int) -> None:
        self.act, self.until = act, until
        self.records: dict[int, Record] = {act.stamp.seq: act}
        self._far: dict[int, int] = {act.stamp.seq: 0}  # event -> how many links from the act
        self._from: dict[int, int] = {}  # event -> the cause nearest to the act

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
        """The shortest path from the act to an event of the chain, both included. Raises KeyError for other events."""
        out = [self.records[seq]]
        while seq in self._from:
            seq = self._from[seq]
            out.append(self.records[seq])
        return out[::-1]


def links(chain: Chain, teller: Teller, seq: int) -> tuple[ChainLink, ...]:
    """The path to an event in words. Of neighbours with the same words only the first stays."""
    out: list[ChainLink] = []
    for record in chain.path(seq):
        words, seq = link_words(record, teller), record.stamp.seq
        if not out or out[-1].words != words:
            out.append(ChainLink(seq, words))
    return tuple(out)


def chain_words(way: Iterable[ChainLink]) -> str:
    """A path as text: "Mara posted -> Una read it -> Una told Bo"."""
    return " -> ".join(link.words for link in way)


def link_words(record: Record, teller: Teller) -> str:
    """Short words for an event in a path: its story's, else its sentence as far as the first colon or semicolon."""
    text = STORIES[type(record.event)].link(teller, record.event, record.stamp)
    return clean(text or re.split(r"[:;] |, and named", event_sentence(record, teller))[0], LENGTH)


HEADS = {
    "happened": "What happened",
    "matters": "What presses, and how it ended",
    "claims": "What is so now",
    "beliefs": "What people came to believe",
    "ties": "How ties moved",
    "moods": "How moods moved",
    "plans": "Whose plans changed",
    "talks": "Talks begun by it",
    "posts": "What was written",
}
INCIDENT = 8.0  # weight of an incident, on the scale of notable.yaml; a turn outside one weighs as its event
PLAIN = 1.0  # weight of an event that has no row in the timeline
LEARNT, WORSE, EXPOSED = 2.0, 0.7, 2.0  # weight of a belief: base, per degree of badness, extra if it exposes a lie
LIKING, CLOSENESS, MOOD = 12.0, 6.0, 4.0  # weight of a change by 1
MOST = 10.0  # largest weight of a line
SLIGHT = 0.01  # smaller net changes of a tie or of a mood axis get no words
REASONS = 2  # reasons given for a change, the largest first

Says = Callable[[BeliefUpdate, int], str]  # a belief and the number of its event -> what it says, "" for no words


class AftermathLine(msgspec.Struct, frozen=True):
    """One line. seq: the event it describes, or the one that contributed most to it; t: its second. weight: 0 to 10.
    way: the path from the act to it. who: whom it concerns. anyway: whether it is known to happen without the act, too.
    """

    seq: int
    t: int
    text: str
    weight: float
    way: tuple[ChainLink, ...]
    who: tuple[str, ...] = ()
    anyway: bool = False


class Reached(msgspec.Struct, frozen=True):
    """Somebody the act reached: because of it, who first did, heard, believed or felt something at second t."""

    who: str
    t: int
    seq: int
    way: tuple[ChainLink, ...]


class Aftermath(msgspec.Struct, frozen=True):
    """What came of an act. act: the act as a line; events: how many its chain holds. groups: lines by key of HEADS, the
    weightiest first; empty groups are left out. reached: in order of time.
    """

    act: AftermathLine
    events: int
    groups: Mapping[str, tuple[AftermathLine, ...]]
    reached: tuple[Reached, ...]


def aftermath(chain: Chain, teller: Teller, incidents: Iterable[Incident], says: Says) -> Aftermath:
    """Describe what a chain holds. incidents: of the days it spans; listed if their main turn came of the act."""
    at, e = chain.act.stamp, chain.act
    act = AftermathLine(at.seq, at.t, event_sentence(e, teller), _weight(e, teller), ())
    came = chain.came()
    happened, covered = _happened(chain, teller, incidents)
    groups: dict[str, list[AftermathLine]] = {
        "happened": happened,
        "matters": [_line(chain, teller, r) for r in _matters(came, covered)],
        "claims": [],
        "beliefs": [*_beliefs(chain, teller, came, says)],
        "ties": [*_ties(chain, teller, came)],
        "moods": [*_moods(chain, teller, came)],
        "plans": [],
        "talks": [],
        "posts": [_line(chain, teller, r) for r in came if isinstance(r.event, Writing)],
    }
    for record in came:
        if group := STORIES[type(record.event)].aftermath(record.event):
            groups[group].append(_line(chain, teller, record))
    ordered = {key: tuple(sorted(lines, key=lambda c: (-c.weight, c.t, c.seq))) for key, lines in groups.items()}
    return Aftermath(act, len(chain), {k: v for k, v in ordered.items() if v}, people_reached(chain, teller))


def people_affected(record: Record) -> tuple[str, ...]:
    """The people who do, hear, believe or feel something through an event."""
    at, e = record
    found = [at.actor, *e.touches(), *(row.who for row in rows_of(e) if row.strength >= HELD)]
    found += [m.who for m in event_moods(record) if any(m.delta)]
    return tuple(dict.fromkeys(who for who in (*found, *(x.who for x in event_ties(e))) if who))


def people_reached(chain: Chain, teller: Teller) -> tuple[Reached, ...]:
    """Whom an act reached, and when first, in order of time. The actor is left out."""
    first: dict[str, Record] = {}
    for record in chain.came():
        for who in people_affected(record):
            if who != chain.act.stamp.actor and (who not in first or record.stamp.t < first[who].stamp.t):
                first[who] = record
    order = sorted(first.items(), key=lambda one: (one[1].stamp.t, one[1].stamp.seq, one[0]))
    return tuple(Reached(who, r.stamp.t, r.stamp.seq, links(chain, teller, r.stamp.seq)) for who, r in order)


def belief_wording(w: HasPeople, facts: Mapping[str, Fact]) -> Says:
    """A function that words beliefs. facts: the known facts by id; a belief about any other fact gets ""."""

    def says(row: BeliefUpdate, seq: int) -> str:
        fact = facts.get(row.fact or f"{EVENT}{seq}")
        return fact_sentence(w, fact, row.slots) if fact is not None else ""

    return says


# ---- the groups


def _line(chain: Chain, teller: Teller, record: Record, text: str = "", weight: float | None = None) -> AftermathLine:
    seq, _, t, _, _ = record.stamp
    heavy = _weight(record, teller) if weight is None else weight
    return AftermathLine(
        seq,
        t,
        text or event_sentence(record, teller),
        round(min(MOST, heavy), 2),
        links(chain, teller, seq),
        people_affected(record),
    )


def _weight(record: Record, teller: Teller) -> float:
    at, e = record
    found = STORIES[type(e)].weighed(teller, e, at)
    return found.weight if found is not None else PLAIN


def _happened(chain: Chain, teller: Teller, incidents: Iterable[Incident]) -> tuple[list[AftermathLine], set[int]]:
    """Lines for the incidents whose main turn came of the act, and the events that these cover."""
    out, covered = [], set[int]()
    for i in incidents:
        turn = max((x.seq for x in i.turns if x.t == i.t and x.seq in chain), default=0)
        if turn and i.says:
            line = _line(chain, teller, chain.records[turn], i.says.removesuffix("."), INCIDENT)
            out.append(replace(line, who=i.people))
            covered |= {*i.events}
    return out, covered


def _matters(came: Sequence[Record], covered: set[int]) -> list[Record]:
    """One event for each pressure: its end, else where it broke, else its beginning, else its last."""
    told_by: dict[str, tuple[int, Record]] = {}
    for record in came:
        e, begun = record.event, matter_begun(record)
        if record.stamp.seq in covered or not (begun or isinstance(e, Stirred | Ended)):
            continue
        rank = 3 if event_end(e) else 2 * e.turn if isinstance(e, Stirred) else 1
        matter = event_matter(record)
        if matter not in told_by or rank >= told_by[matter][0]:
            told_by[matter] = (rank, record)
    return [record for _, record in told_by.values()]


def _beliefs(chain: Chain, teller: Teller, came: Sequence[Record], says: Says) -> Iterator[AftermathLine]:
    """What each person came to believe about each fact, the first time only."""
    known: set[tuple[object, ...]] = set()
    for record in came:
        for row in rows_of(record.event):
            fact = row.fact or f"{EVENT}{record.stamp.seq}"
            if row.strength < HELD or (row.who, fact, row.slots) in known:
                continue
            known.add((row.who, fact, row.slots))
            about = " and ".join(teller.name(who) for who in (row.a, row.b) if who)
            what = says(row, record.stamp.seq) or f"something about {about}"
            how = HOW.get(row.source, "") if row.source in FIRSTHAND else f"from {teller.name(row.source)}"
            text = f"{teller.name(row.who)} came to believe ({how}{', a lie' if row.lie else ''}): {what}"
            weight = LEARNT + WORSE * row.bad + EXPOSED * bool(row.exposes)
            yield replace(_line(chain, teller, record, text, weight), who=(row.who,))


class _Net:
    """The sum of several events' changes to one tie or mood, and how much each reason adds to it."""

    def __init__(self, many: int) -> None:
        self.sum = [0.0] * many
        self.by: dict[str, tuple[float, Record]] = {}

    def add(self, delta: Sequence[float], why: str, record: Record) -> None:
        self.sum = [a + b for a, b in zip(self.sum, delta, strict=True)]
        size, first = self.by.get(why, (0.0, record))
        self.by[why] = (size + sum(map(abs, delta)), first)

    def why(self) -> tuple[str, Record]:
        """The largest reasons in words, and the first event of the largest."""
        order = sorted(self.by.items(), key=lambda one: (-one[1][0], one[1][1].stamp.seq))
        return "; ".join(why for why, _ in order[:REASONS] if why), order[0][1][1]


def _ties(chain: Chain, teller: Teller, came: Sequence[Record]) -> Iterator[AftermathLine]:
    pairs: dict[tuple[str, str], _Net] = {}
    for record in came:
        for x in event_ties(record.event):
            delta = (x.delta, 0.0) if x.what == "feeling" else (0.0, x.delta)
            pairs.setdefault((x.who, x.whom), _Net(2)).add(delta, x.why, record)
    for (u, v), net in pairs.items():
        likes, close = net.sum
        if max(abs(likes), abs(close)) < SLIGHT:
            continue
        why, record = net.why()
        parts = [f"likes {teller.name(v)} {'more' if likes > 0 else 'less'} ({likes:+.2f})"] * (abs(likes) >= SLIGHT)
        far = "is closer to" if close > 0 else "is less close to"
        parts += [f"{far} {'them' if parts else teller.name(v)} ({close:+.2f})"] * (abs(close) >= SLIGHT)
        text = f"{teller.name(u)} {' and '.join(parts)}{f': {why}' if why else ''}"
        weight = LIKING * abs(likes) + CLOSENESS * abs(close)
        yield replace(_line(chain, teller, record, text, weight), who=(u, v))


def _moods(chain: Chain, teller: Teller, came: Sequence[Record]) -> Iterator[AftermathLine]:
    people: dict[str, _Net] = {}
    for record in came:
        for m in event_moods(record):
            people.setdefault(m.who, _Net(3)).add(m.delta, m.why, record)
    for who, net in people.items():
        axes = zip(MOVED, net.sum, strict=True)
        parts = [f"{words[x < 0]} ({x:+.2f})" for words, x in axes if abs(x) >= SLIGHT]
        if not parts:
            continue
        why, record = net.why()
        text = f"{teller.name(who)} {join_names(parts)}{f': {why}' if why else ''}"
        weight = MOOD * sum(x * x for x in net.sum) ** 0.5
        yield replace(_line(chain, teller, record, text, weight), who=(who,))
