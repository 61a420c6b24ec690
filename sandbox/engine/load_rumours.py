"""Reading `rumours:` of a drama deck: what people say of one another's matters, and what comes of hearing it."""

from __future__ import annotations

from collections.abc import Collection

from sandbox.core.textfiles import Reader
from sandbox.engine.drama_words import BORN, Deck, check_slots, weights
from sandbox.people.beliefs import ROW, WORST
from sandbox.people.pressures.deck import KINDS

SPOKEN = (*KINDS, ROW)
BORN_OF = ("self", "dear", "other", "lie")
RUMOUR_SLOTS = ("holder", "about", "stakes", "place")


def read_rumours(r: Reader, d: Deck) -> None:
    """Add what a file has of them to the deck."""
    section = r.section("rumours")
    _says(section, d)
    _bears(section, d)
    d.rumours.lie.update(weights(section, "lie"))
    section.rest()


def _says(r: Reader, d: Deck) -> None:
    for name, value in r.section("says").named(SPOKEN, "kind of pressure"):
        texts = [(text, v) for v in value.values() if (text := v.text(200)) is not None]
        for text, v in texts:
            check_slots(text, RUMOUR_SLOTS, v)
        if len(texts) == WORST + 1:
            d.rumours.says[name] = tuple(text for text, _ in texts)
        else:
            value.fault(f"write {WORST + 1} sentences, from how it is to the worst that is made of it")


def _bears(r: Reader, d: Deck) -> None:
    for name, value in r.section("bears").named(BORN_OF, "kind of hearsay"):
        child = value.text(40)
        if child:
            d.rumours.bears[name] = child
            d.entry(f"rumours {name}", value)
            d.names("child", child, value, BORN)


def lacking(says: Collection[str], kinds: Collection[str]) -> list[str]:
    """What a deck that has rumours has no words for."""
    return [name for name in (*kinds, ROW) if name not in says] if says else []
