"""Ties change what people do: with the numbers of all pairs shuffled, many turn to somebody else."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from lived import engine_of, log_of, run
from msgspec.structs import replace

from sandbox.core.events import Record
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.feed.action_context import TownMeans
from sandbox.feed.events import Commented, Connected, Messaged, Quoted, Reacted, Reposted
from sandbox.people.handlers import tie
from sandbox.people.model import Planned
from sandbox.people.pressure_model import Sought
from sandbox.phones.seeing import resident_of
from sandbox.talk.model import Opened

LAST, EVERY = 16 * 20, 4  # of steps of three minutes: to the end of the evening
Choice = tuple[str, str]


def copied(w: World) -> World:
    """The same world again, to be gone on with by itself."""
    kept = (w.scenario, w.registry)
    out = copy.deepcopy(w, {id(x): x for x in kept})
    out.means = TownMeans(out)  # the old ones look at the old world
    return out


def shuffled(w: World, chance: Random) -> World:
    """That world with the two numbers of all ordered pairs dealt anew."""
    out = copied(w)
    ties = [tie(out.people, u, v) for u in out.cast for v in out.cast if u != v]
    numbers = [(t.closeness, t.feeling) for t in ties]
    chance.shuffle(numbers)
    for t, (closeness, feeling) in zip(ties, numbers, strict=True):
        t.closeness, t.feeling = closeness, feeling
    return out


def partners(w: World, records: Sequence[Record]) -> dict[Choice, tuple[str, ...]]:
    """Who has chosen whom for what in a step."""
    out: dict[Choice, list[str]] = {}

    def chose(who: str, what: str, whom: str) -> None:
        out.setdefault((who, what), []).append(whom)

    def whose(card: int) -> str:
        return resident_of(w, w.feed.posts.author.item(card)) or f"card {card}"

    for at, e in records:
        if isinstance(e, Opened):
            chose(at.actor, "talks", e.other)
        elif isinstance(e, Sought):
            chose(at.actor, "looks for", e.whom)
        elif isinstance(e, Planned):
            for b in e.blocks:
                if b.whom or b.do == "visit":
                    chose(at.actor, "visits", b.whom or b.where)
        elif isinstance(e, Messaged):
            chose(at.actor, "writes to", str(e.to))
        elif isinstance(e, Connected):
            chose(at.actor, e.act, str(e.other))
        elif isinstance(e, Reacted) and e.on == "post":
            chose(at.actor, e.act, whose(e.target))
        elif isinstance(e, Commented):
            chose(at.actor, "comments", whose(e.post))
        elif isinstance(e, Quoted | Reposted):
            chose(at.actor, e.KIND, whose(e.via))
    return {choice: tuple(whom) for choice, whom in out.items()}


@pytest.mark.slow
def test_with_shuffled_ties_a_third_of_choices_falls_on_somebody_else(larkspur: Scenario) -> None:
    """One step at a time, from the same state and with the same chance."""
    s, chance = replace(larkspur, step=180), Random(1)
    engine = run(engine_of(s), 20)
    made: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    for _ in range((LAST - 20) // EVERY):
        other = run(engine_of(s, world=shuffled(engine.world, chance)), 1)
        run(engine, 1)
        own = partners(engine.world, log_of(engine).steps[-1])
        theirs = partners(other.world, log_of(other).steps[-1])
        for choice, whom in own.items():
            made[choice[1]] += 1
            changed[choice[1]] += theirs.get(choice) != whom
        run(engine, EVERY - 1)
    told = {what: f"{changed[what]} of {n}" for what, n in made.most_common()}
    assert made.total() >= 150, told
    assert changed.total() >= 0.3 * made.total(), told
    for what in ("talks", "like"):
        assert changed[what] >= 0.2 * made[what], told


@pytest.mark.slow
def test_a_copy_goes_on_as_the_world_it_is_of(larkspur: Scenario) -> None:
    """What the measure rests on."""
    s = replace(larkspur, step=180)
    engine = run(engine_of(s), 30)
    again = engine_of(s, world=copied(engine.world))
    assert log_of(run(engine, 3)).all()[-40:] == log_of(run(again, 3)).all()[-40:]
