"""What enter does on the feed: a post or a stranger in full, a resident, a conversation, something to look for."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.feed_tabs import Ask, Leader, Mail, User
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.look import FeedFinder, Looked
from sandbox.tui.sheets.mail import MailSheet
from sandbox.tui.sheets.post import PostSheet
from sandbox.tui.sheets.user import UserSheet


def open_key(stage: TownLayout, key: Hashable) -> None:
    """Show what an item of the feed tells of."""
    if isinstance(key, Leader):
        key = key.card
    if not _there(stage, key):
        stage.notify("That is not on the feed at the moment shown.", timeout=4, markup=False)
    elif isinstance(key, User):
        _open_user(stage, key.number)
    elif isinstance(key, Mail):
        stage.open_sheet(MailSheet(stage, key.other, key.group))
    elif isinstance(key, Ask):
        stage.app.push_screen(FeedFinder(stage), partial(_looked, stage))
    elif isinstance(key, int):
        stage.open_sheet(PostSheet(stage, key))


def _there(stage: TownLayout, key: Hashable) -> bool:
    """Whether those whom an item leads to are on the feed at the moment shown, which may be another than it is of."""
    feed = stage.find(FeedPane).reader.feed
    if isinstance(key, User):
        return key.number < feed.users.n
    return not isinstance(key, Mail) or (key.other < feed.users.n and key.group < len(feed.groups))


def _open_user(stage: TownLayout, user: int) -> None:
    """A resident is gone to, a stranger shown."""
    who = stage.find(FeedPane).reader.resident(user)
    if who:
        stage.close_all()
        stage.go_to_person(who, "person")
    else:
        stage.open_sheet(UserSheet(stage, user))


def _looked(stage: TownLayout, found: Looked | None) -> None:
    """Keep what was found, and show what was chosen of it; None = nothing was."""
    if found is not None:
        stage.find(FeedPane).looked(found.query, found.users, found.posts)
        open_key(stage, found.key)
