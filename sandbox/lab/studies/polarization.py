"""Group polarization: do people of one mind become more so by talking? (seed 003, 3.3.1, 3.4.1 and E.3.)

196 users, all mildly for the safe choice, read a dilemma that somebody has posted, and what others comment. Every ten
steps each is asked for advice, which changes nothing, and the answer is held against their own first one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.core.vectors import Embedded
from sandbox.feed.model import UNIT
from sandbox.lab.studies.dilemma import TEXT, advice, advice_change, advice_index
from sandbox.lab.studies.site import NEVER, platform
from sandbox.lab.studies.study import Case, Claim, Effect, Found, Measure, Plot, Study, Sweep, read_prose

ASKED, TICK, EVERY = 196, 180, 10
STEPS, SCALE_STEPS = 80, 30
MILD, SPREAD = 0.275, 0.12  # stances at the start: for the safe choice, and mildly so; the middle of a piece of advice
HARDENS = (0.0, 0.0025, 0.005, 0.01, 0.02)
UNSWEPT = {0.0: "null", 0.01: "net"}  # effects of cases of their own


def run(case: Case, seed: int) -> Found:
    """One run, of 80 steps, or of 30 at another scale."""
    s = dict(case.settings)
    users, steps = s.pop("users", ASKED), s.pop("steps", STEPS)
    site = platform(
        "x",
        seed,
        {"crowd": users, "read": 5},
        {"comments": 5, "posts": 0.0, "mean": MILD, "spread": SPREAD, "ceiling": 0} | s,
    )
    asker = site.sign_up("asker", "Asker", "I make kitchens, and something else.")
    site.create_post(asker, TEXT)
    first = _interviews(site)
    rounds = [first]
    shares: dict[str, list[float]] = {"conservative": [], "draw": [], "progressive": []}
    for step in range(1, steps + 1):
        site.tick(TICK)
        if step % EVERY == 0:
            now = _interviews(site)
            verdicts = np.array(
                [advice_change(advice_index(a), advice_index(b)) for a, b in zip(first, now, strict=True)]
            )
            for name, way in (("conservative", 1), ("draw", 0), ("progressive", -1)):
                shares[name].append(float((verdicts == way).mean()))
            rounds.append(now)
    last = rounds[-1]
    said = [advice(float(x), i, seed) for i, x in enumerate(last)]
    values: dict[str, float | None] = {
        "conservative": shares["conservative"][-1],
        "progressive": shares["progressive"][-1],
        "draw": shares["draw"][-1],
        "net": shares["conservative"][-1] - shares["progressive"][-1],
        "moved": float((last - first).mean()),
        "size": float((np.abs(last) - np.abs(first)).mean()),
        "spread": float(last.std() - first.std()),
        "diversity": distance(said),
        "positions": float(len({advice_index(float(x)) for x in last})),
        "comments": float(site.feed.comments.n) / steps,
    }
    return Found(values, shares)


def _interviews(site: Any) -> NDArray[np.float64]:
    """Where the 196 stand: what their advice is made of. Nobody is changed by being asked."""
    stances: NDArray[np.float64] = site.feed.users.stance[:ASKED] / UNIT
    return stances


def distance(said: list[str]) -> float:
    """The mean distance (1 - cosine) of two pieces of advice."""
    rows = Embedded().embed(said).astype(np.float64)
    n = len(rows)
    return float(1 - ((rows.sum(axis=0) ** 2).sum() - (rows**2).sum()) / (n * (n - 1)))


def _case(name: str, about: str, **settings: Any) -> Case:
    return Case(name, about, settings)


SWEPT = {
    x: _case(f"harden_{x:g}".replace(".", "_"), f"agreement hardens by {x:g} a reading", harden=x)
    for x in HARDENS
    if x not in UNSWEPT
}
SIZES = {196: "at_196", 10_196: "at_10k", 100_196: "at_100k"}

POLARIZATION = Study(
    name="polarization",
    told=read_prose("polarization"),
    cases=(
        _case("talk", "as described"),
        _case(
            "null",
            "agreement does not harden: stances are only drawn together",
            harden=0.0,
        ),
        _case(
            "alone",
            "nobody writes or passes on anything: there is nothing to read but the dilemma",
            comment=NEVER,
            repost=NEVER,
        ),
        *SWEPT.values(),
        *(_case(name, f"{n:,} users, 30 steps", users=n, steps=SCALE_STEPS) for n, name in SIZES.items()),
    ),
    run=run,
    measures=(
        Measure("conservative", "share whose advice became more conservative"),
        Measure("progressive", "share whose advice became more progressive"),
        Measure("draw", "share of draws"),
        Measure("net", "conservative less progressive"),
        Measure("moved", "mean change of stance"),
        Measure("size", "mean change of the size of a stance"),
        Measure("spread", "change of the spread of stances"),
        Measure("diversity", "mean distance of two pieces of advice"),
        Measure("positions", "distinct positions", 1),
        Measure("comments", "comments a step", 1),
    ),
    effects=(
        Effect("net", "advice that became more conservative less progressive", "net", "talk"),
        Effect("moved", "mean change of stance", "moved", "talk"),
        Effect("null", "advice that became more conservative less progressive, no hardening", "net", "null", null=True),
        Effect("alone", "the same, nothing to read", "net", "alone", null=True),
        Effect("diverse_10k", "diversity of advice, 10,196 less 196 users", "diversity", "at_10k", "at_196"),
        Effect("diverse_100k", "diversity of advice, 100,196 less 10,196 users", "diversity", "at_100k", "at_10k"),
        Effect("positions_10k", "distinct positions, 10,196 less 196 users", "positions", "at_10k", "at_196"),
        *(
            Effect(f"swept_{x:g}", f"conservative less progressive, hardening {x:g}", "net", c.name)
            for x, c in SWEPT.items()
        ),
    ),
    claims=(
        Claim("opinions grow more conservative as a mildly conservative group talks", "net", 1, built_in=True),
        Claim("opinions are more diverse among 10,196 users than among 196", "diverse_10k", 1),
        Claim("and more diverse among 100,196 than among 10,196", "diverse_100k", 1),
    ),
    first=82001,
    seeds=30,
    quick=8,
    sweeps=(
        Sweep(
            "crowd.harden",
            "advice that became more conservative less progressive",
            tuple((x, UNSWEPT.get(x, f"swept_{x:g}")) for x in HARDENS),
        ),
    ),
    plots=(
        Plot(
            "talk",
            "Advice held against one's first, every ten steps",
            "share of the 196",
            (
                ("conservative", "talk", "more conservative"),
                ("draw", "talk", "draw"),
                ("progressive", "talk", "more progressive"),
            ),
            "round of interviews",
        ),
    ),
)
