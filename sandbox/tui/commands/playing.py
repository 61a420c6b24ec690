"""Actions of playing: play a person or give them back, walk, say and do things as them; goals and bets."""

from __future__ import annotations

from sandbox.people.played import pending_question
from sandbox.play.model import GiveBack, SeeAll, SetAside, Walk
from sandbox.town.ways import tile_at
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.goals_and_bets import BetsSheet, open_goals
from sandbox.tui.sheets.page import keep_story
from sandbox.tui.sheets.play_doings import DoingsSheet
from sandbox.tui.sheets.play_talk import ActsSheet
from sandbox.tui.sheets.play_turning import BRANCH, ReplySheet, branch
from sandbox.tui.sheets.play_whom import ArrivalSheet, WhomSheet, arrival_sheet, play_as
from sandbox.tui.sheets.run_command import run_in_one_step, talk_partner
from sandbox.tui.view.action import LIVE, Action

STRIDE, FAR = 3, 12  # tiles that an arrow key walks, and with shift


def toggle_play(stage: TownLayout) -> None:
    """Resume the played person if they were set aside, else give them back; with nobody played, choose whom to play."""
    who = stage.viewer.world.played.who
    if who and stage.viewer.world.played.aside:
        run_in_one_step(stage, SetAside(by=who, on=False))
    elif who:
        run_in_one_step(stage, GiveBack(by=who))
    elif chosen := stage.meant():
        play_as(stage, chosen)
    elif not stage.close_kind(WhomSheet.kind):
        stage.open_sheet(WhomSheet(stage))


def toggle_see_all(stage: TownLayout) -> None:
    """Switch between showing everything and only what the played person knows; the save records that all was shown."""
    played = stage.viewer.world.played
    if not played.who:
        stage.notify("Nobody is played: all is shown.", timeout=3, markup=False)
    elif run_in_one_step(stage, SeeAll(by=played.who, on=not played.sees_all)):
        name = stage.viewer.name(played.who)
        says = f"Only what {name} knows is shown." if played.sees_all else "All is shown; the save remembers that."
        stage.notify(says, timeout=4, markup=False)


def open_arrival(stage: TownLayout) -> None:
    """Show or close the sheet for coming to town as somebody new, or say why that cannot be done."""
    if stage.close_kind(ArrivalSheet.kind):
        return
    me = stage.viewer.plays
    sheet = arrival_sheet(stage) if not me else None
    if sheet is None:
        says = f"You are {stage.viewer.name(me)}; p gives them back first." if me else "Nobody new comes to this town."
        stage.notify(says, timeout=4, markup=False)
        return
    stage.open_sheet(sheet)


def say_or_do(stage: TownLayout) -> None:
    """Open the question that waits for an answer; else what can be said to the talk partner, or the chosen person; else
    what can be done.
    """
    me = stage.viewer.plays
    if not me:
        stage.notify("Nobody is played; choose somebody, and press p to be them.", timeout=4, markup=False)
        return
    if any(stage.close_kind(sheet.kind) for sheet in (ReplySheet, ActsSheet, DoingsSheet)):
        return
    if (put := pending_question(stage.viewer.world)) is not None:
        stage.open_sheet(ReplySheet(stage, put))
        return
    whom = talk_partner(stage.viewer, me) or stage.meant()
    if whom and whom != me:
        stage.open_sheet(ActsSheet(stage, whom))
    else:
        stage.open_sheet(DoingsSheet(stage))


def stroll(stage: TownLayout, dx: int, dy: int, far: bool) -> None:
    """Walk up to STRIDE tiles (far: FAR) in a direction, until something is in the way."""
    w, me = stage.viewer.world, stage.viewer.plays
    to = x, y = w.map.xy(tile_at(w.town.spots[me], max(w.now, w.last.get(me, 0)), w.map.width))
    for _ in range(FAR if far else STRIDE):
        nx, ny = to[0] + dx, to[1] + dy
        if not (0 <= nx < w.map.width and 0 <= ny < w.map.height) or not w.map.cost[ny, nx]:
            break
        to = (nx, ny)
    if to == (x, y):
        return stage.notify("There is no way there.", timeout=2, markup=False)
    run_in_one_step(stage, Walk(by=me, x=to[0], y=to[1]))


# fmt: off
ACTIONS: tuple[Action[TownLayout], ...] = (
    Action("direct.goals", "", "", "Goals to follow: how far each has come, and what stands in its way.",
           open_goals, "direct: goals"),
    Action("direct.bets", "", "", "Bets on what falls due, with their odds, and the tally of points.",
           lambda stage: stage.toggle(BetsSheet), "direct: bets"),
    Action("play.as", "p", "", "Be the chosen person, or give them back.",
           toggle_play, "play: be somebody, or give them back", when=LIVE),
    Action("play.arrive", "L", "", "Come to town as somebody new: the lodger, or whoever you would be.",
           open_arrival, "play: come to town as somebody new", when=LIVE),
    Action("play.act", "d", "", "As whoever you play: what there is to say to the chosen person, or to do.",
           say_or_do, "play: say or do something", when=LIVE),
    Action("play.see_all", "A", "", "See all, or only what whoever you play knows; the save remembers it.",
           toggle_see_all, "play: see all, or only what you know", when=LIVE),
    Action(BRANCH, "b", "", "At a turning point: try a stance in a save of its own.",
           branch, "play: try a stance in a save of its own", when=LIVE),
    Action("play.story", "", "", "The story of whoever was played, as Markdown beside the saves.",
           keep_story, "play: your story as Markdown"),
)
