"""The tab "Who is heard": how much more of what is granted is granted by each type than their share of the town, over
days, with the mean field's forecast; who is heard most and least, and the asks behind it. All of it is of the state at
the moment shown, so that a replay shows the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandbox.core.clock import DAY, HOUR
from sandbox.core.plain import count_of
from sandbox.society.town import beta_in_force, deferences, help_asked
from sandbox.society.town_forecast import forecast_share
from sandbox.society.town_model import PastAsk, SocietyState
from sandbox.tui.graph.heard_chart import INKS, HeardPoint, lines_over_days, span_of
from sandbox.tui.view.text_lines import Line, as_lines, fit, hung, ink, outside, to_width, with_background
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import make_clickable

MOST = 10  # people listed as most heard, and as least
TALL, LOW = 15, 4  # rows of the chart
WHY = 3  # rows kept for the asks of who is chosen
NAME, BAR = 12, 24  # cells of a name, and of a bar at most
OFF = "Nothing counts who is heard here. It does with: sandbox play larkspur --set society.type=young"
WHAT = "What each type grants, over what their number alone would: 1 = as much"
HELP = {"advice": "advice", "hand": "a hand", "loan": "a loan", "word": "a good word"}


class HeardTab:
    """What the tab draws. chosen: who the cursor is on, "" for nobody."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.chosen = ""
        self._course: tuple[object, list[float]] = (None, [])

    @property
    def state(self) -> SocietyState:
        """The network at the moment shown."""
        return self.viewer.world.society

    @property
    def people(self) -> list[str]:
        """Who is listed: the most heard, then the least heard of the others, each from the end of the scale."""
        order = sorted(self.state.members, key=lambda who: (-self.state.members[who].mass, self.viewer.name(who)))
        return order[:MOST] + order[MOST:][: -MOST - 1 : -1]

    def move(self, by: int) -> str:
        """Move the cursor; who it is on then."""
        people = self.people
        at = people.index(self.chosen) + by if self.chosen in people else 0
        self.chosen = people[max(0, min(len(people) - 1, at))] if people else ""
        return self.chosen

    def lines(self, width: int, height: int, ascii_only: bool, focus: bool) -> list[Line]:
        """The tab in as many rows."""
        if self.viewer.knower:
            return as_lines("Who is heard in this town is not for somebody of it to know.", width)
        if not self.state.members:
            return as_lines(OFF, width)
        if self.viewer.selected in self.state.members:
            self.chosen = self.viewer.selected
        elif self.chosen not in self.state.members:
            self.move(0)
        out = self._head(width)
        rows = max(1, min(MOST, height - len(out) - LOW - 2 - WHY))
        tall = max(LOW, min(TALL, height - len(out) - rows - 3 - 2 * WHY))
        out += [[ink(WHAT, "dim")]] if tall > LOW + 1 else []
        out += self._chart(width, tall - (tall > LOW + 1), ascii_only)
        out += [[]] * (tall > LOW)
        out += self._lists(width, rows, ascii_only, focus)
        out += self._why(width, height - len(out))
        return out[:height]

    # ---- the head

    def _head(self, width: int) -> list[Line]:
        world, s = self.viewer.world, self.state
        p = world.society_parameters
        many = sum(m.of_r for m in s.members.values())
        line: Line = [ink("R ", INKS[0], bold=True), outside(p.type, "text", bold=True)]
        line += [ink(f", {many} of {len(s.members)}", "soft"), ink("; B the others", "soft")]
        line += [ink(f"   {count_of(s.number, 'round')} of {p.trials}", "dim")]
        line += [ink(f"   beta {beta_in_force(world):g}", "accent" if beta_in_force(world) else "soft")]
        until = [c.until for c in deferences(world)]
        line += [ink(f" (card: +{p.lift:g} to {world.clock.words(max(until))})", "soft")] if until else []
        return [fit(line, width), fit(self._sums(), width)]

    def _sums(self) -> Line:
        """In-prominence now, and what the mean field says of it."""
        s = self.state
        now = _in_prominence(s.share, s.of_r)
        if now is None:
            need = self.viewer.world.society_parameters.trials - len(s.done)
            told = f"nothing is credited yet: {count_of(need, 'ask')} to the first round"
            return [ink(told if 0 < s.of_r < 1 else "everybody is of one type so far; nothing to compare", "soft")]
        line = [ink("in-prominence (1: their share)  ", "dim"), *_pair(now)]
        said = _in_prominence(self._forecast()[s.number - 1], s.of_r)
        return [*line, ink("   mean field ", "dim"), *_pair(said)] if said is not None else line

    def _forecast(self) -> list[float]:
        """The mean field's course over as many rounds as the chart has room for, kept until the next round."""
        s, days = self.state, self.viewer.world.now / DAY
        rounds = max(s.number, round(s.number / max(days, HOUR / DAY) * span_of(days)))
        key = (id(s), s.number, rounds, len(s.members))
        if self._course[0] != key:
            self._course = (key, forecast_share(s, self.viewer.world.society_parameters, rounds))
        return self._course[1]

    # ---- the chart

    def _chart(self, width: int, rows: int, ascii_only: bool) -> list[Line]:
        """In-prominence of both types after the last round of each day, and the forecast from the first day on."""
        s, clock = self.state, self.viewer.world.clock
        lived = [HeardPoint(x.t / DAY, pair) for x in s.days if (pair := _in_prominence(x.share, x.of_r)) is not None]
        if not lived:
            return [[ink("the lines begin with the first round", "faint")], *([[]] * rows)]
        now = self.viewer.world.now / DAY
        each = max(now, HOUR / DAY) / s.number  # days a round takes
        course = ((n, _in_prominence(share, s.of_r)) for n, share in enumerate(self._forecast(), 1))
        said = [HeardPoint(n * each, pair) for n, pair in course if pair is not None]
        return lines_over_days(lived, said, now, clock.day(0), width, rows, ascii_only)

    # ---- who

    def _lists(self, width: int, rows: int, plain: bool, focus: bool) -> list[Line]:
        people = self.people
        half = (width - 2) // 2
        most, least = (self._window(side, rows) for side in (people[:MOST], people[MOST:]))
        top = max((m.mass for m in self.state.members.values()), default=0.0) or 1.0
        heads = [to_width([ink(f"{side:<{NAME + 3}}", "accent", bold=True), ink("credited asked", "dim")], half)
                 for side in ("Heard most", "Heard least")]  # fmt: skip
        out: list[Line] = [[*heads[0], ink("  "), *heads[1]]]
        for i in range(max(len(most), len(least))):
            line: Line = []
            for side in (most, least):
                who = side[i] if i < len(side) else ""
                cells = to_width(self._person(who, top, half, plain) if who else [], half)
                cells = with_background(cells, "chosen", half) if who and who == self.chosen and focus else cells
                line += [*([ink("  ")] if line else []), *make_clickable(cells, "who", who)]
            out.append(line)
        return out

    def _window(self, people: list[str], rows: int) -> list[str]:
        """So many of them, whoever is chosen among these."""
        at = people.index(self.chosen) if self.chosen in people else 0
        return people[max(0, at - rows + 1) :][:rows]

    def _person(self, who: str, top: float, width: int, plain: bool) -> Line:
        m = self.state.members[who]
        mark = ">" if who == self.chosen else " "
        line = to_width([ink(mark, "accent"), outside(self.viewer.name(who), "text", who == self.chosen)], NAME + 1)
        line += [ink(f" {'R' if m.of_r else 'B'} ", INKS[not m.of_r], bold=True), ink(f"{m.mass:6.2f} ", "text")]
        line += [ink(f"{f'{m.times}x':>5} ", "dim")]
        bar = round(m.mass / top * min(BAR, width - NAME - 19))
        return [*line, ink(("#" if plain else "━") * bar, INKS[not m.of_r])]

    def _why(self, width: int, rows: int) -> list[Line]:
        """The asks behind what somebody was credited with, the latest first."""
        m = self.state.members.get(self.chosen)
        if m is None or rows < 2:
            return []
        if not m.asks:
            return [[], *as_lines(f"Nobody has asked {self.viewer.name(self.chosen)} for help so far.", width)]
        out: list[Line] = [[]] if rows > WHY else []
        for ask in reversed(m.asks):
            if len(out) < rows:
                out += self._ask(ask, width, min(2, rows - len(out)))
        return out

    def _ask(self, ask: PastAsk, width: int, rows: int) -> list[Line]:
        world = self.viewer.world
        head = [ink(f"{world.clock.words(ask.t)} ", "dim")]
        asked = HELP.get(help_asked(world, ask.do), "help")
        gave = "words {:.2f}, rounds {:.2f}, effort {:.2f}".format(*ask.given) if any(ask.given) else "refused"
        added = f", credited {ask.added:.2f}" if ask.added else ""
        said = f"{self.viewer.name(ask.source)} asked for {asked}: {gave}{added}"
        return hung(head, f"{said}{f'; over {ask.about}' if ask.about else ''}", width, "soft", most=rows)


def _in_prominence(share: float | None, of_r: float) -> tuple[float, float] | None:
    """Of types R and B, the share of what is credited over that of the residents; None where a type has nobody."""
    return (share / of_r, (1 - share) / (1 - of_r)) if share is not None and 0 < of_r < 1 else None


def _pair(values: Sequence[float]) -> Line:
    return [ink(f"R {values[0]:.2f}  ", INKS[0], bold=True), ink(f"B {values[1]:.2f}", INKS[1], bold=True)]


def heard_key(world: Any) -> tuple[object, ...]:
    """What the tab shows changes with this."""
    s = world.society
    return id(s), s.number, len(s.members), len(s.done), len(world.conditions.open)
