"""What somebody who is played can begin with another though nothing presses them to, and coins that change hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sandbox.core.text import clean, spelt, upper
from sandbox.people.played import GIVE, LEND, PAY, TalkWish
from sandbox.play.acts import TalkOffer, begun_offer, every_offer, no_hand, oldest_debt, takes
from sandbox.play.acts_without_talk import no_phone
from sandbox.play.beginnings import find_beginning, why_not, wish_of
from sandbox.play.model import Begin, Hand
from sandbox.play.offers_later import from_time_words, later_offers
from sandbox.readers.stories_of_play import outcome_percents, reasons_with_signs
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.play_phone import write_to
from sandbox.tui.sheets.run_command import ask_sum, ask_words, run_until_done, words_row
from sandbox.tui.view.text_lines import ALARM, BLUE, DIM, GOLD, SOFT, TEXT, Line, as_lines, gauge, hung, ink
from sandbox.tui.widgets.entries import Entry, heading
from sandbox.tui.widgets.sheet_pane import Sheet

GAUGE = 8  # cells of how likely it is that something is accepted
WAYS = {"accept": "agrees", "dodge": "lets it pass", "refuse": "refuses", "lie": "lies"}


def offer_entry(stage: TownLayout, offer: TalkOffer, width: int, does: Callable[[], None]) -> Entry:
    """Something that can be said, how it is likely to be taken, and who will mind."""
    says = upper(offer.says) + (f": {offer.matter}" if offer.matter else "")
    lines: list[Line] = [*hung([], clean(says, 200), width, TEXT, most=2)]
    plain = offer.do not in stage.viewer.world.drama.exchanges
    lines += hung([ink("  "), *likely_response(offer, plain)], reasons_with_signs(offer.why), width, SOFT, most=2)
    if offer.minds:
        minds = "; ".join(f"{stage.viewer.name(m.who)}: {m.why}" for m in offer.minds[:3])
        lines += hung([ink("  who minds: ", DIM)], minds, width, ALARM, most=2)
    return Entry(lines, does, (offer.do, offer.aim, offer.coins))


def likely_response(offer: TalkOffer, plain: bool) -> Line:
    """How something is likely to be taken. plain: it is ordinary talk, for which one needs but time and will."""
    if offer.chances is None:
        return [ink("who can tell? ", BLUE)]
    yes = offer.chances.get("accept", 0.0)
    if plain:
        return [*gauge(yes, GAUGE, BLUE), ink(f" listens {100 * yes:.0f} %  ", BLUE)]
    says = ", ".join(f"{WAYS[how]} {percent} %" for how, percent in outcome_percents(offer.chances))
    return [*gauge(yes, GAUGE, BLUE), ink(f" {says}  ", BLUE)]


SUMS = (1, 5, 10)
THIRDS = 3  # of others whom something may be about, as many are shown; all can be named in words
BORROW = "borrow"  # the beginning of the deck that stands among coins
HEADS = {GIVE: "Give", LEND: "Lend", PAY: "Pay back"}


def begin_rows(stage: TownLayout, whom: str, words: str) -> list[Entry]:
    """The rows that lead to what else there is: to begin, and coins."""
    w = stage.viewer.world
    out = []
    if w.drama.beginnings:
        begin = Entry(
            [[ink("▶ ", GOLD), ink("begin something, or later ...", SOFT)]],
            lambda: stage.open_sheet(BeginSheet(stage, whom, words)),
            "begin",
        )
        out.append(begin)
    if w.money is not None:
        says = "coins: give, lend, pay back, borrow ..."
        coins = Entry([[ink("$ ", GOLD), ink(says, SOFT)]], lambda: stage.open_sheet(CoinsSheet(stage, whom)), "coins")
        out.append(coins)
    if not no_phone(w, stage.viewer.plays) and whom in w.feed.handles:
        says = "write to them, on the phone ..."
        out.append(Entry([[ink("✉ ", GOLD), ink(says, SOFT)]], partial(write_to, stage, whom), "message"))
    return out


def later_rows(stage: TownLayout, whom: str, width: int) -> list[Entry]:
    """What can be said to somebody later, and from when on."""
    w = stage.viewer.world
    found = later_offers(w, stage.viewer.plays, whom)
    if not found:
        return []
    told = [(x.says + (f": {x.matter}" if x.matter else ""), from_time_words(w.clock, x.at)) for x in found]
    lines = [hung([ink("· ", DIM)], clean(f"{upper(says)}, {at}", 200), width, SOFT, most=2) for says, at in told]
    return [heading("Not now, but later"), *map(Entry, lines)]


class BeginSheet(Sheet[TownLayout]):
    """All there is to begin with somebody. words: in one's own, "" for those of the town."""

    kind = "begin"
    picks = True

    def __init__(self, stage: TownLayout, whom: str, words: str = "") -> None:
        super().__init__(stage, clean(f"To begin with {stage.viewer.name(whom)}", 70))
        self.whom, self.words = whom, words

    def entries(self, width: int) -> Sequence[Entry]:
        viewer = self.stage.viewer
        me = viewer.plays
        if not me:
            return [Entry(as_lines("Nobody is played now.", width))]
        every = [x for x in every_offer(viewer.world, me, self.whom) if x.begins]
        found = [x for n, x in enumerate(every) if sum(y.begins == x.begins for y in every[:n]) < THIRDS]
        out = [offer_entry(self.stage, x, width, partial(self._begin, x)) for x in found]
        if not found:
            out.append(Entry(as_lines("There is nothing to begin with them now.", width)))
        return [*out, words_row(self.words, width, self._type), *later_rows(self.stage, self.whom, width)]

    def _begin(self, offer: TalkOffer) -> None:
        if run_until_done(self.stage, offer.command(self.stage.viewer.plays, self.whom, self.words)):
            self.stage.close_all()

    def _type(self) -> None:
        ask_words(self.stage, "What you say; then choose what you begin by it", self.words, self._take)

    def _take(self, words: str) -> None:
        self.words = words
        self.stage.sheets.pull()


