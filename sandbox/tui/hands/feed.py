"""What enter does on the feed: a post or a stranger in full, a resident, a conversation, something to look for."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from sandbox.tui.feeds.tabs import Ask, Leader, Mail, User
from sandbox.tui.leaves.look import FeedFinder, Looked
from sandbox.tui.leaves.mail import MailLeaf
from sandbox.tui.leaves.post import PostLeaf
from sandbox.tui.leaves.user import UserLeaf
from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.stage import Stage


def open_key(stage: Stage, key: Hashable) -> None:
    """Show what an item of the feed tells of."""
    if isinstance(key, Leader):
        key = key.card
    if isinstance(key, User):
        _open_user(stage, key.number)
    elif isinstance(key, Mail):
        stage.open_sheet(MailLeaf(stage, key.other, key.group))
    elif isinstance(key, Ask):
        stage.app.push_screen(FeedFinder(stage), partial(_looked, stage))
    elif isinstance(key, int):
        stage.open_sheet(PostLeaf(stage, key))


def _open_user(stage: Stage, user: int) -> None:
    """A resident is gone to, a stranger shown."""
    who = stage.find(FeedPane).reader.resident(user)
    if who:
        stage.close_all()
        stage.go_to_person(who, "person")
    else:
        stage.open_sheet(UserLeaf(stage, user))


def _looked(stage: Stage, found: Looked | None) -> None:
    """Keep what was found, and show what was chosen of it; None = nothing was."""
    if found is not None:
        stage.find(FeedPane).looked(found.query, found.users, found.posts)
        open_key(stage, found.key)
