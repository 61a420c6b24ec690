"""What another has come for, and waits: what there is to say to it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.text import clean
from sandbox.people.played import SPOKEN, Put
from sandbox.play.model import Reply
from sandbox.stories.pressures import says as matter_says
from sandbox.tui.ink import DIM, GOLD, SOFT, TEXT, hung, ink, prose
from sandbox.tui.leaves.typed import TypedLine
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.sheet import Leaf
from sandbox.tui.persons.matters import matter_of
from sandbox.tui.playing.carry import on
from sandbox.tui.stage import Stage

WAYS = {
    "accept": "agree to it", "dodge": "let it pass, and speak of something else", "refuse": "refuse",
    "lie": "say what is not so",
}  # fmt: skip


class ReplyLeaf(Leaf[Stage]):
    """The ways to answer. words: in one's own, "" for those of the town."""

    kind = "reply"
    picks = True

    def __init__(self, stage: Stage, put: Put) -> None:
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
            out.append(Entry([*prose(matter_says(w.handbook, matter_of(p)), width, SOFT), []]))
        if self.stage.viewer.world.played.put is None:
            return [*out, Entry(prose("They wait no longer.", width))]
        ways = ["accept", "dodge", "refuse", *(["lie"] if w.drama.exchanges[self.put.do].lie else [])]
        out += [Entry([[ink("▶ ", GOLD), ink(WAYS[how], TEXT)]], partial(self._answer, how), how) for how in ways]
        says = f"in your own words: “{self.words}”" if self.words else "in your own words ..."
        return [*out, Entry([[], *hung([ink("✎ ", GOLD)], says, width, SOFT)], self._type, "words")]

    def _answer(self, how: str) -> None:
        if on(self.stage, Reply(by=self.stage.viewer.plays, how=how, words=self.words)):
            self.stage.close_all()

    def _type(self) -> None:
        def typed(line: str | None) -> None:
            if line is not None:
                self.words = clean(line, SPOKEN)
                self.stage.sheet.pull()

        title = "What you say; then choose how you mean it"
        self.stage.app.push_screen(TypedLine(title, self.words, "", SPOKEN, lambda text: None), typed)
