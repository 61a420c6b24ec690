"""Bookmarks: notes beside the log, which travel with a branch and leave the digest alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from sandbox.cli.main import cli


def sandbox(*words: str) -> str:
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def save(tmp_path: Path) -> str:
    path = str(tmp_path / "a.db")
    sandbox("run", "larkspur", "--steps", "6", "--save", path)
    return path


def marks(save: str) -> dict[str, str]:
    found: dict[str, str] = json.loads(sandbox("saves", "info", save, "--json"))["bookmarks"]
    return found


@pytest.mark.slow
def test_a_mark_is_shown_and_changes_no_digest(save: str) -> None:
    before = json.loads(sandbox("saves", "info", save, "--json"))["digest"]
    said = sandbox("saves", "mark", save, "--at", "3", "the row at the bakery")
    assert said == f"{save}: step 3, Tue 4 Mar 07:33: “the row at the bakery”; `saves info` lists it\n"
    assert "step 6, Tue 4 Mar 07:36" in sandbox("saves", "mark", save, "the end")
    assert marks(save) == {"3": "the row at the bakery", "6": "the end"}
    assert "the row at the bakery" in sandbox("saves", "info", save)
    assert json.loads(sandbox("saves", "info", save, "--json"))["digest"] == before
    sandbox("replay", save, "--verify")
    assert sandbox("saves", "mark", save, "--at", "3", "").endswith("the bookmark is removed\n")
    assert marks(save) == {"6": "the end"}


def test_a_branch_keeps_the_marks_it_shares(save: str, tmp_path: Path) -> None:
    sandbox("saves", "mark", save, "--at", "2", "shared")
    sandbox("saves", "mark", save, "--at", "5", "later")
    out = str(tmp_path / "b.db")
    sandbox("saves", "branch", save, "--at", "3", "--out", out)
    assert marks(out) == {"2": "shared"}


def test_a_step_that_is_not_there_has_no_mark(save: str) -> None:
    done = CliRunner().invoke(cli, ["saves", "mark", save, "--at", "99", "too far"])
    assert done.exit_code == 2
    assert "has no step 99" in done.output
