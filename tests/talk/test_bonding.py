"""Ties by text: what a talk speaks for a tie is rated by its words alone."""

from __future__ import annotations

import pytest
from lived import engine_of, log_of, run
from msgspec.structs import replace

from sandbox.core.chance import Stream
from sandbox.core.clock import HOUR
from sandbox.engine.scenario import Scenario
from sandbox.people.ties import tie_growth
from sandbox.talk.closing import RateTie, rate_tie
from sandbox.talk.model import Closed

WARM, PLAIN, COLD = "How lovely to see you, my dear, I am so glad.", "The door is on the left.", "I hate you, you liar."


def score(*lines: tuple[str, str]) -> int:
    return rate_tie(RateTie("ann", other="bo", lines=lines), Stream(b"")).score


def test_warm_words_bind_and_cold_ones_do_not() -> None:
    assert score(("bo", WARM)) > score(("bo", PLAIN)) > score(("bo", COLD)) == 0


def test_only_the_words_of_the_other_count() -> None:
    assert score(("ann", WARM), ("bo", PLAIN)) == score(("bo", PLAIN))
    assert score(("ann", WARM)) == score() == 0


@pytest.mark.sampled(1)
@pytest.mark.parametrize("text", [False, True])
def test_a_town_runs_either_way_and_each_talk_grows_a_tie_as_far_as_its_evidence(
    larkspur: Scenario, text: bool
) -> None:
    s = replace(larkspur, parameters={**larkspur.parameters, "ties.text": text}, step=180)
    engine = run(engine_of(s), 4 * HOUR // 180)
    gains = [r.closeness_delta for _, e in log_of(engine).all() if isinstance(e, Closed) for r in e.relations]
    assert sum(gain > 0 for gain in gains) >= len(gains) / 10
    by_score = {round(tie_growth(0.0, n / 5, engine.world.tie_parameters), 6) for n in range(6)}
    fresh = [
        r.closeness_delta
        for _, e in log_of(engine).all()
        if isinstance(e, Closed)
        for r in e.relations
        if r.closeness == r.closeness_delta == r.grown > 0
    ]
    assert fresh
    assert (set(fresh) <= by_score) == text
