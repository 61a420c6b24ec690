"""The herd effect with a language model in the readers' place: whether an early vote is followed is not put there.

As many posts to a reader as in the study: a step's 200 are for 3,600 users.
"""

from __future__ import annotations

import dataclasses

from msgspec.structs import replace

from sandbox.feed.platform import Platform
from sandbox.lab.studies.herd import HERD, MOST_COMMENTS, POSTS, STEPS, TABLES, TENTH, TICK, USERS, HerdPosting
from sandbox.lab.studies.readers import Readers, Screen
from sandbox.lab.studies.site import GROUPS, empty_platform, platform
from sandbox.lab.studies.study import Case, Claim, Effect, Found, Minded, ModelPanel, Plot, read_prose

ACTS = ("like_post", "dislike_post", "like_comment", "dislike_comment", "do_nothing")
CACHE = 300 / POSTS  # steps of posts among which a reader's post is drawn
NAME = "herd"


async def run(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One run. settings: steps; shown: whether scores are."""
    steps, shown = case.settings.get("steps", STEPS), case.settings.get("shown", True)
    posts = max(1, round(POSTS * voice.users / USERS))
    cache = max(1, round(CACHE * posts))
    site = empty_platform("reddit", seed, {"hot": cache, "cache": cache, "read": 1})
    readers = Readers(site, _drawn(seed), voice.users, seed, Screen(ACTS, MOST_COMMENTS, shown))
    posting = HerdPosting(site, seed, steps, posts)
    for step in range(steps):
        posting.step(step)
        await readers.step(voice, TICK)
        posting.measure()
    return posting.found()


def _drawn(seed: int) -> Platform:
    drawn = platform("reddit", seed, {"crowd": USERS}, {})
    drawn.feed.hours[:] = TENTH
    return drawn


_WEIGHT = "what a score weighs is a number of the crowd; a mind has its own"
MINDS = Minded(
    run=run,
    told=replace(read_prose("herd_minds"), paper=HERD.told.paper),
    of=f"{USERS:,}",
    cases=(
        Case(NAME, "readers are shown the score of posts and comments", {}),
        Case("hidden", "the same readers are shown no score", {"shown": False}),
    ),
    left_out={c.name: _WEIGHT for c in HERD.cases if c.name not in (NAME, "hidden")},
    measures=HERD.measures[: HERD.measures.index(next(m for m in HERD.measures if m.key == "up_politics"))],
    effects=(
        Effect("herd_up", "a first like", "up_effect", NAME, percent="up_percent"),
        Effect("herd_down", "a first dislike", "down_effect", NAME, percent="down_percent"),
        Effect("hidden_up", "a first like, no score shown", "up_effect", "hidden", null=True),
        Effect("hidden_down", "a first dislike, no score shown", "down_effect", "hidden", null=True),
    ),
    claims=(
        Claim("in agents, comments with a first like end up higher", "herd_up", 1),
        Claim("in agents, comments with a first dislike stay lower", "herd_down", -1),
    ),
    plots=(
        Plot(
            NAME,
            "Score gained by group, scores shown",
            "mean score gained",
            tuple((name, NAME, name) for name in GROUPS.values()),
        ),
    ),
    groups=dataclasses.replace(TABLES, cases=(NAME, "hidden")),
)
