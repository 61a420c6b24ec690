"""Jumps in a replay: to a second, by an hour or a step, to what was notable."""

from __future__ import annotations

import gc
from functools import partial

from sandbox.store.errors import SaveError
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.view import log_queries
from sandbox.tui.view.replay_log import Tape, notable_from

REST = 0.5  # seconds after the last of some jumps until what has died is looked for, which takes up to half a jump
MANY = 500_000  # things that may be made meanwhile, some hundred jumps' worth


async def jump_to(stage: TownLayout, t: float) -> bool:
    """Stand at second t of a replay, whoever is chosen and wherever the map is; whether one stands there now. While one
    jump is under way, the last of those asked for follows it. What cannot be read is said in why time stands.
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
        viewer.pace.paced.pause()  # what it stood for is another moment's
    viewer.pace.paced.shown = t


async def jump_by(stage: TownLayout, seconds: int) -> None:
    """So far on or back."""
    await jump_to(stage, stage.viewer.shown + seconds)


async def step_back(stage: TownLayout) -> None:
    """Stand at the end of the step before, and stand still."""
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
    """Stand at the next notable row of the log (by 1) or at the last one (by -1), and stand still; its number.

    None, said on the screen, if there is none or it cannot be gone to.
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
    stage.notify(says, timeout=3, markup=False)
    return None
