"""The town at a moment, without its feed: people, ties, claims and places as they stood, in a tenth of the time.

What a crowd has done is made again from all events of its feed, which takes a second for a week. Whoever asks only how
people stand to each other needs none of it: a snapshot holds the rest, and so few events follow it.
"""

from __future__ import annotations

from sandbox.core.events import Record
from sandbox.engine.world import World
from sandbox.phones.handlers import without_feed_part
from sandbox.store import caches
from sandbox.store.errors import explain_unfitting
from sandbox.store.facts import StepRow
from sandbox.store.read import SaveReader


async def end_before(save: SaveReader, t: int) -> StepRow:
    """The last step that ends at second t or earlier; step 0 if there is none. Raises SaveError."""
    step = await save.step_at(t)
    found = await save.steps(max(0, step - 1), step)
    return next((end for end in reversed(found) if end.t <= t), found[0])


async def street_at(save: SaveReader, t: int) -> World:
    """The world at the end of the last step by second t; its feed, if it has one, and what phones know of posts are
    not to be looked at. Raises SaveError.
    """
    end = await end_before(save, t)
    world = await save.beginning()
    if not world.bulk:
        return await save.seek(end.step)
    kept = [step for step in await save.cached("snapshots") if step <= end.step]
    for step in reversed(kept[-caches.TRIES :]):
        found = (await save.steps(step, step))[0]
        try:
            most = caches.max_state_size(len(world.snapshot()), found.last_seq)
            world.restore(await save.state(step, found.last_seq, found.digest, most))
        except Exception:  # whatever is wrong with it, it is only a cache; the long way tells
            break
        await _on(save, world, found, end)
        return world
    return await save.seek(end.step)


async def _on(save: SaveReader, world: World, at: StepRow, end: StepRow) -> None:
    """Live on from one step to another."""
    after = at.last_seq
    for step in await save.steps(at.step + 1, end.step):
        rows = await save.rows(after, step.last_seq) if step.last_seq > after else []
        with explain_unfitting(save.path):
            for row in rows:
                record = save.machine.decode(row)
                event = None if type(record.event) in world.registry.folds else without_feed_part(record.event)
                if event is not None:
                    world.apply(Record(record.stamp, event))
            world.advance(step.step)
        after = step.last_seq
