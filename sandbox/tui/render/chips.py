"""Where a person's name stands: below the feet, else where it covers nobody and no other name."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.tui.render.bubbles import Area


def beside(wide: int, body: Area, people: Sequence[Area], words: Sequence[Area], view: Area) -> Area:
    """The place of a name of so many cells. body: the cells of whose it is; people: of all the others.

    Below is best, then above, right and left, then lower; to cover another name is worse than to cover people.
    """
    x = body.x + body.width // 2 - wide // 2
    bottom, middle = body.y + body.height, body.y + body.height // 2
    places = [
        Area(x, bottom, wide, 1),
        Area(x, body.y - 1, wide, 1),
        Area(body.x + body.width, middle, wide, 1),
        Area(body.x - wide, middle, wide, 1),
        *(Area(x, bottom + down, wide, 1) for down in (1, 2, 3, 4)),
    ]

    def cost(place: Area) -> float:
        beyond = wide - place.overlap(Area(0, 0, view.width, view.height))
        covered = sum(place.overlap(area) for area in people)
        return 8.0 * sum(place.overlap(area) for area in words) + 2.0 * covered + 4.0 * beyond + places.index(place)

    return min(places, key=cost)
