"""Processes that live replicas: one that is killed costs what it was at; whoever waits hears how far they are."""

from __future__ import annotations

import asyncio
import io
import json
import multiprocessing
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from pathlib import Path

import pytest
from click.testing import CliRunner

from sandbox.cli import telling
from sandbox.cli.main import cli
from sandbox.core.faults import Fault
from sandbox.lab import parallel_runs, replica
from sandbox.lab.experiment import LabFaults, read_experiment
from sandbox.lab.parallel_runs import Lost, Processes, each, run_many
from sandbox.lab.replica import HALF, NOTE, Config, progress_text, replicas

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")


def deadly(trace: str, times: int, value: int) -> int:
    """Kill the process this is done in, as often as that; then give the value."""
    path = Path(trace)
    with path.open("a") as file:
        file.write(f"{os.getpid()}\n")
    if len(path.read_text().splitlines()) <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return value


def odd(trace: str, times: int, value: int) -> int:
    raise LabFaults([Fault("x", 0, 0, "is odd")])


@pytest.fixture(scope="module")
def pool() -> Iterator[Processes]:
    with Processes(2) as pool:
        yield pool


@pytest.mark.slow
def test_what_a_killed_process_was_at_is_done_by_another_and_the_rest_hears_nothing_of_it(
    pool: Processes, tmp_path: Path
) -> None:
    before, heard = pool.killed, []
    work = [(str(tmp_path / str(i)), int(i == 1), i) for i in range(4)]
    assert each(deadly, work, pool, heard.append) == [0, 1, 2, 3]
    assert pool.killed == before + 1
    assert heard[-1] == 4
    tries = [(tmp_path / str(i)).read_text().splitlines() for i in range(4)]
    assert [len(t) for t in tries] == [1, 2, 1, 1]


@pytest.mark.slow
def test_what_kills_its_process_twice_is_lost_and_the_rest_is_done(pool: Processes, tmp_path: Path) -> None:
    before = pool.killed
    work = [(str(tmp_path / str(i)), 9 * (i == 1), i) for i in range(4)]
    found = each(deadly, work, pool, lambda done: None)
    assert (found[0], found[2], found[3]) == (0, 2, 3)
    assert isinstance(found[1], Lost)
    assert pool.killed == before + 2
    assert len((tmp_path / "1").read_text().splitlines()) == 2
    assert isinstance(each(odd, work[:1], pool, lambda done: None)[0], LabFaults)  # and it goes on being of use
    assert pool.killed == before + 2


@pytest.mark.slow
def test_a_run_whose_workers_are_killed_ends_whole_and_says_so(small: Path, tmp_path: Path) -> None:
    over, others = threading.Event(), {child.pid for child in multiprocessing.active_children()}

    def kill() -> None:
        while not over.wait(0.01):
            for child in multiprocessing.active_children():
                if child.pid is not None and child.pid not in others:
                    os.kill(child.pid, signal.SIGKILL)
                    return

    killer = threading.Thread(target=kill)
    killer.start()
    small.write_text(small.read_text() + "metrics: [sentiment]\n")  # no figures
    words = ["lab", "run", str(small), "--arm", "with", "--jobs", "2", "--out", str(tmp_path / "out"), "--json"]
    result = CliRunner().invoke(cli, words)
    over.set()
    killer.join()
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert (told["lived"], told["failed"]) == (2, {})
    assert "1 worker killed meanwhile; the work of each was begun again, once" in result.stderr
    assert sorted(p.suffix for p in (tmp_path / "out" / "runs").iterdir()) == [".db", ".db"]


