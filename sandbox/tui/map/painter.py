"""Draws frames: the picture cropped to a view with people and words on it; reports what changed since the last."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from rich.cells import cell_len
from rich.segment import Segment

from sandbox.tui.map.bubbles import Bubble, Inks, PlacedBubble, draw_bubble, figure_area, name_area, place_bubbles
from sandbox.tui.map.light import Packed, light_at, pack_colours, shade_colours, tint_step, unpack_colours
from sandbox.tui.map.people import RING, SHADOW, MapFigure, TalkLink, dots, link_pixels, ring
from sandbox.tui.map.picture import CLEAR, STROKE, VEIL, Mask, Picture, Weather, falls_on, glints, smoke, strokes
from sandbox.tui.theme.colours import DARK, PANEL, PAPER, mood_colour
from sandbox.tui.view.cells import NEAR, Box, Canvas, Inker, MapScale, Span, crop_to_view, fit_text, rgb_style, spans_of

State: TypeAlias = tuple[int, dict[str, float], frozenset[str], Weather]  # tint step, roofs, lit sectors, weather

NIGHT_SKIN = np.array([0.82, 0.86, 0.97], np.float32)  # factor on people in the dark: bluer, but still easy to see
SMOKE_GREY = np.array([176, 172, 168], np.float32)
NAME_CELLS = 14  # most cells of a name


class FrameChange(NamedTuple):
    """What a frame changed, in rows of the view. full: everything (a new view); spans: the changed parts of rows."""

    full: bool
    rows: tuple[int, ...]
    spans: tuple[Span, ...]


class Painter:
    """Draws frames of one picture. Keeps the tinted pixels, the last frame and the shared segments.

    palette: default, colour-blind or grey. scale: tiles of a cell, here always NEAR. A view is a Box of the map in
    cells; it may lie partly or wholly beyond the map, where it is dark. still: nothing moves but people. canvas: the
    last frame; bodies, words: the cells that people and texts covered in it, in the view's own cells. chip, bright:
    (text, background) colours of words; said: colour of lines in bubbles; as the canvas encodes colours. Set for the
    next frame: lids: cells of the view that something else covers; links: who talks with whom; weather.
    """

    ascii_only = False
    styler = staticmethod(rgb_style)
    chip: tuple[int, int] = (0xA2AAB8, 0x1B2130)
    bright: tuple[int, int] = (RING, PANEL)
    said = PAPER

    def __init__(self, picture: Picture, palette: str = "default", scale: MapScale = NEAR) -> None:
        self.picture, self.palette, self.scale = picture, palette, scale
        self.still = False
        self.bodies: dict[str, Box] = {}
        self.words: list[Box] = []
        self.lids: Sequence[Box] = ()
        self.links: Sequence[TalkLink] = ()
        self.weather = CLEAR
        self._wet: tuple[object, Mask] = ((), np.zeros((0, 0), np.bool_))  # (rain, roofs), tiles it falls on
        self._ink = Inker(self.styler)
        self._state: State = (-1, {}, frozenset(), CLEAR)
        self._base: Packed = np.zeros((0, 0), np.uint32)
        self._view: Box | None = None
        self.canvas = Canvas(0, 0)
        self._placed: list[PlacedBubble] = []
        self._lines: dict[int, list[Segment]] = {}

    def compose(
        self,
        view: Box,
        second_of_day: int,
        figures: Sequence[MapFigure],
        bubbles: Sequence[Bubble] = (),
        roofs: Mapping[str, float] | None = None,
        lit: Collection[str] = (),
        frame: int = 0,
        over: Callable[[Canvas], None] | None = None,
    ) -> FrameChange:
        """Draw a frame and return what changed.

        roofs: sector -> alpha of its roof, 1 closed (default) .. 0 open; lit: sectors with somebody awake inside;
        frame: a counter that moves water and smoke; over: writes more on the finished frame.
        """
        alpha = dict(roofs or {})
        step = tint_step(second_of_day)
        self._light(step, alpha, frozenset(lit))
        canvas = Canvas(max(0, view.height), max(0, view.width), self.ascii_only)
        seen = [self._lain(f) for f in figures if not self._hidden(f, alpha)]
        self.bodies, self.words = {}, []
        self._paint(canvas, view, sorted(seen, key=lambda f: (f.feet, f.x, f.id)), bubbles, frame)
        if over is not None:
            over(canvas)
        before, self.canvas = self.canvas, canvas
        if self._view != view:
            self._view = view
            self._lines.clear()
            rows = tuple(range(canvas.height))
            return FrameChange(True, rows, tuple((y, 0, canvas.width) for y in rows))
        mask = canvas.changed(before)
        rows = tuple(np.flatnonzero(mask.any(1)).tolist())
        for y in rows:
            self._lines.pop(y, None)
        return FrameChange(False, rows, tuple(spans_of(mask)))

    def line(self, row: int) -> list[Segment]:
        """A row of the last frame (0 = top of the view) as segments; the list is shared: do not change it."""
        if row not in self._lines:
            missing = [y for y in range(self.canvas.height) if y not in self._lines] if row >= 0 else []
            if row not in missing:
                return []
            self._lines.update(zip(missing, self._ink.segments(self.canvas, missing), strict=True))
        return self._lines[row]

    def mood_ink(self, mood: str) -> int:
        """A mood's colour, as the canvas encodes colours."""
        return mood_colour(mood, self.palette)

    def say(self, canvas: Canvas, x: int, y: int, text: str, ink: int, ground: int) -> None:
        """Write bold text and add its area to `words`."""
        canvas.write(x, y, text, ink, ground, bold=True)
        self.words.append(Box(x, y, cell_len(text), 1))

    def _hidden(self, figure: MapFigure, alpha: Mapping[str, float]) -> bool:
        """Whether a roof hides a person; from afar, people who are awake show through roofs."""
        return (figure.asleep or self.scale == NEAR) and self.picture.covered(figure.column, figure.row, alpha)

    def _lain(self, figure: MapFigure) -> MapFigure:
        """The figure; a sleeper is moved to the middle of the bed."""
        shift = self.picture.pillow(figure.column, figure.row) if figure.asleep else 0
        return figure._replace(x=figure.x - shift) if shift else figure

    def _light(self, step: int, alpha: dict[str, float], lit: frozenset[str]) -> None:
        """Update the tinted pixels: all at a new step or weather, else only houses that changed."""
        now = (step, alpha, lit, self.weather)
        if self._state == now:
            return
        old_step, old_alpha, old_lit, old_weather = self._state
        if old_step != step or old_weather != self.weather:
            self._base = self.picture.pixels(step, alpha, lit, weather=self.weather)
        else:
            houses = {n for n in {*alpha, *old_alpha} if alpha.get(n, 1.0) != old_alpha.get(n, 1.0)}
            if light_at(step).lamp > 0.01:
                houses |= lit ^ old_lit
            for name in sorted(houses):
                if area := self.picture.reach_of(name):
                    self._base[area.within()] = self.picture.pixels(step, alpha, lit, area, self.weather)
        self._state = now

    def _paint(
        self, canvas: Canvas, view: Box, figures: list[MapFigure], bubbles: Sequence[Bubble], frame: int
    ) -> None:
        pixels = crop(self._base, view)
        if not self.still:
            self._move(pixels, view, frame)
        self._rain(pixels, view, frame)
        self._people(pixels, view, figures)
        canvas.fg[:], canvas.bg[:] = pixels[0::2], pixels[1::2]
        self.bodies = {f.id: figure_area(f, view.x, view.y) for f in figures}
        self._words(canvas, view, figures)
        self._speak(canvas, view, bubbles, self.lids)

    def _speak(self, canvas: Canvas, view: Box, bubbles: Sequence[Bubble], lids: Sequence[Box] = ()) -> None:
        before = self._placed if self._view == view else ()
        self._placed = place_bubbles(bubbles, self.bodies, view, before, self.words, lids)
        for placed in self._placed:
            draw_bubble(canvas, placed, Inks(self.mood_ink(placed.bubble.mood), self.bright[1], self.said))
            self.words.append(placed.area)

    def _move(self, pixels: Packed, view: Box, frame: int) -> None:
        motion = self.picture.motion
        rows, columns = glints(motion, frame)
        rows, columns = rows - 2 * view.y, columns - view.x
        keep = _inside(pixels, rows, columns)
        rows, columns = rows[keep], columns[keep]
        pixels[rows, columns] = shade_colours(pixels[rows, columns], 1.16)
        step, alpha, lit, _ = self._state
        smoking = {n for n in lit if alpha.get(n, 1.0) > 0.5}
        for puff in smoke(motion, smoking, frame):
            y, x = puff.row - 2 * view.y, puff.column - view.x
            if 0 <= y < pixels.shape[0] and 0 <= x < pixels.shape[1]:
                under = unpack_colours(pixels[y : y + 1, x])
                grey = SMOKE_GREY * (0.35 + 0.65 * light_at(step).multiply)
                pixels[y, x] = pack_colours(under + (grey - under) * puff.share)[0]

    def _rain(self, pixels: Packed, view: Box, frame: int) -> None:
        """Draw strokes of rain; they do not move if `still`."""
        seen = self._strokes(view, frame)
        if seen is not None and seen.any():
            veil = STROKE * (0.35 + 0.65 * light_at(self._state[0]).multiply)
            under = unpack_colours(pixels[seen])
            pixels[seen] = pack_colours(under + (veil - under) * np.float32(VEIL))

    def _strokes(self, view: Box, frame: int) -> Mask | None:
        """The pixels of the view with a stroke of rain; None if it rains nowhere."""
        if not self.weather.rain:
            return None
        alpha = self._state[1]
        if self._wet[0] != (self.weather.rain, alpha):
            wet = falls_on(self.picture.terrain, self.weather.rain, alpha)
            self._wet = ((self.weather.rain, alpha), wet)
        return strokes(view, 0 if self.still else frame, self._wet[1], self.scale)

    def _people(self, pixels: Packed, view: Box, figures: list[MapFigure]) -> None:
        shadow: set[tuple[int, int]] = set()
        painted: list[tuple[int, int, int, float]] = []  # row, column, colour, darkness there (0..1)
        step, _, lit, _ = self._state
        lamp = light_at(step).lamp
        seen = {figure.id: figure for figure in figures}
        for a, b, how in self.links:
            if a in seen and b in seen:
                line = link_pixels(seen[a], seen[b], how, self.palette)
                painted += [(y - 2 * view.y, x - view.x, colour, 0.0) for y, x, colour in line]
        for figure in figures:
            x, y = figure.column - view.x, figure.feet - 2 * view.y
            if not (-3 < x < view.width + 1 and -2 < y < 2 * view.height + 6):
                continue
            if not figure.asleep:
                shadow |= {(y + 1, x), (y + 1, x + 1), (y, x + 2)}
            home = self.picture.sector_at(figure.column, figure.row)
            gloom = lamp * (0.25 if home in lit else 1.0)
            for dy, dx, colour in (*(ring() if figure.selected else ()), *dots(figure, self.palette)):
                painted.append((y + dy, x + dx, colour, 0.0 if figure.selected else gloom))
        if shadow:
            at = np.array(sorted(shadow), np.intp)
            at = at[_inside(pixels, at[:, 0], at[:, 1])]
            pixels[at[:, 0], at[:, 1]] = shade_colours(pixels[at[:, 0], at[:, 1]], SHADOW)
        if painted:
            ys, xs, colours, dark = (np.array(part) for part in zip(*painted, strict=True))
            keep = _inside(pixels, ys, xs)
            tone = 1 + (NIGHT_SKIN - 1) * dark[keep, None].astype(np.float32)
            pixels[ys[keep], xs[keep]] = pack_colours(unpack_colours(colours[keep].astype(np.uint32)) * tone)

    def _mood(self, figure: MapFigure) -> int:
        return self.mood_ink(figure.mood)

    def _marks(self, canvas: Canvas, figures: list[MapFigure], ink: Callable[[MapFigure], int]) -> None:
        """Write marks above heads, unless a person who is one cell stands there."""
        taken = set(self.bodies.values())
        for figure in figures:
            x, y, _, _ = self.bodies[figure.id]
            if (mark := fit_text(figure.mark, 2)) and Box(x, y - 1, 1, 1) not in taken:
                self.say(canvas, x, y - 1, mark, ink(figure), self.bright[1])

    def _words(self, canvas: Canvas, view: Box, figures: list[MapFigure]) -> None:
        """Write marks above heads, then names beside people."""
        self._marks(canvas, figures, self._mood)
        for figure in figures:
            if figure.name_shown or figure.selected:
                body = self.bodies[figure.id]
                if figure.selected:  # the ring reaches below the feet
                    body = body._replace(height=body.height + 1)
                self._name(canvas, view, figure, f" {fit_text(figure.name, NAME_CELLS)} ", body)

    def _name(self, canvas: Canvas, view: Box, figure: MapFigure, name: str, body: Box) -> None:
        """Write a person's name beside their body."""
        others = [area for id_, area in self.bodies.items() if id_ != figure.id]
        chip = name_area(cell_len(name), body, others, self.words, view)
        self.say(canvas, chip.x, chip.y, name, self._colour(figure), self.bright[1])

    def _colour(self, figure: MapFigure) -> int:
        """The colour of a person's name."""
        return self.bright[0] if figure.selected else self._mood(figure)


def crop(base: Packed, view: Box) -> Packed:
    """The pixels of a view (in cells); dark beyond the map."""
    return crop_to_view(base, Box(view.x, 2 * view.y, view.width, 2 * view.height), DARK)


def _inside(pixels: Packed, rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    out: npt.NDArray[np.bool_] = (rows >= 0) & (rows < pixels.shape[0]) & (columns >= 0) & (columns < pixels.shape[1])
    return out
