"""A log of a street and a feed, written by hand: each method adds what somebody does and returns its number."""

from __future__ import annotations

from sandbox.core.events import Event, Record, Stamp
from sandbox.feed.events import Browsed, Commented, Connected, Messaged, Posted, Reacted, WritingDetails
from sandbox.feed.model import DIMENSIONS
from sandbox.people.model import Felt
from sandbox.people.pressure_model import Began, Stirred
from sandbox.phones.model import Crossed, Read
from sandbox.readers.crossings import Crossings
from sandbox.talk.model import Closed, Exchanged, Opened, Utterance

NOON = 5 * 3600
CALM = (0.0, 0.0, 0.0)


class PhoneLog:
    """Events from number 2 on. Users have the number 100 and more."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self._cards = 0

    def add(self, event: Event, who: str, *causes: int, t: int = NOON) -> int:
        self.records.append(Record(Stamp(len(self.records) + 2, t // 60 + 1, t, who, causes), event))
        return self.records[-1].stamp.seq

    # ---- the street

    def begins(self, id: str = "p", who: str = "ann", about: str = "ben", *causes: int, t: int = NOON) -> int:
        event = Began(id, "grudge", about, 0.6, 0, -1, "a borrowed ladder", "Ben kept it.", f"thread of {id}", ())
        return self.add(event, who, *causes, t=t)

    def stirs(self, who: str, *causes: int, id: str = "p", t: int = NOON, answer: str = "") -> int:
        return self.add(Stirred(id, "confront", answer, "ben", 0.1, 0.7, 1), who, *causes, t=t)

    def opens(self, talk: str, who: str, other: str, *causes: int, t: int = NOON) -> int:
        return self.add(Opened(talk, other, "Mill / yard", "mention", 4, ()), who, *causes, t=t)

    def says(self, talk: str, who: str, other: str, *causes: int, t: int = NOON) -> int:
        lines = tuple(Utterance(x, "So it is.", "mention_post", "", "", 0.1, ()) for x in (who, other))
        return self.add(Exchanged(talk, 1, "mention_post", lines, ()), who, *causes, t=t)

    def closes(self, talk: str, who: str, other: str, *causes: int, t: int = NOON, tone: str = "plain") -> int:
        return self.add(Closed(talk, (who, other), "ladders", tone, "", ()), who, *causes, t=t)

    def feels(self, who: str, *causes: int, t: int = NOON) -> int:
        return self.add(Felt(CALM, CALM, "anger", "the ladder"), who, *causes, t=t)

    # ---- the feed

    def posts(self, who: str, *causes: int, t: int = NOON, text: str = "Well now.", **about: object) -> tuple[int, int]:
        """A post, and what it is about: the card, and the number of the event."""
        card, self._cards = self._cards, self._cards + 1
        details = WritingDetails(move="post_news", **{"cites": next(iter(causes), 0), **about})  # type: ignore[arg-type]
        posted = Posted(card, bytes(DIMENSIONS), 1, None, user=100, text=text, about=details)
        return card, self.add(posted, who, *causes, t=t)

    def writes_to(self, who: str, whom: str, *causes: int, t: int = NOON, **about: object) -> int:
        details = WritingDetails(move="confide", whom=whom, **about)  # type: ignore[arg-type]
        return self.add(Messaged(1, 101, -1, user=100, text="Between us.", about=details), who, *causes, t=t)

    def comments(self, who: str, card: int, *causes: int, t: int = NOON) -> int:
        details = WritingDetails(move="chip_in", on=card)
        return self.add(Commented(0, card, user=100, text="Hear, hear.", about=details), who, *causes, t=t)

    def likes(self, who: str, card: int, *causes: int, t: int = NOON) -> int:
        return self.add(Reacted(user=100, act="like", on="post", target=card), who, *causes, t=t)

    def lets_go(self, who: str, *causes: int, act: str = "unfollow", t: int = NOON) -> int:
        return self.add(Connected(user=100, act=act, other=101), who, *causes, t=t)  # type: ignore[arg-type]

    def reads(self, who: str, of: tuple[int, int], by: str = "ann", t: int = NOON) -> int:
        """Somebody looks, and reads a post."""
        look = self.add(Browsed(user=100, act="refresh", shown=(of[0],)), who, t=t)
        return self.add(Read("post", of[0], by, "the ladder"), who, look, of[1], t=t)

    def crosses(
        self, rule: str, way: str, who: str, whom: str, *causes: int, t: int = NOON, card: int = -1, **more: object
    ) -> int:
        event = Crossed(rule, way, f"{who} {card}", f"{who} and {whom}, by {rule}", whom, card, **more)  # type: ignore[arg-type]
        return self.add(event, who, *causes, t=t)

    def crossings(self) -> Crossings:
        found = Crossings()
        found.read(self.records)
        return found
