"""What follows, mutes, blocks, messages and groups change in the feed (`handlers.py` lists all handlers)."""

from __future__ import annotations

from sandbox.core.events import Stamp
from sandbox.feed.events import Browsed, Connected, Deed, Grouped, Messaged, MutedWord
from sandbox.feed.graph import remove_follow
from sandbox.feed.model import NOBODY, Account, Feed, Group, HasFeed, Message


def require_fit(so: bool, e: Deed) -> None:
    """Raise ValueError unless `so`."""
    if not so:
        raise ValueError(f"{e.KIND} of user {e.user} does not fit the feed")


def changing(feed: Feed, number: int) -> Account | None:
    """The account of that number, recorded as about to change; None if there is none."""
    account = feed.accounts.get(number)
    if feed.noting is not None and account is not None:
        feed.noting.changes(number, account)
    return account


def whose(feed: Feed, e: Deed) -> Account:
    """The account that did the event. Raises ValueError if there is none."""
    me = changing(feed, e.user)
    if me is None:
        raise ValueError(f"{e.KIND} of user {e.user}, who has no account")
    return me


def connected(w: HasFeed, e: Connected, stamp: Stamp) -> None:
    feed, me = w.feed, whose(w.feed, e)
    require_fit(e.other < feed.users.n and e.other != e.user, e)
    if e.act == "follow":
        require_fit(e.other not in me.follows, e)
        me.follows[e.other] = None
        feed.users.fans[e.other] += 1
        return
    if e.act == "unfollow":
        require_fit(e.other in me.follows, e)
        _unfollow(feed, e.user, e.other)
        return
    mine = me.mutes if e.act in ("mute", "unmute") else me.blocks
    begins = e.act in ("mute", "block")
    require_fit(begins != (e.other in mine), e)
    (mine.add if begins else mine.remove)(e.other)
    theirs = changing(feed, e.other)
    if e.act == "block":
        _unfollow(feed, e.user, e.other)
        _unfollow(feed, e.other, e.user)
        if theirs is not None:
            theirs.blocked_by.add(e.user)
    elif e.act == "unblock" and theirs is not None:
        theirs.blocked_by.remove(e.user)


def _unfollow(feed: Feed, user: int, other: int) -> None:
    """Remove a follow, if it exists."""
    account = changing(feed, user)
    if account is not None:
        if other not in account.follows:
            return
        del account.follows[other]
    else:
        if user >= feed.graph.users or not remove_follow(feed.graph, user, other):
            return
        if feed.noting is not None:
            feed.noting.cut(user, other)
    feed.users.fans[other] -= 1


def muted_word(w: HasFeed, e: MutedWord, stamp: Stamp) -> None:
    me = whose(w.feed, e)
    require_fit((e.act == "mute") != (e.word in me.words), e)
    if e.act == "mute":
        me.words[e.word] = None
    else:
        del me.words[e.word]


# ---- messages


def messaged(w: HasFeed, e: Messaged, stamp: Stamp) -> None:
    feed, me = w.feed, whose(w.feed, e)
    require_fit(e.message == len(feed.messages) and e.quotes < e.message and (e.to == NOBODY) != (e.group == NOBODY), e)
    if e.group != NOBODY:
        require_fit(e.group in me.groups, e)
        feed.groups[e.group].messages.append(e.message)
    else:
        require_fit(e.to < feed.users.n and e.to != e.user, e)
        me.direct.setdefault(e.to, []).append(e.message)
        them = changing(feed, e.to)
        if them is not None:
            them.direct.setdefault(e.user, []).append(e.message)
            them.unread.setdefault(e.user, []).append(e.message)
    feed.messages.append(Message(e.message, e.user, e.to, e.group, e.text, e.quotes, stamp.t))


def grouped(w: HasFeed, e: Grouped, stamp: Stamp) -> None:
    feed, me = w.feed, whose(w.feed, e)
    if e.act == "create":
        require_fit(e.group == len(feed.groups) and e.name != "", e)
        feed.groups.append(Group(e.group, e.name, e.user))
    require_fit(e.group < len(feed.groups) and (e.group in me.groups) == (e.act == "leave"), e)
    group = feed.groups[e.group]
    if e.act == "leave":
        del group.members[e.user], me.groups[e.group]
        me.late.pop(e.group, None)
    else:
        group.members[e.user] = None
        me.groups[e.group] = len(group.messages)  # earlier messages do not count as unread


def browsed(w: HasFeed, e: Browsed, stamp: Stamp) -> None:
    """Mark messages read, the only change that reading makes; hidden messages stay unread."""
    me = whose(w.feed, e)
    if e.act != "listen":
        return
    require_fit((e.other == NOBODY) != (e.group == NOBODY), e)
    require_fit(e.group == NOBODY or e.group in me.groups, e)
    shown = frozenset(e.shown)
    if not shown:
        return
    if e.group == NOBODY:
        me.unread[e.other] = [number for number in me.unread.get(e.other, ()) if number not in shown]
        return
    me.late[e.group] = [number for number in unread_in_group(w.feed, me, e.group) if number not in shown]
    me.groups[e.group] = len(w.feed.groups[e.group].messages)


def unread_in_group(feed: Feed, me: Account, group: int) -> list[int]:
    """Others' messages to a group that a member has not seen, including hidden ones."""
    new = feed.groups[group].messages[me.groups[group] :]
    return [*me.late.get(group, ()), *(number for number in new if feed.messages[number].author != me.number)]
