"""Things on the map: what events brought, where it lies, whose it is and until when. Read from the log.

A thing lies where somebody stood when it came, until its time is up or all pressures it started have ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Event, Record, Stamp
from sandbox.director.model import CardReached
from sandbox.people.pressure_deck import DramaDeck
from sandbox.people.pressure_model import Began, Ended, Sparked

LASTS = DAY + 6 * HOUR  # seconds until a thing is gone, whatever it started
ARTICLES = ("a ", "an ", "the ", "some ")


class NewThing(NamedTuple):
    """A thing that came with an event, and by whom (who) it lies. people: everybody it concerns."""

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


# Type of event that brings a thing -> a function that finds what it is and by whom it lies.
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
    """Something that lies on the map. who: its owner; people: everybody it concerns; x, y: its tile; t: the second it
    came; seq: the event that brought it.
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
        """The thing's name without an article: "trombone"."""
        return next((self.text.removeprefix(a) for a in ARTICLES if self.text.startswith(a)), self.text)


class Things:
    """Which things lie where, at any second of the records taken in. Records must come in order."""

    def __init__(self, drama: DramaDeck) -> None:
        self._drama = drama
        self._came: list[MapThing] = []
        self._gone: dict[int, int] = {}  # event that brought a thing -> second when all it started had ended
        self._open: dict[int, set[str]] = {}  # event that brought a thing -> open pressures that it started

    def clear(self) -> None:
        """Forget all things, since the town was moved to another moment."""
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
        """The ids of the open pressures that the event that brought a thing started."""
        return tuple(sorted(self._open.get(thing.seq, ())))

    def at(self, t: float) -> list[MapThing]:
        """The things on the map at second t, the latest last."""
        return [x for x in self.after(t) if x.t <= t]

    def after(self, t: float) -> list[MapThing]:
        """The things on the map at second t, and those that come later."""
        return [x for x in self._came if t < min(x.t + LASTS, self._gone.get(x.seq, x.t + LASTS))]


def latest_thing(things: Iterable[MapThing], who: str) -> MapThing | None:
    """The latest thing that concerns somebody, None if there is none."""
    return next((thing for thing in reversed([*things]) if who in thing.people), None)


def asked_of(thing: MapThing) -> str:
    """A question about the thing."""
    return f"What about the {thing.bare}?"
