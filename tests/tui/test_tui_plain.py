"""What the screen says is what holds: keys of the footer, orders and their figures, more below, settings by name."""

from __future__ import annotations

import pytest
from larkspur import SIZES, SMALL, WIDE, live, press, said, screen_of, settle, text, words

from sandbox.talk.model import ScoredRule
from sandbox.tui.app.actions import usable
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.panes.people import ORDERS
from sandbox.tui.panes.roster import PANES
from sandbox.tui.panes.status import footer_actions
from sandbox.tui.sheets.help import HelpSheet
from sandbox.tui.sheets.town_sheet import rule_lines
from sandbox.tui.view.action import REPLAY
from sandbox.tui.view.text_lines import signed_bar, width_of

STEPS = 6  # an order stands for some of them

# ---- keys


@SIZES
async def test_enter_on_the_chosen_person_of_the_list_shows_them(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        screen = screen_of(app)
        await press(pilot, "4", "enter")
        who = app.viewer.selected
        assert who
        if size == WIDE:
            assert screen.current == "people"
            await press(pilot, "enter")
        assert screen.current == "person"
        assert app.focused is screen.person
        assert app.viewer.selected == who


@SIZES
@pytest.mark.parametrize("keys", [("slash",), ("u", "enter"), ("ctrl+p",)])
async def test_where_letters_are_typed_the_footer_offers_none(
    app: SandboxApp, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    async with app.run_test(size=size) as pilot:
        before = text(app)[-1]
        await press(pilot, *keys)
        assert text(app)[-1].split() == ["enter", "go", "esc", "close"]
        await press(pilot, *["escape"] * len(keys))
        assert text(app)[-1] == before


@pytest.mark.parametrize("where", [kind.PLACE.name for kind in PANES])
@pytest.mark.parametrize("size", [WIDE, SMALL])
def test_the_way_out_of_a_recording_never_leaves_the_footer(where: str, size: tuple[int, int]) -> None:
    for chosen in (False, True):
        shown = {a.id for a in footer_actions(where, usable(where, REPLAY), chosen, {}, size[0] - 2)}
        assert {"replay.leave", "time.pause", "time.next", "app.help", "app.quit"} <= shown
        assert not chosen or {"chosen.open", "chosen.why", "chosen.talk"} <= shown


async def test_the_palette_finds_every_setting_and_opens_it(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE) as pilot:
        screen = screen_of(app)
        commands = {c.title: c.callback for c in app.get_system_commands(screen)}
        commands["settings: motion"]()
        await settle(pilot)
        assert screen.sheets.kind == "settings"
        assert screen.sheets.chosen is not None
        assert screen.sheets.chosen.key == "motion"
        commands["settings: theme"]()
        await settle(pilot)
        assert screen.sheets.chosen.key == "theme"
        await press(pilot, "escape")
        assert not screen.sheets.kind


async def test_the_help_says_what_the_first_row_counts(app: SandboxApp) -> None:
    async with app.run_test(size=WIDE):
        sheet = HelpSheet(screen_of(app), "town")
        told = " ".join(said(line).strip() for entry in sheet.entries(76) for line in entry.lines)
        assert "! 3 in the first row: three are new" in " ".join(told.split())


# ---- lists


@pytest.mark.sampled(0)
@pytest.mark.parametrize("size", [WIDE, (160, 48), SMALL])
async def test_people_stand_in_the_order_of_the_figures_beside_them(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        people = screen_of(app).people
        await live(app, "13:00")
        await press(pilot, "4")
        for _ in range(STEPS):
            await press(pilot, "full_stop")
            people.pull()
            shown = [people._notes[who] for who in people.sorted()]
            assert [float(note or 0) for note in shown] == sorted((float(note or 0) for note in shown), reverse=True)
            assert shown[0]
            row = next(line for line in text(app) if app.viewer.name(people.sorted()[0]) in line)
            assert shown[0] in row
            assert ORDERS[people.order].note is not None


@pytest.mark.sampled(0)
@SIZES
async def test_a_list_that_goes_on_below_says_so(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        screen = screen_of(app)
        await live(app, "08:45")
        await press(pilot, "j", "3", "left_square_bracket")  # Life
        assert screen.person.more
        assert f"↓{screen.person.more}" in words(app)
        assert "Life" in words(app)
        await press(pilot, "G", *["j"] * 30)
        assert not screen.person.more
        assert "↓" not in words(app)
        await press(pilot, "4")
        assert bool(screen.people.more) == ("↓" in words(app))


# ---- words


@pytest.mark.parametrize("width", [40, 58, 76])
def test_a_rule_keeps_clear_of_its_bar(width: int) -> None:
    rule = ScoredRule("would be left with nothing", -1.0)
    (line,) = rule_lines([rule], width)
    drawn = said(signed_bar(rule.value, 9, 0))
    assert f" {drawn}" in said(line)
    assert width_of(line) <= width
    assert width < 58 or rule.name in said(line)
