"""What has come to pass, as far as conditions ask for it and the state does not know it any more: how matters ended,
what occasions decided, and when two last quarrelled or spoke kindly.

No snapshot holds it (its proof is empty): after a jump it is made again from the events of the log that it handles.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from sandbox.core.domain import Domain, State
from sandbox.core.events import Event, Stamp
from sandbox.drama.outcomes import Decided
from sandbox.people.pressures.model import Began, Ended, Stirred
from sandbox.people.ties import pair
from sandbox.talk.model import Closed
from sandbox.town.plan import CONTEST, VOTE

WARM, HOSTILE = "warm", "hostile"  # tones of talks


class Course(msgspec.Struct, frozen=True, array_like=True):
    """A pressure that has begun: what is asked of it once it is over."""

    id: str
    kind: str
    thread: str
    holder: str
    about: str
    stakes: str


class Came(msgspec.Struct, frozen=True, array_like=True):
    """How a pressure ended, and when. seq: the event."""

    course: Course
    how: str
    good: bool
    t: int
    seq: int


class Verdict(msgspec.Struct, frozen=True, array_like=True):
    """What an occasion decided. how: "yes" or "no" of a vote, "won" of a contest, "off"; winner: of a contest."""

    occasion: str
    how: str
    winner: str
    says: str
    t: int
    seq: int


class Annals(msgspec.Struct):
    """courses: the latest pressure of each id. ended, decided: in their order. warm, quarrels: pair -> when the two
    last spoke kindly, and when they last had words.
    """

    courses: dict[str, Course] = msgspec.field(default_factory=dict)
    ended: list[Came] = msgspec.field(default_factory=list)
    decided: list[Verdict] = msgspec.field(default_factory=list)
    warm: dict[str, int] = msgspec.field(default_factory=dict)
    quarrels: dict[str, int] = msgspec.field(default_factory=dict)


class HasAnnals:
    """The part of a world that these handlers touch."""

    annals: Annals


def began(w: HasAnnals, e: Began, at: Stamp) -> None:
    w.annals.courses[e.id] = Course(e.id, e.kind, e.thread, at.actor, e.about, e.stakes)


def stirred(w: HasAnnals, e: Stirred, at: Stamp) -> None:
    if e.hostile and e.to:
        w.annals.quarrels[pair(at.actor, e.to)] = at.t


def ended(w: HasAnnals, e: Ended, at: Stamp) -> None:
    course = w.annals.courses.get(e.id)
    if course is not None:
        w.annals.ended.append(Came(course, e.how, e.good, at.t, at.seq))
    if e.hostile and not e.good and e.to:
        w.annals.quarrels[pair(at.actor, e.to)] = at.t


def decided(w: HasAnnals, e: Decided, at: Stamp) -> None:
    how = {VOTE: "yes" if e.won else "no", CONTEST: "won"}.get(e.how, e.how)
    winner = e.parts[0].who if e.how == CONTEST else ""
    w.annals.decided.append(Verdict(e.occasion, how, winner, e.news, at.t, at.seq))


def closed(w: HasAnnals, e: Closed, at: Stamp) -> None:
    last = {WARM: w.annals.warm, HOSTILE: w.annals.quarrels}.get(e.tone)
    if last is not None:
        last[pair(*e.who)] = at.t


HANDLERS: dict[type[Event], Callable[..., None]] = {
    Began: began,
    Stirred: stirred,
    Ended: ended,
    Decided: decided,
    Closed: closed,
}

ANNALS = Domain(
    "annals",
    states=(State("annals", Annals, lambda w: Annals(), proof=lambda state: b""),),
    handlers=HANDLERS,
)
