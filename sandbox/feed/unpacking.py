"""Acts on a feed as plain rows for exports, of accounts and of the crowd alike, each named by the platform's action
(`acts.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from sandbox.feed.commands import ACTION
from sandbox.feed.events import Commented, Deed, number_made
from sandbox.feed.model import HOSTILE, NEUTRAL, NOBODY, WARM
from sandbox.feed.packing import DOUBT, LAST, ActKind, CrowdActed, moments, tick_start, tone_of_doubt

_DOUBTS = range(1, LAST - DOUBT + 1)
# The tone of each kind of comment by the crowd, and its doubt of the post, 0 = not stated.
TONES: dict[int, tuple[int, int]] = {
    ActKind.HOSTILE: (HOSTILE, 0),
    ActKind.NEUTRAL: (NEUTRAL, 0),
    ActKind.WARM: (WARM, 0),
    **{DOUBT + n: (tone, n) for n, tone in zip(_DOUBTS, tone_of_doubt(np.array(_DOUBTS)).tolist(), strict=True)},
}
NAMES: dict[int, str] = {
    ActKind.LIKE: "like_post",
    ActKind.DISLIKE: "dislike_post",
    ActKind.REPOST: "repost",
    ActKind.FOLLOW: "follow",
    ActKind.UNFOLLOW: "unfollow",
    ActKind.POST: "create_post",
    ActKind.LIKE_COMMENT: "like_comment",
    ActKind.DISLIKE_COMMENT: "dislike_comment",
    **dict.fromkeys(TONES, "create_comment"),
}
MAKES_CARDS = frozenset({int(ActKind.POST), int(ActKind.REPOST)})
MAKES_COMMENTS = frozenset(TONES)


class AccountAct(NamedTuple):
    """An act of an account. act: its action. target: number of what it acts on; made: number of what it created; NOBODY
    = nothing. text: its words. tone, doubt: of a comment, as in `Commented`.
    """

    act: str
    target: int = NOBODY
    made: int = NOBODY
    text: str = ""
    tone: int | None = None
    doubt: int | None = None


def crowd_acts(e: CrowdActed, t: int) -> Iterator[tuple[int, int, int, int]]:
    """The acts of a packed event, in order of time: second, user, kind (`ActKind`), target. t: of the event."""
    users = np.frombuffer(e.users, "<u4").astype(np.int64)
    when = moments(users, tick_start(e, t), e.seconds)
    order = np.argsort(when, kind="stable")
    columns = (when, users, np.frombuffer(e.acts, np.uint8), np.frombuffer(e.targets, "<u4"))
    yield from zip(*(column[order].tolist() for column in columns), strict=True)


def account_act(e: Deed) -> AccountAct:
    """The act of an account as a plain row."""
    act, given = ACTION[type(e)](e)
    target: Any = next((given[name] for name in ("post", "comment", "other", "group") if name in given), NOBODY)
    text: Any = next((given[name] for name in ("text", "word", "query", "why", "name") if name in given), "")
    tone, doubt = (e.tone, e.doubt) if isinstance(e, Commented) else (None, None)
    return AccountAct(act, target, number_made(e), text, tone, doubt)
