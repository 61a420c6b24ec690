"""What claims are worth to people: who gains, who loses, how much of it stays, and how the other is met then."""

from __future__ import annotations

import pytest
from lived import again
from msgspec.structs import replace
from staged import Stage, pressure
from test_outcomes import COME, RACE, VOTES, result, settle, staged

from sandbox.core.clock import DAY, HOUR
from sandbox.drama.claims import change_claims, end_claim, make_claim
from sandbox.engine.scenario import Scenario
from sandbox.people.claim_effects import is_stranger_to, occasions_of
from sandbox.people.claim_handlers import between, claims_of
from sandbox.people.claim_model import Broken, Claim, Made
from sandbox.people.claim_worth import MARKS, OWN, stakes_in, worth_to
from sandbox.people.goal_model import GoalPlan
from sandbox.people.mark_habits import apply_habits, is_hurt_by, shunned
from sandbox.people.mark_model import Marked
from sandbox.people.model import Felt
from sandbox.people.mood import MoodMark, Pad, enter_mark
from sandbox.people.mood_queries import mood_of
from sandbox.people.planning import plan_question
from sandbox.people.pressure_model import Began
from sandbox.people.question_plan import VISIT
from sandbox.people.ties import pair_key
from sandbox.talk.meeting import accept_question, approach_question
from sandbox.talk.news import SPREADS, news_to_ask, news_to_tell
from sandbox.talk.question_replies import expected_talk
from sandbox.talk.question_wishes import Chosen
from sandbox.town.plan import Makes


@pytest.fixture
def s(larkspur: Scenario) -> Stage:
    return Stage(larkspur)


def part(s: Stage, t: int = 600, by: str = "") -> list[object]:
    """Mara and Basil part."""
    step = s.step(t)
    (claim,) = between(s.world, "mara", "basil", "couple")
    end_claim(step, s.world, claim, "it was time", t, 1, by=by)
    s.records += step.records
    return [r.event for r in step.records]


def give(s: Stage, kind: str, a: str, b: str = "", terms: str = "", t: int = 600) -> list[object]:
    step = s.step(t)
    make_claim(step, s.world, Claim("", kind, a, b, terms), "so it is", t, 1)
    s.records += step.records
    return [r.event for r in step.records]


def marks(events: list[object], of: str = "") -> list[Marked]:
    return [e for e in events if isinstance(e, Marked) and of in ("", e.kind)]


# ---- what it is worth


def test_worth_is_a_sum_of_base_traits_and_fondness_and_stays_in_its_range(s: Stage) -> None:
    w = s.world
    (claim,) = between(w, "mara", "basil", "couple")
    row, tie = w.claim_deck.kinds["couple"].worth["a"], w.people.ties[claim.a][claim.b]
    nervous = w.cast[claim.a].big_five.neuroticism
    by_hand = row.base + row.traits["neuroticism"] * nervous + row.fond * tie.feeling
    assert worth_to(w, claim, "a") == pytest.approx(min(1.0, by_hand))
    w.people.ties[claim.a][claim.b] = replace(tie, feeling=-1.0)
    assert worth_to(w, claim, "a") == pytest.approx(by_hand - row.fond * (1.0 + tie.feeling))
    assert worth_to(w, Claim("", "place", where="Mill Meadow / meadow"), "a") == 0.0
    w.claim_parameters = replace(w.claim_parameters, worth=2.0)
    assert worth_to(w, claim, "a") <= 2.0
    w.claim_parameters = replace(w.claim_parameters, worth=0.0)
    assert worth_to(w, claim, "a") == 0.0


def test_what_is_made_gains_and_what_is_broken_loses_as_much(s: Stage) -> None:
    (claim,) = between(s.world, "mara", "basil", "couple")
    fields = (claim.id, claim.kind, claim.a, claim.b)
    gains = {x.who: x.value for x in stakes_in(s.world, Made(*fields))}
    losses = {x.who: x.value for x in stakes_in(s.world, Broken(*fields))}
    assert gains.keys() == losses.keys() == {"mara", "basil"}
    assert all(gains[who] == -losses[who] > MARKS for who in gains)
    left = {x.who: x.value for x in stakes_in(s.world, Broken(*fields, by="mara"))}
    assert left == {"mara": pytest.approx(OWN * losses["mara"]), "basil": losses["basil"]}


