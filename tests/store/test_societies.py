"""A society whose every step is kept in a save."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import networkx as nx
import pytest
from click.testing import CliRunner

from sandbox.cli.main import cli
from sandbox.engine.loading import find_world, load
from sandbox.society import BetaGranter, Growth, GrowthParameters
from sandbox.society.granters import ALIGNED
from sandbox.store.branch import branch
from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.store.session import create_save, open_session
from sandbox.store.societies import open_society
from sandbox.store.verify import verify

PARAMETERS = GrowthParameters(steps=12, beta=0.5)


async def grow(path: Path, steps: int, granter: BetaGranter, parameters: GrowthParameters | None = None) -> Growth:
    async with open_society(path, parameters, granter, seed=None if parameters is None else 4) as society:
        for _ in range(steps):
            society.step()
            await society.end_step()
        return society


class Refuses(BetaGranter):
    """Is asked nothing."""

    def grant(self, *args: object) -> None:  # type: ignore[override]
        raise AssertionError("nobody is asked for what has grown")


def alone(steps: int) -> Growth:
    growth = Growth(PARAMETERS, BetaGranter(ALIGNED), 4)
    for _ in range(steps):
        growth.step()
    return growth


def same(one: Growth, other: Growth) -> bool:
    arcs = ({pair: weight.tolist() for pair, weight in growth.arcs.items()} for growth in (one, other))
    return next(arcs) == next(arcs) and (one.runs.asked.mass == other.runs.asked.mass).all()


async def test_a_society_goes_on_from_its_file_as_if_it_had_never_been_closed(tmp_path: Path) -> None:
    path = tmp_path / "pairs.db"
    await grow(path, 5, BetaGranter(ALIGNED), PARAMETERS)
    assert same(await grow(path, 7, BetaGranter(ALIGNED)), alone(12))
    listed = msgspec.structs.replace(PARAMETERS, trials=[3, 3, 3])
    assert same(await grow(path, 0, Refuses(), listed), alone(12)), "what has grown needs no granter"
    async with await Save.open(path, read_only=True) as save:
        verdict = await verify(save)
        assert (verdict.ok, verdict.steps, verdict.events) == (True, 13, 14)


async def test_a_branch_ends_where_it_is_cut_and_goes_on_with_another_granter(tmp_path: Path) -> None:
    path, cut = tmp_path / "pairs.db", tmp_path / "cut.db"
    await grow(path, 8, BetaGranter(ALIGNED), PARAMETERS)
    await branch(path, 5, cut)
    assert same(await grow(cut, 0, Refuses()), alone(5))
    other = await grow(cut, 3, BetaGranter())
    assert not same(other, alone(8))
    assert (await grow(path, 0, Refuses())).runs.number == 8


async def test_what_is_no_society_or_has_other_parameters_is_refused_and_left_alone(tmp_path: Path) -> None:
    path, other = tmp_path / "pairs.db", tmp_path / "county.db"
    await grow(path, 2, BetaGranter(), PARAMETERS)
    with pytest.raises(SaveError, match="parameters of its own"):
        await grow(path, 1, BetaGranter(), GrowthParameters(steps=99))
    journal = await create_save(load(find_world("county"), set=("feed.crowd=20",)), other)
    async with journal:
        world = await journal.beginning()
        world.advance(1)
        await journal.write(1, world.now, [], world.snapshot)
        await journal.settle()
    with pytest.raises(SaveError, match="no society"):
        await grow(other, 1, BetaGranter())
    async with await create_save(load(find_world("county"), set=("feed.crowd=20",)), other, force=True):
        pass
    with pytest.raises(SaveError, match="no society"):
        await grow(other, 1, BetaGranter(), PARAMETERS)
    await grow(tmp_path / "begun.db", 0, BetaGranter(), PARAMETERS)
    with pytest.raises(SaveError, match="no step, and no parameters"):
        await grow(tmp_path / "begun.db", 1, BetaGranter())
    with pytest.raises(SaveError, match="has the seed 4"):
        async with open_society(path, seed=5):
            raise AssertionError("it opens")
    with pytest.raises(SaveError, match="is a society"):
        async with open_session(path):
            raise AssertionError("it is lived")
    with pytest.raises(ValueError, match="neither steps nor agents"):
        await grow(tmp_path / "none.db", 1, BetaGranter(), GrowthParameters(steps=0))
    assert not (tmp_path / "none.db").exists()


def test_its_network_goes_out_as_a_graph_and_as_a_list_of_arcs(tmp_path: Path) -> None:
    path = tmp_path / "pairs.db"
    society = asyncio.run(grow(path, 6, BetaGranter(ALIGNED), PARAMETERS))
    for form in ("gexf", "csv"):
        told = CliRunner().invoke(cli, ["export", str(path), "--what", "society", "--out", str(tmp_path / f"a.{form}")])
        assert told.exit_code == 0, told.output
    read = nx.read_gexf(tmp_path / "a.gexf", node_type=int)
    assert {(a, b): d["weight"] for a, b, d in read.edges(data=True)} == {
        pair: pytest.approx(weight.sum()) for pair, weight in society.arcs.items()
    }
    assert [read.nodes[i]["type"] == "R" for i in range(society.agents)] == society.types.tolist()
    rows = [line.split(",") for line in (tmp_path / "a.csv").read_text().splitlines()]
    assert rows[0] == ["source", "target", "source_type", "target_type", "tokens", "rounds", "effort", "weight"]
    assert float(rows[1][7]) == pytest.approx(sum(map(float, rows[1][4:7])))
    assert all((row[2] == "R") == society.types[int(row[0])] for row in rows[1:])
    assert len(rows) == 1 + len(society.arcs)
    half = CliRunner().invoke(cli, ["export", str(path), "--what", "society", "--at", "3", "--out", "-"])
    assert len(half.output.splitlines()) == len(alone(3).arcs)
    none = CliRunner().invoke(cli, ["export", str(path), "--what", "moods", "--format", "gexf"])
    assert "goes with --what ties or society" in none.output


async def test_steps_that_do_not_follow_are_refused_by_the_world_that_keeps_them(tmp_path: Path) -> None:
    async with open_society(tmp_path / "pairs.db", PARAMETERS, BetaGranter(), seed=4) as society:
        society.step()
        society._waiting = society._waiting[:1] + society._waiting[1:] * 2
        with pytest.raises(ValueError, match="does not follow"):
            await society.end_step()
