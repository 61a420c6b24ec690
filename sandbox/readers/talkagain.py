"""Lines and decisions run again, from the state just before them and with the same chance, but in another mood or with
other ties: what feelings do to a town's talk.

A moment counts only if the embedded mind, asked again with nothing changed, gives what the log has. So a save made by
another mind has no such measures.

In the same way the words of a talk that was not recorded in words are made on request (`unsaid_lines`).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from sandbox.core.events import Event, Record
from sandbox.core.protocols import Answer, Question
from sandbox.engine.engine import SLICE, Running
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.impressions import Impressions
from sandbox.people.mood import Pad
from sandbox.people.mood_queries import mood_of, rest_of
from sandbox.people.ties import closeness_at
from sandbox.readers.numbers import Measures, share
from sandbox.readers.talks import TalkLine
from sandbox.readers.talkstats import word_tokens
from sandbox.store.errors import explain_unfitting
from sandbox.store.log_reader import MANY
from sandbox.store.read import SaveReader
from sandbox.talk.content import NO_TIE
from sandbox.talk.meeting import accept_question, approach_question, exchange_question
from sandbox.talk.model import Closed, Declined, Exchanged, Opened
from sandbox.talk.question_effects import Appraise, Appraised
from sandbox.talk.question_replies import Accept, Accepted, Respond, Responded
from sandbox.talk.question_wishes import Approach, Approached, Chosen
from sandbox.talk.saying import Said, Say
from sandbox.talk.turns import run_exchanges

CONTENT = ("topic_kind", "stance", "sides", "pressure", "stage", "told")  # keys of a line's context set by its content
Meeting = Opened | Declined
A = TypeVar("A")


class _Prompter:
    """A mind that answers with what the log has, and keeps the questions."""

    def __init__(self, e: Exchanged) -> None:
        self.asked: list[Question] = []
        self._said = iter([Said(line.text, line.variants) for line in e.lines if line.text])
        self._how = Responded(e.answer or "dodge", e.why)

    def reads(self, question: Question) -> bool:
        return False

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        self.asked += questions
        return [self._answer(q) for q in questions]

    def _answer(self, q: Question) -> Answer:
        if isinstance(q, Appraise):
            return Appraised((), "")
        return next(self._said, Said("...")) if isinstance(q, Say) else self._how


class Again(Running):
    """A step run again, in the slice of second t. Events emitted are dropped. e: the exchange to answer from."""

    def __init__(self, w: World, t: int, e: Exchanged | None = None) -> None:
        self.prompter = _Prompter(e or Exchanged("", 0, "", (), ()))
        super().__init__(w, self.prompter)
        while t >= self.end and self.next_slice():
            pass

    def emit(self, event: Event, *, t: int | None = None, actor: str = "", causes: tuple[int, ...] = ()) -> int:
        return 0

    def recall(self, who: str, ids: Sequence[int]) -> None:
        return


class Moments:
    """Runs moments again. lines: numbers of the exchanges whose lines to say again; decisions: (event, type of
    question) to decide again. ties: whether to try opposite ties, too. Call `before` for each record of a step before
    applying it.
    """

    def __init__(self, w: World, lines: set[int], decisions: set[tuple[int, str]], ties: bool = True) -> None:
        self._w, self._ties = w, ties
        self._lines, self._decisions = lines, decisions
        self._mind = EmbeddedMind(w.chance, w.scenario.lines)
        self.said = self.by_mood = self.by_tie = self.taken = self.otherwise = 0
        self._step = self._looked_at = 0
        self._rounds: dict[int, int] = {}

    async def before(self, records: Sequence[Record], at: int) -> None:
        """Take in records[at], with the world as it stands just before; records: of one step."""
        try:
            await self._before(records, at)
        except (KeyError, ValueError):  # made by older rules: it cannot be run again, and does not count
            return

    async def _before(self, records: Sequence[Record], at: int) -> None:
        stamp, e = records[at]
        if stamp.step != self._step:
            self._step = stamp.step
            self._rounds = rounds(self._w, records)
        if isinstance(e, Exchanged) and at in self._rounds:
            for record in records[at : self._rounds[at]]:
                await self._exchange(record)
        elif isinstance(e, Opened | Declined):
            await self._meeting(stamp.seq, stamp.t, stamp.actor, e)

    def stats(self) -> Measures:
        """The shares that changed; None if fewer than half of the moments came out as logged with nothing changed."""
        said = self.said if 2 * self.said >= self._looked_at else 0
        taken = self.taken if 2 * self.taken >= len(self._decisions) else 0
        return {
            "changed_by_mood": share(self.by_mood, said),
            "changed_by_tie": share(self.by_tie, said if self._ties else 0),
            "decisions_changed_without_emotion": share(self.otherwise, taken),
        }

    # ---- lines

    async def _exchange(self, record: Record) -> None:
        stamp, e = record
        again, answering = stamp.seq in self._lines, (stamp.seq, Respond.__name__) in self._decisions
        if not (again or answering) or not isinstance(e, Exchanged) or len(e.lines) != 2:
            return
        worded = [i for i, line in enumerate(e.lines) if line.text]
        asked = await self._asked(stamp.t, e)
        says = [q for q in asked if isinstance(q, Say)]
        self._looked_at += len(worded) if again else 0
        if again and len(says) == len(worded):
            for at, i in enumerate(worded):
                await self._line(says[at], at, e.lines[i].text, e.lines[1 - i].who, stamp.t, e)
        if answering:
            await self._answer([q for q in asked if isinstance(q, Respond)], stamp.t, e)

    async def _asked(self, t: int, e: Exchanged) -> list[Question]:
        """The questions that the two are asked for this exchange, as the world stands."""
        step = Again(self._w, t, e)
        await run_exchanges(step, self._w, [self._w.talk.open[e.talk]])
        return step.prompter.asked

    async def _line(self, q: Say, i: int, text: str, other: str, t: int, e: Exchanged) -> None:
        """Say a line again, in the opposite mood and with the opposite tie, and count whether its words change."""
        if (await self._ask(q)).text != text:
            return
        with _mood(self._w, {q.who: Pad(*(-x for x in mood_of(self._w, q.who, t)))}, t):
            by_mood = await self._said(_same_content(await self._asked(t, e), q, i))
        by_tie = text
        if self._ties:
            with _tie(self._w, q.who, other, t):
                by_tie = await self._said(_same_content(await self._asked(t, e), q, i))
        self.said += 1
        self.by_mood += word_tokens(by_mood) != word_tokens(text)
        self.by_tie += word_tokens(by_tie) != word_tokens(text)

    async def _said(self, q: Say | None) -> str:
        """The answer to a question; "" if there is no question."""
        return (await self._ask(q)).text if q is not None else ""

    # ---- decisions

    async def _answer(self, asked: Sequence[Respond], t: int, e: Exchanged) -> None:
        async def how() -> str:
            found = [q for q in await self._asked(t, e) if isinstance(q, Respond)]
            return (await self._ask(found[0])).how if found else ""

        if asked:
            was: str = e.answer
            await self._decide(how, was, [line.who for line in e.lines], t)

    async def _meeting(self, seq: int, t: int, actor: str, e: Meeting) -> None:
        a, b = (actor, e.other) if isinstance(e, Opened) else (e.other, actor)
        if (seq, Approach.__name__) in self._decisions:

            async def what() -> tuple[str, str]:
                q = approach_question(self._w, a, b, t)
                wish: Approached = await self._ask(q)
                if not wish.yes:
                    return "", ""
                found: Chosen = await self._ask(exchange_question(q))
                return found.intent, found.aim

            await self._decide(what, (e.intent, e.aim), [a, b], t)
        if (seq, Accept.__name__) in self._decisions:

            async def goes() -> str:
                found: Accepted = await self._ask(accept_question(self._w, a, b, t, e))
                return found.how

            await self._decide(goes, "accept" if isinstance(e, Opened) else e.how, [a, b], t)

    async def _decide(self, decide: Callable[[], Awaitable[A]], was: A, people: Sequence[str], t: int) -> None:
        """Take a decision again and, if it comes out as it was, once more with the people's moods at rest and without
        the impressions of earlier talks; count whether that changes it.
        """
        if await decide() != was:
            return
        with _mood(self._w, {who: rest_of(self._w, who, t) for who in people}, t), _unimpressed(self._w):
            now = await decide()
        self.taken += 1
        self.otherwise += now != was

    async def _ask(self, q: Question) -> Any:
        return (await self._mind.answer([q], self._w.step + 1))[0]


def rounds(w: World, records: Sequence[Record]) -> dict[int, int]:
    """The rounds of exchanges in a step: index of the first record -> index after the last exchange.

    All talks of a round are asked before any of it happens. A talk has one exchange per round, and a round lies within
    one slice.
    """
    out: dict[int, int] = {}
    first, slice_ = -1, -1
    talks: set[str] = set()
    for i, (stamp, e) in enumerate(records):
        if not isinstance(e, Exchanged):
            continue
        now = (stamp.t - w.now) // SLICE
        if first < 0 or e.talk in talks or now != slice_:
            first, slice_ = i, now
            talks.clear()
        talks.add(e.talk)
        out[first] = i + 1
    return out


def _same_content(asked: Sequence[Question], q: Say, i: int) -> Say | None:
    """The i-th `Say` asked, with the content of q: only the speaker's state and manner differ. None if that turn would
    have no words.
    """
    says = [x for x in asked if isinstance(x, Say)]
    if i >= len(says):
        return None
    other = says[i]
    context = {k: v for k, v in other.context.items() if k not in CONTENT}
    context |= {k: v for k, v in q.context.items() if k in CONTENT}
    return msgspec.structs.replace(other, moves=q.moves, context=context, slots=q.slots)


@contextmanager
def _unimpressed(w: World) -> Iterator[None]:
    """Hide the impressions that earlier talks left, for the duration of a block."""
    spoken = w.memories.spoken
    kept, spoken.impressions = spoken.impressions, Impressions()
    try:
        yield
    finally:
        spoken.impressions = kept


@contextmanager
def _mood(w: World, moods: dict[str, Pad], t: int) -> Iterator[None]:
    """Put people in these moods for the duration of a block."""
    kept = {who: w.people.residents[who].mood for who in moods}
    for who, pad in moods.items():
        w.people.residents[who].mood = msgspec.structs.replace(kept[who], pad=pad, t=t, causes=[])
    try:
        yield
    finally:
        for who, mood in kept.items():
            w.people.residents[who].mood = mood


@contextmanager
def _tie(w: World, who: str, to: str, t: int) -> Iterator[None]:
    """Turn a tie into its opposite for the duration of a block: closeness 1 - x, and the feeling negated."""
    row = w.people.ties.setdefault(who, {})
    kept = row.get(to)
    tie = kept or NO_TIE
    day = w.clock.day(t)
    close = closeness_at(tie, day, w.tie_parameters)
    row[to] = msgspec.structs.replace(tie, closeness=1.0 - close, feeling=-tie.feeling, day=day)
    try:
        yield
    finally:
        if kept is None:
            del row[to]
        else:
            row[to] = kept


async def replay_steps(
    save: SaveReader, world: World, moved: Callable[[int, int], None]
) -> AsyncIterator[list[Record]]:
    """The events of each step, with the world as it stands before the first of them; the caller must apply them."""
    records: list[Record] = []
    for after in range(world.seq, save.last_seq, MANY):
        for row in await save.rows(after, min(after + MANY, save.last_seq)):
            if records and row.step != records[0].stamp.step:
                yield await _catch_up(save, world, records)
                records = []
            records.append(save.machine.decode(row))
        moved(after, save.last_seq)
    if records:
        yield await _catch_up(save, world, records)


async def _catch_up(save: SaveReader, world: World, records: list[Record]) -> list[Record]:
    """Advance the world to just before the step of these records, over steps without events. Returns the records; who
    calls applies them and advances over their own step. Raises ValueError if that step does not come after the world's,
    a step up to it is missing from the save, or an event lies outside it.
    """
    step = records[0].stamp.step
    if step <= world.step or (
        step > world.step + 1 and len(await save.steps(world.step + 1, step)) < step - world.step
    ):
        raise ValueError(f"step {step} does not come after step {world.step}")
    for quiet in range(world.step + 1, step):
        world.advance(quiet)
    end = world.now + world.step_seconds
    if not all(world.now <= record.stamp.t < end for record in records):
        raise ValueError(f"an event of step {step} lies outside it")
    return records


# ---- the words of a talk that was not recorded in words: nobody remembers them, and they have no effect


async def unsaid_lines(save: SaveReader, id: str, step: int) -> list[TalkLine]:
    """What the two would have said. id: of the talk; step: the one in which it began. Raises SaveError."""
    world = await save.seek(step - 1)
    world.memories.live = True
    await world.memories.catch_up(save, world.seq)
    mind = EmbeddedMind(world.chance, world.scenario.lines)
    out: list[TalkLine] = []
    heard: dict[str, int] = {}  # variant used so far -> second; none is used twice
    with explain_unfitting(save.path):
        async for records in replay_steps(save, world, lambda done, of: None):
            starts = rounds(world, records)
            for at, record in enumerate(records):
                for later in records[at : starts.get(at, at)]:
                    if isinstance(later.event, Exchanged) and later.event.talk == id:
                        out += await _said(mind, world, later, later.event, heard)
                if isinstance(record.event, Closed) and record.event.talk == id:
                    return out
                world.apply(record)
            world.advance(records[0].stamp.step)
    return out


async def _said(mind: EmbeddedMind, w: World, record: Record, e: Exchanged, heard: dict[str, int]) -> list[TalkLine]:
    """The lines of one exchange, as logged or as they would have been; adds the variants used to `heard`."""
    at = record.stamp
    if e.in_words:
        return [TalkLine(at.seq, at.t, x.who, x.text, x.move, x.valence, "") for x in e.lines if x.text]
    step = Again(w, at.t, e)
    await run_exchanges(step, w, [w.talk.open[e.talk]], aloud=True)
    told: dict[str, str] = {}
    just = Said("")
    for q in step.prompter.asked:
        if isinstance(q, Say):
            answers = just.variants[-1] if just.variants else ""
            to = replace(q, just=just.text, answers=answers, avoid={**q.avoid, **heard})
            (answer,) = await mind.answer([to], w.step + 1)
            if isinstance(answer, Said):
                just, told[q.who] = answer, answer.text
                heard |= dict.fromkeys(answer.variants, at.t)
    why = {x.who: e.why for x in e.lines if not e.aim and x.who != at.actor}  # what made it another reply
    return [
        TalkLine(at.seq, at.t, x.who, told[x.who], x.move, x.valence, "", why=why.get(x.who, ()))
        for x in e.lines
        if x.who in told
    ]
