"""What a save's phones come to: posts and what they cite, rules and their shares, the most seen posts."""

from __future__ import annotations

from struct import pack

import pytest
from phonelog import NOON, PhoneLog
from storyworld import Lived, live

from sandbox.core.clock import DAY, HOUR
from sandbox.engine.world import World
from sandbox.feed.events import Browsed, Posted, Reposted
from sandbox.feed.packing import ActKind, CrowdActed
from sandbox.phones.deck import RULES
from sandbox.readers.phonestats import SEEN, TARGETS, Phones, post_facts


@pytest.fixture(scope="module")
def world() -> World:
    """Larkspur as it begins, with nobody on its feed but its people."""
    return live(0, settings=("feed.crowd=0",)).world


class Mara(PhoneLog):
    """The log of Mara, Jory and Otis, and of a crowd."""

    def crowd(self, *acts: tuple[int, int], t: int = NOON) -> None:
        """What users 0, 1, 2 ... do in one tick."""
        columns = (pack(f"<{len(acts)}I", *range(len(acts))), bytes(a for a, _ in acts))
        targets = pack(f"<{len(acts)}I", *(target for _, target in acts))
        self.add(CrowdActed(180, *columns, targets, b"", b"", bytes(16)), "", t=t)

    def read(self, world: World) -> Phones:
        found = Phones(world)
        found.read(self.records)
        return found


def test_posts_are_counted_by_what_they_cite(world: World) -> None:
    log = Mara()
    row = log.begins("p", "mara", "jory", 1)
    broke = log.stirs("mara", row)
    for who in ("mara", "jory", "otis"):
        log.posts(who, broke)
    log.posts("mara")
    log.posts("una", t=DAY)
    day = log.read(world).of((1,))
    assert (day["posts"], day["cite"], day["most_of_one_event"], day["most_of_one_person"]) == (4, 0.75, 3, 2)
    assert log.read(world).of((1, 2))["posts"] == 5


def test_what_is_cited_weighs_as_much_as_the_row_that_tells_it(world: World) -> None:
    log = Mara()
    log.begins("p", "mara", "jory", 1)
    opened = log.opens("1.mara.jory", "mara", "jory")
    said = log.says("1.mara.jory", "mara", "jory", opened)
    aside = log.stirs("mara", said, answer="dodge")
    sight = log.feels("mara")
    log.closes("1.mara.jory", "mara", "jory", opened, tone="hostile")
    post = log.posts("otis", said)
    read = log.reads("una", post, "otis")
    found = log.read(world)
    weights = [found.weight(seq) for seq in (said, aside, sight, read, 9999)]
    assert weights[0] == weights[1] >= 7.0, "a talk in which two fell out"
    assert weights[2] == 0.0
    assert weights[3] == 2.2, "as an ordinary post"
    assert weights[4] == 0.0
    assert found.of((1,))["cite_notable"] == 1.0


def test_rules_are_counted_and_have_their_share(world: World) -> None:
    log = Mara()
    first = log.begins("p", "mara", "jory", 1)
    card, wrote = log.posts("mara", first, matter="p", rule="subtweet")
    log.crosses("subtweet", "feed", "mara", "jory", wrote, card=card)
    read = log.reads("jory", (card, wrote), "mara", t=NOON + DAY)
    log.crosses("subtweet", "street", "jory", "mara", read, card=card, t=NOON + DAY)
    log.writes_to("mara", "una", first, matter="p")
    found = log.read(world)
    rules = found.rules((1, 2))
    assert list(rules) == list(RULES)
    assert rules["subtweet"] == {
        "fired": 2, "first_day": 1, "to_feed": 1, "to_street": 1, "among_rules": 1.0, "among_all": 0.6667,
    }  # fmt: skip
    assert rules["clip"]["first_day"] is None
    whole = found.of((1, 2))
    assert (whole["crossings"], whole["to_feed"], whole["to_street"], whole["rules_fired"]) == (3, 2, 1, 1)
    assert (whole["most_of_one_rule"], whole["most_among_rules"]) == (0.6667, 1.0)


def test_threads_are_counted_each_way_and_matters_apart(world: World) -> None:
    log = Mara()
    first = log.begins("p", "mara", "jory", 1)
    post = log.posts("mara", first, matter="p")
    log.posts("otis", log.closes("1.otis.una", "otis", "una"))
    log.stirs("jory", log.reads("jory", post, "mara"))
    day = log.read(world).of((1,))
    assert (day["threads_to_feed"], day["threads_to_street"], day["threads_both_ways"]) == (2, 1, 1)
    assert (day["matters_to_feed"], day["matters_to_street"], day["matters_both_ways"]) == (1, 1, 1)
    assert log.read(world).of((2,))["threads_to_feed"] == 0


