"""Two saves side by side: where they part, then how they differ at the end of the shorter one.

Enter on a first difference, or on a row that only one save has, replays that save from that moment. On a mood, a tie or
a place it goes to the person.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from sandbox.readers.branch_difference import EventLine
from sandbox.readers.save_compare import SaveComparison, compare_saves
from sandbox.readers.timeline import TimelineRow
from sandbox.store.save import Save
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.replay_jumps import jump_to
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view.text_lines import Ink, Line, hung, ink, outside, to_width
from sandbox.tui.widgets.entries import Deed, Entry, heading, remark

MOST = 20  # differences of each sort that are shown; `sandbox compare --json` has all
SIDES = ("A", "B")


async def compare_with(stage: TownLayout, path: Path) -> None:
    """Compare the open save with the one at `path`, and show the result. Raises SaveError."""
    viewer = stage.viewer
    session = viewer.session
    if session.path is not None and session.path.resolve() == path.resolve():
        stage.notify("This save is the one that is open; choose another.", timeout=4)
        return
    async with await Save.open(path, read_only=True) as other:
        found = await compare_saves(session.save, other, notable=viewer.notable)
        steps = {row.seq: await other.step_at(row.t + 1) for row in found.rows[1][:MOST]}
    if stage.is_attached:
        stage.open_sheet(CompareSheet(stage, path, found, steps))


class CompareSheet(TownSheet):
    """A is the open save, B the one at `path`. steps: the step of each shown row of B, by the row's event number."""

    kind, title = "compare", "Two saves"
    broad = whole = True

    def __init__(self, stage: TownLayout, path: Path, found: SaveComparison, steps: Mapping[int, int]) -> None:
        super().__init__(stage)
        self.path, self.found, self.steps = path, found, steps

    def entries(self, width: int) -> Sequence[Entry]:
        c = self.found
        when = c.clock.words
        out = [Entry(self._names(width)), remark(self._shared(), width)]
        for side, acts in zip(SIDES, c.acts, strict=True):
            out += [Entry(self._line(f"{side} ", f"{when(x.t)}: a player: {x.text}", width)) for x in acts[:MOST]]
        out.append(heading("The first events that differ"))
        if c.first == (None, None):
            out.append(remark(f"None, up to {when(c.t)}.", width))
        else:
            one, two = c.first
            out.append(self._first("A", one, partial(self._here, one.t) if one is not None else None, width))
            out.append(self._first("B", two, partial(self._there, two.step) if two is not None else None, width))
        out.append(heading(f"How they differ at {when(c.t)}"))
        if c.same and not c.where:
            out.append(remark("Nothing differs.", width))
        for side, rows in zip(SIDES, c.rows, strict=True):
            told = [(f"{when(row.t)}  {row.text}", self._to_row(side, row)) for row in rows[:MOST]]
            out += _part(f"Notable only in {side}", told, len(rows), width)
        for side, claims in zip(SIDES, c.claims, strict=True):
            out += _part(f"True only in {side}", [(claim, None) for claim in claims[:MOST]], len(claims), width)
        moods = ((m.who, m.name, *(f"{w} {p[0]:+.2f}" for w, p in zip(m.words, m.moods, strict=True))) for m in c.moods)
        ties = ((t.who, f"{t.names[0]} to {t.names[1]}", *(s.words for s in t.stand)) for t in c.ties)
        where = ((w.who, w.name, *(f"{p}, {d}" for p, d in zip(w.places, w.doing, strict=True))) for w in c.where)
        for title, people in (("Moods", [*moods]), ("Ties", [*ties]), ("Elsewhere", [*where])):
            out += _table(title, people, width, self.go_to_person)
        return out

    def labels(self) -> Mapping[str, str]:
        return {"chosen.open": "go there"}

    # ---- where they part

    def _names(self, width: int) -> list[Line]:
        here = self.viewer.session.path
        names = (here.stem if here is not None else "this town", self.path.stem)
        out: list[Line] = []
        for side, name, says in zip(SIDES, names, ("open now", ""), strict=True):
            out.append([ink(f"{side} ", "accent", bold=True), outside(name), ink(f"  {says}", "dim")])
        return out

    def _shared(self) -> str:
        shared = self.found.parting.shared
        if shared is None:
            return "They begin differently: they share nothing but the town."
        return f"The same up to step {shared.step:,}, {self.found.clock.words(shared.t)}."

    @staticmethod
    def _line(head: str, text: str, width: int, fg: Ink = "soft") -> list[Line]:
        return hung([ink(head, "accent")], text, width, fg)

    def _first(self, side: str, first: EventLine | None, go: Deed | None, width: int) -> Entry:
        if first is None:
            return Entry(self._line(f"{side} ", "nothing more by then", width, "dim"))
        text = f"{self.found.clock.words(first.t)}:{first.t % 60:02d}  {first.text}"
        return Entry(self._line(f"{side} ", text, width, "text"), go, ("first", side))

    # ---- going there

    async def _here(self, t: int) -> None:
        """Replay the open save from second t."""
        stage = self.stage
        moment = float(min(t + 1, stage.viewer.session.save.now))
        stage.close_all()
        if stage.viewer.replaying:
            await jump_to(stage, moment)
        else:
            await stage.program.rewind(stage.viewer, moment)

    def _there(self, step: int) -> None:
        """Replay the other save from a step."""
        self.stage.program.show(self.path, step)

    def _to_row(self, side: str, row: TimelineRow) -> Deed | None:
        if side == "A":
            return partial(self._here, row.t)
        return partial(self._there, self.steps[row.seq]) if row.seq in self.steps else None


def _part(title: str, lines: Sequence[tuple[str, Deed | None]], count: int, width: int) -> list[Entry]:
    """A heading and lines, each with what enter does. count: how many there are in all, `lines` being the first."""
    if not lines:
        return []
    out = [heading(f"{title} ({count:,})")]
    out += [Entry(hung([ink("  ")], line, width, "soft"), does, (title, n)) for n, (line, does) in enumerate(lines)]
    return out + _rest(count)


def _table(title: str, rows: Sequence[tuple[str, ...]], width: int, go: Callable[[str], None]) -> list[Entry]:
    """A heading, and an entry for each row: (id of the person, label, text for A, text for B), the texts side by side
    if all of them fit, else on lines of their own. go: goes to a person by id.
    """
    if not rows:
        return []
    shown = rows[:MOST]
    name = 2 + max(len(row[1]) for row in shown)
    half = (width - 2 - name) // 2
    beside = all(len(cell) < half - 2 for row in shown for cell in row[2:])
    out = [heading(f"{title} ({len(rows):,})")]
    for n, (who, called, *sides) in enumerate(shown):
        does, key = partial(go, who), (title, n)
        cells = [[ink(f"{side} ", "accent"), outside(told, "soft")] for side, told in zip(SIDES, sides, strict=True)]
        if beside:
            line = [ink("  "), *to_width([outside(called)], name)]
            out.append(Entry([[*line, *(segment for cell in cells for segment in to_width(cell, half))]], does, key))
        else:
            told = zip(SIDES, sides, strict=True)
            below = [line for side, text in told for line in hung([ink(f"    {side} ", "accent")], text, width, "soft")]
            out.append(Entry([[ink("  "), outside(called)], *below], does, key))
    return out + _rest(len(rows))


def _rest(count: int) -> list[Entry]:
    """An entry that says how many more there are than are shown, if any."""
    if count <= MOST:
        return []
    return [Entry([[ink(f"  and {count - MOST:,} more: `sandbox compare --json` has them all", "dim")]])]
