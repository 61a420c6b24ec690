"""Reading rows of other people's tables, CSV, JSON lines or a list of JSON, from files nobody need trust: in
batches, as columns.

A fault is told with the line at which its row begins and the number of its column; of many of a kind the first are.
Nothing that can be in a file takes long or much memory: a line is 100 kB at most, and a file 4 GB.
"""

from __future__ import annotations

import csv
import os
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from sandbox.core.faults import PER_FILE, Faults, in_quotes, path_text, safe, unknown
from sandbox.core.yamlnodes import read_ordinary
from sandbox.engine.load_lists import ListFault, begins_list, json_list_values

LONGEST = 100_000  # bytes of a line
SIZE = 4 << 30  # bytes of a file
TOGETHER = 8192  # rows of a batch
MOST_LEFT = 1_000_000  # rows that are left out of a table
NAMES = 1000  # of columns that there are none of, told once each
EACH = 20  # faults of a kind that are told one by one
BOM = b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
SIGNS = {";": "semicolons", "\t": "tabs", "|": "bars"}  # that divide the cells of other tables
CSV, LINES = (".csv",), (".jsonl", ".ndjson", ".json")
ENDS = ", ".join((*CSV, *LINES))
UNKNOWN = "columns that nobody reads"

_decode = msgspec.json.Decoder(dict[str, Any]).decode


class FileFaults:
    """The faults of one file. Of more than 20 of a kind the others are counted."""

    def __init__(self, path: Path) -> None:
        self.file = path_text(path)
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
    """Some rows. lines: which rows they are, as `Table.place` tells. columns: the cells of each column that the table
    has, "" = nothing.
    """

    lines: list[int]
    columns: Mapping[str, Sequence[str]]

    def get(self, name: str) -> Sequence[str]:
        """The cells of a column; all empty if the table has none of that name."""
        return self.columns.get(name) or ("",) * len(self.lines)


