"""The feed on the screen: what its tabs list, that only what is in view is made, its sheets, its marks on the map."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from larkspur import SIZES, SMALL, WIDE, Clock, Town, live, press, said, screen_of, settle, text, until, words
from textual.pilot import Pilot

from sandbox.core.events import Stamp
from sandbox.core.places import shipped_folder
from sandbox.engine.loading import load
from sandbox.engine.scenario import Scenario
from sandbox.feed.commands import OnFeed
from sandbox.feed.events import Posted
from sandbox.feed.handlers import HANDLERS
from sandbox.feed.model import DIMENSIONS, NOBODY, REPOST, Feed
from sandbox.phones.model import Phone, PhoneState, Pile, Written
from sandbox.store.session import open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.graph.metrics import Cascade, column_chart, growth
from sandbox.tui.map import scene
from sandbox.tui.map.scene import LANDS, LOOKS, authors_of_new_posts, looking
from sandbox.tui.panes import feed_tabs
from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.feed_reader import CALM
from sandbox.tui.panes.replay_jumps import jump_to
from sandbox.tui.sheets.find import FeedFinder
from sandbox.tui.sheets.post import TABS, PostSheet
from sandbox.tui.view import opening
from sandbox.tui.view.card_lists import AuthorCards, Newest

NEXT = "right_square_bracket"
QUIET = ("feed.on=true", "phones.looks=0")  # nobody takes a phone out by themselves


@pytest.fixture(scope="session")
def quiet() -> Scenario:
    """Larkspur with a feed on which only those write who are told to."""
    return load(shipped_folder("worlds") / "larkspur", seed=42, set=[*QUIET, "feed.crowd=0"])


@pytest.fixture(scope="session")
def crowded() -> Scenario:
    """The same with forty strangers, who never look."""
    return load(shipped_folder("worlds") / "larkspur", seed=42, set=[*QUIET, "feed.crowd=40", "crowd.activity=0"])


@asynccontextmanager
async def feed_of(
    scenario: Scenario, size: tuple[int, int] = WIDE, who: str = "", clock: Clock | None = None
) -> AsyncIterator[tuple[SandboxApp, Pilot[None], FeedPane]]:
    """The app over a town, its feed in front."""
    app = SandboxApp(Town(scenario), clock=clock or perf_counter)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        screen = screen_of(app)
        if who:
            screen.choose(who)
        await press(pilot, "5")
        yield app, pilot, screen.find(FeedPane)


async def act(pilot: Pilot[None], by: str, action: str, **arguments: Any) -> None:
    """Have a resident do something, and see what comes of it."""
    app = pilot.app
    assert isinstance(app, SandboxApp)
    app.viewer.session.engine.do(OnFeed(by=by, action=action, arguments=arguments))
    await app.viewer.pace.ask_step()
    assert app.viewer.pace.fault is None, app.viewer.pace.words
    screen_of(app).pulse()
    await settle(pilot)


async def post(pilot: Pilot[None], by: str, says: str) -> int:
    """A post; its number."""
    await act(pilot, by, "create_post", text=says)
    app = pilot.app
    assert isinstance(app, SandboxApp)
    return int(app.viewer.world.feed.posts.n) - 1


async def follow(pilot: Pilot[None], by: str, other: str | int) -> None:
    """Have a resident follow somebody, unless they do."""
    app = pilot.app
    assert isinstance(app, SandboxApp)
    feed = app.viewer.world.feed
    number = feed.handles[other] if isinstance(other, str) else other
    if number not in feed.accounts[feed.handles[by]].follows:
        await act(pilot, by, "follow", other=other)


def many(feed: Feed, user: int, count: int) -> None:
    """Posts of one user, as their events would add them."""

    class World:
        pass

    World.feed = feed  # type: ignore[attr-defined]
    for n in range(count):
        e = Posted(
            user=user, post=feed.posts.n, text=f"Loaf number {n}.", vector=bytes(DIMENSIONS), topic=1, stance=None
        )
        HANDLERS[Posted](World, e, Stamp(1, 1, 0, "", ()))


def told(pane: FeedPane) -> str:
    """The pane's words, its lines put together again."""
    width, height = pane.content_size
    return " ".join(" ".join(said(line) for line in pane.lines(width, height)).split())


