"""The platform as a library: time, records, replays, texts from anywhere, and what holds after any row of actions."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from platforms import CROWD, Stage, dump, follows, replayed

from sandbox.core.domain import CommandEvent as DomainAct
from sandbox.core.events import Event, Record, Stamp
from sandbox.core.faults import is_printable
from sandbox.core.plain import safe_line
from sandbox.core.text import clean
from sandbox.feed import Platform, Refused, Why, acts, spaced
from sandbox.feed.events import (
    Browsed,
    Commented,
    Connected,
    Deleted,
    Grouped,
    Messaged,
    MutedWord,
    Posted,
    Quoted,
    Reacted,
    Reported,
    Reposted,
    SignedUp,
)
from sandbox.feed.handlers import HANDLERS, interest
from sandbox.feed.model import DIMENSIONS, NOBODY, REPOST, Feed
from sandbox.feed.packing import CrowdActed
from sandbox.readers.all_stories import STORIES
from sandbox.readers.story import Teller

ODD = [
    "🥖👩‍🍳 fresh",
    "مرحبا بالعالم",
    "\u202eevil\u202c",
    "a\u200bb\u200dc",
    "\x1b[2J\x1b]0;title\x07 boo",
    "line one\nline two\ttab",
    "e\u0301 is not é",
    "\x00nul",
    "'; DROP TABLE events; --",
]


def lively() -> Stage:
    """A platform where each sort of thing has happened."""
    p = Stage()
    ada, bo, cy = p.sign_up("ada", "Ada", "I bake bread."), p.sign_up("bo", "Bo"), p.sign_up("cy", "Cy", "Trains")
    post = p.create_post(ada, "The loaf came out golden.", 0.5, "proud")
    again = p.repost(bo, post)
    p.advance(180)
    quote = p.quote_post(cy, again, "She is right")
    comment = p.create_comment(bo, quote, "So she is", 1)
    p.like_post(bo, quote)
    p.dislike_post(bo, post)
    p.undo_dislike_post(bo, post)
    p.like_comment(cy, comment)
    p.dislike_comment(ada, comment)
    p.undo_dislike_comment(ada, comment)
    p.follow(ada, bo)
    p.follow(bo, 1)
    p.follow(bo, ada)
    p.mute(cy, 0)
    p.block(ada, cy)
    p.mute_word(cy, "Rain")
    p.report_post(cy, again)
    p.send_message(ada, bo, "Hello")
    p.send_message(bo, 2, "Hello")
    p.read_messages(bo, ada)
    group = p.create_group(bo, "Bakers")
    p.join_group(ada, group)
    p.send_to_group(ada, group, "All well?")
    p.listen_from_group(bo, group)
    p.leave_group(ada, group)
    p.refresh(bo)
    p.trend(ada)
    p.search_posts(ada, "right")
    p.search_users(ada, "b")
    p.do_nothing(cy, "tired")
    p.delete_post(bo, again)
    return p


# ---- the library


def test_importing_the_model_does_not_import_the_platform() -> None:
    code = "import sys, sandbox.feed.model; sys.exit('sandbox.feed.platform' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_package_gives_the_platform_and_nothing_unknown() -> None:
    import sandbox.feed as feed

    assert all(getattr(feed, name) is not None for name in feed.__all__)
    with pytest.raises(AttributeError):
        feed.nothing  # noqa: B018


def test_the_usual_platform_ranks_by_its_kind() -> None:
    for kind, name in (("x", "mix"), ("reddit", "hot")):
        p = Platform(kind)
        assert p.recommender.name == name
        ada, bo = p.sign_up("ada", "Ada", "Bread"), p.sign_up("bo", "Bo", "I bake bread")
        post = p.create_post(ada, "Fresh bread from the oven")
        p.advance(180)
        p.rank()
        assert [c.number for c in p.refresh(bo)] == [post]
    with pytest.raises(ValueError, match="kinds are x and reddit"):
        Platform("myspace")
    with pytest.raises(ValueError, match="no start"):
        Platform(start="yesterday")


def test_do_returns_what_the_method_of_the_action_returns() -> None:
    p = Stage()
    ada = p.do(NOBODY, "sign_up", handle="ada", name="Ada")
    bo = p.do(NOBODY, "sign_up", handle="bo", name="Bo")
    post = p.do(ada, "create_post", text="Hello", stance=-1)
    assert [c.number for c in p.do(bo, "search_posts", query="hello")] == [post]
    assert [u.number for u in p.do(bo, "search_users", query="ada")] == [ada]
    assert p.do(bo, "like_post", post=post) is None
    comment = p.do(bo, "create_comment", post=post, text="Hello back")
    assert p.comments(post)[0].number == comment
    message = p.do(bo, "send_message", other="ada", text="Hello")
    assert [m.number for m in p.do(ada, "read_messages", other=bo)] == [message]
    group = p.do(ada, "create_group", name="Two")
    assert p.groups()[0].number == group
    assert p.card(p.do(bo, "repost", post=post)).root == post
    assert [c.number for c in p.do(bo, "refresh", count=1)] != []


def test_a_recommender_and_a_maker_of_vectors_can_be_ones_own() -> None:
    class Ones:
        name = "ones"

        def embed(self, texts: Any) -> np.ndarray:
            return np.full((len(texts), 4), 0.5, np.float32)

    p = Stage(vectors=Ones())
    ada = p.sign_up("ada", "Ada", "Anything")
    p.create_post(ada, "Whatever")
    assert p.vector.maker.name == "ones"
    assert p.feed.vectors.row[0].any()


def test_looking_without_acting_leaves_no_trace() -> None:
    p = lively()
    before, rows = dump(p.feed), len(p.records)
    p.card(0)
    p.comments(1)
    p.person(0)
    p.conversations(CROWD)
    p.messages(CROWD, 0)
    p.groups()
    p.cached(CROWD)
    p.rank()
    assert (dump(p.feed), len(p.records)) == (before, rows)
    for number in (-1, 99):
        with pytest.raises(Refused):
            p.card(number)
        with pytest.raises(Refused):
            p.conversations(number)


# ---- time


def test_seconds_inside_a_tick_follow_the_order() -> None:
    assert spaced(4, 100, 180) == [100, 145, 190, 235]
    assert spaced(0, 5, 180) == []
    assert spaced(3, 0, 2) == [0, 0, 1]


def test_events_carry_the_second_the_step_and_the_handle() -> None:
    p = Stage()
    ada = p.sign_up("ada", "Ada")
    p.advance(180)
    p.create_post(ada, "Hello")
    p.do_nothing(ada)
    assert [r.stamp for r in p.records] == [
        Stamp(1, 1, 0, "ada", ()),
        Stamp(2, 2, 180, "ada", ()),
        Stamp(3, 2, 180, "ada", ()),
    ]
    assert p.card(1).t == 180
    with pytest.raises(ValueError, match="whole seconds, 1 or more"):
        p.advance(0)


# ---- records


def test_the_same_events_make_the_same_feed() -> None:
    p = lively()
    assert {type(r.event) for r in p.records} == set(HANDLERS)
    encoded = [msgspec.json.encode(r.event) for r in p.records]
    decoded = [
        Record(r.stamp, msgspec.json.decode(raw, type=type(r.event))) for r, raw in zip(p.records, encoded, strict=True)
    ]
    assert dump(replayed(decoded, p)) == dump(p.feed)


def test_every_event_has_a_kind_of_its_own_and_a_story() -> None:
    assert len({event.KIND for event in HANDLERS}) == len(HANDLERS)
    assert {*HANDLERS, CrowdActed} <= set(STORIES)


def test_every_event_is_told_in_a_plain_sentence() -> None:
    class Names:
        def name(self, who: str) -> str:
            return who.capitalize()

    teller = Teller(Names())  # type: ignore[arg-type]
    p = lively()
    told = [STORIES[type(r.event)].sentence(teller, r.event, r.stamp) for r in p.records]
    assert "Ada posted: “The loaf came out golden.”" in told
    assert "Bo liked post 3" in told
    assert "Bo no longer dislikes post 1" in told
    assert "Ada has blocked user 5 on the feed" in told
    assert 'Ada looked for posts with "right" and was shown 0 posts' in told
    for text in ODD:
        p.create_post(CROWD, text)
        r = p.records[-1]
        assert is_printable(STORIES[Posted].sentence(teller, r.event, r.stamp))
    proud = next(r for r in p.records if isinstance(r.event, Posted))
    (block,) = STORIES[Posted].sheet(teller, proud.event, None)  # type: ignore[arg-type]
    assert block.text == "Why: proud"  # type: ignore[union-attr]


V = bytes(DIMENSIONS)
FOREIGN = [
    SignedUp("ada2", "Ada", "", V, user=3),
    SignedUp("ADA", "Ada", "", V, user=6),
    Posted(99, V, 0, None, user=3, text="Hello"),
    Posted(4, V, 0, None, user=0, text="Hello"),
    Quoted(4, 99, 1, V, 0, None, user=3, text="Hello"),
    Quoted(4, 1, 99, V, 0, None, user=3, text="Hello"),
    Reposted(4, 3, 1, user=5),
    Reposted(99, 1, 1, user=5),
    Reposted(4, 99, 99, user=5),
    Commented(9, 1, user=3, text="Hello"),
    Commented(1, 2, user=3, text="Hello"),
    Commented(1, 99, user=3, text="Hello"),
    Reacted("like", "post", 3, user=4),
    Reacted("unlike", "post", 1, user=4),
    Reacted("like", "post", 2, user=4),
    Reacted("like", "post", 99, user=4),
    Reacted("like", "comment", 99, user=4),
    Reacted("undo_dislike", "comment", 0, user=4),
    Connected("follow", 4, user=3),
    Connected("unfollow", 0, user=3),
    Connected("follow", 3, user=3),
    Connected("follow", 99, user=3),
    Connected("unmute", 4, user=3),
    Connected("block", 5, user=3),
    Connected("unblock", 4, user=3),
    MutedWord("mute", "rain", user=5),
    MutedWord("unmute", "sun", user=5),
    Reported(1, user=5),
    Reported(99, user=5),
    Reported(2, user=3),
    Deleted(1, user=4),
    Deleted(2, user=4),
    Deleted(99, user=4),
    Messaged(9, 3, -1, user=4, text="Hello"),
    Messaged(3, 99, -1, user=4, text="Hello"),
    Messaged(3, 4, -1, user=4, text="Hello"),
    Messaged(3, -1, 0, user=3, text="Hello"),
    Messaged(3, -1, -1, user=3, text="Hello"),
    Messaged(3, 3, 0, user=4, text="Hello"),
    Messaged(3, 3, -1, 3, user=4, text="Hello"),
    Grouped("create", 5, "Five", user=3),
    Grouped("create", 1, "", user=3),
    Grouped("join", 0, user=4),
    Grouped("join", 9, user=4),
    Grouped("leave", 0, user=3),
    Browsed("listen", user=3),
    Browsed("listen", group=0, user=3),
    Browsed("refresh", user=99),
]


@pytest.mark.parametrize("event", FOREIGN, ids=lambda e: f"{e.KIND}-{FOREIGN.index(e)}")
def test_an_event_that_does_not_fit_is_refused_and_changes_nothing(event: Event) -> None:
    p = lively()
    before = dump(p.feed)
    with pytest.raises(ValueError, match=r"does not fit|has no account"):
        HANDLERS[type(event)](p, event, Stamp(99, 2, 180, "ada", ()))
    assert dump(p.feed) == before


@pytest.mark.parametrize(
    "raw",
    [
        '{"act": "like", "on": "post", "target": -1, "user": 3}',
        '{"act": "love", "on": "post", "target": 1, "user": 3}',
        '{"act": "like", "on": "post", "target": 1e300, "user": 3}',
        '{"act": "like", "on": "post", "target": 1, "user": 3, "more": 1}',
        '{"act": "like", "on": "post", "target": 99999999999, "user": 3}',
    ],
)
def test_an_event_out_of_bounds_is_not_even_read(raw: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(raw, type=Reacted)


# ---- texts from anywhere


@pytest.mark.parametrize("text", ODD)
def test_texts_are_kept_as_they_are_and_drawn_safely(text: str) -> None:
    p = Stage()
    ada = p.sign_up("ada", "Ada", text)
    post = p.create_post(ada, text)
    p.create_comment(ada, post, text)
    bo = p.sign_up("bo", "Bo")
    p.send_message(ada, bo, text)
    card = p.card(post)
    kept = (card.text, p.person(ada).bio, p.comments(post)[0].text, p.messages(bo, ada)[0].text)
    assert kept == (text.strip(),) * 4
    for one in kept:
        assert is_printable(clean(one, 500))
        assert is_printable(safe_line(one))
    assert replayed(p.records, p).texts == p.feed.texts


# ---- what holds after any row of actions

NAMES = sorted(set(acts.ACTIONS) - {"sign_up"})
STEPS = st.lists(
    st.tuples(st.sampled_from(NAMES), st.integers(0, 4), st.integers(-1, 9), st.integers(-1, 4)), max_size=60
)


def hold(feed: Feed) -> None:
    """Counters are what the sets say, fans are follows, and nothing is negative."""
    posts, comments, accounts = feed.posts, feed.comments, feed.accounts.values()
    cards = range(posts.n)
    for column, sets in (
        (posts.likes, [a.likes for a in accounts]),
        (posts.dislikes, [a.dislikes for a in accounts]),
        (posts.reposts, [a.reposted for a in accounts]),
        (posts.reports, [a.reported for a in accounts]),
    ):
        assert column[: posts.n].tolist() == [sum(c in one for one in sets) for c in cards]
    for column, sets in (
        (comments.likes, [a.comment_likes for a in accounts]),
        (comments.dislikes, [a.comment_dislikes for a in accounts]),
    ):
        assert column[: comments.n].tolist() == [sum(c in one for one in sets) for c in range(comments.n)]
    under = comments.post[: comments.n].tolist()
    assert posts.comments[: posts.n].tolist() == [under.count(c) for c in cards]
    quotes = [int(posts.of[c]) for c in cards if posts.kind[c] == 2]
    alive = [int(posts.of[c]) for c in cards if posts.kind[c] == 2 and not posts.gone[c]]
    assert len(quotes) >= len(alive)
    assert posts.quotes[: posts.n].tolist() == [alive.count(c) for c in cards]
    fans = [0] * feed.users.n
    for user, other in follows(feed):
        fans[other] += 1
        theirs = feed.accounts.get(other)
        assert user != other
        assert other not in (feed.accounts[user].blocks if user in feed.accounts else ())
        assert theirs is None or user not in theirs.blocks
    assert feed.users.fans[: feed.users.n].tolist() == fans
    for c in cards:
        root = int(posts.root[c])
        assert (root == c) == (posts.kind[c] != REPOST)
        assert not posts.gone[root] or posts.gone[c]
    for a in accounts:
        assert a.blocked_by == {b.number for b in accounts if a.number in b.blocks}
        assert all(0 < count <= len(a.direct[other]) for other, count in a.unread.items())
        assert a.posts == [c for c in cards if posts.author[c] == a.number]
        assert feed.users.newest[a.number] == (a.posts[-1] if a.posts else NOBODY)
    roots = feed.roots
    assert roots.card[: roots.n].tolist() == [c for c in cards if posts.kind[c] != REPOST]
    assert (np.diff(roots.t[: roots.n]) >= 0).all()


@given(STEPS)
def test_no_row_of_actions_breaks_what_must_hold(steps: list[tuple[str, int, int, int]]) -> None:
    p = Stage()
    users = [p.sign_up(handle, handle) for handle in ("a", "b", "c", "d", "e")]
    p.create_comment(users[0], p.create_post(users[0], "first"), "comment")
    group = p.create_group(users[1], "Group")
    for name, who, target, small in steps:
        numbers = {"tone": small, "doubt": target, "quotes": small, "count": target, "group": max(group, small)}
        given: dict[str, Any] = {
            a.name: numbers.get(a.name, "word" if a.of == "text" else target) for a in acts.ACTIONS[name].arguments
        }
        if "stance" in given:
            given["stance"] = small / 2
        before, rows = dump(p.feed), len(p.records)
        why = None
        try:
            p.do(users[who], name, **given)
        except Refused as told:
            why = told.why
        if why is None:
            assert len(p.records) == rows + 1
        else:
            assert why in (*acts.ACTIONS[name].refusals, *acts.COMMON), (name, why)
            assert (dump(p.feed), len(p.records)) == (before, rows)
        p.advance(1 + target % 3)
    hold(p.feed)
    assert dump(replayed(p.records, p)) == dump(p.feed)


def test_interest_is_a_sum_made_127_long() -> None:
    a, b = np.full(DIMENSIONS, 127, np.int8), np.zeros(DIMENSIONS, np.int8)
    assert interest([a, a, a, b]).tolist() == [22] * DIMENSIONS
    assert interest([b]).tolist() == [0] * DIMENSIONS
    assert interest([a, -a]).tolist() == [0] * DIMENSIONS
    assert interest([np.eye(DIMENSIONS, dtype=np.int8)[3] * 127]).tolist()[3] == 127


def test_a_refusal_tells_its_reason_to_programs() -> None:
    p = Stage()
    with pytest.raises(Refused) as told:
        p.like_post(3, 0)
    assert told.value.why == "unknown_user"
    assert told.value.why is Why.UNKNOWN_USER
    assert isinstance(told.value, ValueError)


def test_a_commands_event_has_the_form_of_a_domains_act() -> None:
    from sandbox.feed.commands import OnFeed, run_feed_command

    p = Stage()
    p.sign_up("ada", "Ada")

    class Town:
        feed, now, means = p.feed, 0, p

    (done,) = run_feed_command(Town(), OnFeed(by="ada", action="do_nothing"))  # type: ignore[arg-type]
    assert isinstance(done, DomainAct)
