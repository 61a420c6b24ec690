"""Sheets of the feed: a stranger's profile; the chosen person's messages (showing them does not mark them as read)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from sandbox.core.plain import count_of
from sandbox.core.text import clean, join_names
from sandbox.feed.cards import person_for
from sandbox.feed.graph import followees
from sandbox.feed.model import NOBODY, Message
from sandbox.tui.panes.feed import FeedPane, leads_to
from sandbox.tui.panes.feed_reader import FeedReader, card_lines
from sandbox.tui.panes.feed_tabs import User, messages_of, unread_of
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.town_sheet import TownSheet, leads
from sandbox.tui.view.text_lines import Line, as_lines, flow, hung, ink, outside, with_end
from sandbox.tui.widgets.entries import Entry, heading, remark

LATEST = 10  # posts that are shown at most
MOST = 1000  # followed users that are counted at most


class UserSheet(TownSheet):
    """The profile of a user who is no resident."""

    kind = "user"
    whole = True

    def __init__(self, stage: TownLayout, user: int) -> None:
        self.reader: FeedReader = stage.find(FeedPane).reader
        super().__init__(stage, clean(self.reader.short(user)))
        self.user = user

    def entries(self, width: int) -> Sequence[Entry]:
        reader, feed = self.reader, self.reader.feed
        if self.user >= feed.users.n:
            return [remark("They are not on the feed yet at the moment shown.", width)]
        one = person_for(feed, reader.me, self.user, reader.words)
        follows: list[int] = followees(feed, np.array([self.user], np.int64), MOST)[2].tolist()
        facts: list[Line] = [[outside(f"@{one.handle}")], [ink(count_of(one.fans, "follower"), "soft")]]
        facts.append([ink(f"follows {len(follows):,}", "soft")])
        out = [Entry(flow(facts, width, 0)), Entry([[], *as_lines(one.bio, width, "text")] if one.bio else [[]])]
        out.append(Entry([[]]))
        theirs = [reader.short(user) for user in follows if reader.resident(user)]
        fans = [reader.short(user) for user in sorted(reader.residents()) if self.user in feed.accounts[user].follows]
        for says, names in (("follows of the town: ", theirs), ("followed there by: ", fans)):
            out.append(Entry(hung([ink(says, "dim")], join_names(names) or "nobody", width, "soft")))
        cards = [card for card in self._latest() if reader.has(card)]
        out.append(heading("Latest posts" if cards else "No posts yet"))
        return out + [Entry(card_lines(reader, card, width), leads_to(self.stage, card), card) for card in cards]

    def _latest(self) -> list[int]:
        """Their newest posts, the newest first, LATEST at most."""
        feed = self.reader.feed

        def back(card: int) -> Iterator[int]:
            while card != NOBODY:
                yield card
                card = feed.posts.earlier.item(card)

        return [*islice(back(feed.users.newest.item(self.user)), LATEST)]


PAGE = 60  # messages that are shown at first, and that each "earlier" adds


class MailSheet(TownSheet):
    """Messages of the chosen person with the user `other`, or in a group (NOBODY = no group), the newest last."""

    kind = "mail"
    whole = True
    end = True

    def __init__(self, stage: TownLayout, other: int, group: int) -> None:
        self.reader: FeedReader = stage.find(FeedPane).reader
        self.other, self.group, self.me = other, group, self.reader.me
        super().__init__(stage, clean(f"{self.reader.name} and {self._whom()}"))
        self._most = PAGE

    def _whom(self) -> str:
        return self.reader.short(self.other) if self.group == NOBODY else self.reader.feed.groups[self.group].name

    def entries(self, width: int) -> Sequence[Entry]:
        reader = self.reader
        if reader.me != self.me:
            return [remark("Somebody else is chosen now.", width)]
        messages, unread = messages_of(reader, self.other, self.group), unread_of(reader, self.other, self.group)
        if not messages:
            return [remark("Nothing is written here at the moment shown.", width)]
        left = len(messages) - self._most
        out = [Entry([[ink(f"{left:,} earlier: enter shows them", "dim")], []], self._more, "more")] if left > 0 else []
        return out + [self._entry(message, message.number in unread, width) for message in messages[-self._most :]]

    def _entry(self, message: Message, unread: bool, width: int) -> Entry:
        reader = self.reader
        about = reader.phones.messages.get(message.number)
        end: Line = [ink("unread  ", "accent")] if unread else []
        end.append(ink(reader.viewer.world.clock.words(message.t), "dim"))
        lines = [with_end(reader.called(message.author), end, width)]
        if message.quotes != NOBODY:
            lines += hung([ink("  │ ", "faint")], reader.feed.messages[message.quotes].text, width, "soft", most=1)
        lines += hung([ink("  ")], message.text, width)
        if about is not None and about.topic:
            lines.append([ink("  about: ", "dim"), outside(about.topic, "soft")])
        event = leads(self.stage, about.seq) if about is not None else None
        return Entry([*lines, []], event or leads_to(self.stage, User(message.author)), message.number)

    def _more(self) -> None:
        self._most += PAGE
