"""From an event on the feed back to its command, to run its step again.

Numbers of cards, comments, messages and users are those of the event: in another town they may differ, and the caller
translates them first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from sandbox.core.events import Event, Stamp
from sandbox.feed.commands import OnFeed
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
from sandbox.feed.model import HOT, NOBODY, UNIT

Given: TypeAlias = dict[str, str | int | float]


def _stance(e: Posted | Quoted) -> Given:
    return {} if e.stance is None else {"stance": e.stance / UNIT}


def _quotes(e: Messaged) -> Given:
    return {} if e.quotes == NOBODY else {"quotes": e.quotes}


def _sent(e: Messaged) -> tuple[str, Given]:
    if e.group == NOBODY:
        return "send_message", {"other": e.to, "text": e.text, **_quotes(e)}
    return "send_to_group", {"group": e.group, "text": e.text, **_quotes(e)}


def _grouped(e: Grouped) -> tuple[str, Given]:
    return f"{e.act}_group", {"name": e.name} if e.act == "create" else {"group": e.group}


def _browsed(e: Browsed) -> tuple[str, Given]:
    if e.act == "listen":
        alone = e.group == NOBODY
        return ("read_messages", {"other": e.other}) if alone else ("listen_from_group", {"group": e.group})
    if e.act in ("search_posts", "search_users"):
        return e.act, {"query": e.query}
    return e.act, {"count": len(e.shown)} if e.act == "refresh" and e.shown else {}


# Event -> the name of its action (feed/acts.py), and the arguments.
ACTION: Mapping[type[Deed], Callable[[Any], tuple[str, Given]]] = {
    SignedUp: lambda e: ("sign_up", {"name": e.name, "bio": e.bio}),
    Posted: lambda e: ("create_post", {"text": e.text, **_stance(e), "heat": e.heat / HOT}),
    Quoted: lambda e: ("quote_post", {"post": e.via, "text": e.text, **_stance(e)}),
    Reposted: lambda e: ("repost", {"post": e.via}),
    Commented: lambda e: (
        "create_comment",
        {"post": e.post, "text": e.text, "tone": e.tone, "doubt": e.doubt},
    ),
    Reacted: lambda e: (f"{e.act}_{e.on}", {e.on: e.target}),
    Connected: lambda e: (e.act, {"other": e.other}),
    MutedWord: lambda e: (f"{e.act}_word", {"word": e.word}),
    Reported: lambda e: ("report_post", {"post": e.post, "why": e.why}),
    Deleted: lambda e: ("delete_post", {"post": e.post}),
    Messaged: _sent,
    Grouped: _grouped,
    Browsed: _browsed,
}


def _again(e: Deed, stamp: Stamp) -> OnFeed:
    action, arguments = ACTION[type(e)](e)
    return OnFeed(by=stamp.actor, action=action, arguments=arguments, reason=e.reason)


AGAIN: Mapping[type[Event], Callable[[Any, Stamp], OnFeed]] = dict.fromkeys(ACTION, _again)
