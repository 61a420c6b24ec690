"""Which signs are letters of a name: the same at every door, and on every way out."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import get_character_cell_size
from textual.app import App, ComposeResult
from textual.events import Key

from sandbox.core.faults import ZWJ, ZWNJ, Faults, clean_name, in_quotes, is_printable, safe, strange
from sandbox.core.plain import cell, safe_line
from sandbox.core.questions import is_showable as said_so
from sandbox.core.questions import text_fault
from sandbox.core.text import clean
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.core.vectors import Embedded
from sandbox.engine.load_population import PopulationOptions, Tables
from sandbox.feed import Platform, Refused
from sandbox.feed.loaded_tables import Names
from sandbox.tui.sheets.asking import WordInput
from sandbox.tui.view.text_lines import as_lines, outside, width_of

PERSIAN, SINHALA, MALAYALAM = "می\u200cروم", "ශ\u0dca\u200dර\u0dd3", "അവന\u0d4d\u200d"
FAMILY = "👩\u200d👩\u200d👧"
GOOD = (PERSIAN, SINHALA, MALAYALAM, FAMILY, "Ada Lovelace", "Zoë", "李", "Auf\u200clage")
BAD = (
    "Ada\u202e", "\u202dAda", "A\u200bda", "\u200cAda", "Ada\u200c", "Ada \u200d Rill", "A\u200c\u200cda", "A\u2066da",
    "Ada\x1b[31m", "A\ufeffda", "A\u00adda", "A\u2028da", "A\x00da", "1\u200d2", "A\ud800da", "A\ue000da",
)  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_what_joins_letters_is_a_letter_on_every_way_out(name: str) -> None:
    assert is_printable(name)
    assert strange(name) == ""
    assert (clean_name(name), clean(name), safe(name), safe_line(name), cell(name)) == (name,) * 5
    assert in_quotes(name) == f'"{name}"'


@pytest.mark.parametrize("name", BAD)
def test_what_hides_or_turns_is_no_letter_and_never_goes_out(name: str) -> None:
    assert not is_printable(name)
    assert strange(name)
    with pytest.raises(ValueError, match="holds the control character"):
        clean_name(name)
    for out in (clean(name), safe(name), safe_line(name), in_quotes(name)):
        assert is_printable(out)


def test_any_sort_of_blank_is_a_blank_of_a_name() -> None:
    assert clean_name("Ada\u00a0Rill\nof the  Lane") == "Ada Rill of the Lane"
    assert clean_name("Ada  Rill") == "Ada  Rill"


def persona_door(folder: Path, name: str) -> str:
    path = folder / "ada.yaml"
    escaped = "".join(rf"\U{ord(sign):08X}" for sign in name)
    path.write_text(f'name: "{escaped}"\n', encoding="utf-8")
    return MappingReader(open_yaml(path, Faults())).text("name")


def table_door(folder: Path, name: str) -> str:
    (folder / "users.jsonl").write_text(json.dumps({"id": "a", "name": name}) + "\n")
    (folder / "world.yaml").write_text("population: {users: users.jsonl}\n")
    reader = MappingReader(open_yaml(folder / "world.yaml", Faults()))
    asked = PopulationOptions(datetime(2025, 3, 4), Embedded(), np.ones((9, 32), np.int8), ())
    found = Tables().read(reader, folder, asked, Faults())
    return "" if found is None else Names(found).name(0)


def platform_door(folder: Path, name: str) -> str:
    platform = Platform("x")
    try:
        return platform.person(platform.sign_up("ada", name)).name
    except Refused:
        return ""


@pytest.mark.parametrize("door", [persona_door, table_door, platform_door])
@pytest.mark.parametrize("name", [*GOOD, *BAD])
def test_every_door_takes_the_same_names(tmp_path: Path, door: Callable[[Path, str], str], name: str) -> None:
    assert door(tmp_path, name) == (name if name in GOOD else "")


def test_what_is_typed_by_hand_keeps_its_joiners_and_loses_what_turns() -> None:
    for name in (PERSIAN, SINHALA):
        assert clean(f"arrive as {name}\u202e; nature: shy") == f"arrive as {name}; nature: shy"
        assert not text_fault(name, 80)
        assert said_so(name)


@given(st.text(st.characters() | st.sampled_from("\u200c\u200d\u202e\u0dcaa"), max_size=12))
def test_whatever_is_cleaned_shows_and_stays_as_it_is(text: str) -> None:
    once = clean(text)
    assert is_printable(once)
    assert clean(once) == once
    assert is_printable(safe(text))
    assert (clean_name(text).split() == text.split()) if not strange(text) else True


def test_on_the_screen_a_line_is_as_wide_as_it_is_measured() -> None:
    for name in GOOD:
        line = [outside(name), *as_lines(name, 40)[0]]
        assert ZWJ not in "".join(segment.text for segment in line)
        assert width_of(line) == 2 * sum(map(get_character_cell_size, name))


class Typed(App[None]):
    def compose(self) -> ComposeResult:
        yield WordInput()


async def test_a_joiner_that_is_typed_on_the_screen_is_put_into_the_line() -> None:
    app = Typed()
    async with app.run_test() as pilot:
        field = app.query_one(WordInput)
        for sign in (*PERSIAN, "\u202e"):
            field.post_message(Key("zero_width_non_joiner" if sign == ZWNJ else sign, sign))
        await pilot.pause()
        assert field.value == PERSIAN
