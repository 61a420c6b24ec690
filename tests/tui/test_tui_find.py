"""The finder: a few letters, and there one is."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from larkspur import SIZES, SMALL, WIDE, Town, live, press, screen_of, settle, tell, text, words
from textual.pilot import Pilot
from textual.widgets import Input

from sandbox.engine.scenario import Scenario
from sandbox.readers.timeline import TimelineRow
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.sheets.find import Finder, lit
from sandbox.tui.view.search import Search, guess_score, has_one_typo, match_score, plain_letters
from sandbox.tui.view.viewer import Viewer


def kinds(viewer: Viewer, asked: str) -> list[tuple[str, str]]:
    return [(found.kind, found.text) for found in Search(viewer).find(asked)]


async def ask(pilot: Pilot[None], letters: str) -> None:
    await press(pilot, "slash", *letters)


# ---- matching


@given(st.text(max_size=12), st.text(max_size=30))
def test_any_text_can_be_asked_for(query: str, name: str) -> None:
    asked = plain_letters(query).strip()
    if asked:
        assert 0 <= match_score(asked, plain_letters(name)) <= 100
        assert 0 <= guess_score(asked, plain_letters(name)) <= 40


@given(st.text("abcdefgh", min_size=3, max_size=9), st.integers(0, 8))
def test_one_slip_is_forgiven(name: str, at: int) -> None:
    at %= len(name)
    assert has_one_typo(name[:at] + name[at + 1 :], name)
    assert has_one_typo(name[:at] + "z" + name[at + 1 :], name)
    assert has_one_typo(name[:at] + "z" + name[at:], name)
    assert has_one_typo(name[:at] + name[at : at + 2][::-1] + name[at + 2 :], name)
    assert not has_one_typo("zzz" + name, name)


def test_in_a_short_word_the_first_letter_must_be_right() -> None:
    assert guess_score("mrra", "mara tansy") == 40
    assert guess_score("kne", "room one") == 0
    assert guess_score("aarket", "market square") == 40


def test_neither_case_nor_accents_matter() -> None:
    assert match_score(plain_letters("ZOE"), plain_letters("Zoë Árnadóttir")) == 90
    assert match_score(plain_letters("árna"), plain_letters("Zoe Arnadottir")) == 80


def test_a_name_goes_before_a_word_and_a_word_before_letters() -> None:
    assert (
        match_score("mar", "mar")
        > match_score("mar", "mara tansy")
        > match_score("mar", "zeno marlow")
        > match_score("mar", "lemarc")
        > 0
    )


async def test_people_places_and_events_are_found(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        await live(app, "08:30")
        viewer = app.viewer
        assert kinds(viewer, "mara")[0] == ("person", "Mara Tansy")
        assert kinds(viewer, "MRAA")[0] == ("person", "Mara Tansy")
        assert kinds(viewer, "tan mar")[0] == ("person", "Mara Tansy")
        assert ("person", "Mara Tansy") in kinds(viewer, "baker")
        assert kinds(viewer, "chapel")[0][0] == "place"
        assert any(kind == "place" and "oven" in name for kind, name in kinds(viewer, "oven"))
        events = [name for kind, name in kinds(viewer, "mara") if kind == "event"]
        assert events
        assert all("mara" in name.lower() for name in events)
        assert kinds(viewer, "xyzzyx") == []


async def test_what_happened_comes_newest_first_and_never_from_later(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        now = app.viewer.world.now
        for n in range(3):
            tell(app, TimelineRow(now, n, "*", f"The great cheese number {n}", ("mara",), "", 3.0))
        tell(app, TimelineRow(now, 9, "'", "The great cheese woke", ("mara",), "", 1.0))
        found = [name for kind, name in kinds(app.viewer, "cheese great") if kind == "event"]
        assert found == [f"The great cheese number {n}" for n in (2, 1, 0)]
        await live(app, "07:35")
        app.viewer.session.replaying = True  # type: ignore[misc]
        tell(app, TimelineRow(now + 9000, 10, "*", "The great cheese of tomorrow", ("mara",), "", 3.0))
        assert [name for _, name in kinds(app.viewer, "cheese great")] == found
        app.viewer.session.replaying = False  # type: ignore[misc]


# ---- on the screen


@pytest.mark.slow
@SIZES
async def test_to_find_somebody_and_see_why_takes_few_keys(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "09:00")
        keys = ("slash", "m", "a", "enter", "w")
        assert len(keys) <= 7
        await press(pilot, *keys)
        screen = screen_of(app)
        assert app.viewer.selected == "mara"
        assert screen.sheets.kind == "why"
        assert "Mara Tansy" in words(app)
        row = app.viewer.view.row("mara", app.viewer.shown)
        assert screen.town.camera.sees(row.x, row.y)


@pytest.mark.slow
@SIZES
async def test_all_of_it_is_in_sight(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:30")
        await ask(pilot, "mara")
        rows = text(app)
        assert len(rows) == size[1]
        told = " ".join(rows)
        assert "Find" in told
        for sign in ("person", "event", "go there", "esc closes"):
            assert sign in told, sign


@SIZES
async def test_with_nothing_typed_it_says_what_can_be(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await ask(pilot, "")
        assert isinstance(app.screen, Finder)
        assert len(app.screen.pane.found) == 8
        await press(pilot, *"qqqqqq")
        assert "Nothing like that" in words(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, Finder)


@pytest.mark.slow
@SIZES
async def test_escape_leaves_all_as_it_was(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        screen = screen_of(app)
        before = screen.here()
        await ask(pilot, "vera")
        await press(pilot, "escape")
        assert app.screen is screen
        assert screen.here() == before
        assert not screen.been


@pytest.mark.slow
async def test_enter_takes_what_was_asked_for_however_fast_it_comes(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:00")
        await press(pilot, "slash")
        finder = app.screen
        assert isinstance(finder, Finder)
        with finder.asked.prevent(Input.Changed):  # the list has not heard of it yet
            finder.asked.value = "otis"
        await press(pilot, "enter")
        assert app.viewer.selected == "otis"


@pytest.mark.slow
async def test_letters_are_typed_and_do_nothing_else(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        step = app.viewer.world.step
        await pilot.press("slash", "n", "q", "space", "full_stop", "1")
        assert isinstance(app.screen, Finder)
        assert app.screen.asked.value == "nq .1"
        assert not app.viewer.pace.running
        assert app.viewer.world.step == step


@SIZES
async def test_a_place_brings_the_map_there_and_back(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        screen = screen_of(app)
        before = screen.here()
        await ask(pilot, "chapel")
        await press(pilot, "enter")
        sector = next(s for s in app.viewer.world.map.plan.sectors if s.name == "Chapel")
        x, y, width, height = sector.rect
        assert screen.current == "town"
        assert screen.town.camera.sees(x + width / 2, y + height / 2)
        await press(pilot, "backspace")
        assert screen.here() == before


@pytest.mark.slow
@SIZES
async def test_an_event_is_shown_in_the_timeline(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:00")
        row = TimelineRow(app.viewer.world.now, 5, "*", "The zebra was seen", ("una",), "", 3.0)
        tell(app, row)
        tell(app, TimelineRow(app.viewer.world.now, 6, "*", "Nobody believed it", (), "", 3.0))
        await ask(pilot, "zebra")
        await press(pilot, "enter")
        screen = screen_of(app)
        assert screen.current == "timeline"
        assert screen.timeline.chosen == row
        assert app.viewer.selected == "una"


@pytest.mark.slow
@SIZES
async def test_an_event_of_a_talk_opens_the_talk(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:30")
        chronicle = app.viewer.chronicle
        row = next(row for row in reversed(chronicle.since(0)) if row.talk and row.mark in '"?♥!')
        await ask(pilot, "")
        assert isinstance(app.screen, Finder)
        app.screen.asked.value = row.text.split(":")[0]
        await pilot.pause()
        found = app.screen.pane.found
        index = next(i for i, f in enumerate(found) if f.row == row)
        await press(pilot, *["down"] * index, "enter")
        assert screen_of(app).sheets.kind == "talk"


@pytest.mark.slow
async def test_arrows_and_clicks_choose(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await ask(pilot, "wade")
        assert isinstance(app.screen, Finder)
        pane = app.screen.pane
        people = [found.who for found in pane.found if found.who]
        assert set(people[:2]) == {"otis", "una"}
        await press(pilot, "down")
        assert pane.chosen == pane.found[1]
        await press(pilot, "up", "up")
        assert pane.chosen == pane.found[0]
        await pilot.click("#found", offset=(4, 1))
        await pilot.pause()
        assert app.viewer.selected == people[1]


# ---- what comes from outside


@SIZES
async def test_hostile_names_are_plain_text(hostile: Town, size: tuple[int, int]) -> None:
    app = SandboxApp(hostile)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=size) as pilot:
        await ask(pilot, "eve")
        rows = text(app)
        assert all(c.isprintable() for row in rows for c in row)
        assert "[bold red]Eve[/]" in " ".join(rows)
        await press(pilot, *"[/]")
        assert all(c.isprintable() for row in text(app) for c in row)


@given(st.text(max_size=40), st.lists(st.text("abcé[/]", min_size=1, max_size=4), max_size=3))
def test_what_stands_out_is_the_text_itself(name: str, asked: list[str]) -> None:
    shown = "".join(segment.text for segment in lit(name, asked, 0))
    assert shown.isprintable()
    assert len(lit(name, asked, 0)) <= 2 * len(asked) + 1


async def test_a_large_town_with_a_long_story_is_searched(scenario: Scenario) -> None:
    cast = tuple(msgspec.structs.replace(p, id=f"{p.id}_{n}") for n in range(8) for p in scenario.cast)
    town = Town(msgspec.structs.replace(scenario, cast=cast, opening={}, pressures=()))
    app = SandboxApp(town)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=SMALL):
        app.viewer.chronicle.add(TimelineRow(0, n, "*", f"row {n} of many", (), "", 2.0) for n in range(50_000))
        found = Search(app.viewer).find("many row")
        assert len([f for f in found if f.row]) == 30
        assert found[0].text == "row 49999 of many"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("theme", ["dusk", "paper", "contrast"])
async def test_every_theme_has_its_colours(app: SandboxApp, theme: str) -> None:
    async with app.run_test(size=WIDE) as pilot:
        app.settings = app.settings.with_("theme", theme)
        app.theme = theme
        await ask(pilot, "mara")
        assert "Mara Tansy" in words(app)


@pytest.mark.slow
@SIZES
async def test_a_finder_closes_once_however_often_it_is_asked_to(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await press(pilot, "slash", "m", "a", "r")
        finder = app.screen
        assert isinstance(finder, Finder)
        finder.dismiss(None)
        finder.dismiss(None)
        finder.on_found_list_entered()
        await settle(pilot)
        assert len(app.screen_stack) == 1
        assert app.screen is app._towns.sittings[0].screen
