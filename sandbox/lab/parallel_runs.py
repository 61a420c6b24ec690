"""Work on many replicas: here, in processes of this machine, or on a cluster."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Event, Thread
from typing import Any, ParamSpec, TypeVar, cast

from sandbox.lab.custom_minds import NONE, CustomMinds, error_words
from sandbox.lab.experiment import lab_fault
from sandbox.lab.replica import Config, ReplicaOutcome, is_complete, progress_text, run_replica
from sandbox.store.errors import OutOfReach

P = ParamSpec("P")
TRIES = 2  # processes that one piece of work may lose


class Lost(Exception):
    """Work that was never done: each process that had it was killed."""


class Processes(Executor):
    """So many processes at once, each begun when there is something for it. killed: how many were, so far."""

    def __init__(self, jobs: int) -> None:
        self._threads = ThreadPoolExecutor(jobs)  # one for each process: it waits for it
        self._idle: list[ProcessPoolExecutor] = []
        self._ending = False
        self.killed = 0

    def submit(self, work: Callable[P, T], /, *args: P.args, **more: P.kwargs) -> Future[T]:
        return self._threads.submit(self._do, work, args, more)

    def _do(self, work: Callable[..., T], args: tuple[object, ...], more: dict[str, object]) -> T:
        lost = 0
        while lost < TRIES and not self._ending:
            process, begun = self._process(), False
            try:
                future = process.submit(work, *args, **more)
                begun = True
                found = future.result()
            except BrokenProcessPool:
                process.shutdown(wait=False)
                self.killed += 1
                lost += begun  # one that was gone before had nothing of this to do
                continue
            except BaseException:
                self._idle.append(process)
                raise
            self._idle.append(process)
            return found
        raise Lost(f"the process that did it was killed, {lost} times")

    def _process(self) -> ProcessPoolExecutor:
        try:
            return self._idle.pop()
        except IndexError:
            return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_heedless)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._ending = True  # what is killed now is killed with us, and not begun anew
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        for process in self._idle:
            process.shutdown(wait)


def _heedless() -> None:
    """A process of ours leaves Ctrl-C, and a terminal that goes, to us: it ends when what it does is whole, or when we
    are gone.
    """
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    Thread(target=_end_with_us, daemon=True).start()


def _end_with_us() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


T = TypeVar("T")
Moved = Callable[[int, int], None]  # done, of how many
Noted = Callable[[str], None]  # what those under way are at
WAIT = 10  # seconds for a cluster to answer
LOOK = 2.0  # seconds between two looks at how far replicas are


def run_many(
    configs: Iterable[Config],
    folder: Path,
    executor: Executor | None = None,
    moved: Moved = lambda done, of: None,
    noted: Noted = lambda said: None,
    own: Mapping[str, CustomMinds] | None = None,
) -> dict[str, ReplicaOutcome]:
    """Live every replica whose save in the folder is not whole; name of the config -> what became of it.

    executor: whatever does work for us, with a folder that it shares with us; None = one after the other, here. A
    replica that fails harms no other. own: name of a config -> what a program brought along for it. Stopped
    (KeyboardInterrupt), it keeps what is whole and starts nothing more.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {config.name: config for config in configs}
    out: dict[str, ReplicaOutcome] = {}
    for name, config in wanted.items():
        with suppress(OutOfReach):  # `run_one` tells it
            if is_complete(config, folder):
                out[name] = ReplicaOutcome(name, skipped=True)
    # Seed by seed: what is stopped has as many of each arm, and the first seed tells how long the rest will take.
    todo = sorted((config for name, config in wanted.items() if name not in out), key=lambda config: config.seed)
    before = len(out)
    work = [(config, str(folder), (own or {}).get(config.name, NONE)) for config in todo]
    with _looking({config.name for config in todo}, folder, noted):
        found = each(run_replica, work, executor, lambda n: moved(before + n, len(wanted)))
    for config, outcome in zip(todo, found, strict=True):
        if isinstance(outcome, ReplicaOutcome):
            out[config.name] = outcome
            continue
        out[config.name] = ReplicaOutcome(config.name, error=error_words(outcome))
        for left in folder.glob(f"{config.name}.half.*"):  # whoever was at it had no time to
            with suppress(OSError):
                left.unlink()
    return {name: out[name] for name in wanted}


@contextmanager
def _looking(names: Collection[str], folder: Path, noted: Noted) -> Iterator[None]:
    """Tell now and then how far the replicas of those names are, whoever lives them."""
    over = Event()

    def look() -> None:
        while not over.wait(LOOK):
            if said := progress_text(names, folder):
                noted(said)

    looker = Thread(target=look, daemon=True)
    looker.start()
    try:
        yield
    finally:
        over.set()
        looker.join()


def each(
    work: Callable[..., T], items: Sequence[tuple[Any, ...]], executor: Executor | None, moved: Callable[[int], None]
) -> list[T | Exception]:
    """What `work` gives for each of the arguments, in their order; an exception stands where it raised one."""
    out: dict[int, T | Exception] = {}
    moved(0)
    if executor is None:
        for i, item in enumerate(items):
            try:
                out[i] = work(*item)
            except Exception as error:
                out[i] = error
            moved(len(out))
        return [out[i] for i in range(len(items))]
    futures: dict[Future[T], int] = {}
    try:
        for i, item in enumerate(items):
            try:
                futures[executor.submit(work, *item)] = i
            except Exception as error:  # nobody is left who takes work
                out[i] = error
        for future in as_completed(futures):
            try:
                out[futures[future]] = future.result()
            except Exception as error:  # of the work, or of whoever was to do it
                out[futures[future]] = error
            moved(len(out))
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return [out[i] for i in range(len(items))]


@contextmanager
def workers(jobs: int = 1, cluster: str = "") -> Iterator[Executor | None]:
    """Who does the work: nobody else, that many processes, or the cluster whose scheduler has that address.

    Raises LabFaults if the cluster cannot be reached. Not to be used where Textual runs: new processes and a terminal
    in use do not go together.
    """
    if cluster:
        with _clustered(cluster) as executor:
            yield executor
    elif jobs > 1:
        with Processes(jobs) as pool:
            yield pool
    else:
        yield None


@contextmanager
def _clustered(address: str) -> Iterator[Executor]:
    client: Any
    try:
        from distributed import Client
    except ImportError:
        mend = "is not installed; `pip install 'sandbox-town[cluster]'`, here and where the workers are"
        raise lab_fault("--cluster", f"distributed {mend}") from None
    try:
        client = cast(Any, Client)(address, timeout=WAIT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        mend = "write the scheduler's address, tcp://host:8786 say"
        raise lab_fault("--cluster", f"cannot reach {address} ({error}); {mend}") from None
    with client:
        executor: Executor = client.get_executor()
        yield executor
