"""Staging a timeline row as a scene: its script, read from the log, and where everybody stood."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.people.perceive import MOVES, Whereabouts
from sandbox.readers import scripts
from sandbox.readers.all_stories import event_matter
from sandbox.readers.scripts import SceneScript
from sandbox.readers.timeline import OCCASION, TimelineRow
from sandbox.town.ways import map_position
from sandbox.tui.map.viewpoint import room_at
from sandbox.tui.view import log_queries
from sandbox.tui.view.cells import Box
from sandbox.tui.view.log_queries import SETTLED
from sandbox.tui.view.viewer import Viewer


class Staged(NamedTuple):
    """A script with its room, in tiles. places: person -> place in tiles; asleep: who slept.

    outdoors: whether the room is a place without walls.
    """

    script: SceneScript
    room: Box
    outdoors: bool
    places: Mapping[str, tuple[float, float]]
    asleep: frozenset[str]


async def has_scene(viewer: Viewer, row: TimelineRow) -> bool:
    """Whether a row has a scene that can be staged. The mark alone does not tell, so this reads the log. Raises
    SaveError.
    """
    if row.mark != OCCASION and row.talk:
        story = await log_queries.talk_story(viewer, row.talk)
        return story is not None and bool(story.lines)
    script = await _script(viewer, row) if row.mark != OCCASION else None
    return script is not None and bool(script.beats)


async def scene_of_row(viewer: Viewer, row: TimelineRow) -> Staged | None:
    """The scene of a row; None if it has none. Raises SaveError."""
    script = await _script(viewer, row) if row.mark != OCCASION else None
    if script is None or not script.beats:
        return None
    places, asleep = await _places(viewer, script.t)
    first = next((places[who] for who in script.who if who in places), (0.0, 0.0))
    room, outdoors = room_at(viewer, *first, script.where)
    return Staged(script, room, outdoors, places, asleep)


async def _script(viewer: Viewer, row: TimelineRow) -> SceneScript | None:
    if not row.talk:
        return await _settled(viewer, row.seq)
    story = await log_queries.talk_story(viewer, row.talk)
    if story is None:
        return None
    near = await log_queries.bystanders(viewer, story)
    seqs = {line.seq for line in story.lines} | ({story.close} if story.close else set())
    after = [r for r in await _came(viewer, seqs) if r.event.KIND != "felt"]
    return scripts.of_talk(story, viewer.timeline.teller, near or (), after)


async def _came(viewer: Viewer, seqs: Iterable[int]) -> list[Record]:
    """The consequences of events, up to the current moment."""
    seqs = sorted(seqs)
    if not seqs:
        return []
    upto = min(viewer.world.seq, seqs[-1] + log_queries.AFTER)
    records = scripts.consequences_of(await viewer.session.save.records(scripts.CAME_OF, seqs[0], upto), seqs)
    await log_queries.learn_matters(viewer, map(event_matter, records))
    return records


async def _settled(viewer: Viewer, seq: int) -> SceneScript | None:
    record = await log_queries.event(viewer, seq)
    if record is None:
        return None
    causes = [await log_queries.event(viewer, seq) for seq in record.stamp.causes]
    found = scripts.settled(record, (x for x in causes if x is not None))
    if found is None:
        return None
    places = {o.id: o.where for o in viewer.calendar.on(viewer.world.clock.day(found.stamp.t))}
    after = await _came(viewer, [found.stamp.seq])
    return scripts.of_settled(found, viewer.timeline.teller, places, after)


async def _places(viewer: Viewer, t: int) -> tuple[dict[str, tuple[float, float]], frozenset[str]]:
    """Person -> place in tiles at t, by the log of walks (who has not moved for hours is where they are); who slept."""
    width = viewer.world.map.width
    after, upto = await log_queries.event_range(viewer, t - SETTLED, t)
    where = Whereabouts(width)
    for record in await viewer.session.save.records(MOVES, after, upto):
        if record.stamp.t <= t:
            where.take(record)
    out = {}
    asleep = set(where.asleep)
    for who in viewer.world.cast:
        spot = where.spots.get(who)
        if spot is None:
            spot = viewer.view.spot(who, t)
            asleep |= set() if viewer.world.people.residents[who].awake else {who}
        out[who] = map_position(spot, t, width)
    return out, frozenset(asleep)
