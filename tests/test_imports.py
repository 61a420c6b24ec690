"""No module of the program imports one that imports it, not even for the names of types."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import sandbox

ROOT = Path(sandbox.__file__).parent


def modules_of(folder: Path) -> dict[str, Path]:
    """The modules of a package, by name."""
    found = {}
    for path in folder.rglob("*.py"):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path, modules: Collection[str]) -> Iterator[str]:
    """What a module imports: at its head, for types alone, or in the midst of a function."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports by dots"
            assert node.module is not None
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in modules else node.module for name in inner)


def circle(folder: Path) -> list[str]:
    """The modules of a circle of imports in a package; none if there is none."""
    modules = modules_of(folder)
    graph = {name: modules.keys() & {*imports(path, modules)} for name, path in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_module_imports_what_imports_it() -> None:
    assert len(modules_of(ROOT)) > 300
    assert circle(ROOT) == []


@pytest.mark.parametrize(
    "way",
    ["import house.b", "def f():\n    from house import b", "if TYPE_CHECKING:\n    from house.b import B"],
    ids=["head", "function", "types"],
)
def test_a_circle_is_found_whichever_way_it_is_made(way: str, tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    (house / "__init__.py").touch()
    (house / "a.py").write_text(way)
    (house / "b.py").write_text("from house.c import C")
    (house / "c.py").write_text("")
    assert circle(house) == []
    (house / "c.py").write_text("from house import a")
    assert set(circle(house)) == {"house.a", "house.b", "house.c"}
