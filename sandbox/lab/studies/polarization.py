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
from sandbox.feed.wording import Who
from sandbox.lab.studies.declaring import declared_minds, declared_study
from sandbox.lab.studies.questions import EQUAL, Advise, Compare
from sandbox.lab.studies.readers import Readers, Screen
from sandbox.lab.studies.site import TICK, empty_platform, platform
from sandbox.lab.studies.study import Case, Found, ModelPanel

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
STEPS = 80
READ, COMMENTS = 5, 5  # posts shown in a sitting, and comments of each
ACTS = (
    "repost", "like_post", "dislike_post", "follow", "create_comment", "like_comment", "dislike_comment", "do_nothing",
)  # fmt: skip  # of readers for whom a model decides
MILD, SPREAD = 0.275, 0.12  # stances at the start: for the safe choice, and mildly so; the middle of a piece of advice


def run(case: Case, seed: int) -> Found:
    """One run, of 80 steps, or of 30 at another scale."""
    s = dict(case.settings)
    users, steps = s.pop("users", ASKED), s.pop("steps", STEPS)
    site = platform(
        "x",
        seed,
        {"crowd": users, "read": READ},
        {"comments": COMMENTS, "posts": 0.0, "mean": MILD, "spread": SPREAD, "ceiling": 0} | s,
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


# ---- with a language model in the readers' place


async def run_minds(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One run with a model: opinions are words, and judges hold them against each other. settings: steps; every: how
    many lie between two rounds of interviews; acts.
    """
    s: dict[str, Any] = {"steps": STEPS, "every": EVERY, "acts": ACTS} | dict(case.settings)
    drawn = platform("x", seed, {"crowd": max(ASKED, voice.users)}, {"mean": MILD, "spread": SPREAD})
    site = empty_platform("x", seed, {"read": READ})
    readers = Readers(site, drawn, voice.users, seed, Screen(tuple(s["acts"]), COMMENTS), _lean)
    asker = site.sign_up("asker", "Asker", "I make kitchens, and something else.")
    site.create_post(asker, TEXT)
    rounds = [await _advice_of(readers, voice)]
    for step in range(1, s["steps"] + 1):
        await readers.step(voice, TICK)
        if step % s["every"] == 0:
            rounds.append(await _advice_of(readers, voice))
    verdicts = [await _verdicts(rounds[0], now, voice) for now in rounds[1:]]
    shares = {name: [_share(of, way) for of in verdicts] for name, way in CHANGES.items()}
    last = verdicts[-1] if verdicts else []
    known = [x for x in last if x is not None]
    values: dict[str, float | None] = {name: _share(last, way) if known else None for name, way in CHANGES.items()}
    values["net"] = sum(x[0] for x in known) / len(known) if known else None
    values["contradicted"] = sum(x[1] for x in known) / len(known) if known else None
    values["unjudged"] = (len(last) - len(known)) / len(last) if last else None
    said = [text for text in rounds[-1] if text]
    values["diversity"] = distance(said) if len(said) > 1 else None
    values["comments"] = site.feed.comments.n / s["steps"]
    return Found(values, shares)


def _lean(who: Who) -> str:
    return lean_text(who.stance)


async def _advice_of(readers: Readers, voice: ModelPanel) -> list[str]:
    """What each advises; "" = nothing. Nobody is changed by being asked, and none remembers it."""
    questions = [
        Advise(
            f"{readers.site.seed} {readers.site.step} {i}",
            person=person,
            dilemma=TEXT,
            question=QUESTION,
            lately=tuple(readers.lately[i]),
        )
        for i, person in enumerate(readers.people)
    ]
    return [answer.text for answer in await voice.ask(questions)]


async def _verdicts(first: list[str], now: list[str], voice: ModelPanel) -> list[tuple[int, bool] | None]:
    """For each reader and judge: whether advice is safer than one's first (1), less safe (-1) or neither (0), and
    whether the judge has contradicted itself when the two changed places; None = it cannot be told. A judge who
    contradicts itself has not told them apart.
    """
    pairs = [(a, b) for a, b in zip(first, now, strict=True) if a and b and a != b]
    same = [(0, False) for a, b in zip(first, now, strict=True) if a and a == b]
    lost: list[None] = [None for a, b in zip(first, now, strict=True) if not (a and b)]
    out: list[tuple[int, bool] | None] = []
    one = await voice.judge([Compare("", question=QUESTION, safe=SAFE, a=a, b=b) for a, b in pairs])
    other = await voice.judge([Compare("", question=QUESTION, safe=SAFE, a=b, b=a) for a, b in pairs])
    for here, there in zip(one, other, strict=True):
        out += [*same, *lost]
        for x, y in zip(here, there, strict=True):
            if not (x.safer and y.safer):
                out.append(None)
                continue
            way, swapped = ({"b": 1, "a": -1, EQUAL: 0}[x.safer], {"b": -1, "a": 1, EQUAL: 0}[y.safer])
            out.append((way if way == swapped else 0, way != swapped))
    return out


def _share(of: list[tuple[int, bool] | None], way: int) -> float:
    known = [x[0] for x in of if x is not None]
    return sum(x == way for x in known) / len(known) if known else 0.0


POLARIZATION = declared_study("polarization", run)
MINDS = declared_minds(POLARIZATION, run_minds)