def words_of(pane: FeedPane) -> list[tuple[int, str]]:
    """The rows of the pane that hold words of cards."""
    rows = [said(line) for line in pane.lines(*pane.content_size)]
    return [(y, row.rstrip()) for y, row in enumerate(rows) if row.startswith("  ")]


def sheet(app: SandboxApp) -> str:
    """The words of the open sheet."""
    top = screen_of(app).sheets.topmost
    assert top is not None
    return " ".join(" ".join(said(line) for entry in top.entries(74) for line in entry.lines).split())


# ---- what it lists


@SIZES
async def test_the_town_is_told_newest_first_by_name_and_mood(quiet: Scenario, size: tuple[int, int]) -> None:
    async with feed_of(quiet, size) as (app, pilot, pane):
        assert app.focused is pane
        first = await post(pilot, "mara", "The bread is out.")
        await act(pilot, "jory", "like_post", post=first)
        await act(pilot, "otis", "quote_post", post=first, text="Not a loaf was left.")
        await act(pilot, "una", "repost", post=first)
        rows = told(pane)
        assert rows.index("passed on by Una") < rows.index("Otis") < rows.rindex("The bread is out.")
        assert "│ Mara: The bread is out." in rows
        assert "♥ 1" in rows
        assert "Feed of the town" in words(app)
        screen_of(app).choose("mara")
        await settle(pilot)
        assert "Feed as Mara" in words(app)
        assert len(text(app)) == size[1]


@pytest.mark.slow
async def test_each_tab_that_lists_nothing_says_why_and_how_it_fills(quiet: Scenario) -> None:
    none = load(shipped_folder("worlds") / "larkspur", seed=42, set=["feed.on=false", "feed.crowd=0"])
    async with feed_of(none) as (_, _, pane):
        for n in range(len(pane.tabs)):
            pane.show_tab(n)
            assert "feed.on=true" in told(pane)
    async with feed_of(quiet, SMALL) as (app, pilot, pane):
        for who, says in (
            ("", ("lets time run", "Choose somebody", "Choose somebody", "lets time run", "enter: type", "Choose")),
            ("mara", ("lets time run", "Nothing is ready", "It fills", "lets time run", "enter: type", "no messages")),
        ):
            screen_of(app).choose(who)
            for n, word in enumerate(says):
                pane.show_tab(n)
                assert word in told(pane), (who, pane.tabs[n].name)
        pane.town.only = True
        pane.show_tab(0)
        assert "Mara has posted nothing yet" in told(pane)
        await press(pilot, "enter", "j", "k", "G", "g", "pagedown")  # keys bear with an empty list
        pane.viewer.world.feed.handles.pop("mara")
        pane.viewer.view.version += 1
        pane.show_tab(1)
        assert "Mara has no account" in told(pane)


async def test_a_person_follows_is_shown_and_has_messages(quiet: Scenario) -> None:
    async with feed_of(quiet, who="mara") as (app, pilot, pane):
        await post(pilot, "otis", "Rye bread and nothing else, every morning.")
        await follow(pilot, "mara", "otis")
        await act(pilot, "otis", "send_message", other="mara", text="Keep me a loaf.")
        for tab, wanted in (
            ("For you", "because Mara follows Otis"),
            ("Following", "Rye bread and nothing else"),
            ("Messages", "1 unread"),
        ):
            pane.show_tab([t.name for t in pane.tabs].index(tab))
            assert wanted in told(pane), tab
        await press(pilot, "enter")
        assert screen_of(app).sheets.kind == "mail"
        assert "Keep me a loaf." in sheet(app)
        assert "unread" in sheet(app)
        screen_of(app).choose("jory")
        assert "Somebody else is chosen" in sheet(app)


