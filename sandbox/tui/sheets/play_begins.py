"""What the played person can begin with another without any pressure to, and giving, lending and borrowing coins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sandbox.core.plain import count_of
from sandbox.core.text import clean, spelt, upper
from sandbox.feed.cards import Card
from sandbox.people.played import GIVE, LEND, PAY, TalkWish
from sandbox.phones.seeing import resident_of
from sandbox.play.activities_offered import from_time_words, later_offers
from sandbox.play.acts import TalkOffer, begun_offer, every_offer, no_hand, oldest_debt, takes
from sandbox.play.acts_without_talk import LOOK, no_phone, on_phone
from sandbox.play.beginnings import find_beginning, why_not, wish_of
from sandbox.play.model import Begin, Hand, PhoneCommand
from sandbox.readers.stories_of_play import outcome_percents, reasons_with_signs
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.run_command import ask_sum, ask_words, run_in_one_step, run_until_done, words_row
from sandbox.tui.view.text_lines import ALARM, BLUE, DIM, GOLD, SOFT, TEXT, Line, as_lines, gauge, hung, ink, outside
from sandbox.tui.widgets.entries import Entry, heading
from sandbox.tui.widgets.sheet_pane import Sheet


def write_to(stage: TownLayout, whom: str) -> None:
    """Ask for a message to somebody, and send it."""
    title = clean(f"What you write to {stage.viewer.name(whom)}", 70)

    def sends(words: str) -> None:
        _does(stage, PhoneCommand(by=stage.viewer.plays, do="message", whom=whom, words=words))

    ask_words(stage, title, "", sends)


def _does(stage: TownLayout, command: PhoneCommand) -> None:
    if run_in_one_step(stage, command):
        stage.sheets.pull()


class PhoneSheet(Sheet[TownLayout]):
    """The phone's first page: look, post, and the posts seen last."""

    kind = "phone"
    picks = True

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage, clean(f"{stage.viewer.name(stage.viewer.plays)}'s phone", 70))

    def entries(self, width: int) -> Sequence[Entry]:
        w, me = self.stage.viewer.world, self.stage.viewer.plays
        if not me or (why := no_phone(w, me)):
            return [Entry(as_lines(f"{why}." if me else "Nobody is played now.", width))]
        out = [
            Entry([[ink("▶ ", GOLD), ink("look what there is", TEXT)]], self._look, LOOK),
            Entry([[ink("✎ ", GOLD), ink("post something ...", TEXT)]], self._write, "post"),
        ]
        seen = on_phone(w, me)
        if seen:
            out.append(heading("Seen last"))
        return [*out, *(self._card(x, width) for x in seen)]

    def _card(self, x: Card, width: int) -> Entry:
        head = [outside(clean(x.writer_name, 60), DIM), ink(": ", DIM)]
        lines = hung(head, clean(x.text, 300), width, TEXT, most=3)
        told = count_of(x.likes, "like") + (", yours too" if x.liked else "") + ", " + count_of(x.comments, "comment")
        opens = partial(self.stage.open_sheet, CardSheet(self.stage, x))
        return Entry([*lines, [ink(f"  {told}", SOFT)]], opens, x.number)

    def _look(self) -> None:
        _does(self.stage, PhoneCommand(by=self.stage.viewer.plays, do=LOOK))

    def _write(self) -> None:
        ask_words(self.stage, "What you post, for all to read", "", self._post)

    def _post(self, words: str) -> None:
        _does(self.stage, PhoneCommand(by=self.stage.viewer.plays, do="post", words=words))


