"""Whoever looks at the feed on the screen: the chosen person, or nobody; and what users of it are called and look like.

It only looks: nothing on the feed notices, and no chance of the town is used up.
"""

from __future__ import annotations

from functools import lru_cache

from sandbox.engine.view import View
from sandbox.feed import cards
from sandbox.feed.cards import Card
from sandbox.feed.model import NOBODY, Account, Feed
from sandbox.feed.reading import WordSource, handle_of, name_of_user, unread_words
from sandbox.feed.words import CrowdWords
from sandbox.people.mood_words import MARKS, colour
from sandbox.phones.model import PhoneState, Written
from sandbox.tui.view.person_words import age
from sandbox.tui.view.text_lines import DIM, SOFT, Line, ink, of_mood, outside
from sandbox.tui.view.viewer import Viewer

KEPT = 65_536  # texts of each sort that are made once
CALM = 0.25  # seconds for which a list stands while time runs


class KeptWords:
    """The words of the crowd (`feed.reading.WordSource`), each made once."""

    def __init__(self, words: WordSource) -> None:
        self.find = words.find
        self.name = lru_cache(KEPT)(words.name)
        self.handle = lru_cache(KEPT)(words.handle)
        self.bio = lru_cache(KEPT)(words.bio)
        self.post = lru_cache(KEPT)(words.post)
        self.comment = lru_cache(KEPT)(words.comment)


class FeedReader:
    """The feed of the world that is shown, as the chosen person's phone would show it. A jump leads to another feed."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self._kept: tuple[Feed, KeptWords] | None = None
        self._moods: tuple[object, dict[str, str]] = (None, {})
        self._state: tuple[Feed, View, int, str] | None = None
        self._taken = 0.0

    @property
    def feed(self) -> Feed:
        """All that stands on it."""
        return self.viewer.world.feed

    @property
    def phones(self) -> PhoneState:
        """What is known of it beyond its words."""
        return self.viewer.world.phones

    @property
    def there(self) -> bool:
        """Whether this world has a feed."""
        return bool(self.feed.accounts) or self.feed.crowd > 0

    @property
    def words(self) -> WordSource:
        """What the crowd says."""
        feed = self.feed
        if self._kept is None or self._kept[0] is not feed:
            self._kept = (feed, KeptWords(CrowdWords.of(self.viewer.world.scenario)))
        return self._kept[1]

    @property
    def now(self) -> float:
        """The second that is shown."""
        return self.viewer.shown

    @property
    def moment(self) -> tuple[Feed, View, int]:
        """Changes with each finished step, and with a jump."""
        return self.feed, self.viewer.view, self.viewer.view.version

    @property
    def state(self) -> object:
        """Changes when the feed may have; while time runs, a few times a second at most."""
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
        """The chosen person, "" = nobody; whoever is played, while one is to know no more than they do."""
        return self.viewer.knower or self.viewer.selected

    @property
    def me(self) -> int:
        """Their number, NOBODY if nobody is chosen or they have no account."""
        return self.feed.handles.get(self.who.lower(), NOBODY) if self.who else NOBODY

    @property
    def account(self) -> Account | None:
        """Their account."""
        return self.feed.accounts.get(self.me)

    @property
    def name(self) -> str:
        """Their first name."""
        return self.viewer.name(self.who) if self.who else "nobody"

    # ---- who others are

    def resident(self, user: int) -> str:
        """The id of the resident who has that number, "" of a stranger."""
        account = self.feed.accounts.get(user)
        return account.handle if account is not None and account.handle in self.viewer.world.cast else ""

    def residents(self) -> frozenset[int]:
        """The numbers of all residents."""
        handles = self.feed.handles
        return frozenset(handles[who.lower()] for who in self.viewer.world.cast if who.lower() in handles)

    def mood(self, who: str) -> str:
        """A resident's mood now."""
        key = (self.moment, int(self.now) // 60)
        if self._moods[0] != key:
            self._moods = (key, {})
        moods = self._moods[1]
        if who not in moods:
            moods[who] = colour(self.viewer.view.pad(who, self.now))
        return moods[who]

    def short(self, user: int) -> str:
        """What a sentence calls a user: a resident's first name, a stranger's name."""
        who = self.resident(user)
        return self.viewer.name(who) if who else name_of_user(self.feed, user, self.words)

    def called(self, user: int) -> Line:
        """A resident by first name, in the ink and with the mark of their mood; a stranger by name and handle."""
        who = self.resident(user)
        if not who:
            name, handle = name_of_user(self.feed, user, self.words), handle_of(self.feed, user, self.words)
            return [ink("  "), outside(name, SOFT), ink(" "), outside(f"@{handle}", DIM)]
        mood = self.mood(who)
        return [ink(f"{MARKS[mood]} ", of_mood(mood), bold=True), outside(self.viewer.name(who), of_mood(mood), True)]

    def ago(self, t: float) -> str:
        """How long since second t: "just now", "4 min"."""
        return age(self.now - t).removesuffix(" ago")

    # ---- what stands there

    def has(self, card: int) -> bool:
        """Whether there is such a card at the moment shown."""
        posts = self.feed.posts
        return 0 <= card < posts.n and not posts.gone.item(card) and not posts.gone.item(posts.root.item(card))

    def card(self, number: int) -> Card:
        """A card as it shows to the chosen person."""
        return cards.card_for(self.feed, self.me, number, self.words)

    def keeps(self, author: int, text: str) -> bool:
        """Whether a text is kept from the chosen person for a word."""
        return unread_words(self.account, author, text)

    def about(self, root: int) -> Written | None:
        """What a resident's post is about; None if nothing is known of it."""
        return self.phones.written.get(root)
