"""The people, in many orders, and the person, in tabs."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from larkspur import SIZES, SMALL, WIDE, Town, live, press, said, screen_of, settle, tell, text, until, words
from textual.widget import Widget

from sandbox.core.clock import HOUR
from sandbox.core.events import Record, Stamp
from sandbox.engine.scenario import Scenario
from sandbox.people.memory_stream import Memory
from sandbox.people.model import Felt
from sandbox.people.mood import Pad
from sandbox.people.persona import BigFive
from sandbox.readers.timeline import TimelineRow
from sandbox.store.save import Save
from sandbox.store.session import open_session
from sandbox.talk.model import Exchanged, Shift, Utterance
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.panes.people import ORDERS, PLACE, column_widths, hours_alone
from sandbox.tui.panes.person import MemoryTab
from sandbox.tui.panes.person_life import nature
from sandbox.tui.panes.person_matters import trouble
from sandbox.tui.sheets.why import WhySheet
from sandbox.tui.view.opening import begin_replay
from sandbox.tui.view.person_words import feeling_label
from sandbox.tui.view.recent_moods import RecentMoods, sparkline
from sandbox.tui.view.text_lines import width_of
from sandbox.tui.view.viewer import Viewer

CALM = Pad(0.0, 0.0, 0.0)


def felt(who: str, t: int, pleasure: float) -> Record:
    return Record(Stamp(1, 1, t, who, ()), Felt(CALM, Pad(pleasure, 0.0, 0.0), "joy", "why not"))


def talked(t: int, about: str, a: str = "mara", b: str = "otis") -> Record:
    lines = (Utterance(a, "Well.", "gossip", "", about, 0.0, ()), Utterance(b, "Well.", "gossip", "", about, 0.0, ()))
    return Record(Stamp(1, 1, t, a, ()), Exchanged("t", 1, "gossip", lines, (Shift(a, CALM, CALM, ""),)))


# ---- how they have felt


async def test_moods_decay_between_what_moved_them(town: Town) -> None:
    pulses = RecentMoods()
    pulses.saw([felt("mara", 2 * HOUR, 0.8)])
    rest = town.world.people.residents["mara"].mood.rest.p
    line = pulses.felt(town.view, "mara", 6 * HOUR, 6)
    assert line[:2] == [pytest.approx(rest), pytest.approx(0.8)]
    assert line[3] == pytest.approx(rest + (0.8 - rest) / 2)  # a half-life of two hours
    assert line[2] is not None
    assert line[3] is not None
    assert 0.8 > line[2] > line[3] > rest


async def test_before_the_world_there_is_nothing_to_tell(town: Town) -> None:
    rest = town.world.people.residents["mara"].mood.rest.p
    assert RecentMoods().felt(town.view, "mara", HOUR, 6) == [None, None, None, None, rest, rest]


@pytest.mark.slow
async def test_the_ledger_tells_what_was_lived_before_one_came(town: Town) -> None:
    kept = RecentMoods()
    town.engine.watchers.append(kept.saw)
    for _ in range(240):
        await town.engine.step()
    t = town.world.now
    compared = 0
    for who, resident in town.world.people.residents.items():
        if len(resident.mood.causes) < 20:
            known, told = kept.felt(town.view, who, t, 12), RecentMoods().felt(town.view, who, t, 12)
            for a, b in zip(known, told, strict=True):
                assert (a is None) == (b is None)
                if a is not None and b is not None:
                    assert a == pytest.approx(b, abs=0.25), who
                    compared += 1
    assert compared > 50


def test_points_are_few_however_much_happens(town: Town) -> None:
    pulses = RecentMoods()
    for t in range(0, 40 * HOUR, 10):
        pulses.saw([felt("mara", t, 0.5), talked(t, "vera")])
    assert len(pulses._felt["mara"]) <= 80
    assert pulses.named("vera", 40 * HOUR) <= 256


def test_only_others_talk_counts_as_being_talked_about() -> None:
    pulses = RecentMoods()
    pulses.saw([talked(100, "vera"), talked(200, "vera"), talked(300, "mara"), talked(400, "otis", "una", "lev")])
    assert {who: pulses.named(who, 500) for who in ("vera", "mara", "otis", "una")} == {
        "vera": 2, "mara": 0, "otis": 1, "una": 0,
    }  # fmt: skip
    assert pulses.named("vera", 150) == 1
    assert pulses.named("vera", 100 + 25 * HOUR) == 0


@given(st.lists(st.none() | st.floats(-1, 1), min_size=1, max_size=30))
def test_a_sparkline_has_a_cell_for_each_value(values: list[float | None]) -> None:
    line = sparkline(values, "dim", "accent")
    assert width_of(line) == len(values)
    heights = [said([s]) for s in line]
    for a, x in zip(values, heights, strict=True):
        assert (x == " ") == (a is None)
        for b, y in zip(values, heights, strict=True):
            if a is not None and b is not None and a < b:
                assert x <= y


async def test_a_jump_forgets_what_was(app: SandboxApp) -> None:
    app.viewer.pulses.saw([talked(100, "vera")])
    app.viewer.jumped([talked(50, "una")])
    assert app.viewer.pulses.named("vera", 500) == 0
    assert app.viewer.pulses.named("una", 500) == 1


# ---- people


@pytest.mark.parametrize("noted", [True, False])
@given(width=st.integers(24, 200), name=st.integers(4, 11), longest=st.integers(0, 18))
def test_columns_fit(width: int, name: int, noted: bool, longest: int) -> None:
    c = column_widths(width, name, noted, longest)
    cells = 3 + name + 1 + c.place + 1 + (c.doing + 1 if c.doing else 0) + (c.note + 1 if c.note else 0) + c.felt
    assert cells <= width or c.place == 0
    assert c.felt >= 6 or c.note
    assert not c.note or (noted and c.place >= PLACE)
    assert c.doing == 0 or c.doing >= c.place


@pytest.mark.sampled(1)
@pytest.mark.parametrize("size", [(120, 40), (160, 48), (200, 60)])
async def test_every_place_is_told_whole(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "09:00")
        await press(pilot, "4")
        pane = screen_of(app).people
        world = app.viewer.world
        longest = max(len(world.handbook.place(a).removeprefix("the ")) for a in world.map.areas)
        for _ in ORDERS:
            shape = pane._shape(pane.content_size.width)
            assert shape.place >= longest
            rows = [said(line) for line in pane.lines(pane.content_size.width, 30)]
            assert shape.doing or not any("…" in row for row in rows)
            await press(pilot, "s")


@SIZES
async def test_everybody_is_listed_with_mark_place_and_past(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "09:00")
        await press(pilot, "4")
        screen = screen_of(app)
        seen = {str(e.key) for e in screen.people._entries}
        assert seen == set(app.viewer.world.cast)
        told = words(app)
        first = screen.people.sorted()[0]
        assert app.viewer.name(first) in told
        assert any(block in told for block in "▃▄▅▆")
        assert ORDERS["trouble"].says in told


@pytest.mark.slow
@SIZES
async def test_s_turns_the_order_and_says_which(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:30")
        await press(pilot, "4")
        for order in [*list(ORDERS.values())[1:], ORDERS["trouble"]]:
            await press(pilot, "s")
            assert order.says in words(app)
        await press(pilot, "s", "s", "s", "s")
        names = [app.viewer.world.cast[who].name for who in screen_of(app).people.sorted()]
        assert names == sorted(names)


@pytest.mark.slow
async def test_each_order_puts_its_own_first(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "10:00")
        await press(pilot, "4")
        viewer, people = app.viewer, screen_of(app).people
        t = viewer.shown
        people.order = "mood"
        pleasures = [viewer.view.pad(who, t).p for who in people.sorted()]
        assert pleasures == sorted(pleasures, reverse=True)
        people.order = "talked about"
        named = [viewer.pulses.named(who, t) for who in people.sorted()]
        assert named == sorted(named, reverse=True)
        assert named[0] > 0
        people.order = "lonely"
        who = people.sorted()[0]
        assert hours_alone(viewer, who, t) >= min(hours_alone(viewer, other, t) for other in viewer.world.cast)
        people.order = "trouble"
        pressed = [round(trouble(viewer, who, t), 1) for who in people.sorted()]
        assert pressed == sorted(pressed, reverse=True)
        assert pressed[0] > 0
        viewer.world.pressures.open.clear()  # then it goes by moods, sour ties and rows
        for n in range(9):
            tell(app, TimelineRow(int(t), 9000 + n, "!", "Pip fell out", ("pip",), "", 9.0))
        people._sorted = (None, [])
        assert people.sorted()[0] == "pip"


@SIZES
async def test_favourites_stand_first(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:30")
        screen = screen_of(app)
        screen.choose("zeno")
        await press(pilot, "4", "asterisk")
        assert screen.people.sorted()[0] == "zeno"
        assert "*Zeno" in words(app)
        await press(pilot, "asterisk")
        assert "*Zeno" not in words(app)


@pytest.mark.parametrize("pane", ["4", "6"])
async def test_keys_are_about_whom_the_bar_is_on(app: SandboxApp, pane: str) -> None:
    async with app.run_test(size=WIDE) as pilot:
        await live(app, "08:30")
        screen = screen_of(app)
        await press(pilot, pane)
        assert not app.viewer.selected
        assert "f follow" in text(app)[-1]  # the bar is on somebody, so that there is somebody to follow
        await press(pilot, "asterisk")  # nobody was chosen: the bar is on the first
        first = screen.panes[screen.current].who
        assert app.viewer.favourites == {first} == {app.viewer.selected}
        for keys in (("j", "j", "j"), ("k",), ("s",)):
            await press(pilot, *keys)
            on = screen.panes[screen.current].who
            assert app.viewer.selected == on, keys
            await press(pilot, "w")
            assert isinstance(sheet := screen.sheets.topmost, WhySheet)
            assert sheet.who == on
            await press(pilot, "escape")
        screen.choose("zeno")
        await settle(pilot)
        assert screen.panes[screen.current].who == "zeno"


@pytest.mark.slow
@SIZES
async def test_enter_goes_to_the_person_and_backspace_returns(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "09:00")
        screen = screen_of(app)
        await press(pilot, "4", "G")
        before = screen.here()
        who = screen.people.sorted()[-1]
        await press(pilot, "enter")
        assert app.viewer.selected == who
        row = app.viewer.view.row(who, app.viewer.shown)
        assert screen.town.camera.sees(row.x, row.y)
        assert screen.current == "person"
        assert app.viewer.world.cast[who].name in words(app)
        await press(pilot, "backspace")
        assert screen.here() == before


@pytest.mark.slow
@SIZES
async def test_a_click_goes_to_the_person(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "09:00")
        await press(pilot, "4")
        screen = screen_of(app)
        who = screen.people.sorted()[2]
        y = 3  # below the border or the header
        await pilot.click("#people", offset=(6, y))
        await pilot.pause()
        assert app.viewer.selected == who


@pytest.mark.slow
async def test_the_chosen_one_is_marked_not_by_colour_alone(app: SandboxApp) -> None:
    async with app.run_test(size=(160, 48)) as pilot:
        await live(app, "08:30")
        screen = screen_of(app)
        screen.choose("una")
        await press(pilot, "1")
        assert any(">" in row and "Una" in row for row in text(app))
        assert screen.people.outer_size.width <= 36


async def test_a_click_on_the_header_turns_the_order(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "4")
        await pilot.click("#people", offset=(10, 0))
        await pilot.pause()
        assert screen_of(app).people.order == "mood"


@pytest.mark.slow
async def test_only_those_in_sight_are_asked_after(app: SandboxApp, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.run_test(size=(120, 22)) as pilot:
        await live(app, "08:30")
        await press(pilot, "4")
        asked: list[str] = []
        row = app.viewer.view.row
        monkeypatch.setattr(app.viewer.view, "row", lambda who, t: asked.append(who) or row(who, t))  # type: ignore[func-returns-value]
        people = screen_of(app).people
        people.pull()
        assert 0 < len(asked) <= people.content_size.height < 25
        people.display = False
        asked.clear()
        people.pull()
        assert not asked


# ---- the person


@pytest.mark.slow
@SIZES
async def test_brackets_turn_the_tabs(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "09:00")
        screen = screen_of(app)
        screen.choose("mara")
        await press(pilot, "3")
        signs = ("pleasure", "feels", "newest first", "known to", "lives at", "pleasure")
        for sign in signs:
            told = words(app)
            assert sign in told
            assert all(f" {tab.name} " in told for tab in screen.person.tabs)
            await press(pilot, "right_square_bracket")
        await press(pilot, "left_square_bracket", "left_square_bracket")
        assert screen.person.tab == 4


@SIZES
async def test_a_click_on_a_tab_shows_it(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:30")
        screen = screen_of(app)
        screen.choose("mara")
        await press(pilot, "3")
        rows = text(app)
        y = next(y for y, row in enumerate(rows) if " Memory  Matters " in row)
        await pilot.click(offset=(rows[y].index("Matters") + 2, y))
        await pilot.pause()
        assert screen.person.tabs[screen.person.tab].name == "Matters"
        assert app.viewer.selected == "mara"


@SIZES
async def test_nobody_chosen_says_which_key_fills_it(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await press(pilot, "3", "right_square_bracket")
        assert "Nobody is chosen" in words(app)
        assert "press j in the town" in words(app)


@pytest.mark.slow
@SIZES
async def test_a_tie_leads_to_the_other(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "09:00")
        screen = screen_of(app)
        screen.choose("mara")
        await press(pilot, "3", "right_square_bracket", "j")
        ties = app.viewer.view.ties("mara")
        if app.viewer.view.left("mara", ties[0].who) is not None:
            await press(pilot, "j")  # past the talk that left something
        assert screen.person.chosen is not None
        assert screen.person.chosen.key == ties[1].who
        strength = [abs(tie.feeling) + tie.closeness for tie in ties]
        assert strength == sorted(strength, reverse=True)
        await press(pilot, "enter")
        assert app.viewer.selected == ties[1].who
        assert screen.current == "person"
        await press(pilot, "backspace")
        assert app.viewer.selected == "mara"


@pytest.mark.slow
@SIZES
async def test_causes_and_memories_lead_to_their_events(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "10:00")
        screen = screen_of(app)
        who = next(w for w in app.viewer.world.cast if app.viewer.view.causes(w, app.viewer.shown)[0].seq)
        screen.choose(who)
        await press(pilot, "3", "enter")
        assert screen.sheets.topmost is not None
        await press(pilot, "escape", "right_square_bracket", "right_square_bracket", "enter")
        assert screen.sheets.topmost is not None


def test_the_weight_of_a_memory_stands_beside_it_however_long_it_is(town: Town) -> None:
    tab = MemoryTab(Viewer(town), Widget(), lambda: None)
    for length in range(20, 60):
        node = Memory(1, "event", 0, 0, "x" * length, (), 7, 5)
        assert "".join(segment.text for segment in tab._lines(node, 600.0, 44)[0]).endswith("  7"), length


async def test_memories_are_told_newest_or_weightiest_first(app: SandboxApp) -> None:
    async with app.run_test(size=SMALL) as pilot:
        await live(app, "15:00")
        screen = screen_of(app)
        screen.choose("mara")
        await press(pilot, "3", "right_square_bracket", "right_square_bracket")
        nodes = app.viewer.world.memories.streams["mara"]
        keys = [e.key for e in screen.person._entries if isinstance(e.key, int)]
        assert keys == [node.id for node in reversed(nodes)][: len(keys)]
        await press(pilot, "s")
        weights = {node.id: node.poignancy for node in nodes}
        order = [weights[e.key] for e in screen.person._entries if isinstance(e.key, int)]
        assert order == sorted(order, reverse=True)
        assert "weightiest first" in words(app)
        assert len(nodes) > len(order)
        await press(pilot, "G", "enter")
        assert len(screen.person._entries) > len(order) + 2


@SIZES
async def test_who_has_no_secrets_is_said_to_have_none(scenario: Scenario, size: tuple[int, int]) -> None:
    first, *others = scenario.cast
    plain = msgspec.structs.replace(first, secrets=(), opinions={}, history=(), job="")
    app = SandboxApp(Town(msgspec.structs.replace(scenario, cast=(plain, *others))))
    app.viewer.pace.paced.pause()
    async with app.run_test(size=size) as pilot:
        screen_of(app).choose(first.id)
        await press(pilot, "3", "left_square_bracket", "left_square_bracket")
        whole = screen_of(app).person.copied_all()
        assert "hides nothing" in whole
        assert "no opinion" in whole
        await press(pilot, "right_square_bracket")
        assert "lives at" in words(app)


@pytest.mark.slow
@SIZES
async def test_a_life_tells_what_was_before_and_since(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "08:30")
        tell(app, TimelineRow(app.viewer.world.now, 7, "!", "Mara threw a loaf at the moon", ("mara",), "", 9.0))
        tell(app, TimelineRow(app.viewer.world.now, 8, "!", "Una threw nothing", ("una",), "", 9.0))
        screen = screen_of(app)
        screen.choose("mara")
        await press(pilot, "3", "left_square_bracket")
        whole = screen.person.copied_all()
        assert "Rowan House, with" in whole
        assert "very orderly" in whole
        assert "two hundred Christmas loaves" in " ".join(whole.split())
        assert "Mara threw a loaf" in whole
        assert "Una threw nothing" not in whole
        await press(pilot, "G")
        assert screen.person.chosen is not None
        assert isinstance(screen.person.chosen.key, tuple)
        assert screen.person.chosen.key[0] == "row"


def test_traits_and_feelings_in_words() -> None:
    assert nature(BigFive(0.1, 0.8, 0.2, -0.3, 0.3)) == "very orderly, hard to please, easily shaken"
    assert nature(BigFive(0, 0, 0, 0, 0)) == "middling in everything"
    assert [feeling_label(x)[0] for x in (1, 0.5, 0.2, 0, -0.2, -0.5, -1)] == [
        "devoted", "fond", "warm", "even", "wary", "bitter", "hateful",
    ]  # fmt: skip


@pytest.mark.slow
async def test_a_replay_reads_memories_when_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "larkspur.db"
    async with open_session("larkspur", seed=42, save=path) as session:
        for _ in range(90):
            await session.engine.step()
        remembered = len(session.world.memories.streams["mara"])
        last = session.world.step
    async with await Save.open(path, read_only=True) as save:
        replay = await begin_replay(save, path, last)
        app = SandboxApp(replay)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=WIDE) as pilot:
            screen = screen_of(app)
            screen.choose("mara")
            assert not app.viewer.world.memories.live
            await press(pilot, "3", "right_square_bracket", "right_square_bracket")
            await until(lambda: app.viewer.world.memories.live)
            await settle(pilot)
            assert len(app.viewer.world.memories.streams["mara"]) == remembered
            assert "newest first" in words(app)
            await replay.go(60 * 40)
            app.viewer.jumped(replay.said)  # another world: memories are read anew
            screen.update()
            await until(lambda: app.viewer.world.memories.live)
            await settle(pilot)
            assert 0 < len(app.viewer.world.memories.streams["mara"]) < remembered
            assert "newest first" in words(app)


# ---- what comes from outside


@pytest.mark.slow
@SIZES
async def test_hostile_names_are_plain_text(hostile: Town, size: tuple[int, int]) -> None:
    app = SandboxApp(hostile)
    app.viewer.pace.paced.pause()
    async with app.run_test(size=size) as pilot:
        await live(app, "08:10")
        screen = screen_of(app)
        screen.choose(hostile.world.scenario.cast[0].id)
        for key in ("4", "s", "3", *["right_square_bracket"] * 5):
            await press(pilot, key)
            assert all(c.isprintable() for row in text(app) for c in row)
        assert "[bold red]Eve[/]" in words(app)


def test_a_viewer_needs_no_widgets_for_pulses(town: Town) -> None:
    viewer = Viewer(town)
    town.engine.watchers[-1]([felt("mara", 60, 0.5)])
    assert viewer.pulses.felt(viewer.view, "mara", 60, 1) == [pytest.approx(0.5)]
