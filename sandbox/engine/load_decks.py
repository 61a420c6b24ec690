"""Reads decks that come with the package and that a world may extend: `activities.yaml` (the blocks of a day, and the
activities within), `drama.yaml`, and `lines.yaml`, what people can say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from sandbox.core.faults import Faults, in_quotes
from sandbox.core.fields import Finding, fields, slots, unknown_words
from sandbox.core.structs import add_faults, read, read_field
from sandbox.core.textfiles import MappingReader, Value, open_yaml, root_of
from sandbox.core.yamlnodes import read_text
from sandbox.engine.references import unknown_names
from sandbox.engine.rules_drama import ANYWHERE, check_children, endings_of, needs, of_drama, roles
from sandbox.engine.rules_lines import of_lines
from sandbox.engine.rules_rounds import endless, of_plans, of_wants
from sandbox.people.claim_model import PlanStep, StepMeans
from sandbox.people.handbook import Activity, BlockKind, Deck, Outcomes
from sandbox.people.persona import KINDS
from sandbox.people.pressure_beginnings import BORN, OTHER, SIDES, Beginning
from sandbox.people.pressure_deck import (
    ANSWERS,
    AWAY,
    LIE,
    VERDICTS,
    DramaDeck,
    Effect,
    Kind,
    PressureWay,
    Rumours,
    Showing,
)
from sandbox.talk.lines import CRITERIA, BookLine, LineBook, SpokenVariant, Variant

BEGUN = ("third", "amount", "stakes")  # slots allowed in the words of a beginning


def of_begun(deck: DramaDeck) -> Iterator[Finding]:
    """Faults of the deck's beginnings, and of children with ways of their own."""
    for name, ways in deck.own.items():
        yield from _own(name, ways, deck)
    for name, b in deck.beginnings.items():
        yield from _beginning(name, b, deck)


def _own(name: str, ways: Iterable[PressureWay], deck: DramaDeck) -> Iterator[Finding]:
    """The child exists, and its own ways lead to endings of its kind."""
    child = deck.children.get(name)
    if child is not None and child.kind in deck.kinds:
        for way in ways:
            yield from unknown_names(way, endings_of(child.kind, deck.kinds[child.kind], of="own"))
            for effect in way.effects:
                yield from check_children(effect, "children", effect.children, SIDES, deck)


def _beginning(name: str, b: Beginning, deck: DramaDeck) -> Iterator[Finding]:
    """The child of that name exists, and the beginning's exchange is a way that it has."""
    child = deck.children.get(name)
    if child is None:
        return
    if child.kind in deck.kinds:
        ways = deck.own.get(name) or deck.kinds[child.kind].ways
        found = unknown_words(b, "do", (b.do,), [x.do for x in ways if x.by == "holder"], "way of its holder")
        yield from (x._replace(of="kinds" if name in deck.own else "own") for x in found)
    yield from slots(b, "says", (b.says,), BEGUN)
    yield from slots(b, "line", (b.line,), (*BEGUN, "name"))
    yield from roles(b.roles)
    if lacks := needs(child) - {*BORN, *ANYWHERE, *((OTHER,) if b.third else ())}:
        yield Finding(b, "", f"its child speaks of {', '.join(sorted(lacks))}; add for example `third: dear`")


T = TypeVar("T", bound=msgspec.Struct)
_Key = tuple[tuple[str | None, ...], frozenset[str]]  # contents of the files, and moves
_books: dict[_Key, LineBook] = {}  # the last books without a fault, since lines are most of the work of loading
BOOKS = 4


def read_files(of: type[T], files: Iterable[Path], faults: Faults) -> T:
    """A struct of several files: of entries of a name the last counts, and lists are joined."""
    readers = [MappingReader(open_yaml(path, faults)) for path in files]
    out: dict[str, Any] = {}
    for r in readers:
        for name in fields(of):
            found = read_field(of, name, r)
            out[name] = extended(out[name], found) if name in out else found
        r.rest()
    whole = of(**out)
    for r in readers:
        r.stands_for(whole)
    return whole


def extended(before: Any, more: Any) -> Any:
    """A mapping with the entries of another over its own, or a list with those of another after its own."""
    return {**before, **more} if isinstance(before, dict) else (*before, *more)


def read_deck(files: Iterable[Path], faults: Faults) -> Deck:
    """The deck of all files; a later file replaces entries of the same name and adds others."""
    blocks: dict[str, BlockKind] = {}
    activities: dict[str, Activity] = {}
    feelings: dict[str, Outcomes] = {}
    readers = [MappingReader(open_yaml(path, faults)) for path in files]
    for i, r in enumerate(readers):
        need = "{lunch: {do: have lunch, doing: having lunch, past: had lunch}}" if i == 0 else ""
        for key, value in r.section("blocks", need=need).entries():
            blocks[key] = read(BlockKind, value.mapping(), key=key)
        need = "{knead dough: {doing: kneading dough, past: kneaded dough, for: [work]}}" if i == 0 else ""
        for name, value in r.section("activities", need=need).entries():
            activities[name] = read(Activity, value.mapping(), name)
        feelings |= read_field(Deck, "feelings", r)
        r.rest()
    deck = Deck(blocks, tuple(activities.values()), feelings)
    for r in readers:
        r.stands_for(deck)
    return deck


