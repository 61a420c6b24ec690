"""Actions of directing and of playing: the cards that fit what is chosen, one card by name, those dealt so far; goals
and bets; play a person or give them back, walk, say and do things as them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

from textual.app import SystemCommand

from sandbox.core.text import clean
from sandbox.people.played import pending_question
from sandbox.play.model import GiveBack, SeeAll, SetAside, Walk
from sandbox.readers.all_stories import event_matter
from sandbox.town.ways import tile_at
from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.feed_tabs import card_of
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.person import PersonPane
from sandbox.tui.panes.person_matters import MattersTab
from sandbox.tui.panes.timeline import TimelinePane
from sandbox.tui.sheets.cards import CardsSheet, DealtSheet
from sandbox.tui.sheets.deal import DealSheet
from sandbox.tui.sheets.deal_context import Subject, card_title
from sandbox.tui.sheets.event import EventSheet
from sandbox.tui.sheets.goals_and_bets import BetsSheet, open_goals
from sandbox.tui.sheets.page import keep_story
from sandbox.tui.sheets.place import PlaceSheet
from sandbox.tui.sheets.play_doings import DoingsSheet
from sandbox.tui.sheets.play_talk import ActsSheet
from sandbox.tui.sheets.play_turning import BRANCH, ReplySheet, branch
from sandbox.tui.sheets.play_whom import ArrivalSheet, WhomSheet, arrival_sheet, play_as
from sandbox.tui.sheets.post import PostSheet
from sandbox.tui.sheets.run_command import run_in_one_step, talk_partner
from sandbox.tui.sheets.why import KnowsSheet
from sandbox.tui.view.action import LIVE, Action


def toggle_cards(layout: TownLayout) -> None:
    """Show or close the cards that fit what is chosen."""
    if not layout.close_kind(CardsSheet.kind):
        layout.open_sheet(CardsSheet(layout, chosen_subject(layout)))


def open_deal_sheet(layout: TownLayout, name: str) -> None:
    """Show a card with what is chosen filled in; nothing if the world has no card of that name."""
    if name in layout.viewer.world.card_deck.cards:
        layout.open_sheet(DealSheet(layout, name, chosen_subject(layout)))


def card_commands(layout: TownLayout) -> Iterator[SystemCommand]:
    """The palette's entries, one for each card of the world that is shown."""
    for name, one in layout.viewer.world.card_deck.cards.items():
        yield SystemCommand(
            f"direct: {card_title(one)} ...", clean(one.does, 200), partial(open_deal_sheet, layout, name)
        )


def chosen_subject(layout: TownLayout) -> Subject:
    """What cards are to be about: what the open sheet or the cursor is on, else the chosen person, else the town."""
    viewer, sheet = layout.viewer, layout.sheets.topmost
    chosen = Subject(who=layout.meant())
    if sheet is not None:
        return _on_sheet(sheet) or chosen
    pane = layout.panes[layout.current]
    if pane is layout.town and layout.town.over.cursor is not None:
        x, y = layout.town.over.cursor
        if who := layout.town.person_at(*layout.town.camera.cell(x, y), 0):
            return Subject(who=who)
        return Subject(where=layout.town.picture.sector_at(int(x), int(y)))
    if isinstance(pane, FeedPane):
        key = card_of(pane.chosen)
        return Subject(post=key) if isinstance(key, int) and pane.reader.has(key) else chosen
    if isinstance(pane, PersonPane) and isinstance(pane.tabs[pane.tab], MattersTab) and pane.chosen is not None:
        return _of_matter(viewer.world.pressures.open.keys(), pane.chosen.key, viewer.selected) or chosen
    if isinstance(pane, TimelinePane) and pane.chosen is not None:
        row = pane.chosen
        return _of_matter(viewer.world.pressures.open.keys(), row.matter, "") or (
            Subject(who=row.who[0]) if row.who else chosen
        )
    return chosen


def _on_sheet(sheet: object) -> Subject | None:
    """What an open sheet is about, None if nothing that cards can be about."""
    if isinstance(sheet, PlaceSheet):
        return Subject(where=sheet.sector)
    if isinstance(sheet, PostSheet):
        return Subject(post=sheet.card)
    if isinstance(sheet, KnowsSheet):
        return Subject(matter=sheet.matter)
    if isinstance(sheet, EventSheet):
        matter = event_matter(sheet.record)
        open_ = sheet.stage.viewer.world.pressures.open
        return _of_matter(open_.keys(), matter, "") or Subject(who=sheet.record.stamp.actor)
    return None