@pytest.mark.slow
async def test_looking_changes_nothing(quiet: Scenario) -> None:
    async with feed_of(quiet, who="mara") as (app, pilot, pane):
        number = await post(pilot, "otis", "Rye bread.")
        await act(pilot, "otis", "send_message", other="mara", text="Well?")
        world = app.viewer.world
        before = (world.snapshot(), world.feed.proof(), world.feed.users.vector.tobytes(), world.seq)
        for n in range(len(pane.tabs)):
            pane.show_tab(n)
            await press(pilot, "enter", "escape")
        for tab in TABS:
            PostSheet(screen_of(app), number, tab).entries(74)
        assert (world.snapshot(), world.feed.proof(), world.feed.users.vector.tobytes(), world.seq) == before
        assert world.feed.accounts[pane.reader.me].unread


async def test_what_is_muted_is_kept_away(quiet: Scenario) -> None:
    async with feed_of(quiet, who="mara") as (_, pilot, pane):
        await post(pilot, "otis", "About the ladder.")
        await post(pilot, "una", "About the meadow.")
        await act(pilot, "mara", "mute_word", word="ladder")
        assert "hidden from Mara" in told(pane)
        await act(pilot, "mara", "mute", other="otis")
        assert "hidden from Mara" not in told(pane)
        assert len(pane.items()) == 1


async def test_one_key_shows_one_author_and_everybody_again(quiet: Scenario) -> None:
    async with feed_of(quiet, who="mara") as (app, pilot, pane):
        await post(pilot, "mara", "Mine.")
        await post(pilot, "otis", "His.")
        await press(pilot, NEXT, "a")
        assert pane.tab == 0
        assert "Posts of Mara" in words(app)
        assert "His." not in told(pane)
        await press(pilot, "a")
        assert "His." in told(pane)
        await press(pilot, "a")
        assert "His." not in told(pane)
        app.viewer.selected = ""
        pane.pull()
        await pilot.pause()
        assert "His." in told(pane), "of nobody there is nothing to be kept to"


