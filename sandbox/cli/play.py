"""`sandbox play`: the screen; with --log, lines of text; without a terminal, an account of one day."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext, suppress
from shlex import quote
from shutil import which
from typing import TYPE_CHECKING

import click

from sandbox.cli.options import SEED, TownArguments, as_one, blame, town_options
from sandbox.cli.telling import BY_KEY, ProgramStopped, say_text, wait_for, warn
from sandbox.core.faults import Faults
from sandbox.core.places import checkout, home
from sandbox.core.plain import safe_line

if TYPE_CHECKING:
    from pathlib import Path

DEFAULT_WORLD = "larkspur"
SPEEDS = ("slow", "normal", "fast", "max")


@click.command()
@click.argument("target", metavar="[WORLD_OR_SAVE]", default="")
@SEED
@town_options
@click.option("--speed", type=click.Choice(SPEEDS), help="How fast time runs: 15 s, 1 min, 10 min a second, or all.")
@click.option(
    "--look", multiple=True, metavar="KEY=VALUE", help="A setting of the screen, for this time only; repeatable."
)
@click.option("--ascii", "plain", is_flag=True, help="Use only ASCII on the screen, as --look glyphs=ascii does.")
@click.option(
    "--log", is_flag=True, help="Print what happens as lines of text, for example for a screen reader; Ctrl-C ends."
)
@as_one(TownArguments)
def play(town: TownArguments, speed: str | None, look: tuple[str, ...], plain: bool, log: bool) -> None:
    """Watch a town live, in the terminal. Without a name, a menu opens, with Larkspur behind it.

    A world starts from its beginning and is kept in `saves/WORLD-N.db`; a save continues where it ended. Press ? on the
    screen for the keys, f2 for the settings. Without a terminal, a day is run and printed instead.

    \b
    Examples:
      sandbox
      sandbox play larkspur --seed 7 --speed fast
      sandbox play saves/larkspur-1.db --look theme=paper --look motion=reduced
      sandbox play larkspur --mind ollama_chat/llama3.2
      sandbox play --log
    """
    named = bool(town.target)
    town = town._replace(target=town.target or DEFAULT_WORLD)
    if log:
        if look:
            raise click.UsageError("--look is for the screen; leave it out with --log")
        _log(town, speed or "normal", plain)
        return
    missing = no_terminal()
    if missing:
        say_text(f"no screen: {missing}; a day is run without one (for other lengths, see `sandbox run --help`)")
        wait_for(_headless(town))
        return
    from sandbox.tui.app.program import run_app
    from sandbox.tui.app.settingsfile import read_settings
    from sandbox.tui.view.settings import looked

    chosen = (*look, *(("glyphs=ascii",) if plain else ()), *((f"speed={speed}",) if speed else ()))
    with blame("--look"):
        looked(read_settings()[0], chosen)
    finish_play(*run_app(lambda: town.open(named=True, paced=True, watched=True), greet=not named, look=chosen))


def resume_command(path: Path) -> str:
    """The command that continues a save, as typed where play was started; in a checkout without `sandbox` on the path
    it is `make play`, typed in the root of the checkout.
    """
    root = checkout()
    if root is None or which("sandbox"):
        return f"sandbox play {quote(str(path))}"
    whole = path.resolve()
    inside = whole.is_relative_to(root.resolve())
    kept = whole.relative_to(root.resolve()) if inside else whole
    inner = quote(str(kept)).replace("$", "$$")  # make reads it between two shells
    return f"make play ARGS={quote(inner)}"


def finish_play(code: int, kept: Path | None) -> None:
    """Print where a town is kept and how to continue it; exit with that code. kept: its file, None in memory."""
    with suppress(OSError) if code else nullcontext():  # the terminal may be gone
        if kept is not None:
            say_text(f"kept in {kept}; continue with `{resume_command(kept)}`")
    if code:
        raise SystemExit(code)


def no_terminal() -> str:
    """Why no screen is possible, "" if one is."""
    if os.environ.get("TERM") == "dumb":
        return "TERM is dumb"
    streams = ("input", sys.stdin), ("output", sys.stdout), ("error, on which the screen is drawn,", sys.stderr)
    for name, stream in streams:
        if stream is None or not stream.isatty():
            return f"standard {name} is no terminal"
    return ""


async def _headless(town: TownArguments) -> None:
    """Run a day without a screen, and print it."""
    from sandbox.cli.run import Length, live_session, told_minds
    from sandbox.readers.edition import day_page

    async with town.open(named=True, paced=False) as session:
        lived = await live_session(session, Length())
    say_text(day_page(lived.records, session.world, before=lived.before))
    if minds := told_minds(session):
        say_text(f"\n{minds}")
    say_text("")
    finish_play(0, session.path)


def _log(town: TownArguments, speed: str, plain: bool) -> None:
    """Print a town line by line until Ctrl-C, the normal way to leave: the exit code is 0."""
    from sandbox.cli.lines import LineTeller
    from sandbox.readers.story import table_of
    from sandbox.tui.view.cells import to_ascii

    path: Path | None = None
    faults = Faults()
    notable = table_of(home(), faults)
    for fault in faults:
        say_text(str(fault), err=True)

    def tell(line: str) -> None:
        say_text(to_ascii(safe_line(line)) if plain else line)  # it flushes

    async def live() -> None:
        nonlocal path
        async with town.open(named=True, paced=True, watched=True) as session:
            path = session.path
            warn(session.notice)
            tell(f"{session.world.scenario.title}, {speed}; Ctrl-C ends.")
            await LineTeller(session, speed, tell, notable).run()

    try:
        wait_for(live())
    except ProgramStopped as stopped:
        if path is None or not path.exists():
            raise
        finish_play(0 if stopped.code == BY_KEY else stopped.code, path)
