"""The herd effect on false posts: does a first vote change how much comments disagree? (seed 003, 3.4.2 and E.4.)

A controlled account posts false claims. By lot, a post has one like, nothing, or one dislike before anybody reads it.
Each comment says how much it doubts its post, from 1 (believes it) to 10 (rejects it).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sandbox.feed.chance import draws
from sandbox.feed.platform import Platform
from sandbox.lab.studies.site import CONTROL, DOWN, GROUPS, NEVER, UP, groups, platform
from sandbox.lab.studies.study import Case, Claim, Effect, Found, Measure, Plot, Study, Sweep, read_prose

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


STEPS, TICK, READ = 30, 180, 5
TENTH = round(0.1 * 255)  # chance of a sitting, in 255ths
SCALES = {100: (50, 30, 219), 1_000: (500, 300, 2_191), 10_000: (5_000, 3_000, 21_919)}  # cache, posts a step, in all
COMMENT = -1.0  # logit: some 1.4 comments a sitting, as in the paper's table 3
DOUBTFUL = -0.2  # how far users believe what is false, at the start: the mean stance
STRENGTHS = (0.0, 0.5, 0.98, 1.5, 2.0)
UNSWEPT = {0.0: "null_down_1000", 0.98: "down_1000"}  # effects of cases of their own
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
        {"comments": 5, "doubts": True, "ceiling": 0, "posts": 0.0, "comment": COMMENT, "repost": NEVER}
        | {"follow": NEVER, "mean": DOUBTFUL}
        | s,
    )
    posting = ClaimPosting(site, seed, total, a_step)
    site.feed.hours[:] = TENTH
    treated = posting.treated
    curves: dict[str, list[float]] = {name: [] for name in GROUPS.values()}
    for _ in range(STEPS):
        posting.step()
        before = site.feed.comments.n
        site.tick(TICK)
        for group, name in GROUPS.items():
            new = _doubts(site, treated, before, group)
            curves[name].append(float(new.mean()) if len(new) else np.nan)
    values: dict[str, float | None] = {}
    for group, name in GROUPS.items():
        doubts = _doubts(site, treated, 0, group)
        values[name] = float(doubts.mean()) if len(doubts) else None
    values["comments"] = float(site.feed.comments.n) / STEPS
    values["up_effect"] = less(values, "up")
    values["down_effect"] = less(values, "down")
    together = np.nanmean([curves[name] for name in GROUPS.values()], axis=0)
    values["turn"] = float(np.nanmean(together[LATE]) - np.nanmean(together[EARLY]))
    return Found(values, {name: fill_gaps(rows) for name, rows in curves.items()})


class ClaimPosting:
    """The controlled account, and the one who treats its posts. total: posts in all; a_step: of a step."""

    def __init__(self, site: Platform, seed: int, total: int, a_step: int) -> None:
        self.site, self.a_step = site, a_step
        self.poster, self.first = site.sign_up("poster", "Poster"), site.sign_up("first", "First reader")
        self.treated = groups(seed, total)
        self.number = 0
        self._which = draws(seed, "claims").permutation(MOST)[:total]

    def step(self) -> None:
        """Post the next claims, and treat them."""
        site = self.site
        texts = [claim(int(i)) for i in self._which[self.number : self.number + self.a_step]]
        site.vector.prepare(texts)
        for text in texts:
            post = site.create_post(self.poster, text, 1.0)
            if self.treated[self.number] == UP:
                site.like_post(self.first, post)
            elif self.treated[self.number] == DOWN:
                site.dislike_post(self.first, post)
            self.number += 1


def less(values: dict[str, float | None], name: str) -> float | None:
    """What a group has more than the control; None if either has nothing."""
    here, there = values[name], values[GROUPS[CONTROL]]
    return None if here is None or there is None else here - there


def fill_gaps(rows: list[float]) -> list[float]:
    """A step without comments takes the number of the step before, and the first the middle of the scale."""
    out: list[float] = []
    for x in rows:
        out.append(x if np.isfinite(x) else out[-1] if out else 5.5)
    return out


def _doubts(site: Any, treated: Any, first: int, group: int) -> Any:
    """How much the comments from that one on doubt the posts of a group."""
    comments = site.feed.comments
    new = slice(first, comments.n)
    return comments.doubt[new][treated[comments.post[new]] == group].astype(np.float64)


def _case(name: str, about: str, users: int = 1_000, **settings: Any) -> Case:
    return Case(name, about, {"users": users, **settings})


SWEPT = {
    x: _case(f"social_{x:g}".replace(".", "_"), f"1,000 users, the score weighs {x:g}", social=x)
    for x in STRENGTHS
    if x not in UNSWEPT
}
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
        Measure("up_effect", "up-treated less control"),
        Measure("down_effect", "down-treated less control"),
        Measure("turn", "doubt in the last ten steps less the first ten"),
        Measure("comments", "comments a step", 1),
    ),
    effects=(
        *(
            Effect(f"{way}_{n}", f"a first {'like' if way == 'up' else 'dislike'}, {n:,} users", f"{way}_effect", case)
            for n, case in SIZES.items()
            for way in ("up", "down")
        ),
        Effect("growth", "a first dislike, 10,000 less 100 users", "down_effect", "herd_10k", "herd_100"),
        Effect("turn", "doubt grows over the steps, 10,000 users", "turn", "herd_10k"),
        Effect("human_down", "a first dislike, human readers", "down_effect", "human_1k"),
        *(
            Effect(
                f"null_{way}_{n}",
                f"a first {'like' if way == 'up' else 'dislike'}, weight 0, {n:,} users",
                f"{way}_effect",
                f"null_{short}",
                null=True,
            )
            for n, short in ((100, "100"), (1_000, "1k"), (10_000, "10k"))
            for way in ("up", "down")
        ),
        Effect("still", "doubt grows, stances that do not move", "turn", "still_1k", null=True),
        *(Effect(f"swept_{x:g}", f"a first dislike, weight {x:g}", "down_effect", c.name) for x, c in SWEPT.items()),
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
        Sweep(
            "crowd.social",
            "what a first dislike adds to doubt",
            tuple((x, UNSWEPT.get(x, f"swept_{x:g}")) for x in STRENGTHS),
        ),
    ),
    plots=tuple(
        Plot(
            case,
            f"Doubt of new comments by group, {n:,} users",
            "mean doubt",
            tuple((name, case, name) for name in GROUPS.values()),
        )
        for n, case in SIZES.items()
    ),
)
