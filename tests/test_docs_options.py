"""README, docs and help name options and their values as the commands take them; where they list them, all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

from sandbox.cli.export import WHAT
from sandbox.cli.main import COMMANDS
from sandbox.readers.tables import TABLES
from sandbox.readers.tables_feed import STATES

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SAID = re.compile(r"(?<![\w-])(--[a-z][a-z-]*)(?:[ =]([\w|,.-]+))?")


def leaves(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if isinstance(command, click.Group):
        for name, one in command.commands.items():
            yield from leaves(one, (*words, name))
    else:
        yield words, command


ALL = dict(
    found
    for name in COMMANDS
    for found in leaves(getattr(import_module(f"sandbox.cli.{name}"), name), ("sandbox", name))
)
OPTIONS: dict[str, list[click.Option]] = {}
for command in ALL.values():
    for param in command.params:
        if isinstance(param, click.Option):
            for opt in param.opts:
                OPTIONS.setdefault(opt, []).append(param)


def said(text: str) -> Iterator[tuple[str, list[click.Option], str]]:
    """(the line, the options that it may mean, its value or "") of every option in code: of the line's own command
    where it names one, else of any.
    """
    lines = [line for block in re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S) for line in block.split("\n")]
    lines += re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    for line in lines:
        words = tuple(line.split())
        command = next((c for path, c in ALL.items() if words[: len(path)] == path), None)
        if command is None and words[:1] != ("sandbox",) and not line.startswith("--") and "export --" not in line:
            continue  # an option of somebody else's program
        for name, value in SAID.findall(line.split(" #")[0]):
            own = [p for p in command.params if isinstance(p, click.Option) and name in p.opts] if command else []
            yield line, own if command else OPTIONS.get(name, []), value


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_every_option_and_every_value_of_the_pages_is_one_that_is_taken(page: Path) -> None:
    for line, options, value in said(page.read_text(encoding="utf-8")):
        assert options or "--help" in line or "--version" in line, f"{page.name}: {line}"
        choices = [o.type.choices for o in options if isinstance(o.type, click.Choice)]
        if choices and value:
            assert any({*value.split("|")} <= {*known} for known in choices), f"{page.name}: {line}"
            assert "|" not in value or any([*known] == value.split("|") for known in choices), f"{page.name}: {line}"


def test_the_pages_hold_what_the_test_above_looks_for() -> None:
    found = [(o.name, value) for page in PAGES for _, options, value in said(page.read_text("utf-8")) for o in options]
    assert ("what", "|".join(WHAT)) in found
    assert len(found) > 60


def test_every_choice_of_a_list_is_told_in_the_help_of_its_command() -> None:
    for path, command in ALL.items():
        for param in command.params:
            if isinstance(param, click.Option) and isinstance(param.type, click.Choice):
                text = command.get_help(click.Context(command))
                assert all(re.search(rf"\b{re.escape(choice)}\b", text) for choice in param.type.choices), path


def test_every_table_there_is_can_be_exported() -> None:
    assert ("events", *TABLES, *STATES, "society") == WHAT
