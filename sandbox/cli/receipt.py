"""`sandbox receipt`: what followed from one act of the player, and what would have happened without it."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from sandbox.cli.options import JSON, SAVE, Counting, Number, WholeNumber
from sandbox.cli.telling import say_json, say_text, say_wrapped, wait_for
from sandbox.core.plain import count_of
from sandbox.policy.model import LEARNERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sandbox.core.clock import Clock
    from sandbox.lab.receipts import Receipt
    from sandbox.lab.seats import SeatMatch
    from sandbox.people.handbook import Handbook
    from sandbox.readers.aftermath import AftermathLine, Reached

HOUR = 3600  # seconds
SHOWN = 8  # lines of a group that are printed
SOON = 2 * HOUR  # seconds within which an act should reach somebody
LOW = 10  # for os.nice: about a tenth of a busy program's share


@click.command(cls=Counting)
@SAVE
@click.argument("seq", metavar="[SEQ]", type=WholeNumber(2, called="the number of an event"), required=False)
@click.option(
    "--hours",
    type=Number(0, 720, above=True),
    default=24.0,
    show_default=True,
    metavar="N",
    help="How long after the act, or after the hour for which a card was dealt ahead.",
)
@click.option("--twin/--no-twin", default=None, help="Run the same span without the act, or do not.")
@click.option(
    "--against",
    type=click.Choice(LEARNERS),
    help="Compare the rounds you steered from the platform's seat with a learner's in it instead.",
)
@JSON
@click.option("--gently", is_flag=True, help="Give way to other programs.")
def receipt(
    save: str, seq: int | None, hours: float, twin: bool | None, against: str | None, as_json: bool, gently: bool
) -> None:
    """Show what came of one act, and what would have happened without it.

    SEQ is the number of the act's event. Default: the last act by hand, such as a post that a player had somebody
    write, a step's length or another seed. What came of it are all events that have it among their causes, directly or
    through others, each with the shortest way back: "Jory posted -> Basil read it -> Basil told Una".

    An act by hand is also taken away: the embedded mind runs the same span again, from the step before
    the act, with the same seed and the player's other acts. What differs and has the act among its causes came
    of it; the rest is other luck, because whoever reads one thing less reads another instead. A line marked = happens
    without the act, too. If a language model has answered in the save, this is done only with --twin.

    JSON is {"save", "told": {"act", "events", "groups", "reached"}, "since", "asked", "until", "whole", "luck",
    "untwinned"}; seconds count from the world's start, since is when the act takes effect, and luck is null where the
    span was not run without the act.

    With --against a learner sits in the platform's seat from the moment on in which it was last taken by hand, and both
    are told side by side; its JSON is {"save", "yours", "theirs", "objective", "since", "until", "missed"}.

    \b
    Examples:
      sandbox receipt day.db
      sandbox receipt day.db 8123 --hours 6
      sandbox receipt day.db --no-twin --json
      sandbox receipt day.db --against linucb
    """
    if gently and hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(LOW)
    if against is not None:
        match = wait_for(_match(save, against))
        if as_json:
            import msgspec

            say_json({"save": save, **msgspec.to_builtins(match)})
        else:
            _compared(match)
        return
    found, clock, handbook = wait_for(_read(save, seq, max(1, round(hours * HOUR)), twin))
    if as_json:
        import msgspec

        say_json({"save": save, "whole": found.whole, **msgspec.to_builtins(found)})
        return
    _told(found, clock, handbook)


async def _match(name: str, rival: str) -> SeatMatch:
    """Let a learner have the seat. Raises SaveError."""
    from sandbox.lab.seats import play_match
    from sandbox.store.save import read_save

    async with await read_save(name) as save:
        return await play_match(save, rival)


def _compared(match: SeatMatch) -> None:
    from sandbox.lab.seats import rows

    say_text(f"{count_of(match.yours.rounds, 'round')} by hand, measured by {match.objective}")
    for name, yours, theirs in (("", "you", match.theirs.who), *rows(match)):
        say_text(f"  {name:<28}{yours:>12}{theirs:>12}")
    if match.missed:
        say_text(f"  {count_of(match.missed, 'act')} by hand could not be done again beside {match.theirs.who}.")


async def _read(name: str, seq: int | None, asked: int, wanted: bool | None) -> tuple[Receipt, Clock, Handbook]:
    """Make the receipt of an act. asked: seconds after it; wanted: --twin, None = by default. Raises SaveError."""
    from sandbox.lab.receipts import make_receipt as told
    from sandbox.lab.receipts import read, twin_of, why_no_twin
    from sandbox.store.save import read_save

    async with await read_save(name) as save:
        found = await read(save, seq, asked)
        model = bool(await save.answered())
        why = why_no_twin(found, wanted, model)
        twin = None if why else await twin_of(save, found)
        return told(found, twin, why, model), found.world.clock, found.world.handbook


def _told(found: Receipt, clock: Clock, handbook: Handbook) -> None:
    from sandbox.readers.aftermath import HEADS

    told = found.told
    say_wrapped(told.act.text, f"{clock.words(told.act.t)}  ", "")
    if found.since > told.act.t:
        say_text(f"It {'took' if found.until >= found.since else 'takes'} effect {clock.words(found.since)}.")
    say_text(f"event {told.act.seq}; what came of it by {clock.words(found.until)}: {count_of(told.events, 'event')}")
    if not found.whole:
        left = clock.words(found.since + found.asked)
        say_text(f"This is what there is so far: the save ends before {left}.")
    _reached(told.reached, found.since, clock, handbook)
    for key, lines in told.groups.items():
        say_text(f"\n{HEADS[key].upper()}")
        _lines(lines, clock)
    say_text("\nWITHOUT IT")
    if found.luck is None:
        say_wrapped(f"not run: {found.untwinned}.", "", "")
        return
    luck = found.luck
    say_text(f"  {count_of(luck.came, 'event')} of these would not be there.")
    if any(c.anyway for lines in told.groups.values() for c in lines):
        say_text("  What is marked = above happens without it, too.")
    if luck.embedded:
        say_text("  A language model ran the save, and the embedded mind ran this: much differs for that reason alone.")
    for text in luck.missed:
        say_wrapped(f"not done again: {text}.", "", "  ")
    for side, with_ in ((luck.here, "with it"), (luck.there, "without it")):
        say_text(f"  Other luck {with_}: {count_of(side.events, 'event')}")
        _lines(side.heaviest, clock, numbered=side is luck.here)  # events without the act are not in the save


def _reached(reached: Iterable[Reached], since: int, clock: Clock, handbook: Handbook) -> None:
    soon = [x for x in reached if x.t - since <= SOON]
    later = [x for x in reached if x.t - since > SOON]
    for head, people in (("within two hours it reached", soon), ("later", later)):
        if people:
            names = ", ".join(f"{handbook.name(x.who)} {_hour(x.t, since, clock)}" for x in people)
            say_wrapped(f"{head}: {names}", "", "  ")
        elif people is soon:
            say_text("  within two hours it reached nobody")


def _hour(t: int, since: int, clock: Clock) -> str:
    return clock.hhmm(t) if clock.day(t) == clock.day(since) else clock.words(t)


def _lines(lines: Iterable[AftermathLine], clock: Clock, numbered: bool = True) -> None:
    from sandbox.readers.aftermath import chain_words

    lines = [*lines]
    for c in lines[:SHOWN]:
        way = f": {chain_words(c.way)}" if len(c.way) > 1 else ""
        event = f" (event {c.seq}{way})" if numbered else ""
        text = f"{'= ' if c.anyway else ''}{c.text}{event}"
        say_wrapped(text, f"{clock.words(c.t)}  ", "  ")
    if len(lines) > SHOWN:
        say_text(f"  and {len(lines) - SHOWN:,} more; --json has all")
