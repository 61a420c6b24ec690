"""Numbers stay in their ranges, and a rule that is another word for a number says the same as it does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from parameters import RANGES
from tinyworld import LINES, WORLD, Tiny

from sandbox.core.faults import Faults
from sandbox.engine.checking import check_scenario
from sandbox.engine.loading import WorldFaults, WorldReading, find_world, load, read

Build = Callable[..., Tiny]
W = "world/world.yaml"
RULES, PARAMETERS = "rules: {drama: on}", "parameters: {talk.exchange: 30}"


def spoken(tiny: Tiny, rules: str, parameters: str, *settings: str) -> WorldReading:
    """The tiny world with such rules and parameters, read with all the numbers there really are."""
    text = WORLD.replace(RULES, f"rules: {{{rules}}}").replace(PARAMETERS, f"parameters: {{{parameters}}}")
    tiny.write(W, text)
    return read(tiny.path, settings=settings)


def said(faults: Faults) -> list[str]:
    return [str(f) for f in faults.errors]


@pytest.mark.parametrize(
    ("number", "range_"),
    [
        ("mood.half_life: 0", "between 1 and 525600"),
        ("talk.reach: 0", "between 1 and 30"),
        ("town.vision: 0", "between 1 and 64"),
        ("town.pace: -5", "between 1 and 240"),
        ("talk.exchange: -60", "between 10 and 600"),
        ("talk.rate: -1", "between 0 and 1"),
        ("talk.cap: 0", "between 3 and 60"),
        ("memory.recency: -1", "between 0.01 and 1"),
        ("ties.half_life: 0", "between 0.1 and 36500"),
        ("ties.dmax: -1", "between 0 and 1"),
    ],
)
def test_a_number_out_of_its_range_is_named_with_its_line(tiny_world: Build, number: str, range_: str) -> None:
    line = WORLD[: WORLD.index(PARAMETERS)].count("\n") + 1
    key, value = number.split(": ")
    for parameters, settings, where in (
        (number, (), f"world/world.yaml:{line}: parameters.{key}: {value}"),
        ("", (f"{key}={value}",), f"--set: {key}: {value}"),
    ):
        found = said(spoken(tiny_world(), "", parameters, *settings).faults)
        assert len(found) == 1
        assert found[0].startswith(where)
        assert found[0].endswith(f" is out of range; it must be {range_}")


@pytest.mark.parametrize("key", RANGES)
def test_both_ends_of_a_range_may_be_set(tiny_world: Build, key: str) -> None:
    for end in RANGES[key]:
        assert said(spoken(tiny_world(), "", f"{key}: {end}").faults) == []


@pytest.mark.parametrize(
    ("rules", "parameters", "settings", "on"),
    [
        ("emotion: off", "", (), False),
        ("emotion: on", "", (), True),
        ("", "mood.on: false", (), False),
        ("emotion: off", "mood.on: false", (), False),
        ("emotion: off", "", ("mood.on=true",), True),
        ("emotion: off", "", ("rules.emotion=on",), True),
        ("", "mood.on: false", ("rules.emotion=on",), True),
        ("", "", ("rules.emotion=off",), False),
    ],
)
def test_emotion_off_means_no_moods(
    tiny_world: Build, rules: str, parameters: str, settings: tuple[str, ...], on: bool
) -> None:
    scenario, faults = spoken(tiny_world(), rules, parameters, *settings)
    assert said(faults) == []
    assert scenario is not None
    assert scenario.parameters == ({} if on else {"mood.on": False})
    assert scenario.rules.get("emotion", "on" if on else "off") == ("on" if on else "off")


@pytest.mark.parametrize("rules", ["emotion: off", "emotion: on"])
def test_a_rule_and_a_number_that_contradict_each_other_are_refused(tiny_world: Build, rules: str) -> None:
    number = "mood.on: true" if rules.endswith("off") else "mood.on: false"
    found = said(spoken(tiny_world(), rules, number).faults)
    assert len(found) == 1
    assert f'"{rules}" and "{number}" contradict each other; keep one' in found[0]
    assert found[0].startswith("world/world.yaml:18: ")
    setting = number.replace(": ", "=")
    found = said(spoken(tiny_world(), "", "", "rules." + rules.replace(": ", "="), setting).faults)
    assert len(found) == 1
    assert found[0].startswith("--set: ")


def test_what_is_read_without_a_fault_may_be_gone_on_with(tiny_world: Build) -> None:
    """A save of a right world is never refused later."""
    scenario = spoken(tiny_world(), "emotion: off", "talk.cap: 3").scenario
    assert scenario is not None
    check_scenario(scenario)


def test_a_setting_out_of_range_keeps_a_shipped_world_from_starting() -> None:
    with pytest.raises(WorldFaults, match=r"^--set: mood.half_life: 0.0 is out of range; it must be between 1 and"):
        load(find_world("larkspur"), set=["mood.half_life=0"])


def test_slots_that_could_fill_a_book_are_refused(tiny_world: Build) -> None:
    slots = "".join(f'  deep{i}: ["{{deep{i + 1}}}{{deep{i + 1}}}"]\n' for i in range(25))
    tiny = tiny_world({"data/lines.yaml": LINES + slots + "  deep25: [x]\n"})
    assert "unfolds into too much; use fewer slots within slots" in "".join(map(str, tiny.errors()))
