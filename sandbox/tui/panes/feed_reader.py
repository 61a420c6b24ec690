"""Reads the feed for the screen, as the chosen person or as nobody; gives names and looks of its users; draws cards.

It is read-only: nothing on the feed changes, and none of the town's random numbers are drawn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from sandbox.core.plain import count_of
from sandbox.engine.view import View
from sandbox.feed import cards
from sandbox.feed.cards import Card
from sandbox.feed.model import NOBODY, Account, Feed
from sandbox.feed.reading import WordSource, handle_of, name_of_user, unread_words
from sandbox.feed.words import CrowdWords
from sandbox.people.mood_words import MARKS, colour
from sandbox.phones.model import PhoneState, Written
from sandbox.tui.view.person_words import age
from sandbox.tui.view.text_lines import Line, fit, hung, ink, justify, of_mood, outside, width_of, with_end
from sandbox.tui.view.viewer import Viewer

KEPT = 65_536  # texts of each kind that the cache holds
CALM = 0.25  # real seconds for which a list stays unchanged while time runs


class KeptWords:
    """A cache over the crowd's names and texts (`feed.reading.WordSource`)."""

    def __init__(self, words: WordSource) -> None:
        self.find = words.find
        self.name = lru_cache(KEPT)(words.name)
        self.handle = lru_cache(KEPT)(words.handle)
        self.bio = lru_cache(KEPT)(words.bio)
        self.post = lru_cache(KEPT)(words.post)
        self.comment = lru_cache(KEPT)(words.comment)
        self.subject = words.subject