class CoinsSheet(Sheet[TownLayout]):
    """Coins for somebody, or of them."""

    kind = "coins"
    picks = True

    def __init__(self, stage: TownLayout, whom: str) -> None:
        super().__init__(stage, clean(f"Coins, and {stage.viewer.name(whom)}", 70))
        self.whom = whom

    def entries(self, width: int) -> Sequence[Entry]:
        w, me = self.stage.viewer.world, self.stage.viewer.plays
        if not me:
            return [Entry(as_lines("Nobody is played now.", width))]
        purse, debt = w.people.residents[me].purse.coins, oldest_debt(w, me, self.whom)
        out = [Entry([*as_lines(f"You have {spelt(purse)}.", width, SOFT), []])]
        for how in HEADS:
            most = min(purse, debt.amount) if how == PAY and debt is not None else purse
            sums = [n for n in dict.fromkeys((*SUMS, most)) if 0 < n <= most and not self._not(me, how, n)]
            if not sums:
                continue
            says = f", of {spelt(debt.amount)} owed" if how == PAY and debt is not None else ""
            out.append(heading(HEADS[how] + says))
            out += [self._row(how, n, "all of it: " if n == most else "", partial(self._hand, how, n)) for n in sums]
            out.append(self._typed(how, partial(self._hand, how)))
            if not takes(w, me, self.whom, how):
                out.append(Entry(as_lines("They would not take it of you.", width, BLUE)))
        return [*out, *self._loans(me, width)]

    def _loans(self, me: str, width: int) -> list[Entry]:
        """What can be asked for, with how it is likely to be taken."""
        w = self.stage.viewer.world
        b = find_beginning(w, BORROW)
        wishes = [wish_of(w, me, self.whom, BORROW, "", n, "") for n in b.sums] if b is not None else []
        can = [x for x in wishes if not why_not(w, me, x)]
        if not can:
            return []
        out = [heading("Ask for a loan")]
        out += [
            offer_entry(self.stage, begun_offer(w, me, self.whom, x), width, partial(self._ask, x.coins)) for x in can
        ]
        return [*out, self._typed(BORROW, self._ask)]

    def _not(self, me: str, how: str, coins: int) -> str:
        return no_hand(self.stage.viewer.world, me, TalkWish(self.whom, how, "", "", 0, 0, coins=coins))

    def _row(self, how: str, coins: int, before: str, does: Callable[[], None]) -> Entry:
        line: Line = [ink("▶ ", GOLD), ink(upper(f"{before}{spelt(coins)}"), TEXT)]
        return Entry([line], does, (how, coins))

    def _typed(self, how: str, does: Callable[[int], None]) -> Entry:
        title = f"How many coins: {HEADS.get(how, 'ask for a loan').lower()}"
        return Entry([[ink("✎ ", DIM), ink("another sum ...", SOFT)]], lambda: ask_sum(self.stage, title, does), how)

    def _hand(self, how: str, coins: int) -> None:
        if run_until_done(self.stage, Hand(by=self.stage.viewer.plays, whom=self.whom, how=how, coins=coins)):
            self.stage.close_all()

    def _ask(self, coins: int) -> None:
        if run_until_done(self.stage, Begin(by=self.stage.viewer.plays, whom=self.whom, what=BORROW, coins=coins)):
            self.stage.close_all()
