"""The social feed: users, posts and comments, and who is shown what.

In your own program: `from sandbox.feed import Platform` (docs/feed.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.feed.acting import Refused, Why
    from sandbox.feed.cards import Card, Comment, Person
    from sandbox.feed.core import spaced
    from sandbox.feed.model import CrowdParameters
    from sandbox.feed.parameters import FeedParameters
    from sandbox.feed.platform import Platform, check_recommender
    from sandbox.feed.recommenders import Recommender

__all__ = [
    "Card",
    "Comment",
    "CrowdParameters",
    "FeedParameters",
    "Person",
    "Platform",
    "Recommender",
    "Refused",
    "Why",
    "check_recommender",
    "spaced",
]
_HOMES = {
    "Card": "cards",
    "Comment": "cards",
    "CrowdParameters": "model",
    "FeedParameters": "parameters",
    "Person": "cards",
    "Platform": "platform",
    "Recommender": "recommenders",
    "Refused": "acting",
    "Why": "acting",
    "check_recommender": "platform",
    "spaced": "core",
}


def __getattr__(name: str) -> Any:
    """Import what `__all__` names on first use, so that importing the model alone stays cheap."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
