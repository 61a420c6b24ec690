"""How notable things are: one table, a player's own numbers in it, and faults that say where and how to mend."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from storyworld import Village

from sandbox.core.faults import Faults
from sandbox.people.mood import Pad
from sandbox.readers.story import NAME, Notable, default_notable, table_of
from sandbox.readers.talks import talk_weight, weight_of_turn
from sandbox.readers.timeline import Timeline
from sandbox.talk.model import Declined
from sandbox.town.calendar import Calendar
from sandbox.town.plan import Occasion
from sandbox.tui.app.settingsfile import read_settings

GUIDE = (Path(__file__).parents[2] / "docs" / "modding.md").read_text(encoding="utf-8")
CALM = Pad(0.0, 0.0, 0.0)


def read(folder: Path, text: str) -> tuple[Notable, list[str]]:
    path = folder / NAME
    path.write_text(text, encoding="utf-8")
    faults = Faults()
    table = table_of(folder, faults)
    return table, [f"{f.line}: {f.message}" for f in faults]


def test_all_weights_lie_in_their_range() -> None:
    table = default_notable()
    assert all(0 <= value <= (100 if key.endswith("each") else 10) for key, value in table.weights.items())
    assert table["talk.plain"] < table["talk.warm"] < table["talk.tense"] < table.line < table["talk.hostile"]


def test_a_larger_change_weighs_more_and_never_above_ten() -> None:
    table = default_notable()
    small, large = ({"ann": (CALM, Pad(p, 0.0, 0.0))} for p in (0.02, 0.15))
    assert talk_weight("!", "tense", small, table) < talk_weight("!", "tense", large, table)
    assert talk_weight("!", "hostile", {"ann": (CALM, Pad(-1.0, 0.0, 0.0))}, table) <= 10
    assert weight_of_turn("sad", CALM, Pad(-0.1, 0.0, 0.0), table) < weight_of_turn(
        "sad", CALM, Pad(-0.6, 0.0, 0.0), table
    )


def test_the_timeline_weighs_with_the_table_it_is_given(village: Village, tmp_path: Path) -> None:
    table, _ = read(tmp_path, "declined:\n  refuse: 9\noccasion:\n  any: 1\n  each: 2\n")
    timeline = Timeline(village.handbook, village.clock, notable=table)
    (row,) = timeline.read([village.add(Declined("ben", "refuse", "chat", ()))])
    assert row.weight == 9
    fair = Occasion("fair", "The fair", 8 * 3600, 9 * 3600, "Green", "play", ("every",), "", ("ann", "ben"))
    timeline = Timeline(village.handbook, village.clock, Calendar((fair,), village.clock), notable=table)
    assert timeline.read([], now=0) == []
    (row,) = timeline.read([], now=7200)
    assert row.weight == 5


def test_a_players_own_numbers_replace_and_the_others_stay(tmp_path: Path) -> None:
    table, faults = read(tmp_path, "notable: 4\ntalk:\n  tense: 6\n")
    assert faults == []
    assert (table.line, table["talk.tense"], table["talk.hostile"]) == (4, 6, default_notable()["talk.hostile"])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("talk:\n  tense: 11\n", "2: talk.tense: 11.0 is out of range; it must be between 0 and 10.0"),
        ("talk:\n  tens: 3\n", '2: talk.tens: no key "tens"; did you mean "tense"?'),
        ("talks:\n  tense: 3\n", '2: talks.tense: no section "talks"; did you mean "talk"?'),
        ("notables: 3\n", '1: notables: no key "notables"; did you mean "notable"?'),
        ("told: 3\nmood: 5\n", "2: mood: is no mapping; write its keys beneath, each with a number"),
        ("notable:\n  talk: 3\n", '2: notable.talk: no section "notable"'),
        ("day:\n  woke: often\n", '2: day.woke: "often" is no number'),
    ],
)
def test_a_fault_names_line_and_mend_and_leaves_the_rest(tmp_path: Path, text: str, says: str) -> None:
    table, faults = read(tmp_path, text)
    assert len(faults) == 1
    assert faults[0].startswith(says)
    assert table.weights == default_notable().weights


def test_the_file_beside_the_settings_is_read_with_them(tmp_path: Path) -> None:
    (tmp_path / NAME).write_text("notable: 7\nmood:\n  gloomy: 3\n", encoding="utf-8")
    settings, faults = read_settings(tmp_path / "settings.yaml")
    assert settings.notable.line == 7
    assert [(f.line, "gloomy" in f.message) for f in faults] == [(3, True)]


def test_the_guide_names_every_key_in_its_section() -> None:
    told = GUIDE[GUIDE.index("## What is notable") :]
    table = dict(re.findall(r"^\| (\S+) \| (.*) \|$", told, re.M))
    for key in default_notable().weights:
        section, _, last = key.rpartition(".")
        assert f"`{last}`" in table[f"`{section}`" if section else "none"]


def test_the_example_of_the_guide_is_right(tmp_path: Path) -> None:
    told = GUIDE[GUIDE.index("## What is notable") :]
    _, faults = read(tmp_path, re.findall(r"```yaml\n(.*?)```", told, re.S)[0])
    assert faults == []


def test_a_folder_without_a_table_has_the_one_that_ships(tmp_path: Path) -> None:
    assert table_of(tmp_path, Faults()) is default_notable()
    (tmp_path / "notable.yaml").write_text("notable: 2\n")
    assert table_of(tmp_path, Faults()).line == 2
