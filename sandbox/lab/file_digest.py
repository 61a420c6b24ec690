"""What a module of the package leans on, and a digest of all of it: what decides the runs of a study.

A study needs no town. What decides it is its own module, what that imports, and what these import in turn, with the
data they read: so a change of the feed is another study, and one of a screen, of a story or of a page is not. (What
decides a town is digested by packages, `lab.code_digest`: what its systems are is known only where they are listed.)
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sandbox.core.places import PACKAGE
from sandbox.lab.code_digest import DIGITS, READERS

# Not followed: readers of what was decided, and a town's experiment, of which a study takes the errors alone.
APART = {*READERS} - {"lab"}
TOWN = "sandbox.lab.experiment"
# A module -> the data it reads. The words of a study's report (`lab/studies/*.yaml`) decide nothing.
DATA = {
    "sandbox.core.vectors": ("data/fields.yaml",),
    "sandbox.feed.word_lists": ("data/crowd.yaml",),
    "sandbox.lab.friends.persona": ("lab/friends/cast.yaml",),
    "sandbox.lab.friends.words": ("lab/friends/texts.yaml",),
}


def module_digest(module: str) -> str:
    """Twenty hex digits for all that decides what a module of the package does; the same on every platform. "" for a
    module that is not of the package.
    """
    if _file(module) is None:
        return ""
    whole = hashlib.sha256()
    for path in leans_on(module):
        whole.update(f"{path}\0".encode() + (PACKAGE / path).read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return whole.hexdigest()[:DIGITS]


@cache
def leans_on(module: str) -> tuple[str, ...]:
    """The files that module leans on, its own among them, from the package's folder on, in order."""
    seen: set[str] = set()
    todo = [module]
    while todo:
        if (name := todo.pop()) not in seen and name != TOWN:
            seen.add(name)
            todo += _imported(name)
    files = {path.relative_to(PACKAGE).as_posix() for name in seen if (path := _file(name)) is not None}
    return tuple(sorted(files.union(*(DATA.get(name, ()) for name in seen))))


@cache
def _imported(module: str) -> frozenset[str]:
    """The modules of the package that a module imports, wherever in it, but those for types alone."""
    path = _file(module)
    assert path is not None
    found = set()
    for node in _nodes(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            found |= {whole if _file(whole) is not None else node.module for whole in inner.values()}
    return frozenset(
        name for name in found if _file(name) is not None and name.split(".")[1:2] not in [[x] for x in APART]
    )


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    for inner in ast.iter_child_nodes(node):
        if not (isinstance(inner, ast.If) and isinstance(inner.test, ast.Name) and inner.test.id == "TYPE_CHECKING"):
            yield inner
            yield from _nodes(inner)


@cache
def _file(module: str) -> Path | None:
    """Where a module of the package lies; None for anything else."""
    top, *rest = module.split(".")
    if top != PACKAGE.name:
        return None
    path = PACKAGE.joinpath(*rest)
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)
