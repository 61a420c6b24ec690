"""Making friends with a language model in the bandit's place: it plans, writes, votes, rates and coaches."""

from __future__ import annotations

import dataclasses

from msgspec.structs import replace

from sandbox.lab.friends.model_play import ModelGame
from sandbox.lab.friends.persona import FEWEST
from sandbox.lab.friends.play import LEARNING, MODEL
from sandbox.lab.studies.declaring import declared_minds
from sandbox.lab.studies.friends import FRIENDS, describe_game, set_up
from sandbox.lab.studies.study import Case, Found, ModelPanel


async def run_minds(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One game with a model. settings: as of the study, and rounds."""
    whole, rules, way, seed = set_up(case, seed)
    cast = replace(whole, people=whole.people[: max(FEWEST, voice.users)])
    way = dataclasses.replace(way, mind=MODEL if way.mind == LEARNING else way.mind)
    game = ModelGame(cast, rules, way, seed)
    answers = await game.survey(voice)
    for t in range(1, rules.rounds + 1):
        await game.play_round(t, voice)
    return describe_game(game.played, cast, answers, seed)


MINDS = declared_minds(FRIENDS, run_minds)
