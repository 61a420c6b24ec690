"""Making friends with a language model in the bandit's place: it plans, writes, votes, rates and coaches."""

from __future__ import annotations

import dataclasses

from msgspec.structs import replace

from sandbox.lab.friends.model_play import ModelGame
from sandbox.lab.friends.persona import FEWEST
from sandbox.lab.friends.play import LEARNING, MODEL
from sandbox.lab.studies.declaring import with_model
from sandbox.lab.studies.friends import ALONE, FRIENDS, MET, describe_game, set_up
from sandbox.lab.studies.study import Case, Found, ModelPanel

KEPT = (
    *MET, "again", "blind", "rec_paper", *ALONE.values(),
    *(f"{case}_coach" for case in ALONE.values()),
)  # fmt: skip


async def run(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One game. settings: as of the study, and rounds."""
    whole, rules, way, seed = set_up(case, seed)
    cast = replace(whole, people=whole.people[: max(FEWEST, voice.users)])
    way = dataclasses.replace(way, mind=MODEL if way.mind == LEARNING else way.mind)
    game = ModelGame(cast, rules, way, seed)
    answers = await game.survey(voice)
    for t in range(1, rules.rounds + 1):
        await game.play_round(t, voice)
    return describe_game(game.played, cast, answers, seed)


MINDS = with_model(
    FRIENDS,
    run,
    of="30",
    cases=tuple(c for c in FRIENDS.cases if c.name in KEPT),
    left_out="how much an observation counts is a number of the bandit; a mind has its own",
    effects=tuple(e for e in FRIENDS.effects if {e.case, e.against} <= {*KEPT, ""}),
    claims=[c.effect for c in FRIENDS.claims],
    built_in=("emo_high",),
    plots=FRIENDS.plots,
)
