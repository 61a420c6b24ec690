"""Plans of the game of friends keep its rules, and what breaks one is told where, and is asked for again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from friends_few import GOOD, HANDLES, POSTED, RULES, VIEW, few

from sandbox.lab.friends.learner import random_plan
from sandbox.lab.friends.model import COM, DM, NOT, NOTHING, POST, GameRules, PlanItem
from sandbox.lab.friends.persona import shipped_cast
from sandbox.lab.friends.plan import PlayerView, Wrong, settle_plan, wrongs
from sandbox.lab.friends.play import CONTROL, TEXT, GameSetup, play_game
from sandbox.lab.friends.words import TOPICS


def test_a_plan_that_keeps_the_rules_has_no_fault() -> None:
    assert wrongs(GOOD, VIEW, RULES) == []
    assert wrongs((NOTHING, NOTHING, PlanItem(DM, "ben", "anything new")), VIEW, RULES) == []


@pytest.mark.parametrize(
    ("item", "told"),
    [
        (PlanItem("POKE", topic="floods"), 'kind: no kind "POKE"; choose from COM, DM, NOT, POST'),
        (PlanItem(POST), "topic: a POST has one; write what it is about"),
        (PlanItem(POST, "ben", "floods"), "recipient: a POST is for everybody; leave it empty"),
        (PlanItem(POST, topic="floods", target=4), "target: a POST has none; leave it empty"),
        (PlanItem(COM, topic="floods"), "target: no post None; choose one of 4"),
        (PlanItem(COM, topic="floods", target=7), "target: no post 7; choose one of 4"),
        (PlanItem(DM, "bem", "floods"), 'recipient: no user "bem"; did you mean "ben"?'),
        (PlanItem(DM, "ann", "floods"), 'recipient: no user "ann"'),
        (PlanItem(DM, "ben", "floods", mention=True), "mention: nobody else reads a DM; write false"),
        (PlanItem(DM, "ben", "floods", 4), "target: no message 4 of the last round; choose one of 7"),
        (PlanItem(DM, "ben", "floods", 7), 'recipient: message 7 is by "cleo", and an answer to it goes to them'),
        (PlanItem(NOT, topic="floods"), "a NOT carries nothing"),
        (
            PlanItem(POST, topic="floods", tone="cross"),
            'tone: no tone "cross"; choose from critical, neutral, supportive',
        ),
    ],
)
def test_a_plan_that_breaks_a_rule_is_told_where_and_what_would_do(item: PlanItem, told: str) -> None:
    found = wrongs((NOTHING, item, NOTHING), VIEW, RULES)
    assert [w.item for w in found] == [1]
    assert str(found[0]).startswith("plan item 2: ")
    assert told in str(found[0])


def test_a_plan_has_so_many_items_and_begins_with_a_post_in_round_1() -> None:
    assert str(wrongs(GOOD[:2], VIEW, RULES)[0]) == "plan: has 2 items; write exactly 3"
    first = PlayerView(0, 1, HANDLES)
    assert wrongs((PlanItem(POST, topic="floods"), NOTHING, NOTHING), first, RULES) == []
    told = [str(w) for w in wrongs((NOTHING, PlanItem(POST, topic="floods"), NOTHING), first, RULES)]
    assert len(told) == 2
    assert all("in round 1, which takes a POST" in line for line in told)
    assert "nobody knows anybody" in str(wrongs((GOOD[0], NOTHING, NOTHING), first, RULES)[0])


def test_a_bad_plan_is_asked_for_three_times_more_and_then_becomes_nothing() -> None:
    asked_with: list[list[Wrong]] = []

    def stubborn(again: int, wrong: list[Wrong]) -> Sequence[PlanItem]:
        assert again == len(asked_with)
        asked_with.append(wrong)
        return (GOOD[0], PlanItem(COM, topic="floods", target=99))

    plan, replaced = settle_plan(stubborn, VIEW, RULES)
    assert plan == (GOOD[0], NOTHING, NOTHING)
    assert replaced == 2
    assert len(asked_with) == 4
    assert asked_with[0] == []
    assert {w.item for w in asked_with[1]} == {-1, 1}
    plan, replaced = settle_plan(lambda again, wrong: GOOD if again else (), VIEW, RULES)
    assert (plan, replaced) == (GOOD, 0)
    plan, replaced = settle_plan(lambda again, wrong: (), PlayerView(0, 1, HANDLES, "floods"), RULES)
    assert [i.kind for i in plan] == [POST, NOT, NOT], "in round 1 everybody posts"


def test_all_that_the_embedded_mind_and_the_control_plan_keeps_the_rules() -> None:
    for way in (GameSetup(), GameSetup(coach=True), GameSetup(mind=CONTROL), GameSetup(learn=0.0, ties=TEXT)):
        found = play_game(few(), GameRules(rounds=8), way, 3)
        assert found.replaced == 0
        assert len(found.acts) == 8 * 8 * 3
        first = [a for a in found.acts if a.round == 1]
        assert Counter(a.kind for a in first) == {POST: 8, NOT: 16}
        assert not any(a.mentions for a in first)


def test_the_control_has_the_first_round_of_the_others_and_draws_evenly_after_it() -> None:
    p = shipped_cast().people[0]
    view = PlayerView(0, 2, HANDLES, "", (POSTED,), (), closeness=(0.0,) * 3)
    drawn = [i for seed in range(700) for i in random_plan(p, view, seed, 3)]
    kinds = Counter(i.kind for i in drawn)
    assert {*kinds} == {POST, COM, DM}
    assert all(abs(n / len(drawn) - 1 / 3) < 0.05 for n in kinds.values())
    assert {i.topic for i in drawn if i.kind == POST} == {*TOPICS}
    assert not wrongs(
        random_plan(p, PlayerView(0, 2, HANDLES, closeness=(0.0,) * 3), 1, 3), PlayerView(0, 2, HANDLES), RULES
    )
