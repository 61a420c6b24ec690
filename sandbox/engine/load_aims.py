"""Reads the goals that a world offers its player: `goals.yaml`."""

from __future__ import annotations

from pathlib import Path

from sandbox.core.faults import Faults
from sandbox.core.structs import read
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.director.goal_domain import PlayerGoal


def read_aims(path: Path, faults: Faults) -> tuple[PlayerGoal, ...]:
    """The goals of a world; none if it lacks the file."""
    if not path.exists():
        return ()
    root = MappingReader(open_yaml(path, faults))
    out = tuple(read(PlayerGoal, v.mapping()) for v in root.items("goals", need="[]"))
    root.rest()
    return out
