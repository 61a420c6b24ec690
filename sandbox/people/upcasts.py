"""Events from before causes had sorts: their words were all there was. Nothing else goes by the words of a cause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandbox.people.causes import Sort, Upset
from sandbox.people.causes import sort_of as by_clause

_WORDS: dict[str, Sort] = {
    "slept well": "sleep",
    "tired": "fatigue",
    "hungry": "hunger",
    "lonely": "loneliness",
    "overlooked": "neglect",
    "short of money": "want",
    "small talk": "small_talk",
}
_BEGINS: dict[str, Sort] = {
    "woke thinking about ": "waking",
    "could not stop thinking about ": "rumination",
    "looking forward to ": "anticipation",
    "turned away by ": "rejection",
}
_UPSETS: dict[str, Upset] = {
    "to find ": "search",
    "the talk ": "overrun",
    "the words with ": "conflict",
    "to go along with ": "invitation",
}


def sort_of(why: str) -> Sort:
    """Of which sort the cause of a mood is that had these words."""
    begun = next((sort for begin, sort in _BEGINS.items() if why.startswith(begin)), None)
    return begun or _WORDS.get(why) or by_clause(why)


def upset_of(why: str) -> Upset:
    """Of which sort the cause of a change of plans is that had these words; "" of a morning's plan, which had none."""
    return next((upset for begin, upset in _UPSETS.items() if why.startswith(begin)), "need" if why else "")


def _felt(e: dict[str, Any]) -> dict[str, Any]:
    return {**e, "sort": sort_of(e["why"])}


def _planned(e: dict[str, Any]) -> dict[str, Any]:
    return {**e, "upset": upset_of(e.get("why", ""))}


UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {
    ("felt", 1): _felt,
    ("planned", 1): _planned,
}
