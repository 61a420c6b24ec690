"""The day that ships: it is there, small, whole, and leaves its folder as it is."""

from __future__ import annotations

import json
import os
import shutil
import tomllib
from pathlib import Path

import pytest
from clishell import ROOT, Shell, read

from sandbox.core.places import shipped_folder
from sandbox.store.save import Save
from sandbox.store.schema import from_stored
from sandbox.tui.sheets.saves import recorded_day
from sandbox.tui.view import opening

DAY = shipped_folder("saves") / "larkspur-day.db"


def test_it_ships_and_is_small() -> None:
    assert recorded_day() == DAY
    assert DAY.stat().st_size <= 6_700_000
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "saves/larkspur-day.db" in wheel["only-include"]
    assert wheel["sources"]["saves"] == "sandbox/_data/saves"


def test_it_holds_one_day_from_half_past_seven() -> None:
    ((steps, seconds),) = read(DAY, "SELECT count(*), max(t) FROM steps")
    assert seconds == 24 * 3600
    assert steps > 100
    ((start,),) = read(DAY, "SELECT start FROM founding")
    assert start == "2025-03-04 07:30"


@pytest.mark.slow
def test_it_proves(shell: Shell) -> None:
    assert shell("replay", DAY, "--verify", "--json").json["ok"]


async def test_it_is_watched_where_nothing_may_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "shipped"
    folder.mkdir()
    path = Path(shutil.copy(DAY, folder))
    path.chmod(0o444)
    folder.chmod(0o555)
    before = path.read_bytes()
    try:
        async with opening.open_replay(path) as session:
            await session.engine.step()
            assert session.world.step == 2
            assert os.listdir(folder) == [path.name]
        async with await Save.open(path, read_only=True) as save:
            assert (await save.info()).t == 24 * 3600
    finally:
        folder.chmod(0o755)
    assert os.listdir(folder) == [path.name]
    assert path.read_bytes() == before


@pytest.mark.slow
def test_it_is_what_the_engine_lives_today(shell: Shell) -> None:
    seed = json.loads(from_stored(read(DAY, "SELECT * FROM events WHERE seq = 1"))[0][7])["scenario"]["seed"]
    lived = shell("run", "larkspur", "--seed", seed, "--json").json
    ((digest,),) = read(DAY, "SELECT hex(digest) FROM steps ORDER BY step DESC LIMIT 1")
    assert digest.lower() == lived["digest"], "run `make demo-save`"
