"""Reading the goals that a world offers its player: `goals.yaml`."""

from __future__ import annotations

from pathlib import Path

from sandbox.core.faults import Faults
from sandbox.core.structs import read
from sandbox.core.textfiles import Reader, open_yaml
from sandbox.director.goals.model import Aim


def read_aims(path: Path, faults: Faults) -> tuple[Aim, ...]:
    """The goals of a world. One without the file has none."""
    if not path.exists():
        return ()
    root = Reader(open_yaml(path, faults))
    out = tuple(read(Aim, v.mapping()) for v in root.items("goals", need="[]"))
    root.rest()
    return out
