"""The tab Ties: everybody that somebody is tied to, with closeness, feeling and reason; strongest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.widget import Widget

from sandbox.core.plain import count_of
from sandbox.engine.view import TieRow
from sandbox.people.impressions import Remains
from sandbox.people.ties import Tie
from sandbox.readers.phrases import remains_words
from sandbox.tui.panes.person_tab import PersonTab
from sandbox.tui.view.person_words import TIES, age, feeling_label, short_age, value_ink
from sandbox.tui.view.text_lines import Line, fit, flow, gauge, hung, ink, justify, outside, signed_bar, to_width
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Entry, remark

FLAT = 0.005  # smaller changes show as 0.00 and are left out
ROOMY = 56  # cells of width from which names and bars are longer and talks are counted


class TiesTab(PersonTab):
    """Enter on a tie goes to the other person, on the feeling left by talks to the last talk. read: starts reading
    memories, as a replay has none until then.
    """

    name = "Ties"

    def __init__(self, viewer: Viewer, pane: Widget, read: Callable[[], None]) -> None:
        super().__init__(viewer, pane)
        self.read = read

    def entries(self, who: str, t: float, width: int, height: int) -> Sequence[Entry]:
        ties = self.viewer.view.ties(who)
        if not ties:
            return [remark(f"{self.viewer.name(who)} is tied to nobody yet. Meeting and talking make ties.", width)]
        if not self.viewer.world.memories.live:
            self.read()
        name, close = (11, 8) if width >= ROOMY else (9, 5)
        head: Line = [ink("who".ljust(name), "dim"), ink("close".ljust(close + 3), "dim"), ink("feels", "dim")]
        out = [Entry([fit(head, width)])]
        for tie in ties:
            lines = self._lines(who, tie, t, width, name, close)
            out.append(Entry(lines, self.to_person(tie.who), tie.who))
            out += self._left(who, tie.who, t, width, name)
        return out

    def _left(self, who: str, other: str, t: float, width: int, indent: int) -> list[Entry]:
        left = self.viewer.view.left(who, other)
        if left is None:
            return []
        words = "; ".join(remains_words(self.viewer.world.clock, left, int(t)))
        lines = hung([ink(" " * indent)], words, width, value_ink(left.value), most=2)
        seq = last_talk(self.viewer.world.people.ties[who][other], left)
        return [Entry(lines, self.to_event(seq), (other, "left"))]

    def _lines(self, who: str, row: TieRow, t: float, width: int, name: int, close: int) -> list[Line]:
        tie = self.viewer.world.people.ties[who][row.who]
        word, mark, fg = feeling_label(row.feeling)
        line = [*to_width([outside(row.name)], name - 1), ink(" "), *gauge(row.closeness, close, TIES[row.kind])]
        line += [ink(f" {mark} {word:<8}{row.feeling:+z.2f} ", fg), ink(row.kind, TIES[row.kind])]
        out = [justify(fit(line, width), talks_words(tie, t) if width >= ROOMY else [], width)]
        if row.why:
            when = short_age(t - tie.causes[-1].t) if tie.causes[-1].seq else "before"
            first, *rest = hung([ink(" " * name)], row.why, width - len(when) - 2, "soft", most=2)
            out += [justify(first, [ink(when, "dim")], width), *rest]
        return out


def last_talk(tie: Tie, left: Remains) -> int:
    """Number of the event that ended the talk behind `left`, found in the causes of the tie; 0 if none matches."""
    return next((cause.seq for cause in reversed(tie.causes) if cause.t == left.t), 0)


def tie_bars(feeling: float, closeness: float) -> tuple[Line, Line]:
    """The two numbers of a tie, each as a bar: a feeling in [-1, 1], and a closeness in [0, 1] with its name."""
    likes = [*signed_bar(feeling, 11, "link"), ink(f" {feeling:+z.2f}", "soft")]
    return likes, [ink("close ", "dim"), *gauge(closeness, 6, "link"), ink(f" {closeness:.2f}", "soft")]


def effect_words(feeling: float, closeness: float) -> Line:
    """By how much a feeling and a closeness have changed."""
    parts = [(name, x) for name, x in (("likes", feeling), ("close", closeness)) if abs(x) >= FLAT]
    told = [x for name, by in parts for x in (ink(f"{name} ", "dim"), ink(f"{by:+z.2f}  ", value_ink(by)))]
    return [ink("  "), *(told or [ink("almost nothing  ", "dim")])]


def talks_words(tie: Tie | None, t: float) -> Line:
    """How many talks two have had, and when the last was; empty for none."""
    return [ink(f"{count_of(tie.talks, 'talk')}, {age(t - tie.last_talk)}", "soft")] if tie and tie.talks else []


def tie_number_lines(row: TieRow, width: int) -> list[Line]:
    """A tie with its numbers (name, kind, feeling, closeness), in one line, or in several if there is little room."""
    words = [*to_width([outside(row.name, bold=True)], 12), ink(f" {row.kind:9}", TIES[row.kind])]
    bar, close = tie_bars(row.feeling, row.closeness)
    likes = [ink("likes ", "dim"), *bar]
    return [[*words, *likes, ink("  "), *close]] if width >= 66 else [words, *flow([likes, close], width)]
