"""Reading what ships and a world may add to: `activities.yaml` (the blocks of a day, and the activities they are cut
into), `drama.yaml`, and `lines.yaml`, what people can say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from sandbox.core.faults import Faults, in_quotes, suggestion
from sandbox.core.fields import Finding, fields, slots, unknown_words
from sandbox.core.structs import add_faults, read, read_field
from sandbox.core.textfiles import MappingReader, Value, open_yaml, root_of
from sandbox.core.yamlnodes import read_text
from sandbox.engine.rules_drama import ANYWHERE, check_children, ending, missing_entry, needs, of_drama, roles
from sandbox.engine.rules_goals import of_plans, of_wants
from sandbox.engine.rules_lines import of_lines
from sandbox.engine.rules_phones import of_phones
from sandbox.engine.rules_rounds import endless
from sandbox.people.activities import Activity, BlockKind, Deck, Outcomes
from sandbox.people.goal_deck import StepMeans
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
from sandbox.phones.deck import PhoneDeck
from sandbox.talk.lines import CRITERIA, BookLine, LineBook, Variant

BEGUN = ("third", "amount", "stakes")  # what the words of a beginning may name


def of_begun(d: DramaDeck) -> Iterator[Finding]:
    """What is odd in them."""
    for name, ways in d.own.items():
        yield from _own(name, ways, d)
    for name, b in d.beginnings.items():
        yield from _beginning(name, b, d)


def _own(name: str, ways: Iterable[PressureWay], d: DramaDeck) -> Iterator[Finding]:
    """Ways of a child there is, which lead to what its kind can come to."""
    child = d.children.get(name)
    if child is None:
        yield missing_entry(d, "own", name, d, "children")._replace(at_key=True)
    elif child.kind in d.kinds:
        for way in ways:
            if way.do not in d.exchanges:
                yield missing_entry(way, "do", way.do, d, "exchanges")
            for effect in way.effects:
                if effect.end:
                    odd = ending(effect, "end", effect.end, child.kind, d.kinds[child.kind])
                    yield from (x._replace(of="own") for x in odd)
                yield from check_children(effect, "children", effect.children, SIDES, d)


def _beginning(name: str, b: Beginning, d: DramaDeck) -> Iterator[Finding]:
    """The child of its name is born, and what is said is a way that this has then."""
    child = d.children.get(name)
    if child is None:
        says = f"no child {in_quotes(name)}{suggestion(name, d.children)}; a beginning is one of a child"
        yield Finding(b, "", says, of="children")
        return
    if child.kind in d.kinds:
        ways = d.own.get(name) or d.kinds[child.kind].ways
        found = unknown_words(b, "do", (b.do,), [x.do for x in ways if x.by == "holder"], "way of its holder")
        yield from (x._replace(of="kinds" if name in d.own else "own") for x in found)
    yield from slots(b, "says", (b.says,), BEGUN)
    yield from slots(b, "line", (b.line,), (*BEGUN, "name"))
    yield from roles(b.roles)
    if lacks := needs(child) - {*BORN, *ANYWHERE, *((OTHER,) if b.third else ())}:
        yield Finding(b, "", f"its child speaks of {', '.join(sorted(lacks))}; add for example `third: dear`")


T = TypeVar("T", bound=msgspec.Struct)
NAMED = (
    "exchanges",
    "kinds",
    "children",
    "sparks",
    "showdowns",
    "plans",
    "steps",
    "own",
    "beginnings",
)  # lists with names
PLAIN = ("renewal", "marks")  # and without
LISTS = (*NAMED, *PLAIN, "rumours")
_Key = tuple[tuple[str | None, ...], frozenset[str]]  # the texts of files, and moves
_books: dict[_Key, LineBook] = {}  # the last books without a fault: lines are most of the work of loading
BOOKS = 4


def read_deck(files: Iterable[Path], faults: Faults) -> Deck:
    """The deck of all files: later ones replace what earlier ones name, and add the rest."""
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
    """The deck of all files: later ones replace entries of the same name, and add the rest.

    A list that a file names under `only` is what that file makes of it, and what named its old entries does without.
    """
    lists: dict[str, Any] = {**{name: {} for name in NAMED}, **dict.fromkeys(PLAIN, ())}
    mercy, rumours = "", Rumours()
    excused: dict[str, set[str]] = {}  # list -> files of before it was emptied: what they name need not be in it
    readers = [MappingReader(open_yaml(path, faults)) for path in files]
    for i, r in enumerate(readers):
        for name in r.choices("only", LISTS, "list"):
            excused[name] = {file_of(before) for before in readers[:i]}
            rumours = Rumours() if name == "rumours" else rumours
            lists[name] = () if name in PLAIN else {}
        for name in (*NAMED, *PLAIN):
            found = read_field(DramaDeck, name, r)
            lists[name] = (*lists[name], *found) if name in PLAIN else {**lists[name], **found}
        mercy = read_field(DramaDeck, "mercy", r, mercy)
        section = r.section("rumours")
        more = read(Rumours, section)
        for name in fields(Rumours):
            getattr(rumours, name).update(getattr(more, name))
        section.stands_for(rumours)
        r.rest()
    lists.pop("rumours", None)
    excused["own"] = {file_of(r) for r in readers[:-1]}  # a later file may have its kinds end otherwise
    whole = DramaDeck(**lists, mercy=mercy, rumours=rumours)
    for r in readers:
        r.stands_for(whole)
    add_faults(
        (*of_drama(whole), *of_begun(whole), *of_plans(whole)),
        faults,
        lambda odd, file: file in excused.get(odd.of, ()),
    )
    out = _whole(whole, faults)
    add_faults(endless(out), faults)
    last = readers[-1:]
    add_faults(of_wants(out), faults, lambda odd, file: file not in map(file_of, last))
    return out


def file_of(r: MappingReader) -> str:
    """The file that it reads, "" if there is nothing to read."""
    return r.value.file if r.value is not None else ""


def _whole(d: DramaDeck, faults: Faults) -> DramaDeck:
    """The deck without what leads nowhere: ways, births and children whose exchange, child or kind is not in it."""
    kept = {name: c for name, c in d.children.items() if c.kind in d.kinds}

    def some(children: Iterable[str]) -> tuple[str, ...]:
        return tuple(c for c in children if c in kept)

    def changed(old: T, **more: Any) -> T:
        new = replace(old, **more)
        faults.written[id(new)] = new, faults.written.get(id(old), (old, ()))[1]
        return new

    def effect(e: Effect) -> Effect:
        return replace(e, children=some(e.children))

    def way(x: PressureWay) -> PressureWay:
        return replace(x, **{name: effect(getattr(x, name)) for name in (*ANSWERS, LIE, AWAY)})

    def parts(x: Kind | Showing, *names: str) -> dict[str, Effect]:
        return {name: effect(getattr(x, name)) for name in names}

    def can(x: StepMeans) -> bool:
        return not x.do or x.do in d.exchanges

    def means(x: StepMeans) -> StepMeans:
        return changed(x, children=some(x.children))

    own = {
        name: tuple(way(x) for x in found if x.do in d.exchanges and x.endings <= d.kinds[kept[name].kind].ends.keys())
        for name, found in d.own.items()
        if name in kept
    }
    return changed(
        d,
        kinds={
            name: changed(
                k,
                ways=tuple(way(x) for x in k.ways if x.do in d.exchanges),
                **parts(k, "late", "offered", "right", "wrong", "beside", "found"),
            )
            for name, k in d.kinds.items()
        },
        children=kept,
        renewal=tuple(r for r in d.renewal if r.child in kept),
        sparks={name: changed(s, children=some(s.children)) for name, s in d.sparks.items()},
        mercy=d.mercy if d.mercy in kept and d.exchanges else "",
        rumours=changed(d.rumours, bears={what: c for what, c in d.rumours.bears.items() if c in kept}),
        marks=tuple(m for m in d.marks if m.kind in d.kinds or m.kind not in KINDS),
        showdowns={
            name: changed(x, **parts(x, *VERDICTS))
            for name, x in d.showdowns.items()
            if name in d.kinds and d.exchanges  # who is beset in one answers with the words of exchanges
        },
        plans={kind: tuple(x for x in names if x in d.steps) for kind, names in d.plans.items()},
        own=own,
        beginnings={
            name: b
            for name, b in d.beginnings.items()
            if name in kept
            and b.do in d.exchanges
            and any((x.do, x.by) == (b.do, "holder") for x in own.get(name) or d.kinds[kept[name].kind].ways)
        },
        steps={name: changed(step, by=tuple(means(x) for x in step.by if can(x))) for name, step in d.steps.items()},
    )


def read_phones(files: Iterable[Path], drama: DramaDeck, faults: Faults) -> PhoneDeck:
    """What people do with their phones, of all files: later ones replace entries of the same name, and add the rest."""
    lists: dict[str, Any] = {name: {} for name in fields(PhoneDeck)}
    readers = [MappingReader(open_yaml(path, faults)) for path in files]
    for r in readers:
        for name in lists:
            lists[name] = {**lists[name], **read_field(PhoneDeck, name, r)}
        r.rest()
    whole = PhoneDeck(**lists)
    for r in readers:
        r.stands_for(whole)
    add_faults(of_phones(whole, drama), faults, lambda odd, file: odd.of == "children" and not drama.children)
    kept = {
        name: replace(rule, children={x: c for x, c in rule.children.items() if c in drama.children})
        for name, rule in whole.rules.items()
    }
    return replace(whole, rules=kept)


# ---- lines, and the small grammars of the slots in them


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
    book = _book(texts, pressed, faults)
    if len(faults) == before and not faults.errors:
        while len(_books) >= BOOKS:
            del _books[next(iter(_books))]
        _books[key] = book
    return book


BOOK_LISTS = ("lines", "slots")  # lists of a book of which a world may keep nothing of what ships


def _book(texts: Mapping[Path, str | None], pressed: Collection[str], faults: Faults) -> LineBook:
    lines: dict[str, BookLine] = {}
    slots: dict[str, list[Variant]] = {}
    readers, astray, bare = (
        [],
        list[BookLine](),
        False,
    )  # astray: lines that are none of the book, and may be odd besides
    for i, (path, text) in enumerate(texts.items()):
        r = MappingReader(root_of(text, path, faults))
        mine: dict[str, int] = {}
        alone = r.choices("only", BOOK_LISTS, "list") if i else ()
        for held in (x for name, x in (("lines", lines), ("slots", slots)) if name in alone):
            held.clear()
        bare = bare or "lines" in alone
        for value in r.items("lines", need="[{id: greet_any, move: greet, say: [Hello.]}]" if i == 0 else ""):
            entry = value.mapping()
            line = read(BookLine, entry, when=_when(entry))
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


def _when(r: MappingReader) -> dict[str, tuple[str, ...]]:
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
        elif (text := read_field(Variant, "say", v)) is not None:
            out.append(Variant(text))
    if not any(not v.when for v in out):
        value.fault(f"the slot {in_quotes(name)} has no entry without criteria; add one that always fits", "warning")
    return out
