"""The deck of sparks: what is in it, that Larkspur can play it, and when the storyteller deals."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import pytest
from lived import Day, engine_of, founding, log_of, run
from msgspec.structs import replace
from staged import Stage

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Record
from sandbox.drama.new_pressures import LOVE, plays, pressure_fits
from sandbox.drama.pressure_clock import BETWEEN, FROM, TO, fill_roles
from sandbox.engine.loading import find_world, load
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.pressure_beginnings import Child, Spark
from sandbox.people.pressure_deck import KINDS, DramaDeck
from sandbox.people.pressure_model import Began, Sparked, Stirred

LIMIT = 160  # characters of a sentence of the chronicle
FEW = ("grey_cat", "snail_race", "wet_bench")  # sparks that ask nothing of anybody


def born(drama: DramaDeck) -> list[Child]:
    """What the sparks make, each as often as a spark makes it."""
    return [drama.children[name] for spark in drama.sparks.values() for name in spark.children]


def casting(w: World, spark: Spark) -> dict[str, str]:
    """The first people of the cast who fit all roles; {} if nobody does."""

    def rest(roles: list[str], out: dict[str, str]) -> dict[str, str]:
        if not roles:
            return out
        for who in w.cast:
            if who not in out.values() and plays(w, who, spark.roles[roles[0]], out):
                found = rest(roles[1:], {**out, roles[0]: who})
                if found:
                    return found
        return {}

    return rest(list(spark.roles), {})


def sparks(records: Iterable[Record]) -> list[tuple[int, Sparked]]:
    """(second, spark), in order."""
    return [(r.stamp.t, r.event) for r in records if isinstance(r.event, Sparked)]


@pytest.fixture(scope="module")
def dealt() -> list[Record]:
    """Three days in which nobody talks and nothing presses, with three sparks to deal, each again on the next day."""
    quiet = load(find_world("larkspur"), set=["talk.rate=0"])
    few = {id: replace(quiet.drama.sparks[id], cooldown=1) for id in FEW}
    scenario = replace(quiet, pressures=(), drama=replace(quiet.drama, sparks=few), step=300)
    return log_of(run(engine_of(scenario), 3 * DAY // scenario.step)).all()


# ---- what is in it


def test_the_deck_has_thirty_sparks_and_all_kinds_come_of_them(larkspur: Scenario) -> None:
    drama = larkspur.drama
    assert len(drama.sparks) >= 30
    assert sum(spark.level != "stormy" for spark in drama.sparks.values()) >= 30
    kinds = Counter(child.kind for child in born(drama))
    assert set(kinds) == set(KINDS)
    assert max(kinds.values()) <= kinds.total() / 5


def test_most_sparks_ask_for_no_trade_and_no_trait(larkspur: Scenario) -> None:
    plain = [s for s in larkspur.drama.sparks.values() if not any(r.jobs or r.traits for r in s.roles.values())]
    assert len(plain) >= 25


def test_sparks_are_sentences_and_befall_whom_they_name(larkspur: Scenario) -> None:
    for id, spark in larkspur.drama.sparks.items():
        assert len(spark.says) < LIMIT, id
        assert not spark.says.endswith("."), id
        assert spark.says[0] in "{ABCDEFGHIJKLMNOPQRSTUVWXYZ", id
        assert 4 <= spark.cooldown <= 60, id
        assert spark.children, id
        for name in spark.children:
            child = larkspur.drama.children[name]
            assert {child.holder, child.about} <= set(spark.roles), f"{id}: {name}"


def test_what_comes_of_a_spark_is_told_in_several_ways(larkspur: Scenario) -> None:
    assert born(larkspur.drama)
    for child in born(larkspur.drama):
        for texts in (child.stakes, child.cause):
            assert len(set(texts)) >= 3, texts
            assert not any(text.endswith(".") for text in texts), texts
            assert not any(word in {"you", "your"} for text in texts for word in text.lower().split()), texts


def test_everybody_needed_lives_in_larkspur(larkspur: Scenario) -> None:
    w = World.found(founding(larkspur))
    for id, spark in larkspur.drama.sparks.items():
        roles = casting(w, spark)
        assert set(roles) == set(spark.roles), f"nobody for {id}"
        assert len(set(roles.values())) == len(roles)


def test_a_spark_falls_on_people_who_can_have_what_comes_of_it(larkspur: Scenario) -> None:
    """Loves are few: one befalls two who are free for it, whoever is next for their share of attention."""
    stage = Stage(larkspur)
    w = stage.world
    for r in w.people.residents.values():
        r.awake = True
    hearts = {id: x for id, x in w.drama.sparks.items() if any(w.drama.children[c].kind == LOVE for c in x.children)}
    assert len(hearts) >= 8
    for t in range(1, 6):
        step = stage.step(t * 60)
        for id, drawn in hearts.items():
            roles = fill_roles(step, w, drawn)
            assert len(set(roles.values())) == len(drawn.roles), id
            for made in (w.drama.children[c] for c in drawn.children):
                assert pressure_fits(w, made, roles[made.holder], roles[made.about]), id


def test_a_spark_of_three_binds_all_of_them(larkspur: Scenario) -> None:
    three = [x for x in larkspur.drama.sparks.values() if len(x.roles) == 3]
    assert len(three) >= 15
    for spark in three:
        made = [larkspur.drama.children[c] for c in spark.children]
        assert {who for x in made for who in (x.holder, x.about)} == {"actor", "target", "other"}, spark.says


# ---- when they fall


@pytest.mark.slow
def test_sparks_fall_by_day_and_two_hours_apart(day: Day, dealt: list[Record]) -> None:
    assert len(sparks(dealt)) > 3  # on a day full of turns none need fall
    for records in (day.all(), dealt):
        fell = sparks(records)
        assert all(FROM <= day.world.clock.second_of_day(t) < TO for t, _ in fell)
        assert all(b - a >= BETWEEN == 2 * HOUR for (a, _), (b, _) in pairwise(fell))


@pytest.mark.slow
def test_a_spark_rests_and_comes_again(dealt: list[Record]) -> None:
    times: dict[str, list[int]] = {id: [] for id in FEW}
    for t, spark in sparks(dealt):
        times[spark.id].append(t)
    assert all(len(fell) > 1 for fell in times.values())
    assert all(b - a >= DAY for fell in times.values() for a, b in pairwise(fell))


@pytest.mark.slow
def test_something_comes_of_each(day: Day, dealt: list[Record]) -> None:
    assert sparks(dealt)
    for records in (day.all(), dealt):
        of = {cause for r in records if isinstance(r.event, (Began, Stirred)) for cause in r.stamp.causes}
        for r in records:
            if isinstance(r.event, Sparked):
                assert r.stamp.seq in of, r.event.says
                assert "{" not in r.event.says


@pytest.mark.sampled(0)
@pytest.mark.parametrize("rule", ["rules.storyteller=off", "rules.drama=off"])
def test_no_storyteller_no_sparks(rule: str) -> None:
    scenario = load(find_world("larkspur"), set=[rule, "talk.rate=0"], step=300)
    assert not sparks(log_of(run(engine_of(scenario), DAY // scenario.step)).all())
