"""What cards there are: data that a world may add to (`cards.yaml`)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandbox.core.clock import HOUR
from sandbox.core.fields import MANY, meta
from sandbox.people.pressure_beginnings import Age, Name

# What a card may be given. to: whom it is dealt to; whom: another person; matter: what somebody owes, hides or asks, a
# fact of the world's own, or something that has happened; where: a place; words: a text; coins; post: a card of the
# feed; guest: somebody who is not here; at: an hour.
GIVEN = ("to", "whom", "matter", "where", "words", "coins", "post", "guest")
# What can be done with one, each by a rule of its own (card_*.py).
RULES = (
    "paper", "wrong_door", "notice", "rumour", "news", "condition", "occasion", "coins", "offer", "seat", "courage",
    "happening", "trend", "forgery", "guest", "move", "mood", "whisper",
)  # fmt: skip
ON = ("person", "place", "post", "matter", "town")  # what it is offered for, where the player chooses one
WEATHER = ("shut", "rain", "blackout", "muted")

ANY_AGE = (0, 200)
Clause = Annotated[str, meta('"meant to {do} {at}, and thought better of it"', most=160, least=1)]
Hours = Annotated[int, meta(low=0, high=24 * 14 * HOUR, unit=HOUR)]


class DeckCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A cause that the player may bring into the town.

    called: its name with an article; says: what happens when it is dealt, a sentence with {to}, {whom}, {matter},
    {where}, {words}, {coins}, {hours}. does: one line of what it may bring about. rule: by which it works. needs: what
    must be given; may: what else may be. on: where it is offered. price: influence that it takes. force: it changes
    somebody instead of giving them a cause. lasts: seconds that it holds, where it does. condition: what then holds.
    spark: the spark of the deck that it is. children: what is born of it, the actor being `to` or whom it meets first.
    otherwise: what is born instead of a spark's own children between two for whom those cannot be. crosses: what
    befalls whose day a condition crosses, clauses that lack their subject, with {do} and {at}; meets: what the first
    of two does whom it brings together, with {whom} and {at}; ages: youngest and oldest of those two.
    false: it says of `whom` what another has done; proof: it shows what it says. emotion: that a `mood` brings. thing:
    what then lies there.
    """

    called: Annotated[str, meta('"a letter"', most=60, least=1)]
    says: Annotated[str, meta('"A letter has come for {to}"', most=240, least=1)]
    does: Annotated[str, meta('"Somebody reads what it says, and believes it or not."', most=200)]
    rule: Annotated[str, meta("paper", options=RULES, what="rule of cards")]
    needs: tuple[Annotated[str, meta(options=GIVEN, what="part of a card")], ...] = ()
    may: tuple[Annotated[str, meta(options=GIVEN, what="part of a card")], ...] = ()
    on: tuple[Annotated[str, meta(options=ON, what="thing it is offered for")], ...] = ()
    price: Annotated[int, meta(low=0, high=1000, usual=1)] = 1
    force: bool = False
    lasts: Hours = 0
    condition: Annotated[str, meta(options=WEATHER, blank=True, what="condition")] = ""
    spark: Name = ""
    children: tuple[Name, ...] = ()
    otherwise: tuple[Name, ...] = ()
    crosses: tuple[Clause, ...] = ()
    meets: tuple[Clause, ...] = ()
    ages: Annotated[tuple[Age, Age], meta(usual=ANY_AGE, names=("youngest", "oldest"), pair="two ages")] = ANY_AGE
    false: bool = False
    proof: bool = False
    emotion: Annotated[str, meta(most=40)] = ""
    thing: Annotated[str, meta(most=60)] = ""


class CardDeck(msgspec.Struct, frozen=True):
    """The cards by name."""

    cards: Annotated[dict[Name, DeckCard], MANY] = {}
