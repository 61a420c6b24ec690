"""A picture of the screen: what is seen, in a file of its own."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from larkspur import SIZES, live
from readme_picture import readme_picture
from rich.segment import Segment
from rich.style import Style

from sandbox.core.places import saves_dir
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.commands.app import svg_of


def words(text: str) -> str:
    """All that is written in an SVG; it must be well formed."""
    return " ".join(ElementTree.fromstring(text).itertext())


@SIZES
async def test_the_key_keeps_what_is_seen_and_never_overwrites(
    app: SandboxApp, size: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    async with app.run_test(size=size) as pilot:
        await live(app, "07:45")
        await pilot.pause(0.3)  # the panes look for news four times a second
        await pilot.press("f12")
        await pilot.press("f12")
        await pilot.pause()
        names = sorted(p.name for p in saves_dir().iterdir())
        assert names == ["larkspur-day1-0745-2.svg", "larkspur-day1-0745.svg"]
        first = (saves_dir() / "larkspur-day1-0745.svg").read_text(encoding="utf-8")
        assert "07:45" in words(first)
        assert [n.title for n in app._notifications] == ["picture kept", "picture kept"]


async def test_a_folder_that_cannot_be_is_told(
    app: SandboxApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "home").write_text("a file")
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path / "home"))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("f12")
        await pilot.pause()
        assert [n.severity for n in app._notifications] == ["error"]


def test_half_blocks_become_shapes_and_words_stay_words() -> None:
    made = svg_of(
        [[Segment("▀▄", Style.parse("#ff0000 on #0000ff")), Segment(" a<b", Style.parse("bold #00ff00"))]], 6, 1
    )
    assert words(made).strip() == "a<b"
    assert '<path fill="#ff0000" d="M0 0h8v8h-8z"/>' in made
    assert '<path fill="#ff0000" d="M8 8h8v8h-8z"/>' in made
    assert 'font-weight="bold"' in made


@pytest.mark.slow
async def test_the_picture_of_the_readme_can_be_made() -> None:
    made = await readme_picture("07:40")
    assert "Timeline" in words(made)
