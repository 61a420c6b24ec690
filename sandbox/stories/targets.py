"""The range each measure of a drama should be in (25 people, storyteller steady), and what weeks should show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sandbox.stories.measures import Drama, Measures

LATER = 2  # the first day of the second column of ranges


class Range(NamedTuple):
    """least <= x <= most, or x < under if that is given."""

    least: float = 0.0
    most: float = float("inf")
    under: float = float("inf")

    def holds(self, x: float | None) -> bool:
        """Whether a measure is in it. What there was nothing to measure of is not."""
        return x is not None and self.least <= x <= self.most and x < self.under


class Target(NamedTuple):
    """label: of the measure; unit: "", "%" or "h". first, later: the range on day 1, and on those after it (None: no
    day of its own is judged by it)."""

    label: str
    unit: str
    first: Range
    later: Range | None

    def range(self, day: int) -> Range | None:
        """The range for that day."""
        return self.later if day >= LATER else self.first


def _same(label: str, unit: str, range_: Range) -> Target:
    return Target(label, unit, range_, range_)


TARGETS: dict[str, Target] = {
    "incidents": _same("incidents", "", Range(5, 18)),
    "kinds": Target("kinds of pressure", "", Range(5), None),
    "quarrels": Target("quarrels", "", Range(2, 8), Range(1, 8)),
    "good_turns": _same("turns for the better", "%", Range(0.3, 0.7)),
    "ended_same_day": Target("over the day they turn", "%", Range(0.35, 0.75), None),
    "people_involved": Target("people in an incident", "%", Range(0.7), None),
    "gini": _same("unevenness (Gini)", "", Range(0, 0.45)),
    "max_per_person": _same("most incidents for one", "", Range(0, 6)),
    "complete_causes": _same("turns with all causes", "%", Range(1.0)),
    "foreshadowed": _same("turns seen coming", "%", Range(0.8)),
    "longest_quiet_hours": Target("longest quiet, by day", "h", Range(under=3), Range(under=4)),
    "hostile_talk": _same("talk that is hostile", "%", Range(0, 0.06)),
    "everyday_talk": _same("talks that are everyday", "%", Range(0.5)),
    "untouched_48h": _same("untouched for 48 h", "%", Range(0, 0.1)),
    "open_per_person": _same("open pressures a head", "", Range(0, 2)),
    "idle": _same("people idle", "", Range(0, 0)),
    "stuck": _same("people stuck", "", Range(0, 0)),
    "shared_with_seed": Target("shared with the other", "%", Range(0, 0.4), Range(0, 0.2)),
}


def value(key: str, x: float | None) -> str:
    """A measure for a person: "13", "71 %", "1.9 h", "-"."""
    if x is None:
        return "-"
    unit = TARGETS[key].unit
    return f"{100 * x:.0f} %" if unit == "%" else f"{x:.1f} h" if unit == "h" else f"{x:.3g}"


def words(key: str, r: Range | None) -> str:
    """A range for a person: "5 to 18", "at least 80 %", "at most 6", "under 3 h"."""
    if r is None:
        return ""
    scale, unit = (100, " %") if TARGETS[key].unit == "%" else (1, " h" if TARGETS[key].unit == "h" else "")
    if r.under != float("inf"):
        return f"under {r.under:g}{unit}"
    least, most = f"{r.least * scale:g}", f"{r.most * scale:g}"
    if r.least == r.most or (unit == " %" and r.least == 1):
        return f"{least}{unit}"
    if r.most == float("inf"):
        return f"at least {least}{unit}"
    return f"{least} to {most}{unit}" if r.least else f"at most {most}{unit}"


class Lasting(NamedTuple):
    """A measure over many days: its label, its value and range in words, and whether it is as it should be."""

    label: str
    value: str
    range: str
    ok: bool


def lasting(drama: Drama, days: Sequence[int], whole: Measures) -> list[Lasting]:
    """What only many days can show; nothing for less than three."""
    out: list[Lasting] = []
    facts = [drama.incidents.of(day) for day in days]
    if len(days) >= 3:
        seen = [{who for i in f.incidents for who in i.people} for f in facts]
        least = min(len(a | b | c) for a, b, c in zip(seen, seen[1:], seen[2:], strict=False)) / max(
            1, len(drama.people)
        )
        out.append(Lasting("people in an incident in 3 days", f"{100 * least:.0f} %", "100 %", least >= 1))
        counts = Counter(i.kind for f in facts for i in f.incidents)
        kind, n = max(counts.items(), key=lambda x: x[1], default=("", 0))
        share = n / max(1, sum(counts.values()))
        out.append(
            Lasting(f"most frequent kind ({kind or 'none'})", f"{100 * share:.0f} %", "at most 35 %", share <= 0.35)
        )
    if len(days) >= 7:
        kinds = whole["kinds"] or 0
        out.append(Lasting("kinds of pressure", f"{kinds:g}", "at least 8", kinds >= 8))
        turned: dict[str, int] = {}
        for day, f in zip(days, facts, strict=True):
            for x in f.turns:
                turned.setdefault(x.thread, day)
        due = {thread: day for thread, day in turned.items() if day + 6 <= days[-1]}
        ends = {(thread, day) for day, f in zip(days, facts, strict=True) for thread in f.ended}
        ended = sum(any((thread, day + n) in ends for n in range(7)) for thread, day in due.items()) / max(1, len(due))
        out.append(Lasting("threads ended in 7 days", f"{100 * ended:.0f} %", "at least 80 %", ended >= 0.8))
    return out
