"""Reading `personas/<id>.yaml`: who the people of a world are."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

from sandbox.core.clock import DAY_RULES
from sandbox.core.faults import Faults, quoted
from sandbox.core.structs import field, read, section
from sandbox.core.textfiles import Reader, Value, open_yaml
from sandbox.people.persona import DaySlots, Past, Persona, Routine, Slot


class Entry(NamedTuple):
    """One of the cast: where the world names it, its file, and what the world says instead of the file, and where."""

    id: str
    value: Value
    path: Path
    instead: dict[str, str]
    at: dict[str, Value]


def read_person(entry: Entry, people: Collection[str], cast: Collection[str], faults: Faults) -> Persona | None:
    """A person, or None if there is nothing to read. people: all ids that have a file; cast: those of this world."""
    r = Reader(open_yaml(entry.path, faults))
    if r.value is None:
        return None
    for key in entry.instead:
        r.get(key) if key == "home" else field(Persona, key, r)
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


def _routine(r: Reader) -> Routine:
    rules = section(Routine, "days", r).named(DAY_RULES, "days")
    days = (DaySlots(rule, tuple(read(Slot, v.mapping()) for v in value.values())) for rule, value in rules)
    return read(Routine, r, days=tuple(days))


def _history(r: Reader, people: Collection[str], cast: Collection[str]) -> tuple[Past, ...]:
    """What was, with people of this cast. A person who exists and is not in the cast is left out."""
    out = []
    for value in r.items("history"):
        past = read(Past, value.mapping())
        if past.with_ in people and past.with_ not in cast:
            value.fault(f"{quoted(past.with_)} is not in this world's cast; left out", "note")
        else:
            out.append(past)
    return tuple(out)
