"""Annals: the past that conditions ask for and the state has forgotten: how matters ended, what occasions decided, when
two last quarrelled or spoke kindly. A town keeps annals only once they are needed (a goal was chosen, or a script waits
for something), so that other towns have smaller snapshots; the event that opens them carries what happened before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from sandbox.core.domain import Command, CommandEvent, Domain, State
from sandbox.core.events import Event, Record, Stamp
from sandbox.drama.outcomes import Decided
from sandbox.people.persona import Pressure
from sandbox.people.pressure_model import Began, Ended, PressureState, Stirred
from sandbox.people.ties import pair_key
from sandbox.talk.model import Closed
from sandbox.town.plan import CONTEST, VOTE

WARM, HOSTILE = "warm", "hostile"  # tones of talks
MOST = 150  # endings kept, besides those of the matters that the cast begins with


class Course(msgspec.Struct, frozen=True, array_like=True):
    """A pressure that has begun, with what is needed of it once it has ended."""

    id: str
    kind: str
    thread: str
    holder: str
    about: str
    stakes: str


class Finished(msgspec.Struct, frozen=True, array_like=True):
    """How a pressure ended, and when. seq: of the event."""

    course: Course
    how: str
    good: bool
    t: int
    seq: int


class OccasionDecision(msgspec.Struct, frozen=True, array_like=True):
    """What an occasion decided. how: "yes" or "no" of a vote, "won" of a contest, "off"; winner: of a contest."""

    occasion: str
    how: str
    winner: str
    says: str
    t: int
    seq: int


class TownHistory(msgspec.Struct):
    """kept: whether annals are kept. courses: open pressures by id. ended: endings in order; decided: the latest
    decision of each occasion. warm, quarrels: pair -> second at which the two last spoke kindly, or quarrelled.
    """

    kept: bool = False
    courses: dict[str, Course] = msgspec.field(default_factory=dict)
    ended: list[Finished] = msgspec.field(default_factory=list)
    decided: list[OccasionDecision] = msgspec.field(default_factory=list)
    warm: dict[str, int] = msgspec.field(default_factory=dict)
    quarrels: dict[str, int] = msgspec.field(default_factory=dict)


class HasAnnals:
    """The part of a world that these handlers need."""

    annals: TownHistory
    cast_pressures: dict[str, Pressure]
    pressures: PressureState


class AnnalsOpened(Event, frozen=True):
    """From now on annals are kept. The fields: what happened before, as in `TownHistory`."""

    KIND: ClassVar[str] = "annals_opened"
    BY_HAND: ClassVar[bool] = True
    courses: tuple[Course, ...] = ()
    ended: tuple[Finished, ...] = ()
    decided: tuple[OccasionDecision, ...] = ()
    warm: dict[str, int] = {}
    quarrels: dict[str, int] = {}


class OpenAnnals(Command, frozen=True):
    """Keep annals from the next step on. before: the past from the log (`annals_of`)."""

    before: AnnalsOpened = AnnalsOpened()


def opens(w: HasAnnals, before: AnnalsOpened) -> tuple[CommandEvent, ...]:
    """The event that opens annals, with the pressures that are open now; nothing if they are already kept."""
    if w.annals.kept:
        return ()
    known = {c.id: c for c in before.courses}
    now = (
        known.get(p.id) or Course(p.id, p.kind, p.thread, p.holder, p.about, p.stakes)
        for p in w.pressures.open.values()
    )
    return (CommandEvent(replace(before, courses=tuple(now))),)


def opening(w: HasAnnals, c: OpenAnnals) -> Sequence[CommandEvent]:
    """The rule of `OpenAnnals`."""
    return opens(w, c.before)


def opened(w: HasAnnals, e: AnnalsOpened, stamp: Stamp) -> None:
    _check(w, e, stamp.t)
    courses = {c.id: c for c in e.courses}
    w.annals = TownHistory(True, courses, [*e.ended], [*e.decided], {**e.warm}, {**e.quarrels})


@contextmanager
def looking_back(w: HasAnnals, before: AnnalsOpened) -> Iterator[None]:
    """Within this context a town without annals has those of `before`; afterwards it has none again."""
    mine = w.annals
    if not mine.kept:
        opened(w, before, Stamp(0, 0, 0, "", ()))
    try:
        yield
    finally:
        w.annals = mine


# ---- what is told of the town


def began(w: HasAnnals, e: Began, stamp: Stamp) -> None:
    if w.annals.kept:
        w.annals.courses[e.id] = Course(e.id, e.kind, e.thread, stamp.actor, e.about, e.stakes)


def stirred(w: HasAnnals, e: Stirred, stamp: Stamp) -> None:
    if w.annals.kept and e.hostile and e.to:
        w.annals.quarrels[pair_key(stamp.actor, e.to)] = stamp.t


def ended(w: HasAnnals, e: Ended, stamp: Stamp) -> None:
    if not w.annals.kept:
        return
    course = w.annals.courses.pop(e.id, None)
    if course is not None:
        w.annals.ended.append(Finished(course, e.how, e.good, stamp.t, stamp.seq))
        _forget(w)
    if e.hostile and not e.good and e.to:
        w.annals.quarrels[pair_key(stamp.actor, e.to)] = stamp.t


def _forget(w: HasAnnals) -> None:
    """Drop the oldest ending, except of the cast's first matters, when there are more than MOST."""
    own = {p.thread for p in w.cast_pressures.values()}
    others = [i for i, x in enumerate(w.annals.ended) if x.course.thread not in own]
    if len(others) > MOST:
        del w.annals.ended[others[0]]


