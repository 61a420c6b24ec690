"""How a post spread, as entries of a sheet: a plot over time, a tree of who passed it on, and whom it reached."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sandbox.core.plain import count_of
from sandbox.feed.model import QUOTE, REPOST
from sandbox.feed.reading import text_of
from sandbox.tui.graph.metrics import Branch, Cascade, column_chart, growth
from sandbox.tui.panes.feed import leads_to
from sandbox.tui.panes.feed_reader import FeedReader
from sandbox.tui.panes.feed_tabs import User
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.view.text_lines import (
    BLUE,
    DIM,
    GOLD,
    SOFT,
    TEXT,
    Line,
    as_lines,
    fit,
    ink,
    justify,
    outside,
    with_end,
)
from sandbox.tui.widgets.entries import Entry

STEP, DEEPEST = 2, 8  # indent in cells of a level of the tree, and the deepest level that is indented
ROWS, COLUMNS = 5, 60  # the most rows and columns of the plot
AXIS = 7  # cells of the numbers left of the plot
STILL = 600  # least seconds drawn after the last event, if so many have passed


def spread_entries(stage: TownLayout, reader: FeedReader, root: int, width: int) -> list[Entry]:
    """The plot and the tree of the post that card `root` shows, quotes or passes on."""
    feed = reader.feed
    post = feed.posts.of.item(root)
    cascade = Cascade(feed, post, reader.residents())
    times = cascade.times()
    if not len(times):
        return [Entry(as_lines("Nobody has passed it on, written about it or commented on it yet.", width))]
    out = [Entry(_grown(reader, cascade, width)), Entry([[]])]
    if len(cascade.cards) > 1:
        out.append(Entry([[ink("Who passed it on, and from whom", GOLD)]]))
        out += [_entry(stage, reader, cascade, branch, root, width) for branch in cascade.branches()]
    return out


def _grown(reader: FeedReader, cascade: Cascade, width: int) -> list[Line]:
    """A plot of how many have passed it on, quoted it or commented on it, over time."""
    clock, posts = reader.viewer.world.clock, reader.feed.posts
    times, start = cascade.times(), posts.t.item(cascade.post)
    last = int(times[-1])
    end = max(last, min(int(reader.now), last + max(STILL, (last - start) // 3)))  # cut a long silence
    cells = max(10, min(COLUMNS, width - AXIS - 1))
    rows = column_chart(growth(times, start, end, cells), ROWS)
    said = posts.comments.item(cascade.post)
    head = f"{count_of(len(cascade.cards) - 1, 'time')} passed on or quoted, {count_of(said, 'comment')}"
    out: list[Line] = [[ink(head, SOFT)], []]
    for i, row in enumerate(rows):
        number = f"{len(times):,}" if not i else "0" if i == len(rows) - 1 else ""
        out.append([ink(f"{number:>{AXIS - 1}} ", DIM), ink(row, BLUE)])
    hours = justify([ink(clock.hhmm(start), DIM)], [ink(clock.hhmm(end), DIM)], cells)
    return [*out, [ink(" " * AXIS), *hours]]


def _entry(stage: TownLayout, reader: FeedReader, cascade: Cascade, branch: Branch, root: int, width: int) -> Entry:
    """A row of the tree. Enter on a quote opens it, on a repost the user who made it."""
    pad = " " * (STEP * min(branch.depth, DEEPEST))
    if branch.card < 0:
        others = "stranger" if branch.depth else "other"
        return Entry([[ink(f"{pad}  and {count_of(branch.size, others)}", DIM)]])
    posts = reader.feed.posts
    author, kind = posts.author.item(branch.card), posts.kind.item(branch.card)
    when = f"{branch.size:,} from here  " if branch.size else ""
    end = [ink(when, SOFT), ink(reader.viewer.world.clock.hhmm(posts.t.item(branch.card)), DIM)]
    name = reader.called(author)[1:]  # without the mood mark, as the row has its own mark
    if kind == REPOST:
        line = [ink(f"{pad}» ", BLUE), *name]
        return Entry([with_end(line, end, width)], leads_to(stage, User(author)), ("card", branch.card))
    gone = posts.gone.item(branch.card)
    text = "deleted" if gone else f"“{text_of(reader.feed, branch.card, reader.words)}”"
    line = [ink(f"{pad}{'« ' if branch.depth else '• '}", BLUE), *name[:1], ink(" ")]
    line.append(outside(text, TEXT if branch.card == root else SOFT, bold=branch.card == root))
    does = leads_to(stage, branch.card) if branch.card != root and not gone else None
    return Entry([with_end(fit(line, width), end, width)], does, ("card", branch.card))


# ---- which residents dealt with a post


class Touched(NamedTuple):
    """A resident who dealt with a post. deeds: what they did besides reading. read: second they last read it, or -1."""

    who: str
    user: int
    deeds: tuple[str, ...]
    read: int


def of_the_town(reader: FeedReader, root: int) -> list[Touched]:
    """All residents who dealt with a post, those who did most first."""
    feed, phones = reader.feed, reader.phones.phones
    posts, comments = feed.posts, feed.comments
    same = np.flatnonzero(posts.root[: posts.n] == root).tolist()  # the post and its reposts
    about = np.flatnonzero((posts.of[: posts.n] == root) & (posts.kind[: posts.n] == QUOTE) & ~posts.gone[: posts.n])
    quoted = set(posts.author[about].tolist())
    said = set(comments.author[: comments.n][comments.post[: comments.n] == root].tolist())
    out = []
    for who in reader.viewer.world.cast:
        user = feed.handles.get(who.lower(), -1)
        account = feed.accounts.get(user)
        if account is None:
            continue
        did = (
            ("liked", root in account.likes), ("disliked", root in account.dislikes), ("commented", user in said),
            ("passed it on", root in account.reposted), ("wrote about it", user in quoted),
            ("reported it", root in account.reported),
        )  # fmt: skip
        deeds = tuple(word for word, so in did if so)
        read = phones[who].read if who in phones else {}
        at = max((read[card] for card in same if card in read), default=-1)
        if deeds or at >= 0:
            out.append(Touched(who, user, deeds, at))
    return sorted(out, key=lambda one: -len(one.deeds))
