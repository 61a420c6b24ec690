"""How one type of question is put to a language model: its template, what is offered, the form of the answer, and how
that becomes the answer the engine knows.

To ask a question of a type of one's own, hand its spec to `EmbeddedMind(specs=...)` and a `Prompt` for it to
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
FAULT = 200
WARM = 0.8  # temperature of people
PLACES = 8  # of "{" at which an object is looked for
_WITHIN = re.compile(r'[{}\[\]":,]')  # what goes on in an object after a fault in it
Message = dict[str, str]


class PromptOption(NamedTuple):
    """One of the things a model may choose. words: as it is told; value: what it stands for."""

    words: str
    value: Any


Offered = Mapping[str, Mapping[str, PromptOption]]  # group -> key -> choice
NOTHING: Offered = {}


class Prompt(NamedTuple):
    """A type of question as it is put to a model.

    question: the type. template: a file of prompts/ or the source of a Jinja template; it sees q, brief, offered and
    what `words` adds, and puts all that others wrote through the filter `quoted`. shape: the JSON answer; a text of it
    that must be one of what is offered is a `Key`. read: shape's value to the engine's answer; raises ValueError with
    one sentence that the model can mend. offer: what may be chosen, by groups; or the answer, if there is nothing to
    choose, or None: then the embedded mind answers. tokens: of the answer at most. briefed: it needs a brief. system:
    what stands before it all, a template as well. temperature: of the model.
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
    """Type of question -> how it is put to a model. Raises ValueError unless each that a spec is of has one prompt."""
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
    """One of the ways offered."""

    choice: Key


class Unusable(ValueError):
    """An answer that cannot be used; its text is one sentence that says why."""


@cache
def rules(system: str) -> str:
    """What stands before every question: always the same, so that services need not read it anew."""
    return fill_template(system)


def messages(prompt: Prompt, q: Question, offered: Offered) -> list[Message]:
    """What is sent: the rules, the same for all of a kind, then the person, the moment and the task."""
    brief = None if q.brief is None else shorten_brief(q.brief)
    user = fill_template(prompt.template, q=q, brief=brief, offered=offered, **prompt.words(q))
    return [{"role": "system", "content": rules(prompt.system)}, {"role": "user", "content": user}]


def retry_messages(sent: list[Message], text: str, fault: str) -> list[Message]:
    """The same once more, with what came of it and what was wrong with that."""
    again = (
        f"That cannot be used: {fault}. Answer once more, with one JSON object of the form asked for and nothing else."
    )
    return [
        *sent[:2],
        {"role": "assistant", "content": clean(text, 400) or "(nothing)"},
        {"role": "user", "content": again},
    ]


def request_hash(model: str, sent: list[Message]) -> str:
    """A name of what is sent to a model."""
    return blake2b(json.dumps([model, sent]).encode(), digest_size=16).hexdigest()


def understood(prompt: Prompt, q: Question, text: str, offered: Offered, chance: Stream) -> Answer:
    """The answer in a model's text. Raises Unusable."""
    try:
        return prompt.read(q, _value(text, prompt.shape), offered, chance)
    except Unusable:
        raise
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise Unusable(clean(str(error), FAULT).rstrip(".")) from None
    except (LookupError, TypeError, AttributeError) as error:  # whatever a model thinks of must not stop a town
        raise Unusable(f"the answer is not of the form asked for ({type(error).__name__})") from None


def _value(text: str, shape: type[msgspec.Struct]) -> Any:
    """The first object in a text that has the shape: models put words, fences and thoughts around it. What lies within
    one that breaks off is no answer.
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
            if isinstance(error, json.JSONDecodeError) and _breaks_off(error):
                raise Unusable("the answer broke off in the middle") from None
            end = at + 1
        else:
            try:
                return msgspec.convert(found, shape, strict=False)
            except msgspec.ValidationError as error:
                fault = error
        at = text.find("{", end)
    raise fault


def _breaks_off(error: json.JSONDecodeError) -> bool:
    """Whether an object is none because the text ends within it."""
    return error.msg.startswith("Unterminated") or not _WITHIN.search(error.doc, error.pos)


def has_answer(text: str, shape: type[msgspec.Struct]) -> bool:
    """Whether there is a whole object of that shape in a text."""
    try:
        _value(text, shape)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return True


def pick(offered: Offered, group: str, key: str) -> Any:
    """What a key stands for. Raises Unusable with the keys there are."""
    choices = offered[group]
    found = choices.get(key) or choices.get(key.strip().strip("\"'.").lower())
    if found is None:
        raise Unusable(f"{clean(key, 40)!r} is none of: {', '.join(choices)}")
    return found.value


def schema(shape: type[msgspec.Struct], offered: Offered) -> dict[str, Any]:
    """The JSON schema of an answer, as strict structured output wants it, with what is offered as enumerations."""
    made: dict[str, Any] = _filled(json.loads(_schema(shape)), offered)
    return made


@cache
def _schema(shape: type[msgspec.Struct]) -> str:
    whole = msgspec.json.schema(shape)
    return json.dumps(_strict(whole, whole.get("$defs", {})))


def _strict(node: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    """All keys required, none besides, nothing referred to, and no word that strict output does not know."""
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
