"""Draws a card in a few lines: author and age, text, quoted post, counters and topic."""

from __future__ import annotations

from typing import NamedTuple

from sandbox.core.plain import count_of
from sandbox.feed.cards import Card
from sandbox.tui.panes.feed_reader import FeedReader
from sandbox.tui.view.text_lines import (
    ALARM,
    DIM,
    FAINT,
    SOFT,
    TENDER,
    TEXT,
    Line,
    fit,
    hung,
    ink,
    justify,
    outside,
    width_of,
    with_end,
)

INDENT = "  "
SAID, QUOTED = 3, 2  # most lines of a card's text, and of the text it quotes
ROOMY = 60  # cells of width from which counters have words


class Counter(NamedTuple):
    """A number that a post has. field: its name in `Card`. mark: one cell, with an ASCII replacement of its own."""

    field: str
    mark: str
    word: str


COUNTERS = (
    Counter("likes", "♥", "like"),
    Counter("dislikes", "▼", "dislike"),
    Counter("comments", '"', "comment"),
    Counter("reposts", "»", "repost"),
    Counter("quotes", "«", "quote"),
)


def card_lines(reader: FeedReader, number: int, width: int, note: str = "") -> list[Line]:
    """A card as a list shows it, with a blank line after it. note: a remark below it, "" = none."""
    c = reader.card(number)
    out = head_lines(reader, c, width)
    out += _words(reader, c, width)
    out += quote_lines(reader, c, width, QUOTED)
    out += _foot(reader, c, width)
    if note:
        out.append(fit([ink(INDENT), outside(note, DIM)], width))
    return [*out, []]


def head_lines(reader: FeedReader, card: Card, width: int) -> list[Line]:
    """Who passed the post on (of a repost) and who wrote it, each with its age."""
    out: list[Line] = []
    if card.number != card.root:
        by = [ink("» ", DIM), outside(f"passed on by {reader.short(card.author)}", DIM)]
        out.append(with_end(by, [ink(reader.ago(card.t), DIM)], width))
    t = reader.feed.posts.t.item(card.root)
    return [*out, with_end(reader.called(card.writer), [ink(reader.ago(t), DIM)], width)]


def _words(reader: FeedReader, card: Card, width: int) -> list[Line]:
    if reader.hides(card.writer, card.text):
        return hung([ink(INDENT)], f"kept from {reader.name}: it holds a word they have muted", width, FAINT, most=2)
    return hung([ink(INDENT)], card.text, width, TEXT, most=SAID - bool(card.quoted))


def quote_lines(reader: FeedReader, card: Card, width: int, most: int) -> list[Line]:
    """The quoted post, indented; or why it cannot be shown; nothing if the card quotes none."""
    if card.lost:
        why = (
            "what it was about is deleted" if card.lost == "deleted" else f"what it is about is kept from {reader.name}"
        )
        return [fit([ink(f"{INDENT}│ ", FAINT), outside(why, FAINT)], width)]
    if card.quoted is None:
        return []
    text = f"{reader.short(card.quoted.writer)}: {card.quoted.text}"
    lines = hung([ink(INDENT + INDENT)], text, width, SOFT, most=most)
    return [[ink(f"{INDENT}│ ", FAINT), *line[1:]] for line in lines]


def _foot(reader: FeedReader, card: Card, width: int) -> list[Line]:
    """Counters, a warning and the topic, in one line if there is room."""
    line = counters(card, width >= ROOMY)
    left: Line = [ink(INDENT), *line] if line else []
    right: Line = []
    if card.warning:
        right = [ink("! reported by several", ALARM)]
    about = reader.about(card.root)
    if about is not None and about.topic:
        right += [ink("  " if right else ""), ink("about: ", DIM), outside(about.topic, SOFT)]
    if not right:
        return [fit(left, width)] if left else []
    if left and width_of(left) + 4 + width_of(right) <= width:
        return [justify(left, right, width)]
    own = fit([ink(INDENT), *right], width)
    return [own, fit(left, width)] if left else [own]


def counters(card: Card, roomy: bool) -> Line:
    """The counters above 0; the reader's own like or dislike stands out. roomy: with words beside the numbers."""
    mine = {"likes": card.liked, "dislikes": card.disliked}
    out: Line = []
    for field, mark, word in COUNTERS:
        n: int = getattr(card, field)
        if n:
            own = mine.get(field, False)
            says = count_of(n, word) if roomy else f"{n:,}"
            gap = "   " if out else ""
            out += [ink(f"{gap}{mark} ", TENDER if own else DIM, bold=own), ink(says, SOFT, bold=own)]
    return out
