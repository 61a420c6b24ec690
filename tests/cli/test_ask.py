"""`sandbox ask`: somebody in a save is asked, and the save is as it was."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from clishell import Shell
from test_cli_foreign_saves import ACTIVE, speak_in_escapes


def test_a_person_answers_and_the_save_is_as_it_was(shell: Shell, save: Path) -> None:
    before = sha256(save.read_bytes()).digest()
    done = shell("ask", save, "Mara", "How are you?")
    assert done.code == 0, done.err
    assert done.out.startswith("Mara: ")
    assert shell("ask", save, "mara", "How are you?").out == done.out
    assert sha256(save.read_bytes()).digest() == before


def test_what_an_answer_rests_on_is_told(shell: Shell, save: Path) -> None:
    found = shell("ask", save, "jory", "What happened today?", "--json").json
    assert (found["who"], found["ask"]) == ("jory", "What happened today?")
    assert found["memories"]
    assert all(m["event"] > 1 and m["text"] and m["t"] <= found["t"] for m in found["memories"])
    out = shell("ask", save, "jory", "What happened today?").out
    assert f"(event {found['memories'][0]['event']})" in out


def test_whoever_is_not_there_cannot_be_asked(shell: Shell, save: Path) -> None:
    done = shell("ask", save, "marra", "How are you?")
    assert done.code == 2
    assert 'did you mean "mara"?' in done.err
    done = shell("ask", save, "mara", " \x1b[2J ")
    assert done.code == 2
    assert "ask something" in done.err


def test_no_word_of_a_save_or_a_question_is_a_command_to_the_terminal(shell: Shell, save: Path) -> None:
    speak_in_escapes(save)
    for question in ("What happened today?", "What do you think about the meadow?\x1b[2J\x07", "Who are you?"):
        done = shell("ask", save, "mara", question)
        assert done.code == 0, done.err
        assert not ACTIVE.search(done.out + done.err)
