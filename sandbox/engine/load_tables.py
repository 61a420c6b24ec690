"""Reads rows of tables from untrusted files (CSV, JSON lines or a JSON list) in batches of columns. A fault is reported
with the line at which its row begins and the number of its column; of many faults of a kind only the first. Time and
memory are bounded whatever a file holds: a line is 100 kB at most, and a file 4 GB.
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
from sandbox.core.places import read_ordinary
from sandbox.engine.load_lists import ListFault, begins_list, json_list_values

LONGEST = 100_000  # bytes of a line, at most
SIZE = 4 << 30  # bytes of a file, at most
TOGETHER = 8192  # rows of a batch
MOST_LEFT = 1_000_000  # rows left out of a table, at most
NAMES = 1000  # unknown column names reported, once each, at most
EACH = 20  # faults of a kind reported one by one; the rest are counted
BOM = b"\xef\xbb\xbf"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
SIGNS = {";": "semicolons", "\t": "tabs", "|": "bars"}  # separators that other programs use instead of commas
CSV, LINES = (".csv",), (".jsonl", ".ndjson", ".json")
ENDS = ", ".join((*CSV, *LINES))
UNKNOWN = "columns that nobody reads"

_decode = msgspec.json.Decoder(dict[str, Any]).decode


class FileFaults:
    """The faults of one file. More than EACH of a kind are only counted."""

    def __init__(self, path: Path) -> None:
        self.file = path_text(path)
        self.count = 0
        self._kinds: dict[str, list[tuple[int, int, str]]] = {}
        self._counts: dict[str, int] = {}

    def add(self, kind: str, line: int, column: int, message: str) -> None:
        """Record a fault. kind: under which it is counted. line, column: from 1, 0 = the whole file."""
        self.count += 1
        self._counts[kind] = self._counts.get(kind, 0) + 1
        found = self._kinds.setdefault(kind, [])
        if len(found) <= EACH:
            found.append((line, column, message))

    def room(self, kind: str) -> bool:
        """Whether another fault of a kind would be reported by itself; if not, its message need not be made."""
        return self._counts.get(kind, 0) <= EACH

    def close(self, faults: Faults) -> None:
        """Hand the faults over; call once."""
        each = max(1, min(EACH, PER_FILE // max(1, len(self._kinds)) - 1))
        for kind, found in self._kinds.items():
            for line, column, message in found[:each]:
                faults.add(self.file, line, column, message)
            if len(found) > each:
                line, column, _ = found[each]
                more = self._counts[kind] - each
                faults.add(self.file, line, column, f"{kind}: and {more:,} more of these; mend them the same way")


class Batch(NamedTuple):
    """Some rows. lines: their numbers, as for `TableFile.place`. columns: name -> cells, "" = empty."""

    lines: list[int]
    columns: Mapping[str, Sequence[str]]

    def get(self, name: str) -> Sequence[str]:
        """The cells of a column; all empty if the table lacks it."""
        return self.columns.get(name) or ("",) * len(self.lines)


class TableFile:
    """A file of rows. known: columns allowed; needed: columns required ("a or b" = one of these). lenient: faulty rows
    and columns are left out; without: rows left out from the beginning.

    present: columns seen, complete once all batches are read. numbers: column -> its number, from 1. lost: some rows
    were unreadable; unsure: so were rows of the table that this one refers to. rows: faulty row -> kind of its fault;
    beside: those faulty only because of another row. left: number of rows and columns left out while reading, by kind.
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
        self._unread = 0  # the last unreadable line

    def batches(self) -> Iterator[Batch]:
        """All readable rows. Faults are reported, and their rows left out."""
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
        """Report a fault of a row. column: of which cell, "" = none. beside: faulty only because of another row."""
        if self.lenient and len(self.rows) < MOST_LEFT:
            self.rows.setdefault(line, kind)
            if beside:
                self.beside.add(line)
        self.fail(kind, line, f"{column}: {message}" if column else message, self.numbers.get(column, 1))

    def fail(self, kind: str, line: int, message: str, column: int = 1) -> None:
        """Report a fault at a row that leaving out the row would not fix."""
        if self._items is not None:
            line, message = self._items[line - 1], f"row {line}: {message}"
        self.told.add(kind, line, column, message)

    def place(self, line: int) -> str:
        """The place of a row in words: "line 7"; "row 7" in a list."""
        return f"{'line' if self._items is None else 'row'} {line}"

    def _lose(self, kind: str, line: int, column: int, message: str) -> None:
        """Report an unreadable row, or count it as left out."""
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
        """Whether all required columns are present; missing ones are reported."""
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
        """The lines of a file; an empty one in place of each unreadable line."""
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
                if at is None or lines.line_num > begin:  # an open quote swallows the lines below it
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
        """Whether cells are separated by something other than commas; if so, report it."""
        for sign, called in SIGNS.items():
            cells = row[0].lower().split(sign) if len(row) == 1 else []
            if len(cells) > 1 and {cell.strip() for cell in cells} & {*self.known}:
                self.told.add("columns", line, 1, f"its cells are divided by {called}; divide them by commas")
                return True
        return False

    def _head(self, row: list[str], line: int) -> dict[str, int]:
        """Column -> its index."""
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
        """Each row of JSON lines: its line number and text."""
        for number, line in enumerate(self._lines(file), 1):
            if line.strip() == "{":
                wanted = "write each row on a line of its own, or all as a list, [{...}, {...}]"
                self.told.add("lines", number, 1, f"begins a row of JSON that takes several lines; {wanted}")
                return
            if not line.isspace():
                yield number, line

    def _of_list(self, file: BinaryIO) -> Iterator[tuple[int, str]]:
        """Each readable row of a JSON list: its number and text."""
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
        """A column of JSON objects as CSV cells. odd: gets the indexes of rows whose value cannot be a cell."""
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
    """A JSON value as a CSV cell. Raises TypeError for a value that cannot be one."""
    if value is None:
        return ""
    if type(value) is str:
        return value
    if type(value) in (int, float):
        return repr(value)
    if type(value) is list and not nested:
        return ";".join(_text(x, True) for x in value)
    raise TypeError
