"""What accounts can do: every rule of the platform, and every refusal, which has a reason and changes nothing."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import numpy as np
import pytest
from platforms import Stage, dump, follows

from sandbox.feed.acting import Refused, Why
from sandbox.feed.acts import ACTIONS, COMMON
from sandbox.feed.commands import OnFeed, run_feed_command
from sandbox.feed.events import (
    Browsed,
    Commented,
    Connected,
    Deed,
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
from sandbox.feed.model import NOBODY, QUOTE, REPOST

SOMEONE = 1  # of the crowd
CROWDS_POST = 0


class Trio(Stage):
    """Ada, Bo and Cy, and a post of Ada."""

    def __init__(self) -> None:
        super().__init__()
        self.ada = self.sign_up("ada", "Ada", "I bake bread.")
        self.bo = self.sign_up("bo", "Bo")
        self.cy = self.sign_up("cy", "Cy")
        self.post = self.create_post(self.ada, "The loaf came out golden.")

    @property
    def last(self) -> Deed:
        event = self.records[-1].event
        assert isinstance(event, Deed)
        return event


@pytest.fixture
def p() -> Trio:
    return Trio()


@contextmanager
def refused(p: Stage, why: Why) -> Iterator[None]:
    """The action within is refused for that reason, in a sentence that says the mend, and changes nothing."""
    before, rows = dump(p.feed), len(p.records)
    with pytest.raises(Refused) as told:
        yield
    assert told.value.why is why
    sentence = str(told.value)
    assert ";" in sentence or "," in sentence, f"no mend: {sentence}"
    assert sentence.isprintable()
    assert len(sentence) < 1000
    assert dump(p.feed) == before
    assert len(p.records) == rows


# ---- what all actions share


def test_every_action_leaves_exactly_one_event_with_its_reason(p: Trio) -> None:
    group = p.create_group(p.bo, "Bakers")
    comment = p.create_comment(p.bo, p.post, "Well done")
    mine = p.create_post(p.bo, "Mine")
    given = {
        "sign_up": {"handle": "dee", "name": "Dee"},
        "search_posts": {"query": "loaf"},
        "search_users": {"query": "ada"},
        "create_post": {"text": "Hello"},
        "quote_post": {"post": p.post, "text": "Look"},
        "delete_post": {"post": mine},
        "mute_word": {"word": "rain"},
        "unmute_word": {"word": "rain"},
        "create_comment": {"post": p.post, "text": "Again"},
        "send_message": {"other": p.cy, "text": "Hello"},
        "create_group": {"name": "Millers"},
        "send_to_group": {"group": group, "text": "Hello"},
        "join_group": {"group": group},
    }
    alone = {"refresh", "trend", "do_nothing"}
    before = {"unlike_post": "like_post", "undo_dislike_post": "dislike_post", "unfollow": "follow", "unmute": "mute"}
    before |= {"unblock": "block", "unlike_comment": "like_comment", "undo_dislike_comment": "dislike_comment"}
    usual = {"post": p.post, "comment": comment, "other": SOMEONE, "group": group}
    done = set()

    def do(name: str) -> None:
        if name in done:
            return
        done.add(name)
        if name in before:
            do(before[name])
        arguments = given.get(name) or {} if name in alone else given.get(name)
        if arguments is None:
            arguments = {a.name: usual[a.name] for a in ACTIONS[name].arguments if a.needed}
        rows = len(p.records)
        user = {"sign_up": NOBODY, "join_group": p.cy}.get(name, p.bo)
        p.do(user, name, reason="it seemed right", **arguments)
        assert len(p.records) == rows + 1, name
        assert p.last.reason == "it seemed right"
        assert name == "sign_up" or p.last.user == user

    for name in [n for n in ACTIONS if n != "leave_group"] + ["leave_group"]:
        do(name)
    assert done == set(ACTIONS)
    kinds = {type(r.event) for r in p.records}
    assert kinds == {
        SignedUp, Posted, Quoted, Reposted, Commented, Reacted, Connected, MutedWord, Reported, Deleted, Messaged,
        Grouped, Browsed,
    }  # fmt: skip


def test_two_equal_actions_of_a_step_are_two_rows(p: Trio) -> None:
    rows = len(p.records)
    p.do_nothing(p.bo)
    p.do_nothing(p.bo)
    assert len(p.records) == rows + 2


def test_a_user_without_account_acts_not(p: Trio) -> None:
    for user in (99, NOBODY, SOMEONE):
        with refused(p, Why.UNKNOWN_USER):
            p.like_post(user, p.post)
        with refused(p, Why.UNKNOWN_USER):
            p.do(user, "do_nothing")


def test_a_reason_has_200_letters_and_can_be_kept(p: Trio) -> None:
    p.do_nothing(p.bo, "x" * 200)
    with refused(p, Why.TOO_LONG):
        p.do_nothing(p.bo, "x" * 201)
    with refused(p, Why.BAD_TEXT):
        p.do_nothing(p.bo, "\ud83d")


def test_an_unknown_action_is_refused_by_name(p: Trio) -> None:
    with refused(p, Why.UNKNOWN_ACTION):
        p.do(p.bo, "interview")
    with refused(p, Why.UNKNOWN_ACTION):
        p.do(p.bo, "\x1b[2J" * 1000)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("like_post", {}),
        ("like_post", {"post": "3"}),
        ("like_post", {"post": 1.0}),
        ("like_post", {"post": True}),
        ("like_post", {"post": 10**5000}),
        ("like_post", {"post": ["x" * 10**6]}),
        ("like_post", {"post": None}),
        ("like_post", {"post": 1, "comment": 2}),
        ("like_post", {"post": 1, "\x1b[2J": 2}),
        ("create_post", {"text": 5}),
        ("create_post", {"text": "Hello", "stance": "for"}),
        ("create_post", {"text": "Hello", "stance": True}),
        ("follow", {"other": 1.5}),
        ("do_nothing", {"post": 1}),
        ("sign_up", {"handle": "dee", "name": "Dee"}),
    ],
)
def test_wrong_arguments_are_refused(p: Trio, name: str, given: dict[str, object]) -> None:
    with refused(p, Why.WRONG_ARGUMENT):
        p.do(p.bo, name, **given)


def test_a_user_can_be_named_by_handle(p: Trio) -> None:
    p.do(p.bo, "follow", other="@ADA")
    p.do(p.bo, "mute", other="cy")
    assert list(p.feed.accounts[p.bo].follows) == [p.ada]
    assert p.feed.accounts[p.bo].mutes == {p.cy}
    with refused(p, Why.UNKNOWN_USER):
        p.do(p.bo, "follow", other="@nobody")


def test_a_refusal_survives_a_pickle() -> None:
    told = pickle.loads(pickle.dumps(Refused(Why.EMPTY, "a post cannot be empty")))
    assert told.why is Why.EMPTY
    assert str(told) == "a post cannot be empty"


def test_the_table_says_of_every_action_what_it_takes() -> None:
    from inspect import signature

    for name, action in ACTIONS.items():
        assert action.name == name
        assert action.help.endswith(".")
        assert len(set(action.refusals)) == len(action.refusals)
        assert not set(action.refusals) & set(COMMON)
        method = signature(getattr(Stage, name)).parameters
        wanted = [a for a in method if a not in ("self", "user", "reason")]
        wanted = ["count" if a == "n" else a for a in wanted]
        assert wanted == [a.name for a in action.arguments], name
        needed = [a for a, one in method.items() if a not in ("self", "user") and one.default is one.empty]
        assert needed == [a.name for a in action.arguments if a.needed], name
    assert {why for a in ACTIONS.values() for why in a.refusals} | set(COMMON) == set(Why)


# ---- signing up


def test_an_account_has_the_number_after_the_crowd(p: Trio) -> None:
    assert (p.ada, p.bo, p.cy) == (3, 4, 5)
    ada = p.feed.accounts[p.ada]
    assert (ada.handle, ada.name, ada.bio) == ("ada", "Ada", "I bake bread.")


def test_a_handle_is_of_plain_letters_and_nobody_elses_whatever_its_capitals(p: Trio) -> None:
    for bad in ("", "a b", "ä", "a" * 25, "ada\n", "a-b", "@ada"):
        with refused(p, Why.BAD_HANDLE):
            p.sign_up(bad, "Dee")
    with refused(p, Why.TAKEN_HANDLE):
        p.sign_up("ADA", "Dee")


def test_a_name_has_1_to_80_letters_and_a_bio_400_at_most(p: Trio) -> None:
    with refused(p, Why.EMPTY):
        p.sign_up("dee", "  ")
    with refused(p, Why.TOO_LONG):
        p.sign_up("dee", "x" * 81)
    with refused(p, Why.TOO_LONG):
        p.sign_up("dee", "Dee", "x" * 401)
    p.sign_up("dee", "x" * 80, "x" * 400)


# ---- posts, reposts, quotes


def test_a_post_has_1_to_500_letters_after_stripping(p: Trio) -> None:
    for nothing in ("", " \n\t ", "\u200b\u200d", "\x00"):
        with refused(p, Why.EMPTY):
            p.create_post(p.bo, nothing)
    with refused(p, Why.TOO_LONG):
        p.create_post(p.bo, "x" * 501)
    with refused(p, Why.BAD_TEXT):
        p.create_post(p.bo, "half a smile: \ud83d")
    number = p.create_post(p.bo, f"  {'x' * 500}\n")
    assert p.feed.texts[number] == "x" * 500


@pytest.mark.parametrize("stance", [1.01, -2, float("nan"), float("inf")])
def test_a_stance_is_between_minus_1_and_1(p: Trio, stance: float) -> None:
    with refused(p, Why.OUT_OF_RANGE):
        p.create_post(p.bo, "Well", stance)
    with refused(p, Why.OUT_OF_RANGE):
        p.quote_post(p.bo, p.post, "Well", stance)


def test_a_post_takes_a_stance_only_if_it_says_so(p: Trio) -> None:
    assert p.feed.posts.stance[p.create_post(p.bo, "Well", -0.25)] == -250
    assert p.feed.posts.stance[p.create_post(p.bo, "Well")] == -32768


def test_interests_are_those_of_the_bio_and_the_latest_five_posts(p: Trio) -> None:
    ada = p.feed.users.vector
    before = ada[p.ada].tolist()
    assert any(before)
    assert not ada[p.bo].any(), "an empty bio says nothing"
    p.create_post(p.ada, "Trains are late again, and nobody says why.")
    assert ada[p.ada].tolist() != before
    for _ in range(5):
        p.create_post(p.bo, "United won the cup on penalties.")
    only = ada[p.bo].tolist()
    p.create_post(p.bo, "United won the cup on penalties.")
    assert ada[p.bo].tolist() == only
    assert 120 <= sum(x * x for x in only) ** 0.5 <= 134


def test_a_repost_has_no_words_and_counts_on_its_root(p: Trio) -> None:
    again = p.repost(p.bo, p.post)
    card = p.card(again)
    assert (card.kind, card.root, card.via, card.text) == ("repost", p.post, p.post, "The loaf came out golden.")
    assert (card.author, card.writer) == (p.bo, p.ada)
    assert p.feed.posts.kind[again] == REPOST
    p.like_post(p.cy, again)
    p.dislike_post(p.cy, again)
    p.create_comment(p.cy, again, "Lovely")
    p.report_post(p.cy, again)
    assert p.feed.accounts[p.cy].likes == p.feed.accounts[p.cy].dislikes == {p.post}
    posts = p.feed.posts
    counters = (posts.likes, posts.dislikes, posts.comments, posts.reports, posts.reposts)
    assert [int(column[p.post]) for column in counters] == [1] * 5
    assert [int(column[again]) for column in counters] == [0] * 5


def test_a_repost_of_a_repost_remembers_the_card_it_came_by(p: Trio) -> None:
    first = p.repost(p.bo, p.post)
    second = p.repost(p.cy, first)
    assert (p.card(second).via, p.card(second).root) == (first, p.post)
    assert p.card(p.post).reposts == 2


def test_nobody_reposts_one_root_twice_by_whatever_card(p: Trio) -> None:
    again = p.repost(p.bo, p.post)
    for card in (p.post, again):
        with refused(p, Why.ALREADY_REPOSTED):
            p.repost(p.bo, card)


def test_a_quote_has_words_and_counters_of_its_own(p: Trio) -> None:
    quote = p.quote_post(p.bo, p.repost(p.cy, p.post), "She is right")
    assert p.feed.posts.kind[quote] == QUOTE
    p.like_post(p.cy, quote)
    card = p.card(quote)
    assert (card.text, card.likes, card.root) == ("She is right", 1, quote)
    assert card.quoted is not None
    assert (card.quoted.number, card.quoted.likes, card.quoted.quotes) == (p.post, 0, 1)
    assert card.via == p.post + 1, "the repost it was quoted from"


def test_a_quote_of_a_quote_is_about_the_original(p: Trio) -> None:
    first = p.quote_post(p.bo, p.post, "She is right")
    second = p.quote_post(p.cy, first, "So is he")
    card = p.card(second)
    assert card.quoted is not None
    assert (card.quoted.number, card.via) == (p.post, first)
    assert (p.card(p.post).quotes, p.card(first).quotes) == (2, 0)


def test_a_quote_can_be_reposted_and_quoting_has_no_limit(p: Trio) -> None:
    quote = p.quote_post(p.bo, p.post, "She is right")
    p.quote_post(p.bo, p.post, "I say it again")
    again = p.repost(p.cy, quote)
    assert p.card(again).root == quote
    shown = p.card(again).quoted
    assert shown is not None
    assert shown.number == p.post


def test_a_quote_needs_words(p: Trio) -> None:
    with refused(p, Why.EMPTY):
        p.quote_post(p.bo, p.post, " ")
    with refused(p, Why.TOO_LONG):
        p.quote_post(p.bo, p.post, "x" * 501)


# ---- deleting


def test_only_ones_own_posts_can_be_deleted(p: Trio) -> None:
    with refused(p, Why.NOT_YOURS):
        p.delete_post(p.bo, p.post)
    with refused(p, Why.NOT_YOURS):
        p.delete_post(p.bo, CROWDS_POST)
    p.delete_post(p.ada, p.post)


def test_nothing_can_be_done_to_a_deleted_post_its_reposts_and_its_comments(p: Trio) -> None:
    again = p.repost(p.bo, p.post)
    comment = p.create_comment(p.bo, p.post, "Lovely")
    p.like_post(p.bo, p.post)
    p.dislike_post(p.bo, p.post)
    p.like_comment(p.bo, comment)
    p.dislike_comment(p.bo, comment)
    p.delete_post(p.ada, p.post)
    one = (p.like_post, p.unlike_post, p.dislike_post, p.undo_dislike_post, p.repost, p.report_post, p.delete_post)
    for card in (p.post, again):
        for act in one:
            with refused(p, Why.DELETED):
                act(p.bo, card)
        for say in (p.quote_post, p.create_comment):
            with refused(p, Why.DELETED):
                say(p.bo, card, "Well")
    for act in (p.like_comment, p.unlike_comment, p.dislike_comment, p.undo_dislike_comment):
        with refused(p, Why.DELETED):
            act(p.bo, comment)


def test_a_quote_of_a_deleted_post_stays_and_shows_that_it_is_gone(p: Trio) -> None:
    quote = p.quote_post(p.bo, p.post, "She is right")
    p.delete_post(p.ada, p.post)
    card = p.card(quote)
    assert (card.quoted, card.lost) == (None, "deleted")
    p.like_post(p.cy, quote)
    with refused(p, Why.DELETED):
        p.quote_post(p.cy, quote, "So is he")


def test_a_deleted_repost_can_be_made_again(p: Trio) -> None:
    again = p.repost(p.bo, p.post)
    p.delete_post(p.bo, again)
    assert p.card(p.post).reposts == 0
    p.repost(p.bo, p.post)
    assert p.card(p.post).reposts == 1


def test_a_deleted_quote_counts_no_more(p: Trio) -> None:
    p.delete_post(p.bo, p.quote_post(p.bo, p.post, "She is right"))
    assert p.card(p.post).quotes == 0


# ---- likes and dislikes


def test_like_and_dislike_do_not_depend_on_one_another(p: Trio) -> None:
    p.like_post(p.bo, p.post)
    p.dislike_post(p.bo, p.post)
    assert (p.card(p.post).likes, p.card(p.post).dislikes, p.card(p.post).score) == (1, 1, 0)
    p.unlike_post(p.bo, p.post)
    assert (p.card(p.post).likes, p.card(p.post).dislikes, p.card(p.post).score) == (0, 1, -1)


def test_likes_and_dislikes_of_a_post_come_once_and_can_be_taken_back_once(p: Trio) -> None:
    for act, undo, already, lacking in (
        (p.like_post, p.unlike_post, Why.ALREADY_LIKED, Why.NOT_LIKED),
        (p.dislike_post, p.undo_dislike_post, Why.ALREADY_DISLIKED, Why.NOT_DISLIKED),
    ):
        with refused(p, lacking):
            undo(p.bo, p.post)
        act(p.bo, p.post)
        with refused(p, already):
            act(p.bo, p.post)
        undo(p.bo, p.post)
        with refused(p, lacking):
            undo(p.bo, p.post)


def test_likes_and_dislikes_of_a_comment_come_once_and_can_be_taken_back_once(p: Trio) -> None:
    comment = p.create_comment(p.cy, p.post, "Lovely")
    for act, undo, already, lacking in (
        (p.like_comment, p.unlike_comment, Why.ALREADY_LIKED, Why.NOT_LIKED),
        (p.dislike_comment, p.undo_dislike_comment, Why.ALREADY_DISLIKED, Why.NOT_DISLIKED),
    ):
        with refused(p, lacking):
            undo(p.bo, comment)
        act(p.bo, comment)
        with refused(p, already):
            act(p.bo, comment)
        undo(p.bo, comment)
        with refused(p, lacking):
            undo(p.bo, comment)


def test_posts_of_the_crowd_are_liked_commented_and_passed_on(p: Trio) -> None:
    p.like_post(p.bo, CROWDS_POST)
    p.create_comment(p.bo, CROWDS_POST, "Well")
    p.repost(p.bo, CROWDS_POST)
    card = p.card(CROWDS_POST)
    assert (card.likes, card.comments, card.reposts, card.name) == (1, 1, 1, "User 0")


def test_an_unknown_post_or_comment_is_refused(p: Trio) -> None:
    for number in (-1, p.feed.posts.n, 10**12):
        for act in (p.like_post, p.unlike_post, p.dislike_post, p.undo_dislike_post, p.repost, p.report_post):
            with refused(p, Why.UNKNOWN_POST):
                act(p.bo, number)
        with refused(p, Why.UNKNOWN_POST):
            p.delete_post(p.bo, number)
        for say in (p.quote_post, p.create_comment):
            with refused(p, Why.UNKNOWN_POST):
                say(p.bo, number, "Well")
    for number in (-1, 0, 10**12):
        for act in (p.like_comment, p.unlike_comment, p.dislike_comment, p.undo_dislike_comment):
            with refused(p, Why.UNKNOWN_COMMENT):
                act(p.bo, number)


# ---- comments and reports


def test_a_comment_has_1_to_500_letters_a_tone_and_a_doubt(p: Trio) -> None:
    with refused(p, Why.EMPTY):
        p.create_comment(p.bo, p.post, "")
    with refused(p, Why.TOO_LONG):
        p.create_comment(p.bo, p.post, "x" * 501)
    for tone, doubt in ((2, 0), (-2, 0), (0, 11), (0, -1)):
        with refused(p, Why.OUT_OF_RANGE):
            p.create_comment(p.bo, p.post, "Well", tone, doubt)
    number = p.create_comment(p.bo, p.post, "Well", -1, 10)
    assert (p.feed.comments.tone[number], p.feed.comments.doubt[number]) == (-1, 10)


def test_nobody_reports_twice_or_oneself(p: Trio) -> None:
    p.report_post(p.bo, p.post, "not bread")
    assert p.last == Reported(p.post, "not bread", user=p.bo)
    with refused(p, Why.ALREADY_REPORTED):
        p.report_post(p.bo, p.post)
    with refused(p, Why.ONESELF):
        p.report_post(p.ada, p.post)
    with refused(p, Why.TOO_LONG):
        p.report_post(p.cy, p.post, "x" * 201)


# ---- users


@pytest.mark.parametrize("who", ["bo", SOMEONE])
def test_follow_mute_and_block_come_once_and_end_once(p: Trio, who: str | int) -> None:
    other = p.bo if who == "bo" else SOMEONE
    for act, undo, already, lacking in (
        (p.follow, p.unfollow, Why.ALREADY_FOLLOWING, Why.NOT_FOLLOWING),
        (p.mute, p.unmute, Why.ALREADY_MUTED, Why.NOT_MUTED),
        (p.block, p.unblock, Why.ALREADY_BLOCKED, Why.NOT_BLOCKED),
    ):
        with refused(p, lacking):
            undo(p.ada, other)
        act(p.ada, other)
        with refused(p, already):
            act(p.ada, other)
        undo(p.ada, other)
        with refused(p, lacking):
            undo(p.ada, other)


def test_nobody_follows_mutes_blocks_or_writes_to_oneself(p: Trio) -> None:
    for act in (p.follow, p.mute, p.block, p.read_messages):
        with refused(p, Why.ONESELF):
            act(p.ada, p.ada)
    with refused(p, Why.ONESELF):
        p.send_message(p.ada, p.ada, "Note to self")


def test_an_unknown_user_is_refused(p: Trio) -> None:
    for number in (-1, p.feed.users.n, 10**12):
        for act in (p.follow, p.unfollow, p.mute, p.unmute, p.block, p.unblock, p.read_messages):
            with refused(p, Why.UNKNOWN_USER):
                act(p.ada, number)
        with refused(p, Why.UNKNOWN_USER):
            p.send_message(p.ada, number, "Hello")


def test_a_block_ends_both_follows(p: Trio) -> None:
    p.follow(p.ada, p.bo)
    p.follow(p.bo, p.ada)
    p.block(p.ada, p.bo)
    assert follows(p.feed) == [(0, 1)]
    assert p.feed.users.fans[[p.ada, p.bo]].tolist() == [0, 0]


def test_a_block_ends_a_follow_by_the_crowd(p: Trio) -> None:
    import numpy as np

    from sandbox.feed.graph import add_follows

    add_follows(p.feed.graph, np.array([2, 0], np.int32), np.array([p.ada, p.ada], np.int32))
    p.feed.users.fans[p.ada] += 2
    p.block(p.ada, 2)
    assert sorted(follows(p.feed)) == [(0, 1), (0, p.ada)]
    assert p.feed.users.fans[p.ada] == 1


@pytest.mark.parametrize("way", ["the blocked", "who blocks"])
def test_after_a_block_neither_follows_writes_comments_likes_or_passes_on(p: Trio, way: str) -> None:
    comment = p.create_comment(p.ada, CROWDS_POST, "Well")
    message = p.send_message(p.ada, p.bo, "Hello")
    group = p.create_group(p.ada, "Bakers")
    p.join_group(p.bo, group)
    said = p.send_to_group(p.ada, group, "Hello")
    quote = p.quote_post(p.cy, p.post, "She is right")
    theirs = p.repost(p.ada, p.create_post(p.cy, "Rain"))
    p.like_post(p.bo, p.post)
    if way == "the blocked":
        p.block(p.ada, p.bo)
    else:
        p.block(p.bo, p.ada)
    with refused(p, Why.BLOCKED):
        p.follow(p.bo, p.ada)
    with refused(p, Why.BLOCKED):
        p.send_message(p.bo, p.ada, "Hello", message)
    with refused(p, Why.BLOCKED):
        p.send_to_group(p.bo, group, "Hello", said)
    for act in (p.like_post, p.dislike_post, p.repost):
        for card in (p.post, theirs):
            if (act, card) == (p.like_post, p.post):
                continue
            with refused(p, Why.BLOCKED):
                act(p.bo, card)
    for act in (p.like_comment, p.dislike_comment):
        with refused(p, Why.BLOCKED):
            act(p.bo, comment)
    for say in (p.create_comment, p.quote_post):
        with refused(p, Why.BLOCKED):
            say(p.bo, p.post, "Well")
    with refused(p, Why.BLOCKED):
        p.quote_post(p.bo, quote, "a quote of a quote is about the original")
    p.unlike_post(p.bo, p.post)
    p.report_post(p.bo, p.post)
    p.send_to_group(p.bo, group, "To all others")


def test_an_unblock_lets_all_be_as_before_but_the_follows(p: Trio) -> None:
    p.follow(p.bo, p.ada)
    p.block(p.ada, p.bo)
    p.unblock(p.ada, p.bo)
    p.like_post(p.bo, p.post)
    p.follow(p.bo, p.ada)


def test_a_muted_word_is_muted_once_whatever_its_capitals(p: Trio) -> None:
    p.mute_word(p.bo, "  Rain ")
    with refused(p, Why.ALREADY_MUTED):
        p.mute_word(p.bo, "RAIN")
    p.unmute_word(p.bo, "rain")
    with refused(p, Why.NOT_MUTED):
        p.unmute_word(p.bo, "rain")
    for act in (p.mute_word, p.unmute_word):
        with refused(p, Why.EMPTY):
            act(p.bo, " \u200b ")
        with refused(p, Why.TOO_LONG):
            act(p.bo, "x" * 81)


# ---- messages and groups


def test_a_message_has_words_and_answers_one_of_its_conversation(p: Trio) -> None:
    first = p.send_message(p.ada, p.bo, "Hello")
    p.send_message(p.bo, p.ada, "Hello yourself", first)
    assert p.last == Messaged(first + 1, p.ada, NOBODY, first, user=p.bo, text="Hello yourself")
    with refused(p, Why.EMPTY):
        p.send_message(p.bo, p.ada, " ")
    with refused(p, Why.TOO_LONG):
        p.send_message(p.bo, p.ada, "x" * 501)
    for other, quotes in ((p.cy, first), (p.ada, 99), (p.ada, -2)):
        with refused(p, Why.UNKNOWN_MESSAGE):
            p.send_message(p.bo, other, "Well", quotes)


def test_a_message_can_be_written_to_the_crowd(p: Trio) -> None:
    p.send_message(p.bo, SOMEONE, "Hello")
    assert [m.text for m in p.messages(p.bo, SOMEONE)] == ["Hello"]


def test_a_group_is_joined_once_and_left_once(p: Trio) -> None:
    group = p.create_group(p.ada, "Bakers")
    with refused(p, Why.ALREADY_IN_GROUP):
        p.join_group(p.ada, group)
    with refused(p, Why.NOT_IN_GROUP):
        p.leave_group(p.bo, group)
    p.join_group(p.bo, group)
    p.leave_group(p.bo, group)
    with refused(p, Why.NOT_IN_GROUP):
        p.leave_group(p.bo, group)
    assert list(p.feed.groups[group].members) == [p.ada]


def test_a_group_has_a_name(p: Trio) -> None:
    with refused(p, Why.EMPTY):
        p.create_group(p.ada, " ")
    with refused(p, Why.TOO_LONG):
        p.create_group(p.ada, "x" * 81)


def test_who_is_not_in_a_group_neither_writes_to_it_nor_listens(p: Trio) -> None:
    group = p.create_group(p.ada, "Bakers")
    said = p.send_to_group(p.ada, group, "Hello")
    with refused(p, Why.NOT_IN_GROUP):
        p.send_to_group(p.bo, group, "Hello")
    with refused(p, Why.NOT_IN_GROUP):
        p.listen_from_group(p.bo, group)
    for number in (-1, 7):
        for act in (p.join_group, p.leave_group, p.listen_from_group):
            with refused(p, Why.UNKNOWN_GROUP):
                act(p.bo, number)
        with refused(p, Why.UNKNOWN_GROUP):
            p.send_to_group(p.bo, number, "Hello")
    for quotes in (said + 1, -3):
        with refused(p, Why.UNKNOWN_MESSAGE):
            p.send_to_group(p.ada, group, "Well", quotes)
    for text, why in (("", Why.EMPTY), ("x" * 501, Why.TOO_LONG)):
        with refused(p, why):
            p.send_to_group(p.ada, group, text)


# ---- looking


def test_a_search_needs_letters(p: Trio) -> None:
    for act in (p.search_posts, p.search_users):
        with refused(p, Why.EMPTY):
            act(p.bo, "  ")
        with refused(p, Why.TOO_LONG):
            act(p.bo, "x" * 201)


def test_a_look_shows_at_most_a_hundred_cards(p: Trio) -> None:
    for count in (-1, 101):
        with refused(p, Why.OUT_OF_RANGE):
            p.refresh(p.bo, count)


# ---- in a town


class Town:
    """What a command sees of a world."""

    def __init__(self, p: Trio) -> None:
        self.feed, self.now, self.means = p.feed, p.now, p


def test_a_command_becomes_the_event_of_a_resident(p: Trio) -> None:
    (done,) = run_feed_command(
        Town(p), OnFeed(by="bo", action="like_post", arguments={"post": p.post}, reason="it is true")
    )
    assert (done.actor, done.event) == ("bo", Reacted("like", "post", p.post, user=p.bo, reason="it is true"))
    (done,) = run_feed_command(Town(p), OnFeed(by="dee", action="sign_up", arguments={"name": "Dee"}))
    assert isinstance(done.event, SignedUp)
    assert (done.actor, done.event.handle, done.event.user) == ("dee", "dee", p.cy + 1)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (OnFeed(by="dee", action="like_post", arguments={"post": 1}), Why.UNKNOWN_USER),
        (OnFeed(action="do_nothing"), Why.UNKNOWN_USER),
        (OnFeed(by="bo", action="sign_up", arguments={"name": "Bo"}), Why.TAKEN_HANDLE),
        (OnFeed(by="dee", action="sign_up", arguments={"name": "Dee", "handle": "d"}), Why.WRONG_ARGUMENT),
        (OnFeed(by="bo", action="like_post", arguments={}), Why.WRONG_ARGUMENT),
        (OnFeed(by="bo", action="follow", arguments={"other": "bo"}), Why.ONESELF),
    ],
)
def test_a_command_that_makes_no_sense_is_refused(p: Trio, command: OnFeed, why: Why) -> None:
    with refused(p, why):
        run_feed_command(Town(p), command)


def test_a_rule_alone_changes_nothing(p: Trio) -> None:
    from sandbox.feed import acts_of_posts
    from sandbox.feed.acting import ActingUser

    before = dump(p.feed)
    acts_of_posts.react_to(ActingUser(p.feed, p.bo, p.now), "like", "post", p.post)
    acts_of_posts.repost(ActingUser(p.feed, p.bo, p.now), p.post)
    acts_of_posts.create_post(ActingUser(p.feed, p.bo, p.now), "Hello")
    assert dump(p.feed) == before


# ---- arguments of any type


class Words_(str):
    """A text that is no plain one."""


ODD: tuple[Any, ...] = (
    None, 1.5, float("nan"), float("inf"), "a", b"a", [], {}, object(), 10**5000, -(10**5000), np.float64(1.0),
    np.array([1, 2]),
)  # fmt: skip


@pytest.mark.parametrize("name", [a.name for a in ACTIONS.values()])
def test_nothing_but_refused_comes_of_an_argument_of_another_type(name: str) -> None:
    p = Stage()
    ada, bo = p.sign_up("ada", "Ada"), p.sign_up("bo", "Bo")
    p.create_comment(ada, p.create_post(ada, "Bread."), "Mine.")
    p.create_group(ada, "Bakers")
    fit = {"user": bo, "post": 0, "comment": 0, "group": 0, "text": "a", "number": 0, "share": 0.0, "message": -1}
    for wrong in ACTIONS[name].arguments:
        for odd in ODD:
            given = {a.name: fit.get(a.of, 0) for a in ACTIONS[name].arguments if a.needed} | {wrong.name: odd}
            before, deeds = dump(p.feed), len(p.records)
            call = getattr(p, name)
            try:
                call(**given) if name == "sign_up" else call(ada, **given)
            except Refused:
                assert dump(p.feed) == before
                assert len(p.records) == deeds
            else:
                msgspec.json.decode(msgspec.json.encode(p.records[-1].event), type=type(p.records[-1].event))


@pytest.mark.parametrize("who", ODD, ids=[type(x).__name__ for x in ODD])
def test_who_acts_is_a_number(who: Any) -> None:
    p = Stage()
    with pytest.raises(Refused):
        p.do_nothing(who)
    with pytest.raises(Refused):
        p.do(who, "trend")


@pytest.mark.parametrize("reason", [None, 0, 5, b"why", ["why"]])
def test_a_reason_is_a_text(reason: Any) -> None:
    p = Stage()
    ada = p.sign_up("ada", "Ada")
    with pytest.raises(Refused, match="a reason is a text"):
        p.create_post(ada, "Bread.", reason=reason)


def test_numbers_and_texts_of_other_types_are_kept_as_plain_ones() -> None:
    p = Stage()
    ada = p.sign_up(np.str_("ada"), Words_("Ada"), reason=Words_("I am here."))
    post = p.create_post(np.int64(ada), np.str_("Bread."), np.float32(0.5), reason=np.str_("It is."))
    p.create_comment(ada, np.uint8(post), "Mine.", tone=np.int8(1), doubt=True)
    for record in p.records:
        again = msgspec.json.decode(msgspec.json.encode(record.event), type=type(record.event))
        assert again == record.event


def test_time_ends_where_a_feed_can_have_no_more() -> None:
    p = Stage()
    ada = p.sign_up("ada", "Ada")
    with pytest.raises(ValueError, match="68 years"):
        p.advance(10**10)
    p.advance(2**31 - 1)
    assert p.create_post(ada, "The last.") == 1
    with pytest.raises(ValueError, match="68 years"):
        p.tick()


@pytest.mark.parametrize("seed", [-1, "a", 1.0, None])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Stage(seed=seed)
