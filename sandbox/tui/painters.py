"""Which painter draws the town: by the settings, by what the terminal can show, and by how far away one is."""

from __future__ import annotations

from sandbox.town.plan import Plan
from sandbox.tui.render.far import NEAR, FarPainter, Scale
from sandbox.tui.render.letters import AsciiPainter, LetterPainter
from sandbox.tui.render.painter import Painter
from sandbox.tui.render.picture import Picture
from sandbox.tui.settings import Settings

KEPT = 2
_pictures: list[Picture] = []


def picture_of(plan: Plan) -> Picture:
    """The picture of a plan. The last few are kept: a replay shows the town that waits behind it."""
    found = next((picture for picture in _pictures if picture.plan is plan or picture.plan == plan), None)
    if found is None:
        found = Picture(plan)
        _pictures.append(found)
        del _pictures[:-KEPT]
    return found


def glyphs(setting: str, colours: str | None) -> str:
    """pictures, letters or ascii. colours: rich's name for what the terminal can show; None is none at all."""
    if setting != "auto":
        return setting
    return "pictures" if colours in ("256", "truecolor") else "letters"


def painter_for(picture: Picture, settings: Settings, colours: str | None, scale: Scale = NEAR) -> Painter:
    """A painter of cells that are `scale` tiles."""
    palette = settings["palette"]
    kind = glyphs(settings["glyphs"], colours)
    painter: Painter
    if kind == "pictures":
        painter = Painter(picture, palette) if scale == NEAR else FarPainter(picture, palette, scale)
    else:
        letters = AsciiPainter if kind == "ascii" else LetterPainter
        painter = letters(picture, palette, scale, paper=not settings.theme.dark)
    painter.still = painter.still or settings["motion"] == "reduced"
    return painter
