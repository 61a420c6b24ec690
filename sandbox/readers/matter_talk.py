"""Whether talk over a matter says what it is about: facts told, asked, taken up by the answer, in the matter's words.

Counted are lines with words that lead over a pressure that is open. A fact is new to a pair the first time either tells
it to the other, or asks for it. Words of the matter are those of its cause, names and common words apart:
nobody who writes a statement is told to use them, so that facts put under another matter show there.
"""

from __future__ import annotations

import re

from sandbox.core.events import Stamp
from sandbox.people.matter_model import ASKED
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.ties import pair_key
from sandbox.readers.numbers import Measures, share
from sandbox.talk.content import BAD_NEWS, WORST_RUMOUR, talk_stake
from sandbox.talk.lines import SORRY
from sandbox.talk.model import Exchanged, HasTalk

LETTERS = 5  # first letters by which two words count as the same
_COMMON = """
    about after again another anybody anything because before being could every everybody first found going having
    itself maybe might never nobody nothing other ought people quite really right shall should since somebody
    something still thing things think those though three through today under until where which while whole whose
    without word words would years
"""
COMMON = frozenset(_COMMON.split())
_WORD = re.compile(r"(?<![\w'’])[a-z][a-z'’-]{4,}")  # five letters or more, no name


def stems(text: str) -> frozenset[str]:
    """The uncommon words of a text, in lower case and without names, by their first letters."""
    return frozenset(word[:LETTERS] for word in _WORD.findall(text) if word not in COMMON)


class MatterTalk:
    """Counts leading lines over a matter, and the answers to those that tell or ask a fact."""

    def __init__(self) -> None:
        self.led = self.new = self.bearing = self.answered = self.taken = 0
        self._shared: set[tuple[str, str]] = set()

    def read(self, e: Exchanged, press: ActivePressure | None) -> None:
        """Take in an exchange. press: the open pressure it is about, if any."""
        lead, *answers = e.lines
        if press is None or not lead.text:
            return
        pair = pair_key(lead.who, answers[0].who) if answers else lead.who
        self.led += 1
        self.new += any((pair, fact) not in self._shared for fact in lead.facts)
        self.bearing += not stems(lead.text).isdisjoint(stems(press.cause))
        self._shared.update((pair, fact) for line in e.lines for fact in line.facts)
        if lead.facts and answers and answers[0].text:
            self.answered += 1
            keys = {fact.removeprefix("?") for fact in lead.facts}
            self.taken += any(fact.removeprefix("?") in keys for fact in answers[0].facts)

    def figures(self) -> Measures:
        """Shares of leading lines, and of answers."""
        return {
            "new_fact": share(self.new, self.led),
            "matter_words": share(self.bearing, self.led),
            "fact_taken_up": share(self.taken, self.answered),
        }


GRAVE = 0.5  # stake from which a joke is out of place


class Jokes:
    """Counts the lines that joke, of all from the line book and of those said where much is at stake. witty: keys of
    the variants that joke.
    """

    def __init__(self, witty: frozenset[str]) -> None:
        self.said = self.joked = self.grave = self.misplaced = 0
        self._witty = witty

    def read(self, w: HasTalk, stamp: Stamp, e: Exchanged) -> None:
        """Take in an exchange, with the world as it stands before it."""
        talk = w.talk.open.get(e.talk)
        if talk is None:
            return
        told = next((fact for line in e.lines for fact in line.facts), "").removeprefix(ASKED)
        over = told.rpartition("/")[0] or e.aim or e.over
        news = [row.bad / WORST_RUMOUR for row in e.told] + [BAD_NEWS for line in e.lines if line.move == SORRY]
        stake = max([talk_stake(w, talk, over, stamp.t), *news])
        for line in e.lines:
            if line.text and line.variants:
                jokes = not self._witty.isdisjoint(line.variants)
                self.said += 1
                self.joked += jokes
                self.grave += stake >= GRAVE
                self.misplaced += jokes and stake >= GRAVE

    def figures(self) -> Measures:
        """Shares of lines."""
        return {"misplaced_jokes": share(self.misplaced, self.grave), "jokes": share(self.joked, self.said)}
