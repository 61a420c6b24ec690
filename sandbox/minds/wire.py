"""litellm as used here: imported late and quietly, with connections that bound responses. No call here sends telemetry,
fetches a price list, reads a .env file or writes to the terminal.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import warnings
from email.utils import parsedate_to_datetime
from functools import cache
from socket import gaierror
from time import time
from typing import Any, NamedTuple

from sandbox.core.text import clean
from sandbox.minds.spec import Model, loopback

BODY = 400_000  # bytes of a response, at most
REDIRECTS = (301, 302, 303, 307, 308)
_SETTINGS = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MODE": "PRODUCTION", "LITELLM_TELEMETRY": "False"}
_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "openai", "httpx", "httpcore")
NAME = 80  # letters of a name in a fault, at most
HINT = 200  # letters quoted from litellm about a package, at most
DEEP = 12  # exceptions followed along a chain of causes, at most
_KEYLESS = re.compile(
    r"missing\b.*(?:api[ _]key|credentials)|api_key is not set|unable to locate credentials", re.IGNORECASE | re.DOTALL
)
_INSTALL = re.compile("pip install|must be installed")
_ALIKE = {
    "ALEPH_ALPHA_API_KEY": "ALEPHALPHA_API_KEY", "COHERE_API_KEY": "CO_API_KEY", "OPENROUTER_API_KEY": "OR_API_KEY",
    "REPLICATE_API_KEY": "REPLICATE_API_TOKEN", "VERCEL_AI_GATEWAY_API_KEY": "VERCEL_OIDC_TOKEN",
    "VOLCENGINE_API_KEY": "ARK_API_KEY",
}  # fmt: skip  # keys that litellm takes as well, of which its `validate_environment` knows nothing
LONGEST = 300.0  # seconds for which a service is skipped, however long it asks for


class TooLong(Exception):
    """A response that is too long, or compressed."""


class Wire(NamedTuple):
    """litellm, and an aiohttp session with bounded responses."""

    litellm: Any
    session: Any

    async def close(self) -> None:
        """Close the connections, and let litellm forget the clients that use them."""
        self.litellm.in_memory_llm_clients_cache.flush_cache()
        await self.session.close()


@cache
def _loaded() -> Any:
    """Import litellm (seconds of CPU), silence it, and make a dummy call so that it loads the rest."""
    os.environ.update(_SETTINGS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import litellm
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.drop_params = False
    litellm.cache = None
    litellm.num_retries = 0
    for name in _LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [logging.NullHandler()]
        logger.propagate = False
    warnings.filterwarnings("ignore", category=UserWarning, module=r"pydantic(\.|$)")
    # A request cancelled before it is sent leaves a coroutine that litellm never awaited.
    warnings.filterwarnings(
        "ignore", category=RuntimeWarning, message=r"coroutine '[\w.]*completion\w*' was never awaited"
    )
    litellm.completion("openai/none", [{"role": "user", "content": "-"}], mock_response="-")
    return litellm


async def connect() -> Wire:
    """Load litellm in a thread, and open a session for it in this event loop."""
    litellm = await asyncio.to_thread(_loaded)
    litellm.in_memory_llm_clients_cache.flush_cache()  # clients of a closed session
    return Wire(litellm, _session())


def _session() -> Any:
    import aiohttp

    class Bounded(aiohttp.ClientResponse):
        """A response whose body is read up to `BODY` bytes, and not at all if compressed, which we never ask for.

        Redirects are refused: the request's headers hold a key that is not for another server.
        """

        async def start(self, connection: Any) -> Any:
            await super().start(connection)
            packed = self.headers.get("Content-Encoding", "identity").lower()
            if packed != "identity" or (self.content_length or 0) > BODY:
                self.close()
                raise aiohttp.ClientPayloadError("too long") from TooLong()
            if self.status in REDIRECTS:
                self.close()
                raise aiohttp.ClientPayloadError("elsewhere")
            self.content = _Counted(self)  # type: ignore[assignment]
            return self

    async def unpacked(session: Any, context: Any, params: Any) -> None:
        params.headers["Accept-Encoding"] = "identity"

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(unpacked)
    return aiohttp.ClientSession(response_class=Bounded, trace_configs=[trace], cookie_jar=aiohttp.DummyCookieJar())


class _Counted:
    """The content of a response; reading fails when there is too much."""

    def __init__(self, response: Any) -> None:
        self._response = response
        self._content = response.content

    def __getattr__(self, name: str) -> Any:
        return getattr(self._content, name)

    async def iter_chunked(self, size: int) -> Any:
        import aiohttp

        left = BODY
        async for chunk in self._content.iter_chunked(size):
            left -= len(chunk)
            if left < 0:
                self._response.close()
                raise aiohttp.ClientPayloadError("too long") from TooLong()
            yield chunk


def too_long(error: BaseException | None) -> bool:
    """Whether a failure was caused by a response that was too long."""
    return _came_of(error, TooLong)


def is_unreachable(error: BaseException | None) -> bool:
    """Whether a failure was caused by an address where nobody answers."""
    return _came_of(error, ConnectionRefusedError, gaierror)


def _came_of(error: BaseException | None, *kinds: type[BaseException]) -> bool:
    for _ in range(DEEP):
        if error is None or isinstance(error, kinds):
            break
        error = error.__cause__ or error.__context__
    return isinstance(error, kinds)


def retry_after(error: BaseException) -> float | None:
    """Seconds to wait by the header Retry-After, a number or a date, at most LONGEST; None without a valid one."""
    response = getattr(error, "response", None)
    for headers in (getattr(error, "litellm_response_headers", None), getattr(response, "headers", None)):
        text = headers.get("retry-after") if headers is not None else None
        if not isinstance(text, str):
            continue
        try:
            seconds = float(text)
        except ValueError:
            try:
                seconds = max(0.0, parsedate_to_datetime(text).timestamp() - time())
            except (ValueError, TypeError, OverflowError):
                continue
        if seconds >= 0.0:  # false for nan
            return min(seconds, LONGEST)
    return None


def missing_setup(litellm: Any, model: Model, error: BaseException) -> str:
    """What a model's setup lacks, and how to fix it; "" if something else is wrong. Never quotes the service."""
    name, text = clean(model.name, NAME), str(error)
    if "Provider NOT provided" in text:
        return f"{name} is no model that litellm knows; write it as PROVIDER/MODEL"
    if hint := _package(error):
        return f"{name} needs a package that is not installed: {hint}"
    if _KEYLESS.search(text):
        return _keyless(litellm, model, text)
    unheard = not model.bases and _came_of(error, ConnectionRefusedError, gaierror, TimeoutError)
    return _keyless(litellm, model) if unheard or getattr(error, "status_code", 0) in (401, 403) else ""


