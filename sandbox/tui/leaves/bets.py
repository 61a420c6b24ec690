"""Bets: the tally, what is bet on, and what falls due with its odds; enter bets, and `[` `]` change the stake."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.plain import counted
from sandbox.director.bets.model import Bet, BetPlaced, Offer
from sandbox.director.bets.offers import offers
from sandbox.tui.hands.asking import ask_town, past_of
from sandbox.tui.ink import DIM, GOLD, SOFT, TEXT, WARM, Line, ended, gauge, hung, ink, outside, prose
from sandbox.tui.panes.entries import Entry, heading
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.stage import Stage

STAKES = (10, 25, 50, 100)  # points of a bet
GAUGE = 10  # cells of a chance


class BetsLeaf(Leaf[Stage]):
    """What can be bet on. stake: points of a bet, one of STAKES."""

    kind, title = "bets", "Bets"
    turns = True

    def __init__(self, stage: Stage, stake: int = STAKES[0]) -> None:
        super().__init__(stage)
        self.stake = stake
        self._seq, self._found = -1, list[Offer]()

    def turned(self, by: int) -> BetsLeaf:
        at = STAKES.index(self.stake) + by
        leaf = BetsLeaf(self.stage, STAKES[max(0, min(len(STAKES) - 1, at))])
        leaf.start = self.stage.sheet.chosen.key if self.stage.sheet.chosen is not None else None
        return leaf

    def entries(self, width: int) -> Sequence[Entry]:
        world = self.stage.viewer.world
        if self._seq != world.seq:
            self._found, self._seq = offers(world), world.seq
        state = world.bets
        tally = [
            ink(counted(state.points, "point"), GOLD, bold=True),
            ink(f"  {state.won} won, {state.lost} lost", DIM),
        ]
        stake = [ink(f"stake {self.stake}", TEXT), ink("  [ less, ] more", DIM)]
        out = [Entry([ended(tally, stake, width)])]
        if state.open:
            out += [heading("Open"), *(self._open(x, width) for x in state.open.values())]
        if not self._found:
            return [*out, Entry([[], *prose("Nothing falls due within a day that can be bet on.", width)])]
        for x in self._found:
            out += [self._head(x, width), *(self._side(x, side, width) for side in _by_chance(x))]
        return out

    def _open(self, x: BetPlaced, width: int) -> Entry:
        clock = self.stage.viewer.world.clock
        lines = hung([ink(f"  {x.stake} ", WARM)], x.says, width, SOFT, most=2)
        pays: Line = [ink(f"    pays {x.pays:.2f}, decided on {clock.words(x.due)}", DIM)]
        return Entry([*lines, pays])

    def _head(self, x: Offer, width: int) -> Entry:
        clock = self.stage.viewer.world.clock
        return Entry([[], ended([outside(x.says, TEXT, bold=True)], [ink(clock.words(x.t), DIM)], width)])

    def _side(self, x: Offer, side: str, width: int) -> Entry:
        chance = x.chances[side]
        odds: Line = [
            *gauge(chance, GAUGE, WARM),
            ink(f" {100 * chance:3.0f} %", SOFT),
            ink(f"  {x.pays(side):5.2f}", GOLD),
        ]
        line = ended([ink("  "), outside(x.names[side], SOFT)], odds, width)
        return Entry([line], partial(self._bet, x.on, side), (x.on, side))

    async def _bet(self, on: str, side: str) -> None:
        before = await past_of(self.stage)
        if before is not None:
            ask_town(self.stage, Bet(on=on, side=side, stake=self.stake, before=before))


def _by_chance(x: Offer) -> list[str]:
    """The sides of an offer, the likeliest first."""
    return sorted(x.chances, key=lambda side: -x.chances[side])
