"""Each person's moods of the last hours, and how often others talked about them, for lists of people.

Collected from the records of each step and bounded, so that a sparkline need not read the log.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Sequence

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Record
from sandbox.engine.view import View
from sandbox.people.mood import CAUSES_KEPT, Mood, clip, fade, rest_at
from sandbox.people.mood_queries import half_life
from sandbox.readers.all_stories import STORIES, event_moods
from sandbox.tui.view.text_lines import Ink, Line, ink

SPAN = 6 * HOUR  # seconds a sparkline covers
APART = 300  # seconds; of moods closer together only the last is kept
MOODS = SPAN // APART + 8  # moods kept of each person: SPAN and a few more
NAMED = 256  # mentions kept of each person
BLOCKS = "▁▂▃▄▅▆▇"
TOP = 0.8  # pleasure at which a sparkline is full
PLAIN = 0.1  # a pleasure below minus this is coloured as a bad mood


class RecentMoods:
    """Per person the latest (second, pleasure), and the seconds at which others named them in their absence."""

    def __init__(self) -> None:
        self._felt: dict[str, deque[tuple[int, float]]] = {}
        self._named: dict[str, deque[int]] = {}

    def clear(self) -> None:
        """Forget everything, because the town jumped to another moment."""
        self._felt.clear()
        self._named.clear()

    def saw(self, records: Iterable[Record]) -> None:
        """Take in a finished step, or a stretch of the log."""
        for record in records:
            t, e = record.stamp.t, record.event
            for m in event_moods(record):
                self._feel(m.who, t, m.after[0])
            for about in STORIES[type(e)].absent(e):
                self._named.setdefault(about, deque(maxlen=NAMED)).append(t)

    def _feel(self, who: str, t: int, pleasure: float) -> None:
        felt = self._felt.setdefault(who, deque(maxlen=MOODS))
        if len(felt) > 1 and t - felt[-2][0] < APART:
            felt.pop()
        felt.append((t, pleasure))

    def named(self, who: str, t: float) -> int:
        """How often others named somebody in the day before second t; at most NAMED."""
        named = self._named.get(who, ())
        return bisect_right(named, t) - bisect_left(named, t - DAY)

    def felt(self, view: View, who: str, t: float, cells: int, span: int = SPAN) -> list[float | None]:
        """Somebody's pleasure over the `span` seconds before t, at the end of each of `cells` equal parts.

        Between two known moods it decays as moods do. None: before the world began, or before what is known.
        """
        world = view.world
        mood = world.people.residents[who].mood
        half = half_life(world, who)
        points = [*self._felt.get(who, ())]
        if not points or points[-1][0] < mood.t:
            points.append((mood.t, mood.pad.p))
        if points[0][0] > t - span:
            points = [*_recalled(mood, points[0][0], half), *points]
        out: list[float | None] = []
        for cell in range(cells):
            at = t - span + (cell + 1) * span / cells
            i = bisect_right(points, at, key=lambda point: point[0]) - 1
            if i < 0 or at < 0:
                out.append(None)
            else:
                since, pleasure = points[i]
                out.append(_faded(mood, pleasure, since, at, half))
        return out


def _recalled(mood: Mood, before: int, half: float) -> list[tuple[int, float]]:
    """(second, pleasure) before that second, rebuilt from the mood's ledger of causes; as far back as it reaches."""
    since, pleasure = 0, mood.rest.p
    out = [(since, pleasure)] if len(mood.causes) < CAUSES_KEPT and before > 0 else []  # a ledger not full begins at 0
    for cause in mood.causes:
        if cause.t >= before:
            break
        pleasure = clip(_faded(mood, pleasure, since, cause.t, half) + cause.p)
        since = cause.t
        out.append((since, pleasure))
    return out


def _faded(mood: Mood, pleasure: float, since: int, t: float, half: float) -> float:
    """Pleasure at second t, decayed from its value at `since`, if only time and marks have moved it in between."""
    return clip(rest_at(mood, t).p + (pleasure - rest_at(mood, since).p) * fade(t - since, half))


def sparkline(values: Sequence[float | None], usual: Ink, now: int) -> Line:
    """Pleasures in [-1, 1] as blocks, one cell each, in the ink `usual`; bad ones in COOL, the last in `now`."""
    out: Line = []
    for i, value in enumerate(values, 1):
        if value is None:
            out.append(ink(" "))
            continue
        level = int((value + TOP) / (2 * TOP) * len(BLOCKS))
        fg = now if i == len(values) else "cool" if value < -PLAIN else usual
        out.append(ink(BLOCKS[max(0, min(len(BLOCKS) - 1, level))], fg))
    return out
