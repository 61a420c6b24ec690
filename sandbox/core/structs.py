"""Reading a struct from a text file by what its fields declare (core/fields.py): types, bounds, keys, examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import NODEFAULT, inspect

from sandbox.core.clock import parse_date, parse_moment
from sandbox.core.faults import Faults, Level, path_text
from sandbox.core.fields import Finding, fields, unwrap_type
from sandbox.core.places import data_dir
from sandbox.core.textfiles import MappingReader, Value

MISSING = "no "  # begins a message that a named thing does not exist
PLACES = 4  # further places listed besides the first

T = TypeVar("T", bound=msgspec.Struct)
Read = Callable[[Value], Any]
_NOTHING: dict[type, Any] = {
    inspect.StrType: "",
    inspect.IntType: 0,
    inspect.FloatType: 0.0,
    inspect.BoolType: False,
    inspect.VarTupleType: (),
    inspect.DictType: {},
    inspect.TupleType: (0, 0, 0, 0),
}


class Lack(NamedTuple):
    """What must be fixed: a missing name with the lists it could be in (by their readers), or the whole message."""

    what: str
    lists: tuple[int, ...] = ()


def read(
    of: type[T], reader: MappingReader, name: str = "", /, usual: Mapping[str, Any] | None = None, **given: Any
) -> T:
    """Read a struct from the keys of a mapping. name: its own key, if it has one. usual: defaults, by field, instead of
    the declared ones; given: values of fields already known or read elsewhere.

    A field that cannot be read is a fault and gets its default. Keys that no field has are faults too.
    """
    out = dict(given)
    for f in fields(of).values():
        if f.name not in out:
            instead = name if f.more.get("named") else (usual or {}).get(f.name, NODEFAULT)
            out[f.name] = read_field(of, f.name, reader, instead)
    reader.rest()
    thing = of(**out)
    reader.stands_for(thing)
    return thing


def read_field(of: type[msgspec.Struct], name: str, r: MappingReader | Value, usual: Any = NODEFAULT) -> Any:
    """One field of a struct, from a mapping, or from a single value that stands for it. usual: its default."""
    if isinstance(r, Value):
        return _reader_of(of, name)(r)
    f = fields(of)[name]
    got = r.made(f.key, f.more.get("need", ""), None, _reader_of(of, name))
    if got is not None:
        return got
    if usual is NODEFAULT:
        usual = f.default
    if usual is NODEFAULT:
        return _nothing(f.type)
    # Event 1 omits a value that is the default object itself; one that is merely equal has always been written.
    return usual + 0.0 if isinstance(usual, float) else usual


def section(of: type[msgspec.Struct], name: str, reader: MappingReader) -> MappingReader:
    """The reader of the mapping under a field's key, for special reading; an empty one if there is none."""
    f = fields(of)[name]
    return MappingReader(reader.get(f.key, f.more.get("need", "")))


def inner(of: type[msgspec.Struct], name: str) -> Read:
    """The reader of one value of a field that is a mapping, where a file gives the value in another place."""
    kind = fields(of)[name].type
    assert isinstance(kind, inspect.DictType)
    item, said = unwrap_type(kind.value_type)
    return value_reader(item, **said)


def _nothing(kind: inspect.Type) -> Any:
    """The substitute for a required value that a file did not give."""
    if isinstance(kind, inspect.StructType):
        return kind.cls(**{f.name: _nothing(unwrap_type(f.type)[0]) for f in kind.fields if f.required})
    return kind.values[0] if isinstance(kind, inspect.LiteralType) else _NOTHING[type(kind)]


@cache
def _reader_of(of: type[msgspec.Struct], name: str) -> Read:
    f = fields(of)[name]
    empty = not any(f.more.get(key) for key in ("need", "least", "given"))  # a text may be empty then
    return value_reader(f.type, **{"what": f.key, "empty": empty, **f.more})


