"""The tables of a save, and how older files are migrated.

`MIGRATIONS` is the whole history, in order; a file's `user_version` is how many of them it has had. A change of a
table, a view or the format of a snapshot is a new function at the end, so that an older program refuses the file
instead of skipping what it cannot read. Snapshots, memories and feeds are caches: any migration empties them. Nothing
in the log is ever rewritten: old events are read through upcasters.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from sandbox.store.views_feed import VIEWS, VIEWS_FEED

APPLICATION_ID = 0x53414E44  # "SAND"
MAX_VALUE = 256 << 20  # bytes in one value of a row: a founding event is about a megabyte, with loaded users more

Migration = Callable[[sqlite3.Connection], None]
MIGRATIONS: list[Migration] = []


def migration(function: Migration) -> Migration:
    """Add a migration to the history."""
    MIGRATIONS.append(function)
    return function


@migration
def log(db: sqlite3.Connection) -> None:
    """The events, a row for every step with the digest so far, snapshots, and tables outside the digest."""
    db.execute(
        "CREATE TABLE events (seq INTEGER PRIMARY KEY, step INTEGER NOT NULL, t INTEGER NOT NULL, kind TEXT NOT NULL,"
        " v INTEGER NOT NULL, actor TEXT NOT NULL, causes TEXT NOT NULL, data TEXT NOT NULL)"
    )
    db.execute("CREATE INDEX events_by_kind ON events (kind, seq)")
    db.execute(
        "CREATE TABLE steps (step INTEGER PRIMARY KEY, t INTEGER NOT NULL, last_seq INTEGER NOT NULL,"
        " digest BLOB NOT NULL)"
    )
    db.execute(
        "CREATE TABLE snapshots (step INTEGER PRIMARY KEY REFERENCES steps (step), seq INTEGER NOT NULL,"
        " format INTEGER NOT NULL, size INTEGER NOT NULL, digest BLOB NOT NULL, data BLOB NOT NULL)"
    )
    db.execute("CREATE TABLE bookmarks (step INTEGER PRIMARY KEY REFERENCES steps (step), note TEXT NOT NULL)")
    db.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID")


@migration
def pressures(db: sqlite3.Connection) -> None:
    """Snapshots hold pressures, and a view lists them: no table changes."""


@migration
def beliefs(db: sqlite3.Connection) -> None:
    """Snapshots hold purses, beliefs and another seed, and a view lists money: no table changes."""


@migration
def calls(db: sqlite3.Connection) -> None:
    """Requests to language models with their answers, and interviews: beside the log, outside the digest."""
    db.execute(
        "CREATE TABLE calls (step INTEGER NOT NULL, wave INTEGER NOT NULL, who TEXT NOT NULL, question TEXT NOT NULL,"
        " n INTEGER NOT NULL, attempt INTEGER NOT NULL, day INTEGER NOT NULL, model TEXT NOT NULL,"
        " request TEXT NOT NULL, answer TEXT NOT NULL, fault TEXT NOT NULL, tokens_in INTEGER NOT NULL,"
        " tokens_out INTEGER NOT NULL, cost REAL NOT NULL, seconds REAL NOT NULL,"
        " PRIMARY KEY (step, wave, who, question, n, attempt)) WITHOUT ROWID"
    )
    db.execute(
        "CREATE TABLE interviews (id INTEGER PRIMARY KEY, step INTEGER NOT NULL REFERENCES steps (step),"
        " t INTEGER NOT NULL, who TEXT NOT NULL, ask TEXT NOT NULL, answer TEXT NOT NULL, model TEXT NOT NULL,"
        " memories TEXT NOT NULL)"
    )


@migration
def memories(db: sqlite3.Connection) -> None:
    """What people remember, in blocks: a cache beside the log, like snapshots; the checksum covers packed bytes."""
    db.execute(
        "CREATE TABLE memories (step INTEGER PRIMARY KEY REFERENCES steps (step), seq INTEGER NOT NULL,"
        " after INTEGER NOT NULL, format INTEGER NOT NULL, size INTEGER NOT NULL, digest BLOB NOT NULL,"
        " data BLOB NOT NULL)"
    )


WITH_MEMORIES = len(MIGRATIONS)


@migration
def sorts(db: sqlite3.Connection) -> None:
    """Causes have sorts, memories have forms: no table changes, but older caches lack them, and are dropped."""


@migration
def impressions(db: sqlite3.Connection) -> None:
    """Memories hold the impressions that talks leave: older caches lack them, and are dropped."""


@migration
def halved_impressions(db: sqlite3.Connection) -> None:
    """A talk replaces half of an impression, and words ring for a shorter time: older caches are dropped."""


@migration
def pressure_asks(db: sqlite3.Connection) -> None:
    """Snapshots hold what a pressure asks, and which claims between two are over: older caches lack both."""


@migration
def vectors(db: sqlite3.Connection) -> None:
    """Vectors of texts, by their maker and a hash of the text: a cache beside the log, outside the digest."""
    db.execute(
        "CREATE TABLE vectors (maker TEXT NOT NULL, key BLOB NOT NULL, row BLOB NOT NULL, PRIMARY KEY (maker, key))"
    )


@migration
def residents(db: sqlite3.Connection) -> None:
    """A view lists a town's people among the users of a feed: no table changes."""


@migration
def wordless_talks(db: sqlite3.Connection) -> None:
    """Snapshots hold which talks have no words and what two have spoken of, and keep longer what was said: older caches
    lack all that.
    """


@migration
def feeds(db: sqlite3.Connection) -> None:
    """The state of a feed, in blocks: a cache beside the log, like memories. The packed form of all three changes."""
    db.execute(
        "CREATE TABLE feeds (step INTEGER PRIMARY KEY REFERENCES steps (step), seq INTEGER NOT NULL,"
        " after INTEGER NOT NULL, format INTEGER NOT NULL, size INTEGER NOT NULL, digest BLOB NOT NULL,"
        " data BLOB NOT NULL)"
    )


WITH_FEEDS = len(MIGRATIONS)


@migration
def memory_pieces(db: sqlite3.Connection) -> None:
    """Memories are packed a person at a time: older caches are in one piece, and are dropped."""


@migration
def proofs(db: sqlite3.Connection) -> None:
    """Snapshots check more of the feed that blocks rebuild: older ones would be skipped, and are dropped."""


@migration
def visit_receptions(db: sqlite3.Connection) -> None:
    """Snapshots hold how each visitor with a matter was received, and since when the hour of it stands: older caches
    lack both.
    """


@migration
def believed_lies(db: sqlite3.Connection) -> None:
    """Whoever believes a lie holds no grudge for it: older states follow the old rule, and are dropped."""


@migration
def batches(db: sqlite3.Connection) -> None:
    """A feed's proof does not depend on the batches follows came in: older ones may, and are dropped."""


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
    for step in MIGRATIONS[done:target]:
        step(db)
    db.execute("DELETE FROM snapshots")
    if target >= WITH_MEMORIES:
        db.execute("DELETE FROM memories")
    if target >= WITH_FEEDS:
        db.execute("DELETE FROM feeds")
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
