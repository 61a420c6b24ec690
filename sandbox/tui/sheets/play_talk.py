"""What the played person can say to another, begin with them, give and lend them: how each is likely to be received,
why, and who else will mind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sandbox.core.plain import count_of
from sandbox.core.text import clean, spelt, upper
from sandbox.people.played import GIVE, LEND, PAY, TalkWish
from sandbox.play.activities_offered import from_time_words, later_offers
from sandbox.play.acts import TalkOffer, begun_offer, every_offer, no_hand, oldest_debt, takes, talk_offers
from sandbox.play.acts_without_talk import no_phone
from sandbox.play.beginnings import find_beginning, why_not, wish_of
from sandbox.play.model import Begin, Hand, Leave, PhoneCommand
from sandbox.play.reading import match_offers
from sandbox.readers.stories_of_play import outcome_percents, reasons_with_signs
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.run_command import PlaySheet, ask_sum, ask_words, run_in_one_step, run_until_done, talk_partner
from sandbox.tui.view.text_lines import Line, as_lines, gauge, hung, ink
from sandbox.tui.widgets.entries import Deed, Entry, group, heading, marked, remark

GAUGE = 8  # cells of the bar that shows how likely an acceptance is
WAYS = {"accept": "agrees", "dodge": "lets it pass", "refuse": "refuses", "lie": "lies"}


def offer_entry(stage: TownLayout, offer: TalkOffer, width: int, does: Deed) -> Entry:
    """An entry for something that can be said: its likely response, the reasons for that, and who will mind."""
    says = upper(offer.says) + (f": {offer.matter}" if offer.matter else "")
    lines: list[Line] = [*hung([], clean(says, 200), width, most=2)]
    plain = offer.do not in stage.viewer.world.drama.exchanges
    lines += hung([ink("  "), *likely_response(offer, plain)], reasons_with_signs(offer.why), width, "soft", most=2)
    if offer.minds:
        minds = "; ".join(f"{stage.viewer.name(m.who)}: {m.why}" for m in offer.minds[:3])
        lines += hung([ink("  who minds: ", "dim")], minds, width, "alarm", most=2)
    return Entry(lines, does, (offer.do, offer.aim, offer.coins))


def likely_response(offer: TalkOffer, plain: bool) -> Line:
    """The likely response to an offer. plain: ordinary talk, where to accept just means to listen."""
    if offer.chances is None:
        return [ink("who can tell? ", "link")]
    yes = offer.chances.get("accept", 0.0)
    if plain:
        return [*gauge(yes, GAUGE, "link"), ink(f" listens {100 * yes:.0f} %  ", "link")]
    says = ", ".join(f"{WAYS[how]} {percent} %" for how, percent in outcome_percents(offer.chances))
    return [*gauge(yes, GAUGE, "link"), ink(f" {says}  ", "link")]


class ActsSheet(PlaySheet):
    """The things that can be said to `whom`."""

    kind = "acts"
    keys = frozenset({"play.act"})

    def __init__(self, stage: TownLayout, whom: str) -> None:
        super().__init__(stage, clean(f"You, to {stage.viewer.name(whom)}", 70))
        self.whom = whom
        self._known: tuple[object, list[TalkOffer]] = (None, [])

    def rows(self, me: str, width: int) -> Sequence[Entry]:
        w, whom = self.world, self.whom
        out = [Entry([*hung([], self._state(me), width, "soft", most=2), []])]
        if self._known[0] != self.state_key:
            self._known = (self.state_key, talk_offers(w, me, whom))
        found = self._known[1]
        likely, sure = match_offers(w, every_offer(w, me, whom), self.words) if self.words else ([], False)
        if likely:
            says = "It sounds like" if sure else "It may be one of these; choose what you mean by it"
            out.append(Entry([[ink(says, "accent")]]))
        for offer in [*likely, *(x for x in found if x not in likely)]:
            does = self.until_done(offer.command(me, whom, self.words))
            out.append(offer_entry(self.stage, offer, width, does))
        if not likely and not found:
            out.append(remark("There is nothing to say to them now.", width))
        title = f"What you say to {self.viewer.name(whom)}; then choose what it is for"
        out += [self.words_row(title, width), *self._other_sheets(me)]
        if talk_partner(self.viewer, me):
            out.append(marked("✎", "take leave", self.until_done(Leave(by=me)), "leave", "dim", "soft"))
        return out

    def _state(self, me: str) -> str:
        """Where they are, how they look, and how often you have talked, in one sentence."""
        viewer = self.viewer
        row = viewer.view.row(self.whom, viewer.shown)
        tie = viewer.world.people.ties.get(me, {}).get(self.whom)
        talks = tie.talks if tie is not None else 0
        known = f"you have had {count_of(talks, 'talk')}" if talks else "you have hardly talked"
        looks = f": {row.mood}, {row.doing}" if viewer.view.shows(self.whom, viewer.shown) else ""
        return f"{viewer.name(self.whom)}, {viewer.view.place(self.whom, viewer.shown)}{looks}; {known}."

    def _other_sheets(self, me: str) -> list[Entry]:
        """The rows that open the other sheets: beginnings, coins, and a message by phone."""
        w, stage, whom, words = self.world, self.stage, self.whom, self.words
        out = []
        if w.drama.beginnings:
            says = "begin something, or later ..."
            out.append(marked("▶", says, lambda: stage.open_sheet(BeginSheet(stage, whom, words)), "begin", fg="soft"))
        if w.money is not None:
            says = "coins: give, lend, pay back, borrow ..."
            out.append(marked("$", says, lambda: stage.open_sheet(CoinsSheet(stage, whom)), "coins", fg="soft"))
        if not no_phone(w, me) and whom in w.feed.handles:
            writes = partial(write_to, stage, whom)
            out.append(marked("✉", "write to them, on the phone ...", writes, "message", fg="soft"))
        return out

    def take_words(self, words: str) -> None:
        self.words = words
        self.stage.sheets.begin()


SUMS = (1, 5, 10)  # coins offered as ready choices
THIRDS = 3  # rows per beginning, each about another third person; any other can be named in words
BORROW = "borrow"  # the beginning that this sheet lists with the coins
HEADS = {GIVE: "Give", LEND: "Lend", PAY: "Pay back"}


def later_rows(stage: TownLayout, whom: str, width: int) -> list[Entry]:
    """What cannot be said to somebody yet, and from when on it can."""
    w = stage.viewer.world
    out = []
    for x in later_offers(w, stage.viewer.plays, whom):
        says = upper(f"{x.says}: {x.matter}" if x.matter else x.says)
        at = from_time_words(w.clock, x.at)
        out.append(Entry(hung([ink("· ", "dim")], clean(f"{says}, {at}", 200), width, "soft", most=2)))
    return group("Not now, but later", out)


class BeginSheet(PlaySheet):
    """Everything that can be begun with `whom`."""

    kind = "begin"

    def __init__(self, stage: TownLayout, whom: str, words: str = "") -> None:
        super().__init__(stage, clean(f"To begin with {stage.viewer.name(whom)}", 70))
        self.whom, self.words = whom, words

    def rows(self, me: str, width: int) -> Sequence[Entry]:
        every = [x for x in every_offer(self.world, me, self.whom) if x.begins]
        found = [x for n, x in enumerate(every) if sum(y.begins == x.begins for y in every[:n]) < THIRDS]
        out = []
        for offer in found:
            does = self.until_done(offer.command(me, self.whom, self.words))
            out.append(offer_entry(self.stage, offer, width, does))
        if not found:
            out.append(remark("There is nothing to begin with them now.", width))
        out.append(self.words_row("What you say; then choose what you begin with it", width))
        return [*out, *later_rows(self.stage, self.whom, width)]


class CoinsSheet(PlaySheet):
    """Coins to give, lend or pay back to `whom`, and loans to ask them for."""

    kind = "coins"

    def __init__(self, stage: TownLayout, whom: str) -> None:
        super().__init__(stage, clean(f"Coins, and {stage.viewer.name(whom)}", 70))
        self.whom = whom

    def rows(self, me: str, width: int) -> Sequence[Entry]:
        w = self.world
        purse, debt = w.people.residents[me].purse.coins, oldest_debt(w, me, self.whom)
        out = [Entry([*as_lines(f"You have {spelt(purse)}.", width), []])]
        for how, head in HEADS.items():
            most = min(purse, debt.amount) if how == PAY and debt is not None else purse
            sums = [n for n in dict.fromkeys((*SUMS, most)) if 0 < n <= most and not self._not(me, how, n)]
            if not sums:
                continue
            out.append(heading(head + (f", of {spelt(debt.amount)} owed" if how == PAY and debt is not None else "")))
            for n in sums:
                says = upper(f"{'all of it: ' if n == most else ''}{spelt(n)}")
                out.append(marked("▶", says, partial(self._hand, me, how, n), (how, n)))
            out.append(self._typed(how, partial(self._hand, me, how)))
            if not takes(w, me, self.whom, how):
                out.append(remark("They would not take it from you.", width, "link"))
        return [*out, *self._loans(me, width)]

    def _loans(self, me: str, width: int) -> list[Entry]:
        """The loans that can be asked for, each with its likely response."""
        w = self.world
        b = find_beginning(w, BORROW)
        wishes = [wish_of(w, me, self.whom, BORROW, "", n, "") for n in b.sums] if b is not None else []
        offers = [begun_offer(w, me, self.whom, x) for x in wishes if not why_not(w, me, x)]
        if not offers:
            return []
        out = [offer_entry(self.stage, x, width, partial(self._ask, me, x.coins)) for x in offers]
        return [heading("Ask for a loan"), *out, self._typed(BORROW, partial(self._ask, me))]

    def _not(self, me: str, how: str, coins: int) -> str:
        return no_hand(self.world, me, TalkWish(self.whom, how, "", "", 0, 0, coins=coins))

    def _typed(self, how: str, runs: Callable[[int], None]) -> Entry:
        """The row that asks for another sum. runs: called with it."""
        title = f"How many coins: {HEADS.get(how, 'ask for a loan').lower()}"
        asks = partial(ask_sum, self.stage, title, runs)
        return marked("✎", "another sum ...", asks, how, "dim", "soft")

    def _hand(self, me: str, how: str, coins: int) -> None:
        self.run(run_until_done, Hand(by=me, whom=self.whom, how=how, coins=coins))

    def _ask(self, me: str, coins: int) -> None:
        self.run(run_until_done, Begin(by=me, whom=self.whom, what=BORROW, coins=coins))


# ---- messages by phone


def write_to(stage: TownLayout, whom: str) -> None:
    """Ask for a message to somebody, and send it."""
    title = clean(f"What you write to {stage.viewer.name(whom)}", 70)

    def sends(words: str) -> None:
        do_by_phone(stage, PhoneCommand(by=stage.viewer.plays, do="message", whom=whom, words=words))

    ask_words(stage, title, "", sends)


def do_by_phone(stage: TownLayout, command: PhoneCommand) -> None:
    """Run a command, and leave the open sheet as it is."""
    if run_in_one_step(stage, command):
        stage.sheets.pull()
