"""What lies at a place of the map, in words; and the cursor that is moved over it by keys."""

from __future__ import annotations

from collections.abc import Mapping

from sandbox.core.text import clean
from sandbox.tui.ink import DIM, FAINT, GOLD, SOFT, Line, apart, ink, outside
from sandbox.tui.persons.words import title
from sandbox.tui.render.picture import Picture
from sandbox.tui.viewer import Viewer

PLAIN = frozenset(("ground", "wall"))  # kinds of tiles that need no name beside their place's


def place_words(viewer: Viewer, picture: Picture, x: int, y: int, roofs: Mapping[str, float]) -> str:
    """What lies on a tile: "oven, the bakery"; under a closed roof the building alone; "" beyond the map."""
    town = viewer.world.map
    if not picture.holds(x, y):
        return ""
    sector = picture.sector_at(x, y)
    if picture.covered(x, y, roofs):
        return viewer.world.handbook.place(sector)
    glyph = picture.plan.legend.get(picture.plan.rows[y][x])
    thing = clean(glyph.name, 30) if glyph is not None and glyph.kind not in PLAIN else ""
    address = town.area_of[y * town.width + x] or sector
    room = address.split(" / ")[1] if " / " in address else ""
    parts = [thing, room, viewer.world.handbook.place(address) if address else ""]
    if not address:
        parts = [thing or (clean(glyph.name, 30) if glyph is not None else "")]
    out: list[str] = []
    for part in parts:
        if part and not any(part in other for other in out):
            out.append(part)
    return clean(", ".join(out), 80)


def look_line(viewer: Viewer, who: str, place: str, width: int) -> Line:
    """The line at the map's foot while there is a cursor. who: who stands there, or ""."""
    if who:
        row = viewer.view.row(who, viewer.shown)
        says = [outside(title(viewer, who), GOLD, bold=True), ink("  "), outside(row.doing)]
        keys = [ink("enter ", GOLD), ink("choose", SOFT), ink("  esc ", GOLD), ink("end", SOFT)]
    else:
        says = [outside(place)] if place else [ink("beyond the map", FAINT)]
        keys = [ink("esc ", GOLD), ink("end", SOFT)]
    return apart([ink("look ", DIM), *says], keys, width)
