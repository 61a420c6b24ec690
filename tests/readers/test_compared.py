"""Two saves side by side: what is told of them is what stands in them."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from sandbox.engine.domain import SetStep
from sandbox.engine.drivers import run_free
from sandbox.people.mood_queries import mood_of
from sandbox.readers.save_compare import SaveComparison, compare_saves
from sandbox.readers.story import Notable, default_notable
from sandbox.readers.timeline import Timeline
from sandbox.store.branch import branch
from sandbox.store.save import Save
from sandbox.store.session import open_session

pytestmark = pytest.mark.slow

FORK, LIVED = 60, 300


class Pair(NamedTuple):
    """A save, a branch of it that went another way, and one that was only told how long a step is."""

    a: Path
    b: Path
    same: Path


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    folder = tmp_path_factory.mktemp("pair")
    a, b, same = (folder / f"{name}.db" for name in ("a", "b", "same"))

    async def go() -> None:
        async with open_session("larkspur", seed=7, save=a) as session:
            await run_free(session.engine, steps=LIVED)
        for path, seed in ((b, 99), (same, None)):
            await branch(a, FORK, path)
            async with open_session(path, seed=seed) as session:
                if seed is None:
                    session.engine.do(SetStep(seconds=60))
                await run_free(session.engine, steps=LIVED - FORK)

    asyncio.run(go())
    return Pair(a, b, same)


async def of(a: Path, b: Path, t: int | None = None, notable: Notable | None = None) -> SaveComparison:
    async with await Save.open(a, read_only=True) as one, await Save.open(b, read_only=True) as two:
        return await compare_saves(one, two, t, notable)


async def rows_of(path: Path) -> Counter[str]:
    """The notable rows after the fork, as any reader of all events of a save tells them; of talks not how long."""
    async with await Save.open(path, read_only=True) as save:
        world = await save.beginning()
        timeline = Timeline(world.handbook, world.clock)
        told = timeline.read(await save.records(world.registry.events, 1, save.last_seq))
    rows = [row for row in told if row.weight >= timeline.notable.line and row.t >= FORK * 60]
    return Counter(re.sub(r" \(\d+ lines?\)$", "", row.text) for row in rows)


async def test_the_end_is_told_as_both_towns_stand(pair: Pair) -> None:
    found = await of(pair.a, pair.b)
    async with await Save.open(pair.a, read_only=True) as one, await Save.open(pair.b, read_only=True) as two:
        x, y = await one.seek(), await two.seek()
    assert found.t == x.now == y.now
    assert found.moods
    assert [m.apart for m in found.moods] == sorted((m.apart for m in found.moods), reverse=True)
    for m in found.moods:
        assert m.moods == (mood_of(x, m.who, found.t), mood_of(y, m.who, found.t))
    for tie in found.ties:
        feelings = [w.people.ties.get(tie.who, {}).get(tie.whom) for w in (x, y)]
        assert [s.feeling for s in tie.stand] == [0.0 if f is None else f.feeling for f in feelings]
    assert len(x.claims.open) - len(found.claims[0]) == len(y.claims.open) - len(found.claims[1])
    assert not set(found.claims[0]) & set(found.claims[1])
    assert all(a != b for a, b in (w.places for w in found.where))


async def test_notable_rows_are_those_that_the_whole_log_tells_and_the_other_lacks(pair: Pair) -> None:
    found = await of(pair.a, pair.b)
    mine, theirs = await rows_of(pair.a), await rows_of(pair.b)
    told = [Counter(row.text for row in rows) for rows in found.rows]
    assert told == [mine - theirs, theirs - mine]
    assert all(told)


async def test_where_they_part_is_told_in_sentences(pair: Pair) -> None:
    found = await of(pair.a, pair.b)
    assert [[x.text for x in acts] for acts in found.acts] == [[], ["From here on chance is another"]]
    one, two = found.first
    assert one is not None
    assert two is not None
    assert one.text != two.text
    assert not found.same


async def test_turned_round_it_is_the_same_turned_round(pair: Pair) -> None:
    one, two = await of(pair.a, pair.b), await of(pair.b, pair.a)
    assert two.first == one.first[::-1]
    assert two.claims == one.claims[::-1]
    assert [[r.text for r in rows] for rows in two.rows] == [[r.text for r in rows] for rows in one.rows[::-1]]
    assert [(m.who, m.words) for m in two.moods] == [(m.who, m.words[::-1]) for m in one.moods]


async def test_an_act_that_changed_nothing_is_all_that_is_told(pair: Pair) -> None:
    found = await of(pair.a, pair.same)
    assert [[x.kind for x in acts] for acts in found.acts] == [[], ["step_set"]]
    assert (found.first, found.rows, found.claims) == ((None, None), ([], []), ([], []))
    assert (found.moods, found.ties, found.where) == ([], [], [])


@pytest.mark.slow
async def test_at_the_fork_nothing_differs_and_a_moment_beyond_the_end_is_the_end(pair: Pair) -> None:
    assert (await of(pair.a, pair.b, FORK * 60)).same
    assert (await of(pair.a, pair.b, 10**9)).t == LIVED * 60


@pytest.mark.slow
async def test_where_talks_are_notable_what_was_said_is_read(pair: Pair) -> None:
    low = Notable({**default_notable().weights, "notable": 3.0})
    usually, all_told = await of(pair.a, pair.b), await of(pair.a, pair.b, notable=low)
    assert sum(map(len, all_told.rows)) > sum(map(len, usually.rows))
