"""How a post went round, as entries of a sheet: how it grew over time, and the tree of those who passed it on."""

from __future__ import annotations

from sandbox.core.plain import counted
from sandbox.feed.model import REPOST
from sandbox.feed.reading import text_of
from sandbox.tui.feeds.cascade import Branch, Cascade, growth, plotted
from sandbox.tui.feeds.reader import Reader
from sandbox.tui.feeds.tabs import User
from sandbox.tui.ink import BLUE, DIM, GOLD, SOFT, TEXT, Line, apart, ended, fit, ink, outside, prose
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.feed import leads_to
from sandbox.tui.stage import Stage

STEP, DEEPEST = 2, 8  # cells of a branch, and branches that are drawn further in than the one before
ROWS, COLUMNS = 5, 60  # of the plot, at most
AXIS = 7  # cells of the numbers beside it
STILL = 600  # seconds after the last of it that are drawn, at least, if they have passed


def spread_entries(stage: Stage, reader: Reader, root: int, width: int) -> list[Entry]:
    """The plot and the tree of the post that a card shows, quotes or passes on."""
    feed = reader.feed
    post = feed.posts.of.item(root)
    cascade = Cascade(feed, post, reader.residents())
    times = cascade.times()
    if not len(times):
        return [Entry(prose("Nobody has passed it on, written about it or commented on it yet.", width))]
    out = [Entry(_grown(reader, cascade, width)), Entry([[]])]
    if len(cascade.cards) > 1:
        out.append(Entry([[ink("Who passed it on, and from whom", GOLD)]]))
        out += [_entry(stage, reader, cascade, branch, root, width) for branch in cascade.branches()]
    return out


def _grown(reader: Reader, cascade: Cascade, width: int) -> list[Line]:
    """How many had passed it on, written about it or commented on it by when."""
    clock, posts = reader.viewer.world.clock, reader.feed.posts
    times, start = cascade.times(), posts.t.item(cascade.post)
    last = int(times[-1])
    end = max(
        last, min(int(reader.now), last + max(STILL, (last - start) // 3))
    )  # of a long silence only the beginning
    cells = max(10, min(COLUMNS, width - AXIS - 1))
    rows = plotted(growth(times, start, end, cells), ROWS)
    said = posts.comments.item(cascade.post)
    head = f"{counted(len(cascade.cards) - 1, 'time')} passed on or quoted, {counted(said, 'comment')}"
    out: list[Line] = [[ink(head, SOFT)], []]
    for i, row in enumerate(rows):
        number = f"{len(times):,}" if not i else "0" if i == len(rows) - 1 else ""
        out.append([ink(f"{number:>{AXIS - 1}} ", DIM), ink(row, BLUE)])
    hours = apart([ink(clock.hhmm(start), DIM)], [ink(clock.hhmm(end), DIM)], cells)
    return [*out, [ink(" " * AXIS), *hours]]


def _entry(stage: Stage, reader: Reader, cascade: Cascade, branch: Branch, root: int, width: int) -> Entry:
    """A row of the tree. A quote leads to itself, a repost to who passed it on."""
    pad = " " * (STEP * min(branch.depth, DEEPEST))
    if branch.card < 0:
        others = "stranger" if branch.depth else "other"
        return Entry([[ink(f"{pad}  and {counted(branch.size, others)}", DIM)]])
    posts = reader.feed.posts
    author, kind = posts.author.item(branch.card), posts.kind.item(branch.card)
    when = f"{branch.size:,} from here  " if branch.size else ""
    end = [ink(when, SOFT), ink(reader.viewer.world.clock.hhmm(posts.t.item(branch.card)), DIM)]
    name = reader.called(author)[1:]  # without the mark: the row has one of its own
    if kind == REPOST:
        line = [ink(f"{pad}» ", BLUE), *name]
        return Entry([ended(line, end, width)], leads_to(stage, User(author)), ("card", branch.card))
    gone = posts.gone.item(branch.card)
    text = "deleted" if gone else f"“{text_of(reader.feed, branch.card, reader.words)}”"
    line = [ink(f"{pad}{'« ' if branch.depth else '• '}", BLUE), *name[:1], ink(" ")]
    line.append(outside(text, TEXT if branch.card == root else SOFT, bold=branch.card == root))
    does = leads_to(stage, branch.card) if branch.card != root and not gone else None
    return Entry([ended(fit(line, width), end, width)], does, ("card", branch.card))
