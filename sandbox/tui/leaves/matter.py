"""What a talk was about because of a pressure, on its sheet."""

from __future__ import annotations

from sandbox.stories.of_pressures import matter_blocks
from sandbox.stories.talks import TalkStory
from sandbox.tui.ink import COOL, SOFT, TEXT, WARM, ink, outside
from sandbox.tui.leaves.blocks import lines_of
from sandbox.tui.leaves.knows import knows
from sandbox.tui.leaves.read import flow
from sandbox.tui.leaves.why import leads
from sandbox.tui.panes.entries import Entry
from sandbox.tui.stage import Stage
from sandbox.tui.viewer import Viewer


def deed_entries(stage: Stage, story: TalkStory, width: int) -> list[Entry]:
    """The pressures a talk was about: what each came of, how the other took it, and the rules that decided that."""
    viewer = stage.viewer
    handbook = viewer.world.handbook
    out = []
    for done in story.deeds:
        matter, exchange = viewer.timeline.matters.get(done.matter), handbook.drama.exchanges.get(done.do)
        if matter is None or exchange is None:
            continue
        lines = lines_of(matter_blocks(viewer.timeline.teller, done.matter, over=True), width)
        other = next(who for who in story.who if who != done.who)
        took = f"{viewer.name(other)} {exchange.took.get(done.answer, '')}".rstrip()
        rules = [[outside(r.name, SOFT), ink(f" {r.value:+z.2f}", WARM if r.value > 0 else COOL)] for r in done.why]
        lines += flow([[outside(f"{took}:" if rules else took, TEXT)], *rules], width, 0)
        out.append(Entry(lines, leads(stage, matter.seq), ("matter", done.seq)))
    if handbook.drama.rumours.says:
        asked = [done.matter for done in story.deeds] + [matter_told(viewer, row) for row in story.told]
        out += [knows(stage, id) for id in dict.fromkeys(asked) if id in viewer.timeline.matters]
    return out


def matter_told(viewer: Viewer, fact: str) -> str:
    """The pressure a fact belongs to that was told, "" if nobody holds it any more."""
    found = viewer.world.beliefs.facts.get(fact)
    return found.matter if found is not None else ""
