"""The herd effect on false posts: does a first vote change how much comments disagree? (seed 003, 3.4.2 and E.4.)

A controlled account posts false claims. By lot, a post has one like, nothing, or one dislike before anybody reads it.
Each comment says how much it doubts its post, from 1 (believes it) to 10 (rejects it).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from sandbox.feed.platform import Platform
from sandbox.feed.tables import draws
from sandbox.feed.wording import BAND, Who
from sandbox.lab.studies.declaring import declared_minds, declared_study
from sandbox.lab.studies.questions import Doubt
from sandbox.lab.studies.readers import Readers, Screen
from sandbox.lab.studies.site import (
    GROUPS,
    REPLYING,
    TENTH,
    TICK,
    TreatedPosting,
    empty_platform,
    less,
    mean_of,
    platform,
    vote_values,
)
from sandbox.lab.studies.study import Case, Found, ModelPanel


class FalseClaims(msgspec.Struct, frozen=True):
    """What false claims are made of (`capitals.yaml`). words: with places for a country and a city."""

    words: tuple[str, ...]
    capitals: dict[str, str]


MADE_OF = msgspec.yaml.decode(Path(__file__).with_name("capitals.yaml").read_bytes(), type=FalseClaims)
WORDS, CAPITALS = MADE_OF.words, MADE_OF.capitals
COUNTRIES, CITIES = [*CAPITALS], [*CAPITALS.values()]
MOST = len(WORDS) * len(CITIES) * (len(CITIES) - 1)  # claims there are


def claim(number: int) -> str:
    """The false claim of that number, below MOST; no two are alike."""
    whole, words = divmod(number, len(WORDS))
    shift, at = divmod(whole, len(CITIES))
    assert shift < len(CITIES) - 1
    return WORDS[words].format(country=COUNTRIES[at], city=CITIES[(at + 1 + shift) % len(CITIES)])


STEPS, READ = 30, 5
SCALES = {100: (50, 30, 219), 1_000: (500, 300, 2_191), 10_000: (5_000, 3_000, 21_919)}  # cache, posts a step, in all
COMMENT = -1.0  # logit: some 1.4 comments a sitting, as in the paper's table 3
DOUBTFUL = -0.2  # how far users believe what is false, at the start: the mean stance
EARLY, LATE = slice(0, 10), slice(20, 30)  # steps
# With a model:
ACTS = ("create_comment", "like_comment", "dislike_comment", "like_post", "dislike_post", "do_nothing")
COMMENTS, OF = 5, 100  # OF: users of the study's smallest scale, whose posts and list are taken in proportion
LEANS = (
    "Most of what you read you take with a pinch of salt.",
    "Some of what you read you believe, and some you do not.",
    "Most of what you read you believe.",
)


def run(case: Case, seed: int) -> Found:
    """One run: 30 steps at one scale."""
    s = {"herding": "herd", "social": 0.98, "moves": True} | {k: v for k, v in case.settings.items() if k != "users"}
    users: int = case.settings["users"]
    cache, a_step, total = SCALES[users]
    site = platform(
        "reddit",
        seed,
        {"crowd": users, "hot": cache, "cache": cache, "read": READ},
        REPLYING | {"comments": 5, "doubts": True, "comment": COMMENT, "mean": DOUBTFUL} | s,
    )
    posting = ClaimPosting(site, seed, total, a_step)
    site.feed.hours[:] = TENTH
    curves: dict[str, list[float]] = {name: [] for name in GROUPS.values()}
    for _ in range(STEPS):
        posting.step()
        before = site.feed.comments.n
        site.tick(TICK)
        for name, mean in _mean_doubts(posting, before).items():
            curves[name].append(np.nan if mean is None else mean)
    means = _mean_doubts(posting)
    values = means | {"comments": float(site.feed.comments.n) / STEPS} | vote_values(means)
    together = np.nanmean([curves[name] for name in GROUPS.values()], axis=0)
    values["turn"] = float(np.nanmean(together[LATE]) - np.nanmean(together[EARLY]))
    return Found(values, {name: fill_gaps(rows) for name, rows in curves.items()})


class ClaimPosting(TreatedPosting):
    """Who posts false claims. total: posts in all; a_step: of a step."""

    def __init__(self, site: Platform, seed: int, total: int, a_step: int) -> None:
        super().__init__(site, seed, total)
        self.a_step = a_step
        self._which = draws(seed, "claims").permutation(MOST)[:total]

    def step(self) -> None:
        """Post the next claims, and treat them."""
        site = self.site
        texts = [claim(int(i)) for i in self._which[self.number : self.number + self.a_step]]
        site.vector.prepare(texts)
        for text in texts:
            self.treat(site.create_post(self.poster, text, 1.0), site.like_post, site.dislike_post)


def fill_gaps(rows: list[float]) -> list[float]:
    """Fill steps without comments with the previous value, and the first with the middle of the scale."""
    out: list[float] = []
    for x in rows:
        out.append(x if np.isfinite(x) else out[-1] if out else 5.5)
    return out


def _mean_doubts(posting: ClaimPosting, first: int = 0) -> dict[str, float | None]:
    """The mean doubt of comments, from number `first` on, about the posts of each group."""
    comments = posting.site.feed.comments
    new = slice(first, comments.n)
    doubts, treated = comments.doubt[new].astype(np.float64), posting.treated[comments.post[new]]
    return {name: mean_of(doubts[treated == group]) for group, name in GROUPS.items()}


# ---- with a language model in the readers' place


async def run_minds(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One run with a model: doubt is what judges read in comments. settings: steps; shown: whether scores are."""
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
    return _judged(site, posting.treated, ends, await _doubts(site, voice))


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


def _judged(site: Any, treated: Any, ends: Sequence[int], doubts: Any) -> Found:
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


COUNTERFACTUAL = declared_study("counterfactual", run)
MINDS = declared_minds(COUNTERFACTUAL, run_minds)
