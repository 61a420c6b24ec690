"""What users read: what is kept from whom, searches, trends, messages, comments."""

from __future__ import annotations

import numpy as np
import pytest
from platforms import Newest, Stage

from sandbox.core.clock import DAY
from sandbox.feed import reading
from sandbox.feed.acting import Refused
from sandbox.feed.cards import Card
from sandbox.feed.model import NOBODY, Feed
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.reading import fold_text, holds_word
from sandbox.feed.tables import Longs


class Square(Stage):
    """Four accounts: Ada writes, Bo passes on, Cy quotes, and Dee reads."""

    def __init__(self, **more: object) -> None:
        super().__init__(**more)
        self.ada, self.bo, self.cy, self.dee = (self.sign_up(n.lower(), n) for n in ("Ada", "Bo", "Cy", "Dee"))
        self.post = self.create_post(self.ada, "The loaf came out golden.")
        self.again = self.repost(self.bo, self.post)
        self.quote = self.quote_post(self.cy, self.post, "She is right")

    def shown(self, *cards: int) -> list[int]:
        """Those of these cards that Dee sees, by default the three."""
        return reading.visible_cards(self.feed, self.dee, cards or (self.post, self.again, self.quote))


@pytest.fixture
def p() -> Square:
    return Square()


# ---- what is kept from whom


def test_all_see_what_nobody_has_muted(p: Square) -> None:
    assert p.shown() == [p.post, p.again, p.quote]
    assert p.shown(NOBODY, p.post) == [p.post], "no card is none"


def test_a_muted_author_is_never_shown(p: Square) -> None:
    p.mute(p.dee, p.ada)
    assert p.shown() == [p.quote], "nor a repost of theirs by somebody else"
    quote = p.card(p.quote, p.dee)
    assert (quote.quoted, quote.lost) == (None, "hidden")
    p.like_post(p.bo, p.post)
    p.mute(p.dee, p.cy)
    assert p.refresh(p.dee, 100) == [p.card(0, p.dee)]
    assert [c.number for c in p.trend(p.dee)] == [0]
    assert p.search_posts(p.dee, "loaf") == []
    assert p.search_users(p.dee, "ada") == []
    p.unmute(p.dee, p.ada)
    assert p.post in p.shown()


def test_who_is_muted_sees_all_as_before(p: Square) -> None:
    p.mute(p.ada, p.dee)
    assert p.shown() == [p.post, p.again, p.quote]


def test_a_muted_reposter_is_not_shown_but_the_post_is(p: Square) -> None:
    p.mute(p.dee, p.bo)
    assert p.shown() == [p.post, p.quote]


@pytest.mark.parametrize("who", ["dee", "ada"])
def test_after_a_block_neither_sees_the_other(p: Square, who: str) -> None:
    theirs = p.create_post(p.dee, "I only read.")
    one, other = (p.dee, p.ada) if who == "dee" else (p.ada, p.dee)
    p.block(one, other)
    assert p.shown() == [p.quote]
    assert reading.visible_cards(p.feed, p.ada, [theirs]) == []
    assert p.search_users(p.dee, "ada") == []
    assert p.search_users(p.ada, "dee") == []
    with pytest.raises(Refused, match="has blocked the other"):
        p.card(p.post, p.dee)
    p.unblock(one, other)
    assert p.card(p.post, p.dee).number == p.post
    assert p.shown() == [p.post, p.again, p.quote]


def test_the_crowd_can_be_muted_and_blocked(p: Square) -> None:
    assert p.shown(0) == [0]
    p.mute(p.dee, 0)
    assert p.shown(0) == []
    p.block(p.bo, 0)
    assert reading.visible_cards(p.feed, p.bo, [0]) == []


def test_a_deleted_post_is_shown_to_nobody_nor_are_its_reposts(p: Square) -> None:
    p.delete_post(p.ada, p.post)
    assert p.shown() == [p.quote]
    assert p.card(p.quote).lost == "deleted"
    assert [c.number for c in p.trend(p.dee)] == [p.quote, 0]
    assert p.search_posts(p.dee, "loaf") == []
    assert p.post not in {c.number for c in p.refresh(p.dee, 100)}


