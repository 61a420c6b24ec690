"""What only weeks can show: whether stories repeat, and whether they have consequences: claims made and broken, loves,
secrets that come out, changed lives, ties and purses that move.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sandbox.core.clock import HOUR
from sandbox.core.events import Event, Record, Stamp
from sandbox.drama.taking_sides import Showdown
from sandbox.drama.turns import SECRET
from sandbox.engine.world import World
from sandbox.people.claim_handlers import COUPLE, EMPLOYS, LODGES, ROLE
from sandbox.people.claim_model import Broken, ClaimEvent, Made
from sandbox.people.goal_model import GoalAdvanced, GoalPlanned
from sandbox.people.pressure_deck import child_of
from sandbox.people.pressure_model import Ended, Stirred
from sandbox.people.ties import pair_key
from sandbox.readers import contradictions, staying, tielines
from sandbox.readers.all_stories import event_payments, events_where
from sandbox.readers.breaches import EVENTS as DEEDS
from sandbox.readers.breaches import Breaches
from sandbox.readers.claim_feelings import ClaimFeelings
from sandbox.readers.contradictions import Contradictions
from sandbox.readers.incidents import Incidents
from sandbox.readers.numbers import pearson, share, spearman
from sandbox.readers.staying import Staying
from sandbox.readers.tielines import BEFORE, Pair, TieLines
from sandbox.talk.pressure_aims import pressures_run

CRUSH, FADED = "crush", "faded"
FOUND_OUT = "found_out"  # ending of a secret that its holder did not tell
LIFE = (LODGES, EMPLOYS, COUPLE, ROLE)  # kinds of claim that describe how somebody lives
NEW, ROUNDS = 2, 3  # threads of a template that count as new; round from which a deed counts as a repetition
ONCE = 48 * HOUR  # seconds within which the same claim made or broken again is not counted
FAR = 2  # steps from which a plan counts as advanced; a good ending counts as one
PRINCIPALS = 3  # people of a thread who dealt with one another, at least
KNOWN, CLOSE = 0.2, 0.6  # closeness from which a tie is compared, and from which two people count as close
MIDDLE, END = 7, 14  # days whose ties are compared, if the log has both


class DayEndState(NamedTuple):
    """The state at the end of a day. purses: person -> coins; lives: person -> claims that describe their life."""

    purses: dict[str, int]
    lives: dict[str, frozenset[tuple[str, ...]]]


class GoalProgress:
    """Progress towards a wanted claim. began: day of its plan; steps: days of steps taken; ended: None = open."""

    def __init__(self, began: int) -> None:
        self.began, self.steps = began, list[int]()
        self.ended: int | None = None


class Weeks:
    """Measures several days together; None where there is nothing to measure. world: as the log begins."""

    def __init__(self, world: World) -> None:
        self._clock, self._lines = world.clock, TieLines(world)
        self._people, self._money = tuple(world.cast), world.money is not None
        self._kinds = world.claim_deck.kinds
        self._breaches = Breaches(world)
        self._shown_here = pressures_run(world) and bool(world.drama.showdowns)
        cast = world.cast_pressures.values()
        self._threads = {p.thread for p in cast}
        self._secrets = {p.id: p.about for p in cast if p.kind == SECRET}
        self._crushes = {pair_key(p.holder, p.about) for p in cast if p.kind == CRUSH}
        self._purses = {who: r.purse.coins for who, r in world.people.residents.items()}
        self._counted: dict[tuple[str, ...], int] = {}  # claim made or broken -> second it was last counted
        self._goals: dict[str, GoalProgress] = {}
        self._sums: defaultdict[int, Counter[str]] = defaultdict(Counter)  # by day
        self._day, self._dawn = 1, world.clock.midnight(2)
        self._stood = {0: self._standing()}
        self._staying, self._contradictions = Staying(world), Contradictions(world)
        self.feelings = ClaimFeelings(world, self._staying.spirits)
        self._kept = {*self._secrets}

    def read(self, records: Iterable[Record]) -> None:
        """Take in the next records of the log."""
        for record in records:
            stamp, e = record
            self.feelings.watch(record)
            self._staying.read(record)
            self._contradictions.read(record)
            self._lines.read((record,))
            if stamp.t >= self._dawn:
                self._stood[self._day] = self._standing()
                self._day = self._clock.day(stamp.t)
                self._dawn = self._clock.midnight(self._day + 1)
            if isinstance(e, DEEDS):
                self._breaches.read(stamp, e)
            found = FOLD.get(type(e))
            if found is not None:
                found(self, stamp, e)

    def of(self, days: Sequence[int], found: Incidents) -> dict[str, float | int | None]:
        """The measures of these days, which must be consecutive. found: the incidents of the whole log."""
        return {**self._told(days, found), **self._staying.of(days), **self._so(days), **self._moved(days)}

    # ---- incidents

    def _told(self, days: Sequence[int], found: Incidents) -> dict[str, float | int | None]:
        of: defaultdict[str, list[str]] = defaultdict(list)  # template -> its threads, in order of appearance
        rounds: Counter[tuple[str, tuple[str, ...], str]] = Counter()
        dealt: defaultdict[str, set[str]] = defaultdict(set)
        sums: Counter[str] = Counter()
        for i in (i for day in found.days() for i in found.of(day).incidents):
            own = i.thread in self._threads
            template = of[i.thread if own else child_of(i.thread)]
            if i.thread not in template:
                template.append(i.thread)
            done = {(deed.do, deed.two, i.thread) for deed in i.deeds}
            rounds.update(done)
            if i.day in days:
                sums["told"] += 1
                sums["new"] += template.index(i.thread) < NEW
                sums["cast"] += own
                sums["loop"] += any(rounds[deed] >= ROUNDS for deed in done)
                dealt[i.thread].update(who for deed in i.deeds if deed.principals for who in deed.two)
        return {
            "new_share": share(sums["new"], sums["told"]),
            "cast_share": share(sums["cast"], sums["told"]),
            "loop_share": share(sums["loop"], sums["told"]),
            "three_principals": share(sum(len(people) >= PRINCIPALS for people in dealt.values()), len(dealt)),
        }

    # ---- claims and secrets

    def _so(self, days: Sequence[int]) -> dict[str, float | int | None]:
        sums = sum((self._sums[day] for day in days), Counter[str]())
        began, ends = self._at(0).lives, self._at(max(days, default=0)).lives
        changed = sum(began[who] != ends[who] for who in self._people)
        loves = COUPLE in self._kinds
        return {
            "hard_claims": sums["hard"] if self._kinds else None,
            "soft_claims": sums["soft"] if self._kinds else None,
            **self._contradictions.of(days),
            **self.feelings.of(days),
            "breaches_noticed": share(*self._breaches.noticed(days)),
            "plans_advanced": self._wanted(days),
            "showdowns": sums["showdowns"] if self._shown_here else None,
            "secrets_out": share(sums["secrets"], len(self._secrets)),
            "secrets_found": sums["found"] if self._secrets else None,
            "loves_begun": sums["begun"] if loves else None,
            "loves_ended": sums["parted"] if loves else None,
            "lives_changed": share(changed, len(self._people)) if self._kinds.keys() & {*LIFE} else None,
        }

    def _made(self, stamp: Stamp, e: Made) -> None:
        self._claimed(stamp, e)
        self.feelings.changed(e, stamp, made=True)
        if e.kind == COUPLE and pair_key(e.a, e.b) not in self._crushes:
            self._sums[self._day]["begun"] += 1

    def _broken(self, stamp: Stamp, e: Broken) -> None:
        self._claimed(stamp, e)
        self.feelings.changed(e, stamp, made=False, by=e.by, instead=e.instead)
        self._sums[self._day]["parted"] += e.kind == COUPLE

    def _claimed(self, stamp: Stamp, e: ClaimEvent) -> None:
        """Count a claim made or broken, unless the same was counted within two days. Of claims that somebody has one of
        (a home, an owner), any change is the same.
        """
        kind = self._kinds.get(e.kind)
        if kind is None:
            return
        what = (e.kind, getattr(e, kind.one)) if kind.one else (e.kind, pair_key(e.a, e.b), e.terms)
        if stamp.t - self._counted.get(what, -ONCE) >= ONCE:
            self._counted[what] = stamp.t
            self._sums[self._day]["hard" if kind.hard else "soft"] += 1

    def _ended(self, stamp: Stamp, e: Ended) -> None:
        if e.how != FADED:
            self._out(e.id)
        self._sums[self._day]["found"] += e.how == FOUND_OUT
        goal = self._goals.get(e.id)
        if goal is not None:
            goal.ended = self._day
            goal.steps += [self._day] * e.good * (e.how != FADED)

    def _stirred(self, stamp: Stamp, e: Stirred) -> None:
        if self._secrets.get(e.id) in e.told:
            self._out(e.id)

    def _shown(self, stamp: Stamp, e: Showdown) -> None:
        self._sums[self._day]["showdowns"] += 1

    def _out(self, id: str) -> None:
        """A secret of the cast has come out: it ended, or the one it was kept from knows."""
        if id in self._kept:
            self._kept.remove(id)
            self._sums[self._day]["secrets"] += 1

    # ---- goals

    def _planned(self, stamp: Stamp, e: GoalPlanned) -> None:
        self._goals.setdefault(e.id, GoalProgress(self._day))

    def _advanced(self, stamp: Stamp, e: GoalAdvanced) -> None:
        self._goals[e.id].steps.append(self._day)

    def _wanted(self, days: Sequence[int]) -> float | None:
        """The share of claims wanted on any of these days that are FAR steps nearer by the last day."""
        first, last = min(days, default=1), max(days, default=0)
        found = [x for x in self._goals.values() if x.began <= last and (x.ended is None or x.ended >= first)]
        return share(sum(sum(day <= last for day in x.steps) >= FAR for x in found), len(found))

    # ---- ties and purses

    def _moved(self, days: Sequence[int]) -> dict[str, float | int | None]:
        begin, end = min(days, default=1) - 1, max(days, default=0)
        first, last = (MIDDLE, END) if {MIDDLE, END} <= {*days} else (min(days, default=0), end)
        a, b = self._closeness(first), self._closeness(last)
        known = [tie for tie in sorted({*a, *b}) if max(a.get(tie, 0.0), b.get(tie, 0.0)) >= KNOWN]
        ties = [[of.get(tie, 0.0) for tie in known] for of in (a, b)]
        close = [sum(x >= CLOSE for x in self._closeness(day).values()) for day in (begin, end)]
        purses = [[self._at(day).purses[who] for who in self._people] for day in (begin, end)]
        return {
            "ties_correlation": round_correlation(pearson(*ties)) if first != last else None,
            "close_pairs_ratio": share(close[1], close[0]),
            "purse_correlation": round_correlation(spearman(*purses)) if self._money else None,
            "purse_total": share(sum(purses[1]), sum(purses[0])) if self._money else None,
        }

    def _paid(self, stamp: Stamp, e: Event) -> None:
        for x in event_payments(Record(stamp, e)):
            if x.who:
                self._purses[x.who] = x.left
            if x.to:
                self._purses[x.to] = self._purses.get(x.to, 0) + x.amount

    # ---- states

    def _at(self, day: int) -> DayEndState:
        """The state at the end of a day; the present one if that day is not over."""
        return self._standing() if day >= self._day else self._stood[max(x for x in self._stood if x <= day)]

    def _closeness(self, day: int) -> dict[Pair, float]:
        """The closeness of each tie at the end of a day; 0 = before the world began."""
        t = self._clock.midnight(day + 1) - 1 if day else BEFORE
        return {two: standing.closeness for two, standing in self._lines.at(t).items()}

    def _standing(self) -> DayEndState:
        lives: dict[str, set[tuple[str, ...]]] = {who: set() for who in self._people}
        for c in self._breaches.claims.values():
            kind = self._kinds.get(c.kind) if c.kind in LIFE else None
            if kind is not None:
                with_ = pair_key(c.a, c.b) if kind.mutual else ""
                for end in kind.needs:
                    lives.setdefault(getattr(c, end), set()).add((c.kind, c.terms, c.where, with_))
        return DayEndState({**self._purses}, {who: frozenset(found) for who, found in lives.items()})


def round_correlation(x: float | None) -> float | None:
    """Round to three decimals."""
    return None if x is None else round(x, 3)


# Type of event -> the method that counts it.
FOLD: Mapping[type[Event], Callable[[Weeks, Stamp, Any], None]] = {
    Made: Weeks._made,
    Broken: Weeks._broken,
    Ended: Weeks._ended,
    Stirred: Weeks._stirred,
    Showdown: Weeks._shown,
    GoalPlanned: Weeks._planned,
    GoalAdvanced: Weeks._advanced,
    **dict.fromkeys(events_where(lambda story: story.payments), Weeks._paid),
}
KINDS = tuple(
    dict.fromkeys(
        (
            *(e.KIND for e in FOLD),
            *(e.KIND for e in DEEDS),
            *staying.KINDS,
            *contradictions.KINDS,
            *tielines.KINDS,
        )
    )
)
