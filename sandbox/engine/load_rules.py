"""Reads `rules`, `policy` and `parameters` of a world, and the settings of a command over them (`--set KEY=VALUE`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from yaml.error import Mark
from yaml.nodes import ScalarNode

from sandbox.core.faults import Faults, in_quotes, unknown
from sandbox.core.structs import value_reader
from sandbox.core.textfiles import MappingReader, Value
from sandbox.core.yamlnodes import PLAIN_TAG
from sandbox.engine.registry import REGISTRY
from sandbox.feed.parameters import FeedParameters
from sandbox.policy.model import PolicyParameters

SWITCHES: dict[str, tuple[str, ...]] = {
    "drama": ("on", "off"),
    "emotion": ("on", "off"),
    "storyteller": ("off", "calm", "steady", "stormy"),
}
POLICY = PolicyParameters.__struct_fields__  # keys of `policy`, which may also stand as `policy.KEY` in `parameters`
MOOD = "mood.on"  # the parameter that `rules: {emotion: off}` sets


class WorldRules(NamedTuple):
    """The switches of a world, and the parameters that differ from the defaults."""

    switches: dict[str, str]
    parameters: dict[str, Any]

    @property
    def feed(self) -> FeedParameters:
        """The parameters of its feed."""
        found: FeedParameters = REGISTRY.tuned(self.parameters)["feed"]
        return found


def read_rules(reader: MappingReader, settings: Iterable[str], faults: Faults) -> WorldRules:
    """The rules and parameters in a world's file, overridden by the command line's settings."""
    out = WorldRules({}, {})
    said: dict[str, Any] = {}
    section, numbers = reader.section("rules"), reader.section("parameters")
    for key, value in section.named(SWITCHES, "rule"):
        _rule(key, value, out, said)
    for key, value in numbers.named(REGISTRY.parameters, "parameter"):
        _parameter(key, value, out, said)
    for key, value in reader.section("policy").named(POLICY, "setting of a policy"):
        _parameter(f"policy.{key}", value, out, said)
    _join(said, out, lambda m: section.key_fault("emotion", m))
    said = {}
    for setting in settings:
        _set(setting, out, said, faults)
    _join(said, out, lambda m: faults.add("--set", 0, 0, m))
    return out


def _rule(key: str, value: Value, out: WorldRules, said: dict[str, Any]) -> None:
    got = value.choice(SWITCHES[key], f"setting of {key}")
    if got is not None:
        out.switches[key] = said[key] = got


def _parameter(key: str, value: Value, out: WorldRules, said: dict[str, Any]) -> None:
    got = value_reader(REGISTRY.parameters[key].type, **REGISTRY.parameters[key].more)(value)
    if got is not None:
        said[key] = got
        _put(key, got, out)


def _put(key: str, got: Any, out: WorldRules) -> None:
    out.parameters.pop(key, None)
    if got != REGISTRY.parameters[key].default:
        out.parameters[key] = got


def _join(said: Mapping[str, Any], out: WorldRules, fault: Callable[[str], object]) -> None:
    """Make the switch `emotion` and the parameter `mood.on` agree. said: both values in one source."""
    switch, on = said.get("emotion"), said.get(MOOD)
    if switch is not None and on is not None and (switch == "on") != on:
        fault(f'"emotion: {switch}" and "{MOOD}: {str(on).lower()}" contradict each other; keep one')
    elif switch is not None:
        _put(MOOD, switch == "on", out)
    elif on is not None and "emotion" in out.switches:
        out.switches["emotion"] = "on" if on else "off"


def _set(setting: str, out: WorldRules, said: dict[str, Any], faults: Faults) -> None:
    """Apply one setting, such as `talk.cooldown=30` or `rules.emotion=off`."""
    key, equals, text = setting.partition("=")
    key, text = key.strip(), text.strip()
    if not equals:
        faults.add("--set", 0, 0, f"{in_quotes(setting)} has no value; write key=value")
        return
    mark = Mark("--set", 0, -1, -1, None, 0)
    value = Value(ScalarNode(PLAIN_TAG, text, mark, mark), key, "--set", faults)
    rule = key.removeprefix("rules.")
    if rule in SWITCHES and rule != key:
        _rule(rule, value, out, said)
    elif rule != key:
        value.fault(unknown("rule", rule, SWITCHES))
    elif key in REGISTRY.parameters:
        _parameter(key, value, out, said)
    else:
        faults.add("--set", 0, 0, unknown("parameter", key, REGISTRY.parameters))
