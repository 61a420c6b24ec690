"""What one part of a world says of another: a field that names something declares it (`fields.names`), and one walk
reports all names that there are not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from sandbox.core.faults import unknown
from sandbox.core.fields import Finding, fields, unwrap_type


class Names(NamedTuple):
    """The names of one sort. what: the sort in messages; words: the names there are. of, written, hangs: of a finding
    about a name that is not among them (`fields.Finding`). wrong: what is wrong with a name, "" for nothing, where more
    counts than whether it is among the words.
    """

    what: str
    words: Collection[str] = ()
    of: str = ""
    written: bool = False
    hangs: tuple[tuple[object, str], ...] = ()
    wrong: Callable[[str], str] | None = None

    def fault(self, word: str) -> str:
        """What is wrong with a name, "" if nothing is."""
        if self.wrong is not None:
            return self.wrong(word)
        return "" if word in self.words else unknown(self.what, word, self.words)


# A name in a field: its sort, the name, and path and at_key as in `fields.Finding`. Or, with "" for a sort, a struct.
_Found = tuple[str, Any, tuple[str, ...], bool]
_Find = Callable[[Any, tuple[str, ...]], Iterable[_Found]]


def unknown_names(thing: msgspec.Struct, known: Mapping[str, Names]) -> Iterator[Finding]:
    """Report what a struct, or any struct in it, names that there is not. known: sort -> its names; names of any other
    sort are not looked at. Nor is a value that a file may leave out and that is as if it did.
    """
    return _unknown(thing, known, frozenset(known))


def _unknown(thing: msgspec.Struct, known: Mapping[str, Names], sorts: frozenset[str]) -> Iterator[Finding]:
    for field, default, may_be_blank, find in _naming(type(thing), sorts):
        value = getattr(thing, field)
        if value == default or (may_be_blank and value == ""):
            continue
        for sort, word, path, at_key in find(value, ()):
            if not sort:
                yield from _unknown(word, known, sorts)
            elif wrong := known[sort].fault(word):
                names, where = known[sort], path or (word,)
                yield Finding(thing, field, wrong, where, at_key, names.of, "error", names.written, names.hangs)


@cache
def _naming(of: type[msgspec.Struct], sorts: frozenset[str]) -> tuple[tuple[str, Any, bool, _Find], ...]:
    """The fields of a struct in which something of these sorts may be named: name, default, whether "" may stand there,
    what finds names.
    """
    found = ((f, _finder(f.type, f.more.get("sort", ""), sorts)) for f in fields(of).values())
    return tuple((f.name, f.default, not f.more.get("need"), find) for f, find in found if find is not None)


@cache
def _sorts_in(of: type[msgspec.Struct]) -> frozenset[str]:
    """The sorts of all that is named in a struct or in structs in it."""
    sorts: set[str] = set()
    structs = [of]
    for struct in structs:  # grows during the loop
        kinds = [(f.type, f.more) for f in fields(struct).values()]
        for kind, said in kinds:  # so does this
            sorts.add(said.get("sort", ""))
            if isinstance(kind, inspect.StructType) and kind.cls not in structs:
                structs.append(kind.cls)
            elif isinstance(kind, inspect.VarTupleType):
                kinds.append(unwrap_type(kind.item_type))
            elif isinstance(kind, inspect.DictType):
                kinds += map(unwrap_type, (kind.key_type, kind.value_type))
    return frozenset(sorts - {""})


def _finder(kind: inspect.Type, sort: str, sorts: frozenset[str]) -> _Find | None:
    """What finds names of these sorts in values of a type, None if there can be none. sort: of a text, if its own type
    declares none.
    """
    if isinstance(kind, inspect.StructType):
        return None if sorts.isdisjoint(_sorts_in(kind.cls)) else lambda x, path: (("", x, path, False),)
    if isinstance(kind, inspect.VarTupleType):
        return _in_list(kind, sort, sorts)
    if isinstance(kind, inspect.DictType):
        return _in_mapping(kind, sort, sorts)
    return (lambda word, path: ((sort, word, path, False),)) if sort in sorts else None


def _in_list(kind: inspect.VarTupleType, sort: str, sorts: frozenset[str]) -> _Find | None:
    item, said = unwrap_type(kind.item_type)
    find = _finder(item, said.get("sort", sort), sorts)
    if find is None:
        return None
    return lambda xs, path: (found for x in xs for found in find(x, (*path, x) if isinstance(x, str) else path))


def _in_mapping(kind: inspect.DictType, sort: str, sorts: frozenset[str]) -> _Find | None:
    (_, key_said), (item, said) = unwrap_type(kind.key_type), unwrap_type(kind.value_type)
    of_key, find = key_said.get("sort", ""), _finder(item, said.get("sort", sort), sorts)
    if of_key not in sorts and find is None:
        return None

    def entries(held: dict[str, Any], path: tuple[str, ...]) -> Iterator[_Found]:
        for key, x in held.items():
            if of_key in sorts:
                yield of_key, key, (*path, key), True
            if find is not None and x != "":
                yield from find(x, (*path, key))

    return entries
