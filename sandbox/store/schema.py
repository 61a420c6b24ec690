"""The tables of a save, and how older files are migrated.

`MIGRATIONS` is the whole history, in order; a file's `user_version` is how many of them it has had. A change of a
table, a view or the format of a snapshot is a new row at the end, so that an older program refuses the file instead of
skipping what it cannot read. Snapshots, memories and feeds are caches: any migration empties them. Nothing
in the log is ever rewritten: old events are read through upcasters.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from sandbox.core.events import EventRow
from sandbox.store.views_feed import VIEWS, VIEWS_FEED

APPLICATION_ID = 0x53414E44  # "SAND"
MAX_VALUE = 256 << 20  # bytes in one value of a row: a founding event is about a megabyte, with loaded users more


class Migration(NamedTuple):
    """A change of the format. why: what has changed; tables: SQL that makes what is new among the tables; "" where only
    views changed, or what caches hold.
    """

    why: str
    tables: tuple[str, ...] = ()


LOG = (
    "CREATE TABLE events (seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, t INTEGER NOT NULL, kind TEXT NOT NULL,"
    " v INTEGER NOT NULL, actor TEXT NOT NULL, causes TEXT NOT NULL, data TEXT NOT NULL)",
    "CREATE INDEX events_by_kind ON events (kind, seq)",
    "CREATE TABLE steps (step INTEGER PRIMARY KEY, t INTEGER NOT NULL, last_seq INTEGER NOT NULL,"
    " digest BLOB NOT NULL)",
    "CREATE TABLE snapshots (step INTEGER PRIMARY KEY REFERENCES steps (step), seq INTEGER NOT NULL,"
    " format INTEGER NOT NULL, size INTEGER NOT NULL, digest BLOB NOT NULL, data BLOB NOT NULL)",
    "CREATE TABLE bookmarks (step INTEGER PRIMARY KEY REFERENCES steps (step), note TEXT NOT NULL)",
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)
CALLS = (
    "CREATE TABLE calls (step INTEGER NOT NULL, wave INTEGER NOT NULL, who TEXT NOT NULL, question TEXT NOT NULL,"
    " n INTEGER NOT NULL, attempt INTEGER NOT NULL, day INTEGER NOT NULL, model TEXT NOT NULL,"
    " request TEXT NOT NULL, answer TEXT NOT NULL, fault TEXT NOT NULL, tokens_in INTEGER NOT NULL,"
    " tokens_out INTEGER NOT NULL, cost REAL NOT NULL, seconds REAL NOT NULL,"
    " PRIMARY KEY (step, wave, who, question, n, attempt)) WITHOUT ROWID",
    "CREATE TABLE interviews (id INTEGER PRIMARY KEY, step INTEGER NOT NULL REFERENCES steps (step),"
    " t INTEGER NOT NULL, who TEXT NOT NULL, ask TEXT NOT NULL, answer TEXT NOT NULL, model TEXT NOT NULL,"
    " memories TEXT NOT NULL)",
)
FOUNDING = (
    "CREATE TABLE founding (seq INTEGER PRIMARY KEY, start TEXT, crowd INTEGER, accounts TEXT NOT NULL,"
    " people TEXT NOT NULL)"
)
_SHOWN = ", ".join(f"'{name}', json_extract(value, '$.{name}')" for name in ("id", "name", "job", "likes"))
_FOUND = ", ".join(f"'$.scenario.{name}'" for name in ("start", "parameters", "feed.people", "cast"))
WHAT_VIEWS_READ = (  # the row of `founding`, from the data of event 1, which are parsed once
    "SELECT 1 AS seq, json_extract(found, '$[0]') AS start,"
    " coalesce(json_extract(found, '$[1].\"feed.crowd\"'), 0) AS crowd,"
    " (SELECT json_group_array(key) FROM json_each(found, '$[2]') WHERE key IS NOT NULL) AS accounts,"
    f" (SELECT json_group_array(json_object({_SHOWN})) FROM json_each(found, '$[3]') WHERE key IS NOT NULL) AS people"
    f" FROM (SELECT json_extract(data, {_FOUND}) AS found FROM {{}} LIMIT 1)"
)
VECTORS = "CREATE TABLE vectors (maker TEXT NOT NULL, key BLOB NOT NULL, row BLOB NOT NULL, PRIMARY KEY (maker, key))"


def _blocks(table: str) -> str:
    """SQL for a table of blocks (`caches.BlockRow`)."""
    return (
        f"CREATE TABLE {table} (step INTEGER PRIMARY KEY REFERENCES steps (step), seq INTEGER NOT NULL,"
        " after INTEGER NOT NULL, format INTEGER NOT NULL, size INTEGER NOT NULL, digest BLOB NOT NULL,"
        " data BLOB NOT NULL)"
    )


MIGRATIONS: list[Migration] = [
    Migration("the events, a row for every step with the digest so far, snapshots, and tables outside the digest", LOG),
    Migration("snapshots hold pressures, and a view lists them"),
    Migration("snapshots hold purses, beliefs and another seed, and a view lists money"),
    Migration("requests to language models with their answers, and interviews: outside the digest", CALLS),
    Migration("what people remember, in blocks: a cache; the checksum covers packed bytes", (_blocks("memories"),)),
    Migration("causes have sorts, memories have forms"),
    Migration("memories hold the impressions that talks leave"),
    Migration("a talk replaces half of an impression, and words ring for a shorter time"),
    Migration("snapshots hold what a pressure asks, and which claims between two are over"),
    Migration("vectors of texts, by their maker and a hash of the text: a cache", (VECTORS,)),
    Migration("a view lists a town's people among the users of a feed"),
    Migration("snapshots hold which talks have no words and what two have spoken of, and keep longer what was said"),
    Migration("the state of a feed, in blocks: a cache; the packed form of all caches changes", (_blocks("feeds"),)),
    Migration("memories are packed a person at a time: older ones are in one piece"),
    Migration("snapshots check more of the feed that blocks rebuild: older ones would be skipped"),
    Migration("snapshots hold how each visitor with a matter was received, and since when the hour of it stands"),
    Migration("whoever believes a lie holds no grudge for it: older states follow the old rule"),
    Migration("a feed's proof does not depend on the batches follows came in: older ones may"),
    Migration(
        "event 1 and the acts of a crowd are packed, views read a row about event 1, and there is no index by kind",
        (
            "DROP INDEX events_by_kind",
            FOUNDING,
            "INSERT INTO founding "
            + WHAT_VIEWS_READ.format("events WHERE seq = 1 AND typeof(data) = 'text' AND json_valid(data)"),
        ),
    ),
]


# ---- events as they lie in the file: their data are JSON text, or, of the kinds in PACKED, that text packed by zlib


# No view reads them: the first is most of a young save, the others are binary.
PACKED = frozenset({"founded", "crowd_acted", "steered"})
LEVEL = 6  # of zlib's compression
NO_MEMORY = "Error -4 "  # how zlib's error begins when memory is short
INSERT_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_FOUNDING = "INSERT INTO founding " + WHAT_VIEWS_READ.format("(SELECT ? AS data)")
INSERT_STEP = "INSERT INTO steps VALUES (?, ?, ?, ?)"


def to_stored(row: EventRow) -> tuple[Any, ...]:
    """The columns of an event as they are inserted (INSERT_EVENT)."""
    return (*row[:7], zlib.compress(row.data.encode(), LEVEL)) if row.kind in PACKED else row


def from_stored(rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Events as read from the file, with their data as text. Those of one call have MAX_VALUE bytes at most; data that
    would have more, or are no packed text, stay as they are, which no event can be read from.
    """
    left, found = MAX_VALUE, list[Any]()
    for row in rows:
        if row[3] in PACKED and type(row[7]) is bytes:
            unpacker = zlib.decompressobj()
            try:
                text = unpacker.decompress(row[7], left + 1)  # 0 would be no limit
                if unpacker.eof and not unpacker.unused_data and len(text) <= left:
                    row, left = (*row[:7], text.decode()), left - len(text)
            except (zlib.error, ValueError) as error:
                if str(error).startswith(NO_MEMORY):
                    raise MemoryError from error
        found.append(row)
    return found


