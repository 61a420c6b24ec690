"""The laboratory: experiments (arms x seeds) described in a file, lived as saves, measured from them, and reported.

From a program of one's own: `from sandbox import lab`, then `lab.run(...)` (`lab.library`; docs/lab.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.lab.argument_checks import Arm
    from sandbox.lab.library import run
    from sandbox.lab.material import Material
    from sandbox.lab.metrics import Metric

__all__ = ["Arm", "Material", "Metric", "run"]


def __getattr__(name: str) -> Any:
    """What `__all__` names, imported once somebody asks for it: a command that does not pays nothing."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = {"Arm": "argument_checks", "Material": "material", "Metric": "metrics", "run": "library"}[name]
    return getattr(import_module(f"{__name__}.{home}"), name)
