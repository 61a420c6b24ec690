"""Which lines of a book a town has used, and how often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.talk.lines import LineBook
from sandbox.talk.model import Exchanged


class MoveUse(NamedTuple):
    """Of a move: how many lines and variants there are, how many were used, and how often any was said."""

    move: str
    lines: int
    lines_used: int
    variants: int
    variants_used: int
    said: int


class Coverage:
    """The reader. said: variant -> how often it was."""

    def __init__(self, book: LineBook) -> None:
        self.said: Counter[str] = Counter()
        self._book = book

    def read(self, records: Sequence[Record]) -> None:
        """Take in the next records of the log."""
        for _, e in records:
            if isinstance(e, Exchanged):
                for line in e.lines:
                    self.said.update(line.variants)

    def moves(self) -> list[MoveUse]:
        """Each move of the book, in its order."""
        rows: dict[str, list[int]] = {}
        for line in self._book.lines:
            times = [self.said[f"{line.id}#{i}"] for i in range(len(line.say))]
            row = rows.setdefault(line.move, [0] * 5)
            used = sum(n > 0 for n in times)
            for i, n in enumerate((1, bool(used), len(times), used, sum(times))):
                row[i] += n
        return [MoveUse(move, *row) for move, row in rows.items()]

    def whole(self) -> MoveUse:
        """All moves together."""
        rows = self.moves()
        return MoveUse(
            "",
            sum(row.lines for row in rows),
            sum(row.lines_used for row in rows),
            sum(row.variants for row in rows),
            sum(row.variants_used for row in rows),
            sum(row.said for row in rows),
        )

    def never(self) -> tuple[list[str], list[str]]:
        """Lines none of whose variants was ever said, and the other variants that were not."""
        lines, variants = [], []
        for line in self._book.lines:
            keys = [f"{line.id}#{i}" for i in range(len(line.say))]
            unused = [key for key in keys if not self.said[key]]
            if len(unused) == len(keys):
                lines.append(line.id)
            else:
                variants += unused
        return lines, variants
