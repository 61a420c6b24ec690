"""The story of one person: what happened to them, in order, with causes and words that were said, and nothing else."""

from __future__ import annotations

import asyncio
import re
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from lived import founding
from msgspec.structs import replace

from sandbox.core.clock import Clock, parse_start
from sandbox.core.events import Event, Record, Stamp
from sandbox.engine.drivers import run_free
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.people.model import Chose
from sandbox.people.persona import PastTie
from sandbox.play.acts import talk_offers
from sandbox.play.model import Arrive, Aside, GiveBack, Play, PlayBegan, PlayEnded, Wished
from sandbox.readers.biography import DayRange, biography, played_in, story_days, story_of
from sandbox.readers.edition import StoryPiece, as_markdown, as_page, day_page, escape_markdown
from sandbox.readers.life import Life, PlaySpan, longest, play_spans
from sandbox.store.branch import branch
from sandbox.store.save import read_save
from sandbox.store.session import open_session
from sandbox.talk.model import Declined, Exchanged

HOUR = 3600


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """A morning and an afternoon of Larkspur, in which Mara is played for two hours."""
    path = tmp_path_factory.mktemp("life") / "game.db"

    async def go():
        async with open_session("larkspur", seed=4, save=path) as session:
            w = session.world
            await run_free(session.engine, until=2 * HOUR)
            session.engine.do(Play(by="mara"))
            await session.engine.step()
            while w.now < 4 * HOUR:
                near = next((x for x in w.cast if x != "mara" and w.people.residents[x].awake), "")
                found = [x for x in talk_offers(w, "mara", near) if x.aim and not x.begins] if near else []
                if found and not w.played.wish and not w.people.residents["mara"].talk:
                    said = found[0].command("mara", near, "Now *listen*, [you].")
                    session.engine.do(said)
                await run_free(session.engine, until=w.now + 300)
            session.engine.do(GiveBack(by="mara"))
            await run_free(session.engine, until=14 * HOUR)
        return path

    return asyncio.run(go())


def test_in_the_end_somebody_stands_to_others_as_their_tie_has_faded_by_then(larkspur: Scenario) -> None:
    history = (PastTie("otis", 0.1, 0.7, "neighbours for years"),)
    cast = tuple(replace(p, history=history if p.id == "mara" else ()) for p in larkspur.cast)
    world = World.found(founding(replace(larkspur, cast=cast)))
    said = []
    for now in (0, 8 * 24 * HOUR):
        world.now = now
        text = " ".join(x.text for x in biography(Life(world, "mara"), world, [1]))
        said += re.findall(r"Mara is (?:close to|on good terms with) Otis", text)
    assert said == ["Mara is close to Otis", "Mara is on good terms with Otis"]


def told(path: Path, who: str) -> list[StoryPiece]:
    async def go():
        async with await read_save(str(path)) as save:
            world = await save.seek()
            return await story_of(save, world, who, story_days(DayRange(), world))

    return asyncio.run(go())


@pytest.mark.slow
def test_whoever_was_played_longest_is_found_in_the_log(game):
    async def go():
        async with await read_save(str(game)) as save:
            return await played_in(save, await save.seek())

    (span,) = asyncio.run(go())
    assert span.who == "mara"
    assert 2 * HOUR <= span.since < span.until < 4.2 * HOUR
    assert longest([span], 3 * HOUR, 5 * HOUR) == "mara"
    assert longest([span], 5 * HOUR) == ""


@pytest.mark.slow
def test_who_was_played_before_a_part_of_the_log_is_known_by_the_end_of_it(game):
    assert play_spans([], 10, 20, "kit")[0] == ("kit", 10, 20)
    assert play_spans([], 10, 20) == []


