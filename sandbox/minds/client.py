"""Requests to a language model: to the least busy endpoint, a limited number at once, with a time limit, with pauses
where a service asks for them. Faults are in our own words, since an exception's text may hold headers and in them a
key.
"""

from __future__ import annotations

import asyncio
import os
from time import monotonic
from typing import Any, NamedTuple

from sandbox.core.text import clean
from sandbox.minds.prompt_form import TEXT, Message
from sandbox.minds.spec import OLLAMA, Model, Structured
from sandbox.minds.wire import Wire, connect, is_unreachable, missing_setup, retry_after, too_long

PAUSE, LONGEST = 0.5, 20.0  # seconds before a second try, doubled with each, and their maximum
DOWN_AFTER, DOWN = 6, 30.0  # failures in a row after which an endpoint is skipped, and for how many seconds
ROOM = 8  # factor on the answer's tokens for models that think aloud first
LETTERS = 3.6  # letters per token of English, where a service does not count
ADDRESS = 80  # letters of an address or a name in a fault, at most
_NOTHING = {"input_cost_per_token": 0.0, "output_cost_per_token": 0.0}
_SIMPLER: dict[Structured, Structured] = {"schema": "json", "json": "text"}


class ModelReply(NamedTuple):
    """A model's answer and its cost (US dollars; 0 if no price is known). cut: it was cut off."""

    text: str
    tokens_in: int
    tokens_out: int
    cost: float
    cut: bool = False


class Sent(NamedTuple):
    """A request, for any endpoint. tokens: of the answer, at most; temperature: ignored by some services."""

    messages: list[Message]
    schema: dict[str, Any]
    tokens: int
    temperature: float


class RequestFailed(Exception):
    """No answer. fault: why, in our words; again: another try may help; made: a request was sent, so the call is
    stored; billed: the service may charge for it; at: where it was sent.
    """

    def __init__(self, fault: str, again: bool = False, made: bool = True, billed: bool = False) -> None:
        super().__init__(fault)
        self.fault = fault
        self.again = again
        self.made = made
        self.billed = billed
        self.at: Endpoint | None = None


class Endpoint:
    """A server for a model. base: its URL, None for the provider's own. rests: time until which it is skipped; down:
    skipped because it does not work, so nobody waits for it. failed: time of its last failure; why: in words.
    """

    def __init__(self, base: str | None) -> None:
        self.base = base
        self.flying = 0
        self.failures = 0
        self.failed = 0.0
        self.why = ""
        self.rests = 0.0
        self.down = False


