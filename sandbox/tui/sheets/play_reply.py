"""What another has come for, and waits: what there is to say to it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.text import clean
from sandbox.people.played import PutTo, pending_question
from sandbox.play.acts import answers_to
from sandbox.play.model import Reply
from sandbox.readers.pressures import matter_sentence as matter_says
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.person_matters import matter_of_pressure
from sandbox.tui.sheets.run_command import ask_words, run_until_done, words_row
from sandbox.tui.view.text_lines import DIM, GOLD, SOFT, TEXT, as_lines, hung, ink
from sandbox.tui.widgets.entries import Entry
from sandbox.tui.widgets.sheet_pane import Sheet

WAYS = {
    "accept": "agree to it", "dodge": "let it pass, and speak of something else", "refuse": "refuse",
    "lie": "say what is not so",
}  # fmt: skip


class ReplySheet(Sheet[TownLayout]):
    """The ways to answer. words: in one's own, "" for those of the town."""

    kind = "reply"
    picks = True
    keys = frozenset({"play.act"})

    def __init__(self, stage: TownLayout, put: PutTo) -> None:
        name = stage.viewer.name(put.other)
        exchange = stage.viewer.world.drama.exchanges[put.do]
        super().__init__(stage, clean(f"{name} has come {exchange.says}", 70))
        self.put = put
        self.words = ""
        self.start = "accept"

    def entries(self, width: int) -> Sequence[Entry]:
        w = self.stage.viewer.world
        head = [ink(f"{self.stage.viewer.name(self.put.other)}: ", DIM)]
        out = [Entry([*hung(head, self.put.says, width, TEXT), []])]
        if (p := w.pressures.open.get(self.put.aim)) is not None:
            out.append(Entry([*as_lines(matter_says(w.handbook, matter_of_pressure(p)), width, SOFT), []]))
        if pending_question(w) is None:
            return [*out, Entry(as_lines("They wait no longer.", width))]
        ways = answers_to(w, self.put)
        out += [Entry([[ink("▶ ", GOLD), ink(WAYS[how], TEXT)]], partial(self._answer, how), how) for how in ways]
        return [*out, words_row(self.words, width, self._type)]

    def _answer(self, how: str) -> None:
        if run_until_done(self.stage, Reply(by=self.stage.viewer.plays, how=how, words=self.words)):
            self.stage.close_all()

    def _type(self) -> None:
        ask_words(self.stage, "What you say; then choose how you mean it", self.words, self._take)

    def _take(self, words: str) -> None:
        self.words = words
        self.stage.sheets.pull()
