"""Where two logs part is found by what events say, whatever their numbers are."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from village import build

from sandbox.core.domain import Command
from sandbox.core.events import EventRow
from sandbox.director.model import DealCard, Dealt
from sandbox.engine.domain import Reseed, SetStep
from sandbox.engine.drivers import run_free
from sandbox.store.branch import branch
from sandbox.store.compare import Parting, _Twins, comparable, find_parting, shared_step
from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.store.session import open_session

FORK, LIVED = 200, 340


@pytest.fixture(scope="module")
def trunk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A town of some hours."""
    path = tmp_path_factory.mktemp("trunk") / "a.db"

    async def go() -> None:
        async with open_session("larkspur", seed=7, save=path) as session:
            await run_free(session.engine, steps=LIVED)

    asyncio.run(go())
    return path


async def branched(trunk: Path, out: Path, *commands: Command, steps: int = LIVED - FORK, at: int = FORK) -> Path:
    await branch(trunk, at, out)
    async with open_session(out) as session:
        for command in commands:
            session.engine.do(command)
        await run_free(session.engine, steps=steps)
    return out


async def parted(a: Path, b: Path, until: int | None = None) -> Parting:
    async with await Save.open(a, read_only=True) as one, await Save.open(b, read_only=True) as two:
        return await find_parting(one, two, until)


def kinds(rows: Sequence[EventRow]) -> list[str]:
    return [row.kind for row in rows]


@pytest.mark.slow
async def test_a_branch_that_went_the_same_way_does_not_differ(trunk: Path, tmp_path: Path) -> None:
    found = await parted(trunk, await branched(trunk, tmp_path / "b.db"))
    assert found.shared is not None
    assert (found.shared.step, found.acts, found.first) == (LIVED, ([], []), (None, None))


@pytest.mark.slow
async def test_a_card_that_both_were_dealt_is_no_difference_where_one_had_an_act_more(
    trunk: Path, tmp_path: Path
) -> None:
    rain, ends = DealCard(dealt=Dealt(card="rain")), []
    for name, acts in (("a", ()), ("b", (SetStep(seconds=60),))):
        begun = await branched(trunk, tmp_path / f"{name}1.db", *acts, steps=5)
        ends.append(await branched(begun, tmp_path / f"{name}2.db", rain, at=FORK + 5))
    found = await parted(*ends)
    assert found.first == (None, None)
    assert list(map(kinds, found.acts)) == [[], ["step_set"]]


@pytest.mark.sampled(0)
@pytest.mark.parametrize("turned", [False, True])
async def test_an_act_of_one_save_alone_before_one_of_both_in_a_step_hides_it_not(
    trunk: Path, tmp_path: Path, turned: bool
) -> None:
    rain = DealCard(dealt=Dealt(card="rain"))
    a = await branched(trunk, tmp_path / "a.db", rain)
    b = await branched(trunk, tmp_path / "b.db", SetStep(seconds=60), rain)
    found = await (parted(b, a) if turned else parted(a, b))
    assert found.first == (None, None)
    acts = found.acts[::-1] if turned else found.acts
    assert list(map(kinds, acts)) == [[], ["step_set"]]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("turned", [False, True])
async def test_an_act_that_changes_nothing_shifts_all_numbers_and_is_no_other_difference(
    trunk: Path, tmp_path: Path, turned: bool
) -> None:
    b = await branched(trunk, tmp_path / "b.db", SetStep(seconds=60), SetStep(seconds=60))
    found = await (parted(b, trunk) if turned else parted(trunk, b))
    assert found.shared is not None
    assert found.shared.step == FORK
    assert found.first == (None, None)
    acts = found.acts[::-1] if turned else found.acts
    assert list(map(kinds, acts)) == [[], ["step_set", "step_set"]]