def test_a_deleted_repost_takes_nothing_else_with_it(p: Square) -> None:
    p.delete_post(p.bo, p.again)
    assert p.shown() == [p.post, p.quote]


# ---- muted words


@pytest.mark.parametrize(
    ("word", "text", "kept_away"),
    [
        ("loaf", "The LOAF came out", True),
        ("loaf", "Loafers are shoes", False),
        ("loaf", "A meatloaf", False),
        ("loaf", "loaf!", True),
        ("loaf", "#loaf", True),
        ("loaf", "loaf_2", False),
        ("came out", "It came out golden", True),
        ("came out", "It came outside", False),
        ("STRASSE", "Die Straße ist nass", True),
        ("strasse", "Die Straßenbahn", False),
        ("café", "Im Cafe\u0301 um die Ecke", True),
        ("дождь", "Опять ДОЖДЬ, и ветер", True),
        ("дождь", "Дождьлив", False),
        ("مطر", "هطل مطر اليوم", True),
        ("مطر", "المطرقة", False),
        ("ירושלים", "אני גר בירושלים", False),
        ("ירושלים", "אני אוהב את ירושלים.", True),
        ("बारिश", "आज बारिश है", True),
        ("बारिश", "बारिशों", False),
        ("政治", "我不喜欢谈政治的人", True),
        ("雨", "今日は雨が降る", True),
        ("ฝน", "วันนี้ฝนตก", True),
        ("비", "오늘 비 온다", True),
        ("비", "비행기", False),
        ("🍞", "fresh 🍞!", True),
        ("rain", "r\u200bain", True),
        ("σοφός", "ένας ΣΟΦΌΣ", True),
    ],
)
def test_a_muted_word_keeps_whole_words_away_in_any_script(p: Square, word: str, text: str, kept_away: bool) -> None:
    p.mute_word(p.dee, word)
    number = p.create_post(p.ada, text)
    assert (p.shown(number) == []) is kept_away
    assert (p.shown(p.repost(p.bo, number)) == []) is kept_away
    comment = p.create_comment(p.bo, p.quote, text)
    assert (comment not in {c.number for c in p.comments(p.quote, p.dee)}) is kept_away


def test_a_muted_word_does_not_keep_ones_own_words_away(p: Square) -> None:
    p.mute_word(p.ada, "loaf")
    assert reading.visible_cards(p.feed, p.ada, [p.post]) == [p.post]


def test_an_unmuted_word_is_read_again(p: Square) -> None:
    p.mute_word(p.dee, "loaf")
    assert p.shown() == [p.quote]
    p.unmute_word(p.dee, "Loaf")
    assert p.shown() == [p.post, p.again, p.quote]


def test_words_of_the_crowd_are_muted_as_well() -> None:
    class Rainy(reading.Plain):
        def post(self, feed: Feed, post: int) -> str:
            return "Rain again"

    p = Square(words=Rainy())
    assert p.card(0).text == "Rain again"
    p.mute_word(p.dee, "rain")
    assert [c.number for c in p.search_posts(p.ada, "rain")] == [0]
    assert p.search_posts(p.dee, "rain") == []


def test_folding_and_wholeness_hold_at_the_edges() -> None:
    assert fold_text("İ") == fold_text("i\u0307")
    assert holds_word("a b a", "a")
    assert not holds_word("", "a")
    assert holds_word("aab a", "a"), "a later place is tried, too"


# ---- searching


def test_a_search_is_a_substring_whatever_its_capitals_and_the_newest_come_first(p: Square) -> None:
    later = p.create_post(p.bo, "My LOAF is burnt")
    assert [c.number for c in p.search_posts(p.dee, "oaf")] == [later, p.post]
    assert [c.number for c in p.search_posts(p.dee, "Straße")] == []


@pytest.mark.parametrize("letters", ["%", "_", "100%", "a_b", "'; DROP TABLE", "\\", "["])
def test_percent_and_underscore_are_letters_as_others(p: Square, letters: str) -> None:
    assert p.search_posts(p.dee, letters) == []
    number = p.create_post(p.ada, f"about {letters} today")
    assert [c.number for c in p.search_posts(p.dee, letters)] == [number]
    assert p.search_users(p.dee, letters) == []
    user = p.sign_up("eve", "Eve", f"I like {letters}")
    assert [u.number for u in p.search_users(p.dee, letters)] == [user]


