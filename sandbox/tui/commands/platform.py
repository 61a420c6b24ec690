"""Actions of the platform: who steers the feed, and what whoever sits in its seat sets by hand."""

from __future__ import annotations

from sandbox.policy.model import HAND, steering_settings
from sandbox.tui.panes.feed import FeedPane
from sandbox.tui.panes.feed_policy import CHOOSE
from sandbox.tui.panes.feed_tabs import User, card_of
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.match import MatchSheet
from sandbox.tui.sheets.platform import MixSheet, PolicySheet, ReachSheet
from sandbox.tui.view.action import LIVE, Action, first_key


def toggle_mix(layout: TownLayout) -> None:
    """Show or close the shares of the mix, for whoever is in the platform's seat."""
    if not layout.close_kind(MixSheet.kind) and _sits(layout):
        layout.open_sheet(MixSheet(layout))


def toggle_reach(layout: TownLayout) -> None:
    """Show or close how far the author of the card, or the user, under the feed's cursor reaches."""
    if layout.close_kind(ReachSheet.kind) or not _sits(layout):
        return
    pane = layout.find(FeedPane)
    key = card_of(pane.chosen)
    if isinstance(key, User):
        layout.open_sheet(ReachSheet(layout, key.number))
    elif isinstance(key, int) and pane.reader.has(key):
        layout.open_sheet(ReachSheet(layout, pane.reader.feed.posts.author.item(key)))
    else:
        layout.notify("Put the cursor of the feed on a card first; its author is meant.", timeout=4)


def _sits(layout: TownLayout) -> bool:
    """Whether whoever watches is in the platform's seat; a notice says how to take it."""
    world = layout.viewer.world
    if steering_settings(world).learner == HAND and not world.policy.own:
        return True
    key = first_key(CHOOSE, layout.viewer.keys)
    layout.notify(f"You are not in the platform's seat. {key}, and “I do”, takes it.", timeout=4)
    return False


# fmt: off
ACTIONS: tuple[Action[TownLayout], ...] = (
    Action(CHOOSE, "P", "", "Who steers the feed: nobody, a policy that learns, or you.",
           lambda layout: layout.toggle(PolicySheet), "platform: who steers the feed", when=LIVE),
    Action("platform.mix", "M", "", "In the platform's seat: shares of followed, personal and headline cards.",
           toggle_mix, "platform: the mix", when=LIVE),
    Action("platform.down", "D", "", "In the platform's seat: turn the author of the feed's card down, or up again.",
           toggle_reach, "platform: turn an author down", when=LIVE),
    Action("platform.match", "V", "", "You against the bandit: the rounds you steered, and the same ones with it.",
           lambda layout: layout.toggle(MatchSheet), "platform: you against the bandit", when=LIVE),
)
