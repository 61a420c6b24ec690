"""Nobody is told in a prompt what somebody else keeps to themselves.

Every question of lived days is written out as a model would get it, and looked through for the words of every pressure
that the one who is asked neither holds, was let into, believes nor has been told of.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pytest
from lived import engine_of, founding, run
from msgspec.structs import replace

from sandbox.core.chance import Chance
from sandbox.core.clock import DAY
from sandbox.core.events import Record, Stamp
from sandbox.core.protocols import Answer, Question
from sandbox.drama.taking_sides import Showdown
from sandbox.engine.briefing import brief
from sandbox.engine.scenario import Scenario
from sandbox.engine.world import World
from sandbox.minds.check import BRIEF, samples
from sandbox.minds.embedded import EmbeddedMind
from sandbox.minds.language_mind import PROMPTS
from sandbox.minds.prompt_form import Offered, messages
from sandbox.minds.prompt_text import word_table
from sandbox.people.asking import make_interview
from sandbox.people.interview_question import Interview
from sandbox.people.mood_queries import describe
from sandbox.people.persona import Persona
from sandbox.people.pressure_model import ActivePressure, Began, Stirred
from sandbox.people.question_plan import PlanDay, React
from sandbox.phones.model import Read
from sandbox.phones.question_use import Draft, UsePhone
from sandbox.phones.question_write import Write
from sandbox.talk.model import Exchanged
from sandbox.talk.question_effects import Summarise
from sandbox.talk.question_replies import Accept, Respond
from sandbox.talk.saying import Say

BY_QUESTION = {prompt.question: prompt for prompt in PROMPTS}

GROUPS = ("ways", "things", "slots", "emotions", "people", "acts", "cards", "drafts", "glosses")
NOTHING: Offered = {group: {} for group in GROUPS}
PLAN = next(q for q in samples() if isinstance(q, PlanDay))
OTHER = next(q.other for q in samples() if isinstance(q, Accept))
INTENTS, EXCHANGES = word_table("ways")["intents"], word_table("ways")["exchanges"]
DRAFT = Draft("gossip", "", {"base": 9.0}, {"base": 1.0})
LEAST = 4  # words that a text must have to be told from what anybody might say


class Leak(NamedTuple):
    kind: str
    who: str
    pressure: str
    line: str


def public(p: Persona) -> str:
    """What a persona says of somebody that others may name: who asks after a trouble knows of it."""
    return "\n".join((p.about, *p.concerns, *p.likes, *p.dislikes, *p.opinions))


class Reader:
    """A mind that has the embedded one answer, and reads questions as a model would get them: one in `every` of each
    type, and all in which somebody comes because of a pressure that the one who is asked does not know of.
    """

    def __init__(self, world: World, every: int = 1) -> None:
        self.world = world
        self.every, self.passed = every, Counter[type[Question]]()
        self.embedded = EmbeddedMind(world.chance, world.scenario.lines)
        self.questions: dict[str, int] = defaultdict(int)
        self.untold: dict[str, int] = defaultdict(int)  # of a pressure that they do not know of, somebody came to them
        self.secrets: set[tuple[str, str]] = set()  # (pressure, who does not know of it)
        self.leaks: list[Leak] = []
        self.checked = 0  # leaks that were found in steps before this one
        self.heard: dict[str, str] = defaultdict(str)
        names = "|".join(re.escape(p.first) for p in world.cast.values())
        self._named = re.compile(rf"\b(?:{names})\b(?:['’]s)?\s*[\w'’]*")  # a name, and the verb that goes with it
        places = [world.handbook.at(area) for area in world.map.areas]
        self._public = "\n".join([*map(public, world.cast.values()), *places]).casefold()
        self._told: dict[str, tuple[str, ...]] = {}

    def reads(self, question: Question) -> bool:
        return False  # what is lived is what is lived without a model

    async def answer(self, questions: Sequence[Question], step: int, wave: int = 0) -> list[Answer]:
        for q in questions:
            self.look(q)
        return await self.embedded.answer(questions, step, wave)

    def look(self, q: Question) -> None:
        """Write a question out, with its brief, and look through it."""
        prompt = BY_QUESTION.get(type(q))
        self.passed[type(q)] += 1
        if prompt is None or (self.passed[type(q)] % self.every and not self.comes_untold(q)):
            return
        t = max(self.world.now, self.world.last.get(q.who, 0))
        if prompt.briefed:
            q = replace(q, brief=brief(self.world, q, "", t)[0])
        self.read(q)
        if isinstance(q, Say):
            self.read(describe(self.world, q.who, t))

    def read(self, q: Any) -> None:
        """Look through a question as it stands."""
        self.questions[type(q).__name__] += 1
        offered = BY_QUESTION[type(q)].offer(q, Chance(1).stream(1, q.who, "x"))
        usable = NOTHING if offered is None or isinstance(offered, Answer) else offered
        text = messages(BY_QUESTION[type(q)], q, usable)[1]["content"].casefold()
        heard = [getattr(q, "just", ""), *(line.text for line in getattr(q, "lines", ()))]
        heard += [getattr(q, "to", ""), *(card.text for card in getattr(q, "cards", ()))]  # what one reads
        if isinstance(q, Write) and q.brief is not None:
            heard += [text for _, text in q.brief.said]
        just = " ".join(heard).casefold()
        for p, words in self.kept_from(q.who):
            self.secrets.add((p.id, q.who))
            if words in text and words not in just and words not in self.heard[q.who]:
                lines = [line for line in text.split("\n") if words in line and self.tells_of(p, line)]
                self.leaks += [Leak(type(q).__name__, q.who, p.id, line) for line in lines[:1]]
        if do := self.comes_untold(q):
            self.untold[type(q).__name__] += 1
            task = text.split("end of data")[1]
            if (EXCHANGES[do] if isinstance(q, Accept) else "it weighs") in task:
                self.leaks.append(Leak(type(q).__name__, q.who, do, task))

    def tells_of(self, p: ActivePressure, line: str) -> bool:
        """Whether a line that has words of a pressure is of that one: the deck has the same words for many that are
        born in play, so theirs must name one of the two.
        """
        cast = p.id in self.world.cast_pressures
        return cast or any(self.world.cast[x].first.casefold() in line for x in (p.holder, p.about) if x)

    def comes_untold(self, q: Question) -> str:
        """What somebody has come for because of a pressure that the one who is asked does not know of; "" if not so."""
        if not isinstance(q, Accept | Respond):
            return ""
        do, other = (q.do, q.other) if isinstance(q, Respond) else (q.intent, q.other.who if q.other else "")
        return "" if do in INTENTS or any(self.shares(q.who, other, do)) else do

    def shares(self, who: str, other: str, do: str) -> Iterator[bool]:
        """Whether one knows of each pressure that may have brought the other to this exchange."""
        w = self.world
        for p in w.pressures.open.values():
            if other in (p.holder, p.about, *p.known_by) and any(way.do == do for way in w.drama.kinds[p.kind].ways):
                about = who == p.about and w.drama.kinds[p.kind].mutual
                yield who == p.holder or who in p.known_by or about

    def kept_from(self, who: str) -> Iterator[tuple[ActivePressure, str]]:
        """What that person does not know of: a pressure and words of it."""
        w = self.world
        facts = [w.beliefs.facts[fact] for fact in w.beliefs.held.get(who, ())]
        believed = {fact.matter for fact in facts}
        knows = {words for fact in facts for text in (fact.stakes, fact.cause) for words in self.words(text)}
        kept: list[tuple[ActivePressure, str]] = []
        for p in w.pressures.open.values():
            about = who == p.about
            whole = who == p.holder or (who in p.known_by and not about) or p.id in believed
            part = about and (w.drama.kinds[p.kind].mutual or who in p.known_by or p.stage >= 2)
            for words in self.words(p.stakes):
                knows.add(words) if whole or part else kept.append((p, words))
            for words in self.words(p.cause):
                knows.add(words) if whole else kept.append((p, words))
        return ((p, words) for p, words in kept if words not in knows)  # what is born in play has words in common

    def words(self, text: str) -> tuple[str, ...]:
        """The longest part of each clause that says it, whoever is "I" or "you" in it."""
        if text not in self._told:
            parts = [max(self._named.split(clause), key=len).strip().casefold() for clause in text.split(", ")]
            self._told[text] = tuple(x for x in parts if len(x.split()) >= LEAST and x not in self._public)
        return self._told[text]

    def saw(self, records: Sequence[Record]) -> None:
        """What is said is known to both; so is what one has come to the other for, and what has ever pressed oneself.
        What two have out before everybody is told to all who are there, before any of them takes a side.
        """
        aired = {(who, e.id) for _, e in records if isinstance(e, Showdown) for who in (*e.speakers, *e.there)}
        read = [(at.actor, e.topic.casefold()) for at, e in records if isinstance(e, Read) and e.topic]
        found = [x for x in self.leaks[self.checked :] if not any(x.who == who and t in x.line for who, t in read)]
        self.leaks[self.checked :] = [leak for leak in found if (leak.who, leak.pressure) not in aired]
        self.checked = len(self.leaks)
        for at, e in records:
            if isinstance(e, Began):
                self.heard[at.actor] += f" {e.stakes} {e.cause}".casefold()
            elif isinstance(e, Exchanged):
                said = " ".join([*(line.text for line in e.lines), e.lines[0].topic]).casefold()
                for line in e.lines:
                    self.heard[line.who] += f" {said}"
            elif isinstance(e, Read):
                self.heard[at.actor] += f" {e.topic}".casefold()
            elif isinstance(e, Stirred):
                for turned in e.feelings:  # who stood by when it was had out, and takes a side
                    self.heard[turned.u] += f" {turned.why.casefold()}" * (turned.u in e.told)


def interviewed(reader: Reader) -> None:
    """Ask everybody after everything that is going on."""
    w = reader.world
    for who in w.cast:
        for p in w.pressures.open.values():
            names = " and ".join(w.handbook.name(x) for x in (p.holder, p.about) if x)
            q = make_interview(w, who, f"What is it with {names}, is it {p.stakes}?", w.now)
            reader.read(replace(q, ask="", brief=brief(w, q, "", w.now)[0]))


def lived(scenario: Scenario, days: int, every: int = 1) -> Reader:
    world = World.found(founding(scenario))
    reader = Reader(world, every)
    engine = engine_of(scenario, reader, world)
    engine.watchers.append(reader.saw)
    run(engine, days * DAY // world.step_seconds)
    interviewed(reader)
    return reader


@pytest.fixture(scope="module")
def first(larkspur: Scenario) -> Reader:
    return lived(larkspur, 1, every=3)


def seen(reader: Reader, days: int) -> None:
    """It has looked through enough for silence to mean something."""
    read = reader.questions
    assert sum(read.values()) > 6000 * days // reader.every
    assert min(read[kind] for kind in ("Say", "Exchange", "Accept", "Interview", "DescribeMood")) > 100
    assert min(read[kind] for kind in ("Respond", "PlanDay", "React", "Reflect", "Focus", "UsePhone", "Write")) > 10
    assert min(reader.untold[kind] for kind in ("Accept", "Respond")) > 6 * days
    assert len(reader.secrets) > 300 * days
    assert len({id for id, _ in reader.secrets}) > 20
    assert len({who for _, who in reader.secrets}) == len(reader.world.cast)


@pytest.mark.slow
def test_no_prompt_of_a_day_holds_what_somebody_else_keeps_to_themselves(first: Reader) -> None:
    seen(first, 1)
    assert first.leaks == []


@pytest.mark.parametrize(
    ("knows", "told"),
    [(False, ("wants to have a word with you.", "")), (True, ("wants to declare love.", "It weighs heavily on them."))],
    ids=["who does not know", "who knows"],
)
def test_what_weighs_on_another_is_told_to_those_alone_who_know_of_it(knows: bool, told: tuple[str, str]) -> None:
    asked = {"brief": BRIEF, "knows": knows}
    comes, speaks = [
        messages(BY_QUESTION[type(q)], q, NOTHING)[1]["content"].split("END OF DATA")[1]
        for q in (
            Accept("ann", other=OTHER, intent="declare", **asked),
            Respond("ann", other="bo", do="declare", intensity=0.9, **asked),
        )
    ]
    assert told[0] in comes
    assert f'"Bo" has come to you to declare love. {told[1]}'.strip() in speaks
    assert ("weighs" in speaks) == knows


@pytest.mark.long
def test_nor_does_one_of_two_days(larkspur: Scenario) -> None:
    reader = lived(larkspur, 2)
    seen(reader, 2)
    assert reader.leaks == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "planted",
    [
        lambda who, text: Say(who, moves=("small_talk",), slots={"name": "x"}, brief=replace(BRIEF, matter=text)),
        lambda who, text: Accept(who, other=OTHER, intent="chat", brief=replace(BRIEF, memories=(text,))),
        lambda who, text: Respond(who, other="bo", do="remind", brief=replace(BRIEF, mood=f"They feel low. {text}.")),
        lambda who, text: React(who, other="bo", brief=replace(BRIEF, now=text)),
        lambda who, text: Say(who, moves=("confide",), slots={"name": "x", "cause": text}, brief=BRIEF),
        lambda who, text: replace(PLAN, who=who, why=text, brief=BRIEF),
        lambda who, text: Summarise(who, other="bo", topics=("pie", text), brief=BRIEF),
        lambda who, text: Interview(who, believes=(text,), brief=BRIEF),
        lambda who, text: Write(who, moves=("post_rumour",), slots={"rumour": text}, brief=BRIEF),
        lambda who, text: Write(who, moves=("subtweet",), brief=replace(BRIEF, matter=text)),
        lambda who, text: UsePhone(who, drafts=(replace(DRAFT, about=text),), brief=BRIEF),
    ],
    ids=["matter", "memory", "mood", "now", "slot", "plan", "topic", "belief", "rumour", "behind it", "draft"],
)
def test_a_secret_in_the_wrong_prompt_would_be_found(
    first: Reader, planted: Callable[[str, str], Question], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first, "leaks", [])
    for who in first.world.cast:
        kept = {p.id: p for p, _ in first.kept_from(who) if first.words(p.cause)}
        assert len(kept) > 5
        p = next(p for p in kept.values() if not any(words in first.heard[who] for words in first.words(p.cause)))
        first.read(planted(who, p.cause))
        assert (who, p.id) in {(leak.who, leak.pressure) for leak in first.leaks}


@pytest.mark.slow
def test_what_one_is_told_is_no_secret(first: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first, "leaks", [])
    p = next(p for p, _ in first.kept_from("mara"))
    first.read(Say("mara", moves=("small_talk",), slots={"name": "x"}, brief=BRIEF, just=f"You know, {p.cause}."))
    first.read(Say(p.holder, moves=("small_talk",), slots={"name": "x"}, brief=replace(BRIEF, matter=p.cause)))
    assert first.leaks == []


@pytest.mark.slow
def test_what_has_pressed_oneself_is_no_secret_once_it_is_over(first: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two matters of one card of the deck have its words in common, and one of them may have ended."""
    for name, value in (("leaks", []), ("checked", 0), ("heard", defaultdict(str, first.heard))):
        monkeypatch.setattr(first, name, value)
    kept, heard = first.kept_from("mara"), first.heard["mara"]
    p = next(p for p, words in kept if words not in heard and words in p.cause.casefold())
    asked = Say("mara", moves=("small_talk",), slots={"name": "x"}, brief=replace(BRIEF, matter=p.cause))
    first.read(asked)
    assert p.id in {leak.pressure for leak in first.leaks}
    first.leaks.clear()
    ended = Began("ended", p.kind, p.about, p.intensity, p.stage, -1, "", p.cause, "", ())
    first.saw([Record(Stamp(1, 0, 0, "mara", ()), ended)])
    first.read(asked)
    assert first.leaks == []
