"""Reading the parts of `world.yaml` that people and days are in (cast, opening, calendar), and `pressures.yaml`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, datetime
from pathlib import Path

from sandbox.core.clock import DAY_RULES, HOUR, Clock, parse_time
from sandbox.core.faults import Faults, quoted, shown, unknown
from sandbox.core.textfiles import Reader, Value, open_yaml
from sandbox.engine.load_outcomes import Around, read_decision
from sandbox.engine.load_people import ID, Entry, Setting
from sandbox.engine.load_plan import Places
from sandbox.engine.scenario import Opening
from sandbox.people.persona import DRIFT, Pressure
from sandbox.people.pressures.deck import KINDS
from sandbox.people.purse import DEFAULT, MOST, Money, parse_payday
from sandbox.town.plan import Occasion

ALONE = ("secret", "ambition", "worry", "guilt", "promise")
_DAY_TIME = re.compile(r"day (\d{1,4}) (\d{1,2}:\d{2})$")


def read_cast(r: Reader, files: Mapping[str, Path], where: str, places: Places) -> list[Entry]:
    """The cast in order. files: persona id -> file. where: the folders searched, for messages."""
    out: dict[str, Entry] = {}
    found = r.get("cast", need="[mara, bo]")
    items = found.values(most=2000) if found is not None else []
    if found is not None and not items:
        found.fault("is empty; name at least one person")
    for value in items:
        ident: Value | None = value
        home = work = job = None
        if value.is_mapping:
            entry = value.mapping()
            ident = entry.get("id", need="mara")
            home_value, work_value = entry.get("home"), entry.get("work")
            home = places.check(home_value) or "" if home_value is not None else None
            work = "" if work_value is None or work_value.nothing else places.check(work_value) or ""
            work = None if "work" not in entry else work
            job = entry.text("job", limit=60) or None
            entry.rest()
        name = ident.text(80) if ident is not None else None
        if ident is None or name is None:
            continue
        if name in out:
            ident.fault(f"{quoted(name)} stands here twice, first in line {out[name].value.line}; take one out")
        elif name not in files:
            ident.fault(f"{unknown('persona', name, files)} (looked in {where})")
        elif not ID.match(name):
            ident.fault(f"{quoted(name)} is no id; name the file with small letters, digits and _, a letter first")
        else:
            out[name] = Entry(name, ident, files[name], home, work, job)
    return list(out.values())


def read_money(r: Reader) -> Money | None:
    """Prices, wages and pay day. None in a world that says nothing of money."""
    value = r.get("money")
    if value is None:
        return None
    m = value.mapping()
    day = m.get("payday")
    usual = Money()
    paid = (day.parsed(parse_payday) if day is not None else None) or (usual.day, usual.at)
    money = Money(_sums(m, "prices", "{coffee: 3, pint: 4}"), _sums(m, "wages", f"{{baker: 60, {DEFAULT}: 40}}"), *paid)
    m.rest()
    return money


def _sums(r: Reader, key: str, need: str) -> dict[str, int]:
    return {name: value.integer(0, MOST) or 0 for name, value in r.section(key, need=need).entries()}


def read_opening(r: Reader, setting: Setting) -> dict[str, Opening]:
    """Where people are at the start."""
    out: dict[str, Opening] = {}
    for person, value in r.section("opening").named(setting.cast, "person"):
        o = value.mapping()
        where_value = o.get("where", need="Tansy Bakery / kitchen")
        where = setting.places.check(where_value, ("home", "work")) if where_value is not None else None
        do = _block(o, "do", setting)
        o.rest()
        if where and do:
            out[person] = Opening(where, do)
    return out


def _block(r: Reader, key: str, setting: Setting) -> str:
    return r.choice(key, "", setting.blocks, "block", need="work") if setting.blocks else r.text(key)


def read_calendar(r: Reader, setting: Setting, around: Around) -> tuple[Occasion, ...]:
    """What brings people together."""
    out: dict[str, Occasion] = {}
    for value in r.items("calendar"):
        o = value.mapping()
        ident = o.text("id", need="market", limit=60)
        from_ = o.time("from", 0, need='"07:00"')
        to = o.time("to", 24 * HOUR, need='"13:00"')
        if to <= from_ and "from" in o and "to" in o:
            o.key_fault("to", "is not later than from; write the end after the beginning")
        where_value = o.get("where", need="Market Square / stalls")
        on = _as(o.get("on"), lambda v: v.parsed(_date)) or ""
        days = o.choices("days", DAY_RULES, "day")
        who = o.choices("who", setting.cast, "person of the cast")
        decides = o.get("decides")
        if ("on" in o) == ("days" in o):
            value.fault('needs either "days" or "on"; for example `days: [tue]` or `on: "2025-03-06"`')
        occasion = Occasion(
            id=ident,
            title=o.text("title", ident, need="Market morning", limit=80),
            from_=from_,
            to=to,
            where=(_as(where_value, setting.places.check)) or "",
            block=_block(o, "block", setting),
            days=days,
            on=on,
            who=who,
            why=o.text("why", limit=240),
            decides=read_decision(decides, who, to - from_, bool(on), around) if decides is not None else None,
        )
        o.rest()
        if ident in out:
            value.fault(f"the id {quoted(ident)} is taken; choose another")
        elif ident:
            out[ident] = occasion
    return tuple(out.values())


def _as(value: Value | None, read: Callable[[Value], str | None]) -> str | None:
    return read(value) if value is not None else None


def _date(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ValueError(f'{quoted(text)} is no date; write it as "2025-03-06"') from None


def read_pressures(
    path: Path, start: datetime, cast: Collection[str], kinds: Collection[str], faults: Faults
) -> tuple[Pressure, ...]:
    """What people want, owe, hide or resent. A world without the file has none.

    kinds: those of the drama deck; one without any is a world where pressures do nothing.
    """
    if not path.exists():
        return ()
    clock = Clock(start)
    root = Reader(open_yaml(path, faults))
    out: dict[str, Pressure] = {}
    for value in root.items("pressures", need="[]"):
        p = value.mapping()
        ident = p.text("id", need="oven_loan", limit=60)
        kind = p.choice("kind", "", KINDS, "kind of pressure", need="debt")
        if kind and kinds and kind not in kinds and not faults.errors:
            p.key_fault("kind", f"the deck (drama.yaml) has no {kind}; add it to the kinds, or choose one of them")
        holder = p.choice("holder", "", cast, "person of the cast", need="mara")
        about = p.choice("about", "", cast, "person of the cast", need="" if kind in ALONE else "bo")
        if holder and about == holder:
            p.key_fault("about", "is the holder; name somebody else, or leave it out")
        wakes_value, due_value = p.get("wakes", need='"day 1 07:30"'), p.get("due")
        wakes = _moment(wakes_value, clock) if wakes_value is not None else None
        due = _moment(due_value, clock) if due_value is not None and not due_value.nothing else None
        if due is not None and wakes is not None and due <= wakes and due_value is not None:
            due_value.fault("is not later than wakes; put it off, or wake the pressure earlier")
        pressure = Pressure(
            id=ident,
            kind=kind,
            holder=holder,
            about=about,
            intensity=p.number("intensity", 0.5, 0, 1, need="0.5"),
            stage=p.integer("stage", 0, 0, 3),
            wakes=wakes or 0,
            due=due,
            stakes=p.text("stakes", need='"the oven, and with it the shop"', limit=240),
            known_by=p.choices("known_by", cast, "person of the cast"),
            thread=p.text("thread", ident, limit=60),
            cause=p.text("cause", need='"the oven broke in January"', limit=240),
            amount=p.integer("amount", 0, 1, MOST),
            drift=p.integer("drift", 0, 0, DRIFT),
        )
        if pressure.drift and due is None:
            p.key_fault("drift", "only one with a due hour has it; take it out")
        if pressure.amount and kind != "debt":
            p.key_fault("amount", "only a debt has one; take it out")
        p.rest()
        if ident in out:
            value.fault(f"the id {quoted(ident)} is taken; choose another")
        elif ident:
            out[ident] = pressure
    root.rest()
    return tuple(out.values())


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