def install(db: sqlite3.Connection, upto: int | None = None) -> None:
    """Migrate a database to a version (default: the newest), in a transaction of its own."""
    db.execute("BEGIN IMMEDIATE")
    try:
        run_migrations(db, upto)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:  # SQLite may have ended it; the first error must be the one raised
            db.execute("ROLLBACK")
        raise


def run_migrations(db: sqlite3.Connection, upto: int | None = None) -> None:
    """Migrate a database to a version (default: the newest), within the caller's transaction."""
    target = len(MIGRATIONS) if upto is None else upto
    done: int = db.execute("PRAGMA user_version").fetchone()[0]
    if done >= target:
        return
    for sql in (sql for step in MIGRATIONS[done:target] for sql in step.tables):
        db.execute(sql)
    kept = db.execute("SELECT name FROM sqlite_master WHERE name IN ('snapshots', 'memories', 'feeds')").fetchall()
    for (table,) in kept:  # caches, which hold what an older program thought right
        db.execute(f"DELETE FROM {table}")
    _make_views(db)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {target}")


def _make_views(db: sqlite3.Connection) -> None:
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'view'").fetchall():
        quoted = name.replace('"', '""')
        db.execute(f'DROP VIEW "{quoted}"')
    for name, query in (VIEWS | VIEWS_FEED).items():
        db.execute(f"CREATE VIEW {name} AS {query}")


class SchemaRow(NamedTuple):
    """A row of a file's schema. kind: "table", "index" ...; text: its definition with single spaces, "" for an index
    that SQLite made by itself. A foreign file may have any text in each, and several rows of one name.
    """

    kind: str
    name: str
    text: str

    @property
    def title(self) -> str:
        return f"{self.kind} {self.name}"

    @property
    def is_view(self) -> bool:
        return self.kind == "view" and self.text.startswith("CREATE VIEW ")


# What SQLite adds to a file when some tool runs ANALYZE on it.
_MADE_BY_SQLITE = {
    SchemaRow("table", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    SchemaRow("table", "sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
    SchemaRow("table", "sqlite_sequence", "CREATE TABLE sqlite_sequence(name,seq)"),
}


def schema_rows(db: sqlite3.Connection, called: str = "main") -> list[SchemaRow]:
    """All rows of a file's schema but SQLite's own tables, in order.

    called: which of the files of a connection.
    """
    rows = db.execute(f"SELECT type, name, sql FROM {called}.sqlite_master")
    parts = (SchemaRow(str(kind), str(name), " ".join(str(text or "").split())) for kind, name, text in rows)
    return sorted(part for part in parts if part not in _MADE_BY_SQLITE)


@cache
def expected_rows(version: int, count: int) -> list[SchemaRow]:
    """The schema that a save of that version has. count: of known migrations (part of the cache's key)."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        install(db, version)
        return schema_rows(db)
    finally:
        db.close()