class TableFile:
    """A file of rows. known: its columns may be these, and no others; needed: of these none may be missing; of "a or b"
    there must be one. lenient: rows and columns that cannot be are left out; without: rows that are from the first.

    present: columns seen, all of them once all batches are read. numbers: column -> its number, from 1. lost: whether
    there are rows that could not be read; unsure: whether those of the table that this one names were lost. rows: row
    that cannot be -> the kind of its fault; beside: those of them that could be, were it not for another row. left:
    what of each kind is left out as it is read.
    """

    def __init__(
        self,
        path: Path,
        known: Sequence[str],
        needed: Collection[str],
        lenient: bool = False,
        without: Collection[int] = (),
    ) -> None:
        self.told, self.known, self.lenient = FileFaults(path), known, lenient
        self.present: set[str] = set()
        self.numbers: Mapping[str, int] = {}
        self.lost = self.unsure = False
        self.rows: dict[int, str] = {}
        self.beside: set[int] = set()
        self.left: Counter[str] = Counter()
        self._path, self._needed, self._without = path, needed, without
        self._items: array[int] | None = None  # the line of each row of a list
        self._unread = 0  # the last line that could not be read

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
                    lists = begins_list(file, self.known)
                    yield from self._json(self._of_list(file) if lists else self._of_lines(file))
        except FileNotFoundError:
            self.told.add("file", 0, 0, "there is no such file; add it, or take its key out of `population`")
        except OSError as error:
            why = (error.strerror or "not readable").lower()
            self.told.add("file", 0, 0, f"cannot be read: {why}; check what it is and who may read it")

    def fault(self, kind: str, line: int, column: str, message: str, beside: bool = False) -> None:
        """Write down a fault of a row. column: of which cell, "" = of none. beside: it is one beside another row."""
        if self.lenient and len(self.rows) < MOST_LEFT:
            self.rows.setdefault(line, kind)
            if beside:
                self.beside.add(line)
        self.fail(kind, line, f"{column}: {message}" if column else message, self.numbers.get(column, 1))

    def fail(self, kind: str, line: int, message: str, column: int = 1) -> None:
        """Write down a fault at a row that leaving the row out would not mend."""
        if self._items is not None:
            line, message = self._items[line - 1], f"row {line}: {message}"
        self.told.add(kind, line, column, message)

    def place(self, line: int) -> str:
        """Which row it is, in words: "line 7"; "row 7" of a list."""
        return f"{'line' if self._items is None else 'row'} {line}"

    def _lose(self, kind: str, line: int, column: int, message: str) -> None:
        """Write down that a row cannot be read."""
        self.lost = True
        self._unread = line
        if self.lenient:
            self.left[kind] += 1
        else:
            self.fail(kind, line, message, column)

    def _unknown(self, line: int, column: int, names: Iterable[str]) -> None:
        for name in sorted(names)[: EACH + 1]:
            if self.lenient:
                self.left[UNKNOWN] += 1
            else:
                near = unknown("column", name, self.known) if self.told.room("columns") else ""
                self.fail("columns", line, near, column)

    def _need(self, there: Set[str], line: int) -> bool:
        """Whether all columns are there without which there is nothing to read; what is not is told."""
        fine = True
        for names in sorted(self._needed):
            either = names.split(" or ")
            if not there & {*either}:
                fine = False
                instead = f", or {' or '.join(map(in_quotes, either[1:]))} instead" if either[1:] else ""
                missing = f'the column "{either[0]}" is missing; add it to the first row{instead}'
                self.told.add("columns", line, 1, missing)
        return fine

    def _lines(self, file: BinaryIO) -> Iterator[str]:
        """The lines of a file; an empty one in the place of each that cannot be read."""
        number = 0
        while raw := file.readline(LONGEST):
            number += 1
            if number == 1 and raw.startswith(BOM):
                raw = raw[len(BOM) :]
            if number == 1 and raw.startswith(UTF16):
                self.told.add("encoding", 1, 1, "is UTF-16; save the file as UTF-8")
                return
            if len(raw) == LONGEST and not raw.endswith(b"\n"):
                length = len(raw)
                while not raw.endswith(b"\n") and (raw := file.readline(LONGEST)):
                    length += len(raw)
                self._lose("long lines", number, 1, f"is {length:,} bytes long, and no row is; shorten its texts")
                yield "\n"
                continue
            if number == 1 and 0 in raw:
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
                why = f"is no row of CSV ({safe(str(error), 100)}); look at its quotes"
                if at is None or lines.line_num > begin:  # an open quote takes what stands below it along
                    self.lost = True
                    self.told.add("rows", begin, 1, why)
                    break
                self._lose("rows", begin, 1, why)
                continue
            if at is None and self._unread:
                if self.lenient:
                    self.told.add("columns", self._unread, 1, "names the columns, and cannot be read; mend it")
                return
            if not row or begin in self._without or self._unread >= begin:
                continue
            if at is None:
                if self._divided(row, begin):
                    return
                at, width = self._head(row, begin), len(row)
                if not self._need(at.keys(), begin):
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

    def _divided(self, row: list[str], line: int) -> bool:
        """Whether other signs than commas stand between cells, which is told."""
        for sign, called in SIGNS.items():
            cells = row[0].lower().split(sign) if len(row) == 1 else []
            if len(cells) > 1 and {cell.strip() for cell in cells} & {*self.known}:
                self.told.add("columns", line, 1, f"its cells are divided by {called}; divide them by commas")
                return True
        return False

    def _head(self, row: list[str], line: int) -> dict[str, int]:
        """Where each column stands."""
        at: dict[str, int] = {}
        for i, cell in enumerate(row):
            name = cell.strip().lower()
            if name not in self.known:
                self._unknown(line, i + 1, [name])
            elif name in at:
                self.told.add("columns", line, i + 1, f"the column {in_quotes(name)} stands here twice; keep one")
            else:
                at[name] = i
        self.present, self.numbers = set(at), {name: i + 1 for name, i in at.items()}
        return at

    @staticmethod
    def _batch(where: list[int], rows: list[list[str]], at: Mapping[str, int]) -> Batch:
        cells = list(zip(*rows, strict=True))
        return Batch(where, {name: cells[i] for name, i in at.items()})

    # ---- JSON

    def _of_lines(self, file: BinaryIO) -> Iterator[tuple[int, str]]:
        """Each row of JSON lines: its line, and its text."""
        for number, line in enumerate(self._lines(file), 1):
            if line.strip() == "{":
                wanted = "write each row on a line of its own, or all as a list, [{...}, {...}]"
                self.told.add("lines", number, 1, f"begins a row of JSON that takes several lines; {wanted}")
                return
            if not line.isspace():
                yield number, line

    def _of_list(self, file: BinaryIO) -> Iterator[tuple[int, str]]:
        """Each row of a list, as far as it can be read: its number, and its text."""
        self._items = array("q")
        try:
            for line, text in json_list_values(file):
                self._items.append(line)
                yield len(self._items), text
        except ListFault as fault:
            self.lost = True
            self.told.add("rows", fault.line, fault.column, str(fault))

    def _json(self, texts: Iterator[tuple[int, str]]) -> Iterator[Batch]:
        self.numbers = dict.fromkeys(self.known, 1)
        known = frozenset(self.known)
        batch: list[dict[str, Any]] = []
        where: list[int] = []
        odd: set[str] = set()
        rows = 0
        for number, text in texts:
            rows += 1
            if number in self._without:
                continue
            try:
                row = _decode(text)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                why = "write each row as {...}" + " on a line of its own" * (self._items is None)
                self._lose("lines", number, 1, f"is no row of JSON ({safe(str(error), 100)}); {why}")
                continue
            if not row.keys() <= known and (strange := row.keys() - known - odd) and len(odd) <= NAMES:
                odd |= strange
                self._unknown(number, 1, strange)
            batch.append(row)
            where.append(number)
            if len(batch) == TOGETHER:
                yield self._rows(where, batch)
                batch, where = [], []
        if not rows and not self.told.count and not self.lost:
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
                    self.lost = True
                    self.fault(name, where[i], name, "is no text, number or list of such; write one")
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
