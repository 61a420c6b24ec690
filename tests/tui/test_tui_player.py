"""The sheets of goals and bets: what stands in the way, what falls due, and that enter gives the town a command."""

from __future__ import annotations

from larkspur import SIZES, live, press, said, screen_of, settle

from sandbox.tui.app import SandboxApp
from sandbox.tui.leaves.bets import STAKES, BetsLeaf
from sandbox.tui.leaves.goals import GoalsLeaf
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage

WIDTH = 70


def whole(leaf: Leaf[Stage]) -> str:
    return "\n".join("".join(said(line)) for entry in leaf.entries(WIDTH) for line in entry.lines)


@SIZES
async def test_goals_tell_how_far_they_have_come_and_enter_follows_one(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "10:00")
        screen, world = screen_of(app), app.viewer.world
        await screen.do("direct.goals")
        await settle(pilot)
        leaf = screen.sheet.leaf
        assert isinstance(leaf, GoalsLeaf)
        text = whole(leaf)
        assert all(aim.title in text for aim in world.aim_deck.values())
        assert "in the way: " in text
        assert " left, until " in text
        first = next(e for e in leaf.entries(WIDTH) if e.does)
        await press(pilot, "enter")
        await live(app, "10:02")
        assert list(world.aims.followed) == [first.key]
        assert whole(leaf).index("▸") < whole(leaf).index("in the way")  # what is followed comes first
        await press(pilot, "enter")
        await live(app, "10:04")
        assert world.aims.followed == {}
        await screen.do("direct.goals")  # its own row closes it
        assert screen.sheet.leaf is None


@SIZES
async def test_bets_tell_odds_and_enter_bets_ten_points_or_more(app: SandboxApp, size: tuple[int, int]) -> None:
    async with app.run_test(size=size) as pilot:
        await live(app, "10:00")
        screen, world = screen_of(app), app.viewer.world
        await screen.do("direct.bets")
        await settle(pilot)
        leaf = screen.sheet.leaf
        assert isinstance(leaf, BetsLeaf)
        assert "100 points" in whole(leaf)
        assert "The pancake race: the dented pan" in whole(leaf)
        await press(pilot, "right_square_bracket")
        leaf = screen.sheet.leaf
        assert isinstance(leaf, BetsLeaf)
        assert leaf.stake == STAKES[1]
        await press(pilot, "enter")
        await live(app, "10:02")
        (placed,) = world.bets.open.values()
        assert placed.stake == STAKES[1]
        assert f"{100 - STAKES[1]} points" in whole(leaf)
        assert placed.says in " ".join(whole(leaf).split())
        await live(app, "12:45")
        assert world.bets.open == {}
        texts = [row.text for row in app.viewer.chronicle]
        assert any(text.startswith(("You have won", "You have lost")) for text in texts)
