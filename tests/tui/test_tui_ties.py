"""The pane of ties: who is disliked and why is few keys away, past days, the story of a tie, replays, many people."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from larkspur import SIZES, SMALL, WIDE, Town, live, press, said, screen_of, settle, text, until, words
from msgspec.structs import replace
from textual.pilot import Pilot

from benchmarks.scaled_town import copies
from sandbox.core.clock import HOUR
from sandbox.core.events import Record, Stamp
from sandbox.engine.scenario import Scenario
from sandbox.people.claim_model import Claim
from sandbox.readers.tielines import BEFORE, tie_effects
from sandbox.store.session import open_session
from sandbox.talk.model import Closed, Relation
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.graph import draw, metrics, scene
from sandbox.tui.graph.draw import LONER, GraphLook
from sandbox.tui.graph.grid import blocks, grid, person_at, sorted_people
from sandbox.tui.graph.model import (
    ALL,
    GOOD,
    ILL,
    LEAST,
    MOST,
    NAMES,
    TownTies,
    edges_to_draw,
    people_in_order,
    present_ties,
    regard,
)
from sandbox.tui.graph.past import OTHER, SIGNS, kinds_by_pair, signs
from sandbox.tui.graph.picture_cache import GRAPH, GRID, TABLES
from sandbox.tui.graph.scene import HUB, WHOLE, Wanted, graph_scene
from sandbox.tui.graph.selection import START, DaySlider, TieSelection
from sandbox.tui.panes.replay_jumps import jump_to
from sandbox.tui.panes.ties import TiesPane
from sandbox.tui.sheets.event import EventSheet
from sandbox.tui.sheets.talk import TalkSheet
from sandbox.tui.sheets.tie_story import TieSheet
from sandbox.tui.sheets.why import WhySheet
from sandbox.tui.view.cells import BOLD
from sandbox.tui.view.opening import open_replay
from sandbox.tui.view.settings import Settings

NEXT, BACK = "right_square_bracket", "left_square_bracket"
DOTS = GraphLook("default", "pictures", True, 0x0F131C, 0xE8E6DF, 0xA7AEBD, 0xE8E6DF, False)
LETTERS = GraphLook("default", "letters", True, 0, 7, 7, 15, True)
ASCII = LETTERS._replace(glyphs="ascii")
ANN, BEN, CY, DEE = PEOPLE = ("ann", "ben", "cy", "dee")
CALLED = {who: who.capitalize() for who in PEOPLE}
TIED = TownTies(
    PEOPLE,
    {
        (ANN, BEN): (0.8, 0.6, 3),
        (BEN, ANN): (0.7, -0.4, 3),
        (CY, ANN): (0.1, -0.9, 1),
        (ANN, CY): (0.2, 0.1, 1),
        (DEE, CY): (0.4, 0.3, 1),
    },
)


@asynccontextmanager
async def ties_of(
    town: Town, size: tuple[int, int] = WIDE, hour: str = "", settings: Settings | None = None
) -> AsyncIterator[tuple[SandboxApp, Pilot[None], TiesPane]]:
    """The app over a town at some hour, its ties in front."""
    app = SandboxApp(town, settings)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        if hour:
            await live(app, hour)
        await press(pilot, "6")
        yield app, pilot, screen_of(app).find(TiesPane)
        await idle(screen_of(app).find(TiesPane))


async def idle(pane: TiesPane) -> None:
    """All that is worked out beside the screen is known."""
    await until(lambda: not pane.measuring)


def leaf_text(app: SandboxApp) -> str:
    """The words of the open sheet."""
    sheet = screen_of(app).sheets.topmost
    assert sheet is not None
    return " ".join(" ".join(said(line) for entry in sheet.entries(74) for line in entry.lines).split())


def fallen_out(town: Town, t: int, *, by: str, whom: str, much: float, why: str) -> int:
    """A talk after which one thinks less of the other, lived and kept; the number of its event."""
    world = town.world
    tie = world.people.ties.setdefault(by, {}).get(whom)
    feeling, closeness = (tie.feeling, tie.closeness) if tie is not None else (0.0, 0.0)
    after = round(max(-1.0, feeling + much), 6)
    relation = Relation(by, whom, much, after, 0.0, closeness, 0.0, why)
    e = Closed(f"{t}.{by}", (by, whom), "a row", "hostile", "work", (relation,))
    seq = world.seq + 1
    world.seq = seq
    if tie is not None:
        tie.feeling = after
    town.journal.lived.append(Record(Stamp(seq, world.step, t, by, ()), e))
    return seq


# ---- what one comes for


@pytest.mark.slow
@SIZES
async def test_the_most_disliked_and_why_are_found_in_five_keys(town: Town, size: tuple[int, int]) -> None:
    sour = TieSelection(SandboxApp(town).viewer)
    worst = sour.people[0]
    app = SandboxApp(town)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await live(app, "08:30")
        await press(pilot, "6")  # one
        name = app.viewer.world.cast[worst].name
        assert f"{name}, the most disliked of 25" in words(app)
        await press(pilot, "enter")  # two: their circle, whoever dislikes them most first
        pane = screen_of(app).find(TiesPane)
        tie = pane.desk.tie
        assert tie is not None
        column = pane.desk.ties().feel[:, pane.desk.ties().at[worst]]
        assert tie.back.feeling == column.min() < 0.0
        why = pane.desk.why(tie.b, worst, tie.back)
        assert why is not None
        assert why.why[:20] in words(app)
        await press(pilot, "enter")  # three: the story of that tie
        await until(lambda: isinstance(sheet := screen_of(app).sheets.topmost, TieSheet) and sheet.ready)
        assert why.why in leaf_text(app)


@pytest.mark.slow
async def test_every_number_of_the_graph_is_traced_to_its_events(town: Town) -> None:
    async with ties_of(town, hour="08:30") as (app, pilot, pane):
        seq = fallen_out(town, town.world.now, by="mara", whom="greta", much=-0.25, why="a word about the accounts")
        screen_of(app).choose("greta")
        await press(pilot, "enter")
        pane.desk.other = "mara"
        await press(pilot, "enter")
        sheet = screen_of(app).sheets.topmost
        assert isinstance(sheet, TieSheet)
        await until(lambda: sheet.ready)
        await settle(pilot)
        moved = tie_effects(sheet.book.moved("mara", "greta", town.world.now))
        assert sum(c.feeling for c in moved) == pytest.approx(pane.desk.ties().side("mara", "greta").feeling)
        assert moved[-1].seq == seq
        assert "a word about the accounts" in leaf_text(app)
        entry = next(e for e in sheet.entries(74) if e.does is not None and e.key == ("all", seq, town.world.now))
        await entry.enter()
        await until(lambda: isinstance(screen_of(app).sheets.topmost, (EventSheet, TalkSheet)))


@pytest.mark.slow
async def test_what_moved_a_tie_is_told_once_for_each_event_and_adds_up(town: Town) -> None:
    async with ties_of(town, hour="12:10") as (app, _, pane):
        await pane.desk.book.read()
        ties, now = present_ties(app.viewer.world), app.viewer.world.now
        for edge in ties.edges:
            for u, v, side in ((edge.a, edge.b, edge.there), (edge.b, edge.a, edge.back)):
                found = tie_effects(pane.desk.book.moved(u, v, now))
                assert len({c.seq for c in found if c.seq}) == sum(c.seq > 0 for c in found)
                assert sum(c.feeling for c in found) == pytest.approx(side.feeling, abs=1e-5)


@pytest.mark.slow
async def test_why_is_asked_of_the_chosen_tie(town: Town) -> None:
    async with ties_of(town) as (app, pilot, pane):
        await press(pilot, "enter", "w")
        sheet, tie = screen_of(app).sheets.topmost, pane.tie
        assert isinstance(sheet, WhySheet)
        assert (sheet.who, sheet.other) == tie


@pytest.mark.slow
@SIZES
async def test_escape_goes_out_of_the_circle_and_the_past_before_the_pane(town: Town, size: tuple[int, int]) -> None:
    async with ties_of(town, size, "08:10") as (app, pilot, pane):
        await press(pilot, "left", "enter", "enter", "escape")
        assert (pane.desk.circle, pane.desk.slider.t, screen_of(app).current) == (True, START, "ties")
        await press(pilot, "escape")
        assert (pane.desk.circle, pane.desk.slider.t, screen_of(app).current) == (False, START, "ties")
        await press(pilot, "escape")
        assert (pane.desk.slider.t, screen_of(app).current) == (None, "ties")
        await press(pilot, "escape", "escape")
        assert (screen_of(app).current, app.viewer.selected) == ("town", "")


@pytest.mark.slow
@SIZES
async def test_each_tab_says_something_and_all_keys_move_in_it(town: Town, size: tuple[int, int]) -> None:
    async with ties_of(town, size, "08:10") as (app, pilot, pane):
        for tab, told in ((GRAPH, "most disliked"), (GRID, "most disliked"), (TABLES, "modularity")):
            assert pane.tab == tab
            await idle(pane)
            before = text(app)
            assert told in " ".join(before)
            await press(pilot, "j")
            assert text(app) != before
            await press(pilot, "g", NEXT)
        await press(pilot, NEXT)  # over who is heard, which has tests of its own
        assert pane.tab == GRAPH
        await press(pilot, BACK, BACK)
        assert "Communities" in words(app)
        await press(pilot, "enter")
        assert pane.tab == GRAPH


async def test_a_small_screen_has_it_as_a_pane_of_its_own(town: Town) -> None:
    async with ties_of(town, SMALL) as (app, _, pane):
        assert "6 Ties" in text(app)[-2]
        assert pane.display
        assert not screen_of(app).town.display


async def test_on_a_wide_screen_it_opens_over_the_town(town: Town) -> None:
    async with ties_of(town) as (app, pilot, pane):
        screen = screen_of(app)
        assert pane.region == screen.town.region or not screen.town.display
        assert screen.timeline.display
        await press(pilot, "1")
        assert screen.town.display
        assert not pane.display


@pytest.mark.slow
async def test_a_click_chooses_and_on_who_is_chosen_goes_in(town: Town) -> None:
    async with ties_of(town) as (app, pilot, pane):
        await idle(pane)
        who, area = next((who, area) for who, area in pane.easel.chips.items() if who != pane.desk.who)
        at = (area.x + 2 + 2, area.y + 2)  # within border, padding and row of tabs
        await pilot.click(TiesPane, offset=at)
        await settle(pilot)
        assert app.viewer.selected == who
        area = pane.easel.chips[who]
        await pilot.click(TiesPane, offset=(area.x + 2 + 2, area.y + 2))
        await settle(pilot)
        assert pane.desk.circle


# ---- time


@pytest.mark.slow
async def test_the_slider_shows_a_past_day_as_it_was(town: Town) -> None:
    async with ties_of(town, hour="09:40") as (app, pilot, pane):
        began = TownTies(tuple(town.world.cast), pane_before(town))
        seq = fallen_out(town, town.world.now, by="mara", whom="jory", much=-0.3, why="a row")
        assert seq
        assert present_ties(app.viewer.world) != began
        await press(pilot, "left")
        await until(lambda: pane.desk.t == START)
        await settle(pilot)
        assert pane.desk.ties() == began
        assert "as the world began" in words(app)
        await press(pilot, "shift+right")
        assert pane.desk.slider.t == HOUR
        await press(pilot, "right")
        assert pane.desk.ties() == present_ties(app.viewer.world)
        assert "as it is now" in words(app)


def pane_before(town: Town) -> dict[tuple[str, str], tuple[float, float, int]]:
    """The ties of a town that has just been founded."""
    founded = Town(town.world.scenario).world
    return {
        (u, v): (tie.closeness, tie.feeling, tie.talks)
        for u, row in founded.people.ties.items()
        for v, tie in row.items()
    }


def test_the_slider_stops_where_days_end_and_at_now(town: Town) -> None:
    clock = town.world.clock
    slider, now = DaySlider(clock), clock.midnight(4) + 5 * HOUR
    ends = [clock.midnight(day + 1) - 1 for day in (1, 2, 3)]
    assert slider.moments(now) == [BEFORE, *ends]
    seen = []
    for _ in range(6):
        slider.days(now, -1)
        seen.append(slider.t)
    assert seen == [*ends[::-1], START, START, START]
    slider.t = ends[1] - 60
    slider.days(now, -1)
    assert slider.t == ends[0]
    for expected in (ends[1], ends[2], None, None):
        slider.days(now, 1)
        assert slider.t == expected
    slider.hours(now, -1)
    assert slider.t == now - HOUR
    slider.hold(now - HOUR)
    assert slider.t is None
    for width in range(60, 100):
        for slider.t in (None, START, ends[1], now - 90):
            line = said(slider.line(now, width, "← →", False))
            assert len(line) <= width
            assert "●" in line
            assert line.endswith("← → day")


@pytest.mark.slow
async def test_a_replay_shows_the_ties_of_any_moment(tmp_path: Path) -> None:
    save = tmp_path / "day.db"
    async with open_session("larkspur", seed=42, save=save) as session:
        moments = {}
        while session.world.clock.hhmm(session.world.now) < "12:30":
            await session.engine.step()
            moments[session.world.now] = present_ties(session.world)
        await session.save.settle()
    async with open_replay(save) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=WIDE) as pilot:
            await settle(pilot)
            await press(pilot, "6")
            screen = screen_of(app)
            pane = screen.find(TiesPane)
            ends = [*moments]
            late = max(ends, key=lambda t: int(moments[t].talks.sum()))
            for t in (late, ends[0], ends[len(ends) // 2]):
                await jump_to(screen, float(t))
                await settle(pilot)
                assert pane.desk.ties() == moments[t]
                await press(pilot, "left")  # an earlier moment of that moment
                await until(lambda: pane.desk.t == START)
                assert pane.desk.ties() == TownTies(
                    tuple(session.world.cast), pane_before(Town(session.world.scenario))
                )
                await press(pilot, "right")
            await idle(pane)
            await app.end()


# ---- many people, odd names


@pytest.mark.slow
async def test_two_hundred_are_a_grid_and_a_circle_with_communities(scenario: Scenario) -> None:
    async with ties_of(Town(copies(scenario, 8))) as (app, pilot, pane):
        assert len(app.viewer.world.cast) == 200 > WHOLE
        assert pane.tab == GRID
        await idle(pane)
        assert "the most disliked of 200" in words(app)
        await press(pilot, BACK)
        await idle(pane)
        hubs = [id for id in pane.easel.chips if id.startswith(HUB)]
        people = [id for id in pane.easel.chips if not id.startswith(HUB)]
        assert len(hubs) == len({*pane.desk.groups.values()}) >= 8
        assert 1 < len(people) <= 25
        assert pane.desk.who in people


@pytest.mark.parametrize("look", [DOTS, LETTERS, ASCII], ids=["dots", "letters", "ascii"])
def test_hostile_names_reach_no_terminal(look: GraphLook) -> None:
    bad = "[b]\x1b[31mEve\x1b]0;x\x07\n[/b]"
    names = {**CALLED, ANN: bad, BEN: "", CY: "ü" * 400, DEE: "日本語日本語日本語"}
    found = graph_scene(TIED, names, {ANN: 0, BEN: 0}, Wanted(ANN, True, TIED.edge(ANN, BEN)))
    force = scene.begin_layout(PEOPLE, found.pull)
    at = scene.fit_layout(force.at, draw.sizes(found.nodes, look), 60, 20)
    picture = draw.draw_graph(found.nodes, found.lines, at, 60, 20, look)
    heat = grid(TIED, names, {}, ANN, BEN, 60, 20, look)
    for canvas in (picture.canvas, heat.canvas):
        codes = {chr(c & 0xFFFFFF) for c in canvas.code.ravel().tolist() if c < 1 << 25}
        assert all(c.isprintable() or c == "\0" for c in codes)
        assert look.glyphs != "ascii" or all(c.isascii() for c in codes)
    assert all(area.x >= 0 and area.x + area.width <= 60 for area in picture.chips.values())


async def test_a_town_of_one_or_nobody_tied_says_so(scenario: Scenario) -> None:
    alone = replace(scenario, cast=tuple(replace(p, history=()) for p in scenario.cast))
    async with ties_of(Town(alone)) as (app, pilot, pane):
        assert "is tied to nobody yet" in words(app)
        await press(pilot, "enter", NEXT, NEXT)
        await idle(pane)
        assert "no two people are close" in words(app)


# ---- the layout


weights = st.lists(st.floats(-1, 1), min_size=36, max_size=36)


@given(weights)
def test_the_layout_is_the_same_for_the_same_ids_and_ties(values: Sequence[float]) -> None:
    pull = np.array(values).reshape(6, 6)
    pull = (pull + pull.T) / 2
    people = [f"p{i}" for i in range(6)]
    kept = pull.copy()
    first, second = (scene.begin_layout(people, pull) for _ in range(2))
    assert (first.at == second.at).all()
    before = first.at.copy()
    moved = scene.step_layout(first, pull)
    assert (first.at == before).all()
    assert (pull == kept).all()
    assert np.isfinite(moved.at).all()
    assert np.abs(moved.at - first.at).max() <= 2 * first.heat  # it drifts


def test_whoever_comes_finds_the_others_where_they_were() -> None:
    pull = np.array([[0, 0.8, 0], [0.8, 0, 0], [0, 0, 0.0]])
    old = scene.begin_layout(["a", "b", "c"], pull)
    more = np.zeros((4, 4))
    more[:3, :3] = pull
    more[3, 0] = more[0, 3] = 0.9
    new = scene.begin_layout(["a", "b", "c", "d"], more, old)
    assert (new.at[:3] == old.at).all()
    assert np.abs(new.at[3] - old.at[0]).max() < 0.2
    assert new.heat < scene.HOT
    assert scene.settle_layout(new, more).still


@given(st.integers(1, 40), st.sampled_from([(72, 26), (78, 14), (98, 30)]))
def test_chips_lie_in_the_picture(many: int, size: tuple[int, int]) -> None:
    people = [f"p{i}" for i in range(many)]
    at = np.array([scene.seed(who) for who in people])
    places = scene.fit_layout(at, np.full(many, 6), *size)
    assert (places[:, 0] >= 3).all()
    assert (places[:, 0] <= size[0] - 3).all()
    assert (places[:, 1] >= 0).all()
    assert (places[:, 1] < size[1]).all()


def test_names_of_a_whole_town_do_not_lie_over_one_another(town: Town) -> None:
    ties = present_ties(town.world)
    names = {who: town.world.cast[who].first for who in ties.people}
    found = graph_scene(ties, names, {}, Wanted(""))
    force = scene.settle_layout(scene.begin_layout(ties.people, found.pull), found.pull)
    for width, height in ((72, 26), (78, 14)):
        at = scene.fit_layout(force.at, draw.sizes(found.nodes, DOTS), width, height)
        chips = [*draw.draw_graph(found.nodes, found.lines, at, width, height, DOTS).chips.values()]
        pairs = [(a, b) for i, a in enumerate(chips) for b in chips[i + 1 :]]
        assert sum(a.overlap(b) > 0 for a, b in pairs) == 0


@pytest.mark.slow
async def test_it_drifts_and_stands_still_where_motion_is_reduced(town: Town) -> None:
    async with ties_of(town) as (_, _, pane):
        await idle(pane)
        before = pane.easel.force
        pane._beat()
        assert before is not None
        assert pane.easel.force is not before
    async with ties_of(Town(town.world.scenario), settings=Settings().with_("motion", "reduced")) as (_, _, pane):
        await idle(pane)
        before = pane.easel.force
        assert before is not None
        assert before.still
        pane._beat()
        assert pane.easel.force is before


# ---- the picture


def test_a_half_of_a_line_is_what_that_end_feels_solid_or_dashed() -> None:
    nodes = [draw.Node("a", "A"), draw.Node("b", "B")]
    at = np.array([[4.0, 1.5], [36.0, 1.5]])

    def row(there: float, back: float) -> list[bool]:
        canvas = draw.draw_graph(nodes, [draw.GraphLine(0, 1, there, back)], at, 40, 3, DOTS).canvas
        return [draw.BRAILLE <= c < BOLD for c in canvas.code[1].tolist()]

    solid, dashed = row(0.5, 0.5), row(0.5, -0.5)
    assert all(solid[8:32])
    assert all(dashed[8:19])
    assert not all(dashed[21:32])
    assert any(dashed[21:32])
    assert not any(row(0.0, 0.0))


def test_the_stronger_a_tie_the_brighter_it_is() -> None:
    for look in (DOTS, DOTS._replace(palette="colour-blind"), DOTS._replace(palette="grey")):
        shades = [look.tie(w, False) for w in (0.2, 0.5, 1.0)]
        assert len({*shades}) == 3
        assert sorted(shades, key=lambda c: c >> 8 & 255) == shades
        assert look.tie(0.9, True) != look.tie(0.9, False)
        assert look.tie(0.9, False) != look.tie(-0.9, False)


def test_claims_are_signs_on_a_tie() -> None:
    claims = [Claim("1", "employs", ANN, BEN), Claim("2", "couple", BEN, ANN), Claim("3", "odd", ANN, CY)]
    of = kinds_by_pair([*claims, Claim("4", "role", ANN, "", terms="mayor")])
    assert of[ANN, BEN] == of[BEN, ANN] == ("couple", "employs")
    found = {two: signs(between) for two, between in of.items()}
    assert found[ANN, BEN] == found[BEN, ANN] == SIGNS["couple"] + SIGNS["employs"]
    assert found[ANN, CY] == OTHER
    seen = graph_scene(TIED, CALLED, {}, Wanted(ANN, True, TIED.edge(ANN, BEN), marks=found))
    assert {line.marks for line in seen.lines} >= {found[ANN, BEN]}
    whole = graph_scene(TIED, CALLED, {}, Wanted(ANN, marks=found))
    assert all(len(line.marks) < 2 for line in whole.lines)


def test_a_circle_leaves_others_dim() -> None:
    seen = graph_scene(TIED, CALLED, {}, Wanted(BEN, True, TIED.edge(BEN, ANN)))
    assert {node.id for node in seen.nodes if node.dim} == {CY, DEE}
    chosen = [line for line in seen.lines if line.chosen]
    assert [line.labels for line in chosen] == [("-0.40", "+0.60")]


def test_likes_and_dislikes_are_drawn_as_asked() -> None:
    sour = {frozenset((e.a, e.b)) for e in edges_to_draw(TIED.edges, 9, ILL)}
    sweet = {frozenset((e.a, e.b)) for e in edges_to_draw(TIED.edges, 9, GOOD)}
    assert sour == {frozenset((CY, ANN))}
    assert sour | sweet == {frozenset((e.a, e.b)) for e in edges_to_draw(TIED.edges, 9, ALL)}
    assert not sour & sweet


def test_people_come_in_the_order_asked_for() -> None:
    assert people_in_order(TIED, LEAST, CALLED)[0] == ANN
    assert people_in_order(TIED, MOST, CALLED)[0] == BEN
    assert people_in_order(TIED, NAMES, CALLED) == [*PEOPLE]
    assert regard(TIED, ANN) == (0, 0.0, 2, pytest.approx(-1.3))
    assert [e.b for e in TIED.circle(ANN)] == [CY, BEN]
    assert [e.b for e in TIED.circle(CY, MOST)] == [DEE, ANN] or TIED.circle(CY, MOST)[0].b == ANN


# ---- grid and measures


def test_the_grid_tells_whose_cell_it_is() -> None:
    found = grid(TIED, CALLED, {}, ANN, CY, 40, 20, DOTS)
    order = sorted_people(TIED, {})
    for i, who in enumerate(order):
        for j, other in enumerate(order):
            assert person_at(found, found.left + j * found.wide, found.head + i) == (who, other)
    assert person_at(found, 0, 0) == ("", "")


def test_dislikes_are_written_where_there_is_no_colour() -> None:
    for look in (DOTS, LETTERS, ASCII):
        found = grid(TIED, CALLED, {}, DEE, "", 40, 20, look)
        order = sorted_people(TIED, {})
        x, y = found.left + order.index(ANN) * found.wide, found.head + order.index(CY)
        liked = found.left + order.index(BEN) * found.wide, found.head + order.index(ANN)
        assert chr(found.canvas.code[y, x] & 0xFFFFFF) in "-=%"
        assert chr(found.canvas.code[liked[1], liked[0]] & 0xFFFFFF) not in "-=%"


def test_many_people_are_a_cell_together() -> None:
    small = blocks(np.array([[0, 1.0, 0, 0], [1.0, 0, 0, 0], [0, 0, 0, -0.5], [0, 0, 0, 0]]), 2)
    assert small.tolist() == [[1.0, 0.0], [0.0, -0.5]]


def test_communities_keep_their_colours() -> None:
    before = {"a": 0, "b": 0, "c": 1, "d": 1, "e": 1}
    assert metrics.keep_group_numbers(before, {"c": 0, "d": 0, "e": 0, "a": 1, "b": 1}) == before
    split = metrics.keep_group_numbers(before, {"c": 0, "d": 0, "a": 1, "e": 1, "x": 2, "y": 2})
    assert split["c"] == split["d"] == 1
    assert split["a"] == split["e"] == 0
    assert split["x"] == split["y"] == 2
    assert LONER not in split.values()


def test_measures_are_those_of_the_laboratory(town: Town) -> None:
    from sandbox.lab.networks import network_report

    ties = present_ties(town.world)
    report = network_report(ties.close)
    found = metrics.measure_ties(ties)
    same = (
        "plain_modularity",
        "reciprocity",
        "clustering",
        "communities",
        "density",
        "largest_component",
        "path_length",
    )
    for key in same:
        assert found.values[key] == pytest.approx(report[key])


def test_a_plot_has_a_column_for_each_value() -> None:
    lines, low, high = metrics.measure_chart([0.1, None, 0.4], 3, 3)
    assert [len(line) for line in lines] == [9, 9, 9]
    assert lines[-1][3:6] == "   "
    assert low < 0.1
    assert high == 0.4
    assert metrics.measure_chart([], 2, 1)[0] == ["", ""]
    assert len(metrics.measure_chart([0.5, 0.5], 1, 1)[0][0]) == 2


@pytest.mark.slow
async def test_the_start_of_the_program_knows_no_networks() -> None:
    import subprocess
    import sys

    code = (
        "import sys, sandbox.tui.app.app; print([m for m in ('networkx', 'sandbox.lab.networks') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
