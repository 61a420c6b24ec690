"""Where town and feed influence each other: what is written on the feed because of what happened in town, and what
happens in town because of what is on the feed. Found in the log by following causes, in one pass.

A crossing has two ends: a deed on the feed (a post, a like, a block) and an event in town. Events between them only
pass a cause on: looking at the feed, reading, a rule that ran, and moods, which are nobody's deed. For such an event
only the nearest end on either side is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sandbox.core.clock import DAY
from sandbox.core.events import Event, Record, Stamp
from sandbox.drama.outcomes import Decided
from sandbox.drama.taking_sides import Showdown
from sandbox.engine.registry import EVENTS as KNOWN
from sandbox.engine.scenario import Founded
from sandbox.engine.world import World
from sandbox.feed.events import Browsed, Commented, Connected, Reacted, Reposted, Writing, WritingDetails
from sandbox.feed.packing import CrowdActed
from sandbox.people.claim_model import Broken, Made
from sandbox.people.goal_model import GoalAdvanced, GoalPlanned, GoalPursued
from sandbox.people.mark_model import Marked
from sandbox.people.model import Cut, Felt, Planned, Recalled
from sandbox.people.paying import Paid
from sandbox.people.pressure_model import Began, Ended, Sought, Stirred
from sandbox.phones.model import Crossed, Read, kind_and_number
from sandbox.phones.old_log import OldWrote
from sandbox.readers import pressures
from sandbox.readers.all_stories import event_matter, event_sentence, event_talk, learn
from sandbox.readers.stories_of_feed import owners
from sandbox.readers.story import Teller
from sandbox.talk.model import Declined, Exchanged, Opened
from sandbox.town.model import Arrived, Placed, Stopped, Walked

FEED, STREET = "feed", "street"  # direction of a crossing, as in `Crossed`: where it ends
PARTS = ("block", "unfollow")  # of connections, those that say something, as words do
LASTS = (  # effects in town beyond the reader's mood; `Crossed` only where its rule runs towards the street
    Began, Stirred, Ended, Sought, Opened, Exchanged, Declined, Planned, Made, Broken, Marked, GoalPlanned,
    GoalPursued, GoalAdvanced, Decided, Showdown, Paid, Crossed,
)  # fmt: skip
KEPT = 9 * DAY  # seconds for which events of the town are kept as possible causes of deeds on the feed
UNREAD = (Founded, Walked, Arrived, Placed, Stopped, Cut, Recalled)  # frequent events that nothing on the feed comes of
KINDS = tuple(KNOWN.keys() - {e.KIND for e in UNREAD})


class End(NamedTuple):
    """An event at one end of a crossing. t is -1 and the others "" if it is not on record, or older than KEPT."""

    seq: int
    t: int = -1
    kind: str = ""
    who: str = ""


@dataclass(slots=True)
class Crossing:
    """way: "feed" from the street to the feed, "street" from the feed to the street. came: the cause; made: the effect.
    rule: the rule between them, "" for ordinary posting, reading and talk. thread: of the pressure concerned, else
    "post 12", "message 3" or, where somebody blocks or unfollows another, "mara>bo".
    """

    way: str
    came: End
    made: End
    rule: str
    thread: str


class _Way(NamedTuple):
    """Where an event comes from: the nearest event in town and the nearest deed on the feed among its causes (0 =
    none), and the nearest rule on the way to that deed.
    """

    town: int = 0
    deed: int = 0
    rule: str = ""


class Crossings:
    """Finds crossings. `read` takes records in order; found: the crossings so far, in the order of their effects. If
    several events of one talk come of the same deed, only the first counts.
    """

    def __init__(self) -> None:
        self.found: list[Crossing] = []
        self._threads: dict[str, str] = {}  # pressure -> its thread
        self._ways: dict[int, _Way] = {}  # of events that only pass a cause on
        self._deeds: dict[int, End] = {}
        self._roots: dict[int, str] = {}  # deed -> what it belongs to: "post 12"
        self._cards: dict[int, int] = {}  # post -> the event that wrote it
        self._town: dict[int, End] = {}
        self._about: dict[int, str] = {}  # deed, or event in town -> thread of the pressure it is about
        self._said: dict[int, Crossing] = {}  # deed -> its crossing, as long as the rule is unknown
        self._run: dict[int, Crossing] = {}  # a `Crossed` event -> its crossing, as long as the thread is unknown
        self._talks: set[tuple[str, int]] = set()  # (talk, deed on the feed that it came of)
        self._dawn = DAY

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for stamp, e in records:
            if stamp.t >= self._dawn:
                self._dawn = stamp.t + DAY
                self._town = {seq: end for seq, end in self._town.items() if stamp.t - end.t < KEPT}
            if (e.ON_FEED or isinstance(e, CrowdActed)) and not isinstance(e, Browsed):
                self._deed(stamp, e)
            elif isinstance(e, Browsed | Read | OldWrote | Felt) or (isinstance(e, Crossed) and e.way == FEED):
                self._passes(stamp, e)
            else:
                self._happens(stamp, e)

    def _way(self, causes: tuple[int, ...]) -> _Way:
        """The nearest ends behind these causes; causes named first take precedence."""
        town = deed = 0
        rule = ""
        for seq in causes:
            x = self._ways.get(seq)
            if x is None:
                x = _Way(0, seq) if seq in self._deeds else _Way(seq)
            town = town or x.town
            if not deed and x.deed:
                deed, rule = x.deed, x.rule
        return _Way(town, deed, rule)

    # ---- the feed

    def _deed(self, stamp: Stamp, e: Event) -> None:
        seq = stamp.seq
        self._deeds[seq] = End(seq, stamp.t, e.KIND, stamp.actor)
        card, root = -1, ""
        if isinstance(e, Commented):
            card = e.post
        elif isinstance(e, Writing):
            kind, number = kind_and_number(e)
            root = f"{kind} {number}"
            if kind == "post":
                self._cards[number] = seq
        elif isinstance(e, Reposted):
            card = e.root
        elif isinstance(e, Reacted):
            card = e.target if e.on == "post" else -1
        elif isinstance(e, Connected):
            root = f"{stamp.actor}>{e.other}"
        self._roots[seq] = root or (f"post {card}" if card >= 0 else "")
        if thread := self._about.get(self._cards.get(card, 0), ""):
            self._about[seq] = thread
        if isinstance(e, Writing) or (isinstance(e, Connected) and e.act in PARTS):
            town = self._way(stamp.causes).town
            if town:
                thread = self._about.get(town) or self._about.get(seq) or self._roots[seq]
                self._said[seq] = self._cross(FEED, self._town.get(town) or End(town), self._deeds[seq], "", thread)
        if isinstance(e, Writing) and e.about is not None:
            self._ways[seq] = self._written(seq, e.about)

    def _written(self, deed: int, about: WritingDetails) -> _Way:
        """Note what a deed on the feed wrote about; returns where what is read of it comes from."""
        if thread := self._threads.get(about.matter, ""):
            self._about[deed] = thread
        self._settle(deed, about.rule, thread)
        return _Way(0, deed, about.rule)

    def _passes(self, stamp: Stamp, e: Event) -> None:
        """Take in an event that only passes a cause on."""
        way = self._way(stamp.causes)
        if isinstance(e, OldWrote):
            way = self._written(next(iter(stamp.causes), 0), e)
        elif isinstance(e, Crossed):
            way = way._replace(rule=e.rule)
            for seq in stamp.causes:
                if seq in self._deeds and self._deeds[seq].kind == Connected.KIND:
                    self._let_go(seq, e.rule, f"{stamp.actor}>{e.whom}")
        self._ways[stamp.seq] = way

    def _let_go(self, deed: int, rule: str, who: str) -> None:
        """Somebody blocked or unfollowed another: now it is known whom (`who`), and that a rule made them do it."""
        found, root = self._said.get(deed), self._roots[deed]
        self._roots[deed] = who
        self._settle(deed, rule, who if found is not None and found.thread == root else "")

    def _settle(self, deed: int, rule: str, thread: str) -> None:
        """Complete the crossing of a deed on the feed, now that its rule and what it is about are known."""
        found = self._said.pop(deed, None)
        if found is not None:
            found.rule, found.thread = rule, thread or found.thread

    # ---- the town

    def _happens(self, stamp: Stamp, e: Event) -> None:
        seq = stamp.seq
        if isinstance(e, Began):
            self._threads[e.id] = e.thread
        self._town[seq] = End(seq, stamp.t, e.KIND, stamp.actor)
        aim = e.aim if isinstance(e, Opened | Exchanged | Declined) else event_matter(Record(stamp, e))
        thread = self._threads.get(aim, "")
        if thread:
            self._about[seq] = thread
            for cause in stamp.causes:
                if cause in self._run:
                    self._run.pop(cause).thread = thread
        way = self._way(stamp.causes)
        if not way.deed or not isinstance(e, LASTS):
            return
        talk = event_talk(e)
        if talk and (talk, way.deed) in self._talks:
            return
        self._talks |= {(talk, way.deed)} if talk else set()
        rule = e.rule if isinstance(e, Crossed) else way.rule
        known = thread or self._about.get(way.deed, "")
        made = self._cross(STREET, self._deeds[way.deed], self._town[seq], rule, known or self._roots[way.deed])
        if isinstance(e, Crossed) and not known:
            self._run[seq] = made

    def _cross(self, way: str, came: End, made: End, rule: str, thread: str) -> Crossing:
        self.found.append(Crossing(way, came, made, rule, thread))
        return self.found[-1]


# ---- the two ends of a crossing in sentences that show what links them


class CrossedWords:
    """Words the ends of crossings. world: as the log begins; wanted: the events at the ends. told: event -> sentence;
    moods: deed on the feed -> the mood that caused it, where one did.
    """

    def __init__(self, world: World, wanted: Collection[int]) -> None:
        self.told: dict[int, str] = {}
        self.moods: dict[int, str] = {}
        self._wanted, self._matters = wanted, pressures.world_matters(world)
        self._lately: dict[int, Event] = {}
        self._felt: dict[int, str] = {}
        self._teller = Teller(world.handbook, self._matters, lately=self._lately, users=owners(world))

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for record in records:
            at, e = record
            learn(self._matters, record)
            if e.ON_FEED or isinstance(e, Read):
                self._lately[at.seq] = e
            if isinstance(e, Felt) and e.why:
                self._felt[at.seq] = f"{self._teller.name(at.actor)} {e.why}"
            elif isinstance(e, Writing) and at.seq in self._wanted and at.causes[:1] and at.causes[0] in self._felt:
                self.moods[at.seq] = self._felt[at.causes[0]]
            says = isinstance(e, OldWrote) or (isinstance(e, Crossed) and e.way == FEED)
            deeds = at.causes[:1] if says else ()
            for seq in (*deeds, at.seq):  # an old log says apart what a deed is about; a rule that has run knows more
                deed = self._lately.get(seq)
                if seq in self._wanted and (seq == at.seq or (deed is not None and deed.ON_FEED)):
                    self.told[seq] = self._sentence(record)

    def _sentence(self, record: Record) -> str:
        """An event as a sentence; a talk whose words were not recorded is described by its topic."""
        at, e = record
        if isinstance(e, Exchanged) and not e.in_words:
            first = next((line for line in e.lines if line.topic), None)
            other = next((line.who for line in e.lines if line.who != at.actor), "")
            if first is not None and other:
                name = self._teller.name
                topic = name(first.topic) if first.topic in self._teller.handbook.cast else first.topic
                return f"{name(at.actor)} and {name(other)} had a few words about it: {topic}"
        return event_sentence(record, self._teller)
