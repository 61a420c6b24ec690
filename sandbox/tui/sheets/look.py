"""Search for posts and users of the feed: those that contain the typed text are listed while the player types."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from sandbox.feed.cards import person_for
from sandbox.feed.finding import LOOKED, find_posts, find_users
from sandbox.feed.reading import handle_of, name_of_user, text_of
from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.feed_reader import FeedReader
from sandbox.tui.panes.feed_tabs import User
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import WordInput
from sandbox.tui.sheets.find import lit
from sandbox.tui.view.card_lists import KeyList, OrderedKeys
from sandbox.tui.view.search import plain_letters
from sandbox.tui.view.text_lines import DIM, SOFT, TEXT, Line, as_lines, fit, ink, outside, width_of, with_end
from sandbox.tui.widgets.lines import TypedScreen
from sandbox.tui.widgets.windowed import WindowedPane

EMPTY = "Type what a post, a name or a handle holds."
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


class FoundPosts(WindowedPane):
    """The list of results, a line each. letters: the query they were found for; busy: whether a search is going on."""

    marks = True

    class Entered(Message):
        """A result was clicked."""

    def __init__(self, reader: FeedReader, id: str) -> None:
        super().__init__(reader.viewer, id)
        self.reader = reader
        self.letters = ""
        self.busy = False
        self._listed = KeyList()

    def show(self, query: str, keys: Sequence[Hashable]) -> None:
        """Show the results of a query."""
        self.letters, self._listed = query, KeyList(keys)
        self.begin()
        self.pull()

    def items(self) -> OrderedKeys:
        return self._listed

    def state(self) -> object:
        return self._listed

    def go_in(self, key: Hashable) -> None:
        self.post_message(self.Entered())

    def drawn(self, key: Hashable, width: int) -> Sequence[Line]:
        reader, words = self.reader, plain_letters(self.letters).split()
        if isinstance(key, User):
            line = [ink("user  ", DIM), *reader.called(key.number)]
            bio = person_for(reader.feed, reader.me, key.number, reader.words).bio
            return [fit([*line, ink("  "), *lit(excerpt(bio, words, width // 2), words, DIM)], width)]
        if not isinstance(key, int) or not reader.has(key):
            return [[ink("a post that is not there", DIM)]]
        c = reader.card(key)
        line = [ink("post  ", DIM), outside(reader.short(c.writer), SOFT), ink(": ", SOFT)]
        line += lit(excerpt(c.text, words, width - width_of(line) - AGE), words, TEXT)
        return [with_end(line, [ink(reader.ago(c.t), DIM)], width)]

    def lines(self, width: int, height: int) -> Sequence[Line]:
        says = "looking ..." if self.busy else "Nothing on the feed holds this." if self.letters else EMPTY
        return self.body(width, height, 0) or as_lines(says, width)


class FeedFinder(TypedScreen[Looked]):
    """The screen of the search; gives what was found and chosen, or None."""

    def __init__(self, stage: TownLayout) -> None:
        super().__init__()
        self.reader: FeedReader = stage.find(FeedPane).reader
        self.asked = WordInput(placeholder="what a post or a name holds", id="asked")
        self.pane = FoundPosts(self.reader, "found")
        self._users: list[int] = []
        self._posts: list[int] = []
        self._found = ""  # the query these were found for

    def compose(self) -> ComposeResult:
        frame = Vertical(self.asked, self.pane, id="finder")
        frame.border_title = "Look on the feed"
        frame.border_subtitle = "↑ ↓ choose   enter goes   esc closes"
        yield frame

    def on_mount(self) -> None:
        self.asked.focus()

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
        self.pane.show(query.strip(), [*map(User, first), *posts, *map(User, users[len(first) :])])

    # ---- choosing

    def on_input_submitted(self) -> None:
        if self._found != self.asked.value:  # enter may come before the search
            query = self.asked.value
            self._take(query, self._found_users(query), self._found_posts(query))
        self._choose()

    def on_found_posts_entered(self) -> None:
        self._choose()

    def _choose(self) -> None:
        if self.pane.chosen is not None:
            self.dismiss(Looked(self._found.strip(), self._users, self._posts, self.pane.chosen))
