"""Values that options take, checked before anything is opened."""

from __future__ import annotations

from collections.abc import Callable

import click

from sandbox.core.clock import parse_step, parse_time

SEED = click.IntRange(0, 2**63 - 1)


def step_length(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Callback of an option: a step's length, "20m", as seconds."""
    return _parsed(parse_step, value, ctx, param)


def time_of_day(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Callback of an option: a time of day, "07:30", as seconds after midnight."""
    return _parsed(parse_time, value, ctx, param)


def _parsed(parse: Callable[[str], int], value: str | None, ctx: click.Context, param: click.Parameter) -> int | None:
    if value is None:
        return None
    try:
        return parse(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None
