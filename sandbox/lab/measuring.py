"""All measures of one replica, from its save."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from sandbox.core.events import r6
from sandbox.lab.carryover import carried, carry_over
from sandbox.lab.diagnostics import (
    THRESHOLD,
    Partition,
    drift,
    kept,
    louvain,
    modularity,
    nmi,
    reciprocity,
    shape,
    strengths,
    symmetrised,
    weighted_reciprocity,
)
from sandbox.lab.pairing import met
from sandbox.lab.reading import Feelings, Reading, read
from sandbox.lab.sentiment import NEGATIVE, Insulting, Sentiment, Toxicity, Vader
from sandbox.people.mood import Pad
from sandbox.store.read import Reader
from sandbox.store.save import Save
from sandbox.stories.measures import EVENTS, Drama
from sandbox.stories.talkreader import measured

Values = dict[str, float | None]
AXES = ("pleasure", "arousal", "dominance")
NETWORK = ("reciprocity", "weighted_reciprocity", "modularity", "nmi", "drift", "drift_raw")
FORM = ("clustering", "largest_component", "path_length", "plain_modularity")
MADE = ("made_reciprocity", "made_modularity")
HOURLY = ("reciprocity", "modularity", "density", *MADE)
LEAST = 1e-6  # the smallest gain that counts in a network of what a run has made: feelings move by .01 a talk


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
        reading = await read(save)
        values = await _told(save)
        answered = await save.answered()
    hours = [_snapshot(reading.people, hour) for hour in reading.hours]
    made = [_snapshot(reading.people, _made(reading.hours[0], hour), LEAST) for hour in reading.hours]
    sentiment = Vader()
    carry = carry_over(carried(reading.talks, sentiment))
    all_lines = carry_over(carried(reading.talks, sentiment, lines=0))
    values |= {
        **hours[-1].ends,
        **_form(reading.people, reading.hours[-1]),
        **_changes(hours),
        **{f"made_{k}": v for k, v in {**made[-1].ends, **_changes(made)}.items() if k in NETWORK},
        **_felt(reading.moods),
        **_said(reading, sentiment),
        "carry_over": carry.value,
        "carry_over_all": all_lines.value,
        "feeling_moved": _mean(abs(w) for w in _made(reading.hours[0], reading.hours[-1]).values()),
        "talks": float(len(reading.talks)),
        "declined": float(reading.declined),
        "reflections": float(reading.reflections),
        "stood_in": float(reading.stood_in),
    }
    return Measured(
        values={k: _finite(v) for k, v in sorted(values.items())},
        start={k: _finite(v) for k, v in hours[0].ends.items()},
        hourly={key: [_finite(hour.ends[key]) for hour in hours] for key in HOURLY if key not in MADE}
        | {key: [_finite(hour.ends[key.removeprefix("made_")]) for hour in made] for key in MADE},
        moods={axis: [r6(_mean(pad[i] for pad in pads)) for pads in reading.moods] for i, axis in enumerate(AXES)},
        carried={
            "correlation": _finite(carry.correlation),
            "shuffled": _finite(carry.shuffled),
            "pairs": float(carry.pairs),
            "people": float(carry.people),
        },
        met=met(reading.talks),
        answered=answered,
        stood_in=reading.stood_in,
    )


async def _told(save: Reader) -> Values:
    """What readers of stories make of it."""
    talk = (await measured(save, lambda done, of: None)).stats
    drama = Drama(await save.beginning())
    drama.read(await save.records(EVENTS, 0, save.last_seq))
    found = drama.whole(drama.days(save.now), save.now)
    return {
        "changed_by_mood": talk["changed_by_mood"],
        "decisions_changed": talk["decisions_changed_without_emotion"],
        "distinct_4": talk["distinct_4"],
        "incidents": found["incidents"],
        "quarrels": found["quarrels"],
    }


class _Snapshot(msgspec.Struct, frozen=True):
    """A network at one moment. ends: what can be said of it alone."""

    ends: Values
    communities: Partition
    strength: dict[str, float]


def _snapshot(people: Sequence[str], feelings: Feelings, threshold: float = THRESHOLD) -> _Snapshot:
    arcs = kept(feelings, threshold)
    pairs = symmetrised(arcs)
    communities = louvain(pairs)
    ends: Values = {
        "reciprocity": reciprocity(arcs),
        "weighted_reciprocity": weighted_reciprocity(arcs),
        "modularity": modularity(pairs, communities),
        "density": 2.0 * len(pairs) / (len(people) * (len(people) - 1)) if len(people) > 1 else None,
    }
    return _Snapshot(ends, communities, strengths(pairs))


def _form(people: Sequence[str], feelings: Feelings) -> Values:
    if len(people) < 2:
        return dict.fromkeys(FORM)
    form = shape(people, symmetrised(kept(feelings)))
    return dict(zip(FORM, (form.clustering, form.largest, form.path, form.modularity), strict=True))


def _made(start: Feelings, now: Feelings) -> Feelings:
    """Feelings as if everybody had begun at 0 towards everybody: what was added since."""
    return {arc: r6(w - start.get(arc, 0.0)) for arc, w in now.items()}


def _changes(hours: Sequence[_Snapshot]) -> Values:
    """How much changes from one hour's end to the next, mean over those that can be compared."""
    between: list[tuple[str, Callable[[_Snapshot, _Snapshot], float | None]]] = [
        ("nmi", lambda a, b: nmi(a.communities, b.communities)),
        ("drift", lambda a, b: drift(a.communities, b.communities, a.strength)),
        ("drift_raw", lambda a, b: drift(a.communities, b.communities, a.strength, matched=False)),
    ]
    out: Values = {}
    for key, measure in between:
        found = [x for a, b in pairwise(hours[1:]) if (x := measure(a, b)) is not None]
        out[key] = _mean(found) if found else None
    return out


def _felt(moods: Sequence[Sequence[Pad]]) -> Values:
    """moods: of all, at each moment."""
    of_each = list(zip(*moods, strict=True))
    return {
        "pleasure_range": _mean(max(p.p for p in pads) - min(p.p for p in pads) for pads in of_each),
        "intensity": _mean(math.sqrt(p.p * p.p + p.a * p.a + p.d * p.d) for pads in moods for p in pads),
    }


def _said(reading: Reading, sentiment: Sentiment) -> Values:
    toxic: Toxicity = Insulting(sentiment)
    lines = [text for talk in reading.talks for _, text in talk.lines]
    heard = [sentiment(text) for text in lines]
    return {
        "lines": float(len(lines)),
        "sentiment": _mean(heard) if lines else None,
        "negative_lines": _mean(float(x <= NEGATIVE) for x in heard) if lines else None,
        "toxic_lines": _mean(float(toxic(text)) for text in lines) if lines else None,
    }


def _mean(numbers: Iterable[float]) -> float:
    known = list(numbers)
    return math.fsum(known) / len(known)


def _finite(x: float | None) -> float | None:
    """Six decimals, as events carry them; what is no number is nothing."""
    return r6(float(x)) if x is not None and math.isfinite(x) else None
