"""Every command over files, folders and words whose names are commands to a terminal: they come out as text."""

from __future__ import annotations

import ast
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest
from clishell import ROOT, Done, Shell

from sandbox.cli.main import COMMANDS
from sandbox.core.places import shipped_folder
from sandbox.core.plain import cell, escape_json, lines

EVIL = "x\u202e\u200b\u2066\x1b[2J\x9b31m\u2028\ufeff\U000e0041y"
WORLD, EXPERIMENT, SAVE, OUT = f"{EVIL}-world", f"{EVIL}.yaml", f"{EVIL}.db", f"{EVIL}-out"
SMALL = """\
title: Small
world: larkspur
start: "2025-02-13 08:00"
step: 1h
steps: 1
seeds: 1
settings: [rules.drama=off]
arms: {a: []}
metrics: [talks]
"""
RUNS: dict[str, list[str]] = {  # a command, and words with which it does what it is for
    "play": ["play", SAVE],
    "run": ["run", SAVE, "--steps", "1"],
    "replay": ["replay", SAVE],
    "drama": ["drama", SAVE],
    "ties": ["ties", SAVE],
    "phones": ["phones", SAVE],
    "ask": ["ask", SAVE, "mara", EVIL],
    "talk lint": ["talk", "lint", WORLD],
    "talk coverage": ["talk", "coverage", SAVE],
    "talk stats": ["talk", "stats", SAVE],
    "lab list": ["lab", "list"],
    "lab run": ["lab", "run", EXPERIMENT, "--out", OUT],
    "lab judge": ["lab", "judge", OUT, "--judge", EVIL],
    "lab report": ["lab", "report", OUT],
    "saves list": ["saves", "list", "."],
    "saves info": ["saves", "info", SAVE],
    "saves mark": ["saves", "mark", SAVE, EVIL],
    "saves branch": ["saves", "branch", SAVE, "--at", "1", "--out", f"{EVIL}-b.db", "--title", EVIL],
    "saves tree": ["saves", "tree", "."],
    "saves name": ["saves", "name", SAVE, EVIL],
    "saves pack": ["saves", "pack", SAVE],
    "compare": ["compare", SAVE, SAVE],
    "story": ["story", SAVE, "--of", "mara"],
    "receipt": ["receipt", SAVE, "2", "--no-twin"],
    "be": ["be", SAVE, f"as {EVIL}"],
    "do": ["do", SAVE, f"note at the square: {EVIL}"],
    "goals": ["goals", SAVE],
    "bet": ["bet", SAVE],
    "export": ["export", SAVE, "--what", "ties"],
    "worlds list": ["worlds", "list"],
    "worlds check": ["worlds", "check", WORLD],
    "doctor": ["doctor"],
    "bench": ["bench", "--only", EVIL],
}


