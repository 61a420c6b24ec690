"""Beliefs: how strongly they are held, which of two versions, what is forgotten, and what no event may say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lived import founding
from msgspec.structs import replace

from sandbox.core.clock import DAY
from sandbox.core.events import Stamp
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.beliefs import (
    CAUGHT,
    GARBLED,
    HELD,
    KNEW,
    ROW,
    SAW,
    SEEN,
    STATED,
    WORST,
    Belief,
    BeliefParameters,
    BeliefUpdate,
    Fact,
    Slots,
    believe,
    current_beliefs,
    fact_sentence,
    garbles,
    learns,
    strength_at,
    substitute_names,
)
from sandbox.people.pressure_deck import ending_template

Q = BeliefParameters()
FACT = Fact("slate", "slate", "debt", "", "otis", "mara", "", 0, "Otis Wren's slate", "Otis ate and did not pay")
TRUE: Slots = ("otis", "mara", "", 0)
WRONG: Slots = ("basil", "mara", "", 0)


@pytest.fixture
def w(larkspur: Scenario) -> World:
    return World.found(founding(larkspur))


def hear(
    w: World, who: str, slots: Slots, weight: float, source: str, t: int, seq: int = 5, lie: bool = False
) -> BeliefUpdate:
    """Somebody comes to believe that, or does not."""
    row = learns(w, who, FACT, slots, weight, source, t, lie)
    believe(w, [row], {FACT.id: FACT}, Stamp(seq, 1, t, source if source in w.cast else who, ()))
    return row


def held(w: World, who: str, t: int = 0) -> list[Belief]:
    return list(current_beliefs(w.beliefs, who, t, Q))


def a_belief(strength: float) -> Belief:
    return Belief("slate", *TRUE, strength, 0, 0, SAW, 1)


@given(st.floats(HELD, 40), st.integers(0, 100 * DAY), st.integers(0, 10 * DAY))
def test_a_belief_never_grows_by_itself(strength: float, t: int, more: int) -> None:
    b = a_belief(strength)
    assert 0 <= strength_at(b, t + more, Q) <= strength_at(b, t, Q) <= strength


@pytest.mark.parametrize(("strength", "days"), [(SEEN, 58), (STATED, 31), (CAUGHT, 31), (GARBLED, 21)])
def test_it_loses_a_twentieth_a_day_and_is_held_while_it_is_one(strength: float, days: int) -> None:
    b = a_belief(strength)
    assert strength_at(b, DAY, Q) == pytest.approx(0.95 * strength)
    assert strength_at(b, days * DAY, Q) >= HELD > strength_at(b, (days + 1) * DAY, Q)


def test_where_nothing_is_forgotten_a_belief_is_held_for_ever() -> None:
    assert strength_at(a_belief(5.0), 10**15, BeliefParameters(decay=0.0)) == 5.0  # at once: days are not counted


def test_heard_again_it_adds_up_and_keeps_its_source(w: World) -> None:
    hear(w, "kit", TRUE, STATED, "una", 0, seq=5)
    hear(w, "kit", TRUE, STATED, "wilf", 0, seq=6)
    (b,) = held(w, "kit")
    assert (b.strength, b.source, b.seq) == (2 * STATED, "una", 5)


def test_what_was_seen_is_not_talked_away(w: World) -> None:
    hear(w, "kit", TRUE, SEEN, SAW, 0)
    assert hear(w, "kit", WRONG, STATED, "una", 60).strength == 0
    assert held(w, "kit")[0].slots == TRUE


def test_the_fresher_of_two_tales_is_believed(w: World) -> None:
    hear(w, "kit", TRUE, STATED, "una", 0)
    hear(w, "kit", WRONG, STATED, "wilf", DAY)
    (b,) = held(w, "kit", DAY)
    assert (b.slots, b.source, b.since) == (WRONG, "wilf", DAY)


def test_a_lie_is_believed_and_found_out_by_the_truth_from_another(w: World) -> None:
    hear(w, "kit", WRONG, STATED, "otis", 0, lie=True)
    assert held(w, "kit")[0].slots == WRONG
    row = hear(w, "kit", TRUE, STATED, "una", DAY)
    assert (row.exposes, held(w, "kit", DAY)[0].slots) == ("otis", TRUE)


def test_another_mistake_shows_up_no_lie(w: World) -> None:
    hear(w, "kit", WRONG, STATED, "otis", 0, lie=True)
    assert hear(w, "kit", ("wilf", "mara", "", 0), STATED, "una", DAY).exposes == ""


def test_who_tells_knows_whom_they_told(w: World) -> None:
    hear(w, "una", TRUE, SEEN, SAW, 0)
    hear(w, "kit", TRUE, STATED, "una", 60)
    assert held(w, "una")[0].told == ["kit"]


def test_there_is_room_for_so_many_and_the_weakest_goes(larkspur: Scenario) -> None:
    w = World.found(founding(replace(larkspur, parameters={**larkspur.parameters, "beliefs.kept": 2})))
    for n, weight in enumerate((SEEN, GARBLED, STATED)):
        fact = replace(FACT, id=f"f{n}")
        believe(w, [learns(w, "kit", fact, TRUE, weight, SAW, 0)], {f"f{n}": fact}, Stamp(5, 1, 0, "kit", ()))
    assert [b.fact for b in held(w, "kit")] == ["f0", "f2"]
    assert set(w.beliefs.facts) == {"f0", "f2"}


@given(st.floats(-1, 1), st.floats(0, 1), st.integers(0, 30 * DAY), st.integers(0, 9 * DAY))
def test_more_is_changed_the_more_aroused_the_teller_and_the_older_the_tale(
    a: float, by: float, t: int, d: int
) -> None:
    assert 0 <= garbles(a, t, Q) <= garbles(min(1.0, a + by), t + d, Q) <= 1


def test_a_tale_about_somebody_else_has_their_name_all_through(w: World) -> None:
    fact = replace(FACT, stakes=f"{w.cast['otis'].name}'s slate")
    assert fact_sentence(w, fact, WRONG) == f"Basil owes Mara {w.cast['basil'].name}'s slate"
    assert substitute_names(w, FACT, WRONG, FACT.cause) == "Basil ate and did not pay"


def test_what_has_ended_is_told_with_what_it_was_about_as_the_deck_has_it(w: World) -> None:
    drama = w.handbook.drama
    ending = drama.kinds[FACT.kind].ends["repaid"].says
    said = fact_sentence(w, replace(FACT, how="repaid"), TRUE)
    assert said.startswith(ending.format(**w.handbook.both("otis", "mara")))
    assert ending_template(drama, FACT.kind, "repaid") == f"{ending}, and it was about {{stakes}}"
    assert ending_template(drama, "ambition", "reached") == "{holder} has got there at last, over {stakes}"
    bare = replace(drama, rumours=replace(drama.rumours, ended={}))
    assert ending_template(bare, FACT.kind, "repaid") == f"{ending}, over {{stakes}}"
    assert ending_template(drama, FACT.kind, "reached") == ending_template(drama, "nothing", "repaid") == ""
    ways = {fact_sentence(w, replace(FACT, how="repaid"), TRUE, who) for who in w.cast}
    assert len(ways) == len(drama.rumours.ended[FACT.kind]) > 1  # not everybody words it alike


def test_a_row_is_told_in_many_ways_and_by_one_person_in_one(w: World) -> None:
    row = replace(FACT, how="row", where=next(iter(w.map.areas)))
    for bad in range(WORST + 1):
        slots = (*TRUE[:2], row.where, bad)
        told = {who: fact_sentence(w, row, slots, who) for who in w.cast}
        assert len(set(told.values())) >= 3
        assert told == {who: fact_sentence(w, row, slots, who) for who in w.cast}
        assert fact_sentence(w, row, slots) == w.handbook.drama.rumours.says["row"][bad].format(
            stakes=row.stakes, place=w.handbook.at(row.where), **w.handbook.both("otis", "mara")
        )


def test_a_row_has_its_place_and_can_be_made_worse(w: World, larkspur: Scenario) -> None:
    where = next(iter(w.map.areas))
    row = replace(FACT, how=ROW, where=where)
    told = [fact_sentence(w, row, ("otis", "mara", where, bad)) for bad in range(4)]
    assert len(set(told)) == 4
    assert all(w.handbook.at(where) in text for text in told)


@pytest.mark.parametrize(
    "more",
    [{"who": "nobody"}, {"a": "nobody"}, {"b": "nobody"}, {"source": "nobody"}, {"where": "nowhere"}, {"fact": "none"}],
)
def test_an_event_that_speaks_of_what_is_not_there_is_refused(w: World, more: dict[str, str]) -> None:
    row = replace(BeliefUpdate("kit", FACT.id, *TRUE, STATED, "una"), **more)
    with pytest.raises(KeyError):
        believe(w, [row], {FACT.id: FACT}, Stamp(5, 1, 0, "una", ()))


def test_beliefs_outlive_a_snapshot_and_old_snapshots_have_none(w: World, larkspur: Scenario) -> None:
    hear(w, "kit", TRUE, STATED, "una", 0)
    other = World.found(founding(larkspur))
    other.restore(w.snapshot())
    assert other.beliefs == w.beliefs
    assert other.snapshot() == w.snapshot()


@pytest.mark.parametrize(
    "more",
    [
        {"a": "nobody"},
        {"source": "nobody"},
        {"where": "nowhere"},
        {"told": ["nobody"]},
        {"strength": 1e300},
        {"t": -(2**62)},
    ],
)
def test_a_snapshot_with_strange_beliefs_is_refused(w: World, larkspur: Scenario, more: dict[str, object]) -> None:
    hear(w, "kit", TRUE, STATED, KNEW, 0)
    w.beliefs.held["kit"]["slate"] = replace(w.beliefs.held["kit"]["slate"], **more)
    with pytest.raises(ValueError, match="no snapshot of this world"):
        World.found(founding(larkspur)).restore(w.snapshot())
