"""What judges are asked: six criteria, read from `rubrics.yaml`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec

from sandbox.core.faults import Faults
from sandbox.core.textfiles import Reader, open_yaml
from sandbox.lab.experiment import LabFaults

FILE = Path(__file__).parent / "rubrics.yaml"
CRITERIA = ("empathy", "appropriateness", "continuity", "believability", "communication", "social_rules")
BOUND = 10


class Rubric(msgspec.Struct, frozen=True):
    """One criterion. of: what is judged, single talks or the series of two people. levels: (score, what it stands for),
    lowest first.
    """

    name: str
    title: str
    of: Literal["talk", "series"]
    lowest: int
    highest: int
    asks: str
    levels: tuple[tuple[int, str], ...]
    rules: tuple[str, ...]

    def clipped(self, score: float) -> float:
        """A score brought into the range."""
        return min(float(self.highest), max(float(self.lowest), score))


@lru_cache(maxsize=1)
def rubrics() -> dict[str, Rubric]:
    """Criterion -> its rubric, in the order of CRITERIA. Raises LabFaults."""
    return read_rubrics(FILE)


def read_rubrics(path: Path) -> dict[str, Rubric]:
    """The rubrics in a file. Raises LabFaults with every fault, by line."""
    faults = Faults()
    r = Reader(open_yaml(path, faults))
    out = {}
    for name in CRITERIA:
        value = r.get(name, need="{title: ..., of: talk, lowest: 0, highest: 10, asks: ..., levels: {...}, rules: []}")
        if value is not None:
            out[name] = _rubric(name, value.mapping())
    r.rest()
    if faults.errors:
        raise LabFaults(faults.errors)
    return out


def _rubric(name: str, r: Reader) -> Rubric:
    lowest = r.integer("lowest", 0, -BOUND, 0, need="0")
    highest = r.integer("highest", BOUND, 0, BOUND, need="10")
    of = r.choice("of", "talk", ("talk", "series"), "thing to judge", need="talk")
    rubric = Rubric(
        name=name,
        title=r.text("title", name, need="Empathy", limit=80),
        of="series" if of == "series" else "talk",
        lowest=lowest,
        highest=highest,
        asks=r.text("asks", need="Do the two notice how the other feels?", limit=1000),
        levels=tuple(sorted(_levels(r.section("levels", need="{0: not at all, 10: wholly}"), lowest, highest))),
        rules=r.texts("rules", limit=400),
    )
    r.rest()
    return rubric


def _levels(section: Reader, lowest: int, highest: int) -> list[tuple[int, str]]:
    out: list[tuple[int, str]] = []
    for key, value in section.entries():
        score = _score(key)
        if score is None or not lowest <= score <= highest:
            section.key_fault(key, f"is no score of {lowest} to {highest}")
        else:
            out.append((score, value.text() or ""))
    return out


def _score(key: str) -> int | None:
    try:
        return int(key)
    except ValueError:
        return None
