"""Turning points of the played person, with three stances to choose from; and answers to somebody who asks them."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.text import clean, upper
from sandbox.people.played import CameToHead, PutTo, pending_question
from sandbox.play.acts import answers_to
from sandbox.play.model import Reply, Stand
from sandbox.play.turning import StanceChoice, choices, pending
from sandbox.readers.pressures import matter_sentence
from sandbox.readers.stories_of_play import TITLES, minders, reasons_with_signs, stance_words, waiting_point_words
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.person_matters import matter_of_pressure
from sandbox.tui.sheets.play_talk import likely_response
from sandbox.tui.sheets.run_command import PlaySheet
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import Line, as_lines, hung, ink, key_line
from sandbox.tui.widgets.entries import Entry, marked, remark

BRANCH = "play.branch"  # the action that tries a stance in a save of its own


class TurningSheet(PlaySheet):
    """A turning point and its stances."""

    kind = "turning"
    keys = frozenset((BRANCH, "replay.branch"))  # the same key, live and in a replay

    def __init__(self, stage: TownLayout, point: CameToHead) -> None:
        super().__init__(stage, clean(f"A turning point for {stage.viewer.name(stage.viewer.world.played.who)}", 70))
        self.point = point
        called = stage.viewer.called  # a save that tries a stance is named after it
        self.start = next((how for how, words in TITLES.items() if called.startswith(words)), "let_be")
        self._known: tuple[object, tuple[StanceChoice, ...]] = (None, ())

    def entries(self, width: int) -> Sequence[Entry]:
        w = self.world
        out = [Entry([*as_lines(waiting_point_words(w, self.point), width, "text"), []])]
        if pending(w) != self.point:
            return [*out, remark("It no longer waits.", width)]
        out += [self._row(choice, width) for choice in self._choices()]
        out.append(self.words_row("What you say; then choose how you stand", width))
        if key := first_key(BRANCH, self.viewer.keys):
            out.append(Entry([[], key_line(key, "tries a stance in a save of its own, named after it")]))
        return out

    def chosen(self) -> StanceChoice | None:
        """The stance under the cursor; None if there is none or it cannot be taken."""
        return next((x for x in self._choices() if x.stance == self.cursor_key and not x.why_not), None)

    def _choices(self) -> tuple[StanceChoice, ...]:
        if self._known[0] != self.state_key:
            self._known = (self.state_key, choices(self.world, self.point))
        return self._known[1]

    def _row(self, choice: StanceChoice, width: int) -> Entry:
        w, name = self.world, upper(TITLES[choice.stance])
        if choice.why_not:
            return Entry(hung([ink(f"  {name}: ", "dim")], f"not possible: {choice.why_not}", width, "dim"))
        says = stance_words(w.handbook, choice)
        lines: list[Line] = [*hung([ink("▶ ", "accent"), ink(f"{name}: ", bold=True)], says, width)]
        if choice.offer is not None:
            rules = reasons_with_signs(choice.offer.why)
            lines += hung([ink("  "), *likely_response(choice.offer, plain=False)], rules, width, "soft", most=2)
            if minds := minders(w.handbook, choice, self.point.whom):
                lines += hung([ink("  who minds: ", "dim")], "; ".join(minds), width, "alarm", most=2)
        goes = self.in_one_step if choice.stance == "let_be" else self.until_done
        return Entry(lines, goes(Stand(by=self.viewer.plays, how=choice.stance, words=self.words)), choice.stance)


def branch(stage: TownLayout) -> None:
    """Branch into a new save named after the stance under the cursor, and play on there; the old save stays."""
    sheet = stage.sheets.topmost
    choice = sheet.chosen() if isinstance(sheet, TurningSheet) else None
    if choice is None:
        stage.notify("First move to a stance that you can take.", timeout=4)
        return
    viewer = stage.viewer
    whom = f": {viewer.name(choice.whom)}" if choice.whom else ""
    stage.close_all()
    stage.program.take_back(viewer, viewer.world.step, clean(f"{TITLES[choice.stance]}{whom}", 60))


# ---- somebody has come with a question and waits for the answer


WAYS = {
    "accept": "agree to it", "dodge": "let it pass, and talk about something else", "refuse": "refuse",
    "lie": "say something untrue",
}  # fmt: skip


class ReplySheet(PlaySheet):
    """The ways to answer a question put to the played person."""

    kind = "reply"
    keys = frozenset({"play.act"})

    def __init__(self, stage: TownLayout, put: PutTo) -> None:
        name = stage.viewer.name(put.other)
        exchange = stage.viewer.world.drama.exchanges[put.do]
        super().__init__(stage, clean(f"{name} has come {exchange.says}", 70))
        self.put = put
        self.start = "accept"

    def entries(self, width: int) -> Sequence[Entry]:
        w = self.world
        head = [ink(f"{self.viewer.name(self.put.other)}: ", "dim")]
        out = [Entry([*hung(head, self.put.says, width), []])]
        if (p := w.pressures.open.get(self.put.aim)) is not None:
            out.append(Entry([*as_lines(matter_sentence(w.handbook, matter_of_pressure(p)), width), []]))
        if pending_question(w) is None:
            return [*out, remark("They no longer wait.", width)]
        for how in answers_to(w, self.put):
            answers = self.until_done(Reply(by=self.viewer.plays, how=how, words=self.words))
            out.append(marked("▶", WAYS[how], answers, how))
        return [*out, self.words_row("What you say; then choose how you mean it", width)]
