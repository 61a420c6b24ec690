"""What two are to each other, and how that sounds."""

import pytest
from lived import founding
from msgspec.structs import replace

from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.persona import Persona
from sandbox.talk.content import relation
from sandbox.talk.lines import CRITERIA
from sandbox.talk.saying import Say, use_call_names
from sandbox.talk.speaker import TOWARDS, warmth

PLEASED = (0.3, 0.1, 0.0)


@pytest.fixture(scope="module")
def people(larkspur: Scenario) -> dict[str, Persona]:
    return {p.id: p for p in larkspur.cast}


@pytest.mark.parametrize(
    ("a", "b", "is_"),
    [
        ("mara", "basil", "family"),
        ("kit", "yara", "housemate"),
        ("flora", "ivo", "housemate"),
        ("otis", "pip", "child"),
        ("pip", "lev", "family"),
        ("esme", "clem", "family"),
        ("flora", "wilf", "elder"),
    ],
)
def test_who_shares_a_house_is_family_by_name_alone(people: dict[str, Persona], a: str, b: str, is_: str) -> None:
    assert relation(people[a], people[b]) == is_
    assert is_ in CRITERIA["with"]


def test_who_moves_in_is_a_housemate(people: dict[str, Persona]) -> None:
    lodger = replace(people["kit"], household=people["mara"].household)
    assert relation(people["mara"], lodger) == relation(lodger, people["mara"]) == "housemate"


@pytest.mark.parametrize("move", ["small_talk", "greet"])
def test_one_sounds_warmer_to_whom_one_is_close_and_colder_to_whom_one_is_sore_at(move: str) -> None:
    by = {tie: warmth(Say("mara", pad=PLEASED, context={"tie": tie}), move) for tie in CRITERIA["tie"]}
    assert by["sour"] < by["cool"] == by["stranger"] < by["friendly"] < by["close"]
    assert set(TOWARDS) <= set(by)


def test_whoever_has_no_mood_sounds_alike_to_all() -> None:
    assert {warmth(Say("mara", context={"tie": tie}), "small_talk") for tie in CRITERIA["tie"]} == {0.0}


@pytest.mark.parametrize(
    ("me", "other", "said"),
    [
        ("noor", "pip", "Dad and Basil"),  # as the child calls him
        ("pip", "noor", "Dad and Basil"),
        ("thea", "pip", "Dad and Basil"),
        ("lev", "pip", "Lev and Basil"),  # nobody calls themselves so
        ("kit", "pip", "Lev and Basil"),  # nor a father that is none of theirs
        ("noor", "kit", "Lev and Basil"),
        ("mara", "jory", "Lev and Basil"),  # who is grown is spoken to otherwise
    ],
)
def test_one_calls_a_childs_parents_to_the_child_as_the_child_does(
    larkspur: Scenario, me: str, other: str, said: str
) -> None:
    assert use_call_names(World.found(founding(larkspur)), me, other, "Lev and Basil") == said
