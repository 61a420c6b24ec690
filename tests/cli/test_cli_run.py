"""`sandbox run`: what a script gets, and that a life is the same however it is cut."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from clishell import ROOT, Shell, heeding, read
from village import build

from sandbox.store.save import Save
from sandbox.store.schema import from_stored

KEYS = ["world", "seed", "steps", "events", "residents", "feed", "digest", "wall_s", "steps_per_s", "save", "minds"]
KEYS[7:7] = ["unversioned"]
KEYS += ["policy", "script"]


def digest_of(done) -> str:
    assert done.code == 0, done.err
    return done.json["digest"]


def test_json_is_one_object_of_known_shape(shell: Shell, tmp_path: Path) -> None:
    done = shell("run", "larkspur", "--steps", 40, "--seed", 7, "--json")
    assert done.code == 0
    found = done.json
    assert list(found) == KEYS
    assert (found["world"], found["seed"], found["steps"], found["residents"]) == ("larkspur", 7, 40, 25)
    assert found["events"] > 100
    assert len(bytes.fromhex(found["digest"])) == 32
    assert found["steps_per_s"] > 0 < found["wall_s"]
    assert found["save"] is None
    assert list(tmp_path.iterdir()) == []  # nothing is written that was not asked for


def test_json_names_the_save_and_counts_its_events(shell: Shell) -> None:
    found = shell("run", "larkspur", "--steps", 30, "--save", "a.db", "--json").json
    assert found["save"] == "a.db"
    assert read(Path("a.db"), "SELECT count(*) FROM events") == [(found["events"],)]
    more = shell("run", "a.db", "--steps", 10, "--json").json
    assert (more["steps"], read(Path("a.db"), "SELECT max(step) FROM steps")) == (10, [(40,)])
    assert read(Path("a.db"), "SELECT count(*) FROM events") == [(found["events"] + more["events"],)]


def test_one_seed_is_one_digest_and_another_is_another(shell: Shell) -> None:
    def one(seed: int) -> str:
        return digest_of(shell("run", "larkspur", "--steps", 30, "--seed", seed, "--json"))

    assert one(1) == one(1) != one(2)


def test_saved_or_not_is_one_digest(shell: Shell, made: Path) -> None:
    kept = read(made, "SELECT digest FROM steps ORDER BY step DESC LIMIT 1")[0][0].hex()
    assert digest_of(shell("run", "larkspur", "--steps", 60, "--json")) == kept


def test_going_on_is_the_same_life(shell: Shell, made: Path) -> None:
    shell("run", "larkspur", "--steps", 30, "--save", "a.db")
    whole = read(made, "SELECT digest FROM steps ORDER BY step DESC LIMIT 1")[0][0].hex()
    assert digest_of(shell("run", "a.db", "--steps", 30, "--json")) == whole
    assert shell("replay", "a.db", "--verify").code == 0


@pytest.mark.slow
def test_hash_seeds_change_nothing(made: Path) -> None:
    """Two of them, and that of this process."""

    def one(seed: str) -> str:
        command = [sys.executable, "-m", "sandbox", "run", "larkspur", "--steps", "60", "--json"]
        env = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=env).stdout.split(
            '"digest": "'
        )[1][:64]

    kept = read(made, "SELECT digest FROM steps ORDER BY step DESC LIMIT 1")[0][0].hex()
    assert one("1") == one("4242") == kept


def test_an_existing_file_is_refused_unless_forced(shell: Shell) -> None:
    Path("a.db").write_text("mine")
    done = shell("run", "larkspur", "--steps", 5, "--save", "a.db")
    assert (done.code, done.out) == (2, "")
    assert "a.db: exists already" in done.err
    assert "--force" in done.err
    assert Path("a.db").read_text() == "mine"
    assert shell("run", "larkspur", "--steps", 5, "--save", "a.db", "--force").code == 0
    assert shell("replay", "a.db", "--verify").code == 0


def test_a_save_in_a_new_folder_makes_the_folder(shell: Shell) -> None:
    assert shell("run", "larkspur", "--steps", 2, "--save", "new/deep/a.db").code == 0
    assert [p.name for p in Path("new/deep").iterdir()] == ["a.db"]


@pytest.mark.slow
def test_save_of_a_save_is_a_branch_at_its_end(shell: Shell, save: Path) -> None:
    before = save.read_bytes()
    on = digest_of(shell("run", save, "--steps", 20, "--save", "b.db", "--json"))
    assert save.read_bytes() == before
    parent = shell("saves", "info", save, "--json").json
    child = shell("saves", "info", "b.db", "--json").json
    assert (child["parent"], child["parent_step"], child["steps"]) == (parent["uid"], 60, 80)
    assert digest_of(shell("run", save, "--steps", 20, "--json")) == on
    assert shell("run", save, "--steps", 1, "--save", save, "--force").code == 2


@pytest.mark.slow
def test_until_is_the_next_such_time(shell: Shell) -> None:
    assert shell("run", "larkspur", "--until", "08:00", "--save", "a.db", "--json").json["steps"] == 30
    assert shell("run", "a.db", "--until", "08:10", "--json").json["steps"] == 10
    assert shell("saves", "info", "a.db", "--json").json["time"] == "2025-03-04 08:10"


def test_a_time_gone_by_is_tomorrow_s(shell: Shell, tmp_path: Path) -> None:
    shell("run", build(tmp_path), "--step", "1h", "--steps", 1, "--save", "a.db")
    now = shell("saves", "info", "a.db", "--json").json["time"][-5:]
    assert shell("run", "a.db", "--until", now, "--json").json["steps"] == 24


@pytest.mark.slow
def test_a_step_of_a_world_is_as_long_as_said(shell: Shell) -> None:
    found = shell("run", "larkspur", "--step", "20m", "--until", "09:30", "--save", "a.db", "--json").json
    assert found["steps"] == 6
    assert [t for (t,) in read(Path("a.db"), "SELECT t FROM steps ORDER BY step")] == [1200 * i for i in range(7)]


@pytest.mark.slow
def test_a_step_of_a_save_is_an_input_in_its_log(shell: Shell, save: Path) -> None:
    shell("run", save, "--step", "20m", "--steps", 3)
    assert read(save, "SELECT step, data FROM events WHERE kind = 'step_set'") == [(61, '{"seconds":1200}')]
    assert [t for (t,) in read(save, "SELECT t FROM steps WHERE step > 60")] == [3660, 4860, 6060]
    assert shell("replay", save, "--verify").code == 0
    shell("run", save, "--step", "20m", "--steps", 1)
    assert read(save, "SELECT count(*) FROM events WHERE kind = 'step_set'") == [(1,)]


@pytest.mark.slow
def test_settings_change_the_world(shell: Shell) -> None:
    plain = digest_of(shell("run", "larkspur", "--steps", 10, "--json"))
    other = shell("run", "larkspur", "--steps", 10, "--set", "talk.cooldown=5", "--save", "a.db", "--json")
    assert digest_of(other) != plain
    assert '"talk.cooldown":5' in from_stored(read(Path("a.db"), "SELECT * FROM events WHERE seq = 1"))[0][7]


@pytest.mark.slow
def test_without_json_a_person_reads_the_day(shell: Shell) -> None:
    done = shell("run", "larkspur", "--steps", 60, "--save", "a.db")
    assert done.code == 0
    assert "60 steps" in done.out
    assert "kept in a.db" in done.out
    assert len(done.out.splitlines()) > 10
    assert "memory" in shell("run", "larkspur", "--steps", 2).out


@pytest.mark.slow
def test_a_day_is_what_is_lived_without_a_length(shell: Shell, tmp_path: Path) -> None:
    village = build(tmp_path)
    assert shell("run", village, "--step", "1h", "--json").json["steps"] == 24
    assert shell("run", village, "--json").json["steps"] == 1440
    assert shell("run", village, "--step", "1h", "--days", 2, "--json").json["steps"] == 48


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--steps", 5, "--days", 1], "exclude each other"),
        (["--steps", 5, "--until", "08:00"], "exclude each other"),
        (["--days", 1, "--until", "08:00"], "exclude each other"),
        (["--steps", 0], "--steps"),
        (["--days", "nan"], "--days"),
        (["--until", "25:00"], "no time of day"),
        (["--until", "noon"], "no time of day"),
        (["--until", "day 2"], "is no moment"),
        (["--until", "day 1 06:00"], "Tue 4 Mar 06:00 is past; it is Tue 4 Mar 07:30 there now"),
        (["--step", "5s"], "outside 10s to 1h"),
        (["--step", "often"], "no step length"),
        (["--seed", -1], "--seed"),
        (["--seed", "x"], "--seed"),
        (["--set", "talk.cooldwn=5"], "talk.cooldown"),
        (["--set", "talk"], "talk"),
        (["--force"], "--save"),
        (["--stepz", 4], "--step"),
    ],
)
def test_a_wrong_option_is_named(shell: Shell, options: list[object], says: str) -> None:
    done = shell("run", "larkspur", *options)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert "Traceback" not in done.err


def test_what_is_for_a_new_world_is_refused_on_a_save(shell: Shell, save: Path) -> None:
    before = save.read_bytes()
    done = shell("run", save, "--steps", 1, "--set", "talk.cooldown=5")
    assert done.code == 2
    assert "--set" in done.err
    assert save.read_bytes() == before


@pytest.mark.slow
def test_another_seed_opens_what_is_to_come_in_a_branch(shell: Shell, save: Path) -> None:
    def lived(name: str, *options: object) -> str:
        return digest_of(shell("run", save, "--steps", 40, "--save", name, "--json", *options))

    same = {lived("one.db"), lived("two.db")}
    other = {lived("three.db", "--seed", 3), lived("four.db", "--seed", 3)}
    assert (len(same), len(other), same & other) == (1, 1, set())
    assert shell("replay", "three.db", "--verify").code == 0
    on = {digest_of(shell("run", name, "--steps", 20, "--json")) for name in ("three.db", "four.db")}
    assert len(on) == 1


def test_a_folder_is_a_world_a_file_a_save_the_rest_a_name(shell: Shell, world: Path, save: Path) -> None:
    world.rename("larkspur")  # a folder here goes before the shipped name
    file = Path("larkspur/world.yaml")
    file.write_text(re.sub(r"^seed: \d+", "seed: 77", file.read_text(), flags=re.M))
    assert shell("run", "larkspur", "--steps", 1, "--json").json["seed"] == 77
    assert shell("run", save, "--steps", 1, "--json").json["save"] == str(save)
    done = shell("run", "larkspurr")
    assert (done.code, "did you mean" in done.err) == (2, True)


KILLED = """
import sys
from sandbox.engine.engine import Engine
step = Engine.step
async def told(self):
    records = await step(self)
    print(self.world.step, flush=True)
    return records
