"""Dealing a card: the command, the step in which it takes effect, and the notices about it."""

from __future__ import annotations

from sandbox.core.text import clean, upper
from sandbox.director.card_rule import card_sentence
from sandbox.director.dealing import afford, validate_card
from sandbox.director.deck import DeckCard
from sandbox.director.model import DealCard, Dealt
from sandbox.engine.engine import Engine
from sandbox.engine.world import World
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import WAITS

FORCE = "by force"
REPLAYED = "In a replay no card can be dealt."
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
        stage.notify(REPLAYED, severity="warning", timeout=5, markup=False)
        return False
    try:
        card, whole = validate_card(w, dealt)
        afford(w, card)
        says = card_sentence(w, whole, card)
        engine.do(command := DealCard(dealt))
    except ValueError as error:
        stage.notify(upper(clean(str(error), SAYS)), severity="warning", timeout=8, markup=False)
        return False
    waits = holds_back(w, dealt)
    stage.close_all()
    if viewer.pace.stands_for(WAITS):
        waits = "it takes effect when time goes on"
    else:
        viewer.pace.step_once().add_done_callback(lambda _: _done(stage, engine, command))
    told = clean(f"{says}{f' ({FORCE})' if card.force else ''}. {_from(w, dealt)}{waits}".strip(), SAYS)
    stage.notify(told, title="dealt", timeout=6, markup=False)
    return True


def _from(w: World, dealt: Dealt) -> str:
    return f"From {w.clock.words(w.now + dealt.later)}. " if dealt.later else ""


def _done(stage: TownLayout, engine: Engine, command: DealCard) -> None:
    """After the step: redraw, and say so if the card was refused because the town had changed meanwhile."""
    refused = next((says for c, says in engine.refused if c is command), "")
    engine.refused[:] = [x for x in engine.refused if x[0] is not command]
    if not stage.is_attached:
        return
    if refused:
        stage.notify(upper(clean(refused, SAYS)), title="not dealt", severity="warning", timeout=8, markup=False)
    stage.viewer.bubbles.forget()
    stage.town.pull()
    stage.update()
