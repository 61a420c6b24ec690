"""Reads the settings for minds in a world's file or the user's settings, with faults that name file, line and fix. A
world's author must not be able to send a player's keys anywhere: from a world or a save only addresses on this computer
are accepted, no names of keys, no service that may log in by itself, and limits only become smaller. Models that may
cost money give a warning, and are used only once the player has agreed (store/choose_mind.py).
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from sandbox.core.faults import in_quotes
from sandbox.core.fields import fields
from sandbox.core.structs import read
from sandbox.core.textfiles import MappingReader, Value
from sandbox.minds.spec import EMBEDDED, Limit, Limits, MindSpec, Model, loopback, model, parse_model

OWN = "; put it into your own settings, or write it on the command line (--mind)"
SUCH = "such as openai/gpt-4o-mini or ollama_chat/llama3.2"
MANY = 1_000_000_000  # the largest limit that a file may set


def read_mind(
    value: Value | None, base: MindSpec, *, people: Collection[str] | None = None, trusted: bool = False
) -> MindSpec:
    """The settings under `mind`, over `base`. people: who may be named (None: anybody). trusted: the file is the
    player's own. Faults are reported, and faulty settings left as in `base`.
    """
    if value is None:
        return base
    if not value.is_mapping:
        found = _model(value, trusted)
        return base if found is _WRONG else msgspec.structs.replace(base, default=found, people={})
    r = value.mapping()
    default, named = base.default, dict(base.people)
    if "model" in r:
        found = _said(r, value, trusted)
        default = default if found is _WRONG else found
    section = r.section("people")
    for who, one in section.entries() if people is None else section.named(people, "person"):
        found = _model(one, trusted)
        if found is not _WRONG:
            named[who] = found
    limits, unpriced = _limits(r.section("budget"), base, trusted)
    for key in ("model", "at", "key"):
        r.get(key)
    usual = {f.name: getattr(base, f.name) for f in fields(MindSpec).values()}
    return read(MindSpec, r, usual=usual, default=default, people=named, limits=limits, unpriced=unpriced)


_WRONG = Model("")


def _model(value: Value, trusted: bool) -> Model | None:
    """A model, from a text or a mapping {model, at, key}; _WRONG after a fault."""
    if not value.is_mapping:
        text = value.text(2000)
        return _WRONG if text is None else _allowed(text, (), "", value, trusted)
    r = value.mapping()
    found = _said(r, value, trusted)
    r.rest()
    return found


def _said(reader: MappingReader, value: Value, trusted: bool) -> Model | None:
    """A model from a mapping with the keys model, at and key."""
    name = reader.text("model", need="ollama_chat/llama3.2", limit=120)
    bases = tuple(text for v in reader.items("at", single=True) if (text := v.text(200)) is not None)
    key = reader.text("key", limit=80)
    return _allowed(name, bases, key, value, trusted) if name else _WRONG


def _allowed(name: str, bases: tuple[str, ...], key: str, value: Value, trusted: bool) -> Model | None:
    try:
        short = parse_model(name)
        found = short if short is None or not (bases or key) else model(short.name, short.bases + bases, key)
        if short is None and (bases or key):
            raise ValueError(f"the {EMBEDDED} mind has neither address nor key; take them out")
    except ValueError as error:
        value.fault(str(error))
        return _WRONG
    if found is None or trusted:
        return found
    if found.key:
        value.fault(f"a world may not name a key{OWN}")
        return _WRONG
    away = next((base for base in found.bases if not loopback(base)), "")
    if away:
        value.fault(f"a world may not send anything to {in_quotes(away)}{OWN}")
        return _WRONG
    if not found.plain:
        value.fault(f"a world may not name {in_quotes(found.name)}: only services that want a key at most, {SUCH}{OWN}")
        return _WRONG
    if not found.private:
        value.fault(
            f"{in_quotes(found.name)} may cost whoever plays this money; it is asked once they allow it", "warning"
        )
    return found


def _limits(reader: MappingReader, base: MindSpec, trusted: bool) -> tuple[Limits, Limits]:
    """The limits of all models, and those of unpriced ones: calls and tokens in a file set both."""
    day, save = reader.section("day"), reader.section("save")
    said = Limits(_limit(day, base.limits.day), _limit(save, base.limits.save))
    unpriced = Limits(_counted(day, said.day, base.unpriced.day), _counted(save, said.save, base.unpriced.save))
    reader.rest()
    return (said, unpriced) if trusted else (said.within(base.limits), unpriced.within(base.unpriced))


def _counted(reader: MappingReader, said: Limit, base: Limit) -> Limit:
    return Limit(said.calls if "calls" in reader else base.calls, said.tokens if "tokens" in reader else base.tokens)


def _limit(reader: MappingReader, base: Limit) -> Limit:
    """A limit; `calls: none` removes one."""
    found: dict[str, float | None] = {"calls": base.calls, "tokens": base.tokens, "usd": base.usd}
    for key in found:
        value = reader.get(key)
        if value is not None:
            if value.text() == "none":
                found[key] = None
                continue
            got = value.number(0, MANY) if key == "usd" else value.integer(0, MANY)
            if got is not None:  # a faulty value changes nothing
                found[key] = got
    reader.rest()
    return msgspec.convert(found, Limit)
