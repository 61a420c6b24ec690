"""Where street and feed cross, by the causes that events name."""

from __future__ import annotations

import pytest
from phonelog import PhoneLog
from storyworld import Lived

from sandbox.core.clock import DAY
from sandbox.readers.crossings import KEPT, Crossing, Crossings, End


def one(log: PhoneLog) -> Crossing:
    (found,) = log.crossings().found
    return found


def kinds(x: Crossing) -> tuple[str, str, str]:
    return x.way, x.came.kind, x.made.kind


# ---- from the street to the feed


def test_a_post_of_what_happened_comes_from_the_street_with_the_thread_it_is_about() -> None:
    log = PhoneLog()
    log.begins("p")
    row = log.stirs("ann", 2, t=60)
    log.posts("cy", row, t=120, matter="p")
    found = one(log)
    assert kinds(found) == ("feed", "pressure_stirred", "posted")
    assert (found.came, found.rule, found.thread) == (End(row, 60, "pressure_stirred", "ann"), "", "thread of p")
    assert (found.made.who, found.made.t) == ("cy", 120)


def test_a_post_by_a_rule_crosses_by_it() -> None:
    log = PhoneLog()
    first = log.begins("p")
    card, wrote = log.posts("ann", first, matter="p", rule="subtweet")
    log.crosses("subtweet", "feed", "ann", "ben", wrote, card=card)
    assert one(log).rule == "subtweet"


def test_of_no_matter_the_thread_is_the_posts_own() -> None:
    log = PhoneLog()
    log.posts("ann")
    card, _ = log.posts("ann", log.closes("1.ann.ben", "ann", "ben"))
    assert one(log).thread == f"post {card}"


def test_a_message_about_what_presses_somebody_comes_from_the_street() -> None:
    log = PhoneLog()
    log.writes_to("ann", "cy", log.begins("p"), matter="p")
    assert (kinds(one(log)), one(log).thread) == (("feed", "pressure_began", "messaged"), "thread of p")


def test_what_comes_of_a_post_alone_stays_on_the_feed() -> None:
    log = PhoneLog()
    post = log.posts("ann")
    log.comments("ben", post[0], post[1])
    log.posts("cy", log.reads("cy", post))
    log.likes("ben", post[0], post[1])
    assert log.crossings().found == []


@pytest.mark.parametrize("act", ["unfollow", "block", "follow", "mute"])
def test_who_lets_go_of_somebody_over_what_happened_crosses_and_who_follows_does_not(act: str) -> None:
    log = PhoneLog()
    gone = log.lets_go("ann", log.closes("1.ann.ben", "ann", "ben"), act=act)
    log.crosses("unfollow", "feed", "ann", "ben", gone)
    found = log.crossings().found
    assert [(kinds(x), x.rule, x.thread) for x in found] == (
        [(("feed", "talk_closed", "connected"), "unfollow", "ann>ben")] if act in ("unfollow", "block") else []
    )


def test_a_post_about_a_feeling_comes_of_what_the_feeling_came_of() -> None:
    log = PhoneLog()
    talk = log.closes("1.ann.ben", "ann", "ben")
    log.posts("ann", log.feels("ann", talk))
    assert one(log).came.seq == talk
    log = PhoneLog()
    log.posts("ben", log.feels("ben", log.reads("ben", log.posts("ann"))))
    assert log.crossings().found == [], "it came of a post"


# ---- from the feed to the street


def test_a_feeling_alone_is_no_crossing() -> None:
    log = PhoneLog()
    log.feels("ben", log.reads("ben", log.posts("ann")))
    assert log.crossings().found == []


def test_a_matter_that_moves_by_what_was_read_crosses_back() -> None:
    log = PhoneLog()
    first = log.begins("p")
    post = log.posts("cy", matter="p")
    log.stirs("ben", log.reads("ben", post, "cy"), first)
    found = one(log)
    assert (kinds(found), found.thread, found.rule) == (("street", "posted", "pressure_stirred"), "thread of p", "")
    assert found.came.who == "cy"


def test_a_rule_that_has_run_is_the_end_on_the_street_and_what_is_born_of_it_names_its_thread() -> None:
    log = PhoneLog()
    card, wrote = log.posts("ann")
    ran = log.crosses("telling_like", "street", "ben", "ann", log.reads("ben", (card, wrote)), card=card)
    assert one(log).thread == f"post {card}"
    log.begins("q", "ben", "ann", ran)
    found = one(log)
    assert (kinds(found), found.rule, found.thread) == (("street", "posted", "crossed"), "telling_like", "thread of q")


def test_a_rule_keeps_the_thread_of_the_matter_that_the_post_is_about() -> None:
    log = PhoneLog()
    log.begins("p")
    post = log.posts("ann", matter="p", rule="clip")
    ran = log.crosses("clip", "street", "ben", "ann", log.reads("ben", post), card=post[0])
    log.begins("q", "ben", "ann", ran)
    assert [x.thread for x in log.crossings().found] == ["thread of p"]


def test_a_like_can_be_what_it_came_of() -> None:
    log = PhoneLog()
    post = log.posts("cy")
    like = log.likes("ben", post[0], post[1])
    log.crosses("telling_like", "street", "ann", "ben", like)
    assert (kinds(one(log)), one(log).thread) == (("street", "reacted", "crossed"), f"post {post[0]}")


def test_a_talk_about_a_post_crosses_once_by_the_rule_of_that_post() -> None:
    log = PhoneLog()
    log.begins("p")
    read = log.reads("ben", log.posts("ann", matter="p", rule="falsehood"))
    opened = log.opens("1.ben.cy", "ben", "cy", read)
    log.says("1.ben.cy", "ben", "cy", opened, read)
    log.says("2.ben.ann", "ben", "ann", read)
    made = log.crossings().found
    assert [(kinds(x), x.rule, x.thread) for x in made] == [
        (("street", "posted", "talk_opened"), "falsehood", "thread of p"),
        (("street", "posted", "exchanged"), "falsehood", "thread of p"),
    ]


def test_what_happens_in_town_over_what_has_crossed_is_none_again() -> None:
    log = PhoneLog()
    log.begins("p")
    moved = log.stirs("ben", log.reads("ben", log.posts("cy", matter="p")))
    log.stirs("ben", moved)
    assert len(log.crossings().found) == 1


# ---- what a log may lack


def test_what_is_long_ago_or_not_on_record_is_told_by_its_number() -> None:
    log = PhoneLog()
    log.posts("ann", 9999)
    old = log.closes("1.ann.ben", "ann", "ben", t=0)
    log.posts("ann", old, t=KEPT + 2 * DAY)
    assert [x.came for x in log.crossings().found] == [End(9999), End(old)]


def test_it_does_not_matter_in_which_slices_a_log_is_read(hour: Lived) -> None:
    whole, slices = Crossings(), Crossings()
    whole.read(hour.records)
    for record in hour.records:
        slices.read((record,))
    assert whole.found == slices.found
    assert whole.found
