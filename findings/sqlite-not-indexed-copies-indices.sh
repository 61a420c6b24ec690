#!/usr/bin/env bash
# SQLite 3.54.1 (apsw 3.54.1.0): `INSERT INTO a.t SELECT * FROM b.t NOT INDEXED` reads the indices of b.t.
#
# A good guess: NOT INDEXED keeps the indices out of it, so that a table whose index is damaged can be copied row by row.
# Seen: where the two tables have one schema and the condition is left out, the statement is not run row by row: tables and
# indices are copied whole, b-tree by b-tree, and the index of b.t is opened and read as well. With `WHERE true`, which
# leaves nothing out, only the table is. `EXPLAIN` shows both.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" --quiet --disable-pip-version-check install apsw==3.54.1.0
"$dir/venv/bin/python" - "$dir" <<'PY'
import sys

import apsw

print("SQLite", apsw.sqlite_lib_version())
db = apsw.Connection(f"{sys.argv[1]}/from.db")
db.execute("ATTACH ? AS new", (f"{sys.argv[1]}/to.db",))
for schema in ("main", "new"):
    db.execute(f"CREATE TABLE {schema}.t (id INTEGER PRIMARY KEY, word TEXT)")
    db.execute(f"CREATE INDEX {schema}.by_word ON t (word)")
db.execute("INSERT INTO main.t (word) VALUES ('a'), ('b')")
roots = {page: name for name, page in db.execute("SELECT name, rootpage FROM main.sqlite_master")}


def read(statement: str) -> list[str]:
    """Which b-trees of the first file a statement opens for reading."""
    program = db.execute(f"EXPLAIN {statement}").fetchall()
    return sorted({roots[p2] for _, op, _, p2, p3, *_ in program if op == "OpenRead" and p3 == 0 and p2 in roots})


plain = read("INSERT INTO new.t SELECT * FROM main.t NOT INDEXED")
where = read("INSERT INTO new.t SELECT * FROM main.t NOT INDEXED WHERE true")
print("without a condition it reads", plain)
print("with WHERE true it reads", where)
assert plain == ["by_word", "t"], "it has changed"
assert where == ["t"], "it has changed"
PY
