"""The finder: type a few letters, and go to a person, a place or something that happened."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Click
from textual.message import Message

from sandbox.core.text import clean
from sandbox.people.mood_words import MARKS
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import WordInput
from sandbox.tui.sheets.talk import open_talk
from sandbox.tui.view.search import EVENTS, Search, SearchResult, plain_letters
from sandbox.tui.view.text_lines import (
    BLUE,
    CHOSEN,
    DIM,
    GOLD,
    SOFT,
    TEXT,
    Line,
    as_lines,
    ink,
    of_mood,
    outside,
    with_background,
    with_end,
)
from sandbox.tui.widgets.lines import ListPane, TypedScreen

KIND = 8  # cells for the kind of a result
READING = "Nothing like that yet; reading what was before ..."
EMPTY = "Type a name, a job, a place, or a word of what happened."


class FoundPane(ListPane):
    """The list of results, with a cursor."""

    class Entered(Message):
        """A result was clicked."""

    def __init__(self, stage: TownLayout, id: str) -> None:
        super().__init__(stage.viewer, id)
        self.words: Sequence[str] = ()
        self.found: Sequence[SearchResult] = ()
        self.more = False
        self.cursor = self.top = 0

    def show(self, found: Sequence[SearchResult], words: Sequence[str], cursor: int, more: bool) -> None:
        """Show results, with the matches of `words` marked. more: whether earlier rows are still being read."""
        self.found, self.words, self.more = found, words, more
        self.cursor, self.top = max(0, min(cursor, len(found) - 1)), 0
        self.pull()

    @property
    def chosen(self) -> SearchResult | None:
        """The result under the cursor, None if there is none."""
        return self.found[self.cursor] if self.found else None

    def move(self, by: int) -> None:
        """Move the cursor down by so many results; up if negative."""
        self.cursor = max(0, min(len(self.found) - 1, self.cursor + by))
        self.pull()

    def lines(self, width: int, height: int) -> Sequence[Line]:
        if not self.found:
            says = (READING if self.more else "Nothing like that is known here.") if self.words else EMPTY
            return as_lines(says, width)
        self.top = min(max(self.top, self.cursor - height + 1), self.cursor)
        shown = range(self.top, min(len(self.found), self.top + height))
        lines = {i: self._line(self.found[i], width) for i in shown}
        return [with_background(line, CHOSEN, width) if i == self.cursor else line for i, line in lines.items()]

    def _line(self, found: SearchResult, width: int) -> Line:
        """A result's line: its kind, what it is, and what enter does."""
        viewer = self.viewer
        kind = ink(f"{'thing' if found.says == 'thing' else found.kind:<{KIND}}", DIM)
        row = found.row
        if row is not None:
            clock = viewer.world.clock
            today = clock.day(row.t) == clock.day(int(viewer.shown))
            when = clock.hhmm(row.t) if today else clock.words(row.t)
            does = "read the talk" if row.talk else "show in the timeline"
            line = [kind, ink(f"{when} ", BLUE), ink(f"{row.mark} ", GOLD), *lit(row.text, self.words, SOFT)]
        elif found.who and viewer.there(found.who):
            mood = viewer.view.row(found.who, viewer.shown).mood
            does = "go there"
            line = [kind, ink(f"{MARKS[mood]} ", of_mood(mood), bold=True), *lit(found.text, self.words, TEXT)]
            line += [ink("  "), *lit(found.says, self.words, SOFT)]
        else:
            does = "show on the map"
            line = [kind, *lit(found.text, self.words, TEXT)]
        return with_end(line, [ink(does, DIM)], width)

    # ---- the mouse

    def on_click(self, event: Click) -> None:
        offset = event.get_content_offset(self)
        if offset is not None and self.top + offset.y < len(self.found):
            self.cursor = self.top + offset.y
            self.post_message(self.Entered())


def lit(text: str, words: Sequence[str], fg: int) -> Line:
    """A text from outside as a line in which the first match of each word is highlighted. words: as `plain_letters`."""
    text = clean(text)
    low = plain_letters(text)
    if len(low) != len(text):  # a letter became several without its accent, so places do not match
        return [outside(text, fg)]
    spans = sorted((low.index(word), low.index(word) + len(word)) for word in words if word in low)
    out: Line = []
    at = 0
    for start, end in spans:
        if start >= at:
            out += [ink(text[at:start], fg), ink(text[start:end], GOLD, bold=True)]
            at = end
    return [segment for segment in (*out, ink(text[at:], fg)) if segment.text]


class Finder(TypedScreen[SearchResult]):
    """The screen of the finder; gives the chosen result, or None."""

    def __init__(self, stage: TownLayout) -> None:
        super().__init__()
        self.stage = stage
        self.search = Search(stage.viewer)
        self.asked = WordInput(placeholder="name, place, event", id="asked")
        self.pane = FoundPane(stage, "found")
        self._found: str | None = None  # the text that the list shows results for
        self._wanting = False  # whether more results may come from rows that are still being read

    def compose(self) -> ComposeResult:
        frame = Vertical(self.asked, self.pane, id="finder")
        frame.border_title = "Find"
        frame.border_subtitle = "↑ ↓ choose   enter goes   esc closes"
        yield frame

    def on_mount(self) -> None:
        self.asked.focus()
        self.call_after_refresh(self._find_asked)
        self.stage.viewer.past.heard.append(self._heard)

    def on_unmount(self) -> None:
        self.stage.viewer.past.heard.remove(self._heard)

    def _heard(self) -> None:
        """Search again when more earlier rows have been read."""
        if self._wanting:
            self._find(self.asked.value, self.pane.cursor)

    def _find(self, text: str, cursor: int = 0) -> None:
        self._found = text
        words, past = plain_letters(text).split(), self.stage.viewer.past
        found = self.search.find(text) if words else [self.search.person(who) for who in self.stage.people.sorted()[:8]]
        self._wanting = bool(words) and not past.whole and sum(one.row is not None for one in found) < EVENTS
        if self._wanting:
            past.want()
        self.pane.show(found, words, cursor, self._wanting)

    def _find_asked(self) -> None:
        """Search for the typed text, unless the list already shows it."""
        if self._found != self.asked.value:
            self._find(self.asked.value)

    def on_input_changed(self) -> None:
        self._find_asked()

    def on_input_submitted(self) -> None:
        self._find_asked()  # enter may come before the search
        if self.pane.chosen is not None:
            self.dismiss(self.pane.chosen)

    def on_found_pane_entered(self) -> None:
        self.dismiss(self.pane.chosen)


async def go_to(stage: TownLayout, found: SearchResult | None) -> None:
    """Go to a result of the finder; None = stay."""
    if found is None:
        return
    stage.close_all()
    if found.who:
        stage.go_to_person(found.who, "town")
    elif found.row is None:
        stage.leave_trace()
        stage.viewer.following = False
        stage.show_pane("town")
        stage.town.stand(*found.at, stage.town.zoom)
    else:
        stage.leave_trace()
        if found.row.who:
            stage.choose(found.row.who[0], look=True)
        stage.show_pane("timeline")
        stage.timeline.filter = "all"
        stage.timeline.go_to(found.number)
        if found.row.talk:
            await open_talk(stage, found.row.talk)
    stage.update()
