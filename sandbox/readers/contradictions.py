"""What people still do, earn, own or say although the claim that it hung on has ended: they sing in a choir they have
left, or speak as mayor no longer. The list was drawn up from reading, not from what the data say a claim entails.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.world import World
from sandbox.people.claim_handlers import BAN, COUPLE, EMPLOYS, LODGES, MEMBER, OWNS, ROLE, came_with
from sandbox.people.claim_model import Broken, Claim, ClaimEvent, Made
from sandbox.people.guest_handlers import Came
from sandbox.people.handbook import DUTY
from sandbox.people.model import SEEK, Chose
from sandbox.people.paying import Earned, Paid
from sandbox.people.pressure_model import Began, Ended, Sought
from sandbox.people.question_plan import VISIT
from sandbox.people.ties import pair_key
from sandbox.talk.model import Exchanged, Opened
from sandbox.town.plan import Occasion, sector_of

APART = 3 * DAY  # seconds for which those who have parted make no small talk and pay no visits
EARLY = 10 * MINUTE  # how long before an occasion one may come
EVENING = (18 * HOUR, 23 * HOUR)
SETTLED = 3  # days after which a trade that has passed to another shows
APPEAL = "appeal"  # the exchange in which somebody complains to who has a say

# What only those say who have something: kind and terms of the claim (of work, the job), and words, in small letters.
PRESUMES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (COUPLE, "", ("my wife", "my husband")),
    (ROLE, "mayor", ("as mayor", "my good voter", "i have a chain", "chain and mace", "the chair is not taking")),
    (ROLE, "editor of the Gazette", ("stop press", "between editions", "late edition", "continued on page four")),
    (EMPLOYS, "head teacher", ("as i tell class four", "in my school")),
    (EMPLOYS, "publican", ("as i tell the taproom", "from behind a bar", "on the house, and on your conscience")),
    (EMPLOYS, "clerk", ("for the minutes", "through the chair", "as minuted", "let that be minuted")),
    (EMPLOYS, "nurse", ("doctor's orders",)),
    (EMPLOYS, "postwoman", ("post's been", "by second post", "a letter for the joinery")),
    (OWNS, "Pell's Stores", (", customer",)),
    (OWNS, "the ferry", (", passenger",)),
    (OWNS, "the cafe", ("don't look at the till",)),
    (LODGES, "half of room one", ("the rent's coming",)),
)


OVER = "no longer"  # words with which somebody says that they have it no more


class Contradiction(NamedTuple):
    """One contradiction of a day: its kind, and in words who does what although something has ended."""

    kind: str
    says: str


def is_of(terms: str, text: str) -> bool:
    """Whether a title or a place is that of a group, by its name: "Choir practice" of "the choir"."""
    return re.search(rf"\b{re.escape(terms.casefold().removeprefix('the '))}\b", text.casefold()) is not None


class Contradictions:
    """Finds contradictions by day. world: as the log begins."""

    def __init__(self, world: World) -> None:
        self._w, self._kinds = world, world.claim_deck.kinds
        self._open: dict[str, Claim | ClaimEvent] = {**world.claims.open}
        self._was: dict[str, tuple[int, ClaimEvent]] = {}  # claim that has ended -> when, and what it was
        self._beds: dict[str, tuple[int, str]] = {}  # who -> when and where they last went to bed
        self._debts: dict[str, int] = {}  # open debt -> coins still owed
        self._guests: defaultdict[tuple[str, int], set[str]] = defaultdict(set)  # sector and day -> its evening guests
        self._found: defaultdict[int, set[Contradiction]] = defaultdict(set)
        self._day, self._dawn = 1, world.clock.midnight(2)

    def read(self, record: Record) -> None:
        """Take in the next record of the log."""
        stamp, e = record
        if stamp.t >= self._dawn:
            self._found[self._day].update(self._midnight())
            self._day = self._w.clock.day(stamp.t)
            self._dawn = self._w.clock.midnight(self._day + 1)
        found = FOLD.get(type(e))
        if found is not None:
            self._found[self._day].update(found(self, stamp, e) or ())

    def of(self, days: Collection[int]) -> dict[str, float | int | None]:
        """How many there are on these days; None where nothing can be a claim."""
        return {"contradictions": sum(len(self._found[day]) for day in days) if self._kinds else None}

    def told(self) -> Iterator[tuple[int, Contradiction]]:
        """All that were found, with their days."""
        return ((day, x) for day in sorted(self._found) for x in sorted(self._found[day]))

    # ---- claims

    def _made(self, stamp: Stamp, e: Made) -> None:
        self._enter(e)

    def _enter(self, claim: Claim | ClaimEvent) -> None:
        self._open[claim.id] = claim
        back = {id for id, (_, was) in self._was.items() if _same(was) == _same(claim)}
        self._was = {id: found for id, found in self._was.items() if id not in back}

    def _broken(self, stamp: Stamp, e: Broken) -> None:
        self._open.pop(e.id)
        self._was[e.id] = (stamp.t, e)

    def _came(self, stamp: Stamp, e: Came) -> None:
        for claim in came_with(self._kinds, e):
            if claim.id not in self._open:
                self._enter(claim)

    def _has(self, who: str, kind: str, terms: str = "", end: str = "a") -> Claim | ClaimEvent | None:
        mine = (c for c in self._open.values() if c.kind == kind and (getattr(c, end) == who or self._mutual(c, who)))
        return next((c for c in mine if terms in ("", c.terms)), None)

    def _mutual(self, claim: Claim | ClaimEvent, who: str) -> bool:
        return self._kinds[claim.kind].mutual and who in (claim.a, claim.b)

    def _lost(self, kind: str) -> Iterator[tuple[int, ClaimEvent]]:
        return ((t, was) for t, was in self._was.values() if was.kind == kind)

    # ---- what people do

    def _chose(self, stamp: Stamp, e: Chose) -> Iterable[Contradiction]:
        who, sector = stamp.actor, sector_of(e.where)
        second = self._w.clock.second_of_day(stamp.t)
        if e.block == "sleep":
            self._beds[who] = (stamp.t, e.where)
        elif EVENING[0] <= second < EVENING[1] and self._home(who) != sector and e.block != SEEK:
            called = any(_attends(o, e, second) for o in self._w.calendar.of(who, self._day))
            self._guests[sector, self._day].update(() if called else (who,))
        yield from self._sings(stamp, e, second)
        yield from self._works(stamp, e)
        bans = (c for c in self._open.values() if c.kind == BAN and c.a == who and sector_of(c.where) == sector)
        if e.block != SEEK and sector not in (self._home(who), sector_of(self._works_at(who))):
            yield from (Contradiction("barred", f"{who} is at {e.where}, barred by {c.b}") for c in bans)
        for t, was in self._lost(COUPLE):
            ex = was.b if who == was.a else was.a if who == was.b else ""
            if e.block == VISIT and ex and stamp.t < t + APART and self._home(ex) == sector and self._alone(ex, who):
                yield Contradiction("parted", f"{who} calls on {ex}, whom they have parted from")

    def _alone(self, who: str, other: str) -> bool:
        """Whether nobody else, whom the other may mean to see, lives in the house where somebody does."""
        home = self._home(who)
        return not any(self._home(x) == home for x in self._w.files if x not in (who, other))

    def _sings(self, stamp: Stamp, e: Chose, second: int) -> Iterator[Contradiction]:
        """Somebody comes to what a group does, and has left it."""
        for _, was in self._lost(MEMBER) if e.block not in (SEEK, VISIT) else ():
            who, group = was.a, was.terms
            leads = any(c.kind == ROLE and c.a == who and c.terms.endswith(group) for c in self._open.values())
            if who != stamp.actor or leads or self._works_at(who) == e.where:
                continue
            meets = (o for o in self._w.calendar.of(who, self._day) if is_of(group, o.title))
            if is_of(group, e.where) or any(_attends(o, e, second) for o in meets):
                yield Contradiction("member", f"{who} is at {e.where} for {e.block}, and has left {group}")

    def _works(self, stamp: Stamp, e: Chose) -> Iterator[Contradiction]:
        """Somebody works where they no longer do."""
        who = stamp.actor
        for _, was in self._lost(EMPLOYS) if e.block != SEEK else ():
            sector = sector_of(was.where)
            if was.b != who or sector == sector_of(self._works_at(who)) or self._has(who, OWNS, sector):
                continue
            duty = self._w.handbook.kind(e.block) == DUTY and sector_of(e.where) == sector
            if duty or (e.where == was.where and e.block not in self._w.handbook.kinds["leisure"]):
                yield Contradiction("work", f"{who} is at {e.where} for {e.block}, and no longer works there")

    def _earned(self, stamp: Stamp, e: Earned) -> Iterator[Contradiction]:
        for _, was in self._lost(EMPLOYS):
            if e.wages.get(was.b) and self._has(was.b, EMPLOYS, end="b") is None:
                yield Contradiction("pay", f"{was.b} is paid, and has lost the work as {was.terms}")
        for _, was in self._lost(ROLE):
            if e.wages.get(was.a) and self._has(was.a, EMPLOYS, was.terms, "b") is not None:
                yield Contradiction("pay", f"{was.a} is paid as {was.terms}, and no longer is")

    def _sought(self, stamp: Stamp, e: Sought) -> Iterator[Contradiction]:
        for _, was in self._lost(ROLE):
            if (
                e.do == APPEAL
                and e.whom == was.a
                and not any(e.whom == c.a for c in self._open.values() if c.kind in (ROLE, EMPLOYS, LODGES))
            ):
                yield Contradiction("appeal", f"{stamp.actor} goes to {was.a}, who is no longer {was.terms}")

    def _paid(self, stamp: Stamp, e: Paid) -> None:
        if e.debt in self._debts:
            self._debts[e.debt] -= e.amount

    def _began(self, stamp: Stamp, e: Began) -> None:
        if e.kind == "debt" and e.amount:
            self._debts[e.id] = e.amount

    def _ended(self, stamp: Stamp, e: Ended) -> None:
        self._debts.pop(e.id, None)

    # ---- what people say

    def _opened(self, stamp: Stamp, e: Opened) -> Iterator[Contradiction]:
        two = {stamp.actor, e.other}
        for t, was in self._lost(COUPLE):
            if {was.a, was.b} == two and not e.aim and stamp.t < t + APART:
                yield Contradiction("parted", f"{was.a} and {was.b} make small talk, and have parted")

    def _exchanged(self, stamp: Stamp, e: Exchanged) -> Iterator[Contradiction]:
        return chain.from_iterable(self._presumes(line.who, line.text) for line in e.lines if line.text)

    def _presumes(self, who: str, text: str) -> Iterator[Contradiction]:
        said = text.casefold()
        for kind, terms, words in PRESUMES if OVER not in said else ():
            end = "b" if kind == EMPLOYS else "a"
            had = [x for _, x in self._lost(kind) if terms in ("", x.terms) and who in (getattr(x, end), _either(x))]
            if had and self._has(who, kind, terms, end) is None and (word := next((x for x in words if x in said), "")):
                yield Contradiction("words", f"{who} says “{word}”, and has no {terms or kind}")

    # ---- what is so at midnight

    def _midnight(self) -> Iterator[Contradiction]:
        t = self._dawn
        for since, was in self._lost(COUPLE):
            homes = [c.where for who in (was.a, was.b) if (c := self._has(who, LODGES)) is not None]
            if len(homes) > len({*homes}):
                yield Contradiction("parted", f"{was.a} and {was.b} live in {homes[0]}, and have parted")
            beds = [self._beds.get(who, (0, who)) for who in (was.a, was.b)]
            if beds[0][1] == beds[1][1] and min(bed[0] for bed in beds) > max(since, t - DAY):
                yield Contradiction("parted", f"{was.a} and {was.b} sleep in {beds[0][1]}, and have parted")
        for since, was in self._lost(LODGES):
            at, where = self._beds.get(was.a, (0, ""))
            if at > max(since, t - DAY) and sector_of(where) == sector_of(was.where) != self._home(was.a):
                yield Contradiction("home", f"{was.a} sleeps in {where}, and no longer lives there")
        for id, owed in self._debts.items():
            if owed <= 0:
                yield Contradiction("debt", f"{id} is open, and paid")
        homes = [c.a for c in self._open.values() if c.kind == LODGES]
        yield from (Contradiction("home", f"{who} has two homes") for who in {*homes} if homes.count(who) > 1)
        yield from self._offices()
        yield from self._owners()

    def _offices(self) -> Iterator[Contradiction]:
        """An office and the work of its name go together; nobody works for somebody who is no longer there."""
        works = {c.b: c for c in self._open.values() if c.kind == EMPLOYS}
        roles = {c.terms: c.a for c in self._open.values() if c.kind == ROLE}
        named = {p.job for p in self._w.files.values()}
        for title, who in roles.items():
            if title in named and (who not in works or works[who].terms != title):
                yield Contradiction("office", f"{who} is {title}, and works as something else")
        for who, c in works.items():
            if c.terms in roles and roles[c.terms] != who:
                yield Contradiction("office", f"{who} works as {c.terms}, and is not")
            boss = works.get(c.a) if c.a else None
            owns = (x.terms for x in self._open.values() if x.kind == OWNS and x.a == c.a)
            there = c.a and (boss is None or sector_of(boss.where) != sector_of(c.where))
            left = any(x.b == c.a for _, x in self._lost(EMPLOYS))
            if there and left and not any(sector_of(c.where) in x for x in owns):
                yield Contradiction("office", f"{who} works at {c.where} for {c.a}, who does not")

    def _owners(self) -> Iterator[Contradiction]:
        """Who has lost a thing does not run it, and has no fuller evenings by it than before."""
        for since, was in self._lost(OWNS):
            work = self._has(was.a, EMPLOYS, end="b")
            if work is None:
                continue
            thing = was.terms.casefold().removeprefix("the ")
            if thing in f"{work.terms} {work.where}".casefold():
                yield Contradiction("owner", f"{was.a} runs {was.terms}, and it is no longer theirs")
            lost, day = self._w.clock.day(since), self._day
            if "trade" in thing and day - lost >= SETTLED:
                before = self._evenings(work.where, range(1, lost))
                if self._evenings(work.where, range(lost + 1, day + 1)) > before:
                    yield Contradiction("trade", f"{was.a} has lost {was.terms}, and has fuller evenings")

    def _evenings(self, where: str, days: Collection[int]) -> float:
        return sum(len(self._guests[sector_of(where), day]) for day in days) / max(1, len(days))

    def _home(self, who: str) -> str:
        found = self._has(who, LODGES)
        return sector_of(found.where) if found is not None else ""

    def _works_at(self, who: str) -> str:
        found = self._has(who, EMPLOYS, end="b")
        return found.where if found is not None else ""


def _same(claim: Claim | ClaimEvent) -> tuple[object, ...]:
    """What makes a claim the same as one that has ended: kind, people and object; of a home or work the place."""
    two: object = pair_key(claim.a, claim.b)
    if claim.kind in (LODGES, EMPLOYS):
        return claim.kind, claim.a if claim.kind == LODGES else claim.b, claim.where
    return claim.kind, two if claim.kind == COUPLE else claim.a, claim.terms


def _either(claim: ClaimEvent) -> str:
    return claim.b if claim.kind == COUPLE else ""


def _attends(o: Occasion, e: Chose, second: int) -> bool:
    return (e.where, e.block) == (o.where, o.block) and o.from_ - EARLY <= second < o.to


# Type of event -> the method that reads it.
FOLD: Mapping[type[Event], Callable[[Contradictions, Stamp, Any], Iterable[Contradiction] | None]] = {
    Made: Contradictions._made,
    Broken: Contradictions._broken,
    Came: Contradictions._came,
    Chose: Contradictions._chose,
    Earned: Contradictions._earned,
    Sought: Contradictions._sought,
    Paid: Contradictions._paid,
    Began: Contradictions._began,
    Ended: Contradictions._ended,
    Opened: Contradictions._opened,
    Exchanged: Contradictions._exchanged,
}
KINDS = tuple(e.KIND for e in FOLD)
