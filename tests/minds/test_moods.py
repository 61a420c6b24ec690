"""The mood paragraph: two or three sentences, without a number, out of labels, persona, causes and memories."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sandbox.engine.scenario import Scenario
from sandbox.people.mood import Pad
from sandbox.people.mood_words import SHIPPED
from sandbox.people.question_mood import WORDS, DescribeMood, describe_mood

unit = st.floats(-1, 1)


@pytest.fixture(scope="module")
def mara(larkspur: Scenario) -> DescribeMood:
    persona = next(p for p in larkspur.cast if p.id == "mara")
    return DescribeMood("mara", persona=persona, causes=("turned away by Otis",), memories=("saw Otis at the square",))


@given(st.builds(Pad, unit, unit, unit), st.sampled_from(["categories", "plutchik"]))
def test_every_mood_has_its_sentences_and_no_number(mara: DescribeMood, mood: Pad, of: str) -> None:
    text = describe_mood(replace(mara, mood=mood, labels=SHIPPED.labels(mood, of))).text
    assert 2 <= len(re.findall(r"[.](?: |$)", text)) <= 3
    assert not re.search(r"\d", text)
    assert text.startswith("Mara feels ")
    assert "turned away by Otis" in text


def test_what_comes_to_mind_is_told_and_what_there_is_not_is_left_out(mara: DescribeMood) -> None:
    angry = replace(mara, labels=("Anger",), mood=Pad(-0.5, 0.6, 0.3))
    assert "Mara saw Otis at the square" in describe_mood(angry).text
    assert "lately" not in describe_mood(replace(angry, memories=())).text
    assert "it is how Mara is" in describe_mood(replace(angry, causes=(), memories=())).text


def test_another_neighbour_is_told_as_a_touch(mara: DescribeMood) -> None:
    mixed = describe_mood(replace(mara, labels=("Contempt", "Contempt", "Surprise"), mood=Pad(-0.1, 0.7, 0.4))).text
    assert WORDS["Contempt"].feels in mixed
    assert WORDS["Surprise"].touch in mixed


def test_how_strongly_one_feels_is_told(mara: DescribeMood) -> None:
    faint, plain, strong = (
        describe_mood(replace(mara, labels=("Sadness",), mood=Pad(-x, 0, 0))).text for x in (0.1, 0.4, 0.9)
    )
    assert "feels a little low" in faint
    assert "feels low" in plain
    assert "feels very low" in strong


def test_who_one_is_decides_what_comes_of_it(mara: DescribeMood, larkspur: Scenario) -> None:
    una = next(p for p in larkspur.cast if p.id == "una")
    angry = replace(mara, labels=("Anger",), mood=Pad(-0.5, 0.6, 0.3))
    assert "say so to somebody's face" in describe_mood(angry).text
    assert "say so to somebody's face" not in describe_mood(replace(angry, persona=una)).text
