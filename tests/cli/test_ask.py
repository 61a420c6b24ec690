"""`sandbox ask`: somebody in a save is asked, and the save is as it was."""

from __future__ import annotations

import asyncio
from hashlib import sha256
from pathlib import Path

import pytest
from clishell import Shell
from test_cli_foreign_saves import ACTIVE, speak_in_escapes
from village import build

from sandbox.director.model import DealCard, Dealt
from sandbox.engine.drivers import run_free
from sandbox.store.session import open_session


@pytest.mark.slow
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
    assert 'did you mean "Mara"?' in done.err
    done = shell("ask", save, "mara", " \x1b[2J ")
    assert done.code == 2
    assert "ask something" in done.err


def test_a_name_that_two_share_asks_which_in_every_command_that_takes_a_person(shell: Shell, tmp_path: Path) -> None:
    world, path = build(tmp_path), tmp_path / "two.db"
    finn = world / "personas" / "finn.yaml"
    finn.write_text(finn.read_text("utf-8").replace("Finn Marsh", "Ada Marsh"), "utf-8")
    assert shell("run", world, "--steps", 1, "--save", path).code == 0
    for line in (("ask", path, "Ada", "How are you?"), ("story", path, "--of", "Ada"), ("be", path, "as Ada"),
                 ("do", path, "letter to Ada", "--try")):  # fmt: skip
        done = shell(*line)
        assert done.code != 0, line
        assert '"Ada" may be Ada Rill (ada) or Ada Marsh (finn); say which' in done.err
    assert shell("ask", path, "ada", "How are you?").out.startswith("Ada Rill: ")
    assert shell("ask", path, "Ada Marsh", "How are you?").out.startswith("Ada Marsh: ")


def test_an_id_that_is_the_first_name_of_another_asks_which_in_every_command(shell: Shell, tmp_path: Path) -> None:
    world, path = build(tmp_path), tmp_path / "crossed.db"
    for id, name, new in (("finn", "Finn Marsh", "Ada Marsh"), ("ada", "Ada Rill", "Bo Rill")):
        file = world / "personas" / f"{id}.yaml"
        file.write_text(file.read_text("utf-8").replace(name, new), "utf-8")
    assert shell("run", world, "--steps", 1, "--save", path).code == 0
    for line in (
        ("ask", path, "ada", "How are you?"),
        ("story", path, "--of", "ada"),
        ("be", path, "as ada"),
        ("do", path, "letter to ada", "--try"),
        ("run", path, "--steps", 1, "--mind", "ada=embedded"),
    ):
        done = shell(*line)
        assert done.code != 0, line
        assert '"ada" may be Bo Rill (ada) or Ada Marsh (finn); say which' in done.err
    assert shell("ask", path, "bo", "How are you?").out.startswith("Bo")
    assert shell("ask", path, "Ada Marsh", "How are you?").out.startswith("Ada")


@pytest.mark.slow
def test_no_word_of_a_save_or_a_question_is_a_command_to_the_terminal(shell: Shell, save: Path) -> None:
    speak_in_escapes(save)
    for question in ("What happened today?", "What do you think about the meadow?\x1b[2J\x07", "Who are you?"):
        done = shell("ask", save, "mara", question)
        assert done.code == 0, done.err
        assert not ACTIVE.search(done.out + done.err)


@pytest.mark.slow
def test_whom_a_card_has_reached_may_be_asked_about_it(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "carded.db"

    async def live() -> None:
        async with open_session("larkspur", seed=42, save=path) as session:
            await run_free(session.engine, steps=60)
            session.engine.do(DealCard(Dealt(card="letter", to="mara", words="The lamp by the bridge is out")))
            await run_free(session.engine, steps=30)

    asyncio.run(live())
    asked = "What about the letter?"
    assert f"you may ask: {asked}" in shell("ask", path, "mara", "How are you?").out
    done = shell("ask", path, "mara", asked, "--json").json
    assert "lamp by the bridge" in done["answer"]
    assert done["offers"] == []
    assert shell("ask", path, "mara", "How are you?", "--json").json["offers"] == [asked]
    assert shell("ask", path, "otis", "How are you?", "--json").json["offers"] == []
