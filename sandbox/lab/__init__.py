"""The laboratory: experiments (arms x seeds) described in a file, run as saves, measured from them, and reported.

In your own program: `from sandbox import lab`, then `lab.run(...)` (`lab.library`; docs/lab.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sandbox.core import first_use

if TYPE_CHECKING:
    from sandbox.lab.library import Arm, run
    from sandbox.lab.material import Material
    from sandbox.lab.metrics import Metric

__all__ = ["Arm", "Material", "Metric", "run"]
__getattr__ = first_use(__name__, {"Arm": "library", "Material": "material", "Metric": "metrics", "run": "library"})
