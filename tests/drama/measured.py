"""Towns lived in memory and measured by the table of drama, and the controls that must fail it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from lived import engine_of, run
from msgspec.structs import replace

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Record
from sandbox.engine.loading import find_world, load
from sandbox.engine.scenario import Scenario
from sandbox.people.pressure_model import Began
from sandbox.readers.measures import KEYS, TARGETS, DramaStats, range_words, value
from sandbox.readers.numbers import Measures


def larkspur(seed: int, *settings: str) -> Scenario:
    """Larkspur as it ships."""
    return load(find_world("larkspur"), seed=seed, set=settings)


def measured(scenario: Scenario, days: int, enough: Callable[[DramaStats], bool] | None = None) -> DramaStats:
    """What a reader of its log knows of a town after that many days, or as soon as it is enough: asked each hour."""
    engine = engine_of(scenario)
    drama = DramaStats(engine.world)
    engine.watchers.append(drama.read)
    for _ in range(days * DAY // HOUR):
        run(engine, HOUR // scenario.step)
        if enough is not None and enough(drama):
            break
    return drama


class Miss(NamedTuple):
    """A measure of a day that is out of its range."""

    seed: int
    day: int
    key: str
    x: float | None


def misses(drama: DramaStats, seed: int, until: int) -> list[Miss]:
    """All measures that are out of their range."""
    out = []
    for day in drama.days(until):
        found = drama.whole((day,), until)
        for key in KEYS:
            x, range_ = found[key], TARGETS[key].range(day)
            if range_ is not None and x is not None and not range_.holds(x):
                out.append(Miss(seed, day, key, x))
    return out


def table(found: Mapping[int, Sequence[Measures]]) -> str:
    """seed -> its days, as a table: the least and the most of each measure, how many days keep to it, and the range."""
    lines = [f"{'measure':28}{'least':>10}{'most':>10}{'kept':>10}  range"]
    for key, target in TARGETS.items():
        rows = [(target.range(n), day[key]) for days in found.values() for n, day in enumerate(days, 1) if key in day]
        judged = [(r, x) for r, x in rows if x is not None]
        if judged:
            kept = sum(r is None or r.holds(x) for r, x in judged)
            low, high = min(x for _, x in judged), max(x for _, x in judged)
            share, span = f"{kept}/{len(judged)}", range_words(key, target.later or target.first)
            lines.append(f"{target.label:28}{value(key, low):>10}{value(key, high):>10}{share:>10}  {span}")
    return "\n".join(lines)


# ---- controls: towns whose drama is broken on purpose


def without_pressures(s: Scenario) -> Scenario:
    """Nobody wants anything of anybody, and nothing ever begins."""
    parameters = {**s.parameters, "phones.rules": False}  # which begin something of their own
    still = [replace(o, decides=replace(o.decides, children=())) if o.decides is not None else o for o in s.calendar]
    return replace(
        s,
        pressures=(),
        parameters=parameters,
        drama=replace(s.drama, renewal=(), sparks={}),
        claims=replace(s.claims, breaches=()),
        calendar=tuple(still),
    )


def all_awake(s: Scenario) -> Scenario:
    """Every pressure of the cast is awake from the first minute, felt to the full, and nothing holds anybody back."""
    free = {"pressures.turns": 0.0, "pressures.faces": 0.0, "pressures.ladder": 1.0, "pressures.breaks": 1000}
    awake = tuple(replace(p, wakes=0, intensity=0.9) for p in s.pressures)
    return replace(s, pressures=awake, parameters={**s.parameters, **free, "pressures.rows": 1000})


def unrenewed(s: Scenario) -> Scenario:
    """What the cast brought to the first four days is all there is: talk and phones start nothing, nothing comes from
    outside.
    """
    first = tuple(p for p in s.pressures if p.wakes < 4 * DAY)
    parameters, rules = {**s.parameters, "phones.rules": False}, {**s.rules, "storyteller": "off"}
    return replace(s, pressures=first, parameters=parameters, drama=replace(s.drama, renewal=()), rules=rules)


CONTROLS: dict[str, Callable[[Scenario], Scenario]] = {
    "no pressures": without_pressures,
    "all awake": all_awake,
    "no renewal": unrenewed,
}


def shuffled(records: Sequence[Record]) -> list[Record]:
    """A log in which each pressure was begun by the holder of the next: nobody holds what they have a reason for."""
    begun = [r for r in records if isinstance(r.event, Began)]
    holder = {r.stamp.seq: other.stamp.actor for r, other in zip(begun, begun[1:] + begun[:1], strict=True)}
    return [Record(r.stamp._replace(actor=holder.get(r.stamp.seq, r.stamp.actor)), r.event) for r in records]
