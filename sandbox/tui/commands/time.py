"""Actions of time: pause, step, speed, run to something; in a replay back and forth, bookmarks, go on live from there.
While a question waits for an answer, no key lets time go on.
"""

from __future__ import annotations

from sandbox.core.clock import HOUR
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.replay_jumps import go_to_notable, go_to_row, jump_by, jump_to, step_back
from sandbox.tui.sheets.asking import WAITS
from sandbox.tui.sheets.page import page_of
from sandbox.tui.sheets.until import MarksSheet, UntilSheet, toggle_mark
from sandbox.tui.view.action import GO_ON, LIVE, REPLAY, Action
from sandbox.tui.view.log_queries import talk_story
from sandbox.tui.view.ports import until_stop
from sandbox.tui.view.replay_log import notable_from


def pause(layout: TownLayout) -> None:
    """Pause, or go on; nothing while a question waits for an answer."""
    if not layout.viewer.pace.stands_for(WAITS):
        layout.viewer.pace.toggle()


def make_step(layout: TownLayout) -> None:
    """Make one step and stay paused after it; nothing while a question waits for an answer."""
    if not layout.viewer.pace.stands_for(WAITS):
        layout.viewer.pace.ask_step().add_done_callback(lambda _: _stepped(layout))


def _stepped(layout: TownLayout) -> None:
    if layout.is_attached:
        layout.viewer.bubbles.forget()
        layout.town.pull()
        layout.update()


async def to_next(layout: TownLayout) -> None:
    """Run to the next notable event; as somebody, to the next about them. Sheets would hide it, so they are closed."""
    layout.close_all()
    if layout.viewer.replaying:
        if not await _ended_day(layout):
            await _stand_at(layout, 1)
    else:
        layout.guard.run(until_stop(layout.viewer))


async def to_last(layout: TownLayout) -> None:
    """Show the last notable event."""
    layout.close_all()
    viewer = layout.viewer
    if viewer.replaying:
        await _stand_at(layout, -1)
        return
    number = viewer.chronicle.last(lambda row: row.weight >= viewer.notable.line)
    if number is None and not viewer.past.whole:
        viewer.past.want()
        layout.notify("The log is still being read; try again in a moment.", timeout=3)
    elif number is None:
        layout.notify("Nothing notable has happened yet.", timeout=3)
    else:
        go_to_row(layout, number)


async def _ended_day(layout: TownLayout) -> bool:
    """If a replay's next notable event is on another day, stop at midnight with the day's page; return whether so."""
    viewer = layout.viewer
    clock, number = viewer.world.clock, notable_from(viewer, viewer.shown, 1)
    day = clock.day(int(viewer.shown))
    if number is None or clock.day(viewer.chronicle[number].t) == day or not viewer.settings.on("quiet_skip"):
        return False
    if await jump_to(layout, clock.midnight(day + 1)):
        viewer.pace.arrive(f"the end of day {day}")
        layout.open_sheet(await page_of(layout, day))
    return True


async def _stand_at(layout: TownLayout, by: int) -> None:
    """Jump to a notable event of a replay, and show it as a stop. by: 1 = the next, -1 = the last before."""
    number = await go_to_notable(layout, by)
    if number is None:
        return
    viewer = layout.viewer
    row = viewer.chronicle[number]
    viewer.recalled = await talk_story(viewer, row.talk) if row.talk else None
    layout.guard.stop_at(number)


# fmt: off
ACTIONS: tuple[Action[TownLayout], ...] = (
    Action("time.pause", "space", "pause", "Pause, or let time go on; also after a stop.",
           pause, "time: pause or go on", rank=0),
    Action("time.step", "full_stop", "step", "Make one step, and stand still.", make_step, "time: one step", rank=4),
    Action("time.slower", "less_than_sign", "slower", "Slow down: max, fast, normal, slow.",
           lambda layout: layout.viewer.pace.faster(-1), "time: slower", rank=4),
    Action("time.faster", "greater_than_sign", "faster", "Speed up: slow, normal, fast, max.",
           lambda layout: layout.viewer.pace.faster(1), "time: faster", rank=3),
    Action("time.next", "n", "next event",
           "Run to the next notable event, and go there; as somebody, to what is about them.",
           to_next, "time: next notable event", rank=1),
    Action("time.last", "N", "", "Go to the last notable event.", to_last, "time: last notable event"),
    Action(GO_ON, "m", "go on", "While waiting for the model: go on without it.",
           lambda layout: layout.viewer.pace.stop_waiting(), "time: go on without the model", rank=0, when=LIVE),
    Action("time.until", "u", "until", "Run until an hour, the morning, a talk, a mood ...",
           lambda layout: layout.toggle(UntilSheet), "time: run until", rank=4),
    Action("time.rewind", "r", "rewind", "Watch again what has happened, from this moment.",
           lambda layout: layout.program.rewind(layout.viewer), "time: rewind", rank=4, when=LIVE),
    Action("replay.back", "comma", "back", "One step back.",
           step_back, "replay: one step back", rank=2, when=REPLAY),
    Action("replay.hour_back", "left_curly_bracket", "hour back", "An hour back.",
           lambda layout: jump_by(layout, -HOUR), "replay: an hour back", rank=3, when=REPLAY),
    Action("replay.hour_on", "right_curly_bracket", "hour on", "An hour on.",
           lambda layout: jump_by(layout, HOUR), "replay: an hour on", rank=3, when=REPLAY),
    Action("replay.mark", "B", "", "Put a bookmark at this moment, or remove it.",
           toggle_mark, "replay: bookmark", rank=3),
    Action("replay.marks", "", "", "Bookmarks of this save; go to one.",
           lambda layout: layout.toggle(MarksSheet), "replay: go to a bookmark", when=REPLAY),
    Action("replay.branch", "b", "live on", "Go on live from here, in a save of its own.",
           lambda layout: layout.program.branch(layout.viewer), "replay: go on live from here", rank=3, when=REPLAY),
    Action("replay.leave", "r", "leave", "Back to the town that lives, or to the menu.",
           lambda layout: layout.program.leave_replay(), "replay: leave", rank=0, when=REPLAY),
)
