"""What a field may hold, declared once, beside the field: `age: Annotated[int, said("40", low=0, high=120)]`.

Decoding a save holds to the bounds by itself; the reader of text files (core/structs.py) takes the same bounds, and how
a file says the field, from the same place. What one part says of another is a rule: a generator of `Odd`, which the
loader turns into file and line (`structs.add_faults`) and the check of a save into a line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import NODEFAULT, inspect

from sandbox.core.faults import Level, in_quotes, suggestion, unknown

FEW = 12  # as many slots are listed where none is near
SLOT = re.compile(r"\{([^{}]*)\}")


def meta(
    need: str = "",
    *,
    low: float | None = None,
    high: float | None = None,
    most: int | None = None,
    least: int = 0,
    options: Iterable[str] = (),
    blank: bool = False,
    **more: Any,
) -> msgspec.Meta:
    """What a field, or an item of it, may hold, and how a file says it.

    need: an example of a value; a file must then give the key. low, high: of a number. most: of letters. least: 1 = a
    text holds something. options: the words it may be; blank: or none.
    more, of a file alone:
    key: what it calls the field, if otherwise. usual: what stands for one that is not there; named: its key in a
    mapping does. what: what the options are, in messages; distinct: what the texts of a list are, none of which stands
    there twice. unit: of a number, in what it is held. whole: it has no fraction in the file's unit. given: the least
    that a file may give, also of letters. names: of the parts of a pair; pair: how many they are, so: within what, in
    words. alone: a value may stand for a mapping of "" to it. exact: blanks stay as they are. empty: a text may be so.
    reads: which of `structs.READS` makes the value.
    """
    words = tuple(options)
    pattern = rf"^(?:{'|'.join(map(re.escape, ('',) * blank + words))})\Z" if words else r"\S" if least else None
    bounds: dict[str, Any] = {"ge": low, "le": high, "max_length": most, "pattern": pattern}
    told = {key: x for key, x in (("need", need), ("options", words), ("least", least)) if x}
    return msgspec.Meta(**bounds, extra={**told, **more})


MANY = msgspec.Meta(max_length=100_000)  # entries of a list


_REGEX = re.compile(r"matching regex '\^\(\?:\|?(.*)\)\\\\Z'")


def plainly(error: Exception) -> str:
    """Why something could not be decoded, without the patterns that `said` makes of words."""
    text = str(error).replace(r"matching regex '\\S'", "that is not empty")
    return _REGEX.sub(lambda m: "that is one of " + m[1].replace("|", ", ").replace("\\", ""), text)


class Field(NamedTuple):
    """A field of a struct. type: as `msgspec.inspect` tells it, bounds and all; more: what `said` adds to them.

    default: what stands for it where a file says nothing.
    """

    name: str
    key: str
    type: inspect.Type
    more: dict[str, Any]
    default: Any


@cache
def fields(of: type[msgspec.Struct]) -> dict[str, Field]:
    """The fields of a struct by name."""
    info = inspect.type_info(of)
    assert isinstance(info, inspect.StructType)
    out = {}
    for f in info.fields:
        kind, more = unwrap_type(f.type)
        default = f.default_factory() if f.default_factory is not NODEFAULT else f.default
        if default is NODEFAULT and not f.required:
            default = msgspec.UNSET
        default = more.get("usual", default)
        out[f.name] = Field(f.name, more.get("key", f.encode_name), kind, more, default)
    return out


def unwrap_type(kind: inspect.Type) -> tuple[inspect.Type, dict[str, Any]]:
    """A type without "or nothing" and without what is said of it; and what is said."""
    if isinstance(kind, inspect.Metadata):
        inner, more = unwrap_type(kind.type)
        return inner, {**more, **(kind.extra or {})}
    if isinstance(kind, inspect.UnionType):
        (kind,) = (t for t in kind.types if not isinstance(t, inspect.NoneType))
        return unwrap_type(kind)
    return kind, {}


class Finding(NamedTuple):
    """What is wrong in a field of a thing, which may also be a key that the file has for it. key: the keys, and the
    texts of lists, that lead to it in that field; at_key: the key itself is wrong. of: the list in which something is
    missed. hangs: on what else it hangs, which may be what is wrong: things, each with a field, which may be a
    list of names, or "" for all of it. written: a file may not say it, and a world lives with it.
    """

    thing: object
    field: str
    message: str
    key: tuple[str, ...] = ()
    at_key: bool = False
    of: str = ""
    level: Level = "error"
    written: bool = False
    hangs: tuple[tuple[object, str], ...] = ()

    def said(self, whole: object) -> str:
        """A line that says where in a whole the thing is, and what is wrong with it."""
        path = "".join((_path(whole, self.thing) or "", f".{self.field.rstrip('_')}" if self.field else ""))
        return f"{path.lstrip('.')}: {self.message}"


def _path(whole: Any, thing: object) -> str | None:
    """The way from a value to a thing in it: ".cast[0].routine"; None: there is none."""
    if whole is thing:
        return ""
    parts: Iterable[tuple[str, Any]] = ()
    if isinstance(whole, msgspec.Struct):
        parts = ((f".{name}", getattr(whole, name)) for name in whole.__struct_fields__)
    elif isinstance(whole, dict):
        parts = ((f".{key}", x) for key, x in whole.items())
    elif isinstance(whole, tuple):
        parts = ((f"[{i}]", x) for i, x in enumerate(whole))
    return next((name + rest for name, x in parts if (rest := _path(x, thing)) is not None), None)


def unknown_words(
    thing: object,
    field: str,
    words: Iterable[str],
    among: Collection[str],
    what: str,
    at_key: bool = False,
    path: tuple[str, ...] | None = None,
) -> Iterator[Finding]:
    """Words of a field that are none of those known. path: the keys that lead to them; None: the word itself does."""
    for word in words:
        if word not in among:
            yield Finding(thing, field, unknown(what, word, among), (word,) if path is None else path, at_key)


def duplicates(things: Iterable[Any], field: str = "id", words: str = "", written: bool = False) -> Iterator[Finding]:
    """Things whose name another bears already. words: the message, with {} for the name."""
    seen = set()
    for x in things:
        name = getattr(x, field)
        if name in seen:
            said = words or f"the {field} {{}} is taken; choose another"
            yield Finding(x, field, said.replace("{}", in_quotes(name)), written=written)
        seen.add(name)


def hanging(odds: Iterable[Finding], *on: tuple[object, str]) -> Iterator[Finding]:
    """What is odd, and hangs also on these things, as `Odd` has it."""
    return (odd._replace(hangs=(*odd.hangs, *on)) for odd in odds)


def slots(
    thing: object, field: str, texts: Iterable[str], known: Collection[str], path: tuple[str, ...] = ()
) -> Iterator[Finding]:
    """Slots of texts that are none, and braces without a partner."""
    for text in texts:
        found = SLOT.findall(text)
        whole = 2 * len(found) == text.count("{") + text.count("}")
        if whole and all(slot in known for slot in found):
            continue
        for slot in found:
            if slot not in known:
                near = suggestion(slot, known)
                if not near and len(known) <= FEW:
                    near = "; known: " + ", ".join(f"{{{s}}}" for s in known)
                yield Finding(thing, field, f'no slot "{{{slot}}}"{near}', (*path, text))
        if not whole:
            yield Finding(thing, field, "holds a brace without a partner; write slots as {name}", (*path, text))
