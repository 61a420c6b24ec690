"""The language mind against a real HTTP server on loopback: right answers and every sort of wrong one.

litellm's own client talks to the server; nothing is put in place of anything.
"""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from email.utils import formatdate
from time import time
from typing import Any, NamedTuple

import msgspec
import pytest

from sandbox.core.chance import Chance
from sandbox.core.protocols import Answer, Mind, Question
from sandbox.engine.scenario import Scenario
from sandbox.minds.budget import Call, CallStore, Key, Limit, Limits, NotKept, Spent, Thinking, UnsavedCalls
from sandbox.minds.check import check_answer, check_mind, samples
from sandbox.minds.client import LETTERS
from sandbox.minds.embedded import ASKS, EmbeddedMind
from sandbox.minds.language_mind import MindPerPerson, choose, close_mind
from sandbox.minds.loopback import Loopback, Request, Scripted, default_answer, example
from sandbox.minds.spec import MindSpec, Model, parse_mind
from sandbox.minds.wire import connect, is_unreachable, missing_setup
from sandbox.people.interview_question import Interview, Interviewed
from sandbox.people.question_mood import DescribeMood
from sandbox.talk.lines import LineBook
from sandbox.talk.question_wishes import Exchange
from sandbox.talk.saying import Said, Say

Script = Callable[[Request], Scripted]
SAY = next(q for q in samples() if isinstance(q, Say))
GOOD = '{"say": "Morning, Bo. Mind the step.", "leave": false}'


class Kept(UnsavedCalls):
    """A store that counts what is looked for, and keeps all."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: dict[Key, Call] = {}

    async def find(self, key: Key) -> Call | None:
        return self.calls.get(key)

    async def keep(self, call: Call) -> None:
        await super().keep(call)
        self.calls[call.key] = call


class Town(NamedTuple):
    server: Loopback
    mind: Mind
    thinking: Thinking
    embedded: EmbeddedMind


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Have litellm load what it loads with its first call, so that no test waits for that."""

    async def call(model: str, path: str) -> None:
        async with Loopback(lines(GOOD)) as server:
            mind, _ = choose(
                parse_mind([f"{model}@{server.url}{path}"]), EmbeddedMind(Chance(1), LineBook((), {})), UnsavedCalls()
            )
            await mind.answer([SAY], 1)
            await close_mind(mind)

    for model, path in (("openai/test", "/v1"), ("ollama_chat/test", "")):
        asyncio.run(call(model, path))


@asynccontextmanager
async def town(
    scenario: Scenario,
    script: Script,
    *,
    model: str = "openai/test",
    path: str = "/v1",
    store: CallStore | None = None,
    pause: float = 0.001,
    **spec: Any,
) -> AsyncIterator[Town]:
    embedded = EmbeddedMind(Chance(3), scenario.lines)
    async with Loopback(script) as server:
        made = msgspec.structs.replace(parse_mind([f"{model}@{server.url}{path}"]), **{"timeout": 2.0, **spec})
        mind, thinking = choose(made, embedded, store or UnsavedCalls(), pause=pause)
        assert thinking is not None
        try:
            yield Town(server, mind, thinking, embedded)
        finally:
            await close_mind(mind)


async def one(t: Town, q: Question = SAY) -> Any:
    return (await t.mind.answer([q], 3))[0]


def lines(*texts: str | Scripted) -> Script:
    """These, one after the other; the last again and again."""

    def script(request: Request) -> Scripted:
        found = texts[min(request.n, len(texts) - 1)]
        return Scripted(found) if isinstance(found, str) else found

    return script


def fits(request: Request) -> Scripted:
    return Scripted(json.dumps(example(request.schema or {})))


# ---- right


