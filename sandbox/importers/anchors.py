"""A user's own table of labelled points in PAD space, as CSV.

The columns have names, in any order and with others beside them: `p, a, d, label` (or `pleasure, arousal, dominance,
label`) with numbers in [-1, 1] and the labels of `people.mood_words.CATEGORIES`; or those of a label file of the
MSP-Podcast corpus, `EmoVal, EmoAct, EmoDom, EmoClass`, with numbers from 1 to 7 and letters
(docs/mechanisms.md, Words for moods).
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import NamedTuple

from sandbox.core.faults import Faults, in_quotes, path_text, unknown
from sandbox.core.places import read_ordinary
from sandbox.people.mood import Pad
from sandbox.people.mood_words import CATEGORIES, NEIGHBOURS, Anchors, custom_anchors

MOST = 2_000_000  # rows
LONGEST = 100_000  # characters of a line
LETTERS = dict(zip("ASHUFDCN", CATEGORIES, strict=False)) | {"O": CATEGORIES[-1], "X": CATEGORIES[-1]}


class Layout(NamedTuple):
    """Which columns hold what. low, high: the ends of the scale, which become -1 and 1."""

    axes: tuple[str, str, str]
    label: str
    low: float
    high: float
    labels: Mapping[str, str]


_OWN = {name: name for name in CATEGORIES}
LAYOUTS = (
    Layout(("p", "a", "d"), "label", -1.0, 1.0, _OWN),
    Layout(("pleasure", "arousal", "dominance"), "label", -1.0, 1.0, _OWN),
    Layout(("EmoVal", "EmoAct", "EmoDom"), "EmoClass", 1.0, 7.0, LETTERS),
)


def read_anchors(path: Path, faults: Faults) -> Anchors | None:
    """The points of a table, None if there are faults; each is told with its line and how to mend it."""
    name = path_text(path)
    before = len(faults.errors)
    points: list[Pad] = []
    labels: list[str] = []
    try:
        with TextIOWrapper(read_ordinary(path), encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(iter(lambda: file.readline(LONGEST), ""), strict=True)
            layout, columns = _layout(next(lines, []), name, faults)
            if layout is None:
                return None
            for row in lines:
                if len(points) == MOST:
                    faults.add(name, lines.line_num, 1, f"has more than {MOST:,} rows; leave some out")
                    break
                if row and (found := _point(row, layout, columns, name, lines.line_num, faults)) is not None:
                    points.append(found[0])
                    labels.append(found[1])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        faults.add(name, 0, 0, f"cannot be read as a table ({why}); write it as CSV in UTF-8")
    if len(points) < NEIGHBOURS and len(faults.errors) == before:
        faults.add(name, 0, 0, f"holds {len(points)} points; {NEIGHBOURS} at least are needed")
    return custom_anchors(points, labels) if len(faults.errors) == before else None


def _layout(head: Sequence[str], name: str, faults: Faults) -> tuple[Layout | None, tuple[int, ...]]:
    """How the table is laid out, by its first row, and where the four columns stand."""
    at = {word.strip().casefold(): i for i, word in reversed(list(enumerate(head)))}
    for layout in LAYOUTS:
        wanted = [word.casefold() for word in (*layout.axes, layout.label)]
        if all(word in at for word in wanted):
            return layout, tuple(at[word] for word in wanted)
    options = " or ".join(f'"{",".join((*one.axes, one.label))}"' for one in LAYOUTS)
    faults.add(name, 1, 1, f"names no columns for a mood and its label; begin with {options}")
    return None, ()


def _point(
    row: Sequence[str], layout: Layout, columns: Sequence[int], name: str, line: int, faults: Faults
) -> tuple[Pad, str] | None:
    if len(row) <= max(columns):
        faults.add(name, line, 1, f"has {len(row)} columns, and the first row names {max(columns) + 1} or more")
        return None
    numbers = []
    for column, axis in zip(columns, layout.axes, strict=False):
        try:
            x = float(row[column])
        except ValueError:
            x = float("nan")
        if not layout.low <= x <= layout.high:
            faults.add(
                name, line, column + 1, f"{axis} is {in_quotes(row[column])}, not {layout.low:g} to {layout.high:g}"
            )
            return None
        numbers.append(2.0 * (x - layout.low) / (layout.high - layout.low) - 1.0)
    word = row[columns[-1]].strip()
    label = layout.labels.get(word) or layout.labels.get(word.capitalize())
    if label is None:
        faults.add(name, line, columns[-1] + 1, unknown("label", word, layout.labels))
        return None
    return Pad(*numbers), label
