"""Reading what an occasion of the calendar decides."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sandbox.core.clock import MINUTE
from sandbox.core.structs import field, inner, read
from sandbox.core.textfiles import Reader, Value
from sandbox.engine.rules import SENTENCES
from sandbox.town.plan import VOTE, Decision

EXAMPLES = {
    "yes": '"The field is sold, {yes} to {no}"',
    "no": '"The field is not sold, {no} to {yes}"',
    "says": '"{winner} has won {prize}"',
    "off": '"Too few came, and nothing was decided"',
}


def read_decision(
    value: Value, who: tuple[str, ...], length: int, cast: Collection[str], spare: bool
) -> Decision | None:
    """What an occasion decides. who: those who come to it; length: its seconds.

    spare: of a world that keeps no children, whatever of them is named.
    """
    r = value.mapping()
    kind = field(Decision, "kind", r)
    if not kind:
        return None
    given: dict[str, Any] = {"kind": kind}
    if kind == VOTE:
        given.update(judge="", trait="", skill={})
        given["about"] = field(Decision, "about", r)
        given["who"] = _takers(r, "voters", who, cast, need="[mara, bo]")
        least = len(given["who"]) // 2 + 1
    else:
        given["about"] = r.text("prize", need='"the ham"', limit=80)
        given["who"] = _takers(r, "entrants", who, cast) if "entrants" in r else who
        given["trait"], given["skill"] = _skill(r)
        least = 2
    said = {name: r.get(key, EXAMPLES.get(key, "")) for key, name, _ in SENTENCES[kind]}
    sentences = inner(Decision, "says")
    given["says"] = {name: found for name, v in said.items() if v is not None and (found := sentences(v))}
    given["least"] = field(Decision, "least", r, min(least, max(1, len(given["who"]))))
    given["at"] = field(Decision, "at", r, length // (2 * MINUTE) * MINUTE)
    given["settles"] = _wants(r, "settles")
    given["sways"] = _wants(r, "sways") if kind == VOTE else {}
    if spare:
        r.get("children")
        given["children"] = ()
    return read(Decision, r, **given)


def _takers(r: Reader, key: str, who: tuple[str, ...], cast: Collection[str], need: str = "") -> tuple[str, ...]:
    """Voters or entrants: ids, or `who` for all who come."""
    value = r.get(key, need=need)
    out: dict[str, None] = {}
    for v in value.values(single=True) if value is not None else ():
        name = v.text(80)
        out.update(dict.fromkeys(who if name == "who" and name not in cast else (name,) if name else ()))
    return tuple(out)


def _skill(r: Reader) -> tuple[str, dict[str, float]]:
    """The trait that counts, and what counts for single entrants."""
    value = r.get("skill")
    if value is None:
        return "", {}
    if not value.is_mapping:
        return value.text() or "", {}
    entries = dict(value.mapping().entries())
    trait = entries.pop("trait", None)
    one = inner(Decision, "skill")
    return (trait.text() if trait is not None else None) or "", {who: one(v) or 0.0 for who, v in entries.items()}


def _wants(r: Reader, key: str) -> dict[str, str]:
    """Pressure -> what it wants; nothing: its holder, if anybody."""
    return {ident: "" if v.nothing else v.text() or "" for ident, v in r.section(key).entries()}
