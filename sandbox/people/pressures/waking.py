"""When the pressures of the cast wake in one town: as its files say, but no two towns begin alike."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandbox.core.chance import Chance
from sandbox.core.clock import DAY
from sandbox.people.persona import Pressure


def dealt(pressures: Sequence[Pressure], chance: Chance, most: int) -> tuple[Pressure, ...]:
    """The pressures with the seconds at which they wake and fall due in the town of that seed.

    Those of a kind that wait for no hour draw lots for theirs, and come up to `most` days later if they are not awake
    from the first. One with an hour comes up to `drift` days later, hour and all.
    """
    lots: dict[str, list[int]] = {}
    for p in pressures:
        if p.due is None:
            lots.setdefault(p.kind, []).append(p.wakes)
    for kind, drawn in lots.items():
        chance.stream(0, kind, "wakes").shuffle(drawn)
    out = []
    for p in pressures:
        wakes = lots[p.kind].pop() if p.due is None else p.wakes
        days = p.drift if p.due is not None else most if wakes else 0
        later = DAY * chance.stream(0, p.id, "drift").below(days + 1)
        out.append(replace(p, wakes=wakes + later, due=None if p.due is None else p.due + later))
    return tuple(out)
