"""What the lines of a town say: whether they cite an event, cite it correctly, and are new to the listener.

A line cites an event if its words hold a memory ({recall}, {third_fact}), what a pressure is about ({matter}, {cause}),
a rumour ({rumour}) or, when speaking of something read, what that was about ({topic}). The citation is false if a slot
of the line holds other words than the speaker's memory, the pressure, or the event's `told` gives for it; {when} and
{third} beside them are checked, too.

A line is new the first time its listener hears, from anybody: that memory, unless they have it themselves; what a
pressure is about, unless they know; a rumour, unless they believe it already; and from that speaker: an answer to a
request; a view on a topic; a plan for that day; a named liking, worry or occasion. At most KNOWN such things are kept
for each listener, the latest. Lines in a speaker's own words (from another mind) cite what the log says they tell;
whether that is correct cannot be checked.
"""

from __future__ import annotations

import re

from sandbox.core.events import Stamp
from sandbox.people.beliefs import BeliefUpdate, fact_sentence, substitute_names
from sandbox.people.matter_model import ASKED
from sandbox.people.matters import fact_forms, matter_facts
from sandbox.people.memory_stream import Memory
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.ties import pair_key
from sandbox.readers.matter_talk import Jokes, MatterTalk
from sandbox.readers.numbers import Measures, share
from sandbox.readers.talkstats import word_tokens
from sandbox.talk.content import plan_words, when_it_was
from sandbox.talk.lines import FOLLOWED, STANCES, LineBook, witty_variants
from sandbox.talk.model import Exchanged, HasTalk, Utterance
from sandbox.talk.pressure_aims import matter_told
from sandbox.talk.rumours import known_fact
from sandbox.talk.saying import slot_words
from sandbox.talk.subjects import remembers_same, told_here

KNOWN, SHOWN = 500, 10  # things kept for each listener; false lines kept as examples
MEMORY, PRESSURE, RUMOUR = ("recall", "third_fact"), ("matter", "cause"), ("rumour",)  # slots that cite
FACT = ("fact", "denied", "asked", "to_do", "more")  # those that cite a fact of a matter
READ = ("topic",)  # slots that cite something read
BESIDE = ("when", "third")  # slots that are checked if the line cites
OPINIONS = ("opinion", "agree", "disagree")  # moves that give a view on a topic
OWN = ("vent", "worry", "small_talk", "answer_about", "tell_plans")  # moves that name a topic of the speaker's own
PLANNED = ("tell_plans", "preclose", "bye")  # moves that mention a plan
_SLOT = re.compile(r"\{(\w+)\}")


class TalkFacts:
    """Checks every exchange, with the world as it stands before it. false_ones: the first SHOWN false lines."""

    def __init__(self, book: LineBook) -> None:
        self.lines = self.new = self.cites = self.false = 0
        self.framed = False
        self.false_ones: list[str] = []
        self.matters = MatterTalk()
        self.jokes = Jokes(witty_variants(book.lines))
        self._grammar = {name: {s for v in ways for s in _SLOT.findall(v.say)} for name, ways in book.slots.items()}
        self._slots = {f"{x.id}#{i}": set(_SLOT.findall(say)) for x in book.lines for i, say in enumerate(x.say)}
        self._known: dict[str, dict[str, None]] = {}

    def read(self, w: HasTalk, stamp: Stamp, e: Exchanged) -> None:
        """Take in an exchange of two people. Raises KeyError for somebody who does not live there."""
        if len(e.lines) != 2:
            return
        lead = e.lines[0]
        recalled = w.memories.streams[lead.who].node(lead.memory) if lead.memory >= 0 else None
        press = w.pressures.open.get(e.aim or e.over or _stays(w, e))
        self.matters.read(e, press)
        self.jokes.read(w, stamp, e)
        rows = {row.source: row for row in e.told}
        for line, to in zip(e.lines, (e.lines[1].who, lead.who), strict=True):
            if not line.text:
                continue
            self.lines += 1
            self.framed = self.framed or bool(line.variants)
            row = rows.get(line.who)
            memory = w.memories.streams[line.who].node(line.memory) if line.memory >= 0 else recalled
            filled = _filled(w, stamp.t, line, to, lead, memory, press) | _facts_filled(w, line, to)
            if row is not None:
                filled |= _said(w, row, press)
            filled = {slot: slot_words(w, line.who, to, slot, text) for slot, text in filled.items()}
            read = READ if memory is not None and memory.kind == "read" and line is lead else ()
            found, wrong = self._cited(line, filled, bool(e.aim), read)
            self.cites += bool(found)
            self.false += wrong
            if wrong and len(self.false_ones) < SHOWN:
                self.false_ones.append(line.text)
            facts = _told(w, stamp.t, line, lead, to, found, memory, press, filled)
            if row is not None and row.strength and not _holds(w, row):
                facts.append(f"rumour {row.fact} {row.slots}")
            if e.answer and line is not lead:
                facts.append(f"answer {line.who} {e.aim} {e.do} {e.answer}")
            self.new += self._learns(to, facts)

    def stats(self) -> Measures:
        """The measures: two shares of lines, and the number of false citations (None if they cannot be checked)."""
        return {
            "new_to_listener": share(self.new, self.lines),
            "cites_event": share(self.cites, self.lines),
            "false_citations": self.false if self.framed or not self.lines else None,
            **self.matters.figures(),
            **self.jokes.figures(),
        }

    def _cited(
        self, line: Utterance, filled: dict[str, str], pressed: bool, read: tuple[str, ...] = ()
    ) -> tuple[set[str], bool]:
        """The slots by which a line cites something, and whether a slot holds other words than it should. read: slots
        that cite something read.
        """
        if not line.variants:
            return {MEMORY[0]} if line.memory >= 0 else {PRESSURE[0]} if pressed else set(), False
        named = set().union(*(self._slots.get(v, ()) for v in line.variants))
        text = _spelt(line.text)
        holds = {slot for slot, said in filled.items() if said and _spelt(said) in text}
        found = {
            slot
            for slot in (*MEMORY, *PRESSURE, *RUMOUR, *FACT, *read)
            if slot in named or slot in holds & self._within(named)
        }
        wrong = any(slot in named and slot not in holds for slot in (*found, *BESIDE)) if found else False
        return found, wrong

    def _within(self, named: set[str]) -> set[str]:
        """These slots and all that their grammars may use."""
        found, open_ = set(named), list(named)
        while open_:
            for name in self._grammar.get(open_.pop(), ()):
                if name not in found:
                    found.add(name)
                    open_.append(name)
        return found

    def _learns(self, who: str, told: list[str]) -> bool:
        """Whether any of this is new to somebody; from now on they know it."""
        known = self._known.setdefault(who, {})
        new = False
        for fact in told:
            new = new or fact not in known
            known.pop(fact, None)
            known[fact] = None
        while len(known) > KNOWN:
            del known[next(iter(known))]
        return new


