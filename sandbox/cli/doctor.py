"""`sandbox doctor`: check that all the program needs is there, and say how to fix what is not; one function a subject.

Nothing is changed, and no package is imported for a check, except Textual, whose inner parts the screen uses.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from sandbox.cli.options import JSON, MIND
from sandbox.cli.telling import say_json, say_text
from sandbox.core.faults import path_text, safe
from sandbox.core.places import checkout, saves_dir
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from sandbox.minds.spec import MindSpec, Model

DISTRIBUTION = "sandbox-town"
LEAST_PYTHON = (3, 11)
LEAST_SQLITE = (3, 38, 0)  # JSON functions built in, which the views of a save use
ROOM_FAULT, ROOM_WARN = 20_000_000, 500_000_000  # bytes; a day of 25 people takes about 4 MB
SMALLEST = (80, 24)  # columns and lines of a terminal
MARKS = {"ok": ("ok", "green"), "warn": ("warn", "yellow"), "fault": ("FAULT", "red")}
WORDS = 80  # letters of a model's answer that are printed
PROVIDERS = (
    "ANTHROPIC_API_KEY",
    "AZURE_API_KEY",
    "COHERE_API_KEY",
    "DEEPSEEK_API_KEY",
    "GEMINI_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "OLLAMA_API_BASE",
    "OPENAI_API_KEY",
    "OPENROUTER_API_KEY",
    "TOGETHERAI_API_KEY",
    "XAI_API_KEY",
)


class Check(NamedTuple):
    """The result of one check. found: what there is; mend: what to do about it, "" if nothing."""

    name: str
    state: Literal["ok", "warn", "fault"]
    found: str
    mend: str = ""


@click.command()
@MIND
@JSON
def doctor(minds: tuple[str, ...], as_json: bool) -> None:
    """Check this installation, and say how to fix what is wrong.

    It checks Python and packages, the terminal, the folder of saves, SQLite, the worlds, which keys of model providers
    are set (their names only), and the models of the settings; with --mind it asks a model a question. The exit code
    is 1 if there is a fault; warnings do not count.

    \b
    Examples:
      sandbox doctor
      sandbox doctor --mind ollama_chat/llama3.2
      sandbox doctor --json
    """
    found = list(examine(minds))
    fine = all(check.state != "fault" for check in found)

    if as_json:
        say_json({"ok": fine, "checks": [check._asdict() for check in found]})
    else:
        width = max(len(check.name) for check in found)
        for check in found:
            word, colour = MARKS[check.state]
            line = f"  {check.name.ljust(width)}  {check.found}"
            say_text(line + (f"; {check.mend}" if check.mend else ""), mark=word.ljust(5), colour=colour)
    if not fine:
        raise SystemExit(1)


def examine(minds: Sequence[str]) -> Iterator[Check]:
    """Run all checks, in the order a person would ask. minds: models to ask a question, as `--mind` takes them."""
    yield _python()
    yield from _packages()
    yield from _terminal()
    yield from _screen()
    yield from _saves()
    yield _sqlite()
    yield from _worlds()
    yield _keys()
    yield from _minds(minds)


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < LEAST_PYTHON:
        return Check("python", "fault", version, "install Python 3.11 or newer")
    return Check("python", "ok", f"{version} at {sys.executable}")


def requirements() -> list[str]:
    """The packages needed at run time, as "name>=1,<2"; from the installation, else from the checkout."""
    try:
        found = metadata.requires(DISTRIBUTION) or []
        return [r.partition(";")[0].strip() for r in found if "extra ==" not in r]
    except metadata.PackageNotFoundError:
        pass
    import tomllib

    root = checkout()
    if root is None:
        return []
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return list(project["dependencies"])


def version_fits(version: str, ranges: str) -> bool:
    """Whether a version is in ranges like ">=1.2,<3". Only numbers count; signs other than >= and < are ignored."""

    def key(text: str) -> tuple[int, ...]:
        parts = tuple(int(n) for n in re.findall(r"\d+", text.split("+")[0])[:3])
        return parts + (0,) * (3 - len(parts))

    for sign, bound in re.findall(r"(>=|<)\s*([\d.]+)", ranges):
        if (key(version) >= key(bound)) != (sign == ">="):
            return False
    return True


def _packages() -> Iterator[Check]:
    wanted = requirements()
    if not wanted:
        yield Check("packages", "warn", "cannot tell which packages are needed", f"reinstall {DISTRIBUTION}")
    for requirement in wanted:
        m = re.match(r"([A-Za-z0-9._-]+)\s*(.*)", requirement)
        assert m is not None
        name, ranges = m[1], m[2]
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Check(name, "fault", "not installed", f"pip install '{name}{ranges}'")
            continue
        if version_fits(version, ranges):
            yield Check(name, "ok", version)
        else:
            yield Check(name, "fault", f"{version}, but {ranges} is needed", f"pip install '{name}{ranges}'")


def _terminal() -> Iterator[Check]:
    term = os.environ.get("TERM", "")
    from sandbox.cli.play import no_terminal

    missing = no_terminal()
    if missing:
        yield Check("terminal", "warn", missing, "run `sandbox` in a terminal to see the screen")
    else:
        size = shutil.get_terminal_size()
        small = size.columns < SMALLEST[0] or size.lines < SMALLEST[1]
        said = f"{size.columns}x{size.lines}, TERM={safe(term, 40)}"
        if small:
            yield Check("terminal", "warn", said, "make the window at least 80x24")
        else:
            yield Check("terminal", "ok", said)
    yield _colours(term)
    encoding = (getattr(sys.stdout, "encoding", None) or "unknown").lower()
    if encoding.replace("-", "") == "utf8":
        yield Check("text", "ok", "UTF-8")
    else:
        yield Check("text", "warn", encoding, "set LANG to a UTF-8 locale, for example C.UTF-8")


def _screen() -> Iterator[Check]:
    """How the screen is drawn; no check if Textual is missing, which `_packages` reports."""
    try:
        from sandbox.tui.view.textual_internals import DRAWING, why_plain
    except ImportError:
        return
    plain = why_plain()
    if not plain:
        yield Check("screen", "ok", f"Textual {metadata.version('textual')}, and only what changes is sent")
        return
    mend = f"unset {DRAWING}" if DRAWING in plain else "all works; another release of sandbox or Textual is faster"
    yield Check("screen", "warn", f"drawn by Textual alone, which sends more bytes: {plain}", mend)


def _colours(term: str) -> Check:
    if os.environ.get("NO_COLOR"):
        return Check("colours", "warn", "NO_COLOR is set", "the town is drawn in letters; unset it to see it in colour")
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "direct" in term:
        return Check("colours", "ok", "16 million")
    if "256" in term:
        return Check("colours", "ok", "256; set COLORTERM=truecolor if your terminal has more")
    if sys.platform == "win32":
        return Check("colours", "ok", "as the console has")
    return Check("colours", "warn", "16 or fewer", "use a terminal with 256 colours and set TERM=xterm-256color")


def _nearest(folder: Path) -> Path:
    """The folder, or its nearest parent that exists."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _saves() -> Iterator[Check]:
    folder = saves_dir().absolute()
    there = _nearest(folder)
    said = path_text(folder) + ("" if there == folder else " (made with the first save)")
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        yield Check("saves", "fault", f"{said} cannot be written", "change its permissions, or set SANDBOX_HOME")
    else:
        yield Check("saves", "ok", said)
    free = shutil.disk_usage(there).free
    text = f"{free / 1e9:.1f} GB free"
    if free < ROOM_FAULT:
        yield Check("room", "fault", text, "make room, or set SANDBOX_HOME to another disk")
    elif free < ROOM_WARN:
        yield Check("room", "warn", text, "make room soon")
    else:
        yield Check("room", "ok", text)


