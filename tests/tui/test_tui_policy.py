"""The platform's policy on the screen: its tab, live and in a replay, why somebody was shown a card, and its seat."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest
from larkspur import SIZES, SMALL, WIDE, Town, press, said, screen_of, settle, until
from rich.cells import cell_len
from textual.pilot import Pilot

from sandbox.core.places import shipped_folder
from sandbox.engine.loading import load
from sandbox.engine.scenario import Scenario
from sandbox.feed.commands import OnFeed
from sandbox.feed.model import Feed
from sandbox.feed.steering import Columns, Steered, pack_steered, unpack_steered
from sandbox.play.model import Play
from sandbox.policy.model import HAND, LEARNERS, PolicyParameters, Steer, steering_settings
from sandbox.policy.objectives import OBJECTIVES
from sandbox.store.session import open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.feed_policy import PolicyTab
from sandbox.tui.panes.feed_reasons import chosen_reasons, short_reason, shown_reasons
from sandbox.tui.panes.replay_jumps import jump_to
from sandbox.tui.sheets.match import LIVES, MatchSheet
from sandbox.tui.sheets.platform import PolicySheet, read_mix
from sandbox.tui.sheets.receipt import KEPT_NOWHERE
from sandbox.tui.view import opening

BEFORE = "left_square_bracket"
BUSY = ("feed.crowd=60", "feed.tick=60", "crowd.activity=0.9", "crowd.posts=0.5", "phones.looks=0")
BANDIT = ("policy.learner=linucb", "policy.mix=true", "policy.exposure=true")


@pytest.fixture(scope="session")
def busy() -> Scenario:
    """Larkspur with sixty strangers who look all the time, and a round a minute. Nobody steers."""
    return load(shipped_folder("worlds") / "larkspur", seed=42, set=BUSY)


@asynccontextmanager
async def policy_of(
    scenario: Scenario, size: tuple[int, int]
) -> AsyncIterator[tuple[SandboxApp, Pilot[None], FeedPane]]:
    """The app over a town, the tab of the policy in front."""
    app = SandboxApp(Town(scenario))  # type: ignore[arg-type]
    app.viewer.pace.paced.pause()
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, "5", BEFORE)
        yield app, pilot, screen_of(app).find(FeedPane)


async def rounds(app: SandboxApp, pilot: Pilot[None], many: int) -> None:
    """Live so many rounds, and see them."""
    world = app.viewer.world
    end = world.now + many * world.feed_parameters.tick
    while world.now < end:
        await app.viewer.pace.ask_step()
        assert app.viewer.pace.fault is None, app.viewer.pace.words
    screen_of(app).pulse()
    await settle(pilot)


def told(pane: FeedPane) -> str:
    """All that the tab tells, its lines put together."""
    tab, width = pane.tabs[-1], pane.content_size.width
    assert isinstance(tab, PolicyTab)
    items = tab.items()
    lines = [said(line) for i in range(len(items)) for line in tab.lines(items[i], width)]
    assert all(cell_len(line) <= width for line in lines), lines
    return " ".join(" ".join(lines).split())


async def caught_up(pane: FeedPane) -> None:
    """Let it read the log."""
    pane.pull()
    await until(lambda: not pane.tabs[-1].lacks())


def steer(feed: Feed, **decided: object) -> None:
    """Let an event with these decisions steer the feed."""
    columns = Columns(*(np.array(decided.pop(name, ()), float if name in ("scores", "levels") else int)
                        for name in Columns._fields))  # fmt: skip
    feed.steering = unpack_steered(feed, pack_steered(1, "linucb", columns=columns, **{"mix": None, **decided}))  # type: ignore[arg-type]


@SIZES
async def test_where_nobody_steers_the_tab_says_so(busy: Scenario, size: tuple[int, int]) -> None:
    async with policy_of(busy, size) as (app, _, pane):
        assert pane.tabs[pane.tab].name == "Policy"
        assert "Nobody steers the feed." in pane.tabs[-1].says()
        steer(app.viewer.world.feed, fault="ValueError: a mix is three shares")
        app.viewer.view.version += 1
        assert "It failed, and nobody steers this round: ValueError: a mix" in told(pane)


async def test_whoever_is_played_does_not_know_what_the_platform_decides(busy: Scenario) -> None:
    async with policy_of(busy, WIDE) as (app, pilot, pane):
        steer(app.viewer.world.feed, mix=(1.0, 0.0, 0.0))
        app.viewer.session.engine.do(Play(by="mara"))  # type: ignore[union-attr]
        await rounds(app, pilot, 1)
        assert "You cannot know what the platform decides; A (all-knowing view)" in pane.tabs[-1].says()
        assert told(pane) == ""


@SIZES
async def test_the_tab_shows_levers_chosen_cards_rewards_and_stances(size: tuple[int, int]) -> None:
    scenario = load(shipped_folder("worlds") / "larkspur", seed=42, set=[*BUSY, *BANDIT])
    async with policy_of(scenario, size) as (app, pilot, pane):
        await rounds(app, pilot, 6)
        await caught_up(pane)
        text, feed = told(pane), app.viewer.world.feed
        assert "linucb steers, for cross stance" in text
        assert feed.steering is not None
        assert f"{len(feed.steering.users)} cards chosen for" in text
        assert "% set" in text
        assert "Reward a round" in text
        assert "in 5 rounds" in text or "in 6 rounds" in text
        assert "Stances mean" in text
        assert "Cards chosen this round" in text
        await press(pilot, *"jjjjj", "enter")
        assert screen_of(app).sheets.kind == "post"


async def test_a_replay_shows_the_rounds_up_to_the_moment_shown(tmp_path: Path) -> None:
    path = tmp_path / "day.db"
    async with open_session("larkspur", seed=42, save=path, set=[*BUSY, *BANDIT]) as session:
        for _ in range(90):
            await session.engine.step()
    async with opening.open_replay(path) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=SMALL) as pilot:
            await settle(pilot)
            screen = screen_of(app)
            await until(lambda: (tape := screen.scrubber.tape) is not None and tape.whole)
            pane = screen.find(FeedPane)
            await press(pilot, "5", BEFORE)
            for t in (840.0, 300.0, 540.0):
                await jump_to(screen, t)
                await settle(pilot)
                await caught_up(pane)
                tab, steering = pane.tabs[-1], app.viewer.world.feed.steering
                assert isinstance(tab, PolicyTab)
                assert steering is not None
                assert isinstance(steering.event, Steered)
                many = steering.event.number - 1
                assert abs(many - t / 60) <= 1
                assert [one.number for one in tab.book.shown] == [*range(1, many + 1)]
                assert f"mean {np.mean([one.reward for one in tab.book.shown]):.3f} in {many:,} round" in told(pane)
            await app.end()


async def test_who_was_given_a_card_is_told_who_chose_it_and_how_good_it_seemed(busy: Scenario) -> None:
    async with policy_of(busy, WIDE) as (app, _, pane):
        screen, world = screen_of(app), app.viewer.world
        for by in ("mara", "una", "otis"):
            act = OnFeed(by=by, action="create_post", arguments={"text": f"The bread of {by}."})
            app.viewer.session.engine.do(act)  # type: ignore[union-attr]
            await app.viewer.pace.ask_step()
        feed, reader = world.feed, pane.reader
        screen.choose("lev")
        mara, una, otis = (feed.accounts[feed.handles[who]].posts[-1] for who in ("mara", "una", "otis"))
        me = feed.handles["lev"]
        steer(feed, users=[me, me], cards=[una, mara], scores=[0.25, 0.41], silenced=[feed.handles["otis"]],
              levels=[0.25], pins=(otis,))  # fmt: skip
        assert short_reason(reader, mara) == "linucb chose it for Lev: score 0.41, 1 of 2"
        assert chosen_reasons(reader, una) == ["linucb chose it for Lev: score 0.25, 2 of 2"]
        says = [one.says for one in shown_reasons(reader, otis, ())]
        assert says[0] == "pinned by the platform: everybody reads it first"
        assert says[1] == "the platform shows 25 in a hundred of the cards of Otis"
        assert pane.ready.ready()[:3] == [otis, mara, una]
        steer(feed, mix=(0.5, 0.2, 0.3))
        assert (
            shown_reasons(reader, mara, ())[0].says == "linucb set a mix of 50% followed, 20% personal, 30% headlines"
        )
        assert short_reason(reader, mara).startswith("because")


# ---- the platform's seat


async def made(pilot: Pilot[None], app: SandboxApp) -> None:
    """Let the step that a command asked for be made."""
    engine = app.viewer.session.engine
    await until(lambda: not engine.commands)  # type: ignore[union-attr]
    await settle(pilot)


@SIZES
async def test_a_key_lists_learners_by_objective_and_enter_seats_one(busy: Scenario, size: tuple[int, int]) -> None:
    async with policy_of(busy, size) as (app, pilot, pane):
        screen, world = screen_of(app), app.viewer.world
        await press(pilot, "P")
        sheet = screen.sheets.topmost
        assert isinstance(sheet, PolicySheet)
        rows = {entry.key: entry for entry in sheet.entries(60) if entry.does is not None}
        assert {(learner, goal) for learner in LEARNERS for goal in OBJECTIVES} < rows.keys()
        await press(pilot, "j", "j", "j", "enter")  # a lever: turn authors down
        await rows["mix"].enter()
        await {e.key: e for e in sheet.entries(60)}["epsilon", "engagement"].enter()
        await made(pilot, app)
        assert screen.sheets.topmost is None
        found = steering_settings(world)
        assert (found.learner, found.objective, found.cards, found.exposure, found.mix) == (
            "epsilon", "engagement", True, True, True,
        )  # fmt: skip
        assert "epsilon steers, for engagement" in told(pane)


async def test_from_the_seat_the_mix_is_set_and_an_author_turned_down_and_up(busy: Scenario) -> None:
    async with policy_of(busy, WIDE) as (app, pilot, pane):
        screen, world = screen_of(app), app.viewer.world
        await press(pilot, "M")
        assert screen.sheets.topmost is None
        assert any("not in the platform's seat" in n.message for n in app._notifications)
        await press(pilot, "P", "j", "enter")
        await made(pilot, app)
        assert steering_settings(world).learner == HAND
        assert "You steer; worth: cross stance" in told(pane)
        await press(pilot, "M", "j", "enter")
        await made(pilot, app)
        assert world.policy.mix == (1.0, 0.0, 0.0)
        app.viewer.session.engine.do(OnFeed(by="mara", action="create_post", arguments={"text": "Bread."}))  # type: ignore[union-attr]
        await rounds(app, pilot, 2)
        pane.show_tab(0)
        await press(pilot, "D", "j", "enter")
        await made(pilot, app)
        assert world.policy.down == {world.feed.handles["mara"]: 25}
        assert world.policy.mix == (1.0, 0.0, 0.0)
        await rounds(app, pilot, 2)
        assert "1 author; of a hundred cards pass: Mara 25" in told(pane)
        await press(pilot, "D", "G", "enter")
        await made(pilot, app)
        assert world.policy.down == {}


@pytest.mark.parametrize("text", ["60 30", "60 30 20", "a b c", "-10 60 50", ""])
def test_shares_that_are_no_mix_are_refused(text: str) -> None:
    assert read_mix("60, 30 10%") == (0.6, 0.3, 0.1)
    with pytest.raises(ValueError, match="sum to 100"):
        read_mix(text)


async def test_without_a_feed_a_choice_is_refused_in_a_sentence() -> None:
    none = load(shipped_folder("worlds") / "larkspur", seed=42, set=["feed.on=false", "feed.crowd=0"])
    async with policy_of(none, SMALL) as (app, pilot, _):
        await press(pilot, "P", "j", "enter")
        assert any("Not possible: this world has no feed to steer" in n.message for n in app._notifications)
        assert screen_of(app).sheets.kind == "policy"


@pytest.mark.slow
async def test_you_are_told_beside_the_bandit_once_the_other_process_is_done(tmp_path: Path) -> None:
    async with open_session("larkspur", seed=42, save=tmp_path / "a.db", set=BUSY) as session:
        session.engine.do(Steer(settings=PolicyParameters(learner=HAND)))
        for _ in range(20):
            await session.engine.step()
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=SMALL) as pilot:
            await settle(pilot)
            await press(pilot, "V")
            sheet = screen_of(app).sheets.topmost
            assert isinstance(sheet, MatchSheet)
            assert LIVES in sheet.plain()
            await until(lambda: sheet.match is not None)
            assert "mean reward a round" in sheet.plain()
            assert "linucb" in sheet.plain()
            await app.end()


async def test_a_town_that_is_saved_nowhere_has_no_bandit_beside_it(busy: Scenario) -> None:
    async with policy_of(busy, SMALL) as (app, pilot, _):
        await press(pilot, "V")
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, MatchSheet)
        await until(lambda: KEPT_NOWHERE in sheet.plain())
