"""Recording changes of a feed from some event on, so that a block of them can be made (`blocks.py`).

The crowd's acts are kept as they come; changing columns are copied at the start, and each account before its first
change. Nothing is recorded where no blocks are kept.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.blocks import (
    COUNTED,
    NEW,
    REACTIONS,
    SETS,
    AccountChanges,
    Changed,
    CountedColumns,
    FeedAdditions,
    FeedBlock,
    Follows,
    GroupChanges,
    NewAccount,
    RowCounts,
    count,
    encode,
    pack_column,
    pack_places,
)
from sandbox.feed.model import POST, REPOST, Account, Feed
from sandbox.feed.packing import REACTION, ActColumns, ActKind
from sandbox.feed.steering import in_progress
from sandbox.feed.tables import Bytes, Longs, ascending, pair_keys


class Noting:
    """The changes of a feed since event `seq`. `start_noting` creates it and registers it with the feed."""

    def __init__(self, feed: Feed, seq: int) -> None:
        self.seq = seq
        self._rows = RowCounts.of(feed)
        self._counted = {
            (table, name): getattr(getattr(feed, table), name)[: getattr(feed, table).n].copy()
            for table, name in COUNTED
        }
        self._gone = feed.posts.gone[: feed.posts.n].copy()
        self._messages = len(feed.messages)
        self._groups = [(len(g.messages), tuple(g.members)) for g in feed.groups]
        self._acts: list[ActColumns] = []
        self._follows = 0
        self._cuts: list[tuple[int, int, int]] = []
        self._accounts: dict[int, Account | None] = {}

    # ---- told by the feed

    def acted(self, user: Longs, act: Bytes, target: Longs) -> None:
        """Record what the crowd did in a tick."""
        self._acts.append(ActColumns(user, act, target))
        for at in np.flatnonzero(act == ActKind.UNFOLLOW).tolist():  # they come before the follows of their tick
            self.cut(user.item(at), target.item(at))
        self._follows += int((act == ActKind.FOLLOW).sum())

    def cut(self, user: int, other: int) -> None:
        """Record that a user of the crowd unfollowed another."""
        self._cuts.append((self._follows, user, other))

    def changes(self, number: int, account: Account | None) -> None:
        """Record that an account is about to change; None: it is about to be created."""
        if number in self._accounts:
            return
        self._accounts[number] = None if account is None else _copied(account)

    # ---- a block

    def block(self, feed: Feed, seq: int) -> bytes:
        """The changes so far as a block. seq: the last event that the feed has applied."""
        came, pairs, follows = self._came(feed)
        columns = [pack_column(c, kind) for c, kind in self._columns(feed)]
        kinds = feed.posts.kind[self._rows.cards : feed.posts.n]
        block = FeedBlock(
            self.seq, seq, feed.mark, feed.deeds, feed.heated, RowCounts.of(feed),
            columns,
            pack_column(feed.posts.via[self._rows.cards : feed.posts.n][kinds != POST], "<u4"),
            feed.vectors.row[self._rows.vectors : feed.vectors.n].tobytes(),
            pack_places(np.flatnonzero(feed.posts.gone[: feed.posts.n] & ~_long(self._gone, feed.posts.n))),
            self._changed(feed, came),
            pairs,
            follows,
            _latest(feed.texts, self._rows.cards),
            _latest(feed.comment_texts, self._rows.comments),
            feed.messages[self._messages :],
            self._meetings(feed),
            [d for number in sorted(self._accounts) if (d := self._doings(feed, number)) is not None],
            in_progress(feed),
            feed.claims,
        )  # fmt: skip
        return encode(block)

    def _columns(self, feed: Feed) -> list[tuple[NDArray[Any], str]]:
        cards, comments = slice(self._rows.cards, feed.posts.n), slice(self._rows.comments, feed.comments.n)
        own = np.arange(feed.posts.n)[cards][feed.posts.kind[cards] != REPOST]
        where = (("cards", feed.posts, cards), ("own", feed.posts, own), ("comments", feed.comments, comments))
        return [(getattr(table, name)[rows], kind) for key, table, rows in where for name, kind in NEW[key]]

    def _came(self, feed: Feed) -> tuple[FeedAdditions, list[Changed], Follows]:
        nothing = np.zeros(0, np.int64)
        user, act, target = (
            (np.concatenate(part) for part in zip(*self._acts, strict=True))
            if self._acts
            else (nothing, nothing.astype(np.uint8), nothing)
        )
        found: list[tuple[Longs, Longs]] = []
        for name in REACTIONS:
            which = act == REACTION[name]
            keys = ascending(pair_keys(target[which], user[which]))
            found.append(
                ((keys >> np.uint64(32)).astype(np.int64) - 1, (keys & np.uint64(0xFFFFFFFF)).astype(np.int64))
            )
        followed = act == ActKind.FOLLOW
        waiting = sum(len(batch) for batch, _ in feed.graph.waiting)
        follows = Follows(pack_column(user[followed], "<u4"), pack_column(target[followed], "<u4"), self._cuts, waiting)
        came = FeedAdditions((self._rows.cards, self._rows.comments), tuple(found), target[followed].astype(np.int64))
        return came, [Changed(pack_places(on), pack_column(who, "<u4")) for on, who in found], follows

    def _changed(self, feed: Feed, came: FeedAdditions) -> list[Changed]:
        rows = RowCounts.of(feed)
        expected = CountedColumns(
            {key: _long(held.astype(np.int64), _many(rows, key[0])) for key, held in self._counted.items()}
        )
        count(expected, feed, came)
        found = []
        for key, now in CountedColumns.copy_from(feed, rows).by.items():
            more = now - expected.by[key]
            where = np.flatnonzero(more)
            found.append(Changed(pack_places(where), pack_column(more[where], "<i4")))
        return found

    def _meetings(self, feed: Feed) -> list[GroupChanges]:
        found = []
        for group in feed.groups:
            known = group.number < len(self._groups)
            many, members = self._groups[group.number] if known else (0, ())
            now = tuple(group.members)
            if not known or many != len(group.messages) or members != now:
                found.append(GroupChanges(group.number, group.name, group.by, [*now], group.messages[many:]))
        return found

    def _doings(self, feed: Feed, number: int) -> AccountChanges | None:
        now, was = feed.accounts[number], self._accounts[number]
        joined = None
        if was is None:
            joined = NewAccount(now.handle, now.name, now.bio, now.t, now.interests.tobytes())
            was = Account(number, now.handle, now.name, now.bio, now.t, now.interests)
        sets = []
        for name in SETS:
            then: set[int] = getattr(was, name)
            held: set[int] = getattr(now, name)
            sets.append((sorted(held - then), sorted(then - held)))
        posts = now.posts[len(was.posts) :]
        direct = {other: new for other, all_ in now.direct.items() if (new := all_[len(was.direct.get(other, ())) :])}
        doings = AccountChanges(
            number, joined, sets, posts,
            [row.tobytes() for row in now.recent] if not _same_rows(now, was) else None,
            [*now.follows] if [*now.follows] != [*was.follows] else None,
            [*now.words] if [*now.words] != [*was.words] else None,
            now.groups if now.groups != was.groups else None,
            now.late if now.late != was.late else None,
            now.unread if now.unread != was.unread else None,
            direct,
        )  # fmt: skip
        same = doings == AccountChanges(
            number, None, [([], [])] * len(SETS), [], None, None, None, None, None, None, {}
        )
        return None if same else doings


def start_noting(feed: Feed, seq: int) -> None:
    """Record all changes of a feed after event `seq`."""
    feed.noting = Noting(feed, seq)


def next_block(feed: Feed, seq: int) -> tuple[int, bytes] | None:
    """The changes of a feed from the last block up to event `seq`, and the event at which the last block ended. None if
    nothing is recorded, or nothing has ever happened.
    """
    notes = feed.noting
    if not isinstance(notes, Noting) or not feed.begun:
        return None
    made = notes.seq, notes.block(feed, seq)
    start_noting(feed, seq)
    return made


def _many(rows: RowCounts, table: str) -> int:
    return {"users": rows.users, "posts": rows.cards, "comments": rows.comments}[table]


def _long(column: NDArray[Any], many: int) -> NDArray[Any]:
    long = np.zeros(many, column.dtype)
    long[: len(column)] = column
    return long


def _latest(texts: dict[int, str], first: int) -> dict[int, str]:
    """The texts of cards or comments from number `first` on, in order."""
    found = []
    for number in reversed(texts):
        if number < first:
            break
        found.append(number)
    return {number: texts[number] for number in sorted(found)}


def _same_rows(now: Account, was: Account) -> bool:
    return [row.tobytes() for row in now.recent] == [row.tobytes() for row in was.recent]


def _copied(a: Account) -> Account:
    copy = replace(
        a,
        recent=[*a.recent],
        posts=[*a.posts],
        follows={**a.follows},
        words={**a.words},
        groups={**a.groups},
        late={key: [*numbers] for key, numbers in a.late.items()},
        direct={key: [*numbers] for key, numbers in a.direct.items()},
        unread={key: [*numbers] for key, numbers in a.unread.items()},
    )
    for name in SETS:
        setattr(copy, name, {*getattr(a, name)})
    return copy
