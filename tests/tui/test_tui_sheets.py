"""The sheets that tell: a talk in full, why somebody feels, acts and is tied so, and an event."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from diary import Diary
from larkspur import SIZES, SMALL, WIDE, Town, live, press, said, saved, screen_of, settle, tell, text, words
from textual.events import Click
from textual.pilot import Pilot

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Record, Stamp
from sandbox.director.bet_offers import BetPlaced, BetSettled
from sandbox.director.goal_domain import GoalChosen, GoalDropped, GoalJudged
from sandbox.director.history import AnnalsOpened
from sandbox.director.model import CardOver, CardPlayed, CardReached, Dealt
from sandbox.drama.taking_sides import Showdown, ShowdownTurn
from sandbox.engine.domain import Reseeded, StandIn, StepSet, StoodIn
from sandbox.engine.drivers import run_free
from sandbox.engine.registry import EVENTS
from sandbox.engine.world import World
from sandbox.feed.events import (
    Browsed,
    Commented,
    Connected,
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
    StanceTold,
)
from sandbox.feed.packing import CrowdActed
from sandbox.feed.steering import Steered, Watched
from sandbox.people.claim_model import Broken, Made
from sandbox.people.goal_model import GoalPursued
from sandbox.people.guest_handlers import Came, Left, SetOff
from sandbox.people.model import Block, Felt, Needed
from sandbox.people.mood import Pad
from sandbox.people.paying import Earned, Lacked
from sandbox.people.played import CameToHead, PutTo
from sandbox.people.pressure_model import Sparked
from sandbox.phones.old_log import OldWrote
from sandbox.play.model import (
    Aside,
    Bidden,
    Handed,
    Headed,
    Leaned,
    PlayBegan,
    PlayEnded,
    Replied,
    Saving,
    SawAll,
    Settled,
    StanceTaken,
    Swayed,
    TookLeave,
    TookPhone,
    Wished,
    WishOver,
)
from sandbox.policy.model import PolicyChosen, PolicyParameters, SteeredByHand
from sandbox.readers.all_stories import event_sentence, event_talk
from sandbox.readers.phrases import REPLY, last_talk_effect, remains_words, the_talk
from sandbox.readers.story import Teller
from sandbox.readers.talks import TalkLine, TalkStory
from sandbox.readers.timeline import Timeline, TimelineRow
from sandbox.society.model import Grant, Grew, GrowthParameters, Proposal, Trial
from sandbox.society.saved import SocietyBegan
from sandbox.society.town_model import AskedHelp, HelpRound
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.talk.model import Closed, Exchanged, Opened, Utterance
from sandbox.town.calendar import OccasionCalled
from sandbox.town.conditions import ConditionBegan, ConditionEnded
from sandbox.town.plan import Occasion
from sandbox.town.ways import tile_at
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.event import EventSheet, open_event
from sandbox.tui.sheets.talk import TalkSheet, open_talk, tie_lines
from sandbox.tui.sheets.town_sheet import ReadSheet
from sandbox.tui.sheets.why import LATER, OLDER, TABS, TIES, WhySheet
from sandbox.tui.view import log_queries, opening
from sandbox.tui.view.text_lines import width_of
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.sheet_pane import ASIDE

MOVED = Pad(0.1, 0.0, 0.0)
WIDTHS = (40, 44, 58, 74, 76, 110)
NUMBER = re.compile(r"(pleasure|arousal|dominance|likes|close) +(?:[─━┼]+ )?([+-]\d\.\d\d)")


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory, diary: Diary) -> Path:
    """A day and four hours of Larkspur."""
    return saved(diary, tmp_path_factory.mktemp("lived") / "larkspur.db", DAY + 4 * HOUR)


@pytest.fixture(scope="module")
def aloud(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a day in which all that is said has words: replies that a talk before has turned are mostly small talk."""
    return asyncio.run(_live(tmp_path_factory.mktemp("aloud") / "larkspur.db", 12 * HOUR, "talk.quiet=false"))


async def _live(path: Path, until: int, *settings: str) -> Path:
    async with open_session("larkspur", seed=42, save=path, set=settings) as session:
        await run_free(session.engine, until=until)
    return path


def test_that_a_tie_is_told_later_is_told_whole() -> None:
    story = TalkStory("t", ("ada", "bea"), "", 0, "chat", (), "", seq=2)
    lines = tie_lines(story, "ada", "Bartholomew", ASIDE)
    assert all(width_of(line) <= ASIDE for line in lines)
    assert " ".join(" ".join(map(said, lines)).split()) == "to Bartholomew: told when they part"


def test_what_came_of_an_event_does_not_say_it_again(town: Town) -> None:
    viewer = Viewer(town)
    own, same, other = (
        Record(
            Stamp(seq, 1, 60, who, (2,)), Felt(Pad(0.1, 0, 0), Pad(0.1, 0, 0), "joy", "sat down at last", sort="deed")
        )
        for seq, who in ((5, "mara"), (6, "mara"), (7, "otis"))
    )
    sheet = EventSheet(cast(TownLayout, SimpleNamespace(viewer=viewer)), own)
    sheet._results, sheet._upto = (same, other), 0
    told = "\n".join(said(line) for entry in sheet.entries(70) for line in entry.lines)
    assert told.count("Mara sat down at last") == 1
    assert told.count("Otis sat down at last") == 1