def _sqlite() -> Check:
    version = sqlite3.sqlite_version
    if sqlite3.sqlite_version_info < LEAST_SQLITE:
        return Check("sqlite", "fault", version, "install a Python with SQLite 3.38 or newer")
    try:
        there = _nearest(saves_dir().absolute())
        usable = there.is_dir() and os.access(there, os.W_OK)
        with tempfile.TemporaryDirectory(dir=there if usable else None) as folder:
            db = sqlite3.connect(Path(folder) / "probe.db")
            try:
                mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
                db.execute("SELECT json_extract('[1]', '$[0]')").fetchone()
            finally:
                db.close()
    except (sqlite3.Error, OSError) as error:
        return Check("sqlite", "fault", f"{version}: {error}", "put saves on a local disk: set SANDBOX_HOME")
    if mode != "wal":
        return Check("sqlite", "warn", f"{version}, no WAL here", "put saves on a local disk: set SANDBOX_HOME")
    return Check("sqlite", "ok", f"{version}, WAL works")


def _worlds() -> Iterator[Check]:
    from sandbox.engine.loading import list_worlds, read

    found = list_worlds()
    if not found:
        yield Check("worlds", "fault", "none found", f"reinstall {DISTRIBUTION}, or add a folder to worlds/")
    for name, path in sorted(found.items()):
        scenario, faults = read(path)
        label = f"world {safe(name, 40)}"
        if scenario is None:
            yield Check(label, "fault", count_of(len(faults.errors), "fault"), f"`sandbox worlds check {path}`")
        else:
            yield Check(label, "ok", f"{len(scenario.cast)} people, {path_text(path)}")


