"""Where the lines and slots of a book stand in their files, for whoever finds fault with one after it was read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sandbox.core.faults import Faults
from sandbox.core.textfiles import Reader, Value, open_yaml
from sandbox.talk.lint import Found

Places = dict[tuple[str, int], Value]


def places(files: Iterable[Path], faults: Faults) -> Places:
    """(line's id or "$slot", variant or -1) -> its value, in files that were read without errors.

    Later files replace lines of the same id and add to slots, as in the book.
    """
    out: Places = {}
    count: dict[str, int] = {}
    for path in files:
        root = Reader(open_yaml(path, faults))
        for value in root.items("lines"):
            line = value.mapping()
            ident = line.text("id")
            out[ident, -1] = value
            for i, say in enumerate(line.items("say", single=True)):
                out[ident, i] = say
        for name, value in root.section("slots").entries():
            out.setdefault((f"${name}", -1), value)
            for entry in value.values(single=True):
                i = count[name] = count.get(name, -1) + 1
                out[f"${name}", i] = entry
    return out


def tell(found: Iterable[Found], at: Places, faults: Faults, file: str) -> None:
    """Write findings down where they stand; file: for those that stand nowhere."""
    for f in found:
        value = at.get((f.of, f.i)) or at.get((f.of, -1))
        if value is None:
            faults.add(file, 0, 0, f"{f.of}: {f.message}" if f.of else f.message, f.level)
        else:
            value.fault(f"{f.of}: {f.message}", f.level)
