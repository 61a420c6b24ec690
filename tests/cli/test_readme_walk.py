"""The block of the README: what each of its lines shows, for those that showed nothing or far too much."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from clishell import Shell

from sandbox.cli import export


def test_a_table_shows_a_terminal_its_first_lines_and_says_how_many_more(
    shell: Shell, save: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = shell("export", save, "--what", "walks", "--format", "csv").out.splitlines()
    monkeypatch.setattr(export, "on_screen", lambda: True)
    done = shell("export", save, "--what", "walks", "--format", "csv")
    assert (done.code, done.out.splitlines()) == (0, whole[: export.SHOWN])
    assert f"and {len(whole) - export.SHOWN:,} more lines; --out FILE keeps them all" in done.err
    assert shell("export", save, "--what", "walks", "--format", "csv", "--out", "-").out.splitlines() == whole
    graph = shell("export", save, "--what", "ties", "--format", "gexf")
    assert len(graph.out.splitlines()) == export.SHOWN
    assert "more lines" in graph.err


def test_a_short_table_is_shown_whole(shell: Shell, save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = shell("export", save, "--what", "money").out
    monkeypatch.setattr(export, "on_screen", lambda: True)
    monkeypatch.setattr(export, "SHOWN", 10**6)
    done = shell("export", save, "--what", "money")
    assert (done.out, done.err) == (whole, "")


def test_what_is_to_be_walked_in_order_begins_with_what_it_names() -> None:
    """A save is made before it is told of, and another lived on before the two are compared."""
    text = Path(__file__).parents[2].joinpath("README.md").read_text("utf-8")
    block = text.partition("## Without a screen")[2].partition("```\n")[2].partition("```")[0]
    lines = [line.partition(" #")[0].strip() for line in block.splitlines() if line.strip()]
    kept: set[str] = set()
    for line in lines:
        named = set(re.findall(r"[\w-]+\.db", line))
        made = set(re.findall(r"--(?:save|out) ([\w-]+\.db)", line))
        assert named - made <= kept, line
        kept |= made
    compared = next(i for i, line in enumerate(lines) if " compare " in line)
    assert any(" run other.db" in line for line in lines[:compared])
    assert any(" do other.db" in line for line in lines[:compared])
    assert any("export" in line and "--out" in line for line in lines)
    assert "sandbox goals larkspur" in lines
