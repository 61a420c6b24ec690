"""A timeline row staged as a scene: its script, read from the log, where everybody stood, and the scene as lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from rich.segment import Segment

from sandbox.core.events import Record
from sandbox.core.text import clean, join_names
from sandbox.people.mood_words import MARKS
from sandbox.people.perceive import MOVES, Whereabouts
from sandbox.readers import scripts
from sandbox.readers.all_stories import event_matter
from sandbox.readers.scripts import Beat, SceneScript
from sandbox.readers.timeline import OCCASION, TimelineRow
from sandbox.town.ways import map_position
from sandbox.tui.map.close import Close, fit_room
from sandbox.tui.map.closeup import CloseLetters, ClosePainter
from sandbox.tui.map.people import MapFigure, draw_portrait, letter_portrait
from sandbox.tui.map.viewpoint import room_at
from sandbox.tui.view import log_queries
from sandbox.tui.view.cells import Box, Inker
from sandbox.tui.view.log_queries import SETTLED
from sandbox.tui.view.speech import READ, READ_A_CHARACTER
from sandbox.tui.view.text_lines import Line, as_lines, fit, hung, ink, justify, of_mood, outside, to_width, width_of
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


# ---- draws a staged scene as lines


PACE = {"slow": 1.6, "normal": 1.0, "fast": 0.6, "max": 0.35}  # factor on reading time, by the speed set


class Playing:
    """The progress of a script. at: index of the current beat; after the last one the outcome is shown.

    clock: wall-clock seconds; still: show words at once instead of typing them; speed: a key of PACE.
    """

    def __init__(
        self, script: SceneScript, clock: Callable[[], float], still: bool = False, speed: str = "normal"
    ) -> None:
        self.script, self.still = script, still
        self._clock, self._pace = clock, PACE.get(speed, 1.0)
        self._since = clock()
        self.at = 0

    @property
    def beat(self) -> Beat | None:
        """The current beat; None at the end."""
        return self.script.beats[self.at] if self.at < len(self.script.beats) else None

    @property
    def over(self) -> bool:
        """Whether the outcome is shown."""
        return self.beat is None

    @property
    def letters(self) -> int:
        """How many characters of the beat's text are shown by now."""
        beat = self.beat
        if beat is None:
            return 0
        if self.still or not beat.spoken:
            return len(beat.text)
        return min(len(beat.text), int((self._clock() - self._since) / (READ_A_CHARACTER * self._pace)))

    def beat_on(self) -> bool:
        """Go to the next beat if the time to read this one is over; return whether it was."""
        beat = self.beat
        if beat is None:
            return False
        if self._clock() - self._since < (READ + READ_A_CHARACTER * len(beat.text)) * self._pace:
            return False
        self.next()
        return True

    def next(self) -> bool:
        """Go to the next beat or the outcome; False if that is shown already."""
        if self.beat is None:
            return False
        self.at, self._since = self.at + 1, self._clock()
        return True

    def moods(self, before: bool = False) -> dict[str, str]:
        """Person -> mood at the current beat, as far as the script knows. before: before this beat instead."""
        out = dict(self.script.moods)
        for beat in self.script.beats[: self.at if before else self.at + 1]:
            out.update(beat.moods)
        if self.over and not before:
            out.update(self.script.after)
        return out

    def sides(self) -> dict[str, list[str]]:
        """Side -> people who have taken it by now, in that order."""
        out: dict[str, list[str]] = {}
        for beat in self.script.beats[: self.at + 1]:
            if beat.side and beat.who not in out.setdefault(beat.side, []):
                out[beat.side].append(beat.who)
        return out


BIG = (100, 30)  # columns and rows from which faces are large
VAST = (150, 44)  # and from which they are twice as large
GAP = 2
Portrait = Sequence[Line]


