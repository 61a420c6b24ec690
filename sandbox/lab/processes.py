"""Processes that work for us. Each has one thing to do at a time, so whoever is killed (by hand, for its memory) takes
nothing along but that, which another process begins anew.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
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
