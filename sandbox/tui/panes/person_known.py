"""What the played person ("you") knows of another: their look, public facts, your tie to them, what you believe of
them and from whom, and what you remember.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.text import clean
from sandbox.people.beliefs import Belief, strength_at
from sandbox.people.claim_handlers import EMPLOYS, LODGES, claim_words, claims_of, knows
from sandbox.people.guest_model import in_town
from sandbox.people.mood_words import MARKS
from sandbox.play.knowing import beliefs_about, known_pressures, memories_about
from sandbox.readers.beliefs import HOW, surely
from sandbox.readers.pressures import matter_sentence
from sandbox.tui.panes.person_matters import matter_of_pressure
from sandbox.tui.panes.person_tab import PersonTab
from sandbox.tui.panes.person_ties import talks_words
from sandbox.tui.view.person_words import INDENT, TIES, feeling_label, field_lines
from sandbox.tui.view.text_lines import Line, fit, gauge, hung, ink, justify, of_mood, outside
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Entry, group, heading, remark

REMEMBERED = 4  # most memories of somebody shown, the latest


def source_words(viewer: Viewer, belief: Belief) -> str:
    """From whom or how you have a belief, and since when: "Una told you, Tue 4 Mar, 10:40"."""
    how = f"you {HOW[belief.source]}" if belief.source in HOW else f"{viewer.name(belief.source)} told you"
    return how if not belief.since else f"{how}, {viewer.world.clock.words(belief.since)}"


def look_words(viewer: Viewer, who: str, t: float) -> Line:
    """The mood that somebody in sight shows; else that they are out of sight or out of town."""
    view = viewer.view
    if not in_town(viewer.world, who):
        return [outside(view.doing(who), "soft")]
    if not view.shows(who, t):
        return [ink("not in sight", "soft")]
    row = view.row(who, t)
    return [ink(f"{MARKS[row.mood]} {row.mood}", of_mood(row.mood), bold=True)]


def tie_line(viewer: Viewer, who: str, cells: int) -> Line:
    """What somebody is to the played person. cells: width of the bar of closeness."""
    tie = next((tie for tie in viewer.view.ties(viewer.knower) if tie.who == who), None)
    if tie is None:
        return [ink("nobody you know", "soft")]
    (word, mark, fg), kind = feeling_label(tie.feeling), TIES[tie.kind]
    return [*gauge(tie.closeness, cells, kind), ink(f" {tie.kind}", kind), ink(f"  {mark} {word}", fg)]


def short_lines(viewer: Viewer, who: str, t: float) -> tuple[Line, Line]:
    """Two lines for a small screen: what they do and where; your tie to them, and your first belief about them."""
    view = viewer.view
    now: Line = [outside(view.place(who, t), "soft")]
    if view.shows(who, t):
        now = [ink("now ", "dim"), outside(f"{view.doing(who)}, {view.place(who, t)}")]
    to_you: Line = [ink("to you ", "dim"), *tie_line(viewer, who, 4)]
    for one in beliefs_about(viewer.world, viewer.knower, who, int(t))[:1]:
        to_you += [ink("  "), outside(f"{one.says} ({source_words(viewer, one.belief)})", "soft")]
    return now, to_you


class KnownTab(PersonTab):
    """What you know of a person. No entry leads anywhere, so that none shows what you cannot know."""

    name = "What you know"

    def entries(self, who: str, t: float, width: int, height: int) -> Sequence[Entry]:
        return [
            Entry(self._now(who, t, width)),
            *self._to_you(who, t, width),
            *self._believed(who, t, width),
            *self._standing(who, width),
            *self._remembered(who, t, width),
        ]

    def _now(self, who: str, t: float, width: int) -> list[Line]:
        viewer = self.viewer
        view, p = viewer.view, viewer.world.cast[who]
        out = [justify(look_words(viewer, who, t), [outside(view.place(who, t), "soft")], width)]
        if view.shows(who, t):
            out += field_lines("now", view.doing(who), width, 2)
        book = viewer.world.handbook
        if p.work:
            out += field_lines("works", book.at(p.work), width, 1)
        if who not in viewer.world.guests.stays:
            out += field_lines("lives at", book.place(p.home), width, 1)
        return out

    def _standing(self, who: str, width: int) -> list[Entry]:
        """The claims between them and others that you know of."""
        w = self.viewer.world
        out = []
        for c in [claim for claim in claims_of(w, who) if knows(w, self.viewer.knower, claim)]:
            if len(c.people) > 1 and c.kind not in (LODGES, EMPLOYS):
                words = claim_words(w.handbook, w.claim_deck.kinds[c.kind].says, c)
                out.append(Entry(hung([ink("= ", "dim")], words, width, "soft")))
        return group("What is so", out, bold=False)

    def _to_you(self, who: str, t: float, width: int) -> list[Entry]:
        viewer, w = self.viewer, self.viewer.world
        tie = w.people.ties.get(viewer.knower, {}).get(who)
        to_you: Line = [ink("to you".ljust(INDENT), "dim"), *tie_line(viewer, who, 6)]
        lines = [justify(to_you, talks_words(tie, t), width)]
        if tie is not None and tie.causes:
            lines += hung([ink(" " * INDENT)], tie.causes[-1].why, width, "dim", most=2)
        out = [Entry(lines, key="tie")]
        for p in known_pressures(w, viewer.knower, who):
            words = matter_sentence(w.handbook, matter_of_pressure(p))
            out.append(Entry(hung([ink("& ", "link")], words, width, most=2), key=("matter", p.id)))
        return out

    def _believed(self, who: str, t: float, width: int) -> list[Entry]:
        out = [heading("What you believe", bold=False)]
        q = self.viewer.world.belief_parameters
        for one in beliefs_about(self.viewer.world, self.viewer.knower, who, int(t)):
            b = one.belief
            lines = hung([ink("? ", "accent")], clean(one.says, 300), width)
            how = f"{source_words(self.viewer, b)}; {surely(strength_at(b, int(t), q))}"
            out.append(Entry([*lines, fit([ink("  "), outside(how, "dim")], width)], key=("believed", b.fact)))
        return out if len(out) > 1 else [*out, remark(f"nothing that {self.viewer.name(who)} would mind", width)]

    def _remembered(self, who: str, t: float, width: int) -> list[Entry]:
        found = memories_about(self.viewer.world, self.viewer.knower, who, REMEMBERED)
        out = []
        for node in found:
            when = self.viewer.world.clock.words(node.t) if node.t > 0 else "before"
            out.append(Entry(hung([ink(f"{when} ", "dim")], node.text, width, "soft", most=2), key=("memory", node.id)))
        return group("What you remember", out, bold=False)
