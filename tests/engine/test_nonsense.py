"""A mind may answer anything that is of the right type: the town goes on, and what it went through can be kept."""

import asyncio
import math
import types
from collections.abc import Sequence
from random import Random
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from lived import again, engine_of, founding, log_of

from sandbox.core.protocols import Answer, Question
from sandbox.core.text import clean
from sandbox.engine.domain import StoodIn
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind

TEXTS = ("", " ", "x" * 50_000, "\x1b[31m[red]boo[/red]\x07", "\ud800", "a\nb\x00c", "sleep", "snap", "confront")
WHOLE = (-(10**9), -1, 0, 1, 5, 11, 2**31, 2**63)
REAL = (math.nan, math.inf, -math.inf, -1e308, -3.0, 0.0, 1 / 3, 1e308)


class Mad:
    """Answers every question with anything of the right type."""

    def __init__(self, world: World, embedded: EmbeddedMind, seed: int) -> None:
        self.embedded = embedded
        self.random = Random(seed)
        self.texts = (*TEXTS, "nobody", *list(world.cast)[:3], *list(world.map.areas)[:3])

    def reads(self, question: Question) -> bool:
        return False

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        sane = await self.embedded.answer(questions, step, wave)
        return [a if type(a).__name__ == "Approached" else self.struct(type(a)) for a in sane]

    def struct(self, kind: Any) -> Any:
        hints = get_type_hints(kind, include_extras=True)
        names = getattr(kind, "_fields", None) or kind.__struct_fields__
        return kind(**{name: "" if name == "fault" else self.made(hints[name]) for name in names})

    def made(self, kind: Any) -> Any:
        origin, args = get_origin(kind), get_args(kind)
        if origin is Annotated:
            return self.made(args[0])
        if origin is Literal:
            return self.random.choice(args)
        if origin in (Union, types.UnionType):
            return self.made(self.random.choice(args))
        if origin is tuple:
            kinds = args[:1] * self.random.choice((0, 1, 3, 60)) if args[-1] is Ellipsis else args
            return tuple(map(self.made, kinds))
        plain = {str: self.texts, int: WHOLE, float: REAL, bool: (False, True), type(None): (None,)}
        return self.random.choice(plain[kind]) if kind in plain else self.struct(kind)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", [1, 2])
def test_an_hour_under_a_mind_that_says_anything_is_lived_kept_and_lived_again(larkspur: Scenario, seed: int) -> None:
    scenario = msgspec.structs.replace(larkspur, step=60)
    world = World.found(founding(scenario))
    engine = engine_of(scenario, Mad(world, EmbeddedMind(world.chance, scenario.lines), seed), world)

    async def live() -> None:
        while world.now < 2 * 3600:
            await engine.step()

    asyncio.run(live())
    records = log_of(engine).all()
    stood = [x for r in records if isinstance(r.event, StoodIn) for x in r.event.answers]
    assert {x.question for x in stood} >= {"PlanDay", "CutBlock", "Exchange", "Accept", "Say"}
    assert all(x.fault == clean(x.fault, 200) for x in stood)
    copy = World.found(founding(scenario))
    for record in again(records):
        copy.apply(record)
    for step in range(1, world.step + 1):
        copy.advance(step)
    assert copy.seq == world.seq
