"""The sentiment of a text is VADER's to the digit, however it is worked out, once turns of phrase are read."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vaderSentiment import vaderSentiment as vader

from sandbox.engine.scenario import Scenario
from sandbox.talk.sentiment import rewrite_denials, sentiment

ANALYZER = vader.SentimentIntensityAnalyzer()
LADEN = ("good", "terrible", "love", "sorry", "kind", "shit", "bomb", "no", "like", "pretty", "HATE", ":)", "great!")
SHIFTING = (
    "not",
    "never",
    "so",
    "this",
    "very",
    "barely",
    "sort",
    "of",
    "least",
    "at",
    "but",
    "without",
    "doubt",
    "isn't",
)
IDIOMS = tuple(word for idiom in vader.SPECIAL_CASES for word in idiom.split())
PLAIN = (
    "the",
    "bread",
    "I",
    "you",
    "a",
    "quiet",
    "row",
    "of",
    "eggs.",
    "wet",
    "stop",
    "yeah,",
    "“well”",
    "?",
    "!",
    "…",
)
TEXTS = st.lists(st.sampled_from([*LADEN, *SHIFTING, *IDIOMS, *PLAIN]), max_size=9).map(" ".join)


def scored(text: str) -> float:
    """VADER's, of the text as it is read."""
    return float(ANALYZER.polarity_scores(rewrite_denials(text, ANALYZER.lexicon))["compound"])


@given(TEXTS)
def test_any_words_in_any_order(text: str) -> None:
    assert sentiment(text) == scored(text)


@given(st.text(max_size=40))
def test_any_text(text: str) -> None:
    assert sentiment(text) == scored(text)


@pytest.mark.parametrize("against", ["against", "Against", "AGAINST"])
def test_nothing_against_somebody_is_kind_in_any_letters(against: str) -> None:
    text = f"I have nothing {against} him"
    assert sentiment(text) == scored(text) > 0.0


@given(st.lists(st.sampled_from([*LADEN, *PLAIN, "but", "so", "very"]), max_size=9).map(" ".join))
def test_where_nothing_turns_a_phrase_it_is_read_as_it_stands(text: str) -> None:
    if "no" not in text.split():
        assert rewrite_denials(text, ANALYZER.lexicon) == text
        assert sentiment(text) == ANALYZER.polarity_scores(text)["compound"]


@pytest.mark.slow
def test_all_lines_that_ship(larkspur: Scenario) -> None:
    texts = [re.sub(r"\{\w+\}", "", text) for line in larkspur.lines.lines for text in line.say]
    assert len(texts) > 6000
    assert [x for x in texts if sentiment(x) != scored(x)] == []
