"""The `sandbox` command: imports only the command asked for, and prints each fault in a line.

Exit codes: 0 done; 1 a check found something wrong (`replay --verify`, `doctor`), or the file of a save went during
play, its disk was full, or memory was short; 2 the input is at fault; 130 stopped with Ctrl-C, 143 by SIGTERM, 129 by
SIGHUP.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from threading import current_thread
from threading import enumerate as enumerate_threads
from typing import Any, NoReturn

import click

import sandbox
from sandbox.cli.telling import BY_KEY, STOPPED, ProgramStopped, say_text
from sandbox.core.faults import in_quotes, suggestion
from sandbox.core.plain import lines
from sandbox.core.room import NEEDED, check_room, collect_rarely

# name -> its line in the list of commands; the module sandbox.cli.NAME has a click command called NAME.
COMMANDS = {
    "play": "Watch a town live, in the terminal.",
    "run": "Run a world without a screen, and print its last day.",
    "be": "Play somebody in a save: walk, speak, act, one line at a time.",
    "do": "Deal a card into a save: a cause, and the town does the rest.",
    "replay": "Watch a save again, verify it, or print its days.",
    "drama": "Measure what happened in a save, or print it.",
    "story": "Print the days of one person as a story, or write it as Markdown.",
    "receipt": "Show what came of one act, and what would have happened without it.",
    "ties": "Measure the network that the people of a save form.",
    "phones": "Measure what crosses between the street and the feed, or print it.",
    "goals": "List the goals of a save and what stands in their way; follow one.",
    "bet": "Bet points on what falls due in a save, at odds from its rules.",
    "ask": "Ask somebody in a save a question.",
    "talk": "Check the lines that people say, and measure how they talk.",
    "lab": "Run experiments and report them.",
    "saves": "List, describe, name, branch and pack saves.",
    "compare": "Show where two saves diverge, and what differs.",
    "export": "Write what a save holds: JSON lines, CSV, graphs.",
    "worlds": "List worlds and check their files.",
    "doctor": "Check this installation.",
    "bench": "Measure how fast the town and the screen are on this computer.",
}

NO_THREAD = "can't start new thread"  # Python's own words

# Errors whose text is meant for a person.
TOLD = (
    ("sandbox.engine.loading", "WorldFaults"),
    ("sandbox.store.errors", "SaveError"),
    ("sandbox.core.protocols", "JournalFull"),
)


@contextmanager
def _cleaned() -> Iterator[None]:
    """Clean click's error messages, which repeat words of the command line, as all output is cleaned."""
    try:
        yield
    except click.ClickException as error:
        error.message = lines(error.message)  # type: ignore[misc]  # final for its maker, not for its printer
        raise


class Lazy(click.Group):
    """A group whose commands are imported when they run, and whose faults are messages, not tracebacks."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        with _cleaned():
            return super().make_context(*args, **more)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"sandbox.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            near = suggestion(args[0], COMMANDS) or f"; choose from {', '.join(COMMANDS)}"
            ctx.fail(f"no command {in_quotes(args[0])}{near}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> object:
        try:
            check_room(NEEDED)
            with _cleaned():
                return super().invoke(ctx)
        except ProgramStopped as stopped:
            quit_with(stopped.code, str(stopped))
        except KeyboardInterrupt:
            quit_with(BY_KEY, STOPPED)
        except MemoryError as error:
            quit_with(1, str(error) or "there is not enough memory; close other programs and try again")
        except RuntimeError as error:
            if str(error) != NO_THREAD:
                raise
            quit_with(
                1, "no further thread can be started: memory or processes are at their limit; close some programs"
            )
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            name = f"{error.filename}: " if error.filename else ""
            quit_with(2, f"{name}{(error.strerror or str(error)).lower()}; check the name and the disk")
        except Exception as error:
            if not for_a_person(error):
                raise
            quit_with(getattr(error, "code", 2), str(error))


def for_a_person(error: Exception) -> bool:
    """Whether the text of an error is meant for a person. A class never imported was never raised."""
    kinds = (getattr(sys.modules.get(module), name, None) for module, name in TOLD)
    return any(kind is not None and isinstance(error, kind) for kind in kinds)


def quit_with(code: int, message: str) -> NoReturn:
    """Exit with a message on standard error, if that is still open."""
    with suppress(OSError):
        say_text(message, err=True)
    raise click.exceptions.Exit(code)


@click.group(cls=Lazy, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(sandbox.__version__, message="sandbox %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """A living town in the terminal, and a laboratory with the same engine.

    `sandbox` alone is `sandbox play`. WORLD is a name from `sandbox worlds list` or a folder; SAVE is a file.

    \b
    Examples:
      sandbox                                  watch Larkspur
      sandbox run larkspur --save day.db       a day without a screen, kept in day.db
      sandbox run day.db --until "12:30"       go on with it
      sandbox replay day.db --verify           prove that nothing in it was changed
    """
    if ctx.invoked_subcommand is None:
        command = cli.get_command(ctx, "play")
        assert command is not None
        ctx.invoke(command)


def main() -> None:
    """The console script."""
    collect_rarely()
    try:
        cli(prog_name="sandbox")
    except KeyboardInterrupt:  # so early, or so often, that no command could handle it
        say_text(STOPPED, err=True)
        sys.exit(BY_KEY)
    except SystemExit as end:
        if end.code and any(t is not current_thread() and not t.daemon for t in enumerate_threads()):
            _leave(end.code)
        raise


def _leave(code: int | str) -> NoReturn:
    """Exit at once, with everything closed and printed. If memory ran short while a thread was starting, the thread may
    live with nobody to wake it, and Python would wait for it forever.
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code if isinstance(code, int) else 1)
