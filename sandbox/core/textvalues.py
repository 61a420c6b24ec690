"""A single value in a text file: text, a number, a time of day, one of some words.

What is wrong with it is recorded as a fault with file, line and fix.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from yaml.nodes import Node, ScalarNode, SequenceNode

from sandbox.core.clock import parse_time
from sandbox.core.faults import Fault, Faults, Level, in_quotes, strange, unknown
from sandbox.core.yamlnodes import PLAIN_TAG

T = TypeVar("T")
_INT = re.compile(r"[-+]?[0-9]{1,18}$")
_FLOAT = re.compile(r"[-+]?(?:[0-9]{1,18}(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,2})?$")
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
NOTHING = ("~", "null")


def span(node: Node) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where a node begins and ends, each a line and a column from 1."""
    begin, end = node.start_mark, node.end_mark
    return (begin.line + 1, begin.column + 1), (end.line + 1, end.column + 1)


class SingleValue:
    """A single value in a file, with its place. path: the keys that lead to it, as messages show them."""

    __slots__ = ("faults", "file", "node", "path")

    def __init__(self, node: Node, path: str, file: str, faults: Faults) -> None:
        self.node = node
        self.path = path
        self.file = file
        self.faults = faults

    @property
    def line(self) -> int:
        """Its line, from 1."""
        return int(self.node.start_mark.line) + 1

    def fault(self, message: str, level: Level = "error") -> Fault:
        """Record a fault at this value."""
        where = f"{self.path}: " if self.path else ""
        return self.faults.add(self.file, self.line, int(self.node.start_mark.column) + 1, where + message, level)

    def _scalar(self, wanted: str) -> str | None:
        """The text of a scalar, or None with a fault."""
        node = self.node
        if node.tag != PLAIN_TAG:
            self.fault(f"has the tag {in_quotes(node.tag)}; take it out")
            return None
        if isinstance(node, ScalarNode):
            return str(node.value)
        kind = "a list" if isinstance(node, SequenceNode) else "a mapping"
        self.fault(f"is {kind}; {wanted} belongs here")
        return None

    def _plain(self, wanted: str) -> str | None:
        raw = self._scalar(wanted)
        if raw is not None and isinstance(self.node, ScalarNode) and self.node.style in ("'", '"'):
            self.fault(f"{in_quotes(raw)} is text; {wanted} belongs here, without quotes")
            return None
        return raw

    @property
    def spoilt(self) -> bool:
        """Whether an error was reported at this value or anything in it."""
        return self.faults.inside(self.file, *span(self.node))

    @property
    def nothing(self) -> bool:
        """Whether it is `null` or `~`."""
        node = self.node
        return isinstance(node, ScalarNode) and not node.style and node.value in NOTHING

    def text(self, limit: int = 400, empty: bool = False, exact: bool = False) -> str | None:
        """Text on one line of at most `limit` characters, or None with a fault.

        Blanks are trimmed and joined, unless `exact` keeps them.
        """
        raw = self._scalar("text")
        if raw is None:
            return None
        if not raw.isprintable():
            if sign := strange(raw):
                self.fault(f"holds the control character U+{ord(sign):04X}; take it out")
                return None
            raw = " ".join(raw.split())
        elif not exact and ("  " in raw or raw[:1] == " " or raw[-1:] == " "):
            raw = " ".join(raw.split())
        if not raw and not empty:
            self.fault("is empty; write something or take the key out")
            return None
        if len(raw) > limit:
            self.fault(f"is {len(raw)} characters long; the most is {limit}")
            return None
        return raw

    def integer(self, low: int | None = None, high: int | None = None) -> int | None:
        """A whole number in [low, high], or None with a fault."""
        raw = self._plain("a whole number")
        if raw is None:
            return None
        if not _INT.match(raw):
            self.fault(f"{in_quotes(raw)} is no whole number")
            return None
        return self._within(int(raw), low, high)

    def number(self, low: float | None = None, high: float | None = None) -> float | None:
        """A number in [low, high], rounded to the six decimals events carry, or None with a fault."""
        raw = self._plain("a number")
        if raw is None:
            return None
        if not _FLOAT.match(raw):
            self.fault(f"{in_quotes(raw)} is no number" + ('; write "." for the decimal point' if "," in raw else ""))
            return None
        return self._within(round(float(raw), 6) + 0.0, low, high)

    def _within(self, x: T, low: Any, high: Any) -> T | None:
        v: Any = x
        if (low is None or v >= low) and (high is None or v <= high):
            return x
        if low is None or high is None:
            bound = f"at most {high}" if low is None else f"at least {low}"
        else:
            bound = f"between {low} and {high}"
        self.fault(f"{v} is out of range; it must be {bound}")
        return None

    def flag(self) -> bool | None:
        """true or false (also yes, no, on and off), or None with a fault."""
        raw = self._scalar("true or false")
        if raw is not None and raw.lower() not in _FLAGS:
            self.fault(f"{in_quotes(raw)} is neither true nor false")
            return None
        return None if raw is None else _FLAGS[raw.lower()]

    def time(self) -> int | None:
        """A time of day as seconds after midnight, or None with a fault. 12:30 needs no quotes."""
        raw = self._scalar("a time of day")
        if raw is None:
            return None
        bare = re.match(r"([01]?\d|2[0-3])[.h]?([0-5]\d)$", raw)
        if bare:
            self.fault(f'{in_quotes(raw)} is no time of day; write it as "{int(bare[1]):02d}:{bare[2]}"')
            return None
        return self.parsed(parse_time)

    def parsed(self, parse: Callable[[str], T]) -> T | None:
        """The text converted by `parse`; a ValueError from it becomes a fault, and the result None."""
        raw = self.text(limit=60)
        if raw is None:
            return None
        try:
            return parse(raw)
        except (ValueError, OverflowError) as e:
            self.fault(str(e))
            return None

    def choice(self, options: Collection[str], what: str) -> str | None:
        """One of the options, or None with a fault that suggests a similar one. what: "block", "voice" ..."""
        raw = self.text()
        if raw is not None and raw not in options:
            self.fault(unknown(what, raw, options))
            return None
        return raw
