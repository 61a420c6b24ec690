"""Reads `population` of a world: the tables its crowd is loaded from (docs/modding.md, A crowd of your own)."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from sandbox.core.clock import DAY
from sandbox.core.faults import Fault, Faults, in_quotes, path_text
from sandbox.core.textfiles import MappingReader
from sandbox.core.vectors import Vectors
from sandbox.engine.load_posts import NEEDED, POSTS, epoch_of, posting_hours, read_posts
from sandbox.engine.load_tables import MOST_LEFT, FileFaults, TableFile
from sandbox.engine.load_users import COLUMNS, UserTable, read_users, users_of
from sandbox.feed import loaded_tables
from sandbox.feed.loaded_tables import LoadedCards, Population, left_out_words, pack_cards, pack_columns, pack_follows
from sandbox.feed.tables import Ints, Longs, Small

KEYS = ("users", "follows", "posts")
FOLLOWS = ("follower", "followed")


T = TypeVar("T")


class PopulationOptions(NamedTuple):
    """What the result depends on beside the tables. start: of the world. topics: vectors of the nine topics. taken:
    handles in use. lenient: leave faulty rows out.
    """

    start: datetime
    vectors: Vectors
    topics: Small
    taken: tuple[str, ...]
    lenient: bool = False


class Tables:
    """Cache of a world's tables, so that reading the world again is cheap."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], tuple[Population | None, list[Fault]]] = {}

    def read(self, r: MappingReader, folder: Path, asked: PopulationOptions, faults: Faults) -> Population | None:
        """The users that `population` of world.yaml names; None if there are faults. folder: of the world."""
        paths = _paths(r, folder, faults)
        if "users" not in paths:
            return None
        key = (*paths.items(), asked.start, *asked.taken)
        if key not in self._known:
            own = Faults()
            self._known[key] = _read(paths, asked, own), list(own)
        found, told = self._known[key]
        for fault in told:
            faults.add(*fault)
        return found


def _paths(reader: MappingReader, folder: Path, faults: Faults) -> dict[str, Path]:
    """The paths of the tables, which must be inside the world's folder."""
    out: dict[str, Path] = {}
    section = reader.section("population")
    for key in KEYS:
        value = section.get(key, "users.csv" if key == "users" else "")
        text = None if value is None else value.text(exact=True)
        if value is None or text is None:
            continue
        try:
            whole = (folder / text).resolve()
            inside = whole.is_relative_to(folder.resolve())
        except (OSError, RuntimeError, ValueError):  # a link to itself, or an invalid name
            inside = False
        if inside:
            out[key] = folder / text
        else:
            value.fault(f"{in_quotes(text)} leads out of the world's folder; put the table into it")
    section.rest()
    return out


def _settled(
    path: Path, known: tuple[str, ...], needed: frozenset[str], lenient: bool, read: Callable[[TableFile], T]
) -> tuple[TableFile, T, Counter[str]]:
    """(a table, what was read from it, number of rows left out by kind of fault).

    If lenient, read again without the faulty rows until none is left: first without rows faulty by themselves, so that
    of two rows in conflict the good one stays.
    """
    without: dict[int, str] = {}
    while True:
        table = TableFile(path, known, needed, lenient, without)
        found = read(table)
        odd = {line: kind for line, kind in table.rows.items() if line not in table.beside} or table.rows
        if not lenient or not odd or len(without) + len(odd) > MOST_LEFT:
            return table, found, Counter(without.values()) + table.left
        without |= odd