def _of_matter(open_: Collection[str], key: object, who: str) -> Subject | None:
    """The first open matter in a row's key, as a subject; None if it has none. who: whose it is, "" = nobody's."""
    parts = key if isinstance(key, tuple) else (key,)
    return next((Subject(who=who, matter=x) for x in parts if isinstance(x, str) and x in open_), None)


# fmt: off
DIRECTING: tuple[Action[TownLayout], ...] = (
    Action("direct.cards", "x", "direct", "The cards that can be dealt to the chosen person, place, post or matter.",
           toggle_cards, "direct: the cards for what is chosen", rank=3),
    Action("direct.dealt", "", "", "The cards that were dealt so far, and what came of each.",
           lambda layout: layout.toggle(DealtSheet), "direct: what was dealt"),
)


STRIDE, FAR = 3, 12  # tiles that an arrow key walks, and with shift


def toggle_play(layout: TownLayout) -> None:
    """Resume the played person if they were set aside, else give them back; with nobody played, choose whom to play."""
    who = layout.viewer.world.played.who
    if who and layout.viewer.world.played.aside:
        run_in_one_step(layout, SetAside(by=who, on=False))
    elif who:
        run_in_one_step(layout, GiveBack(by=who))
    elif chosen := layout.meant():
        play_as(layout, chosen)
    elif not layout.close_kind(WhomSheet.kind):
        layout.open_sheet(WhomSheet(layout))


def toggle_see_all(layout: TownLayout) -> None:
    """Switch between showing everything and only what the played person knows; the save records that all was shown."""
    played = layout.viewer.world.played
    if not played.who:
        layout.notify("You play nobody: all is shown.", timeout=3)
    elif run_in_one_step(layout, SeeAll(by=played.who, on=not played.sees_all)):
        name = layout.viewer.name(played.who)
        says = f"Only what {name} knows is shown." if played.sees_all else "All is shown; the save remembers that."
        layout.notify(says, timeout=4)


def open_arrival(layout: TownLayout) -> None:
    """Show or close the sheet for coming to town as somebody new, or say why that cannot be done."""
    if layout.close_kind(ArrivalSheet.kind):
        return
    me = layout.viewer.plays
    sheet = arrival_sheet(layout) if not me else None
    if sheet is None:
        says = f"You are {layout.viewer.name(me)}; give them back first: p." if me else "Nobody new comes to this town."
        layout.notify(says, timeout=4)
        return
    layout.open_sheet(sheet)


def say_or_do(layout: TownLayout) -> None:
    """Open the question that waits for an answer; else what can be said to the talk partner, or the chosen person; else
    what can be done.
    """
    me = layout.viewer.plays
    if not me:
        layout.notify("You play nobody; choose somebody, and press p to be them.", timeout=4)
        return
    if any(layout.close_kind(sheet.kind) for sheet in (ReplySheet, ActsSheet, DoingsSheet)):
        return
    if (put := pending_question(layout.viewer.world)) is not None:
        layout.open_sheet(ReplySheet(layout, put))
        return
    whom = talk_partner(layout.viewer, me) or layout.meant()
    if whom and whom != me:
        layout.open_sheet(ActsSheet(layout, whom))
    else:
        layout.open_sheet(DoingsSheet(layout))


def stroll(layout: TownLayout, dx: int, dy: int, far: bool) -> None:
    """Walk up to STRIDE tiles (far: FAR) in a direction, until something is in the way."""
    w, me = layout.viewer.world, layout.viewer.plays
    to = x, y = w.map.xy(tile_at(w.town.spots[me], max(w.now, w.last.get(me, 0)), w.map.width))
    for _ in range(FAR if far else STRIDE):
        nx, ny = to[0] + dx, to[1] + dy
        if not (0 <= nx < w.map.width and 0 <= ny < w.map.height) or not w.map.cost[ny, nx]:
            break
        to = (nx, ny)
    if to == (x, y):
        return layout.notify("There is no way there.", timeout=2)
    run_in_one_step(layout, Walk(by=me, x=to[0], y=to[1]))


# fmt: off
ACTIONS: tuple[Action[TownLayout], ...] = (
    Action("direct.goals", "", "", "Goals to follow: how far each has come, and what stands in its way.",
           open_goals, "direct: goals"),
    Action("direct.bets", "", "", "Bets on what falls due, with their odds, and the tally of points.",
           lambda layout: layout.toggle(BetsSheet), "direct: bets"),
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
