"""The metrics of a replica: names, labels, sources, and how each is computed from its `Material`. Judges' scores are
separate (`lab.judging`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf, sqrt
from statistics import fmean
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from sandbox.core.faults import suggestion
from sandbox.lab.carryover import CarryOver
from sandbox.lab.diagnostics import FeelingNetwork, hourly_mean
from sandbox.lab.material import NEGATIVE, Material
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
    """A measure, as everything that reports it reads it. label: in tables. about: what it is, in a line. of: computes
    it, None if there is nothing to measure. decimals: in tables. built_in: 0 by construction where moods are off, so
    that a difference from that is a check, not a finding. can_be: the least and greatest possible value. part: the part
    of a report that shows it, "" = among the others. caveat: what the report warns of: words (of the sentiment of
    texts) or again (of questions that are put once more).
    """

    label: str
    about: str
    of: Of
    decimals: Decimals = 3
    built_in: bool = False
    can_be: Range = ANY
    part: Literal["", "carry-over", "networks", "made", "feelings", "shapes"] = ""
    caveat: Literal["", "words", "again"] = ""


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


OfNetworks = Callable[[Sequence[FeelingNetwork]], float | None]


def _last(key: str) -> OfNetworks:
    """The function for a measure of the last of some networks."""
    return lambda hours: hours[-1].ends[key]


def _hourly(measure: Callable[[FeelingNetwork, FeelingNetwork], float | None]) -> OfNetworks:
    """The function for the mean of a measure of consecutive networks."""
    return lambda hours: hourly_mean(hours, measure)


def _network(label: str, about: str, of: OfNetworks, can_be: Range = SHARE) -> tuple[Metric, Metric]:
    """A measure of the networks of feelings, and the same of what the run itself has made."""
    made = "the same for what the run itself added: every feeling begins at 0, and any gain is an edge"
    return (
        Metric(label, about, lambda m: of(m.hours), can_be=can_be, part="networks"),
        Metric(f"{label}, made", made, lambda m: of(m.made), can_be=can_be, part="made"),
    )


def _shape(key: str, label: str, about: str, can_be: Range = SHARE) -> Metric:
    """A measure of the final network without weights (`networks.SHAPE`)."""
    return Metric(label, f"{about}, at the end", lambda m: m.form[key], can_be=can_be, part="shapes")


def _carry(label: str, about: str, of: Callable[[Material], CarryOver]) -> Metric:
    return Metric(label, about, lambda m: of(m).value, can_be=(-2.0, 2.0), part="carry-over", caveat="words")


def _count(what: str) -> Of:
    """The function for a count of events, by the names of stories."""
    return lambda m: m.reading.counts[what]


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


NETWORKS = {
    "reciprocity": _network("r", "mutual pairs / connected pairs, at the end", _last("reciprocity")),
    "weighted_reciprocity": _network(
        "r_w", "how alike the two feelings of a mutual pair are, at the end", _last("weighted_reciprocity")
    ),
    "modularity": _network(
        "Q", "weighted modularity of Louvain's communities, at the end", _last("modularity"), MODULARITY
    ),
    "nmi": _network(
        "NMI",
        "agreement of the communities of one hour with those of the next, mean",
        _hourly(FeelingNetwork.agreement),
    ),
    "drift": _network(
        "drift, matched",
        "strength of people who changed community in an hour, names matched, mean",
        _hourly(FeelingNetwork.drift),
    ),
    "drift_raw": _network("drift, raw", "the same with the names that Louvain gave", _hourly(FeelingNetwork.raw_drift)),
}
METRICS: dict[str, Metric] = {
    "carry_over": _carry(
        "carry-over",
        "sentiment that comes back at the next meeting, minus what shuffled partners would give",
        lambda m: m.carry,
    ),
    "carry_over_partner": _carry(
        "carry-over, partner",
        "the same, shuffled among partners met within an hour: what is due to the partner, not to a lasting mood",
        lambda m: m.carry_partner,
    ),
    "carry_over_all": _carry(
        "carry-over, all lines", "the same for all that was said at both meetings, not two lines", lambda m: m.carry_all
    ),
    **{key: felt for key, (felt, _) in NETWORKS.items()},
    **{f"made_{key}": made for key, (_, made) in NETWORKS.items()},
    "feeling_moved": Metric(
        "feelings moved",
        "how far a feeling is at the end from where it began, mean over ties",
        lambda m: m.moved,
        can_be=APART,
        part="feelings",
    ),
    "density": Metric(
        "density",
        "connected pairs / all pairs, at the end",
        lambda m: m.hours[-1].ends["density"],
        can_be=SHARE,
        part="shapes",
    ),
    "clustering": _shape("clustering", "clustering", "how many of one's friends are friends, mean over people"),
    "largest_component": _shape("largest_component", "largest component", "share of people in it"),
    "path_length": _shape("path_length", "path length", "mean steps between two of the largest component", (1.0, inf)),
    "plain_modularity": _shape(
        "plain_modularity", "Q, unweighted", "modularity of the same pairs without weights", MODULARITY
    ),
    "pleasure_range": Metric(
        "range of pleasure",
        "highest minus lowest of a day, mean over people",
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
        caveat="words",
    ),
    "negative_lines": Metric(
        "negative lines",
        "share of lines with a compound of -.05 or less",
        lambda m: fmean(x <= NEGATIVE for x in m.heard) if m.heard else None,
        can_be=SHARE,
        caveat="words",
    ),
    "toxic_lines": Metric(
        "toxic lines",
        "share of lines that are negative and call somebody a name",
        lambda m: fmean(m.toxic) if m.toxic else None,
        can_be=SHARE,
        caveat="words",
    ),
    "changed_by_mood": Metric(
        "lines changed by mood",
        "share of lines that come out different when said again in the opposite mood",
        _talk("changed_by_mood"),
        built_in=True,
        can_be=SHARE,
        caveat="again",
    ),
    "decisions_changed": Metric(
        "decisions changed",
        "share of decisions that come out different when made again without mood",
        _talk("decisions_changed_without_emotion"),
        built_in=True,
        can_be=SHARE,
        caveat="again",
    ),
    "distinct_4": Metric(
        "distinct runs of four",
        "smallest share of different four-word runs in any 2,000 words",
        _talk("distinct_4"),
        can_be=SHARE,
    ),
    "talks": Metric("talks", "how many were begun", lambda m: len(m.reading.talks), 1, can_be=COUNT),
    "lines": Metric("lines", "how many were said", lambda m: len(m.lines), 1, can_be=COUNT),
    "declined": Metric("talks declined", "offers to talk that were turned down", _count("declined"), 1, can_be=COUNT),
    "reflections": Metric("reflections", "how often people looked back", _count("reflections"), 1, can_be=COUNT),
    "incidents": Metric(
        "incidents",
        "what came of one matter between people, as `sandbox drama` counts it",
        _drama("incidents"),
        1,
        can_be=COUNT,
    ),
    "quarrels": Metric("quarrels", "rows and betrayals", _drama("quarrels"), 1, can_be=COUNT),
    "stood_in": Metric(
        "stood in", "answers that the embedded mind gave instead of a model", _count("stood_in"), 1, can_be=COUNT
    ),
}
