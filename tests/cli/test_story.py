"""`sandbox story`: whose story it is, which days, where it is written, and what is refused."""

from __future__ import annotations

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


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "nobody was played"),
        (["--of", "nemo"], "person"),
        (["--of", "mara", "--days", "9"], "the save has 1 day"),
        (["--of", "mara", "--days", "3-1"], "are not days"),
        (["--of", "mara", "--days", "x"], "are not days"),
        (["--of", "mara", "--force"], "--md"),
    ],
)
def test_what_cannot_be_told_is_refused_in_a_sentence(shell: Shell, save: Path, words: list[str], says: str) -> None:
    done = shell("story", save, *words)
    assert done.code == 2
    assert says in done.err
