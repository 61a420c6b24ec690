"""Vectors of a service for a platform that is kept in a save."""

from __future__ import annotations

from pathlib import Path

from sandbox.store.feeds import open_feed

DEAD = "litellm:openai/nobody@http://127.0.0.1:9/v1"


async def test_a_service_that_is_down_from_the_start_is_told_and_stood_in_for(tmp_path: Path) -> None:
    told: list[str] = []
    async with open_feed(tmp_path / "talk.db", vectors=DEAD, told=told.append) as platform:
        assert len(told) == 1
        assert "cannot be reached" in told[0]
        assert await platform.prepare(["bread"])
        assert any(platform.vector("bread"))
        assert platform.world.scenario.feed is not None
        assert platform.world.scenario.feed.maker == "embedded"
