"""The words of a talk that nobody listened to, made when somebody asks: of the same people, moves and moods; nothing of
it happens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest

from sandbox.core.events import Record
from sandbox.engine.drivers import run_free
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.readers.talkagain import unsaid_lines
from sandbox.readers.talks import TalkLine
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.talk.lines import SLOT
from sandbox.talk.model import Closed, Exchanged, Opened

T = TypeVar("T")
STEPS = 200


@pytest.fixture(scope="module")
def save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A morning of Larkspur."""
    path = tmp_path_factory.mktemp("unsaid") / "a.db"

    async def go() -> None:
        async with open_session("larkspur", seed=5, save=path) as session:
            await run_free(session.engine, steps=STEPS)

    asyncio.run(go())
    return path


def reading(path: Path, read: Callable[[Save], Awaitable[T]]) -> T:
    """What is read of a save."""

    async def go() -> T:
        async with await Save.open(path, read_only=True) as save:
            return await read(save)

    return asyncio.run(go())


class Had:
    """The talks of a save that are over: their steps and exchanges."""

    def __init__(self, records: list[Record]) -> None:
        self.begun = {e.id: stamp.step for stamp, e in records if isinstance(e, Opened)}
        self.exchanges: dict[str, list[Exchanged]] = {}
        self.over = [e.talk for _, e in records if isinstance(e, Closed)]
        for _, e in records:
            if isinstance(e, Exchanged):
                self.exchanges.setdefault(e.talk, []).append(e)

    def quiet(self) -> list[str]:
        """Those without any words."""
        return [id for id in self.over if not any(x.text for e in self.exchanges[id] for x in e.lines)]

    def worded(self) -> list[str]:
        """Those that all had words, but for the goodbye."""
        return [id for id in self.over if all(e.lines[0].text for e in self.exchanges[id][:-1])]


@pytest.fixture(scope="module")
def had(save: Path) -> Had:
    kinds = (Opened.KIND, Exchanged.KIND, Closed.KIND)
    return Had(reading(save, lambda s: s.records(kinds, 0, s.last_seq)))


def made(path: Path, had: Had, ids: list[str]) -> list[list[TalkLine]]:
    """The words of these talks."""

    async def read(save: Save) -> list[list[TalkLine]]:
        return [await unsaid_lines(save, id, had.begun[id]) for id in ids]

    return reading(path, read)


@pytest.mark.slow
def test_words_are_of_those_who_talked_and_say_what_they_did(save: Path, had: Had) -> None:
    ids = had.quiet()[:6]
    assert len(ids) == 6
    for id, lines in zip(ids, made(save, had, ids), strict=True):
        es = had.exchanges[id]
        assert all(line.text for line in lines)
        *talk, goodbye = es
        said = [(x.who, x.move, x.valence) for e in talk for x in e.lines]
        assert [(line.who, line.move, line.valence) for line in lines][: len(said)] == said
        rest = [(line.who, line.move) for line in lines][len(said) :]
        assert rest == [(x.who, x.move) for x in goodbye.lines][: len(rest)]
        assert {line.who for line in lines} == {x.who for e in es for x in e.lines}


@pytest.mark.slow
def test_what_is_asked_in_it_is_answered(save: Path, had: Had, larkspur: Scenario) -> None:
    def bare(text: str) -> str:
        return "".join(x for x in text.casefold() if x.isalpha())

    def longest(text: str) -> str:
        return bare(max(SLOT.split(text), key=len))

    asked = {longest(text): line.asks for line in larkspur.lines.lines if line.move == "ask_on" for text in line.say}
    told: dict[str, list[str]] = {}
    for line in larkspur.lines.lines:
        for key in line.when.get("asked", ()):
            told.setdefault(key, []).extend(longest(text) for text in line.say)

    def key_of(question: str) -> str:
        return next((key for text, key in asked.items() if text in bare(question)), "")

    ids = [id for id in had.over if any(e.lead == "ask_on" and not e.lines[0].text for e in had.exchanges[id])]
    found = 0
    for lines in made(save, had, ids):
        for question, answer in pairwise(lines):
            if question.move == "ask_on" and (key := key_of(question.text)):
                found += 1
                assert any(text in bare(answer.text) for text in told[key]), (question.text, answer.text)
    assert found >= 3


@pytest.mark.slow
def test_they_are_the_same_each_time(save: Path, had: Had) -> None:
    ids = had.quiet()[:2]
    assert made(save, had, ids) == made(save, had, ids)


def test_what_was_said_in_words_is_told_as_it_was(save: Path, had: Had) -> None:
    id = next(id for id in had.worded() if len(had.exchanges[id]) > 1)
    (lines,) = made(save, had, [id])
    spoken = [x.text for e in had.exchanges[id] for x in e.lines if x.text]
    assert [line.text for line in lines][: len(spoken)] == spoken


def test_to_ask_for_them_changes_nothing_in_the_save(save: Path, had: Had) -> None:
    before = save.read_bytes()

    async def read(s: Save) -> tuple[bytes, bytes]:
        world: World = await s.seek()
        asked = await unsaid_lines(s, had.quiet()[0], had.begun[had.quiet()[0]])
        assert asked
        return world.snapshot(), (await s.seek()).snapshot()

    then, now = reading(save, read)
    assert then == now
    assert save.read_bytes() == before
    assert [*save.parent.iterdir()] == [save]


def test_a_talk_that_is_not_there_has_no_words(save: Path) -> None:
    assert reading(save, lambda s: unsaid_lines(s, "0.nobody.else", 1)) == []
