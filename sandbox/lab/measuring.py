"""All measures of one replica, from its save."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

import msgspec

from sandbox.core.events import r6
from sandbox.lab.material import Material, Values, mean
from sandbox.lab.metrics import METRICS
from sandbox.lab.pairing import met
from sandbox.store.save import Save

AXES = ("pleasure", "arousal", "dominance")
MADE = ("made_reciprocity", "made_modularity")
HOURLY = ("reciprocity", "modularity", "density", *MADE)


class Measured(msgspec.Struct, frozen=True):
    """values: metric -> its value, None if there was nothing to measure. start: what can be said of the network as the
    cast begins. hourly: HOURLY at the start and at the end of each hour. moods: the mean of each of AXES, at the start
    and at the end of each step. carried: parts of the carry-over. met: how often any two talked. answered: calls of
    models that gave an answer; stood_in: answers that the embedded mind gave instead of a model.
    """

    values: Values
    start: Values
    hourly: dict[str, list[float | None]]
    moods: dict[str, list[float]]
    carried: Values
    met: dict[str, int]
    answered: int = 0
    stood_in: int = 0


def measure_one(path: str) -> Measured:
    """Measure a save. Raises SaveError."""
    return asyncio.run(_measure(Path(path)))


async def _measure(path: Path) -> Measured:
    async with await Save.open(path, read_only=True) as save:
        m = await Material.of(save)
        answered = await save.answered()
    carry = m.carry
    return Measured(
        values={key: _finite(metric.of(m)) for key, metric in sorted(METRICS.items())},
        start={k: _finite(v) for k, v in m.hours[0].ends.items()},
        hourly={key: [_finite(hour.ends[key]) for hour in m.hours] for key in HOURLY if key not in MADE}
        | {key: [_finite(hour.ends[key.removeprefix("made_")]) for hour in m.made] for key in MADE},
        moods={axis: [r6(mean(pad[i] for pad in pads)) for pads in m.reading.moods] for i, axis in enumerate(AXES)},
        carried={
            "correlation": _finite(carry.correlation),
            "shuffled": _finite(carry.shuffled),
            "pairs": float(carry.pairs),
            "people": float(carry.people),
        },
        met=met(m.reading.talks),
        answered=answered,
        stood_in=m.reading.counts["stood_in"],
    )


def _finite(x: float | None) -> float | None:
    """Six decimals, as events carry them; what is no number is nothing."""
    return r6(float(x)) if x is not None and math.isfinite(x) else None
