"""`sandbox do`: a card is dealt into a save, or only looked at, and the save goes on from there."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from clishell import Shell
from test_cli_foreign_saves import ACTIVE, speak_in_escapes


def digest(save: Path) -> bytes:
    return sha256(save.read_bytes()).digest()


def test_a_card_is_tried_without_a_trace(shell: Shell, save: Path) -> None:
    before = digest(save)
    done = shell("do", save, "letter to mara about frozen_boxes", "--try")
    assert done.code == 0, done.err
    assert "Mara  reads it first" in done.out
    assert "Nothing was dealt" in done.out
    assert digest(save) == before


def test_a_card_is_dealt_makes_one_step_and_the_save_still_verifies(shell: Shell, save: Path) -> None:
    steps = shell("saves", "info", save, "--json").json["steps"]
    done = shell("do", save, "note at the square: Who has seen my glove?", "--json").json
    assert done["event"] > 1
    assert done["touches"]
    assert "Who has seen my glove?" in done["says"]
    assert shell("saves", "info", save, "--json").json["steps"] == steps + 1
    assert shell("replay", save, "--verify").code == 0
    exported = shell("export", save, "--what", "events").out
    assert '"card_played"' in exported


@pytest.mark.slow
def test_of_a_card_dealt_ahead_it_is_said_when_it_takes_effect(shell: Shell, save: Path) -> None:
    tried = shell("do", save, "rain tomorrow 09:00", "--try")
    assert "It takes effect Wed 5 Mar 09:00." in tried.out
    done = shell("do", save, "rain tomorrow 09:00", "--json").json
    assert (done["effect"], done["reached"], done["how"]) == ("Wed 5 Mar 09:00", [], "")
    assert shell("do", save, "rain", "--json").json["effect"] is None
    told = shell("receipt", save, str(done["event"]))
    assert "It takes effect Wed 5 Mar 09:00." in told.out
    assert "not run: it has not taken effect yet" in told.out


def test_of_a_card_that_holds_for_a_while_it_is_said_whom_it_has_come_to_so_far(shell: Shell, save: Path) -> None:
    out = shell("do", save, "rain for 3h").out
    assert "It has reached " in out
    assert "It is still in effect." in out
    assert "waits" not in out


def test_what_can_be_dealt_is_listed_with_what_it_can_be_about(shell: Shell, save: Path) -> None:
    out = shell("do", save).out
    assert "Cards: causes, never moods" in out
    assert out.index("By force") > out.index("letter")
    found = shell("do", save, "--json").json
    assert {"letter", "rain", "whisper"} <= {c["card"] for c in found["cards"]}
    assert [c["card"] for c in found["cards"] if c["force"]] == ["move", "mood", "whisper"]
    assert all(m["says"] for m in found["matters"])


@pytest.mark.parametrize(("line", "says"), [
    ("leter to mara", 'did you mean "letter"'), ("letter to mara", "says nothing"), ("rain day 1 07:30", "is past"),
])  # fmt: skip
def test_what_cannot_be_dealt_is_said_and_nothing_is_changed(shell: Shell, save: Path, line: str, says: str) -> None:
    before = digest(save)
    for more in ((), ("--try",)):
        done = shell("do", save, line, *more)
        assert done.code == 2
        assert says in done.err
    assert digest(save) == before


def test_a_world_is_lived_before_a_card_is_dealt(shell: Shell) -> None:
    done = shell("do", "larkspur", "rain")
    assert done.code == 2
    assert "not a save; run it first" in done.err


def test_no_word_of_a_save_or_a_card_is_a_command_to_the_terminal(shell: Shell, save: Path) -> None:
    speak_in_escapes(save)
    for done in (shell("do", save), shell("do", save, "note at the square: \x1b[2J\x9b31mhello", "--try")):
        assert not ACTIVE.search(done.out)
        assert not ACTIVE.search(done.err)


@pytest.mark.slow
def test_a_script_tells_of_a_card_that_one_of_the_same_step_ruled_out(shell: Shell, tmp_path: Path) -> None:
    script = tmp_path / "two.yaml"
    script.write_text("steps:\n" + 2 * '  - {at: "day 1 08:00", deal: money found to mara 5 coins}\n')
    asked = ("--step", "10m", "--steps", 10, "--set", "director.influence=1", "--do", script)
    done = shell("run", "larkspur", *asked, "--save", tmp_path / "two.db")
    assert done.code == 1
    assert "line 2: money found to mara" in done.out
    assert "not dealt, line 3" in done.out
    assert "0 is left today" in " ".join(done.out.split())
