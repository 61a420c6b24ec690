"""The part of a report that is about networks: beside the paper's, and beside real friendships."""

from __future__ import annotations

from sandbox.lab.metrics import METRICS
from sandbox.lab.published import FRIENDS, FRIENDSHIP, KARATE, PAPER, TABLE_2
from sandbox.lab.results import Results
from sandbox.lab.wording import NOTHING, number, table, within

TABLE = ("reciprocity", "weighted_reciprocity", "modularity", "nmi", "drift", "drift_raw")
SHOWN = frozenset((*TABLE, *(f"made_{key}" for key in TABLE), *FRIENDSHIP, "feeling_moved"))  # metrics told here


def networks(r: Results) -> str:
    """Table 2 of the paper beside ours; nothing if the experiment does not measure what is in it."""
    if not {*TABLE} <= {*r.plan.experiment.metrics}:
        return ""
    beside = bool(r.plan.experiment.beside)
    rows: list[tuple[str, ...]] = [
        (model, *(f"{x:.3f}" for x in numbers[:4]), NOTHING, f"{numbers[4]:.3f}")
        for model, numbers in TABLE_2.items()
        if beside
    ]
    rows += [(f"`{arm.name}`", *(within(arm.metrics[key]) for key in TABLE)) for arm in r.arms]
    first = next((arm for arm in r.arms if arm.whole), None)
    if first is not None:
        start = [number(first.start[key].mean) if key in first.start else NOTHING for key in TABLE]
        rows.append(("the cast, before the first step", *start))
    if all(f"made_{key}" in r.plan.experiment.metrics for key in TABLE):
        rows += [(f"`{arm.name}`, made", *(within(arm.metrics[f"made_{key}"]) for key in TABLE)) for arm in r.arms]
    head = ("", *(METRICS[key].label for key in TABLE))
    title = "Networks beside the paper's table 2" if beside else "Networks of feelings"
    theirs = (
        f" The first six rows are the paper's ({PAPER}). Its drift stands under *raw*: with names of communities"
        " matched, an NMI of .75 to .84 goes with a drift of about .1."
    )
    return (
        f"## {title}\n\n"
        "Who feels .2 or more for whom, at the end (r, r_w, Q) and from each hour's end to the next (NMI, drift)."
        f"{theirs if beside else ''} The row of the cast is what was there before"
        " anything happened; what an arm has beyond that is what a day does. *Made* takes every feeling as 0 at"
        f" the start and any gain as an edge.\n\n{table(head, rows)}"
        f"{_moved(r)}"
    )


def _moved(r: Results) -> str:
    told = [
        f"`{arm.name}` {number(arm.metrics['feeling_moved'].mean)}"
        for arm in r.arms
        if "feeling_moved" in arm.metrics and arm.whole
    ]
    return (
        f"\n\nBy the end a feeling has moved this far from where it began, on average: {', '.join(told)}."
        if told
        else ""
    )


def shapes(r: Results) -> str:
    """The table of real friendships beside ours; nothing if the experiment does not measure what is in it."""
    if not {*FRIENDSHIP} <= {*r.plan.experiment.metrics}:
        return ""
    head = ("", *(METRICS[key].label for key in FRIENDSHIP))
    rows: list[tuple[str, ...]] = [
        ("real friendships", *(f"{m:g} [{low:g}, {high:g}]" for m, low, high in FRIENDSHIP.values())),
        ("karate club", *(f"{KARATE[key]:g}" for key in FRIENDSHIP)),
        *((f"`{arm.name}`", *(within(arm.metrics[key]) for key in FRIENDSHIP)) for arm in r.arms),
    ]
    return (
        "## The shape of the network beside real friendships\n\n"
        f"Pairs of whom one at least feels .2 or more, without weights, at the end. Real friendships: {FRIENDS}."
        f"\n\n{table(head, rows)}"
    )