def read_drama(files: Iterable[Path], faults: Faults) -> DramaDeck:
    """The drama deck of all files; a later file replaces entries of the same name and adds others. A list under `only`
    replaces the whole list, and references to its old entries are removed.
    """
    lists: dict[str, Any] = {n: f.default for n, f in fields(DramaDeck).items() if isinstance(f.default, dict | tuple)}
    mercy, rumours = "", Rumours()
    excused: dict[str, set[str]] = {}  # list -> files read before it was emptied: their references need not resolve
    readers = [MappingReader(open_yaml(path, faults)) for path in files]
    for i, r in enumerate(readers):
        for name in r.choices("only", (*lists, "rumours"), "list"):
            excused[name] = {file_of(before) for before in readers[:i]}
            if name == "rumours":
                rumours = Rumours()
            else:
                lists[name] = fields(DramaDeck)[name].default
        for name in lists:
            lists[name] = extended(lists[name], read_field(DramaDeck, name, r))
        mercy = read_field(DramaDeck, "mercy", r, mercy)
        section = r.section("rumours")
        more = read(Rumours, section)
        for name in fields(Rumours):
            getattr(rumours, name).update(getattr(more, name))
        section.stands_for(rumours)
        r.rest()
    excused["own"] = {file_of(r) for r in readers[:-1]}  # a later file may give its kinds other endings
    whole = DramaDeck(**lists, mercy=mercy, rumours=rumours)
    for r in readers:
        r.stands_for(whole)
    add_faults(
        (*of_drama(whole), *of_begun(whole), *of_plans(whole)),
        faults,
        lambda odd, file: file in excused.get(odd.of, ()),
    )
    out = _Pruning(whole, faults).pruned()
    add_faults(endless(out), faults)
    last = readers[-1:]
    add_faults(of_wants(out), faults, lambda odd, file: file not in map(file_of, last))
    return out


def file_of(reader: MappingReader) -> str:
    """The name of the file, "" if there is none."""
    return reader.value.file if reader.value is not None else ""


class _Pruning:
    """Removes ways, births and children whose exchange, child or kind is not in the deck. Faults of entries that it
    changes are still reported at their place in the file.
    """

    def __init__(self, deck: DramaDeck, faults: Faults) -> None:
        self.deck, self.faults = deck, faults
        self.children = {name: c for name, c in deck.children.items() if c.kind in deck.kinds}
        self.own = {
            name: tuple(self._way(x) for x in found if self._can_go(x, name))
            for name, found in deck.own.items()
            if name in self.children
        }

    def pruned(self) -> DramaDeck:
        """The deck without dangling references."""
        d = self.deck
        return self._changed(
            d,
            kinds={name: self._kind(k) for name, k in d.kinds.items()},
            children=self.children,
            renewal=tuple(r for r in d.renewal if r.child in self.children),
            sparks={name: self._changed(s, children=self._some(s.children)) for name, s in d.sparks.items()},
            mercy=d.mercy if d.mercy in self.children and d.exchanges else "",
            rumours=self._changed(
                d.rumours, bears={what: c for what, c in d.rumours.bears.items() if c in self.children}
            ),
            marks=tuple(m for m in d.marks if m.kind in d.kinds or m.kind not in KINDS),
            showdowns={
                name: self._changed(x, **self._effects(x, *VERDICTS))
                for name, x in d.showdowns.items()
                if name in d.kinds and d.exchanges  # people in a showdown answer with words of exchanges
            },
            plans={kind: tuple(x for x in names if x in d.steps) for kind, names in d.plans.items()},
            own=self.own,
            beginnings={name: b for name, b in d.beginnings.items() if self._can_begin(name, b)},
            steps={name: self._changed(step, by=self._means(step)) for name, step in d.steps.items()},
        )

    def _changed(self, old: T, **more: Any) -> T:
        new = replace(old, **more)
        written = self.faults.written
        written[id(new)] = new, written.get(id(old), (old, ()))[1]
        return new

    def _some(self, children: Iterable[str]) -> tuple[str, ...]:
        """Those of these children that exist."""
        return tuple(c for c in children if c in self.children)

    def _effects(self, x: Kind | Showing | PressureWay, *names: str) -> dict[str, Effect]:
        """The effects of these names, without children that do not exist."""
        effects = ((name, getattr(x, name)) for name in names)
        return {name: replace(e, children=self._some(e.children)) for name, e in effects}

    def _way(self, x: PressureWay) -> PressureWay:
        return replace(x, **self._effects(x, *ANSWERS, LIE, AWAY))

    def _can_go(self, x: PressureWay, child: str) -> bool:
        """Whether a child's own way has its exchange, and leads to endings of the child's kind."""
        return x.do in self.deck.exchanges and x.endings <= self.deck.kinds[self.children[child].kind].ends.keys()

    def _kind(self, k: Kind) -> Kind:
        ways = tuple(self._way(x) for x in k.ways if x.do in self.deck.exchanges)
        return self._changed(k, ways=ways, **self._effects(k, "late", "offered", "right", "wrong", "beside", "found"))

    def _can_begin(self, child: str, b: Beginning) -> bool:
        """Whether a beginning's child and exchange exist, and the holder has a way to do it."""
        if child not in self.children or b.do not in self.deck.exchanges:
            return False
        ways = self.own.get(child) or self.deck.kinds[self.children[child].kind].ways
        return any((x.do, x.by) == (b.do, "holder") for x in ways)

    def _means(self, step: PlanStep) -> tuple[StepMeans, ...]:
        """The means of a step whose exchange exists, without children that do not."""
        can = (x for x in step.by if not x.do or x.do in self.deck.exchanges)
        return tuple(self._changed(x, children=self._some(x.children)) for x in can)


