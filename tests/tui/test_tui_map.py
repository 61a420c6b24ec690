"""What the map promises: zoom, the look cursor, arrows, the camera by itself, bubbles, and each set of glyphs."""

from __future__ import annotations

from itertools import pairwise

import pytest
from larkspur import SIZES, SMALL, WIDE, Clock, Town, live, press, screen_of, text
from textual.events import MouseMove, MouseScrollDown
from textual.pilot import Pilot

from sandbox.core.events import Record, Stamp
from sandbox.talk.model import Exchanged, Opened, Shift, Utterance
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.map.camera import STAY, AutoCamera, Camera, CameraScene, levels, scene_score
from sandbox.tui.map.labels import Chip, edge_arrows
from sandbox.tui.map.letters import AsciiPainter, FarPainter, LetterPainter
from sandbox.tui.map.scene import glyphs, picture_of
from sandbox.tui.panes.replay_jumps import return_to
from sandbox.tui.panes.town import TownPane
from sandbox.tui.view.cells import NEAR
from sandbox.tui.view.settings import Settings
from sandbox.tui.view.speech import Bubbles, CurrentTalks


def words(app: SandboxApp) -> str:
    return "\n".join(text(app))


async def drawn(pilot: Pilot[None], town: TownPane, times: int = 4) -> None:
    """Let roofs open and the frame reach the screen."""
    for _ in range(times):
        town.pull()
        await pilot.pause()


def opened(talk: str, a: str, b: str) -> list[Record]:
    return [Record(Stamp(1, 1, 0, a, ()), Opened(talk, b, "", "chat", "", 3, ()))]


def said(talk: str, t: int, who: str, *texts: str, lead: str = "small_talk", change: float = 0.1) -> list[Record]:
    """An exchange; who: the ids of the two, one letter each."""
    valence = -0.8 if lead == "snap" else 0.1
    lines = tuple(Utterance(who[i % 2], line, lead, "", "", valence - i / 100, ()) for i, line in enumerate(texts))
    return [
        Record(
            Stamp(1, 1, t, who[0], ()),
            Exchanged(talk, 1, lead, lines, (Shift(who[0], (change, 0.0, 0.0), (0.0, 0.0, 0.0), ""),)),
        )
    ]


# ---- zoom


