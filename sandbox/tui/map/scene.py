"""The content of a frame of the town: people in view and their marks, open roofs, lit windows; and the choice of the
painter by settings, terminal and zoom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from textual.app import App

from sandbox.engine.view import PersonRow, View
from sandbox.people.guest_model import in_town
from sandbox.people.mood_words import MARKS
from sandbox.phones.model import PhoneState
from sandbox.readers.facts import SpeechTurn
from sandbox.town.plan import FloorPlan
from sandbox.town.ways import map_position
from sandbox.tui.map.bubbles import Bubble
from sandbox.tui.map.camera import densest
from sandbox.tui.map.closeup import CloseAscii, CloseLetters, ClosePainter
from sandbox.tui.map.letters import AsciiPainter, FarPainter, LetterPainter
from sandbox.tui.map.painter import Painter
from sandbox.tui.map.people import MapFigure
from sandbox.tui.map.picture import Picture
from sandbox.tui.view import mind_progress
from sandbox.tui.view.cells import NEAR, Box, MapScale
from sandbox.tui.view.settings import Settings
from sandbox.tui.view.speech import SpeechLine, talk_mark
from sandbox.tui.view.viewer import Viewer

HOME = "Market Square"
MARGIN = 4  # tiles around the window in which people are also looked for
PIP = 2.0  # seconds the mark of a new mood is shown
KEPT = 2  # pictures kept
_pictures: list[Picture] = []


class SeenPerson(NamedTuple):
    """A person in or near the window, and the building they are in ("" = outdoors)."""

    row: PersonRow
    house: str


def first_centre(viewer: Viewer, picture: Picture) -> tuple[float, float]:
    """Where the camera begins, in tiles: the largest group outdoors, else the square, else the middle of the map."""
    rows = [row for row in viewer.view.rows(viewer.shown) if row.awake]
    outdoors = [(r.x, r.y) for r in rows if not picture.house_at(round(r.x), round(r.y))]
    square = [s.rect for s in picture.plan.sectors if s.name == HOME]
    middle = [(x + w / 2, y + h / 2) for x, y, w, h in square]
    return densest(outdoors, [*middle, (picture.width / 2, picture.height / 2)])


def seen_in(view: View, picture: Picture, window: Box, t: float) -> list[SeenPerson]:
    """The people whose tile is in the window or within MARGIN of it. window: in tiles."""
    out = []
    width = view.world.map.width
    about = Box(window.x - MARGIN, window.y - MARGIN, window.width + 2 * MARGIN, window.height + 2 * MARGIN)
    for who in (who for who in view.world.cast if in_town(view.world, who)):
        x, y = map_position(view.spot(who, t), t, width)
        if about.holds(x, y):
            out.append(SeenPerson(view.row(who, t), picture.house_at(round(x), round(y))))
    return out


def in_sight(viewer: Viewer, about: list[SeenPerson], t: float) -> list[SeenPerson]:
    """Those of the people whom the player may see, with what may be shown of them."""
    view = viewer.view
    if view is viewer.session.view:
        return about
    return [s._replace(row=view.row(s.row.id, t)) for s in about if view.shows(s.row.id, t)]


def lit_houses(seen: Iterable[SeenPerson]) -> frozenset[str]:
    """Buildings with a light on, because somebody in them is awake."""
    return frozenset(s.house for s in seen if s.house and s.row.awake)


def roofless_houses(
    seen: Iterable[SeenPerson], window: Box, selected: str, roofs: str, houses: Iterable[str]
) -> frozenset[str]:
    """Buildings drawn without roofs. roofs: the setting: auto (somebody inside is in the window and awake or selected),
    open (all) or closed (none).
    """
    if roofs != "auto":
        return frozenset(houses) if roofs == "open" else frozenset()
    inside = (s for s in seen if s.house and window.holds(s.row.x, s.row.y))
    return frozenset(s.house for s in inside if s.row.awake or s.row.id == selected)


def figures_in_view(
    viewer: Viewer,
    seen: Iterable[SeenPerson],
    turns: Iterable[SpeechTurn],
    spoken: Sequence[SpeechLine],
    pips: MoodChangeMarks,
) -> list[MapFigure]:
    """The figures of people in view, with marks (thinking, talking without a bubble, new mood, phone) and with names of
    people spoken to or hovered.
    """
    talking = {who for said in spoken for who in said.turn.who}
    marks = {who: talk_mark(turn) for turn in turns for who in turn.who if who not in talking}
    named = {viewer.hovered, *talking}
    named.update(who for turn in turns if viewer.selected in turn.who for who in turn.who)
    speaking = {said.line.who for said in spoken}
    named -= speaking  # the bubble names its speaker
    if viewer.stop is not None and len(viewer.stop.who) == 2:
        named.update(viewer.stop.who)
    phones, t = viewer.world.phones, viewer.shown
    marks = dict.fromkeys(authors_of_new_posts(phones, t), SPARK) | marks
    out = []
    for s in seen:
        over = "" if s.row.id in talking else marks.get(s.row.id) or pips.of(s)
        if not over and s.row.awake and s.row.id not in talking and looking(phones, s.row.id, t):
            over = PHONE
        if s.row.id in viewer.asked and s.row.id not in speaking:
            over = mind_progress.thinking_mark(viewer)
        row, look = s.row, viewer.world.cast[s.row.id].look
        over = over or ("" if row.awake else "z")
        body = MapFigure(row.id, row.name, row.x, row.y, row.mood, look.hair, look.skin, look.build, not row.awake)
        out.append(body._replace(mark=over, selected=row.id == viewer.selected, name_shown=row.id in named))
    return out


def bubble(spoken: SpeechLine, name: str, mood: str) -> Bubble:
    """The bubble of a line of speech. name, mood: the speaker's."""
    return Bubble(spoken.line.who, name, mood, spoken.line.text, spoken.turn.who)


