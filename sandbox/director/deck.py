"""Which cards exist: data that a world may add to (`cards.yaml`)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandbox.core.clock import HOUR
from sandbox.core.fields import MANY, meta, names
from sandbox.people.pressure_beginnings import Age, ChildName, Name

# The parts of a card, as messages call them. matter: what somebody owes, hides or asks, a fact of the world's own, or
# something that has happened; post: a card of the feed; guest: somebody who is not in town.
PARTS = {
    "to": "somebody it is for", "whom": "somebody else", "matter": "a matter", "where": "a place", "words": "words",
    "coins": "coins", "post": "a post", "guest": "a guest",
}  # fmt: skip
GIVEN = (*PARTS,)
ON = ("person", "place", "post", "matter", "town")  # what a card is offered on, where the player selects something
WEATHER = ("shut", "rain", "blackout", "muted", "deference")

ANY_AGE = (0, 200)  # years
Clause = Annotated[str, meta('"meant to {do} {at}, and thought better of it"', most=160, least=1)]
Hours = Annotated[int, meta(low=0, high=24 * 14 * HOUR, unit=HOUR)]


class DeckCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card. called: its name with an article; says: what happens when it is dealt, a sentence with {to}, {whom},
    {matter}, {where}, {words}, {coins}, {hours}; does: one line on its likely effects. rule: its sort (card_rule.py).
    needs, may: arguments required and allowed. on: where it is offered. price: influence. force: it changes somebody
    directly instead of giving a cause. lasts: seconds that its condition holds; condition: which. spark: of the deck,
    which it fires. children: pressures it creates, from `to` or whom it meets first; otherwise: instead of a spark's
    own, where those cannot be between the two. crosses: what hindered people do instead, clauses without subject, with
    {do} and {at}; meets: what the first of two whom it brings together does, with {whom} and {at}; ages: youngest and
    oldest of those. false: it blames `whom` for another's deed; proof: it shows what it says. emotion: that a `mood`
    card causes. thing: that it leaves behind.
    """

    called: Annotated[str, meta('"a letter"', most=60, least=1)]
    says: Annotated[str, meta('"A letter has come for {to}"', most=240, least=1)]
    does: Annotated[str, meta('"Somebody reads what it says, and believes it or not."', most=200)]
    rule: Annotated[str, meta("paper", most=40, least=1)]
    needs: tuple[Annotated[str, meta(options=GIVEN, what="part of a card")], ...] = ()
    may: tuple[Annotated[str, meta(options=GIVEN, what="part of a card")], ...] = ()
    on: tuple[Annotated[str, meta(options=ON, what="thing it is offered for")], ...] = ()
    price: Annotated[int, meta(low=0, high=1000, usual=1)] = 1
    force: bool = False
    lasts: Hours = 0
    condition: Annotated[str, meta(options=WEATHER, blank=True, what="condition")] = ""
    spark: Annotated[Name, names("spark")] = ""
    children: tuple[ChildName, ...] = ()
    otherwise: tuple[ChildName, ...] = ()
    crosses: tuple[Clause, ...] = ()
    meets: tuple[Clause, ...] = ()
    # With a factory it is always written, as logs have it, and not only where it is another object than the default.
    ages: Annotated[tuple[Age, Age], meta(usual=ANY_AGE, names=("youngest", "oldest"), pair="two ages")] = (
        msgspec.field(default_factory=lambda: ANY_AGE)
    )
    false: bool = False
    proof: bool = False
    emotion: Annotated[str, meta(most=40)] = ""
    thing: Annotated[str, meta(most=60)] = ""


class CardDeck(msgspec.Struct, frozen=True):
    """The cards by name."""

    cards: Annotated[dict[Name, DeckCard], MANY] = {}
