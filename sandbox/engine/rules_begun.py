"""What must hold of what somebody who is played may begin, and of the ways that children have of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandbox.core.faults import in_quotes, suggestion
from sandbox.core.fields import Finding, slots, unknown_words
from sandbox.engine.rules_drama import ANYWHERE, check_children, ending, missing_entry, needs, roles
from sandbox.people.pressure_beginnings import BORN, OTHER, SIDES, Beginning
from sandbox.people.pressure_deck import DramaDeck, PressureWay

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
