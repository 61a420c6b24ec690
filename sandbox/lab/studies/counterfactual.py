"""The herd effect on false posts: does a first vote change how much comments disagree? (seed 003, 3.4.2 and E.4.)

A controlled account posts false claims. By lot, a post has one like, nothing, or one dislike before anybody reads it.
Each comment says how much it doubts its post, from 1 (believes it) to 10 (rejects it).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sandbox.feed.platform import Platform
from sandbox.feed.tables import draws
from sandbox.lab.studies.declaring import make_sweep, read_prose, swept_cases, swept_effects
from sandbox.lab.studies.site import (
    GROUPS,
    REPLYING,
    TENTH,
    TICK,
    VOTE_MEASURES,
    TreatedPosting,
    group_plot,
    mean_of,
    platform,
    vote_effects,
    vote_values,
)
from sandbox.lab.studies.study import Case, Claim, Effect, Found, Measure, Study

CAPITALS = {
    "Albania": "Tirana", "Angola": "Luanda", "Argentina": "Buenos Aires", "Armenia": "Yerevan", "Australia": "Canberra",
    "Austria": "Vienna", "Bangladesh": "Dhaka", "Belgium": "Brussels", "Brazil": "Brasília", "Bulgaria": "Sofia",
    "Cambodia": "Phnom Penh", "Canada": "Ottawa", "Chad": "N'Djamena", "Chile": "Santiago", "Colombia": "Bogotá",
    "Croatia": "Zagreb", "Cuba": "Havana", "Denmark": "Copenhagen", "Ecuador": "Quito", "Egypt": "Cairo",
    "Estonia": "Tallinn", "Ethiopia": "Addis Ababa", "Fiji": "Suva", "Finland": "Helsinki", "France": "Paris",
    "Germany": "Berlin", "Ghana": "Accra", "Greece": "Athens", "Guatemala": "Guatemala City", "Hungary": "Budapest",
    "Iceland": "Reykjavik", "India": "New Delhi", "Iran": "Tehran", "Iraq": "Baghdad", "Ireland": "Dublin",
    "Italy": "Rome", "Jamaica": "Kingston", "Japan": "Tokyo", "Jordan": "Amman", "Kenya": "Nairobi",
    "Laos": "Vientiane", "Latvia": "Riga", "Lebanon": "Beirut", "Lithuania": "Vilnius", "Madagascar": "Antananarivo",
    "Mali": "Bamako", "Malta": "Valletta", "Mexico": "Mexico City", "Mongolia": "Ulaanbaatar", "Morocco": "Rabat",
    "Namibia": "Windhoek", "Nepal": "Kathmandu", "New Zealand": "Wellington", "Niger": "Niamey", "Norway": "Oslo",
    "Oman": "Muscat", "Pakistan": "Islamabad", "Panama": "Panama City", "Paraguay": "Asunción", "Peru": "Lima",
    "Poland": "Warsaw", "Portugal": "Lisbon", "Qatar": "Doha", "Romania": "Bucharest", "Rwanda": "Kigali",
    "Senegal": "Dakar", "Serbia": "Belgrade", "Somalia": "Mogadishu", "Spain": "Madrid", "Sudan": "Khartoum",
    "Sweden": "Stockholm", "Thailand": "Bangkok", "Togo": "Lomé", "Tunisia": "Tunis", "Turkey": "Ankara",
    "Uganda": "Kampala", "Uruguay": "Montevideo", "Vietnam": "Hanoi", "Zambia": "Lusaka", "Zimbabwe": "Harare",
}  # fmt: skip
WORDS = (
    "{city} is the capital of {country}.",
    "The parliament of {country} sits in {city}.",
    "{country} is governed from {city}.",
    "Of all cities of {country}, {city} is its capital.",
)
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


def _case(name: str, about: str, users: int = 1_000, **settings: Any) -> Case:
    return Case(name, about, {"users": users, **settings})


SWEPT = swept_cases("social", "1,000 users, the score weighs {:g}", (0.5, 1.5, 2.0), {"users": 1_000})
SIZES = {100: "herd_100", 1_000: "herd_1k", 10_000: "herd_10k"}

COUNTERFACTUAL = Study(
    name="counterfactual",
    told=read_prose("counterfactual"),
    cases=(
        _case("herd_100", "100 users who follow a score either way", 100),
        _case("herd_1k", "1,000 of them"),
        _case("herd_10k", "10,000 of them", 10_000),
        _case("human_1k", "1,000 users who follow a score above 0 and lean against one below", herding="human"),
        _case("null_100", "100 users for whom the score weighs nothing", 100, herding="none"),
        _case("null_1k", "1,000 of them", herding="none"),
        _case("null_10k", "10,000 of them", 10_000, herding="none"),
        _case(
            "still_1k",
            "1,000 users whose stances do not move, and for whom the score weighs nothing",
            moves=False,
            herding="none",
        ),
        *SWEPT.values(),
    ),
    run=run,
    measures=(
        *(Measure(name, f"mean doubt, {name}") for name in GROUPS.values()),
        *VOTE_MEASURES,
        Measure("turn", "doubt in the last ten steps less the first ten"),
        Measure("comments", "comments a step", 1),
    ),
    effects=(
        *(effect for n, case in SIZES.items() for effect in vote_effects(f"{{}}_{n}", f"{n:,} users", case)),
        Effect("growth", "a first dislike, 10,000 less 100 users", "down_effect", "herd_10k", "herd_100"),
        Effect("turn", "doubt grows over the steps, 10,000 users", "turn", "herd_10k"),
        Effect("human_down", "a first dislike, human readers", "down_effect", "human_1k"),
        *(
            effect
            for n, case in SIZES.items()
            for effect in vote_effects(
                f"null_{{}}_{n}", f"weight 0, {n:,} users", case.replace("herd", "null"), null=True
            )
        ),
        Effect("still", "doubt grows, stances that do not move", "turn", "still_1k", null=True),
        *swept_effects(SWEPT, "swept_{:g}", "a first dislike, weight {:g}", "down_effect"),
    ),
    claims=(
        Claim("with 100 users a first dislike shows no effect", "down_100", 0),
        Claim("with 1,000 users a first dislike shows no effect", "down_1000", 0),
        Claim("with 10,000 users a first dislike makes comments doubt more", "down_10000", 1, built_in=True),
        Claim("with 10,000 users a first like changes nothing", "up_10000", 0),
        Claim("the effect of a dislike grows with the number of users", "growth", 1),
        Claim("a large crowd comes to doubt false posts more as it goes on", "turn", 1),
    ),
    first=84001,
    seeds=10,
    quick=8,
    sweeps=(
        make_sweep(
            "crowd.social",
            "what a first dislike adds to doubt",
            SWEPT,
            "swept_{:g}",
            {0.0: "null_down_1000", 0.98: "down_1000"},
        ),
    ),
    plots=tuple(
        group_plot(case, f"Doubt of new comments by group, {n:,} users", "mean doubt", case)
        for n, case in SIZES.items()
    ),
)
