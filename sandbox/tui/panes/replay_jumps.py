"""Jumps: to a row of the timeline, and back to where one was; in a replay to a second, by an hour or a step, to what
was notable.
"""

from __future__ import annotations

import gc
from functools import partial

from sandbox.store.errors import SaveError
from sandbox.tui.panes.arrangement import ViewPosition
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.view import log_queries
from sandbox.tui.view.replay_log import Tape, notable_from
from sandbox.tui.view.row_words import where, whom

REST = 0.5  # seconds after the last jump until garbage collection resumes; it takes up to half as long as a jump
MANY = 500_000  # new objects at which it resumes anyway: some hundred jumps' worth


def go_to_row(stage: TownLayout, number: int) -> None:
    """Choose whom a row is about, centre the map on them, put the timeline's cursor on it, and remember where one came
    from. A row that is not kept any more is passed over.
    """
    viewer = stage.viewer
    if not viewer.chronicle.first <= number < viewer.chronicle.told:
        return
    row = viewer.chronicle[number]
    stage.leave_trace()
    place = where(viewer, row)
    if (who := whom(viewer, row, place)) or place is not None:
        viewer.following = viewer.following and who == viewer.selected and place is None
        before = viewer.selected
        stage.choose(who)
        viewer.led = who if place is not None and who != before else ""
        if place is None:
            stage.town.look_at(who)
    if place is not None:
        stage.town.stand(*place, stage.town.zoom)
    stage.timeline.go_to(number)
    stage.update()


def return_to(stage: TownLayout, place: ViewPosition) -> None:
    """Go back to where one was."""
    viewer = stage.viewer
    viewer.select(place.selected)
    viewer.following = place.following and bool(viewer.selected)
    stage.town.stand(place.x, place.y, place.zoom)
    stage.show_pane(place.pane)
    stage.update()


async def jump_to(stage: TownLayout, t: float) -> bool:
    """Show second t of a replay, keeping chosen person and map; whether it is shown now. During a jump only the last of
    those asked for is kept, and follows it. If the save cannot be read, the status row says why.
    """
    tape, viewer = stage.scrubber.tape, stage.viewer
    if tape is None:
        return False
    tape.wanted = t
    if viewer.jumping:
        return False
    viewer.jumping = True
    if tape.rest is not None:
        tape.rest.stop()
    (gc.disable if gc.get_count()[0] < MANY else gc.enable)()
    try:
        while tape.wanted is not None:
            wanted, tape.wanted = tape.wanted, None
            await viewer.pace.between(partial(_go, tape, max(0.0, min(wanted, float(tape.end)))))
            stage.leapt()
        return wanted == t
    except SaveError as error:
        tape.wanted = None
        viewer.pace.arrive(error.what)
        return False
    finally:
        viewer.jumping = False
        tape.rest = stage.set_timer(REST, gc.enable)


async def _go(tape: Tape, t: float) -> None:
    await tape.replay.go(t)
    viewer = tape.viewer
    viewer.jumped(tape.replay.said)
    viewer.things = await log_queries.things(viewer)
    viewer.stop = None
    if not viewer.pace.running:
        viewer.pace.paced.pause()  # the reason it stopped belongs to another moment
    viewer.pace.paced.shown = t


async def jump_by(stage: TownLayout, seconds: int) -> None:
    """Jump so many seconds forwards, or back if negative."""
    await jump_to(stage, stage.viewer.shown + seconds)


async def step_back(stage: TownLayout) -> None:
    """Pause, and show the end of the previous step."""
    viewer = stage.viewer
    viewer.pace.pause()
    step = max(1, viewer.world.step - 1)
    try:
        before = await viewer.session.save.steps(step, step)
    except SaveError as error:
        viewer.pace.arrive(error.what)
        return
    if before:
        await jump_to(stage, before[0].t)


async def go_to_notable(stage: TownLayout, by: int) -> int | None:
    """Pause, and jump to the next notable row of the log (by 1) or the previous one (by -1); returns its number.

    None if there is none (a notice says so) or the jump fails.
    """
    tape, viewer = stage.scrubber.tape, stage.viewer
    if tape is None:
        return None
    number = notable_from(viewer, viewer.shown, by)
    if number is not None:
        viewer.pace.pause()
        arrived = await jump_to(stage, viewer.chronicle[number].t + 1)  # to the end of the step it happened in
        return number if arrived else None
    if by > 0 and not tape.whole:
        says = "The log is still being read; try again in a moment."
    else:
        says = f"Nothing notable {'after' if by > 0 else 'before'} this."
    stage.notify(says, timeout=3)
    return None
