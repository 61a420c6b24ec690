"""The finders: type a few letters, and go to a person, a place or something that happened, or to a post or user of the
feed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from sandbox.core.text import clean
from sandbox.feed.cards import person_for
from sandbox.feed.finding import LOOKED, find_posts, find_users
from sandbox.feed.reading import handle_of, name_of_user, text_of
from sandbox.people.mood_words import MARKS
from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.feed_reader import FeedReader
from sandbox.tui.panes.feed_tabs import User
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import WordInput
from sandbox.tui.sheets.talk import open_talk
from sandbox.tui.view.card_lists import KeyList
from sandbox.tui.view.search import EVENTS, Search, SearchResult, plain_letters
from sandbox.tui.view.text_lines import Ink, Line, as_lines, fit, ink, of_mood, outside, width_of, with_end
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.lines import Answer, TypedScreen
from sandbox.tui.widgets.windowed import WindowedPane

KIND = 8  # cells for the kind of a result
READING = "Nothing like that yet; reading what was before ..."


class FoundList(WindowedPane):
    """Results under a cursor, a line each, with the words that were looked for marked. Subclasses give `drawn`, and
    `nothing`. found: the results; words: as `plain_letters`.
    """

    marks = True

    class Entered(Message):
        """A result was clicked."""

    def __init__(self, viewer: Viewer, id: str) -> None:
        super().__init__(viewer, id)
        self.words: Sequence[str] = ()
        self.found: Sequence[Hashable] = ()
        self._keys = KeyList()

    def show(self, found: Sequence[Hashable], words: Sequence[str], cursor: int = 0) -> None:
        """Show results, with the cursor on one of them."""
        self.found, self.words, self._keys = found, words, KeyList(found)
        self.begin()
        self.pull()
        if cursor:
            self.move(cursor)

    def items(self) -> KeyList:
        return self._keys

    def state(self) -> object:
        return self._keys

    def go_in(self, key: Hashable) -> None:
        self.post_message(self.Entered())

    def nothing(self) -> str:
        """What it says in place of results."""
        raise NotImplementedError

    def lines(self, width: int, height: int) -> Sequence[Line]:
        return self.body(width, height, 0) or as_lines(self.nothing(), width)


def lit(text: str, words: Sequence[str], fg: Ink) -> Line:
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
            out += [ink(text[at:start], fg), ink(text[start:end], "accent", bold=True)]
            at = end
    return [segment for segment in (*out, ink(text[at:], fg)) if segment.text]


class FinderScreen(TypedScreen[Answer]):
    """A line to type in, and the list of what is found. Subclasses search while it is typed, and say what was chosen.

    head: the words over it; asks: an example in the line.
    """

    head = asks = ""

    def __init__(self, stage: TownLayout, pane: FoundList) -> None:
        super().__init__()
        self.stage, self.found_list = stage, pane
        self.asked = WordInput(placeholder=self.asks, id="asked")

    def compose(self) -> ComposeResult:
        frame = Vertical(self.asked, self.found_list, id="finder")
        frame.border_title = self.head
        frame.border_subtitle = "↑ ↓ choose   enter goes   esc closes"
        yield frame

    def on_mount(self) -> None:
        self.asked.focus()

    def on_input_submitted(self) -> None:
        self.catch_up()  # enter may come before the search
        self.choose()

    def on_found_list_entered(self) -> None:
        self.choose()

    def catch_up(self) -> None:
        """Search for the typed text, unless the list already shows it."""
        raise NotImplementedError

    def choose(self) -> None:
        """Close the screen with what is under the cursor, if there is anything."""
        raise NotImplementedError


# ---- in the town


class FoundInTown(FoundList):
    """People, places and events. more: whether earlier rows are still being read."""

    eager = True
    more = False

    def nothing(self) -> str:
        if not self.words:
            return "Type a name, a job, a place, or a word of what happened."
        return READING if self.more else "Nothing like that is known here."

    def drawn(self, key: Hashable, width: int) -> Sequence[Line]:
        """A result's line: its kind, what it is, and what enter does."""
        assert isinstance(key, SearchResult)
        viewer, found = self.viewer, key
        kind = ink(f"{'thing' if found.says == 'thing' else found.kind:<{KIND}}", "dim")
        row = found.row
        if row is not None:
            clock = viewer.world.clock
            today = clock.day(row.t) == clock.day(int(viewer.shown))
            when = clock.hhmm(row.t) if today else clock.words(row.t)
            does = "read the talk" if row.talk else "show in the timeline"
            line = [kind, ink(f"{when} ", "link"), ink(f"{row.mark} ", "accent"), *lit(row.text, self.words, "soft")]
        elif found.who and viewer.is_known(found.who):
            mood = viewer.view.row(found.who, viewer.shown).mood
            does = "go there"
            line = [kind, ink(f"{MARKS[mood]} ", of_mood(mood), bold=True), *lit(found.text, self.words, "text")]
            line += [ink("  "), *lit(found.says, self.words, "soft")]
        else:
            does = "show on the map"
            line = [kind, *lit(found.text, self.words, "text")]
        return [with_end(line, [ink(does, "dim")], width)]