class MoodChangeMarks:
    """Gives the mark of a mood for PIP seconds after it changed."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._moods: dict[str, tuple[str, float]] = {}

    def of(self, seen: SeenPerson) -> str:
        """The mark over a person now, or ""."""
        now, who, mood = self._clock(), seen.row.id, seen.row.mood
        before = self._moods.get(who)
        if before is None or before[0] != mood:
            self._moods[who] = (mood, 0.0 if before is None else now + PIP)
            return ""
        return MARKS[mood] if before[1] > now and seen.row.awake else ""

    @property
    def standing(self) -> bool:
        """Whether a mark is shown or has just expired, so that frames must go on being drawn."""
        late = self._clock() - 1.0
        return any(until > late for _, until in self._moods.values())


class Roofs:
    """Roofs that open and close within a few frames. alpha: building -> 1 closed .. 0 open."""

    FRAMES = 3

    def __init__(self, houses: Iterable[str]) -> None:
        self._left = dict.fromkeys(houses, self.FRAMES)
        self.moving = False
        self.alpha: Mapping[str, float] = dict.fromkeys(self._left, 1.0)

    def move(self, wanted_open: frozenset[str], at_once: bool = False) -> None:
        """Move roofs by one frame; at_once: all the way. Sets `moving`: whether another frame is needed."""
        self.moving = False
        for house, left in self._left.items():
            target = 0 if house in wanted_open else self.FRAMES
            if left != target:
                self._left[house] = target if at_once else left + (1 if target > left else -1)
                self.moving = self.moving or self._left[house] != target
        self.alpha = {house: left / self.FRAMES for house, left in self._left.items()}


# ---- the choice of the painter


def picture_of(plan: FloorPlan) -> Picture:
    """The picture of a plan. The last KEPT are cached, since a replay shows the same town as the one behind it."""
    found = next((picture for picture in _pictures if picture.plan is plan or picture.plan == plan), None)
    if found is None:
        found = Picture(plan)
        _pictures.append(found)
        del _pictures[:-KEPT]
    return found


def colours_of(app: App[Any]) -> str | None:
    """Rich's name for what the terminal can show; None if it has no colours or NO_COLOR is set."""
    if app.no_color:
        return None
    return "truecolor" if app.is_headless else app.console.color_system


def glyphs(setting: str, colours: str | None) -> str:
    """pictures, letters or ascii. setting: the player's; colours: as from `colours_of`."""
    if setting != "auto":
        return setting
    return "pictures" if colours in ("256", "truecolor") else "letters"


def painter_for(picture: Picture, settings: Settings, colours: str | None, scale: MapScale = NEAR) -> Painter:
    """The painter for the map, with cells of `scale` tiles."""
    palette = settings["palette"]
    kind = glyphs(settings["glyphs"], colours)
    painter: Painter
    if kind == "pictures":
        painter = (Painter if scale == NEAR else FarPainter)(picture, palette, scale)
    else:
        letters = AsciiPainter if kind == "ascii" else LetterPainter
        painter = letters(picture, palette, scale, paper=not settings.theme.dark)
    painter.still = painter.still or settings["motion"] == "reduced"
    return painter


def close_painter_for(picture: Picture, settings: Settings, colours: str | None) -> ClosePainter | CloseLetters:
    """The painter for the close view of a room."""
    palette, kind = settings["palette"], glyphs(settings["glyphs"], colours)
    if kind == "pictures":
        return ClosePainter(picture, palette)
    letters = CloseAscii if kind == "ascii" else CloseLetters
    return letters(picture, palette, paper=not settings.theme.dark)


# ---- marks of phones and posts


PHONE, SPARK = "#", "&"  # of one cell each, and ASCII
LOOKS, LANDS = 150, 60  # seconds of town time: a phone stays out after a look, a post is new


def authors_of_new_posts(phones: PhoneState, t: float) -> frozenset[str]:
    """The authors of posts written in the LANDS seconds before t."""
    out = set()
    for written in reversed(phones.written.values()):
        if written.t <= t - LANDS:
            break
        if written.t <= t:
            out.add(written.author)
    return frozenset(out)


def looking(phones: PhoneState, who: str, t: float) -> bool:
    """Whether somebody has their phone out at second t."""
    phone = phones.phones.get(who)
    return phone is not None and phone.looked >= 0 and 0 <= t - phone.looked < LOOKS
