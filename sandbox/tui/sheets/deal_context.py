"""What a card is to be about: what the player has chosen on the screen, and how it fills in the card's parts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR, MINUTE, Clock
from sandbox.director.dealing import RULES, influence_left, room_of
from sandbox.director.deck import DeckCard
from sandbox.director.model import Dealt
from sandbox.engine.world import World
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import DIM, GOLD, ink
from sandbox.tui.widgets.entries import Entry


class Subject(NamedTuple):
    """What was chosen: a person, a place (an address), a post (-1 = none), or a matter; if all are empty, the town."""

    who: str = ""
    where: str = ""
    post: int = -1
    matter: str = ""

    @property
    def on(self) -> tuple[str, ...]:
        """The kind of subject, as in the field `on` of cards."""
        if self.matter:
            return ("matter",)
        if self.post >= 0:
            return ("post",)
        return ("place",) if self.where else ("person",) if self.who else ("town",)


def card_fits(card: DeckCard, subject: Subject) -> bool:
    """Whether a card is offered for this kind of subject."""
    return not set(card.on).isdisjoint(subject.on)


def fill_card(w: World, name: str, subject: Subject) -> Dealt:
    """A card with those of its parts filled in that were chosen and that it has."""
    card = w.card_deck.cards[name]
    takes = (*card.needs, *card.may)
    where = room_of(w, subject.where) if subject.where and RULES[card.rule].one_room else subject.where
    return Dealt(
        card=name,
        to=subject.who if "to" in card.needs and (not subject.matter or RULES[card.rule].own_matter) else "",
        matter=subject.matter if "matter" in takes else "",
        where=where if "where" in takes else "",
        post=subject.post if "post" in takes else -1,
    )


def influence_words(w: World) -> str:
    """Words like "influence 3 of 5 left today"; "" if the world sets no limit."""
    rest = influence_left(w)
    return "" if rest is None else f"influence {rest} of {w.director_parameters.influence} left today"


# ---- when a card takes effect, and for how long


class EffectTime(NamedTuple):
    """When a card takes effect. later: gives the seconds from second `now` until then."""

    says: str
    later: Callable[[int], int]


def _in(seconds: int) -> Callable[[int], int]:
    return lambda now: seconds


def _at(clock: Clock, day: int, second: int) -> Callable[[int], int]:
    return lambda now: max(0, clock.midnight(day) + second - now)


NOW = EffectTime("now", _in(0))


def effect_times(clock: Clock, now: int) -> list[EffectTime]:
    """The times from which a card may take effect, seen from second `now`."""
    day = clock.day(now)
    hours = (("this afternoon, 15:00", 0, 15), ("this evening, 19:00", 0, 19), ("tomorrow morning, 08:00", 1, 8),
             ("tomorrow noon, 12:00", 1, 12), ("tomorrow evening, 19:00", 1, 19))  # fmt: skip
    out = [
        NOW,
        EffectTime("in 10 minutes", _in(10 * MINUTE)),
        EffectTime("in 1 h", _in(HOUR)),
        EffectTime("in 3 h", _in(3 * HOUR)),
    ]
    out += [
        EffectTime(says, _at(clock, day + days, hour * HOUR))
        for says, days, hour in hours
        if clock.midnight(day + days) + hour * HOUR > now
    ]
    return [*out, EffectTime("in 2 days", _in(2 * DAY)), EffectTime("in a week", _in(7 * DAY))]


SPANS = (HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY)  # seconds that a card may last


def span_words(seconds: int) -> str:
    """How long something holds: "3 h", "2 days"."""
    if seconds < HOUR:
        return f"{seconds // MINUTE} minutes"
    return f"{seconds // HOUR} h" if seconds < 2 * DAY else f"{seconds // DAY} days"


# ---- the row of a sheet that opens the cards for what the sheet is about


def directs(stage: TownLayout, what: str) -> list[Entry]:
    """The row; nothing if the world has no cards. what: what the cards are dealt to ("this place")."""
    if not stage.viewer.world.card_deck.cards:
        return []
    key = first_key("direct.cards", stage.viewer.keys)
    line = [ink(f"{key} ", GOLD, bold=True), ink(f"direct: the cards for {what}", DIM)]
    return [Entry([[], line], partial(stage.do, "direct.cards"), "direct")]