def test_the_most_seen_post_moved_a_mood_and_began_a_talk(world: World) -> None:
    log = Mara()
    post = log.posts("mara")
    quiet = log.posts("mara", t=NOON + 60)
    read = log.reads("jory", post, "mara", t=NOON + 600)
    log.feels("jory", read, t=NOON + 600)
    log.opens("1.jory.otis", "jory", "otis", read, t=NOON + HOUR)
    log.opens("2.jory.una", "jory", "una", read, t=NOON + 13 * HOUR)
    log.add(Browsed(user=100, act="refresh", shown=(post[0], quiet[0])), "una", t=NOON + 900)
    log.add(Browsed(user=100, act="refresh", shown=(post[0],)), "mara", t=NOON + 900)
    found = log.read(world)
    first, second = found.seen((1,))
    assert (first.number, sorted(first.seen), first.shown) == (post[0], ["jory", "una"], 2)
    assert (first.moved, first.talks, second.talks) == ({"jory"}, {"1.jory.otis"}, set())
    day = found.of((1,))
    assert [day[key] for key in ("seen", "seen_moved", "seen_talked", "seen_both", "looks")] == [2, 1, 1, 1, 3]
    assert post_facts(first)["talks"] == 1


def test_a_talk_over_a_matter_that_a_post_led_to_is_told_apart(world: World) -> None:
    log = Mara()
    post = log.posts("mara")
    ran = log.crosses("clip", "street", "jory", "mara", log.reads("jory", post, "mara"), card=post[0])
    born = log.begins("q", "jory", "mara", ran)
    log.opens("1.jory.mara", "jory", "mara", born, t=NOON + 60)
    (first,) = log.read(world).seen((1,))
    assert (first.talks, first.further) == (set(), {"1.jory.mara"})
    assert log.read(world).of((1,))["seen_further"] == 1


def test_strangers_likes_and_those_who_pass_a_post_on_count_for_it(world: World) -> None:
    log = Mara()
    base = world.feed.posts.n
    log._cards = base
    card, _ = log.posts("mara")
    log.crowd(
        (ActKind.LIKE, card),
        (ActKind.LIKE, card),
        (ActKind.DISLIKE, card),
        (ActKind.WARM, card),
        (ActKind.REPOST, card),
    )
    passed = card + 1  # as the crowd numbers it
    log.add(Reposted(user=100, post=card + 2, root=card, via=passed), "otis")
    log.add(Browsed(user=100, act="refresh", shown=(passed, card + 2)), "jory")
    post = log.read(world).posts[card]
    assert (post.likes, post.dislikes, post.comments, post.passed) == (2, 1, 1, 2)
    assert (post.seen, post.shown) == ({"jory"}, 2), "whoever sees it passed on sees it"


def test_all_figures_are_there_and_have_a_label(world: World) -> None:
    none = Phones(world).of((1,))
    assert tuple(none) == tuple(TARGETS)
    assert none["cite"] is None
    assert none["threads_to_feed"] == none["posts"] == 0
    assert TARGETS["rules_fired"].words() == f"at least {len(RULES)}"
    assert TARGETS["cite"].value(0.6) == "60 %"
    assert TARGETS["cite"].words() == "at least 60 %"
    assert TARGETS["most_of_one_event"].words() == "at most 5"
    assert TARGETS["posts"].value(2.5) == "2.5"
    assert TARGETS["posts"].value(None) == "-"


def test_a_lived_hour_has_its_figures(hour: Lived) -> None:
    found = Phones(World.found(hour.founding))
    found.read(hour.records)
    day = found.of(found.days(hour.world.now))
    posts = [r for r in hour.records if isinstance(r.event, Posted)]
    assert day["posts"] is not None
    assert day["posts"] >= len(posts) > 0
    feed = hour.world.feed.posts
    for post in found.posts.values():
        assert (post.likes, post.dislikes) == (feed.likes.item(post.number), feed.dislikes.item(post.number))
        assert post.comments == feed.comments.item(post.number)
        assert post.passed == feed.reposts.item(post.number) + feed.quotes.item(post.number)
    assert len(found.seen((1,))) <= SEEN
