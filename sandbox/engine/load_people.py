"""Reads the people of a world: the cast in `world.yaml`, and `personas/<id>.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
    """A person of the cast: where the world names them, and what it says instead of their file, with its places."""

    id: str
    value: Value
    instead: dict[str, str]
    at: dict[str, Value]


def folders_text(folders: Iterable[Path]) -> str:
    """The folders as an error names them."""
    return ", ".join(path_text(f) for f in folders)


class WorldPeople:
    """The people of a world. cast: who live there; entries: where the world names them; files: persona id -> file, the
    first folder that has one counts; lost: ids without a file, and ids that a misspelt one may mean. guests, newcomers:
    who may visit, or come to live there.
    """

    def __init__(self, reader: MappingReader, folders: Sequence[Path], alone: bool, faults: Faults) -> None:
        """Read the cast. folders: of persona files, the first has priority; alone: the world is only a crowd, without
        people.
        """
        self.files: dict[str, Path] = {}
        for path in (path for folder in folders for path in sorted(folder.glob("*.yaml"))):
            self.files.setdefault(path.stem, path)
        self.lost: set[str] = set()
        self._r, self._where, self._alone, self._faults = reader, folders_text(folders), alone, faults
        self.entries: list[CastEntry] = []
        self.entries = self._named("cast", "[mara, bo]")
        self.cast = tuple(file.person for e in self.entries if (file := self._file(e)) is not None)
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
        asked = self._named("guests", taken=self.entries)
        living = self._named("newcomers", taken=[*self.entries, *asked])
        if "cast" in self._r.bad:  # without a list of the cast, anybody with a file may be in it
            self.lost |= self.files.keys() - {e.id for e in (*asked, *living)}
            asked, living = [], []
        self.guests = tuple(file.guest() for e in asked if (file := self._file(e)) is not None)
        self.newcomers = tuple(file.newcomer(start) for e in living if (file := self._file(e)) is not None)

    def _named(self, key: str, need: str = "", taken: Iterable[CastEntry] = ()) -> list[CastEntry]:
        """The people in a list of the world, in order. taken: those who must not stand in it, too."""
        found = None if self._alone else self._r.get(key, need)
        items = found.values(most=CAST) if found is not None else []
        if found is not None and not items:
            found.fault("is empty; name at least one person")
        out: dict[str, CastEntry] = {}
        cast = {entry.id for entry in taken}
        lost = self.lost if key == "cast" else set[str]()
        for value in items:
            entry = _entry(value)
            name = entry.value.text(80) if entry is not None else None
            if entry is None or name is None:
                lost |= self.files.keys()  # any of them may be meant
            elif name in cast:
                entry.value.fault(f"{in_quotes(name)} is of the cast, and lives here; take them out of one of the two")
            elif name in out:
                first = f"first in line {out[name].value.line}"
                entry.value.fault(f"{in_quotes(name)} stands here twice, {first}; take one out")
            elif name not in self.files:
                entry.value.fault(f"{unknown('persona', name, self.files)} (looked in {self._where})")
                lost |= {name, closest_word(name, self.files) or name}
            elif not re.match(ID, name):
                mend = "name the file with small letters, digits and _, a letter first"
                entry.value.fault(f"{in_quotes(name)} is no id; {mend}")
            else:
                out[name] = entry._replace(id=name)
        return list(out.values())

    def _file(self, entry: CastEntry) -> PersonFile | None:
        """Somebody's file; None if it cannot be read."""
        r = MappingReader(open_yaml(self.files[entry.id], self._faults))
        if r.value is None:
            return None
        visit, settling = r.get("visit"), r.get("settling")
        for key in entry.instead:
            r.get(key) if key == "home" else read_field(Persona, key, r)
        given: dict[str, Any] = {
            **entry.instead,
            "routine": _routine(section(Persona, "routine", r)),
            "history": self._history(r),
        }
        person = read(Persona, r, id=entry.id, **given)
        r.bad |= entry.instead.keys() - entry.at.keys()
        for key, value in entry.at.items():
            r.moved(key, value)
        return PersonFile(person, visit, settling)

    def _history(self, reader: MappingReader) -> tuple[PastTie, ...]:
        """Past ties with people of this cast. People with a file who are not in the cast are skipped."""
        out = []
        for value in reader.items("history"):
            past = read(PastTie, value.mapping())
            if past.with_ in self.files and past.with_ not in self.ids:
                value.fault(f"{in_quotes(past.with_)} is not in this world's cast; left out", "note")
            else:
                out.append(past)
        return tuple(out)


def _entry(value: Value) -> CastEntry | None:
    """An entry of the cast: an id, or a mapping with what the world says instead of the file; None without an id."""
    if not value.is_mapping:
        return CastEntry("", value, {}, {})
    entry = value.mapping()
    ident = entry.get("id", need="mara")
    instead: dict[str, str] = {}
    at: dict[str, Value] = {}
    for key in ("home", "work", "job"):
        said = entry.get(key)
        if said is not None:
            instead[key] = "" if said.nothing else read_field(Persona, key, entry)
            at.update({} if key in entry.bad else {key: said})
    entry.rest()
    return None if ident is None else CastEntry("", ident, instead, at)


class PersonFile(NamedTuple):
    """What somebody's file says: who they are, why they visit if they are a guest, what they bring as a newcomer."""

    person: Persona
    visit: Value | None
    settling: Value | None

    def guest(self) -> Guest:
        """They as a guest, with the reason for their visit."""
        return Guest(self.person, read(Visit, self.visit.mapping()) if self.visit is not None else Visit())

    def newcomer(self, start: datetime) -> Newcomer:
        """They as a newcomer, with what they bring along. start: when the world begins."""
        r = MappingReader(self.settling)
        pressures = pressures_of(r, start, early=True)
        goals = tuple(read(PlayerGoal, v.mapping()) for v in r.items("goals"))
        return Newcomer(self.person, read(Settling, r, pressures=pressures, goals=goals))


def _routine(reader: MappingReader) -> Routine:
    rules = section(Routine, "days", reader).named(DAY_RULES, "days")
    days = (DaySlots(rule, tuple(read(Slot, v.mapping()) for v in value.values())) for rule, value in rules)
    return read(Routine, reader, days=tuple(days))
