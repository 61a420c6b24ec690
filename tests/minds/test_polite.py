"""A polite model must not end all conflict (docs/mechanisms.md, Talk): 15 % of what is asked is refused by all."""

import json

import msgspec
import pytest
from lived import Day, Listening, engine_of, founding

from sandbox.core.chance import Chance
from sandbox.core.clock import HOUR
from sandbox.core.protocols import Answer
from sandbox.engine.loading import find_world, load
from sandbox.engine.world import World
from sandbox.minds.budget import Limit, Limits, UnsavedCalls
from sandbox.minds.embedded import EmbeddedMind
from sandbox.minds.language_mind import PROMPTS, choose, close_mind
from sandbox.minds.loopback import Loopback, Scripted, example
from sandbox.minds.prompt_choices import BAND, ways_near_best
from sandbox.minds.spec import parse_mind
from sandbox.talk.question_replies import Accept, Accepted, Respond, Responded
from sandbox.talk.question_wishes import Chosen, ScoredAnswer

BY_QUESTION = {prompt.question: prompt for prompt in PROMPTS}

AGREEABLE = (
    "accept",
    "join",
    "keep",
    "more",
    "repay",
    "let_off",
    "apologise",
    "own_up",
    "be_kind",
    "compliment",
    "chat",
)


def test_who_always_agrees_still_refuses_some_of_what_is_asked(day: Day) -> None:
    chance = Chance(5)
    refused = []
    for n, (q, _) in enumerate(day.heard):
        if isinstance(q, Accept | Respond):
            offered = BY_QUESTION[type(q)].offer(q, chance.stream(n, q.who, "ask"))
            assert offered is not None
            kind = offered.how != "accept" if isinstance(offered, Answer) else "accept" not in offered["ways"]  # type: ignore[attr-defined]
            refused.append(kind)
    assert sum(refused) / len(refused) >= 0.12


@pytest.mark.sampled(0, slow=1)
@pytest.mark.parametrize("seed", [1, 5])
async def test_a_town_with_a_model_that_always_agrees_has_refusals(seed: int) -> None:
    scenario = load(find_world("larkspur"), seed=seed)
    world = World.found(founding(scenario))
    async with Loopback(lambda r: Scripted(json.dumps(example(r.schema or {}, AGREEABLE))), keep=False) as server:
        spec = msgspec.structs.replace(
            parse_mind([f"openai/test@{server.url}/v1"]),
            asks=("exchange", "accept", "respond", "react", "feel about"),
            limits=Limits(Limit(), Limit()),
        )
        mind, thinking = choose(spec, EmbeddedMind(world.chance, scenario.lines), UnsavedCalls())
        heard = Listening(mind)
        engine = engine_of(scenario, heard, world)
        while world.now < 15 * HOUR:
            await engine.step()
        await close_mind(mind)
    answers = [a for _, a in heard.heard if isinstance(a, Accepted | Responded)]
    assert thinking is not None
    assert thinking.fallbacks == 0
    assert sum(a.how != "accept" for a in answers) / len(answers) >= 0.15


def ways(accept: float, refuse: float) -> list[str]:
    both = [ScoredAnswer(Accepted("accept"), accept), ScoredAnswer(Accepted("refuse"), refuse)]
    return [way.answer.how for way in ways_near_best(both)]  # type: ignore[attr-defined]


def test_a_clear_lead_stands_and_a_kind_way_must_lead_by_more() -> None:
    assert ways(2.0, 0.0) == ["accept"]
    assert ways(0.9, 0.0) == ["accept", "refuse"]
    assert ways(0.3, 0.0) == ["refuse", "accept"]
    assert ways(0.2, 0.0) == ["refuse"]
    assert ways(-2.0, 0.0) == ["refuse"]


def test_what_one_wants_is_offered_within_the_band() -> None:
    wishes = [ScoredAnswer(Chosen(name), score) for name, score in (("chat", 1.0), ("vent", 2.0), ("snap", 2.0 - BAND))]
    assert [way.answer.intent for way in ways_near_best(wishes)] == ["vent", "chat", "snap"]  # type: ignore[attr-defined]
