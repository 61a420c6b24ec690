"""Log queries for the sheets: an event, a whole talk, the talks before and after it, bystanders, decisions; and
interviews, whose answers the save keeps.

Each query reads as little of the save as possible, and returns nothing later than the moment the town stands at.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.core.events import Record
from sandbox.core.protocols import JournalFull, Mind
from sandbox.core.text import clean
from sandbox.engine.briefing import ask_person
from sandbox.engine.engine import Engine
from sandbox.engine.registry import EVENTS
from sandbox.engine.scenario import Founded
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.asking import clean_question
from sandbox.people.model import Chose, Planned
from sandbox.people.perceive import MOVES, WALKS, Whereabouts
from sandbox.people.pressure_model import Began
from sandbox.readers import places, talks
from sandbox.readers.all_stories import STORIES, event_talk, kinds_where, learn
from sandbox.readers.places import LASTS, MapThing, Things, latest_thing
from sandbox.readers.talkagain import unsaid_lines
from sandbox.readers.talks import OpenTalks, TalkLine, TalkStory
from sandbox.store.errors import SaveError
from sandbox.store.save import Save
from sandbox.store.side_tables import InterviewRow
from sandbox.talk.model import Declined, Opened
from sandbox.town.ways import Spot, map_position
from sandbox.tui.view.viewer import Viewer

KINDS = EVENTS.keys() - {Founded.KIND}
CHOICES = (Planned.KIND, Opened.KIND, Declined.KIND, Chose.KIND)
CAME_OF = kinds_where(lambda story: story.result)
SETTLED = 4 * HOUR  # seconds; whoever has not moved for so long is asleep
AFTER = 600  # how many events after one are searched for its results
NEAR = 6  # tiles within which a talk outdoors is noticed
WINDOW, WIDEST = 2000, 50_000  # events that `_search` reads at a time: at first, and at most


async def catch_up_memories(viewer: Viewer) -> None:
    """Load people's memories up to the moment shown; a replay does not keep them by itself. Raises SaveError."""

    async def catch_up() -> None:
        world = viewer.world  # read only now: a jump may have replaced it meanwhile
        await world.memories.catch_up(viewer.session.save, world.seq)

    await viewer.pace.between(catch_up)


async def event(viewer: Viewer, seq: int) -> Record | None:
    """An event of the log; None if it is part of the founding or after the moment shown. Raises SaveError."""
    if not 1 < seq <= viewer.world.seq:
        return None
    found = await viewer.session.save.records(KINDS, seq - 1, seq)
    return found[0] if found else None


async def learn_matters(viewer: Viewer, pressures: Iterable[str]) -> None:
    """Add pressures that the timeline does not know to its `matters`, from the log. Raises SaveError."""
    matters = viewer.timeline.matters
    if any(id and id not in matters for id in pressures):
        for record in await viewer.session.save.records((Began.KIND,), 0, viewer.world.seq):
            learn(matters, record)


async def event_results(viewer: Viewer, seq: int) -> list[Record]:
    """The feelings, plans, talks and pressure events that name an event as their cause. Raises SaveError."""
    upto = min(viewer.world.seq, seq + AFTER)
    found = await viewer.session.save.records(CAME_OF, seq, upto)
    return [record for record in found if seq in record.stamp.causes]


async def event_range(viewer: Viewer, start: float, end: float) -> tuple[int, int]:
    """Event numbers (after, upto] that hold all events of the seconds from start to end. Raises SaveError."""
    save = viewer.session.save
    first, last = await save.step_at(max(0.0, start) + 1), await save.step_at(end + 1)
    (before,), (until,) = await save.steps(max(0, first - 1), max(0, first - 1)), await save.steps(last, last)
    return before.last_seq, min(until.last_seq, viewer.world.seq)


async def talk_story(viewer: Viewer, id: str) -> TalkStory | None:
    """A whole talk, from the viewer's cache or the log; None if there is no such talk. Raises SaveError."""
    kept = viewer.story(id)
    if kept is not None:
        return kept
    second = id.partition(".")[0]  # ids begin with the second a talk opened at
    if not second.isdecimal() or int(second) > viewer.world.now:
        return None
    p = viewer.world.talk_parameters
    after, upto = await event_range(viewer, int(second), int(second) + (p.cap + 2) * p.exchange + HOUR)
    records = await viewer.session.save.records(talks.KINDS, after, upto)
    reader = OpenTalks(viewer.world.handbook)
    found = [story for record in records if event_talk(record.event) == id and (story := reader.take(record))]
    if not found:
        return None
    told: TalkStory = found[0]
    await learn_matters(viewer, [deed.matter for deed in told.deeds])
    return told


