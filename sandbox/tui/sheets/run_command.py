"""What a player has somebody do: the command, and time that runs until it is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from sandbox.core.domain import Command
from sandbox.core.events import Record
from sandbox.core.text import clean
from sandbox.director.history import AnnalsOpened
from sandbox.engine.engine import Engine, JournalFull
from sandbox.people.played import SPOKEN, pending_question
from sandbox.people.purse import MOST
from sandbox.play.system import goes_on, has_said, vain_words
from sandbox.play.turning import pending
from sandbox.readers.timeline import TimelineRow
from sandbox.store.errors import SaveError
from sandbox.store.history_for_rules import annals_before
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import WAITS, TypedLine
from sandbox.tui.view.stop_goals import TimeGoal
from sandbox.tui.view.text_lines import GOLD, SOFT, TEXT, hung, ink
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Entry

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


DIGITS = 7  # of a sum that is typed


def talk_partner(viewer: Viewer, who: str) -> str:
    """Whom somebody talks with, "" for nobody."""
    talk = viewer.open_talk(viewer.world.people.residents[who].talk)
    return next((x for x in talk.who if x != who), "") if talk is not None else ""


def give_command(stage: TownLayout, command: Command) -> bool:
    """Give the town a command, whose step is made now; whether it was taken. What stands against it is said."""
    if stage.viewer.pace.stands_for(WAITS):
        stage.notify("A question waits for its answer first.", timeout=SHORT, markup=False)
        return False
    return ask_town(stage, command, at_once=True)


def run_in_one_step(stage: TownLayout, command: Command, then: Callable[[], None] | None = None) -> bool:
    """Do something that one step is enough for; whether it was taken. then: what follows on the screen."""
    taken = give_command(stage, command)
    if taken:
        stage.viewer.pace.ask_step().add_done_callback(lambda _: _made(stage, then))
    return taken


def run_until_done(stage: TownLayout, command: Command) -> bool:
    """Do something, and let time run until it is done; whether it was taken."""
    taken = give_command(stage, command)
    if taken:
        stage.choose(stage.viewer.world.played.who, look=True)
        stage.viewer.following = True
        stage.guard.run(until_done(stage.viewer, command))
    return taken


def until_done(viewer: Viewer, command: Command | None = None) -> TimeGoal:
    """Until whoever is played has done or said what they were told, or is asked something. To say something they look
    for somebody for half an hour at most.
    """
    began, vain = viewer.world.now, ""

    def reached(records: Sequence[Record], rows: Sequence[TimelineRow]) -> str:
        nonlocal vain
        w, me = viewer.world, viewer.plays
        if not me:
            return "as you wished"
        vain = next((x for r in records if (x := vain_words(w.handbook, me, r))), vain)
        if (put := pending_question(w)) is not None:
            return f"{viewer.name(put.other)} waits for an answer"
        if viewer.settings.on("turning") and w.played.turning.at > began and pending(w) is not None:
            return f"a turning point for {viewer.name(me)}"
        if goes_on(w, began) and not has_said(command, me, records):
            if viewer.pace.goal:
                viewer.pace.goal = _doing(viewer)
            return ""
        return vain or f"{viewer.name(me)}: what now?"

    return TimeGoal(_doing(viewer), reached, steady=True)


def _doing(viewer: Viewer) -> str:
    """What time runs for: as whom one plays, and whom they wait or look for to say something."""
    w, me = viewer.world, viewer.world.played.who
    wish, says = w.played.wish, f"as {viewer.name(me)}"
    if wish is None or talk_partner(viewer, me) == wish.whom:
        return says
    name, other = viewer.name(wish.whom), talk_partner(viewer, wish.whom)
    return f"{says}: {name} talks with {viewer.name(other)}" if other else f"{says}: looking for {name}"


def until_second(viewer: Viewer, seconds: int) -> TimeGoal:
    """Until so much time has passed, or whoever is played is asked something."""
    end = viewer.world.now + seconds

    def reached(records: Sequence[Record], rows: Sequence[TimelineRow]) -> str:
        w = viewer.world
        if viewer.plays and (put := pending_question(w)) is not None:
            return f"{viewer.name(put.other)} waits for an answer"
        return "you have waited" if w.now >= end else ""

    return TimeGoal("waiting", reached, steady=True)


def _made(stage: TownLayout, then: Callable[[], None] | None) -> None:
    if stage.is_attached:
        if then is not None:
            then()
        stage.town.pull()
        stage.update()


def words_row(words: str, width: int, does: Callable[[], None]) -> Entry:
    """The row that asks for words of one's own, or shows those that were given."""
    says = f"in your own words: “{words}”" if words else "in your own words ..."
    return Entry([[], *hung([ink("✎ ", GOLD)], says, width, TEXT if words else SOFT)], does, "words")


def ask_words(stage: TownLayout, title: str, now: str, takes: Callable[[str], None]) -> None:
    """Have a line typed. takes: what is done with it, clean; nothing where it was left."""

    def typed(line: str | None) -> None:
        if line is not None:
            takes(clean(line, SPOKEN))

    stage.app.push_screen(TypedLine(title, now, "", SPOKEN, lambda text: None), typed)


def ask_sum(stage: TownLayout, title: str, takes: Callable[[int], None]) -> None:
    """Have a number of coins typed. takes: what is done with it; nothing where it was left."""

    def check(text: str) -> int:
        if not (text.strip().isdecimal() and 0 < int(text) <= MOST):
            raise ValueError("say a number of coins, one at least")
        return int(text)

    def typed(line: str | None) -> None:
        if line is not None:
            takes(check(line))

    stage.app.push_screen(TypedLine(title, "", "a number", DIGITS, check), typed)
