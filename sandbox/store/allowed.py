"""Which models a player lets a save ask that cost money: what was said yes to on the screen.

It is kept with what belongs to the player, by the save's uid: the save itself may come from anybody.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import msgspec

from sandbox.core.places import home

FILE, MOST = "allowed.json", 1000  # saves that are remembered


def allowed(uid: str) -> tuple[str, ...]:
    """The names of models that the save of that uid may ask."""
    return _read().get(uid, ()) if uid else ()


def allow(uid: str, names: Iterable[str]) -> None:
    """Let that save ask these models, from its next sitting on. Raises OSError."""
    known = _read()
    names = tuple(dict.fromkeys((*known.pop(uid, ()), *names)))
    latest = [*known.items(), (uid, names)][-MOST:]
    path = home() / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(dict(latest)), indent=1) + b"\n")
        os.replace(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)


def _read() -> dict[str, tuple[str, ...]]:
    """What was allowed so far; nothing, if the file is none."""
    try:
        return msgspec.json.decode((home() / FILE).read_bytes(), type=dict[str, tuple[str, ...]])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return {}
