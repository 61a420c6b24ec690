"""What the screen needs of whoever opened a world or a save: a town that moves, its view, and where it is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from sandbox.core.events import Record
from sandbox.engine.drivers import Steps
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.minds.spec import Model
from sandbox.minds.thinking import Thinking
from sandbox.store.read import Reader


class Watched(Steps, Protocol):
    """What makes steps and lets others see them: the engine of a living town, or a player of its save."""

    watchers: list[Callable[[Sequence[Record]], None]]


class Session(Protocol):
    """A town that can be run and watched.

    path: the save it is written to, or None if it is kept in memory. save: where its log can be read. replaying:
    whether the steps come out of the log; world and view are then others after a jump. thinking: what a mind that
    takes its time lets be seen, None if none does. withheld: models that its world names and the player has not
    allowed, by person; given: what the command line said of models.
    """

    @property
    def engine(self) -> Watched: ...

    @property
    def world(self) -> World: ...

    @property
    def view(self) -> View: ...

    @property
    def path(self) -> Path | None: ...

    @property
    def save(self) -> Reader: ...

    @property
    def replaying(self) -> bool: ...

    @property
    def thinking(self) -> Thinking | None: ...

    @property
    def withheld(self) -> Mapping[str, Model]: ...

    @property
    def given(self) -> tuple[str, ...]: ...