async def unheard_lines(viewer: Viewer, story: TalkStory) -> tuple[TalkLine, ...]:
    """The words of a talk that nobody listened to. Raises SaveError."""
    save = viewer.session.save
    return tuple(await unsaid_lines(save, story.id, max(1, await save.step_at(story.since + 1))))


async def talks_before_after(viewer: Viewer, story: TalkStory) -> tuple[str, str]:
    """The ids of the previous and the next talk of the same two people, "" = none. Raises SaveError."""

    def theirs(record: Record) -> bool:
        return isinstance(record.event, Opened) and {record.stamp.actor, record.event.other} == set(story.who)

    found = []
    for at, by in ((story.seq - 1, -1), (story.seq, 1)):
        record = await anext(_search(viewer, (Opened.KIND,), at, by, theirs), None)
        found.append(record.event.id if record is not None and isinstance(record.event, Opened) else "")
    return found[0], found[1]


async def _search(
    viewer: Viewer, kinds: Collection[str], at: int, by: int, test: Callable[[Record], bool]
) -> AsyncIterator[Record]:
    """Events of these kinds that pass a test. by -1: backwards from event number `at`; 1: forwards from at + 1."""
    size, last = WINDOW, viewer.world.seq
    while (at > 1) if by < 0 else (at < last):
        low, high = (max(1, at - size), at) if by < 0 else (at, min(last, at + size))
        records: Sequence[Record] = await viewer.session.save.records(kinds, low, high)
        for record in records if by > 0 else reversed(records):
            if test(record):
                yield record
        at, size = (low if by < 0 else high), min(WIDEST, 2 * size)


def thoughts(viewer: Viewer, story: TalkStory) -> tuple[tuple[str, str], ...]:
    """The two people's later thoughts about a talk, as (person, thought); empty if memories are not loaded."""
    seqs = {story.close, *(line.seq for line in story.lines)}
    out = []
    for who in story.who:
        stream = viewer.world.memories.of(who)
        nodes = stream[bisect_left(stream, story.seq, key=lambda m: m.seq) :]
        kept = {m.id for m in nodes if m.seq in seqs}
        out += [(who, m.text) for m in nodes if m.kind == "thought" and not kept.isdisjoint(m.evidence)]
    return tuple(out)


async def decisions(viewer: Viewer, who: str) -> list[Record]:
    """Somebody's latest decisions, newest first: the current act, a talk begun, one declined, today's plans.

    Raises SaveError.
    """
    since = viewer.world.now - DAY
    after, upto = await event_range(viewer, since, viewer.world.now)
    records = await viewer.session.save.records(CHOICES, after, upto)
    mine = [record for record in records if record.stamp.actor == who]
    latest = {r.event.KIND: r for r in mine if not STORIES[type(r.event)].plan_day(r.event)}
    day = viewer.world.people.residents[who].day
    plans = [r for r in mine if STORIES[type(r.event)].plan_day(r.event) == day]
    return sorted([*latest.values(), *plans], key=lambda r: -r.stamp.seq)


# ---- where people stood


async def actor_place(viewer: Viewer, record: Record) -> str | None:
    """The address where the actor of an event stood, "" for the street, None if it is not known because they had not
    moved for a day. Raises SaveError.
    """
    seq, _, t, who, _ = record.stamp
    town = viewer.world.map
    after, _ = await event_range(viewer, t - DAY, t)
    where = Whereabouts(town.width)
    for move in await viewer.session.save.records(MOVES, after, seq, (who,)):
        where.take(move)
    tile = where.tile(who, t)
    return town.area_of[tile] if tile >= 0 else None


async def bystanders(viewer: Viewer, story: TalkStory) -> tuple[str, ...] | None:
    """Who was awake and near during a talk; None if the position of its first speaker is not known.

    Near is the same room or, outdoors, within NEAR tiles. Passers-by count too. Raises SaveError.
    """
    end = story.ended if story.ended >= 0 else viewer.world.now
    after, upto = await event_range(viewer, story.since - SETTLED, end)
    where = Whereabouts(viewer.world.map.width)
    moves = await viewer.session.save.records(MOVES, after, upto)
    before = [record for record in moves if record.stamp.t <= story.since]
    for record in before:
        where.take(record)
    if where.tile(story.who[0], story.since) < 0:
        return None
    found: set[str] = set()
    during = iter(moves[len(before) :])
    coming = next(during, None)
    for t in range(story.since, end + 1, viewer.world.talk_parameters.exchange):
        while coming is not None and coming.stamp.t <= t:
            where.take(coming)
            coming = next(during, None)
        found |= _within_earshot(viewer, where, story.who, t)
    return tuple(who for who in viewer.world.cast if who in found)


