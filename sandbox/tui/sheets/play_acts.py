"""What the played person can say to another: how each is likely to be received, why, and who else will mind."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.plain import count_of
from sandbox.core.text import clean
from sandbox.play.acts import TalkOffer, every_offer, talk_offers
from sandbox.play.model import Leave
from sandbox.play.reading import match_offers
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.play_begins import begin_rows, offer_entry
from sandbox.tui.sheets.run_command import ask_words, run_until_done, talk_partner, words_row
from sandbox.tui.view.text_lines import DIM, GOLD, SOFT, as_lines, hung, ink
from sandbox.tui.widgets.entries import Entry
from sandbox.tui.widgets.sheet_pane import Sheet


class ActsSheet(Sheet[TownLayout]):
    """The things that can be said to `whom`. words: the player's own wording, "" for the town's."""

    kind = "acts"
    picks = True
    keys = frozenset({"play.act"})

    def __init__(self, stage: TownLayout, whom: str) -> None:
        super().__init__(stage, clean(f"You, to {stage.viewer.name(whom)}", 70))
        self.whom = whom
        self.words = ""
        self._known: tuple[object, list[TalkOffer]] | None = None

    def entries(self, width: int) -> Sequence[Entry]:
        me = self.stage.viewer.plays
        if not me:
            return [Entry(as_lines("Nobody is played now.", width))]
        out = [Entry([*hung([], self._state(me), width, SOFT, most=2), []])]
        found = self._offers(me)
        w = self.stage.viewer.world
        likely, sure = match_offers(w, every_offer(w, me, self.whom), self.words) if self.words else ([], False)
        if likely:
            says = "It sounds like" if sure else "It may be one of these; choose what you mean by it"
            out.append(Entry([[ink(says, GOLD)]]))
        found = likely + [x for x in found if x not in likely]
        out += [offer_entry(self.stage, offer, width, partial(self._say, offer)) for offer in found]
        if not found:
            out.append(Entry(as_lines("There is nothing to say to them now.", width)))
        out.append(words_row(self.words, width, self._type))
        out += begin_rows(self.stage, self.whom, self.words)
        if talk_partner(self.stage.viewer, me):
            out.append(Entry([[ink("✎ ", DIM), ink("take leave", SOFT)]], self._leave, "leave"))
        return out

    def _offers(self, me: str) -> list[TalkOffer]:
        viewer = self.stage.viewer
        key = (viewer.view, viewer.view.version, viewer.world.now)
        if self._known is None or self._known[0] != key:
            self._known = (key, talk_offers(viewer.world, me, self.whom))
        return self._known[1]

    def _state(self, me: str) -> str:
        """Where they are, how they look, and how often you have talked, in one sentence."""
        viewer = self.stage.viewer
        row = viewer.view.row(self.whom, viewer.shown)
        tie = viewer.world.people.ties.get(me, {}).get(self.whom)
        known = (
            f"you have had {count_of(tie.talks, 'talk')}" if tie is not None and tie.talks else "you have hardly talked"
        )
        looks = f": {row.mood}, {row.doing}" if viewer.view.shows(self.whom, viewer.shown) else ""
        return f"{viewer.name(self.whom)}, {viewer.view.place(self.whom, viewer.shown)}{looks}; {known}."

    def _say(self, offer: TalkOffer) -> None:
        me = self.stage.viewer.plays
        if run_until_done(self.stage, offer.command(me, self.whom, self.words)):
            self.stage.close_all()

    def _leave(self) -> None:
        if run_until_done(self.stage, Leave(by=self.stage.viewer.plays)):
            self.stage.close_all()

    def _type(self) -> None:
        title = f"What you say to {self.stage.viewer.name(self.whom)}; then choose what it is for"
        ask_words(self.stage, title, self.words, self._take)

    def _take(self, words: str) -> None:
        self.words = words
        self.stage.sheets.begin()
