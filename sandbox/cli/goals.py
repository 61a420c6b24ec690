"""`sandbox goals`: the goals of a world or a save, how far each has come, and what stands in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sandbox.cli.moments import world_after
from sandbox.cli.options import JSON
from sandbox.cli.telling import say_json, say_text, wait_for

if TYPE_CHECKING:
    from sandbox.director.goal_domain import Progress
    from sandbox.engine.world import World

STATES = {None: "open", True: "won", False: "lost"}  # of a goal, by whether it was won
MARKS = {None: (">", ", followed"), True: ("+", ", won"), False: ("-", ", lost")}  # of one that is or was followed


@click.command()
@click.argument("target", metavar="WORLD|SAVE")
@click.option("--choose", metavar="ID", help="Follow that goal; this adds an event to the save and runs one step.")
@click.option("--drop", metavar="ID", help="Stop following that goal; this runs one step, too.")
@JSON
def goals(target: str, choose: str | None, drop: str | None, as_json: bool) -> None:
    """List the goals of a world or a save: what each asks for, what of it holds, what stands in the way, the time left.

    A goal that you follow is won or lost in the save, at the moment it is decided. Nobody in the town knows of it, and
    it changes nothing that they do.

    JSON is {"target", "t", "at", "goals": [{"id", "title", "says", "by", "left_s", "state", "followed", "holds",
    "over", "parts": [{"says", "holds"}], "lacks", "threats"}]}; state is open, won or lost for a goal that is followed;
    over says why a goal that is not followed can no longer be chosen, and is null if it can.

    \b
    Examples:
      sandbox goals larkspur
      sandbox goals day.db --choose solo
      sandbox goals day.db --json
    """
    if choose is not None and drop is not None:
        raise click.UsageError("--choose and --drop exclude each other; give one")
    world, found = wait_for(_done(target, choose or drop, choose is not None))
    if as_json:
        at = {"target": target, "t": world.now, "at": world.clock.words(world.now)}
        say_json({**at, "goals": [_row(world, p) for p in found]})
        return
    if not found:
        say_text("this world has no goals; write some beside its world.yaml (docs/goals.md)")
    for p in sorted(found, key=lambda p: bool(p.over)):
        say_text("\n".join(_told(world, p)))
    if found and all(p.over for p in found):
        say_text(f"\nThe hours of all these goals are past; `sandbox goals {world.scenario.name}` lists those that are")
        say_text("open as the world begins, and `sandbox bet SAVE` lists what falls due now.")


def _row(world: World, progress: Progress) -> dict[str, object]:
    return {
        "id": progress.aim.id,
        "title": progress.aim.title,
        "says": progress.aim.says,
        "by": world.clock.words(progress.by),
        "left_s": progress.left,
        "state": STATES[progress.followed.won if progress.followed is not None else None],
        "followed": progress.followed is not None,
        "holds": progress.holds,
        "over": progress.over or None,
        "parts": [{"says": x.says, "holds": x.holds} for x in progress.parts],
        "lacks": list(progress.lacks),
        "threats": list(progress.threats),
    }


def _told(world: World, progress: Progress) -> list[str]:
    from sandbox.director.goal_domain import SO, time_left

    mark, state = (" ", "") if progress.followed is None else MARKS[progress.followed.won]
    out = [
        f"{mark} {progress.aim.id}: {progress.aim.says}",
        f"    until {world.clock.words(progress.by)} ({time_left(progress.left)}){state}",
    ]
    if progress.over:
        now = "it is so now" if progress.holds else "it is not so now"
        told = progress.over == SO and progress.holds  # which says so already
        return [*out, f"    over: {progress.over}" + ("" if told else f"; {now}")]
    if len(progress.parts) > 1:
        out += [f"    [{'x' if x.holds else ' '}] {x.says}" for x in progress.parts]
    elif progress.holds:
        out.append("    it is so now")
    out += [f"    in the way: {x}" for x in progress.lacks]
    out += [f"    may undo it: {x}" for x in progress.threats]
    return out


async def _done(target: str, id: str | None, follow: bool) -> tuple[World, list[Progress]]:
    """Follow or drop a goal, if one is named; the world after it, and the progress of all goals."""
    from sandbox.director.goal_domain import ChooseGoal, goal_progress
    from sandbox.engine.loading import find_world, load
    from sandbox.engine.world import World
    from sandbox.store.files import is_save
    from sandbox.store.save import read_save
    from sandbox.store.session import founding, remembering

    if is_save(target) is None:
        if id is not None:
            raise click.UsageError(
                f"a goal can only be followed in a save; begin one: `sandbox run {target} --save a.db`"
            )
        world = World.found(founding(load(find_world(target))), remember=False)
    elif id is None:
        async with await read_save(target) as save:
            world = await remembering(save, await save.seek())
    else:
        world = await world_after(target, lambda before: ChooseGoal(id=id, follow=follow, before=before))
    return world, [goal_progress(world, aim) for aim in world.aim_deck.values()]
