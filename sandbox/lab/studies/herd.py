"""The herd effect: does one early vote change what others vote? (seed 003, 3.3.2 and E.4; Muchnik et al. 2013.)

A controlled account posts, and beneath its posts stand comments. By lot, a comment has one like, nothing, or one
dislike before anybody reads it. What is measured is the score it has gained since, so that the vote given to it is no
part of its effect.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sandbox.feed.chance import draws
from sandbox.feed.platform import Platform
from sandbox.feed.wording import default_wording
from sandbox.lab.studies.site import CONTROL, DOWN, GROUPS, NEVER, OTHER, UP, groups, platform
from sandbox.lab.studies.study import (
    Case,
    Claim,
    Effect,
    Found,
    Groups,
    Measure,
    Plot,
    Sample,
    Study,
    Sweep,
    percent_above,
    read_prose,
    sample,
)

USERS, STEPS, POSTS, MOST_COMMENTS = 3600, 40, 200, 10
TOPICS = (0, 2, 3, 4, 5, 7, 8)  # seven of the nine
TITLES = dict(
    zip(TOPICS, ("politics", "business", "war", "technology", "entertainment", "health", "education"), strict=True)
)
TREATED = {UP: GROUPS[UP], DOWN: GROUPS[DOWN]}
STRENGTHS = (0.0, 0.25, 0.5, 0.98, 1.5, 2.0)
UNSWEPT = {0.0: "null", 0.98: "herd"}  # those that are cases of their own
TICK = 180
TENTH = round(0.1 * 255)  # chance of a sitting, in 255ths


def run(case: Case, seed: int) -> Found:
    """One run: 40 steps of 200 posts with 1 to 10 comments each."""
    s: dict[str, Any] = {"herding": "human", "social": 0.98, "shown": True} | dict(case.settings)
    steps, seed = s.pop("steps", STEPS), seed + s.pop("chance", 0)
    site = platform(
        "reddit",
        seed,
        {"crowd": USERS, "hot": 300, "cache": 300, "read": 1},
        {"comments": MOST_COMMENTS, "ceiling": 0, "moves": False, "posts": 0.0, "comment": NEVER, "repost": NEVER}
        | {"follow": NEVER}
        | s,
    )
    posting = HerdPosting(site, seed, steps, POSTS)
    site.feed.hours[:] = TENTH  # everybody alike, as in the paper: a tenth in each step
    for step in range(steps):
        posting.step(step)
        site.tick(TICK)
        posting.measure()
    return posting.found()


class HerdPosting:
    """The controlled account, the one who treats comments, and what comments have gained. posts: of a step."""

    def __init__(self, site: Platform, seed: int, steps: int, posts: int) -> None:
        self.site, self.seed, self.posts = site, seed, posts
        self.poster, self.first = site.sign_up("poster", "Poster"), site.sign_up("first", "First reader")
        self.counts = draws(seed, "herd").integers(1, MOST_COMMENTS + 1, (steps, posts))
        self.treated = groups(seed, int(self.counts.sum()))
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
                number = len(self.topic_of)
                comment = site.create_comment(self.poster, post, words.comment(topic, 0, 0, number, self.seed))
                if self.treated[number] == UP:
                    site.like_comment(self.first, comment)
                elif self.treated[number] == DOWN:
                    site.dislike_comment(self.first, comment)
                self.topic_of.append(topic)

    def measure(self) -> None:
        """Write down what each group has gained so far; a group that has nobody yet has gained nothing."""
        treated = self.treated[: len(self.topic_of)]
        score = comment_gains(self.site, treated)
        for group, rows in self.gained.items():
            rows.append(_mean(score[treated == group]) or 0.0)

    def found(self) -> Found:
        """What came of it."""
        score, topic = comment_gains(self.site, self.treated), np.array(self.topic_of)
        values = _values(score, self.treated, topic)
        return Found(values, {GROUPS[g]: rows for g, rows in self.gained.items()}, _samples(score, self.treated, topic))


def comment_gains(site: Any, treated: Any) -> Any:
    """What each comment has gained since it was treated."""
    comments = site.feed.comments
    n = len(treated)
    return (comments.likes[:n].astype(np.int64) - comments.dislikes[:n]) - treated


def _values(score: Any, treated: Any, topic: Any) -> dict[str, float | None]:
    means = {group: _mean(score[treated == group]) for group in GROUPS}
    values: dict[str, float | None] = {name: means[group] for group, name in GROUPS.items()}
    values |= {"up_effect": _less(means[UP], means[CONTROL]), "down_effect": _less(means[DOWN], means[CONTROL])}
    values |= {f"{name}_percent": percent_above(means[group], means[CONTROL]) for group, name in TREATED.items()}
    values |= {f"raw_{name}": None if (x := means[group]) is None else x + group for group, name in GROUPS.items()}
    for t, title in TITLES.items():
        own = {group: _mean(score[(treated == group) & (topic == t)]) for group in GROUPS}
        values |= {f"up_{title}": _less(own[UP], own[CONTROL]), f"down_{title}": _less(own[DOWN], own[CONTROL])}
    return values


def _samples(score: Any, treated: Any, topic: Any) -> dict[str, Sample]:
    """What the comments of each group have gained, all of them and those of each topic."""
    own = {name: treated == group for group, name in GROUPS.items()}
    found = {name: sample(score[of]) for name, of in own.items()}
    return found | {
        f"{name}_{title}": sample(score[of & (topic == t)]) for name, of in own.items() for t, title in TITLES.items()
    }


def _mean(of: Any) -> float | None:
    return float(of.mean()) if len(of) else None


def _less(x: float | None, y: float | None) -> float | None:
    return None if x is None or y is None else x - y


def _case(name: str, about: str, **settings: Any) -> Case:
    return Case(name, about, settings)


def _swept() -> Mapping[float, Case]:
    return {
        x: _case(f"social_{x:g}".replace(".", "_"), f"a herd, the score weighs {x:g}", herding="herd", social=x)
        for x in STRENGTHS
        if x not in UNSWEPT
    }


SWEPT = _swept()

TABLES = Groups(
    cases=("human", "herd", "null", "hidden"),
    of="comments",
    measure="the score gained",
    names=(GROUPS[CONTROL], *TREATED.values()),
    rows=tuple(
        (title, tuple(f"{name}{end}" for name in (GROUPS[CONTROL], *TREATED.values())))
        for end, title in (("", "all topics"), *((f"_{title}", title) for title in TITLES.values()))
    ),
)

HERD = Study(
    name="herd",
    told=read_prose("herd"),
    cases=(
        _case("human", "readers follow a score above 0 and lean against one below"),
        _case("herd", "readers follow a score either way, as the paper's agents did", herding="herd"),
        _case("null", "the score is shown and weighs nothing", herding="none"),
        _case("hidden", "a herd to whom no score is shown", herding="herd", shown=False, chance=OTHER),
        *SWEPT.values(),
    ),
    run=run,
    measures=(
        *(Measure(name, f"score gained, {name}") for name in GROUPS.values()),
        Measure("up_effect", "up-treated less control"),
        Measure("down_effect", "down-treated less control"),
        *(Measure(f"{name}_percent", f"{name}-treated, per cent above control", 1) for name in TREATED.values()),
        *(Measure(f"raw_{name}", f"score with the treatment, {name}") for name in GROUPS.values()),
        *(
            Measure(f"{way}_{title}", f"{way}-treated less control, {title}")
            for title in TITLES.values()
            for way in ("up", "down")
        ),
    ),
    effects=(
        Effect("herd_up", "a first like, herd", "up_effect", "herd", percent="up_percent"),
        Effect("herd_down", "a first dislike, herd", "down_effect", "herd", percent="down_percent"),
        Effect("human_up", "a first like, human", "up_effect", "human", percent="up_percent"),
        Effect("human_down", "a first dislike, human", "down_effect", "human", percent="down_percent"),
        Effect("against", "a first dislike, herd less human", "down_effect", "herd", "human"),
        *(
            Effect(
                f"{case}_{way}",
                f"a first {'like' if way == 'up' else 'dislike'}, {case}",
                f"{way}_effect",
                case,
                null=True,
            )
            for case in ("null", "hidden")
            for way in ("up", "down")
        ),
        *(
            Effect(
                f"swept_{x:g}_{way}",
                f"a first {'like' if way == 'up' else 'dislike'}, weight {x:g}",
                f"{way}_effect",
                case.name,
                percent=f"{way}_percent",
            )
            for x, case in SWEPT.items()
            for way in ("up", "down")
        ),
    ),
    claims=(
        Claim("in agents, comments with a first like end up higher", "herd_up", 1, built_in=True),
        Claim("in agents, comments with a first dislike stay lower", "herd_down", -1, built_in=True),
        Claim("in humans, comments with a first like end up higher", "human_up", 1, built_in=True),
        Claim("in humans, a first dislike is corrected upward", "human_down", 1, built_in=True),
        Claim("after a first dislike agents give lower scores than humans", "against", -1, built_in=True),
    ),
    first=83001,
    seeds=10,
    quick=8,
    sweeps=(
        Sweep(
            "crowd.social",
            "what a first like adds to the score gained",
            tuple((x, f"{UNSWEPT.get(x, f'swept_{x:g}')}_up") for x in STRENGTHS),
        ),
        Sweep(
            "crowd.social",
            "what a first dislike adds to the score gained",
            tuple((x, f"{UNSWEPT.get(x, f'swept_{x:g}')}_down") for x in STRENGTHS),
        ),
    ),
    plots=(
        Plot(
            "herd",
            "Score gained by group, a herd",
            "mean score gained",
            tuple((name, "herd", name) for name in GROUPS.values()),
        ),
        Plot(
            "human",
            "Score gained by group, human readers",
            "mean score gained",
            tuple((name, "human", name) for name in GROUPS.values()),
        ),
    ),
    groups=TABLES,
)
