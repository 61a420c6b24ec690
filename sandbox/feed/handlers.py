"""What each action of an account changes in the feed. A save may come from anywhere: what does not fit raises
ValueError, and then nothing has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import sqrt

import numpy as np

from sandbox.core.events import Event, Stamp
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
    StanceTold,
)
from sandbox.feed.graph import remove_follows
from sandbox.feed.model import DIMENSIONS, NOBODY, POST, QUOTE, REPOST, UNTOLD, Account, Feed, Group, HasFeed, Message
from sandbox.feed.tables import Small

RECENT = 5  # latest posts that count towards an account's interests
LENGTH = 127  # length of a vector, approximately
MOST_REPORTS = 255


def interest(rows: Iterable[Small]) -> Small:
    """The interest vector from those of a bio and the latest posts: their sum, scaled to a length of about 127. Root
    and quotient are the same on every machine.
    """
    total = np.array([*rows], np.int64).reshape(-1, DIMENSIONS).sum(axis=0)
    length = sqrt(int((total * total).sum()))
    if not length:
        return np.zeros(DIMENSIONS, np.int8)
    found: Small = np.clip(np.rint(total * (LENGTH / length)), -LENGTH, LENGTH).astype(np.int8)
    return found


def signed_up(w: HasFeed, e: SignedUp, stamp: Stamp) -> None:
    feed = w.feed
    require_fit(e.user == feed.users.n and e.handle.lower() not in feed.handles, e)
    if feed.noting is not None:
        feed.noting.changes(e.user, None)
    feed.users.add()
    feed.users.newest[e.user] = NOBODY
    bio = np.frombuffer(e.vector, np.int8)
    feed.users.vector[e.user] = interest([bio])
    feed.accounts[e.user] = Account(e.user, e.handle, e.name, e.bio, stamp.t, bio)
    feed.handles[e.handle.lower()] = e.user


def stance_told(w: HasFeed, e: StanceTold, stamp: Stamp) -> None:
    require_fit(e.user < w.feed.users.n, e)
    w.feed.users.stance[e.user] = e.stance


# ---- cards


def posted(w: HasFeed, e: Posted, stamp: Stamp) -> None:
    me = whose(w.feed, e)
    require_fit(e.post == w.feed.posts.n, e)
    _add_card(w.feed, me, POST, e.post, e.post, NOBODY, stamp.t)
    _write(w.feed, me, e, stamp.t)
    if e.heat:
        w.feed.posts.heat[e.post], w.feed.heated = e.heat, True


def quoted(w: HasFeed, e: Quoted, stamp: Stamp) -> None:
    feed, posts = w.feed, w.feed.posts
    me = whose(feed, e)
    require_fit(e.post == posts.n and e.via < posts.n and e.of == posts.of.item(posts.root.item(e.via)), e)
    _add_card(feed, me, QUOTE, e.post, e.of, e.via, stamp.t)
    _write(feed, me, e, stamp.t)
    posts.quotes[e.of] += 1


def reposted(w: HasFeed, e: Reposted, stamp: Stamp) -> None:
    feed, posts = w.feed, w.feed.posts
    me = whose(feed, e)
    require_fit(e.post == posts.n and e.via < posts.n and e.root == posts.root.item(e.via), e)
    require_fit(e.root not in me.reposted, e)
    _add_card(feed, me, REPOST, e.root, posts.of.item(e.root), e.via, stamp.t)
    posts.topic[e.post], posts.stance[e.post] = posts.topic[e.root], posts.stance[e.root]
    posts.vector[e.post] = posts.vector[e.root]
    posts.reposts[e.root] += 1
    me.reposted.add(e.root)


def _add_card(feed: Feed, me: Account, kind: int, root: int, of: int, via: int, t: int) -> None:
    posts, users = feed.posts, feed.users
    number = posts.add()
    posts.author[number], posts.kind[number], posts.t[number] = me.number, kind, t
    posts.root[number], posts.of[number], posts.via[number] = root, of, via
    posts.last[number] = NOBODY
    posts.earlier[number] = users.newest[me.number]
    users.newest[me.number] = number
    me.posts.append(number)


def _write(feed: Feed, me: Account, e: Posted | Quoted, t: int) -> None:
    """Store the text of a card that was just added."""
    row = np.frombuffer(e.vector, np.int8)
    at = feed.vectors.add()
    feed.vectors.row[at] = row
    posts, roots = feed.posts, feed.roots
    posts.vector[e.post], posts.topic[e.post] = at, e.topic
    posts.stance[e.post] = UNTOLD if e.stance is None else e.stance
    at = roots.add()
    roots.card[at] = e.post
    roots.t[at] = max(t, roots.t.item(at - 1)) if at else t  # kept ascending
    feed.texts[e.post] = e.text
    me.recent.append(row)
    del me.recent[:-RECENT]
    feed.users.vector[me.number] = interest([me.interests, *me.recent])


def deleted(w: HasFeed, e: Deleted, stamp: Stamp) -> None:
    feed, posts = w.feed, w.feed.posts
    me = whose(feed, e)
    require_fit(e.post < posts.n and posts.author.item(e.post) == e.user and not posts.gone.item(e.post), e)
    kind, root = posts.kind.item(e.post), posts.root.item(e.post)
    if kind == REPOST:
        posts.gone[e.post] = True
        posts.reposts[root] -= 1
        me.reposted.discard(root)
        return
    posts.gone[: posts.n] |= posts.root[: posts.n] == root  # including its reposts
    if kind == QUOTE:
        posts.quotes[posts.of.item(e.post)] -= 1


# ---- what is said of cards


def commented(w: HasFeed, e: Commented, stamp: Stamp) -> None:
    feed, posts, comments = w.feed, w.feed.posts, w.feed.comments
    me = whose(feed, e)
    require_fit(e.comment == comments.n and e.post < posts.n and posts.root.item(e.post) == e.post, e)
    number = comments.add()
    comments.post[number], comments.author[number], comments.t[number] = e.post, me.number, stamp.t
    comments.tone[number], comments.doubt[number], comments.stance[number] = e.tone, e.doubt, UNTOLD
    comments.before[number] = posts.last[e.post]
    posts.last[e.post] = number
    posts.comments[e.post] += 1
    feed.comment_texts[number] = e.text


def reacted(w: HasFeed, e: Reacted, stamp: Stamp) -> None:
    me = whose(w.feed, e)
    up = e.act in ("like", "unlike")
    if e.on == "post":
        posts = w.feed.posts
        require_fit(e.target < posts.n and posts.root.item(e.target) == e.target, e)
        mine, counts = (me.likes, posts.likes) if up else (me.dislikes, posts.dislikes)
    else:
        comments = w.feed.comments
        require_fit(e.target < comments.n, e)
        mine, counts = (me.comment_likes, comments.likes) if up else (me.comment_dislikes, comments.dislikes)
    if e.act in ("like", "dislike"):
        require_fit(e.target not in mine, e)
        mine.add(e.target)
        counts[e.target] += 1
    else:
        require_fit(e.target in mine, e)
        mine.remove(e.target)
        counts[e.target] -= 1


def reported(w: HasFeed, e: Reported, stamp: Stamp) -> None:
    posts, me = w.feed.posts, whose(w.feed, e)
    require_fit(e.post < posts.n and posts.root.item(e.post) == e.post and e.post not in me.reported, e)
    me.reported.add(e.post)
    posts.reports[e.post] = min(MOST_REPORTS, posts.reports.item(e.post) + 1)


def _counted(handler: Callable[..., None]) -> Callable[..., None]:
    """Wrap a handler to count one more deed of the feed."""

    def apply(w: HasFeed, e: Event, stamp: Stamp) -> None:
        handler(w, e, stamp)
        w.feed.deeds += 1

    return apply


# ---- follows, mutes, blocks


def require_fit(so: bool, e: Deed | StanceTold) -> None:
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
    """End that `user` follows `other`, and count one fan fewer; nothing if they do not (a block asks for both ways).
    Accounts keep their follows themselves; those of the crowd are in the graph.
    """
    account = changing(feed, user)
    if account is not None:
        if other not in account.follows:
            return
        del account.follows[other]
    else:
        if user >= feed.graph.users or not remove_follows(feed.graph, np.array([user]), np.array([other])):
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
    """Mark messages read; hidden messages stay unread. A policy learns from whoever has looked (`Steering.looked`)."""
    me = whose(w.feed, e)
    if e.act == "refresh" and w.feed.steering is not None:
        w.feed.steering.looked.add(e.user)
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


# ---- all of them


_APPLIED: dict[type[Event], Callable[..., None]] = {
    SignedUp: signed_up,
    Posted: posted,
    Quoted: quoted,
    Reposted: reposted,
    Commented: commented,
    Reacted: reacted,
    Connected: connected,
    MutedWord: muted_word,
    Reported: reported,
    Deleted: deleted,
    Messaged: messaged,
    Grouped: grouped,
    Browsed: browsed,
}
HANDLERS: dict[type[Event], Callable[..., None]] = {event: _counted(handler) for event, handler in _APPLIED.items()}
