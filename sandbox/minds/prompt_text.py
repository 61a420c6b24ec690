"""Prompts as text: the templates, the words for moves and ways, and how what others wrote is quoted.

What comes from a world, from people or from the player stands in a prompt as one JSON string on one line, without the
marks by which models tell who speaks: it can be read, and it cannot end what it stands in.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from sandbox.core.protocols import Brief
from sandbox.core.text import clean

FOLDER = Path(__file__).parent / "prompts"
LONG = 200  # letters of a quoted string
PERSONA, MOOD, OTHER = 800, 500, 400
MEMORIES, SAID = 6, 8
# Letters of which a chat's format makes its marks (<|im_start|>, [INST], ### User:, ```) become others like them.
_MARKS = str.maketrans(
    {"<": "‹", ">": "›", "[": "(", "]": ")", "{": "(", "}": ")", "`": "'", '"': "'", "#": "＃", "|": "/", "\\": "/"}
)


def quote_text(text: object, limit: int = LONG) -> str:
    """A text from outside as one JSON string on one line, bounded."""
    return json.dumps(clean(str(text), limit).translate(_MARKS), ensure_ascii=False)


def shorten_brief(brief: Brief) -> Brief:
    """The brief, no part of it longer or more than a prompt has room for."""
    return Brief(
        brief.day,
        clean(brief.name, 40),
        clean(brief.persona, PERSONA),
        clean(brief.mood, MOOD),
        clean(brief.now, LONG),
        clean(brief.other, OTHER),
        tuple(clean(text, LONG) for text in brief.memories[:MEMORIES]),
        tuple((clean(name, 40), clean(text, LONG)) for name, text in brief.said[-SAID:]),
        clean(brief.matter, OTHER),
        brief.names,
    )


@cache
def _environment() -> Any:
    """Jinja, loaded when the first prompt is written: a town without a model starts without it."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    made = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(FOLDER),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["quoted"] = quote_text
    return made


@cache
def word_table(name: str) -> dict[str, Any]:
    """A table of words that ships with the prompts: "moves", "ways" or "partings"."""
    with open(FOLDER / f"{name}.yaml", encoding="utf-8") as file:
        found: dict[str, Any] = yaml.safe_load(file)
    return found


@cache
def _template(source: str) -> Any:
    made = _environment()
    return made.get_template(source) if source.endswith(".j2") else made.from_string(source)


def fill_template(template: str, **values: Any) -> str:
    """A template filled in. template: the name of a file here, or its source."""
    text: str = _template(template).render(**values)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


_NARRATED = re.compile(r"\*[^*]{1,80}\*|<[^<>]{0,200}>")
_LED = re.compile(r"^[\s#>•-]+")
_MARKUP = str.maketrans({"`": "'", "[": "(", "]": ")", "{": "(", "}": ")", "*": "", "#": "", "|": "", "<": "", ">": ""})
_PAIRS = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»"}


def tidy_text(text: str, limit: int) -> str:
    """Words as a model gave them, fit to be shown: one line, bounded at a sentence's end where there is one, without
    control characters, markup, narration between stars, a leading mark or quotes around the whole.
    """
    text = clean(text, limit * 4).replace("**", "").replace("__", "")
    text = _LED.sub("", _NARRATED.sub(" ", text)).translate(_MARKUP)
    text = " ".join(text.split())
    while len(text) > 1 and _PAIRS.get(text[0]) == text[-1]:
        text = text[1:-1].strip()
    if len(text) > limit:
        short = text[:limit]
        end = max(short.rfind(mark) for mark in (". ", "! ", "? "))
        text = short[: end + 1] if end > limit // 3 else short[: short.rfind(" ")] + "…"
    return text


def phrase(text: str, limit: int, lead: str = "") -> str:
    """A clause as a model gave it: as `plain`, without a full stop and without what it was to follow (lead)."""
    text = tidy_text(text, limit).rstrip(".").strip()
    return text[len(lead) :].strip(" :") if lead and text.casefold().startswith(lead) else text
