"""The camera that looks around by itself: what could be watched, which of it is worth most, and when to go there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from sandbox.engine.view import PersonRow
from sandbox.tui.speech import RANK, Turn, mark
from sandbox.tui.viewer import Viewer

AFTER = 8.0  # seconds without a key before it begins
STAY = 8.0  # seconds it stays at a scene, at least
REACH_X, REACH_Y = 12.0, 7.0  # tiles about a scene that count as its crowd


class Scene(NamedTuple):
    """Something to watch. key: what makes it the same scene later; mark: of its talk, "" without one; change: how far
    the talk moves moods; favourites, crowd: how many of them are there, awake.
    """

    key: str
    x: float
    y: float
    mark: str = ""
    change: float = 0.0
    favourites: int = 0
    crowd: int = 0


def score(scene: Scene) -> tuple[int, int, int, float]:
    """What a scene is worth, to be compared: its talk first (a row, tenderness, gossip, any talk, none), then
    favourites, then the crowd; of equal ones the talk that moves moods farther.
    """
    return RANK.get(scene.mark, -1), scene.favourites, scene.crowd, scene.change


def scenes(rows: Sequence[PersonRow], turns: Iterable[Turn], favourites: Collection[str]) -> list[Scene]:
    """All that can be watched now: each talk, and each person awake with those around."""
    awake = {row.id: row for row in rows if row.awake}
    out = []
    for turn in turns:
        who = [awake[id] for id in turn.who if id in awake]
        if who:
            x, y = sum(r.x for r in who) / len(who), sum(r.y for r in who) / len(who)
            scene = _scene(turn.talk, x, y, awake.values(), favourites)
            out.append(scene._replace(mark=mark(turn), change=turn.change))
    out += [_scene(row.id, row.x, row.y, awake.values(), favourites) for row in awake.values()]
    return out


def _scene(key: str, x: float, y: float, rows: Iterable[PersonRow], favourites: Collection[str]) -> Scene:
    near = [row for row in rows if abs(row.x - x) <= REACH_X and abs(row.y - y) <= REACH_Y]
    return Scene(key, x, y, favourites=sum(row.id in favourites for row in near), crowd=len(near))


def left_alone(viewer: Viewer) -> bool:
    """Whether somebody watches without doing anything while time runs, and has not switched the camera off."""
    busy = viewer.selected or viewer.hovered or not viewer.pace.running or viewer.idle < AFTER
    return viewer.settings.on("auto_camera") and not busy


class Roaming:
    """Chooses where to look, and stays there for a while."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since = 0.0
        self.at: Scene | None = None

    def rest(self) -> None:
        """It does not roam now."""
        self.at = None

    def aim(self, found: Callable[[], list[Scene]]) -> Scene | None:
        """The scene to look at. found: tells what there is; asked only when it is time to choose."""
        now = self._clock()
        if self.at is None or now - self._since >= STAY:
            best = max(found(), key=lambda scene: (score(scene), scene.key), default=None)
            if best is not None:
                self._since = now
                if self.at is None or best.mark or self.at.mark or not _close(best, self.at):
                    self.at = best
        return self.at


def _close(a: Scene, b: Scene) -> bool:
    """Whether two scenes are so near each other that it is not worth moving between them."""
    return abs(a.x - b.x) <= REACH_X / 2 and abs(a.y - b.y) <= REACH_Y / 2
