"""Reads a table of users: their properties, as columns, and their names. What a row leaves open is drawn later, as for
any user of the crowd; a bio determines its user's interests.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from sandbox.core.faults import clean_name, in_quotes, is_printable, unknown
from sandbox.core.vectors import DIMENSIONS, Vectors, project
from sandbox.engine.load_tables import Batch, TableFile
from sandbox.feed import loaded_tables
from sandbox.feed.loaded_tables import LEVEL, MOST_BYTES, UNSAID, UNSAID_SMALL, UNSAID_STANCE, LoadedUsers
from sandbox.feed.population import topics_of_vectors
from sandbox.feed.tables import Bytes, Flags, Small
from sandbox.feed.word_lists import PROFESSIONS, TOPICS

Tell = Callable[[int, str], None]  # called with the row in the batch, and what is wrong with its cell
_NUMBER = re.compile(r"[-+]?(?:[0-9]{1,18}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})(?:[eE][-+]?[0-9]{1,2})?")
_OTHER = re.compile(r"[^0-9eE.+\-]")


def parse_numbers(
    cells: Sequence[str], low: float, high: float, tell: Tell, whole: bool = False
) -> NDArray[np.float64]:
    """Cells as numbers in [low, high]; NaN for empty and faulty ones."""
    if not any(cells):
        return np.full(len(cells), np.nan)
    if not _OTHER.search("".join(cells)):
        try:
            found = np.array([float(cell) if cell else np.nan for cell in cells])
        except ValueError:
            pass
        else:
            if not ((found < low) | (found > high)).any() and not (whole and (found % 1 > 0).any()):
                return found
    return np.array([_number(i, cell.strip(), low, high, tell, whole) for i, cell in enumerate(cells)])


def _number(i: int, cell: str, low: float, high: float, tell: Tell, whole: bool) -> float:
    if not cell:
        return np.nan
    if len(cell) > 80 or not _NUMBER.fullmatch(cell):
        tell(i, f"{in_quotes(cell)} is no number" + ('; write "." for the decimal point' if "," in cell else ""))
        return np.nan
    found = float(cell)
    if not low <= found <= high:
        tell(i, f"{in_quotes(cell)} is out of range; it must be between {low:,g} and {high:,g}")
        return np.nan
    if whole and found % 1:
        tell(i, f"{in_quotes(cell)} is no whole number")
        return np.nan
    return found


IDENT = 200  # letters of an id, at most
MADE = 24  # letters of a handle made from an id, at most
BIG_FIVE = ("openness", "conscientiousness", "extraversion", "agreeableness", "neuroticism")
EACH_HOUR = tuple(f"h{hour}" for hour in range(loaded_tables.HOURS))
COLUMNS = (
    "id", "handle", "name", "bio", "age", "gender", "profession", "topics", "stance", "pleasure",
    *BIG_FIVE, "hours", *EACH_HOUR,
)  # fmt: skip
GENDERS = {"female": 0, "f": 0, "male": 1, "m": 1, "other": 2}
_NO_SLUG = re.compile(r"[^A-Za-z0-9_]+")


class UserTable(NamedTuple):
    """The contents of a table of users. names: packed as in `Population`. timed: it has columns for hours."""

    columns: LoadedUsers
    names: bytes
    timed: bool


def read_users(
    table: TableFile, vectors: Vectors, topics: Small, taken: Collection[str]
) -> tuple[dict[str, int], UserTable | None]:
    """(user numbers by id, the table's contents); None for the latter if it has faults, which are reported. topics:
    vectors of the nine topics. taken: handles in use.
    """
    reading = _Reading(table, vectors, topics, taken)
    users = reading.whole()
    return reading.numbers, users


class _Reading:
    def __init__(self, table: TableFile, vectors: Vectors, topics: Small, taken: Collection[str]) -> None:
        self._table, self._vectors, self._topics = table, vectors, topics
        self._told = table.told
        self.numbers: dict[str, int] = {}
        self._lines: list[int] = []
        self._handles = dict.fromkeys((x.casefold() for x in taken), 0)  # handle -> its line, 0 = of the cast
        self._parts: list[LoadedUsers] = []
        self._packer, self._packed, self._size = zlib.compressobj(LEVEL), [b""], 0
        self._encoder = msgspec.json.Encoder()
        self._words: dict[tuple[str, str], tuple[tuple[int, ...], str]] = {}

    def whole(self) -> UserTable | None:
        for batch in self._table.batches():
            if len(self._lines) + len(batch.lines) > loaded_tables.MOST_USERS:
                line = batch.lines[loaded_tables.MOST_USERS - len(self._lines)]
                self._table.fail("rows", line, f"is one user too many; the most are {loaded_tables.MOST_USERS:,}")
                break
            self._take(batch)
        hours = self._table.present & {*EACH_HOUR}
        if hours and len(hours) < loaded_tables.HOURS:
            lacking = next(name for name in EACH_HOUR if name not in hours)
            self._told.add("columns", 0, 0, f'the column "{lacking}" is missing; h0 to h23 go together')
        if hours and "hours" in self._table.present:
            self._told.add("columns", 0, 0, 'has both "hours" and "h0" to "h23"; keep one of them')
        if not self._lines and not self._told.count:
            self._told.add("empty", 0, 0, "holds no users; add rows")
        if self._told.count:
            return None
        joined = [np.concatenate(parts) for parts in zip(*self._parts, strict=True)]
        names = b"".join([*self._packed, self._packer.flush()])
        return UserTable(LoadedUsers(*joined), names, bool(hours) or "hours" in self._table.present)

    def _take(self, batch: Batch) -> None:
        first = len(self._lines)
        self._lines += batch.lines
        ids = self._ids(batch, first)
        names = self._names(batch, ids, first)
        bios = self._bios(batch)
        part = self._columns(batch, bios)
        if self._told.count:
            self._parts.clear()
            return  # the table is unusable; only look for more faults
        self._parts.append(part)
        lines = self._encoder.encode_lines([(*name, bio) for name, bio in zip(names, bios, strict=True)])
        self._size += len(lines)
        if self._size > MOST_BYTES:
            most = f"{MOST_BYTES >> 20} MB"
            self._table.fail("size", batch.lines[0], f"names and bios up to here take more than {most}; shorten some")
        self._packed.append(self._packer.compress(lines))

    # ---- what they are called

    def _ids(self, batch: Batch, first: int) -> list[str]:
        ids = [cell.strip() for cell in batch.get("id")]
        known, lines = self.numbers, batch.lines
        for i, ident in enumerate(ids):
            if not ident:
                self._table.fault("missing ids", lines[i], "id", "is empty; every user needs one")
            elif not is_printable(ident):
                self._table.fault("ids", lines[i], "id", f"{in_quotes(ident)} holds a control character; take it out")
            elif len(ident) > IDENT:
                self._table.fault("ids", lines[i], "id", f"is {len(ident):,} letters long; the most is {IDENT}")
            else:
                other = known.setdefault(ident, first + i)
                if other != first + i:
                    where = f"stands in {self._table.place(self._lines[other])}, too; keep one"
                    twice = "users that stand there twice"
                    self._table.fault(twice, lines[i], "id", f"{in_quotes(ident)} {where}", beside=True)
        return ids

    def _names(self, batch: Batch, ids: list[str], first: int) -> list[tuple[str, str]]:
        out = []
        taken = self._handles
        given, called = batch.get("handle"), batch.get("name")
        for i, ident in enumerate(ids):
            handle, name = given[i].strip(), called[i].strip()
            if handle:
                key = handle.casefold()
                if wrong := _odd(handle):
                    self._table.fault("handles", batch.lines[i], "handle", wrong)
                elif key in taken and self._table.lenient:
                    self._table.left["handles that were taken, and are others now"] += 1
                    handle = self._made(handle, first + i)
                elif key in taken:
                    by = self._table.place(taken[key])
                    by = f"by the user in {by}" if taken[key] else "by somebody of the cast"
                    wrong = f"{in_quotes(handle)} is taken {by}; choose another"
                    self._table.fault("handles that are taken", batch.lines[i], "handle", wrong, beside=True)
                taken[handle.casefold()] = batch.lines[i]
            else:
                handle = self._made(ident, first + i)
                taken[handle.casefold()] = batch.lines[i]
            if len(name) > loaded_tables.NAME:
                long = f"is {len(name):,} letters long; the most is {loaded_tables.NAME}"
                self._table.fault("names", batch.lines[i], "name", long)
            try:
                name = clean_name(name)
            except ValueError as wrong:
                self._table.fault("names", batch.lines[i], "name", f"{in_quotes(name)} {wrong}")
            out.append((handle, name or ident[: loaded_tables.NAME]))
        return out

    def _made(self, ident: str, number: int) -> str:
        """An unused handle made from an id."""
        slug = ident if ident.isidentifier() and ident.isascii() else _NO_SLUG.sub("_", ident).strip("_")
        slug = f"id_{slug}" if not slug or slug.isdecimal() else slug
        if len(slug) > MADE or slug.casefold() in self._handles:
            slug = f"{slug[: MADE - 8]}_{number}"
            while slug.casefold() in self._handles:
                slug += "_"
        return slug

    def _bios(self, batch: Batch) -> Sequence[str]:
        bios = batch.get("bio")
        for i, bio in enumerate(bios):
            if len(bio) > loaded_tables.BIO:
                long = f"is {len(bio):,} letters long; the most is {loaded_tables.BIO}"
                self._table.fault("bios", batch.lines[i], "bio", long)
        return bios

    # ---- what they are like

    def _columns(self, batch: Batch, bios: Sequence[str]) -> LoadedUsers:
        told, vector = self._rated(bios)
        topics = self._topics_of(batch)
        unsaid = topics[told, 0] == UNSAID
        own = np.flatnonzero(told)[unsaid]
        topics[own] = topics_of_vectors(vector[unsaid], self._topics)
        timed, hours = self._hours(batch)
        return LoadedUsers(
            self._numbered(batch, "age", 0, loaded_tables.OLD, 1, UNSAID, True).astype(np.uint8),
            self._genders(batch),
            np.stack([self._signed(batch, name) for name in BIG_FIVE], axis=1),
            np.array([_PROFESSION.get(cell.strip().lower(), UNSAID) for cell in batch.get("profession")], np.uint8),
            topics,
            self._numbered(batch, "stance", -1, 1, loaded_tables.THOUSAND, UNSAID_STANCE).astype(np.int16),
            self._signed(batch, "pleasure"),
            told,
            timed,
            vector,
            hours,
        )

    def _rated(self, bios: Sequence[str]) -> tuple[Flags, Small]:
        """(whose bio is about something, the vectors of those bios)."""
        told = np.array([*map(bool, bios)])
        if self._told.count or not told.any():
            return np.zeros(len(bios), bool), np.zeros((0, DIMENSIONS), np.int8)
        rows = project(self._vectors.embed([bio for bio in bios if bio]), self._vectors.name)
        some = rows.any(axis=1)
        told[np.flatnonzero(told)[~some]] = False
        return told, rows[some]

    def _numbered(
        self, batch: Batch, name: str, low: float, high: float, unit: int, unsaid: int, whole: bool = False
    ) -> NDArray[np.float64]:
        def tell(i: int, words: str) -> None:
            self._table.fault(name, batch.lines[i], name, words)

        found = parse_numbers(batch.get(name), low, high, tell, whole)
        return np.where(np.isnan(found), unsaid, np.rint(found * unit))

    def _signed(self, batch: Batch, name: str) -> Small:
        return self._numbered(batch, name, -1, 1, loaded_tables.HUNDRED, UNSAID_SMALL).astype(np.int8)

    def _genders(self, batch: Batch) -> Bytes:
        out = np.full(len(batch.lines), UNSAID, np.uint8)
        for i, cell in enumerate(batch.get("gender")):
            if cell and (word := cell.strip().lower()):
                out[i] = GENDERS.get(word, UNSAID)
                if word not in GENDERS:
                    near = unknown("gender", word, GENDERS) if self._told.room("gender") else ""
                    self._table.fault("gender", batch.lines[i], "gender", near)
        return out

    def _topics_of(self, batch: Batch) -> Bytes:
        out = np.full((len(batch.lines), 2), UNSAID, np.uint8)
        for i, cell in enumerate(batch.get("topics")):
            if not cell or not (cell := cell.strip()):
                continue
            words = [word.strip().lower() for word in cell.split(";", 3)]
            if len(words) != 2:
                two = f"{in_quotes(cell)} is not two topics; write them so: {TOPICS[0]};{TOPICS[7]}"
                self._table.fault("topics", batch.lines[i], "topics", two)
                continue
            for place, word in enumerate(words):
                if word in _TOPIC:
                    out[i, place] = _TOPIC[word]
                else:
                    near = unknown("topic", word, TOPICS) if self._told.room("topics") else ""
                    self._table.fault("topics", batch.lines[i], "topics", near)
        return out

    def _hours(self, batch: Batch) -> tuple[Flags, Bytes]:
        """(who gives their hours, the chances of using the phone in each, in 255ths)."""
        if "hours" in batch.columns:
            return self._listed(batch)
        given = [name for name in EACH_HOUR if name in batch.columns]
        count = len(batch.lines)
        if not given:
            return np.zeros(count, bool), np.zeros((0, loaded_tables.HOURS), np.uint8)
        table = np.stack([self._numbered(batch, name, 0, 1, 255, -1) for name in EACH_HOUR], axis=1)
        some = (table >= 0).sum(axis=1)
        for i in np.flatnonzero((some > 0) & (some < loaded_tables.HOURS)).tolist():
            empty = [name for name in EACH_HOUR if name in self._table.numbers and not batch.get(name)[i].strip()]
            if empty:
                self._table.fault("hours", batch.lines[i], empty[0], "is empty; fill in all 24 hours, or none")
        return some == loaded_tables.HOURS, table[some == loaded_tables.HOURS].astype(np.uint8)

    def _listed(self, batch: Batch) -> tuple[Flags, Bytes]:
        cells = batch.get("hours")
        timed = np.zeros(len(cells), bool)
        kept: list[str] = []
        rows: list[int] = []
        for i, cell in enumerate(cells):
            if cell and (cell := cell.strip()):
                if cell.count(";") != loaded_tables.HOURS - 1:
                    many = f"holds {cell.count(';') + 1} numbers; write 24 with semicolons between them"
                    self._table.fault("hours", batch.lines[i], "hours", many)
                    continue
                timed[i] = True
                kept.append(cell)
                rows.append(i)
        flat = ";".join(kept).split(";") if kept else []

        def tell(at: int, words: str) -> None:
            row = rows[at // loaded_tables.HOURS]
            if timed[row]:  # one fault a row is enough
                self._table.fault("hours", batch.lines[row], "hours", words)
            timed[row] = False

        found = parse_numbers(flat, 0, 1, tell)
        for at in np.flatnonzero(np.isnan(found)).tolist():
            if not flat[at].strip():
                tell(at, "one of them is empty; fill in all 24")
        table = np.rint(np.nan_to_num(found) * 255).astype(np.uint8)
        return timed, table.reshape(-1, loaded_tables.HOURS)


def _odd(handle: str) -> str:
    """What is wrong with a handle, "" if nothing."""
    if len(handle) > loaded_tables.HANDLE:
        return f"is {len(handle):,} letters long; the most is {loaded_tables.HANDLE}"
    blank = not is_printable(handle) or " " in handle
    return f"{in_quotes(handle)} holds a blank or a control character; take it out" if blank else ""


_PROFESSION = {word: i for i, word in enumerate(PROFESSIONS)}
_TOPIC = {word: i for i, word in enumerate(TOPICS)}


# ---- users as other tables name them


FEW = 1000  # users up to which a similar id is searched for


def _nobody(table: TableFile, kind: str, ident: str, users: Mapping[str, int]) -> str:
    """The error that no user has that id, with a similar one if that is quickly found."""
    few = users if len(users) <= FEW and table.told.room(kind) else ()
    return unknown("user", ident, few) + ("" if few else "; add the user to the table of users, or take this row out")


def users_of(table: TableFile, batch: Batch, column: str, users: Mapping[str, int]) -> list[int]:
    """The user numbers of a column of ids, -1 for an unknown id."""
    found = [users.get(cell, -1) for cell in batch.get(column)]
    if -1 in found:
        for i, cell in enumerate(batch.get(column)):
            if found[i] < 0 and (at := users.get(cell.strip(), -1)) >= 0:
                found[i] = at
            elif found[i] < 0 and table.unsure:
                continue
            elif found[i] < 0 and not cell.strip():
                table.fault(f"empty {column}", batch.lines[i], column, "is empty; write the id of a user")
            elif found[i] < 0:
                table.fault(
                    f"unknown {column}", batch.lines[i], column, _nobody(table, f"unknown {column}", cell, users)
                )
    return found
