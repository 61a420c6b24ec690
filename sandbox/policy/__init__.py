"""Policies of a platform: what they may see and decide, how they learn, and what they are judged by.

In your own program: `from sandbox.policy import Choice, Policy` (docs/policy.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandbox.policy.checking import check_policy
    from sandbox.policy.choice import Choice
    from sandbox.policy.contract import Policy
    from sandbox.policy.objectives import Objective
    from sandbox.policy.seen import Act, Seen
    from sandbox.policy.views import View

__all__ = ["Act", "Choice", "Objective", "Policy", "Seen", "View", "check_policy"]
_HOMES = {
    "Act": "seen",
    "Choice": "choice",
    "Objective": "objectives",
    "Policy": "contract",
    "Seen": "seen",
    "View": "views",
    "check_policy": "checking",
}


def __getattr__(name: str) -> Any:
    """Import what `__all__` names on first use, so that importing one module alone stays cheap."""
    from importlib import import_module

    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
