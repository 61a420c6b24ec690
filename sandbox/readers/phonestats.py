"""How feed and town are connected: what crosses each way and by which rules, what residents write about, and what their
most seen posts brought about. One pass over the log, a day at a time.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from sandbox.core.clock import HOUR
from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.world import World
from sandbox.feed.events import Browsed, Commented, Quoted, Reacted, Reposted, Writing, WritingDetails
from sandbox.feed.packing import COMMENTS, ActKind, CrowdActed, moments, tick_start
from sandbox.people.model import Felt, Planned
from sandbox.people.pressure_model import Began, Ended, Sought, Stirred
from sandbox.phones.deck import RULES
from sandbox.phones.model import Crossed, Read, kind_and_number
from sandbox.phones.old_log import OldWrote
from sandbox.readers.crossings import FEED, STREET, Crossing, Crossings
from sandbox.readers.measures import TO
from sandbox.readers.numbers import Range, read_targets, share
from sandbox.readers.pressures import world_matters
from sandbox.readers.timeline import Timeline
from sandbox.talk.model import Closed, Declined, Exchanged, Opened

SEEN = 20  # most seen posts that are looked at
WITHIN = 12 * HOUR  # seconds after a post in which a talk counts as begun by it
CHAIN = 6  # steps followed at most from an event without a timeline row to one that has one
TALKS = (Opened, Exchanged)
LEADS = (Began, Stirred, Ended, Sought, Planned, Declined)  # how reading leads to a talk, besides rules
Values = dict[str, float | int | None]


@dataclass(slots=True)
class Post:
    """A post of a resident, quotes included. number: its card. seq: its event; cites: the
    event it is about, 0 = none. likes, dislikes, comments, passed (on): by everybody so far. seen: residents whom it
    was shown to; shown: how often. moved: those whose mood reading it changed. talks: talks within WITHIN that reading
    it began or led into; further: talks that followed from something it led to.
    """

    number: int
    seq: int
    t: int
    who: str
    text: str
    rule: str
    cites: int
    likes: int = 0
    dislikes: int = 0
    comments: int = 0
    passed: int = 0
    shown: int = 0
    seen: set[str] = field(default_factory=set)
    moved: set[str] = field(default_factory=set)
    talks: set[str] = field(default_factory=set)
    further: set[str] = field(default_factory=set)


class Phones:
    """Reads the log of a town with phones, records in order; `of` gives the figures of some days. world: as the log
    begins.
    """

    def __init__(self, world: World) -> None:
        self.clock, self.name, self.people = world.clock, world.handbook.name, frozenset(world.cast)
        self.crossings = Crossings()
        self.posts: dict[int, Post] = {}
        self.fired: list[tuple[int, str]] = []  # (day, rule) of each time a rule ran
        self._timeline = Timeline(world.handbook, world.clock, kept=1, matters=world_matters(world))
        self._everyday = self._timeline.notable["told"]  # weight below which a row counts as everyday
        self._cards = world.feed.posts.n  # number of the next card
        self._roots: dict[int, int] = {}  # card that reposts a resident's post -> that post
        self._words: dict[int, str] = {}  # event of an old log that does not say what it is about -> text
        self._looks: Counter[int] = Counter()  # day -> looks at the feed
        self._written: defaultdict[int, Counter[str]] = defaultdict(Counter)  # day -> posts, comments and messages
        self._items: dict[int, tuple[str, int]] = {}  # event -> (kind, number) of what it read or wrote
        self._cites: dict[int, int] = {}  # event that wrote something -> the event that is about
        self._named: dict[tuple[str, int], int] = {}  # (kind, number) of what was written -> the event
        self._of: dict[int, frozenset[int]] = {}  # event in town -> posts that led to it
        self._weights: dict[int, float] = {}  # event -> weight of its row
        self._talk: dict[int, str] = {}  # exchange -> its talk
        self._talks: dict[str, float] = {}  # talk -> weight of its row
        self._said_in: dict[int, int] = {}  # deed about a pressure -> its exchange, or the refusal to talk
        self._runs: dict[int, int] = {}  # `Crossed` event -> card

    def read(self, records: Sequence[Record]) -> None:
        """Take in the next records of the log."""
        self.crossings.read(records)
        for record in records:
            stamp, e = record
            rows = self._timeline.read((record,))
            for row in rows:
                self._weights[row.seq] = max(self._weights.get(row.seq, 0.0), row.weight)
            if isinstance(e, Closed) and rows:
                self._talks[e.talk] = rows[0].weight
            elif isinstance(e, Exchanged):
                self._talk[stamp.seq] = e.talk
            elif isinstance(e, Stirred) and e.answer and not rows:  # without consequence: part of its talk's row
                self._said_in[stamp.seq] = next(iter(stamp.causes), 0)
            if isinstance(e, CrowdActed):
                self._crowd(stamp.t, e)
            elif stamp.actor in self.people:
                self._resident(stamp, e)

    def days(self, until: int) -> tuple[int, ...]:
        """The days on which the log reaches 21:00 by second `until`; at least the first."""
        last = self.clock.day(max(0, until - 1))
        return tuple(d for d in range(1, last + 1) if d == 1 or self.clock.midnight(d) + TO <= until)

    # ---- the feed

    def _crowd(self, t: int, e: CrowdActed) -> None:
        acts, targets = np.frombuffer(e.acts, np.uint8), np.frombuffer(e.targets, "<u4").astype(np.int64)
        for which, name in (
            (acts == ActKind.LIKE, "likes"),
            (acts == ActKind.DISLIKE, "dislikes"),
            (COMMENTS[acts], "comments"),
        ):
            for card, n in zip(*np.unique(targets[which], return_counts=True), strict=True):
                post = self.posts.get(int(card))
                if post is not None:
                    setattr(post, name, getattr(post, name) + int(n))
        made = np.flatnonzero((acts == ActKind.REPOST) | (acts == ActKind.POST))
        when = moments(np.frombuffer(e.users, "<u4").astype(np.int64)[made], tick_start(e, t), e.seconds)
        for at in made[np.argsort(when, kind="stable")].tolist():
            if acts[at] == ActKind.REPOST:
                self._passed(self._cards, int(targets[at]))
            self._cards += 1

    def _passed(self, card: int, of: int) -> None:
        """A post of a resident was passed on: card is the repost, `of` what it reposts."""
        root = self._roots.get(of, of)
        if root in self.posts:
            self._roots[card] = root
            self.posts[root].passed += 1

    def _resident(self, stamp: Stamp, e: Event) -> None:
        if isinstance(e, Writing):
            self._writes(stamp, e)
        elif isinstance(e, Reposted):
            self._cards = max(self._cards, e.post + 1)
            self._passed(e.post, e.via)
        elif isinstance(e, Reacted):
            self._reacted(e)
        elif isinstance(e, Browsed):
            self._looked(stamp, e)
        elif isinstance(e, OldWrote):
            self._wrote_of(stamp, e, e.about, self._words.pop(next(iter(stamp.causes), 0), ""))
        elif isinstance(e, Read):
            self._items[stamp.seq] = (e.kind, e.number)
        elif isinstance(e, Felt):
            for card in self._read_in(stamp.causes):
                if card in self.posts and stamp.actor != self.posts[card].who:
                    self.posts[card].moved.add(stamp.actor)
        else:
            self._happened(stamp, e)

    def _writes(self, stamp: Stamp, e: Writing) -> None:
        kind, number = kind_and_number(e)
        if kind == "post":
            self._cards = max(self._cards, number + 1)
        if isinstance(e, Quoted) and e.of in self.posts:
            self.posts[e.of].passed += 1
        elif isinstance(e, Commented) and e.post in self.posts:
            self.posts[e.post].comments += 1
        if e.about is None:
            self._words[stamp.seq] = e.text
        else:
            self._wrote_of(stamp, e, e.about, e.text)

    def _reacted(self, e: Reacted) -> None:
        post = self.posts.get(e.target) if e.on == "post" else None
        if post is not None:
            by = 1 if e.act in ("like", "dislike") else -1
            if e.act.endswith("dislike"):
                post.dislikes += by
            else:
                post.likes += by

    def _looked(self, stamp: Stamp, e: Browsed) -> None:
        if e.act != "refresh":
            return
        self._looks[self.clock.day(stamp.t)] += 1
        for card in e.shown:
            post = self.posts.get(self._roots.get(card, card))
            if post is not None and post.who != stamp.actor:
                post.seen.add(stamp.actor)
                post.shown += 1

    def _wrote_of(self, stamp: Stamp, e: Writing | OldWrote, about: WritingDetails, text: str) -> None:
        kind, number = self._items[stamp.seq] = kind_and_number(e)
        self._cites[stamp.seq], self._named[kind, number] = about.cites, stamp.seq
        self._written[self.clock.day(stamp.t)][kind] += 1
        if kind == "post":
            self.posts[number] = Post(number, stamp.seq, stamp.t, stamp.actor, text, about.rule, about.cites)

    # ---- what posts lead to

    def _read_in(self, causes: tuple[int, ...]) -> set[int]:
        """The numbers of the posts that these events read or wrote."""
        of = (self._items[c] for c in causes if c in self._items)
        return {number for kind, number in of if kind == "post"}

    def _happened(self, stamp: Stamp, e: Event) -> None:
        """Credit an event in town to the posts that led to it."""
        straight = self._read_in(stamp.causes)
        ran = {self._runs[c] for c in stamp.causes if c in self._runs}
        led = frozenset().union(*(self._of[c] for c in stamp.causes if c in self._of))
        if isinstance(e, Crossed):
            self.fired.append((self.clock.day(stamp.t), e.rule))
            self._runs[stamp.seq] = e.card
        if isinstance(e, TALKS):
            id = e.id if isinstance(e, Opened) else e.talk
            for cards, of in ((straight | ran, "talks"), (led, "further")):
                for card in cards & self.posts.keys():
                    if stamp.t - self.posts[card].t <= WITHIN:
                        getattr(self.posts[card], of).add(id)
        if isinstance(e, (*LEADS, Crossed)):
            late = {c for c in (*straight, *ran, *led) if c in self.posts and stamp.t - self.posts[c].t <= WITHIN}
            if late:
                self._of[stamp.seq] = frozenset(late)

    def weight(self, seq: int) -> float:
        """How notable the event is that a post is about, from 0 to 10: the weight of its timeline row. For an exchange,
        and for a deed in it without a row, that is the row of its talk; for reading, and for a rule that made a post,
        the row of the post; for a message, that of the event it is about. 0 if there is no row: an act, a sight, an
        everyday plan.
        """
        for _ in range(CHAIN):
            if seq in self._weights:
                return self._weights[seq]
            if seq in self._talk:
                return self._talks.get(self._talk[seq], 0.0)
            if seq in self._said_in:
                seq = self._said_in[seq]
            elif seq in self._cites:
                seq = self._cites[seq]
            elif seq in self._items:
                seq = self._named.get(self._items[seq], 0)
            else:
                seq = self._named.get(("post", self._runs.get(seq, -1)), 0)
        return 0.0

    # ---- the figures

    def of(self, days: Collection[int]) -> Values:
        """The figures of these days, under the names of TARGETS; None where there is nothing to measure."""
        posts = [x for x in self.posts.values() if self.clock.day(x.t) in days]
        cites = [x for x in posts if x.cites]
        above = sum(self.weight(x.cites) >= self._everyday for x in cites)
        of_one = Counter(x.cites for x in cites)
        a_day = Counter((x.who, self.clock.day(x.t)) for x in posts)
        crossed = [x for x in self.crossings.found if self.clock.day(x.made.t) in days]
        ruled = Counter(x.rule for x in crossed if x.rule)
        fired = {rule for day, rule in self.fired if day in days}
        threads, matters = ([self.threads(day, of) for day in days] for of in (False, True))
        seen = self.seen(days)
        did = [bool(x.moved) and bool(x.talks) for x in seen]
        most = max(ruled.values(), default=0)
        return {
            "posts": len(posts),
            "cite": share(len(cites), len(posts)),
            "cite_notable": share(above, len(cites)),
            "most_of_one_event": max(of_one.values(), default=0),
            "most_of_one_person": max(a_day.values(), default=0),
            "comments": sum(self._written[day]["comment"] for day in days),
            "messages": sum(self._written[day]["message"] for day in days),
            "looks": sum(self._looks[day] for day in days),
            "crossings": len(crossed),
            "to_feed": sum(x.way == FEED for x in crossed),
            "to_street": sum(x.way == STREET for x in crossed),
            **{f"threads_{name}": n for name, n in _least(threads).items()},
            **{f"matters_{name}": n for name, n in _least(matters).items()},
            "rules_fired": len(fired),
            "most_of_one_rule": share(most, len(crossed)),
            "most_among_rules": share(most, sum(ruled.values())),
            "seen": len(seen),
            "seen_moved": sum(bool(x.moved) for x in seen),
            "seen_talked": sum(bool(x.talks) for x in seen),
            "seen_further": sum(bool(x.talks or x.further) for x in seen),
            "seen_both": sum(did),
        }

    def threads(self, day: int, matters: bool = False) -> tuple[set[str], set[str]]:
        """The threads that cross to the feed on a day, and those to the street. matters: only those of pressures."""
        found = [x for x in self._on(day) if not matters or not _own(x.thread)]
        return {x.thread for x in found if x.way == FEED}, {x.thread for x in found if x.way == STREET}

    def rules(self, days: Collection[int]) -> dict[str, dict[str, float | int | None]]:
        """For each rule: how often it ran, its first day, its crossings each way, and its shares of all crossings."""
        crossed = [x for day in days for x in self._on(day)]
        ran = Counter(rule for day, rule in self.fired if day in days)
        ruled = sum(bool(x.rule) for x in crossed)
        out: dict[str, dict[str, float | int | None]] = {}
        for rule in dict.fromkeys((*RULES, *ran)):
            mine = [x for x in crossed if x.rule == rule]
            out[rule] = {
                "fired": ran[rule],
                "first_day": min((day for day, x in self.fired if x == rule), default=None),
                "to_feed": sum(x.way == FEED for x in mine),
                "to_street": sum(x.way == STREET for x in mine),
                "among_rules": share(len(mine), ruled),
                "among_all": share(len(mine), len(crossed)),
            }
        return out

    def seen(self, days: Collection[int]) -> list[Post]:
        """The posts of these days shown to the most residents, at most SEEN, the most seen first."""
        posts = (x for x in self.posts.values() if x.seen and self.clock.day(x.t) in days)
        return sorted(posts, key=lambda x: (-len(x.seen), -x.shown, x.number))[:SEEN]

    def crossed(self, days: Collection[int]) -> Iterable[Crossing]:
        """The crossings of these days."""
        return (x for day in days for x in self._on(day))

    def _on(self, day: int) -> list[Crossing]:
        return [x for x in self.crossings.found if self.clock.day(x.made.t) == day]


def _least(threads: Sequence[tuple[set[str], set[str]]]) -> dict[str, int | None]:
    """The fewest threads on any day that cross to the feed, to the street, and both ways; None without days."""
    return {
        "to_feed": min((len(a) for a, _ in threads), default=None),
        "to_street": min((len(b) for _, b in threads), default=None),
        "both_ways": min((len(a & b) for a, b in threads), default=None),
    }


def _own(thread: str) -> bool:
    """Whether a thread belongs to a post, message or unfollow instead of a pressure."""
    return thread.startswith(("post ", "message ")) or ">" in thread


def post_facts(post: Post) -> dict[str, object]:
    """A post's facts as a dict, for a script."""
    return {
        "post": post.number, "event": post.seq, "t": post.t, "who": post.who, "text": post.text, "rule": post.rule,
        "cites": post.cites, "seen": len(post.seen), "shown": post.shown, "likes": post.likes,
        "dislikes": post.dislikes, "comments": post.comments, "passed": post.passed, "moved": len(post.moved),
        "talks": len(post.talks), "further": len(post.further),
    }  # fmt: skip


class PhoneTarget(NamedTuple):
    """A figure: its label, unit ("" or "%") and the range it should be in (None: any)."""

    label: str
    unit: str = ""
    range: Range | None = None

    def value(self, x: float | None) -> str:
        """A value as text: "13", "71 %", "-"."""
        if x is None:
            return "-"
        return f"{100 * x:.0f} %" if self.unit else f"{x:,}" if isinstance(x, int) else f"{x:,.1f}"

    def words(self) -> str:
        """The range as text: "at least 60 %"; "" if there is none."""
        return self.range.words(self.unit) if self.range is not None else ""


TARGETS = read_targets("phones", PhoneTarget)
