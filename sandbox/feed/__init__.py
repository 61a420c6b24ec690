"""The social feed: users, posts and comments, and who is shown what.

In your own program: `from sandbox.feed import Platform` (docs/feed.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandbox.core import first_use

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
__getattr__ = first_use(__name__, _HOMES)
