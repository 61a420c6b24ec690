"""The laboratory: experiments (arms x seeds) described in a file, run as saves, measured from them, and reported.

In your own program: `from sandbox import lab`, then `lab.run(...)` (`lab.library`; docs/lab.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.lab.library import Arm, run
    from sandbox.lab.material import Material
    from sandbox.lab.metrics import Metric

__all__ = ["Arm", "Material", "Metric", "run"]


def __getattr__(name: str) -> Any:
    """Import what `__all__` names on first use, so that commands that do not use it stay quick."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = {"Arm": "library", "Material": "material", "Metric": "metrics", "run": "library"}[name]
    return getattr(import_module(f"{__name__}.{home}"), name)
