"""Reads a table of who follows whom, by ids of users."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import numpy as np

from sandbox.core.faults import unknown
from sandbox.engine.load_tables import Batch, TableFile
from sandbox.feed import loaded_tables
from sandbox.feed.tables import Ints, Longs

FOLLOWS = ("follower", "followed")
FEW = 1000  # users up to which a similar id is searched for


def _nobody(table: TableFile, kind: str, ident: str, users: Mapping[str, int]) -> str:
    """The error that no user has that id, with a similar one if that is quickly found."""
    few = users if len(users) <= FEW and table.told.room(kind) else ()
    return unknown("user", ident, few) + ("" if few else "; add the user to the table of users, or take this row out")


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
