"""A cache of loaded worlds: the scenario that the files of a world gave, kept under a hash of those files, of the
package's data and of the program.

Reading and checking a world takes longer than all else of a start, and its files seldom change. A cached file that is
missing, damaged or of another program is no fault: the world is read again. Worlds with tables of users are not cached.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec

import sandbox
from sandbox.core.faults import Fault, path_text
from sandbox.core.places import PACKAGE, cache_dir, read_ordinary
from sandbox.core.yamlnodes import SIZE
from sandbox.engine.scenario import Scenario

KEPT = 12  # worlds, at most; those not used for longest go first
FILES = 4000  # that a world and the package's data may have in all
HASH = 32  # bytes
ENDS = (".yaml", ".txt")  # what a world is read from


class CachedWorld(msgspec.Struct, array_like=True, frozen=True):
    """A world without errors. faults: warnings and notes on its files."""

    scenario: Scenario
    faults: tuple[Fault, ...]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(CachedWorld)


def world_key(path: Path, others: Iterable[Path], settings: Iterable[str]) -> str:
    """What a world in this folder is cached under; "" if a file cannot be read, or there are too many. others: folders
    that are read besides.
    """
    whole = sha256(_encoder.encode((_program(), path_text(path), path.resolve().name, tuple(settings))))
    try:
        for number, file in enumerate(_files(path, path / "personas", *others)):
            if number >= FILES:
                return ""
            with read_ordinary(file) as opened:
                data = opened.read(SIZE + 1)
            whole.update(_encoder.encode((str(file), len(data))) + data)
    except (OSError, ValueError):
        return ""
    return whole.hexdigest()


def cached_world(key: str) -> CachedWorld | None:
    """The world under this key, or None if there is none that is whole."""
    try:
        file = cache_dir() / f"{key}.world"
        data = file.read_bytes()
        if sha256(data[HASH:]).digest() != data[:HASH]:
            return None
        found = _decoder.decode(data[HASH:])
        os.utime(file)  # it is in use
    except (OSError, ValueError):  # decoding raises ValueErrors
        return None
    return found


def cache_world(key: str, world: CachedWorld) -> CachedWorld:
    """Keep a world under this key ("" = nowhere), if there is a place for it. Returns it as `cached_world` would, so
    that a world is founded by the same bytes whether it was cached or not.
    """
    body = _encoder.encode(world)
    if key:
        with suppress(OSError):
            _write(cache_dir(), key, sha256(body).digest() + body)
    return _decoder.decode(body)


def _write(folder: Path, key: str, data: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=folder, suffix=".new", delete=False) as new:
        new.write(data)
    os.replace(new.name, folder / f"{key}.world")
    for old in sorted(folder.glob("*.*"), key=lambda file: file.stat().st_mtime)[:-KEPT]:
        old.unlink()


def _files(*folders: Path) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(file for file in folder.glob("*") if file.suffix in ENDS)


@cache
def _program() -> tuple[str, ...]:
    """What tells this program from others: versions, and sizes and times of its modules, as Python does for its own
    cache.
    """
    stats = sorted((str(file), file.stat()) for file in PACKAGE.rglob("*.py"))
    modules = [f"{name} {stat.st_size} {stat.st_mtime_ns}" for name, stat in stats]
    return (sandbox.__version__, sys.version, msgspec.__version__, *modules)
