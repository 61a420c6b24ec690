"""Work on many replicas: in this process, in several processes, or on a cluster."""

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

from sandbox.core.room import collect_rarely
from sandbox.lab.custom_minds import NONE, CustomMinds, error_words
from sandbox.lab.experiment import lab_fault
from sandbox.lab.replica import Config, ReplicaOutcome, is_complete, progress_text, run_replica
from sandbox.store.errors import OutOfReach

P = ParamSpec("P")
TRIES = 2  # processes that may die on one piece of work before it is given up


class Lost(Exception):
    """Work that was never done: each process that had it was killed."""


class Processes(Executor):
    """At most `jobs` processes at once, each started for a piece of work. killed: number of processes killed so far."""

    def __init__(self, jobs: int) -> None:
        self._threads = ThreadPoolExecutor(jobs)  # one thread per process, waiting for it
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
                lost += begun  # a process that was gone before had not begun this work
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
        self._ending = True  # processes killed from now on are not restarted
        self._threads.shutdown(wait, cancel_futures=cancel_futures)
        for process in self._idle:
            process.shutdown(wait)


def _heedless() -> None:
    """Make a worker process ignore Ctrl-C and a closing terminal: it ends with its work, or with its parent."""
    collect_rarely()
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
Moved = Callable[[int, int], None]  # done, total
Noted = Callable[[str], None]  # progress of running replicas
WAIT = 10  # seconds for a cluster to answer
LOOK = 2.0  # seconds between two progress checks


def run_many(
    configs: Iterable[Config],
    folder: Path,
    executor: Executor | None = None,
    moved: Moved = lambda done, of: None,
    noted: Noted = lambda said: None,
    own: Mapping[str, CustomMinds] | None = None,
) -> dict[str, ReplicaOutcome]:
    """Run every replica whose save in the folder is not complete; returns config name -> outcome.

    executor: does the work and shares the folder; None = sequentially in this process. A failed replica affects no
    other. own: config name -> supplied rules or mind. On KeyboardInterrupt complete saves remain and nothing more
    starts.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {config.name: config for config in configs}
    out: dict[str, ReplicaOutcome] = {}
    for name, config in wanted.items():
        with suppress(OutOfReach):  # `run_replica` reports it
            if is_complete(config, folder):
                out[name] = ReplicaOutcome(name, skipped=True)
    # Seed by seed: an interrupted run has equally many of each arm, and the first seed allows a time estimate.
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
        for left in folder.glob(f"{config.name}.half.*"):  # left by a killed process
            with suppress(OSError):
                left.unlink()
    return {name: out[name] for name in wanted}


@contextmanager
def _looking(names: Collection[str], folder: Path, noted: Noted) -> Iterator[None]:
    """Report the progress of these replicas at intervals, wherever they run."""
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
    """The results of `work` for each tuple of arguments, in order; an exception object where it raised."""
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
            except Exception as error:  # the executor takes no more work
                out[i] = error
        for future in as_completed(futures):
            try:
                out[futures[future]] = future.result()
            except Exception as error:  # of the work, or the executor
                out[futures[future]] = error
            moved(len(out))
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return [out[i] for i in range(len(items))]


@contextmanager
def workers(jobs: int = 1, cluster: str = "") -> Iterator[Executor | None]:
    """An executor for the work: None (this process), that many processes, or the cluster with that scheduler address.

    Raises LabFaults if the cluster cannot be reached. Not for use under Textual: new processes and an active terminal
    conflict.
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
        mend = "write the scheduler's address, such as tcp://host:8786"
        raise lab_fault("--cluster", f"cannot reach {address} ({error}); {mend}") from None
    with client:
        executor: Executor = client.get_executor()
        yield executor
