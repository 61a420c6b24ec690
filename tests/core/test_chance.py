from hypothesis import given
from hypothesis import strategies as st

from sandbox.core.chance import Chance, Stream

names = st.tuples(st.integers(0, 10**6), st.text("abc_|", max_size=6), st.text("abc_|", max_size=6), st.integers(0, 99))


def drawn(stream: Stream, n: int = 20) -> list[float]:
    return [stream.unit() for _ in range(n)]


@given(st.integers(0, 2**63), names)
def test_one_name_gives_the_same_numbers_whatever_else_was_drawn(seed: int, name: tuple[int, str, str, int]) -> None:
    chance = Chance(seed)
    first = drawn(chance.stream(*name))
    drawn(chance.stream(name[0], "somebody else", "something else"), 5)
    assert drawn(Chance(seed).stream(*name)) == first


def test_lots_are_the_first_numbers_of_the_streams_they_stand_for() -> None:
    chance, agents = Chance(77), ["ann", "bo", ""]
    assert chance.lots(3, agents, "look") == [chance.stream(3, who, "look").unit() for who in agents]


def test_each_part_of_a_name_makes_another_stream() -> None:
    base = drawn(Chance(1).stream(2, "mara", "walk", 3))
    others = [
        Chance(2).stream(2, "mara", "walk", 3),
        Chance(1).stream(3, "mara", "walk", 3),
        Chance(1).stream(2, "bo", "walk", 3),
        Chance(1).stream(2, "mara", "talk", 3),
        Chance(1).stream(2, "mara", "walk", 4),
    ]
    for other in others:
        assert not set(base) & set(drawn(other))


def test_the_numbers_are_the_same_on_every_machine() -> None:
    assert drawn(Chance(42).stream(1, "mara", "walk"), 2) == [0.13922249403805542, 0.23831457306104065]


@given(names)
def test_a_unit_lies_from_zero_to_below_one(name: tuple[int, str, str, int]) -> None:
    assert all(0.0 <= x < 1.0 for x in drawn(Chance(0).stream(*name), 100))


@given(names, st.integers(1, 1000), st.floats(-10, 10), st.floats(0, 10))
def test_draws_stay_in_their_range(name: tuple[int, str, str, int], n: int, low: float, size: float) -> None:
    stream = Chance(0).stream(*name)
    assert 0 <= stream.below(n) < n
    assert low <= stream.between(low, low + size) <= low + size
    assert stream.choice(range(n)) in range(n)


@given(names, st.lists(st.integers()))
def test_a_shuffle_is_a_permutation(name: tuple[int, str, str, int], items: list[int]) -> None:
    mixed = list(items)
    Chance(0).stream(*name).shuffle(mixed)
    assert sorted(mixed) == sorted(items)


def test_every_order_of_three_comes_up_equally_often() -> None:
    seen: dict[tuple[int, ...], int] = {}
    for n in range(6000):
        items = [0, 1, 2]
        Chance(5).stream(1, "", "mix", n).shuffle(items)
        seen[tuple(items)] = seen.get(tuple(items), 0) + 1
    assert len(seen) == 6
    assert all(850 < count < 1150 for count in seen.values())


def test_units_are_uniform_and_normals_normal() -> None:
    stream = Chance(7).stream(1, "", "many")
    units = drawn(stream, 20_000)
    assert abs(sum(units) / len(units) - 0.5) < 0.01
    xs = [stream.normal() for _ in range(20_000)]
    mean = sum(xs) / len(xs)
    assert abs(mean) < 0.03
    assert abs(sum((x - mean) ** 2 for x in xs) / len(xs) - 1.0) < 0.05
    assert abs(sum(x > 1.0 for x in xs) / len(xs) - 0.1587) < 0.01


@given(names, st.lists(st.floats(0, 5), min_size=1, max_size=6).filter(any))
def test_what_weighs_nothing_is_never_chosen(name: tuple[int, str, str, int], weights: list[float]) -> None:
    stream = Chance(0).stream(*name)
    for _ in range(30):
        i = stream.weighted(range(len(weights)), weights)
        assert weights[i] > 0 or i == len(weights) - 1


def test_weights_and_scores_set_the_odds() -> None:
    stream = Chance(3).stream(1, "", "odds")
    hits = sum(stream.weighted("ab", (3.0, 1.0)) == "a" for _ in range(8000))
    assert abs(hits / 8000 - 0.75) < 0.02
    hits = sum(stream.softmax("ab", (1000.0, 999.0)) == "a" for _ in range(8000))
    assert abs(hits / 8000 - 0.7311) < 0.02
    assert {stream.softmax("ab", (1.0, 0.0), 0.01) for _ in range(200)} == {"a"}
