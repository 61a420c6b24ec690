"""`sandbox story`: whose story it is, which days, where it is written, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from clishell import Shell


@pytest.mark.slow
def test_a_story_is_told_on_the_terminal_and_written_as_markdown(shell: Shell, save: Path, tmp_path: Path) -> None:
    told = shell("story", save, "--of", "mara")
    assert told.code == 0
    assert "THE STORY OF MARA" in told.out
    assert "How things stand" in told.out
    out = tmp_path / "mara.md"
    assert shell("story", save, "--of", "Mara", "--md", out).code == 0
    assert out.read_text(encoding="utf-8").startswith("# The story of Mara")
    assert shell("story", save, "--of", "mara", "--md", out).code == 2
    assert shell("story", save, "--of", "mara", "--md", out, "--force").code == 0


def test_the_page_of_a_week_and_the_chronicle_are_printed(shell: Shell, save: Path, tmp_path: Path) -> None:
    week = shell("story", save, "--week", "1")
    assert week.code == 0
    assert "WEEK 1 IN LARKSPUR" in week.out
    assert "THE WEEK IN NUMBERS" in week.out
    told = shell("story", save, "--chronicle")
    assert "THE CHRONICLE OF LARKSPUR" in told.out
    assert max(map(len, told.out.splitlines())) <= 80
    out = tmp_path / "town.md"
    assert shell("story", save, "--chronicle", "--md", out).code == 0
    assert out.read_text(encoding="utf-8").startswith("# The chronicle of Larkspur")


def test_each_line_of_the_chronicle_leads_to_its_moment(shell: Shell, save: Path) -> None:
    rows = shell("story", save, "--chronicle", "--json").json["turns"]
    assert rows
    assert [x["t"] for x in rows] == sorted(x["t"] for x in rows)
    for row in rows:
        assert row["text"].endswith(".")
        assert row["event"] > 0
        assert re.fullmatch(r"day 1 \d\d:\d\d", row["at"])
    assert shell("replay", save, "--at", rows[-1]["at"]).code == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "nobody was played"),
        (["--of", "nemo"], "person"),
        (["--of", "mara", "--days", "9"], "the save has 1 day"),
        (["--of", "mara", "--days", "3-1"], "are not days"),
        (["--of", "mara", "--days", "x"], "are not days"),
        (["--of", "mara", "--force"], "--md"),
        (["--week", "2"], "the save has 1 week"),
        (["--week", "0"], "--week"),
        (["--week", "1", "--of", "mara"], "not for --week or --chronicle"),
        (["--chronicle", "--days", "1"], "not for --week or --chronicle"),
        (["--chronicle", "--week", "1"], "ask for one"),
        (["--of", "mara", "--json"], "--json is for --chronicle"),
        (["--chronicle", "--json", "--md", "x.md"], "--json is for --chronicle"),
    ],
)
def test_what_cannot_be_told_is_refused_in_a_sentence(shell: Shell, save: Path, words: list[str], says: str) -> None:
    done = shell("story", save, *words)
    assert done.code == 2
    assert says in done.err
