"""A scripted model on this computer that speaks the protocols of OpenAI and Ollama over real HTTP: for trying a town
without a model (`follow` always takes the first thing offered), for measuring, and for tests. It listens on 127.0.0.1
only.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, NamedTuple

LONGEST = 4_000_000  # bytes of a request, at most
REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 429: "Too Many Requests"}


class Request(NamedTuple):
    """A client's request. n: its number, from 0; body: its JSON."""

    n: int
    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, str]]:
        """Its messages, also for the protocol that has a single prompt."""
        found: list[dict[str, str]] = self.body.get("messages") or [
            {"role": "system", "content": self.body.get("system", "")},
            {"role": "user", "content": self.body.get("prompt", "")},
        ]
        return found

    @property
    def schema(self) -> dict[str, Any] | None:
        """The JSON schema required for the answer, in either protocol."""
        form = self.body.get("response_format") or {}
        found = form.get("json_schema", {}).get("schema") or self.body.get("format")
        return found if isinstance(found, dict) else None


class Scripted(NamedTuple):
    """A scripted response. text: the answer; delay: seconds before it; status, headers: of HTTP; raw: replaces the
    protocol's body; cut: bytes of the body after which the connection breaks; ends: the protocol's finish reason
    ("stop", "length").
    """

    text: str = ""
    delay: float = 0.0
    status: int = 200
    headers: dict[str, str] = {}
    raw: bytes | None = None
    cut: int | None = None
    ends: str = "stop"


def example(schema: dict[str, Any], prefer: tuple[str, ...] = (), words: str = "Well, there it is.") -> Any:
    """A value that fits a schema: of an enumeration the first in `prefer`, else its first."""
    if "enum" in schema:
        return next((x for x in prefer if x in schema["enum"]), schema["enum"][0])
    kind = schema.get("type")
    if kind == "object":
        return {name: example(child, prefer, words) for name, child in schema["properties"].items()}
    if kind == "array":
        return []
    return {"boolean": False, "integer": 3, "number": 10}.get(str(kind), words)


def default_answer(request: Request) -> Scripted:
    """An answer that fits the request's schema, with the first thing offered for every choice."""
    words = f"Well, that is number {request.n + 1}, and here we are."
    return Scripted(json.dumps(example(request.schema, words=words)) if request.schema is not None else words)


class Loopback:
    """The server: `async with Loopback(script) as server`. asked: all requests so far, if `keep` is set."""

    def __init__(self, script: Callable[[Request], Scripted] = default_answer, keep: bool = True) -> None:
        self.script = script
        self.asked: list[Request] = []
        self.count = 0
        self.at_once = 0
        self._keep = keep
        self._open = 0
        self._server: asyncio.Server | None = None
        self._lines: set[asyncio.Task[Any]] = set()

    async def __aenter__(self) -> Loopback:
        self._server = await asyncio.start_server(self._line, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *raised: object) -> None:
        assert self._server is not None
        self._server.close()
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    @property
    def url(self) -> str:
        """The URL of the server."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def _line(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection until it closes."""
        task = asyncio.current_task()
        assert task is not None
        self._lines.add(task)
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, ValueError, asyncio.CancelledError):
            pass  # the server stops, or the client has gone
        finally:
            self._lines.discard(task)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:] if line)}
        size = int(headers.get("content-length", "0"))
        if size > LONGEST:
            raise ValueError("too long")
        body = await reader.readexactly(size)
        request = Request(self.count, head[0].split(" ")[1], headers, json.loads(body) if body else {})
        self.count += 1
        if self._keep:
            self.asked.append(request)
        self._open += 1
        self.at_once = max(self.at_once, self._open)
        try:
            found = self.script(request)
            if found.delay:
                await asyncio.sleep(found.delay)
        finally:
            self._open -= 1
        return await self._answer(writer, request, found)

    async def _answer(self, writer: asyncio.StreamWriter, request: Request, found: Scripted) -> bool:
        body = found.raw if found.raw is not None else json.dumps(_body(request, found)).encode()
        head = {"Content-Type": "application/json", "Content-Length": str(len(body)), **found.headers}
        lines = [
            f"HTTP/1.1 {found.status} {REASONS.get(found.status, 'Status')}",
            *(f"{k}: {v}" for k, v in head.items()),
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        writer.write(body if found.cut is None else body[: found.cut])
        await writer.drain()
        return found.cut is None


def _body(request: Request, found: Scripted) -> dict[str, Any]:
    """A response body in the protocol of the request."""
    model = str(request.body.get("model", ""))
    if found.status != 200:
        return {"error": {"message": "scripted", "type": "scripted", "code": None}}
    tokens = {"prompt_eval_count": 100, "eval_count": 20}
    done = {"model": model, "created_at": "2025-02-11T08:00:00Z", "done": True, "done_reason": found.ends, **tokens}
    if request.path == "/api/chat":
        return {**done, "message": {"role": "assistant", "content": found.text}}
    if request.path == "/api/generate":
        return {**done, "response": found.text}
    if request.path == "/api/show":
        return {"modelfile": "", "parameters": "", "template": "", "details": {}, "model_info": {}}
    message = {"role": "assistant", "content": found.text}
    return {
        "id": f"scripted-{request.n}",
        "object": "chat.completion",
        "created": 1739260800,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": found.ends}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    }
