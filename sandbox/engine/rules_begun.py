"""What must hold of what somebody who is played may begin, and of the ways that children have of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandbox.core.faults import quoted, suggestion
from sandbox.core.fields import Odd, known, slots
from sandbox.engine.rules_drama import ANYWHERE, births, ending, missing, needs, roles
from sandbox.people.pressures.beginnings import BORN, OTHER, SIDES, Beginning
from sandbox.people.pressures.deck import Drama, Way

BEGUN = ("third", "amount", "stakes")  # what the words of a beginning may name


def of_begun(d: Drama) -> Iterator[Odd]:
    """What is odd in them."""
    for name, ways in d.own.items():
        yield from _own(name, ways, d)
    for name, b in d.beginnings.items():
        yield from _beginning(name, b, d)


def _own(name: str, ways: Iterable[Way], d: Drama) -> Iterator[Odd]:
    """Ways of a child there is, which lead to what its kind can come to."""
    child = d.children.get(name)
    if child is None:
        yield missing(d, "own", name, d, "children")._replace(at_key=True)
    elif child.kind in d.kinds:
        for way in ways:
            if way.do not in d.exchanges:
                yield missing(way, "do", way.do, d, "exchanges")
            for effect in way.effects:
                if effect.end:
                    odd = ending(effect, "end", effect.end, child.kind, d.kinds[child.kind])
                    yield from (x._replace(of="own") for x in odd)
                yield from births(effect, "children", effect.children, SIDES, d)


def _beginning(name: str, b: Beginning, d: Drama) -> Iterator[Odd]:
    """The child of its name is born, and what is said is a way that this has then."""
    child = d.children.get(name)
    if child is None:
        says = f"no child {quoted(name)}{suggestion(name, d.children)}; a beginning is one of a child"
        yield Odd(b, "", says, of="children")
        return
    if child.kind in d.kinds:
        ways = d.own.get(name) or d.kinds[child.kind].ways
        found = known(b, "do", (b.do,), [x.do for x in ways if x.by == "holder"], "way of its holder")
        yield from (x._replace(of="kinds" if name in d.own else "own") for x in found)
    yield from slots(b, "says", (b.says,), BEGUN)
    yield from slots(b, "line", (b.line,), (*BEGUN, "name"))
    yield from roles(b.roles)
    if lacks := needs(child) - {*BORN, *ANYWHERE, *((OTHER,) if b.third else ())}:
        yield Odd(b, "", f"its child speaks of {', '.join(sorted(lacks))}; add for example `third: dear`")