def test_a_rival_loses_what_they_planned_for(larkspur: Scenario) -> None:
    s = Stage(larkspur, pressure("ambition", "vera", "", stakes="the chain"))
    p = s.wake()
    s.world.goals.open[p.id] = GoalPlan(Claim("", "role", "vera", "", "mayor"), p.seq)
    row = s.world.claim_deck.kinds["role"].worth["a"]
    found = {x.who: x for x in stakes_in(s.world, Made("x", "role", "una", "", "mayor"))}
    assert found["vera"].value == pytest.approx(-(0.6 * row.base + row.wanted))
    assert found["vera"].other == "una"
    assert "vera" not in {x.who for x in stakes_in(s.world, Made("x", "role", "una", "", "lead of the choir"))}
    assert "vera" not in {x.who for x in stakes_in(s.world, Broken("x", "role", "una", "", "mayor"))}


# ---- what it does


def test_a_loss_is_felt_and_stays_and_is_told_as_one(s: Stage) -> None:
    before = {who: mood_of(s.world, who, 600).p for who in ("mara", "basil")}
    found = marks(part(s), "couple")
    assert {r.stamp.actor for r in s.records if isinstance(r.event, Marked)} >= {"mara", "basil"}
    assert all(e.delta.p < 0.0 for e in found)
    for who in before:
        assert mood_of(s.world, who, 660).p < before[who]
        told = [x for x in news_to_tell(s.world, who, "otis", 700) if "parted" in x.says]
        assert [x.good for x in told] == [False]
        assert [x.good for x in news_to_ask(s.world, "otis", who, 700 + SPREADS) if "parted" in x.says] == [False]


@pytest.mark.parametrize("worth", [0.0, 1.0])
def test_where_claims_are_worth_nothing_nobody_feels_them(larkspur: Scenario, worth: float) -> None:
    s = Stage(replace(larkspur, parameters={**larkspur.parameters, "claims.worth": worth}))
    felt = [e for e in part(s) if isinstance(e, Marked | Felt)]
    assert bool(felt) is bool(worth)


def test_of_one_affair_only_what_is_worse_adds_to_what_has_marked_somebody(s: Stage) -> None:
    part(s, t=600)
    (first,) = (m for m in s.world.people.residents["mara"].mood.marks)
    assert not [e for e in marks(give(s, "ally", "mara", "otis", "a ladder", t=660)) if e.delta.p > 0.0]
    assert s.world.people.residents["mara"].mood.marks == [first]
    give(s, "role", "mara", "", "keeper of the bell", t=600 + 2 * HOUR)
    assert len(s.world.people.residents["mara"].mood.marks) == 2


def test_the_joy_at_what_is_lost_goes_with_it(s: Stage) -> None:
    part(s)
    s.world.people.residents["mara"].mood.marks.clear()
    alone = marks(part_again(s, joyful=False), "couple")
    s.world.people.residents["mara"].mood.marks.clear()
    joyful = marks(part_again(s, joyful=True), "couple")
    assert joyful[0].delta.p < alone[0].delta.p < 0.0


def part_again(s: Stage, joyful: bool) -> list[object]:
    """Make Mara and Flora a couple, and part them a day on."""
    t = s.world.now + DAY
    give(s, "couple", "mara", "flora", t=t)
    if not joyful:
        for who in ("mara", "flora"):
            s.world.people.residents[who].mood.marks.clear()
    step = s.step(t + DAY)
    (claim,) = between(s.world, "mara", "flora", "couple")
    end_claim(step, s.world, claim, "it was time", t + DAY, 1)
    return [r.event for r in step.records if r.stamp.actor == "mara"]


def test_an_office_that_passes_to_another_is_held_against_them_but_not_by_a_friend(s: Stage) -> None:
    w = s.world
    for feeling, minds in ((0.0, True), (0.9, False)):
        s = Stage(w.scenario)
        s.world.people.ties["greta"]["vera"] = replace(s.world.people.ties["greta"]["vera"], feeling=feeling)
        give_by_vote(s)
        (lost,) = [r for r in s.records if isinstance(r.event, Broken) and r.event.kind == "role"]
        assert lost.event.to == "vera"
        mine = [r.event for r in s.records if isinstance(r.event, Marked) and r.stamp.actor == "greta"]
        assert mine[0].whom == "vera"
        assert mine[0].delta.p < 0.0
        against = [r.event for r in s.records if isinstance(r.event, Began) and r.event.about == "vera"]
        assert [e.stakes.partition(",")[0] for e in against] == ["the title of mayor"] * minds
        assert [r.event for r in again(s.records)] == [r.event for r in s.records]


def give_by_vote(s: Stage) -> None:
    step = s.step(600)
    parts = {"": "", **{who: who for who in s.world.cast}}
    change_claims(step, s.world, [Makes("role", "vera", "", "mayor")], (), parts, "", "the vote", 600, 1)
    s.records += step.records


