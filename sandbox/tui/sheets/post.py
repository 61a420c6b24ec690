"""A post in full: its text, topic and cause, which residents dealt with it, and why it is shown; in other tabs its
comments, and how it spread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sandbox.core.events import Record
from sandbox.core.plain import count_of
from sandbox.core.text import join_names
from sandbox.feed.cards import Card, Comment, comments
from sandbox.feed.model import QUOTE, REPOST
from sandbox.feed.reading import text_of
from sandbox.phones.model import Written
from sandbox.readers.all_stories import event_sentence
from sandbox.readers.stories_of_pressures import matter_blocks
from sandbox.tui.graph.metrics import Branch, Cascade, column_chart, growth
from sandbox.tui.panes.feed import FeedPane, leads_to
from sandbox.tui.panes.feed_reader import COUNTERS, FeedReader, quote_lines
from sandbox.tui.panes.feed_reasons import shown_reasons
from sandbox.tui.panes.feed_tabs import User
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.deal_context import directs
from sandbox.tui.sheets.town_sheet import ReadSheet, TownSheet, leads, lines_of
from sandbox.tui.sheets.why import knows_entry
from sandbox.tui.view import log_queries
from sandbox.tui.view.text_lines import Ink, Line, fit, flow, gauge, hung, ink, justify, outside, to_width, with_end
from sandbox.tui.widgets.entries import Deed, Entry, heading, remark

POST, COMMENTS, BEST, SPREAD = "Post", "Comments", "Best comments", "How it went round"
TABS = (POST, COMMENTS, BEST, SPREAD)
NAME = 12  # cells of a resident's name
GAUGE = 12  # cells of a bar
FEW = 2  # comments shown on the first tab
SOUNDS = 0.3  # valence, in [-1, 1], from which a post sounds warm; bitter below its negative
NOT_THERE = "This post is not there at the moment shown: it is not written yet, or it is deleted."


class PostSheet(ReadSheet):
    """A card, in tabs. The event that led to its text is read from the log. card: its number."""

    kind = "post"
    turns, tabs = True, TABS

    def __init__(self, stage: TownLayout, card: int, tab: str = POST) -> None:
        super().__init__(stage, "A post")
        self.card, self.tab = card, tab
        self.reader: FeedReader = stage.find(FeedPane).reader
        self._most = PAGE
        self._came: Record | None = None

    def turned(self, by: int) -> TownSheet:
        """The next tab, or the one before."""
        return PostSheet(self.stage, self.card, self.tab_beside(by))

    async def read(self) -> None:
        about = self._about()
        if about is not None:
            await log_queries.learn_matters(self.viewer, [about.matter])
            self._came = await log_queries.event(self.viewer, about.cites) if about.cites else None

    def _about(self) -> Written | None:
        reader = self.reader
        return reader.about(reader.feed.posts.root.item(self.card)) if reader.has(self.card) else None

    def entries(self, width: int) -> Sequence[Entry]:
        reader = self.reader
        head = Entry([fit(self.tab_line(), width), []])
        if not reader.has(self.card):
            return [head, remark(NOT_THERE, width)]
        root = reader.feed.posts.root.item(self.card)
        if self.tab in (COMMENTS, BEST):
            return [head, *comment_entries(self.stage, reader, root, self._most, self.tab == BEST, self._more, width)]
        if self.tab == SPREAD:
            return [head, *spread_entries(self.stage, reader, root, width)]
        if self._about() is not None:
            self.keep_up(0)
        c = reader.card(self.card)
        about = [*self._said(c, width), *self._meant(width), *self._town(root, width)]
        return [head, *about, *self._commented(root, width), *self._shown(width), *directs(self.stage, "this post")]

    def _more(self) -> None:
        self._most += PAGE

    # ---- what it says

    def _said(self, card: Card, width: int) -> list[Entry]:
        reader, clock = self.reader, self.world.clock
        out = []
        if card.number != card.root:
            by = [ink("» passed on by ", "dim"), *reader.called(card.author)[1:]]
            out.append(Entry([with_end(by, [ink(reader.ago(card.t), "dim")], width)], self._leads(card.author), "by"))
        t = reader.feed.posts.t.item(card.root)
        when = [ink(clock.words(t), "dim")]
        out.append(Entry([with_end(reader.called(card.writer), when, width)], self._leads(card.writer), "writer"))
        out.append(Entry(hung([ink("  ")], card.text, width)))
        if reader.hides(card.writer, card.text):
            out.append(remark(f"It is hidden from {reader.name}: it has a word they have muted.", width, "dim"))
        if quoted := quote_lines(reader, card, width, 9):
            does = leads_to(self.stage, card.quoted.number) if card.quoted is not None else None
            out.append(Entry(quoted, does, "quoted"))
        counted_ = [[ink(f"{x.mark} ", "dim"), ink(count_of(getattr(card, x.field), x.word), "soft")] for x in COUNTERS]
        out.append(Entry([[], *flow(counted_, width)]))
        if card.warning:
            out.append(Entry([[ink("  ! it carries a warning: several have reported it", "alarm")]]))
        return out + self._pile(card.root, width)

    def _pile(self, root: int, width: int) -> list[Entry]:
        """The people under attack for this post, with the number of hostile reactions so far."""
        clock, posts = self.world.clock, self.reader.feed.posts
        out = []
        for who, pile in self.reader.phones.piles.items():
            if pile.card in (self.card, root) or (0 <= pile.card < posts.n and posts.root.item(pile.card) == root):
                says = f"{self.viewer.name(who)} is being attacked for it: {pile.hostile} so far, since "
                lines = hung([ink("! ", "alarm", bold=True)], says + clock.hhmm(pile.since), width)
                out.append(Entry(lines, leads(self.stage, pile.seq), ("pile", who)))
        return out

    # ---- what it is about, and what led to it

    def _meant(self, width: int) -> list[Entry]:
        about = self._about()
        if about is None:
            return []
        viewer = self.viewer
        out = [heading("What it is about")]
        out.append(Entry(flow(_facts(self.reader, about), width) or [[ink("  nothing in particular", "dim")]]))
        out += self._matter(about, width)
        if self._came is not None:
            hour = [ink("  came of ", "dim"), ink(f"{viewer.world.clock.hhmm(self._came.stamp.t)} ", "dim")]
            lines = hung(hour, event_sentence(self._came, viewer.timeline.teller), width, "soft", most=3)
            out.append(Entry(lines, leads(self.stage, about.cites), "came"))
        out.append(Entry([[ink("  how it came to be written", "soft")]], leads(self.stage, about.seq), "written"))
        return [*out, Entry(self.waiting(width))]

    def _matter(self, about: Written, width: int) -> list[Entry]:
        viewer = self.viewer
        teller = viewer.timeline.teller
        if about.matter not in teller.matters:
            return []
        blocks = lines_of(matter_blocks(teller, about.matter, over=True), width)
        out = [Entry(blocks, leads(self.stage, teller.matters[about.matter].seq), "matter")]
        return [*out, knows_entry(self.stage, about.matter)] if viewer.world.drama.rumours.says else out

    # ---- which residents dealt with it

    def _town(self, root: int, width: int) -> list[Entry]:
        found = of_the_town(self.reader, root)
        out = [heading("In the town")]
        out += [self._person(one, width) for one in found if one.deeds]
        name = self.viewer.name
        only = [name(one.who) for one in found if not one.deeds]
        if only:
            more = "only read by" if len(only) < len(found) else "read by"
            out.append(Entry(hung([ink(f"  {more} ", "dim")], join_names(only), width, "soft")))
        return out if found else [*out, Entry([[ink("  nobody has read it or reacted yet", "dim")]])]

    def _person(self, one: Touched, width: int) -> Entry:
        clock = self.world.clock
        name = to_width(self.reader.called(one.user), NAME)
        read = [ink(f"read {clock.hhmm(one.read)}", "dim")] if one.read >= 0 else []
        line = with_end([*name, ink(" "), outside(", ".join(one.deeds), "soft")], read, width)
        return Entry([line], self._leads(one.user), ("town", one.who))

    def _commented(self, root: int, width: int) -> list[Entry]:
        """Its best comments, if it has any."""
        found = comment_entries(self.stage, self.reader, root, FEW, True, None, width)
        return [heading("Best comments"), *found[1:]] if len(found) > 1 else []

    # ---- why it is shown

    def _shown(self, width: int) -> list[Entry]:
        reader = self.reader
        if reader.account is None:
            says = "Choose somebody to see why it is shown to them, or why not."
            return [heading("Why it is shown"), remark(f"  {says}", width, "dim")]
        out = [heading(f"Why it is shown to {reader.name}, or not")]
        for one in shown_reasons(reader, self.card, self.stage.find(FeedPane).ready.ready()):
            if one.share is None:
                out.append(Entry(hung([ink("  • ", "link")], one.says, width, "soft")))
                continue
            bar = gauge(one.share, GAUGE, "link")
            out.append(Entry([with_end([ink("  • ", "link"), outside(one.says, "soft")], bar, width)]))
        return out

    def _leads(self, user: int) -> Deed:
        return leads_to(self.stage, User(user))


def _facts(reader: FeedReader, about: Written) -> list[Line]:
    """What is known of the post, in short pieces: topic, whom it means, tone, side taken, proof, rule."""
    out: list[Line] = []
    if about.topic and not (about.stance and about.topic == about.opinion):  # else the side names it
        out.append([outside(about.topic)])
    if reader.viewer.is_known(about.whom):
        out.append([ink("means ", "dim"), outside(reader.viewer.name(about.whom), "soft")])
    if abs(about.valence) >= SOUNDS:
        out.append([ink("it sounds ", "dim"), ink("warm" if about.valence > 0 else "bitter", "soft")])
    if about.opinion and about.stance:
        side = "for" if about.stance > 0 else "against"
        out.append([ink(f"{side} ", "dim"), outside(about.opinion.replace("_", " "), "soft")])
    if about.proof:
        out.append([ink("it shows proof", "soft")])
    if about.rule:
        out.append([ink("rule: ", "dim"), outside(about.rule.replace("_", " "), "soft")])
    return out


# ---- the comments of a post as entries of a sheet, a page at a time


PAGE = 30  # comments added at a time
TONES: dict[int, tuple[str, Ink]] = {-1: ("hostile", "cool"), 0: ("", "dim"), 1: ("warm", "warm")}


def comment_entries(
    stage: TownLayout, reader: FeedReader, root: int, most: int, best: bool, more: Callable[[], None] | None, width: int
) -> list[Entry]:
    """At most `most` comments of a post, the newest or (best) the highest scored first, under a line with their count.
    more: what enter does on the entry for the rest; None: that entry names the key of the next tab.
    """
    found = comments(reader.feed, reader.me, root, reader.words, best=best, most=most)
    if not found:
        return [remark("Nobody has commented on it yet.", width)]
    order = "the best first" if best else "the newest first"
    out = [Entry([[ink(f"{count_of(reader.feed.posts.comments.item(root), 'comment')}, {order}", "dim")], []])]
    out += [_comment(stage, reader, one, width) for one in found]
    left = reader.feed.posts.comments.item(root) - len(found)
    if left > 0 and len(found) == most:
        says = f"{left:,} more: enter shows them" if more is not None else f"  {left:,} more: ]"
        out.append(Entry([[ink(says, "dim")]], more, "more"))
    return out


def _comment(stage: TownLayout, reader: FeedReader, one: Comment, width: int) -> Entry:
    tone, fg = TONES.get(one.tone, TONES[0])
    end: Line = [ink(f"{tone}  ", fg)] if tone else []
    for mark, n in (("♥", one.likes), ("▼", one.dislikes)):
        end += [ink(f"{mark} {n:,}  ", "soft")] if n else []
    lines = [with_end(reader.called(one.author), [*end, ink(reader.ago(one.t), "dim")], width)]
    lines += hung([ink("  ")], one.text, width)
    about = reader.phones.comments.get(one.number)
    if about is not None and about.topic:
        lines.append([ink("  about: ", "dim"), outside(about.topic, "soft")])
    return Entry([*lines, []], leads_to(stage, User(one.author)), ("comment", one.number))


# ---- how a post spread: a plot over time, and a tree of who passed it on


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
        return [remark("Nobody has passed it on, written about it or commented on it yet.", width)]
    out = [Entry(_grown(reader, cascade, width)), Entry([[]])]
    if len(cascade.cards) > 1:
        out.append(Entry([[ink("Who passed it on, and from whom", "accent")]]))
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
    out: list[Line] = [[ink(head, "soft")], []]
    for i, row in enumerate(rows):
        number = f"{len(times):,}" if not i else "0" if i == len(rows) - 1 else ""
        out.append([ink(f"{number:>{AXIS - 1}} ", "dim"), ink(row, "link")])
    hours = justify([ink(clock.hhmm(start), "dim")], [ink(clock.hhmm(end), "dim")], cells)
    return [*out, [ink(" " * AXIS), *hours]]


def _entry(stage: TownLayout, reader: FeedReader, cascade: Cascade, branch: Branch, root: int, width: int) -> Entry:
    """A row of the tree. Enter on a quote opens it, on a repost the user who made it."""
    pad = " " * (STEP * min(branch.depth, DEEPEST))
    if branch.card < 0:
        others = "stranger" if branch.depth else "other"
        return Entry([[ink(f"{pad}  and {count_of(branch.size, others)}", "dim")]])
    posts = reader.feed.posts
    author, kind = posts.author.item(branch.card), posts.kind.item(branch.card)
    when = f"{branch.size:,} from here  " if branch.size else ""
    end = [ink(when, "soft"), ink(reader.viewer.world.clock.hhmm(posts.t.item(branch.card)), "dim")]
    name = reader.called(author)[1:]  # without the mood mark, as the row has its own mark
    if kind == REPOST:
        line = [ink(f"{pad}» ", "link"), *name]
        return Entry([with_end(line, end, width)], leads_to(stage, User(author)), ("card", branch.card))
    gone = posts.gone.item(branch.card)
    text = "deleted" if gone else f"“{text_of(reader.feed, branch.card, reader.words)}”"
    line = [ink(f"{pad}{'« ' if branch.depth else '• '}", "link"), *name[:1], ink(" ")]
    line.append(outside(text, "text" if branch.card == root else "soft", bold=branch.card == root))
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
