"""`sandbox bet`: list what falls due in a save with its odds, and bet on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sandbox.cli.moments import world_after
from sandbox.cli.options import JSON, SAVE, Counting, WholeNumber
from sandbox.cli.telling import align_columns, say_json, say_text, wait_for
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from sandbox.director.bet_offers import BetOffer
    from sandbox.engine.world import World


@click.command(cls=Counting)
@SAVE
@click.argument("on", required=False, metavar="[ON")
@click.argument("side", required=False, metavar="SIDE")
@click.argument("stake", required=False, type=WholeNumber(1, 1_000_000, "the stake"), metavar="STAKE]")
@JSON
def bet(save: str, on: str | None, side: str | None, stake: int | None, as_json: bool) -> None:
    """Bet points on what falls due in a save; with SAVE alone, list what can be bet on, the odds and the tally.

    Give ON, SIDE and STAKE together, as the list shows them. A bet adds an event to the save and runs one step. You
    begin with a hundred points, which are nobody's coins. Odds come from the rules of the outcome (docs/goals.md,
    Odds); a bet that is won pays 1/p, at most 20.

    JSON is {"save", "t", "at", "points", "won", "lost", "open": [{"on", "side", "stake", "says", "chance", "pays",
    "due"}], "offers": [{"on", "sort", "says", "due", "sides": [{"side", "says", "chance", "pays"}]}]}.

    \b
    Examples:
      sandbox bet day.db
      sandbox bet day.db council_vote@3 no 10
    """
    given = [x is not None for x in (on, side, stake)]
    if any(given) and not all(given):
        raise click.UsageError("a bet needs ON, SIDE and STAKE; give all three, or none to see the list")
    world, found = wait_for(_done(save, on, side, stake))
    if as_json:
        say_json(_row(save, world, found))
        return
    say_text(f"{count_of(world.bets.points, 'point')}; {world.bets.won} won, {world.bets.lost} lost")
    for x in world.bets.open.values():
        say_text(f"  open: {x.stake} on {x.says}, pays {x.pays:.2f}, {world.clock.words(x.due)}")
    if not found:
        say_text("nothing that can be bet on falls due within a day")
        return
    rows = [
        (
            x.on,
            world.clock.words(x.t),
            side,
            f"{percent} %",
            f"{x.pays(side):.2f}" if side else "",
            f"{x.says}: {x.called(side)}",
        )
        for x in found
        for side, percent in x.percents.items()
    ]
    say_text(align_columns(("ON", "DUE", "SIDE", "CHANCE", "PAYS", "WHAT"), rows, right=(3, 4)))


def _row(save: str, world: World, found: list[BetOffer]) -> dict[str, object]:
    clock, state = world.clock, world.bets
    keys = ("on", "side", "stake", "says", "chance", "pays")
    return {
        "save": save,
        "t": world.now,
        "at": clock.words(world.now),
        "points": state.points,
        "won": state.won,
        "lost": state.lost,
        "open": [{**{key: getattr(x, key) for key in keys}, "due": clock.words(x.due)} for x in state.open.values()],
        "offers": [
            {
                "on": x.on,
                "sort": x.sort,
                "says": x.says,
                "due": clock.words(x.t),
                "sides": [
                    {"side": s, "says": x.names[s], "chance": round(p, 4), "pays": x.pays(s)}
                    for s, p in x.chances.items()
                ],
            }
            for x in found
        ],
    }


async def _done(name: str, on: str | None, side: str | None, stake: int | None) -> tuple[World, list[BetOffer]]:
    """Place the bet, if one is given; the world after it, and what can be bet on."""
    from sandbox.director.bet_offers import Bet, bet_offers
    from sandbox.store.files import path_of_save
    from sandbox.store.save import read_save

    if on is None or side is None or stake is None:
        async with await read_save(name) as save:
            world = await save.seek()
            return world, bet_offers(world)
    world = await world_after(path_of_save(name), lambda before: Bet(on=on, side=side, stake=stake, before=before))
    return world, bet_offers(world)
