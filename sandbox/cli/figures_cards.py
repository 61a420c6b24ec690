"""Measuring what cards cost: to say whom one touches, to deal it so that it takes effect, and a receipt."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.director.dealing import likely_touches
from sandbox.director.model import DealCard, Dealt
from sandbox.engine.drivers import run_free
from sandbox.feed.commands import OnFeed
from sandbox.lab import receipts
from sandbox.store.save import Save
from sandbox.store.session import open_session

MORNING = 3 * HOUR  # seconds after the start, at which people are up and about
TRIED = (
    Dealt(card="letter", to="mara", matter="frozen_boxes"), Dealt(card="note", where="Market Square", words="Look up."),
    Dealt(card="news", words="Vera has sold the shop."), Dealt(card="rain"), Dealt(card="locked_door", where="Library"),
    Dealt(card="occasion", where="Blue Heron Cafe"), Dealt(card="rumour", to="dov", words="Rufus sings."),
    Dealt(card="false_post", to="kit", words="Vera waters the soup."), Dealt(card="trombone", to="otis", whom="anselm"),
)  # fmt: skip


class CardTimes(NamedTuple):
    """The slowest of TRIED, in seconds by the wall. touch: whom it is likely to touch; deal: from the command to the
    end of the step in which it takes effect; step: a step without a card, the middle one.
    """

    touch: float
    deal: float
    step: float


async def measure_cards(world: str, seed: int, path: Path) -> CardTimes:
    """Of a town at half past ten of its first day."""
    touch, deal, plain = 0.0, 0.0, list[float]()
    async with open_session(world, seed=seed, save=path) as session:
        engine = session.engine
        await run_free(engine, until=MORNING)
        for dealt in TRIED:
            began = perf_counter()
            likely_touches(session.world, dealt)
            touch = max(touch, perf_counter() - began)
            began = perf_counter()
            engine.do(DealCard(dealt=dealt))
            await engine.step()
            deal = max(deal, perf_counter() - began)
            began = perf_counter()
            await engine.step()
            plain.append(perf_counter() - began)
    return CardTimes(touch, deal, sorted(plain)[len(plain) // 2])


# ---- measuring a receipt


ACT_AT = HOUR  # seconds after the world's start
POST = OnFeed(by="mara", action="create_post", arguments={"text": "The bread is out, and the slate is full, Basil."})


class Receipts(NamedTuple):
    """CPU seconds of what is told at once, and of all of it with the twin; events of the day, and of the chain."""

    told: float
    whole: float
    events: int
    chain: int


async def measure_receipt(world: str, seed: int, path: Path) -> Receipts:
    """Live a day in which somebody posts by hand, then tell what came of it."""
    async with open_session(world, seed=seed, save=path) as session:
        await run_free(session.engine, until=ACT_AT)
        session.engine.do(POST)
        await run_free(session.engine, until=ACT_AT + DAY + HOUR // 6)
    async with await Save.open(path, read_only=True) as save:
        began = process_time()
        found = await receipts.read(save)
        told = receipts.make_receipt(found)
        at_once = process_time() - began
        twin = await receipts.twin_of(save, found)
        receipts.make_receipt(found, twin)
        return Receipts(at_once, process_time() - began, len(found.span), told.told.events)
