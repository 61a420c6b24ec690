"""A cast: who plays, what each is after, and how each speaks; read from one text file (`cast.yaml` ships).

Big Five, stance and style are what a mind is told of a person; goals are the weights of the rewards. Nothing here is of
age, sex or race: a persona is what can be told from what somebody writes (seed 000, section 3.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from sandbox.core.faults import Faults, in_quotes
from sandbox.core.fields import Finding, duplicates, meta
from sandbox.core.plain import shown_as
from sandbox.core.structs import add_faults, read
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.lab.experiment import LabFaults
from sandbox.lab.friends.model import BETAS, EMO, REWARDS, GameRules, weights_fault
from sandbox.lab.friends.words import TOPICS
from sandbox.people.persona import BigFive

SHIPPED = Path(__file__).with_name("cast.yaml")
FEWEST, MOST = 3, 200
Share = Annotated[float, meta(low=0, high=1)]
Name = Annotated[str, meta(options=REWARDS, what="reward")]

Topic = Annotated[str, meta(options=TOPICS, what="topic")]


class Facets(msgspec.Struct, frozen=True):
    """What a persona may have beyond the five traits, each in [0, 1], .5 = as most people. stubbornness: how little
    the coach's tips do; risk: how far one strays from what has paid; openness: how little it takes to be close to
    somebody to be written to.
    """

    stubbornness: Share = 0.5
    risk: Share = 0.5
    openness: Share = 0.5


class PlayerPersona(msgspec.Struct, frozen=True):
    """handle: as others name them. stance: on the topic of the cast, -1 = against doing anything, 1 = for doing all.
    interests: topics they would rather read and write of. goals: what each reward weighs, summing to 1.
    """

    handle: str
    name: Annotated[str, meta("Mira Solberg", most=60)]
    role: Annotated[str, meta("ferry pilot", most=60)]
    about: Annotated[str, meta('"She counts gulls."', most=400)]
    stance: Annotated[float, meta("0.4", low=-1, high=1)]
    style: Annotated[str, meta('"short and dry"', most=160)]
    big_five: Annotated[BigFive, meta("{openness: 0.2, ...}")]
    goals: Annotated[dict[Name, Share], meta("{SOC: 0.6, EMO: 0.4}")]
    interests: tuple[Topic, ...] = ()
    facets: Facets = Facets()

    @property
    def camp(self) -> str:
        """Where they stand on the topic: "doubtful", "between" or "worried" (groups of homophily)."""
        return "doubtful" if self.stance < -0.2 else "worried" if self.stance > 0.35 else "between"


class Cast(msgspec.Struct, frozen=True):
    """topic: what all of it is about, in words. betas: of the rewards, over the usual ones."""

    topic: str
    people: tuple[PlayerPersona, ...]
    betas: dict[str, float] = {}

    @property
    def handles(self) -> tuple[str, ...]:
        """Of all people, in order."""
        return tuple(p.handle for p in self.people)

    def __repr__(self) -> str:
        return shown_as(self, f"{len(self.people)} people on {self.topic}", ".people, .rules")

    def wanting(self, reward: str) -> Cast:
        """The same people with only this one reward as goal; "" = their own goals."""
        if not reward:
            return self
        return replace(self, people=tuple(replace(p, goals={reward: 1.0}) for p in self.people))

    @property
    def rules(self) -> GameRules:
        """The rules with the betas of the file."""
        return GameRules(betas={**BETAS, **self.betas})


def read_cast_file(path: Path = SHIPPED) -> Cast:
    """The cast in a file. Raises LabFaults with every fault of it, each with its line and its mend."""
    faults = Faults()
    r = MappingReader(open_yaml(path, faults))
    topic = r.text("topic", need="climate change", limit=60)
    if "@" in topic:
        r.key_fault("topic", f'topic: {in_quotes(topic)} has an "@", which would name somebody; leave it out')
    betas: dict[str, float] = {}
    for name, value in r.section("betas").named(REWARDS, "reward"):
        b = value.number(-100, 100) if name == EMO else value.number(0, 1)
        if b is not None:
            betas[name] = b
    section = r.section("people", need="{mira: {name: Mira Solberg, ...}}")
    people, whole = [], []
    for handle, value in section.entries():
        before = len(faults.errors)
        people.append(read(PlayerPersona, value.mapping(), handle=handle))
        whole += people[-1:] if len(faults.errors) == before else []
    r.rest()
    if section.value is not None and not FEWEST <= len(people) <= MOST:
        section.value.fault(f"{len(people)} people are too {'few' if len(people) < FEWEST else 'many'}; "
                            f"name {FEWEST} to {MOST}")  # fmt: skip
    add_faults(_odd(whole), faults)
    if faults.errors:
        raise LabFaults(faults.errors)
    return Cast(topic, tuple(people), betas)


@cache
def shipped_cast() -> Cast:
    """The thirty who ship."""
    return read_cast_file()


def cast_of(given: dict[str, Any] | None) -> Cast:
    """A cast as runs are given it, or the one that ships."""
    return shipped_cast() if given is None else msgspec.convert(given, Cast)


def _odd(people: Sequence[PlayerPersona]) -> Iterator[Finding]:
    yield from duplicates(people, "name")
    for p in people:
        if fault := weights_fault(p.goals):
            yield Finding(p, "goals", fault)
        if not p.handle.isascii() or not p.handle.isalnum() or not p.handle.islower():
            yield Finding(p, "name", f"{in_quotes(p.handle)} is not a handle; use lowercase letters and digits")
        if "@" in p.name:
            yield Finding(p, "name", f'{in_quotes(p.name)} has an "@", which would name somebody; leave it out')