def test_who_came_to_town_to_be_played_is_found_after_another(tmp_path):
    async def go():
        async with open_session("larkspur", seed=4, save=tmp_path / "a.db") as session:
            w = session.world
            for command in (Play(by="mara"), GiveBack(by="mara"), Arrive(name="Wren Hollow")):
                session.engine.do(command)
                await run_free(session.engine, until=w.now + 600)
            await session.save.settle()
            async with await read_save(str(tmp_path / "a.db")) as save:
                return await played_in(save, w), w.now

    found, now = asyncio.run(go())
    assert [x.who for x in found] == ["mara", "lodger"]
    assert found[0].until < found[1].since < found[1].until == now


def test_what_was_meant_by_hand_is_not_told_of_what_they_do_left_to_themselves(game):
    async def go():
        async with await read_save(str(game)) as save:
            return await save.seek()

    life = Life(asyncio.run(go()), "mara", [PlaySpan("mara", 0, 100), PlaySpan("mara", 200, 300)])

    def one(t: int, event: Event, actor: str = "mara") -> None:
        life.read([Record(Stamp(t, t, t, actor, ()), event)])

    one(10, PlayBegan(60))
    one(20, Wished("otis", "ask_more_time", "", "", 900, "to talk"))
    one(30, Aside(True))
    one(40, Declined("mara", "refuse", "", ()), "otis")
    assert life.of(1).done == []
    one(100, PlayEnded())
    one(200, PlayBegan(60))
    one(210, Wished("otis", "ask_more_time", "", "", 900, "to talk"))
    one(220, Declined("mara", "refuse", "", ()), "otis")
    assert [x.by_hand for x in life.of(1).done] == [True]
    one(230, Chose("eat", "lunch", "Blue Heron Cafe / counter", "", 1, 1, 300, 0, True))
    assert len(life.of(1).things) == 1


def test_every_line_that_is_quoted_was_said(game):
    async def go():
        async with await read_save(str(game)) as save:
            records = [r async for run in save.slices({Exchanged.KIND}) for r in run]
            return {line.text for r in records for line in r.event.lines}

    said = asyncio.run(go())
    for who in ("mara", "otis", "greta"):
        quotes = [x for x in told(game, who) if x.sort == "quote"]
        assert {x.text for x in quotes} <= said


def test_a_story_has_its_chapters_and_how_things_stand(game):
    found = told(game, "mara")
    sorts = [x.sort for x in found]
    assert sorts[:2] == ["title", "lead"]
    assert found[0].text.startswith("The story of Mara")
    assert [x.text for x in found if x.sort == "day"] == ["How things stand"]
    assert "head" in sorts
    assert any(x.text.startswith("Played by hand from Tue 4 Mar 09:3") for x in found)
    page = as_page(found)
    assert all(len(line) <= 80 for line in page.splitlines())


def test_a_story_keeps_no_books(game):
    for who in ("mara", "otis", "greta"):
        found = told(game, who)
        heads = {x.text for x in found if x.sort == "head"}
        text = " ".join(x.text for x in found)
        assert not heads & {"Besides"}
        for phrase in ("in the matter of", " others heard it", " coins (", " times), ", "{", "}"):
            assert phrase not in text, phrase


def test_a_chapter_quotes_one_line_of_a_turn_at_most(game):
    for who in ("mara", "otis", "greta"):
        sorts = [x.sort for x in told(game, who)]
        assert ("quote", "quote") not in {*pairwise(sorts)}


def test_others_are_introduced_once_in_a_story(game):
    text = " ".join(x.text for x in told(game, "otis") if x.sort == "text")
    assert text.count("(mayor)") <= 1
    assert "Otis (" not in text


def test_a_chapter_says_each_thing_once(game):
    texts = [x.text for x in told(game, "mara") if x.sort == "text"]
    assert any(re.search(r"On Tuesday (morning|at midday|afternoon|evening)", text) for text in texts)
    assert not any(".." in text for text in texts)
    assert len(texts) == len(set(texts))


