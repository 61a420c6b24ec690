"""Turns the pieces of a story into a page of text, 80 columns wide, or into Markdown with user text escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from sandbox.core.plain import safe_line
from sandbox.readers.edition import WIDTH, wrap_text

Sort = Literal["title", "lead", "day", "head", "text", "quote", "item"]


class StoryPiece(NamedTuple):
    """A part of a story. whose: who said it, for a quote."""

    sort: Sort
    text: str
    whose: str = ""


BEFORE: dict[Sort, str] = {"title": "# ", "day": "## ", "head": "### ", "item": "- "}  # in Markdown
_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~&@$^])")
_LINKS = re.compile(r"(?i)(https?|ftp)(:)(?=//)|(www)(\.)")  # what some Markdown readers turn into links
_BEGINS = re.compile(r"^([-+=:]|\d+(?=[.)]))")  # what would start a list or a heading


def as_page(pieces: Iterable[StoryPiece]) -> str:
    """A story as text for a terminal, 80 columns wide."""
    out: list[str] = []
    for sort, text, whose in pieces:
        if sort == "title":
            out += ["═" * WIDTH, *wrap_text(text.upper())]
        elif sort == "lead":
            out += [*wrap_text(text), "═" * WIDTH]
        elif sort == "day":
            out += ["", f"── {text} " + "─" * max(0, WIDTH - len(text) - 4)]
        elif sort == "head":
            out += ["", *wrap_text(text.upper())]
        elif sort == "quote":
            out += wrap_text(f"{whose}: “{text}”", "  ", "  ")
        elif sort == "item":
            out += wrap_text(text, "- ", "  ")
        else:
            out += wrap_text(text)
    return "\n".join(out)


def as_markdown(pieces: Iterable[StoryPiece]) -> str:
    """A story as a Markdown document. Neighbouring quotes form one block, neighbouring items one list."""
    out: list[str] = []
    before: Sort | None = None
    for sort, text, whose in pieces:
        said = escape_markdown(text)
        if out and (sort != before or sort not in ("item", "quote")):
            out.append("")
        elif sort == "quote" and before == "quote":
            out.append(">")
        if sort == "quote":
            said = f"> {escape_markdown(whose)}: “{said}”"
        out.append(f"*{said}*" if sort == "lead" else f"{BEFORE.get(sort, '')}{said}")
        before = sort
    return "\n".join(out) + "\n"


def escape_markdown(text: str) -> str:
    """Text on one line, escaped so that Markdown shows it as it is."""
    text = _MARKUP.sub(r"\\\1", " ".join(safe_line(text).split()))
    text = _LINKS.sub(lambda m: f"{m[1]}\\:" if m[1] else f"{m[3]}\\.", text)
    return _BEGINS.sub(lambda m: f"{m[1]}\\" if m[1].isdigit() else f"\\{m[1]}", text)
