"""Which code decides the events of a replica: the files of the package, and what differs from them in this process.

A replica run by other code must not be taken for one of this code. The package's files on disk are digested, with decks
and prompts. A process may run other code: files may change after being imported, which `code` detects, and a program
may replace a function, method or number of ours, which `patched_code` detects by comparing with the compiled modules.
Not detected: changes inside a table (`HANDLERS[...] = ...`), in a closure, in defaults of a type or function, a method
added to a type that inherited it, and other people's code: `Config.versions` lists the libraries that decide events.
"""

from __future__ import annotations

import ast
import dis
import hashlib
import sys
from collections.abc import Iterator, Sequence
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
    """A digest of the code that decides events in this process. Raises LabFaults if files have changed since import."""
    if on_disk() != BEGAN:
        raise lab_fault(PACKAGE, "the program's own files have changed since it was started; start it again")
    other = patched_code()
    return _short(f"{BEGAN}\0{other}".encode()) if other else BEGAN


def on_disk() -> str:
    """A digest of the code and decks on disk that decide events, which change more often than versions. Line endings
    make no difference, and READMEs are left out.
    """
    whole = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        if not READERS & {*inside.parts} and path.suffix != ".md" and path.is_file():
            whole.update(f"{inside.as_posix()}\0".encode() + path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return whole.hexdigest()[:DIGITS]


def patched_code() -> str:
    """What in our loaded modules differs from the compiled files, with a digest of each; "" if nothing does."""
    found: list[str] = []
    for name, module in sorted(sys.modules.items()):
        if name.startswith("sandbox.") and name.split(".")[1] not in READERS and isinstance(module, ModuleType):
            found += _odd(module)
    return "\n".join(found)


class _Made(NamedTuple):
    """The content of a compiled module. functions: name, "Type.method" -> digests that are valid there. numbers:
    constant -> value. taken: name -> (module, name there) of imports.
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
    """A module's compiled content, from Python's cached bytecode if possible, which is quicker than compiling."""
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
        if dis.opmap["STORE_GLOBAL"] in one.co_code[::2]:  # globals that the module itself changes
            for step in dis.get_instructions(one):
                made.numbers.pop(str(step.argval) if step.opname == "STORE_GLOBAL" else "", None)
    return made


def _codes(code: CodeType) -> Iterator[CodeType]:
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield const
            yield from _codes(const)


def _read(code: CodeType, made: _Made) -> None:
    """Collect a module's constants and imports from its bytecode."""
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
    """The plain function behind a method, property, cache or other wrapper."""
    for _ in range(8):
        inner = None
        for key in ("__wrapped__", "__func__", "fget", "func"):
            inner = inner or getattr(value, key, None)
        if inner is None or isinstance(value, type):
            break
        value = inner
    return value


def qualified_name(value: object) -> str:
    """The module and name of a function, type or object of the user's program."""
    named = _named(value)
    home = "main" if named.__module__ in ("__main__", "__mp_main__") else named.__module__  # in a worker
    return f"{home}:{named.__qualname__}"


def fingerprint(value: object) -> str:
    """The qualified name, with a digest of its code and of everything it uses in its module."""
    return f"{qualified_name(value)} {_short(_deep(value, _named(value).__module__, {}).encode())}"


def _named(value: object) -> Any:
    """A function or type itself; of anything else its type."""
    function = unwrap_function(value)
    return function if hasattr(function, "__qualname__") else type(value)


def _deep(value: object, home: str, seen: dict[int, object]) -> str:
    """A text that changes with a function's code, defaults, closure and what it uses of its module `home`; with the
    content of a type or table, other objects as pickled, and plain values. seen: objects visited, by `id` (kept alive).
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
    elif not isinstance(function, FunctionType | type | ModuleType):  # an array, a pattern ...
        with suppress(Exception):  # what cannot be pickled counts by its type
            apart: Any = dispatch_table.get(type(function), lambda x: x.__reduce_ex__(4))
            parts += [[*x] if isinstance(x, Iterator) else x for x in apart(function)]
    return f"({''.join(_deep(part, home, seen) for part in parts)})"


def _inside(thing: FunctionType | type) -> Iterator[object]:
    """The attributes of a type; a function's defaults, closure, and the names it uses of its module."""
    if isinstance(thing, type):
        for name, value in vars(thing).items():
            if isinstance(unwrap_function(value), FunctionType) or not name.startswith(
                "__"
            ):  # location makes no difference
                yield from (name, value)
        return
    yield from (thing.__defaults__, *(thing.__kwdefaults__ or {}).values())
    for cell in thing.__closure__ or ():
        with suppress(ValueError):  # an empty cell
            yield cell.cell_contents
    names = {name for code in (thing.__code__, *_codes(thing.__code__)) for name in code.co_names}
    yield from (thing.__globals__.get(name) for name in sorted(names))


def _of(value: object) -> str:
    """A digest of a function; a plain value as text; of anything else the type."""
    function = unwrap_function(value)
    if isinstance(function, FunctionType):
        return _digest(function.__code__)
    plain = isinstance(value, bool | int | float | str | bytes | tuple | frozenset | None)
    return _short(_written(value).encode() if plain else type(value).__qualname__.encode())


def _digest(code: CodeType) -> str:
    """A digest of code, independent of its lines in the file and of the machine, for one version of Python."""
    parts = (code.co_code.hex(), code.co_names, code.co_varnames, code.co_freevars, code.co_argcount, code.co_flags)
    return _short(f"{parts} {_written(code.co_consts)}".encode())


def _written(value: object) -> str:
    if isinstance(value, CodeType):
        return _digest(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_written, value))})"
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(_written, value)))}}}"
    if isinstance(value, msgspec.Struct):  # its own repr may be shortened
        return f"{type(value).__qualname__}{_written(msgspec.structs.astuple(value))}"
    if is_dataclass(value) and not isinstance(value, type):
        return f"{type(value).__qualname__}{_written(tuple(getattr(value, f.name) for f in fields(value)))}"
    return repr(value)


