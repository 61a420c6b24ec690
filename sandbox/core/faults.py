"""Faults in files that people write: where they are, what is wrong, and how to fix it.

Readers append to a `Faults` and go on, so that one run names every fault of every file.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

ZWNJ, ZWJ = "\u200c", "\u200d"  # zero-width (non-)joiner
_VIRAMA = 9  # Unicode combining class of signs that remove a letter's vowel
_LINES = "\u2028\u2029"


def is_joiner(text: str, at: int) -> bool:
    """Whether the character at this index is a joiner that belongs there: between letters or their marks, after a
    virama at a word's end (Unicode identifiers, UAX 31), or within an emoji.
    """
    if text[at] not in (ZWNJ, ZWJ) or at == 0:
        return False
    before, after = unicodedata.category(text[at - 1]), unicodedata.category(text[at + 1 : at + 2] or "\0")
    if before[0] in "LM" and (after[0] in "LM" or unicodedata.combining(text[at - 1]) == _VIRAMA):
        return True
    return text[at] == ZWJ and after == "So" and before in ("So", "Sk", "Mn")


def is_printable(text: str) -> bool:
    """Whether every character of a text is printable, or a joiner that belongs there."""
    return text.isprintable() or all(ch.isprintable() or is_joiner(text, at) for at, ch in enumerate(text))


def strange(text: str) -> str:
    """The first character that is neither printable nor any kind of blank, "" if there is none."""
    if text.isprintable():
        return ""
    for at, ch in enumerate(text):
        control = ch not in "\n\r\t" and unicodedata.category(ch)[0] == "C" and not is_joiner(text, at)
        if control or ch in _LINES:
            return ch
    return ""


def clean_name(text: str) -> str:
    """A name as stored, with every blank an ordinary space. Raises ValueError for a character no name may have."""
    if sign := strange(text):
        raise ValueError(f"holds the control character U+{ord(sign):04X}; take it out")
    return text if text.isprintable() else " ".join(text.split())


Level = Literal["error", "warning", "note"]
PER_FILE = 200


def safe(text: str, limit: int = 600) -> str:
    """Text as one printable line: characters a terminal could act on are shown as code points."""
    if not text.isprintable():
        text = "".join(
            " "
            if ch in "\n\r\t" or unicodedata.category(ch) == "Zs"
            else ch
            if ch.isprintable() or is_joiner(text, at)
            else f"<U+{ord(ch):04X}>"
            for at, ch in enumerate(text[: limit * 2])
        )
    return text if len(text) <= limit else text[: limit - 1] + "…"


def in_quotes(text: str) -> str:
    """A word of a file for a message: in quotes, safe, at most 60 characters."""
    return f'"{safe(text, 60)}"'


def closest_word(word: str, known: Iterable[str]) -> str | None:
    """The known word most similar to this one, None if none is similar."""
    if len(word) > 120:
        return None
    from difflib import get_close_matches

    options = {k.casefold(): k for k in known}
    near = get_close_matches(word.casefold(), options, n=1, cutoff=0.55)
    return options[near[0]] if near else None


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean "..."?` if a known word is similar, else ""."""
    near = closest_word(word, known)
    return "" if near is None else f"; did you mean {in_quotes(near)}?"


def unknown(what: str, word: str, known: Iterable[str]) -> str:
    """`no area "Oak St"; did you mean "Oak Street"?`, or all options if they are few and none is similar."""
    options = sorted(known)
    hint = suggestion(word, options)
    if not hint and 0 < len(options) <= 12:
        hint = "; choose from " + ", ".join(safe(o, 60) for o in options)
    return f"no {what} {in_quotes(word)}{hint}"


def path_text(path: Path) -> str:
    """A path as a person would type it: relative to the current folder if inside it, else in full."""
    try:
        text = os.path.relpath(path)
    except (ValueError, OSError):
        text = str(path)
    return safe(str(path) if text.startswith("..") else text)


class Fault(NamedTuple):
    """One fault. line and column count from 1; line 0 means the file as a whole.

    level: errors keep a world from loading, warnings do not, notes are for authors who ask.
    """

    file: str
    line: int
    column: int
    message: str
    level: Level = "error"

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {'' if self.level == 'error' else self.level + ': '}{self.message}"


class Faults:
    """A growing list of faults.

    At most 200 of one level are kept per file, so that the list for a broken file stays readable.
    """

    def __init__(self, keeps: bool = True) -> None:
        """keeps: remember where each object was read, so that a finding about it can be reported at its line."""
        self.keeps = keeps
        self._all: set[Fault] = set()
        self._count: dict[tuple[str, Level], int] = {}
        # Objects read, by identity, and the mappings they were read from.
        self.written: dict[int, tuple[object, Any]] = {}
        self.lacking: set[tuple[str, int]] = set()  # names reported missing, each with the identity of its mapping

    def add(self, file: str, line: int, column: int, message: str, level: Level = "error") -> Fault:
        """Add a fault. The same fault twice counts once."""
        fault = Fault(file, line, column, safe(message), level)
        key = (file, level)
        if fault not in self._all and self._count.get(key, 0) < PER_FILE:
            self._count[key] = self._count.get(key, 0) + 1
            self._all.add(fault)
        return fault

    def withdraw(self, fault: Fault) -> None:
        """Remove a fault that another one turned out to cover."""
        if fault in self._all:
            self._all.remove(fault)
            self._count[fault.file, fault.level] -= 1

    def at(self, *levels: Level) -> list[Fault]:
        """The faults of these levels, sorted by file, line and column."""
        return sorted(f for f in self._all if f.level in levels)

    def inside(self, file: str, begin: tuple[int, int], end: tuple[int, int]) -> bool:
        """Whether an error was reported between two places of a file, each a line and a column."""
        return any(f.level == "error" and f.file == file and begin <= (f.line, f.column) <= end for f in self._all)

    @property
    def errors(self) -> list[Fault]:
        """The faults of level error, which make the files unusable."""
        return self.at("error")

    def __iter__(self) -> Iterator[Fault]:
        return iter(self.at("error", "warning", "note"))

    def __len__(self) -> int:
        return len(self._all)
