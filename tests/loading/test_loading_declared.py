"""A field's bounds stand once, beside the field: files and saves are held to the same, and the same rules."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable

import msgspec
import pytest
from tinyworld import FILES, Tiny

from sandbox.engine.checking import check_scenario
from sandbox.engine.scenario import Scenario

Build = Callable[..., Tiny]
ANN = "world/personas/ann.yaml"


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def test_a_person_may_have_a_half_life_of_their_own(tiny_world: Build) -> None:
    tiny = tiny_world({ANN: FILES[ANN] + "mood: {half_life: 90}\n"})
    scenario = tiny.read().scenario
    assert scenario is not None
    ann, ben = scenario.cast
    assert ann.mood is not msgspec.UNSET
    assert ann.mood.half_life == 90
    assert ben.mood is msgspec.UNSET


@pytest.mark.parametrize(
    ("mood", "says"),
    [
        ("{half_life: 0}", "mood.half_life: 0.0 is out of range; it must be between 1 and 525600"),
        ("{half_life: long}", 'mood.half_life: "long" is no number'),
        ("{half_lives: 9}", 'mood: no key "half_lives"; did you mean "half_life"?'),
        ("90", "mood: is no mapping"),
    ],
)
def test_a_fault_of_it_is_named_with_its_line(tiny_world: Build, mood: str, says: str) -> None:
    text = FILES[ANN] + f"mood: {mood}\n"
    (fault,) = tiny_world({ANN: text}).errors()
    assert says in str(fault)
    assert (fault.file, fault.line) == (ANN, line_of(text, "mood:"))


@pytest.mark.parametrize("half_life", [0, -5, 1e300, "x", [], {"a": 1}])
def test_a_save_cannot_bring_another(larkspur: Scenario, half_life: object) -> None:
    plain = msgspec.json.decode(msgspec.json.encode(larkspur))
    plain["cast"][0]["mood"] = {"half_life": half_life}
    with pytest.raises(ValueError, match=r"cast\[0\].mood.half_life"):
        msgspec.json.decode(msgspec.json.encode(plain), type=Scenario)


SLOT = ("cast", 0, "routine", "days", 0, "slots", 0)
BOTH = [
    # file, as it is, as it must not be, and the same in a save: of a field alone
    (ANN, "age: 41", "age: 121", ("cast", 0, "age"), 121),
    (ANN, "closeness: 0.9", "closeness: 1.1", ("cast", 0, "history", 0, "closeness"), 1.1),
    (ANN, "hair: grey", "hair: gray", ("cast", 0, "look", "hair"), "gray"),
    ("data/activities.yaml", "[10, 30]", "[1, 30]", ("deck", "activities", 0, "minutes"), [1, 30]),
    ("world/pressures.yaml", "intensity: 0.5", "intensity: 1.5", ("pressures", 0, "intensity"), 1.5),
    ("world/areas.yaml", "floor: wood", "floor: wod", ("plan", "sectors", 0, "arenas", 0, "floor"), "wod"),
    # and between fields
    (ANN, "home: Mill House / bedroom", "home: Mill / bedroom", ("cast", 0, "home"), "Mill / bedroom"),
    (ANN, "do: work, where: work", "do: wrok, where: work", (*SLOT, "do"), "wrok"),
    ("world/pressures.yaml", "about: ben", "about: ann", ("pressures", 0, "about"), "ann"),
    ("world/world.yaml", "block: play", "block: pray", ("calendar", 0, "block"), "pray"),
    ("world/areas.yaml", "[6, 1, 5, 3]", "[4, 1, 7, 3]", ("plan", "sectors", 0, "arenas", 1, "rect"), [4, 1, 7, 3]),
]


@pytest.mark.parametrize(("name", "old", "new", "path", "value"), BOTH)
def test_what_a_file_may_not_say_no_save_may_bring(
    tiny_world: Build, name: str, old: str, new: str, path: tuple[str | int, ...], value: object
) -> None:
    tiny = tiny_world()
    right = tiny.read().scenario
    assert right is not None
    plain = msgspec.json.decode(msgspec.json.encode(msgspec.structs.replace(right, parameters={})))
    check_scenario(msgspec.convert(plain, Scenario))
    *way, last = path
    functools.reduce(operator.getitem, way, plain)[last] = value
    with pytest.raises(ValueError, match=r"\w"):
        check_scenario(msgspec.convert(plain, Scenario))
    tiny.change(name, old, new)
    assert line_of(FILES[name], old) in [f.line for f in tiny.errors() if f.file == name]


def test_nothing_may_be_written_as_null(tiny_world: Build) -> None:
    """`work: null` in the cast: a person without a place of work, whatever their file says."""
    world = FILES["world/world.yaml"].replace("[ann, ben]", "[ann, {id: ben, work: null}]", 1)
    ben = FILES["personas/ben.yaml"].replace("where: work}", "where: home}")
    scenario = tiny_world({"world/world.yaml": world, "personas/ben.yaml": ben}).read().scenario
    assert scenario is not None
    assert [p.work for p in scenario.cast] == ["Mill House / kitchen", ""]


def test_a_file_that_cannot_be_read_makes_no_other_faults(tiny_world: Build) -> None:
    """Whoever and whatever it holds may be named elsewhere all the same."""
    for name in (ANN, "data/activities.yaml", "world/areas.yaml", "world/pressures.yaml"):
        faults = tiny_world({name: FILES[name] + "a: [\n"}).errors()
        assert [f.file for f in faults] == [name], [str(f) for f in faults]
        tiny_world()
