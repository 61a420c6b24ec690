"""Places as they are now: the map, the look cursor, the finder, a place's sheet and a life go by what is so."""

from __future__ import annotations

from larkspur import SIZES, SMALL, WIDE, Town, press, screen_of, settle, words
from textual.widgets import Input

from sandbox.core.events import Event, Record, Stamp
from sandbox.people.claim_handlers import claims_of
from sandbox.people.claim_model import Broken, Made
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.map.labels import tile_words
from sandbox.tui.panes.person_life import LifeTab
from sandbox.tui.sheets.place import PlaceSheet
from sandbox.tui.view.search import Search
from sandbox.tui.widgets.sheet_pane import PLAIN

MEADOW, SETTEE, OVEN = "Mill Meadow / meadow", "Rowan House / sitting room", "Tansy Bakery / kitchen"


def turn(town: Town) -> None:
    """The meadow is sold, the miller goes to the bakery, and Kit to a settee."""
    w = town.world
    ids = [next(c.id for c in claims_of(w, who, kind)) for who, kind in (("basil", "employs"), ("kit", "lodges"))]
    events: tuple[tuple[str, Event], ...] = (
        ("", Made("sold", "place", terms="the hotel people's", where=MEADOW)),
        ("basil", Broken(ids[0], "employs", "", "basil", "miller", "Mill Meadow / old mill")),
        ("mara", Made("oven", "employs", "mara", "basil", "baker", OVEN)),
        ("kit", Broken(ids[1], "lodges", "kit", "zeno")),
        ("kit", Made("settee", "lodges", "kit", terms="the settee", where=SETTEE)),
    )
    for who, event in events:
        w.apply(Record(Stamp(w.seq + 1, 0, 0, who, (1,)), event))


def sheet(app: SandboxApp, sector: str) -> str:
    return PlaceSheet(screen_of(app), sector).plain()


async def test_a_place_tells_who_lives_and_works_there_now_and_since_when(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        assert "Kit       half of room one, with Zeno" in sheet(app, "Number Nine")
        assert "Basil     miller" in sheet(app, "Mill Meadow")
        turn(town)
        assert "Kit       lived here; now in Rowan House (since Tue 4 Mar 07:30)" in sheet(app, "Number Nine")
        assert "Kit       the settee (since Tue 4 Mar 07:30)" in sheet(app, "Rowan House")
        meadow = sheet(app, "Mill Meadow")
        assert "= The mill meadow is the hotel people's (since Tue 4 Mar 07:30)" in meadow
        assert "SIXTY ROOMS" in meadow
        assert "Basil     worked here; now at the bakery (since Tue 4 Mar 07:30)" in meadow
        assert "Basil     baker, for Mara (since Tue 4 Mar 07:30)" in sheet(app, "Tansy Bakery")


async def test_a_place_leads_to_its_people_and_says_what_is_held_there_today(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        screen = screen_of(app)
        top = PlaceSheet(screen, "The Lantern")
        assert "20:00  Quiz night" in top.plain()
        screen.open_sheet(top)
        await next(e for e in top.entries(PLAIN) if e.key and e.key[0] == "zeno").enter()
        assert (app.viewer.selected, screen.sheets.topmost) == ("zeno", None)


@SIZES
async def test_the_look_cursor_opens_the_place_under_it(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        screen = screen_of(app)
        await press(pilot, "v")
        screen.town.over.cursor = (26.5, 20.5)  # the bakery's kitchen
        screen.town.pull()
        await settle(pilot)
        assert "enter the place" in words(app)
        await press(pilot, "enter")
        assert isinstance(screen.sheets.topmost, PlaceSheet)
        assert screen.sheets.topmost.sector == "Tansy Bakery"


async def test_the_map_calls_a_place_what_it_has_become_and_it_is_found_by_that(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await press(pilot, *["minus"] * 4)
        assert "mill meadow" in words(app)
        turn(town)
        await press(pilot, "plus", "minus")
        assert "hotel ground" in words(app)
        assert "mill meadow" not in words(app)
        found = Search(app.viewer).find("hotel gr")[0]
        assert (found.address, found.text) == ("Mill Meadow", "hotel ground, the mill meadow")
        picture = screen_of(app).town.picture
        assert tile_words(app.viewer, picture, 30, 70, {}).startswith("meadow, the mill meadow: a fence all round")
        await press(pilot, "slash")
        assert isinstance(app.focused, Input)


async def test_what_has_changed_stands_first_in_a_life_and_kin_and_membership_last(app: SandboxApp, town: Town) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await settle(pilot)
        turn(town)
        tab = next(tab for tab in screen_of(app).panes["person"].tabs if isinstance(tab, LifeTab))
        keys = [e.key[1] for e in tab.entries("basil", 0, 76, 40) if e.key and e.key[0] == "claim"]
        assert keys[:2] == ["oven", "mara_basil"]
        kinds = [town.world.claims.open[key].kind for key in keys[2:]]
        assert kinds == sorted(kinds, key=["heir", "ally", "kin", "member"].index)
