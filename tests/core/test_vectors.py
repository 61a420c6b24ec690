"""Vectors of texts: the same row everywhere, near for one subject, and 32 whole numbers of it that are compared."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.core.vectors import (
    DIMENSIONS,
    LETTERS,
    Embedded,
    _features,
    _fields,
    check_vectors,
    project,
    stem,
    tokenize,
)

TRIPLES = [  # a post, another on its subject, one on something else
    (
        "The keeper saved two penalties and we are through to the final.",
        "What a strike from the winger in stoppage time!",
        "The council votes on the new bypass on Thursday.",
    ),
    (
        "My sourdough came out flat again, I blame the starter.",
        "Three dozen buns cooling on the rack before six.",
        "The band was far too loud for such a small room.",
    ),
    (
        "Greenfly all over the roses this morning.",
        "The tulips are up and the lawn wants mowing.",
        "My laptop battery dies within the hour.",
    ),
    (
        "It poured all day and the lane is under water.",
        "Thunder rolling in from the west, take the washing down.",
        "She got the lead in the school play.",
    ),
    (
        "Who are you voting for on Thursday?",
        "Turnout at the ballot box was the lowest in years.",
        "The loaf burnt while I was on the phone.",
    ),
    (
        "They are raising council tax once more.",
        "The levy on small firms will ruin us, and the treasury knows it.",
        "The kittens have opened their eyes.",
    ),
    (
        "Half the class is off with a fever.",
        "The doctor says it is only a cold and to stay in bed.",
        "The 8:15 to the city was cancelled.",
    ),
    (
        "Exams start on Monday and I have not revised at all.",
        "Her teacher says the homework is too hard for that age.",
        "Fresh mackerel on the quay from seven.",
    ),
    (
        "The compiler found the bug before I did.",
        "Pushed the fix to the repository, tests are green.",
        "The vicar gave a fine sermon.",
    ),
    (
        "The rocket reached orbit at dawn.",
        "You can see Saturn through the telescope tonight.",
        "Rent is due and the landlord is at the door.",
    ),
    (
        "Practised the piano for three hours.",
        "The choir sings in the old chapel on Sunday.",
        "Diesel is dearer than ever.",
    ),
    (
        "That film dragged on, but the actors were wonderful.",
        "Best sequel I have seen at the cinema for years.",
        "The cows got out into the barley.",
    ),
    (
        "The train stood outside the station for an hour.",
        "No buses after nine, so we all walk home.",
        "Grandmother turns ninety on Saturday.",
    ),
    (
        "We get the harvest in before the rain or not at all.",
        "Two calves born in the barn last night.",
        "My new phone has no headphone socket.",
    ),
    (
        "The army crossed the river at night.",
        "A ceasefire was signed, but the shelling goes on.",
        "My knitting is coming along nicely.",
    ),
    (
        "Somebody broke into the shop and emptied the till.",
        "Police arrested a man over the stolen bicycles.",
        "The tomatoes are ripening at last.",
    ),
    (
        "Wages have not gone up in three years.",
        "Everything costs more and my savings are gone.",
        "An owl sat on our fence.",
    ),
    (
        "He asked me to marry him!",
        "Five years with my wonderful husband today.",
        "The server went down during the release.",
    ),
    (
        "The puppy chewed my slippers.",
        "Our old cat purrs like an engine.",
        "Interest rates rise again next month.",
    ),
    (
        "I cannot sleep for worry.",
        "Feeling low and lonely these days.",
        "The chess club meets at the library.",
    ),
]
MAKER = Embedded()


def near(a: str, b: str) -> float:
    x, y = MAKER.embed([a, b])
    return float(x @ y)


def held(rows: list[np.ndarray], margin: float = 0.0) -> int:
    """Of how many triples the first two are nearer than the first and the last."""
    a, b, c = rows
    return int(((a * b).sum(axis=1) > (a * c).sum(axis=1) + margin).sum())


def test_the_embedded_maker_keeps_to_the_interface() -> None:
    check_vectors(Embedded)


def test_texts_on_one_subject_are_nearer_than_of_two() -> None:
    rows = [MAKER.embed([triple[i] for triple in TRIPLES]) for i in range(3)]
    assert held(rows) == len(TRIPLES)
    assert held(rows, 0.2) == 18, "the weather and the till hold by chance: no field knows their words"
    small = [project(part, MAKER.name).astype(np.float32) for part in rows]
    assert held(small) == len(TRIPLES)


@pytest.mark.slow
def test_rows_are_the_same_bytes_in_every_process() -> None:
    code = (
        "from sandbox.core.vectors import Embedded, project; e = Embedded();"
        "r = e.embed(['Hugo fed the ducks \\u2615 by the river', 'Zum B\\xe4cker!', '']);"
        "print(r.tobytes().hex(), project(r, e.name).tobytes().hex())"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "OPENBLAS_NUM_THREADS": threads},
            capture_output=True,
            check=True,
        ).stdout
        for seed, threads in (("0", "1"), ("7", "2"))
    }
    rows = MAKER.embed(["Hugo fed the ducks \u2615 by the river", "Zum Bäcker!", ""])
    assert seen == {f"{rows.tobytes().hex()} {project(rows, MAKER.name).tobytes().hex()}\n".encode()}


def test_a_projection_is_the_one_it_always_was() -> None:
    """A save keeps projections: a change here makes those of older saves strangers."""
    rows = np.eye(3, 64, dtype=np.float32)
    assert project(rows, "x").tobytes().hex()[:32] == "16eaea16eaea161616eaea1616ea1616"


@pytest.mark.parametrize(
    "text", ["", "  \n", "\x00\x1b\x07", "\u200b\u200d\ufeff", "?!…", "the and of it", "a b c", "\ud800"]
)
def test_a_text_with_nothing_in_it_has_a_row_of_nothing(text: str) -> None:
    assert not MAKER.embed([text]).any()
    assert not project(MAKER.embed([text]), MAKER.name).any()


def test_words_are_folded() -> None:
    assert tokenize("The Café’s ＢＲＥＡＤ, ba\u200bked: STRASSE straße") == [
        "cafe",
        "bread",
        "baked",
        "strasse",
        "strasse",
    ]
    assert tokenize("don't I'd we'll") == []
    assert tokenize("👍🏽 ❤️ 🇫🇷") == ["👍", "❤", "🇫🇷"]


@pytest.mark.parametrize(
    "kin",
    [
        "bake bakes baked baking", "vote voting voted votes", "run running runs", "party parties", "class classes",
        "study studied studies studying", "quick quickly", "tree trees", "sell selling sells", "glass", "virus",
        "evening evenings",
    ],
)  # fmt: skip
def test_forms_of_a_word_have_one_stem(kin: str) -> None:
    assert len({stem(word) for word in kin.split()}) == 1


def test_other_words_have_other_stems() -> None:
    pairs = ["evening even", "news new", "spring spr", "thing th", "feed fe", "red r", "bus bu", "морковь морков"]
    assert all(stem(a) != stem(b) for a, b in map(str.split, pairs))


def test_words_that_look_alike_are_near_also_of_languages_it_does_not_know() -> None:
    assert near("baker", "bakery") > near("baker", "council") + 0.1
    assert near("Приветствую соседей", "приветствуем соседку") > near("Приветствую соседей", "дождливая погода") + 0.1
    assert near("面包很好吃", "我喜欢面包") > near("面包很好吃", "今天下雨了") + 0.02
    assert near("שלום לכולם", "שלום") > 0.3


def test_a_word_said_often_does_not_drown_the_others() -> None:
    assert near("bread " * 500 + "council tax", "council tax") > 0.1


def test_of_a_long_text_a_bounded_part_is_read() -> None:
    long = "the loaf rose well " * 600_000
    assert len(long) > 10_000_000
    assert np.array_equal(MAKER.embed([long]), MAKER.embed([long[:LETTERS]]))


def test_fields_have_words_enough_and_none_twice() -> None:
    names, of = _fields()
    assert 30 <= len(names) <= 40
    sizes = [sum(i in fields for fields in of.values()) for i in range(len(names))]
    assert all(25 <= n <= 60 for n in sizes), dict(zip(names, sizes, strict=True))
    assert MAKER.fields("The baker voted, and the dough rose ⚽") == {
        "baking": 2,
        "elections": 1,
        "football": 1,
        "gardening": 1,
    }


def test_sums_are_whole_numbers_that_cannot_overflow() -> None:
    most = max(int(np.abs(_features(word)[:, 1]).sum()) for word in _fields()[1])
    assert (most * LETTERS * 12) ** 2 < 2**63
    assert most * LETTERS * 12 < 2**53


@given(st.lists(st.text(max_size=60), max_size=8))
def test_any_texts_have_rows_of_length_1_or_0(texts: list[str]) -> None:
    rows = MAKER.embed(texts)
    assert rows.shape == (len(texts), MAKER.dimensions)
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)
    assert all(abs(x - 1) < 1e-6 or x == 0 for x in lengths)
    small = project(rows, MAKER.name)
    assert small.shape == (len(texts), DIMENSIONS)
    assert ((np.linalg.norm(small.astype(float), axis=1) > 120) == (lengths > 0)).all()


def test_a_projection_is_exact_whatever_the_order_of_its_sums() -> None:
    rows = np.random.default_rng(1).normal(size=(50, 700)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    small = project(rows, "some")
    assert small.dtype == np.int8
    assert np.array_equal(small, np.concatenate([project(row[None], "some") for row in rows]))
    whole = small.astype(np.int64)
    assert np.array_equal((small.astype(np.float32) @ small.astype(np.float32).T).astype(np.int64), whole @ whole.T)
    lengths = np.linalg.norm(whole, axis=1)
    assert 124 < lengths.min() <= lengths.max() < 130
    assert not np.array_equal(small, project(rows, "other"))


def test_a_projection_keeps_cosines_within_what_is_documented() -> None:
    rng = np.random.default_rng(2)
    a = rng.normal(size=(1000, 384))
    a /= np.linalg.norm(a, axis=1, keepdims=True)
    b = rng.normal(size=(1000, 384))
    b -= (a * b).sum(axis=1, keepdims=True) * a
    b /= np.linalg.norm(b, axis=1, keepdims=True)
    for true, error in ((0.0, 0.18), (0.5, 0.14), (0.8, 0.07)):
        c = true * a + np.sqrt(1 - true * true) * b
        x, y = (project(rows.astype(np.float32), "some").astype(np.float32) for rows in (a, c))
        cosines = (x * y).sum(axis=1) / (np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1))
        assert np.sqrt(np.mean((cosines - true) ** 2)) < error + 0.01


def test_opposite_rows_have_opposite_projections_and_a_row_of_nothing_has_zeros() -> None:
    one, other, nothing = project(np.array([[1, 0, 0], [-1, 0, 0], [0, 0, 0]], np.float32), "x").astype(int)
    assert one.any()
    assert (one == -other).all()
    assert not nothing.any()


def test_rows_of_no_use_are_refused() -> None:
    for shape in ((3,), (2, 0), (1, 20_000)):
        with pytest.raises(ValueError, match="16,384 components"):
            project(np.zeros(shape, np.float32), "x")
    odd = project(np.array([[np.nan, np.inf], [1, 0]], np.float32), "x")
    assert odd.shape == (2, DIMENSIONS)


class Own:
    """A maker that is right, and may be made wrong in one way."""

    def __init__(self, wrong: str = "") -> None:
        self.wrong, self.name = wrong, "" if wrong == "name" else "own"

    def embed(self, texts):
        rows = MAKER.embed(texts).astype(np.float64 if self.wrong == "type" else np.float32)
        if self.wrong == "batch" and len(texts):
            rows = rows - rows.mean(axis=0)
            return (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)
        return {
            "length": rows * 2,
            "shape": rows[1:],
            "empty": np.where(rows.any(axis=1, keepdims=True), rows, 1 / 17.2),
        }.get(self.wrong, rows).astype(rows.dtype)


@pytest.mark.parametrize("wrong", ["name", "type", "batch", "length", "shape", "empty"])
def test_a_maker_of_ones_own_that_is_wrong_is_told_so(wrong: str) -> None:
    check_vectors(Own)
    with pytest.raises(AssertionError, match=r"\w+ \w+ \w+"):
        check_vectors(lambda: Own(wrong))
