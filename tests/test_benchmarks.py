"""The benchmarks: their groups and figures as docs and help name them, and how a figure stands to its target."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from benchmarks import __main__ as program
from benchmarks import peers
from benchmarks import run as runs
from benchmarks.feed import live_crowd
from benchmarks.figures import FigureSpec, Reading, hold_to_target, key_reading
from benchmarks.groups import FIGURE_GROUPS
from benchmarks.lab import measure_lab
from benchmarks.run import BenchmarkRun, FigureGroup
from benchmarks.side_by_side import WORKS, Spent, Work, compare_builds, compare_spent, run_work
from sandbox.cli.screen_speed import call_command
from sandbox.core.events import EventRow
from sandbox.store.session import open_session

ROOT = Path(__file__).resolve().parent.parent
HELD = FigureSpec("a.b", "ms", "what it is", 2.0)


def run(*words: str) -> Result:
    return CliRunner().invoke(program.benchmarks, words, prog_name="benchmarks")


def test_the_design_names_every_group_with_its_module_and_figures() -> None:
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8").partition("\n## Benchmarks\n")[2]
    rows = re.findall(r"^\| (\w+) \| `([\w/]+)\.py` \| (.+) \|$", text, re.M)
    told = [(name, module.replace("/", "."), re.findall(r"`([\w.]+)`", figures)) for name, module, figures in rows]
    assert told == [
        (name, group.measure.__module__, [spec.name for spec in group.figures]) for name, group in FIGURE_GROUPS.items()
    ]


def test_the_help_names_every_figure_and_says_what_it_is() -> None:
    told = run("--help").output
    for group in FIGURE_GROUPS.values():
        assert re.search(rf"^ +{group.name} ", told, re.M)
        assert group.usual or f"(only if named) {group.about}" in told
        for spec in group.figures:
            assert re.search(rf" {re.escape(spec.name)} +{re.escape(spec.says)}", told), spec.name


def test_a_module_reads_the_figures_of_its_groups_and_no_others() -> None:
    for module in {group.measure.__module__ for group in FIGURE_GROUPS.values()}:
        source = inspect.getsource(sys.modules[module])
        read = set(re.findall(r'\b(?:Reading|key_reading)\(\s*"([\w.]+)"', source))
        groups = [group for group in FIGURE_GROUPS.values() if group.measure.__module__ == module]
        assert read == {spec.name for group in groups for spec in group.figures}, module


@pytest.mark.parametrize("words", [("--only", "frames"), ("--only", "day,frames", "--json")])
def test_a_wrong_group_is_named_with_the_near_one(words: tuple[str, ...]) -> None:
    done = run(*words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.endswith('no group of figures "frames"; did you mean "frame"?\n')


@pytest.mark.parametrize(
    ("spec", "seconds", "ok"),
    [
        (HELD, 0.002, True),
        (HELD, 0.0021, False),
        (HELD._replace(more=True), 0.002, True),
        (HELD._replace(more=True), 0.0019, False),
        (HELD._replace(target=None), 0.002, None),
        (HELD, None, None),
    ],
)
def test_a_figure_stands_to_its_target(spec: FigureSpec, seconds: float | None, ok: bool | None) -> None:
    assert hold_to_target(spec, Reading("a.b", seconds), 0.03).ok is ok


@pytest.mark.parametrize(("seconds", "code"), [(0.001, 0), (0.003, 1)])
def test_a_target_that_is_missed_makes_the_exit_code_1(
    seconds: float, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def measure(run: BenchmarkRun) -> list[Reading]:
        return [Reading("a.b", seconds, "so")]

    monkeypatch.setattr(program, "FIGURE_GROUPS", {"a": FigureGroup("a", (HELD,), measure, usual=True)})
    monkeypatch.setattr(runs, "calibration_time", lambda: 0.025)
    monkeypatch.setattr(runs, "set_heap_aside", lambda: None)
    done = run("--json")
    told = json.loads(done.stdout)
    (figure,) = told["figures"]
    assert (done.exit_code, told["ok"], told["quick"]) == (code, not code, False)
    assert figure.keys() == {"name", "value", "unit", "target", "ok", "loop_ms", "ratio", "more", "note"}
    table = run("--quick")
    assert table.exit_code == code
    assert re.search(rf"^a\.b +{seconds * 1e3:.0f} +ms +<= 2 +{'missed' if code else 'ok'} .* so", table.stdout, re.M)


def test_keys_are_told_by_how_long_most_of_them_wait() -> None:
    waits = [n / 1000 for n in range(1, 101)]
    assert key_reading("key.wait", waits) == ("key.wait", 0.096, "95% of 100 keys; middle 50 ms, worst 100 ms")
    assert key_reading("line.key", waits, 0.9).value == 0.091


@pytest.mark.slow
def test_a_cheap_group_gives_its_figures() -> None:
    done = run("--only", "memory", "--json")
    assert done.exit_code in (0, 1)
    (figure,) = json.loads(done.stdout)["figures"]
    assert (figure["name"], figure["unit"], figure["target"]) == ("retrieval.10k", "ms", 1.0)
    assert figure["value"] > 0 < figure["ratio"]


@pytest.mark.slow
def test_a_process_of_its_own_finds_what_it_is_to_do(tmp_path: Path) -> None:
    told = subprocess.run(call_command(live_crowd, "500", str(tmp_path / "a.db")), check=True, capture_output=True)
    assert json.loads(told.stdout)["there"] == pytest.approx(51, abs=1)


@pytest.mark.slow
def test_the_laboratory_says_why_it_failed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.json").write_text("no plan")
    with pytest.raises(subprocess.CalledProcessError):
        measure_lab(tmp_path, 1)
    out, err = capfd.readouterr()
    assert out == ""
    assert "plan.json: is not the plan of an experiment" in err


def test_two_builds_are_compared_round_by_round() -> None:
    other = [Spent(2.0, 4.0, 100_000_000, 6_000_000), Spent(4.0, 4.0, 100_000_000, 6_000_000)]
    this = [Spent(1.0, 3.0, 50_000_000, 3_000_000), Spent(3.0, 3.0, 50_000_000, 3_000_000)]
    found = {row.figure: row for row in compare_spent(Work("day", "", (), kept=True), other, this)}
    assert list(found) == ["cpu", "wall", "memory", "size"]
    assert (found["cpu"].ratio, found["cpu"].least, found["cpu"].greatest) == (0.625, 0.5, 0.75)
    assert (found["size"].other, found["size"].this, found["size"].ratio) == (6.0, 3.0, 0.5)
    assert [row.figure for row in compare_spent(Work("help", "", ()), other, this)] == ["cpu", "wall", "memory"]


def test_a_build_beside_itself_costs_about_the_same(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    works = [work for work in WORKS if work.name == "help"]
    found = compare_builds(ROOT, ROOT, tmp_path, works, 1, lambda done, all_: told.append((done, all_)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    (cpu,) = [row for row in found if row.figure == "cpu"]
    assert cpu.other > 0 < cpu.this
    assert cpu.ratio == cpu.this / cpu.other


def test_a_command_that_fails_in_a_build_says_which_and_why(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"(?s)lost fails in .*no command"):
        run_work(ROOT, tmp_path, Work("lost", "", ("lost",)))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--against", "no-such-commit"), "no build no-such-commit"),
        (("--against", "HEAD", "--only", "dya"), 'did you mean "day"?'),
        (("--against", "HEAD", "--rounds", "0"), "0 is not in the range"),
    ],
)
def test_a_wrong_build_or_work_is_refused(words: tuple[str, ...], says: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert says in done.output


# ---- programs that do a part of ours


def test_a_peer_that_is_not_installed_is_no_figure_and_says_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    assert peers.walk_in_mesa(25) == (None, "not installed: pip install 'mesa>=3,<4'")


@pytest.mark.slow
def test_both_writers_write_the_same_events(tmp_path: Path) -> None:
    async def read() -> list[EventRow]:
        async with open_session("larkspur", seed=5, save=tmp_path / "town.db") as session:
            await session.engine.step()
            return await session.save.rows(0, session.save.last_seq)

    rows = asyncio.run(read())
    rows += [rows[-1]._replace(seq=len(rows) + 1, step=4, t=300)]  # steps without events lie between
    peers.write_bare(tmp_path / "bare.db", rows)
    assert asyncio.run(peers.write_ours(tmp_path / "ours.db", rows, 100)) > 0.0
    with sqlite3.connect(tmp_path / "bare.db") as bare, sqlite3.connect(tmp_path / "ours.db") as ours:
        query = "SELECT seq, step, t, kind, actor, causes FROM events ORDER BY seq"
        assert bare.execute(query).fetchall() == ours.execute(query).fetchall()
        assert ours.execute("SELECT max(step) FROM steps").fetchone() == (4,)
