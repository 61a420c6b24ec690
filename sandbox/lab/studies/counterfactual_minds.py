"""A first vote on false posts, with a language model in the readers' place: doubt is what judges read in comments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sandbox.feed.wording import BAND, Who
from sandbox.lab.studies.counterfactual import (
    COUNTERFACTUAL,
    DOUBTFUL,
    READ,
    SCALES,
    SIZES,
    STEPS,
    ClaimPosting,
    fill_gaps,
)
from sandbox.lab.studies.declaring import with_model
from sandbox.lab.studies.questions import Doubt
from sandbox.lab.studies.readers import Readers, Screen
from sandbox.lab.studies.site import (
    GROUPS,
    TENTH,
    TICK,
    empty_platform,
    group_plot,
    less,
    mean_of,
    platform,
    vote_effects,
    vote_values,
)
from sandbox.lab.studies.study import Case, Effect, Found, Measure, ModelPanel

ACTS = ("create_comment", "like_comment", "dislike_comment", "like_post", "dislike_post", "do_nothing")
COMMENTS, OF = 5, 100  # OF: users of the study's smallest scale, whose posts and list are taken in proportion
NAME = "herd_100"
LEANS = (
    "Most of what you read you take with a pinch of salt.",
    "Some of what you read you believe, and some you do not.",
    "Most of what you read you believe.",
)


async def run(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One run. settings: steps; shown: whether scores are."""
    steps, shown = case.settings.get("steps", STEPS), case.settings.get("shown", True)
    cache, a_step, total = (max(1, round(x * voice.users / OF)) for x in SCALES[OF])
    drawn = platform("reddit", seed, {"crowd": max(OF, voice.users)}, {"mean": DOUBTFUL})
    drawn.feed.hours[:] = TENTH
    site = empty_platform("reddit", seed, {"hot": cache, "cache": cache, "read": READ})
    readers = Readers(site, drawn, voice.users, seed, Screen(ACTS, COMMENTS, shown), _lean)
    posting = ClaimPosting(site, seed, total, a_step)
    ends = []
    for _ in range(steps):
        posting.step()
        await readers.step(voice, TICK)
        ends.append(site.feed.comments.n)
    return _found(site, posting.treated, ends, await _doubts(site, voice))


def _lean(who: Who) -> str:
    return LEANS[0 if who.stance < -BAND else 2 if who.stance > BAND else 1]


async def _doubts(site: Any, voice: ModelPanel) -> Any:
    """How much each comment doubts its post, by the mean of the judges; NaN = nobody could say."""
    feed = site.feed
    of = feed.comments.post[: feed.comments.n].tolist()
    questions = [Doubt("", claim=feed.texts[post], comment=feed.comment_texts[i]) for i, post in enumerate(of)]
    said = np.array(
        [[np.nan if x.doubt is None else x.doubt for x in one] for one in await voice.judge(questions)], np.float64
    )
    known = np.isfinite(said).sum(axis=0)
    return np.where(known > 0, np.nansum(said, axis=0) / np.maximum(known, 1), np.nan)


def _found(site: Any, treated: Any, ends: Sequence[int], doubts: Any) -> Found:
    group_of = treated[site.feed.comments.post[: len(doubts)]]
    known = np.isfinite(doubts)
    means: dict[str, float | None] = {}
    curves: dict[str, list[float]] = {}
    for group, name in GROUPS.items():
        own = (group_of == group) & known
        means[name] = mean_of(doubts[own])
        steps = [mean_of(doubts[a:b][own[a:b]]) for a, b in zip((0, *ends[:-1]), ends, strict=True)]
        curves[name] = fill_gaps([np.nan if x is None else x for x in steps])
    third = max(1, len(ends) // 3)
    early, late = slice(ends[third - 1]), slice(ends[-third - 1] if len(ends) > third else 0, None)
    values = means | {"turn": less(mean_of(doubts[late][known[late]]), mean_of(doubts[early][known[early]]))}
    values |= vote_values(means)
    values["comments"] = len(doubts) / len(ends)
    values["unjudged"] = mean_of(~known)
    return Found(values, curves)


MINDS = with_model(
    COUNTERFACTUAL,
    run,
    of="100, 1,000 and 10,000",
    cases=(
        Case(NAME, "readers are shown the score of posts and comments"),
        Case("hidden", "the same readers are shown no score", {"shown": False}),
    ),
    left_out="what a score weighs is a number of the crowd; a mind has its own",
    why=dict.fromkeys(SIZES.values(), "it is of more users than a model is asked for"),
    measures=(*COUNTERFACTUAL.measures, Measure("unjudged", "share of comments nobody could judge")),
    effects=(
        *vote_effects("{}_100", "", NAME),
        Effect("turn", "doubt grows over the steps", "turn", NAME),
        *vote_effects("hidden_{}", "no score shown", "hidden", null=True),
    ),
    claims=("down_100",),
    plots=(group_plot(NAME, "Doubt of new comments by group, scores shown", "mean doubt", NAME),),
    judges="how much a comment doubts its post",
)