def leaves(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    if isinstance(command, click.Group):
        for word, one in command.commands.items():
            yield from leaves(one, f"{name} {word}")
    else:
        yield name, command


LEAVES = dict(x for name in COMMANDS for x in leaves(getattr(import_module(f"sandbox.cli.{name}"), name), name))


def harmless(done: Done) -> Done:
    """Nothing but what can be seen left the command."""
    odd = {ch for ch in done.out + done.err if ch != "\n" and not ch.isprintable()}
    assert not odd, (odd, done)
    return done


@pytest.fixture
def ground(tmp_path: Path, save: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of such a name, with such a save, world and experiment in it, and we stand there."""
    folder = tmp_path / EVIL
    folder.mkdir()
    db = sqlite3.connect(save)
    with db:
        db.execute("UPDATE meta SET value = ? WHERE key IN ('title', 'uid', 'created', 'parent')", (EVIL,))
        db.execute("INSERT INTO bookmarks VALUES (1, ?)", (EVIL,))
    db.close()
    save.rename(folder / SAVE)
    (folder / "worlds").mkdir()
    shutil.copytree(shipped_folder("worlds") / "larkspur", folder / "worlds" / WORLD)
    (folder / EXPERIMENT).write_text(SMALL)
    monkeypatch.chdir(folder)
    monkeypatch.setattr("sandbox.cli.run.DAY", 3600)  # what `play` lives without a terminal
    return folder


def test_the_table_above_holds_every_command() -> None:
    assert RUNS.keys() == LEAVES.keys()


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", RUNS)
def test_what_a_command_says_of_hostile_names_is_text(shell: Shell, ground: Path, name: str) -> None:
    if name == "lab report":
        assert harmless(shell(*RUNS["lab run"])).code == 0
        for path in Path(OUT).glob("*.*"):
            text = path.read_text(encoding="utf-8")
            assert all(ch == "\n" or ch.isprintable() for ch in text), path.name
    done = harmless(shell(*RUNS[name]))
    assert done.code in (0, 1, 2)
    as_json = [o for o in LEAVES[name].params if isinstance(o, click.Option) and "--json" in o.opts]
    words = [*RUNS[name], "--verify"] if name == "replay" else RUNS[name]
    if as_json and done.code == 0 and name not in ("doctor", "ask"):
        assert json.loads(harmless(shell(*words, "--json")).out) is not None


@pytest.mark.parametrize("name", RUNS)
def test_a_hostile_word_in_any_place_of_any_command_comes_back_as_text(shell: Shell, ground: Path, name: str) -> None:
    words = name.split()
    arguments = [p for p in LEAVES[name].params if isinstance(p, click.Argument)]
    given = [*words, *(f"{EVIL}none" for _ in arguments)]
    tries = [[*given, f"--{EVIL}"], [*given, EVIL]] + ([given] if arguments else [])
    options = [p for p in LEAVES[name].params if isinstance(p, click.Option) and not p.is_flag]
    tries += [[*given, option.opts[0], EVIL] for option in options]
    for one in tries:
        assert harmless(shell(*one)).code == 2, one


@pytest.mark.parametrize("words", [[EVIL], [f"--{EVIL}"], ["lab", EVIL], ["saves", f"--{EVIL}"]], ids=str)
def test_no_such_command_is_told_as_text(shell: Shell, words: list[str]) -> None:
    assert harmless(shell(*words)).code == 2


@pytest.mark.slow
def test_whatever_a_world_says_of_itself_is_text_or_refused(shell: Shell, ground: Path) -> None:
    path = Path("worlds") / WORLD / "world.yaml"
    quoted = f'"{"".join(f"{chr(92)}U{ord(ch):08x}" for ch in EVIL)}"'
    path.write_text(re.sub(r"^title:.*$", lambda _: f"title: {quoted}", path.read_text(), flags=re.M))
    for command in (["worlds", "check", WORLD], ["worlds", "list"], ["worlds", "list", "--json"], ["run", WORLD]):
        assert EVIL not in harmless(shell(*command)).out
    Path(EXPERIMENT).write_text(SMALL.replace("Small", quoted).replace("arms: {a", f"arms: {{{quoted}"))
    refused = harmless(shell("lab", "run", EXPERIMENT, "--out", OUT))
    assert refused.code == 2
    assert len(refused.err.splitlines()) >= 2


def test_commands_print_by_the_one_module_that_cleans() -> None:
    """`bench` draws a table of its own figures."""
    for path in (ROOT / "sandbox" / "cli").glob("*.py"):
        if path.name == "telling.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                said = ast.unparse(node.func)
                assert said not in ("click.echo", "click.secho", "print", "sys.stdout.write", "sys.stderr.write"), path


def test_text_json_and_cells_keep_what_can_be_seen_and_show_or_escape_the_rest() -> None:
    plain = "Ærøskøbing — 東京 é 🙂"
    assert (lines(plain), escape_json(plain), cell(plain)) == (plain, plain, plain)
    assert json.loads(escape_json(json.dumps(EVIL, ensure_ascii=False))) == EVIL
    assert escape_json('"\udcff"') == '"\\udcff"'
    for text in (lines(EVIL), escape_json(EVIL), str(cell(EVIL))):
        assert text.isprintable()
    assert lines("a\u202eb\nc") == "a<U+202E>b\nc"
