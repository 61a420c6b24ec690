"""Staging a timeline row as a scene: its script, read from the log, and where everybody stood. And the close view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.people.perceive import MOVES, Whereabouts
from sandbox.readers import scripts
from sandbox.readers.all_stories import event_matter
from sandbox.readers.scripts import SceneScript
from sandbox.readers.timeline import OCCASION, TimelineRow
from sandbox.town.plan import arena_of
from sandbox.town.ways import map_position
from sandbox.tui.map.close import Close, fit_room
from sandbox.tui.view import log_queries
from sandbox.tui.view.cells import Box
from sandbox.tui.view.log_queries import SETTLED
from sandbox.tui.view.viewer import Viewer

AROUND_X, AROUND_Y = 12, 7  # tiles shown around a place that is no room
WIDEST, FAR = 24, 4  # least columns of a close view; tiles that `pan` moves by
LOWEST = 8  # least rows of a close view


class Closer:
    """The state of the close view. room: in tiles, None = off; outdoors: the room has no walls."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.room: Box | None = None
        self.outdoors = False
        self._focus = (0.0, 0.0)

    @property
    def on(self) -> bool:
        """Whether the close view is on."""
        return self.room is not None

    def look(self, x: float, y: float) -> None:
        """Show the room of a place given in tiles."""
        self.room, self.outdoors = room_at(self.viewer, x, y)
        self._focus = (x, y)

    def leave(self) -> bool:
        """Turn the close view off; return whether it was on."""
        was, self.room = self.on, None
        return was

    def keep(self, x: float, y: float) -> None:
        """Keep a place in view; change to its room if that is another."""
        if self.room is None or self._focus == (x, y):
            return
        if room_at(self.viewer, x, y)[0] == self.room or (self.outdoors and self.room.holds(x, y)):
            self._focus = (x, y)
        else:
            self.look(x, y)

    def pan(self, dx: int, dy: int) -> None:
        """Move the view in a room that is too large for it. dx, dy: -1, 0 or 1."""
        if self.room is not None:
            x, y, wide, high = self.room
            self._focus = (
                max(x, min(x + wide - 1, self._focus[0] + FAR * dx)),
                max(y, min(y + high - 1, self._focus[1] + FAR * dy)),
            )

    def view(self, columns: int, rows: int) -> Close:
        """The geometry of the close view in columns x rows cells."""
        room = self.room if self.room is not None else Box(0, 0, 1, 1)
        return fit_room(room, self._focus, columns, rows, self.outdoors)


def room_at(viewer: Viewer, x: float, y: float, where: str = "") -> tuple[Box, bool]:
    """The room of an address, else that of a tile, else the ground around it, in tiles; and whether it is outdoors."""
    town = viewer.world.map
    tile = max(0, min(town.height - 1, int(y))) * town.width + max(0, min(town.width - 1, int(x)))
    area = town.areas.get(arena_of(where)) or town.areas.get(town.area_of[tile])
    if area is None:
        return Box(int(x) - AROUND_X, int(y) - AROUND_Y, 2 * AROUND_X + 1, 2 * AROUND_Y + 1), True
    return Box(*area.arena.rect), "indoors" not in area.arena.tags


def fits_close_view(columns: int, rows: int) -> bool:
    """Whether columns x rows cells suffice for a close view."""
    return columns >= WIDEST and rows >= LOWEST


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
