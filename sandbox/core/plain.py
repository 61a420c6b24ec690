"""Text as it leaves the program: to a terminal, into JSON, into a spreadsheet. It may come from anywhere.

Characters that a terminal could act on, or that hide or reorder their neighbours (control and format characters except
joiners within words, surrogates, Unicode line ends), are never written raw.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from sandbox.core.faults import is_printable, safe

FORMULA = ("=", "+", "-", "@", "\t", "\r")
_ACTIVE = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))  # Unicode categories


def safe_line(text: str) -> str:
    """Text of any length in one line; active characters are shown as code points."""
    return text if is_printable(text) else safe(text, len(text) * 8)


def lines(text: str) -> str:
    """Text of several lines, each made safe by `safe_line`."""
    return text if text.isprintable() else "\n".join(map(safe_line, text.split("\n")))


def escape_json(line: str) -> str:
    """A line of JSON with the same meaning, active characters written as escapes."""
    return line if line.isprintable() else "".join(map(_escape, line))


def json_lines(text: str) -> str:
    """JSON laid out in lines, each of them escaped."""
    return "\n".join(map(escape_json, text.split("\n")))


def _escape(ch: str) -> str:
    if ch.isprintable() or unicodedata.category(ch) not in _ACTIVE:
        return ch
    units = ch.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))


def count_of(n: int, what: str) -> str:
    """A number with its noun: "1 step", "2,000 steps"."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def shown_as(thing: object, said: str, more: str = "") -> str:
    """The `repr` of a value: its type, what it holds, and how to see more."""
    return safe_line(f"<{type(thing).__name__}: {said}{'; ' if more else ''}{more}>")


def some(names: Iterable[str], most: int = 4) -> str:
    """The first few names, and how many more there are: "a, b, c, d and 8 more"."""
    every = [*names]
    left = len(every) - most
    return f"{', '.join(every[:most])} and {left:,} more" if left > 1 else ", ".join(every)


def cell(value: object) -> object:
    """A value for a spreadsheet: lists joined with spaces, text made safe, nothing that is taken for a formula."""
    if isinstance(value, tuple):
        value = " ".join(map(str, value))
    if not isinstance(value, str):
        return value
    return safe_line(f"'{value}" if value.startswith(FORMULA) else value)
