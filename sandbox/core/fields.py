"""What a field may hold, declared once, beside the field: `age: Annotated[int, meta("40", low=0, high=120)]`.

Decoding a save enforces the bounds; the reader of text files (core/structs.py) takes the bounds, and how a file writes
the field, from the same place. Rules between parts are generators of `Finding`: the loader gives each its file and line
(`structs.add_faults`), the check of a save prints it as one line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple, TypedDict, Unpack

import msgspec
from msgspec import NODEFAULT, inspect

from sandbox.core.faults import Level, in_quotes, suggestion, unknown

FEW = 12  # at most this many slots are listed when none is similar
SLOT = re.compile(r"\{([^{}]*)\}")


class FileWords(TypedDict, total=False):
    """How a file writes a field, or each of its items: what a save knows nothing of."""

    key: str  # its key, if not the field's name
    usual: Any  # value if the key is missing
    named: bool  # its key in a mapping supplies it
    what: str  # what the options are called in messages
    distinct: str  # what the texts of a list are called, none of which may repeat
    unit: int  # unit of the stored number
    whole: bool  # no fraction in the file's unit
    given: int  # least that a file may give, also in letters
    names: tuple[str, ...]  # of the parts of a pair
    pair: str  # how many parts a pair has, in words
    so: str  # within what, in words
    alone: bool  # a single value may stand for a mapping of "" to it
    stands: bool  # a single value may stand for the whole struct that has this field
    exact: bool  # keep blanks unchanged
    empty: bool  # a text may be empty
    reads: str  # which of `structs.READS` makes the value


def meta(
    need: str = "",
    *,
    low: float | None = None,
    high: float | None = None,
    most: int | None = None,
    least: int = 0,
    options: Iterable[str] = (),
    blank: bool = False,
    **more: Unpack[FileWords],
) -> msgspec.Meta:
    """What a field, or each of its items, may hold, in a save as in a file, and how a file writes it.

    need: an example value; a file must then give the key. low, high: of a number. most: letters at most. least: 1 = a
    text must not be empty. options: allowed words; blank: "" is allowed too. more: for files only.
    """
    words = tuple(options)
    pattern = rf"^(?:{'|'.join(map(re.escape, ('',) * blank + words))})\Z" if words else r"\S" if least else None
    bounds: dict[str, Any] = {"ge": low, "le": high, "max_length": most, "pattern": pattern}
    told = {key: x for key, x in (("need", need), ("options", words), ("least", least)) if x}
    return msgspec.Meta(**bounds, extra={**told, **more})


def names(sort: str) -> msgspec.Meta:
    """A text, each text of a list, or each key or value of a mapping is the name of something of this sort, such as a
    "person" or a "block". Which names there are is known only with the whole world (engine/references.py).
    """
    return msgspec.Meta(extra={"sort": sort})


MANY = msgspec.Meta(max_length=100_000)  # entries of a list at most


_REGEX = re.compile(r"matching regex '\^\(\?:\|?(.*)\)\\\\Z'")


def plainly(error: Exception) -> str:
    """Why decoding failed, without the regular expressions that `meta` makes from lists of words."""
    text = str(error).replace(r"matching regex '\\S'", "that is not empty")
    return _REGEX.sub(lambda m: "that is one of " + m[1].replace("|", ", ").replace("\\", ""), text)


class Field(NamedTuple):
    """A field of a struct. type: as `msgspec.inspect` gives it, with bounds; more: what `meta` added.

    default: its value if a file says nothing.
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
    """A type without its optional None and its metadata; and that metadata."""
    if isinstance(kind, inspect.Metadata):
        inner, more = unwrap_type(kind.type)
        return inner, {**more, **(kind.extra or {})}
    if isinstance(kind, inspect.UnionType):
        (kind,) = (t for t in kind.types if not isinstance(t, inspect.NoneType))
        return unwrap_type(kind)
    return kind, {}


class Finding(NamedTuple):
    """Something wrong in a field (or key in a file) of an object. key: keys, and texts of lists, that lead to it within
    that field; at_key: the key itself is wrong. of: the list that lacks something. hangs: other places that may be the
    real cause: objects, each with a field (which may be a list of names) or "" for the whole object. written: an error
    in a file, but a saved world may hold it.
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
        """One line that says where in `whole` the object is, and what is wrong."""
        path = "".join((_path(whole, self.thing) or "", f".{self.field.rstrip('_')}" if self.field else ""))
        return f"{path.lstrip('.')}: {self.message}"


def _path(whole: Any, thing: object) -> str | None:
    """The path from a value to an object within it, ".cast[0].routine"; None if it is not there."""
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
    """Report words of a field that are not known. path: the keys that lead to them; None: the word is its own path."""
    for word in words:
        if word not in among:
            yield Finding(thing, field, unknown(what, word, among), (word,) if path is None else path, at_key)


def duplicates(things: Iterable[Any], field: str = "id", words: str = "", written: bool = False) -> Iterator[Finding]:
    """Report objects whose name another already has. words: the message, with {} for the name."""
    seen = set()
    for x in things:
        name = getattr(x, field)
        if name in seen:
            said = words or f"the {field} {{}} is taken; choose another"
            yield Finding(x, field, said.replace("{}", in_quotes(name)), written=written)
        seen.add(name)


def hanging(odds: Iterable[Finding], *on: tuple[object, str]) -> Iterator[Finding]:
    """The same findings, each depending on these (object, field) places as well (`Finding.hangs`)."""
    return (odd._replace(hangs=(*odd.hangs, *on)) for odd in odds)


def slots(
    thing: object, field: str, texts: Iterable[str], known: Collection[str], path: tuple[str, ...] = ()
) -> Iterator[Finding]:
    """Report slots in texts that are unknown, and unmatched braces."""
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
