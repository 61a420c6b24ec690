"""What readers of a save are given: a row of its steps, the save at a glance, and what turns its rows into a world."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sandbox.core.events import EventRow, Record
from sandbox.store.errors import COPY, SaveError

if TYPE_CHECKING:
    from sandbox.engine.world import World

LATEST = 10**11  # seconds that no world is lived, 3,170 years; any time before it can be written as a date


class StepRow(NamedTuple):
    """A row of `steps`. t: the second at which the step ends. digest: 32 bytes."""

    step: int
    t: int
    last_seq: int
    digest: bytes

    @property
    def place(self) -> tuple[int, int, bytes]:
        """Step, last event and digest: what is kept of it is bound to these."""
        return self.step, self.last_seq, self.digest

    def odd(self) -> str:
        """What is wrong with the row as it stands in a file, "" if nothing: a column may hold anything."""
        if type(self.step) is not int or type(self.t) is not int or not 0 <= self.t <= LATEST:
            return f"step {self.step!s:.20} ends at no second ({self.t!r:.40})"
        if type(self.last_seq) is not int or self.last_seq < 1:
            return f"step {self.step} ends with no event ({self.last_seq!r:.40})"
        if type(self.digest) is not bytes or len(self.digest) != 32:
            return f"step {self.step} has no digest"
        return ""

    def checked(self, path: Path) -> StepRow:
        """The row, unless it is odd. Raises SaveError."""
        if odd := self.odd():
            raise SaveError(path, f"holds an odd step ({odd})", COPY)
        return self


class PendingStep(NamedTuple):
    """A step on its way to the disk. state: the world's, if a snapshot is due; memories: a block of them, if one is.
    unversioned: the digest so far that leaves out versions, b"" if it is not known. feed: a block of one, if it is due.
    """

    end: StepRow
    rows: list[EventRow]
    state: bytes | None
    memories: tuple[int, list[bytes]] | None = None
    unversioned: bytes = b""
    feed: tuple[int, bytes] | None = None


class SaveInfo(NamedTuple):
    """A save at a glance. t: simulated seconds lived. digest: of the last step, as hex. size: bytes on disk.
    unversioned: the digest that leaves out versions, as hex, where it is noted of the last step; else "".

    parent: the uid of the save this is a branch of, "" if none; parent_step: where it left it. start: date and hour at
    which its world began, as its file says, in a list; else "". There also root: the digest of step 0, as hex; fork:
    the step at which it left its parent, None if it has none.
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


class Machine(NamedTuple):
    """What turns rows into a world again; tests put a small one in its place.

    check: raises ValueError if no world can be made of event 1, which may come from anywhere.
    """

    decode: Callable[[EventRow], Record]
    found: Callable[[Record], World]
    check: Callable[[Record], None] = lambda founding: None


def engine() -> Machine:
    """The real one, with memories left for whoever asks. Imported late: a list of saves needs no engine."""
    from sandbox.engine.checking import check_scenario
    from sandbox.engine.registry import decode
    from sandbox.engine.scenario import founding_of
    from sandbox.engine.world import World

    def check(founding: Record) -> None:
        check_scenario(founding_of(founding).scenario)

    return Machine(decode, partial(World.found, remember=False), check)
