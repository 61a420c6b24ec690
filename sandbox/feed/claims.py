"""Who believes a claim: a post may make the claim that a feed is watched for, or rebut it (seed 001, 2.2.2; the rule is
ours, docs/policy.md).
"""

from __future__ import annotations

import numpy as np

from sandbox.feed.model import CLAIM, REBUTTAL, Feed
from sandbox.feed.tables import Flags, Small

DOUBTED = 7  # degree of doubt from which a comment no longer believes what it is on
NEVER = -(2**62)


class Beliefs:
    """When each user has last spread the claim and last opposed it, in seconds, (users,); NEVER = not. Somebody opposes
    it by a comment that doubts it by 7 or more, or by passing on its rebuttal.
    """

    def __init__(self, feed: Feed) -> None:
        self.spread, self.opposed = (np.full(feed.users.n, NEVER, np.int64) for _ in range(2))
        if feed.claims:
            of, posts, comments = claims_of_cards(feed), feed.posts, feed.comments
            for sort, column in ((CLAIM, self.spread), (REBUTTAL, self.opposed)):
                cards = (of == sort).nonzero()[0]
                np.maximum.at(column, posts.author[cards], posts.t[cards])
            doubts = (comments.doubt[: comments.n] >= DOUBTED).nonzero()[0]
            doubts = doubts[of[comments.post[doubts]] == CLAIM]
            np.maximum.at(self.opposed, comments.author[doubts], comments.t[doubts])

    @property
    def misinformed(self) -> Flags:
        """Flags of users who have posted or passed on the claim and not opposed it since."""
        return (self.spread > NEVER) & (self.opposed < self.spread)


def claims_of_cards(feed: Feed) -> Small:
    """CLAIM, REBUTTAL or 0 for each card; of a repost as of its root."""
    of = np.zeros(feed.posts.n, np.int8)
    of[[*feed.claims]] = [*feed.claims.values()]
    found: Small = of[feed.posts.root[: feed.posts.n]]
    return found