def value_reader(kind: inspect.Type, **more: Any) -> Read:
    """The reader of values of a type, within its bounds; more: what `meta` added."""
    if reads := more.get("reads"):
        return READS[reads]
    if isinstance(kind, inspect.BoolType):
        return Value.flag
    if isinstance(kind, (inspect.IntType, inspect.FloatType)):
        return _number(kind, **{x: more[x] for x in ("unit", "given", "whole") if x in more})
    if isinstance(kind, (inspect.StrType, inspect.LiteralType)):
        options = more.get("options") or getattr(kind, "values", ())
        if options:
            return lambda v: v.choice(options, more["what"])
        limit = getattr(kind, "max_length", None) or 400
        return lambda v: v.text(limit, empty=more.get("empty", False), exact=more.get("exact", False))
    if isinstance(kind, inspect.StructType):
        return lambda v: read(kind.cls, v.mapping())
    if isinstance(kind, inspect.VarTupleType):
        return _list(kind, more.get("distinct", ""))
    if isinstance(kind, inspect.TupleType):
        ones = [value_reader(item, **said) for item, said in map(unwrap_type, kind.item_types)]
        return lambda v: v.pair(ones, more["names"], more["pair"], more.get("so", ""))
    assert isinstance(kind, inspect.DictType), kind
    return _mapping(kind, more.get("alone", False))


def _number(
    kind: inspect.IntType | inspect.FloatType, unit: int = 1, given: int | None = None, whole: bool = False
) -> Read:
    low: Any = kind.ge if given is None else given
    high: Any = kind.le
    one: Callable[..., float | None] = Value.integer if isinstance(kind, inspect.IntType) else Value.number
    if unit == 1:
        return lambda v: one(v, low, high)
    low, high = low // unit, high // unit  # for example hours, for a number stored in seconds
    one = Value.integer if whole else Value.number
    return lambda v: None if (x := one(v, low, high)) is None else round(x * unit)


def _list(kind: inspect.VarTupleType, distinct: str) -> Read:
    item, said = unwrap_type(kind.item_type)
    if isinstance(item, inspect.StructType):
        of = item.cls
        return lambda v: tuple(read(of, x.mapping()) for x in v.values())
    if what := distinct or said.get("what", ""):
        options: tuple[str, ...] = said.get("options", getattr(item, "values", ()))
        return lambda v: v.choices(options, what)
    one = value_reader(item, **said)
    return lambda v: tuple(got for x in v.values(single=True) if (got := one(x)) is not None)


def _mapping(kind: inspect.DictType, alone: bool) -> Read:
    """The reader of a mapping with names as keys. alone: or of a single value."""
    options, what = (unwrap_type(kind.key_type)[1].get(x, "") for x in ("options", "what"))
    item, said = unwrap_type(kind.value_type)
    one = value_reader(item, **said)

    def entries(v: Value) -> dict[str, Any]:
        if alone and not v.is_mapping:
            return {} if (got := one(v)) is None else {"": got}
        r = v.mapping()
        found = r.named(options, what) if options else r.entries()
        if isinstance(item, inspect.StructType):
            return {name: _entry(item.cls, name, x) for name, x in found}
        return {name: _nothing(item) if (got := one(x)) is None else got for name, x in found}

    return entries


def _entry(of: type[T], name: str, v: Value) -> T:
    """A struct under its name: a mapping, or the one value of the field that stands for it."""
    stands = "" if v.is_mapping else next((f.name for f in fields(of).values() if f.more.get("stands")), "")
    if not stands:
        return read(of, v.mapping(), name)
    thing = of(**{stands: read_field(of, stands, v)})
    return thing


def _moment(text: str) -> str:
    """ "day 3 18:45", checked and unchanged. Raises ValueError that says how to write it."""
    parse_moment(text)
    return " ".join(text.split())


def _address(v: Value) -> str | None:
    """ "Sector / arena" with normalised blanks; a rule checks whether there is such a place."""
    text = v.text()
    return None if text is None else " / ".join(part.strip() for part in text.split("/"))


READS: dict[str, Read] = {"time": Value.time, "address": _address, "date": lambda v: v.parsed(parse_date)}
READS["moment"] = lambda v: v.parsed(_moment)


# ---- what is odd, in its line


def add_faults(
    odds: Iterable[Finding], faults: Faults, excused: Callable[[Finding, str], bool] = lambda odd, file: False
) -> None:
    """Report findings at the lines of their objects; skip those already reported and objects that come from no file. A
    missing name is reported once, with all places that use it; a finding caused by another fault is not reported.

    excused: whether a finding in a file is none. If `faults` keeps no places, all are reported, without line numbers.
    """
    found = [*odds]
    _tell([odd for odd in found if not odd.hangs], faults, excused)
    _tell([odd for odd in found if odd.hangs], faults, excused)


