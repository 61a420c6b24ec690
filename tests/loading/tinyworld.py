"""A world of two people and three rooms, written to a folder, and changed at will by each test."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sandbox.core.faults import Fault
from sandbox.engine.loading import WorldReading, read
from sandbox.talk.lines import MOVES

MAP = """\
############....
#b.b.#..O..#....
#....+.....+....
#....#..cc.#.T..
############....
................
"""

AREAS = """\
legend:
  ".": {name: grass, kind: ground, look: grass}
  "#": {name: wall, kind: wall, look: wall}
  "+": {name: door, kind: door, look: door}
  "T": {name: tree, kind: tree, look: tree}
  "b": {name: bed, kind: object, look: bed, affords: [sleep], idle: made}
  "c": {name: chair, kind: object, look: chair, affords: [sit]}
  "O": {name: oven, kind: object, look: oven, affords: [bake], idle: cold, walk: false}
sectors:
  Mill House:
    rect: [0, 0, 12, 5]
    called: the mill
    look: {roof: slate}
    arenas:
      bedroom: {rect: [1, 1, 4, 3], floor: wood, tags: [indoors, home]}
      kitchen: {rect: [6, 1, 5, 3], floor: tile, tags: [indoors]}
  Green:
    rect: [12, 0, 4, 6]
    arenas:
      lawn: {rect: [12, 0, 4, 6], floor: grass, tags: [outdoors, green]}
"""

WORLD = """\
title: Tiny
about: Two people and an oven.
start: "2025-03-04 07:30"
step: 20m
seed: 7
cast: [ann, ben]
opening:
  ann: {where: Mill House / kitchen, do: work}
calendar:
  - id: fair
    title: The fair
    days: [tue, sat]
    from: 09:00
    to: "12:30"
    where: Green / lawn
    block: play
    who: [ann, ben]
rules: {drama: on}
parameters: {talk.exchange: 30}
"""

PRESSURES = """\
pressures:
  - id: loan
    kind: debt
    holder: ann
    about: ben
    intensity: 0.5
    wakes: "day 1 08:00"
    due: "day 2 12:00"
    stakes: the oven
    known_by: [ben]
    cause: the oven was bought on credit
"""

ANN = """\
name: Ann Miller
age: 41
household: miller
job: baker
home: Mill House / bedroom
work: Mill House / kitchen
big_five: {openness: 0.1, conscientiousness: 0.2, extraversion: -0.3, agreeableness: 0, neuroticism: 1}
traits: [kind]
voice: warm
look: {hair: grey, skin: tan, build: tall}
about: She bakes.
routine:
  wake: 06:00
  sleep: "22:00"
  days:
    weekdays:
      - {at: 08:00, do: work, where: work}
      - {at: "12:00", do: play, where: Mill House / kitchen / chair 2}
    every:
      - {at: "09:00", do: play, where: Green / lawn}
opinions:
  the mill: {stance: -0.5, why: it leaks}
history:
  - {with: ben, feeling: 0.5, closeness: 0.9, why: they share a roof}
"""

BEN = ANN.replace("Ann Miller", "Ben Miller").replace("with: ben", "with: ann").replace("voice: warm", "voice: blunt")

ACTIVITIES = """\
blocks:
  sleep: {do: sleep, doing: sleeping, past: slept}
  work: {do: work, doing: working, past: worked}
  play: {do: play, doing: playing, past: played}
activities:
  knead dough:
    {doing: kneading dough, past: kneaded dough, for: [work], needs: bake, minutes: [10, 30], state: floury}
  play ball: {doing: playing ball, past: played ball, for: [play], where: [green]}
feelings:
  play:
    good: [{feel: joy, size: 0.7, why: scored}]
    bad: [{feel: shame, size: 0.5, why: fell over the ball}]
"""

LINES = "lines:\n" + "".join(f'  - {{id: {m}_any, move: {m}, say: ["{{opener}}{m}."]}}\n' for m in MOVES)
LINES += 'slots:\n  opener:\n    - "well, "\n    - {say: "{name}, ", when: {tie: close}}\n'

FILES = {
    "world/map.txt": MAP,
    "world/areas.yaml": AREAS,
    "world/world.yaml": WORLD,
    "world/pressures.yaml": PRESSURES,
    "world/personas/ann.yaml": ANN,
    "personas/ben.yaml": BEN,
    "data/activities.yaml": ACTIVITIES,
    "data/lines.yaml": LINES,
    "data/lines_asked.yaml": "lines: []\n",
    "data/lines_facts.yaml": "lines: []\n",
}


class Tiny(NamedTuple):
    """A world on disk. root holds world, personas and data."""

    root: Path

    @property
    def path(self) -> Path:
        """The world's folder."""
        return self.root / "world"

    def write(self, name: str, text: str | bytes | None) -> None:
        """Write a file, or remove it."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink(missing_ok=True)
        elif isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text, encoding="utf-8")

    def change(self, name: str, old: str, new: str) -> None:
        """Replace the first place of a text in a file; it must be there."""
        text = FILES[name]
        assert old in text, f"{old!r} is not in {name}"
        self.write(name, text.replace(old, new, 1))

    def read(self, **more: object) -> WorldReading:
        """Read it."""
        return read(self.path, **more)  # type: ignore[arg-type]

    def errors(self) -> list[Fault]:
        """The errors found."""
        return self.read().faults.errors
