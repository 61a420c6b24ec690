"""Bets: the points, the open bets, and what can be bet on with its odds; enter bets, and `[` `]` change the stake.

While time stands, a bet waits for the next step; it is shown as if it were placed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from sandbox.core.plain import count_of
from sandbox.director.bet_offers import Bet, BetOffer, BetPlaced, bet_offers
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.run_command import SHORT, ask_town, past_of, waiting
from sandbox.tui.view.text_lines import (
    BLUE,
    DIM,
    GOLD,
    SOFT,
    TEXT,
    WARM,
    Line,
    as_lines,
    gauge,
    hung,
    ink,
    outside,
    with_end,
)
from sandbox.tui.widgets.entries import Entry, heading
from sandbox.tui.widgets.sheet_pane import Sheet

STAKES = (10, 25, 50, 100)  # points that can be bet
GAUGE = 10  # cells of the bar of a chance


class BetsSheet(Sheet[TownLayout]):
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
        return bool(self.stage.viewer.knower)

    def entries(self, width: int) -> Sequence[Entry]:
        world = self.stage.viewer.world
        if self._seq != world.seq:
            self._found, self._seq = bet_offers(world), world.seq
        state = world.bets
        wait = waiting(self.stage, Bet)
        tally = [
            ink(count_of(state.points - sum(x.stake for x in wait), "point"), GOLD, bold=True),
            ink(f"  {state.won} won, {state.lost} lost", DIM),
        ]
        stake = [ink(f"stake {self.stake}", TEXT), ink("  [ less, ] more", DIM)]
        out = [Entry([with_end(tally, stake, width)])]
        if state.open or wait:
            out += [heading("Open"), *(self._open(x, width) for x in state.open.values())]
            out += [self._waits(x, width) for x in wait]
        if not self._found:
            return [*out, Entry([[], *as_lines("Nothing falls due within a day that can be bet on.", width)])]
        for x in self._found:
            out += [self._head(x, width), *(self._side(x, side, n, width) for side, n in x.percents.items())]
        return out

    def _open(self, x: BetPlaced, width: int) -> Entry:
        clock = self.stage.viewer.world.clock
        lines = hung([ink(f"  {x.stake} ", WARM)], x.says, width, SOFT, most=2)
        pays: Line = [ink(f"    pays {x.pays:.2f}, decided on {clock.words(x.due)}", DIM)]
        return Entry([*lines, pays])

    def _waits(self, x: Bet, width: int) -> Entry:
        offer = next((offer for offer in self._found if offer.on == x.on), None)
        says = f"{offer.says}: {offer.names.get(x.side, x.side)}" if offer is not None else x.on
        return Entry(
            [*hung([ink(f"  {x.stake} ", WARM)], says, width, SOFT, most=2), [ink("    with the next step", BLUE)]]
        )

    def _head(self, x: BetOffer, width: int) -> Entry:
        clock = self.stage.viewer.world.clock
        return Entry([[], with_end([outside(x.says, TEXT, bold=True)], [ink(clock.words(x.t), DIM)], width)])

    def _side(self, x: BetOffer, side: str, percent: int, width: int) -> Entry:
        odds: Line = [
            *gauge(percent / 100, GAUGE, WARM),
            ink(f" {percent:3} %", SOFT),
            ink(f"  {x.pays(side):5.2f}" if side else " " * 7, GOLD),
        ]
        if not side:
            return Entry([with_end([ink("  "), outside(x.called(side), DIM)], odds, width)])
        stake = self._stake_on(x.on, side)
        on = [ink(f"  {stake} bet", WARM)] if stake else []
        line = with_end([ink("  "), outside(x.names[side], SOFT), *on], odds, width)
        return Entry([line], partial(self._bet, x.on, side), (x.on, side))

    def labels(self) -> Mapping[str, str]:
        if self.stage.viewer.replaying:
            return {"chosen.open": ""}
        back = {"saves.undo": "take back"} if waiting(self.stage, Bet) else {}
        return {"chosen.open": "bet" if self._found else "", "tab.next": "raise stake", "tab.previous": "lower", **back}

    def _stake_on(self, on: str, side: str) -> int:
        """The points bet on a side, including bets that wait for the next step."""
        placed = sum(x.stake for x in self.stage.viewer.world.bets.open.values() if (x.on, x.side) == (on, side))
        return placed + sum(x.stake for x in waiting(self.stage, Bet) if (x.on, x.side) == (on, side))

    def _against(self, on: str, side: str) -> str:
        """Why the bets that wait for the next step rule out one more on this side, a sentence; "" if they do not."""
        wait = waiting(self.stage, Bet)
        if any((x.on, x.side) == (on, side) for x in wait):
            return f"You have bet {self._stake_on(on, side)} on that; it is placed with the next step."
        left = self.stage.viewer.world.bets.points - sum(x.stake for x in wait)
        few = f"A stake of {self.stake} is more than you have left, {count_of(left, 'point')}."
        return few if self.stake > left else ""

    async def _bet(self, on: str, side: str) -> None:
        before = await past_of(self.stage)
        if against := self._against(on, side):
            self.stage.notify(against, timeout=SHORT, markup=False)
        elif before is not None:
            ask_town(self.stage, Bet(on=on, side=side, stake=self.stake, before=before))
