"""What somebody who is played can say to another: how each is likely to be taken, why, and who else will mind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.text import clean, upper
from sandbox.play.acts import Offer, every_offer, offers
from sandbox.play.meaning import meant
from sandbox.play.model import Leave
from sandbox.tui.ink import ALARM, BLUE, DIM, GOLD, SOFT, TEXT, Line, gauge, hung, ink, prose
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.playing.carry import ask_words, on, partner, words_row
from sandbox.tui.stage import Stage

GAUGE = 8  # cells of how likely it is that something is accepted
WAYS = {"accept": "agrees", "dodge": "lets it pass", "refuse": "refuses", "lie": "lies"}
LEAST = 0.05  # chance from which a way is named


class ActsLeaf(Leaf[Stage]):
    """What there is to say to somebody. whom: that person; words: in one's own, "" for those of the town."""

    kind = "acts"
    picks = True
    keys = frozenset({"play.act"})

    def __init__(self, stage: Stage, whom: str) -> None:
        super().__init__(stage, clean(f"You, to {stage.viewer.name(whom)}", 70))
        self.whom = whom
        self.words = ""
        self._known: tuple[object, list[Offer]] | None = None

    def entries(self, width: int) -> Sequence[Entry]:
        me = self.stage.viewer.plays
        if not me:
            return [Entry(prose("Nobody is played now.", width))]
        out = [Entry([*hung([], self._state(me), width, SOFT, most=2), []])]
        found = self._offers(me)
        w = self.stage.viewer.world
        likely, sure = meant(w, every_offer(w, me, self.whom), self.words) if self.words else ([], False)
        if likely:
            says = "It sounds like" if sure else "It may be one of these; choose what you mean by it"
            out.append(Entry([[ink(says, GOLD)]]))
        found = likely + [x for x in found if x not in likely]
        out += [self._offer(offer, width) for offer in found]
        if not found:
            out.append(Entry(prose("There is nothing to say to them now.", width)))
        out.append(words_row(self.words, width, self._type))
        if partner(self.stage.viewer, me):
            out.append(Entry([[ink("✎ ", DIM), ink("take leave", SOFT)]], self._leave, "leave"))
        return out

    def _offers(self, me: str) -> list[Offer]:
        viewer = self.stage.viewer
        key = (viewer.view, viewer.view.version, viewer.world.now)
        if self._known is None or self._known[0] != key:
            self._known = (key, offers(viewer.world, me, self.whom))
        return self._known[1]

    def _state(self, me: str) -> str:
        """How they look, and what they are to you, in words."""
        viewer = self.stage.viewer
        row = viewer.view.row(self.whom, viewer.shown)
        tie = viewer.world.people.ties.get(me, {}).get(self.whom)
        known = f"you have talked {tie.talks} times" if tie is not None and tie.talks else "you have hardly talked"
        looks = f": {row.mood}, {row.doing}" if viewer.view.shows(self.whom, viewer.shown) else ""
        return f"{viewer.name(self.whom)}, {viewer.view.place(self.whom, viewer.shown)}{looks}; {known}."

    def _offer(self, offer: Offer, width: int) -> Entry:
        says = upper(offer.says) + (f": {offer.matter}" if offer.matter else "")
        lines: list[Line] = [*hung([], clean(says, 200), width, TEXT, most=2)]
        plain = offer.do not in self.stage.viewer.world.drama.exchanges
        lines += hung(
            [ink("  "), *expected(offer, plain)], ", ".join(rule.name for rule in offer.why), width, SOFT, most=2
        )
        if offer.minds:
            name = self.stage.viewer.name
            minds = "; ".join(f"{name(m.who)}: {m.why}" for m in offer.minds[:3])
            lines += hung([ink("  who minds: ", DIM)], minds, width, ALARM, most=2)
        return Entry(lines, partial(self._say, offer), (offer.do, offer.aim))

    def _say(self, offer: Offer) -> None:
        me = self.stage.viewer.plays
        if on(self.stage, offer.command(me, self.whom, self.words)):
            self.stage.close_all()

    def _leave(self) -> None:
        if on(self.stage, Leave(by=self.stage.viewer.plays)):
            self.stage.close_all()

    def _type(self) -> None:
        title = f"What you say to {self.stage.viewer.name(self.whom)}; then choose what it is for"
        ask_words(self.stage, title, self.words, self._take)

    def _take(self, words: str) -> None:
        self.words = words
        self.stage.sheet.begin()


def expected(offer: Offer, plain: bool) -> Line:
    """How something is likely to be taken. plain: it is ordinary talk, for which one needs but time and will."""
    if offer.chances is None:
        return [ink("who can tell? ", BLUE)]
    yes = offer.chances.get("accept", 0.0)
    ways = [(how, p) for how, p in sorted(offer.chances.items(), key=lambda one: -one[1]) if p >= LEAST]
    if plain:
        return [*gauge(yes, GAUGE, BLUE), ink(f" listens {100 * yes:.0f} %  ", BLUE)]
    says = ", ".join(f"{WAYS[how]} {100 * p:.0f} %" for how, p in ways)
    return [*gauge(yes, GAUGE, BLUE), ink(f" {says}  ", BLUE)]
