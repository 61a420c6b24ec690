"""Values that options take, checked before anything is opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

from sandbox.core.clock import parse_step, parse_time

T = TypeVar("T")
R = TypeVar("R")
SEED = click.IntRange(0, 2**63 - 1)


def step_length(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Callback of an option: a step's length, "20m", as seconds."""
    return _parsed(parse_step, value, ctx, param)


def time_of_day(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Callback of an option: a time of day, "07:30", as seconds after midnight."""
    return _parsed(parse_time, value, ctx, param)


def minds(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Callback of a repeatable option: models, "ollama_chat/llama3.2" or "mara=openai/gpt-4o-mini@http://localhost:8000"."""
    from sandbox.minds.spec import parse_mind

    _parsed(parse_mind, value, ctx, param)
    return value


MIND = click.option(
    "--mind",
    "minds",
    multiple=True,
    callback=minds,
    metavar="MODEL",
    help="A language model, or PERSON=MODEL; repeatable. `embedded` is none. See docs/minds.md.",
)


JUDGE = click.option(
    "--judge",
    "judges",
    multiple=True,
    metavar="MODEL",
    help="A language model that scores talks of two arms; repeatable. See docs/lab.md.",
)
JUDGE_PAIRS = click.option(
    "--judge-pairs",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="How many pairs judges get of each seed and criterion, at most (20).",
)


def _parsed(parse: Callable[[T], R], value: T | None, ctx: click.Context, param: click.Parameter) -> R | None:
    if value is None:
        return None
    try:
        return parse(value)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx, param) from None
