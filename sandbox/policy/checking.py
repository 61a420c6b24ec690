"""A trial of a policy of one's own: `check_policy(Calm)`."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.core.events import Record
from sandbox.feed.model import CrowdParameters
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.platform import Platform
from sandbox.feed.steering import Steered
from sandbox.policy.contract import Policy

USERS, TICKS = 300, 8


def check_policy(make: Callable[[], Policy]) -> None:
    """Test a policy on a small platform, from its first round, in which there is no card yet, on.

    Args: make: its class, or a function that makes one. Raises: AssertionError, with a sentence, if it breaks a
    promise. Promises: it returns a `Choice` with arrays of one number each; all numbers are finite; shares and levels
    are from 0 to 1; readers, cards and authors are those of the view; no card is chosen twice for a reader; at most a
    tenth of the users are turned down; another one, made alike, decides alike on the same feed with the same chance;
    and neither `choose` nor `learn` raises.
    """
    assert callable(make), f"{make!r} is one that is made already; give its class, or a function that makes one"
    one, other = _rounds(make), _rounds(make)
    for number, (first, second) in enumerate(zip(one, other, strict=True), 1):
        assert not first.fault, f"{first.policy!r} fails in round {number}: {first.fault}"
        alike = f"{first.policy!r} decides otherwise in round {number} on the same feed by the same chance"
        assert first == second, alike


def _rounds(make: Callable[[], Policy]) -> list[Steered]:
    """What it decides on a lively platform, round by round."""
    kept: list[Record] = []
    lively = CrowdParameters(activity=0.3, posts=0.3, like=0.0, comment=-1.0, doubts=True)
    site = Platform(
        "x", seed=5, parameters=FeedParameters(crowd=USERS), crowd=lively, threads=1, keep=kept.append, policy=make()
    )
    for number in range(TICKS):
        if number == 2:
            author = site.sign_up("author", "Author", "I bake bread.")
            site.watch(site.create_post(author, "The well is poisoned.", stance=0.5))
            site.watch(site.create_post(author, "The well is clean."), rebuttal=True)
        site.tick()
    return [record.event for record in kept if isinstance(record.event, Steered)]
