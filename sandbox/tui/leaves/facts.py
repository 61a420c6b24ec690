"""Facts of the town: seed, step, sizes, versions; what one needs to live it again or to report a fault."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.faults import safe, shown
from sandbox.engine.scenario import Founded
from sandbox.store.errors import SaveError
from sandbox.store.session import versions
from sandbox.tui import waiting
from sandbox.tui.ink import DIM, hung, ink
from sandbox.tui.leaves.saves import size_words
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage

COLUMN = 10


async def open_facts(stage: Stage) -> None:
    """Show the facts, as they are now; what cannot be read in the save is told instead. Once more takes them away."""
    if stage.close_kind(FactsLeaf.kind):
        return
    session = stage.viewer.session
    world, save = session.world, session.save
    step, t, events = world.step, world.now, world.seq
    scenario, clock = world.scenario, world.clock
    facts = [
        ("town", f"{scenario.title} ({scenario.name}), {len(scenario.cast)} people"),
        ("seed", str(scenario.seed)),
        ("time", f"{clock.words(t)}, day {clock.day(t)}; {t:,} s since it began"),
        ("step", f"{step:,}, of {world.step_seconds} s each now"),
        ("events", f"{events:,}"),
    ]
    facts += waiting.facts(stage.viewer)
    if world.memories.live:
        facts.append(("memories", f"{sum(len(s) for s in world.memories.streams.values()):,}"))
    try:
        (row,) = await save.steps(step, step)
        info = await save.info()
        founded = (await save.found()).event
    except SaveError as error:
        facts.append(("save", str(error)))
    else:
        facts.append(("digest", row.digest.hex()))
        if info.step == step and info.unversioned:
            facts.append(("", f"{info.unversioned} without versions"))
        where = "in memory only" if session.path is None else f"{shown(session.path)}, {size_words(info.size)}"
        facts.append(("save", where))
        if info.parent:
            facts.append(("branch of", f"{info.parent}, at step {info.parent_step:,}"))
        if isinstance(founded, Founded):
            facts.append(("made with", _listed(founded.versions)))
    facts.append(("this is", _listed(versions())))
    stage.open_sheet(FactsLeaf(stage, facts))


def _listed(parts: dict[str, str]) -> str:
    return ", ".join(f"{safe(name, 20)} {safe(value, 20)}" for name, value in parts.items())


class FactsLeaf(Leaf[Stage]):
    """Names and values; the key that copies takes them all."""

    kind, title = "facts", "Facts"
    short = True

    def __init__(self, stage: Stage, facts: Sequence[tuple[str, str]]) -> None:
        super().__init__(stage)
        self.facts = facts

    def entries(self, width: int) -> Sequence[Entry]:
        told = (hung([ink(f"{name:{COLUMN}}", DIM)], value, width) for name, value in self.facts)
        return [Entry([line]) for lines in told for line in lines]
