"""The tab "who is heard" of the pane of ties: off in one line; types, forecast, names and asks; replays as it was."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest
from larkspur import SIZES, SMALL, WIDE, Town, press, screen_of, settle, text, words
from rich.cells import cell_len
from textual.pilot import Pilot

from sandbox.core.events import Record, Stamp
from sandbox.core.places import shipped_folder
from sandbox.director.model import DealCard, Dealt
from sandbox.engine.loading import load
from sandbox.engine.scenario import Scenario
from sandbox.play.model import Play
from sandbox.society.model import Grant, Proposal, Trial, Vector
from sandbox.society.town_domain import credited
from sandbox.society.town_model import AskedHelp, HelpRound, PendingAsk
from sandbox.store.session import open_session
from sandbox.tui.app.app import SandboxApp
from sandbox.tui.graph.heard_chart import HeardPoint, lines_over_days
from sandbox.tui.graph.picture_cache import GRAPH, HEARD
from sandbox.tui.panes.replay_jumps import jump_to
from sandbox.tui.panes.ties import TiesPane
from sandbox.tui.view.opening import open_replay
from sandbox.tui.view.settings import Settings
from sandbox.tui.view.text_lines import as_text

ON = ("society.type=young", "feed.on=false", "feed.crowd=0")
BACK = "left_square_bracket"
GIVEN: Vector = (0.2, 0.5, 0.75)


@pytest.fixture(scope="session")
def counted() -> Scenario:
    """Larkspur in which it counts who is heard."""
    return load(shipped_folder("worlds") / "larkspur", seed=42, set=ON)


def ask(town: Town, *pairs: tuple[str, str], given: Vector = GIVEN, about: str = "a ladder") -> None:
    """A round in which these ask these for help, at the moment of the town."""
    w, s = town.world, town.world.society
    numbers = {who: i for i, who in enumerate(s.members)}
    s.done += [PendingAsk(0, w.now, a, b, "ask_help", about, "accept", 20, 0.5, "", "") for a, b in pairs]
    trials = tuple(
        AskedHelp(Trial(numbers[a], numbers[b], Proposal(), Grant(given, any(given))), a, b, w.now, "ask_help", about)
        for a, b in pairs
    )
    record = Record(Stamp(w.seq, w.step, w.now, "", (0,) * len(pairs)), HelpRound(s.number + 1, 0.0, trials))
    credited(w, record.event, record.stamp)  # type: ignore[arg-type]


@asynccontextmanager
async def heard_of(
    town: Town, size: tuple[int, int] = WIDE, settings: Settings | None = None
) -> AsyncIterator[tuple[SandboxApp, Pilot[None], TiesPane]]:
    """The app over a town, the tab in front."""
    app = SandboxApp(town, settings)  # type: ignore[arg-type]
    app.viewer.pace.paced.pause()
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        await press(pilot, "6", BACK)
        yield app, pilot, screen_of(app).find(TiesPane)


async def test_off_it_says_in_a_line_how_to_turn_it_on(town: Town) -> None:
    async with heard_of(town, SMALL) as (app, pilot, pane):
        assert pane.tab == HEARD
        assert "society.type=young" in words(app)
        await press(pilot, "j", "enter")
        assert pane.tab == GRAPH


@SIZES
async def test_it_shows_types_forecast_names_and_why(counted: Scenario, size: tuple[int, int]) -> None:
    town = Town(counted)
    ask(town, ("mara", "kit"), ("vera", "kit"), ("otis", "dov"))
    ask(town, ("kit", "zeno"), ("jory", "zeno"), ("pip", "zeno"), given=(0.0, 0.0, 0.0))
    async with heard_of(town, size) as (app, pilot, _):
        rows = text(app)
        said = " ".join(rows)
        assert "R young, 12 of 25" in said
        assert "beta 0" in said
        assert "2 rounds of 3" in said
        assert "in-prominence (1: their share)  R 1.39  B 0.64" in said
        assert "mean field R" in said
        assert "· · ·" in said.replace("╌", " ")
        first = next(row for row in rows if "Heard most" in row)
        assert "Kit" in rows[rows.index(first) + 1]
        assert "Mara asked for a hand: words 0.20, rounds 0.50" in words(app)
        while app.viewer.selected != "zeno":
            await press(pilot, "j")
            assert app.viewer.selected
        await settle(pilot)
        assert "Pip asked for a hand: refused; over a ladder" in words(app)


async def test_a_round_and_a_card_show_at_once(counted: Scenario) -> None:
    town = Town(counted)
    async with heard_of(town) as (app, pilot, pane):
        assert "nothing is credited yet: 3 asks to the first round" in words(app)
        ask(town, ("mara", "kit"), ("vera", "kit"), ("otis", "dov"))
        pane.pull()
        await settle(pilot)
        assert "1 round of 3" in words(app)
        town.engine.do(DealCard(dealt=Dealt(card="deference")))
        await app.viewer.pace.ask_step()
        pane.pull()
        await settle(pilot)
        assert "beta 1 (card: +1 to" in words(app)


async def test_somebody_who_is_played_does_not_know_it(counted: Scenario) -> None:
    town = Town(counted)
    ask(town, ("mara", "kit"), ("vera", "kit"), ("otis", "dov"))
    async with heard_of(town) as (app, pilot, pane):
        town.engine.do(Play(by="kit"))
        await app.viewer.pace.ask_step()
        pane.pull()
        await settle(pilot)
        assert app.viewer.knower == "kit"
        assert "is not for somebody of it to know" in words(app)


async def test_words_from_outside_are_words_and_ascii_is_ascii(hostile: Town, counted: Scenario) -> None:
    cast = (*hostile.world.scenario.cast[:1], *counted.cast[1:])
    town = Town(msgspec.structs.replace(counted, cast=cast))
    eve = cast[0].id
    ask(town, ("mara", eve), ("vera", eve), ("otis", "dov"), about="[bold]x[/] \x1b[31m")
    async with heard_of(town, settings=Settings().with_("glyphs", "ascii")) as (app, _, pane):
        assert "[bold" in words(app)
        assert all(cell_len(row) == app.size.width for row in text(app))
        assert all(x.isascii() for row in text(app) for x in row)
        assert "\x1b" not in pane.taken()


@pytest.mark.slow
async def test_a_replay_shows_it_as_it_was_at_any_moment(tmp_path: Path) -> None:
    save = tmp_path / "day.db"
    async with open_session("larkspur", seed=5, save=save, set=(*ON, "society.trials=1")) as session:
        while session.world.clock.hhmm(session.world.now) < "13:00":
            await session.engine.step()
        rounds = session.world.society.number
        await session.save.settle()
    assert rounds > 1
    async with open_replay(save) as session:
        app = SandboxApp(session)
        app.viewer.pace.paced.pause()
        async with app.run_test(size=WIDE) as pilot:
            await settle(pilot)
            await press(pilot, "6", BACK)
            for t, many in ((5.5 * 3600, rounds), (60.0, 0)):
                await jump_to(screen_of(app), t)
                await settle(pilot)
                assert session.world.society.number == many
                assert f"{many} rounds of 1" in words(app)
            await app.end()


# ---- the chart


def test_the_chart_draws_both_lines_their_forecast_and_days() -> None:
    lived = [HeardPoint(0.4, (1.2, 0.8)), HeardPoint(1.4, (1.5, 0.6))]
    said = [HeardPoint(n / 3, (1.1 + n / 50, 0.9 - n / 50)) for n in range(1, 9)]
    for plain, signs in ((False, "━·╌"), (True, "*.-")):
        lines = [as_text([line]) for line in lines_over_days(lived, said, 2.0, 1, 60, 9, plain)]
        assert len(lines) == 10
        assert all(sign in "".join(lines) for sign in (*signs, "R", "B"))
        assert lines[0].startswith(" 1.50")
        assert lines[8].startswith(" 0.60")
        assert any(line.startswith(" 1.00") for line in lines)
        assert "day 1" in lines[9]
        assert "now" in lines[9]
        assert next(i for i, x in enumerate(lines) if "R" in x) < next(i for i, x in enumerate(lines) if "B" in x)
        assert all(line.isascii() for line in lines) or not plain
