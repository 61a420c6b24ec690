"""Rules for a phone deck: its children exist, and its sentences use allowed slots."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.faults import in_quotes, suggestion
from sandbox.core.fields import Finding, slots
from sandbox.people.pressure_deck import DramaDeck
from sandbox.phones.deck import PhoneDeck

NAMED = ("who", "whom", "what")


def of_phones(deck: PhoneDeck, drama: DramaDeck) -> Iterator[Finding]:
    """Faults of a deck."""
    for rule in deck.rules.values():
        yield from slots(rule, "says", (rule.says,), NAMED)
        yield from slots(rule, "back", (rule.back,), NAMED)
        for part, name in rule.children.items():
            if name not in drama.children:
                mend = suggestion(name, drama.children) or "; name one of the drama deck, or take it out"
                yield Finding(rule, "children", f"there is no child {in_quotes(name)}{mend}", (part,), of="children")
