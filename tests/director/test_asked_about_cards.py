"""Whoever a card has reached can be asked about it within a day; what they keep to themselves they do not tell."""

from __future__ import annotations

import asyncio

import pytest
from lived import engine_of

from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.places import shipped_folder
from sandbox.director.dealing import came_to, card_questions
from sandbox.director.model import DealCard, Dealt
from sandbox.engine.briefing import ask_person
from sandbox.engine.engine import Engine
from sandbox.engine.loading import load
from sandbox.people.wording import phrases

WORDS = phrases("interview")


@pytest.fixture
def engine() -> Engine:
    """Larkspur at half past ten, when people are up."""
    out = engine_of(load(shipped_folder("worlds") / "larkspur", seed=42))
    lives(out, 3 * HOUR)
    return out


def lives(engine: Engine, seconds: int) -> None:
    until = engine.world.now + seconds

    async def live() -> None:
        while engine.world.now < until:
            await engine.step()

    asyncio.run(live())


def deal(engine: Engine, **given: object) -> None:
    """Deal a card, and live until it has come to whom it is for."""
    engine.do(DealCard(Dealt(**given)))  # type: ignore[arg-type]
    for _ in range(60):
        lives(engine, MINUTE)
        if not engine.world.director.waiting:
            return


def answer(engine: Engine, who: str, question: str) -> str:
    return asyncio.run(ask_person(engine.world, engine.mind, who, question, engine.world.now)).text


@pytest.mark.slow
def test_they_say_what_it_told_them_and_whether_they_believe_it(engine: Engine) -> None:
    world = engine.world
    matter = next(
        p
        for p in world.pressures.open.values()
        if p.kind in ("debt", "rivalry", "promise") and "zeno" not in (p.holder, p.about)
    )
    deal(engine, card="letter", to="zeno", matter=matter.id)
    assert card_questions(world, "zeno", world.now) == ["What about the letter?"]
    said = answer(engine, "zeno", "What about the letter?")
    assert world.handbook.name(matter.holder) in said
    assert any(way in said for way in WORDS["i_believe_it"])
    assert said == answer(engine, "zeno", "What about the letter?")
    assert "letter" in answer(engine, "zeno", "Have you heard anything?")


@pytest.mark.slow
def test_they_say_what_it_has_them_want(engine: Engine) -> None:
    deal(engine, card="letter", to="zeno", words="Quentin is a liar and a cheat, and everybody hates Quentin")
    said = answer(engine, "zeno", "What about the letter?")
    wanted = [p for p in engine.world.pressures.open.values() if (p.holder, p.about) == ("zeno", "quentin")]
    assert wanted
    assert "Quentin" in said.partition("hates")[2].partition(".")[2]


@pytest.mark.slow
def test_before_a_card_there_is_nothing_to_ask_and_after_a_day_no_more(engine: Engine) -> None:
    world = engine.world
    assert card_questions(world, "zeno", world.now) == []
    deal(engine, card="letter", to="zeno", words="The lamp by the bridge is out")
    came = came_to(world, "zeno", world.now)
    assert [c.name for c in came] == ["letter"]
    assert card_questions(world, "zeno", came[0].t + DAY) == []
    assert card_questions(world, "kit", world.now) == []


@pytest.mark.slow
def test_a_false_letter_is_a_letter_to_whoever_reads_it(engine: Engine) -> None:
    world = engine.world
    matter = next(
        p
        for p in world.pressures.open.values()
        if p.kind in ("debt", "rivalry", "promise") and "zeno" not in (p.holder, p.about)
    )
    deal(engine, card="false_letter", to="zeno", matter=matter.id, whom="pip")
    assert card_questions(world, "zeno", world.now) == ["What about the letter?"]
    said = answer(engine, "zeno", "What about the letter?")
    assert "Pip" in said
    assert "false" not in said


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    "question", ["What about the opened letter?", "Have you heard anything?", "What do you think of Kit?",
                 "What happened today?", "What about Kit's secret?"],
)  # fmt: skip
def test_what_one_keeps_to_oneself_stays_so(engine: Engine, question: str) -> None:
    deal(engine, card="wrong_door", to="zeno", whom="kit", words="Come home to Lantern Quay")
    assert card_questions(engine.world, "zeno", engine.world.now) == ["What about the opened letter?"]
    said = answer(engine, "zeno", question)
    assert "Lantern" not in said
    assert "letter" not in said
    if "opened" in question:
        assert said in {way for key, ways in WORDS.items() if key.startswith("evade.") for way in ways}


@pytest.mark.slow
def test_who_was_told_nothing_says_so(engine: Engine) -> None:
    deal(engine, card="letter", to="zeno", words="The lamp by the bridge is out")
    said = answer(engine, "kit", "Have you heard anything about a zeppelin?")
    assert said in WORDS["not_heard"] or "zeppelin" not in said
    assert "lamp by the bridge" not in answer(engine, "kit", "What about the letter?")


@pytest.mark.slow
def test_asking_leaves_the_town_as_it_was(engine: Engine) -> None:
    deal(engine, card="letter", to="zeno", words="The lamp by the bridge is out")
    before = engine.world.snapshot()
    answer(engine, "zeno", "What about the letter?")
    assert engine.world.snapshot() == before
