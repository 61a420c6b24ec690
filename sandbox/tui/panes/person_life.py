"""The tab Life: who somebody is, their past, and the notable events of their life."""

from __future__ import annotations

from collections.abc import Sequence

from textual.widget import Widget

from sandbox.core.text import join_names
from sandbox.people.claim_handlers import EMPLOYS, LODGES, claim_words, claims_of
from sandbox.people.mark_habits import habit_words
from sandbox.people.mood import FOLD, mark_at, strong
from sandbox.people.persona import BigFive, PastTie
from sandbox.people.wording import since_phrase
from sandbox.readers.places import since_words
from sandbox.readers.timeline import TimelineRow
from sandbox.tui.panes.person_tab import PersonTab
from sandbox.tui.panes.timeline import midnight_line, row_lines
from sandbox.tui.view.person_words import INDENT, feeling_label, field_lines
from sandbox.tui.view.text_lines import as_lines, hung, ink, outside, to_width
from sandbox.tui.view.timeline_rows import Sieve
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Entry, remark

NOTABLE = 3.0  # weight from which a row of the timeline is listed
STRONG, SLIGHT = 0.6, 0.25  # sizes of a trait, in [-1, 1], from which it is "very", and is named
NATURE = {
    "openness": ("curious", "set in their ways"),
    "conscientiousness": ("orderly", "careless"),
    "extraversion": ("outgoing", "reserved"),
    "agreeableness": ("kind", "hard to please"),
    "neuroticism": ("easily shaken", "steady"),
}


def nature(traits: BigFive) -> str:
    """The five traits in words: "very orderly, hard to please"; those near the middle are left out."""
    out = []
    for trait, (high, low) in NATURE.items():
        value = getattr(traits, trait)
        if abs(value) >= SLIGHT:
            out.append(("very " if abs(value) >= STRONG else "") + (high if value > 0 else low))
    return ", ".join(out) or "middling in everything"


class LifeTab(PersonTab):
    """Enter on a past tie goes to that person, on an event to the event, on facts to this person on the map."""

    name = "Life"

    def __init__(self, viewer: Viewer, pane: Widget) -> None:
        super().__init__(viewer, pane)
        self._sieve = Sieve(lambda: viewer.chronicle)

    def entries(self, who: str, t: float, width: int, height: int) -> Sequence[Entry]:
        self.turn_to(who)
        return [
            *self._persona(who, width),
            *self._marks(who, t, width),
            *self._claims(who, width),
            *self._past(who, width),
            *self._rows(who, width),
        ]

    def _persona(self, who: str, width: int) -> list[Entry]:
        world = self.viewer.world
        p = world.cast[who]
        mates = [self.viewer.name(o.id) for o in world.cast.values() if o.household == p.household and o.id != who]
        home = world.handbook.place(p.home)
        lines = [
            *field_lines("lives at", f"{home}, {f'with {join_names(mates)}' if mates else 'alone'}", width),
            *field_lines("nature", nature(p.big_five), width),
        ]
        for name, words in (("known as", p.traits), ("values", p.values), ("minds", p.concerns)):
            if words:
                lines += field_lines(name, ", ".join(words), width, 3)
        there = self.to_person(who)
        about = Entry(as_lines(p.about, width), there, "about") if p.about else Entry(())
        return [about, Entry(lines, there, "facts")]

    def _marks(self, who: str, t: float, width: int) -> list[Entry]:
        """The lasting marks of past events: since when, why, and the habit they led to; each leads to its event."""
        world, out = self.viewer.world, []
        for mark in reversed(world.people.residents[who].mood.marks):
            if max(map(abs, mark_at(mark, t))) < FOLD:
                continue
            since = since_phrase(world.clock, mark.t, int(t))
            habit = habit_words(world.handbook, mark) if mark.habit and strong(mark, t) else ""
            words = f"since {since}: {mark.why}{f'; {habit}' if habit else ''}"
            lines = hung([ink("~ ", "dim")], words, width, "soft")
            out.append(Entry(lines, self.to_event(mark.seq), ("mark", mark.seq)))
        return [_head("What stays"), *out] if out else []

    def _claims(self, who: str, width: int) -> list[Entry]:
        """The claims about them and others, each with its date; one that an event made leads to that event.

        First those made by events, latest first; then those from the start, in the order of the kinds.
        """
        world, out = self.viewer.world, []
        kinds = world.claim_deck.kinds
        order = {kind: i for i, kind in enumerate(kinds)}
        for claim in sorted(claims_of(world, who), key=lambda c: (-c.seq, order[c.kind])):
            if not claim.seq and claim.kind in (LODGES, EMPLOYS) and len(claim.people) < 2:
                continue  # from their persona file: shown above
            words = claim_words(world.handbook, kinds[claim.kind].says, claim)
            when = since_words(claim, world.clock)
            lines = hung([ink("= ", "dim")], f"{words} ({when})" if when else words, width, "soft")
            other = next((x for x in claim.people if x != who), who)
            does = self.to_event(claim.seq) if claim.seq else self.to_person(other)
            out.append(Entry(lines, does, ("claim", claim.id)))
        return [_head("What is so"), *out] if out else []

    def _past(self, who: str, width: int) -> list[Entry]:
        history = [past for past in self.viewer.world.cast[who].history if past.with_ in self.viewer.world.cast]
        if not history:
            return []
        return [_head("Before"), *(self._before(past, width) for past in history)]

    def _before(self, past: PastTie, width: int) -> Entry:
        _, mark, fg = feeling_label(past.feeling)
        name = to_width([outside(self.viewer.name(past.with_), bold=True)], INDENT - 1)
        lines = hung([*name, ink(f" {mark} ", fg)], past.why, width, "soft")
        return Entry(lines, self.to_person(past.with_), ("past", past.with_))

    def _rows(self, who: str, width: int) -> list[Entry]:
        viewer, clock = self.viewer, self.viewer.world.clock

        def own(row: TimelineRow) -> bool:
            return row.weight >= NOTABLE and who in row.who

        numbers = self._sieve.numbers(who, own, viewer.told)
        out = [_head("Since")]
        if not numbers:
            out.append(remark("nothing of note yet", width))
        day = 0
        for number in numbers[: -self.most - 1 : -1]:
            row = viewer.chronicle[number]
            if clock.day(row.t) != day:
                day = clock.day(row.t)
                out.append(Entry([midnight_line(row.t, clock, width)]))
            out.append(Entry(row_lines(row, clock, width, False), self.to_event(row.seq), ("row", number)))
        if (rest := self.rest(len(numbers))) is not None:
            out.append(rest)
        elif not viewer.past.whole:
            out.append(Entry([[ink("enter reads what was before", "dim")]], viewer.past.want, "before"))
        return out


def _head(text: str) -> Entry:
    return Entry([[], [ink(text, "dim")]])
