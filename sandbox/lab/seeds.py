"""The seeds of an experiment: reading and printing them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sandbox.core.chance import SEED_MAX
from sandbox.core.faults import in_quotes

MOST_SEEDS = 1000
HOW = "write how many (60), a range (401-460) or a list (1,5,401-410)"
_COUNT = re.compile(r"-?[0-9]{1,20}")
_PART = re.compile(r"(-?[0-9]{1,20})(?:-([0-9]{1,20}))?")


def read_seeds(given: int | str | Iterable[int | str]) -> tuple[int, ...]:
    """The seeds, in order. A number alone is how many, from 1 on; items of a list, or between commas, are seeds and
    ranges of them. Raises ValueError that says how to write them.
    """
    if isinstance(given, str) and _COUNT.fullmatch(given.strip()):
        given = int(given)
    if isinstance(given, int):
        if not 1 <= given <= MOST_SEEDS:
            raise ValueError(f"there cannot be {given} seeds; there may be 1 to {MOST_SEEDS:,}")
        return tuple(range(1, given + 1))
    out: set[int] = set()
    for part in given.split(",") if isinstance(given, str) else given:
        ends = _ends(part)
        if len(out) + ends[1] - ends[0] >= MOST_SEEDS:
            raise ValueError(f"there are more than {MOST_SEEDS:,} seeds; name fewer")
        more = range(ends[0], ends[1] + 1)
        if twice := out.intersection(more):
            raise ValueError(f"seed {min(twice)} stands there twice; name each once")
        out.update(more)
    if not out:
        raise ValueError(f"there are no seeds; {HOW}")
    return tuple(sorted(out))


def _ends(part: object) -> tuple[int, int]:
    """The first and last seed of a range; for a single seed both are equal."""
    found = _PART.fullmatch(str(part).strip())
    if found is None:
        raise ValueError(f"{in_quotes(str(part))} is no seed and no range of seeds; {HOW}")
    first, last = int(found[1]), int(found[2] or found[1])
    for seed in (first, last):
        if not 1 <= seed <= SEED_MAX:
            raise ValueError(f"{seed} is out of range; seeds are 1 to {SEED_MAX}")
    if last < first:
        raise ValueError(f"{in_quotes(str(part))} runs backwards; write {last}-{first}")
    return first, last


def seed_ranges(seeds: Sequence[int]) -> list[tuple[int, int]]:
    """Sorted seeds as runs of consecutive ones: (first, last) of each."""
    out: list[tuple[int, int]] = []
    for seed in seeds:
        if out and seed == out[-1][1] + 1:
            out[-1] = out[-1][0], seed
        else:
            out.append((seed, seed))
    return out


def seeds_option(seeds: Sequence[int]) -> str:
    """Seeds as for `--seeds`: "60" for 1 to 60, "401-460", "1,5,7-9", "5-5" for 5 alone."""
    if tuple(seeds) == tuple(range(1, len(seeds) + 1)):
        return str(len(seeds))
    one = len(seeds) == 1
    return ",".join(f"{a}-{b}" if b > a or one else str(a) for a, b in seed_ranges(seeds))


def seeds_text(seeds: Sequence[int]) -> str:
    """Seeds in words: "401 to 460", "1, 5, 7 to 9"."""
    return ", ".join(f"{a} to {b}" if b > a else str(a) for a, b in seed_ranges(seeds))
