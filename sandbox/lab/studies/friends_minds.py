"""Making friends with a language model in the bandit's place: it plans, writes, votes, rates and coaches."""

from __future__ import annotations

import dataclasses
from typing import Any

from msgspec.structs import replace

from sandbox.lab.friends.measures import of_acts, of_network, of_rewards, of_survey
from sandbox.lab.friends.model_play import ModelGame
from sandbox.lab.friends.persona import FEWEST, cast_of
from sandbox.lab.friends.play import LEARNING, MODEL
from sandbox.lab.studies.friends import ALONE, ARMS, FRIENDS, case_setup
from sandbox.lab.studies.study import Case, Found, Minded, ModelPanel, read_prose

KEPT = (
    *ARMS, "control", "control_text", "again", "blind", "rec_paper", *ALONE.values(),
    *(f"{case}_coach" for case in ALONE.values()),
)  # fmt: skip


async def run(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One game. settings: as of the study, and rounds."""
    s: dict[str, Any] = {"chance": 0, "cast": None, "wants": "", "rounds": None} | dict(case.settings)
    seed += s.pop("chance")
    whole, rounds = cast_of(s.pop("cast")).wanting(s.pop("wants")), s.pop("rounds")
    cast = replace(whole, people=whole.people[: max(FEWEST, voice.users)])
    rules, way = case_setup(cast.rules, s | {"mind": MODEL if s["mind"] == LEARNING else s["mind"]})
    rules = rules if rounds is None else replace(rules, rounds=rounds)
    game = ModelGame(cast, rules, way, seed)
    answers = await game.survey(voice)
    for t in range(1, rules.rounds + 1):
        await game.play_round(t, voice)
    values, curves = of_rewards(game.played, cast)
    shaped, thetas = of_network(game.played.ties, [p.camp for p in cast.people], seed)
    return Found(values | of_acts(game.played) | shaped | of_survey(cast, answers), curves | thetas)


_BANDIT = "how much an observation counts is a number of the bandit; a mind has its own"
_CLAIMS = {"emo_high"}  # what the formulas put there, whoever plays
MINDS = Minded(
    run=run,
    told=replace(read_prose("friends_minds"), paper=FRIENDS.told.paper),
    of="30",
    cases=tuple(c for c in FRIENDS.cases if c.name in KEPT),
    left_out={c.name: _BANDIT for c in FRIENDS.cases if c.name not in KEPT},
    measures=FRIENDS.measures,
    effects=tuple(e for e in FRIENDS.effects if {e.case, e.against} <= {*KEPT, ""}),
    claims=tuple(dataclasses.replace(c, built_in=c.effect in _CLAIMS, built_against=False) for c in FRIENDS.claims),
    plots=FRIENDS.plots,
)