def _package(error: BaseException | None) -> str:
    """litellm's words about a package that could not be imported; "" if none is missing, or it went on without."""
    said = list[BaseException]()  # the outermost first; of several that advise, the innermost is taken
    while error is not None and len(said) < DEEP:
        said.append(error)
        error = error.__cause__ or error.__context__
    absent = [x for x in said if isinstance(x, ImportError)]
    if not absent:
        return ""
    hint = next((x for x in reversed(said) if _INSTALL.search(str(x))), absent[-1])
    if hint in absent and str(hint) not in str(said[0]):
        return ""  # it went on without the package
    words = str(hint).partition("Traceback")[0]
    return clean(words if _INSTALL.search(words) else f"{words}. {_advice(hint)}".rstrip(". "), HINT)


def _advice(error: BaseException) -> str:
    """How to install a package, from another text in litellm's module that needs it; "" if there is none."""
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    known = at.tb_frame.f_globals if at is not None else {}
    ours = str(known.get("__name__", "")).startswith("litellm.")
    return next((x for x in known.values() if ours and isinstance(x, str) and x.isprintable() and "pip " in x), "")


def _keyless(litellm: Any, model: Model, said: str = "") -> str:
    """Which key a model lacks, and how to fix it; "" if it has one or needs none. said: litellm's words if it sent no
    request for lack of a key; without them, only variables that can be nothing but keys are named.
    """
    wanted = [model.key] if model.key else _variables(litellm, model, said)
    if not wanted or os.environ.get(model.key):
        return ""
    either = " or ".join(wanted) if len(wanted) == 1 or all(one in said for one in wanted) else ""
    several = f"s {', '.join(wanted[:-1])} and {wanted[-1]}"
    return f"{clean(model.name, NAME)} has no key; set the environment variable{f' {either}' if either else several}"


def _variables(litellm: Any, model: Model, said: str) -> list[str]:
    """The unset environment variables for the key of a model's provider, as litellm resolves them."""
    if model.here or (model.bases and not said):
        return []
    try:
        _, provider, key, base = litellm.get_llm_provider(model.name)
        wanted = sorted(map(str, litellm.validate_environment(model.name)["missing_keys"]))
    except Exception:  # litellm raises plain exceptions for unknown models
        return []
    own = re.sub(r"\W", "_", f"{provider}").upper()
    if said:
        usual = f"{own}_API_KEY"
        return wanted or ([usual] if usual in said and not os.environ.get(usual) else [])
    base = base or os.environ.get(f"{own}_API_BASE")
    if key or (base and loopback(base)) or any(os.environ.get(_ALIKE.get(one, "")) for one in wanted):
        return []
    return wanted if all(one.endswith("_API_KEY") for one in wanted) else []
