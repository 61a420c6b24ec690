"""The short of a report: what a reader should know who reads nothing else, and what `sandbox lab` prints."""

from __future__ import annotations

import math

from sandbox.lab.metrics import metric
from sandbox.lab.published import FRIENDSHIP
from sandbox.lab.report_judged import NOBODY, verdicts
from sandbox.lab.results import ArmResult, Compared, Results
from sandbox.lab.statistics import LEAST, held
from sandbox.lab.wording import counted, more, number
from sandbox.people.mood import MoodParameters

CAST = ("reciprocity", "weighted_reciprocity", "modularity")
NEAR = 0.02  # a measure of the network that a run has moved by less is almost the cast's own


def short(r: Results) -> list[str]:
    """What came of it, without words that the numbers do not carry; a few sentences an entry."""
    lines = [*_absent(r), *answers(r)]
    if r.compared:
        pair, first = r.compared[0], r.plan.experiment.metrics[0]
        lines.append(verdict(pair, first))
        lines += _why(r, pair)
        lines += _further(r, pair)
        lines += _cast(r, r.arm(pair.arm))
    return lines + (verdicts(r.judged) if r.judged else [NOBODY])


def answers(r: Results) -> list[str]:
    """Where models were to answer: how many answers came from them, and how many from the embedded mind instead."""
    arms = [arm for arm in r.arms if arm.whole] if r.plan.modelled else []
    if not arms:
        return []
    told = "; ".join(f"{arm.name} {counted(arm.answered, 'call')} answered, {arm.stood_in:,} stood in" for arm in arms)
    if not any(arm.answered for arm in arms):
        return [
            "NO ANSWER CAME FROM THE MODEL: the embedded mind stood in for all of them, and every number here is the"
            f" embedded mind's ({told})."
        ]
    silent = ", ".join(arm.name for arm in arms if not arm.answered)
    return [
        f"Answers of the model, and of the embedded mind instead: {told}. What stood in is not the model's."
        + (f" In {silent} NO ANSWER CAME FROM THE MODEL." if silent else "")
    ]


def verdict(pair: Compared, key: str) -> str:
    """What the difference of two arms in a metric says, and what it does not."""
    found, of = pair.metrics[key].estimate, metric(key)
    what = f"{of.label[:1].upper()}{of.label[1:]}, {pair.arm} less {pair.against}"
    if found.mean is None:
        return f"{what}: nothing could be compared."
    if found.low is None or found.high is None:
        few = f"with {counted(found.n, 'seed')}; an interval wants {LEAST}"
        return f"{what}: {more(found, of.decimals)} {few}, so this says nothing."
    said = f"{what}: {more(found, of.decimals)} over {counted(found.n, 'seed')}."
    if found.clear:
        return f"{said} The interval leaves 0 out: there is a difference."
    half = number((found.high - found.low) / 2.0, of.decimals)
    return (
        f"{said} The interval holds 0: no difference was shown, nor that there is none. Half its width is {half}; a"
        " true difference of that size would be found only about half the time."
    )


def _absent(r: Results) -> list[str]:
    """Replicas that are not there, and how to get them."""
    absent = sum(bool(row.error) for row in r.rows)
    if not absent:
        return []
    are = "is" if absent == 1 else "are"
    return [
        f"Of {counted(len(r.rows), 'replica')} {absent:,} {are} missing, and not in the numbers below;"
        f" `{r.plan.command}` goes on, and lives nothing again that is there."
    ]


