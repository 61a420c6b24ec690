"""What is checked after each step: goals time runs to, quarrels that slow it, quiet nights, alerts, what was missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sandbox.core.clock import HOUR
from sandbox.core.events import Record
from sandbox.core.plain import count_of
from sandbox.drama.outcomes import Decided
from sandbox.drama.taking_sides import Showdown
from sandbox.people.played import CameToHead, PutTo, pending_question
from sandbox.play.turning import pending
from sandbox.readers.facts import SpeechTurn
from sandbox.readers.timeline import TimelineRow
from sandbox.tui.commands.night import Night
from sandbox.tui.map.staged_scene import has_scene
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.replay_jumps import go_to_row
from sandbox.tui.panes.stop_panel import LEFT, LOOKED
from sandbox.tui.sheets.page import offer_story
from sandbox.tui.sheets.play_turning import ReplySheet, TurningSheet
from sandbox.tui.view.mind_progress import stopped_text
from sandbox.tui.view.pace import MAX, USUAL
from sandbox.tui.view.ports import TimeGoal
from sandbox.tui.view.row_words import akin, row_headline, summary_line, weightiest_rows
from sandbox.tui.view.speech import talk_mark
from sandbox.tui.view.timeline_rows import HOURLY, HOURLY_WEIGHT
from sandbox.tui.view.viewer import Alert

ALERTS = 20  # that are kept
OF_FAVOURITES, OF_FOLLOWED, OF_ALL = 3.0, 4.0, 8.0  # weights (0 to 10) from which a row is an alert
BUDGET = "$"  # mark of the row that says that the budget for models is used up
ENDS_A_STOP = ("time.pause", "time.step", "time.slower", "time.faster", "time.next", "time.until")
SETTLES = (Decided.KIND, Showdown.KIND)  # kinds of rows whose event settles other matters in the same second
SLOWED = ("normal", "fast")  # speeds at which hard words slow time down
MOVES_TIME = (*ENDS_A_STOP, "time.rewind", "go.out")


class Watch:
    """The guard of a layout: is called after each step, before the screen is drawn, and stops time or slows it down."""

    def __init__(self, layout: TownLayout) -> None:
        self.layout, self.viewer = layout, layout.viewer
        self.slow, self.night = QuarrelSlow(layout), Night(layout)
        self._goal: TimeGoal | None = None
        self._began = 0  # second at which the run to the goal began
        self._looked = 0  # number of the first row the player has not seen
        self._others: list[int] = []  # numbers of the other notable rows of the step time stopped in, not yet shown
        self._hour = -1  # of the last step, counted from midnight of the first day; -1 = no step yet
        self._asked = ""  # id of the talk whose question to the played person was last shown
        self._of = layout.viewer.chronicle
        self._turned = 0  # event number of the turning point last shown to the player
        self._day = 0  # day on which the last step ended
        self._stopped = 0  # day of the last alert that a budget is used up
        layout.viewer.seen.append(self.saw)

    @property
    def seeks_row(self) -> bool:
        """Whether time runs to the next notable row."""
        return self._goal is not None and self._goal.rows is not None

    # ---- steps

    def saw(self, records: Sequence[Record], rows: Sequence[TimelineRow]) -> None:
        """Called after each step, with its records and its rows of the timeline."""
        self._others = []  # time went on
        self._leave_stop()
        if self.viewer.chronicle is not self._of:  # another chronicle is shown, with other numbers
            self._of, self.viewer.missed = self.viewer.chronicle, ()
            self.viewer.alerts, self.viewer.unread = [], 0
            self.look_away()
        self._alert(rows)
        if self._goal is not None and not self.viewer.pace.goal:  # a key has ended it
            self._goal = None
        if self._goal is not None:
            self._reach(self._goal, records, rows)
        self._put()
        self._turn()
        self._end_of_day()
        self.slow.saw()
        self.night.saw()
        if not self.viewer.replaying:
            self._tell_hour()
            self._tell_budget()

    def _speed(self) -> int:
        """The speed for a steady run: MAX while the played person sleeps or is busy by themselves, 0 in a talk."""
        w, me = self.viewer.world, self.viewer.plays
        if not me:
            return USUAL
        r = w.people.residents[me]
        if r.talk:
            return 0
        return MAX if not r.awake or (r.act is not None and w.played.wish is None) else USUAL

    def _reach(self, goal: TimeGoal, records: Sequence[Record], rows: Sequence[TimelineRow]) -> None:
        """Stop time if a step has reached the goal (at the weightiest row it is about, if any), or patience ran out."""
        said = goal.reached(records, rows)
        if goal.steady:
            self.viewer.pace.set_run_speed(self._speed())
        told = self.viewer.chronicle.told - len(rows)
        found = [told + i for i, row in enumerate(rows) if goal.rows is not None and goal.rows(row)]
        if said and found:
            found.sort(key=lambda n: -self.viewer.chronicle[n].weight)
            first = self.viewer.chronicle[found[0]]
            settled = first.t if first.kind in SETTLES else -1  # what it settled in that second is shown with it
            self._others = [n for n in found[1:] if self.viewer.chronicle[n].t != settled]
            self.stop_at(found[0])
        elif said or (goal.vain and self.viewer.world.now - self._began >= goal.patience):
            self.viewer.pace.arrive(said or goal.vain)
            self._goal = None
            self.layout.call_later(self.look_back)

    def _leave_stop(self) -> None:
        """Forget the row that time stopped at, since time has gone on."""
        if self.viewer.stop is not None:
            self.viewer.stop = None
            self.layout.call_later(self.layout.timeline.last)

    def stop_at(self, number: int) -> None:
        """Stop time at a row of the timeline, and show the row and whom it is about."""
        self._goal = None
        self.viewer.stop = row = self.viewer.chronicle[number]
        self._others = [n for n in self._others if not row.talk or self.viewer.chronicle[n].talk != row.talk]
        self.viewer.pace.arrive(f"STOP {row_headline(row)}")
        self.layout.call_later(self._show_stop, number)

    async def _show_stop(self, number: int) -> None:
        """Go to the row of a stop, pin its words on the map, and show what else was missed."""
        if self.viewer.stop is None:  # a key has ended the stop meanwhile
            return
        go_to_row(self.layout, number)
        if not self.layout.town.display:  # the pane that shows the stop
            self.layout.show_pane(self.layout.town.PLACE.name)
        self.viewer.bubbles.pin(self.viewer.stop.talk, summary_line(self.viewer, self.viewer.stop)[1])
        if not self.viewer.replaying:  # nothing is missed in a replay
            self.look_back()
        await self._find_scene(self.viewer.stop)

    async def _find_scene(self, stop: TimelineRow) -> None:
        """Find out whether a stop can be staged, and offer it if so."""
        with self.layout.telling():
            if await has_scene(self.viewer, stop):
                self.viewer.scene = stop
                self.layout.update()

    def _tell_hour(self) -> None:
        """At every full hour, add a row on how the town is, which the timeline shows at high speed."""
        world = self.viewer.world
        hour = (world.now + world.clock.offset) // HOUR
        before, self._hour = self._hour, hour
        if before < 0 or hour == before:
            return
        up = [row for row in self.viewer.view.rows(world.now) if row.awake]
        told = self.viewer.chronicle.between(world.now - HOUR, world.now)
        talks = {row.talk for row in told if row.talk and row.mark != "="}
        text = f"{len(up)} up, {count_of(len(talks), 'talk')}"
        if up:
            text += f", mostly {max(Counter(row.mood for row in up).items(), key=lambda m: (m[1], m[0]))[0]}"
        self.viewer.whole.add([TimelineRow(world.now, world.seq, HOURLY, text, (), "", HOURLY_WEIGHT)])

    def _tell_budget(self) -> None:
        """If the budget for models is used up, add a row and an alert that leads to it, once a day."""
        world = self.viewer.world
        stopped = self.viewer.session.thinking.stopped if self.viewer.session.thinking is not None else ""
        if stopped and self._stopped != world.clock.day(world.now):
            row = TimelineRow(world.now, world.seq, BUDGET, stopped_text(stopped), (), "", OF_ALL)
            self.viewer.whole.add([row])
            self._alert([row])
            self._stopped = world.clock.day(world.now)

    def _put(self) -> None:
        """If somebody waits for an answer of the played person, stop time and ask the player; once for each talk."""
        put = pending_question(self.viewer.world) if self.viewer.plays else None
        if put is None:
            self._asked = ""
        elif self._asked != put.talk:
            self._asked = put.talk
            if self.viewer.pace.running:
                self.viewer.pace.arrive(f"{self.viewer.name(put.other)} waits for an answer")
            self._goal = None
            self.layout.call_later(self._ask, put)

    def _ask(self, put: PutTo) -> None:
        if pending_question(self.viewer.world) is not None:
            self.layout.close_all()
            self.layout.open_sheet(ReplySheet(self.layout, put))

    def _turn(self) -> None:
        """At a turning point of the played person, stop time and ask the player what to do; once for each."""
        point, seq = pending(self.viewer.world) if self.viewer.plays else None, self.viewer.world.played.turning.seq
        if point is None or seq == self._turned or not self.viewer.settings.on("turning"):
            return
        self._turned = seq
        if self.viewer.pace.running:
            self.viewer.pace.arrive(f"a turning point for {self.viewer.name(self.viewer.plays)}")
        self._goal = None
        self.layout.call_later(self._show_turn, point)

    def _end_of_day(self) -> None:
        """When a day has ended while somebody is played, offer their story if it is due."""
        before, self._day = self._day, self.viewer.world.clock.day(self.viewer.world.now)
        if self.viewer.plays and 0 < before < self._day:
            self.layout.run_worker(offer_story(self.layout), exit_on_error=False, group="story")

    def _show_turn(self, point: CameToHead) -> None:
        if pending(self.viewer.world) == point and self.layout.sheets.kind != ReplySheet.kind:
            self.layout.close_all()
            self.layout.open_sheet(TurningSheet(self.layout, point))

    # ---- alerts

    def _alert(self, rows: Sequence[TimelineRow]) -> None:
        found: dict[str, Alert] = {}
        for row in rows:
            why = self._calls(row)
            key = row.talk or str(row.seq)
            if why and (key not in found or found[key].row.weight < row.weight):  # one for each talk
                found[key] = Alert(row, why)
        self.viewer.alerts += found.values()
        del self.viewer.alerts[:-ALERTS]
        self.viewer.unread += len(found)

    def _calls(self, row: TimelineRow) -> str:
        """Why a row is an alert, "" if it is none."""
        stars = [who for who in row.who if who in self.viewer.favourites]
        if stars and row.weight >= OF_FAVOURITES:
            return f"{self.viewer.name(stars[0])} is a favourite"
        if self.viewer.following and self.viewer.selected in row.who and row.weight >= OF_FOLLOWED:
            return f"you follow {self.viewer.name(self.viewer.selected)}"
        if row.mark == BUDGET:
            return "told once"
        return "the talk of the town" if row.weight >= OF_ALL else ""

    # ---- what keys ask for

    def run(self, goal: TimeGoal) -> None:
        """Run to a goal. If the last stop left other notable rows of its step, show the next of them instead."""
        if goal.rows is not None and self._others and self.viewer.stop is None and not self.viewer.pace.running:
            self.stop_at(self._others.pop(0))
            return
        self.look_away()
        self._others = []
        self._goal, self._began = goal, self.viewer.world.now
        self.viewer.pace.run_to(goal.says, steady=goal.steady)

    def touched(self, id: str) -> bool:
        """Called before the action `id` is done; returns True if that was all it was for, and it must not be done."""
        if self.night.page is not None and self.night.touched(id):
            return True
        innermost = self.layout.sheets.topmost is None and self.layout.town.over.cursor is None
        if id == "go.out" and self.viewer.missed and innermost:
            self.viewer.missed = ()
            self.layout.update()
            return True
        if id in MOVES_TIME or id.startswith("replay."):
            self.viewer.missed = ()
        if id in ENDS_A_STOP:
            if self.viewer.stop is not None or not self.layout.timeline.browsed:
                self.layout.timeline.last()
            self.viewer.stop = None
        return False

    # ---- what one missed

    def look_away(self) -> None:
        """From now on, what happens counts as not seen by the player."""
        self._looked = self.viewer.chronicle.told

    def look_back(self) -> None:
        """Show the weightiest rows not seen, at a stop only those akin to it, and mark where they begin."""
        rows = self.viewer.chronicle.since(self._looked)
        if self.viewer.stop is not None:  # other rows beside it would look like its causes
            rows = [row for row in rows if akin(row, self.viewer.stop)]
        self.viewer.missed, self.layout.missed.heading = weightiest_rows(rows, but=self.viewer.stop), LOOKED
        if self._looked < self.viewer.chronicle.told:
            self.layout.timeline.away = self._looked
        self.layout.update()

    def back_from(self, t: float) -> None:
        """After a replay that was left at second t, show what happened since t."""
        self._looked = self.viewer.chronicle.upto(t)
        self.look_back()

    def begin(self) -> None:
        """Called when the layout is first shown: select the played person; show what mattered in a continued save."""
        if self.viewer.plays:  # time stood when the game was left, too
            self.viewer.pace.pause()
            self.viewer.select(self.viewer.plays)
            self.viewer.following = True
        self._put()
        self._turn()
        if self.viewer.stayed:
            self.look_away()
        elif not self.viewer.replaying and self.viewer.chronicle.told and self.viewer.world.step > 1:
            self.viewer.missed, self.layout.missed.heading = weightiest_rows(self.viewer.chronicle.since(0)), LEFT
            self.look_away()


class QuarrelSlow:
    """Slows time down while people quarrel in view, or the followed person does.

    It does so once for each talk, and ends one step after that talk has closed.
    """

    def __init__(self, layout: TownLayout) -> None:
        self.layout, self.viewer = layout, layout.viewer
        self._talk = ""
        self._closed = False
        self._known: set[str] = set()

    def saw(self) -> None:
        """Called after each step."""
        pace = self.viewer.pace
        if self._talk:
            if not pace.slowed:  # a key or a stop has ended the slowing
                self._talk = ""
            elif self._closed:
                self._talk = ""
                pace.end_run()
            else:
                self._closed = self.viewer.open_talk(self._talk) is None
            return
        if (
            pace.running
            and not pace.goal
            and not pace.night
            and pace.speed in SLOWED
            and self.viewer.settings.on("auto_slow")
        ):
            self._look()

    def _look(self) -> None:
        self._known = {talk for talk in self._known if self.viewer.open_talk(talk) is not None}
        rows = [turn for turn in self.viewer.floor.at(self.viewer.world.now) if talk_mark(turn) == "!"]
        for turn in rows:
            talk = self.viewer.open_talk(turn.talk)
            if talk is not None and turn.talk not in self._known and self._concerns(turn):
                self._talk, self._closed = turn.talk, False
                self._known.add(turn.talk)
                self.viewer.pace.slow(f"quarrel {self.viewer.world.handbook.at(talk.place)}")
                return

    def _concerns(self, turn: SpeechTurn) -> bool:
        if self.viewer.following and self.viewer.selected in turn.who:
            return True
        seen = self.layout.town.in_view()
        return any(who in seen for who in turn.who)  # any, since the other may still be on the way
