"""Applying blocks to a feed (`blocks.py`), all at once. Numbers are checked before rows are added; whether follows and
words fit shows only while they are applied.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sandbox.feed.blocks import (
    COUNTED,
    NEW,
    REACTIONS,
    SETS,
    AccountChanges,
    CountedColumns,
    FeedAdditions,
    FeedBlock,
    RowCounts,
    check_row_numbers,
    count,
    unpack_column,
    unpack_places,
)
from sandbox.feed.graph import merge, remove_follows
from sandbox.feed.handlers import interest
from sandbox.feed.model import DIMENSIONS, NOBODY, POST, QUOTE, REPOST, Account, Feed, Group
from sandbox.feed.steering import unpack_steered
from sandbox.feed.tables import Longs, Pairs, link_previous


def take(feed: Feed, blocks: Sequence[FeedBlock], seq: int = 0) -> int:
    """Apply blocks to a feed that stands at event `seq`; returns the event at which it then stands.

    Raises ValueError for a block that does not follow on, or that no feed could have made; the feed is then unusable.
    """
    for block in blocks:
        if block.after != seq or block.seq <= seq:
            raise ValueError("it does not go on from the one before")
        seq = block.seq
    if not blocks:
        return seq
    last, before = blocks[-1], RowCounts.of(feed)
    rows = RowCounts(*last.rows)
    if any(now < then for now, then in zip(rows, before, strict=True)):
        raise ValueError("it has fewer rows than there were")
    new = _new(blocks)
    if tuple(now - then for now, then in zip(rows, before, strict=True)) != new.rows:
        raise ValueError("it has other rows than it says")
    changes = _changes(feed, blocks, rows)
    columns = CountedColumns.copy_from(feed, rows)
    _add_rows(feed, new)
    _take_graph(feed, blocks)
    count(columns, feed, FeedAdditions((before.cards, before.comments), changes.pairs, changes.followed))
    for key, (where, by) in zip(COUNTED, changes.counted, strict=True):
        np.add.at(columns.by[key], where, by)
        table, name = key
        held = getattr(feed, table)
        room = np.iinfo(getattr(held, name).dtype)
        if ((columns.by[key] < room.min) | (columns.by[key] > room.max)).any():
            raise ValueError("it counts more than a feed can")
        getattr(held, name)[: held.n] = columns.by[key]
    feed.posts.gone[changes.gone] = True
    for name, (on, who) in zip(REACTIONS, changes.pairs, strict=True):
        getattr(feed, name).lay(who, on)
    _take_words(feed, blocks)
    check_row_numbers(np.array([*last.claims], np.int64), feed.posts.n)
    feed.claims = {**last.claims}
    feed.steering = None
    if last.steered is not None:
        begun, looked = last.steered
        feed.steering = unpack_steered(feed, begun)
        if feed.steering is not None:
            feed.steering.looked.update(looked)
    feed.mark, feed.deeds, feed.heated = last.mark, last.deeds, last.heated
    return seq


class _Changes(NamedTuple):
    counted: list[tuple[Longs, Longs]]
    pairs: tuple[tuple[Longs, Longs], ...]
    followed: Longs
    gone: Longs


def _changes(feed: Feed, blocks: Sequence[FeedBlock], rows: RowCounts) -> _Changes:
    if any(len(b.changed) != len(COUNTED) or len(b.pairs) != len(REACTIONS) for b in blocks):
        raise ValueError("its columns are too few or too many")
    ends = {"users": rows.users, "posts": rows.cards, "comments": rows.comments}
    counted, pairs = [], []
    for i, (table, _) in enumerate(COUNTED):
        where, by = (
            unpack_places([b.changed[i].places for b in blocks]),
            unpack_column([b.changed[i].by for b in blocks], "<i4"),
        )
        check_row_numbers(where, ends[table])
        if len(where) != len(by):
            raise ValueError("its columns differ in length")
        counted.append((where, by.astype(np.int64)))
    for i, name in enumerate(REACTIONS):
        on, who = (
            unpack_places([b.pairs[i].places for b in blocks]),
            unpack_column([b.pairs[i].by for b in blocks], "<u4"),
        )
        check_row_numbers(on, rows.comments if name.startswith("comment") else rows.cards)
        check_row_numbers(who, feed.crowd)
        if len(on) != len(who):
            raise ValueError("its columns differ in length")
        pairs.append((on, who.astype(np.int64)))
    followed = unpack_column([b.follows.others for b in blocks], "<u4").astype(np.int64)
    check_row_numbers(followed, rows.users)
    gone = unpack_places([b.gone for b in blocks])
    check_row_numbers(gone, rows.cards)
    return _Changes(counted, tuple(pairs), followed, gone)


def _columns(blocks: Sequence[FeedBlock], table: str) -> dict[str, NDArray[Any]]:
    at = sum(len(NEW[name]) for name in [*NEW][: [*NEW].index(table)])
    found = {
        name: unpack_column([b.columns[at + i] for b in blocks], kind) for i, (name, kind) in enumerate(NEW[table])
    }
    if len({len(values) for values in found.values()}) > 1:
        raise ValueError("its columns differ in length")
    return found


class _New(NamedTuple):
    """New rows, by table. users: number that joined. via: of reposts and quotes. vectors: as bytes."""

    users: int
    cards: dict[str, NDArray[Any]]
    own: dict[str, NDArray[Any]]
    comments: dict[str, NDArray[Any]]
    via: Longs
    vectors: bytes

    @property
    def rows(self) -> RowCounts:
        """The number of new rows per table."""
        return RowCounts(
            self.users, len(self.cards["kind"]), len(self.comments["post"]), len(self.vectors) // DIMENSIONS
        )


def _new(blocks: Sequence[FeedBlock]) -> _New:
    if any(len(b.columns) != sum(map(len, NEW.values())) for b in blocks):
        raise ValueError("its columns are too few or too many")
    cards, own, comments = (_columns(blocks, table) for table in NEW)
    via = unpack_column([b.via for b in blocks], "<u4").astype(np.int64)
    vectors = b"".join(b.vectors for b in blocks)
    kind = cards["kind"]
    if len(own["topic"]) != (kind != REPOST).sum() or len(via) != (kind != POST).sum() or len(vectors) % DIMENSIONS:
        raise ValueError("its columns differ in length")
    joined = sum(d.joined is not None for b in blocks for d in b.accounts)
    return _New(joined, cards, own, comments, via, vectors)


def _add_rows(feed: Feed, new: _New) -> None:
    cards, own, comments, many = new.cards, new.own, new.comments, new.rows
    first = feed.users.add(many.users)
    feed.users.newest[first : feed.users.n] = NOBODY
    first = feed.vectors.add(many.vectors)
    feed.vectors.row[first : feed.vectors.n] = np.frombuffer(new.vectors, np.int8).reshape(-1, DIMENSIONS)
    check_row_numbers(cards["kind"], QUOTE + 1)
    check_row_numbers(np.append(cards["author"], comments["author"]), feed.users.n)
    check_row_numbers(own["topic"], len(feed.topics), -1)
    check_row_numbers(own["vector"], feed.vectors.n, -1)
    _add_cards(feed, cards, own, new.via)
    check_row_numbers(comments["post"], feed.posts.n)
    first = feed.comments.add(many.comments)
    for name, values in comments.items():
        getattr(feed.comments, name)[first : feed.comments.n] = values
    feed.comments.before[first : feed.comments.n] = link_previous(comments["post"], first, feed.posts.last)
    crowd = comments["author"] < feed.crowd
    feed.commented.lay(comments["author"][crowd], comments["post"][crowd])


def _add_cards(feed: Feed, cards: dict[str, NDArray[Any]], own: dict[str, NDArray[Any]], via: Longs) -> None:
    posts, kind = feed.posts, cards["kind"]
    first = posts.add(len(kind))
    new, numbers = slice(first, posts.n), np.arange(first, posts.n, dtype=np.int32)
    again, said = kind == REPOST, kind != REPOST
    for name, values in cards.items():
        getattr(posts, name)[new] = values
    if (via >= numbers[kind != POST]).any():
        raise ValueError("a card passes on one that came later")
    posts.via[new] = NOBODY
    posts.via[numbers[kind != POST]] = via
    root = np.where(again, posts.via[new], numbers)
    while (chain := (root >= first) & (posts.kind[root] == REPOST)).any():
        root[chain] = posts.via[root[chain]]
    old = root < first
    root[old] = posts.root[root[old]]
    posts.root[new] = root
    quoted = posts.root[posts.via[numbers[kind == QUOTE]]]
    posts.of[numbers[said]] = numbers[said]
    for number, on in zip(numbers[kind == QUOTE].tolist(), quoted.tolist(), strict=True):  # may quote another
        posts.of[number] = posts.of[on]
    posts.of[numbers[again]] = posts.of[root[again]]
    for name, values in own.items():
        getattr(posts, name)[numbers[said]] = values
    for name in ("topic", "stance"):
        getattr(posts, name)[numbers[again]] = getattr(posts, name)[root[again]]
    crowd = cards["author"] < feed.crowd
    posts.vector[numbers[again]] = np.where(crowd[again], NOBODY, posts.vector[root[again]])
    posts.last[new] = NOBODY
    posts.earlier[new] = link_previous(cards["author"], first, feed.users.newest)
    both = again & crowd
    feed.reposted.lay(cards["author"][both], root[both])
    at = feed.roots.add(int(said.sum()))
    feed.roots.card[at : feed.roots.n] = numbers[said]
    before = feed.roots.t[at - 1 : at]
    feed.roots.t[at : feed.roots.n] = np.maximum.accumulate(np.append(before, cards["t"][said]))[len(before) :]


def _take_graph(feed: Feed, blocks: Sequence[FeedBlock]) -> None:
    """Apply the follows, with the result of applying them one by one."""
    graph = feed.graph
    users = unpack_column([b.follows.users for b in blocks], "<u4").astype(np.int32)
    others = unpack_column([b.follows.others for b in blocks], "<u4").astype(np.int32)
    check_row_numbers(users, graph.users)
    if len(users) != len(others):
        raise ValueError("its columns differ in length")
    at = done = 0
    for block in blocks:
        for after, cuts in groupby(block.follows.cuts, lambda cut: cut[0]):
            upto, (_, who, whom) = at + after, np.array([*cuts]).T
            if not done <= upto <= len(users) or who.max() >= graph.users:
                raise ValueError("its follows are out of order")
            graph.waiting.append((users[done:upto], others[done:upto]))
            merge(graph)
            if remove_follows(graph, who, whom) != len(who):
                raise ValueError("somebody no longer follows whom they did not")
            done = upto
        at += len(block.follows.users) // 4
    graph.waiting.append((users[done:], others[done:]))
    late_users = np.concatenate([part for part, _ in graph.waiting])
    late_others = np.concatenate([part for _, part in graph.waiting])
    merged = len(late_users) - blocks[-1].follows.waiting
    if merged < 0:
        raise ValueError("more follows wait than there are")
    graph.waiting = [(late_users[:merged], late_others[:merged])]
    merge(graph)
    if late_users[merged:].size:
        graph.later = Pairs()
        graph.later.add(late_users[merged:], late_others[merged:])
        graph.waiting = [(late_users[merged:], late_others[merged:])]


# ---- words and accounts


def _take_words(feed: Feed, blocks: Sequence[FeedBlock]) -> None:
    for block in blocks:
        feed.texts |= block.texts
        feed.comment_texts |= block.comment_texts
        for message in block.messages:
            if message.number != len(feed.messages):
                raise ValueError("its messages are out of order")
            feed.messages.append(message)
        for m in block.groups:
            if m.number == len(feed.groups):
                feed.groups.append(Group(m.number, m.name, m.by))
            elif m.number > len(feed.groups):
                raise ValueError("its groups are out of order")
            group = feed.groups[m.number]
            group.members = dict.fromkeys(m.members)
            group.messages += m.messages
        for doings in block.accounts:
            _take_account(feed, doings)
    latest = {d.number: d.recent for b in blocks for d in b.accounts if d.recent is not None}
    for number, recent in latest.items():
        me = feed.accounts[number]
        me.recent = [np.frombuffer(row, np.int8) for row in recent]
        feed.users.vector[number] = interest([me.interests, *me.recent])


def _take_account(feed: Feed, d: AccountChanges) -> None:
    if (j := d.joined) is not None:
        row = np.frombuffer(j.interests, np.int8)
        if d.number in feed.accounts or j.handle.lower() in feed.handles or not feed.crowd <= d.number < feed.users.n:
            raise ValueError("an account comes twice")
        feed.accounts[d.number] = Account(d.number, j.handle, j.name, j.bio, j.t, row)
        feed.handles[j.handle.lower()] = d.number
        feed.users.vector[d.number] = interest([row])
    me = feed.accounts.get(d.number)
    if me is None or len(d.sets) != len(SETS):
        raise ValueError("an account is not there")
    for name, (came, went) in zip(SETS, d.sets, strict=True):
        if came or went:
            held: set[int] = getattr(me, name)
            held.difference_update(went)
            held.update(came)
    me.posts += d.posts
    if d.follows is not None:
        me.follows = dict.fromkeys(d.follows)
    if d.words is not None:
        me.words = dict.fromkeys(d.words)
    me.groups = me.groups if d.groups is None else d.groups
    me.late = me.late if d.late is None else d.late
    me.unread = me.unread if d.unread is None else d.unread
    for other, numbers in d.direct.items():
        me.direct.setdefault(other, []).extend(numbers)
