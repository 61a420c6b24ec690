"""Societies of agents who ask one another: how they grow, who ends up heard, and what theory says of it.

In your own program: `from sandbox.society import Growth, BetaGranter` (docs/society.md).
"""

from __future__ import annotations

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
