"""Reads the cards of a world: `cards.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from sandbox.core.faults import Faults, in_quotes, suggestion, unknown
from sandbox.core.fields import Finding, slots
from sandbox.core.structs import add_faults
from sandbox.director.card_rule import CardRule
from sandbox.director.dealing import RULES
from sandbox.director.deck import ANY_AGE, GIVEN, CardDeck, DeckCard
from sandbox.engine.load_decks import read_files
from sandbox.engine.references import KnownNames, unknown_names
from sandbox.people.mood import OCC
from sandbox.people.pressure_deck import DramaDeck
from sandbox.town.conditions import DEFERENCE

SAID = (*GIVEN, "hours")
CROSSES, MEETS = ("do", "at"), ("whom", "at")


def of_card_rules(deck: CardDeck) -> Iterator[Finding]:
    """Cards of a sort that does not exist."""
    for card in deck.cards.values():
        if card.rule not in RULES:
            yield Finding(card, "rule", unknown("rule of cards", card.rule, RULES))


def of_cards(deck: CardDeck, drama: DramaDeck) -> Iterator[Finding]:
    """Faults of a card deck."""
    yield from of_card_rules(deck)
    known = {"child": KnownNames("child", drama.children, of="children")}
    if drama.sparks:
        known["spark"] = KnownNames("spark", drama.sparks)
    for card in deck.cards.values():
        yield from slots(card, "says", (card.says,), SAID)
        yield from slots(card, "crosses", card.crosses, CROSSES)
        yield from slots(card, "meets", card.meets, MEETS)
        yield from _needs(card, RULES[card.rule]) if card.rule in RULES else ()
        yield from _unheld(card)
        yield from unknown_names(card, known)


def _unheld(card: DeckCard) -> Iterator[Finding]:
    """Keys that have no effect on such a card."""
    if card.otherwise and not card.spark:
        says = "is instead of what a spark brings; name the `spark`, or put it among `children`"
        yield Finding(card, "otherwise", says)
    if card.condition in ("", "muted", DEFERENCE):
        for key, given in (("crosses", card.crosses), ("meets", card.meets), ("ages", card.ages != ANY_AGE)):
            if given:
                yield Finding(card, key, "is of a card by which something holds for a place; take it out")
    if card.ages[0] > card.ages[1]:
        yield Finding(card, "ages", "names the older first; turn it round")


def _needs(card: DeckCard, rule: CardRule) -> Iterator[Finding]:
    for part in rule.needs:
        if part not in card.needs:
            listed = ", ".join((*card.needs, part))
            says = f"a card by the rule {card.rule} needs {part}; add it: `needs: [{listed}]`"
            yield Finding(card, "needs", says)
    if twice := [part for part in card.may if part in card.needs]:
        yield Finding(card, "may", f"{twice[0]} is needed already; take it out here")
    if card.rule == "condition" and not card.condition:
        yield Finding(card, "condition", "is missing; say what then holds, for example `condition: rain`")
    if card.condition == "muted" and "to" not in card.needs:
        yield Finding(card, "needs", "somebody is muted; add `needs: [to]`")
    if rule.force and not card.force:
        yield Finding(card, "force", f"the rule {card.rule} changes somebody; say `force: yes`")
    if card.false and not {"matter", "whom"} <= {*card.needs}:
        yield Finding(card, "false", "says of somebody what another has done; add `needs: [matter, whom]`")
    if card.emotion and card.emotion not in OCC:
        mend = suggestion(card.emotion, OCC) or f"; choose from {', '.join(sorted(OCC))}"
        yield Finding(card, "emotion", f"there is no emotion {in_quotes(card.emotion)}{mend}")


def read_cards(files: Iterable[Path], drama: DramaDeck, faults: Faults, heard: bool = False) -> CardDeck:
    """The cards of all files, without those of sparks, and without children, that the drama deck lacks. heard: whether
    it counts who is heard (`society.type`); without, there is no card of deference.
    """
    whole = read_files(CardDeck, files, faults)
    add_faults(of_cards(whole, drama), faults, lambda odd, file: odd.of == "children" and not drama.children)
    kept = {
        name: replace(card, children=tuple(x for x in card.children if x in drama.children))
        for name, card in whole.cards.items()
        if (not card.spark or card.spark in drama.sparks) and (heard or card.condition != DEFERENCE)
    }
    return CardDeck(kept)