def _tell(odds: Iterable[Finding], faults: Faults, excused: Callable[[Finding, str], bool]) -> None:
    """Add one round of faults, without what an earlier round reported missing (`faults.lacking`)."""
    missing: dict[tuple[Lack, Level], list[tuple[Value, str]]] = {}  # missing name -> where it is used, and the words
    for odd in odds:
        if not faults.keeps:
            faults.add("world", 0, 0, odd.message, odd.level)
            continue
        f = fields(type(odd.thing)).get(odd.field)  # type: ignore[arg-type]  # things are structs
        key = f.key if f is not None else odd.field
        _, readers = faults.written.get(id(odd.thing), (None, ()))
        place = _place(key, odd.key, readers)
        if place is None:
            if not faults.errors and not missing:
                faults.add("world", 0, 0, odd.said(odd.thing), odd.level)
        elif not _follows(odd, key, readers, faults) and not excused(odd, place.file):
            names = _place(key, odd.key[:-1], readers) if odd.at_key else None
            if names is not None and names.is_mapping and odd.key[-1] in (r := names.mapping()):
                place = r.key_place(odd.key[-1])
            if odd.message.startswith(MISSING):
                missing.setdefault((_lacking(odd, faults), odd.level), []).append((place, odd.message))
            else:
                place.fault(odd.message, odd.level)
    ours = path_text(data_dir())
    for (lack, level), places in missing.items():
        named = {(lack.what, owner) for owner in lack.lists}
        if named & faults.lacking:
            continue
        faults.lacking |= named
        (first, message), *others = sorted(places, key=lambda x: (x[0].file.startswith(ours), x[0].file, x[0].line))
        first.fault(f"{message}{_also(first, (place for place, _ in others))}", level)


def _follows(odd: Finding, key: str, readers: Iterable[MappingReader], faults: Faults) -> bool:
    """Whether a finding may follow from a reported fault: in its own key, anywhere in an object it depends on, or in a
    field there that is missing or holds a wrong name.
    """
    if any(key in r.bad for r in readers):
        return True
    for thing, field in odd.hangs:
        for r in faults.written.get(id(thing), (None, ()))[1]:
            held = r.place(field) if field else None
            if field in r.bad or (held is not None and held.misnamed):
                return True
            if not field and r.value is not None and r.value.spoilt:
                return True
    return False


def _lacking(odd: Finding, faults: Faults) -> Lack:
    """What must be fixed: the missing name alone, `no area "Mil House`, of "Mil House / hall" where "Mill House / hall"
    is meant; for a finding about a list the name and the list; else the whole message.
    """
    kind, *more = odd.message.split('"', 4)
    if odd.hangs and more:
        owners = (faults.written.get(id(thing), (None, ()))[1] for thing, _ in odd.hangs)
        return Lack(more[0], tuple(id(r) for readers in owners for r in readers))
    if len(more) < 4 or " / " not in more[0]:
        return Lack(odd.message)
    named, meant = more[0].split(" / "), more[2].split(" / ")
    while len(named) > 1 and named[-1:] == meant[-1:]:
        named.pop()
        meant.pop()
    return Lack(f'{kind}"{" / ".join(named)}')


def _also(first: Value, others: Iterable[Value]) -> str:
    """Where else a thing is named: " (also in claims.yaml:9)"."""
    where = dict.fromkeys(f"{place.file}:{place.line}" for place in others)
    where.pop(f"{first.file}:{first.line}", None)
    told = [*where][:PLACES]
    more = f" and {len(where) - PLACES} more places" if len(where) > PLACES else ""
    return f" (also in {', '.join(told)}{more})" if told else ""


def _place(key: str, path: tuple[str, ...], readers: tuple[MappingReader, ...]) -> Value | None:
    """Where a key and path are written: the deepest value that any mapping reaches, in the last that reaches it."""
    for end in range(len(path), -1, -1) if key else ():
        for r in reversed(readers):
            place = r.place(key, path[:end])
            if place is not None:
                return place
    return readers[-1].value if readers else None