async def things(viewer: Viewer) -> Things:
    """The things on the map at the current step, placed where their people stood. Raises SaveError."""
    world, save = viewer.world, viewer.session.save
    after, _ = await event_range(viewer, world.now - LASTS - SETTLED, world.now)
    records = await save.records(places.KINDS, after, world.seq)
    (before,) = await save.steps(max(0, world.step - 1), max(0, world.step - 1))
    every, out = Things(world.drama), Things(world.drama)
    for record in records:
        every.take(record, lambda who, t: (0.0, 0.0))
    where_found = dict[tuple[str, int], tuple[float, float]]()
    for thing in every.after(before.t):  # older ones are not shown any more
        if thing.who in world.cast:
            spot = await _spot(viewer, thing, after) or viewer.view.spot(thing.who, thing.t)  # not moved: still there
            where_found[thing.who, thing.t] = map_position(spot, thing.t, world.map.width)
    for record in records:
        out.take(record, lambda who, t: where_found.get((who, t)))
    return out


async def _spot(viewer: Viewer, thing: MapThing, after: int) -> Spot | None:
    """Where a thing's person was when it appeared, by their last walk after event `after`; None if there was none."""
    upto = thing.seq
    while upto > after:
        low = max(after, upto - WINDOW)
        if found := await viewer.session.save.records(WALKS, low, upto, (thing.who,)):
            where = Whereabouts(viewer.world.map.width)
            where.take(found[-1])
            return where.spots[thing.who]
        upto = low
    return None


def _within_earshot(viewer: Viewer, where: Whereabouts, two: tuple[str, str], t: int) -> set[str]:
    town = viewer.world.map
    here = where.tile(two[0], t)
    out = set()
    for who in where.spots.keys() - {*two} - where.asleep:
        there = where.tile(who, t)
        if town.inside[here] or town.inside[there]:
            close = town.area_of[here] == town.area_of[there] and town.inside[here] == town.inside[there]
        else:
            (x, y), (u, v) = town.xy(here), town.xy(there)
            close = max(abs(x - u), abs(y - v)) <= NEAR
        if close:
            out.add(who)
    return out


# ---- interviews


ANSWER = 1200  # characters of an answer that are kept


class PendingQuestion(NamedTuple):
    """A question not answered yet. since: when it was asked, in wall-clock seconds."""

    ask: str
    since: float


class Interviews:
    """The interviews of one session. fault: why the last answer could not be saved, or ""."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.pending: dict[str, PendingQuestion] = {}
        self.faults: dict[str, str] = {}  # person -> why the embedded mind answered last instead of a model, or ""
        self.fault = ""
        self._asked: dict[str, list[InterviewRow]] = {}

    def of(self, who: str) -> list[InterviewRow]:
        """The interviews of a person up to the moment shown, oldest first."""
        return [a for a in self._asked.get(who, ()) if a.t <= self.viewer.shown]

    async def read(self, who: str) -> None:
        """Load a person's interviews from the save, and everybody's memories in a replay. Raises SaveError."""
        viewer = self.viewer
        if who not in self._asked:
            self._asked[who] = await viewer.session.save.interviews(who)
        if not viewer.world.memories.live:
            await catch_up_memories(viewer)

    async def ask(self, who: str, text: str) -> bool:
        """Ask a person and save the answer. False if there is no question or they still think. Raises SaveError."""
        text = clean_question(text)
        if not text or who in self.pending:
            return False
        viewer = self.viewer
        self.pending[who] = PendingQuestion(text, viewer.clock())
        try:
            await self.read(who)
            world, t = viewer.world, int(viewer.shown)
            n = sum(a.step == world.step for a in self._asked[who])
            said = await ask_person(world, self._mind(), who, text, t, n, self._matters(who, text))
            self.faults[who] = clean(said.fault, 200)
            thinking = viewer.session.thinking
            model = thinking.models.get(who, "") if thinking is not None and not said.fault else ""
            found = InterviewRow(world.step, t, who, text, clean(said.text, ANSWER), model, said.memories)
            await self._keep(found)  # saved before it is shown, so that an answer once read is never lost
        finally:
            del self.pending[who]
        self._asked[who].append(found)
        return True

    def _matters(self, who: str, text: str) -> tuple[str, ...]:
        """What came of the person's latest thing on the map, if the question names it."""
        things = self.viewer.things
        thing = latest_thing(things.at(self.viewer.shown), who)
        return things.began(thing) if thing is not None and thing.bare.lower() in text.lower() else ()

    def _mind(self) -> Mind:
        """The mind of a live town; the embedded mind in a replay."""
        session = self.viewer.session
        if isinstance(session.engine, Engine):
            return session.engine.mind
        return EmbeddedMind(session.world.chance, session.world.scenario.lines)

    async def _keep(self, found: InterviewRow) -> None:
        save = self.viewer.session.save
        if isinstance(save, Save) and save.writes:
            try:
                await save.asked(found)
                self.fault = ""
            except (SaveError, JournalFull) as error:
                self.fault = str(error)
