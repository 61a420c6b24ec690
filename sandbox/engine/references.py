"""What one part of a world says of another: a field that names something declares it (`fields.names`), and one walk
reports all names that there are not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from sandbox.core.faults import unknown
from sandbox.core.fields import Finding, fields, unwrap_type


class KnownNames(NamedTuple):
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


def unknown_names(thing: msgspec.Struct, known: Mapping[str, KnownNames]) -> list[Finding]:
    """What a struct, or any struct in it, names that there is not. known: sort -> its names; names of other sorts are
    not looked at. Nor is a value that a file may leave out and that is as if it did.
    """
    walk = _Walk(known)
    walk.struct(thing)
    return walk.found


class _Walk:
    """A walk through a struct. found: what was wrong so far."""

    def __init__(self, known: Mapping[str, KnownNames]) -> None:
        self.found: list[Finding] = []
        self._known, self._sorts = known, frozenset(known)

    def struct(self, thing: msgspec.Struct) -> None:
        """Go through the fields of a struct."""
        for field, default, may_be_blank, look in _naming(type(thing), self._sorts):
            value = getattr(thing, field)
            if value != default and not (may_be_blank and value == ""):
                look(self, thing, field, value, ())

    def name(
        self, thing: object, field: str, sort: str, word: str, path: tuple[str, ...], at_key: bool = False
    ) -> None:
        """Take in a name in a field, or in a key of it. path: as in `fields.Finding`, () for the name itself."""
        names = self._known[sort]
        if word in names.words:
            return
        if wrong := names.fault(word):
            where = path or (word,)
            self.found.append(
                Finding(thing, field, wrong, where, at_key, names.of, written=names.written, hangs=names.hangs)
            )


# Looks through the value of a field of a struct, to which a path leads in it.
_Look = Callable[[_Walk, msgspec.Struct, str, Any, tuple[str, ...]], None]


@cache
def _naming(of: type[msgspec.Struct], sorts: frozenset[str]) -> tuple[tuple[str, Any, bool, _Look], ...]:
    """The fields of a struct in which something of these sorts may be named: name, default, whether "" may stand there,
    what looks through them.
    """
    found = ((f, _look(f.type, f.more.get("sort", ""), sorts)) for f in fields(of).values())
    return tuple((f.name, f.default, not f.more.get("need"), look) for f, look in found if look is not None)


@cache
def sorts_in(of: type[msgspec.Struct]) -> frozenset[str]:
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


def _look(kind: inspect.Type, sort: str, sorts: frozenset[str]) -> _Look | None:
    """What looks for names of these sorts in values of a type, None if there can be none. sort: of a text, if its own
    type declares none.
    """
    if isinstance(kind, inspect.StructType):
        return None if sorts.isdisjoint(sorts_in(kind.cls)) else lambda walk, thing, field, x, path: walk.struct(x)
    if isinstance(kind, inspect.VarTupleType):
        return _look_in_list(kind, sort, sorts)
    if isinstance(kind, inspect.DictType):
        return _look_in_mapping(kind, sort, sorts)
    if sort not in sorts:
        return None
    return lambda walk, thing, field, word, path: walk.name(thing, field, sort, word, path)


def _look_in_list(kind: inspect.VarTupleType, sort: str, sorts: frozenset[str]) -> _Look | None:
    item, said = unwrap_type(kind.item_type)
    look = _look(item, said.get("sort", sort), sorts)
    if look is None:
        return None
    each, texts = look, isinstance(item, inspect.StrType)

    def items(walk: _Walk, thing: msgspec.Struct, field: str, held: Any, path: tuple[str, ...]) -> None:
        for x in held:
            each(walk, thing, field, x, (*path, x) if texts else path)

    return items


def _look_in_mapping(kind: inspect.DictType, sort: str, sorts: frozenset[str]) -> _Look | None:
    (_, key_said), (item, said) = unwrap_type(kind.key_type), unwrap_type(kind.value_type)
    of_key, look = key_said.get("sort", ""), _look(item, said.get("sort", sort), sorts)
    if of_key not in sorts and look is None:
        return None

    def entries(walk: _Walk, thing: msgspec.Struct, field: str, held: Any, path: tuple[str, ...]) -> None:
        for key, x in held.items():
            if of_key in sorts:
                walk.name(thing, field, of_key, key, (*path, key), at_key=True)
            if look is not None and x != "":
                look(walk, thing, field, x, (*path, key))

    return entries
