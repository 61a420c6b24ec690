"""The tab Now: mood and its causes, activity, plan, purse, the heaviest pressure, the strongest ties. And the card that
shows a person on a small screen.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.segment import Segment

from sandbox.core.clock import Clock
from sandbox.people.guest_model import in_town
from sandbox.people.mood import Cause
from sandbox.tui.panes.person_known import look_words, short_lines
from sandbox.tui.panes.person_matters import matter_of_pressure, purse_words, strongest_pressure
from sandbox.tui.panes.person_tab import PersonTab
from sandbox.tui.view.person_words import (
    AGAINST,
    INDENT,
    TIES,
    MoodReason,
    age,
    axis_lines,
    field_lines,
    has_age,
    mood_reasons,
    mood_words,
    person_title,
    reason_words,
    short_age,
)
from sandbox.tui.view.text_lines import Line, fit, gauge, hung, ink, justify, outside, to_width
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Entry

FLAT = 0.005  # a smaller change of pleasure counts as neither good nor bad


class NowTab(PersonTab):
    """Enter on a cause goes to its event, on a tie to the other person. Plan and ties fill the height that is left."""

    name = "Now"

    def entries(self, who: str, t: float, width: int, height: int) -> Sequence[Entry]:
        out = [Entry(self._mood(who, t, width)), *self._causes(who, t, width)]
        out.append(Entry(field_lines("now", self.viewer.view.row(who, t).doing, width, 2)))
        if purse := purse_words(self.viewer, who):
            out.append(Entry(field_lines("purse", purse, width, 1)))
        out += self._presses(who, t, width)
        if (why := self.viewer.stood_in.get(who)) is not None:
            out.append(Entry(field_lines("mind", f"the embedded mind decided last: {why}", width, 1, "dim")))
        room = max(2, height - sum(len(entry.lines) for entry in out))
        plan = self._plan(who, t, width, room // 2)
        return [*out, Entry(plan), *self._ties(who, width, room - len(plan))]

    def _mood(self, who: str, t: float, width: int) -> list[Line]:
        viewer = self.viewer
        out = [justify(mood_words(viewer, who, t), [outside(viewer.view.place(who, t), "soft")], width)]
        return out + axis_lines(viewer.view.pad(who, t), max(9, width - 17))

    def _causes(self, who: str, t: float, width: int) -> list[Entry]:
        found = mood_reasons(self.viewer, who, t)
        if not found:
            return [Entry([[ink("because".ljust(INDENT), "dim"), ink("nothing much has happened yet", "soft")]])]
        out = []
        for reason in found:
            lines = cause_lines(self.viewer.world.clock, reason, self.viewer.name(who), t, width)
            out.append(Entry(lines, self.to_event(reason.cause.seq), ("cause", reason.cause.seq)))
        return out

    def _presses(self, who: str, t: float, width: int) -> list[Entry]:
        """The heaviest pressure in one line: "trouble  grudge: an apology for two hundred loaves (Vera)"."""
        p = strongest_pressure(self.viewer, who, t)
        if p is None:
            return []
        mine, kind = p.holder == who, self.viewer.world.drama.kinds.get(p.kind)
        other = self.viewer.name(p.about if mine else p.holder)
        whose = other if mine else f"{other}'s"
        whom = f"({whose})" if other else ""
        what = f"{kind.called if kind else p.kind}: {matter_of_pressure(p).gist}"
        gist = fit([outside(what)], max(8, width - INDENT - 1 - cell_len(whom)))
        line = [ink("trouble".ljust(INDENT), "dim"), *gist, ink(" "), outside(whom, "soft")]
        return [Entry([fit(line, width)], self.to_event(p.last), ("presses", p.id))]

    def _plan(self, who: str, t: float, width: int, most: int) -> list[Line]:
        ahead = [step for step in self.viewer.view.agenda(who, t) if step[0]][1:]
        if not ahead:
            return [[ink("then".ljust(INDENT), "dim"), ink("no plan beyond this", "soft")]]
        out = []
        for i, (at, what, place, _) in enumerate(ahead[: max(1, most)]):
            head = [ink(("" if i else "then").ljust(INDENT), "dim"), ink(f"{at} ", "link")]
            out.append(fit([*head, outside(f"{what}, {place}")], width))
        return out

    def _ties(self, who: str, width: int, most: int) -> list[Entry]:
        ties = [tie for tie in self.viewer.view.ties(who) if tie.kind != "stranger"]
        if not ties:
            return [Entry([[ink("tied to".ljust(INDENT), "dim"), ink("nobody yet", "soft")]])]
        out = []
        for i, tie in enumerate(ties[: max(1, most)]):
            line = [ink(("" if i else "tied to").ljust(INDENT), "dim"), *to_width([outside(tie.name)], 9), ink(" ")]
            line += [*gauge(tie.closeness, 6, TIES[tie.kind]), ink(f" {tie.kind}", TIES[tie.kind])]
            if tie.why:
                line += [ink("  "), outside(tie.why, "dim")]
            out.append(Entry([fit(line, width)], self.to_person(tie.who), ("tie", tie.who)))
        return out


def cause_lines(clock: Clock, reason: MoodReason, who: str, t: float, width: int) -> list[Line]:
    """A cause of a mood in at most two rows: whether it pleased, what it was, and its age if it has one. who: the name
    of the person in that mood.
    """
    head, cause = reason
    when = short_age(t - cause.t) if has_age(cause) else ""
    words = reason_words(clock, reason, who, t)
    first, *rest = hung([ink(head.ljust(INDENT), "dim"), _sign(cause)], words, width - 2 - len(when), most=2)
    return [justify(first, [ink(when, "dim")], width), *rest]


def _sign(cause: Cause) -> Segment:
    """A sign for whether a cause pleased: + - or . for neither; blank for a cause without an event."""
    if not cause.seq:
        return ink("  ")
    if abs(cause.p) < FLAT:
        return ink(". ", "soft")
    return ink("+ ", "warm") if cause.p > 0 else ink("- ", "cool")


# ---- the card on a small screen


def person_card_lines(viewer: Viewer, who: str, t: float, width: int) -> list[Line]:
    """The chosen person in three rows, for a small screen: name and mood, activity, reasons for the mood."""
    goes = viewer.on_map and not viewer.stages and viewer.plays in ("", who)  # whether enter opens them
    more = [ink("following", "link")] if viewer.following else [ink("enter more", "dim")] if goes else []
    name = [outside(person_title(viewer, who), "accent", bold=True), ink("  ")]
    if viewer.hides(who):
        known = (fit(line, width) for line in short_lines(viewer, who, t))
        return [justify([*name, *look_words(viewer, who, t)], more, width), *known]
    row = viewer.view.row(who, t)
    name += mood_words(viewer, who, t)
    there = "on the way" in row.doing or not in_town(viewer.world, who)
    doing = row.doing if there else f"{row.doing}, {row.where}"
    found = mood_reasons(viewer, who, t)
    told = []
    for x in found:
        when = f" ({age(t - x.cause.t)})" if has_age(x.cause) else ""
        against = "against that " if x.head == AGAINST else ""
        told.append(against + reason_words(viewer.world.clock, x, viewer.name(who), t) + when)
    why = "; ".join(told) or "nothing much has happened yet"
    first = found[0].head if found else "because"
    now, reasons = [ink("now ", "dim"), outside(doing)], [ink(f"{first} ", "dim"), outside(why)]
    return [justify(name, more, width), fit(now, width), fit(reasons, width)]
