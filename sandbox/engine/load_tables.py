"""Reading rows of other people's tables, CSV or JSON lines, from files nobody need trust: in batches, as columns.

A fault is told with the line at which its row begins and the number of its column; of many of a kind the first are.
Nothing that can be in a file takes long or much memory: a line is 100 kB at most, and a file 4 GB.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from sandbox.core.faults import PER_FILE, Faults, quoted, safe, shown, unknown
from sandbox.core.ordinary import read_ordinary

LONGEST = 100_000  # bytes of a line
SIZE = 4 << 30  # bytes of a file
TOGETHER = 8192  # rows of a batch
EACH = 20  # faults of a kind that are told one by one
BOM = b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
SIGNS = {";": "semicolons", "\t": "tabs", "|": "bars"}  # that divide the cells of other tables
CSV, LINES = (".csv",), (".jsonl", ".ndjson", ".json")
ENDS = ", ".join((*CSV, *LINES))

_decode = msgspec.json.Decoder(dict[str, Any]).decode


class Told:
    """The faults of one file. Of more than 20 of a kind the others are counted."""

    def __init__(self, path: Path) -> None:
        self.file = shown(path)
        self.count = 0
        self._kinds: dict[str, list[tuple[int, int, str]]] = {}
        self._counts: dict[str, int] = {}

    def add(self, kind: str, line: int, column: int, message: str) -> None:
        """Write a fault down. kind: what of its sort are called. line, column: from 1, 0 = the file as a whole."""
        self.count += 1
        self._counts[kind] = self._counts.get(kind, 0) + 1
        found = self._kinds.setdefault(kind, [])
        if len(found) <= EACH:
            found.append((line, column, message))

    def room(self, kind: str) -> bool:
        """Whether one more of a kind would be told by itself: no words are needed for others."""
        return self._counts.get(kind, 0) <= EACH

    def close(self, faults: Faults) -> None:
        """Hand them over; call once."""
        each = max(1, min(EACH, PER_FILE // max(1, len(self._kinds)) - 1))
        for kind, found in self._kinds.items():
            for line, column, message in found[:each]:
                faults.add(self.file, line, column, message)
            if len(found) > each:
                line, column, _ = found[each]
                more = self._counts[kind] - each
                faults.add(self.file, line, column, f"{kind}: and {more:,} more of these; mend them the same way")


class Batch(NamedTuple):
    """Some rows. lines: where each begins. columns: the cells of each column that the table has, "" = nothing."""

    lines: list[int]
    columns: Mapping[str, Sequence[str]]

    def get(self, name: str) -> Sequence[str]:
        """The cells of a column; all empty if the table has none of that name."""
        return self.columns.get(name) or ("",) * len(self.lines)


class Table:
    """A file of rows. known: its columns may be these, and no others; needed: of these none may be missing.

    present: columns seen, all of them once all batches are read. numbers: column -> its number, from 1. lost: whether
    there are rows that could not be read; unsure: whether those of the table that this one names were lost.
    """

    def __init__(self, path: Path, known: Sequence[str], needed: frozenset[str], told: Told) -> None:
        self.told, self.known = told, known
        self.present: set[str] = set()
        self.numbers: Mapping[str, int] = {}
        self.lost = self.unsure = False
        self._path, self._needed = path, needed

    def batches(self) -> Iterator[Batch]:
        """All rows that can be read. Faults are told, and the rows they are in left out."""
        kind = self._path.suffix.lower()
        if kind not in (*CSV, *LINES):
            self.told.add("name", 0, 0, f"is no table that can be read; its name must end in one of {ENDS}")
            return
        try:
            with read_ordinary(self._path) as file:
                size = os.fstat(file.fileno()).st_size
                if size > SIZE:
                    self.told.add("size", 0, 0, f"is larger than {SIZE >> 30} GB; leave some out")
                elif kind in CSV:
                    yield from self._csv(file)
                else:
                    yield from self._json(file)
        except FileNotFoundError:
            self.told.add("file", 0, 0, "there is no such file; add it, or take its key out of `population`")
        except OSError as error:
            why = (error.strerror or "not readable").lower()
            self.told.add("file", 0, 0, f"cannot be read: {why}; check what it is and who may read it")

    def fault(self, kind: str, line: int, column: str, message: str) -> None:
        """Write down a fault of a cell."""
        self.told.add(kind, line, self.numbers.get(column, 1), f"{column}: {message}" if column else message)

    def _lose(self, kind: str, line: int, column: int, message: str) -> None:
        self.lost = True
        self.told.add(kind, line, column, message)

    def _unknown(self, line: int, column: int, names: Iterable[str]) -> None:
        for name in sorted(names)[: EACH + 1]:
            near = unknown("column", name, self.known) if self.told.room("columns") else ""
            self.told.add("columns", line, column, near)

    def _lines(self, file: BinaryIO) -> Iterator[str]:
        """The lines of a file; an empty one in the place of each that cannot be read."""
        number = 0
        while raw := file.readline(LONGEST):
            number += 1
            if number == 1 and raw.startswith(BOM):
                raw = raw[len(BOM) :]
            if number == 1 and raw.startswith(UTF16):
                self._lose("encoding", 1, 1, "is UTF-16; save the file as UTF-8")
                return
            if len(raw) == LONGEST and not raw.endswith(b"\n"):
                length = len(raw)
                while not raw.endswith(b"\n") and (raw := file.readline(LONGEST)):
                    length += len(raw)
                self._lose("long lines", number, 1, f"is {length:,} bytes long, and no row is; shorten its texts")
                yield "\n"
                continue
            if 0 in raw:
                self._lose("NUL bytes", number, raw.index(0) + 1, "holds a NUL byte; take it out")
                yield "\n"
                continue
            try:
                yield raw.decode()
            except UnicodeDecodeError as error:
                byte = f"byte {raw[error.start]:#04x} is not UTF-8; save the file as UTF-8"
                self._lose("encoding", number, error.start + 1, byte)
                yield "\n"
        if not number:
            self.told.add("empty", 0, 0, "is empty; write rows, or take its key out of `population`")

    # ---- CSV

    def _csv(self, file: BinaryIO) -> Iterator[Batch]:
        lines = csv.reader(self._lines(file), strict=True)
        at: dict[str, int] | None = None
        width, begin = 0, 1
        batch: list[list[str]] = []
        where: list[int] = []
        while True:
            begin = lines.line_num + 1
            try:
                row = next(lines)
            except StopIteration:
                break
            except csv.Error as error:
                self._lose("rows", begin, 1, f"is no row of CSV ({safe(str(error), 100)}); look at its quotes")
                if at is None:
                    return
                continue
            if not row:
                continue
            if at is None:
                at, width = self._head(row, begin), len(row)
                if not self._needed <= at.keys():
                    return
                continue
            if len(row) != width:
                self._lose(
                    "ragged rows", begin, 1, f"has {len(row)} cells, and the first row names {width} columns; mend it"
                )
                continue
            batch.append(row)
            where.append(begin)
            if len(batch) == TOGETHER:
                yield self._batch(where, batch, at)
                batch, where = [], []
        if at is None and not self.told.count:
            self.told.add("empty", 0, 0, "is empty; write rows, or take its key out of `population`")
        if batch and at is not None:
            yield self._batch(where, batch, at)

    def _head(self, row: list[str], line: int) -> dict[str, int]:
        """Where each column stands."""
        at: dict[str, int] = {}
        for sign, called in SIGNS.items():
            cells = row[0].lower().split(sign) if len(row) == 1 else []
            if len(cells) > 1 and {cell.strip() for cell in cells} & {*self.known}:
                self.told.add("columns", line, 1, f"its cells are divided by {called}; divide them by commas")
                return at
        for i, cell in enumerate(row):
            name = cell.strip().lower()
            if name not in self.known:
                self._unknown(line, i + 1, [name])
            elif name in at:
                self.told.add("columns", line, i + 1, f"the column {quoted(name)} stands here twice; keep one")
            else:
                at[name] = i
        for name in sorted(self._needed - at.keys()):
            self.told.add("columns", line, 1, f'the column "{name}" is missing; add it to the first row')
        self.present, self.numbers = set(at), {name: i + 1 for name, i in at.items()}
        return at

    @staticmethod
    def _batch(where: list[int], rows: list[list[str]], at: Mapping[str, int]) -> Batch:
        cells = list(zip(*rows, strict=True))
        return Batch(where, {name: cells[i] for name, i in at.items()})

    # ---- JSON lines

    def _json(self, file: BinaryIO) -> Iterator[Batch]:
        self.numbers = dict.fromkeys(self.known, 1)
        known = frozenset(self.known)
        batch: list[dict[str, Any]] = []
        where: list[int] = []
        rows = 0
        for number, line in enumerate(self._lines(file), 1):
            if line.isspace():
                continue
            rows += 1
            try:
                row = _decode(line)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                why = "write each row as {...} on a line of its own"
                self._lose("lines", number, 1, f"is no row of JSON ({safe(str(error), 100)}); {why}")
                continue
            if not row.keys() <= known:
                self._unknown(number, 1, row.keys() - known)
            batch.append(row)
            where.append(number)
            if len(batch) == TOGETHER:
                yield self._rows(where, batch)
                batch, where = [], []
        if not rows and not self.told.count:
            self.told.add("empty", 0, 0, "is empty; write rows, or take its key out of `population`")
        if batch:
            yield self._rows(where, batch)

    def _rows(self, where: list[int], rows: list[dict[str, Any]]) -> Batch:
        seen = set().union(*rows)
        self.present |= seen & set(self.known)
        odd: set[int] = set()
        columns = {name: self._cells(name, where, rows, odd) for name in self.known if name in seen}
        if not odd:
            return Batch(where, columns)
        kept = [i for i in range(len(where)) if i not in odd]
        return Batch([where[i] for i in kept], {name: [cells[i] for i in kept] for name, cells in columns.items()})

    def _cells(self, name: str, where: list[int], rows: list[dict[str, Any]], odd: set[int]) -> list[str]:
        """A column of objects as it would stand in CSV. odd: gets the rows in which it cannot be read."""
        found = [row.get(name, "") for row in rows]
        for i, value in enumerate(found):
            if type(value) is not str:
                try:
                    found[i] = _text(value)
                except TypeError:
                    self._lose(name, where[i], 1, f"{name}: is no text, number or list of such; write one")
                    odd.add(i)
        return found


def _text(value: Any, nested: bool = False) -> str:
    """A value of JSON as it would stand in CSV. Raises TypeError for what has no place there."""
    if value is None:
        return ""
    if type(value) is str:
        return value
    if type(value) in (int, float):
        return repr(value)
    if type(value) is list and not nested:
        return ";".join(_text(x, True) for x in value)
    raise TypeError
