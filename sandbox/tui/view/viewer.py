"""The state of the screen: the town, the moment shown, who is selected, and the timeline rows known so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.engine.domain import note_stand_in
from sandbox.engine.view import PersonRow, View
from sandbox.engine.world import World
from sandbox.people.played import is_played
from sandbox.readers.places import Things
from sandbox.readers.pressures import world_matters
from sandbox.readers.stories_of_feed import owners
from sandbox.readers.story import Notable
from sandbox.readers.talks import TalkStory
from sandbox.readers.timeline import Timeline, TimelineRow
from sandbox.talk.model import Talk
from sandbox.town.ways import map_position
from sandbox.tui.view.opening import Session
from sandbox.tui.view.pace import Pace
from sandbox.tui.view.recent_moods import RecentMoods
from sandbox.tui.view.settings import Settings
from sandbox.tui.view.speech import Bubbles, CurrentTalks, SpeechLine
from sandbox.tui.view.timeline_rows import ROOM, ROUTINE, ROWS, TOLD, Chronicle, EarlierRows
from sandbox.tui.view.visible_view import PlayerKnowledge

FIRST = 2  # number of the first event after the founding of the world


class Alert(NamedTuple):
    """A row that called for attention, and why."""

    row: TimelineRow
    why: str


class _Somebody:
    """A person that the viewer has in mind; "" for nobody, also while a replay shows a moment before they came."""

    def __set_name__(self, owner: type[Viewer], name: str) -> None:
        self._name = f"_{name}"

    def __get__(self, viewer: Viewer, owner: type[Viewer]) -> str:
        who: str = getattr(viewer, self._name)
        return who if viewer.is_known(who) else ""

    def __set__(self, viewer: Viewer, who: str) -> None:
        setattr(viewer, self._name, who)


class Viewer:
    """The state of the screen apart from its widgets. It changes nothing in the town.

    selected: a person's id or "". hovered: who is under the mouse. led: who is selected, if a stop and no key did it.
    sheet_kind: kind of the open sheet, or "". on_map: whether keys go to the map itself, not to a cursor on it. scene:
    the last stop that was found to have a scene; stages: whether enter would stage that of the stop. following:
    whether the map follows the selected person. favourites: ids. spoken: the line in the bubble now. eyes: decides what
    the player may know.
    past reads the rows before those of the timeline; news counts new rows above routine. alerts: newest last; unread:
    how many have come since they were looked at. learnt: ids of actions done; keys: action id -> keys. touched:
    wall-clock second at which a key last did something.
    seen: called after each step with its records and rows. missed: the rows "since you looked", while they are shown.
    stop: the row time has stopped at, while it stands there. ready: whether the terminal can take another frame.
    jumping: whether a replay is jumping, so that nothing is drawn. fleeting: the save is deleted unless it is played.
    stayed: the player was in another save of this town a moment ago. stood_in: person -> why the embedded mind made
    their last decision instead of a model, if it did. things: what lies on the map.
    """

    def __init__(
        self,
        session: Session,
        clock: Callable[[], float] = perf_counter,
        settings: Settings | None = None,
        learnt: set[str] | None = None,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        self.session = session
        self.clock = clock
        self.settings = settings or Settings()
        self.keys: Mapping[str, str] = keys or {}
        self.pace = Pace(session, clock)
        self.selected = self.hovered = self.led = ""
        self.sheet_kind = ""
        self.on_map = True
        self.scene: TimelineRow | None = None
        self.stages = False
        self.following = False
        self.favourites: set[str] = set()
        self.spoken: SpeechLine | None = None
        self.learnt: set[str] = set() if learnt is None else learnt
        self.eyes = PlayerKnowledge(session)
        self._people: tuple[object, list[PersonRow]] = (None, [])
        self.news = 0
        self.alerts: list[Alert] = []
        self.unread = 0
        self.touched = clock()
        self.missed: tuple[TimelineRow, ...] = ()
        self.recalled: TalkStory | None = None  # the talk of the row a replay stopped at, read from the log
        self.stop: TimelineRow | None = None
        self.ready: Callable[[], bool] = lambda: True
        self.jumping = False
        self.fleeting = False
        self.stayed = False
        self.called = ""  # name of a branch that was made of this game to try something
        self.stood_in: dict[str, str] = {}
        self.seen: list[Callable[[Sequence[Record], Sequence[TimelineRow]], None]] = []
        world = self.world
        self.calendar = world.calendar
        self.timeline = Timeline(
            world.handbook,
            world.clock,
            self.calendar,
            notable=self.notable,
            matters=world_matters(world),
            users=lambda user: owners(self.world)(user),
        )
        self.floor = CurrentTalks(world.talk_parameters.exchange, lambda turn: self.eyes.hears(turn.who, self.shown))
        self.bubbles = Bubbles(self.floor, clock)
        self.pulses = RecentMoods()
        self.things = Things(world.drama)
        self.past = self._begin(tuple(self.view.tail))
        session.engine.watchers.append(self._saw)

    def _begin(self, tail: Sequence[Record]) -> EarlierRows:
        """Make rows of a continued save's last hours (whole steps only); return the reader of the rows before them."""
        if self.replaying or not tail:
            return EarlierRows(self.session, self.whole, self.timeline, 0, 0)
        begun = tail[0].stamp.step
        whole: Sequence[Record] = tail if tail[0].stamp.seq == FIRST else [r for r in tail if r.stamp.step > begun]
        if whole is not tail:
            self.eyes.whole = Chronicle(ROWS)
            self.whole.first = ROOM
        if whole:
            self._saw(whole)
        step, t = (0 if whole is tail else begun), (whole[0].stamp.t if whole else self.world.now)
        return EarlierRows(self.session, self.whole, self.timeline, step, t)

    @property
    def world(self) -> World:
        """The town."""
        return self.session.world

    @property
    def notable(self) -> Notable:
        """How notable each kind of event is."""
        return self.settings.notable

    @property
    def asked(self) -> frozenset[str]:
        """The people for whom a mind is thinking now."""
        thinking = self.session.thinking
        return frozenset(thinking.waiting) if thinking is not None else frozenset()

    @property
    def view(self) -> View:
        """The view of the town; limited to what the played person can see if the player is to know no more."""
        return self.eyes.view

    @property
    def people(self) -> list[PersonRow]:
        """Everybody that `view` shows at the second on the screen; made anew only if the town or the second changes."""
        now = (self.view, self.view.version, int(self.shown))
        if now != self._people[0]:
            self._people = (now, self.view.rows(now[2]))
        return self._people[1]

    @property
    def whole(self) -> Chronicle:
        """All rows of the timeline."""
        return self.eyes.whole

    @property
    def chronicle(self) -> Chronicle:
        """The rows of the timeline: all, or those the played person knows if the player is to know no more."""
        return self.eyes.rows

    @property
    def knower(self) -> str:
        """Whose knowledge limits the screen, "" if it shows everything."""
        return self.eyes.me

    def hides(self, who: str) -> bool:
        """Whether a person's inner state is hidden from the player."""
        return self.eyes.hides(who)

    @property
    def replaying(self) -> bool:
        """Whether the steps are read from a log."""
        return self.session.replaying

    @property
    def plays(self) -> str:
        """Who is played by hand, "" for nobody."""
        who = self.world.played.who
        return who if who and not self.replaying and is_played(self.world, who) else ""

    def _saw(self, records: Sequence[Record]) -> None:
        self.floor.saw(records)
        self.pulses.saw(records)
        self._decided(records)
        for record in records:
            self.things.take(record, self._stood)
        rows: list[TimelineRow] = []
        if not self.replaying:  # a replay's rows are read by `Tape`
            rows = [row for row in self.timeline.read(records, self.world.now) if row.weight >= TOLD]
            rows = self.eyes.take(records, rows)
            self.news += sum(row.weight > ROUTINE for row in rows)
        for see in [*self.seen]:
            see(records, rows)

    def _stood(self, who: str, t: int) -> tuple[float, float] | None:
        """Where somebody stood at a second of the last step."""
        world = self.world
        return map_position(self.view.spot(who, t), t, world.map.width) if self.is_known(who) else None

    def _decided(self, records: Sequence[Record]) -> None:
        """Note for whom the embedded mind stood in; that event is the last of a step."""
        for record in records:
            note_stand_in(self.stood_in, record)

    def jumped(self, records: Sequence[Record]) -> None:
        """Called after a jump to another moment. records: what was said in the hour before it."""
        self.floor.clear()
        self.floor.saw(records)
        self.pulses.clear()
        self.stood_in.clear()
        self.pulses.saw(records)
        self.bubbles.forget()
        self.spoken = None

    @property
    def shown(self) -> float:
        """The simulated second on the screen."""
        return self.pace.shown

    @property
    def told(self) -> int:
        """The number after the last row of the timeline at the moment shown."""
        return self.chronicle.upto(self.shown) if self.replaying else self.chronicle.told

    def name(self, who: str) -> str:
        """A first name."""
        return self.world.handbook.name(who)

    def told_of(self, row: TimelineRow | None) -> str:
        """A row as text with its day and hour; "" for None."""
        return "" if row is None else f"{self.world.clock.words(row.t)} {row.text}"

    def talk_of(self, who: str) -> str:
        """The id of somebody's current talk, else of their last one, else ""."""
        present = self.world.people.residents[who].talk
        if present:
            return present
        turn = self.floor.last(who, self.world.now)
        return turn.talk if turn else ""

    def open_talk(self, id: str) -> Talk | None:
        """A talk under way, or None."""
        return self.world.talk.open.get(id)

    def story(self, id: str) -> TalkStory | None:
        """A current or recent talk, else None; older ones are in the log (`log_queries.talk_story`)."""
        if self.recalled is not None and self.recalled.id == id:
            return self.recalled
        return self.timeline.talk(id)

    # ---- people: selected, hovered, followed

    def is_known(self, who: str) -> bool:
        """Whether somebody belongs to the town at the moment shown; a replay may show one before they came."""
        return who in self.world.cast

    selected = _Somebody()
    hovered = _Somebody()
    led = _Somebody()

    @property
    def following(self) -> bool:
        """Whether the map follows the selected person."""
        return self._following and bool(self.selected)

    @following.setter
    def following(self, on: bool) -> None:
        self._following = on

    def select(self, who: str) -> None:
        """Select a person; "" selects nobody and ends following."""
        self.selected, self.led = who if self.is_known(who) else "", ""
        if not self.selected:
            self.following = False

    def touch(self) -> None:
        """Note that a key or the mouse did something."""
        self.touched = self.clock()

    @property
    def idle(self) -> float:
        """Wall-clock seconds since a key or the mouse did something."""
        return self.clock() - self.touched
