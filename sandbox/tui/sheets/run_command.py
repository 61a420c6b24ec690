"""Gives the player's commands to the town, and lets time run until they are done; sheets to choose one from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from sandbox.core.domain import Command
from sandbox.core.events import Record
from sandbox.core.protocols import JournalFull
from sandbox.core.text import clean
from sandbox.director.history import AnnalsOpened
from sandbox.engine.engine import Engine
from sandbox.people.played import SPOKEN, pending_question
from sandbox.people.purse import MOST_COINS
from sandbox.play.system import goes_on, has_said, vain_words
from sandbox.play.turning import pending
from sandbox.readers.timeline import TimelineRow
from sandbox.store.errors import SaveError
from sandbox.store.session import annals_before
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.asking import WAITS, ask_line
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view.ports import TimeGoal
from sandbox.tui.view.text_lines import hung, ink
from sandbox.tui.view.viewer import Viewer
from sandbox.tui.widgets.entries import Deed, Entry, remark

C = TypeVar("C", bound=Command)
SHORT = 4  # seconds that a notice stays on the screen


def ask_town(stage: TownLayout, command: Command, at_once: bool = False) -> bool:
    """Queue a command for the start of the next step; whether it was accepted. at_once: the caller makes that step."""
    engine = stage.viewer.session.engine
    if not isinstance(engine, Engine):
        stage.notify("This is a replay: go on live from here to take a part in it.", timeout=SHORT)
        return False
    try:
        engine.do(command)
    except ValueError as error:
        stage.notify(f"Not possible: {error}.", timeout=SHORT)
        return False
    _tell_if_refused(stage, engine, command)
    if not at_once and not stage.viewer.pace.running:
        stage.notify("It is done in the next step; time is stopped.", timeout=SHORT)
    stage.update()
    return True


def _tell_if_refused(stage: TownLayout, engine: Engine, command: Command) -> None:
    """After the step that runs the command, show a notice if it was refused: the town may have changed meanwhile."""
    seen = stage.viewer.seen

    def look(records: object, rows: object) -> None:
        if any(c is command for c in engine.commands):
            return
        seen.remove(look)
        refused = next((says for c, says in engine.refused if c is command), "")
        engine.refused[:] = [x for x in engine.refused if x[0] is not command]
        if refused and stage.is_attached:
            stage.notify(f"It was not possible: {clean(refused, 300)}.", severity="warning", timeout=8)

    seen.append(look)


def waiting(stage: TownLayout, kind: type[C]) -> list[C]:
    """The queued commands of one kind; the next step runs them."""
    engine = stage.viewer.session.engine
    return [c for c in engine.commands if isinstance(c, kind)] if isinstance(engine, Engine) else []


def take_back(stage: TownLayout, command: Command) -> None:
    """Remove a command from the queue before a step runs it."""
    engine = stage.viewer.session.engine
    if isinstance(engine, Engine):
        engine.commands[:] = [c for c in engine.commands if c is not command]
    stage.update()


async def past_of(stage: TownLayout) -> AnnalsOpened | None:
    """The past as read from the log, for a town without annals; None, with a notice, if it cannot be read."""
    viewer = stage.viewer
    try:
        return await viewer.pace.between(partial(annals_before, viewer.session.save, viewer.world))
    except (SaveError, JournalFull) as error:
        stage.notify(clean(str(error), 300), severity="warning", timeout=5)
        return None


DIGITS = 7  # most digits of a typed sum


def talk_partner(viewer: Viewer, who: str) -> str:
    """Whom `who` is talking with now, "" = nobody."""
    talk = viewer.open_talk(viewer.world.people.residents[who].talk)
    return next((x for x in talk.who if x != who), "") if talk is not None else ""


def give_command(stage: TownLayout, command: Command) -> bool:
    """Queue a command whose step the caller makes now; whether it was accepted. A notice says why not."""
    if stage.viewer.pace.stands_for(WAITS):
        stage.notify("A question waits for its answer first.", timeout=SHORT)
        return False
    return ask_town(stage, command, at_once=True)


def run_in_one_step(stage: TownLayout, command: Command, then: Callable[[], None] | None = None) -> bool:
    """Run a command that one step completes; whether it was accepted. then: called after that step."""
    taken = give_command(stage, command)
    if taken:
        stage.viewer.pace.ask_step().add_done_callback(lambda _: _made(stage, then))
    return taken


def run_until_done(stage: TownLayout, command: Command) -> bool:
    """Run a command, follow the played person, and let time run until it is done; whether it was accepted."""
    taken = give_command(stage, command)
    if taken:
        stage.choose(stage.viewer.world.played.who, look=True)
        stage.viewer.following = True
        stage.guard.run(until_done(stage.viewer, command))
    return taken


def until_done(viewer: Viewer, command: Command | None = None) -> TimeGoal:
    """The goal "until the played person has done or said what they were told, or is asked something". To say something
    they first look for the other, for half an hour at most.
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
    """The words for what time runs for: who is played, and whom they look or wait for in order to talk."""
    w, me = viewer.world, viewer.world.played.who
    wish, says = w.played.wish, f"as {viewer.name(me)}"
    if wish is None or talk_partner(viewer, me) == wish.whom:
        return says
    name, other = viewer.name(wish.whom), talk_partner(viewer, wish.whom)
    return f"{says}: {name} talks with {viewer.name(other)}" if other else f"{says}: looking for {name}"


