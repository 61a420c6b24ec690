"""What comes to mind: recency, relevance, importance, congruence (docs/mechanisms.md, Memory)."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from sandbox.core.clock import DAY
from sandbox.core.text import vector
from sandbox.people.impressions import A_DAY, SpeechHistory
from sandbox.people.memory import MemoryParameters, poignancy, retrieve
from sandbox.people.memory_columns import Vocabulary, mood_likeness
from sandbox.people.memory_stream import FRESH, ROUTINE, Memory, MemoryStream
from sandbox.people.mood import CALM, Pad

P = MemoryParameters()
NOW = 10 * 3600
unit = st.floats(-1, 1)
pads = st.builds(Pad, unit, unit, unit)
GLAD, GLUM = Pad(0.8, 0.5, 0.4), Pad(-0.8, -0.5, -0.4)


def stream_of(*nodes: Memory) -> MemoryStream:
    out = MemoryStream()
    for node in nodes:
        out.add(node)
    return out


def memory(i: int, text: str = "baked bread", *, last: int = 0, weight: int = 1, after: Pad = CALM) -> Memory:
    return Memory(i, "event", 0, last, text, (), weight, i + 1, after=after)


def ids(found: list[Memory]) -> list[int]:
    return [m.id for m in found]


def test_the_newer_of_two_like_memories_wins() -> None:
    stream = stream_of(memory(0, last=0), memory(1, last=3600), memory(2, last=1800))
    assert ids(retrieve(stream, "", NOW, CALM, P)) == [1, 2, 0]


def test_recency_counts_from_when_it_last_came_to_mind() -> None:
    stream = stream_of(memory(0, last=9 * 3600), memory(1, last=5 * 3600))
    assert ids(retrieve(stream, "", NOW, CALM, P)) == [0, 1]


def test_words_in_common_make_a_memory_relevant() -> None:
    stream = stream_of(
        memory(0, "heard the council quarrel over the meadow"),
        memory(1, "fed the ducks at the jetty"),
        memory(2, "mended a net"),
    )
    assert ids(retrieve(stream, "the ducks by the jetty", NOW, CALM, P, 1)) == [1]
    assert ids(retrieve(stream, "the council and its meadow", NOW, CALM, P, 1)) == [0]


def test_the_weightier_memory_wins() -> None:
    stream = stream_of(memory(0, weight=1), memory(1, weight=9), memory(2, weight=4))
    assert ids(retrieve(stream, "", NOW, CALM, P)) == [1, 2, 0]


def test_equal_scores_go_to_the_older_by_number() -> None:
    stream = stream_of(*(memory(i) for i in range(9)))
    assert ids(retrieve(stream, "", NOW, GLAD, P, 4)) == [0, 1, 2, 3]


def test_a_mood_brings_back_what_was_felt_in_such_a_mood() -> None:
    stream = stream_of(memory(0, after=GLUM), memory(1, after=GLAD))
    assert ids(retrieve(stream, "", NOW, GLAD, P)) == [1, 0]
    assert ids(retrieve(stream, "", NOW, GLUM, P)) == [0, 1]
    off = MemoryParameters(tags=False)
    assert ids(retrieve(stream, "", NOW, GLAD, off)) == [0, 1]


@given(st.lists(st.tuples(st.integers(0, NOW), st.integers(1, 10), pads), min_size=1, max_size=20))
def test_a_calm_mind_retrieves_as_without_congruence(rows: list[tuple[int, int, Pad]]) -> None:
    stream = stream_of(*(memory(i, last=t, weight=w, after=pad) for i, (t, w, pad) in enumerate(rows)))
    calm = Pad(0.02, 0.02, -0.02)
    without = MemoryParameters(congruence=0.0)
    assert ids(retrieve(stream, "", NOW, calm, P, 9)) == ids(retrieve(stream, "", NOW, GLAD, without, 9))


@given(
    st.lists(st.sampled_from(["baked bread", "fed the ducks", "sang", ""]), min_size=1, max_size=15),
    st.data(),
    pads,
)
def test_retrieval_stays_among_what_it_is_given(texts: list[str], data: st.DataObject, mood: Pad) -> None:
    stream = stream_of(*(memory(i, text, last=i) for i, text in enumerate(texts)))
    among = data.draw(st.lists(st.integers(0, len(texts) - 1), unique=True).map(sorted))
    k = data.draw(st.integers(1, 5))
    found = ids(retrieve(stream, "ducks", NOW, mood, P, k, [stream[i] for i in among]))
    assert set(found) <= set(among)
    assert len(found) == len(set(found)) == min(k, len(among))


@given(st.lists(st.sampled_from(["baked bread", "fed the ducks", "sang"]), min_size=2, max_size=15))
def test_choosing_among_all_is_choosing_freely(texts: list[str]) -> None:
    stream = stream_of(*(memory(i, text, last=60 * i) for i, text in enumerate(texts)))
    free = retrieve(stream, "the ducks", NOW, GLAD, P)
    assert ids(retrieve(stream, "the ducks", NOW, GLAD, P, among=stream)) == ids(free)


def test_nothing_comes_from_an_empty_stream() -> None:
    assert retrieve(MemoryStream(), "ducks", NOW, GLAD, P) == []


def congruence(now: Pad, then: Pad) -> float:
    return float(mood_likeness(now, np.array([then]).T)[0])


@given(pads, pads)
def test_congruence_is_the_cosine_moved_into_zero_to_one(now: Pad, then: Pad) -> None:
    norms = [math.sqrt(sum(x * x for x in pad)) for pad in (now, then)]
    assume(norms[0] >= 0.05)
    found = congruence(now, then)
    if norms[1] < 0.05:
        assert found == 0.5
    else:
        dot = sum(x * y for x, y in zip(now, then, strict=True))
        assert found == pytest.approx((1 + dot / (norms[0] * norms[1])) / 2)
        assert -1e-9 <= found <= 1 + 1e-9


def test_congruence_of_like_unlike_and_calm_moods() -> None:
    assert congruence(GLAD, GLAD) == pytest.approx(1.0)
    assert congruence(GLAD, GLUM) == pytest.approx(0.0)
    assert congruence(GLAD, CALM) == congruence(GLAD, Pad(0.03, 0.03, 0.0)) == 0.5


@given(st.integers(1, 9), pads)
def test_poignancy_grows_with_what_it_did_to_the_mood_up_to_ten(base: int, delta: Pad) -> None:
    assert poignancy(base, delta) == min(10, base + round(5 * max(map(abs, delta))))


def test_a_new_memory_is_searched_at_once() -> None:
    stream = stream_of(memory(0, "baked bread"))
    retrieve(stream, "ducks", NOW, CALM, P)
    for i in range(1, 200):
        stream.add(memory(i, "fed the ducks" if i == 150 else "sang in the choir"))
    assert ids(retrieve(stream, "ducks", NOW, CALM, P, 1)) == [150]


@pytest.mark.slow
@given(st.integers(2001, 4500), st.integers(1, 40), st.integers(1, 3))
def test_what_is_forgotten_is_routine_first_and_never_new(count: int, stride: int, least: int) -> None:
    weights = [max(least, i * stride % 97 % 10 + 1) for i in range(count)]
    stream = MemoryStream(kept=2000)
    for i, weight in enumerate(weights):
        stream.add(memory(i, weight=weight))
    assert stream.count == len(weights)
    assert len(stream) <= 2000
    kept = [m.id for m in stream]
    assert kept == sorted(kept)
    assert kept[-FRESH:] == list(range(len(weights) - FRESH, len(weights)))
    gone = set(range(len(weights))) - set(kept)
    assert all(stream.node(i) is None for i in gone)
    assert all(stream.node(m.id) == m for m in stream)
    lost = [i for i in gone if weights[i] > ROUTINE]
    if lost:  # something that mattered went: then no routine older than it is left
        assert not [m for m in stream if m.poignancy <= ROUTINE and m.id < max(lost)]


def test_what_the_town_has_heard_counts_less_each_day_and_is_forgotten_in_the_end() -> None:
    spoken = SpeechHistory()
    spoken.say("mara", "jory", ("rain#0", "rain#1"), -1, DAY - 1)
    before = spoken.heard(DAY - 1)
    spoken.say("jory", "mara", ("rain#0",), -1, DAY)
    spoken.say("una", "mara", ("rain#0",), -1, DAY - 1)  # a talk a little behind the other
    assert before == {"rain": {"rain#0": 1.0, "rain#1": 1.0}}
    assert spoken.heard(DAY) == {"rain": {"rain#0": 1.0 + 2 * A_DAY, "rain#1": A_DAY}}
    assert spoken.heard(3 * DAY)["rain"]["rain#1"] == pytest.approx(A_DAY**3)
    assert 0.0 < A_DAY < 1.0
    assert spoken.heard(120 * DAY) == {}


TEXTS = ["baked bread", "fed the ducks", "sang", "", "heard the council quarrel", "talked with Otis about the loaf"]


def plainly(stream: MemoryStream, query: str, t: int, mood: Pad, p: MemoryParameters, k: int) -> list[int]:
    """The formula of docs/mechanisms.md, one memory at a time."""

    def spread(values: list[float]) -> list[float]:
        low, high = min(values), max(values)
        return [(v - low) / (high - low) if high > low else 0.0 for v in values]

    def cosine(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
        norm = math.sqrt(float(a @ a)) * math.sqrt(float(b @ b))
        return float(a @ b) / norm if norm else 0.0

    size = math.sqrt(sum(x * x for x in mood))
    parts = [
        spread([p.recency ** ((t - m.last) / 3600) for m in stream]),
        spread([float(m.poignancy) for m in stream]),
        spread([cosine(vector(m.text), vector(query)) for m in stream]),
        [p.congruence * min(1.0, size) * congruence(mood, m.after) if size >= 0.05 else 0.0 for m in stream],
    ]
    scores = [round(sum(each), 9) for each in zip(*parts, strict=True)]
    return sorted(range(len(scores)), key=lambda i: (-scores[i], i))[:k]


@given(
    st.lists(st.tuples(st.sampled_from(TEXTS), st.integers(0, NOW), st.integers(1, 10), pads), min_size=1, max_size=40),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, NOW)), max_size=9),
    st.sampled_from(["", "the ducks and Otis", "of the"]),
    pads,
    st.integers(1, 50),
)
def test_many_weighed_together_come_out_as_one_by_one(
    rows: list[tuple[str, int, int, Pad]], touched: list[tuple[int, int]], query: str, mood: Pad, k: int
) -> None:
    stream = MemoryStream()
    for i, (text, last, weight, after) in enumerate(rows):
        stream.add(memory(i, text, last=last, weight=weight, after=after))
        if i % 7 == 0:  # some are weighed before others are there
            retrieve(stream, query, NOW, mood, P, k)
    for i, t in touched:
        stream.touch([i], t)
    found = retrieve(stream, query, NOW, mood, P, k)
    assert [[*stream].index(m) for m in found] == plainly(stream, query, NOW, mood, P, k)


@pytest.mark.parametrize("looked", [False, True])
def test_what_is_left_after_forgetting_is_weighed_as_before(looked: bool) -> None:
    stream = MemoryStream(kept=2000)
    for i in range(2300):
        stream.add(
            memory(i, TEXTS[i * 7 % 5], last=i * 17 % 999, weight=i * 13 % 10 + 1, after=GLAD if i % 3 else GLUM)
        )
        if looked and i in (100, 1999):
            retrieve(stream, "the ducks", NOW, GLAD, P)
    assert len(stream) < 2000
    stream.touch([stream[40].id], NOW)
    found = retrieve(stream, "the ducks", NOW, GLAD, P, 30)
    assert [[*stream].index(m) for m in found] == plainly(stream, "the ducks", NOW, GLAD, P, 30)


@given(
    st.lists(st.sampled_from([*TEXTS, "ducks " * 60, "a", "the loaf, the loaf"]) | st.text(max_size=30), min_size=1),
    st.sampled_from(["the ducks and Otis", "loaf", "ducks " * 60]),
)
def test_texts_taken_apart_are_as_like_a_query_as_their_vectors(texts: list[str], query: str) -> None:
    vocabulary = Vocabulary()
    read = [vocabulary.read(text) for text in texts]
    products, norm = vocabulary.products(query)
    rows, q = [vector(text) for text in texts], vector(query)
    assert [float(products[np.frombuffer(told, np.int32)].sum()) for told, _ in read] == [float(r @ q) for r in rows]
    assert [square for _, square in read] == [int(r @ r) for r in rows]
    assert norm == math.sqrt(float(q @ q))


def lived(count: int) -> MemoryStream:
    stream = MemoryStream()
    for i in range(count):
        delta = Pad(0.000001 * i, -0.3, 1 / 3) if i % 3 else CALM
        stream.add(
            Memory(
                i, "chat", 60 * i, 60 * i, f"fed duck {i % 50}", ("mara",), 1 + i % 9, i, delta, GLAD, (i - 1,), "ducks"
            )
        )
    return stream


def test_a_memory_put_away_is_the_same_when_it_is_looked_at() -> None:
    stream = lived(2000)
    whole = [
        Memory(i, "chat", 60 * i, 60 * i, f"fed duck {i % 50}", ("mara",), 1 + i % 9, i,
               Pad(0.000001 * i, -0.3, 1 / 3) if i % 3 else CALM, GLAD, (i - 1,), "ducks")
        for i in range(2000)
    ]  # fmt: skip
    assert list(stream) == whole
    assert list(reversed(stream)) == whole[::-1]
    assert (stream[-1], stream[3], stream[-60:]) == (whole[-1], whole[3], whole[-60:])
    assert stream[700:1999:7] == whole[700:1999:7]
    stream.touch([3, 1999, 5000], 10**6)
    assert [m.last for m in (stream[2], stream[3], stream[1999])] == [120, 10**6, 10**6]
    assert (stream.node(3), stream.node(5000)) == (stream[3], None)


def test_people_who_remember_much_fit_into_memory() -> None:
    tracemalloc.start()
    try:
        stream = lived(6000)
        retrieve(stream, "ducks", NOW, GLAD, P)
        assert 25 * tracemalloc.get_traced_memory()[0] < 50e6
    finally:
        tracemalloc.stop()
