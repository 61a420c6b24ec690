"""Which mind answers for whom: the settings of a player, a world or the command line for models, limits and budgets. No
key is stored, only the name of an environment variable that has one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from ipaddress import ip_address
from typing import Annotated, Literal
from urllib.parse import urlsplit

import msgspec

from sandbox.core.faults import in_quotes
from sandbox.core.fields import fields, meta
from sandbox.core.structs import read
from sandbox.core.textfiles import MappingReader, Value
from sandbox.minds.budget import Limit, Limits
from sandbox.minds.embedded import ASKS, DEFAULT_ASKS

EMBEDDED = "embedded"
OLLAMA = ("ollama", "ollama_chat")  # services that are free, and run on this computer unless an address says otherwise
# Services that need a key at most. Others may log in, open a browser, start programs or write files by themselves;
# they are used only if the player names them.
PLAIN = frozenset((
    "anthropic", "cerebras", "cohere", "cohere_chat", "deepinfra", "deepseek", "fireworks_ai", "gemini", "groq",
    "hosted_vllm", "llamafile", "lm_studio", "mistral", "moonshot", "nvidia_nim", "openai", "openrouter", "perplexity",
    "sambanova", "together_ai", *OLLAMA,
))  # fmt: skip
Structured = Literal["auto", "schema", "json", "text"]
BASES = 16  # endpoints of one model, at most
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+@:/-]{0,119}$")
_PORT = re.compile(r"@[^@/]*:\d")  # an address without http://
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,79}$")
_PERSON = re.compile(r"([^=@/]*[^=@/\s])\s*=(.*)$")
_AT = re.compile(r"@(?=https?:)")


class Model(msgspec.Struct, frozen=True):
    """A language model. name: as litellm writes it ("ollama_chat/llama3.2"); bases: URLs of its endpoints, () for the
    provider's own; key: name of the environment variable with its key, "" = litellm's default.
    """

    name: str
    bases: tuple[str, ...] = ()
    key: str = ""

    @property
    def service(self) -> str:
        """The service in the name: "openai"."""
        return self.name.partition("/")[0]

    @property
    def private(self) -> bool:
        """Whether using it is free and sends nothing to another computer."""
        return self.plain and (self.here or (self.service in OLLAMA and not self.bases))

    @property
    def plain(self) -> bool:
        """Whether its service needs a key at most."""
        return self.service in PLAIN

    @property
    def here(self) -> bool:
        """Whether all its endpoints are given and on this computer."""
        return bool(self.bases) and all(map(loopback, self.bases))


UNPRICED = Limits(Limit(1_000, 500_000), Limit(5_000, 2_500_000))


class MindSpec(msgspec.Struct, frozen=True):
    """Which mind answers for whom. default: for all; people: for some, by id; None = the embedded mind. limits: for all
    models together; unpriced: in addition, for models without a known price. asks: questions put to models (of
    `embedded.ASKS`). timeout: seconds of a request, at most; patience: seconds of a question, at most; together:
    requests at once. structured: how a model is made to answer in JSON (auto = by schema, or more simply if a service
    rejects that).
    """

    default: Model | None = None
    people: dict[str, Model | None] = {}
    limits: Limits = Limits()
    timeout: Annotated[float, meta(low=0.1, high=600)] = 30.0
    patience: Annotated[float, meta(low=0.1, high=3600)] = 90.0
    together: Annotated[int, meta(low=1, high=256)] = 8
    asks: tuple[Annotated[str, meta(options=ASKS, what="question")], ...] = DEFAULT_ASKS
    structured: Annotated[Structured, meta(what="way to structure answers")] = "auto"
    unpriced: Limits = UNPRICED

    @property
    def models(self) -> tuple[Model, ...]:
        """All models, each once."""
        named = (self.default, *self.people.values())
        return tuple(dict.fromkeys(m for m in named if m is not None))


def parse_mind(texts: Iterable[str], base: MindSpec | None = None, ids: Mapping[str, str] = {}) -> MindSpec:
    """The command line's settings over `base`: `MODEL`, `MODEL@URL,URL`, `PERSON=MODEL...`, `embedded`. Without a
    person it sets the mind of all and drops the settings of single people. ids: name as typed -> id; other names stay
    as they are. Raises ValueError that says how to fix it.
    """
    default, people, all_anew = None if base is None else base.default, {}, False
    for text in texts:
        named = _PERSON.match(text.strip())
        if named:
            people[ids.get(named[1], named[1])] = parse_model(named[2])
        else:
            default, all_anew = parse_model(text), True
    kept = {} if base is None or all_anew else base.people
    return msgspec.structs.replace(base or MindSpec(), default=default, people={**kept, **people})


def parse_model(text: str) -> Model | None:
    """A model as typed: `MODEL` or `MODEL@URL,URL`; None for `embedded`. Raises ValueError that says how to fix it."""
    name, *at = _AT.split(text.strip(), maxsplit=1)
    if name == EMBEDDED:
        if at:
            raise ValueError("the embedded mind has no address; write embedded alone")
        return None
    return model(name, tuple(url.strip() for url in at[0].split(",")) if at else ())


def model(name: str, bases: tuple[str, ...] = (), key: str = "") -> Model:
    """A checked model. Raises ValueError that says how to fix it."""
    if _PORT.search(name):
        raise ValueError(f"{name[:60]!r}: write the address as http://HOST:PORT/v1")
    if not _NAME.match(name) or "//" in name:
        raise ValueError(
            f"{name[:60]!r} is no model; write it as litellm does, such as ollama_chat/llama3.2 or openai/gpt-4o-mini, "
            "its address after @, or embedded"
        )
    if len(bases) > BASES:
        raise ValueError(f"{name} has {len(bases)} addresses; the most is {BASES}")
    for base in bases:
        _check_base(base)
    if key and not _KEY.match(key):
        raise ValueError("a key is given by the name of an environment variable, such as MY_KEY, never by itself")
    return Model(name, bases, key)


def loopback(base: str) -> bool:
    """Whether a URL is on this computer."""
    try:
        host = urlsplit(base).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _check_base(base: str) -> None:
    try:
        url = urlsplit(base)
        fine = url.scheme in ("http", "https") and bool(url.hostname) and (url.port is None or url.port > 0)
    except ValueError:
        fine = False
    if not fine or len(base) > 200 or not base.isascii() or not base.isprintable() or " " in base:
        raise ValueError(f"{base[:60]!r} is no address of a model; write it as http://127.0.0.1:11434")
    if url.username or url.password or url.query or url.fragment:
        raise ValueError("an address of a model holds no name, key or query; give the key's environment variable")


# ---- the settings in a world's file or the user's own. A world's author must not be able to send a player's keys
# anywhere: from a world or a save only addresses on this computer are accepted, no names of keys, no service that may
# log in by itself, and limits only become smaller. Models that may cost money give a warning, and are used only once
# the player has agreed (store/choose_mind.py).


OWN = "; put it into your own settings, or write it on the command line (--mind)"
SUCH = "such as openai/gpt-4o-mini or ollama_chat/llama3.2"
MANY = 1_000_000_000  # the largest limit that a file may set


def read_mind(
    value: Value | None, base: MindSpec, *, people: Collection[str] | None = None, trusted: bool = False
) -> MindSpec:
    """The settings under `mind`, over `base`. people: who may be named (None: anybody). trusted: the file is the
    player's own. Faults are reported, and faulty settings left as in `base`.
    """
    if value is None:
        return base
    if not value.is_mapping:
        found = _model(value, trusted)
        return base if found is _WRONG else msgspec.structs.replace(base, default=found, people={})
    r = value.mapping()
    default, named = base.default, dict(base.people)
    if "model" in r:
        found = _said(r, value, trusted)
        default = default if found is _WRONG else found
    section = r.section("people")
    for who, one in section.entries() if people is None else section.named(people, "person"):
        found = _model(one, trusted)
        if found is not _WRONG:
            named[who] = found
    limits, unpriced = _limits(r.section("budget"), base, trusted)
    for key in ("model", "at", "key"):
        r.get(key)
    usual = {f.name: getattr(base, f.name) for f in fields(MindSpec).values()}
    return read(MindSpec, r, usual=usual, default=default, people=named, limits=limits, unpriced=unpriced)


_WRONG = Model("")


def _model(value: Value, trusted: bool) -> Model | None:
    """A model, from a text or a mapping {model, at, key}; _WRONG after a fault."""
    if not value.is_mapping:
        text = value.text(2000)
        return _WRONG if text is None else _allowed(text, (), "", value, trusted)
    r = value.mapping()
    found = _said(r, value, trusted)
    r.rest()
    return found


def _said(reader: MappingReader, value: Value, trusted: bool) -> Model | None:
    """A model from a mapping with the keys model, at and key."""
    name = reader.text("model", need="ollama_chat/llama3.2", limit=120)
    bases = tuple(text for v in reader.items("at", single=True) if (text := v.text(200)) is not None)
    key = reader.text("key", limit=80)
    return _allowed(name, bases, key, value, trusted) if name else _WRONG


def _allowed(name: str, bases: tuple[str, ...], key: str, value: Value, trusted: bool) -> Model | None:
    try:
        short = parse_model(name)
        found = short if short is None or not (bases or key) else model(short.name, short.bases + bases, key)
        if short is None and (bases or key):
            raise ValueError(f"the {EMBEDDED} mind has neither address nor key; take them out")
    except ValueError as error:
        value.fault(str(error))
        return _WRONG
    if found is None or trusted:
        return found
    if found.key:
        value.fault(f"a world may not name a key{OWN}")
        return _WRONG
    away = next((base for base in found.bases if not loopback(base)), "")
    if away:
        value.fault(f"a world may not send anything to {in_quotes(away)}{OWN}")
        return _WRONG
    if not found.plain:
        value.fault(f"a world may not name {in_quotes(found.name)}: only services that want a key at most, {SUCH}{OWN}")
        return _WRONG
    if not found.private:
        value.fault(
            f"{in_quotes(found.name)} may cost whoever plays this money; it is asked once they allow it", "warning"
        )
    return found


def _limits(reader: MappingReader, base: MindSpec, trusted: bool) -> tuple[Limits, Limits]:
    """The limits of all models, and those of unpriced ones: calls and tokens in a file set both."""
    day, save = reader.section("day"), reader.section("save")
    said = Limits(_limit(day, base.limits.day), _limit(save, base.limits.save))
    unpriced = Limits(_counted(day, said.day, base.unpriced.day), _counted(save, said.save, base.unpriced.save))
    reader.rest()
    return (said, unpriced) if trusted else (said.within(base.limits), unpriced.within(base.unpriced))


def _counted(reader: MappingReader, said: Limit, base: Limit) -> Limit:
    return Limit(said.calls if "calls" in reader else base.calls, said.tokens if "tokens" in reader else base.tokens)


def _limit(reader: MappingReader, base: Limit) -> Limit:
    """A limit; `calls: none` removes one."""
    found: dict[str, float | None] = {"calls": base.calls, "tokens": base.tokens, "usd": base.usd}
    for key in found:
        value = reader.get(key)
        if value is not None:
            if value.text() == "none":
                found[key] = None
                continue
            got = value.number(0, MANY) if key == "usd" else value.integer(0, MANY)
            if got is not None:  # a faulty value changes nothing
                found[key] = got
    reader.rest()
    return msgspec.convert(found, Limit)
