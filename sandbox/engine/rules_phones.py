"""Rules for a phone deck: its children exist, and its sentences use allowed slots."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.fields import Finding, slots
from sandbox.core.references import Names, unknown_names
from sandbox.people.pressure_deck import DramaDeck
from sandbox.phones.deck import PhoneDeck

NAMED = ("who", "whom", "what")


def of_phones(deck: PhoneDeck, drama: DramaDeck) -> Iterator[Finding]:
    """Faults of a deck."""
    for rule in deck.rules.values():
        yield from slots(rule, "says", (rule.says,), NAMED)
        yield from slots(rule, "back", (rule.back,), NAMED)
        yield from unknown_names(rule, {"child": Names("child", drama.children, of="children")})
