"""What readers of a save return: a row of its steps, a summary of the save, and what makes a world of its rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from sandbox.core.events import EventRow, Record
from sandbox.store.errors import COPY, SaveError

if TYPE_CHECKING:
    from sandbox.engine.world import World

LATEST = 10**11  # seconds, 3,170 years: no world runs that long, and any time before can be written as a date


class StepRow(NamedTuple):
    """A row of `steps`. t: the second at which the step ends. digest: 32 bytes."""

    step: int
    t: int
    last_seq: int
    digest: bytes

    @property
    def place(self) -> tuple[int, int, bytes]:
        """Step, last event and digest: what its caches are bound to."""
        return self.step, self.last_seq, self.digest

    def odd(self) -> str:
        """What is wrong with the row as read from a file, "" if nothing: a column may hold anything."""
        if type(self.step) is not int or type(self.t) is not int or not 0 <= self.t <= LATEST:
            return f"step {self.step!s:.20} ends at no second ({self.t!r:.40})"
        if type(self.last_seq) is not int or self.last_seq < 1:
            return f"step {self.step} ends with no event ({self.last_seq!r:.40})"
        if type(self.digest) is not bytes or len(self.digest) != 32:
            return f"step {self.step} has no digest"
        return ""

    def checked(self, path: Path) -> StepRow:
        """The row itself. Raises SaveError if it is odd."""
        if odd := self.odd():
            raise SaveError(path, f"holds an odd step ({odd})", COPY)
        return self


class PendingStep(NamedTuple):
    """A step waiting to be written. state: the world's, if a snapshot is due; memories, feed: the next block of each
    with the event before it, if due. unversioned: the digest so far without versions, b"" if unknown.
    """

    end: StepRow
    rows: list[EventRow]
    state: bytes | None
    memories: tuple[int, list[bytes]] | None = None
    unversioned: bytes = b""
    feed: tuple[int, bytes] | None = None


class SaveInfo(NamedTuple):
    """A summary of a save. t: seconds of town time. digest: of the last step, in hex. size: bytes on disk. unversioned:
    the digest without versions, in hex, if noted for the last step; else "".

    parent: the uid of the save this is a branch of, "" if none; parent_step: the step at which it branched off. Only in
    a list of saves (else empty): start, the date and hour at which its world began, unchecked; root, the digest of step
    0 in hex; fork, the row of the step at which it branched off.
    """

    path: Path
    title: str
    uid: str
    created: str
    step: int
    t: int
    events: int
    digest: str
    parent: str
    parent_step: int
    size: int
    meta: dict[str, str]
    start: str = ""
    root: str = ""
    fork: StepRow | None = None
    unversioned: str = ""

    @classmethod
    def of(cls, path: Path, meta: dict[str, str], last: StepRow) -> SaveInfo:
        """Make one of the rows of meta and the last step; malformed values are left empty."""
        size = path.stat().st_size if path.exists() else 0
        said = meta.get("parent_step", "")
        digest = last.digest.hex() if isinstance(last.digest, bytes) else ""
        at, _, noted = meta.get("unversioned", "").partition(" ")
        t, events = (n if isinstance(n, int) else 0 for n in (last.t, last.last_seq))
        return cls(
            path=path,
            title=meta.get("title", path.stem),
            uid=meta.get("uid", ""),
            created=meta.get("created", ""),
            step=last.step,
            t=t,
            events=events,
            digest=digest,
            parent=meta.get("parent", ""),
            parent_step=int(said) if said.isdecimal() and len(said) < 10 else 0,
            size=size,
            meta=meta,
            unversioned=noted if at == str(last.step) and re.fullmatch("[0-9a-f]{64}", noted) else "",
        )


class ScenarioSaid(msgspec.Struct):
    """The little of the scenario in event 1 that tells one save from another, whether it can be lived or not."""

    name: str
    seed: int
    start: str
    cast: list[msgspec.Raw]
    parameters: dict[str, Any]


class FoundingSaid(msgspec.Struct):
    """A little of event 1, read without an engine."""

    scenario: ScenarioSaid
    versions: dict[str, str]


class Machine(NamedTuple):
    """What turns rows into a world; tests use a small one instead.

    check: raises ValueError if event 1, which may come from anywhere, cannot make a world.
    """

    decode: Callable[[EventRow], Record]
    found: Callable[[Record], World]
    check: Callable[[Record], None] = lambda founding: None


@cache
def engine() -> Machine:
    """The real Machine, whose worlds make no memories. Imported late: a list of saves needs no engine."""
    from sandbox.engine.checking import check_scenario
    from sandbox.engine.registry import decode
    from sandbox.engine.scenario import founding_of
    from sandbox.engine.world import World

    def check(founding: Record) -> None:
        check_scenario(founding_of(founding).scenario)

    return Machine(decode, partial(World.found, remember=False), check)
