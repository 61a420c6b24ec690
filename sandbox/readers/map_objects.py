"""Things on the map: what events have brought, where it lies, whose it is and until when. Read from the log.

A thing lies where somebody stood when it came, until its time is over or all that came of it has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Event, Record, Stamp
from sandbox.director.model import CardReached
from sandbox.people.pressure_deck import DramaDeck
from sandbox.people.pressure_model import Began, Ended, Sparked

LASTS = DAY + 6 * HOUR  # after which a thing is gone, whatever it began
ARTICLES = ("a ", "an ", "the ", "some ")


class NewThing(NamedTuple):
    """A thing that came with an event, and at whom it came to lie. people: who else has to do with it."""

    text: str
    who: str
    people: tuple[str, ...]


def _sparked(drama: DramaDeck, e: Sparked, stamp: Stamp) -> NewThing | None:
    spark = drama.sparks.get(e.id)
    role = next((role for role in spark.roles if role in e.roles), "") if spark is not None else ""
    if spark is None or not spark.thing or not role:
        return None
    return NewThing(spark.thing, e.roles[role], tuple(e.roles.values()))


def _reached(drama: DramaDeck, e: CardReached, stamp: Stamp) -> NewThing | None:
    if not e.thing:
        return None
    return NewThing(e.thing, stamp.actor, tuple(who for who in (stamp.actor, e.about, e.loser) if who))


# Which events bring things, and how each says what and at whom.
BRINGS: Mapping[type[Event], Callable[[DramaDeck, Any, Stamp], NewThing | None]] = {
    Sparked: _sparked,
    CardReached: _reached,
}
KINDS = (*(kind.KIND for kind in BRINGS), Began.KIND, Ended.KIND)


def new_thing(drama: DramaDeck, record: Record) -> NewThing | None:
    """The thing that came with an event, None if none did."""
    brings = BRINGS.get(type(record.event))
    return brings(drama, record.event, record.stamp) if brings is not None else None


class MapThing(NamedTuple):
    """Something that lies on the map. who: whose; people: all who have to do with it; x, y: its tile; t: since when;
    seq: the event it came with.
    """

    text: str
    who: str
    people: tuple[str, ...]
    x: int
    y: int
    t: int
    seq: int

    @property
    def bare(self) -> str:
        """It without an article: "trombone"."""
        return next((self.text.removeprefix(a) for a in ARTICLES if self.text.startswith(a)), self.text)


class Things:
    """What lies where, at any second of what it was given. Records must come in order."""

    def __init__(self, drama: DramaDeck) -> None:
        self._drama = drama
        self._came: list[MapThing] = []
        self._gone: dict[int, int] = {}  # event a thing came with -> when all that came of it had ended
        self._open: dict[int, set[str]] = {}  # event a thing came with -> what came of it and goes on

    def clear(self) -> None:
        """Forget all: the town stands at another moment."""
        self._came.clear()
        self._gone.clear()
        self._open.clear()

    def take(self, record: Record, place: Callable[[str, int], tuple[float, float] | None]) -> None:
        """Take in the next record. place: where somebody stood at a second, None if that is not known."""
        stamp, e = record
        came = new_thing(self._drama, record)
        if came is not None and (at := place(came.who, stamp.t)) is not None:
            self._came = [thing for thing in self._came if stamp.t - thing.t < 2 * LASTS]
            self._came.append(MapThing(*came, round(at[0]), round(at[1]), stamp.t, stamp.seq))
        elif isinstance(e, Began):
            for seq in stamp.causes:
                if any(thing.seq == seq for thing in self._came):
                    self._open.setdefault(seq, set()).add(e.id)
        elif isinstance(e, Ended):
            for seq, matters in self._open.items():
                if e.id in matters:
                    matters.discard(e.id)
                    if not matters:
                        self._gone[seq] = stamp.t

    def began(self, thing: MapThing) -> tuple[str, ...]:
        """The pressures that came of what brought a thing, and go on."""
        return tuple(sorted(self._open.get(thing.seq, ())))

    def at(self, t: float) -> list[MapThing]:
        """What lies on the map at a second, the latest last."""
        return [x for x in self.after(t) if x.t <= t]

    def after(self, t: float) -> list[MapThing]:
        """What lies on the map at a second, or comes later."""
        return [x for x in self._came if t < min(x.t + LASTS, self._gone.get(x.seq, x.t + LASTS))]


def latest_thing(things: Iterable[MapThing], who: str) -> MapThing | None:
    """The latest thing that somebody has to do with, None if there is none."""
    return next((thing for thing in reversed([*things]) if who in thing.people), None)


def asked_of(thing: MapThing) -> str:
    """What one may ask about it."""
    return f"What about the {thing.bare}?"
