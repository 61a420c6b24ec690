"""Reading where pressures come from: the children, renewals and sparks of a drama deck."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sandbox.core.clock import HOUR
from sandbox.core.faults import quoted
from sandbox.core.textfiles import Reader, Value
from sandbox.engine.drama_words import ANYWHERE, BORN, ROLES, Deck, check_slots, needs, template, weights
from sandbox.people.pressures.deck import KINDS, Child, Renewal, Role, Spark
from sandbox.people.purse import MOST

TONES = ("warm", "plain", "tense", "hostile")
NOTHING = (0, 0)  # the amount of a debt that is a thing or a deed
LEVELS = ("calm", "steady", "stormy")


def children(r: Reader, d: Deck, parts: Collection[str]) -> tuple[str, ...]:
    """The names of children, who can be born to these parts."""
    value = r.get("children")
    out = []
    for v in value.values() if value is not None else ():
        name = v.text(40)
        if name:
            d.names("child", name, v, parts)
            out.append(name)
    return tuple(out)


def read_child(value: Value, d: Deck) -> Child:
    """A pressure that comes of something."""
    r = value.mapping()
    kind = r.choice("kind", "", KINDS, "kind of pressure", need="grudge")
    if kind:
        d.names("kind of pressure", kind, value)
    out = Child(
        kind=kind,
        holder=r.choice("holder", "", ROLES, "part", need="target"),
        about=r.choice("about", "", ROLES, "part", need="actor"),
        intensity=r.number("intensity", 0.4, 0, 1),
        stage=r.integer("stage", 0, 0, 2),
        due=round(r.number("due", 0.0, 0, 1000) * HOUR),
        stakes=_texts(r, "stakes", '["an apology"]'),
        cause=_texts(r, "cause", '["{actor} was short with {target}"]'),
        amount=_amount(r.get("amount")),
        lends=r.flag("lends", False),
    )
    if out.amount != NOTHING and out.kind != "debt":
        r.key_fault("amount", "only a debt has one; take it out")
    if out.lends and out.amount == NOTHING:
        r.key_fault("lends", "nothing without an amount; add for example `amount: [3, 8]`")
    if "amount" in needs(out) and out.amount == NOTHING:
        r.fault("speaks of {amount} and has none; add for example `amount: [3, 8]`")
    if out.holder and out.holder == out.about:
        r.key_fault("about", "is the holder; name another part")
    r.rest()
    return out


def _amount(value: Value | None) -> tuple[int, int]:
    """A number of coins, or [least, most]."""
    if value is None:
        return NOTHING
    numbers = [v.integer(1, MOST) for v in value.values(single=True)]
    low, high = (numbers * 2)[:2] if 1 <= len(numbers) <= 2 else (None, None)
    if not 1 <= len(numbers) <= 2 or (low is not None and high is not None and low > high):
        value.fault("write a number of coins, or two: [least, most]")
    return (low, high) if low is not None and high is not None else NOTHING


def _texts(r: Reader, key: str, need: str) -> tuple[str, ...]:
    out = []
    for v in r.items(key, need=need, single=True):
        text = v.text(200)
        if text is None:
            continue
        check_slots(text, (*ROLES, *ANYWHERE), v)
        out.append(text)
    return tuple(out) or ("",)


def read_renewal(value: Value, d: Deck) -> Renewal:
    """How ordinary talk starts one."""
    r = value.mapping()
    child = r.text("child", need="slight", limit=40)
    if child:
        d.names("child", child, value, BORN)
    out = Renewal(
        r.choice("tone", "", TONES, "tone", need="tense"), child, r.number("chance", 0.1, 0, 1), weights(r, "weights")
    )
    r.rest()
    return out


def read_spark(value: Value, d: Deck) -> Spark:
    """A small thing from outside."""
    r = value.mapping()
    roles: dict[str, Role] = {}
    section = r.section("roles", need="{actor: {}}")
    for role, v in section.entries():
        if role not in ("actor", "target", "other"):
            section.key_fault(role, f"no role {quoted(role)}; roles are actor, target, other")
        roles[role] = _role(v, roles)
    if "roles" in r and not roles:
        r.fault("has no roles, so it befalls nobody; add for example `roles: {actor: {}}`")
    says = template(r, "says", roles, '"A letter for {actor} went to {target}"', 240)
    out = Spark(
        says=says,
        roles=roles,
        children=children(r, d, [role for role in roles if role in BORN]),
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
