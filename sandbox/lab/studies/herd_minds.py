"""The herd effect with a language model in the readers' place: whether an early vote is followed is not put there.

As many posts to a reader as in the study: a step's 200 are for 3,600 users.
"""

from __future__ import annotations

from dataclasses import replace

from sandbox.feed.platform import Platform
from sandbox.lab.studies.declaring import with_model
from sandbox.lab.studies.herd import HERD, MOST_COMMENTS, POSTS, STEPS, TABLES, TITLES, USERS, HerdPosting
from sandbox.lab.studies.readers import Readers, Screen
from sandbox.lab.studies.site import TENTH, TICK, empty_platform, group_plot, platform, vote_effects
from sandbox.lab.studies.study import Case, Found, ModelPanel

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


MINDS = with_model(
    HERD,
    run,
    of=f"{USERS:,}",
    cases=(
        Case(NAME, "readers are shown the score of posts and comments"),
        Case("hidden", "the same readers are shown no score", {"shown": False}),
    ),
    left_out="what a score weighs is a number of the crowd; a mind has its own",
    measures=tuple(m for m in HERD.measures if not m.key.endswith(tuple(TITLES.values()))),
    effects=(
        *vote_effects("herd_{}", "", NAME, percent=True),
        *vote_effects("hidden_{}", "no score shown", "hidden", null=True),
    ),
    claims=("herd_up", "herd_down"),
    plots=(group_plot(NAME, "Score gained by group, scores shown", "mean score gained", NAME),),
    groups=replace(TABLES, cases=(NAME, "hidden")),
)
