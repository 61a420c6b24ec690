"""What of the shape of sandbox/ can be counted, each row a number that only falls (`[tool.sandbox.budgets.shape]`).

Everything is read off the source: nothing is imported or run. Names that several modules are to have do not count as
used twice: what is called without caring which module it is (CONTRACTS), and what takes an event in (its last parameter
is the event's Stamp).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import combinations
from pathlib import Path
from types import UnionType

TOP = "sandbox"
LONG, SHORT, LARGE, COMPLEX = 60, 50, 400, 15
DOMAINS = {
    "core",
    "town",
    "people",
    "talk",
    "feed",
    "policy",
    "phones",
    "drama",
    "director",
    "play",
    "society",
    "engine",
}
READERS = "readers"
CONTRACTS = {"run", "run_minds", "ideas", "read", "wrote", "looked"}  # of a study or a command, and of phones
Function = ast.FunctionDef | ast.AsyncFunctionDef
BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case)


class House:
    """The modules of `sandbox`, parsed. root: the folder that holds it."""

    def __init__(self, root: Path) -> None:
        self.texts = {p.relative_to(root): p.read_text(encoding="utf-8") for p in sorted((root / TOP).rglob("*.py"))}
        self.trees = {path: ast.parse(text) for path, text in self.texts.items()}

    def measures(self) -> dict[str, int]:
        """Every row by its name."""
        lengths = [text.count("\n") for path, text in self.texts.items() if path.name != "__init__.py"]
        functions = [node for node in self._nodes() if isinstance(node, Function)]
        return {
            "long_functions": sum((f.end_lineno or 0) - f.lineno >= LONG for f in functions),
            "complex_functions": sum(complexity(f) > COMPLEX for f in functions),
            "modules": len(self.texts),
            "short_modules": sum(n < SHORT for n in lengths),
            "large_modules": sum(n > LARGE for n in lengths),
            "classes_of_one_name": sum(len(where) > 1 for where in self.names(ast.ClassDef).values()),
            "functions_of_one_name": sum(len(where) > 1 for where in self.names(Function).values()),
            "events_by_type": sum(n for path, n in self.events_by_type().items() if f"/{READERS}/" not in path),
            "events_by_type_in_readers": sum(n for path, n in self.events_by_type().items() if f"/{READERS}/" in path),
            "folders_both_ways": len(self.both_ways()),
        }

    def _nodes(self) -> Iterator[ast.AST]:
        return (node for tree in self.trees.values() for node in ast.walk(tree))

    def names(self, kind: type[ast.AST] | UnionType) -> dict[str, list[Path]]:
        """Where a public class, or function, of each name stands at the top of a module."""
        found = dict[str, list[Path]]()
        for path, tree in self.trees.items():
            for node in tree.body:
                if isinstance(node, kind) and not (node.name.startswith("_") or _exempt(path, node)):
                    found.setdefault(node.name, []).append(path)
        return found

    # ---- who imports whom

    @cached_property
    def imports(self) -> set[tuple[Path, Path]]:
        """(module, a module it imports)."""
        paths = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in self.trees}
        found = set[tuple[Path, Path]]()
        for path, tree in self.trees.items():
            for node in ast.walk(tree):
                named = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
                if isinstance(node, ast.ImportFrom):
                    named = [f"{node.module}.{name}" for name in named]
                for name in named:
                    other = paths.get(name) or paths.get(name.rpartition(".")[0])
                    if other is not None and other != path:
                        found.add((path, other))
        return found

    def both_ways(self) -> list[tuple[str, str]]:
        """Pairs of folders, where each imports a module of the other. `__main__.py` does not count."""
        arrows = {(a.parent.as_posix(), b.parent.as_posix()) for a, b in self.imports if a.name != "__main__.py"}
        folders = sorted({path.parent.as_posix() for path in self.trees})
        return [(a, b) for a, b in combinations(folders, 2) if {(a, b), (b, a)} <= arrows]

    # ---- events

    def events_by_type(self) -> Counter[str]:
        """How many types of event a module beside the domains tells apart."""
        events = self._events()
        return Counter(
            path.as_posix()
            for path, tree in self.trees.items()
            if path.parts[1] not in DOMAINS
            for node in ast.walk(tree)
            for name in _types(node)
            if name in events
        )

    def _events(self) -> set[str]:
        """Names of all classes of events."""
        bases = {
            node.name: {base.id for base in node.bases if isinstance(base, ast.Name)}
            for node in self._nodes()
            if isinstance(node, ast.ClassDef)
        }
        found = {"Event"}
        while more := {name for name, of in bases.items() if of & found} - found:
            found |= more
        return found


def _exempt(path: Path, node: ast.ClassDef | Function) -> bool:
    if not isinstance(node, Function):
        return False
    command = path.parts[1:] == ("cli", f"{node.name}.py")
    last = node.args.args[-1].annotation if node.args.args else None
    return node.name in CONTRACTS or command or (isinstance(last, ast.Name) and last.id == "Stamp")


def _types(node: ast.AST) -> Iterator[str]:
    """The names of classes that it asks somebody of: isinstance, `case Class()`, or a table of them."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
        asked: Iterable[ast.AST] = node.args[1:]
    elif isinstance(node, ast.MatchClass):
        asked = [node.cls]
    elif isinstance(node, ast.Dict):
        asked = [key for key in node.keys if isinstance(key, ast.Name | ast.Attribute)]
    else:
        return
    for part in asked:
        yield from (x.id for x in ast.walk(part) if isinstance(x, ast.Name))
        yield from (x.attr for x in ast.walk(part) if isinstance(x, ast.Attribute))


def complexity(function: ast.AST) -> int:
    """McCabe's number: ways through it, its inner functions apart."""
    found, left = 1, [*ast.iter_child_nodes(function)]
    while left:
        node = left.pop()
        if isinstance(node, Function | ast.Lambda | ast.ClassDef):
            continue
        found += isinstance(node, BRANCHES)
        left += ast.iter_child_nodes(node)
    return found
