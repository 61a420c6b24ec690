"""The first hour of being somebody: one short hint at a time, in the order in which it helps, until its thing was done.

What was done is what the save says, so it is still right after a restart; after an hour of the town's time no hint is
shown any more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from sandbox.core.clock import HOUR, MINUTE
from sandbox.people.played import WORDED, pending_question
from sandbox.play.model import Bidden, Headed, PlayEnded, Replied, Wished
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import GOLD, TEXT, Line, ink
from sandbox.tui.view.viewer import Viewer

LASTS = HOUR  # of the town's time, from when somebody was first played
WAITED = 15 * MINUTE  # of it after which one has seen time pass
KEY = re.compile(r"\{([a-z_.]+)\}")


class Lesson(NamedTuple):
    """A hint. says: with {key of an action}; done: whether its thing was done; fits: whether it can be done now."""

    says: str
    done: Callable[[Viewer], bool]
    fits: Callable[[Viewer], bool] = lambda viewer: True

    def line(self, viewer: Viewer, keymap: Mapping[str, str]) -> Line:
        """It in words, with the keys as they are set."""
        out: Line = [ink(f"{viewer.name(viewer.plays)}: ", GOLD)]
        for n, part in enumerate(KEY.split(self.says)):
            out.append(ink(first_key(part, keymap), GOLD, bold=True) if n % 2 else ink(part, TEXT))
        return out


def _did(kind: str) -> Callable[[Viewer], bool]:
    """Whether such a thing was done by hand in this save."""
    return lambda viewer: kind in viewer.world.played.did


def _on_map(viewer: Viewer) -> bool:
    """Whether keys go to the map: in a list the arrows and enter are the list's."""
    return viewer.on_map


def _company(viewer: Viewer) -> bool:
    """Whether somebody else is in sight."""
    return len(viewer.view.rows(viewer.world.now)) > 1


def _played(viewer: Viewer) -> int:
    """Seconds of the town since somebody was first played in this save."""
    played = viewer.world.played
    return viewer.world.now - played.since if played.since >= 0 else LASTS


def _looked(viewer: Viewer) -> bool:
    """Whether one has had the time to look at one's own page, or has."""
    return "pane.person" in viewer.learnt or _played(viewer) >= LASTS // 2


LESSONS = (
    Lesson(
        "choose an answer, enter gives it",
        _did(Replied.KIND),
        lambda viewer: pending_question(viewer.world) is not None,
    ),
    Lesson(
        "choose what to say, enter says it; the last row takes your own words",
        _did(Wished.KIND),
        lambda viewer: viewer.sheet_kind == "acts",
    ),
    Lesson("the arrows walk, with shift farther", _did(Headed.KIND), _on_map),
    Lesson(
        "{town.next} chooses somebody in sight, {chosen.open}: what to say to them",
        _did(Wished.KIND),
        lambda viewer: _on_map(viewer) and _company(viewer),
    ),
    Lesson("walk to where people are, to speak to somebody", _did(Wished.KIND)),
    Lesson("{time.step} waits ten seconds, {time.pause} lets time run", lambda viewer: _played(viewer) >= WAITED),
    Lesson("{go.out}, then {play.act}: what there is to do", _did(Bidden.KIND)),
    Lesson("{play.act} on somebody, the last row: say it in your own words", _did(WORDED), _company),
    Lesson("{pane.person} is your own page: how you are, what presses you", _looked),
    Lesson("{play.as} gives you back to the town", _did(PlayEnded.KIND)),
)


def hint(viewer: Viewer, keymap: Mapping[str, str]) -> Line:
    """The hint for whoever is played, while time stands; nothing if there is none to give."""
    if not viewer.plays or viewer.pace.running or not viewer.settings.on("hints") or _played(viewer) >= LASTS:
        return []
    lesson = next((x for x in LESSONS if not x.done(viewer) and x.fits(viewer)), None)
    return lesson.line(viewer, keymap) if lesson is not None else []
