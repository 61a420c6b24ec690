"""What code decides the events of a replica: the files of the package, and what in this process differs from them.

A replica that was lived by other code should not be taken for one of this code. The package's own files are digested as
they lie on the disk, decks and prompts too. A process may have other code than that: files may change after it has
read them, which `code` tells, and a program may replace a function, a method or a number of ours for a test or a
trial, which `replaced` finds by setting what lives beside what was compiled. Not found is what is changed inside a
table (`HANDLERS[...] = ...`), in a closure, in the defaults of a type or a function, a method given to a type that had
inherited it, and whatever is somebody else's: `Config.versions` names what of that decides events.
"""

from __future__ import annotations

import ast
import dis
import hashlib
import sys
from collections.abc import Iterator
from contextlib import suppress
from copyreg import dispatch_table
from dataclasses import fields, is_dataclass
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import msgspec

from sandbox.core.places import PACKAGE
from sandbox.lab.experiment import lab_fault

READERS = frozenset(("cli", "tui", "lab", "readers", "store", "importers", "_data", "__pycache__"))  # decide no event
DIGITS = 20


def code() -> str:
    """A digest of the code that decides events here and now. Raises LabFaults if its files are not what was read."""
    if on_disk() != BEGAN:
        raise lab_fault(PACKAGE, "the program's own files have changed since it was started; start it anew")
    other = patched_code()
    return _short(f"{BEGAN}\0{other}".encode()) if other else BEGAN


