"""A day without one act: the same in all that the act had no part in, with the player's other acts done again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.domain import Command
from sandbox.core.places import shipped_folder
from sandbox.director.model import DealCard, Dealt
from sandbox.engine.domain import Reseed, Reseeded, SetStep, StepSet
from sandbox.engine.engine import Engine
from sandbox.feed.commands import OnFeed
from sandbox.feed.events import Commented, Posted
from sandbox.lab import receipts
from sandbox.lab.receipts import GONE, ReceiptFacts, Twin
from sandbox.readers.event_diff import difference
from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.store.session import open_session

LARKSPUR = shipped_folder("worlds") / "larkspur"
STEPS = 40


def lived(path: Path, acts: dict[int, list[Command]], steps: int = STEPS) -> Path:
    """Larkspur for some steps of a minute, in which commands are given before the steps of these numbers."""

    async def run() -> None:
        async with open_session(LARKSPUR, seed=7, save=path) as session:
            for n in range(1, steps + 1):
                for command in acts.get(n, ()):
                    session.engine.do(command)
                await session.engine.step()
            assert not session.engine.refused

    asyncio.run(run())
    return path


def reading(path: Path, work: Callable[[Save], Awaitable[tuple[ReceiptFacts, Twin]]]) -> tuple[ReceiptFacts, Twin]:
    async def run() -> tuple[ReceiptFacts, Twin]:
        async with await Save.open(path, read_only=True) as save:
            return await work(save)

    return asyncio.run(run())


async def twin(save: Save, seq: int | None = None) -> tuple[ReceiptFacts, Twin]:
    found = await receipts.read(save, seq)
    return found, await receipts.twin_of(save, found)


def post(who: str, text: str) -> OnFeed:
    return OnFeed(by=who, action="create_post", arguments={"text": text})


@pytest.mark.slow
def test_an_act_that_changes_nothing_is_all_that_a_twin_lacks(tmp_path: Path) -> None:
    path = lived(tmp_path / "a.db", {10: [SetStep(seconds=60)]})
    found, other = reading(path, twin)
    assert isinstance(found.act.event, StepSet)
    assert found.by_hand
    assert len(found.span) > 300
    assert difference(found.span, other.records)[:2] == ([found.act], [])
    assert not other.missed


@pytest.mark.slow
def test_the_first_step_can_be_lived_without_its_act_too(tmp_path: Path) -> None:
    path = lived(tmp_path / "a.db", {1: [SetStep(seconds=60)]}, 15)
    found, other = reading(path, twin)
    assert found.act.stamp.step == 1
    assert difference(found.span, other.records)[:2] == ([found.act], [])


@pytest.mark.slow
def test_the_other_acts_are_done_again_each_at_its_own_step(tmp_path: Path) -> None:
    acts: dict[int, list[Command]] = {
        10: [SetStep(seconds=60)],
        14: [post("mara", "The bread is out."), post("basil", "So is the cat.")],
        20: [Reseed(seed=99)],
    }
    path = lived(tmp_path / "a.db", acts)

    async def first(save: Save) -> tuple[ReceiptFacts, Twin]:
        (act,) = await save.records((StepSet.KIND,), 0, save.last_seq)
        return await twin(save, act.stamp.seq)

    found, other = reading(path, first)
    assert difference(found.span, other.records)[:2] == ([found.act], [])
    again = [r for r in other.records if isinstance(r.event, Posted | Reseeded)]
    assert {r.stamp.step for r in again if isinstance(r.event, Reseeded)} == {20}
    assert {"The bread is out.", "So is the cat."} <= {getattr(r.event, "text", "") for r in again}


@pytest.mark.slow
def test_another_seed_makes_another_hour_and_without_it_the_first_is_back(tmp_path: Path) -> None:
    path = lived(tmp_path / "a.db", {20: [Reseed(seed=99)]})
    plain = lived(tmp_path / "b.db", {})
    found, other = reading(path, twin)
    mine, theirs, _, _ = difference(found.span, other.records)
    assert len(mine) > 100
    assert len(theirs) > 100

    async def whole(save: Save) -> tuple[ReceiptFacts, Twin]:
        first = next(r for r in other.records)
        return await receipts.read(save, first.stamp.seq), other

    same, _ = reading(plain, whole)
    assert [r for r in same.span if not r.event.PACKED] == [r for r in other.records if not r.event.PACKED]


@pytest.mark.slow
def test_what_was_done_about_the_act_itself_cannot_be_done_without_it(tmp_path: Path) -> None:
    path = tmp_path / "a.db"

    async def run() -> None:
        async with open_session(LARKSPUR, seed=7, save=path) as session:
            engine: Engine = session.engine
            for _ in range(5):
                await engine.step()
            before = session.world.feed.posts.n
            engine.do(post("mara", "The bread is out."))
            await engine.step()
            engine.do(OnFeed(by="basil", action="create_comment", arguments={"post": before, "text": "At last."}))
            engine.do(post("basil", "So is the cat."))
            for _ in range(5):
                await engine.step()
            assert not engine.refused

    asyncio.run(run())

    async def work(save: Save) -> tuple[ReceiptFacts, Twin]:
        posts = await save.records((Posted.KIND,), 0, save.last_seq)
        act = next(r for r in posts if getattr(r.event, "text", "") == "The bread is out.")
        return await twin(save, act.stamp.seq)

    found, other = reading(path, work)
    (missed,) = other.missed
    assert (type(missed.record.event), missed.why) == (Commented, GONE)
    assert any(getattr(r.event, "text", "") == "So is the cat." for r in other.records)
    told = receipts.make_receipt(found, other)
    assert told.luck is not None
    assert GONE in told.luck.missed[0]


@pytest.mark.slow
def test_a_receipt_parts_what_came_of_the_act_from_other_luck(tmp_path: Path) -> None:
    path = lived(tmp_path / "a.db", {10: [post("mara", "Basil owes me for bread, and he knows it.")]}, 240)
    found, other = reading(path, twin)
    told = receipts.make_receipt(found, other)
    assert told.luck is not None
    assert told.told.act.text.startswith("Mara posted")
    assert not told.whole
    assert told.told.events >= 1
    assert told.luck.came >= 1
    apart = difference(found.span, other.records)
    assert told.luck.here.events + told.luck.came < len(apart.a) + 1
    assert all(c.text not in {x.text for x in told.luck.there.heaviest} for c in told.luck.here.heaviest)


@pytest.mark.slow
def test_the_day_of_a_card_dealt_ahead_begins_as_it_takes_effect(tmp_path: Path) -> None:
    ahead = 3 * HOUR
    path = lived(tmp_path / "a.db", {10: [DealCard(dealt=Dealt(card="rain", later=ahead))]}, 240)

    async def work() -> None:
        async with await Save.open(path, read_only=True) as save:
            found = await receipts.read(save, asked=30 * MINUTE)
            assert found.since == found.act.stamp.t + ahead
            assert found.until == found.since + 30 * MINUTE
            told = receipts.make_receipt(found, await receipts.twin_of(save, found))
            assert told.whole
            assert told.told.events > 5
            assert told.told.reached[0].t == found.since
            assert told.luck is not None
            assert told.luck.came > 5
            early = await receipts.read(save, asked=30 * MINUTE, world=await save.seek(60))
            assert early.until < early.since
            assert receipts.why_no_twin(early, None, False) == "it has not taken effect yet"
            assert receipts.make_receipt(early).told.events == 0

    asyncio.run(work())


@pytest.mark.slow
def test_of_what_is_no_act_no_twin_is_lived_and_of_no_act_nothing_is_told(tmp_path: Path) -> None:
    path = lived(tmp_path / "a.db", {}, 5)

    async def work() -> None:
        async with await Save.open(path, read_only=True) as save:
            with pytest.raises(SaveError, match="holds no act by hand; name the event"):
                await receipts.read(save)
            with pytest.raises(SaveError, match="has no event 999999"):
                await receipts.read(save, 999_999)
            found = await receipts.read(save, 20)
            assert not found.by_hand
            assert "was not done by hand" in receipts.why_no_twin(found, None, False)
            assert receipts.why_no_twin(found._replace(by_hand=True), None, False) == ""
            assert "language model" in receipts.why_no_twin(found._replace(by_hand=True), None, True)
            assert receipts.why_no_twin(found._replace(by_hand=True), True, True) == ""
            assert receipts.why_no_twin(found._replace(by_hand=True), False, False) == "it was not asked for"

    asyncio.run(work())
