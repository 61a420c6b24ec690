"""You against the bandit: the same stretch with a learner in the seat that was taken by hand."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from sandbox.lab.seats import play_match, rows
from sandbox.policy.model import HAND, PolicyParameters, Steer, SteerByHand
from sandbox.store.errors import SaveError
from sandbox.store.save import read_save
from sandbox.store.session import open_session

BUSY = (
    "feed.crowd=120", "feed.tick=60", "crowd.activity=0.9", "crowd.posts=0.5", "phones.looks=0",
    "policy.objective=engagement",
)  # fmt: skip


async def played(path: Path, back: bool) -> Path:
    """A town whose seat somebody took after two minutes, to show followed users only. back: they gave it up, too."""
    async with open_session("larkspur", seed=5, save=path, set=BUSY) as session:
        world, engine = session.world, session.engine
        orders = {120: Steer(settings=PolicyParameters(learner=HAND, objective="engagement")),
                  180: SteerByHand(mix=(1.0, 0.0, 0.0)),
                  480: Steer(settings=PolicyParameters())}  # fmt: skip
        while world.now < 600:
            if (order := orders.pop(world.now, None)) is not None and (back or world.now < 480):
                engine.do(order)
            await engine.step()
    return path


@pytest.mark.parametrize("back", [False, True], ids=["kept", "given up"])
async def test_both_sides_have_the_same_rounds_and_the_save_stays_as_it_is(tmp_path: Path, back: bool) -> None:
    path = await played(tmp_path / "a.db", back)
    before = path.read_bytes()
    async with await read_save(str(path)) as save:
        match = await play_match(save, "linucb")
        again = await play_match(save, "random")
    assert path.read_bytes() == before
    assert (match.since, match.until, match.objective) == (120, 480 if back else 600, "engagement")
    assert match.yours.who == HAND
    assert match.theirs.who == "linucb"
    assert match.yours.rounds == match.theirs.rounds > 3
    assert match.yours == again.yours
    assert match.yours != msgspec.structs.replace(match.theirs, who=HAND)
    assert match.missed == 0
    assert next(name for name, _, _ in rows(match)) == "mean reward a round"


async def test_where_nobody_took_the_seat_it_says_so(tmp_path: Path) -> None:
    async with open_session("larkspur", seed=5, save=tmp_path / "a.db", set=BUSY) as session:
        await session.engine.step()
    async with await read_save(str(tmp_path / "a.db")) as save:
        with pytest.raises(SaveError, match="no rounds steered by hand"):
            await play_match(save)
