"""What an account did is told as the command that it was, and that command becomes the same event."""

from __future__ import annotations

import pytest
from platforms import Stage

from sandbox.core.events import Stamp
from sandbox.engine.domain import Reseed, Reseeded, SetStep, StepSet
from sandbox.engine.registry import REGISTRY
from sandbox.feed.acts import ACTIONS
from sandbox.feed.commands import ACTION, AGAIN, OnFeed, run_feed_command
from sandbox.feed.events import Deed

AT = Stamp(9, 2, 60, "bo", ())


class Town:
    """Ada, Bo and Cy on the feed: Bo follows Ada, has liked a post and disliked another, and is in a group."""

    def __init__(self) -> None:
        p = self.p = Stage()
        self.ada, self.bo, self.cy = (p.sign_up(name, name.title()) for name in ("ada", "bo", "cy"))
        self.post, self.other = (p.create_post(self.ada, text) for text in ("A golden loaf.", "A burnt one."))
        self.own = p.create_post(self.bo, "Mine.")
        self.comment, self.second = (p.create_comment(self.ada, self.own, text) for text in ("Yes.", "No."))
        p.follow(self.bo, self.ada)
        p.mute(self.bo, self.cy)
        p.mute_word(self.bo, "bread")
        p.like_post(self.bo, self.other)
        p.like_comment(self.bo, self.second)
        self.group = p.create_group(self.ada, "Bakers")
        self.joined = p.create_group(self.bo, "Rowers")
        self.feed, self.now, self.means = p.feed, p.now, p


def given(town: Town) -> dict[str, dict[str, str | int | float]]:
    return {
        "sign_up": {"name": "Dee", "bio": "I row."},
        "refresh": {},
        "trend": {},
        "search_posts": {"query": "loaf"},
        "search_users": {"query": "ada"},
        "create_post": {"text": "Enough.", "stance": -0.25, "heat": 0.8},
        "repost": {"post": town.post},
        "quote_post": {"post": town.post, "text": "So it is.", "stance": 0.5},
        "delete_post": {"post": town.own},
        "follow": {"other": town.cy},
        "unfollow": {"other": town.ada},
        "mute": {"other": town.ada},
        "unmute": {"other": town.cy},
        "block": {"other": town.cy},
        "mute_word": {"word": "oven"},
        "unmute_word": {"word": "bread"},
        "like_post": {"post": town.post},
        "unlike_post": {"post": town.other},
        "dislike_post": {"post": town.post},
        "create_comment": {"post": town.post, "text": "Hm.", "tone": -1, "doubt": 3},
        "like_comment": {"comment": town.comment},
        "unlike_comment": {"comment": town.second},
        "dislike_comment": {"comment": town.comment},
        "report_post": {"post": town.post, "why": "burnt"},
        "send_message": {"other": town.ada, "text": "Psst."},
        "read_messages": {"other": town.ada},
        "create_group": {"name": "Millers"},
        "join_group": {"group": town.group},
        "leave_group": {"group": town.joined},
        "send_to_group": {"group": town.joined, "text": "All hands."},
        "listen_from_group": {"group": town.joined},
        "do_nothing": {},
    }


TAKEN_BACK = {"unblock": "block", "undo_dislike_post": "dislike_post", "undo_dislike_comment": "dislike_comment"}


@pytest.mark.parametrize("action", [*ACTIONS])
def test_every_action_is_told_as_the_command_that_makes_the_same_event(action: str) -> None:
    town = Town()
    before = TAKEN_BACK.get(action)
    arguments = given(town)[before or action]
    if before is not None:
        getattr(town.p, before)(town.bo, *arguments.values())
    by = "dee" if action == "sign_up" else "bo"
    asked = OnFeed(by=by, action=action, arguments=arguments, reason="by hand")
    (done,) = run_feed_command(town, asked)
    assert isinstance(done.event, Deed)
    again = AGAIN[type(done.event)](done.event, AT._replace(actor=by))
    assert (again.by, again.action, again.reason) == (by, action, "by hand")
    assert run_feed_command(town, again) == (done,)


def test_every_deed_can_be_told_so_and_so_can_what_runs_a_town() -> None:
    assert {e for e in REGISTRY.handlers if issubclass(e, Deed)} == set(ACTION)
    assert REGISTRY.again[StepSet](StepSet(600), AT._replace(actor="")) == SetStep(seconds=600)
    assert REGISTRY.again[Reseeded](Reseeded(7), AT._replace(actor="")) == Reseed(seed=7)
