"""Actions of directing: the cards that fit what is chosen, one card by name, and the cards dealt so far."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

from textual.app import SystemCommand

from sandbox.core.text import clean
from sandbox.readers.all_stories import event_matter
from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.feed_tabs import Leader
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.person import PersonPane
from sandbox.tui.panes.person_matters import MattersTab
from sandbox.tui.panes.timeline import TimelinePane
from sandbox.tui.sheets.cards import CardsSheet, DealtSheet
from sandbox.tui.sheets.deal import DealSheet
from sandbox.tui.sheets.deal_context import Subject, card_title
from sandbox.tui.sheets.event import EventSheet
from sandbox.tui.sheets.place import PlaceSheet
from sandbox.tui.sheets.post import PostSheet
from sandbox.tui.sheets.why import KnowsSheet
from sandbox.tui.view.action import Action


def toggle_cards(stage: TownLayout) -> None:
    """Show or close the cards that fit what is chosen."""
    if not stage.close_kind(CardsSheet.kind):
        stage.open_sheet(CardsSheet(stage, chosen_subject(stage)))


def open_deal_sheet(stage: TownLayout, name: str) -> None:
    """Show a card with what is chosen filled in; nothing if the world has no card of that name."""
    if name in stage.viewer.world.card_deck.cards:
        stage.open_sheet(DealSheet(stage, name, chosen_subject(stage)))


def commands(stage: TownLayout) -> Iterator[SystemCommand]:
    """The palette's entries, one for each card of the world that is shown."""
    for name, one in stage.viewer.world.card_deck.cards.items():
        yield SystemCommand(
            f"direct: {card_title(one)} ...", clean(one.does, 200), partial(open_deal_sheet, stage, name)
        )


def chosen_subject(stage: TownLayout) -> Subject:
    """What cards are to be about: what the open sheet or the cursor is on, else the chosen person, else the town."""
    viewer, sheet = stage.viewer, stage.sheets.topmost
    chosen = Subject(who=stage.meant())
    if sheet is not None:
        return _on_sheet(sheet) or chosen
    pane = stage.panes[stage.current]
    if pane is stage.town and stage.town.over.cursor is not None:
        x, y = stage.town.over.cursor
        if who := stage.town.person_at(*stage.town.camera.cell(x, y), 0):
            return Subject(who=who)
        return Subject(where=stage.town.picture.sector_at(int(x), int(y)))
    if isinstance(pane, FeedPane):
        key = pane.chosen.card if isinstance(pane.chosen, Leader) else pane.chosen
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
ACTIONS: tuple[Action[TownLayout], ...] = (
    Action("direct.cards", "x", "direct", "The cards that can be dealt to the chosen person, place, post or matter.",
           toggle_cards, "direct: the cards for what is chosen", rank=3),
    Action("direct.dealt", "", "", "The cards that were dealt so far, and what came of each.",
           lambda stage: stage.toggle(DealtSheet), "direct: what was dealt"),
)
