"""Actions of going somewhere: another pane, find, alerts, what was missed, the day's page, a tie, back, out."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.feed_tabs import Ask, Leader, Mail, User
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.replay_jumps import return_to
from sandbox.tui.panes.ties import TiesPane
from sandbox.tui.sheets.find import FeedFinder, Finder, Looked, go_to
from sandbox.tui.sheets.mail import MailSheet, UserSheet
from sandbox.tui.sheets.page import AlertsSheet, PageSheet, page_of
from sandbox.tui.sheets.post import PostSheet
from sandbox.tui.sheets.receipt import open_last
from sandbox.tui.sheets.tie_story import TieSheet
from sandbox.tui.view.action import Action


def show_next(stage: TownLayout) -> None:
    """Close all sheets and show the next pane, in the order of their digits."""
    names = list(stage.panes)
    stage.close_all()
    stage.show_pane(names[(names.index(stage.current) + 1) % len(names)])


def maximise(stage: TownLayout) -> None:
    """Give the current pane all the room, or take it back."""
    stage.large = not stage.large
    stage.lay_out()


def find(stage: TownLayout) -> None:
    """Open the finder of people, places and events."""
    stage.app.push_screen(Finder(stage), partial(go_to, stage))


def show_missed(stage: TownLayout) -> None:
    """Show the notable events since the player last looked, or say that there were none."""
    stage.guard.look_back()
    if not stage.viewer.since:
        stopped = stage.viewer.stop is not None
        says = "Nothing else of this has happened" if stopped else "Nothing has happened"
        stage.notify(f"{says} since you looked.", timeout=3, markup=False)


async def toggle_day_page(stage: TownLayout) -> None:
    """Show or close the page of the last whole day; on the first day, of that day so far."""
    world = stage.viewer.world
    if not stage.close_kind(PageSheet.kind):
        stage.open_sheet(await page_of(stage, max(1, world.clock.day(world.now) - 1)))


def back(stage: TownLayout) -> None:
    """Return to the place, person and pane before the last jump."""
    while stage.been:
        place = stage.been.pop()
        if place != stage.here():
            return_to(stage, place)
            return


async def out(stage: TownLayout) -> None:
    """Leave one thing, the first that applies: a sheet, the map's cursor, a level inside a pane, a large pane, a run to
    a goal, following, another pane than home, a replay, the chosen person.
    """
    viewer = stage.viewer
    if stage.close_sheet() or stage.town.end_look() or stage.panes[stage.current].leave():
        return
    if stage.large:
        stage.large = False
        stage.lay_out()
    elif viewer.pace.running and viewer.pace.goal:
        viewer.pace.pause()
    elif viewer.following:
        viewer.following = False
    elif stage.current != stage.home:
        stage.show_pane(stage.home)
    elif viewer.replaying and not viewer.selected:
        await stage.house.leave_replay()
    else:
        stage.choose("")


# fmt: off
ACTIONS: tuple[Action[TownLayout], ...] = (
    Action("pane.next", "tab", "pane", "The next pane.", show_next, "pane: next", rank=2),
    Action("pane.maximise", "z", "", "Give the pane all the room, or take it back.", maximise, "pane: maximise"),
    Action("go.find", "slash", "find", "Find a person, a place or an event.",
           find, "find: person, place, event", rank=2),
    Action("go.alerts", "exclamation_mark", "",
           "The last twenty alerts; enter goes there. ! 3 in the first row: three are new.",
           lambda stage: stage.toggle(AlertsSheet), "alerts: show", rank=4),
    Action("go.since", "", "", "What happened since you looked.", show_missed, "timeline: since you looked"),
    Action("go.page", "", "", "The page of the last whole day.", toggle_day_page, "day: its page"),
    Action("go.receipt", "", "", "What came of the last thing you have done.", open_last, "act: what came of it"),
    Action("go.back", "backspace", "", "Back to where you were: place, person, pane.", back, "go: back"),
    Action("go.out", "escape", "", "Out of the innermost thing: a sheet, a cursor, following, a choice.",
           out, "go: out"),
)


# ---- what enter does among the ties


def open_tie(stage: TownLayout, u: str, v: str) -> None:
    """Show the relationship of u to v and how it came about, up to the moment shown in the pane of ties."""
    u, v = stage.viewer.eyes.own_first(u, v)
    stage.open_sheet(TieSheet(stage, u, v, stage.find(TiesPane).desk.t))


# ---- what enter does on the feed


def open_key(stage: TownLayout, key: Hashable) -> None:
    """Show what an item of the feed is about, or say that it is not on the feed at the moment shown."""
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
    """Whether the users and groups of an item exist at the moment shown; the item may be from a later one."""
    feed = stage.find(FeedPane).reader.feed
    if isinstance(key, User):
        return key.number < feed.users.n
    return not isinstance(key, Mail) or (key.other < feed.users.n and key.group < len(feed.groups))


def _open_user(stage: TownLayout, user: int) -> None:
    """Go to the person if the user is a resident; show the profile of a stranger."""
    who = stage.find(FeedPane).reader.resident(user)
    if who:
        stage.close_all()
        stage.go_to_person(who, "person")
    else:
        stage.open_sheet(UserSheet(stage, user))


def _looked(stage: TownLayout, found: Looked | None) -> None:
    """Keep the results of a search of the feed, and show the chosen one; None = the search was left."""
    if found is not None:
        stage.find(FeedPane).looked(found.query, found.users, found.posts)
        open_key(stage, found.key)
