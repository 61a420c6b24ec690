"""Moments of a save as a command takes them, and what second and step of it they are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import click

from sandbox.cli.options import parse_with
from sandbox.core.clock import Clock, When, parse_start, parse_when
from sandbox.core.faults import in_quotes, path_text

if TYPE_CHECKING:
    from sandbox.store.read import SaveReader


class SaveMoment(NamedTuple):
    """A moment of a save: the end of a step, or else a second of a day (1 = the first)."""

    step: int | None
    day: int = 1
    second: int = 0


def parse_save_moment(value: str) -> SaveMoment | None:
    """ "780", "12:40", "3 12:40" or "day 3 12:40" as a moment, None for "". Raises ValueError."""
    text = value.strip()
    if not text:
        return None
    if re.fullmatch(r"[0-9]{1,9}", text):
        return SaveMoment(int(text))
    try:
        when = parse_when(text)
    except ValueError:
        when = When(0, tomorrow=True)
    if when.tomorrow:
        raise ValueError(
            f"{in_quotes(value)} is no moment; write a step as 780, a time of the first day as 12:40, of the third as "
            '"day 3 12:40"'
        )
    return SaveMoment(None, when.day or 1, when.second)


moment = parse_with(parse_save_moment)
until = parse_with(parse_when)  # "12:30", "tomorrow 08:00", "day 2 08:00"


async def clock_of(save: SaveReader) -> Clock:
    """The clock of its world."""
    from sandbox.engine.scenario import Founded

    event = (await save.found()).event
    assert isinstance(event, Founded)
    return Clock(parse_start(event.scenario.start))


async def second_of(save: SaveReader, at: SaveMoment) -> int:
    """The second of a save at which that is. Raises BadParameter if the save has not lived it."""
    if at.step is not None:
        if at.step > save.last_step:
            raise click.BadParameter(f"{path_text(save.path)} ends at step {save.last_step:,}", param_hint="--at")
        return (await save.steps(at.step, at.step))[0].t
    clock = await clock_of(save)
    t = clock.midnight(at.day) + at.second
    check_in_save(save, clock, t)
    return t


async def step_of(save: SaveReader, at: SaveMoment) -> int:
    """The step that ends at that moment, or the first that ends after it; a number of a step as it is, there or not.

    Raises BadParameter for a time that the save has not lived.
    """
    return await save.step_at(await second_of(save, at)) if at.step is None else at.step


def check_in_save(save: SaveReader, clock: Clock, t: int) -> None:
    """Raise BadParameter if that second is not one of the save."""
    if not 0 <= t <= save.now:
        says = f"goes from {clock.words(0)} (day 1) to {clock.words(save.now)} (day {clock.day(save.now)})"
        raise click.BadParameter(f"{path_text(save.path)} {says}", param_hint="--at")
