"""What two people have tried in vain: the way is shut until there is news, the deed changes, or it is given up."""

from __future__ import annotations

import pytest
from lived import founding
from msgspec.structs import replace
from staged import Stage, hours, pressure

from sandbox.core.clock import DAY, MINUTE
from sandbox.drama.pressure_clock import PONDERS
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.beliefs import SAW, BeliefUpdate
from sandbox.people.model import Block
from sandbox.people.pressure_deck import Effect
from sandbox.people.pressure_model import ActivePressure, Began, Ended, Sought, Stirred
from sandbox.people.pressure_rules import FOLLOW_UP, is_exhausted
from sandbox.people.ties import Tie
from sandbox.talk.pressure_aims import aims, is_way_open, part_of
from sandbox.talk.question_wishes import BO, Exchange, exchanges

NOTHING = Effect()
LATER = 7  # hours after which the same person may do the same again


def may(stage: Stage, p: ActivePressure, do: str, me: str, other: str, t: int) -> bool:
    """Whether somebody may do that now because of a pressure."""
    w = stage.world
    ways = [way for way in w.drama.kinds[p.kind].ways if way.do == do]
    return any(is_way_open(w, p, way, me, other, part_of(p, me), t) for way in ways)


def grudge(scenario: Scenario, *more: object, **numbers: object) -> tuple[Stage, ActivePressure]:
    """Mara has something against Basil, and no brake but the one that is looked at."""
    stage = Stage(scenario, pressure("grudge", stage=1), *more, faces=0, rows=1000, turns=0, **numbers)  # type: ignore[arg-type]
    return stage, stage.wake()


def tries(stage: Stage, p: ActivePressure, *answers: str, do: str = "confront", other: str = "basil") -> int:
    """Mara does that, seven hours apart, and nothing comes of it but an answer. The hour when she might again."""
    n = len(stage.records)
    for answer in answers:
        n += LATER
        stage.move(hours(n), p, NOTHING, "mara", other, do, answer=answer)
    return hours(n + LATER)


@pytest.mark.parametrize("answers", [("dodge", "dodge"), ("accept", "accept"), ("dodge", "accept"), ("refuse",)])
def test_what_was_tried_in_vain_is_no_way_any_more(larkspur: Scenario, answers: tuple[str, ...]) -> None:
    stage, p = grudge(larkspur)
    assert may(stage, p, "confront", "mara", "basil", tries(stage, p, *answers[:-1]))
    assert not may(stage, p, "confront", "mara", "basil", tries(stage, p, answers[-1]))


def test_it_is_no_way_for_these_two_over_this_matter_only(larkspur: Scenario) -> None:
    same, other = pressure("grudge", id="same"), pressure("grudge", id="other", thread="a fence")
    stage, p = grudge(larkspur, replace(same, stage=1), replace(other, stage=1))
    t = tries(stage, p, "refuse")
    found = stage.world.pressures.open
    assert not may(stage, found["same"], "confront", "mara", "basil", t), "another pressure is no other matter"
    assert may(stage, found["other"], "confront", "mara", "basil", t)
    t = tries(stage, p, "refuse", do="complain", other="una")
    w = stage.world
    w.people.ties["mara"]["una"] = w.people.ties["mara"]["wilf"] = Tie(0.5, 0.5, 0, causes=[])
    assert not may(stage, p, "complain", "mara", "una", t)
    assert may(stage, p, "complain", "mara", "wilf", t)


def test_the_next_pressure_of_a_matter_finds_the_way_shut(larkspur: Scenario) -> None:
    stage, p = grudge(larkspur)
    end = Effect(end="fell_out", children=("insulted",))
    stage.move(hours(1), p, end, "mara", "basil", "confront", answer="refuse", hostile=True)
    (child,) = stage.world.pressures.open.values()
    assert (child.holder, child.thread) == ("basil", "ladders")
    assert not may(stage, child, "confront", "basil", "mara", hours(8))


def test_a_world_may_let_people_try_for_ever(larkspur: Scenario) -> None:
    stage, p = grudge(larkspur, tries=0)
    assert may(stage, p, "confront", "mara", "basil", tries(stage, p, *["refuse"] * 5))
    assert not stage.world.tries.threads


