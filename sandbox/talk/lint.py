"""Faults of a line book that its loader does not see: lines that can never be said, unused slots, questions where no
answer follows, and lines that sound alike; and where they stand in the files. Pure rules.

A line is said in a situation (`situations.py`); a variant that fits no situation of its move is dead.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from sandbox.core.faults import Faults, Level
from sandbox.core.textfiles import MappingReader, Value, open_yaml
from sandbox.people.mood import Pad
from sandbox.people.pressure_deck import DramaDeck
from sandbox.talk.content import place_word, relation, spoken_mood
from sandbox.talk.lines import (
    ASKS,
    DEED,
    FILLED,
    PERSON,
    PHRASE_KINDS,
    ROWS,
    SIDES,
    SLOT,
    SUM,
    THINGS,
    BookLine,
    LineBook,
)
from sandbox.talk.model import HasTalk
from sandbox.talk.situations import SITUATED, Situation, situations
from sandbox.talk.speaker import SUBJECTS

BETWEEN = ("turn",)  # slots used between lines
CROWD, FEW = 300, 10  # cast size above which relations are skipped; people whose places are sampled
ALIKE, MOST_PAIRS = 4, 20  # run of words two variants may not share, and most pairs reported
MEND = "change it or take it out"
DEALT, IN_DECK = ("pressure", "stage", "claim"), " in this world's drama deck"  # criteria that depend on the deck
ARTICLES = "a|an|the|this|these|those|my|your|his|her|our|their|some|any|no|every|each"
_ONE = frozenset(PHRASE_KINDS) - {THINGS}
_STARTS = r"(?:^|[.:;,!?] |\b(?:and|but|because|that|if|when|since|while|as) )"  # where a clause may begin
AGREE = (  # kinds of phrases, and a pattern of words that only these agree with
    (
        _ONE,
        _STARTS
        + r"{slot} (?:is|isn't|was|wasn't|has|hasn't|does|doesn't|gets|goes|comes|looks|makes|takes|needs|wants)\b",
    ),
    (frozenset((THINGS,)), _STARTS + r"{slot} (?:are|aren't|were|weren't|have|haven't|do|don't)\b"),
    (frozenset((DEED,)), r"\b(?:caught|busy) {slot}(?=[,.;:!?]|$)"),
    (frozenset((PERSON,)), r"\b(?:marry|invite|hug|greet|meet) {slot}"),
    (frozenset((SUM,)), r"\b(?:owe|pay|lend|cost|costs) (?:\w+ )?{slot}"),
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
Places = dict[tuple[str, int], Value]


class LintFinding(NamedTuple):
    """A finding. of: a line's id, or "$" and a slot's name; i: its variant, or -1 for all; message: the fault and its
    fix.
    """

    of: str
    i: int
    message: str
    level: Level = "error"


class People(NamedTuple):
    """What the people of a world can be. kinds: voice and traits of each; set: criterion -> values that occur."""

    kinds: tuple[tuple[str, tuple[str, ...]], ...]
    set: dict[str, frozenset[str]]


def people_of(w: HasTalk) -> People:
    """The people of a world. In a large cast, relations are not compared pairwise, and none is reported as missing."""
    cast = tuple(w.cast.values())
    found = {"trait": frozenset(t for p in cast for t in p.traits)}
    if len(cast) <= CROWD:
        found["with"] = frozenset(relation(a, b) for a in cast for b in cast if a is not b)
    seen = {place_word(w, p.id, address) for p in cast[:FEW] for address in w.map.areas} | {"home", "street"}
    found["place"] = frozenset(seen | {"work"} if any(p.work for p in cast) else seen)
    return People(tuple((p.voice, p.traits) for p in cast), found)


def lint(book: LineBook, drama: DramaDeck, people: People) -> Iterator[LintFinding]:
    """All findings, lines first, in the order of the book."""
    reach = situations(drama)
    moods = _moods()
    for line in book.lines:
        yield from _said(line, reach.get(line.move, []), moods)
        yield from _unset(line.id, -1, line.when, people)
        yield from _unvoiced(line, people)
        yield from _agree(line)
        if line.move not in ASKS:
            for i, text in enumerate(line.say):
                if "?" in text:
                    yield LintFinding(line.id, i, f'asks, but the move "{line.move}" waits for no answer; take "?" out')
    yield from _answers(book)
    yield from _slots(book, people)
    yield from _alike(book.lines)


def _answers(book: LineBook) -> Iterator[LintFinding]:
    """Questions that no line answers for everybody, and answers to questions that no line asks."""
    asked: dict[str, set[str]] = {}  # answering move -> the keywords it is asked for
    for line in book.lines:
        if line.asks:
            replies = ROWS[line.move].answers
            for move in replies:
                asked.setdefault(move, set()).add(line.asks)
            told = [x for x in book.lines if x.move in replies and line.asks in x.when.get("asked", ())]
            if not any(not x.registers and len(x.when) == 1 for x in told):
                mend = f"add a line with `move: {replies[0]}` and `when: {{asked: {line.asks}}}`" if replies else MEND
                yield LintFinding(line.id, -1, f'asks for "{line.asks}", which not everybody can answer; {mend}')
    for line in book.lines:
        for key in line.when.get("asked", ()):
            if key not in asked.get(line.move, ()):
                yield LintFinding(
                    line.id, -1, f'is never said: nothing that "{line.move}" answers asks for "{key}"; {MEND}'
                )


def _said(line: BookLine, reach: list[Situation], moods: set[tuple[str, str]]) -> Iterator[LintFinding]:
    """Lines and variants that can never be said."""
    when = line.when
    stance = when.get("stance", ())
    if 0 < sum(v in SIDES for v in stance) < len(stance):
        yield LintFinding(line.id, -1, "stance mixes for or against with same or opposed; make two lines of it")
    felt = [(m, a) for m in when.get("mood", ()) for a in when.get("arousal", ())]
    if felt and moods.isdisjoint(felt):
        words = f"mood {_or(when['mood'])} with arousal {_or(when['arousal'])}"
        yield LintFinding(line.id, -1, f"is never said: nobody has {words}; take one out")
    if when.get("tie") == ("stranger",) and when.get("first_today") == ("false",):
        yield LintFinding(line.id, -1, "is never said: who has talked today is no stranger; take one out")
    other = [k for k in ("topic_kind", "stance") if k in when and "pressure" not in when[k]]
    if other and any(k in when for k in DEALT):
        words = f"what presses with {other[0]} {_or(when[other[0]])}"
        yield LintFinding(line.id, -1, f"is never said: no turn is about {words}; take one out")
        return
    if not reach:
        yield LintFinding(line.id, -1, f'is never said: nothing leads to the move "{line.move}"')
        return
    asked = {k: v for k, v in when.items() if k in SITUATED}
    fits = [s for s in reach if _fits(s, asked)]
    if not fits:
        alone = [k for k, v in asked.items() if not any(_fits(s, {k: v}) for s in reach)]
        words = " with ".join(f"{k} {_or(asked[k])}" for k in alone[:1] or asked)
        ever = any(_fits(s, {k: v for k, v in asked.items() if k not in DEALT}) for s in reach)
        words += IN_DECK if ever else ""
        here: Level = "warning" if ever else "error"
        yield LintFinding(line.id, -1, f'is never said: the move "{line.move}" never has {words}; {MEND}', here)
        return
    for i, text in enumerate(line.say):
        needs = {name for name in SLOT.findall(text) if name in FILLED}
        if not any(needs <= s.slots for s in fits):
            lacking = sorted(needs - set().union(*(s.slots for s in fits))) or sorted(needs)
            words = " with ".join(f"{{{name}}}" for name in lacking)
            dealt = any(s.has["pressure"] != ("",) for s in fits)
            words += IN_DECK if dealt else ""
            level: Level = "warning" if dealt else "error"
            yield LintFinding(line.id, i, f'is never said: the move "{line.move}" does not fill {words}; {MEND}', level)


def _agree(line: BookLine) -> Iterator[LintFinding]:
    """Variants that do not agree grammatically with every kind of phrase that may fill their slots."""
    takes = frozenset(line.when.get("is", PHRASE_KINDS))
    for i, text in enumerate(line.say):
        for name in SUBJECTS:
            if (article := re.search(rf"\b({ARTICLES}) \{{{name}\}}", text, re.I)) is not None:
                mend = "its phrases bring their own; take it out"
                yield LintFinding(line.id, i, f'has "{article[1]}" before {{{name}}}: {mend}')
            for kinds, words in AGREE:
                wrong = sorted(takes - kinds)
                found = re.search(words.format(slot=rf"\{{{name}\}}"), text) if wrong else None
                if found is not None:
                    said = f'"{found[0].lstrip(" .:;,!?")}" does not agree with a {{{name}}} that is {_or(wrong[:2])}'
                    yield LintFinding(
                        line.id, i, f"{said}; word it otherwise, or take only {_or(sorted(kinds))} (`is`)"
                    )


def _fits(s: Situation, asked: Mapping[str, Collection[str]]) -> bool:
    return all(not set(s.has.get(k, ("",))).isdisjoint(v) for k, v in asked.items())


def _unset(of: str, i: int, when: Mapping[str, tuple[str, ...]], people: People) -> Iterator[LintFinding]:
    """Criterion values that nobody in this world can have."""
    for key, values in when.items():
        lacking = [v for v in values if v not in people.set.get(key, values)]
        if lacking:
            never = "; it is never said here" if len(lacking) == len(values) else ""
            yield LintFinding(of, i, f"nobody of this world ever has {key} {_or(lacking)}{never}", "note")


def _unvoiced(line: BookLine, people: People) -> Iterator[LintFinding]:
    """A register that nobody has, or nobody who also has one of the traits."""
    traits = line.when.get("trait", ())
    voiced = [has for voice, has in people.kinds if voice in line.registers]
    if line.registers and not voiced:
        yield LintFinding(line.id, -1, f"nobody of this world has the register {_or(line.registers)}", "note")
    elif voiced and not people.set["trait"].isdisjoint(traits) and all(set(has).isdisjoint(traits) for has in voiced):
        words = f"register {_or(line.registers)} with trait {_or(traits)}"
        yield LintFinding(line.id, -1, f"nobody of this world has {words}; it is never said here", "note")


def _slots(book: LineBook, people: People) -> Iterator[LintFinding]:
    """Unused slots, and slot entries with a question where the move asks none."""
    uses = {name: {s for v in ways for s in SLOT.findall(v.say)} for name, ways in book.slots.items()}
    moves: dict[str, set[str]] = {}
    for line in book.lines:
        open_ = [s for text in line.say for s in SLOT.findall(text)]
        while open_:
            name = open_.pop()
            if name in uses and line.move not in moves.setdefault(name, set()):
                moves[name].add(line.move)
                open_ += uses[name]
    for name, ways in book.slots.items():
        if name not in moves and name not in BETWEEN:
            yield LintFinding(f"${name}", -1, "no line uses this slot; use it or take it out", "warning")
        for i, v in enumerate(ways):
            yield from _unset(f"${name}", i, v.when, people)
            quiet = sorted(moves.get(name, set()) - ASKS)
            if "?" in v.say and quiet:
                yield LintFinding(f"${name}", i, f'asks, but the move "{quiet[0]}" uses it and waits for no answer')


def _alike(lines: Iterable[BookLine]) -> Iterator[LintFinding]:
    """Pairs of variants that share a run of words (slots apart), longest first."""
    first: dict[tuple[str, ...], tuple[str, int]] = {}
    found: list[tuple[str, int, str, int, list[str]]] = []
    for line in lines:
        for i, text in enumerate(line.say):
            longest: dict[tuple[str, int], list[str]] = {}
            for part in SLOT.split(text)[::2]:
                row = _WORD.findall(part.casefold())
                owners = [
                    first.setdefault(tuple(row[k : k + ALIKE]), (line.id, i)) for k in range(len(row) - ALIKE + 1)
                ]
                for k, owner in enumerate(owners):
                    end = next((m for m in range(k, len(owners)) if owners[m] != owner), len(owners))
                    run = row[k : end + ALIKE - 1]
                    if owner != (line.id, i) and len(run) > len(longest.get(owner, ())):
                        longest[owner] = run
            found += [(line.id, i, *owner, run) for owner, run in longest.items()]
    found.sort(key=lambda f: -len(f[4]))
    for id_, i, other, k, run in found[:MOST_PAIRS]:
        yield LintFinding(id_, i, f'has "{" ".join(run)}" as {other}, variant {k + 1}; word one anew', "note")
    if len(found) > MOST_PAIRS:
        yield LintFinding(
            "", -1, f"{len(found) - MOST_PAIRS} more pairs of variants share {ALIKE} words in a row", "note"
        )


def _moods() -> set[tuple[str, str]]:
    """The combinations of (mood, arousal) that occur, on a grid of tenths."""
    steps = [x / 10.0 for x in range(-10, 11)]
    out = set()
    for p in steps:
        for a in steps:
            arousal = "high" if a > 0.35 else "low" if a < -0.2 else ""
            out |= {(spoken_mood(Pad(p, a, d)), arousal) for d in steps}
    return out


def _or(values: Iterable[str]) -> str:
    return " or ".join(values)


# ---- places of findings


def line_places(files: Iterable[Path], faults: Faults) -> Places:
    """(line's id or "$slot", variant or -1) -> its value, in files read without errors. Later files replace lines of
    the same id and add to slots, as in the book.
    """
    out: Places = {}
    count: dict[str, int] = {}
    for path in files:
        root = MappingReader(open_yaml(path, faults))
        for value in root.items("lines"):
            line = value.mapping()
            ident = line.text("id")
            out[ident, -1] = value
            for i, say in enumerate(line.items("say", single=True)):
                out[ident, i] = say
        for name, value in root.section("slots").entries():
            out.setdefault((f"${name}", -1), value)
            for entry in value.values(single=True):
                i = count[name] = count.get(name, -1) + 1
                out[f"${name}", i] = entry
    return out


def report_findings(found: Iterable[LintFinding], at: Places, faults: Faults, file: str) -> None:
    """Report findings at their places; file: for those without a place."""
    for f in found:
        value = at.get((f.of, f.i)) or at.get((f.of, -1))
        if value is None:
            faults.add(file, 0, 0, f"{f.of}: {f.message}" if f.of else f.message, f.level)
        else:
            value.fault(f"{f.of}: {f.message}", f.level)
