"""What a command said, and the type of the fixture that runs one."""

from __future__ import annotations

import json
import signal
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[2]


class Done(NamedTuple):
    """What a command said and left. json: standard output as JSON."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Shell = Callable[..., Done]


def heeding() -> None:
    """For a child about to start: mind Ctrl-C, also where the tests run behind a shell that has it ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def read(path: Path, sql: str) -> list[tuple]:
    """Rows of a save."""
    db = sqlite3.connect(path)
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()
