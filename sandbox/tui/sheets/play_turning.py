"""Turning points of the played person, with three stances to choose from; and answers to somebody who asks them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.text import clean, upper
from sandbox.people.played import CameToHead, PutTo, pending_question
from sandbox.play.acts import answers_to
from sandbox.play.model import Reply, Stance, Stand
from sandbox.play.turning import StanceChoice, choices, pending
from sandbox.readers.pressures import matter_sentence
from sandbox.readers.stories_of_play import TITLES, minders, reasons_with_signs, stance_words, waiting_point_words
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.person_matters import matter_of_pressure
from sandbox.tui.sheets.play_begins import likely_response
from sandbox.tui.sheets.run_command import ask_words, run_in_one_step, run_until_done, words_row
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import ALARM, DIM, GOLD, SOFT, TEXT, Line, as_lines, hung, ink, key_line
from sandbox.tui.widgets.entries import Entry
from sandbox.tui.widgets.sheet_pane import Sheet

BRANCH = "play.branch"  # the action that tries a stance in a save of its own


class TurningSheet(Sheet[TownLayout]):
    """A turning point and its stances. words: the player's own wording, "" for the town's."""

    kind = "turning"
    picks = True
    keys = frozenset((BRANCH, "replay.branch"))  # the same key, live and in a replay

    def __init__(self, stage: TownLayout, point: CameToHead) -> None:
        super().__init__(stage, clean(f"A turning point for {stage.viewer.name(stage.viewer.world.played.who)}", 70))
        self.point = point
        self.words = ""
        called = stage.viewer.called  # a save that tries a stance is named after it
        self.start = next((how for how, words in TITLES.items() if called.startswith(words)), "let_be")
        self._known: tuple[object, tuple[StanceChoice, ...]] | None = None

    def entries(self, width: int) -> Sequence[Entry]:
        w = self.stage.viewer.world
        out = [Entry([*as_lines(waiting_point_words(w, self.point), width, TEXT), []])]
        if pending(w) != self.point:
            return [*out, Entry(as_lines("It waits no longer.", width))]
        out += [self._row(choice, width) for choice in self._choices()]
        out.append(words_row(self.words, width, self._type))
        if key := first_key(BRANCH, self.stage.viewer.keys):
            out.append(Entry([[], key_line(key, "tries a stance in a save of its own, called after it")]))
        return out

    def chosen(self) -> StanceChoice | None:
        """The stance under the cursor; None if there is none or it cannot be taken."""
        entry = self.stage.sheets.chosen if self.stage.sheets.topmost is self else None
        key = entry.key if entry is not None else ""
        return next((x for x in self._choices() if x.stance == key and not x.why_not), None)

    def _choices(self) -> tuple[StanceChoice, ...]:
        viewer = self.stage.viewer
        key = (viewer.view, viewer.view.version, viewer.world.now)
        if self._known is None or self._known[0] != key:
            self._known = (key, choices(viewer.world, self.point))
        return self._known[1]

    def _row(self, choice: StanceChoice, width: int) -> Entry:
        w, name = self.stage.viewer.world, upper(TITLES[choice.stance])
        if choice.why_not:
            return Entry(hung([ink(f"  {name}: ", DIM)], f"it cannot be: {choice.why_not}", width, DIM))
        says = stance_words(w.handbook, choice)
        lines: list[Line] = [*hung([ink("▶ ", GOLD), ink(f"{name}: ", TEXT, bold=True)], says, width, TEXT)]
        if choice.offer is not None:
            rules = reasons_with_signs(choice.offer.why)
            lines += hung([ink("  "), *likely_response(choice.offer, plain=False)], rules, width, SOFT, most=2)
            if minds := minders(w.handbook, choice, self.point.whom):
                lines += hung([ink("  who minds: ", DIM)], "; ".join(minds), width, ALARM, most=2)
        return Entry(lines, partial(self._take, choice.stance), choice.stance)

    def _take(self, stance: Stance) -> None:
        goes = run_in_one_step if stance == "let_be" else run_until_done
        if goes(self.stage, Stand(by=self.stage.viewer.plays, how=stance, words=self.words)):
            self.stage.close_all()

    def _type(self) -> None:
        ask_words(self.stage, "What you say; then choose how you stand", self.words, self._typed)

    def _typed(self, words: str) -> None:
        self.words = words
        self.stage.sheets.pull()


def branch(stage: TownLayout) -> None:
    """Branch into a new save named after the stance under the cursor, and play on there; the old save stays."""
    sheet = stage.sheets.topmost
    choice = sheet.chosen() if isinstance(sheet, TurningSheet) else None
    if choice is None:
        stage.notify("Stand on a stance that can be taken first.", timeout=4, markup=False)
        return
    viewer = stage.viewer
    whom = f": {viewer.name(choice.whom)}" if choice.whom else ""
    stage.close_all()
    stage.program.take_back(viewer, viewer.world.step, clean(f"{TITLES[choice.stance]}{whom}", 60))


# ---- somebody has come with a question and waits for the answer


WAYS = {
    "accept": "agree to it", "dodge": "let it pass, and speak of something else", "refuse": "refuse",
    "lie": "say what is not so",
}  # fmt: skip


class ReplySheet(Sheet[TownLayout]):
    """The ways to answer a question put to the played person. words: the player's own wording, "" for the town's."""

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
            out.append(Entry([*as_lines(matter_sentence(w.handbook, matter_of_pressure(p)), width, SOFT), []]))
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
