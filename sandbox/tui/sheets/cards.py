"""The cards that fit what was chosen: what each does and costs; those that act by force are listed last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from sandbox.core.text import clean, upper
from sandbox.director.dealing import influence_left, price
from sandbox.director.deck import DeckCard
from sandbox.director.model import Dealt
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.deal import LIVE_FROM_HERE, DealSheet, replay_entries
from sandbox.tui.sheets.deal_choices import card_matter_text, post_words
from sandbox.tui.sheets.deal_context import Subject, card_fits, influence_words
from sandbox.tui.view.text_lines import (
    ALARM,
    DIM,
    GOLD,
    SOFT,
    TEXT,
    as_lines,
    fit,
    hung,
    ink,
    outside,
    to_width,
    with_end,
)
from sandbox.tui.widgets.entries import Entry
from sandbox.tui.widgets.sheet_pane import Sheet

NAME = 26  # cells for a card's name
BY_FORCE = "By force: these change somebody instead of giving them a cause"


class CardsSheet(Sheet[TownLayout]):
    """Cards to choose from. subject: what they are to be about."""

    kind = "cards"
    picks = True
    keys = frozenset(("replay.branch", "direct.cards"))

    def __init__(self, stage: TownLayout, subject: Subject) -> None:
        super().__init__(stage, clean(f"Direct: {_words(stage, subject)}", 70))
        self.subject = subject
        self._all = False

    def entries(self, width: int) -> Sequence[Entry]:
        w = self.stage.viewer.world
        out = replay_entries(self.stage, width) if self.stage.viewer.replaying else []
        if says := influence_words(w):
            out.append(Entry([[ink(says, GOLD)], []]))
        cards = {name: c for name, c in w.card_deck.cards.items() if self._all or card_fits(c, self.subject)}
        out += [self._card(name, card, width) for name, card in cards.items() if not card.force]
        if not cards:
            out.append(Entry(as_lines("This world has no card for it.", width)))
        forced = {name: card for name, card in cards.items() if card.force}
        if forced:
            out.append(Entry([[], *as_lines(BY_FORCE, width, ALARM)]))
            out += [self._card(name, card, width) for name, card in forced.items()]
        if not self._all and len(cards) < len(w.card_deck.cards):
            out.append(Entry([[], [ink("all cards ...", SOFT)]], self._show_all, "all"))
        return out

    def labels(self) -> Mapping[str, str]:
        return {"chosen.open": "look at it", **LIVE_FROM_HERE}

    def _card(self, name: str, card: DeckCard, width: int) -> Entry:
        """A card's entry: its name, what it does, and how much influence it costs; dim if too little is left."""
        w = self.stage.viewer.world
        takes, rest = price(w, card), influence_left(w)
        dear = rest is not None and takes > rest
        head = to_width([outside(upper(card.called), DIM if dear else ALARM if card.force else TEXT, bold=True)], NAME)
        cost = [ink(f"takes {takes}", DIM if dear else GOLD)] if takes else []
        first, *more = hung([*head, ink(" ")], card.does, width - 9 if cost else width, DIM if dear else SOFT)
        return Entry(
            [with_end(first, cost, width) if cost else fit(first, width), *more], partial(self._open, name), name
        )

    def _open(self, name: str) -> None:
        self.stage.open_sheet(DealSheet(self.stage, name, self.subject))

    def _show_all(self) -> None:
        self._all = True
        self.stage.sheets.pull()


def _words(stage: TownLayout, subject: Subject) -> str:
    """What was chosen, in words."""
    w = stage.viewer.world
    if subject.matter:
        return card_matter_text(w, Dealt(card="", matter=subject.matter)) or "a matter"
    if subject.post >= 0:
        return f"a post, “{post_words(w, subject.post)}”"
    if subject.where:
        return w.handbook.place(subject.where)
    return w.cast[subject.who].name if subject.who in w.cast else "the town"
