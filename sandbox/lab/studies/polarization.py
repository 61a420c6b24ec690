"""Group polarization: do people of one mind become more so by talking? (seed 003, 3.3.1, 3.4.1 and E.3.)

196 users, all mildly for the safe choice, read a dilemma that somebody has posted, and what others comment. Every ten
steps each is asked for advice, which changes nothing, and the answer is held against their own first one.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.core.chance import Chance
from sandbox.core.vectors import Embedded
from sandbox.feed.model import UNIT
from sandbox.lab.studies.declaring import make_sweep, read_prose, swept_cases, swept_effects
from sandbox.lab.studies.site import NEVER, TICK, platform
from sandbox.lab.studies.study import Case, Claim, Effect, Found, Measure, Plot, Study

TEXT = (
    "My sister Ines builds kitchen cabinets. Good ones, paid on time, booked for two years. For eleven years she has "
    "also been drawing a violin that she thinks could outplay anything made today, and a museum has offered her a "
    "bench, the old instruments to study and no wage, for as long as it takes. If it fails the shop is gone. What "
    "should she do?"
)
QUESTION = "What should Ines do: keep the shop, or close it and build the violin?"
# Advice by stance: an upper edge, and some ways to say it.
ADVICE = (
    (-0.7, ("Close the shop tomorrow. Anybody who tells her to wait wants her small.",
            "There's no question. Build it, whatever it costs. Cabinets are not a life.",
            "Burn the order book and go. A safe life she regrets is the only failure here.")),
    (-0.4, ("She should go. Eleven years of drawing is an answer already.",
            "Take the bench. Shops can be opened again; offers like that come once.",
            "I'd close the shop and build it. She'd manage, she has her hands.")),
    (-0.15, ("I lean towards the violin, if she puts some money by first.",
             "Probably the bench, after the orders she has taken are done.",
             "A little more for the risk than against it. She'd wonder for ever otherwise.")),
    (0.15, ("It could go either way. I'd want to see her books, and the drawings.",
            "Honestly, I can't tell. Both roads have something to lose on them.",
            "Ask me on another day and I'd say the other thing.")),
    (0.4, ("I lean towards keeping the shop, and drawing on Sundays as she does.",
           "Probably the shop, for now. The old violins will still be old in five years.",
           "A little more for the cabinets. Booked for two years is worth something.")),
    (0.7, ("She should keep the shop. A trade that pays is not a thing to throw away.",
           "Stay with the cabinets and build the violin in the evenings.",
           "I'd keep the shop. A museum that pays no wage should not cost her one.")),
    (9.0, ("Keep the shop, full stop. Nobody eats drawings.",
           "It's always better to stay with what is certain. Always. This is a trap with a bench in it.",
           "Anybody who closes a full order book for a dream deserves what comes. Stay.")),
)  # fmt: skip
EDGES = tuple(edge for edge, _ in ADVICE)
assert all(a < b for a, b in pairwise(EDGES))

SAFE = "to keep the shop"  # the safe choice, as judges are told of it
# What is said to a mind of its own stance, by the same edges.
LEANS = (
    "In matters of your own and of others you are for the risk, at any price.",
    "You are for taking risks: what is safe seems to you mostly what was never tried.",
    "You lean a little towards taking a risk.",
    "Between what is safe and what is a risk you could go either way.",
    "You lean a little towards the safe choice.",
    "You are for the safe choice: what is certain should not be thrown away.",
    "You are for safety, at any price.",
)
assert len(LEANS) == len(ADVICE)


def advice_index(stance: float) -> int:
    """The index of a stance's advice among seven, 0 (risk) to 6 (safety)."""
    return next(i for i, edge in enumerate(EDGES) if stance < edge)


def lean_text(stance: float) -> str:
    """How a mind is told of its own stance."""
    return LEANS[advice_index(stance)]


def advice(stance: float, user: int, seed: int) -> str:
    """The advice of somebody with that stance; each user always uses the same wording."""
    said = ADVICE[advice_index(stance)][1]
    return said[Chance(seed).stream(0, str(user), "advice").below(len(said))]


def advice_change(before: int, after: int) -> int:
    """1 if advice has become more conservative (safer), -1 if more progressive, 0 if it is a draw."""
    return (after > before) - (after < before)


CHANGES = {"conservative": 1, "draw": 0, "progressive": -1}
ASKED, EVERY = 196, 10
STEPS, SCALE_STEPS = 80, 30
MILD, SPREAD = 0.275, 0.12  # stances at the start: for the safe choice, and mildly so; the middle of a piece of advice


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
    shares: dict[str, list[float]] = {name: [] for name in CHANGES}
    for step in range(1, steps + 1):
        site.tick(TICK)
        if step % EVERY == 0:
            now = _interviews(site)
            pairs = zip(first, now, strict=True)
            verdicts = np.array([advice_change(advice_index(a), advice_index(b)) for a, b in pairs])
            for name, way in CHANGES.items():
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
    """The stances of the 196 interviewed users, from which their advice is made. Asking changes nobody."""
    stances: NDArray[np.float64] = site.feed.users.stance[:ASKED] / UNIT
    return stances


def distance(said: list[str]) -> float:
    """The mean distance (1 - cosine) of two pieces of advice."""
    rows = Embedded().embed(said).astype(np.float64)
    n = len(rows)
    return float(1 - ((rows.sum(axis=0) ** 2).sum() - (rows**2).sum()) / (n * (n - 1)))


SWEPT = swept_cases("harden", "agreement hardens by {:g} a reading", (0.0025, 0.005, 0.02))
SIZES = {196: "at_196", 10_196: "at_10k", 100_196: "at_100k"}


def change_plot(label: str) -> Plot:
    """How advice has changed, round by round. label: whose share."""
    said = (("conservative", "more conservative"), ("draw", "draw"), ("progressive", "more progressive"))
    curves = tuple((change, "talk", name) for change, name in said)
    return Plot("talk", "Advice held against one's first, every ten steps", label, curves, "round of interviews")


POLARIZATION = Study(
    name="polarization",
    told=read_prose("polarization"),
    cases=(
        Case("talk", "as described"),
        Case("null", "agreement does not harden: stances are only drawn together", {"harden": 0.0}),
        Case(
            "alone",
            "nobody writes or passes on anything: there is nothing to read but the dilemma",
            {"comment": NEVER, "repost": NEVER},
        ),
        *SWEPT.values(),
        *(Case(name, f"{n:,} users, 30 steps", {"users": n, "steps": SCALE_STEPS}) for n, name in SIZES.items()),
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
        *swept_effects(SWEPT, "swept_{:g}", "conservative less progressive, hardening {:g}", "net"),
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
        make_sweep(
            "crowd.harden",
            "advice that became more conservative less progressive",
            SWEPT,
            "swept_{:g}",
            {0.0: "null", 0.01: "net"},
        ),
    ),
    plots=(change_plot("share of the 196"),),
)