# ---- only what is in view is made


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the cards that were made."""
    out: list[int] = []
    make = feed_tabs.card_lines

    def count(reader: Any, number: int, width: int, note: str = "") -> Any:
        out.append(number)
        return make(reader, number, width, note)

    monkeypatch.setattr(feed_tabs, "card_lines", count)
    return out


@pytest.mark.slow
async def test_a_key_makes_a_screenful_of_cards_however_many_there_are(quiet: Scenario, made: list[int]) -> None:
    async with feed_of(quiet) as (app, pilot, pane):
        feed = app.viewer.world.feed
        many(feed, feed.handles["mara"], 20_000)
        app.viewer.view.version += 1
        pane.pull()
        assert len(pane.items()) == 20_000
        for key in ("G", "pageup", "k", "g", "pagedown", "j"):
            made.clear()
            await press(pilot, key)
            assert len(made) <= pane.content_size.height, key
        made.clear()
        await press(pilot, "k", "j", "k")
        assert not made  # what was drawn is kept as long as it is so


@pytest.mark.slow
async def test_the_list_stays_where_it_is_read_when_more_comes(quiet: Scenario) -> None:
    async with feed_of(quiet) as (app, pilot, pane):
        feed = app.viewer.world.feed
        many(feed, feed.handles["mara"], 30)
        app.viewer.view.version += 1
        pane.pull()
        new = await post(pilot, "otis", "This is new.")
        assert pane.chosen == new  # nobody reads yet: it stays at the newest
        await press(pilot, "j", "j", "j")
        chosen, rows = pane.chosen, words_of(pane)
        await post(pilot, "una", "And this.")
        assert pane.chosen == chosen
        assert words_of(pane) == rows
        assert "above" in str(pane.border_subtitle)
        await press(pilot, "k", "k", "k", "k")
        newest = pane.chosen
        await post(pilot, "una", "Once more.")
        assert pane.chosen == newest  # whoever came to the top by hand reads there
        await press(pilot, "g")
        await post(pilot, "una", "The last.")
        assert pane.chosen == int(feed.posts.n) - 1


async def test_a_card_that_is_deleted_goes_and_the_cursor_stays_near(quiet: Scenario) -> None:
    async with feed_of(quiet) as (_, pilot, pane):
        numbers = [await post(pilot, "mara", f"Loaf {n}") for n in range(4)]
        await press(pilot, "j")
        assert pane.chosen == numbers[2]
        await act(pilot, "mara", "delete_post", post=numbers[2])
        assert pane.chosen == numbers[1]
        assert "Loaf 2" not in told(pane)


@given(st.sets(st.integers(0, 500)), st.integers(0, 500))
def test_the_newest_first_is_found_where_it_stands(cards: set[int], other: int) -> None:
    found = Newest(np.array(sorted(cards), np.int32))
    listed = [found[i] for i in range(len(found))]
    assert listed == sorted(cards, reverse=True)
    assert [found.find(card) for card in listed] == [*range(len(listed))]
    assert (found.find(other) >= 0) == (other in cards)


async def test_a_shelf_keeps_up_and_begins_anew_for_another_feed(quiet: Scenario) -> None:
    town, shelf = Town(quiet), AuthorCards()
    feed, mara = town.world.feed, town.world.feed.handles["mara"]
    for count in (3, 2):
        many(feed, mara, count)
    many(feed, feed.handles["otis"], 1)
    assert shelf.cards(feed, frozenset({mara})).tolist() == [0, 1, 2, 3, 4]
    many(feed, mara, 1)
    assert shelf.cards(feed, frozenset({mara})).tolist() == [0, 1, 2, 3, 4, 6]
    assert not len(shelf.cards(Town(quiet).world.feed, frozenset({mara})))


# ---- what comes from outside


@pytest.mark.slow
@SIZES
async def test_nothing_that_is_written_reaches_the_terminal_as_a_command(
    quiet: Scenario, size: tuple[int, int]
) -> None:
    bad = "[bold red]Fire[/] \x1b[31mred\x1b]0;title\x07 [@click=app.quit]x[/] \u202eturned 美玲"
    async with feed_of(quiet, size, "mara") as (app, pilot, pane):
        number = await post(pilot, "otis", bad)
        await act(pilot, "mara", "create_comment", post=number, text=bad)
        await act(pilot, "una", "quote_post", post=number, text=bad)
        await act(pilot, "otis", "send_message", other="mara", text=bad)
        await act(pilot, "otis", "create_group", name=bad[:70])
        world = app.viewer.world
        world.phones.written[number] = Written(
            "post", number, move="post_news", author="otis", t=60, seq=5, topic=bad, rule=bad
        )
        pane.looked(bad, [world.feed.handles["otis"]], [number])
        for n in range(len(pane.tabs)):
            pane.show_tab(n)
            await settle(pilot)
            rows = text(app)
            assert len(rows) == size[1]
            assert all(c.isprintable() for row in rows for c in row)
        pane.show_tab(0)
        await settle(pilot)
        assert "[bold red]Fire[/] red" in told(pane)
        await press(pilot, "enter", *[NEXT] * len(TABS))
        assert all(c.isprintable() for row in text(app) for c in row)
        assert "[bold red]Fire[/]" in sheet(app)


# ---- looking for something


@pytest.mark.slow
@SIZES
async def test_letters_find_posts_and_users_and_what_was_found_stays(quiet: Scenario, size: tuple[int, int]) -> None:
    async with feed_of(quiet, size) as (app, pilot, pane):
        number = await post(pilot, "mara", "A loaf that nobody fetched.")
        pane.show_tab(pane.tabs.index(pane.search))
        await press(pilot, "enter")
        finder = app.screen
        assert isinstance(finder, FeedFinder)
        await press(pilot, *"otis")
        await until(lambda: not finder.pane.busy)
        assert "Otis" in words(app)
        await press(pilot, *["backspace"] * 4, *"FETCHED")
        await until(lambda: not finder.pane.busy and finder.pane.chosen == number)
        await press(pilot, "enter")
        assert isinstance(screen_of(app).sheets.topmost, PostSheet)
        await press(pilot, "escape")
        assert "FETCHED" in told(pane)
        assert "A loaf that nobody fetched." in told(pane)
        await press(pilot, "g", "enter", *"qqq", "enter")
        assert isinstance(app.screen, FeedFinder)  # nothing was found, and nothing is gone to
        await press(pilot, "escape")
        assert app.screen is screen_of(app)


# ---- sheets


@pytest.mark.slow
@SIZES
async def test_a_post_says_what_it_is_about_whom_it_met_and_why_it_is_shown(
    quiet: Scenario, size: tuple[int, int]
) -> None:
    async with feed_of(quiet, size, "una") as (app, pilot, _):
        number = await post(pilot, "otis", "The loaf I did not get.")
        await follow(pilot, "una", "otis")
        await act(pilot, "una", "like_post", post=number)
        await act(pilot, "jory", "repost", post=number)
        await act(pilot, "mara", "create_comment", post=number, text="Come earlier, then.")
        world = app.viewer.world
        world.phones.written[number] = Written(
            "post",
            number,
            move="subtweet",
            author="otis",
            t=60,
            seq=world.seq,
            cites=world.seq,
            topic="a loaf",
            whom="mara",
            valence=-0.7,
        )
        world.phones.phones["lev"] = Phone(looked=60, read={number: 120})
        world.phones.piles["otis"] = Pile(number, 60, 7, world.seq)
        await press(pilot, "j", "enter")
        screen = screen_of(app)
        await until(lambda: "came of" in sheet(app))
        says = sheet(app)
        for part in (
            "The loaf I did not get.",
            "a loaf",
            "means Mara",
            "sounds bitter",
            "is being attacked",
            "7 so far",
        ):
            assert part in says, part
        for part in ("Una liked", "Jory passed it on", "Mara commented", "only read by Lev", "Come earlier, then."):
            assert part in says, part
        assert "Una follows Otis" in says
        await press(pilot, NEXT)
        assert "1 comment, the newest first" in sheet(app)
        await press(pilot, NEXT, NEXT)
        assert "Who passed it on" in sheet(app)
        assert "» Jory" in sheet(app)
        await press(pilot, NEXT, "enter")  # the first entry is who wrote it
        assert screen.sheets.topmost is None
        assert app.viewer.selected == "otis"


async def test_a_sheet_leads_to_the_event_its_post_came_of(quiet: Scenario) -> None:
    async with feed_of(quiet) as (app, pilot, pane):
        number = await post(pilot, "otis", "The loaf I did not get.")
        world = app.viewer.world
        seq = next(r.stamp.seq for r in app.viewer.view.tail if r.event.KIND == "posted")
        world.phones.written[number] = Written(
            "post", number, move="post_news", author="otis", t=60, seq=seq, cites=seq
        )
        await press(pilot, "enter")
        await until(lambda: "came of" in sheet(app))
        sheet_ = screen_of(app).sheets
        at = next(i for i, e in enumerate(sheet_._entries) if e.key == "came")
        await sheet_._entries[at].enter()
        await settle(pilot)
        assert sheet_.kind == "event"
        assert "Otis posted" in sheet(app)
        await press(pilot, "escape")
        assert sheet_.kind == "post"
        await press(pilot, "escape")
        assert sheet_.topmost is None
        assert app.focused is pane


@pytest.mark.slow
async def test_a_stranger_is_shown_with_what_they_say_and_their_posts(crowded: Scenario) -> None:
    async with feed_of(crowded, who="mara") as (app, pilot, _):
        feed = app.viewer.world.feed
        number = passed_on(feed, 3, NOBODY, 60)
        await follow(pilot, "mara", 3)
        screen = screen_of(app)
        screen.post_message(FeedPane.Opened(number))
        await settle(pilot)
        assert screen.sheets.kind == "post"
        await press(pilot, "enter")
        assert screen.sheets.kind == "user"
        assert "followed there by: Mara" in sheet(app)
        assert "Latest posts" in sheet(app)
        await press(pilot, "escape", "escape")
        assert screen.sheets.topmost is None


async def test_a_post_that_is_gone_says_so(quiet: Scenario) -> None:
    async with feed_of(quiet) as (app, pilot, _):
        number = await post(pilot, "mara", "Not for long.")
        await press(pilot, "enter")
        assert "Not for long." in sheet(app)
        await act(pilot, "mara", "delete_post", post=number)
        assert "is not there" in sheet(app)


# ---- how it went round


def passed_on(feed: Feed, user: int, via: int, t: int) -> int:
    """A card of a stranger, as the crowd's events add them; of NOBODY a post, else a repost of that card."""
    posts = feed.posts
    number = posts.add()
    for column in (posts.vector, posts.last, posts.via):
        column[number] = NOBODY
    posts.author[number], posts.t[number], posts.earlier[number] = user, t, feed.users.newest[user]
    feed.users.newest[user] = number
    posts.root[number] = posts.of[number] = number
    if via == NOBODY:
        at = feed.roots.add()
        feed.roots.card[at], feed.roots.t[at] = number, t
        return number
    root = posts.root[via]
    posts.kind[number], posts.via[number], posts.root[number], posts.of[number] = REPOST, via, root, posts.of[root]
    posts.reposts[root] += 1
    return number