class Finder(FinderScreen[SearchResult]):
    """The finder of the town; gives the chosen result, or None."""

    head, asks = "Find", "name, place, event"

    def __init__(self, stage: TownLayout) -> None:
        self.pane = FoundInTown(stage.viewer, "found")
        super().__init__(stage, self.pane)
        self.search = Search(stage.viewer)
        self._found: str | None = None  # the text that the list shows results for
        self._wanting = False  # whether more results may come from rows that are still being read

    def on_mount(self) -> None:
        self.call_after_refresh(self.catch_up)
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
        self.pane.more = self._wanting
        self.pane.show(found, words, cursor)

    def catch_up(self) -> None:
        if self._found != self.asked.value:
            self._find(self.asked.value)

    def on_input_changed(self) -> None:
        self.catch_up()

    def choose(self) -> None:
        if isinstance(self.pane.chosen, SearchResult):
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


# ---- on the feed

FEW = 4  # users that are listed before the posts
AGE = 10  # cells for the age of a post
SLICE = 100  # users or posts whose words are made between two turns of the event loop


class Looked(NamedTuple):
    """A search: the query, the users and posts found, and the key of the chosen one."""

    query: str
    users: Sequence[int]
    posts: Sequence[int]
    key: Hashable


def excerpt(text: str, words: Sequence[str], cells: int) -> str:
    """The text, cut at the front if need be, so that the first match of these words is within so many cells."""
    at = min((found for word in words if (found := plain_letters(text).find(word)) >= 0), default=0)
    end = at + max(map(len, words), default=0)
    return text if end <= cells else "…" + text[max(0, at - cells // 3) :]


class FoundOnFeed(FoundList):
    """Posts and users. busy: whether a search is going on."""

    busy = False

    def __init__(self, reader: FeedReader, id: str) -> None:
        super().__init__(reader.viewer, id)
        self.reader = reader

    def nothing(self) -> str:
        if self.busy:
            return "looking ..."
        return "Nothing on the feed contains this." if self.words else "Type a part of a post, a name or a handle."

    def drawn(self, key: Hashable, width: int) -> Sequence[Line]:
        reader, words = self.reader, self.words
        if isinstance(key, User):
            line = [ink("user  ", "dim"), *reader.called(key.number)]
            bio = person_for(reader.feed, reader.me, key.number, reader.words).bio
            return [fit([*line, ink("  "), *lit(excerpt(bio, words, width // 2), words, "dim")], width)]
        if not isinstance(key, int) or not reader.has(key):
            return [[ink("a post that is not there", "dim")]]
        c = reader.card(key)
        line = [ink("post  ", "dim"), outside(reader.short(c.writer), "soft"), ink(": ", "soft")]
        line += lit(excerpt(c.text, words, width - width_of(line) - AGE), words, "text")
        return [with_end(line, [ink(reader.ago(c.t), "dim")], width)]


class FeedFinder(FinderScreen[Looked]):
    """The search of the feed; gives what was found and chosen, or None."""

    head, asks = "Look on the feed", "a part of a post or a name"

    def __init__(self, stage: TownLayout) -> None:
        self.reader: FeedReader = stage.find(FeedPane).reader
        self.pane = FoundOnFeed(self.reader, "found")
        super().__init__(stage, self.pane)
        self._users: list[int] = []
        self._posts: list[int] = []
        self._found = ""  # the query these were found for

    # ---- searching, a slice at a time, so that keys are never kept waiting

    def on_input_changed(self) -> None:
        if not self.pane.busy:
            self.pane.busy = True
            self.run_worker(self._look(), group="looking", exit_on_error=False)

    async def _look(self) -> None:
        """Search until the typed text is the one that was searched for, since it may change meanwhile."""
        try:
            self.pane.pull()
            await self._make_words()
            while self._found != self.asked.value:
                query = self.asked.value
                await asyncio.sleep(0)
                users = self._found_users(query)
                await asyncio.sleep(0)
                self._take(query, users, self._found_posts(query))
        finally:
            self.pane.busy = False
            self.pane.pull()

    async def _make_words(self) -> None:
        """Make the words of all posts and users that a search looks at; slow only the first time."""
        feed, words = self.reader.feed, self.reader.words
        made = 0
        for root in feed.roots.card[max(0, feed.roots.n - LOOKED) : feed.roots.n].tolist():
            text_of(feed, root, words)
            if (made := made + 1) % SLICE == 0:
                await asyncio.sleep(0)
        for user in range(max(0, feed.crowd - LOOKED), feed.crowd):
            name_of_user(feed, user, words), handle_of(feed, user, words), words.bio(feed, user)
            if (made := made + 1) % SLICE == 0:
                await asyncio.sleep(0)

    def _found_users(self, query: str) -> list[int]:
        return find_users(self.reader.feed, self.reader.me, query, self.reader.words) if query.strip() else []

    def _found_posts(self, query: str) -> list[int]:
        return find_posts(self.reader.feed, self.reader.me, query, self.reader.words) if query.strip() else []

    def _take(self, query: str, users: list[int], posts: list[int]) -> None:
        self._found, self._users, self._posts = query, users, posts
        first = users[:FEW] if posts else users
        found = [*map(User, first), *posts, *map(User, users[len(first) :])]
        self.pane.show(found, plain_letters(query).split())

    # ---- choosing

    def catch_up(self) -> None:
        if self._found != self.asked.value:
            query = self.asked.value
            self._take(query, self._found_users(query), self._found_posts(query))

    def choose(self) -> None:
        if self.pane.chosen is not None:
            self.dismiss(Looked(self._found.strip(), self._users, self._posts, self.pane.chosen))