def _stays(w: HasTalk, e: Exchanged) -> str:
    """The pressure that an exchange without an aim of its own still follows, or ""."""
    talk = w.talk.open.get(e.talk)
    return talk.aim if talk is not None and (e.lead in FOLLOWED or e.lead in STANCES) else ""


def _facts_filled(w: HasTalk, line: Utterance, to: str) -> dict[str, str]:
    """What the slots of a line hold that tells facts of a matter, or asks for one."""
    forms = []
    for name in line.facts:
        matter, _, key = name.removeprefix(ASKED).rpartition("/")
        p = w.pressures.open.get(matter)
        fact = matter_facts(w, p).get(key) if p is not None else None
        if p is None or fact is None:
            return {}
        forms.append(fact_forms(w, p, fact, line.who, to))
    out = {slot: text for slot, text in forms[0]._asdict().items() if slot in FACT} if forms else {}
    return out | ({"more": forms[1].fact} if forms[1:] else {})


def _filled(
    w: HasTalk, t: int, line: Utterance, to: str, lead: Utterance, memory: Memory | None, press: ActivePressure | None
) -> dict[str, str]:
    """What the slots of a line hold if it is correct."""
    out = {"plan": plan_words(w, line.who, t)}
    if memory is not None and memory.kind == "read":
        third = w.handbook.name(memory.about[0]) if memory.about else ""
        out |= {"topic": memory.topic, "when": when_it_was(w, memory.t, t), "third": third}
    elif memory is not None:
        text = told_here(w, memory.text, line.who, to, t)
        where = text.partition(w.handbook.doing(memory.topic))[2]
        third = w.handbook.name(memory.about[0]) if memory.about else ""
        fact = w.handbook.past(memory.topic) + where
        out |= {"recall": text, "third_fact": fact, "when": when_it_was(w, memory.t, t), "third": third}
    if press is not None:
        out |= matter_told(w, press, line.who, to)
        if about := line.about or lead.about:
            out["third"] = w.handbook.name(about)
    return out


def _said(w: HasTalk, row: BeliefUpdate, press: ActivePressure | None) -> dict[str, str]:
    """What the slots of a line hold that passes on a rumour or a lie."""
    fact = known_fact(w, row.fact)
    out = {"rumour": fact_sentence(w, fact, row.slots, row.source)}
    if press is None or row.lie:
        out["third"] = w.handbook.name(row.b if row.a == row.who else row.a)
    if press is None:
        out["cause"] = substitute_names(w, fact, row.slots, fact.cause)
    return out


def _holds(w: HasTalk, row: BeliefUpdate) -> bool:
    """Whether somebody already believes what they are told."""
    mine = w.beliefs.held.get(row.who, {}).get(row.fact)
    return mine is not None and mine.slots == row.slots


def _told(
    w: HasTalk, t: int, line: Utterance, lead: Utterance, to: str, cited: set[str], memory: Memory | None,
    press: ActivePressure | None, filled: dict[str, str],
) -> list[str]:  # fmt: skip
    """What a line tells its listener: a key for each thing, to see whether it is new."""
    out = []
    if (
        memory is not None
        and (line is lead or line.memory >= 0)
        and not cited.isdisjoint((*MEMORY, *READ))
        and not remembers_same(w, to, memory)
    ):
        out.append(f"memory {w.clock.day(memory.t)} {memory.text}")
    out += [f"fact {name}" for name in line.facts if name not in w.matters.shared.get(pair_key(line.who, to), ())]
    if press is not None and not _in_on(w, press, to):
        out += [f"pressure {press.id} {slot}" for slot in PRESSURE if slot in cited]
    topic = line.topic or lead.topic
    if line.move in OPINIONS and topic:
        out.append(f"view {line.who} {topic}")
    if line.move in OWN and line.topic:
        out.append(f"topic {line.who} {topic}")
    if line.move in PLANNED and _spelt(filled["plan"]) in _spelt(line.text):
        out.append(f"plan {line.who} {w.clock.day(t)} {filled['plan']}")
    return out


def _in_on(w: HasTalk, p: ActivePressure, who: str) -> bool:
    """Whether somebody knows what a pressure is about: they hold it, were told, or it is openly between the two."""
    return who == p.holder or who in p.known_by or (who == p.about and (w.drama.kinds[p.kind].mutual or p.stage >= 2))


def _spelt(text: str) -> str:
    """Only the words of a text, lower case and without apostrophes, for comparing."""
    return " ".join(word_tokens(text)).replace("'", "").replace("’", "")
