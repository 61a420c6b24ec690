"""The bandit of the game of friends learns what pays, and a coach's tips change what it does."""

from __future__ import annotations

from collections import Counter

import msgspec
import numpy as np
import pytest
from friends_few import HANDLES, POSTED, RULES, VIEW, WRITTEN, few

from sandbox.lab.friends.learner import PLAYS, Learner, Linear, MeanBandit, play_of, reward_gaps, tips
from sandbox.lab.friends.model import CRITICAL, DM, NOTHING, POST, REWARDS, SUPPORTIVE, TONES, GameAct, GameRules
from sandbox.lab.friends.persona import shipped_cast
from sandbox.lab.friends.plan import PlayerView, wrongs
from sandbox.lab.friends.play import Game, GameSetup


def test_the_bandit_finds_a_planted_best_action() -> None:
    chance = np.random.default_rng(5)
    worth = np.array([0.01, 0.02, 0.1, 0.0, -0.05])
    bandit, blind = (Linear(np.zeros(5), 0.1, 0.05, weight) for weight in (1.0, 0.0))
    chosen: list[int] = []
    for _ in range(60):
        picks = [int(np.argmax(bandit.drawn(z))) for z in chance.standard_normal((3, 5))]
        x = np.bincount(picks, minlength=5).astype(float)
        y = 0.4 + float(x @ worth) + 0.03 * float(chance.standard_normal())
        bandit.observe(x, y)
        blind.observe(x, y)
        chosen += picks
    assert chosen[-60:].count(2) > 45, "it plays what pays"
    assert int(np.argmax(bandit.mean)) == 2
    assert (blind.mean == 0).all(), "with a weight of 0 nothing is learnt"


def test_means_come_near_what_they_are_of() -> None:
    means = MeanBandit(np.full(3, 0.3), 0.25)
    for _ in range(200):
        means.observe(1, 0.9)
    assert means.mean == pytest.approx([0.3, 0.9, 0.3], abs=0.01)
    assert abs(means.drawn(np.ones(3))[1] - 0.9) < 0.03 < abs(means.drawn(np.ones(3))[0] - 0.3)


def test_a_person_to_whom_posts_alone_pay_comes_to_post() -> None:
    p = shipped_cast().people[0]
    learner = Learner(p, 0, 3, 11)
    for t in range(2, 40):
        view = view_at(t)
        plan = learner.plan(view, 3)
        acts = [GameAct(0, t, i.kind, 0, target=-1 if i.target is None else i.target) for i in plan]
        plays = Counter(map(play_of, acts))
        learner.learn_total(acts, 0.2 + 0.15 * plays["post"])
    late = [i.kind for t in range(40, 50) for i in learner.plan(view_at(t), 3)]
    assert late.count(POST) > 25
    assert set(PLAYS) >= {*map(play_of, acts)}


def view_at(t: int) -> PlayerView:
    return PlayerView(0, t, HANDLES, "", (POSTED,), (WRITTEN,), closeness=(0.0,) * 3)


def test_who_answers_warmly_is_written_to_and_tones_that_pay_are_used() -> None:
    learner = Learner(shipped_cast().people[3], 0, 3, 1)
    for _ in range(40):
        learner.learn_answer(GameAct(0, 2, DM, 0, 1, tone=SUPPORTIVE), [0.8])
        learner.learn_answer(GameAct(0, 2, DM, 0, 2, tone=CRITICAL), [])
    assert learner.partners.mean[1] > 0.8 > 0.1 > learner.partners.mean[2]
    assert TONES[int(np.argmax(learner.tones.mean))] == SUPPORTIVE


# ---- the coach


def coached(view: PlayerView, goals: dict[str, float], **scores: float) -> list[str]:
    full = dict.fromkeys(REWARDS, 0.9) | scores
    return [t.line for t in tips(PlayerView(**{**view.__dict__, "scores": full}), goals, [(3, POSTED)], 1)]


def test_the_coach_gives_three_to_five_lines_the_largest_gap_first() -> None:
    assert [name for name, _ in reward_gaps(dict.fromkeys(REWARDS, 0.2), {"EMO": 0.6, "SOC": 0.3, "INF": 0.1})] == [
        "EMO", "SOC", "INF", "PRE", "COORD",
    ]  # fmt: skip
    said = coached(VIEW, {"COORD": 0.5, "EMO": 0.5}, COORD=0.0)
    assert said[0] == "For COORD: answer @cleo on storms, in a neutral tone."
    assert any("and ask to be named" in line for line in said)
    for goals in ({"PRE": 1.0}, {"INF": 0.5, "PRE": 0.5}, dict.fromkeys(REWARDS, 0.2)):
        assert 3 <= len(coached(VIEW, goals)) <= 5
        assert all("\n" not in line for line in coached(VIEW, goals))
    assert coached(VIEW, {"INF": 1.0})[0].endswith("which is new to you, in a neutral tone.")
    assert tips(VIEW, {"INF": 1.0}, [], 1) == (), "before the first score there is nothing to say"


def test_every_tip_is_a_plan_that_keeps_the_rules() -> None:
    game = Game(few(), GameRules(rounds=6), GameSetup(coach=True), 2)
    for t in range(1, 7):
        for view in game.shown(t)[1]:
            for tip in game._coached(view).tips:
                assert wrongs((tip.item, NOTHING, NOTHING), view, RULES) == []
        game.seen = [frozenset()] * 8
        game.round(t)


def test_tips_change_what_people_do_and_the_stubborn_less() -> None:
    tip = tips(PlayerView(**{**VIEW.__dict__, "scores": dict.fromkeys(REWARDS, 0.0)}), {"COORD": 1.0}, [(1, POSTED)], 1)
    told = PlayerView(**{**VIEW.__dict__, "tips": tip})
    heeded = dict[float, int]()
    for stubborn in (0.0, 1.0):
        p = shipped_cast().people[0]
        p = msgspec.structs.replace(p, facets=msgspec.structs.replace(p.facets, stubbornness=stubborn))
        plans = [Learner(p, 0, 3, seed).plan(told, 3) for seed in range(200)]
        heeded[stubborn] = sum(plan[0] == tip[0].item for plan in plans)
        bare = [Learner(p, 0, 3, seed).plan(VIEW, 3) for seed in range(200)]
        assert plans != bare
    assert 140 < heeded[0.0] < 190
    assert 60 < heeded[1.0] < 130
