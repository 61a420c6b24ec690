"""What a paper says that causes what, held against the arms in which that cause is missing.

A claim names the setting that takes its cause away. Any two compared arms that differ in that setting alone test it,
whatever they are called and whatever else they share; the claim says which of them should have more. All tests of a
claim come to one conclusion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from sandbox.lab.statistics import Difference, with_q

Sign = Literal["more", "less"]
Found = Literal["as claimed", "the opposite", "not shown", "cannot be told"]
Conclusion = Literal[
    "as claimed",
    "in part as claimed",
    "mixed",
    "in part the opposite",
    "the opposite",
    "not shown",
    "cannot be told",
]
OTHER: dict[Sign, Sign] = {"more": "less", "less": "more"}


class PaperClaim(NamedTuple):
    """key: its name. cause, effect: what the paper says, in our words. section: where it says so. without: the setting
    that takes the cause away. measures: metric -> what there should be of it where the cause is. why: why these.
    """

    key: str
    cause: str
    effect: str
    section: str
    without: str
    measures: dict[str, Sign]
    why: str


class Tested(msgspec.Struct, frozen=True):
    """A claim on one metric of two arms. expected: what `arm` has by the claim, beside `against`. difference: with its
    q among all that test a claim. found: whether that is so, as far as a difference was shown; "cannot be told" with
    fewer seeds than a test takes.
    """

    claim: str
    arm: str
    against: str
    metric: str
    expected: Sign
    difference: Difference
    found: Found


def tested(
    claims: Sequence[PaperClaim],
    settings: Mapping[str, Sequence[str]],
    compared: Iterable[tuple[str, str, Mapping[str, Difference]]],
) -> tuple[Tested, ...]:
    """Every claim on every comparison that tests it. settings: of each arm; compared: (arm, against, metrics)."""
    pairs = [*compared]
    tests = {
        (claim.key, arm, against, key): (sign if more else OTHER[sign], metrics[key])
        for claim in claims
        for arm, against, metrics in pairs
        if (more := with_cause(claim.without, settings[arm], settings[against])) is not None
        for key, sign in claim.measures.items()
        if key in metrics
    }
    found = with_q({which: d for which, (_, d) in tests.items()}, tests)
    return tuple(Tested(*which, tests[which][0], d, _word(tests[which][0], d)) for which, d in found.items())


def with_cause(without: str, arm: Sequence[str], against: Sequence[str]) -> bool | None:
    """Whether it is the first of two arms that has the cause; None if they differ in anything else, or not in it."""
    apart = {*arm} ^ {*against}
    return without in against if apart == {without} else None


def concluded(tests: Iterable[Tested]) -> dict[str, Conclusion]:
    """What its tests come to together, for each claim that has any."""
    found: dict[str, set[Found]] = {}
    for test in tests:
        found.setdefault(test.claim, set()).add(test.found)
    return {claim: _together(own) for claim, own in found.items()}


def _together(found: set[Found]) -> Conclusion:
    """What all say; else that some say this, some that, or that the others show nothing."""
    if len(found) == 1:
        return next(iter(found))
    if {"as claimed", "the opposite"} <= found:
        return "mixed"
    if "as claimed" in found:
        return "in part as claimed"
    return "in part the opposite" if "the opposite" in found else "not shown"


def _word(expected: Sign, found: Difference) -> Found:
    if found.p is None:
        return "cannot be told"
    if not found.shown:
        return "not shown"
    return "as claimed" if signed(found) == expected else "the opposite"


def signed(found: Difference) -> Sign:
    """Which way a difference goes."""
    return "more" if (found.estimate.mean or 0.0) > 0.0 else "less"
