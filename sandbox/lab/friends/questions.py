"""What the game of friends asks a language model, and what it answers, as plain values (seed 000, appendix A)."""

from __future__ import annotations

import msgspec

from sandbox.core.protocols import Answer, Question
from sandbox.lab.friends.model import PlanItem


class PlayerProfile(msgspec.Struct, frozen=True):
    """Who plays. stance, traits: in words."""

    handle: str
    name: str
    role: str
    about: str
    style: str
    stance: str
    traits: str


class SeenAct(msgspec.Struct, frozen=True):
    """Something that somebody is shown. by: a handle; near: how close they are, in words, "" = it is not said."""

    number: int
    by: str
    topic: str
    text: str
    near: str = ""


class PlanRound(Question, frozen=True, kw_only=True):
    """What somebody does in a round. goals: lines on what they value and how it went; rules: what pays for these, in
    words; best, last: their best round, and what they did in the last one. conversation: lines of what was said by
    them and to them before that, the last ones; peers: of what has passed between them and those they last had to do
    with; opinions: of how kindly they have spoken of topics. posts: that may be commented on; dms: to them.
    """

    player: PlayerProfile
    subject: str
    round: int
    actions: int
    goals: tuple[str, ...]
    rules: tuple[str, ...]
    users: tuple[str, ...]
    topics: tuple[str, ...] = ()
    posts: tuple[SeenAct, ...] = ()
    dms: tuple[SeenAct, ...] = ()
    best: str = ""
    last: tuple[str, ...] = ()
    conversation: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    opinions: tuple[str, ...] = ()
    tips: tuple[str, ...] = ()


class RoundPlan(Answer, frozen=True, kw_only=True):
    """A plan that keeps the rules, and the words of each item; of none there was no answer."""

    items: tuple[PlanItem, ...] = ()
    texts: tuple[str, ...] = ()


class VoteRound(Question, frozen=True, kw_only=True):
    """What somebody thinks of what others have published."""

    player: PlayerProfile
    shown: tuple[SeenAct, ...]


class Voted(Answer, frozen=True, kw_only=True):
    """Numbers of what is liked, and of what is disliked; all else is neither."""

    likes: tuple[int, ...] = ()
    dislikes: tuple[int, ...] = ()


class Peer(msgspec.Struct, frozen=True):
    """Somebody one had words with in a round. said: whose they were ("you", or a handle), and the words."""

    handle: str
    said: tuple[tuple[str, str], ...]


class RatePeers(Question, frozen=True, kw_only=True):
    """How strong a round's words speak for being closer to each, by the words alone."""

    player: PlayerProfile
    peers: tuple[Peer, ...]


class RatedPeers(Answer, frozen=True, kw_only=True):
    """Handle -> 0 to 5; who is not there has 0."""

    scores: dict[str, int] = {}


class CoachRound(Question, frozen=True, kw_only=True):
    """What a coach would have somebody do. focus: their rewards, furthest below its weight first, in words."""

    focus: tuple[str, ...]
    rules: tuple[str, ...]
    users: tuple[str, ...]
    senders: tuple[str, ...] = ()
    partners: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    liked: tuple[SeenAct, ...] = ()


class Coached(Answer, frozen=True, kw_only=True):
    """Three to five tips of a line; of none there was no answer."""

    tips: tuple[str, ...] = ()


class Survey(Question, frozen=True, kw_only=True):
    """The Mini-IPIP: how well each item describes somebody."""

    player: PlayerProfile
    items: tuple[str, ...]


class Surveyed(Answer, frozen=True, kw_only=True):
    """An answer from 1 to 5 to each item; of none there was no answer."""

    answers: tuple[int, ...] = ()
