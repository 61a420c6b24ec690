"""What talks leave: the impression of the other (docs/mechanisms.md, Memory), and what has been said.

An impression is the pleasure or displeasure of talks with them beyond what one is used to, and it fades. It is
directed: each of the two has their own. Like memories, both are built from the log.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, NamedTuple

import msgspec

from sandbox.core.clock import DAY
from sandbox.people.mood import clip, fade
from sandbox.people.persona import Persona

Amount = Annotated[float, msgspec.Meta(ge=-1, le=1)]
USUAL_PLEASURE, HABIT = 0.06, 0.1  # pleasure of an ordinary talk, and the rate at which a person's own average follows
GRUDGE = 1.5  # half-life in days of a sore impression, for average traits
MINUTES = DAY / 60.0  # of a day
STAYS = 0.5  # share of the old impression kept after a further talk; a sore one stays whole unless that talk pleased
WARM, SORE = 0.12, -0.04  # from (or down to) which an impression is called warm (or sore)


class Impression(NamedTuple):
    """The impression's value at second t. last: pleasure of the most recent talk."""

    value: float
    t: int
    last: float = 0.0


class Remains(NamedTuple):
    """A noticeable impression. how: warm or sore; value: in [-1, 1]; t: second at which the last talk ended; last:
    whether that talk was itself warm or sore; until: second from which it is no longer noticeable.
    """

    how: str
    value: float
    t: int
    last: bool
    until: int


class Impressions:
    """left: (person, partner) -> impression. usual: person -> average pleasure of their talks (default USUAL_PLEASURE).
    under_way: talk -> person -> the pleasure it has given them so far.
    """

    __slots__ = ("left", "under_way", "usual")

    def __init__(self) -> None:
        self.left: dict[tuple[str, str], Impression] = {}
        self.usual: dict[str, float] = {}
        self.under_way: dict[str, dict[str, float]] = {}

    def exchange(self, talk: str, given: Mapping[str, float]) -> None:
        """Add the pleasure that one exchange of a talk gave each person."""
        so_far = self.under_way.setdefault(talk, {})
        for who, pleasure in given.items():
            so_far[who] = so_far.get(who, 0.0) + pleasure

    def close(self, talk: str, who: Sequence[str], cast: Mapping[str, Persona], t: int) -> None:
        """Turn an ended talk into impressions on both sides. cast: personas, whose traits set how fast they fade."""
        given = self.under_way.get(talk, {})
        for me, other in (who, who[::-1]):
            if me in given:
                before = self.at(me, other, cast, t)
                if before > 0.0 or given[me] > 0.0:
                    before *= STAYS
                self.left[me, other] = Impression(clip(before + self.went(talk, me)), t, clip(given[me]))
        for me, pleasure in given.items():
            usual = self.usual.get(me, USUAL_PLEASURE)
            self.usual[me] = usual + HABIT * (clip(pleasure) - usual)
        self.under_way.pop(talk, None)

    def at(self, me: str, other: str, cast: Mapping[str, Persona], t: int) -> float:
        """My impression of the other at second t, in [-1, 1]: above 0 warm, below 0 sore."""
        found = self.left.get((me, other))
        return 0.0 if found is None else found.value * fade(t - found.t, impression_half_life(cast[me], found.value))

    def went(self, talk: str, me: str) -> float:
        """How a talk under way has gone for me so far: its displeasure, or its pleasure beyond my average talk; 0 if
        it was merely mild.
        """
        given = self.under_way.get(talk, {}).get(me, 0.0)
        return clip(given if given < 0.0 else max(0.0, given - self.usual.get(me, USUAL_PLEASURE)))

    def told(self, me: str, other: str, cast: Mapping[str, Persona], t: int) -> str:
        """The impression as a word for lines and briefs; "" also if the last talk was not of that kind."""
        how = word(self.at(me, other, cast, t))
        found = self.left.get((me, other))
        return how if found is not None and (found.last > 0.0) == (how == "warm") and found.last else ""

    def remains(self, me: str, other: str, cast: Mapping[str, Persona], t: int) -> Remains | None:
        """The noticeable impression at second t, or None."""
        value = self.at(me, other, cast, t)
        how = word(value)
        if not how:
            return None
        halves = math.log2(value / (WARM if value > 0.0 else SORE))
        until = t + int(halves * impression_half_life(cast[me], value) * 60.0)
        return Remains(how, value, self.left[me, other].t, bool(self.told(me, other, cast, t)), until)

    def partners(self, me: str) -> list[str]:
        """The people of whom I have an impression, by id."""
        return sorted(other for who, other in self.left if who == me)