def test_nobody_goes_looking_for_somebody_to_do_what_was_tried_in_vain(larkspur: Scenario) -> None:
    for answer, goes in (("", True), ("refuse", False)):
        stage, p = grudge(larkspur)
        t = tries(stage, p, answer) if answer else hours(LATER)
        mara = stage.world.people.residents["mara"]
        mara.awake = True
        mara.plan = (
            Block(0, t + hours(9), "walk", stage.world.cast["mara"].home, ""),
            Block(t + hours(9), 2 * DAY, "", "", ""),
        )
        seen = [r.event for n in range(60) for r in stage.press(t + n * MINUTE) if isinstance(r.event, Sought)]
        assert any("to have it out" in e.why for e in seen) == goes


# ---- news


def row(stage: Stage, t: int, *witnesses: str) -> None:
    """Wilf and Basil have words over the same matter, and somebody sees it."""
    step = stage.step(t)
    seen = tuple(BeliefUpdate(who, "", "wilf", "basil", "", 1, 20.0, SAW) for who in witnesses)
    p = stage.world.pressures.open["theirs"]
    event = Stirred(p.id, "confront", "refuse", "basil", 0.0, 0.6, p.stage, hostile=True, learned=seen)
    step.emit(event, t=t, actor="wilf", causes=(p.last,))


def test_what_both_come_to_know_of_the_matter_opens_the_way_again(larkspur: Scenario) -> None:
    stage, p = grudge(larkspur, pressure("grudge", "wilf", "basil", id="theirs"))
    t = tries(stage, p, "refuse")
    row(stage, t, "una")
    assert not may(stage, p, "confront", "mara", "basil", t + 60), "she has not heard of it"
    row(stage, t + MINUTE, "mara")
    assert may(stage, p, "confront", "mara", "basil", t + 2 * MINUTE)
    t = tries(stage, p, "refuse")
    assert not may(stage, p, "confront", "mara", "basil", t), "and it is shut again by the same"


def test_what_others_do_in_another_matter_is_no_news(larkspur: Scenario) -> None:
    stage, p = grudge(larkspur, pressure("grudge", "wilf", "basil", id="theirs", thread="a fence"))
    t = tries(stage, p, "refuse")
    row(stage, t, "mara")
    assert not may(stage, p, "confront", "mara", "basil", t + 60)


def test_an_hour_that_passes_is_news(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("debt", stage=1, due=hours(4)), turns=0)
    p = stage.wake()
    stage.move(hours(1), p, NOTHING, "basil", "mara", "remind", answer="refuse")
    assert not may(stage, p, "remind", "basil", "mara", hours(8))
    stage.move(hours(8), p, Effect(later=hours(20)), "mara", "basil", "late")
    assert may(stage, p, "remind", "basil", "mara", hours(9))


# ---- it is given up


def spent(stage: Stage, p: ActivePressure) -> list[Ended]:
    """Mara has had it out with Basil in vain, and has complained to two, and asked two to take it up."""
    tries(stage, p, "refuse")
    for do in ("complain", "enlist"):
        for who in ("una", "wilf"):
            tries(stage, p, "dodge", do=do, other=who)
    stage.world.people.residents["mara"].awake = True
    return [r.event for r in stage.press(p.t + FOLLOW_UP) if isinstance(r.event, Ended)]


def test_who_has_tried_all_in_vain_gives_up_what_pressed_and_says_why(larkspur: Scenario) -> None:
    stage, p = grudge(larkspur, pressure("secret", about="basil", due=DAY * 90))
    (ended,) = spent(stage, p)
    assert (ended.id, ended.how, ended.turn) == ("grudge", "given_up", False)
    assert ended.why == "Mara has been to Basil once, and Basil would have none of it"
    assert not ended.feelings
    assert [*stage.world.pressures.open] == ["secret"]


def test_somebody_still_has_a_way_while_there_is_another_to_ask(larkspur: Scenario) -> None:
    stage, p = grudge(larkspur)
    tries(stage, p, "refuse")
    tries(stage, p, "dodge", do="complain", other="una")
    stage.world.people.residents["mara"].awake = True
    assert not [r for r in stage.press(p.t + MINUTE) if isinstance(r.event, Ended)]


