"""`sandbox goals` and `sandbox bet`: what there is, how it stands, and one act in a save."""

from __future__ import annotations

from pathlib import Path

import pytest
from clishell import Shell, read
from village import build

from sandbox.cli.goals import _told
from sandbox.core.events import Record, Stamp
from sandbox.director.goal_domain import LATE, SO, Progress
from sandbox.engine.scenario import Founded, Scenario
from sandbox.engine.world import World


def test_goals_of_a_world_are_listed_with_what_stands_in_the_way(shell: Shell) -> None:
    out = shell("goals", "larkspur").out
    assert "room_one: By Friday night Kit is quits with Zeno over two months' rent" in out
    assert "in the way: " in out
    assert "(3 days 14 h left)" in out


def test_a_goal_of_a_save_is_followed_and_let_go_by_an_event_each(shell: Shell, save: Path) -> None:
    chosen = {g["id"]: g for g in shell("goals", save, "--choose", "room_one", "--json").json["goals"]}
    assert chosen["room_one"]["followed"]
    assert chosen["room_one"]["state"] == "open"
    assert [g for g in chosen.values() if g["followed"]] == [chosen["room_one"]]
    assert "> room_one: " in shell("goals", save).out
    assert not any(g["followed"] for g in shell("goals", save, "--drop", "room_one", "--json").json["goals"])
    kinds = [
        kind for (kind,) in read(save, "SELECT kind FROM events WHERE kind LIKE 'goal_chosen' OR kind = 'goal_dropped'")
    ]
    assert kinds == ["goal_chosen", "goal_dropped"]
    assert shell("replay", save, "--verify").code == 0


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("--choose", "room_won"), 'no goal "room_won"; did you mean "room_one"'),
        (("--drop", "room_one"), "; there is nothing to drop"),
        (("--choose", "a", "--drop", "b"), "exclude each other; give one"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(shell: Shell, save: Path, words: tuple[str, ...], fault: str) -> None:
    before = save.read_bytes()
    done = shell("goals", save, *words)
    assert done.code == 2
    assert fault in done.err
    assert save.read_bytes() == before


def test_goals_are_followed_in_a_save_and_a_world_may_have_none(shell: Shell, tmp_path: Path) -> None:
    done = shell("goals", "larkspur", "--choose", "room_one")
    assert done.code == 2
    assert "a goal can only be followed in a save" in done.err
    assert "this world has no goals" in shell("goals", build(tmp_path)).out


@pytest.mark.slow
def test_bets_are_listed_with_their_odds_and_placed_by_an_event(shell: Shell, save: Path) -> None:
    found = shell("bet", save, "--json").json
    assert (found["points"], found["open"]) == (100, [])
    race = next(x for x in found["offers"] if x["on"] == "pancake_race@1")
    best = max(race["sides"], key=lambda side: side["chance"])
    assert best["pays"] == pytest.approx(1 / best["chance"], abs=0.02)
    assert best["says"] in shell("bet", save).out
    done = shell("bet", save, "pancake_race@1", best["side"], 10, "--json").json
    assert (done["points"], done["open"][0]["stake"]) == (90, 10)
    assert [kind for (kind,) in read(save, "SELECT kind FROM events WHERE kind = 'bet_placed'")] == ["bet_placed"]
    again = shell("bet", save, "pancake_race@1", best["side"], 10)
    assert again.code == 2
    assert "you have bet 10 points on that already" in again.err
    assert shell("bet", save, "--json").json["points"] == 90
    assert shell("replay", save, "--verify").code == 0


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("pancake_race@1", "jory"), "give all three"),
        (("pancake_race@1", "mara", "10"), 'no side "mara"'),
        (("pancake_race@1", "jory", "1000"), "more than the"),
        (("hiccup", "jory", "1"), 'no bet "hiccup"'),
        (("pancake_race@1", "jory", "-5"), "the stake must be 1 or more, not -5"),
        (("pancake_race@1", "jory", "-5", "--json"), "the stake must be 1 or more, not -5"),
        (("pancake_race@1", "jory", "0"), "the stake must be 1 or more, not 0"),
        (("pancake_race@1", "jory", "-2.5"), 'the stake must be a whole number from 1 to 1,000,000, not "-2.5"'),
        (("pancake_race@1", "jory", "2000000"), "the stake must be 1,000,000 or less"),
        (("pancake_race@1", "jory", "ten"), 'the stake must be a whole number from 1 to 1,000,000, not "ten"'),
        (("pancake_race@1", "jory", "--jsom"), "Did you mean '--json'?"),
    ],
)
def test_a_bet_that_cannot_be_is_told_in_a_sentence(
    shell: Shell, save: Path, words: tuple[str, ...], fault: str
) -> None:
    before = save.read_bytes()
    done = shell("bet", save, *words)
    assert done.code == 2
    assert fault in done.err
    assert save.read_bytes() == before


def test_of_a_goal_that_is_so_already_that_is_said_once(larkspur: Scenario) -> None:
    world = World.found(Record(Stamp(1, 0, 0, "", ()), Founded(larkspur, {})), remember=False)
    aim = next(iter(world.aim_deck.values()))
    of = Progress(aim, None, True, (), (), (), 60, 0, SO)
    assert _told(world, of)[-1] == "    over: it is so already"
    assert _told(world, of._replace(over=LATE))[-1].endswith("; it is so now")
