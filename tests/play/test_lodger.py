"""The goals of the lodger are won by who goes after them, and not by who stands about."""

from __future__ import annotations

import asyncio

import pytest
from lodger import Plan, arrive, won

from sandbox.core.clock import DAY, HOUR
from sandbox.store.session import open_session


def most(found: dict[str, bool | None]) -> bool:
    return sum(x is True for x in found.values()) >= 2


async def lived(seed: int, until: int, planned: bool) -> dict[str, bool | None]:
    """Which goals are won by then, or once most are."""
    async with open_session("larkspur", seed=seed) as session:
        await arrive(session)
        plan = Plan(session)
        while session.world.now < until and None in won(session.world).values() and not most(won(session.world)):
            if planned:
                plan.act()
            await session.engine.step()
        return won(session.world)


@pytest.mark.sampled(0, slow=1)
@pytest.mark.parametrize("seed", [3103, 3107])
def test_a_plan_wins_most_of_the_lodgers_goals_within_three_days(seed: int) -> None:
    found = asyncio.run(lived(seed, 2 * DAY + 15 * HOUR, planned=True))
    assert most(found), found


@pytest.mark.long
def test_who_stands_about_wins_none() -> None:
    found = asyncio.run(lived(3103, 3 * DAY + 15 * HOUR, planned=False))
    assert not any(found.values()), found
    assert None not in found.values(), found