def _short(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:DIGITS]


BEGAN = on_disk()


# ---- what a module of the package leans on, and a digest of all of it


# Not followed: what only reads, keeps or shows results, and town experiments, of which studies use only the errors.
APART = {*READERS} - {"lab"}
TOWN = "sandbox.lab.experiment"
# A module -> the data files it reads. Not those of studies (`lab/studies/*.yaml`): their words decide nothing, and
# cases and measures are compared one by one (`tests/shipped_reports.py`).
DATA = {
    "sandbox.core.vectors": ("data/fields.yaml",),
    "sandbox.feed.word_lists": ("data/crowd.yaml",),
    "sandbox.lab.friends.persona": ("lab/friends/cast.yaml",),
    "sandbox.lab.friends.words": ("lab/friends/texts.yaml",),
    "sandbox.lab.published": ("lab/published.yaml",),
    "sandbox.lab.studies.counterfactual": ("lab/studies/capitals.yaml",),
    "sandbox.lab.studies.polarization": ("lab/studies/advice.yaml",),
    "sandbox.policy.toxicity": ("data/insults.txt",),
    "sandbox.society.items": ("society/items_qa.yaml", "society/items_debate.yaml"),
}


def module_digest(module: str) -> str:
    """Twenty hex digits for everything that decides what a module of the package does, the same on every platform. ""
    for a module outside the package.
    """
    if _file(module) is None:
        return ""
    whole = hashlib.sha256()
    for path in leans_on(module):
        whole.update(f"{path}\0".encode() + (PACKAGE / path).read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return whole.hexdigest()[:DIGITS]


@cache
def leans_on(module: str) -> tuple[str, ...]:
    """The files that a module depends on, including its own, relative to the package's folder, sorted."""
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
    """The modules of the package that a module imports anywhere, except for type checking."""
    path = _file(module)
    assert path is not None
    found = set()
    for node in _statements(ast.parse(path.read_bytes()).body):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            found |= {whole if _file(whole) is not None else node.module for whole in inner.values()}
    return frozenset(
        name for name in found if _file(name) is not None and name.split(".")[1:2] not in [[x] for x in APART]
    )


def _statements(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """All statements, those within others, too, except for type checking."""
    for node in nodes:
        if not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            yield node
            for part in ("body", "orelse", "handlers", "finalbody", "cases"):
                yield from _statements(getattr(node, part, ()))


@cache
def _file(module: str) -> Path | None:
    """The file of a module of the package; None for anything else."""
    top, *rest = module.split(".")
    if top != PACKAGE.name:
        return None
    path = PACKAGE.joinpath(*rest)
    return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)
