"""What somebody who watches has before them: a town that moves, the moment shown, who is chosen, what has been told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.engine.domain import note_stand_in
from sandbox.engine.view import View
from sandbox.engine.world import World
from sandbox.people.played import is_played
from sandbox.readers.map_objects import Things
from sandbox.readers.notable import Notable
from sandbox.readers.pressures import world_matters
from sandbox.readers.stories_of_feed import owners
from sandbox.readers.talks import TalkStory
from sandbox.readers.timeline import Timeline, TimelineRow
from sandbox.talk.model import Talk
from sandbox.town.rules import map_position
from sandbox.tui.view.opening import Session
from sandbox.tui.view.pace import Pace
from sandbox.tui.view.recent_moods import RecentMoods
from sandbox.tui.view.settings import Settings
from sandbox.tui.view.speech import Bubbles, CurrentTalks, SpeechLine
from sandbox.tui.view.timeline_rows import ROOM, ROUTINE, ROWS, TOLD, Chronicle, EarlierRows
from sandbox.tui.view.visible_view import PlayerKnowledge

FIRST = 2  # the number of the first event of a life; that before founds the world


class Alert(NamedTuple):
    """A row that called for attention."""

    row: TimelineRow
    why: str


class Viewer:
    """The state of the screen apart from its widgets. It changes nothing in the town.

    selected, hovered: a person's id or "". led: the selected person, if an occasion chose them and no key. sheet_kind:
    what kind of sheet is open, or "". on_map: whether keys go to the map, and to no cursor on it. scene: the last
    stop that was found to have a scene; stages: whether enter would stage that of the stop. following: whether the
    map follows the selected person. favourites: ids. spoken: the line in the bubble now. eyes: through whose the
    town is shown.
    past tells the rows before those of the timeline; news grows with each above routine. alerts: newest last; unread:
    how many have come since they were looked at. learnt: ids of actions done; keys: of every action, by id. touched:
    when (by the clock on the wall) a key last did something.
    seen: called after each step with its records and rows. since: the rows "since you looked", while they are shown.
    stop: the row time has stopped at, while it stands there. ready: whether the terminal can take another frame.
    jumping: whether a replay is on its way to another moment, and nothing is drawn. fleeting: the save goes unless it
    is played. stayed: whoever looks was here a moment ago, in another save of this town. stood_in: person -> why the
    embedded mind answered for them when they last decided something, if it did. things: what lies on the map.
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
        self.news = 0
        self.alerts: list[Alert] = []
        self.unread = 0
        self.touched = clock()
        self.since: tuple[TimelineRow, ...] = ()
        self.recalled: TalkStory | None = None  # the talk of a replay's stop, read from the log
        self.stop: TimelineRow | None = None
        self.ready: Callable[[], bool] = lambda: True
        self.jumping = False
        self.fleeting = False
        self.stayed = False
        self.called = ""  # what a branch of this game was called that was made to try something
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
        """Tell the last hours of a save that is gone on with, whole steps only; what was before is told when wanted."""
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
        """How notable what happens is."""
        return self.settings.notable

    @property
    def asked(self) -> frozenset[str]:
        """The people for whose answers a mind is waited for."""
        thinking = self.session.thinking
        return frozenset(thinking.waiting) if thinking is not None else frozenset()

    @property
    def view(self) -> View:
        """What may be asked about it: of others only what can be seen of them, while one is to know no more."""
        return self.eyes.view

    @property
    def whole(self) -> Chronicle:
        """All rows of the timeline."""
        return self.eyes.whole

    @property
    def chronicle(self) -> Chronicle:
        """The rows of the timeline: all, or those that are known while one is to know no more."""
        return self.eyes.rows

    @property
    def knower(self) -> str:
        """Whose knowledge the screen keeps to, "" if it shows all."""
        return self.eyes.me

    def hides(self, who: str) -> bool:
        """Whether what goes on in somebody is not to be shown."""
        return self.eyes.hides(who)

    @property
    def replaying(self) -> bool:
        """Whether the steps come out of a log."""
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
        if not self.replaying:  # there the whole log is told beforehand
            rows = [row for row in self.timeline.read(records, self.world.now) if row.weight >= TOLD]
            rows = self.eyes.take(records, rows)
            self.news += sum(row.weight > ROUTINE for row in rows)
        for see in [*self.seen]:
            see(records, rows)

    def _stood(self, who: str, t: int) -> tuple[float, float] | None:
        """Where somebody stood at a second of the last step."""
        world = self.world
        return map_position(self.view.spot(who, t), t, world.map.width) if self.there(who) else None

    def _decided(self, records: Sequence[Record]) -> None:
        """Note for whom the embedded mind stood in; its event is the last of a step."""
        for record in records:
            note_stand_in(self.stood_in, record)

    def jumped(self, records: Sequence[Record]) -> None:
        """The town stands at another moment. records: what was said in the hour before it."""
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
        """A row as text, with its day and hour; "" of none."""
        return "" if row is None else f"{self.world.clock.words(row.t)} {row.text}"

    def talk_of(self, who: str) -> str:
        """The id of the talk somebody is in, else of their last one, else ""."""
        present = self.world.people.residents[who].talk
        if present:
            return present
        turn = self.floor.last(who, self.world.now)
        return turn.talk if turn else ""

    def open_talk(self, id: str) -> Talk | None:
        """A talk under way."""
        return self.world.talk.open.get(id)

    def story(self, id: str) -> TalkStory | None:
        """A talk that goes on or is among the latest; older ones are in the log (`log_queries.talk_story`)."""
        if self.recalled is not None and self.recalled.id == id:
            return self.recalled
        return self.timeline.talk(id)

    # ---- who is meant

    def there(self, who: str) -> bool:
        """Whether somebody is of the town at the moment shown: in a replay that may lie before they came."""
        return who in self.world.cast

    def _now(self, who: str) -> str:
        return who if self.there(who) else ""

    @property
    def selected(self) -> str:
        """Who is chosen, "" for nobody; nobody, too, while a replay shows a moment before they came."""
        return self._now(self._selected)

    @selected.setter
    def selected(self, who: str) -> None:
        self._selected = who

    @property
    def hovered(self) -> str:
        """Whom the mouse is on, "" for nobody."""
        return self._now(self._hovered)

    @hovered.setter
    def hovered(self, who: str) -> None:
        self._hovered = who

    @property
    def led(self) -> str:
        """Whom the stop has chosen, "" if a key did."""
        return self._now(self._led)

    @led.setter
    def led(self, who: str) -> None:
        self._led = who

    @property
    def following(self) -> bool:
        """Whether the map follows the chosen person."""
        return self._following and bool(self.selected)

    @following.setter
    def following(self, on: bool) -> None:
        self._following = on

    def select(self, who: str) -> None:
        """Choose a person; "" chooses nobody and ends following."""
        self.selected, self.led = self._now(who), ""
        if not self.selected:
            self.following = False

    def touch(self) -> None:
        """A key or the mouse did something."""
        self.touched = self.clock()

    @property
    def idle(self) -> float:
        """Seconds since a key or the mouse did something."""
        return self.clock() - self.touched
