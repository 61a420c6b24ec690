"""The interview: the player asks the chosen person questions; nothing in the town changes by it."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.events import Click
from textual.message import Message

from sandbox.core.text import clean
from sandbox.director.dealing import card_questions
from sandbox.people.asking import LETTERS
from sandbox.readers.places import asked_of, latest_thing
from sandbox.store.side_tables import InterviewRow
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import WordInput
from sandbox.tui.sheets.event import open_event
from sandbox.tui.view import mind_progress
from sandbox.tui.view.person_words import person_title, short_age
from sandbox.tui.view.text_lines import Line, as_lines, fit, ink, outside, with_background, wrap_cells
from sandbox.tui.widgets.lines import ListPane, TypedScreen

BEAT = 0.25  # seconds between two redraws while an answer is awaited
INDENT = 2  # cells before a memory
MANY = 40  # earlier questions that are shown at most
EMPTY = (
    "Ask {name} anything: how they are, what they did, what they think of somebody, what they know or mean to do. "
    "They answer from what they remember, and will not remember that you asked."
)


class InterviewLine(NamedTuple):
    """A line of the interview. seq: the event it leads to, 0 = none. ask: a question that it offers, "" = none."""

    line: Line
    seq: int = 0
    ask: str = ""


class SaidPane(ListPane):
    """Questions and answers so far, then suggested questions. The cursor moves over the suggested questions and the
    memories that answers rest on.
    """

    class Entered(Message):
        """A memory or a question was clicked."""

    def __init__(self, stage: TownLayout, who: str, id: str) -> None:
        super().__init__(stage.viewer, id)
        self._interviews = stage.interviews
        self.who = who
        self.cursor = 0  # 0 = on nothing; else which line that can be chosen, counted from the lowest, 1
        self._top = 0  # index of the first line in view
        self._cited: list[int] = []  # indices of the lines that can be chosen

    @property
    def chosen(self) -> InterviewLine | None:
        """The memory or the question under the cursor, None if the cursor is on none."""
        parts = self._parts(self.content_size.width)
        at = self._at() if self.cursor and self._cited else -1
        return parts[at] if 0 <= at < len(parts) else None

    def _at(self) -> int:
        return self._cited[-min(self.cursor, len(self._cited))]

    def move(self, by: int) -> None:
        """Move the cursor down by so many lines that can be chosen; below the lowest lies the input line."""
        self.cursor = max(0, min(len(self._cited), self.cursor - by))
        self.pull()

    def lines(self, width: int, height: int) -> Sequence[Line]:
        parts = self._parts(width)
        self._cited = [i for i, part in enumerate(parts) if part.seq or part.ask]
        self.cursor = min(self.cursor, len(self._cited))
        at = self._at() if self.cursor else len(parts) - 1
        last = min(len(parts), max(height, at + height // 2)) if self.cursor else len(parts)
        self._top = max(0, last - height)
        return [
            with_background(part.line, "chosen", width) if self.cursor and i == at else part.line
            for i, part in enumerate(parts[self._top : self._top + height], self._top)
        ]

    def _parts(self, width: int) -> list[InterviewLine]:
        interviews = self._interviews
        asked, pending = interviews.of(self.who)[-MANY:], interviews.pending.get(self.who)
        name = self.viewer.name(self.who)
        if not asked and pending is None:
            return [*map(InterviewLine, as_lines(EMPTY.format(name=name), width)), *self._offers(width)]
        out = [part for one in asked for part in self._one(one, name, width)]
        if pending is not None:
            out += _question(pending.ask, "", width)
            seconds = int(self.viewer.clock() - pending.since)
            says = f"{mind_progress.thinking_mark(self.viewer)} {name} is thinking, {seconds} s"
            out.append(InterviewLine([outside(says, "link")]))
        for says in (interviews.faults.get(self.who, ""), interviews.fault):
            if says:
                text = f"The embedded mind answered: {says}" if says is not interviews.fault else f"Not kept: {says}"
                out += map(InterviewLine, as_lines(text, width, "dim", most=2))
        return [*out, *self._offers(width)] if pending is None else out

    def _offers(self, width: int) -> list[InterviewLine]:
        """Suggested questions, about cards that reached the person within a day and the latest thing about them."""
        viewer = self.viewer
        thing = latest_thing(viewer.things.at(viewer.shown), self.who)
        asks = [clean(asked_of(thing), LETTERS)] if thing is not None else []
        found = dict.fromkeys((*card_questions(viewer.world, self.who, int(viewer.shown)), *asks))
        lines = [InterviewLine(fit([ink("? ", "link"), outside(ask, "link")], width), ask=ask) for ask in found]
        return [InterviewLine([]), *lines] if lines else []

    def _one(self, one: InterviewRow, name: str, width: int) -> list[InterviewLine]:
        viewer = self.viewer
        out = _question(one.ask, viewer.world.clock.words(one.t), width)
        first, *rest = wrap_cells(f"{name}: {clean(one.answer, 1200)}", width)
        said = len(clean(name)) + 1
        # `wrap_cells` has cleaned it
        out.append(InterviewLine([ink(first[:said], "accent", bold=True), ink(first[said:])]))
        out += [InterviewLine([ink(part)]) for part in rest]
        stream = viewer.world.memories.streams.get(self.who)
        for id in one.memories:
            node = stream.node(id) if stream is not None else None
            if node is not None:
                age = short_age(one.t - node.t)
                text = wrap_cells(node.text, max(8, width - INDENT - 8), 1)[0]
                out.append(InterviewLine([ink(" " * INDENT), ink(f"{age:>4} ", "dim"), ink(text, "link")], node.seq))
        return [*out, InterviewLine([])]

    def on_click(self, event: Click) -> None:
        at = self.clicked(event, range(self._top, self._top + self.content_size.height))
        if at is not None and at in self._cited:
            self.cursor = len(self._cited) - self._cited.index(at)
            self.post_message(self.Entered())


def _question(text: str, when: str, width: int) -> list[InterviewLine]:
    head = f"{when}  " if when else ""
    return list(map(InterviewLine, as_lines(f"{head}You: {text}", width)))


class InterviewScreen(TypedScreen[int]):
    """The screen of the interview; gives the number of the event to go to, None or 0 for none. If it is closed while
    the person thinks, their answer is still awaited and kept.
    """

    def __init__(self, stage: TownLayout, who: str) -> None:
        super().__init__()
        self.stage, self.who = stage, who
        self.pane = SaidPane(stage, who, "said")
        self.question = WordInput(placeholder="ask something", id="question", max_length=LETTERS)

    def compose(self) -> ComposeResult:
        frame = Vertical(self.pane, self.question, id="interview")
        frame.border_title = Content(person_title(self.stage.viewer, self.who))
        frame.border_subtitle = "enter asks   ↑ ↓ memories, enter goes there   esc closes"
        yield frame

    def on_mount(self) -> None:
        self.question.focus()
        self.set_interval(BEAT, self._beat)
        self._work(self.stage.interviews.read(self.who))

    def _beat(self) -> None:
        if self.who in self.stage.interviews.pending:
            self.pane.pull()

    def _work(self, work: Awaitable[object]) -> None:
        self.stage.run_worker(self._telling(work), group="interviews")

    async def _telling(self, work: Awaitable[object]) -> None:
        """Await work that reads the save, report its errors, and redraw."""
        with self.stage.telling():
            await work
        if self.is_attached:
            self.pane.pull()

    def on_input_changed(self) -> None:
        if self.pane.cursor:  # typing moves the cursor back to the input line
            self.pane.cursor = 0
            self.pane.pull()

    def on_input_submitted(self) -> None:
        chosen = self.pane.chosen
        if chosen is not None and chosen.seq:
            self.dismiss(chosen.seq)
        elif chosen is not None:
            self._put(chosen.ask)
        else:
            self._put(self.question.value)

    def _put(self, ask: str) -> None:
        if ask.strip() and self.who not in self.stage.interviews.pending:
            self._work(self.stage.interviews.ask(self.who, ask))
            self.question.value = ""
            self.pane.cursor = 0
            self.call_after_refresh(self.pane.pull)

    def on_said_pane_entered(self) -> None:
        self.on_input_submitted()


async def go_to_memory(stage: TownLayout, seq: int | None) -> None:
    """Show the event of a memory; 0 or None = do nothing."""
    if seq:
        await open_event(stage, seq)
        stage.update()
