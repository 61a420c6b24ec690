"""Reads a JSON list from a file, object by object, however its lines are broken: some programs write that where JSON
lines are meant. Little more than one object is in memory at a time.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Collection, Iterator
from typing import BinaryIO

LONGEST = 100_000  # bytes of an object, as of a line
CHUNK = 1 << 20  # bytes read at once
HEAD = 1000  # bytes within which a list must begin
_BARE = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[")
_NAMED = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(\w{1,80})"\s*:\s*\[\s*[{\]]')
_VALUE = json.JSONDecoder(strict=False)  # whoever reads the object reports its faults
_BLANKS = re.compile(r"[ \t\r\n]*")


class ListFault(ValueError):
    """The list is malformed here. line, column: from 1."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line, self.column = line, column


def begins_list(file: BinaryIO, known: Collection[str]) -> bool:
    """Whether a file is a JSON list, or has one under a name, `{"users": [...]}`, that is no known column. The file
    position stays at the beginning.
    """
    head = file.read(HEAD)
    file.seek(0)
    named = _NAMED.match(head)
    return bool(_BARE.match(head)) or (named is not None and named[1].decode() not in known)


def json_list_values(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """The line and text of each value of the list in a file. Raises ListFault where it is malformed."""
    window = _Window(file)
    named = window.sign() == "{"
    while window.sign() != "[":
        window.step(1)
    window.step(1)
    if window.sign() == "]":
        window.step(1)
    else:
        yield from _values(window)
    if named:
        window.must("}", "ends here, or is no more than one list; keep one list of rows")
    if window.sign():
        raise window.fault("goes on after its list has ended; keep one list of rows")


def _values(window: _Window) -> Iterator[tuple[int, str]]:
    while True:
        window.sign()
        yield window.line, window.value()
        if window.sign() == "]":
            window.step(1)
            return
        window.must(",", 'has neither "," nor "]" after a row here; nothing after it can be read')


class _Window:
    """The part of a file in memory. line: of the current position."""

    def __init__(self, file: BinaryIO) -> None:
        self.line = 1
        self._file, self._decode = file, codecs.getincrementaldecoder("utf-8-sig")().decode
        self._text, self._at, self._begun = "", 0, 0  # begun: where the current line begins
        self._whole = False

    def sign(self) -> str:
        """The next character that is not blank, "" at the end of the file."""
        while True:
            blanks = _BLANKS.match(self._text, self._at)
            self.step(0 if blanks is None else blanks.end() - self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def step(self, count: int) -> None:
        """Go forward by `count` characters."""
        at = self._at + count
        self.line += self._text.count("\n", self._at, at)
        if (ends := self._text.rfind("\n", self._at, at)) >= 0:
            self._begun = ends + 1
        self._at = at

    def must(self, sign: str, otherwise: str) -> None:
        """Go past this character. Raises ListFault, with `otherwise`, if there is another."""
        if self.sign() != sign:
            raise self.fault(otherwise)
        self.step(1)

    def value(self) -> str:
        """The text of the next value. Raises ListFault."""
        while True:
            try:
                _, end = _VALUE.raw_decode(self._text, self._at)
            except (ValueError, RecursionError) as error:
                why = error.msg if isinstance(error, json.JSONDecodeError) else "too deep"
                if len(self._text) - self._at > LONGEST or not self._more():
                    raise self.fault(f"is no row of JSON ({why}); nothing after it can be read") from None
                continue
            if end == len(self._text) and self._more():
                continue  # a number may continue in the next chunk
            text = self._text[self._at : end]
            if len(text) > LONGEST:
                raise self.fault(f"is {len(text):,} letters long, and no row is; shorten its texts")
            self.step(end - self._at)
            return text

    def fault(self, message: str) -> ListFault:
        """A fault at the current position."""
        return ListFault(self.line, self._at - self._begun + 1, message)

    def _more(self) -> bool:
        """Read the next chunk; False at the end of the file."""
        if self._whole:
            return False
        raw = self._file.read(CHUNK)
        self._whole = not raw
        try:
            text = self._decode(raw, final=self._whole)
        except UnicodeDecodeError as error:
            before = self._text[self._at :].count("\n") + error.object.count(b"\n", 0, error.start)
            byte = f"byte {error.object[error.start]:#04x} is not UTF-8; save the file as UTF-8"
            raise ListFault(self.line + before, 1, byte) from None
        self._text, self._begun, self._at = self._text[self._at :] + text, self._begun - self._at, 0
        return not self._whole or bool(text)
