"""What a paper says that causes what, held against the arms in which that cause is missing.

A claim names the setting that takes its cause away. Any two compared arms that differ in that alone test it, whatever
they are called and whatever else they share; the claim says which of them should have more. A setting may take away
more than it names (`ALONG`): arms that differ in that, too, test nothing, for nobody could say which of both it was.
All tests of a claim come to one conclusion; where a rule of ours puts the effect there, that says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from sandbox.lab.statistics import PairedDifference, with_q

Sign = Literal["more", "less"]
Found = Literal["as claimed", "the opposite", "not shown", "cannot be told"]
Conclusion = Literal[
    "as claimed",
    "as claimed, as it was built in",
    "in part as claimed",
    "in part as claimed, as it was built in",
    "mixed",
    "in part the opposite",
    "the opposite",
    "not shown",
    "cannot be told",
]
OTHER: dict[Sign, Sign] = {"more": "less", "less": "more"}
BUILT_IN: dict[Conclusion, Conclusion] = {
    "as claimed": "as claimed, as it was built in",
    "in part as claimed": "in part as claimed, as it was built in",
}
# A setting -> what else is gone with it, as the settings that take that alone away. Without moods no talk leaves
# anything for the next, no outcome marks a mood, and nobody feels a need; where talks move no mood they leave nothing,
# either; a mood that does not decay has no rest to be marked; without drama there are neither outcomes nor felt needs.
ALONG: dict[str, tuple[str, ...]] = {
    "mood.on=false": ("memory.person=false", "mood.marks=0", "needs.low=0"),
    "mood.fast=0": ("memory.person=false",),
    "mood.decay=false": ("mood.marks=0",),
    "memory.tags=false": ("memory.mood=false", "memory.person=false"),
    "rules.drama=off": ("mood.marks=0", "needs.low=0"),
}


class PaperClaim(NamedTuple):
    """key: its name. cause, effect: what the paper says, in our words. section: where it says so. without: the setting
    that takes the cause away. measures: metric -> what there should be of it where the cause is. why: why these.
    built_in: which rules of ours put the effect there, so that finding it finds them; "" = none does.
    """

    key: str
    cause: str
    effect: str
    section: str
    without: str
    measures: dict[str, Sign]
    why: str
    built_in: str = ""


class ClaimTest(msgspec.Struct, frozen=True):
    """A claim on one metric of two arms. expected: what `arm` has by the claim, beside `against`. difference: with its
    q among all that test a claim. found: whether that is so, as far as a difference was shown; "cannot be told" with
    fewer seeds than a test takes. built_in: whether a rule of ours puts what is claimed there.
    """

    claim: str
    arm: str
    against: str
    metric: str
    expected: Sign
    difference: PairedDifference
    found: Found
    built_in: bool = False


def claim_tests(
    claims: Sequence[PaperClaim],
    settings: Mapping[str, Sequence[str]],
    compared: Iterable[tuple[str, str, Mapping[str, PairedDifference]]],
) -> tuple[ClaimTest, ...]:
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
    built_in = {claim.key for claim in claims if claim.built_in}
    return tuple(
        ClaimTest(*which, tests[which][0], d, _word(tests[which][0], d), which[0] in built_in)
        for which, d in found.items()
    )


def with_cause(without: str, arm: Sequence[str], against: Sequence[str]) -> bool | None:
    """Whether it is the first of two arms that has the cause; None if they differ in anything else, or not in it."""
    there, here = with_along(against), with_along(arm)
    return without in there if there ^ here == {without} else None


def with_along(settings: Iterable[str]) -> set[str]:
    """What settings come to: of each key the last that is said, and what goes along with it."""
    last = {text.partition("=")[0]: text for text in settings}
    along = {text.partition("=")[0]: text for said in last.values() for text in ALONG.get(said, ())}
    return {*(last | along).values()}


def besides(arm: Sequence[str], against: Sequence[str]) -> list[str]:
    """In what two arms differ beyond what their settings say: what goes along with these, as settings."""
    return sorted((with_along(arm) ^ with_along(against)) - {*arm, *against})


def put_there(claims: Iterable[PaperClaim], key: str, arm: Sequence[str], against: Sequence[str]) -> str:
    """Which rules of ours make two arms differ in a metric by what one of these claims says; "" if none does."""
    apart = with_along(arm) ^ with_along(against)
    return next((c.built_in for c in claims if c.built_in and key in c.measures and c.without in apart), "")


def conclude_claims(tests: Iterable[ClaimTest]) -> dict[str, Conclusion]:
    """What its tests come to together, for each claim that has any."""
    found: dict[str, set[Found]] = {}
    built_in = set()
    for test in tests:
        found.setdefault(test.claim, set()).add(test.found)
        built_in |= {test.claim} if test.built_in else set()
    so = {claim: _together(own) for claim, own in found.items()}
    return {claim: BUILT_IN.get(word, word) if claim in built_in else word for claim, word in so.items()}


def _together(found: set[Found]) -> Conclusion:
    """What all say; else that some say this, some that, or that the others show nothing."""
    if len(found) == 1:
        return next(iter(found))
    if {"as claimed", "the opposite"} <= found:
        return "mixed"
    if "as claimed" in found:
        return "in part as claimed"
    return "in part the opposite" if "the opposite" in found else "not shown"


def _word(expected: Sign, found: PairedDifference) -> Found:
    if found.p is None:
        return "cannot be told"
    if not found.shown:
        return "not shown"
    return "as claimed" if difference_sign(found) == expected else "the opposite"


def difference_sign(found: PairedDifference) -> Sign:
    """Which way a difference goes."""
    return "more" if (found.estimate.mean or 0.0) > 0.0 else "less"
