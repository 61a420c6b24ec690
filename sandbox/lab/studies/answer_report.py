"""What a report says first of a study with minds: which model answered how often, and what was left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sandbox.core.plain import count_of
from sandbox.lab.studies.study import AnswerCounts
from sandbox.lab.studies.study_results import StudyAnswers


def answer_lines(a: StudyAnswers) -> list[str]:
    """The first lines of a report."""
    out = [_readers(a), *_judges(a)]
    if deeds := sum(a.refused.values()):
        out.append(f"The platform refused {count_of(deeds, 'deed')} of readers, as it does to anybody.")
    money = f", ${a.usd:.2f}" if a.usd else ""
    out.append(
        f"{count_of(a.users, 'reader')} stood where the paper had {a.of}: what shows among so many may not show here. "
        f"All calls in this folder come to {a.calls:,} and {a.tokens:,} tokens{money}."
    )
    if a.left_out:
        out.append(f"Left out, for they make no sense with a model: {_left_out(a.left_out)}.")
    return out


def _readers(a: StudyAnswers) -> str:
    by_case = {case: _sum(heard, "reader") for case, heard in a.heard.items()}
    told = "; ".join(f"`{case}` {_told(h)}" for case, h in by_case.items()) or "no run came to its end"
    if not any(h.answered for h in by_case.values()):
        return (
            f"NO ANSWER CAME FROM {a.mind} THAT COULD BE USED: readers did nothing; no number here is of it ({told})."
        )
    line = f"Readers decided by {a.mind}: {told}."
    if any(h.asked > h.answered for h in by_case.values()):
        line += " Where no answer fitted, a reader did or said nothing; nobody answered instead."
    if any(h.unheard for h in by_case.values()):
        line += " To some no answer came at all: the same command puts those again."
    silent = [f"`{case}`" for case, h in by_case.items() if not h.answered]
    return f"{line} In {', '.join(silent)} NO ANSWER CAME THAT COULD BE USED." if silent else line


def _judges(a: StudyAnswers) -> list[str]:
    if not a.judges:
        return []
    models = dict.fromkeys(h.model for heard in a.heard.values() for h in heard if h.role == "judge")
    told = "; ".join(
        f"{model} {_told(_sum((h for heard in a.heard.values() for h in heard if h.model == model), 'judge'))}"
        for model in models
    )
    who = "The readers' own model judged" if a.own else "Judged"
    return [f"{who} {a.judges}: {told}." if told else f"Nothing was judged ({a.judges})."]


def _sum(heard: Iterable[AnswerCounts], role: str) -> AnswerCounts:
    own = [h for h in heard if h.role == role]
    return AnswerCounts("", role, *(sum(getattr(h, key) for h in own) for key in ("answered", "unfit", "unheard")))


def _told(h: AnswerCounts) -> str:
    parts = [f"{h.answered:,} of {count_of(h.asked, 'question')} answered"]
    parts += [f"{h.unfit:,} with no answer that fits"] if h.unfit else []
    parts += [f"{h.unheard:,} without any answer"] if h.unheard else []
    return ", ".join(parts)


def _left_out(left: Mapping[str, str]) -> str:
    by_why: dict[str, list[str]] = {}
    for case, why in left.items():
        by_why.setdefault(why, []).append(f"`{case}`")
    return "; ".join(f"{', '.join(cases)} ({why})" for why, cases in by_why.items())
