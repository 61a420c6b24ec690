"""Merging consecutive blocks of a feed into one (`blocks.py`) with the same meaning, applied in the time of one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

import numpy as np
from msgspec.structs import replace

from sandbox.feed.blocks import (
    COUNTED,
    NEW,
    REACTIONS,
    AccountChanges,
    Changed,
    FeedBlock,
    Follows,
    GroupChanges,
    pack_column,
    pack_places,
    unpack_column,
    unpack_places,
)
from sandbox.feed.tables import pair_keys

KINDS = [kind for columns in NEW.values() for _, kind in columns]
STANDING = ("recent", "follows", "words", "groups", "late", "unread")  # stored whole


def join_blocks(blocks: Sequence[FeedBlock]) -> FeedBlock:
    """Merge blocks, each beginning where the one before ends. Raises ValueError for blocks that no feed could make."""
    if any(later.after != block.seq for block, later in pairwise(blocks)):
        raise ValueError("they do not follow each other")
    if any(
        (len(b.columns), len(b.changed), len(b.pairs)) != (len(KINDS), len(COUNTED), len(REACTIONS)) for b in blocks
    ):
        raise ValueError("its columns are too few or too many")
    last = blocks[-1]
    return FeedBlock(
        blocks[0].after, last.seq, last.mark, last.deeds, last.heated, last.rows,
        [pack_column(unpack_column([b.columns[i] for b in blocks], kind), kind) for i, kind in enumerate(KINDS)],
        pack_column(unpack_column([b.via for b in blocks], "<u4"), "<u4"),
        b"".join(b.vectors for b in blocks),
        pack_places(np.sort(unpack_places([b.gone for b in blocks]))),
        [_summed([b.changed[i] for b in blocks]) for i in range(len(COUNTED))],
        [_in_order([b.pairs[i] for b in blocks]) for i in range(len(REACTIONS))],
        _followed([b.follows for b in blocks]),
        {number: text for b in blocks for number, text in b.texts.items()},
        {number: text for b in blocks for number, text in b.comment_texts.items()},
        [message for b in blocks for message in b.messages],
        _met([meeting for b in blocks for meeting in b.groups]),
        _done([doings for b in blocks for doings in b.accounts]),
    )  # fmt: skip


def _summed(parts: Sequence[Changed]) -> Changed:
    where, back = np.unique(unpack_places([p.places for p in parts]), return_inverse=True)
    by = np.zeros(len(where), np.int64)
    np.add.at(by, back, unpack_column([p.by for p in parts], "<i4").astype(np.int64))
    if (by != by.astype(np.int32)).any():
        raise ValueError("it counts more than a feed can")
    return Changed(pack_places(where[by != 0]), pack_column(by[by != 0], "<i4"))


def _in_order(parts: Sequence[Changed]) -> Changed:
    on, who = unpack_places([p.places for p in parts]), unpack_column([p.by for p in parts], "<u4")
    order = np.argsort(pair_keys(on, who), kind="stable")
    return Changed(pack_places(on[order]), pack_column(who[order], "<u4"))


def _followed(parts: Sequence[Follows]) -> Follows:
    begins = accumulate((len(p.users) // 4 for p in parts), initial=0)
    cuts = [(at + after, user, other) for at, p in zip(begins, parts, strict=False) for after, user, other in p.cuts]
    users = pack_column(unpack_column([p.users for p in parts], "<u4"), "<u4")
    others = pack_column(unpack_column([p.others for p in parts], "<u4"), "<u4")
    return Follows(users, others, cuts, parts[-1].waiting)


def _met(meetings: Sequence[GroupChanges]) -> list[GroupChanges]:
    found: dict[int, GroupChanges] = {}
    for m in meetings:
        then = found.get(m.number)
        found[m.number] = GroupChanges(
            m.number, m.name, m.by, m.members, [*then.messages, *m.messages] if then else m.messages
        )
    return [found[number] for number in sorted(found)]


def _done(doings: Sequence[AccountChanges]) -> list[AccountChanges]:
    found: dict[int, AccountChanges] = {}
    for d in doings:
        then = found.get(d.number)
        found[d.number] = d if then is None else _then(then, d)
    return [found[number] for number in sorted(found)]


def _then(a: AccountChanges, b: AccountChanges) -> AccountChanges:
    """The changes of an account after both."""
    if b.joined is not None or len(a.sets) != len(b.sets):
        raise ValueError("an account comes twice")
    sets = []
    for (came, went), (came_later, went_later) in zip(a.sets, b.sets, strict=True):
        gone = {*went, *went_later} - {*came_later}
        sets.append((sorted({*came} - {*went_later} | {*came_later}), sorted(gone)))
    direct = {other: [*a.direct.get(other, ()), *b.direct.get(other, ())] for other in {**a.direct, **b.direct}}
    later = {name: now for name in STANDING if (now := getattr(b, name)) is not None}
    return replace(a, sets=sets, posts=[*a.posts, *b.posts], direct=direct, **later)
