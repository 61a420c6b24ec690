"""`w` says a mood in sentences, with the words one has set and a table of one's own."""

from __future__ import annotations

from pathlib import Path

from larkspur import SIZES, live, press, screen_of, words

from sandbox.people.anchors import SHIPPED
from sandbox.tui.app import SandboxApp
from sandbox.tui.settings import ANCHORS, NAME, read_settings

TABLE = "p,a,d,label\n" + "".join(f"{p},{a},{d},Disgust\n" for p in (-1, 1) for a in (-1, 1) for d in (-1, 1))


@SIZES
async def test_w_begins_with_the_mood_in_sentences(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:45")
        screen_of(app).choose("mara")
        await press(pilot, "w")
        assert "Mara feels" in words(app)
        assert "likely" in words(app)


def test_a_table_of_ones_own_takes_the_place_of_what_ships(tmp_path: Path) -> None:
    (tmp_path / ANCHORS).write_text(TABLE)
    settings, faults = read_settings(tmp_path / NAME)
    assert not faults.errors
    assert len(settings.anchors) == 8


def test_a_faulty_table_is_told_and_what_ships_is_used(tmp_path: Path) -> None:
    (tmp_path / ANCHORS).write_text(TABLE + "0,0,0,Joyous\n")
    settings, faults = read_settings(tmp_path / NAME)
    assert [f.line for f in faults.errors] == [10]
    assert settings.anchors is SHIPPED
