"""Arguments and options that commands share; their values are checked before anything is opened."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar

import click

from sandbox.core.clock import parse_step
from sandbox.core.faults import in_quotes

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from sandbox.store.session import Session

T = TypeVar("T")
R = TypeVar("R")


def help_text(name: str) -> str:
    """The help of a command from its file `cli/NAME.txt`; the lines after one of \\b are kept as they are."""
    return Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8").replace("\\b", "\b")


def _figure(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"


class Number(click.ParamType):  # type: ignore[type-arg]  # click 8.1 to 8.4 have it without an argument
    """A number of an option or argument, from least to most (None: no bound); above: least itself is excluded.

    A wrong value raises a sentence that names it: by `called`, else by the option as typed.
    """

    name = "number"
    sort = "a number"

    def __init__(self, least: float, most: float | None = None, called: str = "", *, above: bool = False) -> None:
        self.least, self.most, self.called, self.above = least, most, called, above

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            number = self.read(str(value))
        except ValueError:
            self.refuse(f"must be {self.sort} {self._bounds()}, not {in_quotes(str(value))}", param, ctx)
        if number < self.least or (self.above and number == self.least):
            than = f"more than {_figure(self.least)}" if self.above else f"{_figure(self.least)} or more"
            self.refuse(f"must be {than}, not {_figure(number)}", param, ctx)
        if self.most is not None and number > self.most:
            self.refuse(f"must be {_figure(self.most)} or less, not {_figure(number)}", param, ctx)
        return number

    def read(self, text: str) -> float:
        """Parse a number. Raises ValueError."""
        number = float(text)
        if not math.isfinite(number):
            raise ValueError(text)
        return number

    def refuse(self, why: str, param: click.Parameter | None, ctx: click.Context | None) -> NoReturn:
        """Raise UsageError with the value's name, and why it is refused."""
        called = self.called or (param.opts[0] if param is not None else "it")
        raise click.UsageError(f"{called} {why}", ctx)

    def _bounds(self) -> str:
        if self.above:
            return f"above {_figure(self.least)}" + ("" if self.most is None else f", {_figure(self.most)} at most")
        return f"from {_figure(self.least)} " + ("up" if self.most is None else f"to {_figure(self.most)}")


class WholeNumber(Number):
    """A whole number within the same kinds of bounds."""

    name = "whole number"
    sort = "a whole number"

    def read(self, text: str) -> int:
        return int(text)


class Counting(click.Command):
    """A command with a number among its arguments: "-5" there is a number too small, not an unknown option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            counted = next(
                (p for p in self.params if isinstance(p, click.Argument) and isinstance(p.type, Number)), None
            )
            below = next((x for x in given if re.fullmatch(r"-\d[\d.,]*", x)), None)
            if counted is None or below is None or not below.startswith(error.option_name):
                raise
            counted.type.convert(below, counted, ctx)
            raise


def as_one(kind: Callable[..., object]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a command: the options that are fields of that NamedTuple come as one argument, the rest by name."""
    fields = [*signature(kind).parameters]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def called(**given: Any) -> None:
            command(kind(**{name: given.pop(name) for name in fields}), **given)

        return called

    return decorate


@contextmanager
def blame(name: str) -> Iterator[None]:
    """Turn a ValueError inside into a BadParameter for that option or argument."""
    try:
        yield
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=name) from None


def parse_with(parse: Callable[[T], R]) -> Callable[[click.Context, click.Parameter, T | None], R | None]:
    """An option's callback that parses its value; a ValueError becomes a BadParameter for that option."""

    def callback(ctx: click.Context, param: click.Parameter, value: T | None) -> R | None:
        try:
            return None if value is None else parse(value)
        except ValueError as error:
            raise click.BadParameter(str(error), ctx, param) from None

    return callback


def _minds(value: tuple[str, ...]) -> tuple[str, ...]:
    """Check models as given, unchanged: "ollama_chat/llama3.2", "mara=openai/gpt-4o-mini@http://localhost:8000"."""
    from sandbox.minds.spec import parse_mind

    parse_mind(value)
    return value


def _policy(value: str) -> str:
    """Check a policy as given, unchanged: "linucb", "calm.py", "calm.py:Calm"."""
    from sandbox.policy.model import NAMES

    if value and value not in NAMES:
        from sandbox.policy.files import load_policy

        load_policy(value)
    return value


def with_crowd(settings: tuple[str, ...], crowd: int | None, lenient: bool) -> tuple[str, ...]:
    """Settings, with those for --crowd and --lenient added."""
    many = () if crowd is None else (f"feed.crowd={crowd}",)
    return (*settings, *many, *(("feed.lenient=true",) if lenient else ()))


class TownArguments(NamedTuple):
    """The command line's world or save to run, and its settings."""

    target: str
    seed: int | None
    step: int | None
    crowd: int | None
    lenient: bool
    minds: tuple[str, ...]
    policy: str
    settings: tuple[str, ...]

    def open(self, **how: Any) -> AbstractAsyncContextManager[Session]:
        """Open a session in it. how: further arguments of `open_session`."""
        from sandbox.store.session import open_session

        settings = with_crowd(self.settings, self.crowd, self.lenient)
        return open_session(
            self.target, seed=self.seed, step=self.step, set=settings, minds=self.minds, policy=self.policy, **how
        )


def check_force(force: bool, file: str | None, option: str) -> None:
    """Raise UsageError for --force without the file to replace. option: the one that names the file."""
    if force and file is None:
        raise click.UsageError(f"--force goes with {option} FILE; name the file to replace")


def require_save(name: str) -> None:
    """Raise BadParameter if the name is a world's, where a save is needed."""
    from sandbox.store.files import is_save

    if is_save(name) is None:
        raise click.BadParameter(
            f'"{name}" is a world, not a save; run it first: `sandbox run {name} --save FILE`', param_hint="SAVE"
        )


SAVE = click.argument("save", metavar="SAVE")
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a script.")
JSON_ROWS = click.option("--json", "as_json", is_flag=True, help="Print JSON for a script.")
SEED = click.option(
    "--seed", type=WholeNumber(0, 2**63 - 1), metavar="S", help="The seed of all chance; for a save, from its end on."
)
MIND = click.option(
    "--mind",
    "minds",
    multiple=True,
    callback=parse_with(_minds),
    metavar="MODEL",
    help="A language model, or PERSON=MODEL; repeatable. `embedded` means none. See docs/minds.md.",
)
CROWD = click.option(
    "--crowd", type=WholeNumber(0, 1_000_000), metavar="N", help="Add a feed to a new world, with a crowd of N users."
)
LENIENT = click.option(
    "--lenient", is_flag=True, help="For a new world: leave out impossible rows of its tables, and say how many."
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
    type=WholeNumber(1, 10_000),
    metavar="N",
    help="How many pairs judges get for each seed and criterion, at most (20).",
)


def town_options(command: Callable[..., None]) -> Callable[..., None]:
    """Decorate a command with the options for running a town."""
    changed = "Change a rule or a parameter; repeatable."
    steered = "What steers the feed: linucb, networks, hand ... none, or a file of your own. See docs/policy.md."
    long = 'How long a step is, from "10s" to "1h".'
    options = (
        click.option("--step", callback=parse_with(parse_step), metavar="LENGTH", help=long),
        CROWD,
        LENIENT,
        MIND,
        click.option("--policy", default="", callback=parse_with(_policy), metavar="NAME_OR_FILE", help=steered),
        click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help=changed),
    )
    for option in reversed(options):
        command = option(command)
    return command
