"""Carry-over tells a memory of this partner from a way of speaking to everybody."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from sandbox.core.clock import HOUR
from sandbox.lab.carryover import CarryoverPair, Talked, carry_over, carryover_pairs
from sandbox.lab.material import insulting
from sandbox.policy.toxicity import insults
from sandbox.talk.sentiment import sentiment

SCORES = {"bad": -1.0, "plain": 0.0, "good": 1.0}


def talk(a: str, b: str, *lines: str, t: int = 0) -> Talked:
    """A talk in which the two take turns; a begins."""
    return Talked((a, b), [((a, b)[i % 2], text) for i, text in enumerate(lines)], t)


def test_the_end_of_a_meeting_stands_against_the_beginning_of_the_next() -> None:
    first = talk("ann", "ben", "plain", "good", "plain", "good", "good", "bad", "good", "bad", t=100)
    other = talk("cid", "ann", "bad", "plain", "bad", "plain")
    second = talk("ben", "ann", "good", "bad", "plain", "plain", "bad", "good", t=300)
    found = carryover_pairs([first, other, second], SCORES.__getitem__)
    assert found == [CarryoverPair("ben", "ann", -1.0, 0.5, 100, 300), CarryoverPair("ann", "ben", 1.0, -0.5, 100, 300)]


def test_of_all_lines_the_whole_meeting_counts() -> None:
    first, second = talk("ann", "ben", *["good", "plain"] * 4), talk("ann", "ben", *["bad", "plain"] * 3)
    first.lines[0] = ("ann", "bad")  # type: ignore[index]
    assert carryover_pairs([first, second], SCORES.__getitem__, 0)[0] == CarryoverPair("ann", "ben", 0.5, -1.0, 0, 0)


def test_a_side_that_hardly_spoke_does_not_enter() -> None:
    long, short = talk("ann", "ben", *["good", "bad"] * 2), talk("ann", "ben", "good", "bad", "good")
    assert [p.a for p in carryover_pairs([long, short], SCORES.__getitem__)] == ["ann"]


def pairs(memory: float, seed: int, people: int = 30, partners: int = 8) -> list[CarryoverPair]:
    """People who differ in how kindly they speak, and remember each partner with that weight."""
    chance = np.random.default_rng(seed)
    out = []
    for a in range(people):
        own = chance.normal()
        for b in range(partners):
            before = own + chance.normal()
            out.append(
                CarryoverPair(f"a{a}", f"b{b}", before, own + memory * (before - own) + 0.5 * chance.normal(), 0, 0)
            )
    return out


def test_who_speaks_kindly_to_everybody_carries_nothing_over() -> None:
    found = [carry_over(pairs(0.0, seed)) for seed in range(20)]
    assert min(f.correlation or 0.0 for f in found) > 0.4  # people differ, and so it correlates
    assert abs(float(np.mean([f.value or 0.0 for f in found]))) < 0.02


def test_who_remembers_this_partner_carries_over() -> None:
    found = carry_over(pairs(0.8, 1))
    assert found.value is not None
    assert found.value > 0.2
    assert (found.pairs, found.people) == (240, 30)


def test_a_meetings_end_that_is_like_its_own_beginning_is_no_negative_carry_over() -> None:
    chance = np.random.default_rng(5)
    found = []
    for a in range(40):
        for b in range(3):
            moods = chance.normal(size=6)  # of each meeting on its own: nothing is carried over
            found += [CarryoverPair(f"a{a}", f"b{b}", x, y, 0, 0) for x, y in pairwise(moods)]
    value = carry_over(found).value
    assert value is not None
    assert abs(value) < 0.1


def test_who_met_one_partner_only_cannot_be_shuffled_and_stays_out() -> None:
    lonely = [CarryoverPair("zed", "b0", 1.0, -1.0, 0, 0)] * 5
    assert carry_over([*pairs(0.5, 2), *lonely]) == carry_over(pairs(0.5, 2))
    assert carry_over(lonely)[:3] == (None, None, None)


def fading(memory: float, seed: int, half_life: float = 5400.0) -> list[CarryoverPair]:
    """People whose mood fades and is moved again all day, and who remember each partner with that weight. They meet
    somebody every quarter of an hour, now and then the same person at once.
    """
    chance = np.random.default_rng(seed)
    out = []
    for a in range(30):
        mood, whom, last = 0.0, 0, dict[int, tuple[float, int]]()
        for t in range(0, 12 * HOUR, HOUR // 4):
            mood = mood * 0.5 ** (HOUR / 4 / half_life) + 0.4 * chance.normal()
            whom = whom if chance.random() < 0.3 else int(chance.integers(8))
            before = last.get(whom)
            if before is not None:
                after = mood + memory * before[0] + 0.5 * chance.normal()
                out.append(CarryoverPair(f"a{a}", f"b{whom}", before[0], after, before[1], t))
            last[whom] = mood + chance.normal(), t
    return out


@pytest.mark.slow
def test_a_mood_that_fades_comes_back_but_is_not_owed_to_the_partner() -> None:
    moods = [fading(0.0, seed) for seed in range(12)]
    assert float(np.mean([carry_over(found).value for found in moods])) > 0.05
    assert abs(float(np.mean([carry_over(found, HOUR).value for found in moods]))) < 0.03
    assert float(np.mean([carry_over(fading(0.5, seed), HOUR).value for seed in range(4)])) > 0.2


def test_nobody_met_in_the_same_hour_is_nobody_to_be_shuffled_with() -> None:
    far = [p._replace(t=4 * HOUR * i, then=4 * HOUR * i + 600) for i, p in enumerate(pairs(0.8, 1))]
    assert carry_over(far).pairs == 240
    assert carry_over(far, HOUR)[:4] == (None, None, None, 0)
    soon = [CarryoverPair("a", "b", 1.0, 1.0, 0, 600), CarryoverPair("a", "c", 0.0, 0.0, 1200, 4800)]
    assert carry_over(soon, HOUR).pairs == 1  # what lies further than the two meetings says nothing of them


def test_the_same_pairs_give_the_same_number_and_flat_ones_none() -> None:
    assert carry_over(pairs(0.5, 3)) == carry_over(pairs(0.5, 3))
    flat = [CarryoverPair(f"a{i % 2}", f"b{i}", 0.5, float(i), 0, 0) for i in range(8)]
    assert carry_over(flat).value is None
    assert carry_over([]).pairs == 0


def test_vader_tells_kind_from_harsh_and_insults_are_aimed_at_somebody() -> None:
    assert sentiment("What a lovely morning, thank you!") > 0.5
    assert sentiment("That was a horrible, cruel thing to do.") < -0.5
    assert insulting("You are a useless, lazy liar.")
    assert not insulting("He is a useless, lazy liar.")  # nobody is addressed
    assert not insulting("You have had a horrible day.")  # no insult
    assert not insulting("I love you, you silly idiot, thank you so much, wonderful!")  # not negative
    assert all(word == word.lower() for word in insults())


@pytest.mark.parametrize("text", ["", "…", "🙂", "\x1b[31m"])
def test_odd_lines_are_weighed_too(text: str) -> None:
    assert -1.0 <= sentiment(text) <= 1.0
    assert not insulting(text)
