"""What papers have published: numbers to compare ours with, and causal claims, tested on pairs of arms of which one
lacks the cause.

A claim names the setting that removes its cause. Any two compared arms that differ only in that setting test it,
whatever else they share; the claim predicts which has more. A setting may remove more than it names (`ALONG`): arms
that also differ in that test nothing, since the effect could come from either. All tests of a claim are summed up in
one conclusion, which says so if one of our rules builds the effect in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from sandbox.lab.statistics import PairedDifference, with_q

PAPER = "Sentipolis, table 2: mean over 3 runs, final snapshot"
FRIENDS = "18 friendship networks of 15 to 50 people, median and quartiles"
SCORES = "Sentipolis, table 5: judge, model, scores without and with its emotion module"
AGREEMENT = "Sentipolis, table 4: mean over its three pairs of judges"
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
# A setting -> what it also removes, as the settings that remove only that. Without moods no talk affects
# the next, no outcome marks a mood, and nobody feels a need; where talks move no mood they leave nothing
# either; a mood that does not decay has no rest to be marked; without drama: no outcomes, no felt needs.
ALONG: dict[str, tuple[str, ...]] = {
    "mood.on=false": ("memory.person=false", "mood.marks=0", "needs.low=0"),
    "mood.fast=0": ("memory.person=false",),
    "mood.decay=false": ("mood.marks=0",),
    "memory.tags=false": ("memory.mood=false", "memory.person=false"),
    "rules.drama=off": ("mood.marks=0", "needs.low=0"),
}


class PaperClaim(msgspec.Struct, frozen=True, kw_only=True):
    """A causal claim of a paper. key: its name. cause, effect: in our words. section: of the paper. without: the
    setting that removes the cause. measures: metric -> its predicted direction if the cause is present; both: predicted
    of the network that the run itself has made, too. why: reason for these metrics. built_in: our rules that build the
    effect in, so that finding it only finds them; "" = none.
    """

    key: str
    cause: str
    effect: str
    section: str
    without: str
    measures: dict[str, Sign]
    both: bool = False
    why: str
    built_in: str = ""

    def __post_init__(self) -> None:
        if self.both:
            self.measures.update({f"made_{key}": sign for key, sign in self.measures.items()})


class Publications(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `published.yaml` holds; its comments say what each is."""

    papers: dict[str, str]
    table_2: dict[str, tuple[float, float, float, float, float]]
    friendship: dict[str, tuple[float, float, float]]
    karate: dict[str, float]
    criteria: tuple[str, ...]
    table_5: dict[str, dict[str, tuple[tuple[float, ...], tuple[float, ...]]]]
    table_4: dict[str, float]
    claims: dict[str, tuple[PaperClaim, ...]]


_FOUND = msgspec.yaml.decode(Path(__file__).with_name("published.yaml").read_bytes(), type=Publications)
PAPERS, CLAIMS = _FOUND.papers, _FOUND.claims
TABLE_2, TABLE_4, FRIENDSHIP, KARATE = _FOUND.table_2, _FOUND.table_4, _FOUND.friendship, _FOUND.karate
TABLE_5 = {  # judge -> model -> criterion -> (without, with)
    judge: {model: dict(zip(_FOUND.criteria, zip(*both, strict=True), strict=True)) for model, both in models.items()}
    for judge, models in _FOUND.table_5.items()
}


class ClaimTest(msgspec.Struct, frozen=True):
    """A claim tested by one metric of two arms. expected: what the claim predicts for `arm` relative to `against`.
    difference: with its q among all tests of claims. found: whether the prediction holds, as far as a difference was
    shown; "cannot be told" with fewer seeds than a test needs. built_in: whether one of our rules builds the effect in.
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
    """All tests of the claims by these comparisons. settings: of each arm; compared: (arm, against, metrics)."""
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
    """Whether the first of two arms has the cause and the second not (True), or the reverse (False); None if they
    differ in anything else, or not in this.
    """
    there, here = with_along(against), with_along(arm)
    return without in there if there ^ here == {without} else None


def with_along(settings: Iterable[str]) -> set[str]:
    """The effective settings: the last value of each key, and what these also remove (`ALONG`)."""
    last = {text.partition("=")[0]: text for text in settings}
    along = {text.partition("=")[0]: text for said in last.values() for text in ALONG.get(said, ())}
    return {*(last | along).values()}


def besides(arm: Sequence[str], against: Sequence[str]) -> list[str]:
    """What two arms also differ in because of their settings (`ALONG`), as settings."""
    return sorted((with_along(arm) ^ with_along(against)) - {*arm, *against})


def put_there(claims: Iterable[PaperClaim], key: str, arm: Sequence[str], against: Sequence[str]) -> str:
    """The rules of ours that build in a claimed difference of two arms in a metric; "" if there are none."""
    apart = with_along(arm) ^ with_along(against)
    return next((c.built_in for c in claims if c.built_in and key in c.measures and c.without in apart), "")


def conclude_claims(tests: Iterable[ClaimTest]) -> dict[str, Conclusion]:
    """The conclusion from all tests of each claim that has any."""
    found: dict[str, set[Found]] = {}
    built_in = set()
    for test in tests:
        found.setdefault(test.claim, set()).add(test.found)
        built_in |= {test.claim} if test.built_in else set()
    so = {claim: _together(own) for claim, own in found.items()}
    return {claim: BUILT_IN.get(word, word) if claim in built_in else word for claim, word in so.items()}


def _together(found: set[Found]) -> Conclusion:
    """What all tests agree on; otherwise that they disagree, or that some show nothing."""
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
    """The sign of a difference."""
    return "more" if (found.estimate.mean or 0.0) > 0.0 else "less"
