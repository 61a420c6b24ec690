"""What the screen needs of whoever opened a world or a save: a running town, its view, and where it is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from sandbox.engine.engine import Engine
from sandbox.engine.view import View
from sandbox.engine.world import World


class Session(Protocol):
    """A town that can be run and watched. path: the save it is written to, or None if it is kept in memory."""

    @property
    def engine(self) -> Engine: ...

    @property
    def world(self) -> World: ...

    @property
    def view(self) -> View: ...

    @property
    def path(self) -> Path | None: ...