def until_second(viewer: Viewer, seconds: int) -> TimeGoal:
    """The goal "until so many seconds have passed, or the played person is asked something"."""
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


def ask_words(stage: TownLayout, title: str, now: str, takes: Callable[[str], None]) -> None:
    """Ask for a typed line. takes: called with the cleaned line, not at all if the prompt is cancelled."""
    ask_line(stage, title, now, "", SPOKEN, lambda text: clean(text, SPOKEN), takes)


def ask_sum(stage: TownLayout, title: str, takes: Callable[[int], None]) -> None:
    """Ask for a number of coins. takes: called with it, not at all if the prompt is cancelled."""

    def read(text: str) -> int:
        if not (text.strip().isdecimal() and 0 < int(text) <= MOST_COINS):
            raise ValueError("say a number of coins, one at least")
        return int(text)

    ask_line(stage, title, "", "a number", DIGITS, read, takes)


class PlaySheet(TownSheet):
    """What the played person can say or do, to choose from. words: the player's own wording, "" for the town's."""

    picks = True
    words = ""

    def entries(self, width: int) -> Sequence[Entry]:
        me = self.viewer.plays
        return self.rows(me, width) if me else [remark("Nobody is played now.", width)]

    def rows(self, me: str, width: int) -> Sequence[Entry]:
        """Its entries while `me` is played."""
        raise NotImplementedError

    def until_done(self, command: Command) -> Deed:
        """What enter does on a row: let time run until a command is done, and close the sheets if it was accepted."""
        return partial(self.run, run_until_done, command)

    def in_one_step(self, command: Command) -> Deed:
        """What enter does on a row of a command that one step completes; closes the sheets, too."""
        return partial(self.run, run_in_one_step, command)

    def run(self, runs: Callable[[TownLayout, Command], bool], command: Command) -> None:
        """Run a command in one of the two ways, and close the sheets if it was accepted."""
        if runs(self.stage, command):
            self.stage.close_all()

    def words_row(self, title: str, width: int) -> Entry:
        """The row that asks for the player's own wording, or shows it once it is typed. title: of the prompt."""
        says = f"in your own words: “{self.words}”" if self.words else "in your own words ..."
        lines = hung([ink("✎ ", "accent")], says, width, "text" if self.words else "soft")
        return Entry([[], *lines], lambda: ask_words(self.stage, title, self.words, self.take_words), "words")

    def take_words(self, words: str) -> None:
        """Take the player's wording."""
        self.words = words
        self.stage.sheets.pull()