class Drawing:
    """Draws a staged scene at the current beat of `playing`."""

    def __init__(self, viewer: Viewer, staged: Staged, playing: Playing, painter: ClosePainter | CloseLetters) -> None:
        self.viewer, self.staged, self.playing, self.painter = viewer, staged, playing, painter
        self.letters = isinstance(painter, CloseLetters)
        self._ink = Inker(painter.styler)
        self._ground = viewer.settings.theme.colours["ground"]
        self._usual = {who: viewer.view.row(who, viewer.shown).mood for who in viewer.world.cast}

    def lines(self, width: int, height: int) -> list[Line]:
        """All lines of the screen."""
        big, vast = width >= BIG[0] and height >= BIG[1], width >= VAST[0] and height >= VAST[1]
        panel = self._panel(width - 2 * GAP, big, vast)
        rows = max(0, height - 3 - len(panel))
        sides = self._sides(width)
        room = self._room(width, rows)
        return [*self._head(width), *room, *([ink(" " * GAP), *line] for line in panel), self._foot(width, sides)]

    # ---- above and below

    def _head(self, width: int) -> list[Line]:
        script, world = self.staged.script, self.viewer.world
        where = world.handbook.at(script.where) if script.where else ""
        when = f"{world.clock.words(script.t)}, day {world.clock.day(script.t)}"
        right = [outside(where, "soft"), ink(f"  {when} ", "dim")]
        first = justify([ink(" "), outside(script.title, "accent", bold=True)], right, width)
        return [first, fit([ink(" "), outside(script.about, "text")], width)]

    def _foot(self, width: int, sides: Line) -> Line:
        playing = self.playing
        end = "back to the town" if playing.over else "next"
        count = f"  {min(playing.at + 1, len(playing.script.beats))} of {len(playing.script.beats)} "
        keys = [
            ink("any key ", "accent", bold=True),
            ink(f"{end}  ", "soft"),
            ink("esc ", "accent", bold=True),
            ink("close", "soft"),
        ]
        return justify([ink(" "), *keys, *([ink("   "), *sides] if sides else [])], [ink(count, "dim")], width)

    def _sides(self, width: int) -> Line:
        """The sides taken by now, in words."""
        out: Line = []
        name = self.viewer.name
        for side, who in self.playing.sides().items():
            names = join_names([name(x) for x in who]) if len(who) <= 4 else f"{len(who)}"
            out += [ink("   " if out else ""), outside(side, "dim"), ink(": ", "dim"), outside(names, "soft")]
        return fit(out, max(0, width - 44)) if out else out

    # ---- the room

    def _room(self, width: int, rows: int) -> list[Line]:
        if rows < 1:
            return []
        script, playing, painter = self.staged.script, self.playing, self.painter
        beat, world = playing.beat, self.viewer.world
        moods = self._usual | playing.moods()
        speaking = beat.who if beat is not None else ""
        lit = {x for x in (speaking, beat.to if beat is not None else "") if x} or set(script.who)
        close = self._close(width, rows, speaking)
        painter.close, painter.speakers, painter.speaking = close, lit, speaking
        figures = [self._figure(who, moods, who in {*script.who, *script.there}) for who in self.staged.places]
        second = world.clock.second_of_day(script.t)
        houses = [s.name for s in world.scenario.plan.sectors if s.roof]
        painter.compose(Box(0, 0, width, rows), second, figures, lit=houses)
        return self._ink.segments(painter.canvas, range(rows))

    def _close(self, width: int, rows: int, speaking: str) -> Close:
        """The close view of the room; if too large, the part around the main people or a speaker out of view."""
        places = self.staged.places
        here = [places[who] for who in self.staged.script.who[:2] if who in places]
        focus = (sum(x for x, _ in here) / len(here), sum(y for _, y in here) / len(here)) if here else (0.0, 0.0)
        room, outdoors = self.staged.room, self.staged.outdoors
        close = fit_room(room, focus, width, rows, outdoors)
        if speaking in places and not close.shows(*places[speaking]):
            close = fit_room(room, places[speaking], width, rows, outdoors)
        return close

    def _figure(self, who: str, moods: dict[str, str], named: bool) -> MapFigure:
        person, (x, y) = self.viewer.world.cast[who], self.staged.places[who]
        look, asleep = person.look, who in self.staged.asleep
        return MapFigure(
            who, person.first, x, y, moods[who], look.hair, look.skin, look.build, asleep, name_shown=named
        )

    # ---- who speaks

    def _panel(self, width: int, big: bool, vast: bool) -> list[Line]:
        """The panel: faces and words; at the end, the outcome."""
        beat, playing = self.playing.beat, self.playing
        high = (12 if vast else 6) if big and not self.letters else 5 if big else 4
        if beat is None:
            return self._end(width, high)
        moods, was = self._usual | playing.moods(), self._usual | playing.moods(before=True)
        left = self._face(beat.who, moods[beat.who], big, vast, beat.tone)
        right = self._face(beat.to, moods[beat.to], big, vast) if beat.to in self._usual else []
        wide = width_of(left[0]) + GAP
        aside = width_of(right[0]) + GAP if right else 0
        room = max(10, width - wide - aside)
        words = self._words(room, high)
        return [
            [*left[y], ink(" " * GAP), *to_width(words[y] if y < len(words) else [], room),
             *([ink(" " * GAP), *right[y]] if right else [])]
            for y in range(high)
        ] + [self._names(beat.who, beat.to, was, moods, width)]  # fmt: skip

    def _words(self, width: int, high: int) -> list[Line]:
        beat = self.playing.beat
        assert beat is not None
        text = clean(beat.text, 1200)
        shown = text[: self.playing.letters]
        note = [outside(beat.note, "dim")] if beat.note else []
        if not beat.spoken:
            return [*as_lines(shown, width, "text", bold=True, most=high - 1), fit(note, width)]
        head = [outside(self.viewer.name(beat.who), "text", bold=True), ink("  "), *note]
        return [fit(head, width), *as_lines(f"“{shown}”", width, "text", most=max(1, high - 1))]

    def _names(self, who: str, to: str, was: dict[str, str], now: dict[str, str], width: int) -> Line:
        """The moods of the two, and how this beat changed them."""
        left = self._mood(who, was, now)
        return justify(left, self._mood(to, was, now) if to in now else [], width)

    def _mood(self, who: str, was: dict[str, str], now: dict[str, str]) -> Line:
        old, new = was[who], now[who]
        name = [outside(self.viewer.name(who), "soft"), ink(" ")]
        before = [ink(f"{MARKS[old]} {old} ", of_mood(old)), ink("to ", "dim")] if old != new else []
        return [*name, *before, ink(f"{MARKS[new]} {new}", of_mood(new))]

    def _end(self, width: int, high: int) -> list[Line]:
        out: list[Line] = [[ink("What came of it", "accent", bold=True)]]
        for sentence in self.staged.script.outcome:
            out += hung([ink("· ", "faint")], f"{sentence}.", width, "text", most=3)
        if len(out) > high + 1:
            out = [*out[:high], [ink("…", "dim")]]
        return out + [[] for _ in range(high + 1 - len(out))]

    def _face(self, who: str, mood: str, big: bool, vast: bool, tone: str = "") -> Portrait:
        """A portrait. tone: expression of the face while it speaks, if not the mood; clothes show the mood."""
        person, shown = self.viewer.world.cast[who], tone or mood
        if self.letters:
            rows = letter_portrait(shown, person.first, small=not big)
            return [[ink(row, of_mood(mood))] for row in rows]
        look, palette = person.look, self.viewer.settings["palette"]
        pixels = draw_portrait(look.hair, look.skin, shown, palette, not big, self._ground, mood)
        return [self._half(upper, lower, 2 if vast else 1) for upper, lower in _pairs(pixels, 2 if vast else 1)]

    def _half(self, upper: Sequence[int], lower: Sequence[int], times: int) -> Line:
        styler = self.painter.styler
        return [Segment("▀" * times, styler(a, b, False)) for a, b in zip(upper, lower, strict=True)]


def _pairs(pixels: Sequence[Sequence[int]], times: int) -> list[tuple[Sequence[int], Sequence[int]]]:
    """Rows of pixels in pairs for half blocks, each row repeated `times` times."""
    rows = [row for row in pixels for _ in range(times)]
    return list(zip(rows[0::2], rows[1::2], strict=True))
