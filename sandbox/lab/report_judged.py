"""The part of a report that is judged: what models said of talks, and how far to trust them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from sandbox.lab.judging import Rubric, rubrics
from sandbox.lab.published import AGREEMENT, SCORES, TABLE_4, TABLE_5
from sandbox.lab.results import Compared, Results
from sandbox.lab.scores import Bill, Judgements, Judging, Score
from sandbox.lab.statistics import LEAST
from sandbox.lab.wording import NOTHING, more, number, table, within

NOBODY = "No judge was asked: whatever a reader of the talks would say is not in here."


def verdicts(j: Judgements) -> list[str]:
    """What each judge said of the first two arms, in a sentence."""
    out = []
    for bill in j.bills:
        own = [s for s in j.scores if s.judge == bill.judge]
        own = [s for s in own if (s.arm, s.against) == (own[0].arm, own[0].against)]
        known = [s for s in own if s.difference.low is not None]
        clear = [s for s in known if s.difference.clear]
        of = f"Judged by `{bill.judge}`, a language model: {own[0].arm} against {own[0].against}"
        if not known:
            out.append(f"{of} with too few seeds or pairs; an interval wants {LEAST} seeds, so this says nothing.")
            continue
        told = "; ".join(f"{rubrics()[s.criterion].title.lower()} {more(s.difference, 2)}" for s in clear)
        out.append(f"{of}, {len(clear)} of {len(known)} criteria with an interval without 0{f': {told}' * bool(told)}.")
    return out


def judged(r: Results) -> str:
    """The whole part."""
    if r.judged is None or r.plan.judging is None:
        return _unasked(r)
    return "\n\n".join(part for part in _parts(r, r.judged, r.plan.judging) if part)


def _unasked(r: Results) -> str:
    first = r.compared[0] if r.compared else None
    rows = [
        (rubric.title, f"{rubric.lowest} to {rubric.highest}", _matched(rubric, first), NOTHING)
        for rubric in rubrics().values()
    ]
    return (
        "## Judged scores\n\nNone: no judge was asked, and computed measures stand in for none of these. What judges"
        " are asked is in `sandbox/lab/rubrics.yaml`: both versions in one prompt, and once more swapped."
        f"\n\n{table(('criterion', 'range', 'could be judged', 'scores'), rows)}"
    )


def _matched(rubric: Rubric, pair: Compared | None) -> str:
    if pair is None:
        return NOTHING
    of = f"{pair.talks:,} pairs of talks" if rubric.of == "talk" else f"{pair.series:,} pairs of series"
    return f"{of} of `{pair.arm}` and `{pair.against}`"


def _parts(r: Results, j: Judgements, asked: Judging) -> Iterable[str]:
    words = [w for judge in asked.judges for w in ("--judge", judge)]
    command = shlex.join(["sandbox", "lab", "judge", "DIR", *words, "--judge-pairs", str(asked.pairs)])
    yield (
        "## Judged scores\n\n"
        "Everything in this part was said by language models, and nothing outside it. A judge reads both versions in"
        " one prompt without being told which is which, at temperature 0 where it takes one, and once more with the"
        " places swapped; the two are averaged, and scores out of the range are clipped to it. Such judges have known"
        " biases, whose size nobody has measured here: towards what stands first (the swap gap tells of it), towards"
        " longer and smoother text, towards text like their own, towards the middle of the range. No person has"
        " checked them.\n\n"
        f"Of each seed and criterion {asked.pairs} pairs at most were judged, drawn by a fixed seed; continuity is of"
        " two people's whole series of talks, the others of their talks of equal number. Asked by"
        f" `{command}`; every answer is in `judgements.csv`, the calls are in `judges.jsonl`."
    )
    for bill in j.bills:
        yield f"### By `{bill.judge}`\n\n{_cost(bill)}"
        for pair in dict.fromkeys((s.arm, s.against) for s in j.scores):
            yield _scores([s for s in j.scores if s.judge == bill.judge and (s.arm, s.against) == pair], *pair)
    yield (
        "A seed counts once, however many of its pairs were judged. *Won* is the share of pairs in which the first arm"
        " has the higher score, *same* that with equal ones. *Swap gap* is how far a score moves when the places are"
        " swapped, in points: what the judge owes to the place and not to the talk; taking both ways together takes out"
        " a steady lean, not its noise. An answer that could not be read after four tries is *unread*, one that never"
        " came *missing*; nothing stands in for either, and a pair counts only if it was read both ways round."
        " *Clipped* scores were out of the range."
    )
    yield _agreed(j)
    if r.plan.experiment.beside:
        yield _paper(j)


def _cost(bill: Bill) -> str:
    cost = f"{bill.cost:.4f} US dollars" if bill.cost else "free, or of unknown price"
    return f"{bill.calls:,} calls, {bill.tokens:,} tokens, {cost}; all runs in this folder together."


def _scores(scores: Iterable[Score], arm: str, against: str) -> str:
    head = ("criterion", "range", f"`{arm}`", f"`{against}`", "difference", "won", "same", "swap gap", "pairs",
            "unread", "missing", "clipped")  # fmt: skip
    rows = []
    for s in scores:
        rubric, difference = rubrics()[s.criterion], more(s.difference, 2)
        rows.append(
            (
                rubric.title,
                f"{rubric.lowest} to {rubric.highest}",
                within(s.one, 2),
                within(s.other, 2),
                f"**{difference}**" if s.difference.clear else difference,
                _share(s.won),
                _share(s.same),
                number(s.gap, 2),
                f"{s.pairs:,} of {s.drawn:,}",
                f"{s.unread:,} of {s.asked:,}",
                f"{s.missing:,}",
                f"{s.clipped:,}",
            )
        )
    return table(head, rows)


def _share(x: float | None) -> str:
    return NOTHING if x is None else f"{x:.0%}"


def _agreed(j: Judgements) -> str:
    if not j.agreements:
        return "### Do judges agree?\n\nOne judge alone cannot be checked by another: ask two at least."
    head = ("criterion", "judges", "rho", "judged talks", "over means of arms")
    rows = [
        (
            rubrics()[a.criterion].title,
            " and ".join(f"`{name}`" for name in a.judges),
            number(a.rho, 2),
            f"{a.n:,}",
            f"{number(a.over_arms, 2)} of {a.arms}",
        )
        for a in j.agreements
    ]
    return (
        "### Do judges agree?\n\nSpearman's rank correlation over single judged talks (or series) of either arm, ties"
        " sharing their ranks. The last column takes the means of arms instead and says nothing: over two of them it"
        f" can only be 1 or -1, whatever the judges read.\n\n{table(head, rows)}"
    )


def _paper(j: Judgements) -> str:
    head = ("judge", "model", *(rubric.title for rubric in rubrics().values()))
    rows: list[tuple[str, ...]] = []
    for judge, models in TABLE_5.items():
        for model, scores in models.items():
            both = (scores[key] for key in rubrics())
            rows.append((judge, model, *(f"{without:.2f} → {with_:.2f}" for without, with_ in both)))
    for bill in j.bills:
        own = [s for s in j.scores if s.judge == bill.judge]
        for pair in dict.fromkeys((s.arm, s.against) for s in own):
            of = {s.criterion: s for s in own if (s.arm, s.against) == pair}
            cells = (f"{number(of[key].other.mean, 2)} → {number(of[key].one.mean, 2)}" for key in rubrics())
            rows.append((f"`{bill.judge}`", f"here, `{pair[1]}` → `{pair[0]}`", *cells))
    mean = table(
        ("", *(rubric.title for rubric in rubrics().values())),
        [("the paper's rho", *(f"{TABLE_4[key]:.3f}" for key in rubrics()))],
    )
    return (
        f"### Beside the paper\n\nThe paper's rows: {SCORES}. Other people, other words of the rubrics, and talks"
        " written by those models: the columns have the same names and not the same scale.\n\n"
        f"{table(head, rows)}\n\n{mean}\n\n({AGREEMENT}; to judge by their steps, over"
        " the means of nine systems and not over single talks.)"
    )
