"""The command by which a card is dealt: whether it can be, and what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from sandbox.core.domain import CommandEvent
from sandbox.core.faults import in_quotes, unknown
from sandbox.core.text import clean
from sandbox.director.card_rule import card_sentence
from sandbox.director.card_rules import RULES
from sandbox.director.deck import GIVEN, DeckCard
from sandbox.director.model import COINS, FAR, TEXT, CardPlayed, DealCard, Dealt, HasDirector
from sandbox.people.guest_model import in_town
from sandbox.people.pressure_handlers import find_fact
from sandbox.town.conditions import is_within

PARTS = {
    "to": "somebody it is for", "whom": "somebody else", "matter": "a matter", "where": "a place", "words": "words",
    "coins": "coins", "post": "a post", "guest": "a guest",
}  # fmt: skip
NOTICE = "notice"  # the rule of a card that somebody of the town can do themselves
ROOMS = ("occasion", "seat", "move")  # rules by which somebody is in one room or open place
NONE: Mapping[str, object] = {
    "to": "", "whom": "", "matter": "", "where": "", "words": "", "coins": 0, "post": -1, "guest": "",
}  # fmt: skip


def deal_card(w: HasDirector, c: DealCard) -> Sequence[CommandEvent]:
    """What a card becomes in the town as it stands. Raises ValueError, in a sentence, where it cannot be dealt."""
    card, d = validate_card(w, c.dealt)
    says = card_sentence(w, d, card)
    if c.by and card.rule != NOTICE:
        raise ValueError(f"{w.handbook.name(c.by)} can pin up a note, and deal no cards")
    if c.by:
        return (CommandEvent(CardPlayed(d, clean(f"{w.handbook.name(c.by)}: {says}", TEXT), card.force), c.by),)
    afford(w, card)
    return (CommandEvent(CardPlayed(d, says, card.force, price(w, card))),)


def validate_card(w: HasDirector, d: Dealt) -> tuple[DeckCard, Dealt]:
    """The card, and what it was given, made whole. Raises ValueError, in a sentence, where it cannot be dealt."""
    card = w.card_deck.cards.get(d.card)
    if card is None:
        raise ValueError(f"there is {unknown('card', d.card, w.card_deck.cards)}")
    d = replace(d, words=clean(d.words, TEXT), false=d.false or card.false)
    if "guest" in card.needs and not d.guest:
        d = replace(d, guest=next((id for id in w.invited if not (id in w.guests.stays and in_town(w, id))), ""))
    for part in GIVEN:
        given = getattr(d, part) != NONE[part]
        if given and part not in (*card.needs, *card.may):
            raise ValueError(f"{card.called} takes no {PARTS[part].removeprefix('a ')}; {_takes(card)}")
        if part in card.needs and not given:
            raise ValueError(f"{card.called} needs {PARTS[part]}; {_takes(card)}")
    for who in (d.to, d.whom):
        if who and who not in w.cast:
            raise ValueError(f"there is {unknown('person', who, w.cast)}")
        if who and not in_town(w, who):
            raise ValueError(f"{w.handbook.name(who)} has left town; name somebody who is here")
    if d.to and d.to == d.whom:
        raise ValueError(f"{w.handbook.name(d.to)} cannot be both; name two people")
    if d.matter and find_fact(w, d.matter) is None:
        raise ValueError(f"nothing is known of a matter {in_quotes(d.matter)} now; choose one that is open")
    if d.where and not any(is_within(x, d.where) for x in w.map.areas):
        raise ValueError(f"there is {unknown('place', d.where, w.map.areas)}")
    if d.later > FAR or d.later < 0:
        raise ValueError(f"a card waits {FAR // 86400} days at most; deal it later")
    if d.lasts > FAR or d.lasts < 0:
        raise ValueError(f"what a card brings lasts {FAR // 86400} days at most; let it be shorter")
    if not 0 <= d.coins <= COINS:
        raise ValueError(f"a card brings {COINS} coins at most; name fewer")
    if d.where and card.rule in ROOMS:
        d = replace(d, where=room_of(w, d.where))
    RULES[card.rule].check(w, d, card)
    return card, d


def room_of(w: HasDirector, where: str) -> str:
    """The room or open place of a building in which people come together: that with most to sit down on."""
    if where in w.map.areas:
        return where
    found = [a for a in w.map.areas.values() if is_within(a.address, where)]
    return max(found, key=lambda a: (sum("sit" in x.affords for x in a.things), len(a.tiles), a.address)).address


def _takes(card: DeckCard) -> str:
    takes = [*(PARTS[x] for x in card.needs), *(f"perhaps {PARTS[x]}" for x in card.may)]
    return f"it takes {', '.join(takes) or 'nothing'}"


def price(w: HasDirector, card: DeckCard) -> int:
    """The influence that a card takes; 0 where nobody counts it."""
    return card.price if w.director_parameters.influence else 0


def influence_left(w: HasDirector) -> int | None:
    """The influence that is left for today; None where nobody counts it."""
    most = w.director_parameters.influence
    return max(0, most - w.director.spent.get(w.clock.day(w.now), 0)) if most else None


def afford(w: HasDirector, card: DeckCard) -> None:
    """Raise ValueError if today's influence does not reach for a card."""
    rest = influence_left(w)
    if rest is not None and card.price > rest:
        raise ValueError(
            f"{card.called} takes {card.price} of your influence, and {rest} is left today; wait for a new day"
        )
