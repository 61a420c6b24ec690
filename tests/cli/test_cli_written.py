"""What commands write: under a name that can be written, whole or not at all, and over nothing unless told to."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from clishell import Done, Shell

from sandbox.cli import export as export_module
from sandbox.store.errors import SaveError
from sandbox.store.files import appearing

pytestmark = pytest.mark.slow

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
Write = Callable[[Shell, Path, object], Done]
WRITERS: dict[str, Write] = {
    "run": lambda shell, save, out: shell("run", "larkspur", "--steps", 1, "--save", out),
    "run of a save": lambda shell, save, out: shell("run", save, "--steps", 1, "--save", out),
    "branch": lambda shell, save, out: shell("saves", "branch", save, "--at", 1, "--out", out),
    "export": lambda shell, save, out: shell("export", save, "--what", "ties", "--out", out),
}
FOLDERS: dict[str, Write] = {
    "lab run": lambda shell, save, out: shell("lab", "run", "small.yaml", "--out", out),
    "lab report": lambda shell, save, out: shell("lab", "report", out),
    "lab judge": lambda shell, save, out: shell("lab", "judge", out, "--judge", "ollama/x"),
}
NOWHERE = {
    "nul": "a\0b",
    "long": "x" * 300,
    "deep": "/".join(["y" * 200] * 30),
    "under a file": "file/x",
    "nothing": "",
    "not there": "/proc/x/y.db",
}
NO_FILE = NOWHERE | {"this": ".", "above": "..", "root": "/", "folder": "dir", "folder/": "dir/"}


@pytest.fixture
def ground(tmp_path: Path, shell: Shell) -> Path:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "dir").mkdir()
    (tmp_path / "small.yaml").write_text(SMALL)
    return tmp_path


def everything(folder: Path) -> dict[Path, bytes]:
    return {p: p.read_bytes() if p.is_file() else b"" for p in folder.rglob("*")}


@pytest.mark.parametrize("where", NO_FILE)
@pytest.mark.parametrize("command", WRITERS)
def test_a_file_that_cannot_be_is_told_in_a_line_and_nothing_is_left(
    shell: Shell, save: Path, ground: Path, command: str, where: str
) -> None:
    before = everything(ground)
    done = WRITERS[command](shell, save, NO_FILE[where])
    assert done.code == 2, done
    assert len(done.err.splitlines()) == 1
    assert ";" in done.err  # a mend
    assert everything(ground) == before


@pytest.mark.parametrize("where", NOWHERE)
@pytest.mark.parametrize("command", FOLDERS)
def test_a_folder_that_cannot_be_is_told_and_nothing_is_left(
    shell: Shell, save: Path, ground: Path, command: str, where: str
) -> None:
    before = everything(ground)
    done = FOLDERS[command](shell, save, NOWHERE[where])
    assert done.code == 2, done
    assert not done.out
    assert everything(ground) == before


@pytest.mark.parametrize("command", WRITERS)
def test_a_file_is_replaced_only_when_told_to(shell: Shell, save: Path, ground: Path, command: str) -> None:
    done = WRITERS[command](shell, save, "file")
    assert (done.code, Path("file").read_text()) == (2, "mine")
    assert "exists already" in done.err
    assert "--force" in done.err


def test_an_export_told_to_replaces_a_file_but_never_a_save(shell: Shell, save: Path, ground: Path) -> None:
    assert shell("export", save, "--what", "ties", "--out", "file", "--force").code == 0
    assert Path("file").read_text().startswith('{"t":')
    other = ground / "other.db"
    other.write_bytes(save.read_bytes())
    for path in (save, other):
        before = path.read_bytes()
        assert shell("export", save, "--what", "ties", "--out", path, "--force").code == 2
        assert path.read_bytes() == before
    assert "--out FILE" in shell("export", save, "--force").err


@pytest.mark.parametrize("side", ["-wal", "-shm", "-journal", "-lock", "-WAL"])
@pytest.mark.parametrize("command", {**WRITERS, "lab run": FOLDERS["lab run"]})
def test_a_name_that_belongs_to_a_save_is_refused(
    shell: Shell, save: Path, ground: Path, command: str, side: str
) -> None:
    (ground / "town").write_bytes(save.read_bytes())
    (ground / "link").symlink_to(f"a.db{side}")
    before = everything(ground)
    for name in (f"a.db{side}", f"to come.db{side}", f"town{side}", "link"):
        done = {**WRITERS, **FOLDERS}[command](shell, save, name)
        assert done.code == 2, done
        assert "is a name that belongs to the save" in done.err
    assert everything(ground) == before


def test_a_name_that_only_looks_like_it_is_taken(shell: Shell, save: Path, ground: Path) -> None:
    for name in ("notes-lock", "file-wal", "a.db-walk"):
        assert shell("export", save, "--what", "ties", "--out", name).code == 0
        assert Path(name).is_file()


def test_an_export_that_fails_halfway_leaves_what_was_there(
    shell: Shell, save: Path, ground: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def half(source: Path, what: str, form: str, at: object, file: object, loadable: bool) -> None:
        file.write("half a line")  # type: ignore[attr-defined]
        raise SaveError(source, "is damaged", "mend it")

    monkeypatch.setattr(export_module, "_write", half)
    before = everything(ground)
    assert shell("export", save, "--out", "file", "--force").code == 2
    assert shell("export", save, "--out", "new").code == 2
    assert everything(ground) == before


def test_a_name_taken_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "a.csv"

    def meanwhile() -> None:
        with appearing(out, overwrite=False) as file:
            file.write("ours")
            out.write_text("somebody else's")

    with pytest.raises(SaveError, match="exists already"):
        meanwhile()
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.csv", "somebody else's")]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
@pytest.mark.parametrize("command", {**WRITERS, **FOLDERS})
def test_a_folder_without_rights_is_told(shell: Shell, save: Path, ground: Path, command: str) -> None:
    (ground / "dir").chmod(0o500)
    done = {**WRITERS, **FOLDERS}[command](shell, save, "dir/x")
    assert done.code == 2
    assert done.err


@pytest.mark.slow
def test_a_run_goes_on_in_its_own_folder_and_in_no_other_unless_told_to(shell: Shell, ground: Path) -> None:
    (ground / "other.yaml").write_text(SMALL)
    Path("dir/report.md").write_text("my own report")
    refused = shell("lab", "run", "small.yaml", "--out", "dir")
    assert refused.code == 2
    assert refused.err.startswith("dir/report.md: is there already")
    assert "--force" in refused.err
    assert [p.name for p in Path("dir").iterdir()] == ["report.md"]
    Path("dir/report.md").rename("dir/notes.md")
    assert shell("lab", "run", "small.yaml", "--out", "dir").code == 0
    assert shell("lab", "run", "small.yaml", "--out", "dir", "--json").json["skipped"] == 1
    before = everything(ground / "dir")
    refused = shell("lab", "run", "other.yaml", "--out", "dir")
    assert (refused.code, everything(ground / "dir")) == (2, before)
    assert "holds another experiment, small; name another folder, or give --force" in refused.err
    assert shell("lab", "run", "other.yaml", "--out", "dir", "--force", "--json").json["skipped"] == 1
    assert Path("dir/notes.md").read_text() == "my own report"


def test_somebody_who_is_not_here_is_a_name_like_any_other(shell: Shell, save: Path) -> None:
    nobody = "~nobody-of-that-name"
    for command in (
        ["run"],
        ["play"],
        ["replay"],
        ["export"],
        ["saves", "info"],
        ["worlds", "check"],
        ["lab", "report"],
    ):
        assert shell(*command, nobody).code == 2
    assert shell("saves", "branch", save, "--at", 1, "--out", f"{nobody}/b.db").code == 0
    assert Path(nobody, "b.db").is_file()
