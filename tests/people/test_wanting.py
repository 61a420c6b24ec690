"""Why somebody does what they do is told as what they want of it, never as the habit or the occasion alone."""

from __future__ import annotations

from lived import Day
from msgspec.structs import replace

from sandbox.people.asking_life import behind, life
from sandbox.people.model import Block, Planned
from sandbox.people.question_plan import USUAL


def test_no_block_of_the_day_is_explained_by_a_habit_or_by_what_an_occasion_is_called(day: Day) -> None:
    titles = {o.title for o in day.world.calendar.on(1)}
    told = {(b.do, b.why): behind(day.world, at.actor, b) for at, e in day.of(Planned) for b in e.blocks}
    usual = {do: why for (do, old), why in told.items() if old == USUAL}
    called = {old: why for (_, old), why in told.items() if old in titles}
    assert len(usual) > 10
    assert len(called) > 5
    assert [x for x in (*usual.values(), *called.values()) if not x.startswith("wants to ")] == []
    assert not {*told.values()} & {*titles, USUAL, "bedtime"}
    assert usual["walk"] == "wants to get some air"
    assert called["Market morning"] == "wants to see what there is, and who: Market morning"


def test_what_moved_somebody_to_another_plan_stays_its_reason(day: Day) -> None:
    block = Block(0, 60, "walk", "Riverside Park / lawn", "needs to walk it off")
    assert behind(day.world, "mara", block) == "needs to walk it off"
    assert behind(day.world, "mara", replace(block, do="nothing known", why=USUAL)) == "wants to nothing known"


def test_asked_what_they_are_at_people_say_what_they_want_of_it(day: Day) -> None:
    said = [text for who in day.world.cast for text in life(day.world, who, (), day.world.now).get("now", ())]
    assert not [text for text in said if USUAL in text or "(wants" in text]
