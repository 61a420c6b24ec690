"""The comments of a post as entries of a sheet, a page at a time: enter goes to who wrote one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandbox.core.plain import counted
from sandbox.feed.cards import Comment, comments
from sandbox.tui.feeds.reader import Reader
from sandbox.tui.feeds.tabs import User
from sandbox.tui.ink import COOL, DIM, SOFT, TEXT, WARM, Line, ended, hung, ink, outside, prose
from sandbox.tui.panes.entries import Entry
from sandbox.tui.panes.feed import leads_to
from sandbox.tui.stage import Stage

PAGE = 30
TONES = {-1: ("hostile", COOL), 0: ("", DIM), 1: ("warm", WARM)}


def comment_entries(
    stage: Stage, reader: Reader, root: int, most: int, best: bool, more: Callable[[], None] | None, width: int
) -> list[Entry]:
    """So many comments of a post, the newest first, or those with the best score, under a line that counts them; then
    what shows more of them.
    """
    found = comments(reader.feed, reader.me, root, reader.words, best=best, most=most)
    if not found:
        return [Entry(prose("Nobody has commented on it yet.", width))]
    order = "the best first" if best else "the newest first"
    out = [Entry([[ink(f"{counted(reader.feed.posts.comments.item(root), 'comment')}, {order}", DIM)], []])]
    out += [
        Entry(_lines(reader, one, width), leads_to(stage, User(one.author)), ("comment", one.number)) for one in found
    ]
    left = reader.feed.posts.comments.item(root) - len(found)
    if left > 0 and len(found) == most:
        says = f"{left:,} more: enter shows them" if more is not None else f"  {left:,} more: ]"
        out.append(Entry([[ink(says, DIM)]], more, "more"))
    return out


def _lines(reader: Reader, one: Comment, width: int) -> Sequence[Line]:
    tone, fg = TONES.get(one.tone, TONES[0])
    end: Line = [ink(f"{tone}  ", fg)] if tone else []
    for mark, n in (("♥", one.likes), ("▼", one.dislikes)):
        end += [ink(f"{mark} {n:,}  ", SOFT)] if n else []
    lines = [ended(reader.called(one.author), [*end, ink(reader.ago(one.t), DIM)], width)]
    lines += hung([ink("  ")], one.text, width, TEXT)
    about = reader.phones.comments.get(one.number)
    if about is not None and about.topic:
        lines.append([ink("  about: ", DIM), outside(about.topic, SOFT)])
    return [*lines, []]
