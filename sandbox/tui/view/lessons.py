"""Hints for the first hour of playing somebody: one at a time, the most helpful first, until each was followed.

What the player has done is read from the save, so hints stay right after a restart. After an hour of town time no
hint is shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from sandbox.core.clock import HOUR, MINUTE
from sandbox.people.played import WORDED, pending_question
from sandbox.play.model import Bidden, Headed, PlayEnded, Replied, Wished
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import Line, ink
from sandbox.tui.view.viewer import Viewer

LASTS = HOUR  # seconds of town time from when somebody was first played
WAITED = 15 * MINUTE  # seconds of it after which the player has seen time pass
KEY = re.compile(r"\{([a-z_.]+)\}")


class Lesson(NamedTuple):
    """A hint. says: text with {action id} for its key; done: whether it was followed; fits: whether it applies now."""

    says: str
    done: Callable[[Viewer], bool]
    fits: Callable[[Viewer], bool] = lambda viewer: True

    def line(self, viewer: Viewer, keymap: Mapping[str, str]) -> Line:
        """The hint as a line, with the keys as they are set."""
        out: Line = [ink(f"{viewer.name(viewer.plays)}: ", "accent")]
        for n, part in enumerate(KEY.split(self.says)):
            out.append(ink(first_key(part, keymap), "accent", bold=True) if n % 2 else ink(part, "text"))
        return out


def _did(kind: str) -> Callable[[Viewer], bool]:
    """A test whether the player has done an act of that kind in this save."""
    return lambda viewer: kind in viewer.world.played.did


def _on_map(viewer: Viewer) -> bool:
    """Whether keys go to the map; a list takes the arrows and enter for itself."""
    return viewer.on_map


def _company(viewer: Viewer) -> bool:
    """Whether somebody else is in sight."""
    return len(viewer.view.rows(viewer.world.now)) > 1


def _played(viewer: Viewer) -> int:
    """Seconds of town time since somebody was first played in this save; LASTS if nobody ever was."""
    played = viewer.world.played
    return viewer.world.now - played.since if played.since >= 0 else LASTS


def _looked(viewer: Viewer) -> bool:
    """Whether the player has opened their own page, or has had long enough to."""
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
    """The hint to show while time stands and somebody is played; an empty line if there is none."""
    if not viewer.plays or viewer.pace.running or not viewer.settings.on("hints") or _played(viewer) >= LASTS:
        return []
    lesson = next((x for x in LESSONS if not x.done(viewer) and x.fits(viewer)), None)
    return lesson.line(viewer, keymap) if lesson is not None else []