def test_a_new_job_in_place_of_the_old_is_half_a_gain(s: Stage) -> None:
    (job,) = (c for c in claims_of(s.world, "yara", "employs") if c.b == "yara")
    full = worth_to(s.world, job, "b")
    found = give(s, "employs", "esme", "yara", "cook")
    assert not marks(found, "employs"), "half of it is below what stays"
    felt = [r for r in s.records if isinstance(r.event, Felt) and r.stamp.actor == "yara"]
    assert felt
    assert full >= MARKS > full / 2


# ---- how it shows


def test_whoever_has_lost_something_to_another_has_no_ordinary_words_for_them_for_hours(s: Stage) -> None:
    part(s)
    w = s.world
    assert is_hurt_by(w, "mara", "basil", 700)
    assert not is_hurt_by(w, "mara", "otis", 700)
    assert pair_key("mara", "basil") in shunned(w, 700)
    assert approach_question(w, "mara", "basil", 700).options == ()
    asked = accept_question(w, "basil", "mara", 700, Chosen("chat"))
    assert asked.hurt
    assert not accept_question(w, "basil", "mara", 700, Chosen("chat", aim="a_matter")).hurt
    yes, no = expected_talk(replace(asked, hurt=False)).chances["accept"], expected_talk(asked).chances["accept"]
    assert no < yes / 2
    assert not is_hurt_by(w, "mara", "basil", 600 + 30 * DAY)


def test_a_loss_is_taken_to_a_friend_by_who_would_not_be_alone_with_it(s: Stage) -> None:
    w = s.world
    went = {}
    for who in w.cast:
        s = Stage(w.scenario)
        s.world.people.residents[who].mood.marks.clear()
        give(s, "member", who, "", "the band", t=600)
        s.world.people.residents[who].mood.marks.clear()
        step = s.step(700)
        mark = MoodMark(-0.3, 0.0, 0.0, 700, 7, "so it is over", 3 * DAY)
        enter_mark(s.world.people.residents[who].mood, mark, Pad(0.0, 0.0, 0.0))
        q = plan_question(s.world, who, s.world.clock.midnight(1) + s.world.cast[who].routine.wake)
        q = replace(q, now=step.now)
        went[who] = any(b.do == VISIT and b.why == mark.why for b in apply_habits(s.world, q)[0].usual)
    alone = {who for who in went if w.cast[who].big_five.extraversion < -0.3}
    assert alone
    assert not any(went[who] for who in alone)
    assert sum(went.values()) >= 5


# ---- what is decided


@pytest.mark.parametrize(("worth", "stays"), [(0.25, False), (0.6, True)])
def test_what_a_contest_is_worth_says_whether_it_stays(larkspur: Scenario, worth: float, stays: bool) -> None:
    stage = staged(larkspur, replace(RACE, worth=worth))
    records = settle(stage)
    first, second = (p.who for p in result(records).parts[:2])
    moved = {r.stamp.actor: r.event for r in records if isinstance(r.event, Marked | Felt)}
    assert moved[first].delta.p > 0.0 > moved[second].delta.p
    assert all(isinstance(e, Marked) is stays for e in moved.values())


def test_a_vote_is_worth_something_to_all_who_mind(larkspur: Scenario) -> None:
    stances = {"mara": 0.9, "basil": 0.8, "wilf": 0.7, "greta": -0.9, "vera": -0.1}
    records = settle(staged(larkspur, replace(VOTES, worth=0.9), stances=stances))
    moved = {r.stamp.actor: r.event for r in records if isinstance(r.event, Marked | Felt)}
    assert result(records).won
    assert {who: e.delta.p > 0.0 for who, e in moved.items()} == {
        "mara": True, "basil": True, "wilf": True, "greta": False,
    }  # fmt: skip


def test_who_has_left_the_group_has_no_vote_and_does_not_come(larkspur: Scenario) -> None:
    stage = staged(larkspur, replace(VOTES, of="the choir"), stances=dict.fromkeys(COME, 0.5))
    w = stage.world
    singers = {who for who in COME if not is_stranger_to(w, who, "the choir")}
    assert {"mara", "greta"} <= singers < {*COME}
    assert {p.who for p in result(settle(stage)).parts} == singers
    assert all(bool(occasions_of(w, who, 1)) is (who in singers) for who in COME)
    w.claim_parameters = replace(w.claim_parameters, entails=False)
    assert all(occasions_of(w, who, 1) for who in COME)