def test_the_page_of_a_day_writes_about_whoever_was_played_and_repeats_nothing(game):
    async def go():
        async with await read_save(str(game)) as save:
            world = await save.seek()
            records = [r async for run in save.slices(None) for r in run if not r.event.PACKED]
            return day_page(records, world), day_page([r for r in records if "play" not in r.event.KIND], world)

    page, without = asyncio.run(go())
    assert "── You, as Mara " in page
    assert "You, as" not in without
    part = " ".join(page.partition("You, as Mara")[2].partition("── What came to a head")[0].split())
    assert "Mara talked with" in part
    lines = [line for line in part.split(". ") if len(line) > 40]
    rest = " ".join(page.partition("── What came to a head")[2].split())
    assert not any(line in rest for line in lines)


def test_a_branch_is_told_where_it_left(game, tmp_path):
    copy = tmp_path / "copy.db"

    async def go():
        async with await read_save(str(game)) as save:
            last = save.last_step
        await branch(game, last, copy, title="whole")
        await branch(copy, last - 100, tmp_path / "other.db", title="speak up: Otis")

    asyncio.run(go())
    assert any("kept as “speak up: Otis”" in x.text for x in told(copy, "mara"))


def test_a_week_that_began_in_a_morning_is_told_whole():
    clock = Clock(parse_start("2025-03-04 08:00"))
    ends = {n: SimpleNamespace(clock=clock, now=n * 24 * HOUR) for n in (1, 7, 30)}
    assert list(story_days(DayRange(), ends[1])) == [1, 2]
    assert list(story_days(DayRange(), ends[7])) == list(story_days(DayRange(1, 8), ends[7])) == [*range(1, 9)]
    assert list(story_days(DayRange(), ends[30])) == [*range(24, 32)]
    with pytest.raises(ValueError, match="8 days at most; write 2-9"):
        story_days(DayRange(1, 9), ends[30])


@pytest.mark.parametrize(
    ("days", "wrong"),
    [(DayRange(1, 1), ""), (DayRange(2, 2), "the save has 1 day"), (DayRange(1, 9), "the save has 1 day")],
)
def test_days_that_there_are_not_are_refused_in_a_sentence(game, days, wrong):
    async def go():
        async with await read_save(str(game)) as save:
            return await save.seek()

    world = asyncio.run(go())
    if wrong:
        with pytest.raises(ValueError, match=wrong):
            story_days(days, world)
    else:
        assert list(story_days(days, world)) == [1]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("*bold* _it_ `code`", r"\*bold\* \_it\_ \`code\`"),
        ("[a](http://x.y) <b>", r"\[a\](http\://x.y) \<b\>"),
        ("1. one", r"1\. one"),
        ("- item", r"\- item"),
        ("# head", r"\# head"),
        ("a | b & c ~ d", r"a \| b \& c \~ d"),
        ("two\nlines", "two lines"),
        ("www.x.org", r"www\.x.org"),
    ],
)
def test_nothing_in_a_name_or_in_words_is_markup(text, wanted):
    assert escape_markdown(text) == wanted


def test_markdown_has_headings_quotes_and_lists_of_ours_alone():
    pieces = [
        StoryPiece("title", "The story of *Kit*"),
        StoryPiece("lead", "Larkspur, Monday"),
        StoryPiece("day", "Monday"),
        StoryPiece("head", "# The rent"),
        StoryPiece("text", "> Kit owes."),
        StoryPiece("quote", "I need [time]", "Kit"),
        StoryPiece("quote", "No", "Zeno"),
        StoryPiece("item", "1. open"),
        StoryPiece("item", "two"),
    ]
    text = as_markdown(pieces)
    assert text == (
        "# The story of \\*Kit\\*\n\n*Larkspur, Monday*\n\n## Monday\n\n### \\# The rent\n\n\\> Kit owes.\n\n"
        "> Kit: “I need \\[time\\]”\n>\n> Zeno: “No”\n\n- 1\\. open\n- two\n"
    )
