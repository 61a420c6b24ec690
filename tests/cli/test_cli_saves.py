"""`sandbox replay`, `saves`, `play` without a terminal and `doctor`."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from clishell import ROOT, Shell, read
from village import build

from sandbox.cli import doctor

SEED = int(re.findall(r"^seed: (\d+)", (ROOT / "worlds/larkspur/world.yaml").read_text(), flags=re.M)[0])


def edit(path: Path, sql: str) -> None:
    db = sqlite3.connect(path)
    db.execute(sql)
    db.commit()
    db.close()


def test_a_save_that_was_lived_is_proved(shell: Shell, save: Path) -> None:
    before = save.read_bytes()
    done = shell("replay", save, "--verify")
    assert done.code == 0
    assert "unchanged (60 steps" in done.out
    found = shell("replay", save, "--verify", "--json").json
    last = read(save, "SELECT digest FROM steps ORDER BY step DESC LIMIT 1")[0][0].hex()
    assert (found["ok"], found["steps"], found["digest"], found["step"], found["why"]) == (True, 60, last, None, None)
    assert save.read_bytes() == before


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("UPDATE events SET actor = 'zeno' WHERE step = {}", "differ from its digest"),
        ("UPDATE events SET data = '{{}}' WHERE seq = (SELECT max(seq) FROM events WHERE step = {})", "digest"),
        ("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events WHERE step = {})", "missing"),
        ("UPDATE steps SET digest = zeroblob(32) WHERE step = {}", "digest"),
        ("DELETE FROM steps WHERE step = {}", "missing"),
        ("UPDATE steps SET t = t + 1 WHERE step = {}", "second"),
    ],
)
def test_a_row_changed_by_hand_is_found(shell: Shell, save: Path, sql: str, says: str) -> None:
    busy = read(save, "SELECT step FROM events WHERE step > 9 GROUP BY step HAVING count(*) > 2 LIMIT 1")[0][0]
    edit(save, sql.format(busy))
    before = save.read_bytes()
    done = shell("replay", save, "--verify")
    assert done.code == 1
    assert f"step {busy} differs: " in done.out
    assert says in done.out
    found = shell("replay", save, "--verify", "--json")
    assert (found.code, found.json["ok"], found.json["step"]) == (1, False, busy)
    assert says in found.json["why"]
    assert save.read_bytes() == before


def test_replay_without_proof_tells_the_days(shell: Shell, save: Path) -> None:
    done = shell("replay", save)
    assert done.code == 0
    assert len(done.out.splitlines()) > 10
    assert done.out.rstrip().endswith(f"`sandbox replay {save} --verify`")
    assert shell("replay", save, "--json").code == 2


def test_saves_are_listed_the_newest_first_and_broken_ones_too(shell: Shell, save: Path) -> None:
    folder = Path("home/saves")
    assert "no saves" in shell("saves", "list").out
    folder.mkdir(parents=True)
    save.rename(folder / "one.db")
    (folder / "two.db").write_text("nonsense")
    os.utime(folder / "one.db", (1, 1))
    found = shell("saves", "list", "--json").json
    assert [Path(row["path"]).name for row in found] == ["two.db", "one.db"]
    assert "is not a save" in found[0]["error"]
    assert (found[1]["steps"], found[1]["title"]) == (60, "Larkspur")
    done = shell("saves", "list")
    assert done.code == 0
    assert re.search(r"one\.db +Larkspur +60 +01:00 +\d\.\d MB", done.out)
    assert "two.db" in done.err
    assert shell("saves", "list", "nowhere").code == 2
    assert shell("saves", "info", "one.db").code == 0  # a bare name is looked for among the saves


def test_info_tells_all_of_a_save(shell: Shell, save: Path) -> None:
    found = shell("saves", "info", save, "--json").json
    assert (found["world"], found["seed"], found["residents"], found["steps"]) == ("larkspur", SEED, 25, 60)
    assert found["time"] == "2025-03-04 08:30"
    assert found["events"] == read(save, "SELECT count(*) FROM events")[0][0]
    assert found["versions"].keys() == {"sandbox", "python", "numpy"}
    plain = shell("saves", "info", save).out
    assert found["digest"] in plain
    assert found["unversioned"] in plain
    assert found["unversioned"] != found["digest"]
    proved = shell("replay", save, "--verify")
    assert proved.out.endswith(f"digest {found['digest']}\nunversioned {found['unversioned']}\n")
    assert shell("replay", save, "--verify", "--json").json["unversioned"] == found["unversioned"]
    assert f"Larkspur (larkspur), seed {SEED}" in plain


def test_a_branch_goes_on_where_it_left(shell: Shell, save: Path) -> None:
    before = save.read_bytes()
    done = shell("saves", "branch", save, "--at", 30, "--out", "b.db", "--title", "What if")
    assert (done.code, save.read_bytes()) == (0, before)
    found = shell("saves", "info", "b.db", "--json").json
    assert (found["steps"], found["title"], found["parent_step"]) == (30, "What if", 30)
    again = shell("run", "b.db", "--steps", 30, "--json").json["digest"]
    assert again == shell("saves", "info", save, "--json").json["digest"]
    refused = shell("saves", "branch", save, "--at", 61, "--out", "c.db")
    assert (refused.code, "has no step 61" in refused.err, Path("c.db").exists()) == (2, True, False)
    assert shell("saves", "branch", save, "--at", 5, "--out", "b.db").code == 2
    assert shell("saves", "branch", save, "--at", 5, "--out", "b.db", "--force").code == 0


@pytest.mark.slow
@pytest.mark.parametrize("world", ["green", pytest.param("larkspur", marks=pytest.mark.long)])
def test_play_without_a_terminal_lives_a_day_and_keeps_it(shell: Shell, world: str, tmp_path: Path) -> None:
    target = build(tmp_path) if world == "green" else world
    done = shell("play", target, "--step", "20m")
    assert done.code == 0
    lines = done.out.splitlines()
    assert re.match(r"no screen: .* a day is run without one", lines[0])
    assert len(lines) > 10
    kept = Path(f"home/saves/{world}-1.db")
    assert shell("saves", "info", kept, "--json").json["steps"] == 72
    assert shell("--help").code == 0
    again = shell("play", kept)
    assert again.code == 0
    assert shell("saves", "info", kept, "--json").json["steps"] == 144
    assert [p.name for p in kept.parent.iterdir()] == [f"{world}-1.db"]
    shell("play", target, "--step", "1h")
    assert sorted(p.name for p in kept.parent.iterdir()) == [f"{world}-1.db", f"{world}-2.db"]


@pytest.mark.slow
def test_the_bare_command_is_play(shell: Shell) -> None:
    done = shell()
    assert done.code == 0
    assert done.out.startswith("no screen: ")
    assert Path("home/saves/larkspur-1.db").exists()


def test_a_dumb_terminal_is_none(shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert shell("play", build(tmp_path), "--step", "1h").out.startswith("no screen: TERM is dumb")


def test_doctor_finds_all_well(shell: Shell) -> None:
    done = shell("doctor", "--json")
    assert done.code == 0, done.out
    checks = {c["name"]: c for c in done.json["checks"]}
    assert {"python", "textual", "terminal", "colours", "text", "saves", "room", "sqlite", "keys"} <= checks.keys()
    assert checks["world larkspur"]["state"] == "ok"
    assert all(c["mend"] for c in checks.values() if c["state"] != "ok")
    assert shell("doctor").code == 0
    assert not Path("home").exists()  # looking changes nothing


def test_doctor_names_keys_and_never_shows_them(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-verysecret")
    done = shell("doctor", "--json")
    assert "OPENAI_API_KEY" in done.out
    assert "verysecret" not in done.out


def test_doctor_finds_what_is_wrong(shell: Shell, world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("worlds").mkdir()
    world.rename("worlds/broken")
    Path("worlds/broken/map.txt").unlink()
    Path("home").write_text("a file where the folder should be")
    monkeypatch.setattr(doctor, "requirements", lambda: ["numpy>=1000", "no-such-package>=1"])
    done = shell("doctor", "--json")
    assert done.code == 1
    faults = {c["name"] for c in done.json["checks"] if c["state"] == "fault"}
    assert faults == {"numpy", "no-such-package", "world broken", "saves"}


@pytest.mark.parametrize(
    ("version", "ranges", "fine"),
    [
        ("2.4.6", ">=2.1,<3", True),
        ("3.0", ">=2.1,<3", False),
        ("2.0.9", ">=2.1,<3", False),
        ("0.22.1", ">=0.21,<0.23", True),
        ("8", ">=8.0,<9", True),
        ("1.0rc1", "", True),
    ],
)
def test_ranges_of_versions(version: str, ranges: str, fine: bool) -> None:
    assert doctor.version_fits(version, ranges) is fine


def python(code: str, **more: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False)


@pytest.mark.parametrize("args", [["--help"], ["--version"], ["run", "--help"], ["worlds", "--help"]])
def test_help_imports_nothing_heavy(args: list[str]) -> None:
    done = python(
        f"import sys; sys.argv = ['sandbox', *{args!r}]\n"
        "from sandbox.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('numpy', 'msgspec', 'rich', 'textual', 'litellm', 'scipy', 'yaml', 'asyncio',"
        " 'sandbox.engine') if m in sys.modules])"
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stdout + done.stderr


def test_living_imports_no_screen_and_no_model(tmp_path: Path) -> None:
    done = python(
        "import sys\n"
        "sys.argv = ['sandbox', 'run', 'larkspur', '--steps', '20', '--json']\n"
        "from sandbox.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('textual', 'litellm', 'scipy', 'networkx', 'sandbox.tui', 'sandbox.minds.language')"
        " if m in sys.modules])",
        SANDBOX_HOME=str(tmp_path),
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stdout + done.stderr


def test_help_waits_for_nothing_that_takes_long_to_import() -> None:
    code = (
        "import sys; from sandbox.cli.main import cli\n"
        "try: cli(['--help'], prog_name='sandbox')\n"
        "except SystemExit: print(*sys.modules, sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, text=True)
    shown, _, modules = done.stdout.partition("\nsys\n")
    assert shown.startswith("Usage: sandbox ")
    assert modules
    heavy = ("asyncio", "litellm", "msgspec", "networkx", "numpy", "rich", "sqlite3", "textual", "yaml")
    assert not {*heavy} & {*modules.split("\n")}


@pytest.mark.parametrize("name", ["play", "run", "replay", "saves", "export", "worlds", "doctor", "bench"])
def test_every_command_has_help(shell: Shell, name: str) -> None:
    done = shell(name, "--help")
    assert done.code == 0
    assert done.out.startswith(f"Usage: sandbox {name}")
    assert name in shell("--help").out


def test_a_wrong_command_is_named_with_the_near_one(shell: Shell) -> None:
    done = shell("rum")
    assert done.code == 2
    assert 'no command "rum"; did you mean "run"?' in done.err
    assert json.dumps("Traceback") not in done.err


def test_the_version_is_told(shell: Shell) -> None:
    assert re.fullmatch(r"sandbox \d+\.\d+\.\d+\n", shell("--version").out)


@pytest.mark.slow
def test_a_branch_and_a_bookmark_take_a_time_as_well(shell: Shell, save: Path) -> None:
    for n, at in enumerate(("08:00", "1 08:00", "day 1 08:00", "30")):
        assert shell("saves", "branch", save, "--at", at, "--out", f"b{n}.db").code == 0
        assert shell("saves", "info", f"b{n}.db", "--json").json["parent_step"] == 30
    shell("saves", "mark", save, "--at", "day 1 08:10", "the row")
    assert shell("saves", "info", save, "--json").json["bookmarks"] == {"40": "the row"}
    for at, says in (("day 2 08:00", "goes from Tue 4 Mar 07:30"), ("soon", "is not a moment"), ("", "needs a step")):
        done = shell("saves", "branch", save, "--at", at, "--out", "c.db")
        assert (done.code, Path("c.db").exists()) == (2, False)
        assert says in done.err


@pytest.mark.slow
def test_a_save_is_named_with_or_without_its_ending(shell: Shell, save: Path) -> None:
    folder = Path("home/saves")
    folder.mkdir(parents=True)
    save.rename(folder / "larkspur-2.db")
    for name in ("larkspur-2", "larkspur-2.db", folder / "larkspur-2", folder / "larkspur-2.db"):
        for command in (("saves", "info"), ("goals",), ("bet",), ("do",), ("drama",), ("replay",)):
            done = shell(*command, name)
            assert done.code == 0, (command, done.err)
    assert shell("compare", "larkspur-2", "larkspur-2.db", "--json").json["same"]
    assert shell("run", "larkspur-2", "--steps", 1).code == 0
    assert "larkspur-3: there is no such save" in shell("saves", "info", "larkspur-3").err


def test_a_world_goes_before_a_save_of_its_name_where_either_is_meant(shell: Shell, save: Path) -> None:
    folder = Path("home/saves")
    folder.mkdir(parents=True)
    save.rename(folder / "larkspur.db")
    assert shell("run", "larkspur", "--steps", 1, "--json").json["save"] is None
    assert shell("saves", "info", "larkspur").code == 0


def test_a_save_is_packed_in_its_place_and_one_that_is_none_is_refused_in_a_line(shell: Shell, save: Path) -> None:
    edit(save, "INSERT INTO bookmarks VALUES (7, 'here')")
    edit(save, "DELETE FROM snapshots")
    last = read(save, "SELECT digest FROM steps ORDER BY step DESC LIMIT 1")
    done = shell("saves", "pack", save)
    assert done.code == 0
    assert re.search(r"\d\.\d MB before, \d\.\d MB now$", done.out.strip())
    assert read(save, "SELECT digest FROM steps ORDER BY step DESC LIMIT 1") == last
    assert read(save, "SELECT * FROM bookmarks") == [(7, "here")]
    assert shell("replay", save, "--verify", "--json").json["ok"]
    (save.parent / "text.db").write_text("no save")
    for name in ("text.db", "nowhere.db"):
        refused = shell("saves", "pack", save.parent / name)
        assert refused.code == 2
        assert len(refused.err.strip().splitlines()) == 1
    assert (save.parent / "text.db").read_text() == "no save"