def test_a_secret_is_never_given_up(larkspur: Scenario) -> None:
    assert {kind for kind, deck in larkspur.drama.kinds.items() if not deck.spent} >= {"secret"}


# ---- the deed changes


def friend(larkspur: Scenario) -> tuple[Stage, ActivePressure, int]:
    """Basil has turned Mara away, who has a friend."""
    stage, p = grudge(larkspur)
    stage.world.people.ties["mara"]["una"] = Tie(0.5, 0.5, 0, causes=[])
    assert not may(stage, p, "enlist", "mara", "una", hours(1)), "one tries oneself first"
    return stage, p, tries(stage, p, "refuse")


def test_who_got_nowhere_asks_a_friend_to_take_it_up(larkspur: Scenario) -> None:
    stage, p, t = friend(larkspur)
    assert may(stage, p, "enlist", "mara", "una", t)
    (aim,) = [aim for aim in aims(stage.world, "mara", "una", t) if aim.do == "enlist"]
    question = Exchange("mara", other=replace(BO, who="una"), aims=(aim,))
    assert "got nowhere alone" in {rule.name for way in exchanges(question) for rule in way.answer.why}
    way = next(x for x in larkspur.drama.kinds["grudge"].ways if x.do == "enlist")
    _, born = stage.move(t, p, way.accept, "mara", "una", "enlist", answer="accept")
    assert isinstance(born, Began)
    theirs = stage.world.pressures.open[born.id]
    assert (theirs.holder, theirs.about, theirs.thread) == ("una", "basil", p.thread)
    assert may(stage, theirs, "confront", "una", "basil", t + 60), "the friend was not turned away yet"


def test_who_flirted_in_vain_may_still_say_it_outright(larkspur: Scenario) -> None:
    stage = Stage(larkspur, pressure("crush", stage=1), turns=0)
    p = stage.wake()
    assert not may(stage, p, "declare", "mara", "basil", hours(1))
    t = tries(stage, p, "dodge", "dodge", do="flirt")
    assert not may(stage, p, "flirt", "mara", "basil", t)
    assert may(stage, p, "declare", "mara", "basil", t)


def test_who_took_it_up_and_did_nothing_hands_it_back_within_a_day_or_so(larkspur: Scenario) -> None:
    stage, p, t = friend(larkspur)
    way = next(x for x in larkspur.drama.kinds["grudge"].ways if x.do == "enlist")
    _, born = stage.move(t, p, way.accept, "mara", "una", "enlist", answer="accept")
    assert isinstance(born, Began)
    assert 0 < born.due - t <= DAY + hours(12)
    stage.world.people.residents["una"].awake = True
    ended = [r.event for n in range(30) for r in stage.press(born.due + n * MINUTE) if isinstance(r.event, Ended)]
    why = "Una never came to Basil with it"
    assert [(e.how, e.turn, e.why) for e in ended if e.id == born.id] == [("handed_back", False, why)]


def test_who_took_it_up_and_was_turned_away_hands_it_back_soon(larkspur: Scenario) -> None:
    stage, p, t = friend(larkspur)
    way = next(x for x in larkspur.drama.kinds["grudge"].ways if x.do == "enlist")
    _, born = stage.move(t, p, way.accept, "mara", "una", "enlist", answer="accept")
    assert isinstance(born, Began)
    stage.move(t + 60, stage.world.pressures.open[born.id], NOTHING, "una", "basil", "confront", answer="refuse")
    stage.world.people.residents["una"].awake = True
    (ended,) = [r.event for r in stage.press(t + PONDERS) if isinstance(r.event, Ended)]
    assert (ended.id, ended.how, ended.why) == (
        born.id,
        "handed_back",
        "Una has been to Basil once, and Basil would have none of it",
    )


# ---- what is kept


def test_what_was_tried_is_in_a_snapshot_once_there_is_anything(larkspur: Scenario) -> None:
    stage, p = grudge(larkspur)
    assert b"threads" not in stage.world.snapshot()
    tries(stage, p, "dodge", "refuse")
    again = World.found(founding(stage.world.scenario))
    again.restore(stage.world.snapshot())
    assert again.tries == stage.world.tries
    assert is_exhausted(again, p.thread, "confront", "basil", "mara")
