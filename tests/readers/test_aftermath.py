"""What came of an act: all that has it among its causes, by the shortest way, in groups, and whom it reached when."""

from __future__ import annotations

import pytest
from storyworld import Lived, Village

from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.domain import Reseeded, StepSet
from sandbox.feed.events import Browsed, Posted
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.model import Felt, Planned
from sandbox.people.mood import Pad
from sandbox.people.pressure_model import Began, Ended, Sparked, Stirred, Turned
from sandbox.phones.model import Read
from sandbox.readers.aftermath import HEADS, Chain, aftermath, chain_words, link_words, people_reached
from sandbox.readers.pressures import Matter, world_matters
from sandbox.readers.story import Teller
from sandbox.store.acts import among
from sandbox.talk.model import Exchanged, Opened

HOUR = 3600


def record(seq: int, t: int, actor: str, event: Event, *causes: int, step: int = 9) -> Record:
    return Record(Stamp(seq, step, t, actor, causes), event)


def posted(seq: int, t: int, actor: str = "ann", *causes: int, step: int = 9) -> Record:
    return record(
        seq, t, actor, Posted(seq, bytes(32), -1, None, user=1, text="The slate is full."), *causes, step=step
    )


def felt(seq: int, t: int, actor: str, p: float, why: str, *causes: int) -> Record:
    return record(seq, t, actor, Felt(delta=Pad(p, 0.0, 0.0), after=Pad(p, 0.0, 0.0), emotion="", why=why), *causes)


def began(seq: int, t: int, *causes: int) -> Record:
    e = Began("g", "grudge", "ann", 0.5, 1, -1, "the slate", "what stood there", "g", ())
    return record(seq, t, "ben", e, *causes)


TOLD = BeliefUpdate("cy", "g", "ben", "ann", "", 2, 5.0, "ben")
LOG = (
    posted(10, 0),
    felt(12, 600, "cy", 0.5, "the sun", 3),
    record(13, 1200, "ben", Read("post", 10, "ann"), 5, 10),
    felt(14, 1200, "ben", -0.3, "what Ann wrote", 13),
    felt(15, 1300, "ben", -0.2, "and who read it", 13),
    began(16, 1400, 13),
    record(17, 5000, "ben", Exchanged("5000.ben", 1, "vent", (), (), told=(TOLD,)), 16, 14),
    record(18, 9000, "ben", Ended("g", "row", False, feelings=(Turned("ben", "ann", -0.25, -0.3, "the slate"),)), 16),
    felt(19, 25 * HOUR, "ann", -0.9, "too late to count", 18),
)


def village_teller(village: Village) -> Teller:
    matter = Matter("g", "grudge", "ben", "ann", "the slate", "what stood there", "g")
    return Teller(village.handbook, {"g": matter}, lately={r.stamp.seq: r.event for r in LOG})


def chain(until: int = 24 * HOUR) -> Chain:
    found = Chain(LOG[0], until)
    found.read(LOG)
    return found


def test_what_came_of_an_act_has_it_among_its_causes_however_far_back() -> None:
    found = chain()
    assert [r.stamp.seq for r in found.came()] == [13, 14, 15, 16, 17, 18]
    assert 12 not in found, "that came of something else"
    assert 19 not in found, "a day is over"
    assert [r.stamp.seq for r in chain(2000).came()] == [13, 14, 15, 16]


def test_the_way_back_is_the_shortest_there_is(village: Village) -> None:
    told = aftermath(chain(), village_teller(village), (), lambda row, seq: "")
    (belief,) = told.groups["beliefs"]
    assert [link.seq for link in belief.way] == [10, 13, 14, 17]
    assert chain_words(belief.way) == "Ann posted -> Ben read it -> Ben felt it -> Ben told Cy"


