"""Acts of players are found in a log, and nothing else is taken for one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sandbox.core.domain import Command
from sandbox.core.events import EventRow
from sandbox.engine.domain import Reseed, SetStep
from sandbox.engine.drivers import run_free
from sandbox.engine.registry import EVENTS
from sandbox.store import acts
from sandbox.store.acts import DEEDS, HAND, ActFinder, StepActs, last_act
from sandbox.store.save import Save
from sandbox.store.session import open_session


async def every_act(save: Save) -> list[StepActs]:
    """The acts of all steps, the earliest first."""
    found = [await last_act(save)]
    while found[0] is not None:
        found.insert(0, await last_act(save, found[0].step - 1))
    return found[1:]


def live(path: Path, *plan: Sequence[Command] | int) -> None:
    """A town that lives so many steps, is given these commands, and so on."""

    async def go() -> None:
        async with open_session("larkspur", seed=7, save=path) as session:
            for one in plan:
                if isinstance(one, int):
                    await run_free(session.engine, steps=one)
                    continue
                for command in one:
                    session.engine.do(command)

    asyncio.run(go())


async def found(path: Path) -> tuple[list[StepActs], StepActs | None]:
    async with await Save.open(path, read_only=True) as save:
        return await every_act(save), await last_act(save)


def told(one: StepActs) -> tuple[int, list[str]]:
    return one.step, [record.event.KIND for record in one.records]


@pytest.mark.slow
def test_the_acts_of_each_step_are_found_together_and_the_last_step_of_them_alone(tmp_path: Path) -> None:
    live(tmp_path / "a.db", 3, [SetStep(seconds=60)], 4, [Reseed(seed=1), SetStep(seconds=120)], 3)
    every, last = asyncio.run(found(tmp_path / "a.db"))
    assert list(map(told, every)) == [(4, ["step_set"]), (8, ["reseeded", "step_set"])]
    assert last == every[-1]


def test_what_came_before_the_first_step_is_an_act_though_people_are_placed_first(tmp_path: Path) -> None:
    live(tmp_path / "a.db", [Reseed(seed=1)], 1)
    every, last = asyncio.run(found(tmp_path / "a.db"))
    assert list(map(told, every)) == [(1, ["reseeded"])]
    assert last == every[0]


@pytest.mark.slow
def test_a_town_left_alone_has_none(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(acts, "WINDOW", 7)
    live(tmp_path / "a.db", 30)
    assert asyncio.run(found(tmp_path / "a.db")) == ([], None)


def test_the_search_goes_back_window_by_window(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(acts, "WINDOW", 3)
    live(tmp_path / "a.db", 3, [Reseed(seed=1), SetStep(seconds=60)], 9)
    every, last = asyncio.run(found(tmp_path / "a.db"))
    assert [told(one) for one in every] == [(4, ["reseeded", "step_set"])]
    assert last == every[0]


def row(seq: int, kind: str) -> EventRow:
    return EventRow(seq, 5, 300, kind, 1, "ann", "[]", "{}")


def test_a_deed_on_the_feed_counts_where_it_leads_its_step_and_a_look_never_does() -> None:
    leading = ActFinder()
    assert leading.act(row(10, "posted"), True)
    assert leading.act(row(11, "commented"), False)
    assert not leading.act(row(12, "browsed"), False)
    assert not leading.act(row(13, "posted"), False)
    assert not ActFinder().act(row(10, "browsed"), True)
    assert not ActFinder().act(row(14, "posted"), False)


def test_what_only_commands_make_counts_wherever_it_stands() -> None:
    assert {"step_set", "reseeded"} <= HAND
    assert {kind for kind, event in EVENTS.items() if event.BY_HAND} == HAND
    assert "browsed" not in DEEDS
    leading = ActFinder()
    assert not leading.act(row(10, "chose"), True)
    assert leading.act(row(11, "reseeded"), False)
    assert not leading.act(row(12, "posted"), False)
