"""The one list of all event types, what they do to the state and to memory, and the systems of a step in order."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec

from sandbox.core.events import Event, Record, Stamp
from sandbox.core.fields import plainly
from sandbox.core.log import Row
from sandbox.core.protocols import Step
from sandbox.drama import decided
from sandbox.drama.deal import deal
from sandbox.drama.needs import need
from sandbox.drama.outcomes import decide
from sandbox.drama.press import press
from sandbox.drama.spend import spend
from sandbox.engine import inputs, standing_in
from sandbox.people import apply as people
from sandbox.people import paying
from sandbox.people.feel import feel
from sandbox.people.live import Living
from sandbox.people.perceive import perceive
from sandbox.people.pressures import apply as pressures
from sandbox.people.reflect import reflect
from sandbox.talk import apply as talk
from sandbox.talk.system import converse
from sandbox.town import apply as town

Handler = Callable[[Any, Any, Stamp], None]
System = Callable[[Step, Any], Awaitable[None]]

HANDLERS: dict[type[Event], tuple[Handler, ...]] = {}
_tables: tuple[Mapping[type[Event], Handler], ...] = (
    inputs.HANDLERS,
    standing_in.HANDLERS,
    town.HANDLERS,
    people.HANDLERS,
    paying.HANDLERS,
    talk.HANDLERS,
    pressures.HANDLERS,
    decided.HANDLERS,
)
for _table in _tables:
    for _type, _handler in _table.items():
        HANDLERS[_type] = (*HANDLERS.get(_type, ()), _handler)

EVENTS: dict[str, type[Event]] = {e.KIND: e for e in HANDLERS}
REMEMBER: dict[type[Event], Any] = {
    **people.REMEMBER,
    **paying.REMEMBER,
    **talk.REMEMBER,
    **pressures.REMEMBER,
    **decided.REMEMBER,
}

# Old events are read through these: (kind, version) -> data of the next version.
UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}

_KINDS = {kind: (event.VERSION, msgspec.json.Decoder(event).decode) for kind, event in EVENTS.items()}
_new = tuple.__new__  # a replay makes hundreds of thousands of stamps a second
_causes = msgspec.json.Decoder(tuple[int, ...])


class BadRow(ValueError):
    """A row of the log that cannot be understood."""


def decode(row: Row) -> Record:
    """The record a row stores, through upcasters if it is old. Raises BadRow."""
    seq, step, t, kind, v, actor, causes, data = row
    known = _KINDS.get(kind)
    if known is None:
        raise BadRow(f'event {seq}: unknown kind "{kind}"')
    version, read = known
    try:
        if v != version:
            data = _upcast(kind, v, version, data)
        stamp = _new(Stamp, (seq, step, t, actor, () if causes == "[]" else _causes.decode(causes)))
        return _new(Record, (stamp, read(data)))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadRow(f"event {seq} ({kind}): {plainly(error)}") from error


def _upcast(kind: str, v: int, to: int, data: str) -> str:
    content = msgspec.json.decode(data, type=dict[str, Any])
    while v != to:
        step = UPCASTERS.get((kind, v))
        if step is None:
            raise BadRow(f'no way from version {v} of "{kind}" to {to}')
        content, v = step(content), v + 1
    return msgspec.json.encode(content).decode()


def systems() -> tuple[System, ...]:
    """The systems of one engine, in the order of a step. People go on living after talks have freed them."""
    living = Living()
    return (perceive, living, converse, deal, living, feel, need, spend, decide, press, reflect)
