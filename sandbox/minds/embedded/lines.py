"""Choosing a line and putting it into words (spec/dialogue.md, layers 3 and 4).

A line holds if all its criteria hold; it scores by how specific it is, by the speaker's voice, and loses for
having been used. Slots
are small grammars; those the engine fills are facts and never invented here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sandbox.core.chance import Stream
from sandbox.minds.embedded import voices
from sandbox.people.memory import worn
from sandbox.talk.lines import FILLED, Line, LineBook, Variant
from sandbox.talk.questions import Said, Say

_SLOT = re.compile(r"\{(\w+)\}")
_SENTENCE = re.compile(r"(^|[.!?…]\s+[\"']?)([a-z])")
SIDES = ("same", "opposed")
NEAR = 1.6
TEMPERATURE = 0.55
SAID_BEFORE, SAID_HALF = 8.0, 1200.0  # what a variant loses for having been said, and the minutes in which that halves
COOLING = 2.0  # what a line loses while any of its variants is younger than its cooldown
ROUSED = 0.65  # arousal from which somebody exclaims
WEAR, SPENT = 0.9, 10.0  # what a variant loses each time it is heard, and once it has been heard too often
SELDOM, OFTEN, CIVIL = 3, 6, frozenset(("greet", "preclose", "bye"))  # how often a day that is
VOICED = 1.3  # what a line of one's own voice is worth
FITTING = {"after": 5.0, "do": 5.0, "age": 5.0, "mood": 1.15, "tie": 1.0}  # what a criterion is worth that holds
FITS = 0.55  # and any other
INSTEAD = {
    "ask_on": "ask_about",
    "tell_on": "answer_about",
    "be_glad": "small_talk",
    "be_glad_back": "small_talk_back",
    "turn_aside": "dodge",
}
TURN = 0.3  # how often one says that one comes to something else
SUBJECT, NAMED = frozenset(("matter", "cause", "topic", "recall")), 1.2  # what a line gains that names what it is about


class Choice(NamedTuple):
    """One variant of one line, ready to be weighed. needs: filled slots it cannot do without; named: what it gains for
    naming its subject, in an answer and where it leads.
    """

    key: str
    text: str
    needs: tuple[str, ...]
    named: tuple[float, float]


class Offer(NamedTuple):
    """A line, ready to be tried. when: what of its criteria is still open; base: specificity + weight."""

    line: Line
    when: tuple[tuple[str, tuple[str, ...]], ...]
    base: float
    choices: tuple[Choice, ...]


class Way(NamedTuple):
    """One way to fill a slot, ready to be tried. needs: filled slots it cannot do without."""

    text: str
    when: tuple[tuple[str, tuple[str, ...]], ...]
    needs: tuple[str, ...]


def _way(v: Variant) -> Way:
    return Way(v.say, _criteria(v.when), tuple(name for name in _SLOT.findall(v.say) if name in FILLED))


def tired(times: float, move: str) -> float:
    """What a variant loses for having been heard in town so often: a little at first, then nearly all."""
    often = OFTEN if move in CIVIL else SELDOM
    return WEAR * times + (SPENT if times > often - 0.5 else 0.0)


def _criteria(when: dict[str, tuple[str, ...]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(("sides" if k == "stance" and v[0] in SIDES else k, v) for k, v in when.items())


class Speaker:
    """The line book, bucketed by move."""

    def __init__(self, book: LineBook) -> None:
        self._slots = book.slots
        self._ways = {name: [_way(v) for v in variants] for name, variants in book.slots.items()}
        self._buckets: dict[str, list[Offer]] = {}
        self._open: dict[tuple[str, str, str, tuple[str, ...]], list[Offer]] = {}
        deep = {name: self._deep(name, ()) for name in book.slots}
        for line in book.lines:
            base = sum(FITTING.get(key, FITS) for key in line.when) + line.weight
            base += VOICED if line.registers else 0.0
            choices = []
            for i, text in enumerate(line.say):
                names = set(_SLOT.findall(text))
                needs = {n for n in names if n in FILLED}
                for n in names & set(deep):
                    needs |= deep[n]
                named = NAMED * ("recall" in needs), NAMED * (not SUBJECT.isdisjoint(needs))
                choices.append(Choice(f"{line.id}#{i}", text, tuple(sorted(needs)), named))
            offer = Offer(line, _criteria(line.when), base, tuple(choices))
            self._buckets.setdefault(line.move, []).append(offer)

    def _deep(self, slot: str, above: tuple[str, ...]) -> set[str]:
        """The filled slots that every way of filling a grammar slot needs."""
        ways = []
        for v in self._slots[slot]:
            needs: set[str] = set()
            for name in _SLOT.findall(v.say):
                if name in FILLED:
                    needs.add(name)
                elif name in self._slots and name not in above:
                    needs |= self._deep(name, (*above, slot))
            ways.append(needs)
        return set.intersection(*ways) if ways else set()

    def say(self, q: Say, chance: Stream) -> Said:
        """The turn: a line for each move, joined. Raises KeyError for a move without lines."""
        parts, used = [], []
        for move in q.moves:
            choice = self._choose(q, move if move in self._buckets else INSTEAD.get(move, move), chance)
            used.append(choice.key)
            parts.append(self._realise(choice.text, q, chance))
        if (
            q.context.get("turns") == "true"
            and "turn" in self._ways
            and chance.unit() < TURN
            and not voices.marked(parts[-1], q)
        ):
            parts[-1] = voices.begun(parts[-1], self._variant(self._ways["turn"], q, chance))
        else:
            parts[-1] = voices.habit(parts[-1], q, chance)
        text = " ".join(parts)
        if q.moves[-1] in ("greet", "small_talk", "opinion", "bye") and q.catchphrase and chance.unit() < 0.02:
            text = f"{text} {q.catchphrase}"
        return Said(_form(text, q), tuple(used))

    def _choose(self, q: Say, move: str, chance: Stream) -> Choice:
        context, slots, avoid, heard = q.context, q.slots, q.avoid, q.heard
        leads = q.n % 2 == 0  # who comes with something says what it is
        found: list[Choice] = []
        scores: list[float] = []
        for line, when, base, choices in self._offers(move, q):
            for key, allowed in when:
                if context.get(key) not in allowed:
                    break
            else:
                said = [avoid[c.key] for c in choices if c.key in avoid] if avoid else ()
                if said and min(said) < line.cooldown:
                    base -= COOLING
                for c in choices:
                    if c.needs and not all(map(slots.get, c.needs)):
                        continue
                    score = base + c.named[leads]
                    if (often := heard.get(c.key)) is not None:
                        score -= tired(worn(often, q.t), move)
                    if said and (since := avoid.get(c.key)) is not None:
                        score -= SAID_BEFORE * float(0.5 ** (since / SAID_HALF))
                    found.append(c)
                    scores.append(score)
        if not found:
            raise KeyError(f"no line for {move} with {sorted(slots)}")
        top = max(scores)
        near = [(c, s) for c, s in zip(found, scores, strict=True) if s >= top - NEAR]
        return chance.softmax([c for c, _ in near], [s for _, s in near], TEMPERATURE)

    def _offers(self, move: str, q: Say) -> list[Offer]:
        """What somebody of that voice, age and nature can say as that move; none of that changes in a day."""
        age = q.context.get("age", "")
        found = self._open.get((move, q.voice, age, q.traits))
        if found is None:
            found = self._open[move, q.voice, age, q.traits] = []
            for x in self._buckets[move]:
                own = {"age": {age}, "trait": set(q.traits)}
                fits = all(not own[key].isdisjoint(allowed) for key, allowed in x.when if key in own)
                if fits and (not x.line.registers or q.voice in x.line.registers):
                    when = tuple(c for c in x.when if c[0] not in own)
                    found.append(x if len(when) == len(x.when) else x._replace(when=when))  # most are kept once
        return found

    def _realise(self, text: str, q: Say, chance: Stream) -> str:
        chosen: dict[str, str] = {}

        def fill(match: re.Match[str]) -> str:
            name = match[1]
            if name not in chosen:
                own = voices.own(name, q, chance)
                if own:
                    chosen[name] = own
                elif name in self._slots:
                    chosen[name] = _SLOT.sub(fill, self._variant(self._ways[name], q, chance))
                else:
                    chosen[name] = q.slots.get(name, "")
            return chosen[name]

        return _SLOT.sub(fill, text)

    @staticmethod
    def _variant(ways: list[Way], q: Say, chance: Stream) -> str:
        fitting: list[str] = []
        for way in ways:
            if way.when and not all(
                any(t in allowed for t in q.traits) if key == "trait" else q.context.get(key) in allowed
                for key, allowed in way.when
            ):
                continue
            if way.needs and not all(map(q.slots.get, way.needs)):
                continue
            fitting += [way.text] * (3 if way.when else 1)
        return chance.choice(fitting) if fitting else ""


def _form(text: str, q: Say) -> str:
    """Form follows state: capitals, single spaces; a roused speaker exclaims, a low and calm one trails off."""
    text = " ".join(text.split())
    text = text.replace(" ,", ",").replace(",,", ",").replace("..", ".").replace(",.", ".")
    text = _SENTENCE.sub(lambda m: m[1] + m[2].upper(), text)
    p, a, _ = q.pad
    if text.endswith(".") and not text.endswith(".."):
        if a > ROUSED:
            text = text[:-1] + "!"
        elif p < -0.35 and a < 0.1:
            text = text[:-1] + "…"
    return text
