"""The player's goals: what each demands, how much of it holds now, what stands in the way and the time left. And bets:
the points, the open bets, and what can be bet on with its odds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from sandbox.core.plain import count_of
from sandbox.director.bet_offers import Bet, BetOffer, BetPlaced, bet_offers
from sandbox.director.conditions import condition_people
from sandbox.director.goal_domain import ChooseGoal, Progress, goal_progress, time_left
from sandbox.director.history import AnnalsOpened, looking_back
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.run_command import SHORT, ask_town, past_of, take_back, waiting
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view.text_lines import Ink, Line, as_lines, gauge, hung, ink, outside, with_end
from sandbox.tui.widgets.entries import Entry, heading, remark

GAUGE = 12  # cells of the bar of how much of a goal holds
MOST = 3  # lines of each sentence at most
FOLLOWS = "Enter follows a goal, or stops following it. Nobody in town knows of it."
REPLAYED = "No goal can be followed in a replay: go on live from here."
MARKS = {None: "▸", True: "✓", False: "✗"}  # of a followed goal: undecided, won, lost
INKS: dict[bool | None, Ink] = {None: "accent", True: "warm", False: "alarm"}  # of the same


class GoalsSheet(TownSheet):
    """All goals of the world: those about the played person first, then those followed, then by the time they end.
    before: the past as read from the log, for a town that keeps no annals.
    """

    kind, title = "goals", "Goals"

    def __init__(self, stage: TownLayout, before: AnnalsOpened) -> None:
        super().__init__(stage)
        self._before = before
        self._seq, self._found = -1, list[Progress]()

    def entries(self, width: int) -> Sequence[Entry]:
        world = self.world
        if not world.aim_deck:
            says = "This world has no goals. A goals.yaml beside its world.yaml has some (docs/modding.md)."
            return [remark(says, width)]
        if self._seq != world.seq:
            with looking_back(world, self._before):
                found = [goal_progress(world, aim) for aim in world.aim_deck.values()]
            me = self.viewer.knower
            own = {p.aim.id for p in found if me and me in condition_people(p.aim.wants)}
            self._found = sorted(found, key=lambda p: (p.aim.id not in own, p.followed is None, bool(p.over), p.by))
            self._seq = world.seq
        how = REPLAYED if self.viewer.replaying else FOLLOWS
        return [Entry([*as_lines(how, width, "dim"), []]), *(self._entry(p, width) for p in self._found)]

    def _entry(self, progress: Progress, width: int) -> Entry:
        clock = self.world.clock
        followed = progress.followed
        open_ = not progress.over and (followed is None or followed.won is None)
        mark = ink(f"{MARKS[followed.won]} ", INKS[followed.won]) if followed is not None else ink("  ")
        fg: Ink = "accent" if followed is not None else "text" if open_ else "dim"
        head: Line = [mark, outside(progress.aim.title, fg, bold=True)]
        lines = [with_end(head, [ink(f"{time_left(progress.left)}, until {clock.words(progress.by)}", "dim")], width)]
        if wait := self._waits(progress.aim.id):
            says = "  followed from the next step on" if wait.follow else "  let go with the next step"
            lines.append([ink(says, "link")])
        lines += hung([ink("  ")], progress.aim.says, width, "soft", most=MOST)
        if progress.over:
            lines += hung([ink("  over: ", "dim")], progress.over, width, "dim", most=MOST)
        me = self.viewer.knower
        if open_ and (not me or me in condition_people(progress.aim.wants)):
            lines.append([ink("  "), *_much(progress)])
            if len(progress.parts) > 1:
                lines += [line for x in progress.parts for line in _part(x.holds, x.says, width)]
        if open_ and not me:  # these could say what the played person does not know
            for says in progress.lacks:
                lines += hung([ink("  in the way: ", "dim")], says, width, "soft", most=MOST)
            for says in progress.threats:
                lines += hung([ink("  may undo it: ", "warm")], says, width, "soft", most=MOST)
        return Entry([*lines, []], partial(self._turn, progress.aim.id) if open_ else None, progress.aim.id)

    def labels(self) -> Mapping[str, str]:
        one = next((p for p in self._found if p.aim.id == self.cursor_key), None)
        if one is None or self.viewer.replaying:
            return {"chosen.open": ""}
        wait = self._waits(one.aim.id)
        follows = wait.follow if wait is not None else one.followed is not None
        return {"chosen.open": "let go" if follows else "follow"}

    def _waits(self, id: str) -> ChooseGoal | None:
        """The command on a goal that waits for the next step, None if there is none."""
        return next((c for c in waiting(self.stage, ChooseGoal) if c.id == id), None)

    def _turn(self, id: str) -> None:
        if wait := self._waits(id):
            take_back(self.stage, wait)
            return
        followed = self.world.aims.followed
        ask_town(self.stage, ChooseGoal(id=id, follow=id not in followed, before=self._before))


async def open_goals(stage: TownLayout) -> None:
    """Show or close the goals."""
    if stage.close_kind(GoalsSheet.kind):
        return
    before = await past_of(stage)
    if before is not None:
        stage.open_sheet(GoalsSheet(stage, before))


def _much(progress: Progress) -> Line:
    """How much of a goal holds now, as a bar and in words."""
    so, parts = sum(x.holds for x in progress.parts), len(progress.parts)
    one = "it is so now" if progress.holds else "not yet"
    return [*gauge(so / parts, GAUGE, "warm"), ink(f" {so} of {parts} so" if parts > 1 else f" {one}", "dim")]


def _part(holds: bool, says: str, width: int) -> list[Line]:
    return hung([ink("    ✓ " if holds else "    · ", "warm" if holds else "faint")], says, width, "soft", most=2)


# ---- bets


STAKES = (10, 25, 50, 100)  # points that can be bet
ODDS_BAR = 10  # cells of the bar of a chance


class BetsSheet(TownSheet):
    """The sheet of bets. stake: points of the next bet, one of STAKES."""

    kind, title = "bets", "Bets"
    turns = True

    def __init__(self, stage: TownLayout, stake: int = STAKES[0]) -> None:
        super().__init__(stage)
        self.stake = stake
        self._seq, self._found = -1, list[BetOffer]()

    def turned(self, by: int) -> BetsSheet:
        at = STAKES.index(self.stake) + by
        sheet = BetsSheet(self.stage, STAKES[max(0, min(len(STAKES) - 1, at))])
        sheet.start = self.stage.sheets.chosen.key if self.stage.sheets.chosen is not None else None
        return sheet

    def hidden(self) -> bool:
        return bool(self.viewer.knower)

    def entries(self, width: int) -> Sequence[Entry]:
        world = self.world
        if self._seq != world.seq:
            self._found, self._seq = bet_offers(world), world.seq
        state = world.bets
        wait = waiting(self.stage, Bet)
        points = count_of(state.points - sum(x.stake for x in wait), "point")
        tally = [ink(points, "accent", bold=True), ink(f"  {state.won} won, {state.lost} lost", "dim")]
        stake = [ink(f"stake {self.stake}"), ink("  [ less, ] more", "dim")]
        out = [Entry([with_end(tally, stake, width)])]
        if state.open or wait:
            out += [heading("Open"), *(self._open(x, width) for x in state.open.values())]
            out += [self._waits(x, width) for x in wait]
        if not self._found:
            return [*out, Entry([[], *as_lines("Nothing that can be bet on falls due within a day.", width)])]
        for x in self._found:
            out += [self._head(x, width), *(self._side(x, side, n, width) for side, n in x.percents.items())]
        return out

    def _open(self, x: BetPlaced, width: int) -> Entry:
        clock = self.world.clock
        lines = hung([ink(f"  {x.stake} ", "warm")], x.says, width, "soft", most=2)
        pays: Line = [ink(f"    pays {x.pays:.2f}, decided on {clock.words(x.due)}", "dim")]
        return Entry([*lines, pays])

    def _waits(self, x: Bet, width: int) -> Entry:
        offer = next((offer for offer in self._found if offer.on == x.on), None)
        says = f"{offer.says}: {offer.names.get(x.side, x.side)}" if offer is not None else x.on
        lines = hung([ink(f"  {x.stake} ", "warm")], says, width, "soft", most=2)
        return Entry([*lines, [ink("    with the next step", "link")]])

    def _head(self, x: BetOffer, width: int) -> Entry:
        clock = self.world.clock
        return Entry([[], with_end([outside(x.says, bold=True)], [ink(clock.words(x.t), "dim")], width)])

    def _side(self, x: BetOffer, side: str, percent: int, width: int) -> Entry:
        pays = ink(f"  {x.pays(side):5.2f}" if side else " " * 7, "accent")
        odds: Line = [*gauge(percent / 100, ODDS_BAR, "warm"), ink(f" {percent:3} %", "soft"), pays]
        if not side:
            return Entry([with_end([ink("  "), outside(x.called(side), "dim")], odds, width)])
        stake = self._stake_on(x.on, side)
        on = [ink(f"  {stake} bet", "warm")] if stake else []
        line = with_end([ink("  "), outside(x.names[side], "soft"), *on], odds, width)
        return Entry([line], partial(self._bet, x.on, side), (x.on, side))

    def labels(self) -> Mapping[str, str]:
        if self.viewer.replaying:
            return {"chosen.open": ""}
        back = {"saves.undo": "take back"} if waiting(self.stage, Bet) else {}
        return {"chosen.open": "bet" if self._found else "", "tab.next": "raise stake", "tab.previous": "lower", **back}

    def _stake_on(self, on: str, side: str) -> int:
        """The points bet on a side, including bets that wait for the next step."""
        placed = sum(x.stake for x in self.world.bets.open.values() if (x.on, x.side) == (on, side))
        return placed + sum(x.stake for x in waiting(self.stage, Bet) if (x.on, x.side) == (on, side))

    def _against(self, on: str, side: str) -> str:
        """Why the bets that wait for the next step rule out one more on this side, a sentence; "" if they do not."""
        wait = waiting(self.stage, Bet)
        if any((x.on, x.side) == (on, side) for x in wait):
            return f"You have bet {self._stake_on(on, side)} on that; it is placed in the next step."
        left = self.world.bets.points - sum(x.stake for x in wait)
        few = f"A stake of {self.stake} is more than you have left, {count_of(left, 'point')}."
        return few if self.stake > left else ""

    async def _bet(self, on: str, side: str) -> None:
        before = await past_of(self.stage)
        if against := self._against(on, side):
            self.stage.notify(against, timeout=SHORT)
        elif before is not None:
            ask_town(self.stage, Bet(on=on, side=side, stake=self.stake, before=before))