@SIZES
async def test_zooming_out_shows_the_whole_town_as_large_as_it_fits(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        town = screen_of(app).town
        await press(pilot, "minus", "minus", "minus")
        camera = town.camera
        assert camera.sees(0, 0)
        assert camera.sees(camera.map_width - 0.01, camera.map_height - 0.01)
        assert (
            camera.height - camera.map_height / camera.scale.y < 1
            or camera.width - camera.map_width / camera.scale.x < 1
        )
        await drawn(pilot, town)
        assert all(place in words(app) for place in ("town hall", "bakery", "square", "chapel", "library"))
        everybody = [row.id for row in app.viewer.view.rows(app.viewer.shown) if row.awake]
        assert len(everybody) >= 10
        assert set(everybody) <= set(town.in_view())


@SIZES
async def test_the_middle_stays_in_the_middle_across_zoom(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        town = screen_of(app).town
        town.camera.centre(54, 37)
        x, y = town.camera.middle
        await press(pilot, "minus", "minus", "plus", "plus")
        assert town.camera.scale == NEAR
        assert town.camera.middle == pytest.approx((x, y), abs=2.5)


@SIZES
async def test_a_click_chooses_at_each_zoom(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        screen = screen_of(app)
        town = screen.town
        edge = town.content_region.offset - town.region.offset
        for _ in range(3):
            screen.choose("")
            town.look_at("mara")
            await drawn(pilot, town)
            area = town.painter.bodies["mara"]
            assert town.person_at(area.x, area.y) == "mara"
            await pilot.click(town, offset=(area.x + edge.x, area.y + area.height - 1 + edge.y))
            await pilot.pause()
            assert app.viewer.selected == "mara"
            await press(pilot, "minus")


async def test_ctrl_and_the_wheel_zoom(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        town = screen_of(app).town
        at = town.region.offset
        turned = MouseScrollDown(town, 9, 9, 0, 0, 0, False, False, True, screen_x=at.x + 9, screen_y=at.y + 9)
        town.post_message(turned)
        await pilot.pause()
        assert town.camera.scale != NEAR


async def test_going_back_goes_back_to_the_zoom(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        screen = screen_of(app)
        await press(pilot, "minus")
        here = screen.here()
        await press(pilot, "plus")
        return_to(screen, here)
        assert screen.town.camera.scale != NEAR
        assert isinstance(screen.town.painter, FarPainter)


@pytest.mark.slow
@SIZES
async def test_names_of_places_cover_neither_people_nor_each_other(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "12:40")
        town = screen_of(app).town
        await press(pilot, "minus", "minus")
        await drawn(pilot, town)
        chips = [chip.area for chip in town.over.labels.chips]
        assert len(chips) >= 14
        assert town.painter.bodies
        for i, area in enumerate(chips):
            assert not any(area.overlap(body) for body in town.painter.bodies.values())
            assert not any(area.overlap(other) for other in chips[:i])


def test_levels_of_zoom_are_distinct_and_end_with_the_whole_map() -> None:
    for width, height in ((74, 35), (80, 20), (40, 12), (120, 60), (300, 100)):
        found = levels(108, 74, width, height)
        assert found[0] == NEAR
        assert all(b.y > a.y * 1.29 or b == found[-1] for a, b in pairwise(found))
        assert 108 / found[-1].x <= width + 1e-6
        assert 74 / found[-1].y <= height + 1e-6
    assert levels(108, 74, 300, 100) == (NEAR,)


def test_cells_and_places_belong_together_at_every_zoom() -> None:
    camera = Camera(108, 74)
    camera.resize(74, 35)
    for scale in levels(108, 74, 74, 35):
        camera.zoom(scale)
        camera.centre(54, 37)
        for cell in ((0, 0), (20, 10), (73, 34)):
            assert camera.cell(*camera.place(*cell)) == cell


# ---- the look cursor


@SIZES
async def test_the_look_cursor_names_and_chooses(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        screen = screen_of(app)
        town = screen.town
        await press(pilot, "v")
        town.over.cursor = (
            app.viewer.view.row("mara", app.viewer.shown).x,
            app.viewer.view.row("mara", app.viewer.shown).y,
        )
        await drawn(pilot, town)
        assert "look Mara Tansy, 52, baker" in words(app)
        assert "[" in words(app)
        await press(pilot, "enter")
        assert app.viewer.selected == "mara"
        assert town.over.cursor is None
        await press(pilot, "v", "escape")
        assert town.over.cursor is None
        assert app.viewer.selected == "mara"


@pytest.mark.slow
@SIZES
async def test_the_look_cursor_takes_the_map_along(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        town = screen_of(app).town
        town.camera.centre(54, 37)
        await press(pilot, "v", *["shift+right"] * 20, *["shift+down"] * 20)
        assert town.over.cursor is not None
        assert town.over.cursor[0] >= town.picture.width - 1
        assert town.over.cursor[1] >= town.picture.height - 1
        assert town.camera.sees(*town.over.cursor)
        await press(pilot, "enter")
        assert app.viewer.selected == ""
        assert town.over.cursor is not None


async def test_the_look_cursor_names_things_and_places(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        town = screen_of(app).town
        await press(pilot, "v")
        town.over.cursor = (54.0, 32.0)
        await drawn(pilot, town)
        assert "fountain, the square" in words(app)


async def test_the_mouse_at_rest_names_the_place(app: SandboxApp, clock: Clock) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        town = screen_of(app).town
        column, row = town.camera.cell(54, 32)
        edge, at = town.content_region.offset - town.region.offset, town.region.offset
        x, y = column + edge.x, row + edge.y
        town.post_message(MouseMove(town, x, y, 0, 0, 0, False, False, False, screen_x=at.x + x, screen_y=at.y + y))
        await drawn(pilot, town)
        assert "fountain" not in words(app)
        clock.now += 1
        await drawn(pilot, town)
        assert " fountain, the square " in words(app)


# ---- settings of the look


@SIZES
async def test_roofs_go_through_three_states_and_say_so(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        town = screen_of(app).town
        for state, alpha in (("open", {0.0}), ("closed", {1.0}), ("auto", {0.0, 1.0})):
            await press(pilot, "o")
            assert app.viewer.settings["roofs"] == state
            await drawn(pilot, town)
            assert set() < set(town._roofs.alpha.values()) <= alpha
            assert any(f"Roofs: {state}." in note.message for note in app._notifications)


async def test_names_and_the_camera_are_settings(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        await press(pilot, "l", "a")
        assert not screen_of(app).town.over.labels.shown
        assert not app.viewer.settings.on("names")
        assert not app.viewer.settings.on("auto_camera")


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [WIDE, SMALL], ids=["wide", "small"])
@pytest.mark.parametrize("keys", [(), ("minus", "minus"), ("j", "v")])
async def test_ascii_is_ascii(town: Town, clock: Clock, size: tuple[int, int], keys: tuple[str, ...]) -> None:
    app = SandboxApp(town, Settings().with_("glyphs", "ascii"), clock=clock)
    app.viewer.pace.paced.pause()
    app.viewer.favourites = {*list(app.viewer.world.cast)[:4]}
    async with app.run_test(size=size) as pilot:
        await live(app, "12:40")
        pane = screen_of(app).town
        await press(pilot, *keys)
        await drawn(pilot, pane)
        assert isinstance(pane.painter, AsciiPainter)
        rows = ["".join(s.text for s in pane.render_line(y)) for y in range(pane.content_size.height)]
        assert all(c.isascii() and c.isprintable() for row in rows for c in row)


def test_auto_draws_letters_where_there_are_few_colours() -> None:
    assert glyphs("auto", "truecolor") == glyphs("auto", "256") == "pictures"
    assert glyphs("auto", "standard") == glyphs("auto", None) == "letters"
    assert glyphs("ascii", "truecolor") == "ascii"


async def test_the_painter_follows_the_settings(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await pilot.pause()
        pane = screen_of(app).town
        app.change("glyphs", "letters")
        assert type(pane.painter) is LetterPainter
        app.change("glyphs", "pictures")
        app.change("palette", "grey")
        app.change("motion", "reduced")
        assert pane.painter.palette == "grey"
        assert pane.painter.still
        assert pane.reduced


def test_two_screens_of_a_town_share_its_picture(town: Town) -> None:
    plan = town.world.scenario.plan
    assert picture_of(plan) is picture_of(plan)


# ---- arrows


@pytest.mark.parametrize(
    ("x", "y", "sign", "edge"),
    [(200, 10, "→", "right"), (-90, 10, "←", "left"), (20, -50, "↑", "top"), (20, 90, "↓", "bottom")],
)
def test_an_arrow_points_to_who_is_out_of_view(x: int, y: int, sign: str, edge: str) -> None:
    (arrow,) = edge_arrows([Chip(x, y, "Ada", "ada", "joy")], 40, 20)
    assert sign in arrow.text
    assert "Ada" in arrow.text
    at = {
        "right": arrow.x + arrow.area.width == 40,
        "left": arrow.x == 0,
        "top": arrow.y == 0,
        "bottom": arrow.y == 19,
    }
    assert at[edge]


def test_there_are_at_most_three_arrows_and_none_covers_another() -> None:
    arrows = edge_arrows([Chip(200, 10 + i, c * 5, c, "joy") for i, c in enumerate("abcde")], 40, 20)
    assert [a.who for a in arrows] == ["a", "b", "c"]
    assert not any(a.area.overlap(b.area) for a in arrows for b in arrows if a is not b)


@SIZES
async def test_a_click_on_an_arrow_goes_there(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        screen = screen_of(app)
        town = screen.town
        away = next(who for who in app.viewer.world.cast if who not in town.in_view() and not _seen(app, who))
        app.viewer.favourites = {away}
        await drawn(pilot, town)
        (arrow,) = town.over.arrows
        edge = town.content_region.offset - town.region.offset
        await pilot.click(town, offset=(arrow.x + 1 + edge.x, arrow.y + edge.y))
        await pilot.pause()
        assert app.viewer.selected == away
        assert _seen(app, away)
        await drawn(pilot, town)
        assert not town.over.arrows


def _seen(app: SandboxApp, who: str) -> bool:
    row = app.viewer.view.row(who, app.viewer.shown)
    return screen_of(app).town.camera.sees(row.x, row.y)


# ---- the camera by itself


def test_a_row_is_worth_more_than_tenderness_gossip_talk_favourites_and_a_crowd() -> None:
    best = [
        CameraScene("a", 0, 0, "!"),
        CameraScene("b", 0, 0, "♥", 9.0, 9, 9),
        CameraScene("c", 0, 0, "?", 0.0, 1),
        CameraScene("d", 0, 0, "?", 0.0, 0, 9),
        CameraScene("e", 0, 0, '"', 0.9, 0, 2),
        CameraScene("f", 0, 0, '"', 0.1, 0, 2),
        CameraScene("g", 0, 0, "", 0.0, 1, 2),
        CameraScene("h", 0, 0, "", 0.0, 0, 25),
    ]
    assert sorted(best[3:] + best[:3], key=scene_score, reverse=True) == best


def test_it_stays_at_a_scene_for_a_while(clock: Clock) -> None:
    roaming = AutoCamera(clock)
    first, better = CameraScene("a", 1, 1, '"'), CameraScene("b", 9, 9, "!")
    assert roaming.aim(lambda: [first]) == first
    clock.now += STAY - 1
    assert roaming.aim(lambda: [first, better]) == first
    clock.now += 1
    assert roaming.aim(lambda: [first, better]) == better
    roaming.rest()
    assert roaming.at is None


@pytest.mark.slow
@SIZES
async def test_the_camera_looks_around_only_when_left_alone(
    app: SandboxApp, clock: Clock, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:20")
        town = screen_of(app).town
        pace = app.viewer.pace
        town.camera.centre(0, 0)
        app.viewer.touch()
        pace.paced.paused = False
        town.pull()
        assert (town.camera.x, town.camera.y) == (0, 0)
        clock.now += 9
        for blocked in ("selected", "hovered"):
            setattr(app.viewer, blocked, "mara")
            town.pull()
            assert town.roaming.at is None
            setattr(app.viewer, blocked, "")
        town.toggle_look()
        town.pull()
        assert town.roaming.at is None
        town.end_look()
        for _ in range(60):
            town.pull()
        assert town.roaming.at is not None
        assert (town.camera.x, town.camera.y) != (0, 0)
        assert town.camera.sees(town.roaming.at.x, town.roaming.at.y)
        await press(pilot, "left")
        town.pull()
        assert town.roaming.at is None


async def test_with_reduced_motion_the_camera_stays(app: SandboxApp, clock: Clock) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:20")
        app.change("motion", "reduced")
        town = screen_of(app).town
        town.camera.centre(0, 0)
        app.viewer.pace.paced.paused = False
        clock.now += 60
        town.pull()
        await pilot.pause()
        assert (town.camera.x, town.camera.y) == (0, 0)


# ---- bubbles

HERE = dict.fromkeys("abcdefgh")


def floor_of(*talks: str) -> CurrentTalks:
    floor = CurrentTalks(60)
    for pair in talks:
        floor.saw(opened(pair, pair[0], pair[1]))
    return floor


def texts(
    bubbles: Bubbles, floor: CurrentTalks, t: float, speed: str, running: bool = True, selected: str = ""
) -> list[str]:
    return [s.line.text for s in bubbles.choose(floor.at(t), t, speed, selected, running, HERE)]


def test_slow_shows_every_talk_up_to_three(clock: Clock) -> None:
    floor = floor_of("ab", "cd", "ef", "gh")
    for i, pair in enumerate(("ab", "cd", "ef", "gh")):
        floor.saw(said(pair, 0, pair, f"{pair} one.", f"{pair} two.", change=i / 10))
    bubbles = Bubbles(floor, clock)
    assert texts(bubbles, floor, 0, "slow") == ["gh one.", "ef one.", "cd one."]
    clock.now += 9
    assert texts(bubbles, floor, 40, "slow") == ["gh two.", "ef two.", "cd two."]


def test_normal_shows_the_opening_and_the_most_telling_line_of_one_talk(clock: Clock) -> None:
    floor = floor_of("ab", "cd")
    floor.saw(said("ab", 0, "ab", "Morning.", "Morning!", change=0.3) + said("cd", 0, "cd", "Rain.", "Again."))
    bubbles = Bubbles(floor, clock)
    assert texts(bubbles, floor, 0, "normal") == ["Morning."]
    floor.saw(said("ab", 60, "ab", "Dull.", "Quite.") + said("ab", 120, "ab", "You knew!", "I did not!", lead="snap"))
    clock.now += 0.5
    assert texts(bubbles, floor, 65, "normal") == ["Morning."]
    clock.now += 9
    assert texts(bubbles, floor, 70, "normal") == []
    assert texts(bubbles, floor, 121, "normal") == ["I did not!"]


def test_fast_and_max_show_marks_alone(clock: Clock) -> None:
    floor = floor_of("ab")
    floor.saw(said("ab", 0, "ab", "Morning."))
    bubbles = Bubbles(floor, clock)
    assert texts(bubbles, floor, 0, "fast") == texts(bubbles, floor, 0, "max") == []


def test_the_bubble_of_the_moment_stays_while_time_stands(clock: Clock) -> None:
    floor = floor_of("ab")
    floor.saw(said("ab", 0, "ab", "Morning."))
    bubbles = Bubbles(floor, clock)
    assert texts(bubbles, floor, 0, "normal") == ["Morning."]
    clock.now += 99
    assert texts(bubbles, floor, 0, "normal", running=False) == ["Morning."]
    assert texts(bubbles, floor, 200, "normal") == []


def test_whoever_is_played_reads_what_they_were_answered_last_when_it_is_theirs_to_speak(clock: Clock) -> None:
    floor = floor_of("ab", "cd")
    floor.saw(said("ab", 0, "ab", "Lend me a coin.", "No.") + said("cd", 0, "cd", "Thief!", "Liar!", lead="snap"))
    bubbles = Bubbles(floor, clock)

    def shown(t: float, played: str, running: bool = False) -> list[str]:
        return [s.line.text for s in bubbles.choose(floor.at(t), t, "normal", "a", running, HERE, played)]

    assert shown(5, "a", running=True) == ["Lend me a coin."]
    assert shown(5, "") == ["Lend me a coin."]
    assert shown(5, "a") == ["No."]
    assert shown(70, "a") == ["No."]  # it is over, and the next word is theirs
    assert shown(500, "a") != ["No."]


def test_a_pinned_talk_shows_its_most_telling_line_until_time_goes_on(clock: Clock) -> None:
    floor = floor_of("ab", "cd")
    floor.saw(said("ab", 0, "ab", "Hm.") + said("ab", 60, "ab", "Thief!", lead="snap") + said("ab", 120, "ab", "Bye."))
    floor.saw(said("cd", 200, "cd", "Rain."))
    bubbles = Bubbles(floor, clock)
    bubbles.pin("ab")
    assert texts(bubbles, floor, 210, "fast", running=False) == ["Thief!"]
    bubbles.free()  # the camera went there
    assert texts(bubbles, floor, 210, "fast", running=False, selected="c") == ["Thief!"]
    assert texts(bubbles, floor, 210, "normal") == ["Rain."]
    assert texts(bubbles, floor, 210, "normal", running=False) == ["Rain."]
    bubbles.pin("ab")
    bubbles.forget()
    assert texts(bubbles, floor, 210, "normal", running=False) == ["Rain."]
