"""Reads the people of a world: the cast in `world.yaml`, and `personas/<id>.yaml`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sandbox.core.clock import DAY_RULES
from sandbox.core.faults import Faults, closest_word, in_quotes, path_text, unknown
from sandbox.core.structs import read, read_field, section
from sandbox.core.textfiles import MappingReader, Value, open_yaml
from sandbox.director.goal_domain import PlayerGoal
from sandbox.engine.load_world import pressures_of
from sandbox.engine.scenario import CAST
from sandbox.people.guest_model import Guest, Visit
from sandbox.people.persona import ID, DaySlots, PastTie, Persona, Routine, Slot
from sandbox.play.model import Newcomer, Settling


class CastEntry(NamedTuple):
    """A person of the cast: where the world names them, their file, and what the world says instead of the file."""

    id: str
    value: Value
    path: Path
    instead: dict[str, str]
    at: dict[str, Value]


def persona_files(folders: Iterable[Path]) -> dict[str, Path]:
    """Persona id -> file; the first folder that has an id wins."""
    out: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.yaml")):
            out.setdefault(path.stem, path)
    return out


def folders_text(folders: Iterable[Path]) -> str:
    """The folders as an error names them."""
    return ", ".join(path_text(f) for f in folders)


class WorldPeople:
    """The people of a world. cast: who live there; entries: where the world names them; files: persona id -> file;
    lost: ids without a file, and ids that a misspelt one may mean. guests, newcomers: who may visit, or come to live
    there.
    """

    def __init__(self, reader: MappingReader, folders: Sequence[Path], alone: bool, faults: Faults) -> None:
        """Read the cast. folders: of persona files, the first has priority; alone: the world is only a crowd, without
        people.
        """
        self.files = persona_files(folders)
        self.lost: set[str] = set()
        self._r, self._where, self._alone, self._faults = reader, folders_text(folders), alone, faults
        self.entries = [] if alone else read_cast(reader, self.files, self._where, lost=self.lost)
        cast = (read_person(e, self.files, self.ids, faults) for e in self.entries)
        self.cast = tuple(p for p in cast if p is not None)
        self.guests: tuple[Guest, ...] = ()
        self.newcomers: tuple[Newcomer, ...] = ()

    @property
    def ids(self) -> list[str]:
        """The ids of the cast, including people whose file cannot be read."""
        return [entry.id for entry in self.entries]

    @property
    def everybody(self) -> tuple[Persona, ...]:
        """The cast, guests and newcomers."""
        return (*self.cast, *(g.persona for g in self.guests), *(n.persona for n in self.newcomers))

    @property
    def unread(self) -> set[str]:
        """The ids that the world names without a readable person."""
        return {*self.ids, *self.lost} - {p.id for p in self.cast}

    def read_others(self, start: datetime) -> None:
        """Read the guests and newcomers. start: when the world begins."""
        asked = self._named("guests", self.entries)
        living = self._named("newcomers", [*self.entries, *asked])
        if "cast" in self._r.bad:  # without a list of the cast, anybody with a file may be in it
            self.lost |= self.files.keys() - {e.id for e in (*asked, *living)}
            asked, living = [], []
        guests = (read_guest(e, self.files, self.ids, self._faults) for e in asked)
        self.guests = tuple(g for g in guests if g is not None)
        newcomers = (read_newcomer(e, self.files, self.ids, start, self._faults) for e in living)
        self.newcomers = tuple(n for n in newcomers if n is not None)

    def _named(self, key: str, taken: Iterable[CastEntry]) -> list[CastEntry]:
        return [] if self._alone else read_cast(self._r, self.files, self._where, key, taken)


def read_cast(
    reader: MappingReader,
    files: Mapping[str, Path],
    where: str,
    key: str = "cast",
    taken: Iterable[CastEntry] = (),
    lost: set[str] | None = None,
) -> list[CastEntry]:
    """The cast in order. files: persona id -> file. where: the folders searched, for errors. key: of the list; taken:
    entries that may not be repeated, since they are in the cast. lost: gets ids without a file, and ids that a misspelt
    one may mean.
    """
    out: dict[str, CastEntry] = {}
    cast = {entry.id for entry in taken}
    found = reader.get(key, need="[mara, bo]") if key == "cast" else reader.get(key)
    items = found.values(most=CAST) if found is not None else []
    if found is not None and not items:
        found.fault("is empty; name at least one person")
    for value in items:
        ident: Value | None = value
        instead: dict[str, str] = {}
        at: dict[str, Value] = {}
        if value.is_mapping:
            entry = value.mapping()
            ident = entry.get("id", need="mara")
            for key in ("home", "work", "job"):
                said = entry.get(key)
                if said is not None:
                    instead[key] = "" if said.nothing else read_field(Persona, key, entry)
                    at.update({} if key in entry.bad else {key: said})
            entry.rest()
        name = ident.text(80) if ident is not None else None
        if ident is None or name is None:
            if lost is not None:
                lost.update(files)  # any of them may be meant
            continue
        if name in cast:
            ident.fault(f"{in_quotes(name)} is of the cast, and lives here; take them out of one of the two")
        elif name in out:
            ident.fault(f"{in_quotes(name)} stands here twice, first in line {out[name].value.line}; take one out")
        elif name not in files:
            ident.fault(f"{unknown('persona', name, files)} (looked in {where})")
            if lost is not None:
                lost |= {name, closest_word(name, files) or name}
        elif not re.match(ID, name):
            ident.fault(f"{in_quotes(name)} is no id; name the file with small letters, digits and _, a letter first")
        else:
            out[name] = CastEntry(name, ident, files[name], instead, at)
    return list(out.values())


def read_person(entry: CastEntry, people: Collection[str], cast: Collection[str], faults: Faults) -> Persona | None:
    """A person, None if unreadable. people: all ids with a file; cast: ids of this world."""
    r = MappingReader(open_yaml(entry.path, faults))
    r.get("visit")  # used only for guests
    r.get("settling")  # used only for newcomers
    return _person(entry, r, people, cast)


def read_guest(entry: CastEntry, people: Collection[str], cast: Collection[str], faults: Faults) -> Guest | None:
    """A guest: a person, with the reason for their visit."""
    r = MappingReader(open_yaml(entry.path, faults))
    visit = r.get("visit")
    r.get("settling")
    person = _person(entry, r, people, cast)
    if person is None:
        return None
    return Guest(person, read(Visit, visit.mapping()) if visit is not None else Visit())


def read_newcomer(
    entry: CastEntry, people: Collection[str], cast: Collection[str], start: datetime, faults: Faults
) -> Newcomer | None:
    """A newcomer: a person, with what they bring along."""
    r = MappingReader(open_yaml(entry.path, faults))
    r.get("visit")
    settling = r.section("settling")
    pressures = pressures_of(settling, start, early=True)
    goals = tuple(read(PlayerGoal, v.mapping()) for v in settling.items("goals"))
    settled = read(Settling, settling, pressures=pressures, goals=goals)
    person = _person(entry, r, people, cast)
    return None if person is None else Newcomer(person, settled)


def _person(entry: CastEntry, reader: MappingReader, people: Collection[str], cast: Collection[str]) -> Persona | None:
    if reader.value is None:
        return None
    for key in entry.instead:
        reader.get(key) if key == "home" else read_field(Persona, key, reader)
    given: dict[str, Any] = {
        **entry.instead,
        "routine": _routine(section(Persona, "routine", reader)),
        "history": _history(reader, people, cast),
    }
    person = read(Persona, reader, id=entry.id, **given)
    reader.bad |= entry.instead.keys() - entry.at.keys()
    for key, value in entry.at.items():
        reader.moved(key, value)
    return person


def _routine(reader: MappingReader) -> Routine:
    rules = section(Routine, "days", reader).named(DAY_RULES, "days")
    days = (DaySlots(rule, tuple(read(Slot, v.mapping()) for v in value.values())) for rule, value in rules)
    return read(Routine, reader, days=tuple(days))


def _history(reader: MappingReader, people: Collection[str], cast: Collection[str]) -> tuple[PastTie, ...]:
    """Past ties with people of this cast. People with a file who are not in the cast are skipped."""
    out = []
    for value in reader.items("history"):
        past = read(PastTie, value.mapping())
        if past.with_ in people and past.with_ not in cast:
            value.fault(f"{in_quotes(past.with_)} is not in this world's cast; left out", "note")
        else:
            out.append(past)
    return tuple(out)
