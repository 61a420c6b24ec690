"""Moments and days of a save as commands take them; the world of a save at its end, or after a command and a step."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import click

from sandbox.cli.options import parse_with
from sandbox.core.clock import Clock, When, parse_start, parse_when
from sandbox.core.faults import in_quotes, path_text
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from pathlib import Path

    from sandbox.core.domain import Command
    from sandbox.director.history import AnnalsOpened
    from sandbox.engine.world import World
    from sandbox.store.read import SaveReader


class SaveMoment(NamedTuple):
    """A moment of a save: the end of a step, or, if step is None, a second of a day (1 = the first)."""

    step: int | None
    day: int = 1
    second: int = 0


def parse_save_moment(value: str) -> SaveMoment | None:
    """Parse "780", "12:40", "3 12:40" or "day 3 12:40" into a moment, "" into None. Raises ValueError."""
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
            f"{in_quotes(value)} is not a moment; write a step as 780, a time of day 1 as 12:40, of day 3 as "
            '"day 3 12:40"'
        )
    return SaveMoment(None, when.day or 1, when.second)


def at_moment(help: str, required: bool = False) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The option --at, which takes a moment of a save."""
    return click.option("--at", callback=parse_with(parse_save_moment), required=required, metavar="MOMENT", help=help)


async def clock_of(save: SaveReader) -> Clock:
    """The clock of a save's world."""
    from sandbox.engine.scenario import founding_of

    return Clock(parse_start(founding_of(await save.found()).scenario.start))


async def second_of(save: SaveReader, at: SaveMoment) -> int:
    """The second of town time of a moment. Raises BadParameter if the save does not reach it."""
    if at.step is not None:
        if at.step > save.last_step:
            raise click.BadParameter(f"{path_text(save.path)} ends at step {save.last_step:,}", param_hint="--at")
        return (await save.steps(at.step, at.step))[0].t
    clock = await clock_of(save)
    t = clock.midnight(at.day) + at.second
    check_in_save(save, clock, t)
    return t


async def step_of(save: SaveReader, at: SaveMoment | None) -> int:
    """The step that ends at that moment, or the first that ends later; for None the last. A step number is returned
    unchecked. Raises BadParameter for a time that the save does not reach.
    """
    if at is None:
        return save.last_step
    return await save.step_at(await second_of(save, at)) if at.step is None else at.step


def check_in_save(save: SaveReader, clock: Clock, t: int) -> None:
    """Raise BadParameter if that second is outside the save."""
    if not 0 <= t <= save.now:
        says = f"goes from {clock.words(0)} (day 1) to {clock.words(save.now)} (day {clock.day(save.now)})"
        raise click.BadParameter(f"{path_text(save.path)} {says}", param_hint="--at")


def day_in_save(save: SaveReader, clock: Clock, day: int | None) -> int:
    """That day, or for None the save's last. Raises BadParameter if the save does not reach it."""
    last = clock.day(max(0, save.now - 1))
    if day is not None and day > last:
        raise click.BadParameter(f"{save.path} has {count_of(last, 'day')}", param_hint="--day")
    return day or last


async def world_at_end(name: str) -> World:
    """The world of a save at its end. Raises SaveError, and WorldFaults if nobody lives there."""
    from sandbox.store.save import read_save
    from sandbox.store.session import require_people

    async with await read_save(name) as save:
        world = await save.seek()
        require_people(world.scenario, path_text(save.path))
        return world


async def world_after(name: str | Path, act: Callable[[AnnalsOpened], Command]) -> World:
    """The world of a save after a command and the step with it. act: makes the command from the annals so far. Raises
    SaveError, and UsageError for an impossible command.
    """
    from sandbox.store.session import annals_before, open_session

    async with open_session(name) as session:
        try:
            session.engine.do(act(await annals_before(session.save, session.world)))
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        await session.engine.step()
        return session.world
