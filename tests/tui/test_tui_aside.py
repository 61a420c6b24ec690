"""What leaves the program for the terminal it runs in: Ctrl+Z, and what is copied."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from larkspur import WIDE, Clock, Town, press

from sandbox.engine.drivers import Paced
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.commands import chosen
from sandbox.tui.view.terminal import Meter, Wall, metered_driver


def test_a_clock_stands_while_the_program_is_put_aside(clock: Clock) -> None:
    wall = Wall(clock)
    clock.now += 5
    assert wall() == 105.0
    wall.stand(True)
    clock.now += 1000
    assert wall() == 105.0
    wall.stand(False)
    wall.stand(False)  # said twice, as after bg and fg
    assert wall() == 105.0
    clock.now += 2
    assert wall() == 107.0


async def test_no_time_of_the_town_passes_meanwhile(town: Town, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox.engine.drivers.perf_counter", clock)
    paced = Paced(town.engine)
    await paced.tick()
    clock.now += 0.01
    await paced.tick()
    before = paced.shown
    clock.now += 1000
    paced.wake()
    await paced.tick()
    assert paced.shown == before
    clock.now += 0.01
    await paced.tick()
    assert paced.shown > before


async def test_a_driver_that_is_put_aside_says_so_first_and_is_metered_again_when_it_is_back() -> None:
    said: list[object] = []

    class Driver:
        """What a driver does about it."""

        def __init__(self, app: object) -> None:
            self.write = said.append

        def suspend_application_mode(self) -> None:
            said.append("left")
            self.disable_input()

        def disable_input(self) -> None:
            said.append("deaf")

        def resume_application_mode(self) -> None:
            self.start_application_mode()

        def start_application_mode(self) -> None:
            said.append("back")

    meter = Meter()
    driver: Any = metered_driver(Driver, meter, said.append)(SimpleNamespace())  # type: ignore[arg-type]
    driver.start_application_mode()
    assert meter.asks(10_000)
    meter.deaf = True  # nobody answers here
    driver.suspend_application_mode()
    assert said == ["back", True, "left", "deaf"]
    meter.deaf = False
    assert not meter.asks(10_000)
    driver.resume_application_mode()
    assert said[-2:] == [False, "back"]
    assert meter.ready()
    assert meter.asks(10_000)


@pytest.mark.skipif(sys.platform == "win32", reason="no job control here")
def test_it_is_put_aside_only_where_a_shell_waits() -> None:
    asks = "from sandbox.tui.view.terminal import comes_back; print(comes_back())"
    for options, says in (({"start_new_session": True}, "False"), ({"process_group": 0}, "True")):
        done = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True, **options)
        assert done.stdout.strip() == says, options


async def test_ctrl_z_asks_for_it_whatever_is_open_and_is_no_key_of_the_town(
    app: SandboxApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.tui.view.terminal.comes_back", lambda: False)
    async with app.run_test(size=WIDE) as pilot:
        for keys in ((), ("slash",), ("escape", "f10"), ("escape", "w")):
            await press(pilot, *keys)
            app._notifications.clear()
            await press(pilot, "ctrl+z")
            assert [n.message for n in app._notifications] == ["No shell is waiting here to bring it back; q leaves."]


# ---- what is copied


@pytest.mark.skipif(sys.platform == "win32", reason="no tmux here")
async def test_what_is_copied_goes_to_the_terminal_and_into_the_buffer_of_tmux(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[str] = []
    app: Any = SimpleNamespace(copy_to_clipboard=sent.append)
    assert await chosen.to_clipboard(app, "one") == "sent to the terminal"
    tmux = tmp_path / "tmux"
    tmux.write_text(f'#!/bin/sh\n[ "$2" = -w ] && exit 1\ncat > {tmp_path}/buffer\n')  # an old one
    tmux.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert await chosen.to_clipboard(app, "two") == "sent to the terminal"  # one is not in it
    monkeypatch.setenv("TMUX", "/tmp/socket,1,0")
    assert await chosen.to_clipboard(app, "three ▀") == "copied to tmux and sent to the terminal"
    assert (tmp_path / "buffer").read_text() == "three ▀"
    tmux.write_text("#!/bin/sh\nexit 1\n")
    assert await chosen.to_clipboard(app, "four") == "sent to the terminal"
    assert sent == ["one", "two", "three ▀", "four"]