def test_a_search_finds_names_handles_and_bios_and_the_crowd(p: Square) -> None:
    eve = p.sign_up("Mill_er", "Évelyne", "Stones and water")
    for query in ("ÉVEL", "mill_", "WATER"):
        assert [u.number for u in p.search_users(p.dee, query)] == [eve]
    assert [u.number for u in p.search_users(p.dee, "user 1")] == [1]


def test_a_search_shows_twenty_at_most(p: Square) -> None:
    for i in range(25):
        p.create_post(p.ada, f"Loaf {i}")
        p.sign_up(f"baker{i}", "A baker")
    assert [c.text for c in p.search_posts(p.dee, "loaf")][:2] == ["Loaf 24", "Loaf 23"]
    assert len(p.search_posts(p.dee, "loaf")) == 20
    found = p.search_users(p.dee, "baker")
    assert len(found) == 20
    assert found[0].handle == "baker24"


def test_a_search_does_not_show_reposts(p: Square) -> None:
    assert [c.number for c in p.search_posts(p.dee, "loaf")] == [p.post]


# ---- trends and warnings


def test_a_trend_is_what_is_liked_most_of_seven_days_ten_at_most(p: Square) -> None:
    p.like_post(p.bo, p.post)
    p.advance(7 * DAY)
    new = [p.create_post(p.ada, f"Loaf {i}") for i in range(12)]
    p.like_post(p.bo, new[3])
    p.like_post(p.cy, new[3])
    p.like_post(p.bo, new[5])
    found = [c.number for c in p.trend(p.dee)]
    assert found == [new[3], new[5], *(n for n in reversed(new) if n not in (new[3], new[5]))][:10]


def test_a_trend_looks_on_where_much_is_hidden(p: Square) -> None:
    for i in range(100):
        p.like_post(p.bo, p.create_post(p.ada, f"Loaf {i}"))
    p.mute(p.dee, p.ada)
    assert [c.number for c in p.trend(p.dee)] == [p.quote, 0]


def test_two_reports_are_a_warning(p: Square) -> None:
    p.report_post(p.bo, p.again)
    assert not p.card(p.post).warning
    p.report_post(p.cy, p.post)
    assert p.card(p.post).warning
    assert p.card(p.again).warning
    quoted = p.card(p.quote).quoted
    assert isinstance(quoted, Card)
    assert quoted.warning
    assert not p.card(p.quote).warning


# ---- comments


def test_comments_come_the_newest_first_or_the_best_first(p: Square) -> None:
    first, second, third = (p.create_comment(p.bo, p.post, text) for text in ("one", "two", "three"))
    p.like_comment(p.ada, first)
    p.dislike_comment(p.ada, third)
    assert [c.number for c in p.comments(p.post)] == [third, second, first]
    assert [c.number for c in p.comments(p.again, best=True)] == [first, second, third]
    assert [c.number for c in p.comments(p.post, most=2)] == [third, second]
    assert [c.number for c in p.comments(p.post, best=True, most=1)] == [first]
    mine = p.comments(p.post, p.ada)
    assert [(c.liked, c.disliked, c.score) for c in mine] == [(False, True, -1), (False, False, 0), (True, False, 1)]


def test_comments_of_the_muted_and_blocked_do_not_show(p: Square) -> None:
    one, two = p.create_comment(p.bo, p.quote, "one"), p.create_comment(p.ada, p.quote, "two")
    p.mute(p.dee, p.bo)
    p.block(p.ada, p.dee)
    assert p.comments(p.quote, p.dee) == []
    assert [c.number for c in p.comments(p.quote, p.cy)] == [two, one]
    assert p.comments(p.post, p.dee) == []


# ---- messages


