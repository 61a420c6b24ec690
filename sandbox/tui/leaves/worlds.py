"""The worlds there are: a new town of one, with its own seed or another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from secrets import randbelow
from typing import NamedTuple

from sandbox.core.faults import Faults, safe
from sandbox.core.textfiles import Reader, open_yaml
from sandbox.engine.loading import list_worlds
from sandbox.tui.ink import DIM, GOLD, SOFT, TEXT, Line, apart, ink, outside, wrap
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage

SEEDS = 10_000  # another seed is one below this, so that it can be said and typed


class Offered(NamedTuple):
    """A world as its file tells of it, unchecked."""

    path: Path
    name: str
    title: str
    about: str
    people: int


def offered(name: str, path: Path) -> Offered:
    """What a list shows of a world. What cannot be read is left out; who begins a town there is told why."""
    r = Reader(open_yaml(path / "world.yaml", Faults()))
    return Offered(path, name, r.text("title", name, limit=80), r.text("about", limit=600), len(r.items("cast")))


class WorldsLeaf(Leaf):
    """The list. draw: gives a number below its argument, for another seed."""

    kind = "worlds"
    picks = True
    short = True

    def __init__(self, stage: Stage, draw: Callable[[int], int] = randbelow) -> None:
        super().__init__("A new town")
        self.stage = stage
        self.worlds = [offered(name, path) for name, path in sorted(list_worlds().items())]
        self.seed = 1 + draw(SEEDS - 1)

    def entries(self, width: int) -> Sequence[Entry]:
        out: list[Entry] = []
        play = self.stage.house.play
        for world in self.worlds:
            folder = world.path.resolve()
            people = ink(f"{world.people} people" if world.people else "", DIM)
            head: Line = apart([outside(safe(world.title, 40), GOLD, bold=True)], [people], width)
            told: list[Line] = [[ink(part, SOFT)] for part in wrap(world.about, width, 4)] if world.about else []
            out.append(Entry([*([[]] if out else []), head, *told]))
            out.append(Entry([[ink("  begin, as its author meant it", TEXT)]], partial(play, folder), world.name))
            other = [ink("  begin, with other chances ", TEXT), ink(f"(seed {self.seed})", DIM)]
            out.append(Entry([other], partial(play, folder, self.seed), (world.name, "seed")))
        if not out:
            out.append(Entry([[ink("No worlds found: a world is a folder in worlds/ with a world.yaml.", SOFT)]]))
        return out
