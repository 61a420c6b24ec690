"""`sandbox replay`: a save proved step by step, or its days told again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

    from sandbox.store.verify import Verdict


@click.command()
@click.argument("save", metavar="SAVE")
@click.option("--verify", "prove", is_flag=True, help="Rebuild every step and compare it with what the save says.")
@click.option("--json", "as_json", is_flag=True, help="With --verify: print one JSON object for a script.")
def replay(save: str, prove: bool, as_json: bool) -> None:
    """Live a save again from its log; nothing in it is changed.

    With --verify every step is rebuilt from the first event and compared with its digest, and every snapshot
    with the rebuilt state. Exit code 1 and the first step that differs if the save is not what was lived; 2 if
    the file cannot be read at all. Without --verify it tells the days of the save.

    \b
    Examples:
      sandbox replay day.db
      sandbox replay day.db --verify
      sandbox replay day.db --verify --json
    """
    if as_json and not prove:
        raise click.UsageError("--json goes with --verify")
    from pathlib import Path

    from sandbox.cli.telling import say, wait_for
    from sandbox.store.session import is_save

    path = is_save(save) or Path(save).expanduser()
    if not prove:
        wait_for(_tell_days(path))
        click.echo(f"\nto prove that nothing in it was changed: `sandbox replay {save} --verify`")
        return
    verdict = wait_for(_prove(path))
    if as_json:
        from sandbox.cli.telling import say_json

        say_json(
            {
                "save": str(path),
                "ok": verdict.ok,
                "steps": max(0, verdict.steps - 1),
                "events": verdict.events,
                "snapshots": verdict.snapshots,
                "digest": verdict.digest.hex(),
                "step": verdict.step,
                "why": verdict.why or None,
            }
        )
    elif verdict.ok:
        proved = f"{verdict.steps - 1:,} steps, {verdict.events:,} events, {verdict.snapshots} snapshots"
        click.echo(f"{path}: as it was lived ({proved})\ndigest {verdict.digest.hex()}")
    else:
        say(f"{path}: step {verdict.step:,} differs: {verdict.why}")
    if not verdict.ok:
        raise SystemExit(1)


async def _prove(path: Path) -> Verdict:
    from sandbox.cli.telling import progress
    from sandbox.store.save import Save

    async with await Save.open(path, read_only=True, doubted=True) as opened:
        with progress("proving", "steps") as moved:
            return await opened.verify(moved)


async def _tell_days(path: Path) -> None:
    """A page a day, from midnight to midnight; a step that crosses midnight belongs to the day it begins on."""
    from sandbox.cli.telling import say
    from sandbox.core.events import Record
    from sandbox.store.errors import COPY, SaveError
    from sandbox.store.relive import relive
    from sandbox.store.save import Save
    from sandbox.stories.digest import digest, tell

    async with await Save.open(path, read_only=True) as opened:
        day: list[Record] = []
        told = midnight = 0
        async for world, records in relive(opened):
            day += records
            midnight = midnight or world.clock.midnight(2)
            if world.now < midnight and world.step != opened.last_step:
                continue
            if day:
                try:
                    page = tell(digest(day, world))
                except Exception as error:  # an untrusted save: an event may speak of people who do not live there
                    raise SaveError(path, f"holds an event that does not fit its world ({error!r})", COPY) from error
                say(("\n" if told else "") + page)
            day, told = [], told + len(day)
            midnight = world.clock.midnight(world.clock.day(world.now) + 1)
