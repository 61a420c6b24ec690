"""What a key asks of the town by a command: given to the engine, or refused in a sentence."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

from sandbox.core.domain import Command
from sandbox.core.text import clean
from sandbox.director.history import AnnalsOpened
from sandbox.engine.engine import Engine
from sandbox.engine.journal import JournalFull
from sandbox.store.errors import SaveError
from sandbox.store.history_for_rules import annals_before
from sandbox.tui.panes.layout import TownLayout

C = TypeVar("C", bound=Command)
SHORT = 4  # seconds that a sentence stays


def ask_town(stage: TownLayout, command: Command, at_once: bool = False) -> bool:
    """Give the town a command, which its next step begins with; whether it was taken. at_once: that step follows."""
    engine = stage.viewer.session.engine
    if not isinstance(engine, Engine):
        stage.notify("This is a replay: go on live from here to take a part in it.", timeout=SHORT, markup=False)
        return False
    try:
        engine.do(command)
    except ValueError as error:
        stage.notify(f"It cannot be: {error}.", timeout=SHORT, markup=False)
        return False
    _tell_if_refused(stage, engine, command)
    if not at_once and not stage.viewer.pace.running:
        stage.notify("It is done with the next step; time stands.", timeout=SHORT, markup=False)
    stage.update()
    return True


def _tell_if_refused(stage: TownLayout, engine: Engine, command: Command) -> None:
    """Once its step is made, say so if the command could no longer be: the town has changed meanwhile."""
    seen = stage.viewer.seen

    def look(records: object, rows: object) -> None:
        if any(c is command for c in engine.commands):
            return
        seen.remove(look)
        refused = next((says for c, says in engine.refused if c is command), "")
        engine.refused[:] = [x for x in engine.refused if x[0] is not command]
        if refused and stage.is_attached:
            stage.notify(f"It could not be: {clean(refused, 300)}.", severity="warning", timeout=8, markup=False)

    seen.append(look)


def waiting(stage: TownLayout, kind: type[C]) -> list[C]:
    """The commands of a kind that the next step of the town begins with."""
    engine = stage.viewer.session.engine
    return [c for c in engine.commands if isinstance(c, kind)] if isinstance(engine, Engine) else []


def take_back(stage: TownLayout, command: Command) -> None:
    """Have the next step begin without a command that waits for it."""
    engine = stage.viewer.session.engine
    if isinstance(engine, Engine):
        engine.commands[:] = [c for c in engine.commands if c is not command]
    stage.update()


async def past_of(stage: TownLayout) -> AnnalsOpened | None:
    """What the log tells of the past, for a town that keeps no annals; None, which is said, if it cannot be read."""
    viewer = stage.viewer
    try:
        return await viewer.pace.between(partial(annals_before, viewer.session.save, viewer.world))
    except (SaveError, JournalFull) as error:
        stage.notify(clean(str(error), 300), severity="warning", timeout=5, markup=False)
        return None
