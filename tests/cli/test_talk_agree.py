"""`sandbox talk lint`: what does not agree with all that may fill a slot is told with its file and its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from clishell import Shell

from sandbox.talk.lint import AGREE, ARTICLES, SUBJECTS

WRONG = {  # what stands in a line, what is told of it, and the kinds of which it holds
    "So, {topic} is all I hear.": ('"{topic} is" does not agree', ("person", "thing", "deed", "sum")),
    "I tell you, {topic} are all I hear.": ('"{topic} are" does not agree', ("things",)),
    "I was caught {topic}.": ('"caught {topic}" does not agree', ("deed",)),
    "I could hug {topic} today.": ('"hug {topic}" does not agree', ("person",)),
    "What I owe you {topic} for, I forget.": ('"owe you {topic}" does not agree', ("sum",)),
}
RIGHT = (
    "So it is, with {topic}.",
    "I was caught up in {topic}.",
    "What came of {topic} is all I hear.",
    "My own view of {topic} is my own.",
)


def lines(*say: tuple[str, tuple[str, ...]]) -> str:
    """A file with a line for each of these words, that asks for these kinds; the words stand `at` such lines."""
    text = "lines:\n"
    for n, (words, kinds) in enumerate(say):
        when = f"is: [{', '.join(kinds)}]" if kinds else ""
        text += f"  - id: x{n}\n    move: vent\n    weight: 1\n    say:\n      - '{words}'\n    when: {{{when}}}\n"
    return text


def at(n: int) -> list[int]:
    return [6 * i + 6 for i in range(n)]


def found(shell: Shell, world: Path, text: str) -> dict[int, str]:
    """What is told of the lines of a world: line of the file -> words."""
    (world / "lines.yaml").write_text(text, encoding="utf-8")
    told = {}
    for line in shell("talk", "lint", world).out.replace("\\", "/").splitlines():
        place = re.search(r"broken/lines\.yaml:(\d+): (.*)", line)
        if place is not None and (" does not agree " in line or " before {" in line):
            told[int(place[1])] = place[2]
    return told


def test_every_rule_is_tried_here() -> None:
    assert len(WRONG) == len(AGREE)
    for (text, (_, kinds)), (of, words) in zip(WRONG.items(), AGREE, strict=True):
        assert re.search(words.format(slot=r"\{topic\}"), text)
        assert set(kinds) <= of


@pytest.mark.slow
def test_what_agrees_with_some_kinds_alone_is_told_with_its_line_and_what_to_take(shell: Shell, world: Path) -> None:
    told = found(shell, world, lines(*((text, ()) for text in WRONG)))
    assert list(told) == at(len(WRONG))
    for (says, kinds), words in zip(WRONG.values(), told.values(), strict=True):
        assert says in words
        assert "`is`" in words
        assert kinds[0] in words.partition("take only")[2]
    assert shell("talk", "lint", world).code == 2


@pytest.mark.slow
def test_a_line_that_asks_for_these_kinds_may_say_so_and_for_more_it_may_not(shell: Shell, world: Path) -> None:
    of = {text: kinds for text, (_, kinds) in WRONG.items()}
    assert found(shell, world, lines(*of.items())) == {}
    other = {
        text: (*kinds, "thing" if "things" in kinds or len(kinds) == 1 else "things") for text, kinds in of.items()
    }
    assert list(found(shell, world, lines(*other.items()))) == at(len(of))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("slot", SUBJECTS)
def test_an_article_before_a_phrase_is_told_since_it_brings_its_own(shell: Shell, world: Path, slot: str) -> None:
    words = ARTICLES.split("|")
    say = [(f"I talk of {article} {{{slot}}}, and of no more.", ("thing",)) for article in words]
    told = found(shell, world, lines(*say))
    assert list(told) == at(len(words))
    for article, line in zip(words, told.values(), strict=True):
        assert f'has "{article}" before {{{slot}}}' in line
        assert "take it out" in line


@pytest.mark.slow
def test_what_agrees_with_all_kinds_is_not_told(shell: Shell, world: Path) -> None:
    assert found(shell, world, lines(*((text, ()) for text in RIGHT))) == {}


ASKING = """lines:
  - id: x0
    move: ask_on
    asks: colour
    say: "What colour is it?"
"""
TELLING = """  - id: x1
    move: tell_on
    when: {asked: colour}
    say: "It is green."
"""


def asked(shell: Shell, world: Path, text: str) -> str:
    """What is told of a world's lines that ask and tell."""
    (world / "lines.yaml").write_text(text, encoding="utf-8")
    out = shell("talk", "lint", world).out.replace("\\", "/").splitlines()
    return "\n".join(line for line in out if "broken/lines.yaml" in line)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("text", "says"),
    [
        (ASKING, 'lines.yaml:2: lines[1]: x0: asks for "colour", which not everybody can answer'),
        (ASKING, "add a line with `move: tell_on` and `when: {asked: colour}`"),
        (ASKING + TELLING, ""),
        (ASKING + TELLING.replace("    when", "    register: blunt\n    when"), "which not everybody can answer"),
        (ASKING + TELLING.replace("colour}", "colour, mood: sad}"), "which not everybody can answer"),
        ("lines:\n" + TELLING, 'x1: is never said: nothing that "tell_on" answers asks for "colour"'),
        (ASKING.replace("ask_on", "bye") + TELLING, 'asks for "colour"'),
    ],
)
def test_a_question_and_its_answer_are_told_if_one_lacks_the_other(
    shell: Shell, world: Path, text: str, says: str
) -> None:
    found = asked(shell, world, text)
    assert says in found if says else not found
