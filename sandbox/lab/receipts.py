"""Receipts: the consequences of one act of the player, a day later, compared with a run without the act."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from sandbox.core.clock import DAY
from sandbox.core.domain import Command
from sandbox.core.events import Event, Record
from sandbox.core.text import clean
from sandbox.engine.engine import Engine, Nowhere
from sandbox.engine.registry import EVENTS, REGISTRY
from sandbox.engine.scenario import Founded
from sandbox.engine.world import World
from sandbox.feed.events import Deed
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.pressure_model import Began, Ended, Stirred
from sandbox.phones.model import Read
from sandbox.readers.aftermath import Aftermath, AftermathLine, Chain, aftermath, belief_wording
from sandbox.readers.all_stories import STORIES, event_sentence, learn
from sandbox.readers.event_diff import MADE, Numbers, content, difference
from sandbox.readers.incidents import Incidents
from sandbox.readers.pressures import Matter, world_matters
from sandbox.readers.stories_of_feed import owners
from sandbox.readers.story import Teller
from sandbox.readers.threads import Incident
from sandbox.store.acts import among, last_act
from sandbox.store.errors import SaveError, explain_unfitting
from sandbox.store.read import SaveReader

GONE = "what it was about does not exist without the act"
UNKNOWN = "the save does not say which command it was"


class Missed(NamedTuple):
    """An act that could not be repeated, and why."""

    record: Record
    why: str


class Twin(NamedTuple):
    """records: all events of the span without the act, in order. missed: acts that could not be repeated."""

    records: list[Record]
    missed: list[Missed]


class _Gone(Exception):
    """A card, comment or message that does not exist in the run without the act."""


async def live_without(
    save: SaveReader, act: Record, others: Sequence[Record], span: Sequence[Record], until: int
) -> Twin:
    """Run the town again without an act, from the step before it until at least second `until`; the save is only read.

    others: acts to repeat, in order, each when its own second comes. span: all events of the save from the act's step
    on. Raises SaveError if the save cannot be read.
    """
    world = await _before(save, act.stamp.step - 1)
    engine = Engine(world, EmbeddedMind(world.chance, world.scenario.lines), Nowhere())
    theirs = Numbers(span)
    return await _lived(engine, [*others], theirs, until)


async def _lived(engine: Engine, waiting: list[Record], theirs: Numbers, until: int) -> Twin:
    world, records, missed = engine.world, list[Record](), list[Missed]()
    while world.now < until:
        asked: dict[int, Record] = {}
        while waiting and waiting[0].stamp.t <= world.now:
            record = waiting.pop(0)
            try:
                command = _command(record, theirs, Numbers(records))
                engine.do(command)
                asked[id(command)] = record
            except _Gone:
                missed.append(Missed(record, GONE))
            except ValueError as error:
                missed.append(Missed(record, str(error)))
        records += await engine.step()
        missed += [Missed(asked[id(command)], why) for command, why in engine.refused if id(command) in asked]
        engine.refused.clear()
    return Twin(records, missed)


async def _before(save: SaveReader, step: int) -> World:
    """The world at the end of that step, ready to run. Raises SaveError."""
    if step == 0:
        world = await save.beginning()
        world.memories.live = True
        return world
    world = await save.seek(step)
    with explain_unfitting(save.path):
        await world.memories.catch_up(save, world.seq)
    return world


def _command(record: Record, theirs: Numbers, ours: Numbers) -> Command:
    """The command of an act, with its numbers translated to this run. Raises _Gone, ValueError."""
    make = REGISTRY.again.get(type(record.event))
    if make is None:
        raise ValueError(UNKNOWN)
    return make(_renumbered(record.event, theirs, ours), record.stamp)


def _renumbered(e: Event, theirs: Numbers, ours: Numbers) -> Event:
    made = MADE.get(type(e))
    own = (made[0], getattr(e, made[1])) if made is not None else None

    def number(sort: str, old: int) -> int:
        if (sort, old) == own:
            return old  # the number of what the act creates: the platform assigns a new one
        found = ours.number(sort, theirs.name(sort, old))
        if found is None:
            raise _Gone
        return found

    changed: Any = msgspec.convert(content(e, number), type(e))
    return e if changed == e else changed


HEAVIEST = 5  # sentences on unrelated differences for each side
LATELY = (Deed, Read)  # events whose words are needed to tell later ones
BY_MODEL = (
    "the save was run with a language model: --twin runs the span without the act all the same, but with the embedded"
    " mind, which decides differently, and much differs for that reason alone"
)


class SpanSide(msgspec.Struct, frozen=True):
    """Events that only one of two spans has, unrelated to the act. events: how many; heaviest: the most important."""

    events: int
    heaviest: tuple[AftermathLine, ...]


class Luck(msgspec.Struct, frozen=True):
    """Comparison with the span without the act. came: events of the chain that are missing there; here, there: other
    differences, with and without the act. missed: acts that could not be repeated, in sentences. embedded: the save was
    run with a language model, but its twin without.
    """

    came: int
    here: SpanSide
    there: SpanSide
    missed: tuple[str, ...]
    embedded: bool


class ReceiptFacts(NamedTuple):
    """The input of a receipt. span: all events from the act's step on; earlier: those of pressures before. world: at
    the end of the span. since: second at which the act takes effect; asked: seconds after it to report; until: the last
    second of them that was run. by_hand: whether the act was the player's.
    """

    act: Record
    span: list[Record]
    earlier: list[Record]
    world: World
    since: int
    asked: int
    until: int
    by_hand: bool


class Receipt(msgspec.Struct, frozen=True):
    """told: what came of the act. since: second at which it takes effect; asked: seconds after it that were requested;
    until: last second of the save, or end of the span. luck: None if there was no run without the act; `untwinned` then
    says why, a clause.
    """

    told: Aftermath
    since: int
    asked: int
    until: int
    luck: Luck | None
    untwinned: str

    @property
    def whole(self) -> bool:
        """Whether the span was run to its end."""
        return self.until - self.since >= self.asked


async def read(save: SaveReader, seq: int | None = None, asked: int = DAY, world: World | None = None) -> ReceiptFacts:
    """Read the input of a receipt. seq: of the act, None = the last one by hand. asked: seconds after it takes effect.
    world: of that save, at the last moment to report; None = its end.

    Raises SaveError if there is no such event.
    """
    if seq is None:
        acts = await last_act(save)
        if acts is None:
            mend = "name the event whose aftermath you want: `sandbox receipt SAVE SEQ`"
            raise SaveError(save.path, "holds no act by hand", mend)
        seq = acts.records[-1].stamp.seq
    last_seq, step = (save.last_seq, save.last_step) if world is None else (world.seq, world.step)
    if not 1 < seq <= last_seq:
        raise SaveError(save.path, f"has no event {seq} that can lead to others", f"name one from 2 to {last_seq}")
    kinds = EVENTS.keys() - {Founded.KIND}
    (act,) = await save.records(kinds, seq - 1, seq)
    since = act.stamp.t + act.event.later  # a card dealt ahead takes effect later
    end = min(step, await save.step_at(since + asked + 1))
    (before,) = await save.steps(act.stamp.step - 1, act.stamp.step - 1)
    (last,) = await save.steps(end, end)
    span = [r for r in await save.records(kinds, before.last_seq, last.last_seq) if r.stamp.t <= since + asked]
    earlier = await save.records((Began.KIND, Stirred.KIND, Ended.KIND), 0, before.last_seq)
    by_hand = act in among(r for r in span if r.stamp.step == act.stamp.step)
    world = await save.seek(end) if world is None else world
    until = min(since + asked, last.t)
    return ReceiptFacts(act, span, earlier, world, since, asked, until, by_hand)


class ReceiptTeller:
    """Words a receipt. It never blocks, so that it can run beside a screen."""

    def __init__(self, found: ReceiptFacts) -> None:
        self._found, world = found, found.world
        self._facts = dict(world.beliefs.facts)  # a copy: the world may go on meanwhile
        self._users = owners(world)
        self.matters: dict[str, Matter] = {}
        for record in (*found.earlier, *found.span):
            learn(self.matters, record)
        self.matters = {**world_matters(world), **self.matters}
        self.chain = Chain(found.act, found.since + found.asked)
        self.chain.read(found.span)

    def teller(self, records: Iterable[Record]) -> Teller:
        """The teller for these events."""
        lately: dict[int, Event] = {r.stamp.seq: r.event for r in records if isinstance(r.event, LATELY)}
        return Teller(self._found.world.handbook, self.matters, lately=lately, users=self._users)

    def incidents(self) -> list[Incident]:
        """The incidents of all days of the span."""
        found, world = self._found, self._found.world
        finder = Incidents(world.handbook, world.clock)
        finder.read(found.earlier)
        finder.read(found.span)
        days = {world.clock.day(found.since + x) for x in range(0, found.asked + DAY, DAY)}
        return [i for day in finder.days() if day in days for i in finder.of(day).incidents]

    def told(self) -> Aftermath:
        """The consequences of the act."""
        says = belief_wording(self._found.world, self._facts)
        return aftermath(self.chain, self.teller(self._found.span), self.incidents(), says)


def make_receipt(found: ReceiptFacts, twin: Twin | None = None, untwinned: str = "", model: bool = False) -> Receipt:
    """The receipt of an act. twin: the span without it, if it was run; untwinned: why not. model: whether the save was
    run with a language model.
    """
    telling = ReceiptTeller(found)
    result = telling.told()
    if twin is None:
        return Receipt(result, found.since, found.asked, found.until, None, untwinned)
    here = [r for r in found.span if r.stamp.t < found.until]
    there = [r for r in twin.records if r.stamp.t < found.until]
    apart = difference(here, there)
    chain = telling.chain
    came = sum(r.stamp.seq in chain and r.stamp.seq != found.act.stamp.seq for r in apart.a)
    mine = [r for r in apart.a if r.stamp.seq not in chain and r.stamp.seq not in apart.alike_a]
    theirs = [r for r in apart.b if r.stamp.seq not in apart.alike_b]
    for record in there:
        learn(telling.matters, record)
    teller = telling.teller(here)
    sides = _sides((mine, teller), (theirs, telling.teller(there)))
    missed = tuple(clean(f"{event_sentence(m.record, teller)}: {m.why}") for m in twin.missed)
    groups = {
        key: tuple(replace(c, anyway=c.seq in apart.alike_a) for c in lines) for key, lines in result.groups.items()
    }
    luck = Luck(came, *sides, missed, model)
    return Receipt(replace(result, groups=groups), found.since, found.asked, found.until, luck, "")


async def twin_of(save: SaveReader, found: ReceiptFacts) -> Twin:
    """The span without the act. Raises SaveError."""
    others = [r for r in among(found.span) if r.stamp.seq != found.act.stamp.seq]
    with explain_unfitting(save.path):
        return await live_without(save, found.act, others, found.span, found.until)


def why_no_twin(found: ReceiptFacts, asked_for: bool | None, model: bool) -> str:
    """Why the span is not run without the act, "" if it is. asked_for: the player's choice, None = none."""
    if asked_for is False:
        return "it was not asked for"
    if not found.by_hand:
        return f"event {found.act.stamp.seq} was not done by hand, so it would happen again in the same day"
    if found.until < found.since:
        return "it has not taken effect yet"
    return BY_MODEL if model and not asked_for else ""


def _sides(*of: tuple[Sequence[Record], Teller]) -> tuple[SpanSide, SpanSide]:
    """The differences of each side, most important first: each sentence once, and none that both sides have."""
    told_of: list[dict[str, AftermathLine]] = []
    for records, teller in of:
        lines: dict[str, AftermathLine] = {}
        for record in records:
            at, e = record
            weighed = STORIES[type(e)].weighed(teller, e, at)
            if weighed is not None:
                text = event_sentence(record, teller)
                lines.setdefault(text, AftermathLine(at.seq, at.t, text, weighed.weight, ()))
        told_of.append(lines)
    both = told_of[0].keys() & told_of[1].keys()
    here, there = (
        SpanSide(len(records), tuple(_heaviest(line for text, line in lines.items() if text not in both)))
        for (records, _), lines in zip(of, told_of, strict=True)
    )
    return here, there


def _heaviest(lines: Iterable[AftermathLine]) -> list[AftermathLine]:
    return sorted(lines, key=lambda c: (-c.weight, c.t, c.seq))[:HEAVIEST]
