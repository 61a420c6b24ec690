"""`sandbox play`: the screen; without a terminal, a day without one."""

from __future__ import annotations

import os
import sys
from shlex import quote
from shutil import which
from typing import TYPE_CHECKING

import click

from sandbox.cli.options import SEED, step_length
from sandbox.core.places import checkout

if TYPE_CHECKING:
    from pathlib import Path

DEFAULT_WORLD = "larkspur"


@click.command()
@click.argument("target", metavar="[WORLD_OR_SAVE]", default="")
@click.option("--seed", type=SEED, metavar="S", help="The seed of all chance, for a new world.")
@click.option("--step", callback=step_length, metavar="LENGTH", help='How long a step is, from "10s" to "1h".')
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change a rule or a parameter; repeatable.")
def play(target: str, seed: int | None, step: int | None, settings: tuple[str, ...]) -> None:
    """Watch a town live, in the terminal. Without a name: Larkspur.

    A world begins anew and is kept in `saves/WORLD-N.db`; a save is gone on with where it ended. Press ? on the
    screen for the keys. Where there is no terminal, a day is lived and told instead.

    \b
    Examples:
      sandbox
      sandbox play larkspur --seed 7
      sandbox play saves/larkspur-1.db
    """
    from sandbox.cli.telling import wait_for

    missing = no_terminal()
    if missing:
        click.echo(f"no screen: {missing}; a day is lived without one (`sandbox run --help` tells of lengths)")
        wait_for(_headless(target or DEFAULT_WORLD, seed, step, settings))
        return
    from sandbox.store.session import open_session
    from sandbox.tui.app import run_app

    _, new = _where(target or DEFAULT_WORLD)
    shown = run_app(
        lambda: open_session(target or DEFAULT_WORLD, seed=seed, step=step, set=settings, save=new, paced=True),
        greet=not target,
    )
    if shown.kept is not None:
        click.echo(f"kept in {shown.kept}; `{again(shown.kept)}` goes on with it")
    if shown.code:
        raise SystemExit(shown.code)


def again(path: Path) -> str:
    """The command that goes on with a save: by `make` in a checkout whose command is not on the path."""
    root = checkout()
    if root is None or which("sandbox"):
        return f"sandbox play {quote(str(path))}"
    whole = path.resolve()
    inside = whole.is_relative_to(root.resolve())
    kept = whole.relative_to(root.resolve()) if inside else whole
    return f"make play ARGS={quote(quote(str(kept)))}"  # the shell reads it twice: before make, and after


def _where(target: str) -> tuple[Path, Path | None]:
    """The save that will be played, and the same if it is a new one, else None. Raises WorldFaults."""
    from sandbox.engine.loading import find_world
    from sandbox.store.session import free_name, is_save

    save = is_save(target)
    if save is not None:
        return save, None
    new = free_name(find_world(target).resolve().name)
    return new, new


def no_terminal() -> str:
    """Why there can be no screen, "" if there can."""
    if os.environ.get("TERM") == "dumb":
        return "TERM is dumb"
    for name, stream in (("standard input", sys.stdin), ("standard output", sys.stdout)):
        if stream is None or not stream.isatty():
            return f"{name} is no terminal"
    return ""


async def _headless(target: str, seed: int | None, step: int | None, settings: tuple[str, ...]) -> None:
    from sandbox.cli.living import Length, live, told_day
    from sandbox.cli.telling import progress, say
    from sandbox.store.session import open_session

    path, new = _where(target)
    async with open_session(target, seed=seed, step=step, set=settings, save=new) as session:
        with progress(session.world.scenario.title, "steps") as moved:
            lived = await live(session, Length(), moved)
    say(told_day(session, lived))
    click.echo(f"\nkept in {path}; `{again(path)}` goes on with it")
