"""What the language mind costs, against a scripted model on this computer that takes a fixed time to answer."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Coroutine, Sequence
from statistics import median
from time import perf_counter, thread_time
from typing import Any, NamedTuple

import msgspec

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.cli.town_speed import unkept_engine
from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.protocols import Answer, Mind, Question
from sandbox.engine.drivers import run_free
from sandbox.engine.scenario import Scenario
from sandbox.minds.budget import Limit, Limits, UnsavedCalls
from sandbox.minds.embedded import EmbeddedMind
from sandbox.minds.language_mind import choose, close_mind
from sandbox.minds.loopback import Loopback, Request, Scripted, example
from sandbox.minds.spec import MindSpec, parse_mind
from sandbox.minds.wire import connect

DELAY = 0.2  # seconds the model takes
FIRST, LAST = 12 * HOUR, 12 * HOUR + 40 * MINUTE  # time of day that is run with it: people talk at noon
MODEL = "openai/scripted"


class ModelOverhead(NamedTuple):
    """wall: seconds of the town with the model; bare: of a client that sends the same requests in the same waves; cpu:
    CPU seconds of a call beyond that client's. prompt: tokens of the median prompt; tokens: for a resident-hour.
    """

    wall: float
    bare: float
    cpu: float
    prompt: float
    tokens: float
    calls: int
    waves: int


class ModelThread:
    """A scripted model in a thread of its own, so that its work is not counted as ours."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.server = Loopback(self._script)
        self._words = 0

    def _script(self, request: Request) -> Scripted:
        self._words += 1
        words = f"Well, that is thing number {self._words} today."
        return Scripted(json.dumps(example(request.schema or {}, words=words)), delay=DELAY)

    async def _run_there(self, what: Coroutine[Any, Any, Any]) -> None:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(what, self._loop))

    async def __aenter__(self) -> Loopback:
        self._thread.start()
        await self._run_there(self.server.__aenter__())
        return self.server

    async def __aexit__(self, *raised: object) -> None:
        await self._run_there(self.server.__aexit__(*raised))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class WaveMind:
    """A mind that records which requests belonged to one batch."""

    def __init__(self, mind: Mind, server: Loopback) -> None:
        self._mind = mind
        self._server = server
        self.waves: list[list[Request]] = []

    def reads(self, question: Question) -> bool:
        """Passed on to the wrapped mind."""
        return self._mind.reads(question)

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        """Passed on to the wrapped mind; its requests are recorded."""
        before = len(self._server.asked)
        answers = await self._mind.answer(questions, step, wave)
        if len(self._server.asked) > before:
            self.waves.append(self._server.asked[before:])
        return answers


async def measure_minds_group(run: BenchmarkRun) -> list[Reading]:
    """Measure forty minutes of a town with a model."""
    got = await measure_minds(run.scenario)
    note = f"{got.calls} calls in {got.waves} waves, {got.wall:.1f} s against {got.bare:.1f} s"
    return [
        Reading("mind.overhead", got.wall / got.bare, note),
        Reading("mind.cpu", got.cpu),
        Reading("mind.prompt", got.prompt),
        Reading("mind.tokens", got.tokens, "of prompts, for each resident"),
    ]


async def measure_minds(scenario: Scenario) -> ModelOverhead:
    """Run some minutes of a town with a model, then send the same requests without a town."""
    engine = unkept_engine(scenario)
    embedded, midnight = engine.mind, engine.world.clock.midnight(1)
    assert isinstance(embedded, EmbeddedMind)
    await run_free(engine, until=midnight + FIRST)
    async with ModelThread() as server:
        spec = msgspec.structs.replace(parse_mind([f"{MODEL}@{server.url}/v1"]), limits=Limits(Limit(), Limit()))
        greeting = {"messages": [{"role": "user", "content": "Good morning."}], "max_tokens": 8}
        await _bare([[Request(0, "", {}, greeting)]], server, spec)  # imports and connections are not measured
        mind, _ = choose(spec, embedded, UnsavedCalls())
        engine.mind = noting = WaveMind(mind, server)
        began, worked = perf_counter(), thread_time()
        await run_free(engine, until=midnight + LAST)
        wall, cpu = perf_counter() - began, thread_time() - worked
        await close_mind(mind)
        waves = noting.waves
        bare, bare_cpu = await _bare(waves, server, spec)
    free = unkept_engine(scenario)
    await run_free(free, until=midnight + FIRST)
    worked = thread_time()
    await run_free(free, until=midnight + LAST)
    own = thread_time() - worked  # what these minutes cost without a model
    requests = [request for wave in waves for request in wave]
    tokens = _tokens(requests)
    people = len(scenario.cast) * (LAST - FIRST) / HOUR
    return ModelOverhead(
        wall,
        bare,
        max(0.0, cpu - bare_cpu - own) / max(1, len(requests)),
        median(tokens),
        sum(tokens) / people,
        len(requests),
        len(waves),
    )


async def _bare(waves: list[list[Request]], server: Loopback, spec: MindSpec) -> tuple[float, float]:
    """Wall seconds, and CPU seconds, that litellm alone needs for these waves."""
    wire = await connect()
    gate = asyncio.Semaphore(spec.together)

    async def send(request: Request) -> None:
        async with gate:
            await wire.litellm.acompletion(
                **{**request.body, "model": MODEL},
                api_base=f"{server.url}/v1",
                api_key="none",
                num_retries=0,
                max_retries=0,
                timeout=spec.timeout,
                shared_session=wire.session,
            )

    began, worked = perf_counter(), thread_time()
    for wave in waves:
        await asyncio.gather(*map(send, wave))
    taken = perf_counter() - began, thread_time() - worked
    await wire.close()
    return taken


def _tokens(requests: list[Request]) -> list[int]:
    """Tokens of each prompt, as litellm counts them."""
    import litellm

    return [litellm.token_counter(model="gpt-4o", messages=r.messages) for r in requests] or [0]


MINDS_GROUP = FigureGroup(
    "minds",
    (
        FigureSpec("mind.overhead", "", "how much longer a town takes than litellm alone with the same requests", 1.15),
        FigureSpec("mind.cpu", "ms", "CPU of a call, without litellm's", 5.0),
        FigureSpec("mind.prompt", "tokens", "the middle prompt", 900.0),
        FigureSpec("mind.tokens", "tokens/h", "tokens of all prompts, per resident and hour"),
    ),
    measure_minds_group,
    "against a scripted model on this computer that takes 200 ms to answer; a minute",
)
