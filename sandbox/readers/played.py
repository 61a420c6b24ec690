"""Who was played by hand, and when, read from the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.play.model import PlayBegan, PlayEnded, Settled

KINDS = (PlayBegan.KIND, Settled.KIND, PlayEnded.KIND)


class PlaySpan(NamedTuple):
    """A time in which somebody was played, in seconds."""

    who: str
    since: int
    until: int


def play_spans(records: Iterable[Record], since: int, until: int, now: str = "") -> list[PlaySpan]:
    """The times in which anybody was played. records: of the log from second `since` to `until`; other events are
    ignored. now: who is played at the end, if play began before `since`.
    """
    out: list[PlaySpan] = []
    who, begun = "", since
    for at, e in records:
        if isinstance(e, PlayBegan):
            who, begun = at.actor, at.t
        elif isinstance(e, PlayEnded):
            out.append(PlaySpan(at.actor, begun, at.t))
            who = ""
    last = who or (now if not out else "")
    return [*out, PlaySpan(last, begun, until)] if last else out


def longest_played_spans(found: Collection[PlaySpan], since: int = 0, until: int | None = None) -> list[PlaySpan]:
    """All spans of the person who was played longest between two seconds; empty if nobody was."""
    who = longest(found, since, until)
    return [x for x in found if x.who == who]


def longest(found: Iterable[PlaySpan], since: int = 0, until: int | None = None) -> str:
    """Who was played longest between two seconds; "" if nobody was."""
    sums: Counter[str] = Counter()
    for x in found:
        part = (x.until if until is None else min(x.until, until)) - max(x.since, since)
        if part > 0:
            sums[x.who] += part
    return max(sums, key=lambda who: sums[who], default="")
