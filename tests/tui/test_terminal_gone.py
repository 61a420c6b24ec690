"""A terminal that goes away while the program runs: nothing is written to it any more, and nobody waits for it."""

from __future__ import annotations

from threading import Event, Thread
from types import SimpleNamespace
from typing import Any

from textual.command import CommandPalette
from textual.drivers._writer_thread import WriterThread

from sandbox.tui.app.app import SandboxApp
from sandbox.tui.view.terminal import TerminalFile, end_driver_threads
from sandbox.tui.view.textual_internals import open_palette


class Line:
    """A terminal that takes so many writes."""

    encoding = "utf-8"

    def __init__(self, takes: int) -> None:
        self.takes, self.written = takes, list[str]()

    def write(self, text: str) -> int:
        if len(self.written) == self.takes:
            raise OSError(5, "Input/output error")
        self.written.append(text)
        return len(text)

    def flush(self) -> None:
        if len(self.written) == self.takes:
            raise OSError(5, "Input/output error")


def test_what_a_terminal_that_is_gone_does_not_take_is_dropped_and_told_once() -> None:
    line: Any = Line(2)
    told: list[str] = []
    file = TerminalFile(line, lambda: told.append("gone"))
    for text in ("one", "two", "three", "four"):
        file.write(text)
        file.flush()
    assert line.written == ["one", "two"]
    assert told == ["gone"]
    assert file.encoding == "utf-8"


async def test_a_palette_that_is_gone_shows_nothing_later(app: SandboxApp) -> None:
    async with app.run_test() as pilot:
        open_palette(app)
        await pilot.pause()
        palette = app.screen
        assert isinstance(palette, CommandPalette)
        palette._start_no_matches_countdown("nothing of that name")
        timer = palette._no_matches_timer
        await palette.remove_children()
        assert timer is not None
        assert timer._callback is not None
        timer._callback()
        assert app._exception is None


def test_what_listens_and_writes_ends_with_the_program_however_it_was_left() -> None:
    line: Any = Line(2)
    over, writing = Event(), WriterThread(line)
    listening = Thread(target=over.wait, daemon=True)
    writing.start()
    listening.start()
    driver = SimpleNamespace(exit_event=over, _key_thread=listening, _writer_thread=writing)
    for _ in range(2):
        end_driver_threads(driver)
        listening.join(5)
        assert not listening.is_alive()
        assert not writing.is_alive()
    end_driver_threads(None)