def impression_half_life(persona: Persona, value: float) -> float:
    """Half-life of an impression in minutes: a day; for a sore one longer, the more neurotic and the less agreeable the
    person is.
    """
    if value >= 0.0:
        return MINUTES
    return MINUTES * GRUDGE * float(2.0 ** ((persona.big_five.neuroticism - persona.big_five.agreeableness) / 2.0))


def word(value: float) -> str:
    """The word for an impression's value: warm, sore or ""."""
    return "warm" if value >= WARM else "sore" if value <= SORE else ""


# ---- what has been said: by whom, to whom, and how often the town has heard it


SAID_KEPT, TOLD_KEPT = 700, 24  # variants of a person, and memories told by one to another, that are kept
A_DAY = 0.85  # share of a hearing that still counts a day later
FORGOTTEN = 1e-4  # least count of hearings that is kept


class SavedSpeech(msgspec.Struct, frozen=True, array_like=True):
    """A speech history as it is kept beside a log. told: (speaker, listener, memories); left: (who, with whom, what is
    left, at which second, what the last talk gave); usual, given: as `usual` and `under_way` in `Impressions`; the rest
    as in `SpeechHistory`.
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
        """Raise ValueError unless all of it can have been said in this town before second `now`."""
        spoke = {*self.said, *(a for a, _, _ in self.told), *(b for _, b, _ in self.told)}
        spoke.update(who for said in self.lines.values() for who, _ in said)
        spoke.update(who for a, b, *_ in self.left for who in (a, b))
        spoke.update(self.usual, *self.given.values())
        seconds = [t for said in self.said.values() for t in said.values()] + [t for _, _, _, t, _ in self.left]
        if not spoke <= {*people} or any(not 0 <= t < now for t in seconds) or self.day * DAY > now:
            raise ValueError("what was said is not of this time or town")
        most_said, most_told = map(len, self.said.values()), (len(ids) for _, _, ids in self.told)
        if max(most_said, default=0) > SAID_KEPT or max(most_told, default=0) > TOLD_KEPT:
            raise ValueError("somebody has said more than is kept")
        if not all(math.isfinite(n) and n >= 0 for times in self.heard.values() for n in times.values()):
            raise ValueError("something was heard impossibly often")
        if not all(map(math.isfinite, (x for given in self.given.values() for x in given.values()))):
            raise ValueError("a talk gives what none can give")


class SpeechHistory:
    """What has been said, so that nobody says it again too soon; and the impressions that talks have left.

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
        """The history that was saved."""
        out = cls()
        out.said, out.lines, out._day, out._heard = said.said, said.lines, said.day, said.heard
        out.told = {(a, b): ids for a, b, ids in said.told}
        out.impressions.left = {(a, b): Impression(value, t, last) for a, b, value, t, last in said.left}
        out.impressions.usual, out.impressions.under_way = said.usual, said.given
        return out

    def state(self) -> SavedSpeech:
        """The history as it is saved. It shares its parts with the history, so encode it at once."""
        told = [(a, b, ids) for (a, b), ids in self.told.items()]
        left = [(*pair, *left) for pair, left in self.impressions.left.items()]
        found = self.impressions
        return SavedSpeech(self.said, told, self.lines, self._day, self._heard, left, found.usual, found.under_way)

    def say(self, who: str, to: str, variants: Sequence[str], memory: int, t: int) -> None:
        """Note that somebody has used these variants of lines, and told the other a memory (-1 = none)."""
        said = self.said.setdefault(who, {})
        if t // DAY > self._day:
            self._heard, self._day = self.heard(t), t // DAY
        for variant in variants:
            said.pop(variant, None)
            said[variant] = t
            line = variant.rpartition("#")[0]
            times = self._heard.get(line, {})  # changed by none, but replaced: questions share it
            self._heard[line] = {**times, variant: times.get(variant, 0.0) + A_DAY ** (self._day - t // DAY)}
        while len(said) > SAID_KEPT:
            del said[next(iter(said))]
        if memory >= 0:
            told = self.told.setdefault((who, to), [])
            told.append(memory)
            if len(told) > TOLD_KEPT:
                del told[0]

    def heard(self, t: int) -> dict[str, dict[str, float]]:
        """Line -> variant -> how often the town has heard it by second t; each hearing counts less each day."""
        days = t // DAY - self._day
        if not days:
            return self._heard.copy()
        left = A_DAY**days
        found = {
            line: {variant: n * left for variant, n in times.items() if n * left > FORGOTTEN}
            for line, times in self._heard.items()
        }
        return {line: times for line, times in found.items() if times}
