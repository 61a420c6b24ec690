"""What a player has somebody do: the command, and time that runs until it is done."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import MINUTE
from sandbox.core.domain import Command
from sandbox.core.events import Record
from sandbox.core.text import clean, upper
from sandbox.engine.engine import Engine
from sandbox.stories.timeline import Row
from sandbox.tui.leaves.asking import WAITS
from sandbox.tui.stage import Stage
from sandbox.tui.time.goals import Goal
from sandbox.tui.viewer import Viewer

PATIENCE = 30 * MINUTE  # simulated seconds after which one looks again, whatever is still to come
SAYS = 300  # letters of a notice


def partner(viewer: Viewer, who: str) -> str:
    """Whom somebody talks with, "" for nobody."""
    talk = viewer.open_talk(viewer.world.people.residents[who].talk)
    return next((x for x in talk.who if x != who), "") if talk is not None else ""


def ask(stage: Stage, command: Command) -> bool:
    """Give the town a command; whether it was taken. What stands against it is said."""
    engine = stage.viewer.session.engine
    if not isinstance(engine, Engine):
        stage.notify("This is a replay: go on live from here to play somebody.", timeout=5, markup=False)
        return False
    if stage.viewer.pace.stands_for(WAITS):
        stage.notify("A question waits for its answer first.", timeout=4, markup=False)
        return False
    try:
        engine.do(command)
    except ValueError as error:
        says = upper(clean(str(error), SAYS))
        stage.notify(says, severity="warning", timeout=5, markup=False)
        return False
    return True


def once(stage: Stage, command: Command) -> bool:
    """Do something that one step is enough for; whether it was taken."""
    taken = ask(stage, command)
    if taken:
        stage.viewer.pace.ask_step().add_done_callback(lambda _: _made(stage))
    return taken


def on(stage: Stage, command: Command) -> bool:
    """Do something, and let time run until it is done; whether it was taken."""
    taken = ask(stage, command)
    if taken:
        stage.choose(stage.viewer.world.played.who, look=True)
        stage.viewer.following = True
        stage.guard.run(until_done(stage.viewer))
    return taken


def until_done(viewer: Viewer) -> Goal:
    """Until whoever is played has done what they were told, is asked something, or half an hour has passed."""
    began = viewer.world.now

    def reached(records: Sequence[Record], rows: Sequence[Row]) -> str:
        w, me = viewer.world, viewer.plays
        if not me:
            return "as you wished"
        if (put := w.played.put) is not None and not put.how:
            return f"{viewer.name(put.other)} waits for an answer"
        r = w.people.residents[me]
        under_way = r.talk or w.played.wish is not None or w.town.spots[me].path or w.played.heading >= 0
        if under_way and w.now - began < PATIENCE:
            return ""
        return f"{viewer.name(me)}: what now?"

    return Goal(f"as {viewer.name(viewer.world.played.who)}", reached, steady=True)


def _made(stage: Stage) -> None:
    if stage.is_attached:
        stage.town.pull()
        stage.update()
