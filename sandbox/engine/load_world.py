"""Reading the parts of `world.yaml` that people and days are in (cast, opening, calendar), and `pressures.yaml`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from sandbox.core.clock import Clock, parse_time
from sandbox.core.faults import Faults, quoted, shown, unknown
from sandbox.core.structs import field, read
from sandbox.core.textfiles import Reader, Value, open_yaml
from sandbox.engine.load_outcomes import read_decision
from sandbox.engine.load_people import Entry
from sandbox.engine.scenario import CAST, Opening
from sandbox.people.persona import ALONE, ID, Persona, Pressure
from sandbox.people.purse import Money, parse_payday
from sandbox.town.plan import Occasion

_DAY_TIME = re.compile(r"day (\d{1,4}) (\d{1,2}:\d{2})$")


def read_cast(r: Reader, files: Mapping[str, Path], where: str) -> list[Entry]:
    """The cast in order. files: persona id -> file. where: the folders searched, for messages."""
    out: dict[str, Entry] = {}
    found = r.get("cast", need="[mara, bo]")
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
                    instead[key] = "" if said.nothing else field(Persona, key, entry)
                    at.update({} if key in entry.bad else {key: said})
            entry.rest()
        name = ident.text(80) if ident is not None else None
        if ident is None or name is None:
            continue
        if name in out:
            ident.fault(f"{quoted(name)} stands here twice, first in line {out[name].value.line}; take one out")
        elif name not in files:
            ident.fault(f"{unknown('persona', name, files)} (looked in {where})")
        elif not re.match(ID, name):
            ident.fault(f"{quoted(name)} is no id; name the file with small letters, digits and _, a letter first")
        else:
            out[name] = Entry(name, ident, files[name], instead, at)
    return list(out.values())


def read_money(r: Reader) -> Money | None:
    """Prices, wages and pay day. None in a world that says nothing of money."""
    value = r.get("money")
    if value is None:
        return None
    m = value.mapping()
    day = m.get("payday")
    usual = Money()
    day_, at = (day.parsed(parse_payday) if day is not None else None) or (usual.day, usual.at)
    return read(Money, m, day=day_, at=at)


def read_calendar(r: Reader, cast: Collection[str], spare: bool) -> tuple[Occasion, ...]:
    """What brings people together. spare: whether children may be named that there are none of."""
    out = []
    for value in r.items("calendar"):
        o = value.mapping()
        given: dict[str, Any] = {key: field(Occasion, key, o) for key in ("id", "from_", "to", "who")}
        given["title"] = field(Occasion, "title", o, given["id"])
        decides = o.get("decides")
        if decides is not None:
            given["decides"] = read_decision(decides, given["who"], given["to"] - given["from_"], cast, spare)
        if ("on" in o) == ("days" in o):
            value.fault('needs either "days" or "on"; for example `days: [tue]` or `on: "2025-03-06"`')
        out.append(read(Occasion, o, **given))
    return tuple(out)


def read_pressures(path: Path, start: datetime, faults: Faults) -> tuple[Pressure, ...]:
    """What people want, owe, hide or resent. A world without the file has none."""
    if not path.exists():
        return ()
    clock = Clock(start)
    root = Reader(open_yaml(path, faults))
    out = []
    for value in root.items("pressures", need="[]"):
        p = value.mapping()
        ident, kind = field(Pressure, "id", p), field(Pressure, "kind", p)
        wakes, due = p.get("wakes", need='"day 1 07:30"'), p.get("due")
        pressure = read(
            Pressure,
            p,
            usual={"thread": ident},
            id=ident,
            kind=kind,
            about=field(Pressure, "about", p) if p.get("about", need="" if kind in ALONE else "bo") is not None else "",
            wakes=(_moment(wakes, clock) if wakes is not None else None) or 0,
            due=_moment(due, clock) if due is not None and not due.nothing else None,
        )
        out.append(pressure)
    root.rest()
    return tuple(out)


def read_opening(r: Reader) -> dict[str, Opening]:
    """Where people are at the start."""
    return {who: read(Opening, value.mapping()) for who, value in r.section("opening").entries()}


def _moment(value: Value, clock: Clock) -> int | None:
    """ "day 1 07:30" as seconds since the start."""

    def parse(text: str) -> int:
        m = _DAY_TIME.match(text)
        if not m or int(m[1]) < 1:
            raise ValueError(f'{quoted(text)} is no moment; write it as "day 1 07:30"')
        t = clock.midnight(int(m[1])) + parse_time(m[2])
        if t < 0:
            raise ValueError(
                f"{quoted(text)} is before the world starts ({clock.hhmm(0)} on day 1); choose a later one"
            )
        return t

    return value.parsed(parse)


def persona_files(folders: Iterable[Path]) -> dict[str, Path]:
    """Persona id -> file; the first folder that has one wins."""
    out: dict[str, Path] = {}
    for folder in folders:
        if folder.is_dir():
            for path in sorted(folder.glob("*.yaml")):
                out.setdefault(path.stem, path)
    return out


def searched(folders: Iterable[Path]) -> str:
    """The folders as a message names them."""
    return ", ".join(shown(f) for f in folders)
