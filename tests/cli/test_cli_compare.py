"""`sandbox compare`, `saves tree` and `saves name`."""

from __future__ import annotations

from pathlib import Path

import pytest
from clishell import Shell
from village import build


@pytest.fixture
def other(shell: Shell, save: Path, tmp_path: Path) -> Path:
    """A branch of the save at step 30 that went on with other luck to step 60."""
    out = tmp_path / "b.db"
    assert shell("saves", "branch", save, "--at", 30, "--out", out).code == 0
    assert shell("run", out, "--seed", 99, "--steps", 30, "--json").code == 0
    return out


@pytest.mark.slow
def test_a_branch_is_compared_with_its_parent(shell: Shell, save: Path, other: Path) -> None:
    done = shell("compare", save, other)
    assert done.code == 0
    assert "They are the same up to step 30, Tue 4 Mar 08:00." in done.out
    assert "A player acted only in B, Tue 4 Mar 08:00: From here on chance is another." in done.out
    assert "The first events that differ:\n  A  step 3" in done.out
    assert "At Tue 4 Mar 08:30:" in done.out
    found = shell("compare", save, other, "--json").json
    assert (found["same"], found["shared"]["step"], found["at"]["t"]) == (False, 30, 3600)
    assert [x["kind"] for x in found["acts"]["b"]] == ["reseeded"]
    assert found["first"]["a"]["text"] in done.out
    assert found["first"]["b"]["text"] in done.out
    assert found["moods"]
    assert all({"who", "apart", "a", "b"} <= m.keys() for m in found["moods"])


@pytest.mark.slow
def test_a_moment_before_the_fork_has_no_difference(shell: Shell, save: Path, other: Path) -> None:
    for at in (30, "8:00", "day 1 07:45"):
        done = shell("compare", save, other, "--at", at)
        assert done.code == 0
        assert "nothing differs" in done.out


@pytest.mark.parametrize(
    ("at", "says"),
    [("61", "ends at step 60"), ("3 12:00", "goes from Tue 4 Mar 07:30"), ("noon", "is not a moment")],
)
def test_a_moment_that_was_not_lived_is_refused_in_a_sentence(
    shell: Shell, save: Path, other: Path, at: str, says: str
) -> None:
    done = shell("compare", save, other, "--at", at)
    assert done.code == 2
    assert says in done.err


@pytest.mark.slow
def test_other_towns_and_files_that_are_no_saves_are_refused(shell: Shell, save: Path, tmp_path: Path) -> None:
    shell("run", build(tmp_path / "village"), "--steps", 1, "--save", tmp_path / "v.db")
    assert "compare two saves of one world" in shell("compare", save, tmp_path / "v.db").err
    (tmp_path / "x.db").write_text("nonsense")
    done = shell("compare", save, tmp_path / "x.db")
    assert (done.code, "is not a save" in done.err) == (2, True)


@pytest.mark.slow
def test_a_tree_of_saves_tells_where_each_left_and_what_was_different(shell: Shell, save: Path, other: Path) -> None:
    done = shell("saves", "tree", save.parent)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].startswith("a.db  Larkspur, 60 steps")
    assert lines[1].startswith("└─ b.db  Larkspur, 60 steps")
    assert lines[2].strip().startswith("left at step 30, day 1, 08:00: with other luck: ")
    found = shell("saves", "tree", save.parent, "--json").json
    assert [(x["depth"], x["of"]) for x in found] == [(0, None), (1, str(save))]
    assert found[1]["left"]["step"] == 30
    assert found[1]["different"] in lines[2]


def test_a_save_without_its_parent_and_one_that_is_broken_are_told(shell: Shell, save: Path, other: Path) -> None:
    save.write_text("nonsense")
    done = shell("saves", "tree", save.parent)
    assert done.code == 0
    assert "a branch of a save that is not here" in done.out
    assert "a.db  cannot be opened" in done.out
    assert "is not a save" in done.err
    assert shell("saves", "tree", save.parent / "none").code == 2


def test_a_save_is_named_and_its_name_is_clean(shell: Shell, save: Path) -> None:
    assert shell("saves", "name", save, "the \x1b[31mbetter day").code == 0
    assert "the better day" in shell("saves", "list", save.parent).out
    done = shell("saves", "name", save, "\x1b[0m")
    assert (done.code, "cannot be called nothing" in done.err) == (2, True)
