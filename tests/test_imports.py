"""No module of the program imports one that imports it, not even for the names of types."""

from __future__ import annotations

import ast
import subprocess
import sys
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


@pytest.mark.parametrize(
    ("words", "most"),  # modules of the program; the numbers only fall
    [
        (("--help",), 8),
        (("worlds", "check", "larkspur"), 251),
        (("saves", "info", str(ROOT.parent / "saves" / "larkspur-day.db")), 41),
        (("run", "larkspur", "--steps", "1"), 315),
    ],
)
def test_a_command_imports_what_it_needs_and_no_more(words: tuple[str, ...], most: int) -> None:
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from sandbox.cli.main import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    found = done.stderr.splitlines()[-1].split()
    assert len([name for name in found if name.startswith("sandbox")]) <= most
    heavy = {"importlib.metadata", "litellm", "matplotlib", "networkx", "scipy", "textual"}
    assert not heavy & {*found}
