"""What a director's cards cost: finding whom one touches, dealing it until it takes effect, and a receipt of an act."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.cli.town_speed import SEED, WORLD
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
    """Wall seconds of the slowest of TRIED. touch: to find whom it is likely to touch; deal: from the command to the
    end of the step in which it takes effect; step: a step without a card, the median.
    """

    touch: float
    deal: float
    step: float


async def measure_cards_group(run: BenchmarkRun) -> list[Reading]:
    """Measure each of TRIED."""
    got = await measure_cards(run.folder / "cards.db")
    return [
        Reading("cards.touch", got.touch, "the slowest of nine"),
        Reading("cards.deal", got.deal, f"a step without one {got.step * 1e3:.1f} ms"),
    ]


async def measure_cards(path: Path) -> CardTimes:
    """Deal each of TRIED into a town at half past ten of its first day."""
    touch, deal, plain = 0.0, 0.0, list[float]()
    async with open_session(WORLD, seed=SEED, save=path) as session:
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


# ---- a receipt


ACT_AT = HOUR  # seconds after the world's start
POST = OnFeed(by="mara", action="create_post", arguments={"text": "The bread is out, and the slate is full, Basil."})


class ReceiptCost(NamedTuple):
    """CPU seconds: told, the receipt at once; whole, with its twin. Events: of the day; chain, caused by the act."""

    told: float
    whole: float
    events: int
    chain: int


async def measure_receipt_group(run: BenchmarkRun) -> list[Reading]:
    """Measure the receipt of a post by hand."""
    got = await measure_receipt(run.folder / "receipt.db")
    return [
        Reading("receipt.told", got.told, f"{got.chain} of {got.events:,} events"),
        Reading("receipt.twin", got.whole, "with the day run without it"),
    ]


async def measure_receipt(path: Path) -> ReceiptCost:
    """Run a day in which a player's person posts, then make the receipt of that post."""
    async with open_session(WORLD, seed=SEED, save=path) as session:
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
        return ReceiptCost(at_once, process_time() - began, len(found.span), told.told.events)


CARDS_GROUP = FigureGroup(
    "cards",
    (
        FigureSpec("cards.touch", "ms", "finding whom a card is likely to touch, wall", 20.0),
        FigureSpec("cards.deal", "ms", "from the command until it has taken effect, wall", 50.0),
    ),
    measure_cards_group,
    "the cards of a director, the slowest of nine; some seconds",
)
RECEIPT_GROUP = FigureGroup(
    "receipt",
    (
        FigureSpec("receipt.told", "s", "reading and printing its chain of causes", 1.0),
        FigureSpec("receipt.twin", "s", "the same, with the day run without it", 4.0),
    ),
    measure_receipt_group,
    "the receipt of a post by hand after a day of Larkspur; ten seconds",
)