async def test_a_click_on_a_tab_of_a_sheet_shows_it(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "j", "w")
        for name in (TIES, TABS[0]):
            y = next(y for y, row in enumerate(text(app)) if "[ ]" in row)
            await pilot.click(offset=(text(app)[y].index(name) + 1, y))
            await settle(pilot)
            sheet = screen_of(app).sheets.topmost
            assert isinstance(sheet, WhySheet)
            assert sheet.tab == name


@asynccontextmanager
async def gone_on(lived: Path, to: Path, size: tuple[int, int]) -> AsyncIterator[tuple[SandboxApp, Pilot[None]]]:
    """The app over a copy of a save that is gone on with."""
    async with open_session(shutil.copy(lived, to / "larkspur.db")) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            yield app, pilot
            await app.end()


async def reads(app: SandboxApp) -> None:
    """All that sheets have asked of the log has come."""
    await app.workers.wait_for_complete([worker for worker in app.workers if worker.group == "reading"])


async def read(app: SandboxApp, sheet: ReadSheet) -> ReadSheet:
    """The sheet once it has read what it tells."""
    sheet.entries(80)
    await reads(app)
    return sheet


async def stand_still(app: SandboxApp, pilot: Pilot[None]) -> None:
    """All that is being read is read and drawn."""
    await settle(pilot)
    await reads(app)
    await settle(pilot)


def numbers(sheet: WhySheet, width: int = 78) -> list[tuple[str, float]]:
    """The signed numbers a sheet shows, with their names, from the top."""
    lines = [said(line) for entry in sheet.entries(width) for line in entry.lines]
    return [(name, float(value)) for line in lines for name, value in NUMBER.findall(line)]


# ---- why


@pytest.mark.slow
@SIZES
async def test_every_cause_of_a_mood_leads_to_its_event(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "09:00")
        screen, seen = screen_of(app), set()
        for who in list(app.viewer.world.cast)[:3]:
            for entry in WhySheet(screen, who).entries(74):
                if entry.does is None:
                    continue
                seq = entry.key[0]
                await entry.enter()
                await stand_still(app, pilot)
                sheet = screen.sheets.topmost
                if isinstance(sheet, EventSheet):
                    assert sheet.record.stamp.seq == seq
                    seen.add("event")
                else:
                    assert isinstance(sheet, TalkSheet)
                    assert sheet.story is not None
                    assert screen.sheets.chosen is not None
                    worded = any(line.seq == seq for line in sheet.story.lines)
                    assert screen.sheets.chosen.key == ((seq, 0) if worded else "began")
                    seen.add("words" if worded else "talk")
                screen.close_all()
        assert seen == {"event", "talk", "words"}