def test_a_tree_tells_residents_and_large_branches_and_folds_the_rest(crowded: Scenario) -> None:
    feed = Town(crowded).world.feed
    mara, otis = feed.handles["mara"], feed.handles["otis"]
    root = passed_on(feed, mara, NOBODY, 0)
    for user in range(10):
        passed_on(feed, user, root, 60)
    way = passed_on(feed, 11, root, 70)  # a stranger, from whom a resident has it
    last = passed_on(feed, otis, way, 80)
    large = passed_on(feed, 12, root, 90)
    for user in range(13, 17):
        passed_on(feed, user, large, 100)
    cascade = Cascade(feed, root, {mara, otis})
    rows = cascade.branches()
    assert [(r.card, r.depth) for r in rows] == [(root, 0), (way, 1), (last, 2), (large, 1), (-1, 2), (-1, 1)]
    assert [r.size for r in rows] == [17, 1, 0, 4, 4, 10]
    assert len(cascade.branches(most=3)) == 4
    assert sum(r.size + 1 for r in cascade.branches(most=3)[1:3]) + cascade.branches(most=3)[-1].size >= 17
    assert len(cascade.times()) == 17


def test_a_long_chain_is_followed(crowded: Scenario) -> None:
    feed = Town(crowded).world.feed
    card = root = passed_on(feed, 0, NOBODY, 0)
    for n in range(3000):
        card = passed_on(feed, n % 40, card, n)
    rows = Cascade(feed, root, ()).branches()
    assert rows[0].size == 3000
    assert len(rows) <= 61


