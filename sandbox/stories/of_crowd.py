"""The story of what a crowd does: one event a tick of the feed, told in sums."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sandbox.core.events import Event, Stamp
from sandbox.core.plain import counted
from sandbox.core.text import listed
from sandbox.feed.packing import DOUBT, Act, CrowdActed
from sandbox.stories.story import Story, Teller

SUMS = {
    "like": (Act.LIKE, Act.LIKE_COMMENT),
    "dislike": (Act.DISLIKE, Act.DISLIKE_COMMENT),
    "comment": (Act.HOSTILE, Act.NEUTRAL, Act.WARM, *range(DOUBT + 1, DOUBT + 11)),
    "repost": (Act.REPOST,),
    "post": (Act.POST,),
    "follow": (Act.FOLLOW,),
}


def sums(e: CrowdActed) -> dict[str, int]:
    """How often each thing was done, by name; what was not is left out."""
    acts = np.bincount(np.frombuffer(e.acts, np.uint8), minlength=256)
    found = {name: int(acts[list(which)].sum()) for name, which in SUMS.items()}
    return {name: count for name, count in found.items() if count}


def _sentence(teller: Teller, e: CrowdActed, at: Stamp) -> str:
    done = [counted(count, name) for name, count in sums(e).items()]
    return f"The crowd: {listed(done)}" if done else "The crowd was quiet"


def _counts(e: CrowdActed) -> Iterable[tuple[str, int]]:
    return ((f"crowd {name}s", count) for name, count in sums(e).items())


STORIES: dict[type[Event], Story] = {
    CrowdActed: Story(sentence=_sentence, untold="what a crowd does is shown in sums, not act by act", counts=_counts),
}
