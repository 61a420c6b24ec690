import os
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.core.text import DIMENSIONS, clean, content_words, mid_sentence, vector


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;a title\x07after", "after"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b[2Jgone", "gone"),
        ("a\x1bb", "ab"),
        ("\x9b31mred", "31mred"),
        ("abc\u202edef\u2066x\u2069", "abcdefx"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("two\nlines\r\nand\ttab", "two lines and tab"),
        ("bell\x07 null\x00 del\x7f", "bell null del"),
        ("  many    blanks ", "many blanks"),
        ("Grüße, 東京 🎈", "Grüße, 東京 🎈"),
    ],
)
def test_text_from_outside_cannot_command_a_terminal(raw: str, safe: str) -> None:
    assert clean(raw) == safe


@given(st.text(max_size=3000), st.integers(5, 400))
def test_cleaned_text_is_one_bounded_printable_line(text: str, limit: int) -> None:
    out = clean(text, limit)
    assert len(out) <= limit
    assert not any(unicodedata.category(ch)[0] == "C" for ch in out)
    assert out == " ".join(out.split())
    assert clean(out, limit) == out


def test_long_text_ends_in_an_ellipsis() -> None:
    assert clean("x" * 1000) == "x" * 399 + "…"
    assert clean("x" * 400) == "x" * 400


def test_words_are_the_telling_ones_in_order() -> None:
    assert content_words("The bread at Mara's is, I THINK, burnt: burnt!") == [
        "bread",
        "mara's",
        "think",
        "burnt",
        "burnt",
    ]


@given(st.text(max_size=500))
def test_a_vector_holds_256_whole_numbers_up_to_127(text: str) -> None:
    v = vector(text)
    assert v.shape == (DIMENSIONS,)
    assert ((v >= 0) & (v <= 127) & (v == v.round())).all()


def test_a_word_said_often_is_bounded() -> None:
    assert vector("bread " * 500).max() == 127


def test_kin_words_are_nearer_than_strangers() -> None:
    bread = vector("baking bread")
    assert bread @ vector("baked breads") > bread @ vector("council minutes")


@pytest.mark.slow
def test_vectors_are_the_same_in_every_process() -> None:
    code = "from sandbox.core.text import vector; print(vector('Hugo fed the ducks by the river').tobytes().hex())"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1", "7")
    }
    assert len(seen) == 1
    assert seen == {vector("Hugo fed the ducks by the river").tobytes().hex().encode() + b"\n"}


def test_a_title_within_a_sentence_keeps_the_capitals_of_names() -> None:
    found = [
        mid_sentence(title) for title in ("Quiz night", "The fair", "Easter breakfast", "May dance", "Ash Wednesday")
    ]
    assert found == ["quiz night", "the fair", "Easter breakfast", "May dance", "Ash Wednesday"]
