"""With glyphs set to ascii nothing but ASCII leaves the program, whatever is open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from larkspur import Town, live, text
from rich.cells import cell_len
from textual.pilot import Pilot

from sandbox.tui.app.app import SandboxApp
from sandbox.tui.view.cells import sign
from sandbox.tui.view.settings import Settings


async def press(pilot: Pilot[None], *names: str) -> None:
    for name in names:
        await pilot.press(name)
        await pilot.pause()
    await pilot.pause()


def strange(app: SandboxApp) -> set[str]:
    """The signs on the screen that are not ASCII."""
    rows = text(app)
    assert all(cell_len(row) == app.size.width for row in rows)
    return {c for row in rows for c in row if not c.isascii()}


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [(120, 40), (80, 24), (160, 45)], ids=["wide", "small", "broad"])
async def test_every_cell_is_ascii(
    app: SandboxApp, size: tuple[int, int], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path_factory.mktemp("home")))
    app.settings = app.viewer.settings = Settings().with_("glyphs", "ascii")
    async with app.run_test(size=size) as pilot:
        await live(app, "08:20")
        await press(pilot, "j")
        assert strange(app) == set()
        for keys in ("2", "3", "4", "5", "1", "minus", "plus", "t", "w", "question_mark", "f2", "f10", "slash", "v"):
            await press(pilot, keys)
            assert strange(app) == set(), keys
            await press(pilot, "escape", "escape")
        app.notify("Zoë said “no”…", title="a toast")
        await pilot.pause()
        await press(pilot, "ctrl+p")
        assert strange(app) == set()


@pytest.mark.slow
async def test_ascii_comes_and_goes_with_the_setting(
    app: SandboxApp, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path_factory.mktemp("home")))
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "2")
        assert strange(app)
        app.change("glyphs", "ascii")
        await press(pilot, "1")
        assert strange(app) == set()
        app.change("glyphs", "pictures")
        await press(pilot, "2")
        assert "╭" in strange(app)


async def test_names_of_every_script_keep_their_cells(hostile: Town) -> None:
    app = SandboxApp(hostile, Settings().with_("glyphs", "ascii"))
    app.viewer.pace.paced.pause()
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "j", "3", "4")
        assert strange(app) == set()


@given(st.characters(exclude_categories=("C",)))
def test_a_likeness_is_ascii_and_as_wide(char: str) -> None:
    like = sign(char)
    assert like.isascii()
    assert cell_len(like) == cell_len(char)


def test_marks_and_frames_keep_a_shape() -> None:
    assert "".join(map(sign, "╭─ Zoë ▶ 12:40 ━┼─ ▁▄█ … “so” ♥ é美")) == '+- Zoe > 12:40 =+- _-# ~ "so" * e??'
