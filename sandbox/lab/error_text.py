"""What went wrong, in a line: with the place in the package, or in the file of whoever brought a function along."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sandbox.core.faults import safe
from sandbox.core.places import PACKAGE
from sandbox.lab.code_digest import unwrap_function

FAILS = (Exception, SystemExit)  # what a function that was brought along may end with; Ctrl-C is not its own


class CustomFault(Exception):
    """What a program brought along (a rule, a mind) has done wrong: who asked what, and the line of its file."""


def error_words(error: BaseException) -> str:
    """An error as a report shows it: its type, what it says, and the line of the package it comes from."""
    if isinstance(error, CustomFault):
        return safe(str(error))
    frames = [f for f in traceback.extract_tb(error.__traceback__) if PACKAGE in Path(f.filename).parents]
    where = f" ({Path(frames[-1].filename).relative_to(PACKAGE).as_posix()}:{frames[-1].lineno})" if frames else ""
    return safe(f"{type(error).__name__}: {error}{where}")


def describe_function(function: Callable[..., Any], error: BaseException | None = None) -> str:
    """A function by its name and the line of its file; with an error, the line where that came from, and what it is."""
    code = getattr(unwrap_function(function), "__code__", None)
    name = getattr(unwrap_function(function), "__qualname__", type(function).__qualname__)
    if error is None:
        return f"{name} ({Path(code.co_filename).name}:{code.co_firstlineno})" if code is not None else name
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if code is not None and f.filename == code.co_filename]
    own = own or [f for f in frames if PACKAGE not in Path(f.filename).parents]
    where = f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
    return f"{name} raised {type(error).__name__}: {error}{where}"
