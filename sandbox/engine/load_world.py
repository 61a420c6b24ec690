"""Reads the money of a world, its calendar with what occasions decide, and `pressures.yaml`."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from pathlib import Path
from typing import Any

from sandbox.core.clock import MINUTE, Clock
from sandbox.core.faults import Faults, in_quotes
from sandbox.core.structs import inner, read, read_field
from sandbox.core.textfiles import MappingReader, Value, open_yaml
from sandbox.engine.rules import SENTENCES
from sandbox.people.persona import ALONE, Pressure, Truth
from sandbox.people.purse import Money, parse_payday
from sandbox.town.plan import VOTE, Decision, Occasion

EXAMPLES = {
    "yes": '"The field is sold, {yes} to {no}"',
    "no": '"The field is not sold, {no} to {yes}"',
    "says": '"{winner} has won {prize}"',
    "off": '"Too few came, and nothing was decided"',
}


def read_money(reader: MappingReader) -> Money | None:
    """Prices, wages and pay day. None in a world without money."""
    value = reader.get("money")
    if value is None:
        return None
    m = value.mapping()
    usual = Money()
    day, at = m.made("payday", "", (usual.day, usual.at), lambda v: v.parsed(parse_payday))
    return read(Money, m, day=day, at=at)


def read_calendar(reader: MappingReader, cast: Collection[str], spare: bool) -> tuple[Occasion, ...]:
    """The occasions of a world. spare: names of children that do not exist are tolerated."""
    out = []
    for value in reader.items("calendar"):
        o = value.mapping()
        given: dict[str, Any] = {key: read_field(Occasion, key, o) for key in ("id", "from_", "to", "who")}
        given["title"] = read_field(Occasion, "title", o, given["id"])
        decides = o.get("decides")
        if decides is not None:
            given["decides"] = _decision(decides, given["who"], given["to"] - given["from_"], cast, spare)
        out.append(read(Occasion, o, **given))
        if ("on" in o) == ("days" in o) and not o.bad & {"on", "days"}:
            value.fault('needs either "days" or "on"; for example `days: [tue]` or `on: "2025-03-06"`')
    return tuple(out)


def read_pressures(
    path: Path, start: datetime, early: bool, faults: Faults
) -> tuple[tuple[Pressure, ...], tuple[Truth, ...], MappingReader]:
    """(pressures, facts of the world, the file's reader); none without the file. early: as in `pressures_of`."""
    root = MappingReader(open_yaml(path, faults) if path.exists() else None)
    pressures = pressures_of(root, start, need="[]", early=early)
    facts = tuple(read(Truth, v.mapping()) for v in root.items("facts"))
    root.rest()
    return pressures, facts, root


def pressures_of(reader: MappingReader, start: datetime, need: str = "", early: bool = False) -> tuple[Pressure, ...]:
    """The list under `pressures`. need: example for the error if the key is required but missing. early: hours before
    the world's start count as the start.
    """
    clock, out = Clock(start), []
    for value in reader.items("pressures", need=need):
        p = value.mapping()
        ident, kind = read_field(Pressure, "id", p), read_field(Pressure, "kind", p)
        due = p.get("due")
        pressure = read(
            Pressure,
            p,
            usual={"thread": ident},
            id=ident,
            kind=kind,
            about=read_field(Pressure, "about", p)
            if p.get("about", need="" if kind in ALONE else "bo") is not None
            else "",
            wakes=p.made("wakes", '"day 1 07:30"', 0, lambda v: _moment(v, clock, early)),
            due=_moment(due, clock, early) if due is not None and not due.nothing else None,
        )
        out.append(pressure)
    return tuple(out)


def _moment(value: Value, clock: Clock, early: bool) -> int | None:
    """Seconds since the start to a moment such as "day 1 07:30"."""

    def parse(text: str) -> int:
        t = clock.moment(text)
        if t < 0 and not early:
            raise ValueError(
                f"{in_quotes(text)} is before the world starts ({clock.hhmm(0)} on day 1); choose a later one"
            )
        return max(0, t)

    return value.parsed(parse)


# ---- what an occasion decides


def _decision(value: Value, who: tuple[str, ...], length: int, cast: Collection[str], spare: bool) -> Decision | None:
    """What an occasion decides. who: those who come to it; length: its seconds. spare: names of children that do not
    exist are tolerated.
    """
    r = value.mapping()
    kind = read_field(Decision, "kind", r)
    if not kind:
        return None
    given: dict[str, Any] = {"kind": kind}
    if kind == VOTE:
        given.update(judge="", trait="", skill={})
        given["about"] = read_field(Decision, "about", r)
        given["who"] = _takers(r, "voters", who, cast, need="[mara, bo]")
        least = len(given["who"]) // 2 + 1
    else:
        given["about"] = r.text("prize", need='"the ham"', limit=80)
        given["who"] = _takers(r, "entrants", who, cast) if "entrants" in r else who
        given["trait"], given["skill"] = _skill(r)
        least = 2
    said = {name: r.get(key, EXAMPLES.get(key, "")) for key, name, _ in SENTENCES[kind]}
    sentences = inner(Decision, "says")
    given["says"] = {name: found for name, v in said.items() if v is not None and (found := sentences(v))}
    given["least"] = read_field(Decision, "least", r, min(least, max(1, len(given["who"]))))
    given["at"] = read_field(Decision, "at", r, length // (2 * MINUTE) * MINUTE)
    given["settles"] = _wants(r, "settles")
    for key in ("sways", "beliefs"):
        given[key] = _wants(r, key) if kind == VOTE else {}
    if spare:
        r.get("children")
        given["children"] = ()
    return read(Decision, r, **given)


def _takers(
    reader: MappingReader, key: str, who: tuple[str, ...], cast: Collection[str], need: str = ""
) -> tuple[str, ...]:
    """Voters or entrants: ids, or `who` for all who come."""
    value = reader.get(key, need=need)
    out: dict[str, None] = {}
    for v in value.values(single=True) if value is not None else ():
        name = v.text(80)
        out.update(dict.fromkeys(who if name == "who" and name not in cast else (name,) if name else ()))
    return tuple(out)


def _skill(reader: MappingReader) -> tuple[str, dict[str, float]]:
    """(the trait that counts, bonus of single entrants)."""
    value = reader.get("skill")
    if value is None:
        return "", {}
    if not value.is_mapping:
        return value.text() or "", {}
    entries = dict(value.mapping().entries())
    trait = entries.pop("trait", None)
    one = inner(Decision, "skill")
    return (trait.text() if trait is not None else None) or "", {who: one(v) or 0.0 for who, v in entries.items()}


def _wants(reader: MappingReader, key: str) -> dict[str, str]:
    """Pressure -> the outcome it wants; or its holder, if no outcome is named."""
    return {ident: "" if v.nothing else v.text() or "" for ident, v in reader.section(key).entries()}
