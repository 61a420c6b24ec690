"""Endings: what one brings, it brings all at once, and however the matter came to it."""

from __future__ import annotations

from lived import again
from staged import Stage, hours, pressure

from sandbox.drama.pressure_clock import drop_pressure
from sandbox.engine.scenario import Scenario
from sandbox.people.claim_handlers import LODGES
from sandbox.people.claim_model import Broken, ClaimChanges, Made, Making
from sandbox.people.mark_model import Marked
from sandbox.people.pressure_deck import Effect
from sandbox.people.pressure_model import Ended

ROOM = "Rowan House / front bedroom"


def test_who_is_put_out_and_given_a_room_by_one_ending_sleeps_in_nobodys_parlour(larkspur: Scenario) -> None:
    given = ClaimChanges((Making(LODGES, "holder", "nobody", where=ROOM),))
    s = Stage(larkspur, pressure("debt", "kit", "zeno", ends={"defaulted": given}))
    events = s.move(3600, s.wake(), Effect(end="defaulted"), "zeno", "kit", "confront", answer="refuse")
    homes = [e for e in events if isinstance(e, (Made, Broken)) and e.kind == LODGES]
    assert [(e.KIND, e.where == ROOM) for e in homes] == [("claim_broken", False), ("claim_made", True)]


def test_what_ends_with_another_matter_brings_what_it_would_bring_by_itself(larkspur: Scenario) -> None:
    kept = ClaimChanges((Making("confidence", "about", "holder", "the rest of it"),))
    s = Stage(larkspur, pressure("grudge"), pressure("guilt", "basil", "mara", ends={"forgiven": kept}))
    p = s.wake()
    events = s.move(3600, p, Effect(end="made_up"), "mara", "basil", "apologise", answer="accept")
    assert [(e.id, e.how) for e in events if isinstance(e, Ended)] == [("grudge", "made_up"), ("guilt", "forgiven")]
    (made,) = (e for e in events if isinstance(e, Made) and e.kind == "confidence")
    assert made.why == "Mara has forgiven Basil"
    assert [r.event for r in again(s.records)] == [r.event for r in s.records]


def test_a_hope_that_is_given_up_leaves_its_mark(larkspur: Scenario) -> None:
    s = Stage(larkspur, pressure("crush", "jory", "flora"))
    p, step = s.wake(), s.step(hours(30))
    drop_pressure(step, s.world, p, "given_up", "Flora has turned Jory away")
    (mark,) = (r for r in step.records if isinstance(r.event, Marked))
    assert (mark.stamp.actor, mark.event.why) == ("jory", "Jory has stopped hoping for Flora")
