"""The metrics of a replica: names, labels, sources, and how each is computed from its `Material`. Judges' scores are
separate (`lab.judging`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf, sqrt
from statistics import fmean
from typing import Annotated, NamedTuple

from msgspec import Meta

from sandbox.core.faults import suggestion
from sandbox.lab.insults import NEGATIVE
from sandbox.lab.material import Material, community_match, drifted_raw, hourly_mean, network_drift
from sandbox.readers.measures import KEYS as DRAMA
from sandbox.readers.talkstats import KEYS as TALK

Of = Callable[[Material], float | None]
Decimals = Annotated[int, Meta(ge=0, le=6)]
Range = tuple[float, float]
ANY, COUNT = (-inf, inf), (0.0, inf)
SHARE, SIGNED = (0.0, 1.0), (-1.0, 1.0)  # the latter for correlations and sentiment
APART = (0.0, 2.0)  # distance of two values within SIGNED
MODULARITY = (-0.5, 1.0)


class Metric(NamedTuple):
    """label: in tables. about: what it is, in a line. of: computes it, None if there is nothing to measure. decimals:
    in tables. built_in: 0 by construction where moods are off, so that a difference from that is a check, not a
    finding. can_be: the least and greatest possible value.
    """

    label: str
    about: str
    of: Of
    decimals: Decimals = 3
    built_in: bool = False
    can_be: Range = ANY


_OWN: ContextVar[Mapping[str, Metric] | None] = ContextVar("own measures", default=None)


def metric(key: str) -> Metric:
    """The metric of that name: one of the user's (`own_metrics`), or of METRICS."""
    return (_OWN.get() or METRICS).get(key) or METRICS[key]


@contextmanager
def own_metrics(own: Mapping[str, Metric]) -> Iterator[Mapping[str, Metric]]:
    """Register the user's metrics within a with block."""
    before = _OWN.set(own)
    try:
        yield own
    finally:
        _OWN.reset(before)


def _ended(key: str) -> Of:
    """The function for a measure of the final network."""
    return lambda m: m.hours[-1].ends[key]


def _made(key: str) -> Of:
    return lambda m: m.made[-1].ends[key]


def _talk(key: str) -> Of:
    """The function for a measure of `sandbox talk`. Raises ValueError for an unknown key: that should fail when the
    program starts, not once in each replica.
    """
    _check(key, TALK, "sandbox talk")
    return lambda m: m.talk[key]


def _drama(key: str) -> Of:
    """The function for a count of `sandbox drama`. Raises ValueError for an unknown key."""
    _check(key, DRAMA, "sandbox drama")
    return lambda m: m.drama[key]


def _check(key: str, known: Collection[str], what: str) -> None:
    if key not in known:
        raise ValueError(f"{what} measures no {key}{suggestion(key, known)}")


