"""The mind that asks a language model; where that fails, the embedded mind answers. A question is tried four times at
most: first as it is, then with the fault of the first answer named, then twice more. Every call is stored before its
answer is used, and a stored call is not made again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Any, NamedTuple

import msgspec

from sandbox.core.protocols import Answer, Mind, Question
from sandbox.core.text import clean
from sandbox.minds import prompt_choices, prompt_form, prompt_phones, prompt_plans, prompt_reflection, prompt_speech
from sandbox.minds.budget import Budget, Call, CallStore, Key, NotKept, Thinking
from sandbox.minds.client import LETTERS, PAUSE, Client, Endpoint, ModelReply, RequestFailed, Sent
from sandbox.minds.embedded import EmbeddedMind
from sandbox.minds.prompt_form import FAULT, Message, Offered, Prompt, Unusable
from sandbox.minds.spec import MindSpec, Model

# one for each type of question
PROMPTS = (
    *prompt_choices.PROMPTS,
    *prompt_speech.PROMPTS,
    *prompt_plans.PROMPTS,
    *prompt_reflection.PROMPTS,
    *prompt_phones.PROMPTS,
)
ATTEMPTS = 4
HURRIED = "it was not waited for"


class PreparedQuestion(NamedTuple):
    """A question ready for the model, with what is sent."""

    place: int
    q: Question
    prompt: Prompt
    offered: Offered


class SharedModels(NamedTuple):
    """Shared by the language minds of a town: the gate, the budget, the counters on the screen, the store of calls."""

    gate: asyncio.Semaphore
    budget: Budget
    thinking: Thinking
    store: CallStore


def share_models(spec: MindSpec, store: CallStore, of: str = "this save") -> SharedModels:
    """New shared parts for a town. of: what the budget covers, in words."""
    return SharedModels(
        asyncio.Semaphore(spec.together), Budget(spec.limits, spec.unpriced, store, of), Thinking(), store
    )


class LanguageMind:
    """Asks one model. prompts: one for each question that the embedded mind has a spec of. pause: seconds before a
    second try after a service failed; doubled with each failure in a row.
    """

    def __init__(
        self,
        model: Model,
        spec: MindSpec,
        embedded: EmbeddedMind,
        shared: SharedModels,
        *,
        prompts: Sequence[Prompt] = PROMPTS,
        pause: float = PAUSE,
    ) -> None:
        of = prompt_form.by_question(prompts, embedded.specs)
        self._prompts = {kind: prompt for kind, prompt in of.items() if embedded.specs[kind].asks in spec.asks}
        self._spec = spec
        self._embedded = embedded
        self._shared = shared
        self._client = Client(model, shared.gate, spec.timeout, spec.structured, pause)
        self._day = 1

    @property
    def thinking(self) -> Thinking:
        """The counters for the screen."""
        return self._shared.thinking

    async def close(self) -> None:
        """Close the connections; the mind can be asked again."""
        await self._client.close()

    def reads(self, question: Question) -> bool:
        """Whether the model is asked this question, with its brief."""
        prompt = self._prompts.get(type(question))
        return prompt is not None and prompt.briefed

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        """One answer for each question, in order; the model is asked all of its questions at once."""
        await self._shared.budget.load()
        self.thinking.spent = self._shared.budget.total
        answers: dict[int, Answer] = {}
        asked: list[PreparedQuestion] = []
        own: list[int] = []
        for place, q in enumerate(questions):
            put = self._put(place, q, step, wave)
            if isinstance(put, PreparedQuestion):
                asked.append(put)
            elif put is None:
                own.append(place)
            else:
                answers[place] = put
        answers.update(zip(own, await self._embedded.answer([questions[i] for i in own], step, wave), strict=True))
        if asked:
            for x, found in zip(asked, await self._together(asked, step, wave), strict=True):
                if isinstance(found, Answer):
                    self.thinking.answered, self.thinking.silent = self.thinking.answered + 1, 0
                    answers[x.place] = found
                else:
                    answers[x.place] = await self._instead(x, step, wave, found)
        return [answers[i] for i in range(len(questions))]

    def _put(self, place: int, q: Question, step: int, wave: int) -> PreparedQuestion | Answer | None:
        """The question as sent to the model; its answer, if only one is possible; None if the embedded mind must
        answer.
        """
        prompt = self._prompts.get(type(q))
        if prompt is None or (prompt.briefed and q.brief is None):
            return None
        offered = prompt.offer(q, self._embedded.chance(q, step))
        return (
            offered if offered is None or isinstance(offered, Answer) else PreparedQuestion(place, q, prompt, offered)
        )

    async def _together(self, asked: list[PreparedQuestion], step: int, wave: int) -> list[Answer | str]:
        """For each question its answer, or why there is none; stops when the player wants to go on."""
        thinking = self._shared.thinking
        tasks: list[asyncio.Task[Answer | str]] = []
        for x in asked:
            thinking.begin(x.q.who)
            task = asyncio.create_task(self._think(x, step, wave))
            task.add_done_callback(lambda _, who=x.q.who: thinking.end(who))  # type: ignore[misc]  # its default
            tasks.append(task)
        hurry = asyncio.create_task(thinking.hurried())
        try:
            left: set[asyncio.Task[Any]] = set(tasks)
            while left and not hurry.done():
                _, left = await asyncio.wait({*left, hurry}, return_when=asyncio.FIRST_COMPLETED)
                left.discard(hurry)
            cut = {task for task in tasks if not task.done()}
            await _cancelled(cut)
            return [HURRIED if task in cut and task.cancelled() else task.result() for task in tasks]
        finally:
            await _cancelled({hurry, *(task for task in tasks if not task.done())})

    async def _think(self, x: PreparedQuestion, step: int, wave: int) -> Answer | str:
        """The model's answer to one question, or why there is no usable one."""
        until = monotonic() + self._spec.patience
        day = self._day = x.q.brief.day if x.q.brief is not None else self._day
        form = prompt_form.schema(x.prompt.shape, x.offered)
        first = sent = prompt_form.messages(x.prompt, x.q, x.offered)
        fault, last = "", None
        for attempt in range(ATTEMPTS):
            key = Key(step, wave, x.q.who, self._embedded.specs[type(x.q)].name, x.q.n, attempt)
            name = prompt_form.request_hash(self._client.model.name, sent)
            call = await self._shared.store.find(key)
            again = True
            if call is None or call.request != name:
                try:
                    call, last, again = await self._call(key, day, name, sent, form, x.prompt, until, last)
                except RequestFailed as failed:
                    return failed.fault
            fault = call.fault
            if call.answer or not fault:
                try:
                    if fault:
                        raise Unusable(fault)
                    return prompt_form.understood(
                        x.prompt, x.q, call.answer, x.offered, self._embedded.chance(x.q, step)
                    )
                except Unusable as error:
                    fault = str(error)
                    sent = prompt_form.retry_messages(first, call.answer, fault)
                    fault = f"{self._client.model.name} gave no answer that fits: {fault}"
            if not again or monotonic() >= until:
                break
        return fault

    async def _call(
        self,
        key: Key,
        day: int,
        name: str,
        sent: list[Message],
        form: dict[str, Any],
        prompt: Prompt,
        until: float,
        last: Endpoint | None,
    ) -> tuple[Call, Endpoint | None, bool]:
        """Make a call and store it; return it with its endpoint, and whether another try may help. Raises RequestFailed
        if no request was sent.
        """
        budget, thinking, client = self._shared.budget, self._shared.thinking, self._client
        await client.ready()
        long = round(sum(len(m["content"]) for m in sent) / LETTERS)
        room = client.room(prompt.tokens)
        share = budget.reserve(day, client.model.name, long + room, client.price(long, room))
        if isinstance(share, str):
            thinking.stopped = share
            raise RequestFailed(share)
        thinking.stopped = ""
        thinking.flying += 1
        began = monotonic()
        fault, again, reply = "", True, ModelReply("", 0, 0, 0.0)
        try:
            reply, last = await client.ask(Sent(sent, form, room, prompt.temperature), until, last)
        except RequestFailed as failed:
            fault, again, last = failed.fault, failed.again, failed.at or last
            if not failed.made:
                raise
            if failed.billed:
                reply = ModelReply("", long, 0, client.price(long, 0) or 0.0)
        else:
            if reply.cut and not prompt_form.has_answer(reply.text, prompt.shape):
                fault = f"the answer was cut off at {reply.tokens_out:,} tokens"
        finally:
            thinking.flying -= 1
            budget.free(share)
        call = Call(
            key, day, client.model.name, name, reply.text, fault, reply.tokens_in, reply.tokens_out, reply.cost,
            round(monotonic() - began, 3),
        )  # fmt: skip
        budget.pay(call)
        thinking.spent, thinking.left = budget.total, budget.left(day)
        try:
            await asyncio.shield(self._shared.store.keep(call))  # store what is paid for, even if nobody waits for it
        except NotKept:
            raise RequestFailed("what a model answers could not be kept") from None
        return call, last, again

    async def _instead(self, x: PreparedQuestion, step: int, wave: int, fault: str) -> Answer:
        """The embedded mind's answer, with the reason why it replaces the model's."""
        thinking = self._shared.thinking
        thinking.fallbacks, thinking.silent = thinking.fallbacks + 1, thinking.silent + 1
        thinking.fault = clean(fault, FAULT)
        (found,) = await self._embedded.answer([x.q], step, wave)
        return msgspec.structs.replace(found, fault=thinking.fault)