def decided(w: HasAnnals, e: Decided, stamp: Stamp) -> None:
    if not w.annals.kept:
        return
    how = {VOTE: "yes" if e.won else "no", CONTEST: "won"}.get(e.how, e.how)
    winner = e.parts[0].who if e.how == CONTEST else ""
    before = [v for v in w.annals.decided if v.occasion != e.occasion]
    w.annals.decided = [*before, OccasionDecision(e.occasion, how, winner, e.news, stamp.t, stamp.seq)]


def closed(w: HasAnnals, e: Closed, stamp: Stamp) -> None:
    last = {WARM: w.annals.warm, HOSTILE: w.annals.quarrels}.get(e.tone) if w.annals.kept else None
    if last is not None:
        last[pair_key(*e.who)] = stamp.t


HANDLERS: dict[type[Event], Callable[..., None]] = {
    Began: began,
    Stirred: stirred,
    Ended: ended,
    Decided: decided,
    Closed: closed,
    AnnalsOpened: opened,
}
KINDS = tuple(e.KIND for e in HANDLERS if e is not AnnalsOpened)  # kinds of event that annals are made from


class _Reader:
    """Takes the place of a world for the handlers."""

    def __init__(self, cast_pressures: dict[str, Pressure]) -> None:
        self.annals = TownHistory(True)
        self.cast_pressures = cast_pressures


def annals_of(records: Iterable[Record], cast_pressures: dict[str, Pressure]) -> AnnalsOpened:
    """The past from a log, as the event that opens annals. records: at least those of KINDS, in order."""
    reader: Any = _Reader(cast_pressures)
    for stamp, event in records:
        handler = HANDLERS.get(type(event))
        if handler is not None and not isinstance(event, AnnalsOpened):
            handler(reader, event, stamp)
    a: TownHistory = reader.annals
    return AnnalsOpened(tuple(a.courses.values()), tuple(a.ended), tuple(a.decided), a.warm, a.quarrels)


def _check(w: Any, state: TownHistory | AnnalsOpened, now: int) -> None:
    """Raise ValueError if annals name people of another town."""
    courses = state.courses.values() if isinstance(state, TownHistory) else state.courses
    told = (*courses, *(x.course for x in state.ended))
    if not {who for c in told for who in (c.holder, c.about) if who} <= w.cast.keys():
        raise ValueError("other annals")


ANNALS = Domain(
    "annals",
    states=(State("annals", TownHistory, lambda w: TownHistory(), _check, later=True),),
    handlers=HANDLERS,
    commands={OpenAnnals: opening},
    again={AnnalsOpened: lambda e, at: OpenAnnals(before=e)},
)
