"""The herd effect: does one early vote change what others vote? (seed 003, 3.3.2 and E.4; Muchnik et al. 2013.)

A controlled account posts, and beneath its posts stand comments. By lot, a comment has one like, nothing, or one
dislike before anybody reads it. What is measured is the score it has gained since, so that the vote given to it is no
part of its effect.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sandbox.feed.model import NEVER
from sandbox.feed.platform import Platform
from sandbox.feed.tables import draws
from sandbox.feed.wording import default_wording
from sandbox.lab.studies.declaring import declared_minds, declared_study
from sandbox.lab.studies.readers import Readers, Screen
from sandbox.lab.studies.site import (
    GROUPS,
    REPLYING,
    TENTH,
    TICK,
    VOTES,
    TreatedPosting,
    empty_platform,
    mean_of,
    platform,
    vote_values,
)
from sandbox.lab.studies.study import Case, Found, ModelPanel, Sample, percent_above, sample

USERS, STEPS, POSTS, MOST_COMMENTS = 3600, 40, 200, 10
CACHE = 300  # posts among which a reader's post is drawn
ACTS = ("like_post", "dislike_post", "like_comment", "dislike_comment", "do_nothing")  # for whom a model decides
TOPICS = (0, 2, 3, 4, 5, 7, 8)  # seven of the nine
TITLES = dict(
    zip(TOPICS, ("politics", "business", "war", "technology", "entertainment", "health", "education"), strict=True)
)


def run(case: Case, seed: int) -> Found:
    """One run: 40 steps of 200 posts with 1 to 10 comments each."""
    s: dict[str, Any] = {"herding": "human", "social": 0.98, "shown": True} | dict(case.settings)
    steps, seed = s.pop("steps", STEPS), seed + s.pop("chance", 0)
    site = platform(
        "reddit",
        seed,
        {"crowd": USERS, "hot": CACHE, "cache": CACHE, "read": 1},
        REPLYING | {"comments": MOST_COMMENTS, "moves": False, "comment": NEVER} | s,
    )
    posting = HerdPosting(site, seed, steps, POSTS)
    site.feed.hours[:] = TENTH  # everybody alike, as in the paper: a tenth in each step
    for step in range(steps):
        posting.step(step)
        site.tick(TICK)
        posting.measure()
    return posting.found()


class HerdPosting(TreatedPosting):
    """Posts and comments, and measures how comments' scores change. posts: per step."""

    def __init__(self, site: Platform, seed: int, steps: int, posts: int) -> None:
        self.counts = draws(seed, "herd").integers(1, MOST_COMMENTS + 1, (steps, posts))
        super().__init__(site, seed, int(self.counts.sum()))
        self.seed, self.posts = seed, posts
        self.topic_of: list[int] = []
        self.gained: dict[int, list[float]] = {group: [] for group in GROUPS}

    def step(self, step: int) -> None:
        """Post, comment, and treat the comments."""
        site, words = self.site, default_wording()
        first = 0 if self.posts >= len(TOPICS) else step * self.posts  # few posts a step take turns over the steps
        topics = [TOPICS[(first + i) % len(TOPICS)] for i in range(self.posts)]
        texts = [words.post(t, 0.0, 0.1, 0, step * self.posts + i, self.seed) for i, t in enumerate(topics)]
        site.vector.prepare(texts)
        for topic, text, count in zip(topics, texts, self.counts[step], strict=True):
            post = site.create_post(self.poster, text)
            for _ in range(count):
                said = words.comment(topic, 0, 0, self.number, self.seed)
                comment = site.create_comment(self.poster, post, said)
                self.treat(comment, site.like_comment, site.dislike_comment)
                self.topic_of.append(topic)

    def measure(self) -> None:
        """Record the gain of each group so far; an empty group has gained nothing."""
        treated = self.treated[: len(self.topic_of)]
        score = comment_gains(self.site, treated)
        for group, rows in self.gained.items():
            rows.append(mean_of(score[treated == group]) or 0.0)

    def found(self) -> Found:
        """The outcome of the run."""
        score, topic = comment_gains(self.site, self.treated), np.array(self.topic_of)
        values = _values(score, self.treated, topic)
        return Found(values, {GROUPS[g]: rows for g, rows in self.gained.items()}, _samples(score, self.treated, topic))


def comment_gains(site: Any, treated: Any) -> Any:
    """The change of each comment's score since it was treated."""
    comments = site.feed.comments
    n = len(treated)
    return (comments.likes[:n].astype(np.int64) - comments.dislikes[:n]) - treated


def _values(score: Any, treated: Any, topic: Any) -> dict[str, float | None]:
    means = {name: mean_of(score[treated == group]) for group, name in GROUPS.items()}
    values = means | vote_values(means)
    values |= {f"{name}_percent": percent_above(means[name], means["control"]) for name in VOTES}
    values |= {f"raw_{name}": None if (x := means[name]) is None else x + group for group, name in GROUPS.items()}
    for t, title in TITLES.items():
        own = {name: mean_of(score[(treated == group) & (topic == t)]) for group, name in GROUPS.items()}
        values |= {key.replace("effect", title): x for key, x in vote_values(own).items()}
    return values


def _samples(score: Any, treated: Any, topic: Any) -> dict[str, Sample]:
    """Samples of the gains of each group, over all comments and by topic."""
    own = {name: treated == group for group, name in GROUPS.items()}
    found = {name: sample(score[of]) for name, of in own.items()}
    return found | {
        f"{name}_{title}": sample(score[of & (topic == t)]) for name, of in own.items() for t, title in TITLES.items()
    }


# ---- with a language model in the readers' place


async def run_minds(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One run with a model: whether an early vote is followed is not put there. As many posts to a reader as with a
    crowd, whose 200 a step are for 3,600 users. settings: steps; shown: whether scores are.
    """
    steps, shown = case.settings.get("steps", STEPS), case.settings.get("shown", True)
    posts = max(1, round(POSTS * voice.users / USERS))
    cache = max(1, round(CACHE / POSTS * posts))
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


HERD = declared_study("herd", run)
MINDS = declared_minds(HERD, run_minds)
