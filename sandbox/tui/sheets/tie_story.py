"""The story of a tie: what one feels for the other, what changed that, and the claims that hold between the two. Each
entry leads to its event.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.text import clean
from sandbox.people.claim_handlers import claim_words
from sandbox.readers.bonds import Became
from sandbox.readers.tielines import NO_TIE, TieEffect, TieState, tie_effects
from sandbox.tui.graph.past import ClaimSpan, TieHistory
from sandbox.tui.graph.tables import called_ink
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.person_ties import FLAT, effect_words, tie_bars
from sandbox.tui.panes.ties import TiesPane
from sandbox.tui.sheets.town_sheet import ReadSheet, TownSheet, leads
from sandbox.tui.view.person_words import age, feeling_label, value_ink
from sandbox.tui.view.text_lines import Line, fit, flow, hung, ink, justify, outside
from sandbox.tui.widgets.entries import Entry, heading

MOST = 3  # largest changes, listed first
LEVELS, DAYS = "▁▂▃▄▅▆▇", 40  # signs for a feeling in [-1, 1]; days shown, the latest


class TieSheet(ReadSheet):
    """What v is to u, at second t of town time (None: now)."""

    kind = "tie"
    turns = True

    def __init__(self, stage: TownLayout, u: str, v: str, t: int | None = None) -> None:
        name = stage.viewer.name
        super().__init__(stage, clean(f"What {name(v)} is to {name(u)}"))
        self.u, self.v, self.t = u, v, t
        self.desk = stage.find(TiesPane).desk

    @property
    def book(self) -> TieHistory:
        """The history of ties as read from the log."""
        return self.desk.book

    async def read(self) -> None:
        await self.book.read()

    def turned(self, by: int) -> TownSheet:
        """The tie in the other direction: what u is to v."""
        return TieSheet(self.stage, self.v, self.u, self.t)

    def people(self) -> Sequence[str]:
        return self.u, self.v

    def hidden(self) -> bool:
        return self.viewer.hides(self.u)

    def entries(self, width: int) -> Sequence[Entry]:
        stage, name = self.stage, self.viewer.name
        self.keep_up(stage.viewer.world.seq)
        t = stage.viewer.world.now if self.t is None else self.t
        out = [Entry(self._heads(width))]
        if not self.book.ready and not self.book.covers(t):
            return [*out, Entry([[]]), Entry(self.waiting(width))]
        found = tie_effects(self.book.moved(self.u, self.v, t))
        if not found:
            says = f"{name(self.u)} and {name(self.v)} have had nothing to do with each other yet."
            out.append(Entry([[], *hung([], says, width, "soft")]))
        most = sorted(found, key=lambda c: (-abs(c.feeling), -abs(c.closeness), -c.t))[:MOST]
        if len(found) > MOST:
            out += [heading("What moved it most"), *(self._entry(c, t, width, "most") for c in most)]
        became = [x for x in self.book.became(self.u, self.v) if x.t <= t]
        if became and not stage.viewer.knower:
            out += [heading("What they have been to each other"), *(self._turn(x, t, width) for x in reversed(became))]
        if found:
            out += [heading("All of it, the newest first")]
            out += [self._entry(c, t, width, "all") for c in reversed(found)]
        spans = [span for span in self.book.spans(self.u, self.v) if span.since <= t]
        if spans:
            out += [heading("What is so between them"), *(self._claim(span, t, width) for span in spans)]
        other = f"what {name(self.u)} is to {name(self.v)}"
        turn = partial(stage.open_sheet, TieSheet(stage, self.v, self.u, self.t), True)
        out.append(Entry([[], [ink("= ", "accent"), outside(other, "soft")]], turn, "back"))
        return [*out, Entry(self.waiting(width))]

    def _heads(self, width: int) -> list[Line]:
        ties = self.desk.ties()
        known = {*ties.people} >= {self.u, self.v}
        edge = ties.edge(self.u, self.v) if known else None
        sides = [(self.u, self.v, edge.there if edge else NO_TIE), (self.v, self.u, edge.back if edge else NO_TIE)]
        name = self.desk.bond(self.u, self.v) if known else ""
        both: Line = [ink(name, called_ink(name), bold=True), *self._by_day()]
        return [fit(both, width), *(line for u, v, side in sides for line in self._head(u, v, side, width))]

    def _by_day(self) -> Line:
        """What u felt for v at the end of each day, as a row of bars: low for hatred, high for devotion."""
        t = self.world.now if self.t is None else self.t
        found = tie_effects(self.book.moved(self.u, self.v, t))
        if len(found) < 2:
            return []
        out: Line = [ink("   likes by day ", "dim")]
        for end in [*self.desk.slider.moments(t), t][-DAYS:]:
            felt = next((c.after for c in reversed(found) if c.t <= max(0, end) and c.after is not None), 0.0)
            out.append(ink(LEVELS[min(6, int((felt + 1.0) * 3.5))], value_ink(felt) if abs(felt) >= FLAT else "dim"))
        return out

    def _head(self, u: str, v: str, side: TieState, width: int) -> list[Line]:
        name = self.viewer.name
        main = u == self.u
        who: Line = [outside(name(u), "text" if main else "soft", bold=main), ink(" to ", "dim")]
        who += [outside(name(v), "text" if main else "soft", bold=main)]
        if not side.known:
            return [[*who, ink("  nothing yet", "dim")]]
        feels, mark, fg = feeling_label(side.feeling)
        likes, close = tie_bars(side.feeling, side.closeness)
        return [who, *flow([[ink(f"{mark} {feels} ", fg), *likes], close], width)]

    def _entry(self, change: TieEffect, t: int, width: int, part: str) -> Entry:
        clock = self.world.clock
        when = f"{clock.words(change.t)}, {age(t - change.t)}" if change.seq else "before the world began"
        moved = effect_words(change.feeling, change.closeness)
        if change.after is not None and change.seq:
            moved += [ink("likes then ", "dim"), ink(f"{change.after:+z.2f}", "soft")]
        why = hung([ink("  ")], change.why or "without a word", width)
        lines = [*why, justify(moved, [ink(when, "dim")], width)]
        return Entry(lines, leads(self.stage, change.seq), (part, change.seq, change.t))

    def _turn(self, x: Became, t: int, width: int) -> Entry:
        """What the two became, what they were before, and why."""
        clock = self.world.clock
        head: Line = [ink("  "), ink(x.now, called_ink(x.now)), ink(f", having been {x.was}", "dim")]
        when = [ink(f"{clock.words(x.t)}, {age(t - x.t)}", "dim")]
        lines = [justify(head, when, width), *(hung([ink("  ")], x.why, width, "soft", most=2) if x.why else [])]
        return Entry(lines, leads(self.stage, x.seq), ("became", x.t, x.now))

    def _claim(self, span: ClaimSpan, t: int, width: int) -> Entry:
        world = self.world
        kind = world.claim_deck.kinds.get(span.claim.kind)
        ended = span.until is not None and span.until <= t
        says = (kind.broken if ended else kind.says) if kind is not None else "{a} and {b}"
        text = claim_words(world.handbook, says, span.claim)
        clock = world.clock
        at, seq = (span.until or 0, span.broken) if ended else (span.since, span.made)
        long = clean(getattr(span.claim, "since", "") or "", 80)
        when = f"since {long}" if long and not ended else ""
        if seq:
            when = clock.words(at) if ended else f"since {clock.words(at)}"
        lines = [*hung([ink("  ")], text, width), [ink(f"  {when or 'before the world began'}", "dim")]]
        return Entry(lines, leads(self.stage, seq), (span.claim.id, span.made))
