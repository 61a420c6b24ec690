"""`w` says a mood in sentences, with the words one has set and a table of one's own."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from larkspur import SIZES, WIDE, Clock, Town, live, press, screen_of, words

from sandbox.core.faults import Faults
from sandbox.engine.scenario import Scenario
from sandbox.people.mood_words import SHIPPED
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.app.settingsfile import ANCHORS, own_anchors

TABLE = "p,a,d,label\n" + "".join(f"{p},{a},{d},Disgust\n" for p in (-1, 1) for a in (-1, 1) for d in (-1, 1))


@pytest.mark.slow
@SIZES
async def test_w_begins_with_the_mood_in_sentences(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:45")
        screen_of(app).choose("mara")
        await press(pilot, "w")
        assert "Mara feels" in words(app)
        assert "likely" in words(app)


@pytest.mark.slow
async def test_w_opens_where_nobody_has_moods_and_says_no_sentence(scenario: Scenario) -> None:
    off = Town(msgspec.structs.replace(scenario, parameters={**scenario.parameters, "mood.on": False}))
    app = SandboxApp(off, clock=Clock())
    app.viewer.pace.paced.pause()
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:00")
        screen_of(app).choose("mara")
        await press(pilot, "w")
        assert "what moved it" in words(app)
        assert "nothing has happened yet" in words(app)
        assert "likely" not in words(app)


def test_a_table_of_ones_own_takes_the_place_of_what_ships(tmp_path: Path) -> None:
    (tmp_path / ANCHORS).write_text(TABLE)
    faults = Faults()
    assert len(own_anchors(tmp_path, faults)) == 8
    assert not faults.errors


def test_a_faulty_table_is_told_and_what_ships_is_used(tmp_path: Path) -> None:
    (tmp_path / ANCHORS).write_text(TABLE + "0,0,0,Joyous\n")
    faults = Faults()
    assert own_anchors(tmp_path, faults) is SHIPPED
    assert [f.line for f in faults.errors] == [10]


def test_without_a_table_there_is_what_ships(tmp_path: Path) -> None:
    faults = Faults()
    assert own_anchors(tmp_path, faults) is SHIPPED
    assert not faults.errors
