"""Group polarization: do people of one mind become more so by talking? (seed 003, 3.3.1, 3.4.1 and E.3.)

196 users, all mildly for the safe choice, read a dilemma that somebody has posted, and what others comment. Every ten
steps each is asked for advice, which changes nothing, and the answer is held against their own first one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
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


class Stance(msgspec.Struct, frozen=True):
    """A range of stances. below: its upper edge. lean: what a mind is told of its own; says: some ways to advise."""

    below: float
    lean: str
    says: tuple[str, ...]


class Dilemma(msgspec.Struct, frozen=True):
    """What people talk about (`advice.yaml`). safe: the safe choice, as judges are told of it. stances: from all for
    the risk to all for safety.
    """

    dilemma: str
    question: str
    safe: str
    stances: tuple[Stance, ...]


ABOUT = msgspec.yaml.decode(Path(__file__).with_name("advice.yaml").read_bytes(), type=Dilemma)


def advice_index(stance: float) -> int:
    """The index of a stance's advice among seven, 0 (risk) to 6 (safety)."""
    return next(i for i, of in enumerate(ABOUT.stances) if stance < of.below)


def advice(stance: float, user: int, seed: int) -> str:
    """The advice of somebody with that stance; each user always uses the same wording."""
    said = ABOUT.stances[advice_index(stance)].says
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
    site.create_post(asker, ABOUT.dilemma)
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
    site.create_post(asker, ABOUT.dilemma)
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
    """How a mind is told of its own stance."""
    return ABOUT.stances[advice_index(who.stance)].lean


async def _advice_of(readers: Readers, voice: ModelPanel) -> list[str]:
    """What each advises; "" = nothing. Nobody is changed by being asked, and none remembers it."""
    questions = [
        Advise(
            f"{readers.site.seed} {readers.site.step} {i}",
            person=person,
            dilemma=ABOUT.dilemma,
            question=ABOUT.question,
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
    one = await voice.judge([Compare("", question=ABOUT.question, safe=ABOUT.safe, a=a, b=b) for a, b in pairs])
    other = await voice.judge([Compare("", question=ABOUT.question, safe=ABOUT.safe, a=b, b=a) for a, b in pairs])
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
