"""Text of prompts: the templates, the words for moves and ways, and quoting. Text from a world, people or the player is
put into a prompt as a JSON string on one line, without the marks that tell models who speaks: it can be read, but
cannot end its quotation.
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
LONG = 200  # letters of a quoted string, at most
PERSONA, MOOD, OTHER = 800, 500, 400  # letters of these parts of a brief, at most
MEMORIES, SAID = 6, 8  # items of these lists in a brief, at most
# Characters of chat markup (<|im_start|>, [INST], ### User:, ```), each replaced by one that looks similar.
_MARKS = str.maketrans(
    {"<": "‹", ">": "›", "[": "(", "]": ")", "{": "(", "}": ")", "`": "'", '"': "'", "#": "＃", "|": "/", "\\": "/"}
)


def quote_text(text: object, limit: int = LONG) -> str:
    """Text from outside as a JSON string on one line, shortened to `limit`."""
    return json.dumps(clean(str(text), limit).translate(_MARKS), ensure_ascii=False)


def shorten_brief(brief: Brief) -> Brief:
    """A brief with each part shortened, and lists cut, to what a prompt has room for."""
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
    """Jinja, loaded on first use, since a town without a model does not need it."""
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
    """A table of words in the package: "moves", "ways" or "partings"."""
    with open(FOLDER / f"{name}.yaml", encoding="utf-8") as file:
        found: dict[str, Any] = yaml.safe_load(file)
    return found


@cache
def _template(source: str) -> Any:
    made = _environment()
    return made.get_template(source) if source.endswith(".j2") else made.from_string(source)


def fill_template(template: str, **values: Any) -> str:
    """A template filled in. template: name of a file here, or its source."""
    text: str = _template(template).render(**values)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


_NARRATED = re.compile(r"\*[^*]{1,80}\*|<[^<>]{0,200}>")
_LED = re.compile(r"^[\s#>•-]+")
_MARKUP = str.maketrans({"`": "'", "[": "(", "]": ")", "{": "(", "}": ")", "*": "", "#": "", "|": "", "<": "", ">": ""})
_PAIRS = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»"}


def tidy_text(text: str, limit: int) -> str:
    """A model's text made fit to show: one line, cut at a sentence's end if possible, without control characters,
    markup, narration between stars, leading marks or quotes around the whole.
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
    """A model's clause: like `tidy_text`, without full stop and without `lead`, the words it was to follow."""
    text = tidy_text(text, limit).rstrip(".").strip()
    return text[len(lead) :].strip(" :") if lead and text.casefold().startswith(lead) else text
