"""Being somebody on the screen: taken in hand and given back, walking, saying and doing things, being asked."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from larkspur import SIZES, SMALL, WIDE, Clock, Town, live, press, said, screen_of, settle, text, words
from msgspec.structs import replace
from textual.widgets import Input, Static

from sandbox.core.events import Record, Stamp
from sandbox.director.goal_domain import own_goals
from sandbox.feed.events import Posted
from sandbox.people.played import CameToHead, PutTo, TalkWish
from sandbox.play.model import (
    Bidden,
    Headed,
    Leaned,
    PlayBegan,
    PlayEnded,
    Replied,
    Settled,
    StanceTaken,
    TookPhone,
    Walk,
    Wished,
)
from sandbox.readers.edition import StoryPiece
from sandbox.readers.life import PlaySpan
from sandbox.readers.talks import TalkLine, TalkStory
from sandbox.readers.timeline import TimelineRow
from sandbox.talk.model import Opened
from sandbox.town.ways import Spot
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.panes.nowline import now_line
from sandbox.tui.sheets import page
from sandbox.tui.sheets.play_doings import DoingsSheet, PhoneSheet
from sandbox.tui.sheets.play_talk import ActsSheet, BeginSheet, CoinsSheet
from sandbox.tui.sheets.play_turning import ReplySheet, TurningSheet
from sandbox.tui.sheets.play_whom import ArrivalSheet, WhomSheet
from sandbox.tui.sheets.run_command import until_done
from sandbox.tui.view.ports import until_stop


def done(town: Town, *kinds: type) -> list:
    return [r.event for r in town.journal.lived if isinstance(r.event, kinds)]


async def be(app: SandboxApp, pilot, who: str) -> None:
    """Be somebody, in a town that stands at ten to nine."""
    await live(app, "08:50")
    screen_of(app).choose(who)
    await press(pilot, "p")


@SIZES
async def test_p_has_one_be_the_chosen_person_and_gives_them_back(
    app: SandboxApp, town: Town, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await be(app, pilot, "kit")
        assert len(done(town, PlayBegan)) == 1
        assert app.viewer.plays == "kit"
        assert not app.viewer.pace.running
        assert "You are Kit" in text(app)[0]
        assert "p give back" in text(app)[-1]
        assert "d act" in text(app)[-1]
        await press(pilot, "p")
        assert len(done(town, PlayEnded)) == 1
        assert app.viewer.plays == ""
        assert "You are" not in text(app)[0]
        assert "give back" not in text(app)[-1]


async def test_with_nobody_chosen_p_asks_whom_to_be(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await press(pilot, "p")
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, WhomSheet)
        assert {x.key for x in sheet.entries(60) if x.does is not None} == set(town.world.cast)
        assert not done(town, PlayBegan)
        await press(pilot, "p", "p")
        await choose(app, pilot, "otis")
        await press(pilot, "escape")
        assert app.viewer.plays == app.viewer.selected == "otis"
        assert screen_of(app).sheets.topmost is None


async def test_n_stops_at_what_concerns_whoever_is_played_and_lets_nobody_stand_for_long(
    app: SandboxApp, town: Town
) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen_of(app).choose("kit")
        await press(pilot, "p")
        goal = until_stop(app.viewer)
        line = app.viewer.notable.line
        mine, other = (TimelineRow(0, 2, "!", "words", who, "", line) for who in (("zeno", "kit"), ("zeno", "mara")))
        assert goal.rows is not None
        assert goal.reached([], [other]) == ""
        assert goal.reached([], [other, mine]) == "STOP"
        assert [goal.rows(row) for row in (other, mine, mine._replace(weight=line - 1))] == [False, True, False]
        opened = Opened("t1", "kit", "Market Square / stalls", "chat", 3, ())
        assert goal.reached([Record(Stamp(9, 1, 0, "zeno", ()), opened)], []) == "Zeno comes to talk with Kit"
        assert goal.reached([Record(Stamp(9, 1, 0, "zeno", ()), replace(opened, other="mara"))], []) == ""
        assert (goal.patience, goal.vain) == (1800, "Kit: nothing in half an hour")
        town.engine.do(Walk(by="kit", x=3, y=3))
        await app.viewer.pace.step_once()
        assert until_stop(app.viewer).vain == ""  # who is at something is at it until that is done
        await press(pilot, "u")
        assert "what concerns Kit" in words(app)


async def test_a_stop_is_over_with_the_next_step_and_a_hint_comes_before_it(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        viewer, screen = app.viewer, screen_of(app)
        viewer.whole.add(
            [TimelineRow(viewer.world.now, 2, "!", "Zeno and Mara had words", ("zeno", "mara"), "t1", 9.0)]
        )
        viewer.recalled = TalkStory("t1", ("zeno", "mara"), "Market Square / stalls", 0, "chat", (), "")
        viewer.recalled.lines.append(TalkLine(2, 0, "zeno", "You again.", "snap", -0.5, ""))
        screen.guard.stop_at(viewer.chronicle.told - 1)
        await settle(pilot)
        assert "enter watch" in words(app)
        await press(pilot, "2")  # there enter opens the row
        assert "enter watch" not in words(app)
        await press(pilot, "1")
        assert "enter watch" in words(app)
        await press(pilot, "2", "L", "enter")
        assert viewer.plays == "lodger"
        assert viewer.stop is None
        assert "had words" not in words(app)
        viewer.stop = viewer.whole[viewer.whole.told - 1]
        assert said(now_line(viewer, 118, viewer.keys)).startswith("Robin: the arrows walk")
        assert screen.current == "town"
        assert "lodger" in screen.town.in_view()
        (note,) = (n for n in app._notifications if n.title == "You are Robin")
        assert "You want: " in note.message
        assert all(aim.title in note.message for aim in own_goals(viewer.world, "lodger"))
        await press(pilot, "d")
        assert "your goals: " in words(app)


@pytest.mark.slow
async def test_arrows_walk_whoever_is_played_and_move_the_map_else(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:50")
        await press(pilot, "left")
        assert not done(town, Headed)
        await be(app, pilot, "kit")
        w = app.viewer.world
        before = w.town.spots["kit"].tile
        for key in ("left", "right", "up", "down"):
            await press(pilot, key)
        assert done(town, Headed)
        spot = w.town.spots["kit"]
        assert (spot.to if spot.path else spot.tile) != before or len(done(town, Headed)) > 1


@pytest.mark.slow
async def test_an_arrow_that_leads_nowhere_says_so(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:50")
        await be(app, pilot, "kit")
        w = app.viewer.world
        shut = next(int(t) for t in np.flatnonzero(w.map.cost) if t % w.map.width and not w.map.cost.flat[t - 1])
        w.town.spots["kit"] = Spot(shut, w.now)
        walked = len(done(town, Headed))
        await press(pilot, "left")
        assert "There is no way there." in [note.message for note in app._notifications]
        assert len(done(town, Headed)) == walked


@pytest.mark.slow
@SIZES
async def test_what_there_is_to_say_is_shown_with_what_to_expect_and_said(
    app: SandboxApp, town: Town, clock: Clock, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await be(app, pilot, "kit")
        screen_of(app).choose("jory")
        await press(pilot, "d")
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, ActsSheet)
        assert "You, to Jory" in words(app)
        assert "%" in words(app)
        await press(pilot, "enter")
        assert screen_of(app).sheets.topmost is None
        assert app.viewer.pace.running  # until it is said
        app.viewer.pace.pause()
        await app.viewer.pace.step_once()
        assert [e.whom for e in done(town, Wished)] == ["jory"]
        assert app.viewer.selected == "kit"


@pytest.mark.slow
async def test_while_one_waits_for_somebody_the_status_says_for_whom_and_why(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await be(app, pilot, "kit")
        w = app.viewer.world
        while (talk := next((x for x in w.talk.open.values() if "kit" not in x.who), None)) is None:
            await app.viewer.pace.ask_step()
        busy, other = talk.who
        quiet = next(who for who, r in w.people.residents.items() if who != "kit" and not r.talk)
        talks = f"{w.cast[busy].first} talks with {w.cast[other].first}"
        for whom, says in ((quiet, f"looking for {w.cast[quiet].first}"), (busy, talks)):
            w.played.wish = TalkWish(whom, "chat", "", "", w.now + 1800, 0)
            assert until_done(app.viewer).says == f"as Kit: {says}"
        w.played.wish = None
        assert until_done(app.viewer).says == "as Kit"


@pytest.mark.slow
async def test_ones_own_words_are_typed_and_what_they_sound_like_comes_first(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await be(app, pilot, "kit")
        screen_of(app).choose("zeno")
        await press(pilot, "enter")
        assert isinstance(screen_of(app).sheets.topmost, ActsSheet)
        while screen_of(app).sheets.chosen is None or screen_of(app).sheets.chosen.key != "words":
            await press(pilot, "j")
        await press(pilot, "enter")
        app.screen.query_one(Input).value = "Lovely day, [bold]Zeno[/], you look \x1b[31mwonderful"
        await press(pilot, "enter")
        assert "It sounds like" in words(app)
        assert "\x1b" not in words(app)
        await press(pilot, "enter")
        app.viewer.pace.pause()
        await app.viewer.pace.step_once()
        (wish,) = done(town, Wished)
        assert wish.do == "compliment"
        assert wish.words.startswith("Lovely day")


@pytest.mark.slow
async def test_the_things_of_a_day_can_be_done(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await be(app, pilot, "kit")
        await press(pilot, "d")
        assert isinstance(screen_of(app).sheets.topmost, DoingsSheet)
        assert "At home" in words(app)
        await press(pilot, "enter")
        app.viewer.pace.pause()
        await app.viewer.pace.step_once()
        assert len(done(town, Bidden)) == 1


@pytest.mark.slow
async def test_who_has_come_for_something_is_answered(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await be(app, pilot, "flora")
        pace = app.viewer.pace
        for _ in range(900):  # until somebody has come, in less than three hours
            await pace.step_once()
            if app.viewer.world.played.put is not None:
                break
        await settle(pilot)
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, ReplySheet)
        assert sheet.put == done(town, PutTo)[0]
        assert len(done(town, PutTo)) == 1
        assert not pace.running
        await press(pilot, "escape")
        assert screen_of(app).sheets.topmost is None
        await press(pilot, "d")  # put away, it comes again
        assert isinstance(screen_of(app).sheets.topmost, ReplySheet)
        await press(pilot, "j", "j", "enter")  # refuse
        pace.pause()
        await pace.step_once()
        assert [e.how for e in done(town, Replied)] == ["refuse"]


@pytest.mark.slow
async def test_nothing_is_done_as_somebody_who_is_not_played(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:50")
        screen_of(app).choose("kit")
        await press(pilot, "d")
        assert screen_of(app).sheets.topmost is None
        assert "You play nobody" in " ".join(n.message for n in app._notifications)


async def to_a_head(app: SandboxApp, pilot) -> None:
    """Be Mara, who was promised something that is due soon, until that has come to a head."""
    await be(app, pilot, "mara")
    w, pace = app.viewer.world, app.viewer.pace
    w.pressures.open["easter_solo"].due = w.now + 2400
    for _ in range(120):
        await pace.step_once()
        if w.played.turning.point is not None:
            break
    await settle(pilot)


@pytest.mark.slow
@SIZES
async def test_a_turning_point_stops_time_and_asks_for_a_stance(
    app: SandboxApp, town: Town, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await to_a_head(app, pilot)
        assert isinstance(screen_of(app).sheets.topmost, TurningSheet)
        assert not app.viewer.pace.running
        assert "alto solo" in words(app)
        assert "Let be" in words(app)
        assert "not possible: there is nobody yet" in words(app)
        await press(pilot, "j", "enter")
        assert screen_of(app).sheets.topmost is None
        app.viewer.pace.pause()
        await app.viewer.pace.step_once()
        (stance,) = done(town, StanceTaken)
        assert (stance.stance, stance.whom) == ("speak", "hettie")
        await settle(pilot)
        assert screen_of(app).sheets.topmost is None  # it is asked once


@pytest.mark.slow
async def test_let_be_goes_on_and_a_sheet_put_away_comes_again_with_d(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await to_a_head(app, pilot)
        await press(pilot, "escape")
        assert screen_of(app).sheets.topmost is None
        screen_of(app).choose("mara")
        await press(pilot, "d", "enter")
        assert isinstance(screen_of(app).sheets.topmost, TurningSheet)
        await press(pilot, "enter")
        assert [e.stance for e in done(town, StanceTaken)] == ["let_be"]


@pytest.mark.slow
async def test_turning_points_can_be_switched_off(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        app.change("turning", "off")
        await to_a_head(app, pilot)
        assert done(town, CameToHead)
        assert screen_of(app).sheets.topmost is None


@pytest.mark.slow
async def test_b_tries_a_stance_in_a_save_named_after_it(app: SandboxApp, town: Town, monkeypatch) -> None:
    asked: list[tuple] = []
    async with app.run_test(size=WIDE) as pilot:
        await to_a_head(app, pilot)
        monkeypatch.setattr(app, "take_back", lambda viewer, step, title="": asked.append((step, title)))
        await press(pilot, "j", "b")
        assert asked == [(app.viewer.world.step, "speak up: Hettie")]
        await press(pilot, "b")
        assert len(asked) == 1  # there is no sheet any more


async def choose(app: SandboxApp, pilot, key: object) -> None:
    """Go down to a row of what is open, and take it."""
    for _ in range(60):
        chosen = screen_of(app).sheets.chosen
        if chosen is not None and chosen.key == key:
            break
        await press(pilot, "j")
    await press(pilot, "enter")


@pytest.mark.slow
@SIZES
async def test_something_is_begun_from_the_list_of_all_that_can_be(
    app: SandboxApp, town: Town, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await be(app, pilot, "kit")
        screen_of(app).choose("jory")
        await press(pilot, "d")
        await choose(app, pilot, "begin")
        assert isinstance(screen_of(app).sheets.topmost, BeginSheet)
        await choose(app, pilot, ("give_word", "give_promise", 0))
        assert screen_of(app).sheets.topmost is None
        app.viewer.pace.pause()
        await app.viewer.pace.step_once()
        assert [(e.whom, e.begin) for e in done(town, Wished)] == [("jory", "give_promise")]


@pytest.mark.slow
async def test_coins_are_chosen_or_typed_and_what_is_no_sum_is_said(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await be(app, pilot, "kit")
        screen_of(app).choose("jory")
        await press(pilot, "d")
        await choose(app, pilot, "coins")
        assert isinstance(screen_of(app).sheets.topmost, CoinsSheet)
        await choose(app, pilot, "give")
        for wrong in ("", "0", "-4", "many", "9.5"):
            app.screen.query_one(Input).value = wrong
            await press(pilot, "enter")
            assert "a number of coins" in str(app.screen.query_one("#line-fault").content)
        app.screen.query_one(Input).value = "3"
        await press(pilot, "enter")
        app.viewer.pace.pause()
        await app.viewer.pace.step_once()
        assert [(e.whom, e.do, e.coins) for e in done(town, Wished)] == [("jory", "give", 3)]


@pytest.mark.slow
async def test_each_sum_of_a_loan_can_be_chosen(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await be(app, pilot, "kit")
        screen_of(app).choose("jory")
        await press(pilot, "d")
        await choose(app, pilot, "coins")
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, CoinsSheet)
        loans = [x.key for x in sheet.entries(60) if isinstance(x.key, tuple) and x.key[1] == "borrow"]
        assert len(loans) > 1
        await choose(app, pilot, loans[1])
        app.viewer.pace.pause()
        await app.viewer.pace.step_once()
        assert [(e.begin, e.coins) for e in done(town, Wished)] == [("borrow", loans[1][2])]


@pytest.mark.slow
async def test_no_two_things_to_do_are_the_same_row(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await be(app, pilot, "mara")
        w = town.world
        w.town.spots["mara"] = Spot(w.map.areas["Rowan House / kitchen"].tiles[0], w.now)
        keys = [x.key for x in DoingsSheet(screen_of(app)).entries(60) if x.does is not None]
        assert len(keys) == len(set(keys))


@pytest.mark.slow
async def test_a_newcomer_is_made_on_a_short_screen_and_played(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:50")
        await press(pilot, "L")
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, ArrivalSheet)
        assert not app.viewer.pace.running
        await press(pilot, "j", "enter")
        app.screen.query_one(Input).value = "Wren Hollow"
        await press(pilot, "enter", "j", "enter")
        app.screen.query_one(Input).value = "nosy"
        await press(pilot, "enter")
        assert "no word for a character" in words(app)
        app.screen.query_one(Input).value = "shy"
        await press(pilot, "enter", "j", "enter")
        assert (sheet.made.name, sheet.made.nature) == ("Wren Hollow", "shy")
        assert sheet.made.hair
        await press(pilot, "g", "enter")
        await settle(pilot)
        assert screen_of(app).sheets.topmost is None
        (settled,) = done(town, Settled)
        assert settled.name == "Wren Hollow"
        assert app.viewer.plays == app.viewer.selected == "lodger"
        await press(pilot, "L")
        assert screen_of(app).sheets.topmost is None
        assert "give them back first" in " ".join(n.message for n in app._notifications)


@pytest.mark.slow
async def test_what_to_do_is_said_in_words_and_what_cannot_be_is_told(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await be(app, pilot, "kit")
        await press(pilot, "d")
        await choose(app, pilot, "line")
        field = app.screen.query_one(Input)
        for wrong in ("fly away", "zeno", "lunch at the moon"):
            field.value = wrong
            await press(pilot, "enter")
            assert app.screen.query(Input)
        field.value = "lunch at the Lantern for 20m"
        await press(pilot, "enter")
        await app.viewer.pace.step_once()
        (bidden,) = done(town, Bidden)
        assert bidden.block.do == "lunch"
        app.viewer.pace.pause()


@pytest.mark.slow
async def test_the_page_writes_about_whoever_is_played_and_its_story_is_kept(
    app: SandboxApp, town: Town, tmp_path: Path, monkeypatch
) -> None:
    async def told(save, world, who, days):
        return [StoryPiece("title", f"The story of {world.cast[who].first}")]

    monkeypatch.setattr(page, "saves_dir", lambda: tmp_path / "saves")
    monkeypatch.setattr(page, "story_of", told)
    async with app.run_test(size=WIDE) as pilot:
        await be(app, pilot, "kit")
        for _ in range(3):
            await app.viewer.pace.step_once()
        await screen_of(app).do("go.page")
        await settle(pilot)
        assert "You, as Kit" in words(app) or screen_of(app).sheets.topmost.page.played == "Kit"
        await screen_of(app).do("play.story")
        await settle(pilot)
    (kept,) = (tmp_path / "saves").glob("*-kit.md")
    assert kept.read_text(encoding="utf-8").startswith("# The story of Kit")


@pytest.mark.slow
async def test_the_story_is_offered_as_the_seventh_day_ends_and_on_no_other(
    app: SandboxApp, town: Town, monkeypatch
) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await be(app, pilot, "kit")
        day = 24 * 3600
        for ends, offered in ((3, False), (7, True), (8, False)):
            now = ends * day
            monkeypatch.setattr(page, "played_in", ended(PlaySpan("kit", 0, now)))
            monkeypatch.setattr(app.viewer.world, "now", now)
            await page.offer_story(screen_of(app))
            assert isinstance(screen_of(app).sheets.topmost, page.OfferSheet) is offered
            screen_of(app).close_all()


def ended(span: PlaySpan):
    async def found(save, world):
        return [span]

    return found


@pytest.mark.slow
async def test_who_has_a_vote_says_how_and_uses_the_phone(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await be(app, pilot, "vera")
        await press(pilot, "d")
        await choose(app, pilot, ("vote", False))
        await app.viewer.pace.step_once()
        assert [e.yes for e in done(town, Leaned)] == [False]
        await press(pilot, "d")
        await choose(app, pilot, "phone")
        assert isinstance(screen_of(app).sheets.topmost, PhoneSheet)
        await choose(app, pilot, "look")
        await app.viewer.pace.step_once()
        assert done(town, TookPhone)
        await settle(pilot)
        await choose(app, pilot, "post")
        app.screen.query_one(Input).value = "The meadow [b]stays[/b]."
        await press(pilot, "enter")
        await app.viewer.pace.step_once()
        assert "The meadow [b]stays[/b]." in [e.text for e in done(town, Posted)]
        assert "like" in words(app)


@SIZES
async def test_time_stands_while_something_is_chosen_and_runs_on_after(app: SandboxApp, size: Town) -> None:
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await be(app, pilot, "mara")
        pace = app.viewer.pace
        for key in ("d", "x"):
            pace.toggle()
            assert pace.running
            await press(pilot, key)
            assert screen_of(app).sheets.stands
            assert pace.words == "■ while you choose"
            await press(pilot, "escape")
            assert pace.running
            pace.pause()
            await press(pilot, key, "escape")
            assert pace.words == "■ you paused"
        pace.run_to("the morning")
        await press(pilot, "d")
        assert not pace.running
        await press(pilot, "escape")
        assert pace.words == "▶ the morning"
        await press(pilot, "question_mark")  # which is only read
        assert pace.running


async def test_what_can_be_said_in_words_and_what_is_wrong_with_a_line_stand_there_whole(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await be(app, pilot, "mara")
        screen_of(app).open_sheet(DoingsSheet(screen_of(app)))
        await settle(pilot)
        next(e for e in screen_of(app).sheets.topmost.entries(70) if e.key == "line").does()
        await settle(pilot)
        below = app.screen.query_one("#line-fault", Static)
        assert str(below.content).endswith("wait 20m; give zeno 5; ask esme for work")
        assert below.size.height == 2  # all of it, in so many cells
        await press(pilot, *"fly", "enter")
        assert str(below.content).endswith("`idle` or `give back`")
        assert below.size.height == -(-len(str(below.content)) // below.size.width)
        await press(pilot, "x")
        assert str(below.content) == ""
