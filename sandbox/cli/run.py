"""`sandbox run`: a world or a save lived without a screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sandbox.cli.options import MIND, SEED, step_length, time_of_day
from sandbox.cli.telling import STOPPED, count, say, say_json, wait_for
from sandbox.core.clock import DAY

if TYPE_CHECKING:
    from sandbox.cli.living import Lived
    from sandbox.store.session import Session


@click.command()
@click.argument("target", metavar="WORLD_OR_SAVE")
@click.option("--steps", type=click.IntRange(1), metavar="N", help="Live N steps.")
@click.option("--days", type=click.IntRange(1, 36500), metavar="D", help="Live D days of 24 hours.")
@click.option("--until", callback=time_of_day, metavar="HH:MM", help="Live until the next such time of day.")
@click.option("--seed", type=SEED, metavar="S", help="The seed of all chance; of a save, from here on.")
@click.option("--save", metavar="FILE", help="Keep the log in a new file; of a save, branch at its end into it.")
@click.option("--step", callback=step_length, metavar="LENGTH", help='How long a step is, from "10s" to "1h".')
@MIND
@click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help="Change a rule or a parameter; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a script instead of the digest.")
@click.option("--force", is_flag=True, help="Replace the file of --save if it exists.")
def run(
    target: str,
    steps: int | None,
    days: int | None,
    until: int | None,
    seed: int | None,
    save: str | None,
    step: int | None,
    minds: tuple[str, ...],
    settings: tuple[str, ...],
    as_json: bool,
    force: bool,
) -> None:
    """Live a world without a screen, as fast as it goes, and tell its last day.

    A folder is a world, a file is a save, anything else is the name of a world. A save is gone on with, and
    the new steps are added to it; with --save they go to a branch instead. A world without --save is kept in
    memory only. Without a length it is one day of 24 hours. `drama SAVE --day N --tell` tells another day.

    The same seed gives the same events, and so the same digest of the run.

    \b
    Examples:
      sandbox run larkspur                          a day, told
      sandbox run larkspur --days 7 --save week.db  a week, kept
      sandbox run week.db --until "12:30"           on until half past twelve
      sandbox run week.db --days 1 --save other.db  another eighth day, in a branch
      sandbox run larkspur --seed 7 --step 20m --set talk.cooldown=30 --json
    """
    if sum(x is not None for x in (steps, days, until)) > 1:
        raise click.UsageError("--steps, --days and --until exclude each other; give one")
    if force and save is None:
        raise click.UsageError("--force goes with --save FILE; name the file to replace")

    from sandbox.cli.living import Length, live
    from sandbox.engine.journal import JournalFull
    from sandbox.store.session import open_session

    length = Length(steps, None if days is None else days * DAY, until)
    open_: list[Session] = []

    def kept() -> str:
        if not open_:
            return STOPPED
        s = open_[0]
        steps_made = s.save.last_step - s.first_step
        where = f"; go on with `sandbox run {s.path}`" if s.path is not None else ""
        return f"{STOPPED} after {count(steps_made, 'step')}, at {s.world.clock.words(s.save.now)}{where}"

    async def living() -> tuple[Session, Lived]:
        async with open_session(target, seed=seed, step=step, set=settings, minds=minds, save=save, force=force) as s:
            open_.append(s)
            return s, await live(s, length)

    try:
        session, lived = wait_for(living(), kept)
    except JournalFull as full:
        path = open_[0].path if open_ else None
        on = f"; whole steps are kept as far as they fit, `sandbox run {path}` goes on from there" if path else ""
        raise JournalFull(f"{full}{on}") from full
    _report(session, lived, as_json)


def _report(session: Session, lived: Lived, as_json: bool) -> None:
    from sandbox.cli.living import told_day, told_minds

    scenario, digest, path = session.world.scenario, session.save.digest.hex(), session.path
    if as_json:
        say_json(
            {
                "world": scenario.name,
                "seed": scenario.seed,
                "steps": lived.steps,
                "events": lived.events,
                "residents": len(scenario.cast),
                "digest": digest,
                "wall_s": round(lived.wall, 3),
                "steps_per_s": round(lived.steps / max(lived.wall, 1e-9), 1),
                "save": None if path is None else str(path),
                "minds": _minds(session),
            }
        )
        return
    made = f"{count(lived.steps, 'step')}, {count(lived.events, 'event')} in {lived.wall:.1f} s"
    where = "kept in memory only; give --save FILE to keep it" if path is None else f"kept in {path}"
    minds = told_minds(session)
    lines = [told_day(session, lived), "", *([minds] if minds else []), f"{made}; {where}", f"digest {digest}"]
    say("\n".join(lines))


def _minds(session: Session) -> dict[str, object] | None:
    """What models did, for a script; None if none was to answer."""
    t = session.thinking
    if t is None:
        return None
    return {
        "models": list(dict.fromkeys(t.models.values())),
        "answered": t.answered,
        "stood_in": t.fallbacks,
        "fault": t.fault,
        "calls": t.spent.calls,
        "tokens": t.spent.tokens,
        "usd": round(t.spent.cost, 6),
    }
