"""What measures are computed from: one replica's save, and values that several measures share, each computed on first
use.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple, TypeVar, cast

from sandbox.core.clock import HOUR, Clock
from sandbox.core.plain import shown_as
from sandbox.engine.briefing import persona_summary
from sandbox.engine.world import World
from sandbox.lab.carryover import SAME_MOOD, CarryOver, CarryoverPair, Talked, carry_over, carryover_pairs
from sandbox.lab.diagnostics import LEAST, FeelingNetwork, Feelings, feeling_gains, feeling_network, feelings_shape
from sandbox.lab.networks import Report
from sandbox.people.mood import Pad
from sandbox.people.mood_queries import mood_of
from sandbox.policy.toxicity import insults
from sandbox.readers.all_stories import event_counts
from sandbox.readers.measures import EVENTS, DramaStats
from sandbox.readers.talk_measures import measure_save
from sandbox.readers.talks import OpenTalks, TalkStory
from sandbox.store.player import relive
from sandbox.store.read import SaveReader
from sandbox.store.save import Save
from sandbox.talk.model import Exchanged, HasTalk, Opened
from sandbox.talk.sentiment import sentiment

T = TypeVar("T")
Values = dict[str, float | None]


class SaveReading(NamedTuple):
    """The content of a save. people: in cast order. hours: feelings at the start and at the end of each simulated hour.
    moods: everybody's, at the start and at the end of each step. talks: in the order they began. counts: of events, by
    the names of stories (`readers/story.py`).
    """

    people: tuple[str, ...]
    hours: list[Feelings]
    moods: list[list[Pad]]
    talks: list[Talked]
    counts: Counter[str]


class JudgeMaterial(NamedTuple):
    """What a judge may know of a replica. people: id -> name, and persona as given to an actor. talks: as in
    SaveReading.
    """

    clock: Clock
    people: dict[str, tuple[str, str]]
    talks: list[Talked]


async def hear(save: SaveReader) -> JudgeMaterial:
    """Read only the talks of a save. Raises SaveError."""
    world = await save.beginning()
    talks = OpenTalks(world.handbook)
    for record in await save.records((Opened.KIND, Exchanged.KIND), 0, save.last_seq):
        talks.take(record)
    people = {p.id: (p.name, persona_summary(p)) for p in world.cast.values()}
    return JudgeMaterial(world.clock, people, [*map(_talked, talks.stories.values())])


async def read(save: SaveReader) -> SaveReading:
    """Replay the log of a save and collect what experiments need. Raises SaveError."""
    hours: list[Feelings] = []
    moods: list[list[Pad]] = []
    stories: dict[str, TalkStory] = {}
    talks: OpenTalks | None = None
    counts: Counter[str] = Counter()
    people: tuple[str, ...] = ()
    async for world, records in relive(save):
        people = people or tuple(world.cast)
        talks = talks or OpenTalks(world.handbook)
        moods.append([mood_of(cast(HasTalk, world), who, world.now) for who in people])
        if world.now >= len(hours) * HOUR:
            hours.append(_feelings(world))
        for record in records:
            if (story := talks.take(record)) is not None:
                stories[story.id] = story
            for what, n in event_counts(record.event):
                counts[what] += n
    return SaveReading(people, hours, moods, [*map(_talked, stories.values())], counts)


def _talked(story: TalkStory) -> Talked:
    return Talked(story.who, [(line.who, line.text) for line in story.lines], story.since)


def _feelings(world: World) -> Feelings:
    return {(u, v): tie.feeling for u, row in world.people.ties.items() for v, tie in row.items()}


class Material:
    """A save, each part of which is read on first use. path: of its file. Methods that read it raise SaveError."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __repr__(self) -> str:
        return shown_as(
            self, str(self.path), ".lines, .heard, .hours, .drama, .talk and others, each read as it is asked for"
        )

    def _of(self, reader: Callable[[SaveReader], Awaitable[T]]) -> T:
        async def opened() -> T:
            async with await Save.open(self.path, read_only=True) as save:
                return await reader(save)

        return asyncio.run(opened())

    @cached_property
    def reading(self) -> SaveReading:
        """The replayed save."""
        return self._of(read)

    @cached_property
    def talk(self) -> dict[str, Any]:
        """The measures of `sandbox talk`, except changes of ties."""

        async def stats(save: SaveReader) -> dict[str, Any]:
            return (await measure_save(save, lambda done, of: None, ties=False)).stats

        return self._of(stats)

    @cached_property
    def drama(self) -> dict[str, Any]:
        """The counts of `sandbox drama`."""

        async def counts(save: SaveReader) -> dict[str, Any]:
            found = DramaStats(await save.beginning())
            found.read(await save.records(EVENTS, 0, save.last_seq))
            return found.whole(found.days(save.now), save.now)

        return self._of(counts)

    @cached_property
    def answered(self) -> int:
        """Calls of models that gave an answer."""
        return self._of(lambda save: save.answered())

    @cached_property
    def hours(self) -> list[FeelingNetwork]:
        """The networks at the start and at the end of each hour."""
        return [feeling_network(self.reading.people, hour) for hour in self.reading.hours]

    @cached_property
    def made(self) -> list[FeelingNetwork]:
        """The networks of feelings gained during the run: as if everybody had begun at 0."""
        return [
            feeling_network(self.reading.people, feeling_gains(self.reading.hours[0], x), LEAST)
            for x in self.reading.hours
        ]

    @cached_property
    def form(self) -> Report:
        """The shape of the final network without weights (`networks.SHAPE`)."""
        return feelings_shape(self.reading.people, self.reading.hours[-1])

    @cached_property
    def met_again(self) -> list[CarryoverPair]:
        """Ends of meetings paired with beginnings of the next, two lines each."""
        return carryover_pairs(self.reading.talks, sentiment)

    @cached_property
    def carry(self) -> CarryOver:
        """The carry-over of sentiment to the next meeting."""
        return carry_over(self.met_again)

    @cached_property
    def carry_partner(self) -> CarryOver:
        """The carry-over due to the partner, not to the mood of the hour."""
        return carry_over(self.met_again, SAME_MOOD)

    @cached_property
    def carry_all(self) -> CarryOver:
        """The carry-over computed from all lines."""
        return carry_over(carryover_pairs(self.reading.talks, sentiment, lines=0))

    @cached_property
    def lines(self) -> list[str]:
        """The text of every line."""
        return [text for talk in self.reading.talks for _, text in talk.lines]

    @cached_property
    def heard(self) -> list[float]:
        """The sentiment of each line."""
        return [sentiment(text) for text in self.lines]

    @cached_property
    def toxic(self) -> list[bool]:
        """Whether each line is toxic."""
        return [insulting(text) for text in self.lines]

    @cached_property
    def moods(self) -> list[Sequence[Pad]]:
        """The mood of each person at each moment."""
        return [*zip(*self.reading.moods, strict=True)]

    @cached_property
    def intensity(self) -> float:
        """Intensity of mood, mean over people and steps."""
        return fmean(math.sqrt(p.p * p.p + p.a * p.a + p.d * p.d) for pads in self.reading.moods for p in pads)

    @cached_property
    def moved(self) -> float:
        """The change of a feeling from start to end, mean of absolute values over ties."""
        return fmean(abs(w) for w in feeling_gains(self.reading.hours[0], self.reading.hours[-1]).values())


# ---- lines that insult somebody: an insult of our own list in a line of negative sentiment (talk/sentiment.py) that
# addresses somebody. It is not the Perspective API, and the numbers are not comparable.

NEGATIVE = -0.05  # VADER's threshold of a negative text
NEAR = 4  # words after the word of address within which an insult counts
_YOU = re.compile(r"(?:you|your|yours|yourself|you['’](?:re|ve|ll|d))")
_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*")


def insulting(text: str) -> bool:
    """Whether a line has an insult, negative sentiment and the second person, the insult at most four words after
    "you".
    """
    words = _WORD.findall(text.lower())
    found = [i for i, word in enumerate(words) if word in insults()]
    meant = any(_YOU.fullmatch(word) for i in found for word in words[max(0, i - NEAR) : i])
    return meant and sentiment(text) <= NEGATIVE