def test_a_message_is_unread_until_it_is_read(p: Square) -> None:
    p.send_message(p.ada, p.dee, "one")
    p.send_message(p.ada, p.dee, "two")
    (talk,) = p.conversations(p.dee)
    assert talk.last is not None
    assert (talk.other, talk.group, talk.name, talk.unread, talk.last.text) == (p.ada, NOBODY, "Ada", 2, "two")
    assert [c.unread for c in p.conversations(p.ada)] == [0]
    assert [m.text for m in p.read_messages(p.dee, p.ada)] == ["one", "two"]
    assert p.read_messages(p.dee, p.ada) == []
    p.send_message(p.dee, p.ada, "three")
    p.send_message(p.ada, p.dee, "four")
    assert [m.text for m in p.read_messages(p.dee, p.ada)] == ["four"]
    assert [m.text for m in p.messages(p.dee, p.ada)] == ["one", "two", "three", "four"]


def test_a_group_is_unread_from_when_one_came(p: Square) -> None:
    group = p.create_group(p.ada, "Bakers")
    p.send_to_group(p.ada, group, "before")
    p.join_group(p.dee, group)
    p.send_to_group(p.ada, group, "after")
    p.send_to_group(p.dee, group, "mine")
    assert [c.unread for c in p.conversations(p.dee)] == [1]
    assert [m.text for m in p.listen_from_group(p.dee, group)] == ["after"]
    assert p.listen_from_group(p.dee, group) == []
    assert [m.text for m in p.group_messages(p.dee, group)] == ["before", "after", "mine"]
    assert p.group_messages(p.bo, group) == []
    p.leave_group(p.dee, group)
    assert p.conversations(p.dee) == []
    assert [(r.members, r.inside) for r in p.groups(p.dee)] == [(1, False)]


def test_messages_of_the_muted_and_blocked_and_muted_words_do_not_show(p: Square) -> None:
    group = p.create_group(p.ada, "Bakers")
    for user in (p.bo, p.cy, p.dee):
        p.join_group(user, group)
    for user in (p.ada, p.bo, p.cy):
        p.send_to_group(user, group, f"rain, says {user}" if user == p.cy else "sun")
        p.send_message(user, p.dee, "rain" if user == p.cy else "sun")
    p.mute(p.dee, p.ada)
    p.block(p.bo, p.dee)
    p.mute_word(p.dee, "rain")
    assert p.listen_from_group(p.dee, group) == []
    assert [p.read_messages(p.dee, user) for user in (p.ada, p.bo, p.cy)] == [[], [], []]
    assert [c.group for c in p.conversations(p.dee)] == [group]


def test_conversations_come_the_latest_first(p: Square) -> None:
    group = p.create_group(p.dee, "Bakers")
    p.send_message(p.ada, p.dee, "one")
    p.send_message(p.bo, p.dee, "two")
    assert [(c.other, c.group) for c in p.conversations(p.dee)] == [(p.bo, -1), (p.ada, -1), (-1, group)]
    p.send_to_group(p.dee, group, "three")
    assert p.conversations(p.dee)[0].group == group


def test_who_has_hidden_a_message_by_a_word_still_reads_only_new_ones(p: Square) -> None:
    p.send_message(p.ada, p.dee, "old")
    p.read_messages(p.dee, p.ada)
    p.mute_word(p.dee, "rain")
    p.send_message(p.ada, p.dee, "rain")
    p.send_message(p.ada, p.dee, "new")
    assert [m.text for m in p.read_messages(p.dee, p.ada)] == ["new"]


# ---- refresh


def test_a_look_shows_no_card_twice_and_as_many_as_asked_for() -> None:
    p = Square(parameters=FeedParameters(cache=20, read=5))
    for i in range(30):
        p.create_post(p.ada, f"Loaf {i}")
    p.rank()
    assert len(p.refresh(p.dee)) == 5
    shown = [c.number for c in p.refresh(p.dee, 20)]
    assert len(set(shown)) == 20
    assert set(shown) == set(p.cached(p.dee))


def test_a_recommender_that_names_a_card_twice_has_it_shown_once() -> None:
    class Twice(Newest):
        def rank(self, feed: Feed, users: Longs, now: int, k: int, draw: np.random.Generator) -> np.ndarray:
            return np.zeros((len(users), k), np.int32)

    p = Square(recommender=Twice())
    assert [c.number for c in p.refresh(p.dee, 10)] == [0]


