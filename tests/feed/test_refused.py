"""What cannot have been is refused by name, before anything changes; what only looks like it is taken."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np
import pytest
from crowds import (
    CALLED,
    LIVELY,
    ON_ROOTS,
    ONCE,
    SAID,
    Done,
    Site,
    columns_of,
    done_before,
    edges,
    possible,
    root_of,
    sort_of,
)
from hypothesis import example, given
from hypothesis import strategies as st
from platforms import dump

from sandbox.core.events import Stamp
from sandbox.feed.model import REPOST
from sandbox.feed.packing import DOUBT, ActKind, CrowdActed, apply_crowd_acts, pack_acts, unpack_acts
from sandbox.feed.unpacking import NAMES

CROWD = 60  # four bits of the last byte are nobody's
NOW = Stamp(999, 9, 9000, "", ())
TWICE, AGAIN = "twice, or out of order", "done before, or is on oneself"
ON_REPOST, NOBODY_MOVED = "on a card that passes on another", "moved of somebody who is not there"


def site() -> Site:
    made = Site(CROWD, crowd=LIVELY | {"comments": 2}).live(8)
    made.create_post(made.sign_up("ada", "Ada"), "Bread")
    return made


SITE = site()
FEED = SITE.feed
DID = SITE.did()
FOUNDED = edges(FEED) - {(user, other) for user, act, other in DID if act == ActKind.FOLLOW}
CARD = next(card for card in np.flatnonzero(FEED.posts.kind[: FEED.posts.n] == REPOST).tolist())
ROOT = int(FEED.posts.root[CARD])
INSIDE = range(1, CROWD - 1)  # of whom the tests of refusals are: others act before and after them
MANY: dict[int, int] = {
    ActKind.FOLLOW: FEED.users.n,
    ActKind.UNFOLLOW: FEED.users.n,
    ActKind.POST: 9,
    ActKind.LIKE_COMMENT: FEED.comments.n,
    ActKind.DISLIKE_COMMENT: FEED.comments.n,
}


def packed(acts: Iterable[Done]) -> CrowdActed:
    return pack_acts(FEED, columns_of(acts), np.zeros(CROWD, int), 180)


def two(act: int) -> tuple[int, int, int]:
    """Somebody, and two things in order on which they may do an act; of what is passed on, the first has a repost."""
    roots = FEED.roots.card[: FEED.roots.n].tolist()
    on = roots[roots.index(ROOT) :] if act == ActKind.REPOST else range(MANY[act]) if act in MANY else roots
    for user in INSIDE:
        free = [target for *_, target in possible(FEED, [(user, act, x) for x in on])]
        if len(free) > 1 and (act != ActKind.REPOST or free[0] == ROOT):
            return user, free[0], free[1]
    raise AssertionError("everything is done")


REFUSED: list[tuple[str, list[Done], str]] = []
for kind in (kind for kind in ONCE if kind not in SAID):
    who, one, other = two(kind)
    REFUSED += [
        (f"{CALLED[kind]} twice", [(who, kind, one)] * 2, TWICE),
        (f"{CALLED[kind]} three times", [(who, kind, one)] * 3, TWICE),
        (f"{CALLED[kind]} twice and another between", [(who, kind, one), (who, kind, other), (who, kind, one)], TWICE),
        (f"{CALLED[kind]} the later first", [(who, kind, other), (who, kind, one)], TWICE),
    ]
    before = next(did for did in DID if did[1] == kind and did[0] in INSIDE and done_before(FEED, *did))
    REFUSED.append((f"{CALLED[kind]} of before", [before], AGAIN))
    if kind < ActKind.POST:
        REFUSED.append((f"{CALLED[kind]} after a post", [(who, ActKind.POST, 1), (who, kind, one)], TWICE))
who, one, _ = two(ActKind.HOSTILE)
REFUSED += [
    ("a comment twice", [(who, ActKind.WARM, one)] * 2, AGAIN),
    ("comments in two tones", [(who, ActKind.HOSTILE, one), (who, DOUBT + 3, one)], AGAIN),
    (
        "a comment in another tone than before",
        [(did[0], ActKind.WARM, did[2]) for did in DID if did[1] == ActKind.HOSTILE][:1],
        AGAIN,
    ),
]

who, one, other = two(ActKind.REPOST)
follower, leader = next((a, b) for a, b in sorted(FOUNDED) if a in INSIDE)
stranger = next(x for x in range(CROWD) if x != who and (who, x) not in edges(FEED))
by = next(u for u, act, x in DID if act == ActKind.REPOST and root_of(FEED, act, x) == ROOT and u in INSIDE)
REFUSED += [
    ("REPOST of a root and of its repost", [(who, ActKind.REPOST, ROOT), (who, ActKind.REPOST, CARD)], TWICE),
    ("REPOST of a repost and of its root", [(who, ActKind.REPOST, CARD), (who, ActKind.REPOST, ROOT)], TWICE),
    ("REPOST of before through its root", [(by, ActKind.REPOST, ROOT)], AGAIN),
    ("REPOST of before through a repost", [(by, ActKind.REPOST, CARD)], AGAIN),
    ("FOLLOW of the founding", [(follower, ActKind.FOLLOW, leader)], AGAIN),
    ("FOLLOW of oneself", [(7, ActKind.FOLLOW, 7)], AGAIN),
    ("UNFOLLOW of oneself", [(7, ActKind.UNFOLLOW, 7)], AGAIN),
    ("FOLLOW and UNFOLLOW in a tick", [(who, act, stranger) for act in (ActKind.FOLLOW, ActKind.UNFOLLOW)], AGAIN),
    (
        "FOLLOW anew of whom one ends following",
        [(follower, ActKind.FOLLOW, leader), (follower, ActKind.UNFOLLOW, leader)],
        AGAIN,
    ),
    (
        "DISLIKE before LIKE",
        [(who, ActKind.DISLIKE, two(ActKind.DISLIKE)[1]), (who, ActKind.LIKE, two(ActKind.LIKE)[1])],
        TWICE,
    ),
    ("POST the later topic first", [(1, ActKind.POST, 5), (1, ActKind.POST, 4)], TWICE),
    ("WARM before HOSTILE", [(1, ActKind.WARM, ROOT), (1, ActKind.HOSTILE, ROOT)], TWICE),
    *((f"{NAMES[kind]} on a repost", [(who, kind, CARD)], ON_REPOST) for kind in ON_ROOTS),
]


@pytest.mark.parametrize(("acts", "why"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_cannot_have_been_is_refused_before_anything_changes(acts: list[Done], why: str) -> None:
    state, mark = dump(FEED), FEED.mark
    for event in (packed(acts), packed([(0, ActKind.POST, 1), *acts, (CROWD - 1, ActKind.POST, 2)])):
        with pytest.raises(ValueError, match=why):
            unpack_acts(FEED, event)
        with pytest.raises(ValueError, match=why):
            apply_crowd_acts(SITE, event, NOW)
    assert dump(FEED) == state
    assert FEED.mark == mark


@pytest.mark.parametrize("bit", range(CROWD, 64))
@pytest.mark.parametrize("by", [b"", b"\x05"])
def test_a_stance_of_nobody_does_not_move(bit: int, by: bytes) -> None:
    bits = np.zeros(64, bool)
    bits[bit] = True
    event = msgspec.structs.replace(packed([]), moved=np.packbits(bits).tobytes(), by=by)
    state = dump(FEED)
    with pytest.raises(ValueError, match=NOBODY_MOVED):
        apply_crowd_acts(SITE, event, NOW)
    assert dump(FEED) == state


def test_what_was_packed_is_refused_as_done_even_where_the_mark_is_right() -> None:
    for event in SITE.packed:
        if set(np.frombuffer(event.acts, np.uint8).tolist()) & set(ONCE):
            with pytest.raises(ValueError, match=AGAIN):
                unpack_acts(FEED, msgspec.structs.replace(event, mark=FEED.mark))


def test_a_follow_that_is_not_merged_yet_is_not_done_again() -> None:
    made = Site(CROWD, crowd={"activity": 0.0})
    pair = next((a, b) for a in range(CROWD) for b in range(CROWD) if a != b and (a, b) not in edges(made.feed))
    made.feed.graph.later.add(*pair)  # as in a large graph, which is not made anew each time
    with pytest.raises(ValueError, match=AGAIN):
        unpack_acts(
            made.feed, pack_acts(made.feed, columns_of([(pair[0], ActKind.FOLLOW, pair[1])]), np.zeros(CROWD, int), 180)
        )


def test_what_only_looks_as_if_it_could_not_be_is_taken() -> None:
    liker, one, other = two(ActKind.LIKE)
    who = two(ActKind.REPOST)[0]
    quiet = [u for u in range(CROWD) if not FEED.commented.has(u, np.array([0, ROOT])).any()]
    for acts in (
        [(liker, ActKind.LIKE, one), (liker, ActKind.LIKE, other)],
        [(3, ActKind.POST, 4), (3, ActKind.POST, 4), (3, ActKind.POST, 5)],
        [(who, ActKind.REPOST, CARD)],
        [(quiet[0], ActKind.WARM, ROOT), (quiet[1], ActKind.HOSTILE, 0)],  # each in order, and the later user goes back
    ):
        found, *_ = unpack_acts(FEED, packed(acts))
        assert [*zip(*(x.tolist() for x in found.acts), strict=True)] == acts
    both = next(
        (u, x)
        for u in range(CROWD)
        for x in FEED.roots.card[: FEED.roots.n].tolist()
        if not done_before(FEED, u, ActKind.LIKE, x) and not done_before(FEED, u, ActKind.DISLIKE, x)
    )
    unpack_acts(FEED, packed([(both[0], ActKind.LIKE, both[1]), (both[0], ActKind.DISLIKE, both[1])]))


def can_be(acts: list[Done]) -> bool:
    """The same by the book, one act after the other."""
    done: set[Done] = set()
    last = (-1, -1, -1)
    for user, act, target in acts:
        root = root_of(FEED, act, target)
        on_repost = act in ON_ROOTS and FEED.posts.root[target] != target
        once = act in ONCE and ((user, sort_of(act), root) in done or done_before(FEED, user, act, target))
        if on_repost or once or (act == ActKind.FOLLOW and user == target) or (user, act, root) < last:
            return False
        last = (user, act, root)
        done.add((user, sort_of(act), root))
    return True


FEW = st.lists(
    st.sampled_from([*CALLED, 15]).flatmap(
        lambda act: st.tuples(st.integers(0, 3), st.just(int(act)), st.integers(0, min(8, MANY.get(act, 9) - 1)))
    ),
    max_size=6,
)


@given(FEW, st.sampled_from(["as they are", "sorted", "possible"]))
@example([(1, 4, 3), (1, 4, 3)], "as they are")
def test_exactly_what_can_be_is_taken(acts: list[Done], how: str) -> None:
    if how == "sorted":
        acts = sorted(acts, key=lambda a: (a[0], a[1], root_of(FEED, a[1], a[2])))
    if how == "possible":
        acts = possible(FEED, acts)
        assert can_be(acts)
    try:
        unpack_acts(FEED, packed(acts))
    except ValueError:
        assert not can_be(acts)
    else:
        assert can_be(acts)