@pytest.mark.parametrize(
    ("model", "path", "called"),
    [
        ("openai/test", "/v1", "/v1/chat/completions"),
        ("hosted_vllm/test", "/v1", "/v1/chat/completions"),
        ("ollama_chat/test", "", "/api/chat"),
        ("ollama/test", "", "/api/generate"),
    ],
)
async def test_every_type_of_question_is_asked_and_answered(
    larkspur: Scenario, model: str, path: str, called: str
) -> None:
    async with town(larkspur, fits, model=model, path=path, asks=ASKS) as t:
        asked = samples()
        for q, a in zip(asked, await t.mind.answer(asked, 3), strict=True):
            check_answer(q, a)
            assert a.fault == ""
        assert {r.path for r in t.server.asked} == {called}
        assert all(r.schema for r in t.server.asked)
        assert len(t.server.asked) >= len(asked) - 3  # some had nothing to choose
        assert (t.thinking.spent.calls, t.thinking.waiting, t.thinking.flying) == (len(t.server.asked), {}, 0)


async def test_all_minds_hold_to_what_minds_promise(larkspur: Scenario) -> None:
    embedded = EmbeddedMind(Chance(3), larkspur.lines)
    await check_mind(lambda: embedded)
    async with town(larkspur, fits) as t:
        await check_mind(lambda: t.mind)
        await check_mind(lambda: MindPerPerson(t.mind, {"cid": embedded}))
        await check_mind(lambda: MindPerPerson(embedded, {"cid": t.mind}))


async def test_a_mind_that_breaks_a_promise_is_told_which() -> None:
    class Mute(EmbeddedMind):
        async def answer(self, questions: Any, step: int, wave: int = 0) -> list[Answer]:
            return [Said("\x1b[31mred")] * len(questions)

    with pytest.raises(AssertionError, match="answered by Said"):
        await check_mind(lambda: Mute(Chance(1), LineBook((), {})))


