"""A round that is steered: what is chosen is read, who is turned down is hidden, and the rest is as it was."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sandbox.feed.apply_blocks import take
from sandbox.feed.blocks import read
from sandbox.feed.change_recorder import next_block, start_noting
from sandbox.feed.claims import Beliefs
from sandbox.feed.model import CrowdParameters
from sandbox.feed.packing import apply_crowd_acts
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.platform import Platform
from sandbox.feed.steering import NOTHING, Columns, Steered, apply_steered, pack_steered

USERS = 400
LIVELY = CrowdParameters(activity=0.3, posts=0.3)


def site(seed: int = 3, ticks: int = 4, **feed: Any) -> Platform:
    made = Platform("x", seed=seed, parameters=FeedParameters(crowd=USERS, **feed), crowd=LIVELY, threads=1)
    for _ in range(ticks):
        made.tick()
    return made


def numbers(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


def sitters(site: Platform) -> np.ndarray:
    return np.unique(site.crowd.sitters(site.seed, site.step, site.now, site.parameters.tick))


def steer(site: Platform, mix: tuple[float, float, float] | None = None, **columns: Any) -> None:
    site.steer(pack_steered(site.step, "by test", mix, NOTHING._replace(**columns)))


def read_by(site: Platform, user: int) -> list[int]:
    who, cards = site.crowd.read
    return [int(root) for root in site.feed.posts.root[cards[who == user]]]


def test_what_is_chosen_for_a_reader_is_read_for_certain_and_first() -> None:
    made = site()
    reader = int(sitters(made)[0])
    cards = [card for card in made.feed.roots.card[:7].tolist() if made.feed.posts.author[card] != reader][:6]
    assert not set(cards) <= set(read_by(made, reader))
    steer(made, users=np.full(6, reader), cards=np.array(cards), scores=np.linspace(1, 0, 6))
    made.tick()
    assert read_by(made, reader)[:6] == cards


def test_an_account_reads_what_is_pinned_first_though_it_is_chosen_for_them_too() -> None:
    made = site()
    ann = made.sign_up("ann", "Ann")
    first, second, *_ = made.feed.roots.card.tolist()
    columns = NOTHING._replace(users=numbers(ann, ann), cards=numbers(second, first), scores=np.array((1.0, 0.5)))
    made.steer(pack_steered(made.step, "by test", None, columns, pins=(first,)))
    assert [card.root for card in made.refresh(ann)][:2] == [first, second]


def test_what_is_chosen_for_who_does_not_look_is_not_read() -> None:
    made = site()
    away = int(np.setdiff1d(np.arange(USERS), sitters(made))[0])
    steer(made, users=numbers(away), cards=made.feed.roots.card[:1].astype(np.int64), scores=np.ones(1))
    made.tick()
    assert read_by(made, away) == []


def test_whoever_looks_twice_is_given_a_chosen_card_once() -> None:
    made = Platform("x", seed=1, parameters=FeedParameters(crowd=60), crowd=CrowdParameters(activity=1, posts=1))
    made.tick()
    made.feed.hours[:] = 255
    looks = made.crowd.sitters(made.seed, made.step, made.now, 360)
    assert (np.bincount(looks) >= 2).all()
    old = int(made.feed.roots.card[0])
    steer(made, users=np.arange(1, 60), cards=np.full(59, old), scores=np.ones(59))
    made.tick(360)
    who, cards = made.crowd.read
    mine = [list(cards[who == user]).count(old) for user in range(1, 60) if made.feed.posts.author[old] != user]
    assert min(mine) == 1


def test_an_author_turned_down_to_nothing_is_read_by_nobody_and_to_a_quarter_by_about_a_quarter() -> None:
    def reads(level: float | None) -> tuple[int, int]:
        made = site(seed=11)
        authors = np.arange(0, USERS, 2)
        if level is not None:
            steer(made, silenced=authors, levels=np.full(len(authors), level))
        made.tick()
        by = made.feed.posts.author[made.feed.posts.root[made.crowd.read[1]]]
        return int((by % 2 == 0).sum()), len(by)

    usual, all_ = reads(None)
    assert reads(1.0) == (usual, all_)
    assert reads(0.0)[0] == 0
    assert 0.1 * usual < reads(0.25)[0] < 0.6 * usual


def test_exposure_is_drawn_once_for_a_card_and_a_reader() -> None:
    made = site(seed=5)
    authors = np.arange(USERS)
    steer(made, silenced=authors, levels=np.full(USERS, 0.5))
    made.tick()
    first = set(zip(*(column.tolist() for column in made.crowd.read), strict=True))
    again = site(seed=5)
    again.steer(pack_steered(again.step, "x", None, NOTHING._replace(silenced=authors, levels=np.full(USERS, 0.5))))
    again.tick()
    assert first == set(zip(*(column.tolist() for column in again.crowd.read), strict=True)) != set()


def test_a_mix_of_headlines_alone_shows_everybody_the_most_liked() -> None:
    made = site(ticks=8, read=1, cache=1)
    posts = made.feed.posts
    steer(made, mix=(0.0, 0.0, 1.0))
    best = int(posts.likes[made.feed.roots.card[: made.feed.roots.n]].max())
    made.tick()
    liked = posts.likes[posts.root[made.crowd.read[1]]]
    assert np.median(liked) >= best


def test_pinned_cards_are_read_by_all_who_look() -> None:
    made = site()
    news = made.create_post(made.sign_up("news", "News"), "The bridge is shut.", stance=-0.9)
    made.advance(1)
    made.steer(pack_steered(made.step, "news desk", None, pins=(news,)))
    looking = sitters(made)
    made.tick()
    assert set(made.crowd.read[0][made.crowd.read[1] == news].tolist()) == set(looking.tolist())


def test_accounts_are_shown_what_is_chosen_for_them_before_the_rest() -> None:
    made = site()
    ada = made.sign_up("ada", "Ada")
    card = int(made.feed.roots.card[0])
    steer(made, users=numbers(ada), cards=numbers(card), scores=np.ones(1))
    assert next(c.number for c in made.refresh(ada)) == card
    assert made.feed.steering is not None
    assert made.feed.steering.looked == {ada}
    writer = int(made.feed.posts.author[card])
    everybody = np.arange(USERS)
    steer(made, silenced=everybody[everybody != writer], levels=np.zeros(USERS - 1))
    assert {c.writer for c in made.refresh(ada)} <= {writer}


def test_nothing_is_different_when_nothing_is_steered() -> None:
    one, other = site(ticks=6), site(ticks=3)
    other.steer(pack_steered(other.step, "idle", None))
    for _ in range(3):
        other.tick()
    assert one.feed.posts.n == other.feed.posts.n
    assert np.array_equal(one.feed.posts.likes, other.feed.posts.likes)
    assert one.feed.mark != other.feed.mark  # but the event has happened


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (Steered(1, "x", users=b"\x01\0\0\0"), "unlike length"),
        (Steered(1, "x", users=b"\xff\xff\0\0", cards=b"\0\0\0\0", scores=b"\0\0"), "not there"),
        (Steered(1, "x", users=b"\0\0\0\0", cards=b"\xff\xff\0\0", scores=b"\0\0"), "not there"),
        (Steered(1, "x", pins=(99_999,)), "not there"),
        (Steered(1, "x", silenced=b"\x02\0\0\0\x01\0\0\0", levels=b"\0\0"), "out of order"),
        (Steered(1, "x", silenced=b"\x02\0\0\0", levels=b"\x65"), "out of order"),
        (Steered(1, "x", mix=(500, 400, 0)), "add up"),
    ],
)
def test_an_event_that_no_feed_could_have_is_refused(event: Steered, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        site(ticks=1).steer(event)


def test_blocks_make_the_same_feed_in_the_middle_of_a_round() -> None:
    made = Platform("x", seed=2, parameters=FeedParameters(crowd=USERS), crowd=LIVELY, threads=1)
    fresh = Platform("x", seed=2, parameters=FeedParameters(crowd=USERS), crowd=LIVELY, threads=1)
    start_noting(made.feed, 0)
    ada = made.sign_up("ada", "Ada")
    for _ in range(3):
        made.tick()
    made.watch(int(made.feed.roots.card[0]))
    blocks = [read(next_block(made.feed, made.seq)[1])]  # type: ignore[index]
    steer(made, (0.2, 0.2, 0.6), silenced=numbers(4), levels=np.full(1, 0.5))
    made.refresh(ada)
    blocks.append(read(next_block(made.feed, made.seq)[1]))  # type: ignore[index]
    take(fresh.feed, blocks)
    assert fresh.feed.proof() == made.feed.proof()
    assert fresh.feed.steering is not None
    assert fresh.feed.steering.looked == {ada}
    assert fresh.feed.claims == made.feed.claims != {}


def test_the_crowd_acts_only_on_a_feed_that_is_steered_as_it_was() -> None:
    one, other = site(), site()
    steer(one, (0.0, 0.0, 1.0))
    acted = one.crowd.tick(one.seed, one.step, one.now, 180)
    with pytest.raises(ValueError, match="not as it was"):
        apply_crowd_acts(other, acted, None)  # type: ignore[arg-type]
    apply_steered(other, one.feed.steering.event, None)  # type: ignore[union-attr, arg-type]
    assert other.feed.mark == one.feed.mark


def test_scores_keep_their_order_and_three_decimals() -> None:
    made = site()
    cards = made.feed.roots.card[:3].astype(np.int64)
    columns = Columns(np.full(3, 7), cards, np.array([0.25, 1.5, -0.5]), numbers(), np.zeros(0))
    made.steer(pack_steered(1, "x", None, columns))
    assert made.feed.steering is not None
    assert made.feed.steering.scores.tolist() == [1500, 250, -500]
    assert made.feed.steering.cards.tolist() == cards[[1, 0, 2]].tolist()


def test_the_misinformed_are_those_who_spread_a_claim_and_have_not_opposed_it_since() -> None:
    made = site(ticks=1)
    ada, bo, cy = (made.sign_up(name, name) for name in ("ada", "bo", "cy"))
    claim, truth = made.create_post(ada, "The well is poisoned."), made.create_post(bo, "The well is clean.")
    made.watch(claim)
    made.watch(truth, rebuttal=True)

    def misinformed() -> set[int]:
        return set(np.flatnonzero(Beliefs(made.feed).misinformed).tolist())

    assert misinformed() == {ada}
    made.advance(1)
    made.repost(cy, claim)
    assert misinformed() == {ada, cy}
    made.advance(1)
    made.create_comment(cy, claim, "I doubt it.", doubt=6)
    assert misinformed() == {ada, cy}
    made.repost(ada, truth)
    assert misinformed() == {cy}
    made.create_comment(bo, claim, "No.", doubt=9)
    assert misinformed() == {cy}
