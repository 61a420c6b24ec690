"""The block of the README: what each of its lines shows, for those that showed nothing or far too much."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from clishell import Shell

from sandbox.cli import export


def test_a_table_shows_a_terminal_its_first_lines_and_says_how_many_more(
    shell: Shell, save: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = shell("export", save, "--what", "walks", "--format", "csv").out.splitlines()
    monkeypatch.setattr(export, "stdout_is_terminal", lambda: True)
    done = shell("export", save, "--what", "walks", "--format", "csv")
    assert (done.code, done.out.splitlines()) == (0, whole[: export.SHOWN])
    assert f"and {len(whole) - export.SHOWN:,} more lines; --out FILE keeps them all" in done.err
    assert shell("export", save, "--what", "walks", "--format", "csv", "--out", "-").out.splitlines() == whole
    graph = shell("export", save, "--what", "ties", "--format", "gexf")
    assert len(graph.out.splitlines()) == export.SHOWN
    assert "more lines" in graph.err


def test_a_short_table_is_shown_whole(shell: Shell, save: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = shell("export", save, "--what", "money").out
    monkeypatch.setattr(export, "stdout_is_terminal", lambda: True)
    monkeypatch.setattr(export, "SHOWN", 10**6)
    done = shell("export", save, "--what", "money")
    assert (done.out, done.err) == (whole, "")


def block() -> list[str]:
    """Its lines, without what is said of them."""
    text = Path(__file__).parents[2].joinpath("README.md").read_text("utf-8")
    found = text.partition("## Without a screen")[2].partition("```\n")[2].partition("```")[0]
    return [line.partition(" #")[0].strip() for line in found.splitlines() if line.strip()]


def test_what_is_to_be_walked_in_order_begins_with_what_it_names() -> None:
    """A save is made before it is told of, and another lived on before the two are compared."""
    lines = block()
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


# On a small scale: a day and three hours for a week, and what lives long or measures this machine the shortest way.
SMALLER = (
    ("sandbox run larkspur --days 7", 'sandbox run larkspur --until "day 2 10:30"'),
    ("sandbox run larkspur --seed 7 --step 20m", "sandbox run larkspur --seed 7 --step 20m --steps 3"),
    ("sandbox lab run sentipolis --quick --out out", "sandbox lab list"),
    ("sandbox bench", "sandbox bench --only frame"),
)
SHOWS = {  # what a newcomer is to see of a line, by how it begins
    "sandbox run larkspur --days": "What came to a head",
    "sandbox run larkspur --seed": '"digest"',
    "sandbox run week.db": "LARKSPUR",
    "sandbox drama": "Day 2, Wednesday",
    "sandbox goals": "in the way",
    "sandbox bet": "CHANCE",
    "sandbox do week.db": "It has reached Mara",
    "sandbox receipt": "WHAT PEOPLE CAME TO BELIEVE",
    "sandbox ask": "Mara: ",
    "sandbox replay week.db --verify": "unchanged",
    "sandbox saves mark": "still dry",
    "sandbox saves branch": "a branch of week.db at step 600",
    "sandbox do other.db": "It rains",
    "sandbox compare": "notable rows only in A",
    "sandbox export": "written to talk.csv",
    "sandbox story week.db --of": "written to mara.md",
    "sandbox story week.db --week": "WEEK 1 IN",
    "sandbox ties": "clustering",
    "sandbox talk": "things said",
    "sandbox phones": "posted: ",
    "sandbox doctor": "ok ",
}


@pytest.mark.slow
def test_the_block_runs_in_its_order_and_each_line_shows_something(shell: Shell, tmp_path: Path) -> None:
    shown = set()
    for line in block():
        small = next((line.replace(big, less) for big, less in SMALLER if line.startswith(big)), line)
        done = shell(*shlex.split(small)[1:])
        assert done.code == 0, (line, done.err)
        said = done.out + done.err
        key = next((x for x in SHOWS if line.startswith(x)), "")
        assert SHOWS.get(key, "") in re.sub(r"\b([A-Z]) (?=[A-Z]\b)", r"\1", said), (line, said[:2000])
        assert len(said) > 15, line
        shown.add(key)
    assert shown - {""} == SHOWS.keys()
    assert tmp_path.joinpath("mara.md").read_text("utf-8").startswith("# The story of Mara")
    rows = tmp_path.joinpath("talk.csv").read_text("utf-8").splitlines()
    assert len(rows) > 100
