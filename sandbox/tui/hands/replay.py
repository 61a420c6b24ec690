"""A replay: back and forth in what was lived, bookmarks, and going on live from there."""

from __future__ import annotations

from sandbox.core.clock import HOUR
from sandbox.tui.action import REPLAY, Action
from sandbox.tui.leaves.marks import MarksLeaf, toggle_mark
from sandbox.tui.replaying import jump_by, step_back
from sandbox.tui.stage import Stage


def marks(stage: Stage) -> None:
    """The bookmarks."""
    if not stage.close_kind(MarksLeaf.kind) and stage.scrubber.tape is not None:
        stage.open_sheet(MarksLeaf(stage, stage.scrubber.tape))


# fmt: off
ACTIONS: tuple[Action[Stage], ...] = (
    Action("replay.back", "comma", "back", "One step back.",
           step_back, "replay: one step back", rank=2, when=REPLAY),
    Action("replay.hour_back", "left_curly_bracket", "hour back", "An hour back.",
           lambda stage: jump_by(stage, -HOUR), "replay: an hour back", rank=3, when=REPLAY),
    Action("replay.hour_on", "right_curly_bracket", "hour on", "An hour on.",
           lambda stage: jump_by(stage, HOUR), "replay: an hour on", rank=3, when=REPLAY),
    Action("replay.mark", "B", "", "Put a bookmark to this moment, or take it away.",
           toggle_mark, "replay: bookmark", rank=3),
    Action("replay.marks", "", "", "Bookmarks of this save; go to one.",
           marks, "replay: go to a bookmark", when=REPLAY),
    Action("replay.branch", "b", "live on", "Go on live from here, in a save of its own.",
           lambda stage: stage.house.branch(stage.viewer), "replay: go on live from here", rank=3, when=REPLAY),
    Action("replay.leave", "r", "leave", "Back to the town that lives, or to the menu.",
           lambda stage: stage.house.leave_replay(), "replay: leave", rank=0, when=REPLAY),
)
