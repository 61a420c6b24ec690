"""How notable what happens is: the table of `sandbox/data/notable.yaml`, and a player's own beside the settings.

Everything that weighs an event asks here: the timeline, talks as stories, what time stops at, alerts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from sandbox.core.faults import Faults, unknown
from sandbox.core.places import data_dir
from sandbox.core.textfiles import MappingReader, Value, open_yaml

NAME = "notable.yaml"
MOST, MOST_EACH = 10.0, 100.0
EACH = "each"


@dataclass(frozen=True)
class Notable:
    """Weights by dotted key: "talk.tense", "notable"."""

    weights: Mapping[str, float]

    def __getitem__(self, key: str) -> float:
        return self.weights[key]

    def get(self, key: str, default: str) -> float:
        """The weight of a key, or of another where there is none."""
        return self.weights[key if key in self.weights else default]

    def grown(self, what: str, base: float, size: float) -> float:
        """A weight and what a change of that size adds to it, at most 10. what: a section that has `each`."""
        return min(MOST, base + min(self[f"{what}.most"], self[f"{what}.{EACH}"] * abs(size)))

    @property
    def line(self) -> float:
        """From here on a row is notable."""
        return self["notable"]


@cache
def default_notable() -> Notable:
    """The table that ships."""
    faults = Faults()
    found = _read(data_dir() / NAME, {}, faults)
    assert not len(faults), "\n".join(map(str, faults))
    return Notable(MappingProxyType(found))


def table_of(folder: Path, faults: Faults) -> Notable:
    """The table that ships, with the numbers in it of one in a folder of settings, if there is one.

    What is wrong there is among the faults, and left out.
    """
    path = folder / NAME
    return (
        Notable(MappingProxyType(_read(path, default_notable().weights, faults)))
        if path.exists()
        else default_notable()
    )


def _read(path: Path, known: Mapping[str, float], faults: Faults) -> dict[str, float]:
    """known: what may be given, and stands where it is not; empty: whatever is given is right."""
    out = dict(known)
    for key, value in MappingReader(open_yaml(path, faults)).entries():
        if value.is_mapping:
            for inner, number in value.mapping().entries():
                _take(out, known, f"{key}.{inner}", number)
        else:
            _take(out, known, key, value)
    return out


def _take(out: dict[str, float], known: Mapping[str, float], key: str, value: Value) -> None:
    section, _, last = key.rpartition(".")
    if known and key not in known:
        sections = {k.partition(".")[0] for k in known if "." in k}
        if not section and key in sections:
            value.fault("is no mapping; write its keys beneath, each with a number")
        elif section and section not in sections:
            value.fault(unknown("section", section, sections))
        else:
            inside = {k.rpartition(".")[2] for k in known if k.rpartition(".")[0] == section}
            value.fault(unknown("key", last, inside))
        return
    number = value.number(0, MOST_EACH if last == EACH else MOST)
    if number is not None:
        out[key] = number
