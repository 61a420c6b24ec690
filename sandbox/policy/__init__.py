"""Policies of a platform: what they may see and decide, how they learn, and what they are judged by.

In your own program: `from sandbox.policy import Choice, Policy` (docs/policy.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandbox.core import first_use

if TYPE_CHECKING:
    from sandbox.policy.choice import Choice
    from sandbox.policy.contract import Policy, check_policy
    from sandbox.policy.objectives import Objective
    from sandbox.policy.seen import Act, Seen
    from sandbox.policy.views import PlatformView

__all__ = ["Act", "Choice", "Objective", "PlatformView", "Policy", "Seen", "check_policy"]
_HOMES = {
    "Act": "seen",
    "Choice": "choice",
    "Objective": "objectives",
    "Policy": "contract",
    "Seen": "seen",
    "PlatformView": "views",
    "check_policy": "contract",
}
__getattr__ = first_use(__name__, _HOMES)
