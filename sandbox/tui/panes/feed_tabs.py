"""The tabs of the feed: the town's posts, a person's recommended and followed posts, hot posts, search, messages."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from sandbox.core.plain import count_of
from sandbox.feed.action_context import ranked_cards
from sandbox.feed.acts_of_reading import conversations, direct_messages, group_messages, new_messages, unread_messages
from sandbox.feed.card_scores import Ranker, hottest
from sandbox.feed.cards import Person, person_for
from sandbox.feed.finding import trending_posts
from sandbox.feed.model import NOBODY, Message
from sandbox.feed.parameters import recommender, steered_recommender
from sandbox.feed.reading import visible_cards
from sandbox.feed.steering import chosen_cards
from sandbox.feed.tables import draws
from sandbox.tui.panes.feed_reader import FeedReader, card_lines
from sandbox.tui.panes.feed_reasons import ChosenCard, short_reason
from sandbox.tui.view.action import first_key
from sandbox.tui.view.card_lists import AuthorCards, KeyList, Newest, OrderedKeys, drop_hidden_cards
from sandbox.tui.view.text_lines import Line, fit, hung, ink, outside, with_end

BIO = 2  # most lines of a bio in a list


def user_lines(reader: FeedReader, user: Person, width: int) -> list[Line]:
    """A user as a list shows them, with a blank line after."""
    fans = [ink(count_of(user.fans, "follower"), "dim")]
    bio = hung([ink("  ")], user.bio, width, "soft", most=BIO) if user.bio else []
    return [with_end(reader.called(user.number), fans, width), *bio, []]


def messages_of(reader: FeedReader, other: int, group: int) -> list[Message]:
    """The chosen person's messages with user `other`, or in `group` unless that is NOBODY; oldest first."""
    feed, me = reader.feed, reader.me
    if me == NOBODY:
        return []
    return direct_messages(feed, me, other) if group == NOBODY else group_messages(feed, me, group)


def unread_of(reader: FeedReader, other: int, group: int) -> frozenset[int]:
    """The numbers of the messages that the chosen person has not read. Parameters as in `messages_of`."""
    feed, me = reader.feed, reader.me
    if me == NOBODY:
        return frozenset()
    new = unread_messages(feed, me, other) if group == NOBODY else new_messages(feed, me, group)
    return frozenset(message.number for message in new)


def with_whom(reader: FeedReader, other: int, group: int) -> Line:
    """The name of the other user of a conversation, or of the group."""
    if group == NOBODY:
        return reader.called(other)
    return [ink("= ", "dim"), outside(reader.feed.groups[group].name, bold=True)]


def talk_lines(reader: FeedReader, other: int, group: int, width: int) -> list[Line]:
    """A conversation in a list: with whom, how many messages are unread, and the latest message."""
    messages, unread = messages_of(reader, other, group), len(unread_of(reader, other, group))
    last = messages[-1] if messages else None
    end = [ink(f"{unread} unread  ", "accent", bold=True)] if unread else []
    if last is not None:
        end.append(ink(reader.ago(last.t), "dim"))
    out = [with_end(with_whom(reader, other, group), end, width)]
    if last is None:
        return [*out, [ink("  nothing is written here yet", "faint")], []]
    by = "" if last.author == other else f"{reader.short(last.author)}: "
    return [*out, fit([ink("  "), outside(by + last.text, "text" if unread else "soft")], width), []]


LEADING = 3  # most liked posts listed above the hottest
RANKED = "what the feed shows"  # name of a random stream apart from the town's


class User(NamedTuple):
    """An item of a list: a user, by number."""

    number: int


class Mail(NamedTuple):
    """An item of a list: a conversation with a user, or with a group (the other of the two is NOBODY)."""

    other: int
    group: int


class Leader(NamedTuple):
    """An item of a list: a most liked card. place: its rank from 0; of: how many such are listed."""

    place: int
    of: int
    card: int


class Ask(NamedTuple):
    """The item that opens the search prompt."""


def card_of(key: Hashable) -> Hashable:
    """The number of the card that an item is about; the item itself if it is about none."""
    return key.card if isinstance(key, Leader | ChosenCard) else key


