"""Societies of agents who ask one another: how they grow, who ends up heard, and what theory says of it.

In your own program: `from sandbox.society import Growth, BetaGranter` (docs/society.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandbox.core import first_use

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
_HOMES = dict.fromkeys(__all__, "model") | {
    "BetaGranter": "granters",
    "Granter": "granters",
    "check_granter": "granters",
    "Growth": "growth",
}
__getattr__ = first_use(__name__, _HOMES)