def test_a_replica_that_nobody_could_live_is_told_and_leaves_no_half(tmp_path: Path) -> None:
    class Losing(Executor):
        def submit(self, work: object, config: Config, folder: str, *own: object) -> Future[object]:  # type: ignore[override]
            for end in (HALF, f"{HALF}-wal", NOTE):
                (Path(folder) / f"{config.name}{end}").write_text("3 0")
            future: Future[object] = Future()
            future.set_exception(Lost("the process that did it was killed"))
            return future

    config = Config("green", "2025-02-13 08:00", 1200, 4, (), 1, ("embedded",), "", "content", {}, "code")
    found = run_many([config], tmp_path, Losing())
    assert found[config.name].error.startswith("Lost: the process that did it was killed")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_who_waits_hears_how_far_a_slow_replica_is(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config: Config = replicas(read_experiment(small, ["with"]))[0].config
    heard: list[str] = []
    some = threading.Event()

    def noted(said: str) -> None:
        heard.append(said)
        some.set()

    async def slow(engine: object, steps: int) -> None:
        while not some.is_set():
            await asyncio.sleep(0.01)
        await real(engine, steps=steps)  # type: ignore[arg-type]

    real = replica.run_free
    monkeypatch.setattr(replica, "run_free", slow)
    monkeypatch.setattr(replica, "NOTED", 0.01)
    monkeypatch.setattr(parallel_runs, "LOOK", 0.01)
    found = run_many([config], tmp_path / "runs", noted=noted)
    assert not found[config.name].error
    assert heard[0] == "beginning"
    assert [p.name for p in (tmp_path / "runs").iterdir()] == [f"{config.name}.db"]


def test_answers_are_counted_and_notes_of_others_or_of_nothing_are_passed_over(tmp_path: Path) -> None:
    for name, text in (("a", "3 40"), ("b", "7 2"), ("c", "9 9"), ("d", ""), ("e", "x y")):
        (tmp_path / f"{name}{NOTE}").write_text(text)
    assert progress_text(["a", "b", "d", "e"], tmp_path) == "at steps 3 and 7, 42 answers of models"
    (tmp_path / f"b{NOTE}").write_text("0 0")
    assert progress_text(["a", "b"], tmp_path) == "at step 3, 40 answers of models"
    assert progress_text(["b"], tmp_path) == "beginning"
    assert progress_text(["z"], tmp_path) == ""


def test_where_there_is_no_terminal_progress_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(telling, "monotonic", lambda: now[0])
    screen = io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    with telling.progress_bar("living", "replicas") as moved:
        moved(1, 4)
        assert screen.getvalue() == ""
        now[0] += telling.EVERY
        moved.note("at step 7\u202e")
        moved(2, 4)
    assert screen.getvalue() == "living: 1 of 4 replicas; at step 7<U+202E>\n"


# ---- ended from outside

ENDS = [(signal.SIGTERM, 143), (signal.SIGHUP, 129)] if sys.platform != "win32" else []
HOLD = "import time; file = open({!r}, 'w'); print('x', file=file, flush=True); time.sleep(600)"
ORPHANING = """
from sandbox.lab.parallel_runs import Processes
if __name__ == "__main__":
    Processes(1).submit(exec, {!r}).result()
"""


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("number", "code"), ENDS)
def test_a_run_that_is_ended_from_outside_ends_as_by_ctrl_c(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, code: int
) -> None:
    async def ended(engine: object, steps: int) -> None:
        os.kill(os.getpid(), number)
        try:
            await asyncio.Event().wait()
        finally:
            os.kill(os.getpid(), number)  # whoever says it twice does not break off the close

    monkeypatch.setattr(replica, "run_free", ended)
    result = CliRunner().invoke(cli, ["lab", "run", str(small), "--seeds", "1", "--out", str(tmp_path / "out")])
    assert result.exit_code == code, result.output
    assert "stopped; of the 2 replicas, all that are complete are kept in" in result.stderr
    assert list((tmp_path / "out" / "runs").iterdir()) == []
    assert signal.getsignal(number) is signal.SIG_DFL


def test_a_worker_ends_when_whoever_it_works_for_is_gone(tmp_path: Path) -> None:
    held = tmp_path / "held"
    os.mkfifo(held)
    parent = subprocess.Popen([sys.executable, "-c", ORPHANING.format(HOLD.format(str(held)))])
    with held.open("rb", buffering=0) as file:
        assert file.read(2) == b"x\n"
        parent.kill()
        parent.wait()
        assert select.select([file], [], [], 20)[0], "the worker goes on"
        assert file.read() == b""


@pytest.mark.slow
def test_what_was_killed_when_all_is_to_end_is_not_begun_anew(tmp_path: Path) -> None:
    held, pool = tmp_path / "held", Processes(1)
    os.mkfifo(held)
    future = pool.submit(
        exec, f"import os; print(os.getpid(), file=open({str(held)!r}, 'w'))\nimport time; time.sleep(600)"
    )
    worker = int(held.read_text())
    pool.shutdown(wait=False)
    os.kill(worker, signal.SIGKILL)
    assert isinstance(future.exception(20), Lost)
    assert pool.killed == 1
