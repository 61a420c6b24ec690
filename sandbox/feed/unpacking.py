"""What is done on a feed as plain rows, for exports: of accounts and of the crowd alike, each by the name that the
platform's action has (`acts.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from sandbox.feed.events import (
    Browsed,
    Commented,
    Connected,
    Deed,
    Deleted,
    Grouped,
    Messaged,
    MutedWord,
    Posted,
    Quoted,
    Reacted,
    Reported,
    Reposted,
    SignedUp,
)
from sandbox.feed.model import HOSTILE, NEUTRAL, NOBODY, WARM
from sandbox.feed.packing import DOUBT, LAST, Act, CrowdActed, begin, moments, tone_of

_DOUBTS = range(1, LAST - DOUBT + 1)
# The tone of each of the crowd's comments, and how much it doubts its post, 0 = unsaid.
TONES: dict[int, tuple[int, int]] = {
    Act.HOSTILE: (HOSTILE, 0),
    Act.NEUTRAL: (NEUTRAL, 0),
    Act.WARM: (WARM, 0),
    **{DOUBT + n: (tone, n) for n, tone in zip(_DOUBTS, tone_of(np.array(_DOUBTS)).tolist(), strict=True)},
}
NAMES: dict[int, str] = {
    Act.LIKE: "like_post",
    Act.DISLIKE: "dislike_post",
    Act.REPOST: "repost",
    Act.FOLLOW: "follow",
    Act.POST: "create_post",
    Act.LIKE_COMMENT: "like_comment",
    Act.DISLIKE_COMMENT: "dislike_comment",
    **dict.fromkeys(TONES, "create_comment"),
}
MAKES_CARDS = frozenset({int(Act.POST), int(Act.REPOST)})
MAKES_COMMENTS = frozenset(TONES)


class Told(NamedTuple):
    """What an account has done. act: its action. target: the number of what it is on; made: of what came of it; NOBODY
    = nothing, of both. text: in which words. tone, doubt: of a comment, as in `Commented`.
    """

    act: str
    target: int = NOBODY
    made: int = NOBODY
    text: str = ""
    tone: int | None = None
    doubt: int | None = None


def rows(e: CrowdActed, t: int) -> Iterator[tuple[int, int, int, int]]:
    """Each act of a packed event, in order of time: its second, who, which (`Act`), and on what. t: of the event."""
    users = np.frombuffer(e.users, "<u4").astype(np.int64)
    when = moments(users, begin(e, t), e.seconds)
    order = np.argsort(when, kind="stable")
    columns = (when, users, np.frombuffer(e.acts, np.uint8), np.frombuffer(e.targets, "<u4"))
    yield from zip(*(column[order].tolist() for column in columns), strict=True)


def deed(e: Deed) -> Told:
    """What an account does, as its event says."""
    match e:
        case SignedUp():
            return Told("sign_up", made=e.user, text=e.name)
        case Posted():
            return Told("create_post", made=e.post, text=e.text)
        case Quoted():
            return Told("quote_post", e.via, e.post, e.text)
        case Reposted():
            return Told("repost", e.via, e.post)
        case Commented():
            return Told("create_comment", e.post, e.comment, e.text, e.tone, e.doubt)
        case Reacted():
            return Told(f"{e.act}_{e.on}", e.target)
        case Connected():
            return Told(e.act, e.other)
        case MutedWord():
            return Told(f"{e.act}_word", text=e.word)
        case Reported():
            return Told("report_post", e.post, text=e.why)
        case Deleted():
            return Told("delete_post", e.post)
        case Messaged():
            act, to = ("send_message", e.to) if e.group == NOBODY else ("send_to_group", e.group)
            return Told(act, to, e.message, e.text)
        case Grouped(act="create"):
            return Told("create_group", made=e.group, text=e.name)
        case Grouped():
            return Told(f"{e.act}_group", e.group)
    assert isinstance(e, Browsed)
    if e.act == "listen":
        return Told("read_messages", e.other) if e.group == NOBODY else Told("listen_from_group", e.group)
    return Told(e.act, text=e.query)