@given(st.lists(st.integers(0, 5000), max_size=50).map(sorted), st.integers(1, 60), st.integers(1, 6))
def test_growth_ends_with_all_and_never_falls(times: list[int], cells: int, rows: int) -> None:
    grown = growth(np.array(times, np.int64), 0, max([1, *times]), cells)
    assert len(grown) == cells
    assert grown == sorted(grown)
    assert grown[-1] == len(times)
    plot = column_chart(grown, rows)
    assert len(plot) == rows
    assert all(len(row) == cells for row in plot)
    assert not times or plot[0][-1] == "█"


# ---- in a replay


@pytest.mark.slow
async def test_a_replay_shows_the_feed_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "day.db"
    async with open_session("larkspur", seed=42, save=path, set=[*QUIET, "feed.crowd=20"]) as session:
        for step in range(30):
            if step == 10:
                session.engine.do(OnFeed(by="mara", action="create_post", arguments={"text": "The bread is out."}))
            await session.engine.step()
    async with opening.open_replay(path) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=WIDE) as pilot:
            await settle(pilot)
            screen = screen_of(app)
            await until(lambda: (tape := screen.scrubber.tape) is not None and tape.whole)
            pane = screen.find(FeedPane)
            await press(pilot, "5")
            for t, there in ((1500.0, True), (300.0, False), (1200.0, True)):
                await jump_to(screen, t)
                await settle(pilot)
                assert ("The bread is out." in told(pane)) is there, t
            await press(pilot, "enter")
            assert "The bread is out." in sheet(app)
            await jump_to(screen, 300.0)
            await settle(pilot)
            assert "is not there" in sheet(app)
            await app.end()


