"""Policies of one's own, out of a Python file: `calm.py`, or `calm.py:Calm` where it holds several."""

from __future__ import annotations

import inspect
import traceback
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from sandbox.core.faults import in_quotes, safe, unknown
from sandbox.core.text import clean
from sandbox.feed.steering import NAME
from sandbox.policy.contract import Policy
from sandbox.policy.model import NAMES


def load_policy(text: str) -> Policy:
    """The policy in a file. text: its path, and after a colon the name of a class. Raises ValueError, with file, line
    and mend.
    """
    path, _, name = text.rpartition(":") if ".py:" in text else (text, "", "")
    file = Path(path).resolve()
    if not file.is_file():
        if file.suffix == ".py":
            raise ValueError(f"there is no file {in_quotes(path)}; name one that is there, or a learner")
        raise ValueError(f"a policy of your own is a file that ends in .py; {unknown('policy', text, NAMES)}")
    made = [
        one
        for one in vars(_module(file, file.stat().st_mtime_ns)).values()
        if inspect.isclass(one) and issubclass(one, Policy) and one.__module__ == MODULE
    ]
    names = [one.__name__ for one in made]
    if name and name not in names:
        raise ValueError(f"{file.name}: {unknown('policy', name, names)}")
    if len(made) != 1 and not name:
        mend = f"say which: {file.name}:{names[0]}" if made else "write a class that inherits sandbox.policy.Policy"
        raise ValueError(f"{file.name} holds {len(made)} policies; {mend}")
    kind = made[names.index(name)] if name else made[0]
    try:
        policy: Policy = kind()
        policy.name = clean(str(policy.name), NAME) or kind.__name__
        return policy
    except Exception as error:
        raise ValueError(f"{file.name}: {kind.__name__}() raises {_words(error, file)}") from None


MODULE = "policy_of_ones_own"


@cache
def _module(file: Path, changed: int) -> Any:
    """The file as a module, run once as long as it does not change."""
    spec = spec_from_file_location(MODULE, file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{in_quotes(file.name)} is no Python file; its name must end in .py")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ValueError(f"{file.name}: {_words(error, file)}") from None
    return module


def _words(error: Exception, file: Path) -> str:
    """An error with the line of the file it comes from."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    what = error.msg if isinstance(error, SyntaxError) else str(error)
    return safe(f"{type(error).__name__}: {what}" + (f" (line {line})" if line else ""))
