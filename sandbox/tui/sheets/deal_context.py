"""What a card is to be about: what the player has chosen on the screen, and how it fills in the card's parts. And how a
card is dealt: the command, the step in which it takes effect, and the notices about it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR, MINUTE, Clock
from sandbox.core.text import clean, upper
from sandbox.director.card_rule import card_sentence
from sandbox.director.dealing import RULES, afford, influence_left, room_of, validate_card
from sandbox.director.deck import DeckCard
from sandbox.director.model import DealCard, Dealt
from sandbox.engine.engine import Engine
from sandbox.engine.world import World
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import WAITS
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import ink
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
    soon = (("in 10 minutes", 10 * MINUTE), ("in 1 h", HOUR), ("in 3 h", 3 * HOUR))
    out = [NOW, *(EffectTime(says, _in(seconds)) for says, seconds in soon)]
    for says, days, hour in hours:
        if clock.midnight(day + days) + hour * HOUR > now:
            out.append(EffectTime(says, _at(clock, day + days, hour * HOUR)))
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
    line = [ink(f"{key} ", "accent", bold=True), ink(f"direct: the cards for {what}", "dim")]
    return [Entry([[], line], partial(stage.do, "direct.cards"), "direct")]


# ---- dealing a card


FORCE = "by force"
REPLAYED = "No card can be dealt in a replay."
SAYS = 300  # letters of a notice at most


def card_title(card: DeckCard) -> str:
    """A card's name, with "(by force)" if it changes somebody directly."""
    return clean(f"{card.called} ({FORCE})" if card.force else card.called, 80)


def fault(w: World, dealt: Dealt) -> str:
    """Why a card cannot be dealt, a sentence; "" if it can be."""
    try:
        card, dealt = validate_card(w, dealt)
        afford(w, card)
    except ValueError as error:
        return clean(str(error), SAYS)
    return ""


def holds_back(w: World, dealt: Dealt) -> str:
    """Why a card may not reach the people it needs at once, a clause; "" if nothing is in the way."""
    for who in (dealt.to, dealt.whom if "whom" in w.card_deck.cards[dealt.card].needs else ""):
        if who and not dealt.later:
            r = w.people.residents[who]
            if not r.awake:
                return f"{w.handbook.name(who)} is asleep; it may have to wait until they wake"
            if r.talk:
                return f"{w.handbook.name(who)} is in a talk; it may have to wait until that is over"
    return ""


async def deal_at_once(stage: TownLayout, dealt: Dealt) -> bool:
    """Deal a card; return whether it was dealt. The step in which it takes effect is made at once, also while time
    stands, unless a question waits for an answer. If the card cannot be dealt, a notice says why.
    """
    viewer = stage.viewer
    engine, w = viewer.session.engine, viewer.world
    if not isinstance(engine, Engine):
        stage.notify(REPLAYED, severity="warning", timeout=5)
        return False
    try:
        card, whole = validate_card(w, dealt)
        afford(w, card)
        says = card_sentence(w, whole, card)
        engine.do(command := DealCard(dealt))
    except ValueError as error:
        stage.notify(upper(clean(str(error), SAYS)), severity="warning", timeout=8)
        return False
    waits = holds_back(w, dealt)
    stage.close_all()
    if viewer.pace.stands_for(WAITS):
        waits = "it takes effect when time goes on"
    else:
        viewer.pace.step_once().add_done_callback(lambda _: _done(stage, engine, command))
    since = f"From {w.clock.words(w.now + dealt.later)}. " if dealt.later else ""
    told = clean(f"{says}{f' ({FORCE})' if card.force else ''}. {since}{waits}".strip(), SAYS)
    stage.notify(told, title="dealt", timeout=6)
    return True


def _done(stage: TownLayout, engine: Engine, command: DealCard) -> None:
    """After the step: redraw, and say so if the card was refused because the town had changed meanwhile."""
    refused = next((says for c, says in engine.refused if c is command), "")
    engine.refused[:] = [x for x in engine.refused if x[0] is not command]
    if not stage.is_attached:
        return
    if refused:
        stage.notify(upper(clean(refused, SAYS)), title="not dealt", severity="warning", timeout=8)
    stage.viewer.bubbles.forget()
    stage.town.pull()
    stage.update()
