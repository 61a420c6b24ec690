"""The worked figures of the Sentipolis paper and what must hold of a mood to the last digit.

Figure 4 and the two states that come out as happiness stand in `test_mood.py` and `test_anchors.py`.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.core.events import Stamp
from sandbox.people.handlers import feel
from sandbox.people.model import PeopleState, Resident
from sandbox.people.mood import CALM, Mood, MoodParameters, Pad, effective, ledger, mood_at, shift_mood
from sandbox.people.mood_words import mood_label

unit = st.floats(-1, 1)
pads = st.builds(Pad, unit, unit, unit)
TOM_BEFORE, TOM_AFTER = Pad(0.79, 0.58, 0.79), Pad(0.69, 0.73, 0.99)
SLOW = (-0.10, 0.15, 0.20)
AFTERNOON = 14 * 3600 + 20 * 60


def test_the_papers_reflection_comes_out() -> None:
    after, applied = shift_mood(TOM_BEFORE, SLOW)
    assert (after, applied) == (TOM_AFTER, SLOW)


def test_the_papers_reflection_is_told_whole_by_the_ledger() -> None:
    tom = Resident(mood=Mood(TOM_BEFORE, CALM, AFTERNOON, []))
    after, applied = shift_mood(mood_at(tom.mood, AFTERNOON, 120.0), SLOW)
    feel(
        PeopleState({"tom": tom}, {}),
        "tom",
        applied,
        after,
        Stamp(1, 1, AFTERNOON, "tom", ()),
        "looking back",
        "reflection",
    )
    looking_back, older = sorted(ledger(tom.mood, AFTERNOON, 120.0), key=lambda c: c.sort != "reflection")
    assert (looking_back.p, looking_back.a, looking_back.d) == SLOW
    assert (older.p, older.a, older.d) == pytest.approx(TOM_BEFORE)


@pytest.mark.parametrize("state", [(0.72, 0.69, 0.83), TOM_BEFORE])
def test_the_papers_happy_states_are_happiness_to_players_too(state: tuple[float, float, float]) -> None:
    assert mood_label(Pad(*state)) == "Happiness"


@given(pads, pads, st.lists(st.tuples(st.integers(1, 10**6), pads), max_size=40), st.integers(0, 10**9))
def test_without_decay_a_mood_stays_and_its_ledger_is_exact(rest: Pad, start: Pad, changes: list, later: int) -> None:
    half_life = effective(MoodParameters(decay=False)).half_life
    r = Resident(mood=Mood(start, rest, 0, []))
    state = PeopleState({"mara": r}, {})
    t, now = 0, start
    for seq, (wait, change) in enumerate(changes, 1):
        t += wait
        now, applied = shift_mood(mood_at(r.mood, t, half_life), change)
        feel(state, "mara", applied, now, Stamp(seq, 1, t, "mara", ()), f"cause {seq}", "event")
    assert mood_at(r.mood, t + later, half_life) == pytest.approx(now, abs=1e-12)
    entries = ledger(r.mood, t + later, half_life)
    for axis, x in enumerate(rest):
        assert x + sum((e.p, e.a, e.d)[axis] for e in entries) == pytest.approx(now[axis], abs=1e-9)
