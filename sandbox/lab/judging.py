"""Asking judges: both versions in one prompt, twice, with their places swapped (spec/facts.md, "Judging")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from sandbox.lab.carryover import Talked
from sandbox.lab.pairing import Match
from sandbox.lab.rubrics import Rubric


class Scorer(Protocol):
    """A judge, such as a language model at temperature 0."""

    @property
    def name(self) -> str:
        """What the report calls it."""
        ...

    async def score(
        self, rubric: Rubric, a: Sequence[Talked], b: Sequence[Talked]
    ) -> tuple[float | None, float | None]:
        """A score for version A and one for version B, which stand in one prompt; None = it could not be read."""
        ...


class Scored(NamedTuple):
    """What a judge said once. match: its id. swapped: whether `one` stood second. one, other: scores in the range of
    the criterion, or None. clipped: how many of the two were out of it.
    """

    judge: str
    criterion: str
    match: str
    swapped: bool
    one: float | None
    other: float | None
    clipped: int


async def judge(scorer: Scorer, rubric: Rubric, found: Iterable[Match]) -> list[Scored]:
    """Have a judge score matches, each both ways round."""
    out = []
    for match in found:
        for swapped in (False, True):
            a, b = (match.other, match.one) if swapped else (match.one, match.other)
            said = await scorer.score(rubric, a, b)
            raw = said[::-1] if swapped else said
            kept = [None if x is None else rubric.clipped(x) for x in raw]
            clipped = sum(x is not None and x != y for x, y in zip(raw, kept, strict=True))
            out.append(Scored(scorer.name, rubric.name, match.id, swapped, kept[0], kept[1], clipped))
    return out