def on_disk() -> str:
    """A digest of the code and the decks that decide events, whatever ends their lines: they change more often than
    versions. A README decides none.
    """
    whole = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        if not READERS & {*inside.parts} and path.suffix != ".md" and path.is_file():
            whole.update(f"{inside.as_posix()}\0".encode() + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return whole.hexdigest()[:DIGITS]


def patched_code() -> str:
    """What of our modules in this process is not as it was compiled, with a digest of each; "" if nothing is."""
    found: list[str] = []
    for name, module in sorted(sys.modules.items()):
        if name.startswith("sandbox.") and name.split(".")[1] not in READERS and isinstance(module, ModuleType):
            found += _odd(module)
    return "\n".join(found)


class _Made(NamedTuple):
    """What a module is compiled to. functions: name, "Type.method" -> digests of what may stand there. numbers: name of
    a constant -> its value. taken: name -> (module, name there) of what it imports.
    """

    functions: dict[str, set[str]]
    numbers: dict[str, object]
    taken: dict[str, tuple[str, str]]


def _odd(module: ModuleType) -> Iterator[str]:
    made, here = _made(module.__name__), vars(module)
    for name, value in here.items():
        if name in made.taken:
            home, there = made.taken[name]
            odd = value is not getattr(sys.modules.get(home), there, value)
        elif isinstance(value, type) and value.__module__ == module.__name__:
            yield from _odd_methods(value, module, made)
            odd = False
        elif name in made.functions:
            odd = _of(value) not in made.functions[name]
        else:
            odd = name in made.numbers and _written(value) != _written(made.numbers[name])
        if odd:
            yield f"{module.__name__}.{name} {_of(value)}"


def _odd_methods(kind: type, module: ModuleType, made: _Made) -> Iterator[str]:
    for name, value in vars(kind).items():
        key = f"{kind.__qualname__}.{name}"
        if _of(value) not in made.functions.get(key, (_of(value),)):
            yield f"{module.__name__}.{key} {_of(value)}"


@cache
def _made(name: str) -> _Made:
    """Read from the compiled file that Python keeps, so it takes no compiling."""
    module = sys.modules[name]
    spec = module.__spec__
    get = getattr(spec.loader, "get_code", None) if spec is not None else None
    whole: CodeType | None = get(name) if get is not None else None
    made = _Made({}, {}, {})
    if whole is None:
        return made
    for one in _codes(whole):
        made.functions.setdefault(one.co_qualname, set()).add(_digest(one))
    _read(whole, made)
    for one in _codes(whole):
        if dis.opmap["STORE_GLOBAL"] in one.co_code[::2]:  # what the module itself changes
            for step in dis.get_instructions(one):
                made.numbers.pop(str(step.argval) if step.opname == "STORE_GLOBAL" else "", None)
    return made


def _codes(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)


def _read(code: CodeType, made: _Made) -> None:
    """Constants and imports of a module, from what it does when it is imported."""
    steps = [s for s in dis.get_instructions(code) if s.opname not in ("CACHE", "EXTENDED_ARG", "RESUME", "NOP")]
    stored: dict[str, int] = {}
    home = ""
    for before, step in pairwise(steps):
        if before.opname == "IMPORT_NAME":
            home = str(before.argval)
        if step.opname != "STORE_NAME":
            continue
        name = str(step.argval)
        stored[name] = stored.get(name, 0) + 1
        if before.opname == "IMPORT_FROM" and home.startswith("sandbox"):
            made.taken[name] = (home, str(before.argval))
        elif before.opname in ("LOAD_CONST", "LOAD_SMALL_INT") and not isinstance(before.argval, CodeType):
            made.numbers[name] = before.argval
    for at, step in enumerate(steps):
        if step.opname == "UNPACK_SEQUENCE" and steps[at - 1].opname == "LOAD_CONST":
            names = [str(s.argval) for s in steps[at + 1 : at + 1 + int(step.argval)] if s.opname == "STORE_NAME"]
            if len(names) == len(steps[at - 1].argval):
                made.numbers.update(zip(names, steps[at - 1].argval, strict=True))
    for name, times in stored.items():
        if times > 1 or name.startswith("__"):
            made.numbers.pop(name, None)


def unwrap_function(value: Any) -> Any:
    """The function in a method, a property, a cached or wrapped function."""
    for _ in range(8):
        inner = None
        for key in ("__wrapped__", "__func__", "fget", "func"):
            inner = inner or getattr(value, key, None)
        if inner is None or isinstance(value, type):
            break
        value = inner
    return value


def qualified_name(value: object) -> str:
    """Where something of a program's own lives: its module and its name there."""
    named = _named(value)
    home = "main" if named.__module__ in ("__main__", "__mp_main__") else named.__module__  # the latter in a worker
    return f"{home}:{named.__qualname__}"


def fingerprint(value: object) -> str:
    """Its place, with a digest of its code and of all it leans on in its module."""
    return f"{qualified_name(value)} {_short(_deep(value, _named(value).__module__, {}).encode())}"


def _named(value: object) -> Any:
    """A function or a type, or the type of anything else."""
    function = unwrap_function(value)
    return function if hasattr(function, "__qualname__") else type(value)


def _deep(value: object, home: str, seen: dict[int, object]) -> str:
    """A text that changes with a function's code, its defaults, what it closes over and what it uses of its module,
    home; with what a type or a table has, and what anything else is made of as pickle takes it apart; with a plain
    value. seen: what was met before, by `id`, and kept for that.
    """
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return f"{_written(value)};"
    function = unwrap_function(value)
    if id(function) in seen and not isinstance(value, partial):
        return "again;"
    seen[id(function)] = function
    parts: list[object] = [_of(function)]
    if isinstance(value, partial):
        parts = [value.func, value.args, value.keywords]
    elif isinstance(value, set | frozenset):
        parts = [*sorted(_deep(x, home, seen) for x in value)]
    elif isinstance(value, dict | list | tuple):
        parts = [*value.items()] if isinstance(value, dict) else [*value]
    elif isinstance(function, FunctionType | type) and function.__module__ == home:
        parts += [*_inside(function), getattr(value, "__self__", None)]
    elif type(function).__module__ == home:
        parts += [type(function), getattr(function, "__dict__", None)]
    elif not isinstance(function, FunctionType | type | ModuleType):  # an array, a pattern, a generator of chance
        with suppress(Exception):  # what cannot be taken apart is told by its type
            apart: Any = dispatch_table.get(type(function), lambda x: x.__reduce_ex__(4))
            parts += [[*x] if isinstance(x, Iterator) else x for x in apart(function)]
    return f"({''.join(_deep(part, home, seen) for part in parts)})"


def _inside(thing: FunctionType | type) -> Iterator[object]:
    """What a type has; what a function has by default, closes over, and names of its module."""
    if isinstance(thing, type):
        for name, value in vars(thing).items():
            if isinstance(unwrap_function(value), FunctionType) or not name.startswith(
                "__"
            ):  # where it stands changes nothing
                yield from (name, value)
        return
    yield from (thing.__defaults__, *(thing.__kwdefaults__ or {}).values())
    for cell in thing.__closure__ or ():
        with suppress(ValueError):  # nothing stands there yet
            yield cell.cell_contents
    names = {name for code in (thing.__code__, *_codes(thing.__code__)) for name in code.co_names}
    yield from (thing.__globals__.get(name) for name in sorted(names))


def _of(value: object) -> str:
    """A digest of a function, or of a plain value by how it is written; of other things their type."""
    function = unwrap_function(value)
    if isinstance(function, FunctionType):
        return _digest(function.__code__)
    plain = isinstance(value, bool | int | float | str | bytes | tuple | frozenset | None)
    return _short(_written(value).encode() if plain else type(value).__qualname__.encode())


def _digest(code: CodeType) -> str:
    """The same wherever the code lies in its file, and on every machine with the same Python."""
    parts = (code.co_code.hex(), code.co_names, code.co_varnames, code.co_freevars, code.co_argcount, code.co_flags)
    return _short(f"{parts} {_written(code.co_consts)}".encode())


def _written(value: object) -> str:
    if isinstance(value, CodeType):
        return _digest(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_written, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_written, value)))}}}"
    if isinstance(value, msgspec.Struct):  # its own words may be short
        return f"{type(value).__qualname__}{_written(msgspec.structs.astuple(value))}"
    if is_dataclass(value) and not isinstance(value, type):
        return f"{type(value).__qualname__}{_written(tuple(getattr(value, f.name) for f in fields(value)))}"
    return repr(value)


def _short(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:DIGITS]


BEGAN = on_disk()


# ---- what a module of the package leans on, and a digest of all of it


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
