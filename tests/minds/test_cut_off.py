"""What a service says of itself is taken with care: a pause without end ends, and half an answer is none."""

import pytest
from test_language import GOOD, Kept, lines, one, town

from sandbox.engine.scenario import Scenario
from sandbox.minds import wire
from sandbox.minds.loopback import Scripted
from sandbox.talk.saying import Said

TOMORROW = "Fri, 31 Dec 9999 23:59:59 GMT"
FOR_EVER = ["1e309", "inf", "Infinity", "99999999999", "3600", TOMORROW]
NO_TIME = ["nan", "-5", "-inf", "soon", "", "0x10", "Fri, 99 Foo 2999", "1e"]


class Answered(Exception):
    def __init__(self, after: str) -> None:
        self.litellm_response_headers = {"retry-after": after}


@pytest.mark.parametrize("after", FOR_EVER)
def test_no_pause_is_longer_than_five_minutes(after: str) -> None:
    assert wire.retry_after(Answered(after)) == wire.LONGEST == 300


@pytest.mark.parametrize("after", NO_TIME)
def test_a_pause_that_is_none_is_none(after: str) -> None:
    assert wire.retry_after(Answered(after)) is None


@pytest.mark.parametrize(("after", "seconds"), [("0", 0.0), ("2.5", 2.5), ("Sat, 01 Jan 2000 00:00:00 GMT", 0.0)])
def test_a_pause_is_as_long_as_it_is_asked_for(after: str, seconds: float) -> None:
    assert wire.retry_after(Answered(after)) == seconds


@pytest.mark.sampled(1)
@pytest.mark.parametrize("after", ["1e309", "nan", TOMORROW])
async def test_a_model_that_asks_for_ever_is_asked_again(
    larkspur: Scenario, after: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "LONGEST", 0.05)
    async with town(larkspur, lines(Scripted(status=429, headers={"Retry-After": after}), GOOD)) as t:
        assert (await one(t)).fault == ""
        assert t.server.count == 2


# ---- half an answer


def cut(text: str) -> Scripted:
    return Scripted(text, ends="length")


HALF = '{"thought": "so", "first": {"say": "Inner words.", "leave": false}, "then": "and'
MORE = f'{{"thoughts": [{GOOD}, {GOOD}'


@pytest.mark.parametrize(("model", "path"), [("openai/test", "/v1"), ("ollama_chat/test", "")])
@pytest.mark.parametrize("text", [HALF, MORE, GOOD[:-2], "I think that", f"<think>Perhaps {GOOD[:-9]}"])
async def test_an_answer_that_was_cut_off_is_told_as_that_and_asked_for_anew(
    larkspur: Scenario, text: str, model: str, path: str
) -> None:
    kept = Kept()
    async with town(larkspur, lines(cut(text)), model=model, path=path, store=kept) as t:
        found = await one(t)
        assert "the answer was cut off at 20 tokens" in found.fault
        assert "Inner" not in found.text
        assert t.server.count == 4
        assert all(c.fault for c in kept.calls.values())
    async with town(larkspur, lines("not asked"), model=model, path=path, store=kept) as t:
        assert await one(t) == found  # what was paid for says the same when it is gone on with
        assert t.server.count == 0
    async with town(larkspur, lines(cut(text), GOOD), model=model, path=path) as t:
        assert await one(t) == Said("Morning, Bo. Mind the step.")
        assert "was cut off at 20 tokens" in t.server.asked[1].messages[-1]["content"]


@pytest.mark.parametrize("text", [HALF, MORE])
async def test_nothing_within_half_an_answer_is_taken_for_the_answer(larkspur: Scenario, text: str) -> None:
    async with town(larkspur, lines(text)) as t:  # a service that does not say that it was cut off
        assert "broke off" in (await one(t)).fault


@pytest.mark.parametrize("after", [" And then I", ' {"say": "And', "\n```\nNote: {"])
async def test_a_whole_answer_is_taken_whatever_was_cut_off_behind_it(larkspur: Scenario, after: str) -> None:
    async with town(larkspur, lines(cut(GOOD + after))) as t:
        assert await one(t) == Said("Morning, Bo. Mind the step.")
        assert t.server.count == 1


async def test_a_brace_in_what_goes_before_does_not_hide_an_answer(larkspur: Scenario) -> None:
    async with town(larkspur, lines("Well { let me see. " + GOOD)) as t:
        assert await one(t) == Said("Morning, Bo. Mind the step.")
