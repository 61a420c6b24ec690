"""A platform whose every action is kept in a save."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sandbox.engine.drivers import run_free
from sandbox.engine.loading import WorldFaults
from sandbox.feed import Refused
from sandbox.feed.action_context import TextVectors
from sandbox.store.errors import SaveError
from sandbox.store.feeds import KeptPlatform, open_feed
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.store.verify import verify


def talk(platform: KeptPlatform) -> tuple[int, int, int]:
    """Two users, and a post that one likes."""
    ada, bo = platform.sign_up("ada", "Ada", "I bake bread."), platform.sign_up("bo", "Bo")
    post = platform.create_post(ada, "The loaf came out golden 🍞.")
    platform.advance(5)
    platform.like_post(bo, post, reason="It looks good.")
    return ada, bo, post


@pytest.mark.slow
async def test_what_is_done_is_proved_by_its_save(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    async with open_feed(path, kind="reddit", seed=3) as platform:
        talk(platform)
        await platform.end_step()
        platform.follow(1, 0)
        await platform.end_step()
    async with await Save.open(path, read_only=True) as save:
        verdict = await verify(save)
        assert (verdict.ok, verdict.steps, verdict.events) == (True, 3, 6)
        assert (await save.seek()).feed.accounts[1].follows == {0: None}
        assert not (await save.seek(1)).feed.accounts[1].follows


async def test_it_is_gone_on_with_where_it_was_left(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    async with open_feed(path, kind="reddit") as platform:
        _, _, post = talk(platform)
        await platform.end_step()
        digest, now = platform.save.digest, platform.now
    async with open_feed(path) as platform:
        assert (platform.save.digest, platform.now, platform.feed.kind) == (digest, now, "reddit")
        with pytest.raises(Refused) as refused:
            platform.like_post(1, post)
        assert refused.value.why == "already_liked"
        platform.unlike_post(1, post)
        await platform.end_step()
        assert platform.feed.posts.likes[post] == 0
    async with await Save.open(path, read_only=True) as save:
        assert (await verify(save)).ok


async def test_what_was_not_ended_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    async with open_feed(path) as platform:
        talk(platform)
        await platform.end_step()
        platform.create_post(0, "Nobody will read this.")
    async with open_feed(path) as platform:
        assert platform.feed.posts.n == 1


async def test_time_stays_within_the_step_until_that_is_ended(tmp_path: Path) -> None:
    async with open_feed(tmp_path / "talk.db") as platform:
        platform.advance(np.int64(9))
        with pytest.raises(ValueError, match="the step ends in 171 seconds; call end_step"):
            platform.advance(171)
        platform.advance(170)
        assert platform.now == platform.ends - 1
        for none in (0, -3, 1.5, float("nan"), "5"):
            with pytest.raises(ValueError, match="whole seconds"):
                platform.advance(none)  # type: ignore[arg-type]
        ends = platform.ends
        await platform.end_step()
        assert platform.now == ends


@pytest.mark.slow
async def test_a_crowd_lives_beside_the_accounts_and_is_proved_with_them(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    async with open_feed(path, set=("feed.crowd=300",)) as platform:
        ada = platform.sign_up("ada", "Ada", "I bake bread.")
        assert ada == 300
        post = platform.create_post(ada, "The loaf came out golden.")
        with pytest.raises(ValueError, match="acts as steps go by"):
            platform.tick()
        for _ in range(13):
            await platform.end_step()
        likes = int(platform.feed.posts.likes[post])
        assert likes > 0
    async with await Save.open(path, read_only=True) as save:
        assert (await verify(save)).ok
        assert (await save.seek()).feed.posts.likes[post] == likes


@pytest.mark.slow
async def test_a_kept_crowd_does_what_it_would_in_a_world_that_is_run(tmp_path: Path) -> None:
    kept, run, both = tmp_path / "kept.db", tmp_path / "run.db", tmp_path / "both.db"
    settings = ("feed.crowd=200", "feed.on=true")
    async with open_feed(kept, set=settings) as platform:
        for _ in range(8):
            await platform.end_step()
        mark = platform.feed.mark
    async with open_session("county", seed=1, set=settings, save=run) as session:
        await run_free(session.engine, steps=8)
        assert session.world.feed.mark == mark
    async with open_feed(both, set=settings) as platform:
        for _ in range(3):
            await platform.end_step()
    async with open_session(both) as session:
        await run_free(session.engine, steps=5)
        assert session.world.feed.mark == mark
    async with await Save.open(both, read_only=True) as save:
        assert (await verify(save)).ok


async def test_such_a_save_is_lived_on_as_any_world(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    async with open_feed(path) as platform:
        talk(platform)
        await platform.end_step()
    async with open_session(path) as session:
        await session.engine.step()
        assert session.world.feed.accounts[0].handle == "ada"
    async with open_feed(path) as platform:
        assert platform.step == 3


async def test_vectors_of_another_maker_than_the_save_was_begun_with_are_not_mixed_in(tmp_path: Path) -> None:
    path = tmp_path / "talk.db"
    async with open_feed(path) as platform:
        talk(platform)
        await platform.end_step()
    async with open_feed(path) as platform:
        platform.vector.maker.name = "another"
        assert not await platform.prepare(["bread"])
        assert not any(platform.vector("bread"))


@pytest.mark.slow
async def test_a_town_is_no_platform_and_what_is_no_setting_is_told(tmp_path: Path) -> None:
    path = tmp_path / "town.db"
    async with open_session("larkspur", save=path) as session:
        await session.engine.step()
    with pytest.raises(SaveError, match="is no feed alone"):
        async with open_feed(path):
            pass
    with pytest.raises(WorldFaults, match=r"feed\.kind"):
        async with open_feed(tmp_path / "b.db", kind="telegraph"):
            pass
    with pytest.raises(ValueError, match="makes no vectors"):
        async with open_feed(tmp_path / "c.db", vectors="runes"):
            pass


async def test_the_crowd_acts_as_time_passes_and_not_before(tmp_path: Path) -> None:
    settings = ("feed.crowd=300", "feed.tick=60", "crowd.activity=0.8")
    async with open_feed(tmp_path / "talk.db", set=settings) as platform:
        talk(platform)
        assert platform.crowd.feed.crowd == 300
        before = platform.seq
        platform.advance(54)
        assert platform.seq == before, "the first tick has not ended"
        platform.advance(1)
        assert platform.seq == before + 1
        await platform.end_step()
    async with await Save.open(tmp_path / "talk.db", read_only=True) as save:
        rows = [row for _, run in [x async for x in save.runs()] for row in run]
        assert [row.t for row in rows if row.kind == "crowd_acted"] == [59, 119, 179]
        assert [row.t for row in rows] == sorted(row.t for row in rows)
        assert (await verify(save)).ok


async def test_one_setting_may_stand_alone(tmp_path: Path) -> None:
    async with open_feed(tmp_path / "talk.db", set="feed.crowd=70") as platform:
        assert platform.feed.crowd == 70


async def test_what_was_prepared_is_for_the_step(tmp_path: Path) -> None:
    async with open_feed(tmp_path / "talk.db") as platform:
        platform._named.name = "another"  # as if a service had made the save's vectors
        platform.vector = TextVectors(platform._named)
        platform.vector.take(["Bread"], np.ones((1, 32), np.float32))
        assert any(platform.vector("Bread"))
        platform.sign_up("ada", "Ada")
        await platform.end_step()
        assert not any(platform.vector("Bread")), "as it is where the file was closed meanwhile"
