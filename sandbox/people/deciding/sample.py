"""Whom the samples of questions are put to."""

from __future__ import annotations

from sandbox.core.clock import HOUR
from sandbox.people.persona import BigFive, Persona, Routine

ANN = Persona(
    "ann", "Ann Lee", 40, "lee", "baker", "Lee House / bedroom", BigFive(0.1, 0.3, 0.2, 0.1, 0.0),
    Routine(6 * HOUR, 22 * HOUR, ()), traits=("brisk", "kind"), likes=("rye",), concerns=("the oven",),
)  # fmt: skip