def _further(r: Results, pair: Compared) -> list[str]:
    """The other measures of the first comparison whose interval leaves 0 out, the largest first."""
    known = {k: pair.metrics[k].estimate for k in r.plan.experiment.metrics[1:]}
    known = {k: e for k, e in known.items() if e.low is not None}
    means = {k: (r.arm(pair.arm).metrics[k].mean, r.arm(pair.against).metrics[k].mean) for k in known}
    built = [k for k in known if metric(k).built_in and 0.0 in means[k]]
    same = [k for k, e in known.items() if k not in built and not any((e.mean, e.low, e.high))]
    free = [k for k in known if k not in built and k not in same]
    if not free:
        return []
    size = {k: _relative(known[k].mean, means[k][1]) for k in free}
    clear = sorted((k for k in free if known[k].clear), key=lambda k: (-size[k], k))
    told = "; ".join(
        f"{metric(k).label} {more(known[k], metric(k).decimals)}{_percent(size[k], known[k].mean)}" for k in clear
    )
    seeds = max(known[k].n for k in free)
    share = held(seeds)
    left = [f" Not counted, as 0 by construction where moods are off: {_labels(built)}."] * bool(built)
    left += [f" Not counted, as the same in both: {_labels(same)}."] * bool(same)
    return [
        f"Of {counted(len(free), 'further measure')} of {pair.arm} against {pair.against}, {len(clear)} have an"
        f" interval without 0. Over {counted(seeds, 'seed')} such intervals hold the truth about {100 * share:.0f}"
        f" times in 100, so chance alone gives about {(1 - share) * len(free):.0f} of {len(free)}; measures that go"
        " together go astray together."
        + (f" The largest first, as a share of what {pair.against} has: {told}." if clear else "")
        + "".join(left)
    ]


def _relative(difference: float | None, base: float | None) -> float:
    """The size of a difference as a share of what it is to; without end where that is nothing."""
    return abs((difference or 0.0) / base) if base else math.inf


def _percent(share: float, difference: float | None) -> str:
    sign = "-" if (difference or 0.0) < 0.0 else "+"
    return f" ({sign}{100 * share:.{0 if share >= 0.1 else 1}f} %)" if math.isfinite(share) else " (from 0)"


def _labels(keys: list[str]) -> str:
    return "; ".join(metric(k).label for k in keys)


def _cast(r: Results, arm: ArmResult) -> list[str]:
    """That the network at the end is the one people came with, where it is; and what that does to a comparison."""
    ends = [
        (metric(k).label, arm.start[k].mean, arm.metrics[k].mean) for k in CAST if k in arm.metrics and k in arm.start
    ]
    both = [(label, a, b) for label, a, b in ends if a is not None and b is not None]
    if not both or any(abs(b - a) >= NEAR for _, a, b in both):
        return []
    told = ", ".join(f"{label} {number(a)} before and {number(b)} after" for label, a, b in both)
    line = f"The network at the end is almost the one that the cast came with ({arm.name}: {told})"
    before, (_, low, high) = arm.start.get("density"), FRIENDSHIP["density"]
    dense = before.mean if before is not None else None
    if dense is not None and dense > high:
        line += (
            f", and the cast's is denser than real friendships are ({number(dense)} of all pairs, against {low:g} to"
            f" {high:g})"
        )
    beside = ": set beside the paper's table 2 it is no test of anything, for it tells of the files of the people"
    return [f"{line}{beside if r.plan.experiment.beside else ''}."]


def _why(r: Results, pair: Compared) -> list[str]:
    """Why two arms with the embedded mind do not differ in carry-over, if they do not."""
    found = pair.metrics[r.plan.experiment.metrics[0]].estimate
    arm = r.arm(pair.arm)
    if r.plan.modelled or r.plan.experiment.metrics[0] != "carry_over" or found.low is None or found.clear:
        return []
    moved = arm.metrics["feeling_moved"].mean if "feeling_moved" in arm.metrics else None
    little = f"Feelings move by {number(moved)} in all, on average. " if moved is not None else ""
    return [
        f"Why it is not found, as far as the embedded mind's rules tell (no arm tests this): {little}What is said first"
        " and last in a talk is mostly greeting and goodbye, which that mind chooses by the move, the tie and the mood"
        f" of the moment ({_half_life(arm)}), not by what was felt at the last meeting with that person. And a mood is"
        " carried to everybody one meets, not to one partner: the shuffle takes just that off."
    ]


def _half_life(arm: ArmResult) -> str:
    set_ = [text.partition("=")[2] for text in arm.settings if text.startswith("mood.half_life=")]
    return f"half-life {set_[-1] if set_ else f'{MoodParameters().half_life:g}'} minutes"