Engine.step = told
from sandbox.cli.main import main
sys.argv[1:] = ["run", "larkspur", "--steps", "100000", "--save", "a.db", "--json"]
main()
"""


def start_and_stop(folder: Path, steps: int, how: signal.Signals) -> subprocess.CompletedProcess[str]:
    """Run without an end in view until so many steps are made; then send the signal."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=env,
        preexec_fn=heeding,
    )
    assert child.stdout is not None
    for line in child.stdout:
        if line.strip() == str(steps):
            child.send_signal(how)
            break
    out, err = child.communicate()
    return subprocess.CompletedProcess([], child.returncode, out, err)


@pytest.mark.slow
@pytest.mark.parametrize("steps", [3, 180])
def test_a_kill_leaves_whole_steps_and_the_same_life_goes_on(shell: Shell, tmp_path: Path, steps: int) -> None:
    assert start_and_stop(tmp_path, steps, signal.SIGKILL).returncode == -signal.SIGKILL
    done = shell("replay", "a.db", "--verify", "--json")
    assert (done.code, done.json["ok"]) == (0, True)
    kept = done.json["steps"]
    target = max(kept, 200) + 5
    on = digest_of(shell("run", "a.db", "--steps", target - kept, "--json"))
    assert digest_of(shell("run", "larkspur", "--steps", target, "--json")) == on
    assert shell("replay", "a.db", "--verify").code == 0


