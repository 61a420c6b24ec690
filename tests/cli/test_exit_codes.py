"""A fault ends a command and the screen with the same code and the same words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import click
import pytest
from clishell import Shell

from sandbox.cli.main import Lazy
from sandbox.core.faults import Fault
from sandbox.core.protocols import JournalFull
from sandbox.engine.loading import WorldFaults
from sandbox.store.errors import Displaced, OutOfMemory, SaveError
from sandbox.tui.app.program import run_app
from sandbox.tui.view.opening import Session

PATH = Path("a.db")
CODES = [
    (JournalFull("a.db has no room left on its disk; make room and try again"), 1),
    (OutOfMemory(PATH), 1),
    (Displaced(PATH, "was deleted while it was played", "all of it is kept in b.db", Path("b.db")), 1),
    (SaveError(PATH, "is not a save", "name another"), 2),
    (WorldFaults([Fault("worlds/x/world.yaml", 3, 1, "no area")]), 2),
]


@pytest.mark.parametrize(("fault", "code"), CODES, ids=[type(fault).__name__ for fault, _ in CODES])
def test_a_fault_has_one_code(
    fault: Exception, code: int, shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise fault

    @asynccontextmanager
    async def opened() -> AsyncIterator[Session]:
        fails()
        yield  # type: ignore[misc]

    monkeypatch.setattr(Lazy, "get_command", lambda *about: click.Command("doctor", callback=fails))
    told = shell("doctor")
    assert (told.code, told.err) == (code, f"{fault}\n")
    capsys.readouterr()
    assert run_app(opened).code == code
    assert capsys.readouterr().err == f"{fault}\n"
