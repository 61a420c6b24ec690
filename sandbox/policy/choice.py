"""What a policy decides in a round, and the check that a platform can do it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sandbox.feed.steering import NOTHING, Columns
from sandbox.feed.tables import Longs, pair_keys
from sandbox.policy.model import check_shares
from sandbox.policy.views import PlatformView

LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)  # levels of exposure that learners choose among
MOST_CHOSEN = 10  # cards chosen for one reader in a round, at most


class Choice(NamedTuple):
    """What a policy decides for a round. mix: shares of cards by followed users, personal cards and headlines, which
    sum to 1; None = as the world says. users, cards, scores: arms: a card that a reader reads first and for certain,
    and how good it is thought to be. silenced, levels: authors, and the chance in [0, 1] that a card of theirs passes.
    """

    mix: tuple[float, float, float] | None = None
    users: NDArray[Any] = NOTHING.users
    cards: NDArray[Any] = NOTHING.cards
    scores: NDArray[Any] = NOTHING.scores
    silenced: NDArray[Any] = NOTHING.silenced
    levels: NDArray[Any] = NOTHING.levels

    @classmethod
    def of_arms(cls, users: ArrayLike, cards: ArrayLike, scores: ArrayLike) -> Choice:
        """A choice of arms alone. cards, scores: one each, or one for all."""
        who = np.atleast_1d(np.asarray(users))
        return cls(None, who, np.broadcast_to(cards, who.shape), np.broadcast_to(scores, who.shape))

    @property
    def columns(self) -> Columns:
        """Its arms and exposures."""
        return Columns(
            self.users.astype(np.int64),
            self.cards.astype(np.int64),
            self.scores,
            self.silenced.astype(np.int64),
            self.levels,
        )


def check_choice(choice: object, view: PlatformView) -> Choice:
    """The same choice. Raises ValueError, with a sentence, unless a platform can do it."""
    if not isinstance(choice, Choice):
        raise ValueError(f"choose gives {type(choice).__name__}, not a Choice")
    arrays = {name: np.asarray(getattr(choice, name)) for name in Choice._fields[1:]}
    for name, array in arrays.items():
        if array.ndim != 1:
            raise ValueError(f"{name} has the shape {array.shape}, not one number each")
        if array.dtype.kind not in ("iuf" if name in ("scores", "levels") else "iu") and len(array):
            raise ValueError(f"{name} are {array.dtype}, not numbers")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} are not all finite numbers")
    if not len(arrays["users"]) == len(arrays["cards"]) == len(arrays["scores"]):
        raise ValueError(" and ".join(f"{len(arrays[name])} {name}" for name in ("users", "cards", "scores")))
    if len(arrays["silenced"]) != len(arrays["levels"]):
        raise ValueError(f"{len(arrays['silenced'])} authors silenced and {len(arrays['levels'])} levels")
    found = Choice(None if choice.mix is None else check_shares(choice.mix), **arrays)
    _check_arms(found, view)
    _check_exposure(found, view)
    return found


def _check_arms(choice: Choice, view: PlatformView) -> None:
    users, cards = choice.users, choice.cards
    if not len(users):
        return
    if (stranger := users[~np.isin(users, view.readers)]).size:
        raise ValueError(f"user {stranger[0]} is no reader of this round (`view.readers`)")
    if (unknown := cards[~np.isin(cards, view.posts.number)]).size:
        raise ValueError(f"card {unknown[0]} is none that may be chosen (`view.posts.number`)")
    kept = view.able[view.readers.searchsorted(users), view.posts.number.searchsorted(cards)]
    if not kept.all():
        at = int(kept.argmin())
        raise ValueError(f"user {users[at]} may not be given card {cards[at]} (`view.able`)")
    if len(np.unique(pair_keys(users, cards))) < len(users):
        raise ValueError("two arms are equal")
    if np.bincount(view.readers.searchsorted(users)).max() > MOST_CHOSEN:
        raise ValueError(f"more than {MOST_CHOSEN} cards are chosen for one reader")


def _check_exposure(choice: Choice, view: PlatformView) -> None:
    silenced: Longs = choice.silenced
    if not len(silenced):
        return
    if silenced.min() < 0 or silenced.max() >= view.users:
        raise ValueError(f"user {silenced.min() if silenced.min() < 0 else silenced.max()} does not exist")
    if len(np.unique(silenced)) < len(silenced):
        raise ValueError("an author is silenced twice")
    if choice.levels.min() < 0 or choice.levels.max() > 1:
        raise ValueError("a level of exposure is from 0 to 1")
    if (many := int((choice.levels < 1).sum())) > view.most_silenced:
        raise ValueError(f"{many} authors are silenced, and {view.most_silenced} of {view.users} may be")