# ---- lines, and the small grammars of the slots in them


def read_lines(files: Iterable[Path], pressed: Collection[str], faults: Faults) -> LineBook:
    """The lines of all files; a later file replaces lines of the same id and adds variants to slots. pressed: moves
    that the drama deck needs beside the everyday ones. Equal file contents give the same object, shared by all worlds
    of a process.
    """
    texts = {path: read_text(path, faults) for path in files}
    key = (tuple(texts.values()), frozenset(pressed))
    known = _books.get(key)
    if known is not None:
        return known
    before = len(faults)
    book = _book(texts, pressed, faults)
    if len(faults) == before and not faults.errors:
        while len(_books) >= BOOKS:
            del _books[next(iter(_books))]
        _books[key] = book
    return book


BOOK_LISTS = ("lines", "slots")  # lists of a book for which a world may drop all that the package has


def _book(texts: Mapping[Path, str | None], pressed: Collection[str], faults: Faults) -> LineBook:
    lines: dict[str, BookLine] = {}
    slots: dict[str, list[Variant]] = {}
    readers, astray, bare = (
        [],
        list[BookLine](),
        False,
    )  # astray: lines that are not in the book, but are checked as well
    for i, (path, text) in enumerate(texts.items()):
        r = MappingReader(root_of(text, path, faults))
        mine: dict[str, int] = {}
        alone = r.choices("only", BOOK_LISTS, "list") if i else ()
        for held in (x for name, x in (("lines", lines), ("slots", slots)) if name in alone):
            held.clear()
        bare = bare or "lines" in alone
        for value in r.items("lines", need="[{id: greet_any, move: greet, say: [Hello.]}]" if i == 0 else ""):
            entry = value.mapping()
            say, wit = _said(entry)
            line = read(BookLine, entry, when=_when(entry), say=say, wit=wit)
            if line.id in mine:
                value.fault(f"the id {in_quotes(line.id)} is taken in line {mine[line.id]}; choose another")
            mine.setdefault(line.id, value.line)
            if entry.bad & {"id", "move"}:
                astray.append(line)
            else:
                lines[line.id] = line
        for name, value in r.section("slots").entries():
            slots.setdefault(name, []).extend(_variants(name, value))
        r.rest()
        if faults.keeps or r.value is None:
            readers.append(r)
    book = LineBook(tuple(lines.values()), {k: tuple(v) for k, v in slots.items()}, bare)
    for r in readers:
        r.stands_for(book)
    if all(r.value is not None for r in readers):
        add_faults(of_lines(book, pressed if lines else (), astray), faults)
    return book


def _when(reader: MappingReader) -> dict[str, tuple[str, ...]]:
    out: dict[str, tuple[str, ...]] = {}
    for key, value in reader.section("when").named(CRITERIA, "criterion"):
        allowed = CRITERIA[key]
        got = value.choices(allowed, f"value of {key}") if allowed else value.texts(60)
        if got:
            out[key] = got
    return out


def _said(reader: MappingReader) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The variants of a line, and the numbers of those that joke: all, or those that say so."""
    whole = bool(read_field(SpokenVariant, "wit", reader))
    say: list[str] = []
    wit: list[int] = []
    for v in reader.items("say", need='["Good morning."]', single=True):
        entry = v.mapping() if v.is_mapping else None
        text = read_field(SpokenVariant, "say", v if entry is None else entry)
        jokes = whole
        if entry is not None:
            jokes = bool(read_field(SpokenVariant, "wit", entry)) or whole
            entry.rest()
        if text:
            wit += [len(say)] * jokes
            say.append(text)
    return tuple(say), tuple(wit)


def _variants(name: str, value: Value) -> list[Variant]:
    """The variants of a slot: texts, or mappings with criteria."""
    out = []
    for v in value.values(single=True):
        if v.is_mapping:
            entry = v.mapping()
            out.append(read(Variant, entry, when=_when(entry)))
        elif (text := read_field(Variant, "say", v)) is not None:
            out.append(Variant(text))
    if not any(not v.when for v in out):
        value.fault(f"the slot {in_quotes(name)} has no entry without criteria; add one that always fits", "warning")
    return out