class FeedReader:
    """The feed of the shown world, as the chosen person's phone would show it. After a jump `feed` is a new object."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self._kept: tuple[Feed, KeptWords] | None = None
        self._moods: tuple[object, dict[str, str]] = (None, {})
        self._state: tuple[Feed, View, int, str] | None = None
        self._taken = 0.0

    @property
    def feed(self) -> Feed:
        """The state of the feed: accounts, posts, comments."""
        return self.viewer.world.feed

    @property
    def phones(self) -> PhoneState:
        """What the town knows of posts and phones beyond the texts: topics, readings, attacks."""
        return self.viewer.world.phones

    @property
    def there(self) -> bool:
        """Whether this world has a feed."""
        return bool(self.feed.accounts) or self.feed.crowd > 0

    @property
    def words(self) -> WordSource:
        """The names and texts of the crowd, cached for this feed."""
        feed = self.feed
        if self._kept is None or self._kept[0] is not feed:
            self._kept = (feed, KeptWords(CrowdWords.of(self.viewer.world.scenario)))
        return self._kept[1]

    @property
    def now(self) -> float:
        """The shown second of town time."""
        return self.viewer.shown

    @property
    def moment(self) -> tuple[Feed, View, int]:
        """A key that changes with each finished step and with a jump."""
        return self.feed, self.viewer.view, self.viewer.view.version

    @property
    def state(self) -> object:
        """A key that changes when the feed may have changed; while time runs, at most once per CALM seconds."""
        viewer = self.viewer
        now = (*self.moment, self.who)
        if now != self._state:
            feed, view, _, who = self._state or (None, None, 0, "")
            same, clock = (feed, view, who) == (*now[:2], now[3]), viewer.clock()
            if not (same and viewer.pace.running and clock - self._taken < CALM):
                self._state, self._taken = now, clock
        return self._state

    # ---- whose phone it is

    @property
    def who(self) -> str:
        """Id of the chosen person, "" = nobody; of the played person while the view is limited to what they know."""
        return self.viewer.knower or self.viewer.selected

    @property
    def me(self) -> int:
        """The user number of `who`; NOBODY if nobody is chosen or they have no account."""
        return self.feed.handles.get(self.who.lower(), NOBODY) if self.who else NOBODY

    @property
    def account(self) -> Account | None:
        """The account of `who`, None without one."""
        return self.feed.accounts.get(self.me)

    @property
    def name(self) -> str:
        """The first name of `who`, or "nobody"."""
        return self.viewer.name(self.who) if self.who else "nobody"

    # ---- who others are

    def resident(self, user: int) -> str:
        """The resident's id for a user number, "" for a stranger."""
        account = self.feed.accounts.get(user)
        return account.handle if account is not None and account.handle in self.viewer.world.cast else ""

    def residents(self) -> frozenset[int]:
        """The user numbers of all residents with an account."""
        handles = self.feed.handles
        return frozenset(handles[who.lower()] for who in self.viewer.world.cast if who.lower() in handles)

    def mood(self, who: str) -> str:
        """The name of a resident's mood at the shown second."""
        key = (self.moment, int(self.now) // 60)
        if self._moods[0] != key:
            self._moods = (key, {})
        moods = self._moods[1]
        if who not in moods:
            moods[who] = colour(self.viewer.view.pad(who, self.now))
        return moods[who]

    def short(self, user: int) -> str:
        """A user's name for use in a sentence: the first name of a resident, the name of a stranger."""
        who = self.resident(user)
        return self.viewer.name(who) if who else name_of_user(self.feed, user, self.words)

    def called(self, user: int) -> Line:
        """A user for a list: a resident's first name with mark and colour of the mood; a stranger's name and handle."""
        who = self.resident(user)
        if not who:
            name, handle = name_of_user(self.feed, user, self.words), handle_of(self.feed, user, self.words)
            return [ink("  "), outside(name, "soft"), ink(" "), outside(f"@{handle}", "dim")]
        mood = self.mood(who)
        return [ink(f"{MARKS[mood]} ", of_mood(mood), bold=True), outside(self.viewer.name(who), of_mood(mood), True)]

    def ago(self, t: float) -> str:
        """The time since second t: "just now", "4 min"."""
        return age(self.now - t, "")

    # ---- what stands there

    def has(self, card: int) -> bool:
        """Whether a card exists at the shown moment and is not deleted."""
        posts = self.feed.posts
        return 0 <= card < posts.n and not posts.gone.item(card) and not posts.gone.item(posts.root.item(card))

    def card(self, number: int) -> Card:
        """A card as the chosen person sees it."""
        return cards.card_for(self.feed, self.me, number, self.words)

    def hides(self, author: int, text: str) -> bool:
        """Whether a text is hidden from the chosen person because it holds a word they have muted."""
        return unread_words(self.account, author, text)

    def about(self, root: int) -> Written | None:
        """What a resident's post is about; None if nothing is known of it."""
        return self.phones.written.get(root)


# ---- a card in a few lines: author and age, text, quoted post, counters and topic


INDENT = "  "
SAID, QUOTED = 3, 2  # most lines of a card's text, and of the text it quotes
ROOMY = 60  # cells of width from which counters have words


class Counter(NamedTuple):
    """A number that a post has. field: its name in `Card`. mark: one cell, with an ASCII replacement of its own."""

    field: str
    mark: str
    word: str


COUNTERS = (
    Counter("likes", "♥", "like"),
    Counter("dislikes", "▼", "dislike"),
    Counter("comments", '"', "comment"),
    Counter("reposts", "»", "repost"),
    Counter("quotes", "«", "quote"),
)


def card_lines(reader: FeedReader, number: int, width: int, note: str = "") -> list[Line]:
    """A card as a list shows it, with a blank line after it. note: a remark below it, "" = none."""
    c = reader.card(number)
    out = head_lines(reader, c, width)
    out += _words(reader, c, width)
    out += quote_lines(reader, c, width, QUOTED)
    out += _foot(reader, c, width)
    if note:
        out.append(fit([ink(INDENT), outside(note, "dim")], width))
    return [*out, []]


def head_lines(reader: FeedReader, card: Card, width: int) -> list[Line]:
    """Who passed the post on (of a repost) and who wrote it, each with its age."""
    out: list[Line] = []
    if card.number != card.root:
        by = [ink("» ", "dim"), outside(f"passed on by {reader.short(card.author)}", "dim")]
        out.append(with_end(by, [ink(reader.ago(card.t), "dim")], width))
    t = reader.feed.posts.t.item(card.root)
    return [*out, with_end(reader.called(card.writer), [ink(reader.ago(t), "dim")], width)]


def _words(reader: FeedReader, card: Card, width: int) -> list[Line]:
    if reader.hides(card.writer, card.text):
        return hung([ink(INDENT)], f"hidden from {reader.name}: it has a word they have muted", width, "faint", most=2)
    return hung([ink(INDENT)], card.text, width, most=SAID - bool(card.quoted))


def quote_lines(reader: FeedReader, card: Card, width: int, most: int) -> list[Line]:
    """The quoted post, indented; or why it cannot be shown; nothing if the card quotes none."""
    if card.lost:
        deleted = card.lost == "deleted"
        why = "what it was about is deleted" if deleted else f"what it is about is hidden from {reader.name}"
        return [fit([ink(f"{INDENT}│ ", "faint"), outside(why, "faint")], width)]
    if card.quoted is None:
        return []
    text = f"{reader.short(card.quoted.writer)}: {card.quoted.text}"
    lines = hung([ink(INDENT + INDENT)], text, width, "soft", most=most)
    return [[ink(f"{INDENT}│ ", "faint"), *line[1:]] for line in lines]


def _foot(reader: FeedReader, card: Card, width: int) -> list[Line]:
    """Counters, a warning and the topic, in one line if there is room."""
    line = counters(card, width >= ROOMY)
    left: Line = [ink(INDENT), *line] if line else []
    right: Line = []
    if card.warning:
        right = [ink("! reported by several", "alarm")]
    about = reader.about(card.root)
    if about is not None and about.topic:
        right += [ink("  " if right else ""), ink("about: ", "dim"), outside(about.topic, "soft")]
    if not right:
        return [fit(left, width)] if left else []
    if left and width_of(left) + 4 + width_of(right) <= width:
        return [justify(left, right, width)]
    own = fit([ink(INDENT), *right], width)
    return [own, fit(left, width)] if left else [own]


def counters(card: Card, roomy: bool) -> Line:
    """The counters above 0; the reader's own like or dislike stands out. roomy: with words beside the numbers."""
    mine = {"likes": card.liked, "dislikes": card.disliked}
    out: Line = []
    for field, mark, word in COUNTERS:
        n: int = getattr(card, field)
        if n:
            own = mine.get(field, False)
            says = count_of(n, word) if roomy else f"{n:,}"
            gap = "   " if out else ""
            out += [ink(f"{gap}{mark} ", "tender" if own else "dim", bold=own), ink(says, "soft", bold=own)]
    return out