class FeedTab:
    """A tab. name, short: its label, with and without much room. personal: whether it needs a chosen person. Its items
    are numbers of cards, or one of the types above.
    """

    name = short = ""
    personal = False

    def __init__(self, reader: FeedReader) -> None:
        self.reader = reader
        self._found: tuple[object, OrderedKeys] = (None, KeyList())

    @property
    def key(self) -> object:
        """A key that changes when the items may have changed."""
        return self.reader.state

    def items(self) -> OrderedKeys:
        """The items, searched again only if `key` has changed."""
        key = self.key
        if key != self._found[0]:
            empty = not self.reader.there or (self.personal and self.reader.account is None)
            self._found = (key, KeyList() if empty else self.find())
        return self._found[1]

    def find(self) -> OrderedKeys:
        """Search the items of this moment."""
        raise NotImplementedError

    def lacks(self) -> bool:
        """Whether something of the log is still to be read before all can be shown."""
        return False

    async def read(self) -> None:
        """Read that. Raises SaveError."""

    def lines(self, key: Hashable, width: int) -> Sequence[Line]:
        """The lines that draw an item."""
        return self.card(key, width) if isinstance(key, int) else []

    def card(self, number: int, width: int, note: str = "") -> Sequence[Line]:
        """The lines that draw a card, or that it is not there: deleted, or not yet written at the shown moment."""
        if not self.reader.has(number):
            return [[ink("  a post that is not there", "faint")], []]
        return card_lines(self.reader, number, width, note)

    def says(self) -> str:
        """A sentence on why the tab is empty, and how it fills."""
        reader, keys = self.reader, self.reader.viewer.keys
        if not reader.there:
            return (
                "This town has no feed. For one with a feed: sandbox play larkspur --set feed.on=true, or --crowd "
                "1000 for one with strangers on it."
            )
        if self.personal and not reader.who:
            find = first_key("go.find", keys)
            return f"Whose phone? Choose somebody: a click on the map, j and k in the town, or {find} to find them."
        if self.personal and reader.account is None:
            return f"{reader.name} has no account on the feed."
        return self.empty()

    def empty(self) -> str:
        """The sentence of `says` if there is a feed and, for a personal tab, an account: nothing to list yet."""
        space = first_key("time.pause", self.reader.viewer.keys)
        return f"Nothing has been posted yet. It fills as people take out their phones; {space} lets time run."


class TownTab(FeedTab):
    """What residents write and pass on, newest first. only: that of the chosen person alone."""

    name = short = "Town"

    def __init__(self, reader: FeedReader) -> None:
        super().__init__(reader)
        self._only = False
        self._shelf = AuthorCards()

    @property
    def only(self) -> bool:
        """Whether one author alone is listed; always False if nobody is chosen."""
        return self._only and bool(self.reader.who)

    @only.setter
    def only(self, only: bool) -> None:
        self._only = only

    @property
    def key(self) -> object:
        return (self.reader.state, self.only)

    def find(self) -> OrderedKeys:
        reader = self.reader
        authors = frozenset({reader.me} - {NOBODY}) if self.only else reader.residents()
        cards = self._shelf.cards(reader.feed, authors)
        return Newest(cards if self.only else drop_hidden_cards(reader.feed, reader.account, cards))

    def empty(self) -> str:
        if not self.only:
            return f"Nobody in town has posted yet. {super().empty().partition('. ')[2]}"
        own = first_key("feed.author", self.reader.viewer.keys)
        return f"{self.reader.name} has posted nothing yet. {own} shows what the whole town posts."


class ForYouTab(FeedTab):
    """What the chosen person would be shown now: what a policy has chosen for them, then what the recommender finds,
    best first.
    """

    name = short = "For you"
    personal = True

    def __init__(self, reader: FeedReader) -> None:
        super().__init__(reader)
        self._ranker: tuple[object, Ranker | None] = (None, None)

    def find(self) -> OrderedKeys:
        return KeyList(self.ready())

    def ready(self) -> list[int]:
        """The recommended cards. Uses a random stream of its own with a fixed seed, so that looking changes nothing."""
        reader, world = self.reader, self.reader.viewer.world
        feed, p, seed = reader.feed, world.feed_parameters, world.chance.seed
        if self._ranker[0] != reader.moment:
            ranks = steered_recommender(feed, p, recommender(feed, p))
            self._ranker = (reader.moment, ranks.prepare(feed, world.now, draws(seed, RANKED)))
        ranker = self._ranker[1]
        if ranker is None:
            return []
        found = ranked_cards(feed, ranker, [reader.me], p.cache, draws(seed, RANKED, 1), reader.words)[reader.me]
        chosen = chosen_cards(feed, np.array([reader.me], np.int64))
        first = {
            feed.posts.root.item(card): card for card in ([] if chosen is None else chosen[0].tolist()) if card >= 0
        }
        rest = [card for card in found if feed.posts.root.item(card) not in first]
        return visible_cards(feed, reader.me, [*first.values(), *rest], reader.words)

    def lines(self, key: Hashable, width: int) -> Sequence[Line]:
        return self.card(key, width, short_reason(self.reader, key)) if isinstance(key, int) else []

    def empty(self) -> str:
        return f"Nothing is ready for {self.reader.name}. {super().empty()}"


