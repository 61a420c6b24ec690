"""The one reader of text files that people write: worlds, personas, decks, lines.

`open_yaml` gives the root `Value` of a file; a `MappingReader` reads a mapping key by key, each by the type asked for.
A fault is recorded with file, line and fix, and reading goes on with a default. Call `rest` last: it reports the keys
that nobody asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from sandbox.core.faults import Fault, Faults, closest_word, in_quotes, path_text, suggestion, unknown
from sandbox.core.textvalues import SingleValue, span
from sandbox.core.yamlnodes import PLAIN_TAG, compose_yaml, read_text

T = TypeVar("T")


class Value(SingleValue):
    """A value in a file that may also be a list or a mapping."""

    __slots__ = ()

    @property
    def misnamed(self) -> bool:
        """Whether this text, or a text among its keys or items, was reported as wrong."""
        node = self.node
        nodes = [key for key, _ in node.value] if isinstance(node, MappingNode) else node.value
        names = [x for x in nodes if isinstance(x, ScalarNode)] if not isinstance(node, ScalarNode) else [node]
        return any(self.faults.inside(self.file, *span(x)) for x in names)

    @property
    def is_mapping(self) -> bool:
        """Whether it is a mapping."""
        return isinstance(self.node, MappingNode)

    @property
    def is_list(self) -> bool:
        """Whether it is a list."""
        return isinstance(self.node, SequenceNode)

    def values(self, most: int = 20_000, single: bool = False) -> list[Value]:
        """The items of a list. single: a lone value counts as a list of one."""
        node = self.node
        if isinstance(node, SequenceNode) and node.tag == PLAIN_TAG:
            if len(node.value) > most:
                self.fault(f"has {len(node.value)} entries; the most is {most}")
            return [Value(n, f"{self.path}[{i}]", self.file, self.faults) for i, n in enumerate(node.value[:most], 1)]
        if single and isinstance(node, ScalarNode):
            return [self]
        self.fault('is no list; write each entry on a line of its own after "- ", or all in [a, b]')
        return []

    def item(self, key: str) -> Value | None:
        """The value under a key of a mapping; of a list, the first item that is this text or a mapping with it."""
        if isinstance(self.node, MappingNode):
            return self.mapping().place(key)
        for v in self.values(single=True):
            nodes = [child for _, child in v.node.value] if isinstance(v.node, MappingNode) else [v.node]
            if any(isinstance(n, ScalarNode) and key in (n.value, " ".join(n.value.split())) for n in nodes):
                return v
        return None

    def texts(self, limit: int = 400) -> tuple[str, ...]:
        """The texts of a list; a lone text counts as a list of one."""
        return tuple(text for v in self.values(single=True) if (text := v.text(limit)) is not None)

    def choices(self, options: Collection[str], what: str) -> tuple[str, ...]:
        """The texts of a list, none repeated; each must be one of the options, if any are given."""
        out: dict[str, None] = {}
        for v in self.values(single=True):
            word = v.choice(options, what) if options else v.text()
            if word in out:
                v.fault(f"{what} {in_quotes(word or '')} stands here twice; take one out", "warning")
            elif word is not None:
                out[word] = None
        return tuple(out)

    def pair(
        self, ones: Sequence[Callable[[Value], Any]], names: Sequence[str], pair: str, so: str = ""
    ) -> tuple[Any, ...] | None:
        """A list with one value per reader, or None with a fault; `pair` says how many in words, `so` within what.

        A single value may stand for both if `pair` says so.
        """
        items = self.values(single="or two" in pair)
        if len(items) == 1 and "or two" in pair:
            items *= 2
        found = [one(v) for one, v in zip(ones, items, strict=False)]
        if len(items) != len(ones):
            self.fault(f"has {len(items)} entries; write {pair}: [{', '.join(names)}]{so}")
            return None
        return None if None in found else tuple(found)

    def mapping(self) -> MappingReader:
        """A reader of a mapping; an empty one, with a fault, if it is something else."""
        return MappingReader(self)


class MappingReader:
    """Reads a mapping key by key. Every method records faults and gives the default instead."""

    def __init__(self, value: Value | None) -> None:
        """A reader without a value is empty and reports nothing: its file already has a fault."""
        self.value = value
        self.bad: set[str] = set()  # keys missing or unreadable, already reported
        self._all: dict[str, Value] = {}
        self._keys: dict[str, Value] = {}
        self._asked: set[str] = set()
        self._lacks: dict[str, Fault] = {}  # missing keys, with the fault that reported each
        self._meant: set[str] = set()  # known keys that an unknown key probably stands for
        if value is None:
            return
        node, prefix = value.node, f"{value.path}." if value.path else ""
        if not isinstance(node, MappingNode) or node.tag != PLAIN_TAG:
            value.fault('is no mapping; write "key: value" pairs')
            self.value = None
            return
        for key_node, child in node.value:
            key_value = Value(key_node, value.path, value.file, value.faults)
            key = key_value.text(limit=120, exact=True)
            if key is None:
                continue
            if key in self._all:
                first = self._keys[key].line
                key_value.fault(f"the key {in_quotes(key)} stands here twice, first in line {first}; keep one")
                continue
            self._all[key] = Value(child, prefix + key, value.file, value.faults)
            self._keys[key] = key_value

    def key_place(self, key: str) -> Value:
        """A key of the mapping, as a value with its place."""
        return self._keys[key]

    def key_fault(self, key: str, message: str) -> None:
        """Record a fault at a key of the mapping."""
        self._keys[key].fault(message)

    def __contains__(self, key: str) -> bool:
        return key in self._all

    def entries(self) -> Iterator[tuple[str, Value]]:
        """All pairs of a mapping whose keys are names."""
        self._asked.update(self._all)
        return iter(self._all.items())

    def named(self, known: Collection[str], what: str) -> Iterator[tuple[str, Value]]:
        """The pairs whose keys are known; any other key is a fault with a suggestion. what: "need", "person"..."""
        for key, value in self.entries():
            if key in known:
                yield key, value
            else:
                self._stray(key, what, known)

    def _stray(self, key: str, what: str, known: Collection[str]) -> None:
        """Report an unknown key. The known key it probably stands for is then not reported missing."""
        self.key_fault(key, unknown(what, key, known))
        meant = closest_word(key, sorted(known))
        if meant is not None and meant not in self._all and self.value is not None:
            self.bad.add(meant)
            self._meant.add(meant)
            if meant in self._lacks:
                self.value.faults.withdraw(self._lacks.pop(meant))

    def get(self, key: str, need: str = "") -> Value | None:
        """The value of a key, or None. need: an example value; if given, a missing key is a fault."""
        self._asked.add(key)
        value = self._all.get(key)
        if value is not None:
            return value
        if need and self.value is not None:
            self.bad.add(key)
            if key in self._meant:
                return None
            near = suggestion(key, self._all.keys() - self._asked) or f"; add for example `{key}: {need}`"
            self._lacks[key] = self.value.fault(f'"{key}" is missing{near}')
        return None

    def made(self, key: str, need: str, default: T, read: Callable[[Value], T | None]) -> T:
        """The value of a key converted by `read`; the default if there is no value or `read` gives None."""
        value = self.get(key, need)
        got = read(value) if value is not None else None
        if value is not None and got is None:
            self.bad.add(key)
        return default if got is None else got

    def text(self, key: str, default: str = "", need: str = "", limit: int = 400) -> str:
        """Text of one line."""
        return self.made(key, need, default, lambda v: v.text(limit, empty=not need))

    def integer(self, key: str, default: int, low: int | None, high: int | None, need: str = "") -> int:
        """A whole number in [low, high]."""
        return self.made(key, need, default, lambda v: v.integer(low, high))

    def choice(self, key: str, default: str, options: Collection[str], what: str, need: str = "") -> str:
        """One of the options."""
        return self.made(key, need, default, lambda v: v.choice(options, what))

    def texts(self, key: str, limit: int = 400) -> tuple[str, ...]:
        """A list of texts."""
        return self.made(key, "", (), lambda v: v.texts(limit))

    def choices(self, key: str, options: Collection[str], what: str) -> tuple[str, ...]:
        """A list of options."""
        return self.made(key, "", (), lambda v: v.choices(options, what))

    def items(self, key: str, need: str = "", single: bool = False) -> list[Value]:
        """The items of a list."""
        value = self.get(key, need)
        return value.values(single=single) if value is not None else []

    def section(self, key: str, need: str = "") -> MappingReader:
        """The mapping under a key; an empty reader if there is none."""
        return MappingReader(self.get(key, need))

    def stands_for(self, thing: object) -> None:
        """Remember that an object was read from this mapping, so that findings about it are reported at its line."""
        if self.value is not None and self.value.faults.keeps:
            written = self.value.faults.written
            written[id(thing)] = thing, (*written.get(id(thing), (thing, ()))[1], self)

    def place(self, key: str, path: Iterable[str] = ()) -> Value | None:
        """The value under a key, then along a path of keys and texts in lists; None if there is none."""
        value = self._all.get(key)
        for part in path:
            value = value.item(part) if value is not None else None
        return value

    def moved(self, key: str, value: Value) -> None:
        """Note that another file sets this key: findings about it are reported there."""
        self._all[key] = value

    def rest(self) -> None:
        """Report the keys that nobody asked for. Call last."""
        free = self._asked - self._all.keys()
        for key in self._all.keys() - self._asked:
            self._stray(key, "key", free or self._asked)


def open_yaml(path: Path, faults: Faults) -> Value | None:
    """The root of a YAML file, or None with the reasons among the faults."""
    return root_of(read_text(path, faults), path, faults)


def root_of(text: str | None, path: Path, faults: Faults) -> Value | None:
    """The root of YAML text that `read_text` has read, as `open_yaml` gives it."""
    root = None if text is None else compose_yaml(text, path, faults)
    return None if root is None else Value(root, "", path_text(path), faults)