@pytest.mark.slow
async def test_the_first_event_that_came_out_otherwise_is_told_of_both(trunk: Path, tmp_path: Path) -> None:
    b = await branched(trunk, tmp_path / "b.db", Reseed(seed=99))
    found = await parted(trunk, b)
    one, two = found.first
    assert list(map(kinds, found.acts)) == [[], ["reseeded"]]
    assert one is not None
    assert two is not None
    assert (one.kind, one.actor, one.t, one.data) != (two.kind, two.actor, two.t, two.data)
    async with await Save.open(trunk, read_only=True) as a, await Save.open(b, read_only=True) as other:
        after = found.shared.last_seq if found.shared is not None else 0
        mine, theirs = await a.rows(after, one.seq - 1), await other.rows(after + 1, two.seq - 1)
    assert [(r.t, r.kind, r.data) for r in mine] == [(r.t, r.kind, r.data) for r in theirs]


@pytest.mark.slow
async def test_what_comes_after_the_moment_asked_for_is_not_looked_at(trunk: Path, tmp_path: Path) -> None:
    b = await branched(trunk, tmp_path / "b.db", Reseed(seed=99))
    t = min(row.t for row in (await parted(trunk, b)).first if row is not None)
    assert (await parted(trunk, b, t)).first == (None, None)
    assert (await parted(trunk, b, t + 1)).first != (None, None)


async def test_a_save_that_ends_earlier_does_not_differ_by_that(trunk: Path, tmp_path: Path) -> None:
    found = await parted(trunk, await branched(trunk, tmp_path / "b.db", steps=5))
    assert found.first == (None, None)


@pytest.mark.slow
async def test_two_branches_share_what_their_parent_lived(trunk: Path, tmp_path: Path) -> None:
    b = await branched(trunk, tmp_path / "b.db", Reseed(seed=1), steps=3)
    c = await branched(trunk, tmp_path / "c.db", Reseed(seed=2), steps=3, at=FORK - 1)
    async with await Save.open(b, read_only=True) as one, await Save.open(c, read_only=True) as two:
        shared = await shared_step(one, two)
    assert shared is not None
    assert shared.step == FORK - 1


async def test_two_saves_of_one_world_with_other_seeds_share_no_step_and_are_compared(
    trunk: Path, tmp_path: Path
) -> None:
    async with open_session("larkspur", seed=8, save=tmp_path / "b.db") as session:
        await run_free(session.engine, steps=10)
    found = await parted(trunk, tmp_path / "b.db")
    assert found.shared is None
    assert found.first != (None, None)


@pytest.mark.slow
async def test_saves_of_two_towns_are_refused(trunk: Path, tmp_path: Path) -> None:
    async with open_session(build(tmp_path / "village"), save=tmp_path / "b.db") as session:
        await run_free(session.engine, steps=1)
    async with await Save.open(trunk, read_only=True) as one, await Save.open(tmp_path / "b.db", read_only=True) as two:
        with pytest.raises(SaveError, match=r"b\.db: lives another town.*compare two saves of one world"):
            await comparable(one, two)


def row(seq: int, data: str, causes: str = "[]") -> EventRow:
    return EventRow(seq, 9, 540, "posted", 1, "ann", causes, data)


def test_numbers_of_events_are_read_as_those_of_the_other_log() -> None:
    twins = _Twins(100)
    twins.alone(row(101, "{}"))
    twins.pair(row(102, "{}"), row(101, "{}"))
    twins.pair(row(103, "{}"), row(102, "{}"))
    assert twins.same(
        row(104, '{"fact":"#103","cites":102}', "[7,102]"), row(103, '{"fact":"#102","cites":101}', "[7,101]")
    )
    assert not twins.same(row(104, '{"fact":"#103"}'), row(103, '{"fact":"#103"}'))
    assert not twins.same(row(104, '{"n":103}'), row(103, '{"n":102}'))
    assert not twins.same(row(104, "{}", "[101]"), row(103, "{}", "[101]"))
    assert twins.same(row(104, '{"key":"ann #50"}', "[3]"), row(103, '{"key":"ann #50"}', "[3]"))