class FollowingTab(FeedTab):
    """What the users followed by the chosen person write and pass on, newest first."""

    name, short = "Following", "Follows"
    personal = True

    def __init__(self, reader: FeedReader) -> None:
        super().__init__(reader)
        self._shelf = AuthorCards()

    def find(self) -> OrderedKeys:
        reader, account = self.reader, self.reader.account
        follows = frozenset(account.follows if account is not None else ())
        return Newest(drop_hidden_cards(reader.feed, account, self._shelf.cards(reader.feed, follows)))

    def empty(self) -> str:
        account = self.reader.account
        n = len(account.follows) if account is not None else 0
        whom = f"none of the {n} whom {self.reader.name} follows has" if n > 1 else "whom they follow has not"
        if not n:
            return f"{self.reader.name} follows nobody yet. It fills as they follow others, and these post."
        return f"Nothing yet: {whom} posted. It fills when they do."


class HotTab(FeedTab):
    """The most liked posts, in a line each, then the hottest posts."""

    name = short = "Hot"

    def find(self) -> OrderedKeys:
        reader, world = self.reader, self.reader.viewer.world
        feed, p = reader.feed, world.feed_parameters
        trending = trending_posts(feed, reader.me, world.now, reader.words)
        best = [card for card in trending if feed.posts.likes.item(card)][:LEADING]
        leaders = [Leader(place, len(best), card) for place, card in enumerate(best)]
        hot = hottest(feed, world.now, p.hot, p.formula).tolist()
        return KeyList([*leaders, *visible_cards(feed, reader.me, hot, reader.words)])

    def lines(self, key: Hashable, width: int) -> Sequence[Line]:
        if not isinstance(key, Leader):
            return super().lines(key, width)
        c = self.reader.card(key.card)
        head = [ink(f"{key.place + 1} ", "dim"), ink("♥ ", "tender"), ink(f"{c.likes:,}  ", "soft")]
        says = [outside(self.reader.short(c.writer), "soft"), ink(": ", "soft"), outside(c.text, "dim")]
        out = [fit([*head, *says], width)]
        if not key.place:
            out.insert(0, [ink("Liked most of the last 7 days", "accent")])
        return [*out, [], [ink("Hottest now", "accent")]] if key.place + 1 == key.of else out


class SearchTab(FeedTab):
    """The last search. query: what was typed; users, posts: the numbers found."""

    name, short = "Search", "Find"

    def __init__(self, reader: FeedReader) -> None:
        super().__init__(reader)
        self.query = ""
        self.users: Sequence[int] = ()
        self.posts: Sequence[int] = ()

    @property
    def key(self) -> object:
        return (self.reader.state, self.query)

    def find(self) -> OrderedKeys:
        reader, feed = self.reader, self.reader.feed
        users = [User(user) for user in self.users if user < feed.users.n]  # fewer after a jump back
        posts = visible_cards(feed, reader.me, filter(reader.has, self.posts), reader.words)
        return KeyList([Ask(), *users, *posts])

    def lines(self, key: Hashable, width: int) -> Sequence[Line]:
        if isinstance(key, User):
            reader = self.reader
            return user_lines(reader, person_for(reader.feed, reader.me, key.number, reader.words), width)
        if not isinstance(key, Ask):
            return super().lines(key, width)
        asked = outside(self.query, "accent", bold=True) if self.query else ink("look for posts and users", "soft")
        line: Line = [ink("? ", "link"), asked]
        if self.query and not self.users and not self.posts:
            line.append(ink("  nothing contains this", "dim"))
        return [with_end(line, [ink("enter: type", "dim")], width), []]


class MessagesTab(FeedTab):
    """The chosen person's conversations, newest first."""

    name, short = "Messages", "Mail"
    personal = True

    def find(self) -> OrderedKeys:
        reader = self.reader
        return KeyList([Mail(c.other, c.group) for c in conversations(reader.feed, reader.me, reader.words)])

    def lines(self, key: Hashable, width: int) -> Sequence[Line]:
        reader = self.reader
        if not isinstance(key, Mail) or reader.account is None:
            return []
        return talk_lines(reader, key.other, key.group, width)

    def empty(self) -> str:
        return f"{self.reader.name} has no messages yet. It fills when somebody writes to them alone."
