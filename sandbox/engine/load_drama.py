"""Reading `drama.yaml`: the exchanges, kinds, children, renewals and sparks of the drama deck."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from sandbox.core.clock import HOUR
from sandbox.core.faults import Faults, quoted, suggestion
from sandbox.core.textfiles import Reader, Value, open_yaml
from sandbox.people.occ import OCC
from sandbox.people.pressures.deck import (
    ANSWERS,
    FEATURES,
    KINDS,
    LISTENERS,
    PARTS,
    Child,
    Drama,
    Effect,
    Ending,
    Exchange,
    Kind,
    Renewal,
    Role,
    Spark,
    Way,
)
from sandbox.talk.lines import MOVES

TONES = ("warm", "plain", "tense", "hostile")
LEVELS = ("calm", "steady", "stormy")
ROLES = ("holder", "about", "actor", "target")
FADED = "faded"
ANYWHERE = ("place", "stakes")  # what the words of a child may name beside its parts
OF_A_KIND = ("holder", "about", "stakes")
BORN = ("actor", "target")  # the parts there are when ordinary talk or a spark makes a pressure
SLOT = re.compile(r"\{([^{}]*)\}")


class _Named(NamedTuple):
    """What an entry names: an exchange, a child, or an ending of a kind ("ending of debt"), and where."""

    what: str
    name: str
    value: Value
    parts: Collection[str]


class _Deck:
    """The lists as they are read, and where each entry stands."""

    def __init__(self) -> None:
        self.exchanges: dict[str, Exchange] = {}
        self.kinds: dict[str, Kind] = {}
        self.children: dict[str, Child] = {}
        self.renewal: list[Renewal] = []
        self.sparks: dict[str, Spark] = {}
        self.named: dict[str, list[_Named]] = {}  # entry -> what it names; an entry that is replaced names nothing
        self._entry: list[_Named] = []

    def entry(self, key: str) -> None:
        """Begin to read an entry."""
        self._entry = self.named[key] = []

    def names(self, what: str, name: str, value: Value, parts: Collection[str] = ()) -> None:
        """The entry names something. parts: whom a child that is named there can be born to."""
        self._entry.append(_Named(what, name, value, parts))


def read_drama(files: Iterable[Path], faults: Faults) -> Drama:
    """The deck of all files: later ones replace entries of the same name, and add the rest."""
    d = _Deck()
    readers = [Reader(open_yaml(path, faults)) for path in files]
    for r in readers:
        for name, value in r.section("exchanges").entries():
            d.exchanges[name] = _exchange(value)
        for name, value in r.section("kinds").entries():
            if name not in KINDS:
                value.fault(f"no kind of pressure {quoted(name)}{suggestion(name, KINDS)}")
            d.entry(f"kind {name}")
            d.kinds[name] = _kind(name, value, d)
        for name, value in r.section("children").entries():
            d.children[name] = _child(value)
        for value in r.items("renewal"):
            d.entry(f"renewal {len(d.renewal)}")
            d.renewal.append(_renewal(value, d))
        for name, value in r.section("sparks").entries():
            d.entry(f"spark {name}")
            d.sparks[name] = _spark(value, d)
        r.rest()
    for entry in d.named.values():
        for named in entry:
            _check(named, d)
    return Drama(d.kinds, d.exchanges, d.children, tuple(d.renewal), d.sparks)


def _check(named: _Named, d: _Deck) -> None:
    """That what is named is there, and that a child finds all it speaks of where it is born."""
    what, name, value, parts = named
    ending, _, kind = what.partition(" of ")
    known: Collection[str] = d.kinds[kind].ends if kind else d.exchanges if what == "exchange" else d.children
    if name not in known:
        value.fault(f"no {ending} {quoted(name)}{f' of {kind}' if kind else ''}{suggestion(name, known)}")
    elif what == "child":
        lacks = needs(d.children[name]) - {*parts, *ANYWHERE}
        if lacks:
            value.fault(f"the child {quoted(name)} speaks of {', '.join(sorted(lacks))}; there is none here")


def needs(child: Child) -> set[str]:
    """The parts a child speaks of."""
    return {child.holder, child.about, *(s for text in (*child.stakes, *child.cause) for s in SLOT.findall(text))}


def _template(r: Reader, key: str, slots: Collection[str], need: str, limit: int) -> str:
    """A text with {slots}."""
    value = r.get(key, need)
    text = value.text(limit) if value is not None else None
    if text is not None and value is not None:
        _slots(text, slots, value)
    return text or ""


def _slots(text: str, slots: Collection[str], value: Value) -> None:
    """Write down slots that are none, and braces without a partner."""
    for slot in SLOT.findall(text):
        if slot not in slots:
            known = suggestion(slot, slots) or "; known: " + ", ".join(f"{{{s}}}" for s in slots)
            value.fault(f'no slot "{{{slot}}}"{known}')
    if any(brace in SLOT.sub("", text) for brace in "{}"):
        value.fault("holds a brace without a partner; write slots as {name}")


def _exchange(value: Value) -> Exchange:
    r = value.mapping()
    replies = r.section("replies", need="{accept: agree, dodge: dodge, refuse: disagree}")
    took = r.section("took", need='{accept: "agreed", dodge: "would not say", refuse: "refused"}')
    out = Exchange(
        move=r.choice("move", "", MOVES, "move", need="confront"),
        replies={a: replies.choice(a, "", MOVES, "move", need="dodge") for a in ANSWERS},
        wish=_weights(r, "wish"),
        answer=_weights(r, "answer"),
        hostile=r.flag("hostile", False),
        seeks=r.flag("seeks", False),
        says=r.text("says", need='"to have it out"', limit=80),
        did=_template(r, "did", ("to",), '"had it out with {to}"', 80),
        took={a: took.text(a, need='"gave in"', limit=80) for a in ANSWERS},
    )
    for part in (r, replies, took):
        part.rest()
    return out


def _weights(r: Reader, key: str) -> dict[str, float]:
    section = r.section(key)
    out = {}
    for name, value in section.entries():
        if name not in FEATURES:
            section.key_fault(name, f"no feature {quoted(name)}{suggestion(name, FEATURES)}")
            continue
        number = value.number(-10, 10)
        if number is not None:
            out[name] = number
    return out


def _kind(name: str, value: Value, d: _Deck) -> Kind:
    r = value.mapping()
    ends: dict[str, Ending] = {}
    for end, v in r.section("ends", need='{faded: {good: yes, says: "it is forgotten"}}').entries():
        e = v.mapping()
        ends[end] = Ending(
            e.flag("good", False),
            _template(e, "says", OF_A_KIND, '"{holder} and {about} have made it up"', 160),
            e.choice("holder", "", ("", *OCC), "emotion"),
            e.choice("about", "", ("", *OCC), "emotion"),
        )
        e.rest()
    if FADED not in ends and "ends" in r:
        r.key_fault("ends", f'has no "{FADED}"; every pressure may end by being forgotten')
    kind = Kind(
        called=r.text("called", name, limit=40),
        says=_template(r, "says", OF_A_KIND, '"{holder} owes {about}: {stakes}"', 160),
        shows=_template(r, "shows", OF_A_KIND, '"{holder} looks past {about}"', 160),
        mutual=r.flag("mutual", False),
        ways=tuple(_way(name, v, d) for v in r.items("ways")),
        ends=ends,
        late=_effect(name, r.get("late"), d),
        ready=_end(name, r, "ready", d),
        luck=_end(name, r, "luck", d),
    )
    r.rest()
    return kind


def _end(kind: str, r: Reader, key: str, d: _Deck) -> str:
    value = r.get(key)
    end = (value.text(40) or "") if value is not None else ""
    if end and value is not None:
        d.names(f"ending of {kind}", end, value)
    return end


def _way(kind: str, value: Value, d: _Deck) -> Way:
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
    )
    r.rest()
    return way


def _effect(kind: str, value: Value | None, d: _Deck) -> Effect:
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
        children=_children(r, d, ROLES),
    )
    r.rest()
    return out


def _children(r: Reader, d: _Deck, parts: Collection[str]) -> tuple[str, ...]:
    value = r.get("children")
    out = []
    for v in value.values() if value is not None else ():
        name = v.text(40)
        if name:
            d.names("child", name, v, parts)
            out.append(name)
    return tuple(out)


def _child(value: Value) -> Child:
    r = value.mapping()
    out = Child(
        kind=r.choice("kind", "", KINDS, "kind of pressure", need="grudge"),
        holder=r.choice("holder", "", ROLES, "part", need="target"),
        about=r.choice("about", "", ROLES, "part", need="actor"),
        intensity=r.number("intensity", 0.4, 0, 1),
        stage=r.integer("stage", 0, 0, 2),
        due=round(r.number("due", 0.0, 0, 1000) * HOUR),
        stakes=_texts(r, "stakes", '["an apology"]'),
        cause=_texts(r, "cause", '["{actor} was short with {target}"]'),
    )
    if out.holder and out.holder == out.about:
        r.key_fault("about", "is the holder; name another part")
    r.rest()
    return out


def _texts(r: Reader, key: str, need: str) -> tuple[str, ...]:
    out = []
    for v in r.items(key, need=need, single=True):
        text = v.text(200)
        if text is None:
            continue
        _slots(text, (*ROLES, *ANYWHERE), v)
        out.append(text)
    return tuple(out) or ("",)


def _renewal(value: Value, d: _Deck) -> Renewal:
    r = value.mapping()
    child = r.text("child", need="slight", limit=40)
    if child:
        d.names("child", child, value, BORN)
    out = Renewal(
        r.choice("tone", "", TONES, "tone", need="tense"), child, r.number("chance", 0.1, 0, 1), _weights(r, "weights")
    )
    r.rest()
    return out


def _spark(value: Value, d: _Deck) -> Spark:
    r = value.mapping()
    roles: dict[str, Role] = {}
    section = r.section("roles", need="{actor: {}}")
    for role, v in section.entries():
        if role not in ("actor", "target", "other"):
            section.key_fault(role, f"no role {quoted(role)}; roles are actor, target, other")
        roles[role] = _role(v, roles)
    if "roles" in r and not roles:
        r.fault("has no roles, so it befalls nobody; add for example `roles: {actor: {}}`")
    says = _template(r, "says", roles, '"A letter for {actor} went to {target}"', 240)
    out = Spark(
        says=says,
        roles=roles,
        children=_children(r, d, [role for role in roles if role in BORN]),
        cooldown=r.integer("cooldown", 5, 0, 1000),
        level=r.choice("level", "calm", LEVELS, "level"),
    )
    r.rest()
    return out


def _role(value: Value, before: Collection[str]) -> Role:
    r = value.mapping()
    ages = 0, 200
    span = r.get("ages")
    if span is not None:
        numbers: list[Any] = [v.integer(0, 200) for v in span.values()]
        if len(numbers) != 2 or None in numbers:
            span.fault("write two ages: [youngest, oldest]")
        else:
            ages = numbers[0], numbers[1]
    towards: dict[str, tuple[float, float]] = {}
    section = r.section("towards")
    for other, v in section.entries():
        if other not in before:
            section.key_fault(other, f"no role {quoted(other)} above this one")
        limits = [x.number(-1, 1) for x in v.values()]
        if len(limits) != 2 or None in limits:
            v.fault("write two feelings: [least, most]")
        else:
            towards[other] = limits[0] or 0.0, limits[1] or 0.0
    out = Role(r.texts("jobs", limit=60), r.texts("traits", limit=40), ages, towards)
    r.rest()
    return out
