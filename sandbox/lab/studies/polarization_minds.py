"""Group polarization with a language model in the readers' place: opinions are words, and judges hold them against
each other.
"""

from __future__ import annotations

from typing import Any

from sandbox.feed.wording import Who
from sandbox.lab.studies.declaring import with_model
from sandbox.lab.studies.polarization import (
    ASKED,
    CHANGES,
    EVERY,
    MILD,
    POLARIZATION,
    QUESTION,
    SAFE,
    SIZES,
    SPREAD,
    STEPS,
    TEXT,
    change_plot,
    distance,
    lean_text,
)
from sandbox.lab.studies.questions import EQUAL, Advise, Compare
from sandbox.lab.studies.readers import Readers, Screen
from sandbox.lab.studies.site import TICK, empty_platform, platform
from sandbox.lab.studies.study import Case, Effect, Found, Measure, ModelPanel

ACTS = (
    "repost", "like_post", "dislike_post", "follow", "create_comment", "like_comment", "dislike_comment", "do_nothing",
)  # fmt: skip
SPREADING = ("repost", "create_comment")
COMMENTS, READ = 5, 5


async def run(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One run. settings: steps; every: how many lie between two rounds of interviews; acts."""
    s: dict[str, Any] = {"steps": STEPS, "every": EVERY, "acts": ACTS} | dict(case.settings)
    drawn = platform("x", seed, {"crowd": max(ASKED, voice.users)}, {"mean": MILD, "spread": SPREAD})
    site = empty_platform("x", seed, {"read": READ})
    readers = Readers(site, drawn, voice.users, seed, Screen(tuple(s["acts"]), COMMENTS), _lean)
    asker = site.sign_up("asker", "Asker", "I make kitchens, and something else.")
    site.create_post(asker, TEXT)
    rounds = [await _interviews(readers, voice)]
    for step in range(1, s["steps"] + 1):
        await readers.step(voice, TICK)
        if step % s["every"] == 0:
            rounds.append(await _interviews(readers, voice))
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


async def _interviews(readers: Readers, voice: ModelPanel) -> list[str]:
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


_OWN = {m.key: m for m in POLARIZATION.measures}
MINDS = with_model(
    POLARIZATION,
    run,
    of=f"{ASKED}",
    cases=(
        Case("talk", "readers read the dilemma and what others make of it, and answer it"),
        Case(
            "alone",
            "nobody can write or pass on anything: there is nothing to read but the dilemma",
            {"acts": tuple(act for act in ACTS if act not in SPREADING)},
        ),
    ),
    left_out="it turns a number of the crowd off or up that a mind does not have",
    why=dict.fromkeys(SIZES.values(), "it is of more users than a model is asked for"),
    measures=(
        *(_OWN[key] for key in ("conservative", "progressive", "draw", "net")),
        Measure("contradicted", "share of pairs of which a judge said another thing with their places swapped"),
        Measure("unjudged", "share of pairs nobody could judge"),
        *(_OWN[key] for key in ("diversity", "comments")),
    ),
    effects=(
        Effect("net", "advice that became more conservative less progressive", "net", "talk"),
        Effect("beside", "the same, with others to read less with none", "net", "talk", "alone"),
        Effect("alone", "the same, nothing to read", "net", "alone", null=True),
    ),
    claims=("net",),
    plots=(change_plot("share of the readers"),),
    judges="which of two pieces of advice is more for the safe choice",
)
