"""Acting by name: in a program, with a table of arguments, and in a town, by a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from sandbox.core import domain
from sandbox.core.domain import Command
from sandbox.core.events import Event, Stamp
from sandbox.core.faults import in_quotes
from sandbox.feed.acting import BARE, ActingUser, ActionContext, Refused, Why
from sandbox.feed.acts import ACTIONS, Argument, FeedAction
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
from sandbox.feed.model import HOT, NOBODY, UNIT, Feed, HasFeed
from sandbox.feed.reading import WordSource, user_of

Given: TypeAlias = Mapping[str, Any]
LARGEST = 2**63 - 1  # bound of numbers in arguments


def action_event(
    feed: Feed,
    user: int,
    now: int,
    name: str,
    given: Given | None = None,
    *,
    reason: str = "",
    means: ActionContext = BARE,
) -> Deed:
    """The event that the action of that name becomes. user: who acts; NOBODY to sign up. Raises Refused, also for an
    unknown action, and for arguments that are missing, unknown or of a wrong type.
    """
    found = ACTIONS.get(name)
    if found is None:
        raise Refused(Why.UNKNOWN_ACTION, f"there is no action {in_quotes(name)}; the actions are {', '.join(ACTIONS)}")
    if not isinstance(reason, str):
        raise Refused(Why.WRONG_ARGUMENT, f"a reason is a text, not {_told(reason)}; give a sentence")
    arguments = _checked(feed, means.words, found, given or {})
    if found.newcomer:
        if user != NOBODY:
            raise Refused(Why.WRONG_ARGUMENT, "who has an account does not sign up; sign up as -1, which is nobody yet")
        return found.rule(feed, **arguments, reason=reason, means=means)
    return found.rule(ActingUser(feed, user, now, reason, means), **arguments)


def _checked(feed: Feed, words: WordSource, found: FeedAction, given: Given) -> dict[str, Any]:
    """The arguments, checked and converted for the rule. Raises Refused."""
    known = [a.name for a in found.arguments]
    takes = f"{found.name} takes {', '.join(known) or 'nothing'}"
    for name in given:
        if name not in known:
            raise Refused(Why.WRONG_ARGUMENT, f"{found.name} has no argument {in_quotes(name)}; {takes}")
    out = {}
    for a in found.arguments:
        if a.name in given:
            out[a.name] = _value(feed, words, found, a, given[a.name])
        elif a.needed:
            raise Refused(Why.WRONG_ARGUMENT, f"{found.name} needs {a.name}, {a.help}; {takes}")
    return out


def _value(feed: Feed, words: WordSource, found: FeedAction, a: Argument, value: Any) -> Any:
    if a.of == "user" and isinstance(value, str):
        number = user_of(feed, value.removeprefix("@"), words)
        if number == NOBODY:
            raise Refused(Why.UNKNOWN_USER, f"nobody has the handle {in_quotes(value)}; search_users finds users")
        return number
    wanted, called = {"text": ((str,), "a text"), "share": ((int, float), "a number")}.get(
        a.of, ((int,), "a whole number")
    )
    if isinstance(value, bool) or not isinstance(value, wanted) or (isinstance(value, int) and abs(value) > LARGEST):
        raise Refused(Why.WRONG_ARGUMENT, f"{a.name} of {found.name} is {called}, not {_told(value)}; give {a.help}")
    return value


def _told(value: Any) -> str:
    """A value of any type as a few letters of a sentence."""
    if isinstance(value, str):
        return in_quotes(value)
    return "a number too large" if isinstance(value, int) and abs(value) > LARGEST else in_quotes(ascii(value))


# ---- of a town


class OnFeed(Command, frozen=True):
    """Make a resident act on the feed. by: the resident, whose id is their handle. action: a name of ACTIONS;
    arguments: its arguments, without the handle of a sign_up; reason: one sentence.
    """

    action: str
    arguments: dict[str, str | int | float] = {}
    reason: str = ""


class Plays(HasFeed, Protocol):
    """The part of a world that a command to the feed needs. means: the action context."""

    now: int
    means: ActionContext


def run_feed_command(w: Plays, c: OnFeed) -> Sequence[domain.CommandEvent]:
    """The events of a command to the feed. Raises Refused."""
    if not (w.feed.on or w.feed.crowd):
        raise Refused(Why.UNKNOWN_ACTION, "this world has no feed; begin one with `--set feed.on=true`, or a crowd")
    arguments: dict[str, Any] = dict(c.arguments)
    user = w.feed.handles.get(c.by.lower(), NOBODY)
    if c.action == "sign_up":
        if arguments.setdefault("handle", c.by) != c.by:
            raise Refused(Why.WRONG_ARGUMENT, f"the handle of a resident is their id, {in_quotes(c.by)}; leave it out")
        if user != NOBODY:
            raise Refused(Why.TAKEN_HANDLE, f"{in_quotes(c.by)} has an account already; act with it")
    elif user == NOBODY:
        raise Refused(Why.UNKNOWN_USER, f"{in_quotes(c.by)} has no account on the feed; sign_up makes one")
    event = action_event(w.feed, user, w.now, c.action, arguments, reason=c.reason, means=w.means)
    return (domain.CommandEvent(event, c.by),)


# ---- from an event on the feed back to its command, to run its step again


Arguments: TypeAlias = dict[str, str | int | float]


def _stance(e: Posted | Quoted) -> Arguments:
    return {} if e.stance is None else {"stance": e.stance / UNIT}


def _quotes(e: Messaged) -> Arguments:
    return {} if e.quotes == NOBODY else {"quotes": e.quotes}


def _sent(e: Messaged) -> tuple[str, Arguments]:
    if e.group == NOBODY:
        return "send_message", {"other": e.to, "text": e.text, **_quotes(e)}
    return "send_to_group", {"group": e.group, "text": e.text, **_quotes(e)}


def _grouped(e: Grouped) -> tuple[str, Arguments]:
    return f"{e.act}_group", {"name": e.name} if e.act == "create" else {"group": e.group}


def _browsed(e: Browsed) -> tuple[str, Arguments]:
    if e.act == "listen":
        alone = e.group == NOBODY
        return ("read_messages", {"other": e.other}) if alone else ("listen_from_group", {"group": e.group})
    if e.act in ("search_posts", "search_users"):
        return e.act, {"query": e.query}
    return e.act, {"count": len(e.shown)} if e.act == "refresh" and e.shown else {}


# Event -> the name of its action (feed/acts.py), and the arguments.
ACTION: Mapping[type[Deed], Callable[[Any], tuple[str, Arguments]]] = {
    SignedUp: lambda e: ("sign_up", {"name": e.name, "bio": e.bio}),
    Posted: lambda e: ("create_post", {"text": e.text, **_stance(e), "heat": e.heat / HOT}),
    Quoted: lambda e: ("quote_post", {"post": e.via, "text": e.text, **_stance(e)}),
    Reposted: lambda e: ("repost", {"post": e.via}),
    Commented: lambda e: ("create_comment", {"post": e.post, "text": e.text, "tone": e.tone, "doubt": e.doubt}),
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
