"""Reads a script of cards: a YAML file with `steps`."""

from __future__ import annotations

from pathlib import Path

from sandbox.core.faults import Faults
from sandbox.core.fields import Finding
from sandbox.core.structs import add_faults, read
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.director.conditions import odd
from sandbox.director.script import Cue, Script
from sandbox.engine.checking import known_to
from sandbox.engine.loading import WorldFaults
from sandbox.engine.scenario import Scenario

MOST = 1000  # steps, at most


def read_script(path: Path, scenario: Scenario) -> Script:
    """The script in a file, for a world. Raises WorldFaults with all its faults and their lines."""
    faults = Faults()
    r = MappingReader(open_yaml(path, faults))
    values = r.items("steps", need='[{at: "day 1 09:00", deal: "letter to mara: Look at the flour."}]')
    steps = tuple(read(Cue, v.mapping()) for v in values[:MOST])
    r.rest()
    if len(values) > MOST and r.value is not None:
        r.value.fault(f"holds {len(values)} steps; the most is {MOST}")
    known = known_to(scenario)
    for turn, value in zip(steps, values, strict=False):
        if not any(key in value.mapping() for key in ("at", "when")):
            value.fault('has no hour and no condition; add for example `at: "day 1 09:00"`')
        if turn.when is not None:
            add_faults((Finding(turn, "when", o.message) for o in odd(turn.when, known)), faults)
    if faults.errors:
        raise WorldFaults(faults.errors)
    return Script(steps, tuple(v.line for v in values[:MOST]))