class Client:
    """Sends requests to one model. gate: limits the requests at once of all clients of a town."""

    def __init__(
        self, model: Model, gate: asyncio.Semaphore, timeout: float, structured: Structured, pause: float
    ) -> None:
        self.model = model
        self.endpoints = [Endpoint(base) for base in model.bases] or [Endpoint(None)]
        self._gate = gate
        self._timeout = timeout
        self._pause = pause
        self._structured: Structured = "schema" if structured == "auto" else structured
        self._auto = structured == "auto"
        self._thinks = False
        self._wire: Wire | None = None
        self._connecting: asyncio.Lock | None = None

    def room(self, tokens: int) -> int:
        """Tokens to ask for, given those of the answer: more for a model that thinks aloud first."""
        return tokens * (ROOM if self._thinks else 1)

    async def close(self) -> None:
        """Close the connections."""
        wire, self._wire = self._wire, None
        if wire is not None:
            await wire.close()

    async def ask(self, sent: Sent, until: float, last: Endpoint | None) -> tuple[ModelReply, Endpoint]:
        """The model's answer, by `until` (monotonic seconds) at the latest. last: the endpoint tried before. Raises
        RequestFailed.
        """
        wire = await self.ready()
        endpoint = await self._free(until, last)
        endpoint.flying += 1
        try:
            reply = await self._send(wire, endpoint, sent, until)
        except RequestFailed as failed:
            failed.at = endpoint
            raise
        finally:
            endpoint.flying -= 1
            self._gate.release()
        endpoint.failures, endpoint.down = 0, False
        return reply, endpoint

    async def _free(self, until: float, last: Endpoint | None) -> Endpoint:
        """An endpoint that may be asked now, with the gate taken. Raises RequestFailed if that takes too long."""
        while True:
            endpoint = self._choose(last)
            wait = endpoint.rests - monotonic()
            if wait > 0 and endpoint.down:
                raise RequestFailed(endpoint.why, made=False)
            if wait > 0 and monotonic() + wait >= until:
                raise RequestFailed(f"{self.model.name} asked for a longer pause than there is time for", made=False)
            if wait > 0:
                await asyncio.sleep(wait)
            try:
                async with asyncio.timeout(max(0.0, until - monotonic())):
                    await self._gate.acquire()
            except TimeoutError:
                raise RequestFailed("there were too many questions before this one", made=False) from None
            if endpoint.rests <= monotonic():
                return endpoint
            self._gate.release()

    async def ready(self) -> Wire:
        """Load what requests need; prices are known afterwards."""
        if self._connecting is None:
            self._connecting = asyncio.Lock()
        async with self._connecting:
            if self._wire is None:
                self._wire = await connect()
                if self.model.service in OLLAMA:  # or litellm asks the server about it, which blocks the event loop
                    known = {"litellm_provider": "ollama", "mode": "chat", **_NOTHING}
                    self._wire.litellm.model_cost.setdefault(self.model.name, known)
        return self._wire

    def _choose(self, last: Endpoint | None) -> Endpoint:
        """The endpoint that is available soonest, then the least busy, and not the one that has just failed."""
        now = monotonic()
        return min(
            self.endpoints, key=lambda e: (e.down and e.rests > now, max(0.0, e.rests - now), e is last, e.flying)
        )

    async def _send(self, wire: Wire, endpoint: Endpoint, sent: Sent, until: float) -> ModelReply:
        began = monotonic()
        while True:
            way = self._structured
            try:
                async with asyncio.timeout(min(self._timeout, max(0.05, until - monotonic()))):
                    response = await wire.litellm.acompletion(
                        **self._request(sent, endpoint.base, way),
                        timeout=self._timeout,
                        shared_session=wire.session,
                    )
                return self._reply(wire, response, sent.messages)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                if self._auto and way in _SIMPLER and _refused(wire.litellm, error):
                    if self._structured == way:
                        self._structured = _SIMPLER[way]
                    continue
                failed = self._failed(wire.litellm, endpoint, error, began)
                endpoint.why = failed.fault
                raise failed from None

    def _request(self, sent: Sent, base: str | None, way: Structured) -> dict[str, Any]:
        """The arguments for litellm."""
        made: dict[str, Any] = {
            "model": self.model.name,
            "messages": [dict(m) for m in sent.messages],
            "max_tokens": sent.tokens,
            "temperature": sent.temperature,
            "num_retries": 0,
            "max_retries": 0,
            "drop_params": True,
        }
        if way == "schema":
            made["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": sent.schema},
            }
        elif way == "json":
            made["response_format"] = {"type": "json_object"}
        if base is not None:
            made["api_base"] = base
        if self.model.key:
            made["api_key"] = os.environ.get(self.model.key) or "none"
        elif self.model.here and self.model.service not in OLLAMA:
            made["api_key"] = "none"  # a local server is not given keys to services elsewhere
        return made

    def _reply(self, wire: Wire, response: Any, messages: list[Message]) -> ModelReply:
        choices = getattr(response, "choices", None)
        text = getattr(choices[0].message, "content", None) if choices else None
        text = text if isinstance(text, str) else ""
        cut = choices[0].finish_reason == "length" if choices else False
        if cut and not text.strip():
            self._thinks = True
        usage = getattr(response, "usage", None)
        sent = sum(len(m["content"]) for m in messages)
        return ModelReply(
            text[:TEXT].encode("utf-8", "replace").decode(),
            _count(getattr(usage, "prompt_tokens", 0), sent),
            _count(getattr(usage, "completion_tokens", 0), len(text)),
            self._cost(wire.litellm, response),
            cut,
        )

    def price(self, tokens_in: int, tokens_out: int) -> float | None:
        """The price of that many tokens in US dollars; None if unknown, or before the first request."""
        each = self._each(self._wire.litellm) if self._wire is not None else None
        if each is not None:
            return tokens_in * each[0] + tokens_out * each[1]
        return 0.0 if self.model.private or self.model.service in OLLAMA else None

    def _each(self, litellm: Any) -> tuple[float, float] | None:
        """Dollars per token sent and per token answered; None if unknown. All zeros in litellm's table mean unknown."""
        known = self._priced(litellm) or {}
        each = (known.get("input_cost_per_token") or 0.0, known.get("output_cost_per_token") or 0.0)
        return (float(each[0]), float(each[1])) if any(each) else None

    def _priced(self, litellm: Any) -> dict[str, Any] | None:
        if self.model.service in OLLAMA:
            return None
        name = self.model.name
        found: dict[str, Any] | None = litellm.model_cost.get(name) or litellm.model_cost.get(name.partition("/")[2])
        return found

    def _cost(self, litellm: Any, response: Any) -> float:
        if self._priced(litellm) is None:
            return 0.0
        try:
            return max(0.0, float(litellm.completion_cost(completion_response=response, model=self.model.name)))
        except Exception:  # litellm raises plain exceptions for gaps in its table
            usage = response.usage
            return self.price(usage.prompt_tokens, usage.completion_tokens) or 0.0

    def _failed(self, litellm: Any, endpoint: Endpoint, error: Exception, began: float) -> RequestFailed:
        """The failure in our words; also pauses the endpoint."""
        name = self.model.name
        status = getattr(error, "status_code", None)
        status = status if isinstance(status, int) else 0
        lacks, away = missing_setup(litellm, self.model, error), is_unreachable(error)
        if isinstance(error, TimeoutError | litellm.Timeout):
            self._rest(endpoint, None, began)
            return RequestFailed(lacks or f"{name} did not answer in time", again=True, billed=True)
        if too_long(error):
            return RequestFailed(f"{name} answered far too much", again=True, billed=True)
        if isinstance(error, litellm.ContextWindowExceededError):
            return RequestFailed(f"the question was too long for {name}")
        if isinstance(error, litellm.ContentPolicyViolationError):
            return RequestFailed(f"{name} would not answer this")
        if isinstance(error, litellm.RateLimitError):
            self._rest(endpoint, retry_after(error), began)
            return RequestFailed(f"{name} had too many requests (429)", again=True)
        if lacks and not away:
            self._take_down(endpoint)
            return RequestFailed(lacks)
        if status in (401, 403, 404):
            self._take_down(endpoint)
            return RequestFailed(f"{name} refused the request ({status}): its name, address or key is wrong")
        if status in (400, 422):
            return RequestFailed(f"{name} did not understand the request ({status})")
        self._rest(endpoint, retry_after(error), began)
        if away:
            at = f" at {clean(endpoint.base, ADDRESS)}" if endpoint.base else ""
            return RequestFailed(lacks or f"{name} cannot be reached{at}; is it running?", again=True)
        return RequestFailed(f"{name} failed ({status or type(error).__name__})", again=True)

    def _rest(self, endpoint: Endpoint, asked: float | None, began: float) -> None:
        """Skip an endpoint for a time: as long as it asked, else longer with each failure in a row. Requests under way
        at the same time fail together, and count once.
        """
        if began >= endpoint.failed:
            endpoint.failures += 1
        endpoint.failed = monotonic()
        pause = min(LONGEST, self._pause * 2 ** min(endpoint.failures - 1, 10)) if asked is None else asked
        if endpoint.failures >= DOWN_AFTER and asked is None:
            self._take_down(endpoint)
        else:
            endpoint.rests = max(endpoint.rests, monotonic() + pause)

    @staticmethod
    def _take_down(endpoint: Endpoint) -> None:
        endpoint.down, endpoint.rests = True, monotonic() + DOWN


def _refused(litellm: Any, error: Exception) -> bool:
    """Whether a service rejects the requested form of answer."""
    if isinstance(error, litellm.ContextWindowExceededError | litellm.ContentPolicyViolationError):
        return False
    return isinstance(
        error, litellm.BadRequestError | litellm.UnprocessableEntityError | litellm.UnsupportedParamsError
    )


def _count(told: object, letters: int) -> int:
    """Tokens as the service counts them, if plausible, else estimated from the letters."""
    return told if isinstance(told, int) and 0 < told < 10_000_000 else round(letters / LETTERS)
