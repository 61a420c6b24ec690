"""Societies of agents who ask one another: how they grow, who ends up heard, and what theory says of it.

In your own program: `from sandbox.society import Growth, BetaGranter` (docs/society.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.society.granters import BetaGranter, Granter, check_granter
    from sandbox.society.growth import Growth
    from sandbox.society.model import Grant, Grew, GrowthParameters, Proposal, Trial

__all__ = [
    "BetaGranter",
    "Grant",
    "Granter",
    "Grew",
    "Growth",
    "GrowthParameters",
    "Proposal",
    "Trial",
    "check_granter",
]
_HOMES = {"BetaGranter": "granters", "Granter": "granters", "check_granter": "granters", "Growth": "growth"}


def __getattr__(name: str) -> Any:
    """Import what `__all__` names on first use, so that a town that counts nobody stays quick."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'model')}"), name)
