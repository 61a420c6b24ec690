"""Reading `lines.yaml`: what people can say, and the small grammars of the slots in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from sandbox.core.faults import Faults, quoted, shown, suggestion
from sandbox.core.textfiles import Reader, Value, root_of
from sandbox.core.yamlnodes import read_text
from sandbox.engine.checking_decks import check_slots
from sandbox.talk.lines import CRITERIA, EVERYDAY, FILLED, MOVES, REGISTERS, Line, LineBook, Variant

_SLOT = re.compile(r"\{([^{}]*)\}")
SAY = 300


class _Said:
    """Texts with slots, kept until all slots are known."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, Value]] = []
        self.slots: dict[str, Value] = {}
        self.uses: dict[str, dict[str, Value]] = {}

    def add(self, text: str, value: Value, slot: str = "") -> None:
        self.texts.append((text, value))
        if slot:
            for name in _SLOT.findall(text):
                self.uses.setdefault(slot, {}).setdefault(name, value)


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
    files = list(texts)
    lines: dict[str, Line] = {}
    slots: dict[str, list[Variant]] = {}
    said = _Said()
    readers = [Reader(root_of(text, path, faults)) for path, text in texts.items()]
    for i, r in enumerate(readers):
        mine: dict[str, int] = {}
        for value in r.items("lines", need="[{id: greet_any, move: greet, say: [Hello.]}]" if i == 0 else ""):
            line = _line(value, mine, said)
            if line is not None:
                lines[line.id] = line
        for name, value in r.section("slots").entries():
            if name in FILLED:
                value.fault(f"the slot {quoted(name)} is filled by the world; choose another name")
                continue
            said.slots.setdefault(name, value)
            slots.setdefault(name, []).extend(_variants(name, value, said))
        r.rest()
    _check_slots(said)
    if lines and all(r.value is not None for r in readers):
        _check_defaults(lines.values(), {*EVERYDAY, *pressed}, shown(files[0]), faults)
    book = LineBook(tuple(lines.values()), {k: tuple(v) for k, v in slots.items()})
    if not faults.errors:
        try:
            check_slots(book)
        except ValueError as error:
            faults.add(shown(files[-1]), 0, 0, f"{error}; use fewer slots within slots")
    return book


def _line(value: Value, mine: dict[str, int], said: _Said) -> Line | None:
    r = value.mapping()
    if r.value is None:
        return None
    ident = r.text("id", need="greet_any", limit=80)
    if ident in mine:
        value.fault(f"the id {quoted(ident)} is taken in line {mine[ident]}; choose another")
    mine.setdefault(ident, value.line)
    move = r.choice("move", "", MOVES, "move", need="greet")
    registers = r.choices("register", REGISTERS, "register")
    when = _when(r)
    weight = r.number("weight", 1.0, 0.0, 10.0)
    cooldown = r.integer("cooldown", 240, 0, 100_000)
    say = []
    for v in r.items("say", need='["Good morning."]', single=True):
        text = v.text(SAY, exact=True)
        if text is not None:
            say.append(text)
            said.add(text, v)
    if not say and "say" in r:
        value.fault('"say" holds no text; add at least one')
    r.rest()
    return Line(ident, move, tuple(say), registers, when, weight, cooldown) if ident and move else None


def _when(r: Reader) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for key, value in r.section("when").named(CRITERIA, "criterion"):
        allowed = CRITERIA[key]
        got = value.choices(allowed, f"value of {key}") if allowed else value.texts(60)
        if got:
            out[key] = got
    return out


def _variants(name: str, value: Value, said: _Said) -> list[Variant]:
    out = []
    for v in value.values(single=True):
        when: dict[str, tuple[str, ...]] = {}
        text_value: Value | None = v
        if v.is_mapping:
            r = v.mapping()
            text_value = r.get("say", need="hello")
            when = _when(r)
            r.rest()
        text = text_value.text(SAY, empty=True, exact=True) if text_value is not None else None
        if text is not None and text_value is not None:
            out.append(Variant(text, when))
            said.add(text, text_value, slot=name)
    if not any(not v.when for v in out):
        value.fault(f"the slot {quoted(name)} has no entry without criteria; add one that always fits", "warning")
    return out


def _check_slots(said: _Said) -> None:
    known = said.slots.keys() | set(FILLED)
    for text, value in said.texts:
        if "{" not in text and "}" not in text:
            continue
        for name in _SLOT.findall(text):
            if name not in known:
                value.fault(f'no slot "{{{name}}}"{suggestion(name, known)}')
        rest = _SLOT.sub("", text)
        if "{" in rest or "}" in rest:
            value.fault("a brace without its partner; slots are written {name}")
    _check_cycles(said)


def _check_cycles(said: _Said) -> None:
    """Name every slot that can come back to itself, once a ring."""
    done: set[str] = set()
    for start in said.slots:
        path: list[str] = []
        stack: list[tuple[str, Iterable[str]]] = [(start, iter(sorted(said.uses.get(start, ()))))]
        if start in done:
            continue
        path.append(start)
        while stack:
            name, children = stack[-1]
            child = next(iter(children), None)
            if child is None:
                stack.pop()
                path.pop()
                done.add(name)
            elif child in path:
                ring = " > ".join([*path[path.index(child) :], child])
                said.uses[name][child].fault(f"the slot {quoted(child)} comes back to itself ({ring}); break the ring")
            elif child not in done and child in said.slots:
                stack.append((child, iter(sorted(said.uses.get(child, ())))))
                path.append(child)


def _check_defaults(lines: Iterable[Line], needed: Collection[str], file: str, faults: Faults) -> None:
    """Every move needs, for every register, a line without criteria: something can always be said."""
    have: dict[str, set[str]] = {move: set() for move in MOVES}
    for line in lines:
        if not line.when:
            have[line.move].update(line.registers or REGISTERS)
    for move, registers in have.items():
        lack = [r for r in REGISTERS if r not in registers]
        if lack and move in needed:
            whom = "" if len(lack) == len(REGISTERS) else f" in register {', '.join(lack)}"
            mend = f'add one with "move: {move}" and without "when"'
            faults.add(file, 0, 0, f'the move "{move}" has no line that always fits{whom}; {mend}')
