"""Reading `drama.yaml`: the drama deck, and of its lists the exchanges and the kinds."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from msgspec.structs import replace

from sandbox.core.clock import HOUR
from sandbox.core.faults import Faults, quoted, shown, suggestion
from sandbox.core.textfiles import Reader, Value, open_yaml
from sandbox.engine.drama_sense import check_ends, check_used
from sandbox.engine.drama_words import (
    ANYWHERE,
    BORN,
    LISTS,
    OF,
    OF_A_KIND,
    ROLES,
    WANTED,
    Deck,
    Named,
    needs,
    template,
    weights,
)
from sandbox.engine.load_births import children, read_child, read_renewal, read_spark
from sandbox.engine.load_rumours import lacking, read_rumours
from sandbox.people.occ import OCC
from sandbox.people.pressures.deck import (
    ANSWERS,
    KINDS,
    LIE,
    LISTENERS,
    PARTS,
    Drama,
    Effect,
    Ending,
    Exchange,
    Kind,
    Rumours,
    Way,
    kindness,
)
from sandbox.talk.lines import MOVES

FADED = "faded"


def read_drama(files: Iterable[Path], faults: Faults, own: dict[str, Value] | None = None) -> Drama:
    """The deck of all files: later ones replace entries of the same name, and add the rest.

    own: takes where the entries of the last file stand, as "sparks letter", if there are several files.

    A list that a file names under `only` is what that file makes of it, and what named its old entries does without.
    """
    d = Deck()
    files = list(files)
    readers = [Reader(open_yaml(path, faults)) for path in files]
    for r in readers:
        for name in r.choices("only", LISTS, "list"):
            d.empty(name)
        for name, value in r.section("exchanges").entries():
            d.entry(f"exchanges {name}", value)
            d.exchanges[name] = _exchange(value)
        for name, value in r.section("kinds").entries():
            if name not in KINDS:
                value.fault(f"no kind of pressure {quoted(name)}{suggestion(name, KINDS)}")
            d.entry(f"kinds {name}", value)
            d.kinds[name] = _kind(name, value, d)
        for name, value in r.section("children").entries():
            d.entry(f"children {name}", value)
            d.children[name] = read_child(value, d)
        for value in r.items("renewal"):
            d.entry(f"renewal {len(d.renewal)}")
            d.renewal.append(read_renewal(value, d))
        for name, value in r.section("sparks").entries():
            d.entry(f"sparks {name}", value)
            d.sparks[name] = read_spark(value, d)
        mercy = r.get("mercy")
        if mercy is not None:
            d.entry("mercy")
            d.mercy = mercy.text(40) or ""
            d.names("child", d.mercy, mercy, BORN)
        read_rumours(r, d)
        r.rest()
    for entry in d.named.values():
        for named in entry:
            _check(named, d)
    for name in lacking(d.rumours.says, d.kinds):
        text = f'the rumours have no words for "{name}"; add four sentences to rumours: says'
        faults.add(shown(files[-1]), 0, 0, text)
    out = _whole(d)
    last = {key: value for key, value in d.at.items() if len(readers) > 1 and value.file == _file(readers[-1])}
    check_ends(out, d.at)
    check_used(out, last)
    if own is not None:
        own.update(last)
    if out.mercy and not kindness(out):
        (named,) = d.named["mercy"]
        named.value.fault("nothing kind comes of this child; give its kind a way to about that does a `kind` exchange")
    return out


def _file(r: Reader) -> str:
    return r.value.file if r.value is not None else ""


def _whole(d: Deck) -> Drama:
    """The deck without what leads nowhere: ways, births and children whose exchange, child or kind is not in it."""

    def effect(e: Effect) -> Effect:
        return replace(e, children=tuple(c for c in e.children if c in kept))

    def way(x: Way) -> Way:
        return replace(x, accept=effect(x.accept), dodge=effect(x.dodge), refuse=effect(x.refuse), lie=effect(x.lie))

    kept = {name: c for name, c in d.children.items() if c.kind in d.kinds}
    kinds = {
        name: replace(k, late=effect(k.late), ways=tuple(way(x) for x in k.ways if x.do in d.exchanges))
        for name, k in d.kinds.items()
    }
    renewal = tuple(r for r in d.renewal if r.child in kept)
    sparks = {name: replace(s, children=tuple(c for c in s.children if c in kept)) for name, s in d.sparks.items()}
    bears = {what: c for what, c in d.rumours.bears.items() if c in kept}
    rumours = Rumours(d.rumours.says, bears, d.rumours.lie)
    mercy = d.mercy if d.mercy in kept and d.exchanges else ""
    return Drama(kinds, d.exchanges, kept, renewal, sparks, mercy, rumours)


def _check(named: Named, d: Deck) -> None:
    """That what is named is there, and that a child finds all it speaks of where it is born."""
    what, name, value, parts, excused = named
    ending, _, kind = what.partition(" of ")
    known: Collection[str] = getattr(d, OF[what]) if what in OF else d.kinds[kind].ends
    if name not in known:
        if not excused:
            of = "" if what in OF else f" of {kind}"
            value.fault(f"no {what if what in OF else ending} {quoted(name)}{of}{suggestion(name, known)}")
    elif what == "child":
        lacks = needs(d.children[name]) - {*parts, *ANYWHERE}
        if lacks:
            value.fault(f"the child {quoted(name)} speaks of {', '.join(sorted(lacks))}; there is none here")


def _exchange(value: Value) -> Exchange:
    r = value.mapping()
    replies = r.section("replies", need="{accept: agree, dodge: dodge, refuse: disagree}")
    took = r.section("took", need='{accept: "agreed", dodge: "would not say", refuse: "refused"}')
    lies = (LIE,) if LIE in replies or LIE in r else ()
    out = Exchange(
        move=r.choice("move", "", MOVES, "move", need="confront"),
        replies={a: replies.choice(a, "", MOVES, "move", need="dodge") for a in (*ANSWERS, *lies)},
        wish=weights(r, "wish"),
        answer=weights(r, "answer"),
        hostile=r.flag("hostile", False),
        seeks=r.flag("seeks", False),
        kind=r.flag("kind", False),
        says=r.text("says", need='"to have it out"', limit=80),
        did=template(r, "did", ("to",), '"had it out with {to}"', 80),
        took={a: took.text(a, need='"gave in"', limit=80) for a in (*ANSWERS, *lies)},
        lie=weights(r, "lie"),
    )
    for part in (r, replies, took):
        part.rest()
    return out


def _kind(name: str, value: Value, d: Deck) -> Kind:
    r = value.mapping()
    ends: dict[str, Ending] = {}
    for end, v in r.section("ends", need='{faded: {good: yes, says: "it is forgotten"}}').entries():
        e = v.mapping()
        ends[end] = Ending(
            e.flag("good", False),
            template(e, "says", OF_A_KIND, '"{holder} and {about} have made it up"', 160),
            e.choice("holder", "", ("", *OCC), "emotion"),
            e.choice("about", "", ("", *OCC), "emotion"),
            pays=e.flag("pays", False),
            also=_also(e, d),
        )
        e.rest()
    if FADED not in ends and "ends" in r:
        r.key_fault("ends", f'has no "{FADED}"; every pressure may end by being forgotten')
    kind = Kind(
        called=r.text("called", name, limit=40),
        says=template(r, "says", OF_A_KIND, '"{holder} owes {about}: {stakes}"', 160),
        shows=template(r, "shows", OF_A_KIND, '"{holder} looks past {about}"', 160),
        wanted=template(r, "wanted", WANTED, '"be quits with {about} over {stakes}"', 160),
        mutual=r.flag("mutual", False),
        ways=tuple(_way(name, v, d) for v in r.items("ways")),
        ends=ends,
        late=_effect(name, r.get("late"), d),
        ready=_end(name, r, "ready", d),
        luck=_end(name, r, "luck", d),
    )
    r.rest()
    return kind


def _also(r: Reader, d: Deck) -> dict[str, str]:
    """Endings of other kinds that an ending brings."""
    out = {}
    for kind, v in r.section("also").entries():
        if (end := v.text(40)) and kind in KINDS:
            d.names(f"ending of {kind}", end, v)
            out[kind] = end
        elif end:
            v.fault(f"no kind of pressure {quoted(kind)}{suggestion(kind, KINDS)}")
    return out


def _end(kind: str, r: Reader, key: str, d: Deck) -> str:
    value = r.get(key)
    end = (value.text(40) or "") if value is not None else ""
    if end and value is not None:
        d.names(f"ending of {kind}", end, value)
    return end


def _way(kind: str, value: Value, d: Deck) -> Way:
    r = value.mapping()
    do = r.text("do", need="confront", limit=40)
    if do:
        d.names("exchange", do, value)
    way = Way(
        do=do,
        by=r.choice("by", "holder", PARTS, "part"),
        to=r.choice("to", "about", LISTENERS, "listener"),
        stage=r.integer("from", 0, 0, 3),
        until=r.integer("until", 3, 0, 3),
        weight=r.number("weight", 1.0, -10, 10),
        every=round(r.number("every", 6.0, 0, 1000) * HOUR),
        fond=r.number("fond", -1.0, -1, 1),
        near=r.flag("near", False),
        accept=_effect(kind, r.get("accept"), d),
        dodge=_effect(kind, r.get("dodge"), d),
        refuse=_effect(kind, r.get("refuse"), d),
        lie=_effect(kind, r.get("lie"), d),
    )
    r.rest()
    return way


def _effect(kind: str, value: Value | None, d: Deck) -> Effect:
    if value is None:
        return Effect()
    r = value.mapping()
    end = r.text("end", limit=40)
    if end:
        d.names(f"ending of {kind}", end, value)
    out = Effect(
        by=r.number("by", 0.0, -1, 1),
        stage=r.integer("stage", 0, 0, 3),
        end=end,
        tells=r.flag("tells", False),
        later=round(r.number("later", 0.0, 0, 1000) * HOUR),
        actor=r.number("actor", 0.0, -1, 1),
        target=r.number("target", 0.0, -1, 1),
        children=children(r, d, ROLES),
        part=r.flag("part", False),
    )
    r.rest()
    return out
