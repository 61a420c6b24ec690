"""Reading `lines.yaml`: what people can say, and the small grammars of the slots in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from sandbox.core.faults import Faults, quoted
from sandbox.core.structs import field, read, tell
from sandbox.core.textfiles import Reader, Value, root_of
from sandbox.core.yamlnodes import read_text
from sandbox.engine.rules_lines import of_lines
from sandbox.talk.lines import CRITERIA, Line, LineBook, Variant

_Key = tuple[tuple[str | None, ...], frozenset[str]]  # the texts of files, and moves
_books: dict[_Key, LineBook] = {}  # the last books without a fault: lines are most of the work of loading
BOOKS = 4


def read_lines(files: Iterable[Path], pressed: Collection[str], faults: Faults) -> LineBook:
    """The lines of all files: later ones replace lines of the same id, and add variants to slots.

    pressed: moves that the drama deck makes people say, beside the everyday ones. The same texts give the same book,
    one object for all worlds that a process loads.
    """
    texts = {path: read_text(path, faults) for path in files}
    key = (tuple(texts.values()), frozenset(pressed))
    known = _books.get(key)
    if known is not None:
        return known
    before = len(faults)
    book = _read(texts, pressed, faults)
    if len(faults) == before and not faults.errors:
        while len(_books) >= BOOKS:
            del _books[next(iter(_books))]
        _books[key] = book
    return book


def _read(texts: Mapping[Path, str | None], pressed: Collection[str], faults: Faults) -> LineBook:
    lines: dict[str, Line] = {}
    slots: dict[str, list[Variant]] = {}
    readers = [Reader(root_of(text, path, faults)) for path, text in texts.items()]
    for i, r in enumerate(readers):
        mine: dict[str, int] = {}
        for value in r.items("lines", need="[{id: greet_any, move: greet, say: [Hello.]}]" if i == 0 else ""):
            entry = value.mapping()
            line = read(Line, entry, when=_when(entry))
            if line.id in mine:
                value.fault(f"the id {quoted(line.id)} is taken in line {mine[line.id]}; choose another")
            mine.setdefault(line.id, value.line)
            if not entry.bad & {"id", "move"}:
                lines[line.id] = line
        for name, value in r.section("slots").entries():
            slots.setdefault(name, []).extend(_variants(name, value))
        r.rest()
    book = LineBook(tuple(lines.values()), {k: tuple(v) for k, v in slots.items()})
    for r in readers:
        r.stands_for(book)
    if all(r.value is not None for r in readers):
        tell(of_lines(book, pressed if lines else ()), faults)
    return book


def _when(r: Reader) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for key, value in r.section("when").named(CRITERIA, "criterion"):
        allowed = CRITERIA[key]
        got = value.choices(allowed, f"value of {key}") if allowed else value.texts(60)
        if got:
            out[key] = got
    return out


def _variants(name: str, value: Value) -> list[Variant]:
    """The ways to fill a slot: texts, or mappings with criteria."""
    out = []
    for v in value.values(single=True):
        if v.is_mapping:
            entry = v.mapping()
            out.append(read(Variant, entry, when=_when(entry)))
        elif (text := field(Variant, "say", v)) is not None:
            out.append(Variant(text))
    if not any(not v.when for v in out):
        value.fault(f"the slot {quoted(name)} has no entry without criteria; add one that always fits", "warning")
    return out