async def _cancelled(tasks: set[asyncio.Task[Any]]) -> None:
    """Cancel tasks and wait until they have ended."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.gather(*tasks, return_exceptions=True)


# ---- each question goes to the mind of the person it is asked of


class MindPerPerson:
    """One mind for some people each, and one for all others."""

    def __init__(self, default: Mind, people: Mapping[str, Mind]) -> None:
        self._default = default
        self._people = dict(people)

    @property
    def minds(self) -> tuple[Mind, ...]:
        """All minds, each once."""
        return tuple({id(mind): mind for mind in (self._default, *self._people.values())}.values())

    def _of(self, q: Question) -> Mind:
        return self._people.get(q.who, self._default)

    def reads(self, question: Question) -> bool:
        """Whether that person's mind reads the brief."""
        return self._of(question).reads(question)

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        """One answer for each question, in order; all minds work at the same time."""
        parts: dict[int, tuple[Mind, list[int]]] = {}
        for i, q in enumerate(questions):
            mind = self._of(q)
            parts.setdefault(id(mind), (mind, []))[1].append(i)
        answers: list[Answer | None] = [None] * len(questions)
        async with asyncio.TaskGroup() as group:
            asked = [
                (places, group.create_task(mind.answer([questions[i] for i in places], step, wave)))
                for mind, places in parts.values()
            ]
        for places, task in asked:
            for i, found in zip(places, task.result(), strict=True):
                answers[i] = found
        return [found for found in answers if found is not None]


def choose(
    spec: MindSpec,
    embedded: EmbeddedMind,
    store: CallStore,
    *,
    prompts: Sequence[Prompt] = PROMPTS,
    pause: float = PAUSE,
) -> tuple[Mind, Thinking | None]:
    """The mind that a specification describes, and its counters (None if it needs no time). prompts, pause: as for
    `LanguageMind`. Call `close_mind` at the end.
    """
    if not spec.models:
        return embedded, None
    shared = share_models(spec, store)
    made = {model: LanguageMind(model, spec, embedded, shared, prompts=prompts, pause=pause) for model in spec.models}
    default: Mind = embedded if spec.default is None else made[spec.default]
    people: dict[str, Mind] = {
        who: embedded if model is None else made[model] for who, model in spec.people.items() if model != spec.default
    }
    return (MindPerPerson(default, people) if people else default), shared.thinking


async def close_mind(mind: Mind) -> None:
    """Close the connections of a mind."""
    for each in mind.minds if isinstance(mind, MindPerPerson) else (mind,):
        if isinstance(each, LanguageMind):
            await each.close()
