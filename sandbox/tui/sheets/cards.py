"""The cards that fit what was chosen: what each does and costs; those that act by force are listed last. And
the cards dealt so far.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandbox.core.clock import MINUTE, Clock
from sandbox.core.plain import count_of
from sandbox.core.text import clean, join_names, upper
from sandbox.director.card_rule import DONE
from sandbox.director.dealing import FATE_KINDS, CardFate, card_fates, influence_left, price
from sandbox.director.deck import DeckCard
from sandbox.director.model import Dealt
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.deal import LIVE_FROM_HERE, DealSheet, replay_entries
from sandbox.tui.sheets.deal_choices import card_matter_text, post_words
from sandbox.tui.sheets.deal_context import FORCE, Subject, influence_words
from sandbox.tui.sheets.town_sheet import ReadSheet, TownSheet, leads
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import Ink, Line, as_lines, fit, hung, ink, outside, to_width, with_end
from sandbox.tui.widgets.entries import Entry, remark

NAME = 26  # cells for a card's name
BY_FORCE = "By force: these change somebody instead of giving them a cause"


class CardsSheet(TownSheet):
    """Cards to choose from. subject: what they are to be about."""

    kind = "cards"
    picks = True
    keys = frozenset(("replay.branch", "direct.cards"))

    def __init__(self, stage: TownLayout, subject: Subject) -> None:
        super().__init__(stage, clean(f"Direct: {_words(stage, subject)}", 70))
        self.subject = subject
        self._all = False

    def entries(self, width: int) -> Sequence[Entry]:
        w = self.world
        out = replay_entries(self.stage, width) if self.viewer.replaying else []
        if says := influence_words(w):
            out.append(Entry([[ink(says, "accent")], []]))
        cards = {
            name: c for name, c in w.card_deck.cards.items() if self._all or not set(c.on).isdisjoint(self.subject.on)
        }
        out += [self._card(name, card, width) for name, card in cards.items() if not card.force]
        if not cards:
            out.append(remark("This world has no card for it.", width))
        forced = {name: card for name, card in cards.items() if card.force}
        if forced:
            out.append(Entry([[], *as_lines(BY_FORCE, width, "alarm")]))
            out += [self._card(name, card, width) for name, card in forced.items()]
        if not self._all and len(cards) < len(w.card_deck.cards):
            out.append(Entry([[], [ink("all cards ...", "soft")]], self._show_all, "all"))
        return out

    def labels(self) -> Mapping[str, str]:
        return {"chosen.open": "look at it", **LIVE_FROM_HERE}

    def _card(self, name: str, card: DeckCard, width: int) -> Entry:
        """A card's entry: its name, what it does, and how much influence it costs; dim if too little is left."""
        w = self.world
        takes, rest = price(w, card), influence_left(w)
        dear = rest is not None and takes > rest
        fg: Ink = "dim" if dear else "alarm" if card.force else "text"
        head = to_width([outside(upper(card.called), fg, bold=True)], NAME)
        cost = [ink(f"takes {takes}", "dim" if dear else "accent")] if takes else []
        first, *more = hung([*head, ink(" ")], card.does, width - 9 if cost else width, "dim" if dear else "soft")
        first = with_end(first, cost, width) if cost else fit(first, width)
        return Entry([first, *more], lambda: self.stage.open_sheet(DealSheet(self.stage, name, self.subject)), name)

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


# ---- the cards dealt so far, the latest first, with what came of each in one line


NAMED = 3  # people a card has reached that are named at most
NONE = "No card has been dealt yet. Choose somebody, a place, a post or a matter, and press {key}."


class DealtSheet(ReadSheet):
    """The list of dealt cards; enter on one opens its event."""

    kind = "dealt"

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage, "What was dealt")
        self._fates: Sequence[CardFate] = ()

    async def read(self) -> None:
        viewer = self.viewer
        self._fates = card_fates(await viewer.session.save.records(FATE_KINDS, 0, viewer.world.seq))[::-1]

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.viewer
        world = viewer.world
        state = world.director
        self.keep_up((viewer.view, state.dealt, len(state.waiting), [len(x.by) for x in state.waiting.values()]))
        out = replay_entries(self.stage, width) if viewer.replaying else []
        if says := influence_words(world):
            out.append(Entry([[ink(says, "accent")], []]))
        out += [self._card(one, width) for one in self._fates]
        if self.ready and not self._fates:
            key = first_key("direct.cards", viewer.keys)
            out.append(remark(NONE.format(key=key), width))
        return [*out, Entry(self.waiting(width))]

    def labels(self) -> Mapping[str, str]:
        return {"chosen.open": "look at it", **LIVE_FROM_HERE}

    def _card(self, one: CardFate, width: int) -> Entry:
        (seq, _, t, _, _), e = one.at, one.played
        head = [ink(f"{self.world.clock.words(t)} ", "dim")]
        lines: list[Line] = hung(head, e.says, width, bold=True, most=3)
        said = self._fate(one)
        force = [ink(f"{FORCE}, ", "alarm")] if e.force else []
        lines += hung([ink("  "), *force], said, width, "link" if one.over is None else "soft", most=2)
        return Entry(lines, leads(self.stage, seq), seq)

    def _fate(self, one: CardFate) -> str:
        """Whom a card has reached, and whether it waits, is done, or came to nothing."""
        viewer = self.viewer
        clock, names = viewer.world.clock, [viewer.name(who) for who in one.reached]
        shown = names if len(names) <= NAMED else [*names[: NAMED - 1], f"{len(names) - NAMED + 1} more"]
        reached = f"reached {join_names(shown)}" if names else ""
        if one.over == DONE:
            return reached or "done"
        if one.over is not None:
            return f"came to nothing: {one.over}" if not names else f"{reached}; over: {one.over}"
        return f"{reached}; it goes on" if names else _waits(clock, one, viewer.world.now)


def _waits(clock: Clock, one: CardFate, now: int) -> str:
    begins = one.at.t + one.played.later
    if begins > now:
        return f"held back until {clock.words(begins)}"
    return f"has been waiting for {count_of((now - begins) // MINUTE, 'minute')}" if now >= begins + MINUTE else "waits"
