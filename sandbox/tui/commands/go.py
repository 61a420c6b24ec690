"""Actions of going somewhere: another pane, find, alerts, what was missed, the day's page, a tie, back, out."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.feed_tabs import Ask, Mail, User, card_of
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.replay_jumps import return_to
from sandbox.tui.panes.ties import TiesPane
from sandbox.tui.sheets.find import FeedFinder, Finder, Looked, go_to
from sandbox.tui.sheets.mail import MailSheet, UserSheet
from sandbox.tui.sheets.page import AlertsSheet, ChronicleSheet, PageSheet, page_of
from sandbox.tui.sheets.post import PostSheet
from sandbox.tui.sheets.receipt import open_last
from sandbox.tui.sheets.tie_story import TieSheet
from sandbox.tui.view.action import Action


def show_next(layout: TownLayout) -> None:
    """Close all sheets and show the next pane, in the order of their digits."""
    names = list(layout.panes)
    layout.close_all()
    layout.show_pane(names[(names.index(layout.current) + 1) % len(names)])


def maximise(layout: TownLayout) -> None:
    """Give the current pane all the room, or take it back."""
    layout.large = not layout.large
    layout.lay_out()


def find(layout: TownLayout) -> None:
    """Open the finder of people, places and events."""
    layout.app.push_screen(Finder(layout), partial(go_to, layout))


def show_missed(layout: TownLayout) -> None:
    """Show the notable events since the player last looked, or say that there were none."""
    layout.guard.look_back()
    if not layout.viewer.missed:
        stopped = layout.viewer.stop is not None
        says = "Nothing else like this has happened" if stopped else "Nothing has happened"
        layout.notify(f"{says} since you looked.", timeout=3)


async def toggle_day_page(layout: TownLayout) -> None:
    """Show or close the page of the last whole day; on the first day, of that day so far."""
    world = layout.viewer.world
    if not layout.close_kind(PageSheet.kind):
        layout.open_sheet(await page_of(layout, max(1, world.clock.day(world.now) - 1)))


def back(layout: TownLayout) -> None:
    """Return to the place, person and pane before the last jump."""
    while layout.been:
        place = layout.been.pop()
        if place != layout.here():
            return_to(layout, place)
            return


async def out(layout: TownLayout) -> None:
    """Leave one thing, the first that applies: a sheet, the map's cursor, a level inside a pane, a large pane, a run to
    a goal, following, another pane than home, a replay, the chosen person.
    """
    viewer = layout.viewer
    if layout.close_sheet() or layout.town.end_look() or layout.panes[layout.current].leave():
        return
    if layout.large:
        layout.large = False
        layout.lay_out()
    elif viewer.pace.running and viewer.pace.goal:
        viewer.pace.pause()
    elif viewer.following:
        viewer.following = False
    elif layout.current != layout.home:
        layout.show_pane(layout.home)
    elif viewer.replaying and not viewer.selected:
        await layout.program.leave_replay()
    else:
        layout.choose("")


# fmt: off
ACTIONS: tuple[Action[TownLayout], ...] = (
    Action("pane.next", "tab", "pane", "The next pane.", show_next, "pane: next", rank=2),
    Action("pane.maximise", "z", "", "Give the pane all the room, or take it back.", maximise, "pane: maximise"),
    Action("go.find", "slash", "find", "Find a person, a place or an event.",
           find, "find: person, place, event", rank=2),
    Action("go.alerts", "exclamation_mark", "",
           "The last twenty alerts; enter goes there. ! 3 in the first row: three are new.",
           lambda layout: layout.toggle(AlertsSheet), "alerts: show", rank=4),
    Action("go.since", "", "", "What happened since you looked.", show_missed, "timeline: since you looked"),
    Action("go.page", "", "", "The page of the last whole day.", toggle_day_page, "day: its page"),
    Action("go.chronicle", "", "", "What came to a head in town since day one; enter goes there.",
           lambda layout: layout.toggle(ChronicleSheet), "town: its chronicle"),
    Action("go.receipt", "", "", "What came of the last thing you did.", open_last, "act: what came of it"),
    Action("go.back", "backspace", "", "Back to where you were: place, person, pane.", back, "go: back"),
    Action("go.out", "escape", "", "Out of the innermost thing: a sheet, a cursor, following, a choice.",
           out, "go: out"),
)


# ---- what enter does among the ties


def open_tie(layout: TownLayout, u: str, v: str) -> None:
    """Show the relationship of u to v and how it came about, up to the moment shown in the pane of ties."""
    u, v = layout.viewer.eyes.own_first(u, v)
    layout.open_sheet(TieSheet(layout, u, v, layout.find(TiesPane).desk.t))


# ---- what enter does on the feed


def open_key(layout: TownLayout, key: Hashable) -> None:
    """Show what an item of the feed is about, or say that it is not on the feed at the moment shown."""
    key = card_of(key)
    if not _there(layout, key):
        layout.notify("That is not on the feed at the moment shown.", timeout=4)
    elif isinstance(key, User):
        _open_user(layout, key.number)
    elif isinstance(key, Mail):
        layout.open_sheet(MailSheet(layout, key.other, key.group))
    elif isinstance(key, Ask):
        layout.app.push_screen(FeedFinder(layout), partial(_looked, layout))
    elif isinstance(key, int):
        layout.open_sheet(PostSheet(layout, key))


def _there(layout: TownLayout, key: Hashable) -> bool:
    """Whether the users and groups of an item exist at the moment shown; the item may be from a later one."""
    feed = layout.find(FeedPane).reader.feed
    if isinstance(key, User):
        return key.number < feed.users.n
    return not isinstance(key, Mail) or (key.other < feed.users.n and key.group < len(feed.groups))


def _open_user(layout: TownLayout, user: int) -> None:
    """Go to the person if the user is a resident; show the profile of a stranger."""
    who = layout.find(FeedPane).reader.resident(user)
    if who:
        layout.close_all()
        layout.go_to_person(who, "person")
    else:
        layout.open_sheet(UserSheet(layout, user))


def _looked(layout: TownLayout, found: Looked | None) -> None:
    """Keep the results of a search of the feed, and show the chosen one; None = the search was left."""
    if found is not None:
        layout.find(FeedPane).looked(found.query, found.users, found.posts)
        open_key(layout, found.key)
