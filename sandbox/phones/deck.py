"""What people do with their phones, as data (`phones.yaml`): weights of posts and acts on cards, and the rules that
link town and feed.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandbox.core.clock import HOUR
from sandbox.core.fields import meta, names
from sandbox.people.pressure_beginnings import Weights

# The rules that link town and feed; their code is in `sandbox/phones/`, numbers and words in the deck.
RULES = (
    "subtweet", "screenshot", "pile_on", "apology", "falsehood", "provenance", "telling_like", "unfollow", "appeal",
    "clip",
)  # fmt: skip
# Reasons to post, and the line book's move for each.
POSTS = {
    "news": "post_news",
    "brag": "post_brag",
    "vent": "post_vent",
    "thanks": "post_thanks",
    "ask": "post_ask",
    "view": "post_view",
    "plan": "post_plan",
    "gossip": "post_rumour",
    "small": "post_small",
}
RULE_POSTS = {  # moves of posts made by a rule
    "subtweet": "subtweet",
    "screenshot": "post_proof",
    "apology": "apologise_all",
    "falsehood": "post_rumour",
    "appeal": "beg",
    "clip": "post_clip",
}
# Where each begins: with something written ("feed"), or read or seen there ("street", i.e. in town).
BEGINS = {**dict.fromkeys(RULES, "feed"), **dict.fromkeys(("pile_on", "provenance", "telling_like"), "street")}
# What a reader can do about a card: each an action of the platform.
ACTS = ("like", "dislike", "comment", "quote", "repost", "follow", "mute", "message")
# Features those acts depend on, in [-1, 1]: name -> reason shown when it is in favour, and when against.
CARD_FEATURES: dict[str, tuple[str, str]] = {
    "base": ("in the nature of it", "it takes something"),
    "fond": ("fond of the writer", "does not like the writer"),
    "near": ("about what they care for", "about nothing they care for"),
    "agrees": ("is of the same mind", "is of another mind"),
    "warm": ("it sounds glad", "it sounds bitter"),
    "bitter": ("it sounds bitter", "it sounds glad"),
    "known": ("knows who wrote it", "a stranger wrote it"),
    "about_me": ("it speaks of them", "it speaks of them"),
    "about_dear": ("it speaks of somebody dear", "it speaks of somebody they cannot stand"),
    "liked": ("many like it", "many dislike it"),
    "pleased": ("in good spirits", "in low spirits"),
    "roused": ("worked up", "too tired for it"),
    "bold": ("sure of themselves", "unsure of themselves"),
    "outgoing": ("outgoing", "shy"),
    "agreeable": ("kind-hearted", "hard-headed"),
    "asks": ("it asks something", "it asks something"),
    "to_me": ("it answers them", "it answers them"),
}
CardWeights = dict[
    Annotated[str, meta(options=CARD_FEATURES, what="feature")], Annotated[float, meta(low=-10, high=10)]
]
Name = Annotated[str, meta(most=40)]


class TieRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """A rule that links town and feed. says: what writing by it is called; back: what reading or seeing it is called;
    sentences with {who}, {whom} and {what}. wish: feature -> weight of wanting to (chance: sigmoid of the sum, per
    look). chance: of the rule where nobody wishes it. every: seconds before it runs again for the same key. most:
    starts per day in the whole town. least, share: thresholds whose meaning is the rule's. children: part -> pressure
    it starts. heat: how much a post of it provokes strangers, 0 to 1. standing: change in standing of whoever it
    befalls.
    """

    says: Annotated[str, meta('"{who} wrote of {whom} without a name"', most=200)]
    back: Annotated[str, meta('"{who} has read what {whom} wrote"', most=200)]
    wish: Weights = {}
    chance: Annotated[float, meta(low=0, high=1)] = 1.0
    every: Annotated[int, meta(low=0, high=1000 * HOUR, unit=HOUR)] = 24 * HOUR
    most: Annotated[int, meta(low=0, high=1000)] = 2
    least: Annotated[float, meta(low=-1000, high=1000)] = 0.0
    share: Annotated[float, meta(low=0, high=1)] = 0.0
    children: dict[Name, Annotated[Name, names("child")]] = {}
    heat: Annotated[float, meta(low=0, high=1)] = 0.0
    standing: Annotated[float, meta(low=-1, high=1)] = 0.0


class PhoneDeck(msgspec.Struct, frozen=True, omit_defaults=True):
    """posts: reason to post -> feature -> weight. acts: act on a card -> feature of the card -> weight. rules: those
    that run, by name.
    """

    posts: dict[Annotated[str, meta(options=POSTS, what="reason to post")], Weights] = {}
    acts: dict[Annotated[str, meta(options=ACTS, what="act")], CardWeights] = {}
    rules: dict[Annotated[str, meta(options=RULES, what="rule")], TieRule] = {}
