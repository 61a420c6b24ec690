"""What can be staged of a row of the timeline: its script, read from the log, and where everybody stood."""

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
from sandbox.town.rules import map_position
from sandbox.tui.map.close import Close, fit_room
from sandbox.tui.view import log_queries
from sandbox.tui.view.cells import Box
from sandbox.tui.view.log_queries import SETTLED
from sandbox.tui.view.viewer import Viewer

AROUND_X, AROUND_Y = 12, 7  # tiles about a place that is no room
WIDEST, FAR = 24, 4  # columns below which there is no room for it; tiles that one pans by
LOWEST = 8


class Closer:
    """Where one looks from close by. room: in tiles, None as long as one does not; outdoors: it has no walls."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.room: Box | None = None
        self.outdoors = False
        self._focus = (0.0, 0.0)

    @property
    def on(self) -> bool:
        """Whether one looks from close by."""
        return self.room is not None

    def look(self, x: float, y: float) -> None:
        """Look at the room of a place, in tiles."""
        self.room, self.outdoors = room_at(self.viewer, x, y)
        self._focus = (x, y)

    def leave(self) -> bool:
        """Look from close by no longer; whether one did."""
        was, self.room = self.on, None
        return was

    def keep(self, x: float, y: float) -> None:
        """Keep a place in view: another room if it lies in another."""
        if self.room is None or self._focus == (x, y):
            return
        if room_at(self.viewer, x, y)[0] == self.room or (self.outdoors and self.room.holds(x, y)):
            self._focus = (x, y)
        else:
            self.look(x, y)

    def pan(self, dx: int, dy: int) -> None:
        """Look at another part of a room that is too large for the view. dx, dy: -1, 0 or 1."""
        if self.room is not None:
            x, y, wide, high = self.room
            self._focus = (
                max(x, min(x + wide - 1, self._focus[0] + FAR * dx)),
                max(y, min(y + high - 1, self._focus[1] + FAR * dy)),
            )

    def view(self, columns: int, rows: int) -> Close:
        """What is in view of so many cells."""
        room = self.room if self.room is not None else Box(0, 0, 1, 1)
        return fit_room(room, self._focus, columns, rows, self.outdoors)


def room_at(viewer: Viewer, x: float, y: float, where: str = "") -> tuple[Box, bool]:
    """The room or place of an address, else that a tile lies in, else the ground about it; whether it is outdoors."""
    town = viewer.world.map
    tile = max(0, min(town.height - 1, int(y))) * town.width + max(0, min(town.width - 1, int(x)))
    area = town.areas.get(arena_of(where)) or town.areas.get(town.area_of[tile])
    if area is None:
        return Box(int(x) - AROUND_X, int(y) - AROUND_Y, 2 * AROUND_X + 1, 2 * AROUND_Y + 1), True
    return Box(*area.arena.rect), "indoors" not in area.arena.tags


def fits_close_view(columns: int, rows: int) -> bool:
    """Whether a view of so many cells has room for it."""
    return columns >= WIDEST and rows >= LOWEST


class Staged(NamedTuple):
    """A script with its room, in tiles, and where people stood in it: person -> place, those asleep apart.

    outdoors: whether the room is none, but a place in the open.
    """

    script: SceneScript
    room: Box
    outdoors: bool
    places: Mapping[str, tuple[float, float]]
    asleep: frozenset[str]


async def has_scene(viewer: Viewer, row: TimelineRow) -> bool:
    """Whether a row has a scene that can be staged, read as far as that needs: other rows have the same marks. Raises
    SaveError.
    """
    if row.mark != OCCASION and row.talk:
        story = await log_queries.talk_story(viewer, row.talk)
        return story is not None and bool(story.lines)
    script = await _script(viewer, row) if row.mark != OCCASION else None
    return script is not None and bool(script.beats)


async def scene_of_row(viewer: Viewer, row: TimelineRow) -> Staged | None:
    """The scene of a row; None if it has none that can be read. Raises SaveError."""
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
    """What came of events, as far as the moment shown has it."""
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
    """Where everybody stood at t, by the log of their walks; those who have not moved for hours, where they are."""
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