async def test_the_words_are_the_models_own(larkspur: Scenario) -> None:
    async with town(larkspur, lines(GOOD)) as t:
        assert await one(t) == Said("Morning, Bo. Mind the step.")


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{GOOD}\n```",
        f"<think>Let me see {{ }} what</think> Here you are: {GOOD} I hope that helps!",
        f'{{"nothing": 1}} {GOOD}',
        GOOD.replace("\n", ""),
        '{"say": "\\"Morning, Bo. Mind the step.\\"", "leave": "false", "more": [1]}',
        '{"say": "**Ann:** Morning, Bo. *smiles* Mind the step.", "leave": false}',
    ],
)
async def test_an_answer_is_found_in_what_models_put_around_it(larkspur: Scenario, text: str) -> None:
    async with town(larkspur, lines(text)) as t:
        assert (await one(t)).text == "Morning, Bo. Mind the step."
        assert len(t.server.asked) == 1


@pytest.mark.parametrize(("turn", "may"), [(0, False), (3, False), (4, True), (9, True)])
async def test_a_talk_that_has_settled_may_be_ended_by_who_speaks(larkspur: Scenario, turn: int, may: bool) -> None:
    async with town(larkspur, lines(GOOD.replace("false", "true"))) as t:
        assert (await one(t, msgspec.structs.replace(SAY, turn=turn))).closes == may
        assert ("if you want the talk to end" in t.server.asked[0].messages[1]["content"]) == may


async def test_a_batch_flies_together_but_not_more_than_may(larkspur: Scenario) -> None:
    many = [msgspec.structs.replace(SAY, n=n) for n in range(8)]
    async with town(larkspur, lambda r: Scripted(GOOD, delay=0.05), together=3) as t:
        assert all(a.fault == "" for a in await t.mind.answer(many, 3))
        assert t.server.at_once == 3
    async with town(larkspur, lambda r: Scripted(GOOD, delay=0.05)) as t:
        await t.mind.answer(many, 3)
        assert t.server.at_once == 8


async def test_several_addresses_share_the_work(larkspur: Scenario) -> None:
    embedded = EmbeddedMind(Chance(3), larkspur.lines)
    slow = lines(Scripted(GOOD, delay=0.02))
    async with Loopback(slow) as a, Loopback(slow) as b, Loopback(lines(Scripted(status=500))) as broken:
        spec = parse_mind([f"openai/test@{broken.url}/v1,{a.url}/v1,{b.url}/v1"])
        mind, thinking = choose(spec, embedded, UnsavedCalls(), pause=0.001)
        found = await mind.answer([msgspec.structs.replace(SAY, n=n) for n in range(9)], 3)
        await close_mind(mind)
    assert [x.fault for x in found] == [""] * 9
    assert thinking is not None
    assert thinking.fallbacks == 0
    assert min(a.count, b.count) >= 3


# ---- wrong

WRONG: dict[str, Script] = {
    "no json": lines("I would rather not."),
    "wrong json": lines('{"say": "Morning'),
    "wrong types": lines('{"say": ["Morning"], "leave": 3}'),
    "another form": lines('{"text": "Morning"}'),
    "a list": lines('["Morning"]'),
    "empty": lines(""),
    "no words": lines('{"say": " \\u200b... ", "leave": false}'),
    "deep": lines('{"say": ' + "[" * 9000 + "]" * 9000 + "}"),
    "a number without end": lines('{"say": ' + "9" * 6000 + "}"),
    "half a pair": lines('{"say": "\\ud800", "leave": false}'),
    "cut off": lines(Scripted(GOOD, cut=90)),
    "cut at once": lines(Scripted(GOOD, cut=0)),
    "slow": lines(Scripted(GOOD, delay=0.6)),
    "500": lines(Scripted(status=500)),
    "503": lines(Scripted(status=503, headers={"Retry-After": "0"})),
    "429": lines(Scripted(status=429)),
    "429 for long": lines(Scripted(status=429, headers={"Retry-After": "3600"})),
    "401": lines(Scripted(status=401)),
    "404": lines(Scripted(status=404)),
    "400": lines(Scripted(status=400)),
    "no protocol": lines(Scripted(raw=b"<html>busy</html>")),
    "no choices": lines(Scripted(raw=b'{"id": "x", "object": "chat.completion", "choices": []}')),
    "nothing at all": lines(Scripted(raw=b"")),
    "null": lines(Scripted(raw=b"null")),
    "wrong protocol": lines(Scripted(raw=b'{"choices": [{"message": {"role": "assistant", "content": 7}}]}')),
    "huge": lines(Scripted(raw=b'{"choices": "' + b"x" * 10_000_000 + b'"}')),
    "huge words": lines(json.dumps({"say": "word " * 60_000, "leave": False})),
    "packed": lines(Scripted(raw=b"x" * 100, headers={"Content-Encoding": "gzip"})),
    "elsewhere": lines(Scripted(status=307, headers={"Location": "http://127.0.0.1:1/"})),
}  # fmt: skip


@pytest.mark.sampled(16)
@pytest.mark.parametrize("protocol", ["openai", "ollama_chat"])
@pytest.mark.parametrize("kind", WRONG)
async def test_what_goes_wrong_ends_in_the_embedded_answer_and_says_so(
    larkspur: Scenario, kind: str, protocol: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = "/v1" if protocol == "openai" else ""
    async with town(larkspur, WRONG[kind], model=f"{protocol}/test", path=path, timeout=0.3, patience=3.0) as t:
        found = await one(t)
        assert found.fault
        assert len(found.fault) <= 200
        assert found.fault.isprintable()
        assert msgspec.structs.replace(found, fault="") == (await t.embedded.answer([SAY], 3))[0]
        assert 1 <= t.server.count <= 8
        assert (t.thinking.fallbacks, t.thinking.fault) == (1, found.fault)
        assert (t.thinking.waiting, t.thinking.flying) == ({}, 0)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("first", "calls"),
    [
        ("nonsense", 2), ('{"say": 3}', 2), (Scripted(status=500), 2), (Scripted(GOOD, cut=50), 2),
        (Scripted(status=429, headers={"Retry-After": "0.01"}), 2), (Scripted(status=429), 2),
        (Scripted(status=429, headers={"Retry-After": formatdate(time() - 5)}), 2), (Scripted(GOOD, delay=0.6), 2),
        (Scripted(status=400), 2),
    ],
)  # fmt: skip
async def test_one_bad_answer_is_mended_by_asking_again(larkspur: Scenario, first: str | Scripted, calls: int) -> None:
    async with town(larkspur, lines(first, GOOD), timeout=0.4) as t:
        assert await one(t) == Said("Morning, Bo. Mind the step.")
        assert t.server.count == calls


async def test_the_second_try_names_the_fault_of_the_first(larkspur: Scenario) -> None:
    async with town(larkspur, lines('{"choice": "dance"}', '{"choice": "vent"}')) as t:
        q = next(q for q in samples() if isinstance(q, Exchange))
        assert (await one(t, q)).intent == "vent"
        *before, bad, mend = t.server.asked[1].messages
        assert before == t.server.asked[0].messages
        assert bad == {"role": "assistant", "content": '{"choice": "dance"}'}
        assert "'dance' is none of" in mend["content"]


async def test_a_service_that_knows_no_schema_is_asked_more_simply_from_then_on(larkspur: Scenario) -> None:
    def script(r: Request) -> Scripted:
        kind = (r.body.get("response_format") or {}).get("type")
        return Scripted(status=400) if kind == "json_schema" else Scripted(GOOD)

    async with town(larkspur, script) as t:
        assert (await one(t)).fault == ""
        await one(t, msgspec.structs.replace(SAY, n=2))
        kinds = [r.body["response_format"]["type"] for r in t.server.asked]
        assert kinds == ["json_schema", "json_object", "json_object"]


async def test_a_pause_that_is_asked_for_is_kept(larkspur: Scenario) -> None:
    async with town(larkspur, lines(Scripted(status=429, headers={"Retry-After": "0.3"}), GOOD)) as t:
        began = asyncio.get_running_loop().time()
        assert (await one(t)).fault == ""
        assert asyncio.get_running_loop().time() - began >= 0.3


async def test_a_model_that_is_not_there_is_not_waited_for_again_and_again(larkspur: Scenario) -> None:
    async with town(larkspur, lines(Scripted(status=404))) as t:
        assert "404" in (await one(t)).fault
        assert "404" in (await one(t, msgspec.structs.replace(SAY, n=2))).fault
        assert t.server.count == 1


_CUT = {"index": 0, "finish_reason": "length", "message": {"role": "assistant", "content": ""}}
SILENT = Scripted(raw=json.dumps({"choices": [_CUT]}).encode())  # it thought aloud, and had no room left to answer


async def test_a_model_that_thinks_aloud_gets_more_room(larkspur: Scenario) -> None:
    async with town(larkspur, lines(SILENT, GOOD)) as t:
        assert (await one(t)).fault == ""
        assert t.server.asked[1].body["max_tokens"] > 4 * t.server.asked[0].body["max_tokens"]


@pytest.mark.parametrize("lacks", [0, 1], ids=["enough", "a token too few"])
async def test_that_room_is_set_aside_before_it_is_asked_for(larkspur: Scenario, lacks: int) -> None:
    async with town(larkspur, lines(SILENT, GOOD)) as t:
        await one(t)
        again = t.server.asked[1]
        long = round(sum(len(m["content"]) for m in again.messages) / LETTERS)
    limit = long + long + again.body["max_tokens"] - lacks  # the first try came to the question alone
    async with town(larkspur, lines(SILENT, GOOD), limits=Limits(Limit(tokens=limit), Limit())) as t:
        fault = (await one(t)).fault
        assert t.server.count == 2 - lacks
        assert fault == ("" if not lacks else f"the tokens of the day are used up ({limit:,})")


# ---- keys


async def test_nothing_is_sent_on_to_where_a_service_points(larkspur: Scenario) -> None:
    async with Loopback(lines(GOOD)) as other:
        script = lines(Scripted(status=307, headers={"Location": f"{other.url}/v1/chat/completions"}))
        async with town(larkspur, script) as t:
            assert (await one(t)).fault
        assert other.count == 0


async def test_no_key_is_sent_to_this_computer_nor_told(
    larkspur: Scenario, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-mine-very-secret")
    monkeypatch.setenv("MY_KEY", "sk-other-very-secret")
    kept = Kept()
    async with town(larkspur, lines(Scripted(status=401)), store=kept) as t:
        fault = (await one(t)).fault
        assert "sk-mine" not in str(t.server.asked[0].headers)
    embedded = EmbeddedMind(Chance(3), larkspur.lines)
    async with Loopback(lines(Scripted(status=500))) as server:
        spec = parse_mind([f"openai/test@{server.url}/v1"])
        assert spec.default is not None
        spec = msgspec.structs.replace(spec, default=msgspec.structs.replace(spec.default, key="MY_KEY"))
        mind, _ = choose(spec, embedded, kept, pause=0.001)
        fault += (await mind.answer([SAY], 4))[0].fault
        await close_mind(mind)
        assert server.asked[0].headers["authorization"] == "Bearer sk-other-very-secret"
    told = fault + repr(kept.calls) + "".join(capfd.readouterr())
    assert kept.calls
    assert "very-secret" not in told


# ---- keeping, budgets, going on


async def test_a_call_is_kept_before_its_answer_is_used_and_never_made_twice(larkspur: Scenario) -> None:
    kept = Kept()
    async with town(larkspur, lines("nonsense", GOOD), store=kept) as t:
        first = await one(t)
        assert [c.key.attempt for c in kept.calls.values()] == [0, 1]
        assert [c.answer for c in kept.calls.values()] == ["nonsense", GOOD]
    async with town(larkspur, lines("not asked"), store=kept) as t:
        assert await one(t) == first
        assert t.server.count == 0
        assert t.thinking.spent == Spent(2, 240, 0.0)
        other = msgspec.structs.replace(SAY, slots={"name": "Bo", "act": "sweeping"})
        await one(t, other)  # the key is the same, what is asked is not
        assert t.server.count > 0


async def test_a_call_that_cannot_be_kept_is_not_used(larkspur: Scenario) -> None:
    class Full(UnsavedCalls):
        async def keep(self, call: Call) -> None:
            raise NotKept("full")

    async with town(larkspur, lines(GOOD), store=Full()) as t:
        assert "kept" in (await one(t)).fault


@pytest.mark.parametrize(
    ("limit", "calls", "says"),
    [(Limit(calls=3), 3, "calls"), (Limit(tokens=1500), 2, "tokens"), (Limit(calls=0), 0, "calls")],
)
@pytest.mark.parametrize("of", ["day", "save"])
async def test_a_budget_ends_the_asking_and_not_the_game(
    larkspur: Scenario, limit: Limit, calls: int, says: str, of: str
) -> None:
    limits = Limits(**{"day": Limit(), "save": Limit(), of: limit})
    many = [msgspec.structs.replace(SAY, n=n) for n in range(6)]
    async with town(larkspur, lambda r: Scripted(GOOD, delay=0.02), limits=limits) as t:
        found = await t.mind.answer(many, 3)
        assert t.server.count == calls
        assert [bool(a.fault) for a in found].count(False) == calls
        assert says in t.thinking.stopped
        assert all(says in a.fault for a in found if a.fault)


async def test_a_new_day_has_a_new_budget(larkspur: Scenario) -> None:
    assert SAY.brief is not None
    tomorrow = msgspec.structs.replace(SAY, n=1, brief=msgspec.structs.replace(SAY.brief, day=2))
    async with town(larkspur, lines(GOOD), limits=Limits(Limit(calls=1), Limit())) as t:
        assert not (await one(t)).fault
        assert (await t.mind.answer([SAY], 4))[0].fault
        assert not (await one(t, tomorrow)).fault
        assert t.thinking.stopped == ""


async def test_money_is_counted_where_a_price_is_known(larkspur: Scenario) -> None:
    async with town(larkspur, lines(GOOD), model="openai/gpt-4o-mini") as t:
        await one(t)
        assert 0 < t.thinking.spent.cost < 0.001
    async with town(larkspur, lines(GOOD), model="openai/gpt-4o-mini", limits=Limits(Limit(usd=0.0))) as t:
        assert "money" in (await one(t)).fault
        assert t.server.count == 0


async def test_one_can_go_on_without_waiting(larkspur: Scenario) -> None:
    many = [msgspec.structs.replace(SAY, n=n) for n in range(4)]

    def script(r: Request) -> Scripted:
        return Scripted(GOOD, delay=0.0 if r.n == 0 else 30.0)

    async with town(larkspur, script, timeout=60.0) as t:
        waiting = asyncio.create_task(t.mind.answer(many, 3))
        while t.server.count < 4 or t.thinking.waiting != {"ann": 3}:
            await asyncio.sleep(0.005)
        t.thinking.go_on()
        found = await asyncio.wait_for(waiting, 2)
        assert [a.fault for a in found].count("") == 1
        assert (t.thinking.waiting, t.thinking.flying, t.thinking.fallbacks) == ({}, 0, 3)


async def test_who_ends_the_program_ends_the_asking(larkspur: Scenario) -> None:
    async with town(larkspur, lines(Scripted(GOOD, delay=30.0)), timeout=60.0) as t:
        waiting = asyncio.create_task(t.mind.answer([SAY], 3))
        while not t.server.count:
            await asyncio.sleep(0.005)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert (t.thinking.waiting, t.thinking.flying) == ({}, 0)


# ---- who is asked what


async def test_only_what_is_to_be_asked_is_asked_and_the_rest_is_answered_at_once(larkspur: Scenario) -> None:
    async with town(larkspur, fits, asks=("say",)) as t:
        asked = samples()
        found = await t.mind.answer(asked, 3)
        assert t.server.count == 1
        own = [i for i, q in enumerate(asked) if type(q) is not Say]
        assert [found[i] for i in own] == await t.embedded.answer([asked[i] for i in own], 3)
        assert [q for q in asked if t.mind.reads(q)] == [SAY]


async def test_a_question_without_a_brief_is_not_asked(larkspur: Scenario) -> None:
    async with town(larkspur, fits) as t:
        bare = msgspec.structs.replace(SAY, brief=None)
        assert await one(t, bare) == (await t.embedded.answer([bare], 3))[0]
        assert t.server.count == 0


async def test_a_mood_is_described_without_a_brief(larkspur: Scenario) -> None:
    q = next(q for q in samples() if isinstance(q, DescribeMood))
    async with town(larkspur, lines('{"text": "Ann is well. She hums."}'), asks=("describe mood",)) as t:
        assert not t.mind.reads(q)
        assert (await one(t, q)).text == "Ann is well. She hums."


INTERVIEW = next(q for q in samples() if isinstance(q, Interview))


async def test_an_interview_rests_on_what_was_shown(larkspur: Scenario) -> None:
    async with town(larkspur, lines('{"text": "Bo owed me a barrow.", "memories": [5, 5, 99]}')) as t:
        assert await one(t, INTERVIEW) == Interviewed("Bo owed me a barrow.", (5,))


async def test_each_person_has_a_mind_of_their_own(larkspur: Scenario) -> None:
    embedded = EmbeddedMind(Chance(3), larkspur.lines)
    hers, his = lines('{"say": "Hers.", "leave": false}'), lines('{"say": "His.", "leave": false}')
    async with Loopback(hers) as a, Loopback(his) as b:
        spec = parse_mind([f"openai/test@{a.url}/v1", f"bo=openai/test@{b.url}/v1", "cid=embedded"])
        mind, _ = choose(spec, embedded, UnsavedCalls(), pause=0.001)
        asked = [msgspec.structs.replace(SAY, who=who) for who in ("ann", "bo", "cid", "ann", "bo")]
        found = await mind.answer(asked, 3)
        await close_mind(mind)
    assert [x.text for x in found if isinstance(x, Said)][:2] == ["Hers.", "His."]
    assert found[3:] == found[:2]
    assert found[2] == (await embedded.answer([asked[2]], 3))[0]


async def test_without_a_model_the_embedded_mind_answers_alone(larkspur: Scenario) -> None:
    embedded = EmbeddedMind(Chance(3), larkspur.lines)
    assert choose(MindSpec(), embedded, UnsavedCalls()) == (embedded, None)
    assert default_answer(Request(0, "", {}, {})).text


def nobody_answers(monkeypatch: pytest.MonkeyPatch, **given: str) -> None:
    """No key and no address but these are in the environment, and all that leads away from here leads nowhere."""
    for name in [x for x in os.environ if x.endswith(("_KEY", "_TOKEN", "_BASE", "_URL"))]:
        monkeypatch.delenv(name)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name, value in given.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("openai/test@http://127.0.0.1:9/v1", r"cannot be reached at http://127\.0\.0\.1:9/v1"),
        ("ollama_chat/test@http://127.0.0.1:9", r"cannot be reached at http://127\.0\.0\.1:9"),
        ("openai/gpt-4o-mini", r"has no key; set the environment variable OPENAI_API_KEY"),
        ("gpt-4o-mini", r"gpt-4o-mini has no key; set the environment variable OPENAI_API_KEY$"),
        (
            "vertex_ai/gemini-pro",
            r"vertex_ai/gemini-pro needs a package that is not installed: No module named 'google'\. .*pip install",
        ),
        ("anthropic/claude-3-haiku-20240307", r"has no key; set the environment variable ANTHROPIC_API_KEY"),
        (
            "deepseek/deepseek-chat",
            r"^deepseek/deepseek-chat has no key; set the environment variable DEEPSEEK_API_KEY$",
        ),
        ("foo", r"foo is no model that litellm knows; write it as PROVIDER/MODEL"),
    ],
)
async def test_what_is_wrong_with_the_choice_of_a_model_is_told_with_its_mend(
    larkspur: Scenario, said: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody_answers(monkeypatch)
    spec = msgspec.structs.replace(parse_mind([said]), patience=1.0)
    mind, thinking = choose(spec, EmbeddedMind(Chance(3), larkspur.lines), UnsavedCalls(), pause=0.001)
    await mind.answer([SAY], 3)
    await close_mind(mind)
    assert thinking is not None
    assert re.search(told, thinking.fault)


KEYLESS = "Missing credentials. Please pass an `api_key`, or set the `OPENAI_API_KEY` environment variable."
GEMINI = "Missing Gemini API key. Set the GEMINI_API_KEY or GOOGLE_API_KEY environment variable."
NOWHERE = "BedrockException Invalid Authentication - Unable to locate credentials"


@pytest.mark.parametrize(
    ("name", "key", "text", "wanted"),
    [
        ("gpt-4o-mini", "", KEYLESS, "OPENAI_API_KEY"),
        ("gpt-4o-mini", "MY_KEY", KEYLESS, "MY_KEY"),
        ("gemini/gemini-pro", "", GEMINI, "GEMINI_API_KEY or GOOGLE_API_KEY"),
        ("bedrock/anthropic.claude-3-haiku-20240307-v1:0", "", NOWHERE, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
    ],
)
async def test_a_key_is_asked_for_as_its_provider_calls_it_and_not_again_once_it_is_set(
    name: str, key: str, text: str, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [word for word in wanted.split() if word.isupper()]
    for one in names:
        monkeypatch.delenv(one, raising=False)
    wire = await connect()
    try:
        told = missing_setup(wire.litellm, Model(name, key=key), RuntimeError(text))
        assert told == f"{name} has no key; set the environment variable{'s' if ' and ' in wanted else ''} {wanted}"
        for one in names:
            monkeypatch.setenv(one, "sk-nobody")
        assert missing_setup(wire.litellm, Model(name, key=key), RuntimeError(text)) == ""
    finally:
        await wire.close()


@pytest.mark.parametrize(
    ("name", "given", "wanted"),
    [
        ("groq/llama-3.1-8b-instant", {}, " GROQ_API_KEY"),
        ("mistral/mistral-small-latest", {}, " MISTRAL_API_KEY"),
        ("xai/grok-3", {}, " XAI_API_KEY"),
        ("openrouter/meta-llama/llama-3", {}, " OPENROUTER_API_KEY"),
        ("cohere/command-r", {}, " COHERE_API_KEY"),
        ("fireworks_ai/x", {}, " FIREWORKS_AI_API_KEY"),
        ("github/gpt-4o", {}, " GITHUB_API_KEY"),  # of which its `validate_environment` knows nothing
        ("cloudflare/x", {}, "s CLOUDFLARE_API_BASE and CLOUDFLARE_API_KEY"),
        ("groq/llama-3.1-8b-instant", {"GROQ_API_KEY": "sk-nobody"}, ""),
        ("openrouter/meta-llama/llama-3", {"OR_API_KEY": "sk-nobody"}, ""),
        ("cohere/command-r", {"CO_API_KEY": "sk-nobody"}, ""),
        ("deepseek/deepseek-chat", {"DEEPSEEK_API_BASE": "http://127.0.0.1:9/v1"}, ""),
        ("ollama/llama3", {}, ""),
        ("hosted_vllm/x", {}, ""),
        ("lm_studio/x", {"LM_STUDIO_API_BASE": "http://127.0.0.1:9/v1"}, ""),
    ],
)
async def test_a_model_that_is_not_reached_lacks_a_key_only_if_it_wants_one_and_has_none(
    name: str, given: dict[str, str], wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody_answers(monkeypatch, **given)
    wire = await connect()
    try:
        with pytest.raises(Exception) as failed:  # noqa: PT011  # of whatever kind litellm makes of it
            await wire.litellm.acompletion(
                model=name, messages=[{"role": "user", "content": "-"}], timeout=5, num_retries=0, max_retries=0,
                drop_params=True, shared_session=wire.session,
            )  # fmt: skip
        assert wanted or is_unreachable(failed.value)
        told = missing_setup(wire.litellm, Model(name), failed.value)
        assert told == (f"{name} has no key; set the environment variable{wanted}" if wanted else "")
    finally:
        await wire.close()


@pytest.mark.parametrize(
    ("bases", "key", "given", "wanted"),
    [
        ((), "", {}, "OPENAI_API_KEY"),
        ((), "", {"OPENAI_API_KEY": "sk-nobody"}, ""),
        ((), "MY_KEY", {"OPENAI_API_KEY": "sk-nobody"}, "MY_KEY"),
        ((), "MY_KEY", {"MY_KEY": "sk-nobody"}, ""),
        (("http://127.0.0.1:9/v1",), "", {}, ""),
        (("http://127.0.0.1:9/v1",), "MY_KEY", {}, "MY_KEY"),
    ],
)
async def test_a_service_that_lets_nobody_in_is_told_from_one_that_was_sent_no_key(
    bases: tuple[str, ...], key: str, given: dict[str, str], wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody_answers(monkeypatch, **given)
    wire = await connect()
    try:
        refused = RuntimeError("no entry")
        refused.status_code = 401  # type: ignore[attr-defined]
        told = missing_setup(wire.litellm, Model("openai/gpt-4o-mini", bases, key), refused)
        assert told == (f"openai/gpt-4o-mini has no key; set the environment variable {wanted}" if wanted else "")
    finally:
        await wire.close()


def test_what_litellm_says_of_a_missing_package_is_told_on_and_what_a_service_says_is_not() -> None:
    def failed(text: str, cause: type[Exception]) -> BaseException:
        try:
            try:
                raise cause("No module named 'boto3'")
            except cause:
                raise ValueError(text) from None
        except ValueError as error:
            return error

    hint = "Missing boto3 to call bedrock. Run 'pip install boto3'."
    says = f"bedrock/x needs a package that is not installed: {hint}"
    assert missing_setup(None, Model("bedrock/x"), failed(hint, ImportError)) == says
    assert missing_setup(None, Model("bedrock/x"), failed(hint, OSError)) == ""
    assert missing_setup(None, Model("bedrock/x"), failed("it failed otherwise", ImportError)) == ""
