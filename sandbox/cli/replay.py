"""`sandbox replay`: watch a save again, verify it step by step, or, without a terminal, print its days."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sandbox.cli.moments import SaveMoment, at_moment
from sandbox.cli.options import SAVE
from sandbox.cli.telling import digests, progress_bar, say_json, say_text, wait_for

if TYPE_CHECKING:
    from pathlib import Path

    from sandbox.engine.world import World
    from sandbox.store.verify import SaveVerdict


@click.command()
@SAVE
@click.option("--verify", "prove", is_flag=True, help="Rebuild every step and compare it with what the save says.")
@click.option("--json", "as_json", is_flag=True, help="With --verify: print one JSON object for a script.")
@at_moment('Begin at a step (780) or a time (12:40, "day 3 12:40").')
def replay(save: str, prove: bool, as_json: bool, at: SaveMoment | None) -> None:
    """Watch a save again from its log; nothing in it is changed. Press ? on the screen for the keys.

    Without a terminal, the days of the save are printed instead, from --at on.

    With --verify every step is rebuilt from the first event and compared with its digest, and every snapshot
    with the rebuilt state. If something differs, the first such step is printed and the exit code is 1; it is 2
    if the file cannot be read at all.

    \b
    Examples:
      sandbox replay day.db
      sandbox replay day.db --at 12:40
      sandbox replay day.db --verify
      sandbox replay day.db --verify --json
    """
    if as_json and not prove:
        raise click.UsageError("--json goes with --verify")
    if at is not None and prove:
        raise click.UsageError("--at is for watching; leave out --verify")

    from sandbox.cli.play import finish_play, no_terminal
    from sandbox.store.files import path_of_save

    path = path_of_save(save)
    if not prove:
        if no_terminal():
            wait_for(_tell_days(path, at))
            say_text(f"\nto prove that nothing in it was changed, run `sandbox replay {save} --verify`")
        else:
            from sandbox.tui.app.program import run_app
            from sandbox.tui.view.opening import At, open_replay

            finish_play(
                *run_app(lambda: open_replay(path, None if at is None else At(*at)))
            )  # a town may have been continued from the replay
        return
    verdict = wait_for(_prove(path))
    if as_json:
        say_json(
            {
                "save": str(path),
                "ok": verdict.ok,
                "steps": max(0, verdict.steps - 1),
                "events": verdict.events,
                "snapshots": verdict.snapshots,
                "digest": verdict.digest.hex(),
                "unversioned": verdict.unversioned.hex(),
                "step": verdict.step,
                "why": verdict.why or None,
            }
        )
    elif verdict.ok:
        proved = f"{verdict.steps - 1:,} steps, {verdict.events:,} events, {verdict.snapshots} snapshots"
        say_text(f"{path}: unchanged ({proved})\n{digests(verdict.digest, verdict.unversioned)}")
    else:
        say_text(f"{path}: step {verdict.step:,} differs: {verdict.why}")
    if not verdict.ok:
        raise SystemExit(1)


async def _prove(path: Path) -> SaveVerdict:
    from sandbox.store.save import Save

    async with await Save.open(path, read_only=True, doubted=True) as opened:
        with progress_bar("proving", "steps") as moved:
            return await opened.verify(moved)


def _before(world: World, at: SaveMoment) -> bool:
    """Whether the step just replayed ends at that moment or before it."""
    step, day, second = at
    return world.now <= world.clock.midnight(day) + second if step is None else world.step <= step


async def _tell_days(path: Path, at: SaveMoment | None) -> None:
    """Print a page for each day from `at` on; a step that crosses midnight belongs to the day it begins on."""
    from sandbox.core.events import Record
    from sandbox.readers.all_stories import BEGINNINGS
    from sandbox.readers.edition import day_page
    from sandbox.store.errors import explain_unfitting
    from sandbox.store.player import relive
    from sandbox.store.save import Save

    async with await Save.open(path, read_only=True) as opened:
        day: list[Record] = []
        begun: list[Record] = []  # what pressed people before that day
        told = midnight = lived = since = 0
        async for world, records in relive(opened):
            if at is not None and _before(world, at) and world.step != opened.last_step:
                since = world.now
                begun += [record for record in records if record.event.KIND in BEGINNINGS]
                continue
            day += [record for record in records if not record.event.PACKED]
            lived += len(records)
            midnight = midnight or world.clock.midnight(world.clock.day(since) + 1)
            if world.now < midnight and world.step != opened.last_step:
                continue
            if lived:
                with explain_unfitting(path):
                    page = day_page(day, world, since, begun)
                say_text(("\n" if told else "") + page)
            begun += [record for record in day if record.event.KIND in BEGINNINGS]
            day, told, lived, since = [], told + lived, 0, world.now
            midnight = world.clock.midnight(world.clock.day(world.now) + 1)
