"""The views of the feed: what they say is what the state is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from types import SimpleNamespace

import pytest
from platforms import CROWD, Stage
from test_platform import lively

from sandbox.core.events import to_row
from sandbox.feed.model import Feed
from sandbox.feed.population import bio
from sandbox.store.schema import FOUNDING, INSERT_FOUNDING
from sandbox.store.views_feed import VIEWS_FEED

CREATE = "CREATE TABLE events (seq, step, t, kind, v, actor, causes, data)"
ADA, BO, CY = CROWD, CROWD + 1, CROWD + 2


def tables(p: Stage) -> sqlite3.Connection:
    """The events of a platform as a save has them, with the views."""
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    db.execute(CREATE)
    db.execute(FOUNDING)
    db.execute(INSERT_FOUNDING, ('{"scenario": {"start": "2025-03-04 07:30"}}',))
    for stamp, event in p.records:
        row = to_row(type(p.records[0])(stamp._replace(seq=stamp.seq + 1), event))
        db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    for name, query in VIEWS_FEED.items():
        db.execute(f"CREATE VIEW {name} AS {query}")
    return db


@pytest.fixture
def p() -> Stage:
    return lively()


@pytest.fixture
def db(p: Stage) -> Iterator[sqlite3.Connection]:
    with closing(tables(p)) as found:
        yield found


def town(people: dict[str, tuple[str, list[str]]], crowd: int) -> sqlite3.Connection:
    """A save of nothing but a town. people: by id, their job and likes."""
    cast = [{"id": who, "name": who.title(), "job": job, "likes": likes} for who, (job, likes) in people.items()]
    feed = {"people": dict.fromkeys(people, "")}
    scenario = {"start": "2025-03-04 07:30", "cast": cast, "feed": feed, "parameters": {"feed.crowd": crowd}}
    db = sqlite3.connect(":memory:")
    db.execute(CREATE)
    db.execute(FOUNDING)
    db.execute(INSERT_FOUNDING, (json.dumps({"scenario": scenario}),))
    db.execute(f"CREATE VIEW feed_users AS {VIEWS_FEED['feed_users']}")
    return db


def rows(db: sqlite3.Connection, columns: str, view: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in db.execute(f"SELECT {columns} FROM {view} ORDER BY seq")]


def pairs(feed: Feed, of: str) -> set[tuple[int, int]]:
    return {(a.number, one) for a in feed.accounts.values() for one in getattr(a, of)}


@pytest.mark.parametrize("name", VIEWS_FEED)
def test_every_view_begins_as_all_views_do_and_has_rows(db: sqlite3.Connection, name: str) -> None:
    found = db.execute(f"SELECT * FROM {name}").fetchall()
    assert found or name in ("feed_dislikes", "feed_comment_dislikes")
    assert [c[0] for c in db.execute(f"SELECT * FROM {name}").description][:5] == ["seq", "step", "t", "clock", "who"]
    assert all(row["clock"].startswith("2025-03-04 07:3") for row in found)


def test_users_posts_and_comments(p: Stage, db: sqlite3.Connection) -> None:
    assert rows(db, "user, handle, name, bio", "feed_users") == [
        (ADA, "ada", "Ada", "I bake bread."),
        (BO, "bo", "Bo", ""),
        (CY, "cy", "Cy", "Trains"),
    ]
    assert rows(db, "who, post, what, root, of, via, text, stance, reason", "feed_posts") == [
        ("ada", 1, "post", 1, None, None, "The loaf came out golden.", 500, "proud"),
        ("cy", 3, "quote", 3, 1, 2, "She is right", None, ""),
    ]
    assert rows(db, "who, comment, post, text, tone, doubt", "feed_comments") == [("bo", 0, 3, "So she is", 1, 0)]


def test_a_towns_people_are_users_who_say_of_themselves_what_their_accounts_do() -> None:
    people = {
        "zoe": ("baker", []),
        "al": ("mill hand", ["bread"]),
        "bo": ("é-biker", ["tea", "rain"]),  # whose first letter SQLite leaves as it is
        "cy": ("Clerk", ["x" * 150, "ä" * 150, "z" * 150]),
    }
    with closing(town(people, 70)) as db:
        found = rows(db, "seq, t, who, user, handle, name, bio, reason", "feed_users")
    bios = [bio(SimpleNamespace(job=job, likes=likes)) for job, likes in people.values()]  # type: ignore[arg-type]
    assert bios[2] == "É-biker. Likes tea and rain."
    bios[2] = bios[2].replace("É", "é")
    assert len(bios[3]) == 400
    wanted = [(1, 0, who, 70 + i, who, who.title(), bios[i], "") for i, who in enumerate(people)]
    assert found == wanted


def test_a_deleted_post_takes_its_reposts_and_comments_out_of_the_views(p: Stage) -> None:
    p.repost(ADA, p.create_post(BO, "Mine"))
    p.delete_post(CY, 3)
    with closing(tables(p)) as db:
        live = [c for c in range(1, p.feed.posts.n) if not p.feed.posts.gone[c]]
        assert rows(db, "post", "feed_posts") == [(c,) for c in live]
        assert rows(db, "comment", "feed_comments") == []


def test_what_was_taken_back_is_not_there(p: Stage) -> None:
    p.like_post(BO, 1)
    p.unlike_post(BO, 1)
    p.like_post(BO, 1)
    p.dislike_post(BO, 3)
    p.dislike_comment(CY, 0)
    p.follow(CY, 0)
    p.unfollow(CY, 0)
    p.follow(CY, BO)
    p.block(BO, CY)
    p.mute(ADA, 0)
    p.unmute(ADA, 0)
    with closing(tables(p)) as db:
        for view, column, of in (
            ("feed_likes", "post", "likes"),
            ("feed_dislikes", "post", "dislikes"),
            ("feed_comment_likes", "comment", "comment_likes"),
            ("feed_comment_dislikes", "comment", "comment_dislikes"),
            ("feed_follows", "other", "follows"),
            ("feed_mutes", "other", "mutes"),
            ("feed_blocks", "other", "blocks"),
            ("feed_reports", "post", "reported"),
            ("feed_groups", "room", "groups"),
        ):
            found = rows(db, f"user, {column}", view)
            assert set(found) == pairs(p.feed, of), view
            assert len(found) == len(set(found))


def test_messages_and_groups(p: Stage, db: sqlite3.Connection) -> None:
    assert rows(db, "who, other, room, text, quotes", "feed_messages") == [
        ("ada", BO, -1, "Hello", -1),
        ("bo", 2, -1, "Hello", -1),
        ("ada", -1, 0, "All well?", -1),
    ]
    assert rows(db, "who, room, name", "feed_groups") == [("bo", 0, "Bakers")]


def test_the_trace_has_every_action_with_its_reason(p: Stage, db: sqlite3.Connection) -> None:
    found = rows(db, "who, kind, reason", "feed_trace")
    assert found == [(r.stamp.actor, r.event.KIND, r.event.reason) for r in p.records]  # type: ignore[attr-defined]
    assert ("cy", "browsed", "tired") in found


def test_what_a_look_showed_is_a_row_each(p: Stage, db: sqlite3.Connection) -> None:
    looks = [r.event for r in p.records if r.event.KIND == "browsed" and r.event.act == "refresh"]  # type: ignore[attr-defined]
    wanted = [(e.user, post, place) for e in looks for place, post in enumerate(e.shown)]  # type: ignore[attr-defined]
    assert rows(db, "user, post, place", "feed_shown") == wanted
    assert wanted
