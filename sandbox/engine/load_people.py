"""Reading who the people of a world are: the cast in `world.yaml`, and `personas/<id>.yaml`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from sandbox.core.clock import DAY_RULES
from sandbox.core.faults import Faults, closest_word, in_quotes, path_text, unknown
from sandbox.core.structs import read, read_field, section
from sandbox.core.textfiles import MappingReader, Value, open_yaml
from sandbox.director.goal_model import PlayerGoal
from sandbox.engine.load_world import pressures_of
from sandbox.engine.scenario import CAST
from sandbox.people.guest_model import Guest, Visit
from sandbox.people.persona import ID, DaySlots, PastTie, Persona, Routine, Slot
from sandbox.play.newcomers import Newcomer, Settling


class CastEntry(NamedTuple):
    """One of the cast: where the world names it, its file, and what the world says instead of the file, and where."""

    id: str
    value: Value
    path: Path
    instead: dict[str, str]
    at: dict[str, Value]


def persona_files(folders: Iterable[Path]) -> dict[str, Path]:
    """Persona id -> file; the first folder that has one wins."""
    out: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.yaml")):
            out.setdefault(path.stem, path)
    return out


def folders_text(folders: Iterable[Path]) -> str:
    """The folders as a message names them."""
    return ", ".join(path_text(f) for f in folders)


def read_cast(
    r: MappingReader,
    files: Mapping[str, Path],
    where: str,
    key: str = "cast",
    taken: Iterable[CastEntry] = (),
    lost: set[str] | None = None,
) -> list[CastEntry]:
    """The cast in order. files: persona id -> file. where: the folders searched, for messages. key: under which it
    stands; taken: who may not stand there, since they are of the cast. lost: gets the ids of whom there is no file, and
    of whoever may be meant by them.
    """
    out: dict[str, CastEntry] = {}
    cast = {entry.id for entry in taken}
    found = r.get(key, need="[mara, bo]") if key == "cast" else r.get(key)
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
                lost.update(files)  # it may be any of them
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
    """A person, or None if there is nothing to read. people: all ids that have a file; cast: those of this world."""
    r = MappingReader(open_yaml(entry.path, faults))
    r.get("visit")  # what brings them where they are a guest
    r.get("settling")  # and where they come to stay
    return _person(entry, r, people, cast)


def read_guest(entry: CastEntry, people: Collection[str], cast: Collection[str], faults: Faults) -> Guest | None:
    """Somebody who may come: a person, with what brings them."""
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
    """Somebody who comes to live here: a person, with what they bring."""
    r = MappingReader(open_yaml(entry.path, faults))
    r.get("visit")
    settling = r.section("settling")
    pressures = pressures_of(settling, start, early=True)
    goals = tuple(read(PlayerGoal, v.mapping()) for v in settling.items("goals"))
    settled = read(Settling, settling, pressures=pressures, goals=goals)
    person = _person(entry, r, people, cast)
    return None if person is None else Newcomer(person, settled)


def _person(entry: CastEntry, r: MappingReader, people: Collection[str], cast: Collection[str]) -> Persona | None:
    if r.value is None:
        return None
    for key in entry.instead:
        r.get(key) if key == "home" else read_field(Persona, key, r)
    given: dict[str, Any] = {
        **entry.instead,
        "routine": _routine(section(Persona, "routine", r)),
        "history": _history(r, people, cast),
    }
    person = read(Persona, r, id=entry.id, **given)
    r.bad |= entry.instead.keys() - entry.at.keys()
    for key, value in entry.at.items():
        r.moved(key, value)
    return person


def _routine(r: MappingReader) -> Routine:
    rules = section(Routine, "days", r).named(DAY_RULES, "days")
    days = (DaySlots(rule, tuple(read(Slot, v.mapping()) for v in value.values())) for rule, value in rules)
    return read(Routine, r, days=tuple(days))


def _history(r: MappingReader, people: Collection[str], cast: Collection[str]) -> tuple[PastTie, ...]:
    """What was, with people of this cast. A person who exists and is not in the cast is left out."""
    out = []
    for value in r.items("history"):
        past = read(PastTie, value.mapping())
        if past.with_ in people and past.with_ not in cast:
            value.fault(f"{in_quotes(past.with_)} is not in this world's cast; left out", "note")
        else:
            out.append(past)
    return tuple(out)