def _keys() -> Check:
    there = [name for name in PROVIDERS if os.environ.get(name)]
    if not there:
        return Check("keys", "ok", "none set; the embedded mind needs none")
    return Check("keys", "ok", f"set: {', '.join(there)}")


def _minds(given: Sequence[str]) -> Iterator[Check]:
    """Check the models of the settings, and whether each of those given as `--mind` takes them answers a question."""
    from sandbox.engine.loading import WorldFaults
    from sandbox.minds.spec import MindSpec, parse_mind
    from sandbox.store.choose_mind import own_spec

    try:
        own = own_spec(MindSpec())
    except WorldFaults as faults:
        for fault in faults.faults:
            yield Check("mind", "fault", str(fault), "correct that line")
        return
    for model in own.models:
        if model.key and not os.environ.get(model.key):
            yield Check("mind", "fault", f"{model.name}: {model.key} is not set", "set that environment variable")
        else:
            yield Check("mind", "ok", f"{model.name}, by the settings")
    if own.models or given:
        yield Check("budget", "ok", f"{own.limits.words}; without a price {own.unpriced.words}")
    if not own.models and not given:
        yield Check("mind", "ok", "embedded; `--mind MODEL` tries a model")
    tried = parse_mind(given, own) if given else MindSpec()
    for model in parse_mind(given).models:
        yield asyncio.run(_tried(model, tried))


async def _tried(model: Model, spec: MindSpec) -> Check:
    """Ask a model one question, as a town would."""
    import msgspec

    from sandbox.core.chance import Chance
    from sandbox.minds.budget import UnsavedCalls
    from sandbox.minds.check import samples
    from sandbox.minds.embedded import EmbeddedMind
    from sandbox.minds.language_mind import choose, close_mind
    from sandbox.talk.lines import LineBook
    from sandbox.talk.saying import Said, Say

    question = next(q for q in samples() if isinstance(q, Say))
    alone = msgspec.structs.replace(spec, default=model, people={})
    mind, thinking = choose(alone, EmbeddedMind(Chance(1), LineBook((), {})), UnsavedCalls())
    began = perf_counter()
    try:
        (said,) = await mind.answer([question], 1)
    except KeyError:  # the embedded mind here has no lines to answer instead
        said = None
    finally:
        await close_mind(mind)
    seconds = perf_counter() - began
    if isinstance(said, Said):
        return Check("mind", "ok", f"{model.name} answered in {seconds:.1f} s: {safe(said.text, WORDS)}")
    why = thinking.fault if thinking is not None else ""
    return Check("mind", "fault", f"{model.name}: {why}", "see docs/minds.md for how to name and reach a model")
