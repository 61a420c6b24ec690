"""What a key asks of the town by a command: given to the engine, or refused in a sentence."""

from __future__ import annotations

from sandbox.core.domain import Command
from sandbox.engine.engine import Engine
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
