"""How a type of question is put to a language model: its template, the options, the form of the answer, and how that
becomes the engine's answer.

To add a type of question, give its spec to `EmbeddedMind(specs=...)` and a `Prompt` for it to
`LanguageMind(prompts=...)`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from typing import Annotated, Any, NamedTuple

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.text import clean
from sandbox.minds.prompt_text import fill_template, shorten_brief

TEXT = 20_000  # letters of an answer that are read
FAULT = 200  # letters of a fault that is sent back, at most
WARM = 0.8  # temperature for people
PLACES = 8  # positions of "{" at which parsing an object is tried
_WITHIN = re.compile(r'[{}\[\]":,]')  # marks of an object that continues after a fault
Message = dict[str, str]


class PromptOption(NamedTuple):
    """An option for the model. words: as shown; value: what it stands for."""

    words: str
    value: Any


Offered = Mapping[str, Mapping[str, PromptOption]]  # group -> key -> option
NOTHING: Offered = {}


class Prompt(NamedTuple):
    """How a type of question is put to a model.

    question: the type. template: a file of prompts/ or a Jinja source; it sees q, brief, offered and the result of
    `words`, and must put text by others through the filter `quoted`. shape: the JSON answer; a text in it that must be
    an offered option is a `Key`. read: turns it into the engine's answer; raises ValueError with one sentence that lets
    the model fix it. offer: the options, by groups; or the answer, if there is no choice; or None: the embedded mind
    answers. tokens: of the answer, at most. briefed: it needs a brief. system: the system message, a template too.
    temperature: of the model.
    """

    question: type[Question]
    template: str
    shape: type[msgspec.Struct]
    read: Callable[[Any, Any, Offered, Stream], Answer]
    offer: Callable[[Any, Stream], Offered | Answer | None] = lambda q, chance: NOTHING
    words: Callable[[Any], dict[str, Any]] = lambda q: {}
    tokens: int = 120
    briefed: bool = True
    system: str = "system.j2"
    temperature: float = WARM


def by_question(prompts: Sequence[Prompt], specs: Collection[type[Question]]) -> dict[type[Question], Prompt]:
    """Type of question -> its prompt. Raises ValueError unless each type with a spec has exactly one."""
    found = {prompt.question: prompt for prompt in prompts}
    if len(found) < len(prompts) or found.keys() != set(specs):
        odd = found.keys() ^ set(specs) or found.keys()
        raise ValueError(f"one prompt for each spec; see those of {', '.join(sorted(x.__name__ for x in odd))}")
    return found


def _group(name: str) -> Any:
    return msgspec.Meta(max_length=60, extra_json_schema={"offered": name})


Key = Annotated[str, _group("ways")]
Thing = Annotated[str, _group("things")]
SlotKey = Annotated[str, _group("slots")]
Emotion = Annotated[str, _group("emotions")]
Person = Annotated[str, _group("people")]
Act = Annotated[str, _group("acts")]
Letter = Annotated[str, _group("drafts")]


class ChoiceReply(msgspec.Struct, frozen=True):
    """One of the options."""

    choice: Key


class Unusable(ValueError):
    """An unusable answer; the text says why, in one sentence."""


@cache
def rules(system: str) -> str:
    """The system message: always the same, so that services can cache it."""
    return fill_template(system)


def messages(prompt: Prompt, q: Question, offered: Offered) -> list[Message]:
    """The messages for a question: the system message, then the person, the moment and the task."""
    brief = None if q.brief is None else shorten_brief(q.brief)
    user = fill_template(prompt.template, q=q, brief=brief, offered=offered, **prompt.words(q))
    return [{"role": "system", "content": rules(prompt.system)}, {"role": "user", "content": user}]


def retry_messages(sent: list[Message], text: str, fault: str) -> list[Message]:
    """The messages again, with the faulty answer and what was wrong with it."""
    again = (
        f"That cannot be used: {fault}. Answer once more, with one JSON object of the form asked for and nothing else."
    )
    return [
        *sent[:2],
        {"role": "assistant", "content": clean(text, 400) or "(nothing)"},
        {"role": "user", "content": again},
    ]


def request_hash(model: str, sent: list[Message]) -> str:
    """A hash of what is sent to a model."""
    return blake2b(json.dumps([model, sent]).encode(), digest_size=16).hexdigest()


def understood(prompt: Prompt, q: Question, text: str, offered: Offered, chance: Stream) -> Answer:
    """Parse a model's text into the answer. Raises Unusable."""
    try:
        return prompt.read(q, _value(text, prompt.shape), offered, chance)
    except Unusable:
        raise
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Unusable(clean(str(error), FAULT).rstrip(".")) from None
    except (LookupError, TypeError, AttributeError) as error:  # no answer of a model may stop a town
        raise Unusable(f"the answer is not of the form asked for ({type(error).__name__})") from None


def _value(text: str, shape: type[msgspec.Struct]) -> Any:
    """The first object in a text that has the shape, since models add words, fences and thoughts around it. Objects
    inside a broken one do not count.
    """
    text = text[:TEXT]
    if not text.strip():
        raise Unusable("the answer was empty")
    decoder = json.JSONDecoder()
    fault: Exception = Unusable("there was no JSON object in the answer")
    at = text.find("{")
    for _ in range(PLACES):
        if at < 0:
            break
        try:
            found, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            if isinstance(error, json.JSONDecodeError) and (
                error.msg.startswith("Unterminated") or not _WITHIN.search(error.doc, error.pos)
            ):
                raise Unusable("the answer broke off in the middle") from None
            end = at + 1
        else:
            try:
                return msgspec.convert(found, shape, strict=False)
            except msgspec.ValidationError as error:
                fault = error
        at = text.find("{", end)
    raise fault


def has_answer(text: str, shape: type[msgspec.Struct]) -> bool:
    """Whether a text has a complete object of that shape."""
    try:
        _value(text, shape)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return True


def pick(offered: Offered, group: str, key: str) -> Any:
    """The value of an option. Raises Unusable, with the possible keys, if it does not exist."""
    choices = offered[group]
    found = choices.get(key) or choices.get(key.strip().strip("\"'.").lower())
    if found is None:
        raise Unusable(f"{clean(key, 40)!r} is none of: {', '.join(choices)}")
    return found.value


def schema(shape: type[msgspec.Struct], offered: Offered) -> dict[str, Any]:
    """The JSON schema of an answer for strict structured output, with the options as enumerations."""
    made: dict[str, Any] = _filled(json.loads(_schema(shape)), offered)
    return made


@cache
def _schema(shape: type[msgspec.Struct]) -> str:
    whole = msgspec.json.schema(shape)
    return json.dumps(_strict(whole, whole.get("$defs", {})))


def _strict(node: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    """Make a schema strict: all keys required, no others, references resolved, unsupported keywords removed."""
    if "$ref" in node:
        return _strict(defs[node["$ref"].rsplit("/", 1)[-1]], defs)
    out: dict[str, Any] = {k: node[k] for k in ("type", "enum", "offered") if k in node}
    if "properties" in node:
        out["properties"] = {name: _strict(child, defs) for name, child in node["properties"].items()}
        out["required"] = list(out["properties"])
        out["additionalProperties"] = False
    if "items" in node:
        out["items"] = _strict(node["items"], defs)
    return out


def _filled(node: Any, offered: Offered) -> Any:
    if isinstance(node, list):
        return [_filled(child, offered) for child in node]
    if not isinstance(node, dict):
        return node
    out = {key: _filled(child, offered) for key, child in node.items() if key != "offered"}
    if isinstance(node.get("offered"), str):
        out["enum"] = list(offered[node["offered"]])
    return out