@pytest.mark.slow
def test_ctrl_c_keeps_every_step_and_says_so(shell: Shell, tmp_path: Path) -> None:
    done = start_and_stop(tmp_path, 50, signal.SIGINT)
    assert done.returncode == 130
    assert done.stderr.startswith("stopped after ")
    assert "sandbox run a.db" in done.stderr
    assert "Traceback" not in done.stderr
    assert [p.name for p in tmp_path.iterdir() if p.name != "home"] == ["a.db"]
    proof = shell("replay", "a.db", "--verify", "--json").json
    assert proof["ok"]
    assert proof["steps"] >= 50
    assert f"stopped after {proof['steps']} steps" in done.stderr


@pytest.mark.slow
def test_a_full_disk_stops_with_a_line_and_keeps_what_fits(
    shell: Shell, save: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = Save.open.__func__

    async def small(cls, *args, **more):
        opened = await create(cls, *args, **more)
        [(pages,)] = await opened._db.execute_fetchall("PRAGMA page_count")
        await opened._db.execute_fetchall(f"PRAGMA max_page_count = {pages + 10}")
        return opened

    with monkeypatch.context() as patch:
        patch.setattr(Save, "open", classmethod(small))
        done = shell("run", save, "--steps", 600)
    assert done.code == 1
    assert "no room" in done.err
    assert "Traceback" not in done.err

    async def proof():
        async with await Save.open(save, read_only=True) as opened:
            return (await opened.verify()).ok

    assert asyncio.run(proof())
    on = 120 - shell("saves", "info", save, "--json").json["steps"]
    if on > 0:
        digest_of(shell("run", save, "--steps", on, "--json"))


@pytest.mark.slow
def test_a_closed_pipe_is_no_fault(tmp_path: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m sandbox run larkspur --steps 20 | true"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash" if shutil.which("bash") else "sh", "-c", command],
        cwd=tmp_path, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""


@pytest.mark.slow
def test_until_takes_a_moment_of_a_day_as_cards_do(shell: Shell, tmp_path: Path) -> None:
    village = build(tmp_path)  # whose first day begins at 06:30

    def until(moment: str, *more: object) -> int:
        return shell("run", village, "--step", "1h", "--until", moment, *more, "--json").json["steps"]

    assert until("day 1 09:30", "--save", "a.db") == 3
    assert shell("run", "a.db", "--until", "tomorrow 08:30", "--json").json["steps"] == 23
    refused = shell("run", "a.db", "--until", "day 2 08:00", "--save", "b.db")
    assert refused.code == 2
    assert "Wed 5 Mar 08:00 is past; it is Wed 5 Mar 08:30 there now" in refused.err
    assert not Path("b.db").exists()


FAILING = """from sandbox.policy import Policy

class Calm(Policy):
    name = "calm"

    def choose(self, view, draw):
        return 1 / 0
"""


def test_a_policy_that_fails_is_told_with_its_line_and_counted_and_one_that_is_missing_is_asked_for(
    shell: Shell, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "calm.py").write_text(FAILING, encoding="utf-8")
    kept = tmp_path / "calm.db"
    done = shell("run", "larkspur", "--steps", 12, "--policy", tmp_path / "calm.py", "--save", kept)
    assert done.code == 0
    assert caplog.text.count("the policy calm fails") == 1
    assert "ZeroDivisionError: division by zero (calm.py:7)" in caplog.text
    assert re.search(r"the feed is steered by calm; it failed in 2 rounds", done.out)
    again = shell("run", kept, "--steps", 6, "--json")
    assert "give it with --policy FILE" in caplog.text
    assert "its code has changed" not in caplog.text
    assert again.json["policy"]["name"] == "calm"
    assert again.json["policy"]["faults"] > 0
    assert shell("run", "larkspur", "--steps", 1, "--json").json["policy"] is None
    wrong = shell("run", "larkspur", "--steps", 1, "--policy", tmp_path / "none.py")
    assert (wrong.code, "there is no file" in wrong.err) == (2, True)
