"""What an experiment can measure of a replica: names, labels, and where each comes from. All are computed; what judges
say stands apart (`lab.judging`).
"""

from __future__ import annotations

from typing import NamedTuple


class Metric(NamedTuple):
    """label: for a table. about: what it is, in a line. decimals: of a number in a table. built_in: it is 0 by
    construction where moods are off, so that a difference to that is a check and no finding.
    """

    label: str
    about: str
    decimals: int = 3
    built_in: bool = False


_MADE = "the same of what the run itself has made: every feeling begins at 0, and any gain is an edge"
METRICS: dict[str, Metric] = {
    "carry_over": Metric(
        "carry-over", "sentiment that comes back at the next meeting, less what shuffled partners would give"
    ),
    "carry_over_all": Metric("carry-over, all lines", "the same of all that was said at either meeting, not two lines"),
    "reciprocity": Metric("r", "mutual pairs / connected pairs, at the end"),
    "weighted_reciprocity": Metric("r_w", "how alike the two feelings of a mutual pair are, at the end"),
    "modularity": Metric("Q", "weighted modularity of Louvain's communities, at the end"),
    "nmi": Metric("NMI", "agreement of the communities of one hour with those of the next, mean"),
    "drift": Metric("drift, matched", "strength of those who changed community in an hour, names matched, mean"),
    "drift_raw": Metric("drift, raw", "the same with the names that Louvain gave"),
    "made_reciprocity": Metric("r, made", _MADE),
    "made_weighted_reciprocity": Metric("r_w, made", _MADE),
    "made_modularity": Metric("Q, made", _MADE),
    "made_nmi": Metric("NMI, made", _MADE),
    "made_drift": Metric("drift, matched, made", _MADE),
    "made_drift_raw": Metric("drift, raw, made", _MADE),
    "feeling_moved": Metric("feelings moved", "how far a feeling is at the end from where it began, mean over ties"),
    "density": Metric("density", "connected pairs / all pairs, at the end"),
    "clustering": Metric("clustering", "how many of one's friends are friends, mean over people, at the end"),
    "largest_component": Metric("largest component", "share of people in it, at the end"),
    "path_length": Metric("path length", "mean steps between two of the largest component, at the end"),
    "plain_modularity": Metric("Q, unweighted", "modularity of the same pairs without weights, at the end"),
    "pleasure_range": Metric("range of pleasure", "highest less lowest of a day, mean over people", built_in=True),
    "intensity": Metric("intensity of mood", "length of the PAD vector, mean over people and steps", built_in=True),
    "sentiment": Metric("sentiment of lines", "VADER's compound, mean over lines"),
    "negative_lines": Metric("negative lines", "share of lines with a compound of -.05 or less"),
    "toxic_lines": Metric("toxic lines", "share of lines that are negative and call somebody a name"),
    "changed_by_mood": Metric(
        "lines changed by mood", "share of lines that differ, said once more in the negated mood", built_in=True
    ),
    "decisions_changed": Metric(
        "decisions changed", "share of decisions that differ, taken once more without mood", built_in=True
    ),
    "distinct_4": Metric("distinct runs of four", "least share of different runs of four words in 2,000 words"),
    "talks": Metric("talks", "how many were begun", 1),
    "lines": Metric("lines", "how many were said", 1),
    "declined": Metric("talks declined", "offers to talk that were turned down", 1),
    "reflections": Metric("reflections", "how often people looked back", 1),
    "incidents": Metric("incidents", "what came of one matter between people, as `sandbox drama` counts it", 1),
    "quarrels": Metric("quarrels", "rows and betrayals", 1),
    "stood_in": Metric("stood in", "answers that the embedded mind gave instead of a model", 1),
}
