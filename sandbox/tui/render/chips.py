"""Where a person's name stands: below the feet, else where it covers nobody and no other name."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.tui.render.cells import Area


def beside(wide: int, body: Area, people: Sequence[Area], words: Sequence[Area], view: Area) -> Area:
    """The place of a name of so many cells. body: the cells of whose it is; people: of all the others.

    Below is best, then above, right and left, then lower and higher. A person or another name is covered only where
    every place would cover one.
    """
    x = body.x + body.width // 2 - wide // 2
    bottom, middle = body.y + body.height, body.y + body.height // 2
    places = [
        Area(x, bottom, wide, 1),
        Area(x, body.y - 1, wide, 1),
        Area(body.x + body.width, middle, wide, 1),
        Area(body.x - wide, middle, wide, 1),
        *(Area(x, bottom + down, wide, 1) for down in (1, 2, 3, 4)),
        *(Area(x, body.y - 1 - up, wide, 1) for up in (1, 2, 3)),
        *(Area(side, y, wide, 1) for side in (body.x + body.width, body.x - wide) for y in (body.y, bottom)),
    ]

    def cost(place: Area) -> float:
        beyond = wide - place.overlap(Area(0, 0, view.width, view.height))
        covered = sum(place.overlap(area) for area in (*people, *words))
        return 20.0 * covered + 4.0 * beyond + places.index(place)

    return min(places, key=cost)