def test_a_look_is_by_lot_named_by_seed_step_and_user() -> None:
    def looks(seed: int) -> list[list[int]]:
        p = Square(seed=seed, parameters=FeedParameters(cache=20))
        for i in range(30):
            p.create_post(p.ada, f"Loaf {i}")
        p.rank()
        out = [[c.number for c in p.refresh(user)] for user in (p.bo, p.dee)]
        p.advance(180)
        return [*out, [c.number for c in p.refresh(p.dee)]]

    first = looks(1)
    assert first == looks(1)
    assert first != looks(2)
    assert len({tuple(one) for one in first}) == 3


def test_a_look_reads_from_what_was_kept_ready(p: Square) -> None:
    p.rank()
    late = p.create_post(p.ada, "Late")
    assert late not in {c.number for c in p.refresh(p.dee, 100)}
    p.rank((p.dee,))
    assert late in {c.number for c in p.refresh(p.dee, 100)}
    eve = p.sign_up("eve", "Eve")
    assert late in {c.number for c in p.refresh(eve, 100)}, "for whom nothing is ready it is made ready"


def test_cards_of_a_look_carry_the_marks_of_who_looks(p: Square) -> None:
    p.like_post(p.dee, p.post)
    p.dislike_post(p.dee, p.quote)
    marks = {c.number: (c.liked, c.disliked) for c in p.refresh(p.dee, 100)}
    assert marks == {0: (False, False), p.post: (True, False), p.quote: (False, True)}


def test_numbers_of_numpy_are_numbers(p: Square) -> None:
    p.like_post(np.int64(p.dee), np.int32(p.again))  # type: ignore[arg-type]
    assert {type(n) for n in p.feed.accounts[p.dee].likes} == {int}
    assert type(p.records[-1].event.user) is int  # type: ignore[attr-defined]


# ---- messages kept from one stay unread, those shown do not come back


def test_a_message_that_was_kept_away_is_read_when_it_shows(p: Square) -> None:
    p.mute_word(p.dee, "secret")
    for text in ("a secret thing", "hello"):
        p.send_message(p.ada, p.dee, text)
    assert [m.text for m in p.read_messages(p.dee, p.ada)] == ["hello"]
    p.unmute_word(p.dee, "secret")
    assert [m.text for m in p.read_messages(p.dee, p.ada)] == ["a secret thing"]
    assert p.read_messages(p.dee, p.ada) == []


def test_what_somebody_muted_wrote_to_a_group_is_heard_when_they_are_not(p: Square) -> None:
    group = p.create_group(p.ada, "Bakers")
    for user in (p.bo, p.cy, p.dee):
        p.join_group(user, group)
    p.mute(p.dee, p.bo)
    p.send_to_group(p.bo, group, "from bo")
    p.send_to_group(p.cy, group, "from cy")
    assert [m.text for m in p.listen_from_group(p.dee, group)] == ["from cy"]
    p.unmute(p.dee, p.bo)
    assert [c.unread for c in p.conversations(p.dee)] == [1]
    assert [m.text for m in p.listen_from_group(p.dee, group)] == ["from bo"]
    assert p.listen_from_group(p.dee, group) == []
    p.leave_group(p.dee, group)
    p.send_to_group(p.bo, group, "missed")
    p.join_group(p.dee, group)
    assert p.listen_from_group(p.dee, group) == []


def test_more_messages_than_one_look_shows_are_each_read_once(p: Square) -> None:
    p.mute_word(p.dee, "secret")
    group = p.create_group(p.dee, "Bakers")
    p.join_group(p.ada, group)
    for i in range(1_300):
        text = f"secret {i}" if i % 5 == 0 else f"loaf {i}"
        p.send_message(p.ada, p.dee, text)
        p.send_to_group(p.ada, group, text)
    for read, of in ((p.read_messages, p.ada), (p.listen_from_group, group)):
        looks = [[m.text for m in read(p.dee, of)] for _ in range(3)]
        assert [len(look) for look in looks] == [1_000, 40, 0]
        assert [*looks[0], *looks[1]] == [f"loaf {i}" for i in range(1_300) if i % 5]
