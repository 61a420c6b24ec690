"""Nobody has another's handle, whoever they are, and who has one is found by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from crowds import Site
from test_loading_tables import feed_of, world

from sandbox.engine.loading import load
from sandbox.feed import Platform, Refused
from sandbox.feed.model import NOBODY
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.reading import user_of
from sandbox.feed.words import CrowdWords

CROWD = 500


@pytest.fixture
def site() -> Platform:
    return Platform("x", seed=3, parameters=FeedParameters(crowd=CROWD), words=CrowdWords(3))


def handle(site: Platform, user: int) -> str:
    return site.words.handle(site.feed, user)


def test_everybody_in_a_drawn_crowd_is_found_by_their_handle(site: Platform) -> None:
    for user in range(CROWD):
        assert user_of(site.feed, handle(site, user), site.words) == user
        assert user_of(site.feed, handle(site, user).upper(), site.words) == user


@pytest.mark.parametrize("given", ["", "_", "nobody", "rosa_", "rosa_zzzzz", "rosa_5", "rosa_½", "_٣", "user5"])
def test_a_handle_nobody_has_is_nobodys(site: Platform, given: str) -> None:
    assert user_of(site.feed, given, site.words) == NOBODY


def test_actions_take_handles_of_the_crowd(site: Platform) -> None:
    me = site.sign_up("me", "Me")
    site.do(me, "follow", other=f"@{handle(site, 7)}")
    assert list(site.feed.accounts[me].follows) == [7]
    with pytest.raises(Refused, match="nobody has the handle"):
        site.do(me, "follow", other="@no_such_user")


def test_nobody_signs_up_under_a_handle_of_the_crowd(site: Platform) -> None:
    with pytest.raises(Refused) as refused:
        site.sign_up(handle(site, 7).title(), "Me")
    assert refused.value.why == "taken_handle"


def test_a_crowd_without_words_has_handles_by_number() -> None:
    site = Platform("x", parameters=FeedParameters(crowd=9))
    assert [user_of(site.feed, name) for name in ("user8", "User8", "user9", "user08", "user")] == [8, 8, -1, -1, -1]
    with pytest.raises(Refused, match="taken"):
        site.sign_up("user8", "Me")


def test_a_search_for_a_handle_finds_its_owner_first(site: Platform) -> None:
    me = site.sign_up("me", "Me", bio=f"I read {handle(site, 7)} every day.")
    found = site.search_users(me, f"@{handle(site, 7)}")
    assert [person.number for person in found[:1]] == [7]
    assert len({person.number for person in found}) == len(found)
    site.mute(me, 7)
    assert 7 not in [person.number for person in site.search_users(me, f"@{handle(site, 7)}")]


def test_users_of_tables_are_found_by_theirs_and_drawn_ones_beside_them(tmp_path: Path) -> None:
    rows = [{"id": "a", "handle": "Zoë"}, {"id": "b"}, {"id": "c", "handle": "c_3"}]
    scenario = load(world(tmp_path / "w", users=rows), set=["feed.crowd=40"])
    feed, words = feed_of(scenario), CrowdWords.of(scenario)
    assert [user_of(feed, name, words) for name in ("zOË", "B", "c_3")] == [0, 1, 2]
    drawn = words.handle(feed, 30)
    assert user_of(feed, drawn, words) == 30


def test_a_taken_handle_is_told_with_the_line_that_has_it(tmp_path: Path) -> None:
    from test_loading_tables import faults

    [told] = faults(world(tmp_path / "w", users=[{"id": "ada"}, {"id": "b", "handle": "Ada"}]))
    assert "is taken by the user in line 2; choose another" in told


def test_what_is_kept_from_one_stays_unread() -> None:
    site = Site(0)
    ada, bo = site.sign_up("ada", "Ada"), site.sign_up("bo", "Bo")
    site.send_message(bo, ada, "Are you there?")
    site.mute(ada, bo)
    assert site.read_messages(ada, bo) == []
    site.unmute(ada, bo)
    assert [message.text for message in site.read_messages(ada, bo)] == ["Are you there?"]
    assert site.read_messages(ada, bo) == []
