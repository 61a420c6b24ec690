"""Mood: decay, the fast update, the ledger of causes, temperament. Numbers: docs/mechanisms.md, Mood."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.core.events import Stamp, r6
from sandbox.people.handlers import feel
from sandbox.people.model import PeopleState, Resident
from sandbox.people.mood import (
    CALM,
    CAUSES_KEPT,
    FOLD,
    OCC,
    Mood,
    Pad,
    clip,
    delta,
    ledger,
    mood_at,
    shift_mood,
    sum_deltas,
    temperament,
)
from sandbox.people.persona import BigFive

HALF = 120.0
unit = st.floats(-1, 1)
pads = st.builds(Pad, unit, unit, unit)
deltas = st.tuples(*[st.floats(-0.5, 0.5)] * 3)


def close(a: Pad, b: Pad) -> bool:
    return all(math.isclose(x, y, abs_tol=1e-9) for x, y in zip(a, b, strict=True))


@given(pads, pads, st.floats(1, 1000))
def test_an_hour_at_once_equals_sixty_minutes_one_by_one(pad: Pad, rest: Pad, half_life: float) -> None:
    mood = Mood(pad, rest, 0, [])
    for minute in range(1, 61):
        mood = Mood(mood_at(mood, minute * 60, half_life), rest, minute * 60, [])
    assert close(mood.pad, mood_at(Mood(pad, rest, 0, []), 3600, half_life))


@given(pads, pads)
def test_a_half_life_halves_the_way_to_rest(pad: Pad, rest: Pad) -> None:
    half = mood_at(Mood(pad, rest, 60, []), 60 + 7200, HALF)
    assert close(half, Pad(*((x + r) / 2 for x, r in zip(pad, rest, strict=True))))


@given(pads, pads, st.integers(0, 10**6))
def test_a_mood_stays_between_where_it_was_and_its_rest(pad: Pad, rest: Pad, t: int) -> None:
    for x, r, now in zip(pad, rest, mood_at(Mood(pad, rest, 0, []), t, HALF), strict=True):
        assert min(x, r) - 1e-12 <= now <= max(x, r) + 1e-12


@pytest.mark.parametrize(
    ("start", "changes", "end"),
    [
        ((0.22, 0.49, 0.53), [(0.10, 0.05, -0.05), (0.10, 0.05, 0.15), (0.15, 0.05, 0.10), (0.15, 0.05, 0.10)],
         (0.72, 0.69, 0.83)),
        ((0.22, 0.31, 0.49), [(0.05, 0.10, -0.05), (-0.10, 0.05, -0.05), (-0.12, 0.15, 0.05), (-0.12, 0.08, 0.0)],
         (-0.07, 0.69, 0.44)),
    ],
    ids=["Tom", "John"],
)  # fmt: skip
def test_the_papers_worked_talk_comes_out(start: tuple, changes: list, end: tuple) -> None:
    now = Pad(*start)
    for change in changes:
        now, applied = shift_mood(now, change)
        assert applied == Pad(*change)
    assert now == Pad(*end)


@given(pads, st.tuples(*[st.floats(-3, 3)] * 3))
def test_a_change_is_recorded_as_applied_after_the_clip(now: Pad, change: tuple[float, float, float]) -> None:
    after, applied = shift_mood(now, change)
    for n, c, a, d in zip(now, change, after, applied, strict=True):
        assert a == r6(clip(n + c))
        assert -1.0 <= a <= 1.0
        assert abs(d - (a - n)) <= 5e-7 + 1e-12
        assert d == r6(d)


def test_nothing_is_applied_beyond_the_end_of_the_scale() -> None:
    assert shift_mood(Pad(0.9, -0.95, 0.0), (0.3, -0.3, 0.3)) == (Pad(1.0, -1.0, 0.3), Pad(0.1, -0.05, 0.3))


@given(pads, st.lists(st.tuples(st.integers(1, 7200), deltas), max_size=40), st.integers(0, 50_000))
def test_the_ledger_and_the_rest_are_the_mood_exactly(rest: Pad, changes: list, later: int) -> None:
    r = Resident(mood=Mood(rest, rest, 0, []))
    state = PeopleState({"mara": r}, {})
    t = 0
    for seq, (wait, change) in enumerate(changes, 1):
        t += wait
        after, applied = shift_mood(mood_at(r.mood, t, HALF), change)
        feel(state, "mara", applied, after, Stamp(seq, 1, t, "mara", ()), f"cause {seq}", "event")
    assert len(r.mood.causes) <= CAUSES_KEPT
    t += later
    entries = ledger(r.mood, t, HALF)
    total = [x + sum(e[axis] for e in map(tuple_of, entries)) for axis, x in enumerate(rest)]
    assert close(Pad(*total), mood_at(r.mood, t, HALF))
    named = [e for e in entries if e.why != "older"]
    assert all(max(abs(e.p), abs(e.a), abs(e.d)) >= FOLD for e in named)
    sizes = [e.p**2 + e.a**2 + e.d**2 for e in named]
    assert sizes == sorted(sizes, reverse=True)
    assert [e.why for e in entries].count("older") <= 1
    assert all(e.why != "older" for e in entries[:-1])


def tuple_of(entry: object) -> tuple[float, float, float]:
    return entry.p, entry.a, entry.d


def test_small_entries_fold_into_older() -> None:
    r = Resident(mood=Mood(CALM, CALM, 0, []))
    state = PeopleState({"mara": r}, {})
    feel(state, "mara", (0.004, 0.0, 0.0), (0.004, 0.0, 0.0), Stamp(1, 1, 0, "mara", ()), "a crumb", "event")
    feel(state, "mara", (0.1, 0.0, 0.0), (0.104, 0.0, 0.0), Stamp(2, 1, 0, "mara", ()), "a loaf", "event")
    assert [(e.why, round(e.p, 6)) for e in ledger(r.mood, 0, HALF)] == [("a loaf", 0.1), ("older", 0.004)]


@given(st.builds(BigFive, unit, unit, unit, unit, unit))
def test_temperament_takes_stability_as_minus_neuroticism(b: BigFive) -> None:
    s = -b.neuroticism
    want = (
        0.21 * b.extraversion + 0.59 * b.agreeableness + 0.19 * s,
        0.15 * b.openness + 0.30 * b.agreeableness - 0.57 * s,
        0.25 * b.openness + 0.17 * b.conscientiousness + 0.60 * b.extraversion - 0.32 * b.agreeableness,
    )
    assert all(abs(x - clip(y)) <= 5.1e-7 for x, y in zip(temperament(b), want, strict=True))


def test_a_neurotic_person_rests_unpleasant_and_aroused() -> None:
    p, a, _ = temperament(BigFive(0, 0, 0, 0, 1.0))
    assert (p, a) == (-0.19, 0.57)


def test_the_table_of_emotions_is_the_published_one() -> None:
    assert len(OCC) == 22
    assert OCC["anger"] == (-0.51, 0.59, 0.25)
    assert OCC["joy"] == (0.4, 0.2, 0.1)
    assert OCC["hope"] == (0.2, 0.2, -0.1)
    assert OCC["shame"] == (-0.3, 0.1, -0.6)
    assert all(-1 <= x <= 1 for v in OCC.values() for x in v)


@pytest.mark.parametrize("name", sorted(OCC))
def test_a_fast_delta_is_a_quarter_of_intensity_times_the_vector(name: str) -> None:
    assert delta(name, 0.8, 0.25) == pytest.approx(tuple(0.25 * 0.8 * x for x in OCC[name]))


def test_an_unknown_emotion_is_refused() -> None:
    with pytest.raises(KeyError):
        delta("ennui", 0.5, 0.25)


@given(st.lists(pads, max_size=6))
def test_an_exchange_moves_no_axis_by_more_than_the_limit(many: list[Pad]) -> None:
    found = sum_deltas(many, 0.3)
    for axis, x in enumerate(found):
        total = sum(pad[axis] for pad in many)
        assert x == pytest.approx(max(-0.3, min(0.3, total)))