def _read(paths: Mapping[str, Path], asked: PopulationOptions, faults: Faults) -> Population | None:
    left: dict[str, dict[str, int]] = {}

    def table(
        key: str, known: tuple[str, ...], needed: frozenset[str], read: Callable[[TableFile], T]
    ) -> tuple[TableFile, T]:
        one, found, without = _settled(paths[key], known, needed, asked.lenient, read)
        one.told.close(faults)
        if without:
            left[key] = dict(sorted(without.items()))
            faults.add(path_text(paths[key]), 0, 0, left_out_words(left[key]), "warning")
        return one, found

    def users_of(one: TableFile) -> tuple[dict[str, int], UserTable | None]:
        return read_users(one, asked.vectors, asked.topics, asked.taken)

    one, (numbers, users) = table("users", COLUMNS, frozenset({"id"}), users_of)
    lost = one.lost and not asked.lenient

    def follows_of(one: TableFile) -> Any:
        one.unsure = lost
        return read_follows(one, numbers)

    def posts_of(one: TableFile) -> LoadedCards | None:
        one.unsure = lost
        return read_posts(one, numbers, asked.start, asked.vectors, asked.topics)

    follows: bytes | None = b""
    cards: LoadedCards | None = None
    if "follows" in paths and numbers:
        _, found = table("follows", FOLLOWS, frozenset(FOLLOWS), follows_of)
        follows = None if found is None else pack_follows(*found)
    if "posts" in paths and numbers:
        _, cards = table("posts", POSTS, NEEDED, posts_of)
    if users is None or follows is None or faults.errors:
        return None
    return _packed(paths["users"], len(numbers), users, follows, cards, asked.start, left, faults)


def _packed(
    path: Path,
    count: int,
    users: UserTable,
    follows: bytes,
    cards: LoadedCards | None,
    start: datetime,
    left: dict[str, dict[str, int]],
    faults: Faults,
) -> Population | None:
    columns = users.columns
    if cards is not None and len(cards.t) and not users.timed:
        timed, hours = posting_hours(cards, count, epoch_of(start) % DAY)
        columns = columns._replace(timed=timed, hours=hours)
    posts = b"" if cards is None else pack_cards(cards)
    found = Population(count, pack_columns(columns), users.names, follows, posts, left)
    size = sum(map(len, (found.columns, found.names, found.follows, found.posts)))
    if size > loaded_tables.MOST_PACKED:
        told = FileFaults(path)
        most = f"{loaded_tables.MOST_PACKED >> 20} MB"
        told.add(
            "size", 0, 0, f"takes {size >> 20} MB in a save with the other tables; the most is {most}; shorten bios"
        )
        told.close(faults)
        return None
    return found


# ---- who follows whom


def read_follows(table: TableFile, users: Mapping[str, int]) -> tuple[Longs, Ints] | None:
    """(how many each user follows, whom) with users in order and follows in row order; None if there are faults."""
    followers, followed, lines = array("i"), array("i"), array("q")
    for batch in table.batches():
        if len(lines) + len(batch.lines) > loaded_tables.MOST_FOLLOWS:
            table.fail("rows", batch.lines[0], f"has more than {loaded_tables.MOST_FOLLOWS:,} rows; leave some out")
            break
        for column, into in zip(FOLLOWS, (followers, followed), strict=True):
            into.extend(users_of(table, batch, column, users))
        lines.extend(batch.lines)
    a, b = np.array(followers, np.int64), np.array(followed, np.int64)
    fine = (a >= 0) & (b >= 0)
    for at in np.flatnonzero((a == b) & fine).tolist():
        words = "is the follower, too; take the row out: nobody follows themselves"
        table.fault("self-follows", lines[at], "followed", words)
    keys = np.where(fine, (a << 32) | b, -1)
    order = np.argsort(keys, kind="stable")
    twice = order[1:][(keys[order][1:] == keys[order][:-1]) & fine[order][1:]]
    for at in np.sort(twice).tolist():
        words = "this follow stands above; keep one row"
        table.fault("follows that stand there twice", lines[at], "followed", words, beside=True)
    if table.told.count:
        return None
    a, b = a[fine], b[fine]  # users whose own row was faulty are reported there
    order = np.argsort(a, kind="stable")
    return np.bincount(a, minlength=len(users)), b[order].astype(np.int32)
