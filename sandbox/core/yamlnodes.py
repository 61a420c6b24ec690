"""YAML as nodes with line numbers, from untrusted files.

PyYAML's C parser does the work. No types are resolved: `12:30`, `no` and `042` stay text until a reader asks for a
type. File size, depth and the expansion of aliases are bounded. No tags, no duplicate anchors, one document a file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, SequenceNode

from sandbox.core.faults import Faults, path_text
from sandbox.core.places import read_ordinary

SIZE = 2_000_000  # bytes of a file at most
DEPTH = 40
UNFOLDED = 200_000  # nodes at most once aliases are expanded
PLAIN_TAG = "text"
# Characters YAML does not allow, and line ends of Unicode (U+0085, U+2028, U+2029), which would shift line numbers.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_MENDS = (
    (
        "mapping values are not allowed",
        'a ":" where none can stand; put text that holds ": " in "quotes", and check the indent',
    ),
    ("expected ',' or ']'", 'a "[" is not closed, or a comma is missing'),
    ("expected ',' or '}'", 'a "{" is not closed, or a comma is missing'),
    ("unexpected end of stream", "a quote is opened and never closed"),
    ("undefined alias", 'a word that begins with "*" points to an anchor; put it in "quotes"'),
    ("duplicate anchor", 'a word that begins with "&" names an anchor, and this one is taken; put it in "quotes"'),
    ("expected key", "this line does not fit the ones above; check its indent, and quotes within quotes"),
    ("block end", "this line does not fit the ones above; check its indent, and quotes within quotes"),
    ("expected '-' indicator", 'a list goes on here without its "-"; check the indent'),
    ("could not find expected ':'", 'a key without its ":"; write "key: value"'),
    ("unknown escape character", 'a "\\" in double quotes; write "\\\\", or use single quotes'),
    ("escape code", 'a "\\" code in double quotes that is no letter; write the letter itself'),
    ("expected a single document", 'a second document after "---"; keep one a file'),
    ("another document", 'a second document after "---"; keep one a file'),
    ("expected node content", "a bracket is not closed, or a value is missing"),
)


class _TooDeep(yaml.MarkedYAMLError):
    pass


class _Loader(_Base):  # type: ignore[misc]  # its base is Any, as it is another without libyaml
    """Composes nodes only: every scalar keeps its text, and depth is bounded."""

    depth = 0

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        return PLAIN_TAG

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        self.depth += 1
        if self.depth > DEPTH:
            raise _TooDeep(problem="too deep", problem_mark=getattr(current_node, "start_mark", None))

    def ascend_resolver(self) -> None:
        self.depth -= 1


def read_text(path: Path, faults: Faults) -> str | None:
    """The text of a UTF-8 file of at most 2 MB without control characters; else None, with the fault recorded."""
    name = path_text(path)
    try:
        with read_ordinary(path) as f:
            data = f.read(SIZE + 1)
    except FileNotFoundError:
        faults.add(name, 0, 0, "there is no such file; add it")
        return None
    except (OSError, ValueError) as e:
        reason = (getattr(e, "strerror", None) or "not readable").lower()
        faults.add(name, 0, 0, f"cannot be read: {reason}; check what it is and who may read it")
        return None
    if len(data) > SIZE:
        faults.add(name, 0, 0, f"larger than {SIZE // 1_000_000} MB; split it or take something out")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        line, column = _place(data, e.start)
        faults.add(name, line, column, f"byte {data[e.start]:#04x} is not UTF-8; save the file as UTF-8")
        return None
    fine = True
    for m in _FORBIDDEN.finditer(text):
        fine = False
        before = text[: m.start()]
        line, column = before.count("\n") + 1, m.start() - before.rfind("\n")
        faults.add(name, line, column, f"holds the control character U+{ord(m[0]):04X}; take it out")
        if line > 50:
            break
    return text if fine else None


def _place(data: bytes, at: int) -> tuple[int, int]:
    before = data[:at]
    return before.count(b"\n") + 1, at - before.rfind(b"\n")


def compose_yaml(text: str, path: Path, faults: Faults) -> Node | None:
    """The root node of YAML text, or None with the reasons in `faults`. path: of its file, for messages."""
    name = path_text(path)
    try:
        loader = _Loader(text)
        try:
            root: Node | None = loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as e:
        mark = e.problem_mark or e.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
        faults.add(name, min(line, text.count("\n") + 1), column, _mend(e, text, line, column))
        return None
    except (yaml.YAMLError, ValueError, RecursionError) as e:
        faults.add(name, 1, 1, f"is no YAML: {str(e).splitlines()[0] if str(e) else type(e).__name__}")
        return None
    if root is None:
        faults.add(name, 0, 0, "is empty; add its keys")
        return None
    if "&" in text and not _bounded(root):
        line = root.start_mark.line + 1
        faults.add(name, line, 1, "its anchors and aliases unfold without end; write the values out")
        return None
    return root


def _mend(e: yaml.MarkedYAMLError, text: str, line: int, column: int) -> str:
    problem = f"{e.context or ''} {e.problem or ''}"
    if isinstance(e, _TooDeep) or "nesting depth" in problem:  # our own limit, or that of a newer libyaml
        return f"is nested more than {DEPTH} deep; flatten it"
    if "tab character" in problem:
        return "a tab; indent with spaces"
    if "cannot start any token" in problem:
        lines = text.split("\n")
        row = lines[line - 1] if line <= len(lines) else ""
        ch = row[column - 1 : column]
        if ch == "\t" or "\t" in row[: column + 1]:
            return "a tab; indent with spaces"
        return f'a value cannot begin with {ch or "this"}; put it in "quotes"'
    for part, mend in _MENDS:
        if part in problem:
            context = e.context_mark
            since = f" (it begins in line {context.line + 1})" if context and context.line + 1 < line else ""
            return mend + since
    return f'is no YAML here: {problem.strip()}; put text with signs in it in "quotes"'


def _bounded(root: Node) -> bool:
    """Whether the tree with aliases expanded is finite, and within the limits of size and depth."""
    known: dict[int, tuple[int, int]] = {}

    def measured(node: Node) -> tuple[int, int]:
        """The size and depth of a node."""
        if id(node) not in known:
            known[id(node)] = UNFOLDED + 1, 1  # found if the node contains itself
            parts = list(node.value) if isinstance(node, SequenceNode) else []
            if isinstance(node, MappingNode):
                parts = [n for pair in node.value for n in pair]
            below = [measured(n) for n in parts]
            size, depth = 1 + sum(s for s, _ in below), 1 + max((d for _, d in below), default=0)
            known[id(node)] = min(size, UNFOLDED + 1), depth
        return known[id(node)]

    size, depth = measured(root)
    return size <= UNFOLDED and depth <= DEPTH