# ---- on the map


def test_who_has_looked_has_their_phone_out_and_a_post_lands_once() -> None:
    phones = PhoneState()
    phones.phones["mara"] = Phone(looked=1000)
    assert [looking(phones, "mara", t) for t in (999, 1000, 1000 + LOOKS - 1, 1000 + LOOKS)] == [
        False,
        True,
        True,
        False,
    ]
    assert not looking(phones, "otis", 1000)
    for n in range(5):
        phones.written[n] = Written("post", n, move="post_news", author=f"p{n}", t=100 * n, seq=1)
    assert [sorted(authors_of_new_posts(phones, t)) for t in (399, 400, 400 + LANDS - 1, 400 + LANDS)] == [
        [],
        ["p4"],
        ["p4"],
        [],
    ]


async def test_marks_of_the_feed_give_way_to_those_of_talk(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        viewer = app.viewer
        await live(app, "08:00")
        while not viewer.floor.at(viewer.world.now - 1):
            await viewer.pace.ask_step()
        t = viewer.world.now - 1
        viewer.pace.paced.shown = float(t)
        phones = viewer.world.phones
        phones.phones.clear()
        phones.written.clear()
        rows = [row for row in viewer.view.rows(t) if row.awake]
        for row in rows:
            phones.phones[row.id] = Phone(looked=t - 1)
        phones.written[1] = Written("post", 1, move="post_news", author=rows[0].id, t=t - 1, seq=1)
        seen = [scene.SeenPerson(row, "") for row in rows]
        pips = scene.MoodChangeMarks(viewer.clock)
        turns = viewer.floor.at(t)
        marks = {f.id: f.mark for f in scene.figures_in_view(viewer, seen, turns, [], pips)}
        talking = {who for turn in turns for who in turn.who}
        assert talking
        assert {marks[row.id] for row in rows[1:] if row.id not in talking} == {"#"}
        assert marks[rows[0].id] == "&" or rows[0].id in talking
        assert not {"#", "&"} & {marks[who] for who in talking if who in marks}


# ---- what it costs


async def test_while_time_runs_a_list_is_made_a_few_times_a_second(
    quiet: Scenario, made: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    async with feed_of(quiet, clock=clock) as (app, pilot, pane):
        await post(pilot, "mara", "The bread is out.")
        viewer = app.viewer
        monkeypatch.setattr(type(viewer.pace), "running", True)
        clock.now += CALM
        viewer.view.version += 1
        pane.pull()
        made.clear()
        for _ in range(100):
            viewer.view.version += 1
            pane.pull()
        assert not made
        clock.now += CALM
        pane.pull()
        assert made
        monkeypatch.undo()


def test_news_is_counted_by_what_residents_write(quiet: Scenario) -> None:
    town = Town(quiet)
    pane = FeedPane(SandboxApp(town).viewer, "feed")
    before = pane.told
    many(town.world.feed, town.world.feed.handles["mara"], 3)
    assert pane.told == before + 3
