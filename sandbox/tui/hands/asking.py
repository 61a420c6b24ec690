"""What a key asks of the town by a command: given to the engine, or refused in a sentence."""

from __future__ import annotations

from functools import partial

from sandbox.core.domain import Command
from sandbox.core.text import clean
from sandbox.director.annals import AnnalsOpened
from sandbox.engine.engine import Engine
from sandbox.engine.journal import JournalFull
from sandbox.store.annals import annals_before
from sandbox.store.errors import SaveError
from sandbox.tui.stage import Stage

SHORT = 4  # seconds that a sentence stays


def ask_town(stage: Stage, command: Command) -> bool:
    """Give the town a command, which its next step begins with; whether it was taken."""
    engine = stage.viewer.session.engine
    if not isinstance(engine, Engine):
        stage.notify("This is a replay: go on live from here to take a part in it.", timeout=SHORT, markup=False)
        return False
    try:
        engine.do(command)
    except ValueError as error:
        stage.notify(f"It cannot be: {error}.", timeout=SHORT, markup=False)
        return False
    if not stage.viewer.pace.running:
        stage.notify("It is done with the next step; time stands.", timeout=SHORT, markup=False)
    return True


async def past_of(stage: Stage) -> AnnalsOpened | None:
    """What the log tells of the past, for a town that keeps no annals; None, which is said, if it cannot be read."""
    viewer = stage.viewer
    try:
        return await viewer.pace.between(partial(annals_before, viewer.session.save, viewer.world))
    except (SaveError, JournalFull) as error:
        stage.notify(clean(str(error), 300), severity="warning", timeout=5, markup=False)
        return None