_MADE = "the same of what the run itself has made: every feeling begins at 0, and any gain is an edge"
METRICS: dict[str, Metric] = {
    "carry_over": Metric(
        "carry-over",
        "sentiment that comes back at the next meeting, less what shuffled partners would give",
        lambda m: m.carry.value,
        can_be=(-2.0, 2.0),
    ),
    "carry_over_partner": Metric(
        "carry-over, partner",
        "the same, shuffled among partners met within an hour of each other: not a mood that lasts, but who it was",
        lambda m: m.carry_partner.value,
        can_be=(-2.0, 2.0),
    ),
    "carry_over_all": Metric(
        "carry-over, all lines",
        "the same of all that was said at either meeting, not two lines",
        lambda m: m.carry_all.value,
        can_be=(-2.0, 2.0),
    ),
    "reciprocity": Metric("r", "mutual pairs / connected pairs, at the end", _ended("reciprocity"), can_be=SHARE),
    "weighted_reciprocity": Metric(
        "r_w",
        "how alike the two feelings of a mutual pair are, at the end",
        _ended("weighted_reciprocity"),
        can_be=SHARE,
    ),
    "modularity": Metric(
        "Q", "weighted modularity of Louvain's communities, at the end", _ended("modularity"), can_be=MODULARITY
    ),
    "nmi": Metric(
        "NMI",
        "agreement of the communities of one hour with those of the next, mean",
        lambda m: hourly_mean(m.hours, community_match),
        can_be=SHARE,
    ),
    "drift": Metric(
        "drift, matched",
        "strength of those who changed community in an hour, names matched, mean",
        lambda m: hourly_mean(m.hours, network_drift),
        can_be=SHARE,
    ),
    "drift_raw": Metric(
        "drift, raw",
        "the same with the names that Louvain gave",
        lambda m: hourly_mean(m.hours, drifted_raw),
        can_be=SHARE,
    ),
    "made_reciprocity": Metric("r, made", _MADE, _made("reciprocity"), can_be=SHARE),
    "made_weighted_reciprocity": Metric("r_w, made", _MADE, _made("weighted_reciprocity"), can_be=SHARE),
    "made_modularity": Metric("Q, made", _MADE, _made("modularity"), can_be=MODULARITY),
    "made_nmi": Metric("NMI, made", _MADE, lambda m: hourly_mean(m.made, community_match), can_be=SHARE),
    "made_drift": Metric("drift, matched, made", _MADE, lambda m: hourly_mean(m.made, network_drift), can_be=SHARE),
    "made_drift_raw": Metric("drift, raw, made", _MADE, lambda m: hourly_mean(m.made, drifted_raw), can_be=SHARE),
    "feeling_moved": Metric(
        "feelings moved",
        "how far a feeling is at the end from where it began, mean over ties",
        lambda m: m.moved,
        can_be=APART,
    ),
    "density": Metric("density", "connected pairs / all pairs, at the end", _ended("density"), can_be=SHARE),
    "clustering": Metric(
        "clustering",
        "how many of one's friends are friends, mean over people, at the end",
        lambda m: m.form and m.form.clustering,
        can_be=SHARE,
    ),
    "largest_component": Metric(
        "largest component", "share of people in it, at the end", lambda m: m.form and m.form.largest, can_be=SHARE
    ),
    "path_length": Metric(
        "path length",
        "mean steps between two of the largest component, at the end",
        lambda m: m.form and m.form.path,
        can_be=(1.0, inf),
    ),
    "plain_modularity": Metric(
        "Q, unweighted",
        "modularity of the same pairs without weights, at the end",
        lambda m: m.form and m.form.modularity,
        can_be=MODULARITY,
    ),
    "pleasure_range": Metric(
        "range of pleasure",
        "highest less lowest of a day, mean over people",
        lambda m: fmean(max(p.p for p in pads) - min(p.p for p in pads) for pads in m.moods),
        built_in=True,
        can_be=APART,
    ),
    "intensity": Metric(
        "intensity of mood",
        "length of the PAD vector, mean over people and steps",
        lambda m: m.intensity,
        built_in=True,
        can_be=(0.0, sqrt(3.0)),
    ),
    "tone": Metric(
        "tone and pleasure",
        "correlation of a line's sentiment with its speaker's pleasure, within moves",
        _talk("tone_correlation"),
        built_in=True,
        can_be=SIGNED,
    ),
    "sentiment": Metric(
        "sentiment of lines",
        "VADER's compound, mean over lines",
        lambda m: fmean(m.heard) if m.heard else None,
        can_be=SIGNED,
    ),
    "negative_lines": Metric(
        "negative lines",
        "share of lines with a compound of -.05 or less",
        lambda m: fmean(x <= NEGATIVE for x in m.heard) if m.heard else None,
        can_be=SHARE,
    ),
    "toxic_lines": Metric(
        "toxic lines",
        "share of lines that are negative and call somebody a name",
        lambda m: fmean(m.toxic) if m.toxic else None,
        can_be=SHARE,
    ),
    "changed_by_mood": Metric(
        "lines changed by mood",
        "share of lines that differ, said once more in the negated mood",
        _talk("changed_by_mood"),
        built_in=True,
        can_be=SHARE,
    ),
    "decisions_changed": Metric(
        "decisions changed",
        "share of decisions that differ, taken once more without mood",
        _talk("decisions_changed_without_emotion"),
        built_in=True,
        can_be=SHARE,
    ),
    "distinct_4": Metric(
        "distinct runs of four",
        "least share of different runs of four words in 2,000 words",
        _talk("distinct_4"),
        can_be=SHARE,
    ),
    "talks": Metric("talks", "how many were begun", lambda m: len(m.reading.talks), 1, can_be=COUNT),
    "lines": Metric("lines", "how many were said", lambda m: len(m.lines), 1, can_be=COUNT),
    "declined": Metric(
        "talks declined",
        "offers to talk that were turned down",
        lambda m: m.reading.counts["declined"],
        1,
        can_be=COUNT,
    ),
    "reflections": Metric(
        "reflections", "how often people looked back", lambda m: m.reading.counts["reflections"], 1, can_be=COUNT
    ),
    "incidents": Metric(
        "incidents",
        "what came of one matter between people, as `sandbox drama` counts it",
        _drama("incidents"),
        1,
        can_be=COUNT,
    ),
    "quarrels": Metric("quarrels", "rows and betrayals", _drama("quarrels"), 1, can_be=COUNT),
    "stood_in": Metric(
        "stood in",
        "answers that the embedded mind gave instead of a model",
        lambda m: m.reading.counts["stood_in"],
        1,
        can_be=COUNT,
    ),
}