class CardSheet(Sheet[TownLayout]):
    """What can be done with one post: like it, pass it on, comment, follow or write to its author."""

    kind = "phone card"
    picks = True

    def __init__(self, stage: TownLayout, card: Card) -> None:
        super().__init__(stage, clean(f"{card.writer_name}, on the feed", 70))
        self.card = card

    def entries(self, width: int) -> Sequence[Entry]:
        w, x = self.stage.viewer.world, self.card
        out = [Entry([*hung([], clean(x.text, 300), width, TEXT, most=6), []])]
        out.append(self._row("like it", partial(self._do, "like"), "like"))
        out.append(self._row("pass it on", partial(self._do, "repost"), "repost"))
        out.append(self._row("comment ...", self._comment, "comment"))
        if (who := resident_of(w, x.writer)) and who != self.stage.viewer.plays:
            out.append(self._row("follow them", partial(self._do, "follow", who), "follow"))
            out.append(self._row("write to them ...", partial(write_to, self.stage, who), "message"))
        return out

    def _row(self, says: str, does: Callable[[], None], key: str) -> Entry:
        return Entry([[ink("▶ ", GOLD), ink(says, TEXT)]], does, key)

    def _do(self, do: str, whom: str = "", words: str = "") -> None:
        command = PhoneCommand(by=self.stage.viewer.plays, do=do, whom=whom, card=self.card.number, words=words)
        if run_in_one_step(self.stage, command):
            self.stage.close_sheet()

    def _comment(self) -> None:
        ask_words(self.stage, "What you write under it", "", lambda words: self._do("comment", words=words))


GAUGE = 8  # cells of the bar that shows how likely an acceptance is
WAYS = {"accept": "agrees", "dodge": "lets it pass", "refuse": "refuses", "lie": "lies"}


def offer_entry(stage: TownLayout, offer: TalkOffer, width: int, does: Callable[[], None]) -> Entry:
    """An entry for something that can be said: its likely response, the reasons for that, and who will mind."""
    says = upper(offer.says) + (f": {offer.matter}" if offer.matter else "")
    lines: list[Line] = [*hung([], clean(says, 200), width, TEXT, most=2)]
    plain = offer.do not in stage.viewer.world.drama.exchanges
    lines += hung([ink("  "), *likely_response(offer, plain)], reasons_with_signs(offer.why), width, SOFT, most=2)
    if offer.minds:
        minds = "; ".join(f"{stage.viewer.name(m.who)}: {m.why}" for m in offer.minds[:3])
        lines += hung([ink("  who minds: ", DIM)], minds, width, ALARM, most=2)
    return Entry(lines, does, (offer.do, offer.aim, offer.coins))


def likely_response(offer: TalkOffer, plain: bool) -> Line:
    """The likely response to an offer. plain: ordinary talk, where to accept just means to listen."""
    if offer.chances is None:
        return [ink("who can tell? ", BLUE)]
    yes = offer.chances.get("accept", 0.0)
    if plain:
        return [*gauge(yes, GAUGE, BLUE), ink(f" listens {100 * yes:.0f} %  ", BLUE)]
    says = ", ".join(f"{WAYS[how]} {percent} %" for how, percent in outcome_percents(offer.chances))
    return [*gauge(yes, GAUGE, BLUE), ink(f" {says}  ", BLUE)]


SUMS = (1, 5, 10)  # coins offered as ready choices
THIRDS = 3  # rows per beginning, each about another third person; any other can be named in words
BORROW = "borrow"  # the beginning that this sheet lists with the coins
HEADS = {GIVE: "Give", LEND: "Lend", PAY: "Pay back"}


def begin_rows(stage: TownLayout, whom: str, words: str) -> list[Entry]:
    """The rows that open the other sheets: beginnings, coins, and a message by phone."""
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
    """What cannot be said to somebody yet, and from when on it can."""
    w = stage.viewer.world
    found = later_offers(w, stage.viewer.plays, whom)
    if not found:
        return []
    told = [(x.says + (f": {x.matter}" if x.matter else ""), from_time_words(w.clock, x.at)) for x in found]
    lines = [hung([ink("· ", DIM)], clean(f"{upper(says)}, {at}", 200), width, SOFT, most=2) for says, at in told]
    return [heading("Not now, but later"), *map(Entry, lines)]


class BeginSheet(Sheet[TownLayout]):
    """Everything that can be begun with `whom`. words: the player's own wording, "" for the town's."""

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
    """Coins to give, lend or pay back to `whom`, and loans to ask them for."""

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
        """The loans that can be asked for, each with its likely response."""
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