def test_each_step_of_the_way_is_a_clause_in_plain_words(hour: Lived) -> None:
    teller = Teller(hour.world.handbook, world_matters(hour.world), lately={r.stamp.seq: r.event for r in hour.records})
    for one in hour.records:
        words = link_words(one, teller)
        assert len(words.split()) > 1, (one.event.KIND, words)
        assert "_" not in words
        assert words != one.event.KIND.replace("_", " ")
    confided = [link_words(r, teller) for r in hour.records if isinstance(r.event, Began | Ended | Stirred)]
    assert confided
    assert all(words.split()[0] in {teller.name(who) for who in hour.world.cast} for words in confided)


def test_lines_stand_in_groups_by_weight_and_what_moved_is_summed(village: Village) -> None:
    told = aftermath(chain(), village_teller(village), (), lambda row, seq: f"heard {row.fact} of {seq}")
    assert [*told.groups] == [key for key in HEADS if key in ("matters", "beliefs", "ties", "moods")]
    assert told.events == 6
    (mood,) = told.groups["moods"]
    assert "felt worse (-0.50)" in mood.text
    assert ": what Ann wrote; and who read it" in mood.text
    assert mood.seq == 14
    (tie,) = told.groups["ties"]
    assert tie.text == "Ben likes Ann less (-0.25): the slate"
    (matter,) = told.groups["matters"]
    assert matter.seq == 18, "how it ended, and not how it began"
    assert told.groups["beliefs"][0].text.endswith(": heard g of 17")
    for lines in told.groups.values():
        assert [c.weight for c in lines] == sorted((c.weight for c in lines), reverse=True)


def test_it_is_told_whom_it_reached_and_when_first(village: Village) -> None:
    found = people_reached(chain(), village_teller(village))
    assert [(x.who, x.t, x.seq) for x in found] == [("ben", 1200, 13), ("cy", 5000, 17)]


def test_of_nothing_comes_nothing(village: Village) -> None:
    alone = Chain(LOG[1], 24 * HOUR)
    alone.read(LOG)
    told = aftermath(alone, village_teller(village), (), lambda row, seq: "")
    assert (told.events, told.groups, told.reached) == (0, {}, ())


@pytest.mark.slow
def test_events_of_a_day_of_the_town_are_told_whatever_they_come_of(hour: Lived) -> None:
    """Every event that others came of, in an hour as the town lives it."""
    world = hour.world
    teller = Teller(world.handbook)
    some = 0
    for act in hour.records:
        if isinstance(act.event, Opened | Began | Sparked):
            found = Chain(act, act.stamp.t + HOUR)
            found.read(hour.records)
            told = aftermath(found, teller, (), lambda row, seq: "")
            some += bool(told.groups)
            for lines in told.groups.values():
                assert all(c.text and c.way[0].seq == act.stamp.seq for c in lines)
    assert some > 5


# ---- acts by hand


def test_an_act_by_hand_stands_before_all_that_systems_do_and_names_no_cause() -> None:
    looked = record(4, 0, "ben", Browsed("refresh", user=2))
    plan = record(2, 0, "ben", Planned(1, ()), step=1)
    assert among([posted(3, 0), looked, posted(5, 0, "ben")]) == [posted(3, 0)]
    assert among([posted(3, 0, "ann", 2)]) == []
    assert among([looked, posted(5, 0)]) == []
    first = posted(3, 0, step=1)
    assert among([plan, first]) == [first]
    assert among([record(2, 0, "ben", Stirred("g", "shows", "", "ben", 0.1, 0.5, 1)), posted(3, 0)]) == []


def test_what_only_a_command_makes_is_an_act_wherever_it_stands() -> None:
    reseeded, step = record(8, 0, "", Reseeded(7)), record(9, 60, "", StepSet(60), step=10)
    assert among([posted(7, 0), reseeded, posted(8, 0), felt(9, 0, "ben", 0.1, "it"), step]) == [
        posted(7, 0),
        reseeded,
        posted(8, 0),
        step,
    ]
