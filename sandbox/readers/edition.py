"""A digest, or the story of a person, as a page of plain text: 80 columns, no colour, so that it can be pasted
anywhere. A story also as Markdown, with user text escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from rich.cells import cell_len

from sandbox.core.events import Record
from sandbox.core.plain import count_of, safe_line
from sandbox.core.text import join_names
from sandbox.engine.world import World
from sandbox.readers.day import Digest, PageTurn, make_digest
from sandbox.readers.day_headline import Quote
from sandbox.readers.feedday import feed_page
from sandbox.readers.life import longest_played_spans, play_spans
from sandbox.readers.phrases import reason_suffix

WIDTH = 80  # columns
MARGIN = "  "
NUMBER_WORDS = ("talks", "exchanges", "sights", "reflections", "walks")


def day_page(records: Iterable[Record], world: World, since: int | None = None, before: Iterable[Record] = ()) -> str:
    """The page of a day: the town's part, if anybody lives there, and the feed's. records: of that day; world: at its
    end. since: the second at which the day begins; None = 24 hours before. before: earlier events, as `Day.know` takes
    them.
    """
    records = [*records]
    begun = since if since is not None else records[0].stamp.t if records else world.now
    you = longest_played_spans(play_spans(records, begun, world.now, world.played.who))
    town = digest_page(make_digest(records, world, you=you, before=before)) if world.cast else world.scenario.title
    feed = feed_page(world, since)
    return f"{town}\n\n{feed}" if feed else town


def digest_page(digest: Digest) -> str:
    """The digest as a page: lines of at most 80 columns, without a newline at the end."""
    out = [*_head(digest), *_lead(digest)]
    changes = [f"{text}." for text in digest.changes]
    for title, lines in (
        (f"You, as {digest.played}", [line for text in digest.you for line in wrap_text(text)]),
        *((title, _turn_lines(found)) for title, found in turn_parts(digest)),
        ("Who thinks what of whom", [line for text in changes for line in wrap_text(text, "- ", "  ")]),
        ("On the feed", [line for text in digest.feed for line in wrap_text(text, "- ", "  ")]),
        ("Who with whom", wrap_text(" ".join(company_words(digest)))),
        ("Spirits at the day's end" if digest.over else "Spirits by now", wrap_text(" ".join(spirit_words(digest)))),
        ("Overheard", [line for quote in digest.overheard for line in _quoted(quote)]),
    ):
        if lines:
            out += ["", f"── {title} " + "─" * (WIDTH - len(title) - 4), *lines]
    numbers = [count_of(digest.numbers.get(word, 0), word.removesuffix("s")) for word in NUMBER_WORDS]
    used = _centred(digest.saw_all) if digest.saw_all else []
    return "\n".join([*out, "", "─" * WIDTH, *_centred(" · ".join(numbers)), *used, "═" * WIDTH])


def turn_parts(digest: Digest) -> list[tuple[str, list[PageTurn]]]:
    """The turns of a page, but for the one that leads it, under titles: first what changed a life, then what came to a
    head, then what was small.
    """
    parts = (
        ("What changed a life", [x for x in digest.turns if x.life]),
        ("What came to a head", [x for x in digest.turns if not (x.life or x.small)]),
        ("In brief", [x for x in digest.turns if x.small]),
    )
    return [(title, found) for title, found in parts if found]


def _turn_lines(turns: Iterable[PageTurn]) -> list[str]:
    """Turns as lines: a paragraph each, those that are small in one."""
    out: list[str] = []
    small: list[str] = []
    for x in turns:
        if x.small:
            small.append(x.text)
        else:
            out += [*([""] if out else []), *wrap_text(x.text)]
    return [*out, *wrap_text(" ".join(small))]


def wrap_text(text: str, first: str = "", rest: str = "") -> list[str]:
    """Break text into lines by screen cells. first, rest: put after the margin of the first and of all other lines."""
    lines: list[str] = []
    line, empty = MARGIN + first, True
    for word in text.split():
        while True:
            if not empty and cell_len(line) + 1 + cell_len(word) > WIDTH - len(MARGIN):
                lines.append(line)
                line, empty = MARGIN + rest, True
            room = WIDTH - len(MARGIN) - cell_len(line)
            if not empty or cell_len(word) <= room:
                break
            cut = next(n for n in range(len(word), 0, -1) if n == 1 or cell_len(word[:n]) <= room)
            lines.append(line + word[:cut])
            line, word = MARGIN + rest, word[cut:]
        line += word if empty else " " + word
        empty = False
    return lines if empty else [*lines, line]


def _centred(text: str) -> list[str]:
    lines = [text] if cell_len(text) <= WIDTH else [line.strip() for line in wrap_text(text)]
    return [" " * ((WIDTH - cell_len(line)) // 2) + line for line in lines]


def _head(digest: Digest) -> list[str]:
    when = digest.since
    if digest.until.rsplit(", ", 1)[0] == digest.since.rsplit(", ", 1)[0]:
        when = f"{digest.since} to {digest.until.rsplit(', ', 1)[1]}"
    elif digest.until != digest.since:
        when = f"{digest.since}, to {digest.until}"
    name = digest.title.upper()
    spaced = " ".join(name) if len(name) <= 24 else name
    return ["═" * WIDTH, *_centred(spaced), *_centred(when), "═" * WIDTH]


def _lead(digest: Digest) -> list[str]:
    out = ["", *wrap_text(digest.headline.upper()), *wrap_text(f"{digest.lead}.")]
    if digest.quote is not None:
        out += wrap_text(f"“{spoken_words(digest.quote.text)}” said {digest.quote.name}.")
    if digest.brief:
        out += ["", *wrap_text(" ".join(f"{text}." for text in digest.brief))]
    if digest.occasion:
        out += ["", *wrap_text(f"On the calendar: {digest.occasion}.")]
    return out


def spoken_words(text: str) -> str:
    """A quote as punctuated before "said"."""
    return text if text.endswith(("!", "?", "…")) else f"{text.removesuffix('.')},"


def company_words(digest: Digest) -> list[str]:
    """Who was with whom, in sentences."""
    if not digest.company:
        return []
    first, *others = digest.company
    a, b = first.names
    out = [f"{a} and {b} found each other most, {_times(first.talks)}"]
    if others:
        out[0] += "; then " + join_names([f"{x.names[0]} and {x.names[1]} ({x.talks})" for x in others])
    out[0] += "."
    most, least = digest.most, digest.least
    if least[0] and least[1] < most[1]:
        out.append(f"{most[0]} was in most talks ({most[1]}), {least[0]} in fewest ({least[1]}).")
    if digest.silent:
        names = (
            join_names(digest.silent)
            if len(digest.silent) <= 6
            else f"{join_names(digest.silent[:5])} and {len(digest.silent) - 5} more"
        )
        out.append(f"{names} spoke to nobody.")
    return out


def spirit_words(digest: Digest) -> list[str]:
    """How people felt at the end of the day, or feel by now if it is not over, in sentences."""
    out = []
    if digest.happiest is not None:
        out.append(
            f"{digest.happiest.name} was the happiest ({digest.happiest.word})"
            f"{reason_suffix(digest.happiest.why, digest.happiest.sort)}."
        )
    if digest.lowest is not None:
        why = reason_suffix(digest.lowest.why, digest.lowest.sort) or ", for no reason the day gave"
        out.append(f"{digest.lowest.name} was the lowest ({digest.lowest.word}){why}.")
    if out and digest.people > 2:
        share = {digest.people: "All", 0: "None of the"}.get(digest.brighter, f"{digest.brighter} of")
        so = "ended the day" if digest.over else "are"
        out.append(f"{share} {digest.people} {so} in better spirits than is usual for them.")
    return out


def _times(n: int) -> str:
    return {1: "once", 2: "twice"}.get(n, f"{n} times")


def _quoted(q: Quote) -> list[str]:
    place = f", {q.place}" if q.place else ""
    to = f" to {q.listener}" if q.listener else ""
    return [*wrap_text(f"“{q.text}”"), *wrap_text(f"{q.name}{to}{place}", "    ", "    ")]


# ---- the story of a person, piece by piece


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
