"""Values that options take, checked before anything is opened."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

import click

from sandbox.core.clock import parse_step, parse_time

T = TypeVar("T")
R = TypeVar("R")
SEED = click.IntRange(0, 2**63 - 1)
_OF_A_DAY = re.compile(r"(?:day +)?(\d{1,4}) +(\S+)$")


class Moment(NamedTuple):
    """A moment of a save: the end of a step, or else a second of a day (1 = the first)."""

    step: int | None
    day: int = 1
    second: int = 0


def parsed(parse: Callable[[T], R]) -> Callable[[click.Context, click.Parameter, T | None], R | None]:
    """Callback of an option: its value as `parse` reads it, whose ValueError is a fault of that option."""

    def callback(ctx: click.Context, param: click.Parameter, value: T | None) -> R | None:
        try:
            return None if value is None else parse(value)
        except ValueError as error:
            raise click.BadParameter(str(error), ctx, param) from None

    return callback


def parse_moment(value: str) -> Moment | None:
    """ "780", "12:40", "3 12:40" or "day 3 12:40" as a moment, None for "". Raises ValueError."""
    text = value.strip()
    if not text:
        return None
    if re.fullmatch(r"[0-9]{1,9}", text):
        return Moment(int(text))
    found = _OF_A_DAY.match(text)
    try:
        return Moment(None, int(found[1]) if found else 1, parse_time(found[2] if found else text))
    except ValueError:
        raise ValueError(
            f'"{value}" is no moment; write a step as 780, a time of the first day as 12:40, of the third as "3 12:40"'
        ) from None


def _minds(value: tuple[str, ...]) -> tuple[str, ...]:
    """Models as they were given, each looked at: "ollama_chat/llama3.2", "mara=openai/gpt-4o-mini@http://localhost:8000"."""
    from sandbox.minds.spec import parse_mind

    parse_mind(value)
    return value


def with_crowd(settings: tuple[str, ...], crowd: int | None) -> tuple[str, ...]:
    """Settings, and a crowd of that size, which is a setting, too."""
    return settings if crowd is None else (*settings, f"feed.crowd={crowd}")


step_length = parsed(parse_step)  # "20m" as seconds
time_of_day = parsed(parse_time)  # "07:30" as seconds after midnight
moment = parsed(parse_moment)
MIND = click.option(
    "--mind",
    "minds",
    multiple=True,
    callback=parsed(_minds),
    metavar="MODEL",
    help="A language model, or PERSON=MODEL; repeatable. `embedded` is none. See docs/minds.md.",
)
CROWD = click.option(
    "--crowd",
    type=click.IntRange(0, 1_000_000),
    metavar="N",
    help="Put a feed beside the world, with a crowd of N users; of a new world only.",
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
