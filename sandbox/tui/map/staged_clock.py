"""How a script goes on by a clock: words typed at reading pace, then the next; a key goes on at once."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.readers.scripts import Beat, SceneScript
from sandbox.tui.view.speech import READ, READ_A_CHARACTER

PACE = {"slow": 1.6, "normal": 1.0, "fast": 0.6, "max": 0.35}  # of reading time, by the speed one has set


class Playing:
    """Where a script is. at: the number of the beat; one after the last is what came of it.

    clock: seconds on the wall; still: no typing, words stand there at once; speed: a key of PACE.
    """

    def __init__(
        self, script: SceneScript, clock: Callable[[], float], still: bool = False, speed: str = "normal"
    ) -> None:
        self.script, self.still = script, still
        self._clock, self._pace = clock, PACE.get(speed, 1.0)
        self._since = clock()
        self.at = 0

    @property
    def beat(self) -> Beat | None:
        """What is said or done now; None at the end."""
        return self.script.beats[self.at] if self.at < len(self.script.beats) else None

    @property
    def over(self) -> bool:
        """Whether what came of it is shown."""
        return self.beat is None

    @property
    def letters(self) -> int:
        """How many letters of the beat's words are there by now."""
        beat = self.beat
        if beat is None:
            return 0
        if self.still or not beat.spoken:
            return len(beat.text)
        return min(len(beat.text), int((self._clock() - self._since) / (READ_A_CHARACTER * self._pace)))

    def beat_on(self) -> bool:
        """Go to the next beat if the time to read this one is over; whether it was."""
        beat = self.beat
        if beat is None:
            return False
        if self._clock() - self._since < (READ + READ_A_CHARACTER * len(beat.text)) * self._pace:
            return False
        self.next()
        return True

    def next(self) -> bool:
        """Go to the next beat; whether there is one, or the end, to go to."""
        if self.beat is None:
            return False
        self.at, self._since = self.at + 1, self._clock()
        return True

    def moods(self) -> dict[str, str]:
        """Everybody's mood by now, as far as the script knows it."""
        out = dict(self.script.moods)
        for beat in self.script.beats[: self.at + 1]:
            out.update(beat.moods)
        if self.over:
            out.update(self.script.after)
        return out

    def moods_before(self) -> dict[str, str]:
        """The same before the beat that is on."""
        out = dict(self.script.moods)
        for beat in self.script.beats[: self.at]:
            out.update(beat.moods)
        return out

    def sides(self) -> dict[str, list[str]]:
        """Who has taken which side by now, in the order in which they did."""
        out: dict[str, list[str]] = {}
        for beat in self.script.beats[: self.at + 1]:
            if beat.side and beat.who not in out.setdefault(beat.side, []):
                out[beat.side].append(beat.who)
        return out
