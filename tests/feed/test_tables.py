"""Columns and sets of pairs: they grow, keep what was put in, and do not care about the order it came in."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.feed import tables
from sandbox.feed.tables import ColumnTable, Ints, Pairs, Small, pair_keys

SMALL = st.integers(0, 12)  # few enough that the same pair comes again
LARGE = st.integers(0, 2**31 - 1)
PAIRS = st.lists(st.tuples(SMALL | LARGE, SMALL | LARGE), max_size=80)


class Rows(ColumnTable):
    WIDTHS = {"wide": 3}
    one: Ints
    wide: Small


def put(pairs: Pairs, rows: list[tuple[int, int]]) -> None:
    pairs.add(*np.array(rows, np.int64).reshape(-1, 2).T)


def held(pairs: Pairs, rows: list[tuple[int, int]]) -> list[bool]:
    return pairs.has(*np.array(rows, np.int64).reshape(-1, 2).T).tolist()


def test_pairs_that_are_known_to_be_new_are_put_in_without_looking_and_stand_as_if_added(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a, b, new = Pairs(4), Pairs(4), np.array([(7, 1), (3, 2), (3, 1), (9, 9), (0, 5)], np.int64).T
    a.add(*new)
    looked: list[int] = []
    monkeypatch.setattr(Pairs, "find", lambda self, keys: looked.append(len(keys)))
    b.add_new(pair_keys(*new))
    assert not looked
    assert (a.n, a._slots.tolist()) == (b.n, b._slots.tolist())


@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 2**18), max_size=60), st.integers(1, 60))
def test_keys_come_in_order_however_they_are_sorted(keys: list[int], few: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tables, "COUNTING", range(few, 1000))
        assert tables.ascending(np.array(keys, np.uint64)).tolist() == sorted(keys)
        assert tables.distinct(np.array(keys, np.uint64)).tolist() == sorted({*keys})


# ---- tables


@given(st.integers(1, 5), st.lists(st.integers(0, 40), max_size=12))
def test_a_table_grows_and_keeps_what_was_written(room: int, counts: list[int]) -> None:
    table = Rows(room)
    for count in counts:
        first = table.add(count)
        assert first == table.n - count
        assert not table.one[first : table.n].any()
        new = np.arange(first, table.n)
        table.one[new], table.wide[new] = new + 7, (new % 100)[:, None]
    assert table.n == sum(counts)
    assert table.one[: table.n].tolist() == [i + 7 for i in range(table.n)]
    assert table.wide[: table.n].tolist() == [[i % 100] * 3 for i in range(table.n)]
    assert len(table.one) == len(table.wide) >= table.n
    assert not table.one[table.n :].any()
    assert not table.wide[table.n :].any()


def test_a_column_keeps_its_type_and_width_as_it_grows() -> None:
    table = Rows(1)
    table.add(1000)
    assert (table.one.dtype, table.wide.dtype, table.wide.shape[1]) == (np.int32, np.int8, 3)


def test_rows_are_added_one_at_a_time_by_default() -> None:
    table = Rows(2)
    assert [table.add() for _ in range(5)] == [0, 1, 2, 3, 4]


# ---- pairs


@given(st.integers(1, 40), st.lists(PAIRS, max_size=6), PAIRS)
def test_pairs_are_a_set(room: int, batches: list[list[tuple[int, int]]], asked: list[tuple[int, int]]) -> None:
    pairs, known = Pairs(room), set[tuple[int, int]]()
    for batch in batches:
        put(pairs, batch)
        known.update(batch)
        assert pairs.n == len(known)
        assert all(held(pairs, [*known]))
    assert held(pairs, asked) == [one in known for one in asked]


@given(PAIRS, st.randoms(use_true_random=False), st.integers(1, 9))
def test_the_order_of_filling_does_not_matter(rows: list[tuple[int, int]], by: object, cut: int) -> None:
    mixed = list(rows)
    by.shuffle(mixed)  # type: ignore[attr-defined]
    a, b = Pairs(2), Pairs(2)
    put(a, rows)
    for at in range(0, len(mixed), cut):
        put(b, mixed[at : at + cut])
    asked = [*rows, *((y, x) for x, y in rows), (5, 6)]
    assert a.n == b.n
    assert held(a, asked) == held(b, asked)


@given(st.lists(st.tuples(st.booleans(), PAIRS), max_size=6), PAIRS, st.integers(1, 9))
def test_pairs_laid_beside_a_set_are_in_it(
    batches: list[tuple[bool, list[tuple[int, int]]]], asked: list[tuple[int, int]], worth: int
) -> None:
    pairs, known = Pairs(2), set[tuple[int, int]]()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tables, "WORTH", worth)
        for laid, batch in batches:
            (pairs.lay if laid else pairs.add)(*np.array(batch, np.int64).reshape(-1, 2).T)
            known.update(batch)
            assert pairs.n == len(known)
            assert held(pairs, asked) == [one in known for one in asked]
            assert sorted(pairs) == sorted(int(pair_keys(*one)) for one in known)


def test_pairs_laid_beside_a_set_are_put_in_once_much_was_asked_of_them() -> None:
    pairs = Pairs()
    pairs.lay(np.arange(100), np.arange(100))
    assert (pairs.n, pairs._slots.any()) == (100, False)
    assert pairs.has(np.arange(20), np.arange(20)).all()
    assert not pairs._slots.any()
    assert pairs.has(np.arange(20), np.arange(20)).all()
    assert (pairs.n, (pairs._slots != 0).sum()) == (100, 100)
    assert held(pairs, [(3, 3), (3, 4)]) == [True, False]


def test_pairs_whose_places_are_the_same_are_all_kept() -> None:
    pairs = Pairs(8)  # 16 places
    shift, wanted = int(pairs._shift), []
    for i in range(100_000):  # all of them begin at the last place, and go on at the first
        key = pair_keys(i, 3)
        if (int(key) * 0x9E3779B97F4A7C15 % 2**64) >> shift == 15:
            wanted.append((i, 3))
        if len(wanted) == 16:
            break
    put(pairs, wanted[:8])
    assert len(pairs._slots) == 16
    assert held(pairs, wanted) == [True] * 8 + [False] * 8


def test_a_set_grows_before_it_is_more_than_half_full() -> None:
    pairs = Pairs(1)
    for i in range(300):
        pairs.add(i, i + 1)
        assert 2 * pairs.n <= len(pairs._slots)
    assert pairs.has(np.arange(300), np.arange(1, 301)).all()
    assert not pairs.has(np.arange(300), np.arange(300)).any()


def test_a_pair_is_not_the_other_way_round_and_nothing_is_a_pair() -> None:
    pairs = Pairs()
    assert held(pairs, [(0, 0)]) == [False]
    put(pairs, [])
    assert pairs.n == 0
    put(pairs, [(0, 0), (0, 0), (1, 2)])
    assert pairs.n == 2
    assert held(pairs, [(0, 0), (1, 2), (2, 1), (0, 1)]) == [True, True, False, False]
    assert pairs.has(1, 2).tolist() == [True]


@given(st.lists(st.tuples(LARGE, LARGE), unique=True, max_size=50))
def test_a_pair_as_a_number_is_never_0_and_never_anothers(rows: list[tuple[int, int]]) -> None:
    keys = pair_keys(*np.array(rows, np.int64).reshape(-1, 2).T)
    assert len(np.unique(keys)) == len(rows)
    assert (keys != 0).all()