async def test_causes_and_nature_add_up_to_the_mood(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        await live(app, "09:30")
        for who in app.viewer.world.cast:
            shown = numbers(WhySheet(screen_of(app), who))
            mood, causes = dict(shown[-3:]), shown[:-3]
            assert len(mood) == 3
            for axis, value in mood.items():
                parts = [x for name, x in causes if name == axis]
                assert sum(parts) == pytest.approx(value, abs=0.006 * (len(parts) + 2))


@pytest.mark.slow
async def test_who_woke_woke_where_they_slept(lived: Path, tmp_path: Path) -> None:
    async with gone_on(lived, tmp_path, WIDE) as (app, _):
        save = app.viewer.session.save
        woke = await save.records(("woke",), 0, save.last_seq)
        assert len(woke) > 20
        for record in woke[-8:]:
            sheet = await read(app, EventSheet(screen_of(app), record))
            head = said(sheet.entries(110)[0].lines[0])
            assert ", in " in head or ", at " in head
            assert "street" not in head


@pytest.mark.slow
async def test_a_tie_is_the_sum_of_what_made_it(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        await live(app, "10:00")
        viewer = app.viewer
        assert any(viewer.view.ties(who) for who in list(viewer.world.cast)[:6])
        for who in list(viewer.world.cast)[:6]:
            for row in viewer.view.ties(who):
                shown = numbers(WhySheet(screen_of(app), who, TIES, row.who))
                likes = [x for name, x in shown if name == "likes"][1:]  # the first is the sum
                close = [x for name, x in shown if name == "close"]
                assert sum(likes) == pytest.approx(row.feeling, abs=0.006 * (len(likes) + 2))
                assert sum(close) == pytest.approx(row.closeness, abs=0.006 * (len(close) + 2))


@SIZES
async def test_what_was_before_the_world_says_so_and_leads_nowhere(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size):
        world = app.viewer.world
        who, other = next((u, v) for u, row in world.people.ties.items() for v in row)
        found = [e for e in WhySheet(screen_of(app), who, TIES, other).entries(74) if e.key == (other, 0)]
        assert [e.does for e in found] == [None]
        assert "before the world began" in said(found[0].lines[-1])
        tie, past = world.people.ties[who][other], next(x for x in world.cast[who].history if x.with_ == other)
        tie.causes.clear()  # as other causes take its place
        tie.feeling = past.feeling - 0.3
        lines = {
            e.key: " ".join(said(x).strip() for x in e.lines)
            for e in WhySheet(screen_of(app), who, TIES, other).entries(74)
        }
        assert lines[other, 0].startswith(past.why)
        assert f"likes {past.feeling:+.2f}" in lines[other, 0]
        assert lines[other, LATER].startswith(OLDER)
        assert "likes -0.30" in lines[other, LATER]


@SIZES
async def test_w_shows_why_in_three_tabs_and_closes_again(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "09:00")
        await press(pilot, "j", "w")
        name = app.viewer.name(app.viewer.selected)
        for tab, says in zip(TABS, ("size  what moved it", "because:", "likes"), strict=True):
            sheet = screen_of(app).sheets.topmost
            assert isinstance(sheet, WhySheet)
            await stand_still(app, pilot)
            assert (sheet.tab, sheet.who) == (tab, app.viewer.selected)
            assert says in words(app)
            assert name in words(app)
            await press(pilot, "right_square_bracket")
        await press(pilot, "w")
        assert screen_of(app).sheets.topmost is None


@pytest.mark.slow
async def test_choices_tell_the_rules_and_lead_to_what_was_decided(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "09:30")
        screen, kinds, rules = screen_of(app), set(), 0
        for who in list(app.viewer.world.cast)[:3]:
            sheet = await read(app, WhySheet(screen, who, "Choices"))
            assert isinstance(sheet, WhySheet)
            for record in sheet.decided:
                assert record.stamp.actor == who
                await open_event(screen, record.stamp.seq)
                await stand_still(app, pilot)
                kinds.add(screen.sheets.kind)
                screen.close_all()
            opened = next((r.event for r in sheet.decided if isinstance(r.event, Opened)), None)
            if opened is not None:
                shown = " ".join(said(line) for e in sheet.entries(74) for line in e.lines)
                assert opened.why[0].name in shown
                rules += 1
        assert kinds == {"event", "talk"}
        assert rules


# ---- talks


@pytest.mark.slow
async def test_a_talk_read_from_the_log_is_the_talk_that_was_kept(lived: Path) -> None:
    async with await Save.open(lived, read_only=True) as save:
        session = await opening.begin_replay(save, lived, save.last_step)
        viewer = Viewer(session)
        records = await save.records(log_queries.KINDS, 0, save.last_seq)
        timeline = Timeline(viewer.world.handbook, viewer.world.clock, kept=10**6)
        timeline.read(records)
        ids = [r.event.id for r in records if isinstance(r.event, Opened)]
        assert len(ids) > 20
        for id in ids[::9]:
            assert viewer.story(id) is None
            assert await log_queries.talk_story(viewer, id) == timeline.talk(id)
        for id in ("", "x", "12", f"{ids[0]}x", "999999999.a.b", "-1.a.b"):
            assert await log_queries.talk_story(viewer, id) is None


@pytest.mark.slow
@SIZES
async def test_a_talk_of_yesterday_opens_in_a_save_gone_on_with(
    lived: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with gone_on(lived, tmp_path, size) as (app, pilot):
        viewer = app.viewer
        said = await viewer.session.save.records((Exchanged.KIND,), 0, viewer.world.seq)
        first = next(e for _, e in said if isinstance(e, Exchanged) and e.lines[0].text)
        assert viewer.story(first.talk) is None
        await open_talk(screen_of(app), first.talk)
        await stand_still(app, pilot)
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, TalkSheet)
        assert sheet.story is not None
        assert sheet.story.lines[0].text.split()[0] in words(app)
        assert f"{viewer.name(sheet.story.who[0])} and {viewer.name(sheet.story.who[1])}" in words(app)


@pytest.mark.slow
@SIZES
async def test_what_made_a_reply_another_than_usual_stands_beneath_it(
    aloud: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with gone_on(aloud, tmp_path, size) as (app, pilot):
        viewer = app.viewer
        said = await viewer.session.save.records((Exchanged.KIND,), 0, viewer.world.seq)
        replied = [(at, e) for at, e in said if isinstance(e, Exchanged) and e.why and not e.aim and e.lines[1].text]
        told: dict[str, str] = defaultdict(str)
        for _, e in said:
            told[e.talk] += " ".join(line.text for line in e.lines) + " " if isinstance(e, Exchanged) else ""
        at, e, own = max(
            ((at, e, x) for at, e in replied for x in e.lines[1].text.split() if told[e.talk].count(x) == 1),
            key=lambda x: len(x[2]),
        )  # a word that stands nowhere else
        await open_talk(screen_of(app), e.talk, at=at.seq)
        await stand_still(app, pilot)
        await pilot.press("down")  # to the reply, all of which is then in view
        await stand_still(app, pilot)
        (rule,) = e.why
        clock, talks = viewer.world.clock, await viewer.session.save.records((Closed.KIND,), 0, at.seq)
        last = max(stamp.t for stamp, x in talks if isinstance(x, Closed) and {*x.who} == {u.who for u in e.lines})
        says = last_talk_effect(rule, REPLY, the_talk(clock, last, at.t))
        before, name, after = words(app).partition(f"{says} {rule.value:+z.2f}")
        assert name
        assert own in before
        assert e.lines[1].text.split()[-1] not in after


@pytest.mark.slow
async def test_what_made_a_reply_that_nobody_listened_to_stands_beneath_it_too(lived: Path, tmp_path: Path) -> None:
    async with gone_on(lived, tmp_path, (120, 40)) as (app, pilot):
        viewer = app.viewer
        log = await viewer.session.save.records((Exchanged.KIND,), 0, viewer.world.seq)
        quiet = [x for x in log if isinstance(x.event, Exchanged) and x.event.why and not x.event.aim]
        ((rule,), talk) = next((x.event.why, x.event.talk) for x in quiet if not any(u.text for u in x.event.lines))
        await open_talk(screen_of(app), talk)
        await stand_still(app, pilot)
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, TalkSheet)
        assert any(line.why == (rule,) for line in sheet.unsaid)
        assert f"{rule.value:+z.2f}" in " ".join(said(line) for entry in sheet.entries(100) for line in entry.lines)


@pytest.mark.slow
@SIZES
async def test_a_tie_says_what_the_last_talk_left_and_leads_to_it(
    lived: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    async with gone_on(lived, tmp_path, size) as (app, pilot):
        viewer, screen = app.viewer, screen_of(app)
        who, other, left = next(
            (who, row.who, left)
            for who in viewer.world.cast
            for row in viewer.view.ties(who)
            if (left := viewer.view.left(who, row.who)) is not None and left.last
        )
        came, fades = remains_words(viewer.world.clock, left, viewer.world.now)
        screen.choose(who)
        found = {e.key: e for e in screen.person.tabs[1].entries(who, viewer.shown, 70, 99)}[other, "left"]
        assert " ".join(map(said, found.lines)).split() == f"{came}; {fades}".split()
        screen.open_sheet(WhySheet(screen, who, TIES, other))
        await settle(pilot)
        assert came in words(app)
        assert f"{left.how} {left.value:+z.2f}  {fades}" in words(app)
        assert screen.sheets.chosen is not None
        assert screen.sheets.chosen.key == (other, "left")
        await press(pilot, "enter")
        await stand_still(app, pilot)
        sheet = screen.sheets.topmost
        assert isinstance(sheet, TalkSheet)
        assert sheet.story is not None
        assert ({*sheet.story.who}, sheet.story.ended) == ({who, other}, left.t)
        await press(pilot, "w")  # and back to where it stands
        assert came in words(app)


@pytest.mark.slow
async def test_a_replay_says_what_was_left_at_its_moment(lived: Path) -> None:
    async with await Save.open(lived, read_only=True) as save:
        session = await opening.begin_replay(save, lived, save.last_step)
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=SMALL):
            screen, view = screen_of(app), app.viewer.view
            await read(app, WhySheet(screen, next(iter(app.viewer.world.cast)), TIES))
            who, other, left = next((a, b, x) for a in app.viewer.world.cast for b in app.viewer.world.cast
                                    if (x := view.left(a, b)) is not None and x.last)  # fmt: skip
            for t, there in ((left.t, True), (left.t - HOUR, False)):
                await session.go(t)
                app.viewer.jumped(session.said)
                app.viewer.pace.paced.shown = float(t)
                assert session.view.left(who, other) is None  # it has not been read
                sheet = await read(app, WhySheet(screen, who, TIES, other))
                found = [said(line) for e in sheet.entries(74) if e.key == (other, "left") for line in e.lines]
                came = the_talk(session.world.clock, left.t, session.world.now)
                assert any(came in line for line in found) == there
                assert sheet.waiting(74) == []


@pytest.mark.long
async def test_a_talk_of_five_days_ago_opens(tmp_path: Path) -> None:
    path = await _live(tmp_path / "week.db", 6 * DAY)
    async with open_session(path) as session:
        viewer = Viewer(session)
        found = await session.save.records((Opened.KIND,), 0, session.world.seq)
        old = next(r.event for r in found if r.stamp.t > session.world.now - 5 * DAY)
        assert isinstance(old, Opened)
        story = await log_queries.talk_story(viewer, old.id)
        assert story is not None
        assert story.ended >= 0
        assert story.lines or await log_queries.unheard_lines(viewer, story)


@pytest.mark.slow
@SIZES
async def test_a_talk_is_shown_as_being_read_until_it_is(
    lived: Path, tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gone_on(lived, tmp_path, size) as (app, pilot):
        save, go_on = app.viewer.session.save, asyncio.Event()
        whole = save.records
        first = (await whole((Opened.KIND,), 0, save.last_seq))[0].event
        assert isinstance(first, Opened)

        async def slowly(*what: object) -> list[Record]:
            await go_on.wait()
            return await whole(*what)  # type: ignore[arg-type]

        monkeypatch.setattr(save, "records", slowly)
        await open_talk(screen_of(app), first.id)
        await settle(pilot)
        assert "reading ..." in words(app)
        go_on.set()
        await stand_still(app, pilot)
        assert "reading ..." not in words(app)
        assert "wanted" in words(app)


@pytest.mark.slow
@SIZES
async def test_brackets_go_through_the_talks_of_the_two(lived: Path, tmp_path: Path, size: tuple[int, int]) -> None:
    async with gone_on(lived, tmp_path, size) as (app, pilot):
        viewer = app.viewer
        pairs: dict[frozenset[str], list[str]] = {}
        for stamp, e in await viewer.session.save.records((Opened.KIND,), 0, viewer.world.seq):
            assert isinstance(e, Opened)
            pairs.setdefault(frozenset((stamp.actor, e.other)), []).append(e.id)
        ids = max(pairs.values(), key=len)
        assert len(ids) >= 3
        await open_talk(screen_of(app), ids[0])
        shown = []
        for key in ("right_square_bracket", "right_square_bracket", "left_square_bracket"):
            await stand_still(app, pilot)
            await press(pilot, key)
            sheet = screen_of(app).sheets.topmost
            assert isinstance(sheet, TalkSheet)
            shown.append(sheet.id)
        assert shown == [ids[1], ids[2], ids[1]]
        await press(pilot, "escape")
        assert screen_of(app).sheets.topmost is None


@SIZES
async def test_a_talk_that_nobody_listened_to_says_so_and_how_it_will_have_gone(
    app: SandboxApp, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:15")
        viewer = app.viewer
        ids = [e.id for _, e in await viewer.session.save.records((Opened.KIND,), 0, viewer.world.seq)]
        stories = [story for id in ids if (story := await log_queries.talk_story(viewer, id)) is not None]
        story = next(x for x in stories if x.quiet and x.ended >= 0)
        before = viewer.world.snapshot()
        await open_talk(screen_of(app), story.id)
        await stand_still(app, pilot)
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, TalkSheet)
        assert [line.who for line in sheet.unsaid][:2] == [story.who[0], story.who[1]]
        shown = " ".join(said(line) for entry in sheet.entries(70) for line in entry.lines)
        assert "pass the time of day, and nobody listens" in shown
        told = shown.partition("It will have gone like this:")[2]
        assert all(line.text.split()[-1] in told for line in sheet.unsaid)
        assert viewer.world.snapshot() == before
        assert "It will have gone like this:" not in sheet.plain()  # a transcript has what was said


@pytest.mark.slow
@SIZES
async def test_what_a_talk_goes_on_to_is_told_where_it_was_said(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "10:00")
        viewer = app.viewer
        ids = [e.id for _, e in await viewer.session.save.records((Opened.KIND,), 0, viewer.world.seq)]
        stories = [story for id in ids if (story := await log_queries.talk_story(viewer, id)) is not None]
        story = next(x for x in stories if x.wordless and x.lines and x.ended >= 0)
        await open_talk(screen_of(app), story.id)
        await stand_still(app, pilot)
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, TalkSheet)
        shown = " ".join(said(line) for entry in sheet.entries(70) for line in entry.lines)
        assert "They talk on, and nobody listens. It will have gone like this:" in shown
        both = sorted([*story.lines, *(x for x in sheet.unsaid if x.seq in story.wordless)], key=lambda x: x.seq)
        places = [shown.find(line.text.split(".")[0][:25]) for line in both]
        assert -1 not in places
        assert places == sorted(places)


def under_way(world: World, length: int) -> str:
    """A talk that has just begun, with words, and is meant to have so many exchanges; "" while there is none."""
    found = (t.id for t in world.talk.open.values() if t.exchanges == 1 and t.length >= length and not t.quiet)
    return next(found, "")


@pytest.mark.slow
@SIZES
async def test_a_talk_under_way_grows_and_stays_at_its_end(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        world = app.viewer.world
        while (id := under_way(world, 5)) == "":
            await app.viewer.pace.ask_step()
        screen = screen_of(app)
        await open_talk(screen, id)
        await stand_still(app, pilot)
        while id in world.talk.open:
            await app.viewer.pace.ask_step()
            screen.update()
            await stand_still(app, pilot)
            sheet = screen.sheets.topmost
            assert isinstance(sheet, TalkSheet)
            assert sheet.story is not None
            made = [line for line in sheet.unsaid if line.seq in sheet.story.wordless]  # once it is over, all has words
            last = max([*sheet.story.lines, *made], key=lambda line: line.seq)
            assert last.text.split()[-1] in words(app)
            doing = [i for i, e in enumerate(screen.sheets._entries) if e.does is not None]
            assert screen.sheets.cursor == doing[-1]
        assert "watch it again" in words(app)


async def test_who_is_named_as_near_was_near(town: Town) -> None:
    viewer, world = Viewer(town), town.world
    width, spots = world.map.width, []
    while world.clock.hhmm(world.now) < "09:30":
        await town.engine.step()
        spots.append((world.now, {who: tile_at(world.town.spots[who], world.now, width) for who in world.cast}))
    named = rooms = 0
    for stamp, e in await town.save.records((Opened.KIND,), 0, world.seq):
        assert isinstance(e, Opened)
        story = await log_queries.talk_story(viewer, e.id)
        assert story is not None
        if stamp.t < HOUR or story.ended < 0:
            continue
        near = await log_queries.bystanders(viewer, story)
        assert near is not None
        assert not {*story.who} & {*near}
        named += len(near)
        for t, tiles in spots:
            if not story.since <= t <= story.ended:
                continue
            here = tiles[stamp.actor]
            room = {who for who, tile in tiles.items() if world.map.area_of[tile] == world.map.area_of[here]}
            if world.map.inside[here]:
                assert room - {*story.who} <= {*near}
                rooms += bool(room - {*story.who})
    assert min(named, rooms) > 0


@pytest.mark.slow
async def test_a_replay_tells_no_more_of_a_talk_than_was_said_by_then(lived: Path) -> None:
    async with opening.open_replay(lived) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=WIDE) as pilot:
            viewer, save = app.viewer, app.viewer.session.save
            told: list[int] = []
            while len(set(told)) < 2:  # some talks end sooner than was meant
                while (id := under_way(viewer.world, 4)) == "":
                    await viewer.pace.ask_step()
                await open_talk(screen_of(app), id)
                told = []
                while id in viewer.world.talk.open:
                    screen_of(app).update()
                    await stand_still(app, pilot)
                    sheet = screen_of(app).sheets.topmost
                    assert isinstance(sheet, TalkSheet)
                    assert sheet.story is not None
                    assert all(line.seq <= viewer.world.seq < save.last_seq for line in sheet.story.lines)
                    told.append(len(sheet.story.lines))
                    await viewer.pace.ask_step()
                assert told[0] == 2
                assert told == sorted(told)
                await press(pilot, "escape")
            await app.end()


# ---- events


BY_HAND = (
    PlayBegan(60),
    Aside(True),
    Headed(3, 4),
    Handed("vera", "give", 5, True),
    Leaned("selling the mill meadow", True),
    Saving("jory_yara"),
    TookPhone(),
    Swayed("vera", "selling the mill meadow", 0.0, 0.5),
    Wished("vera", "chat", "", "Have you a moment?", 900, "to ask how they are"),
    WishOver("vera", "Vera has gone to sleep"),
    PutTo("x", "vera", "remind", "debt", "You owe me a pie.", (), 120),
    Replied("x", "dodge", ""),
    TookLeave(),
    SawAll(True),
    Settled(60, "lodger", "Robin", "", "", "", "", "", "", ""),
    CameToHead("broken", "debt", "debt", "vera", 2, "Mara and Vera have parted", "it was too much"),
    StanceTaken("speak", "debt", "vera", Wished("vera", "remind", "debt", "Well?", 900, "to remind them")),
    StanceTaken("let_be", "debt"),
    PlayEnded(),
)
ON_THE_FEED = (
    SignedUp(user=0, handle="mara", name="Mara", bio="I bake bread.", vector=bytes(32)),
    Posted(user=0, post=0, text="The loaf came out golden.", vector=bytes(32), topic=-1, stance=None),
    Quoted(user=0, post=1, of=0, via=0, text="So it did.", vector=bytes(32), topic=-1, stance=None),
    Reposted(user=0, post=2, root=0, via=0),
    Commented(user=0, comment=0, post=0, text="And it rained."),
    Reacted(user=0, act="like", on="post", target=0, reason="It looks good."),
    Connected(user=0, act="follow", other=1),
    MutedWord(user=0, act="mute", word="rain"),
    Reported(user=0, post=0, why="It is about rain."),
    Deleted(user=0, post=0),
    Messaged(user=0, message=0, to=1, group=-1, text="Are you up?"),
    Grouped(user=0, act="create", group=0, name="Bakers"),
    Browsed(user=0, act="refresh", shown=(0,)),
)

DIRECTED = (
    CardPlayed(Dealt(card="mood", to="mara", words="joy"), "Mara feels otherwise, for no reason: joy", force=True),
    CardReached(2, "moved", "felt otherwise, for no reason"),
    CardOver(2, "Mara never woke"),
    ConditionBegan("rain", 3600, "it rains in the whole town"),
    ConditionEnded(5, "the rain has stopped"),
    OccasionCalled(Occasion("called.2", "A supper", 3600, 7200, "Mill / yard", "gather", who=("mara",))),
    ConditionBegan("pushed", 3600, "one post is shown to everybody", post=0),
    AnnalsOpened(),
    GoalChosen("pan_kept", "The dented pan", 3600),
    GoalDropped("pan_kept", "The dented pan"),
    GoalJudged("pan_kept", "The dented pan", False, "The pan is still Jory's", "Rufus holds it"),
    HelpRound(
        1, 0.0, (AskedHelp(Trial(0, 1, Proposal(), Grant((0.2, 0.5, 0.75))), "mara", "vera", 60, "ask_help", ""),)
    ),
    BetPlaced("pancake_race@1", "contest", "jory", 10, "The pancake race: Jory wins", 0.5, 2.0, 3600),
    BetSettled(2, "lost", -10, "The pancake race: Jory wins", "Rufus has won the dented pan", 90),
)


def test_every_type_of_event_has_words(town: Town, diary: Diary) -> None:
    viewer, log = Viewer(town), [town.save.founding, *diary.all()]
    log.append(Record(Stamp(9, 1, 60, "", ()), StepSet(60)))
    log.append(Record(Stamp(9, 1, 60, "", ()), Reseeded(7)))
    meal = Block(0, 60, "lunch", "Rowan House / kitchen", "hungry, goes to eat something")
    log.append(Record(Stamp(9, 1, 60, "mara", ()), Needed("food", meal, meal.why)))
    log.append(Record(Stamp(9, 1, 60, "", ()), Sparked("dog", {"actor": "mara"}, "Mara's dog is off")))
    log.append(Record(Stamp(9, 1, 60, "mara", ()), Lacked("a pint", 4)))
    log.append(Record(Stamp(9, 1, 60, "", ()), Earned({"mara": 60})))
    log.append(Record(Stamp(9, 1, 60, "mara", ()), Made("x", "ally", "mara", "vera", "the bread")))
    log.append(Record(Stamp(9, 1, 60, "mara", ()), Broken("x", "ally", "mara", "vera", "the bread")))
    log.append(Record(Stamp(9, 1, 60, "mara", ()), GoalPursued("x", "practise", meal, "to practise")))
    line = Utterance("mara", "So there.", "call_out", "", "", 0.1, ())
    row = Showdown(
        "x",
        ("mara", "vera"),
        "Mill / yard",
        "a ladder",
        "peace",
        "made_up",
        "it is over",
        (ShowdownTurn(line, "vera", "holder"),),
    )
    log.append(Record(Stamp(9, 1, 60, "mara", ()), row))
    log.append(Record(Stamp(9, 1, 60, "mara", ()), StoodIn((StandIn("PlanDay", "no answer in 30 s"),))))
    log += [Record(Stamp(9, 1, 60, "", ()), e) for e in (SocietyBegan(GrowthParameters()), Grew(1, 3, -1, ()))]
    log += [Record(Stamp(9, 1, 60, "mara", ()), e) for e in ON_THE_FEED]
    log += [Record(Stamp(9, 1, 60, "mara" if isinstance(e, CardReached) else "", ()), e) for e in DIRECTED]
    mara = viewer.world.cast["mara"]
    visit = (Came(0, 0, mara, 3600, "to see Basil"), SetOff(0, 0, "N", 20, "Rowan House / kitchen"), Left(0, 0))
    log += [Record(Stamp(9, 1, 60, "mara", ()), e) for e in visit]
    log.append(Record(Stamp(9, 1, 60, "", ()), CrowdActed(180, b"\0" * 4, b"\0", b"\0" * 4, b"", b"", b"")))
    told = (StanceTold(3, 100), Watched(2, 1), Steered(1, "linucb", fault="lost"), Steered(2, mix=(500, 500, 0)))
    steered = (PolicyChosen(PolicyParameters("linucb")), SteeredByHand((0.5, 0.5, 0.0), ((3, 25),)), *told)
    log += [Record(Stamp(9, 1, 60, "", ()), e) for e in steered]
    rest = Block(0, 60, "rest", "Rowan House / kitchen", "as you wish")
    log += [Record(Stamp(9, 1, 60, "mara", ()), e) for e in (*BY_HAND, Bidden(rest))]
    handbook = viewer.world.handbook
    assert EVENTS.keys() - {r.event.KIND for r in log} <= {"stopped", OldWrote.KIND}
    for record in log:
        sentence = event_sentence(record, Teller(handbook))
        assert sentence
        assert not sentence.endswith((".", ": "))
        if record.stamp.actor and record.event.KIND not in ("exchanged", "talk_closed"):
            assert handbook.name(record.stamp.actor) in sentence


@pytest.mark.slow
async def test_every_leaf_fits_its_width(lived: Path, tmp_path: Path) -> None:
    async with gone_on(lived, tmp_path, WIDE) as (app, _):
        screen, viewer = screen_of(app), app.viewer
        records = await viewer.session.save.records(log_queries.KINDS, 1, viewer.world.seq)
        kinds = {r.event.KIND: r for r in records if not event_talk(r.event)}
        ids = [r.event.id for r in records if isinstance(r.event, Opened)]
        assert min(len(kinds), len(ids[::40])) > 3
        sheets: list[ReadSheet] = [EventSheet(screen, record) for record in kinds.values()]
        sheets += [TalkSheet(screen, id) for id in (*ids[::40], "no such talk")] + [TalkSheet(screen, "", "mara")]
        sheets += [WhySheet(screen, who, tab) for who in list(viewer.world.cast)[:4] for tab in TABS]
        for sheet in sheets:
            await read(app, sheet)
            for width in WIDTHS:
                over = [said(x) for e in sheet.entries(width) for x in e.lines if width_of(x) > width]
                assert not over, (sheet.title, width)
            assert [said(line) for line in sheet.aside(ASIDE) if width_of(line) > ASIDE] == []


@SIZES
async def test_enter_on_a_row_without_a_talk_tells_the_event(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:20")
        screen = screen_of(app)
        await press(pilot, "2")
        chronicle = app.viewer.chronicle
        numbered = enumerate(chronicle.since(0), chronicle.first)
        number, row = [(n, row) for n, row in numbered if not row.talk and row.mark != "*" and row.seq > 1][-1]
        screen.choose(row.who[0])
        screen.timeline.go_to(number)
        await press(pilot, "enter")
        await stand_still(app, pilot)
        sheet = screen.sheets.topmost
        assert isinstance(sheet, EventSheet)
        assert sheet.record.stamp.seq == row.seq
        assert row.text.split()[0] in words(app)


@SIZES
async def test_enter_on_an_occasion_goes_to_its_place(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        world = app.viewer.world
        occasion = world.calendar.on(1)[-1]
        at = world.clock.midnight(1) + occasion.from_
        await press(pilot, "2")
        tell(app, TimelineRow(at, 0, "*", f"{occasion.title}, somewhere", (), "", 5.0))
        screen_of(app).timeline.last()
        await press(pilot, "enter")
        screen = screen_of(app)
        assert screen.sheets.topmost is None
        x, y, width, height = world.map.areas[occasion.where].arena.rect
        assert screen.town.camera.sees(x + width / 2, y + height / 2)


@pytest.mark.slow
async def test_an_event_is_watched_again(tmp_path: Path) -> None:
    async with open_session("larkspur", seed=42) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=WIDE) as pilot:
            await live(app, "08:20")
            row = next(r for r in app.viewer.chronicle.since(0) if not r.talk and r.who and r.seq > 1)
            await open_event(screen_of(app), row.seq)
            await stand_still(app, pilot)
            entry = next(e for e in screen_of(app).sheets._entries if e.key == "again")
            assert entry.does is not None
            await entry.does()
            await settle(pilot)
            assert app.viewer.replaying
            assert app.viewer.shown == row.t
            assert app.viewer.selected == row.who[0]
            await app.end()


# ---- copies, and what comes from outside


@pytest.mark.slow
@SIZES
async def test_y_copies_the_talk_as_plain_text(
    app: SandboxApp, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[str] = []
    monkeypatch.setattr(app, "copy_to_clipboard", copied.append)
    async with app.run_test(size=size) as pilot:
        await live(app, "08:30")
        row = next(r for r in app.viewer.chronicle.since(0) if r.talk)
        await open_talk(screen_of(app), row.talk)
        await stand_still(app, pilot)
        await press(pilot, "y", "escape", "j", "w", "y", "escape", "2", "y")
        story = app.viewer.story(row.talk)
        assert story is not None
        talk, why, line = copied
        assert f"{app.viewer.name(story.lines[0].who)}: {story.lines[0].text}" in talk
        assert "by nature" in why
        assert re.match(r"Tue 4 Mar \d\d:\d\d ", line)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [WIDE, SMALL, (60, 18)], ids=["wide", "small", "least"])
async def test_hostile_names_and_lines_stay_harmless(hostile: Town, size: tuple[int, int]) -> None:
    app = SandboxApp(hostile)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=size) as pilot:
        await live(app, "08:40")
        who = next(iter(app.viewer.world.cast))
        id = next(r.talk for r in app.viewer.chronicle.since(0) if r.talk and who in r.who)
        story = app.viewer.story(id)
        assert story is not None
        evil = "[@click=app.quit]x[/] \x1b]52;c;aGk=\x07[red]" + "美" * 90
        story.lines.append(TalkLine(1, 1, who, evil, "chat", 0.0, "+", True))
        screen = screen_of(app)
        app.viewer.select(who)
        await open_talk(screen, id)
        for key in ("G", "k", "w", "right_square_bracket", "right_square_bracket"):
            await stand_still(app, pilot)
            rows = text(app)
            assert not any(ord(char) < 32 or 127 <= ord(char) < 160 for row in rows for char in row)
            assert "[bold" in " ".join(rows)
            assert not any(
                s.style and s.style.meta.get("@click") for r in screen._compositor.render_strips() for s in r
            )
            await press(pilot, key)
        await press(pilot, "escape", "escape")
        assert app.is_running


@SIZES
async def test_who_has_talked_to_nobody_is_said_to_have(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        screen_of(app).choose("saskia")  # asleep when the town begins
        await press(pilot, "t")
        assert "Saskia has talked to nobody since you came." in " ".join(text(app))


@pytest.mark.slow
async def test_a_click_made_before_a_leaf_is_drawn_does_nothing(lived: Path, tmp_path: Path) -> None:
    async with gone_on(lived, tmp_path, WIDE) as (app, pilot):
        await press(pilot, "j", "w")
        screen = screen_of(app)
        sheet = screen.sheets
        inside = sheet.content_region
        for y in range(min(8, inside.height)):
            assert sheet.topmost is not None
            sheet._show(sheet.topmost)  # as if it were another: what stands there is of the one before
            x, y = inside.x + 4, inside.y + y
            sheet.on_click(Click(sheet, 4, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y))
        await settle(pilot)
        assert app._exception is None
        assert sheet.kind == "why"
