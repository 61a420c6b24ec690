"""The phone of somebody who is played: what they have seen on it, and what they write and do there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from sandbox.core.plain import count_of
from sandbox.core.text import clean
from sandbox.feed.cards import Card
from sandbox.phones.seeing import resident_of
from sandbox.play.acts_without_talk import LOOK, no_phone, on_phone
from sandbox.play.model import PhoneCommand
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.run_command import ask_words, run_in_one_step
from sandbox.tui.view.text_lines import DIM, GOLD, SOFT, TEXT, as_lines, hung, ink, outside
from sandbox.tui.widgets.entries import Entry, heading
from sandbox.tui.widgets.sheet_pane import Sheet


def write_to(stage: TownLayout, whom: str) -> None:
    """Have a message to somebody typed, and sent."""
    title = clean(f"What you write to {stage.viewer.name(whom)}", 70)

    def sends(words: str) -> None:
        _does(stage, PhoneCommand(by=stage.viewer.plays, do="message", whom=whom, words=words))

    ask_words(stage, title, "", sends)


def _does(stage: TownLayout, command: PhoneCommand) -> None:
    if run_in_one_step(stage, command):
        stage.sheets.pull()


class PhoneSheet(Sheet[TownLayout]):
    """What they have seen last."""

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
    """What can be done about a card."""

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
