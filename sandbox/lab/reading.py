"""A replica's save, read: the networks at the end of each hour, the moods at the end of each step, and the talks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from sandbox.core.clock import HOUR, Clock
from sandbox.core.events import Record
from sandbox.engine.briefing import portrait
from sandbox.engine.world import World
from sandbox.lab.carryover import Talked
from sandbox.people.mood import Pad
from sandbox.people.moods import mood_of
from sandbox.store.player import relive
from sandbox.store.read import Reader
from sandbox.stories.every import counted
from sandbox.talk.model import Exchanged, HasTalk, Opened

Feelings = Mapping[tuple[str, str], float]  # u -> v: how u feels about v, in [-1, 1]


class Reading(NamedTuple):
    """people: in cast order. hours: feelings at the start and at the end of each simulated hour. moods: of all, at the
    start and at the end of each step. talks: in the order they began. counts: what stories count of events, by name
    (`stories/story.py`).
    """

    people: tuple[str, ...]
    hours: list[Feelings]
    moods: list[list[Pad]]
    talks: list[Talked]
    counts: Counter[str]


class Heard(NamedTuple):
    """What a judge may know of a replica. people: id -> name, and who it is, as told to an actor. talks: as above."""

    clock: Clock
    people: dict[str, tuple[str, str]]
    talks: list[Talked]


async def hear(save: Reader) -> Heard:
    """Read the talks of a save, and nothing else. Raises SaveError."""
    world = await save.beginning()
    talks: dict[str, Talked] = {}
    _talked(await save.records((Opened.KIND, Exchanged.KIND), 0, save.last_seq), talks)
    return Heard(world.clock, {p.id: (p.name, portrait(p)) for p in world.cast.values()}, [*talks.values()])


async def read(save: Reader) -> Reading:
    """Live the log of a save again and note what experiments ask for. Raises SaveError."""
    hours: list[Feelings] = []
    moods: list[list[Pad]] = []
    talks: dict[str, Talked] = {}
    counts: Counter[str] = Counter()
    people: tuple[str, ...] = ()
    async for world, records in relive(save):
        people = people or tuple(world.cast)
        moods.append([mood_of(cast(HasTalk, world), who, world.now) for who in people])
        if world.now >= len(hours) * HOUR:
            hours.append(_feelings(world))
        _talked(records, talks)
        for record in records:
            for what, n in counted(record.event):
                counts[what] += n
    return Reading(people, hours, moods, [*talks.values()], counts)


def _feelings(world: World) -> Feelings:
    return {(u, v): tie.feeling for u, row in world.people.ties.items() for v, tie in row.items()}


def _talked(records: Sequence[Record], talks: dict[str, Talked]) -> None:
    for stamp, event in records:
        if isinstance(event, Opened):
            talks[event.id] = Talked((stamp.actor, event.other), [], stamp.t)
        elif isinstance(event, Exchanged) and event.talk in talks:
            talk = talks[event.talk]
            talks[event.talk] = talk._replace(lines=[*talk.lines, *((line.who, line.text) for line in event.lines)])
