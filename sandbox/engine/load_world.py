"""Reads the money of a world, its calendar with what occasions decide, and `pressures.yaml`, `claims.yaml` and
`goals.yaml`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from sandbox.core.clock import MINUTE, Clock
from sandbox.core.faults import Faults, in_quotes
from sandbox.core.fields import fields
from sandbox.core.structs import inner, read, read_field
from sandbox.core.textfiles import MappingReader, Value, open_yaml
from sandbox.director.goal_domain import PlayerGoal
from sandbox.engine.load_decks import extended
from sandbox.engine.rules import SENTENCES
from sandbox.people.beliefs import ROW
from sandbox.people.claim_handlers import EMPLOYS, LODGES
from sandbox.people.claim_model import OPEN, Breach, Claim, ClaimDeck
from sandbox.people.persona import ALONE, Persona, Pressure, Truth
from sandbox.people.pressure_deck import DramaDeck
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


def read_goals(path: Path, faults: Faults) -> tuple[PlayerGoal, ...]:
    """The goals that a world offers its player; none if it lacks the file."""
    if not path.exists():
        return ()
    root = MappingReader(open_yaml(path, faults))
    out = tuple(read(PlayerGoal, v.mapping()) for v in root.items("goals", need="[]"))
    root.rest()
    return out


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


# ---- what is so between people when a world begins


def read_claims(ships: Path, own: Path, cast: Sequence[Persona], drama: DramaDeck, faults: Faults) -> ClaimDeck:
    """Kinds and breaches of the package and of a world, and the world's claims. Without the file there are none."""
    if not own.exists():
        return ClaimDeck()
    lists = {name: f.default for name, f in fields(ClaimDeck).items()}
    readers = [MappingReader(open_yaml(path, faults)) for path in (ships, own) if path.exists()]
    for r in readers:
        for name, before in lists.items():
            found = read_field(ClaimDeck, name, r)
            if name == "breaches" and r is not readers[-1]:
                found = tuple(x for x in found if _has(drama, x))  # a world may have an empty deck
            lists[name] = extended(before, found)
        r.rest()
    people = {p.id: p for p in cast}
    lists["claims"] = tuple(_whole(c, people, faults) for c in lists["claims"])
    deck = ClaimDeck(**lists)
    for r in readers:
        r.stands_for(deck)
    return deck


def _has(drama: DramaDeck, breach: Breach) -> bool:
    """Whether a drama deck has all that a breach refers to."""
    kind = drama.kinds.get(breach.fact)
    known = not breach.fact or (kind is not None and {*breach.how} <= {OPEN, ROW, *kind.ends})
    return known and breach.child in drama.children


def _whole(claim: Claim, people: dict[str, Persona], faults: Faults) -> Claim:
    """A claim completed with the home and work from a person's file."""
    p = people.get(claim.a if claim.kind == LODGES else claim.b if claim.kind == EMPLOYS else "")
    if p is None:
        for r in faults.written.get(id(claim), (claim, ()))[1] if claim.kind in (LODGES, EMPLOYS) else ():
            r.bad |= {"where", "terms"}  # those stay unknown
        return claim
    home = claim.kind == LODGES
    new = replace(
        claim, where=claim.where or (p.home if home else p.work), terms=claim.terms if home else claim.terms or p.job
    )
    if faults.keeps:
        faults.written[id(new)] = new, faults.written.get(id(claim), (claim, ()))[1]
    return new
