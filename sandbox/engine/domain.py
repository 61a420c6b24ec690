"""What runs a town as a domain: the world's beginning, inputs, and where the embedded mind has stood in."""

from __future__ import annotations

from sandbox.core.domain import Domain
from sandbox.engine import inputs, standing_in

RUNNING = Domain("running", handlers={**inputs.HANDLERS, **standing_in.HANDLERS}, commands=inputs.COMMANDS)
