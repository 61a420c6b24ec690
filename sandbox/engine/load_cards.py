"""Reading what a director may deal: `cards.yaml`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from sandbox.core.faults import Faults
from sandbox.core.structs import add_faults, read_field
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.director.deck import CardDeck, DeckCard
from sandbox.engine.rules_cards import of_cards
from sandbox.people.pressure_deck import DramaDeck


def read_cards(files: Iterable[Path], drama: DramaDeck, faults: Faults) -> CardDeck:
    """The cards of all files: later ones replace those of the same name, and add the rest."""
    cards: dict[str, DeckCard] = {}
    readers = [MappingReader(open_yaml(path, faults)) for path in files]
    for r in readers:
        cards |= read_field(CardDeck, "cards", r)
        r.rest()
    whole = CardDeck(cards)
    for r in readers:
        r.stands_for(whole)
    add_faults(of_cards(whole, drama), faults, lambda odd, file: odd.of == "children" and not drama.children)
    kept = {
        name: replace(card, children=tuple(x for x in card.children if x in drama.children))
        for name, card in cards.items()
        if not card.spark or card.spark in drama.sparks
    }
    return CardDeck(kept)
