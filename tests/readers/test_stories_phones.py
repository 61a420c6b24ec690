"""How what is written on the feed is told: rows with its words, what a rule came to, and the day's page."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from phonelog import PhoneLog
from storyworld import Lived, Village

from sandbox.core.events import Record, Stamp
from sandbox.engine.scenario import Founded, Scenario
from sandbox.engine.world import World
from sandbox.feed.events import Browsed, Connected, Deleted, Posted, WritingDetails
from sandbox.feed.model import DIMENSIONS
from sandbox.feed.packing import ActKind, CrowdActed
from sandbox.people.model import Felt
from sandbox.phones.deck import RULES
from sandbox.phones.model import Crossed, OpinionShift, Read
from sandbox.phones.old_log import OldWrote
from sandbox.readers.all_stories import STORIES, event_sentence
from sandbox.readers.crossings import CrossedWords
from sandbox.readers.day import make_digest
from sandbox.readers.edition import digest_page
from sandbox.readers.feedday import FeedDay
from sandbox.readers.stories_of_feed import MARK
from sandbox.readers.stories_of_phones import RULE_WORDS, SAID
from sandbox.readers.story import Teller, WrappedText
from sandbox.readers.timeline import Timeline, TimelineRow
from sandbox.talk.model import Exchanged, Utterance


def rows(village: Village, log: PhoneLog) -> list[TimelineRow]:
    return Timeline(village.handbook, village.clock).read(log.records)


def texts(village: Village, log: PhoneLog) -> list[str]:
    return [row.text for row in rows(village, log)]


# ---- what is written


def test_a_post_is_one_row_with_its_words(village: Village) -> None:
    log = PhoneLog()
    _, wrote = log.posts("ann", text="The bread is out.", topic="bread", whom="ben")
    (row,) = rows(village, log)
    assert (row.mark, row.text, row.weight, row.seq) == (MARK, "Ann posted: “The bread is out.”", 2.2, wrote)
    assert row.who == ("ann", "ben")


@pytest.mark.parametrize(
    ("about", "text"),
    [
        ({"rule": "subtweet"}, "Ann posted, and named nobody: “Well now.”"),
        ({"rule": "screenshot", "whom": "ben"}, "Ann showed everybody a message from Ben, and wrote: “Well now.”"),
        ({"rule": "apology", "whom": "ben"}, "Ann apologised to Ben for all to read: “Well now.”"),
        ({"rule": "falsehood"}, "Ann posted what is not so: “Well now.”"),
        ({"rule": "appeal", "whom": "ben"}, "Ann asked everybody for money: “Well now.”"),
        ({"rule": "clip"}, "Ann posted a clip of a row: “Well now.”"),
        ({"rule": "a rule of another town"}, "Ann posted: “Well now.”"),
        ({"on": 3, "whom": "ben"}, "Ann passed on what Ben posted, and wrote: “Well now.”"),
        ({"on": 3}, "Ann passed on a post, and wrote: “Well now.”"),
    ],
)
def test_a_rules_post_says_what_it_does(village: Village, about: dict[str, object], text: str) -> None:
    log = PhoneLog()
    log.posts("ann", **about)
    (row,) = rows(village, log)
    assert row.text == text
    assert row.weight == (4.4 if "rule" in about else 2.2)


def test_comments_likes_looks_and_messages_make_no_rows(village: Village) -> None:
    log = PhoneLog()
    post = log.posts("ann")
    told_so_far = len(rows(village, log))
    log.comments("ben", *post)
    log.likes("ben", *post)
    log.reads("ben", post)
    log.writes_to("ben", "ann")
    assert len(rows(village, log)) == told_so_far


@pytest.mark.parametrize(
    ("about", "text"),
    [
        (OldWrote("post", 3, move="post_news", topic="the bread"), "Ann posted about the bread"),
        (OldWrote("message", 3, move="note", whom="ben", topic="the bread"), "Ann wrote to Ben about the bread"),
        (OldWrote("comment", 3, move="chip_in", whom="ben", on=1), "Ann wrote under a post of Ben's"),
        (OldWrote("message", 3, move="note"), "Ann wrote to somebody"),
    ],
)
def test_an_old_log_tells_without_the_words_what_it_was_about(village: Village, about: OldWrote, text: str) -> None:
    assert village.told(about) == text


def test_an_old_log_makes_one_row_of_a_post_with_its_words(village: Village) -> None:
    log = PhoneLog()
    seq = log.add(Posted(3, bytes(DIMENSIONS), 1, None, user=100, text="Bread."), "ann")
    log.add(OldWrote("post", 3, move="post_news", topic="the bread"), "ann", seq)
    assert texts(village, log) == ["Ann posted: “Bread.”"]


def test_the_words_of_a_post_are_cleaned_and_cut(village: Village) -> None:
    log = PhoneLog()
    log.posts("ann", text="\x1b[31mred\n" + "x" * 490)
    (text,) = texts(village, log)
    assert "\x1b" not in text
    assert "\n" not in text
    assert len(text) < 230


def test_its_sheet_says_why_and_by_which_rule(village: Village) -> None:
    about = WritingDetails(move="subtweet", topic="the bread", rule="subtweet")
    e = Posted(3, bytes(DIMENSIONS), 1, None, user=1, text="Bread.", reason="could not bear it", about=about)
    blocks = STORIES[Posted].sheet(Teller(village.handbook), e, village.clock)
    assert [b.text for b in blocks if isinstance(b, WrappedText)] == [
        "It is a post without a name",
        "Why: could not bear it",
        "It is about the bread",
    ]


def test_a_post_taken_down_has_a_row(village: Village) -> None:
    log = PhoneLog()
    log.add(Deleted(user=100, post=3, reason="was put right"), "ann")
    assert texts(village, log) == ["Ann took a post of theirs down: was put right"]


def test_what_is_read_says_what_it_did(village: Village) -> None:
    e = Read("post", 3, "ben", "the bread", meant="cy", swayed=(OpinionShift("the bell", 0.1, 0.2),))
    assert village.told(e) == "Ann read a post by Ben about the bread"
    blocks = STORIES[Read].sheet(Teller(village.handbook), e, village.clock)
    assert [b.text for b in blocks if isinstance(b, WrappedText)] == [
        "Took it to be meant for Cy",
        "Is more for the bell since",
    ]
    counts = Read("post", 3, "ann", "the bread", counts=(7, 1, 2))
    assert village.told(counts) == (
        "Ann saw what has come of their post about the bread: 7 likes, 1 against, 2 comments"
    )


# ---- what crosses


def test_that_a_rule_made_a_post_is_not_told_twice(village: Village) -> None:
    log = PhoneLog()
    card, wrote = log.posts("ann", rule="subtweet")
    log.crosses("subtweet", "feed", "ann", "ben", wrote, card=card)
    assert len(rows(village, log)) == 1


@pytest.mark.parametrize(
    ("rule", "more", "text"),
    [
        ("subtweet", {}, "Ben takes a post of Ann's that names nobody to be about them"),
        ("screenshot", {}, "Ben saw their own message to Ann shown to everybody"),
        ("falsehood", {}, "Ben read what Ann posted, and it is not so"),
        ("apology", {}, "Ben read Ann's apology to them"),
        ("clip", {}, "Ben found themselves on Ann's clip"),
        ("appeal", {}, "Ben read that Ann asks everybody for what is owed to them"),
        ("provenance", {}, "ben and ann, by provenance"),
        ("telling_like", {}, "ben and ann, by telling_like"),
        ("unfollow", {}, "Ben saw that Ann no longer follows them on the feed"),
        ("pile_on", {"pile": True, "hostile": 12}, "12 strangers have turned on Ben for a post"),
        ("pile_on", {"pile": False}, "Strangers leave Ben alone again"),
    ],
)
def test_what_comes_of_reading_is_a_row(village: Village, rule: str, more: dict[str, object], text: str) -> None:
    log = PhoneLog()
    card, wrote = log.posts("ann")
    log.crosses(rule, "street", "ben", "ann", log.reads("ben", (card, wrote)), card=card, **more)
    _, row = rows(village, log)
    assert (row.text, row.weight, row.mark) == (text, 5.4, MARK)


def test_who_takes_a_post_without_a_name_for_another_is_told_so(village: Village) -> None:
    log = PhoneLog()
    card, wrote = log.posts("ann")
    log.crosses("subtweet", "street", "ben", "cy", log.reads("ben", (card, wrote)), card=card)
    assert texts(village, log)[1] == "Ben takes a post of Ann's that names nobody to be about Cy"
    last = log.records[-1]
    assert event_sentence(last, Teller(village.handbook)) == "A post without a name has made Ben think of Cy"


@pytest.mark.parametrize(
    ("act", "text"),
    [("block", "Ann has blocked Ben on the feed"), ("unfollow", "Ann no longer follows Ben on the feed")],
)
def test_who_lets_go_of_somebody_is_told_once_by_name(village: Village, act: str, text: str) -> None:
    log = PhoneLog()
    gone = log.lets_go("ann", act=act)
    log.crosses("unfollow", "feed", "ann", "ben", gone)
    assert texts(village, log) == [text]
    assert event_sentence(log.records[-1], Teller(village.handbook)) == "Ann has let go of Ben on the feed"


@pytest.mark.parametrize(("act", "says"), [("block", "has blocked"), ("unfollow", "no longer follows")])
def test_an_act_of_the_feed_has_one_word_wherever_it_is_told(village: Village, act: str, says: str) -> None:
    """By who does it, who sees it, and the act itself; the people of the town by their names."""
    log = PhoneLog()
    gone = log.lets_go("ann", act=act)
    log.crosses("unfollow", "street", "ben", "ann", gone)
    assert texts(village, log) == [f"Ben saw that Ann {says} them on the feed"]
    teller = Teller(village.handbook, users={101: "ben"}.get)  # type: ignore[arg-type]
    assert event_sentence(log.records[0], teller) == f"Ann {says} Ben on the feed"
    key = "ben<ann blocked" if act == "block" else "ben<ann"  # seen a day later, when the act is not at hand
    seen = Crossed("unfollow", "street", key, "Ben has seen it", "ann")
    assert (
        event_sentence(Record(Stamp(90, 1, 60, "ben", (1,)), seen), teller)
        == f"Ben saw that Ann {says} them on the feed"
    )


def test_people_of_the_town_are_named_where_an_act_of_the_feed_names_a_user(village: Village) -> None:
    log = PhoneLog()
    log.writes_to("ann", "ben")
    log.add(Browsed(user=100, act="listen", shown=(1,), other=101), "ann")
    log.add(Connected(user=100, act="mute", other=2022), "ann")
    known = {100: "ann", 101: "ben"}
    teller = Teller(village.handbook, users=lambda user: known.get(user, ""))
    assert [event_sentence(record, teller) for record in log.records] == [
        "Ann wrote to Ben: “Between us.”",
        "Ann read 1 message of Ben",
        "Ann has muted user 2022 on the feed",
    ]


@pytest.mark.parametrize(
    ("key", "coins", "text"),
    [
        ("paid 3", 7, "Strangers have sent Ben 7 coins"),
        ("paid 3", 0, "Nothing came in for Ben"),
        ("looks 3", 0, "Ben wonders whether what Ann asks money for is true"),
    ],
)
def test_an_appeal_says_what_came_in(village: Village, key: str, coins: int, text: str) -> None:
    from sandbox.phones.model import Crossed

    assert village.rows(Crossed("appeal", "street", key, "so", "ann", 3, coins=coins), "ben")[0].text == text


def test_all_rules_have_words() -> None:
    assert RULE_WORDS.keys() == set(RULES)
    assert {rule for rule, _ in SAID} <= set(RULES)


# ---- the page of a day


class Crowded(PhoneLog):
    """A log that strangers take part in."""

    def liked(self, *cards: int) -> None:
        targets = b"".join(card.to_bytes(4, "little") for card in cards)
        users = b"".join(n.to_bytes(4, "little") for n in range(len(cards)))
        acts = bytes([ActKind.LIKE] * len(cards))
        self.add(CrowdActed(180, users, acts, targets, b"", b"", bytes(16)), "")


def page(hour: Lived, records: list[Record]) -> tuple[str, ...]:
    found = FeedDay(hour.world)
    for record in records:
        found.read(record)
    return found.told()


def test_the_page_tells_the_best_liked_post_and_what_crossed(hour: Lived) -> None:
    log = Crowded()
    plain, best = log.posts("mara", text="Flour."), log.posts("jory", text="Bread.")
    log.liked(best[0], best[0], plain[0])
    log.likes("otis", best[0])
    log.crosses("clip", "feed", "jory", "otis", best[1], card=best[0])
    log.crosses("clip", "street", "otis", "jory", log.reads("otis", best, "jory"), card=best[0])
    assert page(hour, log.records) == (
        "Jory was liked most (3 likes, 1 of them in town): “Bread.”",
        "Otis found themselves on Jory's clip.",
    )
    log.add(Deleted(user=100, post=best[0]), "jory")
    assert page(hour, log.records)[0] == "Mara was liked most (1 like): “Flour.”"
    assert page(hour, []) == ()
    own = [
        record for record in log.records if not record.event.PACKED
    ]  # as whoever keeps no acts of a crowd reads them
    assert page(hour, own[:-1])[0] == "Jory was liked most in town (1 like): “Bread.”"


def test_it_stands_in_a_part_of_its_own(hour: Lived) -> None:
    found = make_digest(hour.records, hour.world)
    assert found.feed
    assert "── On the feed ──" in digest_page(found)


def test_both_ends_of_a_crossing_show_what_links_them(larkspur: Scenario) -> None:
    """A post that came of a mood is told beside that mood, and small talk that came of a post beside what it was of."""
    log = PhoneLog()
    chose = log.stirs("mara")
    felt = log.add(Felt((0.0,) * 3, (0.0,) * 3, "fear", "woke thinking about an oven door"), "mara", chose)
    card, wrote = log.posts("mara", felt)
    look = log.reads("otis", (card, wrote), by="mara")
    lines = tuple(Utterance(who, "", "tell_post", "Esme", "", 0.1, ()) for who in ("otis", "dov"))
    talk = log.add(Exchanged("t", 1, "tell_post", lines, ()), "otis", look)
    posted = wrote
    world = World.found(Record(Stamp(1, 0, 0, "", ()), Founded(larkspur, {})), remember=False)
    words = CrossedWords(world, {chose, posted, talk})
    words.read(log.records)
    assert words.moods == {posted: "Mara woke thinking about an oven door"}
    assert words.told[talk] == "Otis and Dov had a few words about it: Esme"
    assert words.told[posted].startswith("Mara posted: ")


def test_a_post_of_an_old_log_is_told_by_what_is_said_of_it_apart(larkspur: Scenario) -> None:
    """What came of a mood was a subtweet: that it names nobody stands in the event after the post."""
    log = PhoneLog()
    felt = log.feels("mara", log.stirs("mara"))
    card, posted = log.posts("mara", felt)
    act = log.records[-1]
    assert isinstance(act.event, Posted)
    log.records[-1] = act._replace(event=replace(act.event, about=None))
    log.add(OldWrote("post", card, move="post_news", rule="subtweet"), "mara", posted)
    world = World.found(Record(Stamp(1, 0, 0, "", ()), Founded(larkspur, {})), remember=False)
    words = CrossedWords(world, {posted})
    words.read(log.records)
    assert words.told[posted] == "Mara posted, and named nobody: “Well now.”"
