"""What has been said: by whom, to whom, and how often the town has heard it. Made from the log, as memories are."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Annotated

import msgspec

from sandbox.core.clock import DAY
from sandbox.people.impressions import Amount, Impression, Impressions

SAID, TOLD = 700, 24  # variants of a person, and memories told by one to another, that are kept
A_DAY = 0.85  # of what has been heard is left in the ear after a day
FORGOTTEN = 1e-4  # what has been heard no more than so often leaves no trace


class SavedSpeech(msgspec.Struct, frozen=True, array_like=True):
    """What has been said, as it is kept beside a log. told: (speaker, listener, memories); left: (who, with whom, what
    is left, at which second, what the last talk gave); usual, given: as in `Impressions`, under_way; the rest as in
    `SpeechHistory`.
    """

    said: dict[str, dict[str, int]]
    told: list[tuple[str, str, list[int]]]
    lines: dict[str, list[tuple[str, str]]]
    day: Annotated[int, msgspec.Meta(ge=0)]
    heard: dict[str, dict[str, float]]
    left: list[tuple[str, str, Amount, int, Amount]]
    usual: dict[str, Amount]
    given: dict[str, dict[str, float]]

    def check(self, people: Collection[str], now: int) -> None:
        """Raise ValueError if this is not what can have been said in such a town by then."""
        spoke = {*self.said, *(a for a, _, _ in self.told), *(b for _, b, _ in self.told)}
        spoke.update(who for said in self.lines.values() for who, _ in said)
        spoke.update(who for a, b, *_ in self.left for who in (a, b))
        spoke.update(self.usual, *self.given.values())
        seconds = [t for said in self.said.values() for t in said.values()] + [t for _, _, _, t, _ in self.left]
        if not spoke <= {*people} or any(not 0 <= t < now for t in seconds) or self.day * DAY > now:
            raise ValueError("what was said is not of this time or town")
        if any(len(said) > SAID for said in self.said.values()) or any(len(ids) > TOLD for _, _, ids in self.told):
            raise ValueError("somebody has said more than is kept")
        if not all(math.isfinite(n) and n >= 0 for times in self.heard.values() for n in times.values()):
            raise ValueError("something was heard impossibly often")
        if not all(map(math.isfinite, (x for given in self.given.values() for x in given.values()))):
            raise ValueError("a talk gives what none can give")


class SpeechHistory:
    """What has been said, so that nobody says it again too soon.

    said: person -> variant of a line -> second they last said it, oldest first. told: (speaker, listener) -> ids of the
    speaker's memories told to them, oldest first. lines: talk under way -> (who, words) so far. impressions: what the
    talks have left with those who had them.
    """

    __slots__ = ("_day", "_heard", "impressions", "lines", "said", "told")

    def __init__(self) -> None:
        self.said: dict[str, dict[str, int]] = {}
        self.told: dict[tuple[str, str], list[int]] = {}
        self.lines: dict[str, list[tuple[str, str]]] = {}
        self.impressions = Impressions()
        self._day = 0
        self._heard: dict[str, dict[str, float]] = {}  # line -> variant -> times, as that counts on that day

    @classmethod
    def of(cls, said: SavedSpeech) -> SpeechHistory:
        """What had been said when that was kept."""
        out = cls()
        out.said, out.lines, out._day, out._heard = said.said, said.lines, said.day, said.heard
        out.told = {(a, b): ids for a, b, ids in said.told}
        out.impressions.left = {(a, b): Impression(value, t, last) for a, b, value, t, last in said.left}
        out.impressions.usual, out.impressions.under_way = said.usual, said.given
        return out

    def state(self) -> SavedSpeech:
        """What has been said by now, to be kept at once."""
        told = [(a, b, ids) for (a, b), ids in self.told.items()]
        left = [(*pair, *left) for pair, left in self.impressions.left.items()]
        found = self.impressions
        return SavedSpeech(self.said, told, self.lines, self._day, self._heard, left, found.usual, found.under_way)

    def say(self, who: str, to: str, variants: Sequence[str], memory: int, t: int) -> None:
        """Somebody has used these variants, and told a memory (-1 = none)."""
        said = self.said.setdefault(who, {})
        if t // DAY > self._day:
            self._heard, self._day = self.heard(t), t // DAY
        for variant in variants:
            said.pop(variant, None)
            said[variant] = t
            line = variant.rpartition("#")[0]
            times = self._heard.get(line, {})  # changed by none, but replaced: questions share it
            self._heard[line] = {**times, variant: times.get(variant, 0.0) + A_DAY ** (self._day - t // DAY)}
        while len(said) > SAID:
            del said[next(iter(said))]
        if memory >= 0:
            told = self.told.setdefault((who, to), [])
            told.append(memory)
            if len(told) > TOLD:
                del told[0]

    def heard(self, t: int) -> dict[str, dict[str, float]]:
        """Line -> variant -> how often the town has heard it, as that counts at t: less each day."""
        days = t // DAY - self._day
        if not days:
            return self._heard.copy()
        left = A_DAY**days
        found = {
            line: {variant: n * left for variant, n in times.items() if n * left > FORGOTTEN}
            for line, times in self._heard.items()
        }
        return {line: times for line, times in found.items() if times}
