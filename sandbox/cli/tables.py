"""Plain tables: columns that line up in a terminal, in a file and in a mail."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence


def columns(head: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> str:
    """Rows as lines, each column as wide as its widest cell. right: numbers of columns that hold figures."""
    lines = [tuple(head), *map(tuple, rows)] if head else [*map(tuple, rows)]
    if not lines:
        return ""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    out = []
    for line in lines:
        cells = (c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True)))
        out.append("  ".join(cells).rstrip())
    return "\n".join(out)
