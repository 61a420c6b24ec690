"""`sandbox drama SAVE --knows MATTER`: who knows of a matter at the end of a save, and from whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sandbox.engine.world import World
    from sandbox.stories.beliefs import Knower, Known

ALL = "all"


def print_known(name: str, matter: str, as_json: bool) -> None:
    """Print it as a tree, or as one JSON object. Raises SaveError, and BadParameter for a matter nobody knows of."""
    from sandbox.cli.telling import say, say_json, wait_for
    from sandbox.stories.beliefs import known

    world = wait_for(_end(name))
    matters = sorted({fact.matter for fact in world.beliefs.facts.values()})
    if matter != ALL and matter not in {*matters, *world.pressures.open}:
        from sandbox.core.faults import quoted, suggestion

        raise click.BadParameter(
            f"nobody holds anything about a matter {quoted(matter)}{suggestion(matter, matters)};"
            f' "{ALL}" shows every one',
            param_hint="--knows",
        )
    found = {id: known(world, id, world.now) for id in (matters if matter == ALL else [matter])}
    if as_json:
        say_json({"save": name, "matters": {id: [_object(world, one) for one in facts] for id, facts in found.items()}})
        return
    if not found:
        say("nobody in this save holds anything about other people's matters")
    for id, facts in found.items():
        say(f"{id}:")
        for one in facts:
            say(f"  {one.says}")
            for knower in one.knowers:
                say(_line(world, knower))
        if not facts:
            say("  nobody else knows")


async def _end(name: str) -> World:

    from sandbox.store.save import Save
    from sandbox.store.session import save_named

    async with await Save.open(save_named(name), read_only=True) as save:
        return await save.seek()


def _line(w: World, k: Knower) -> str:
    """ "-> Basil, from Una, Tue 4 Mar 09:20, sure (event 812): 'it was Mara'"."""
    from sandbox.stories.beliefs import surely, told

    where = f" {w.handbook.at(k.where)}" if k.where and not k.depth else ""
    text = f": “{k.says}”" if k.changed or (not k.right and not k.depth) else ""
    arrow = "-> " if k.depth else ""
    when = w.clock.words(k.t)
    return f"{'  ' * (k.depth + 2)}{arrow}{told(w, k)}{where}, {when}, {surely(k.strength)} (event {k.seq}){text}"


def _object(w: World, one: Known) -> dict[str, object]:
    knowers = [
        {
            "who": k.who,
            "source": k.source,
            "depth": k.depth,
            "at": w.clock.words(k.t),
            "t": k.t,
            "event": k.seq,
            "strength": round(k.strength, 3),
            "says": k.says,
            "right": k.right,
            "changed": k.changed,
            "lie": k.lie,
        }
        for k in one.knowers
    ]
    return {"fact": one.fact, "says": one.says, "knowers": knowers}
