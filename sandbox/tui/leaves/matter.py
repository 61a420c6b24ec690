"""Pressures on the sheets: what an event of one tells beyond its sentence, and what a talk was about because of one."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.events import Record
from sandbox.people.pressures.model import Began, Ended, Stirred, Turned
from sandbox.stories.phrases import listed
from sandbox.stories.pressures import Matter, matter_of, says, was
from sandbox.stories.talks import TalkStory
from sandbox.tui.ink import COOL, DIM, SOFT, TEXT, WARM, Line, ink, outside, wrap
from sandbox.tui.leaves.knows import knows
from sandbox.tui.leaves.read import flow
from sandbox.tui.leaves.why import leads
from sandbox.tui.panes.entries import Entry
from sandbox.tui.persons.words import STAGES
from sandbox.tui.stage import Stage
from sandbox.tui.viewer import Viewer


def matter_lines(viewer: Viewer, record: Record, width: int) -> list[Line]:
    """What an event of a pressure is about in full, how it stands after it, who knows since, and whose feelings moved.

    Nothing for any other event.
    """
    matter, e = viewer.timeline.matters.get(matter_of(record)), record.event
    if matter is None:
        return []
    handbook = viewer.world.handbook
    text = was(handbook, matter, matter.stakes) if isinstance(e, Ended) else says(handbook, matter, matter.stakes)
    told = isinstance(e, Began) and matter.gist == matter.stakes  # by the event's own sentence
    out = _of("" if told else text, matter, width)
    if isinstance(e, (Began, Stirred)):
        clock = viewer.world.clock
        by = f" ({e.delta:+z.2f})" if isinstance(e, Stirred) and e.delta else ""
        parts: list[Line] = [[ink("it "), ink(STAGES[e.stage], TEXT), ink(f": {e.intensity:.2f}{by}", SOFT)]]
        if isinstance(e, Began) and e.amount:
            parts.append([ink(f"{e.amount:,} owed", SOFT)])
        if e.due >= 0:
            parts.append([ink(f"by {clock.words(e.due)}", SOFT)])
        out += flow(parts, width)
    if isinstance(e, Stirred) and e.told:
        names = listed([viewer.name(who) for who in e.told])
        out += [
            [ink("  "), ink(part, SOFT)]
            for part in wrap(f"{names} know{'s' * (len(e.told) == 1)} of it since", width - 2)
        ]
    return out + _turned(viewer, e.feelings if isinstance(e, (Stirred, Ended)) else (), width)


def _of(text: str, matter: Matter, width: int) -> list[Line]:
    """What a matter is, if that is to be told, and what it came of."""
    out: list[Line] = [[ink("  "), ink(part, SOFT)] for part in wrap(text, width - 2)] if text else []
    return out + [[ink("  "), ink(part, DIM)] for part in wrap(f"because {matter.cause}", width - 2)]


def _turned(viewer: Viewer, feelings: Sequence[Turned], width: int) -> list[Line]:
    parts: list[Line] = [
        [
            outside(f"{viewer.name(f.u)} likes {viewer.name(f.v)}", SOFT),
            ink(f" {f.delta:+z.2f}", WARM if f.delta > 0 else COOL),
        ]
        for f in feelings
    ]
    return flow(parts, width)


def deed_entries(stage: Stage, story: TalkStory, width: int) -> list[Entry]:
    """The pressures a talk was about: what each came of, how the other took it, and the rules that decided that."""
    viewer = stage.viewer
    handbook = viewer.world.handbook
    out = []
    for done in story.deeds:
        matter, exchange = viewer.timeline.matters.get(done.matter), handbook.drama.exchanges.get(done.do)
        if matter is None or exchange is None:
            continue
        lines = _of(was(handbook, matter, matter.stakes), matter, width)
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
