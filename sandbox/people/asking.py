"""Builds an interview: a question from outside the town to a person, with everything the person can answer it from.

Only what they know is in it, and asking leaves no trace: no memory counts as having come to mind.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from sandbox.core.clock import DAY
from sandbox.core.text import clean, content_words, mid_sentence
from sandbox.people.asking_life import as_said, life
from sandbox.people.beliefs import FIRSTHAND, Belief, current_beliefs, fact_sentence, strength_at
from sandbox.people.goal_handlers import HasGoals
from sandbox.people.handbook import DUTY, LEISURE
from sandbox.people.interview_question import Interview, Recollection
from sandbox.people.matters import fact_forms, facts_known_to
from sandbox.people.memory import retrieve
from sandbox.people.memory_stream import Memory
from sandbox.people.model import Block
from sandbox.people.mood_queries import describe, mood_of
from sandbox.people.planning import block_at, usual_blocks
from sandbox.people.pressure_deck import HUSHED
from sandbox.people.pressure_handlers import HasPressures
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at, pressures_between
from sandbox.people.ties import closeness_at
from sandbox.people.wording import is_own_deed, lately, myself

LETTERS = 300  # most characters of a question
# Most of each in an interview: memories, of them of the people named, beliefs, nearest people, planned blocks.
MEMORIES, OF_NAMED, BELIEFS, NEAREST, AHEAD = 12, 7, 5, 3, 3
FEW_WORDS = 2  # least words that a question shares with the matter it is about
TEXT_LENGTH = 140  # most characters of a memory or a belief
EVEN, TORN = "neither for nor against them", "of two minds about them"
FAR = 0.15  # change of feeling by one event that is enough to turn indifference into liking or dislike
FEELINGS = (
    (0.7, "devoted to them"),
    (0.4, "fond of them"),
    (0.15, "glad of them"),
    (-0.15, EVEN),
    (-0.4, "wary of them"),
    (-0.7, "bitter about them"),
    (-9.0, "unable to stand the sight of them"),
)
_EMPTY = frozenset(("new", "going", "think", "feel", "know", "what", "about", "today", "yesterday", "tell", "like"))
_DAYS = (("the day before yesterday", 2, 2), ("yesterday", 1, 1), ("last night", 0, 1), ("today", 0, 0),
         ("this morning", 0, 0), ("this afternoon", 0, 0), ("this evening", 0, 0))  # fmt: skip


def clean_question(ask: str) -> str:
    """The question as one line without control codes, cut to LETTERS characters."""
    return clean(ask, LETTERS)


def make_interview(
    w: HasGoals, who: str, ask: str, t: int, mood: str = "", n: int = 0, matters: Collection[str] = ()
) -> Interview:
    """The interview question `ask` to person `who` at second t. mood: a paragraph on how they feel. n: number that
    tells questions of one step apart. matters: ids of the pressures it is about. A question too long is cut.
    """
    ask = clean_question(ask)
    persona = w.cast[who]
    people, which = w.handbook.named(ask, persona.speech.calls)
    named = tuple(other for other in people if other != who)
    found = _memories(w, who, ask, named, t)
    held = _beliefs(w, who, ask, named, t)
    of_matter = _matter(w, who, matters, t)
    held = [*of_matter, *(one for one in held if one not in of_matter)]
    ahead, tomorrow = _ahead(w, who, t), _tomorrow(w, who, t)
    plan = "; ".join(
        part for part in (", then ".join(ahead), f"tomorrow: {', then '.join(tomorrow)}" if tomorrow else "") if part
    )
    about = dict.fromkeys((*named, *(p for m in found for p in m.about)))
    return Interview(
        who=who,
        n=n,
        now=t,
        ask=ask,
        persona=persona,
        mood=mood,
        memories=tuple(recollection(w, m, t) for m in found),
        believes=tuple(text for text, _ in held),
        heard=tuple(source for _, source in held),
        feelings=_feelings(w, who, named, t),
        plan=clean(plan, 2 * TEXT_LENGTH),
        felt=describe(w, who, t),
        about=named,
        topic=_best(ask, persona.opinions),
        matter=of_matter[0][0] if of_matter else "",
        facts=_facts(w, who, ask, matters),
        pressed=_pressed(w, who, t),
        ahead=ahead,
        tomorrow=tomorrow,
        names={p: w.handbook.name(p) for p in about if p in w.cast},
        life=life(w, who, named, t),
        name=w.handbook.name(who),
        own=who in people,
        which=which,
    )


def _best(ask: str, matters: Iterable[str]) -> str:
    """The matter that shares the most words with a question, "" if none shares any."""
    asked = set(content_words(ask)) - _EMPTY
    shared = {matter: len(asked.intersection(content_words(matter))) for matter in matters}
    best = max(shared, key=lambda matter: shared[matter], default="")
    return best if best and shared[best] else ""


# ---- memories


def _memories(w: HasPressures, who: str, ask: str, named: Sequence[str], t: int) -> list[Memory]:
    """The memories a question brings to mind: those of the people it names first, only of the days it names if it
    names any. Does not count as recalling them.
    """
    stream = w.memories.streams[who]
    mood = mood_of(w, who, t)
    low = ask.lower()
    span = _span(w, low, t)
    texts: set[str] = set()
    among = []
    for m in reversed(stream):
        whole = m.t <= t and (m.kind in ("chat", "thought") or is_own_deed(m)) and m.form != "words" and not private(m)
        if whole and m.text not in texts and (span is None or span[0] <= w.clock.day(m.t) <= span[1]):
            texts.add(m.text)
            among.append(m)
    among.reverse()
    theirs = [m for m in among if not set(named).isdisjoint(m.about)]
    found = retrieve(stream, ask, t, mood, w.memory_parameters, OF_NAMED, theirs) if theirs else []
    rest = [m for m in among if m not in found]
    return [*found, *retrieve(stream, ask, t, mood, w.memory_parameters, MEMORIES - len(found), rest)]


def _span(w: HasPressures, ask: str, t: int) -> tuple[int, int] | None:
    """The first and the last day that a lower-case question names, or None; a weekday means the most recent one."""
    today = w.clock.day(t)
    for named, last, first in _DAYS:
        if named in ask:
            return today - first, today - last
    for back in range(7):
        if re.search(rf"\b{w.clock.at(t - back * DAY):%A}\b", ask, re.IGNORECASE):
            return today - back, today - back
    return None


def private(memory: Memory) -> bool:
    """Whether a memory is of something its owner did and keeps secret."""
    return memory.kind == "thought" and memory.form == "deed"


def recollection(w: HasPressures, memory: Memory, t: int) -> Recollection:
    """A memory as it is told at second t, with how long ago it was in words."""
    day = w.clock.day(t) - w.clock.day(memory.t)
    when = lately(w.clock, memory.t, t) or (f"on {w.clock.at(memory.t):%A}" if day < 7 else "a while ago")
    return Recollection(
        memory.id,
        memory.kind,
        clean(memory.text, TEXT_LENGTH),
        memory.about,
        memory.poignancy,
        memory.delta[0],
        memory.topic,
        memory.t,
        memory.form,
        when,
        day,
    )


# ---- what one believes, feels and means to do


def _beliefs(w: HasPressures, who: str, ask: str, named: Sequence[str], t: int) -> list[tuple[str, str]]:
    """(belief, who told it) for the people and things the question names; if none fits, the strongest beliefs."""
    asked = set(content_words(ask)) - _EMPTY
    found: list[tuple[int, float, str, str]] = []
    for b in current_beliefs(w.beliefs, who, t, w.belief_parameters):
        text = _believed(w, who, b)
        if not text:
            continue
        fits = 2 * (b.a in named) + 2 * (b.b in named) + len(asked.intersection(content_words(text)))
        source = "" if b.source in FIRSTHAND else w.handbook.name(b.source)
        found.append((fits, strength_at(b, t, w.belief_parameters), text, source))
    found.sort(key=lambda x: (-x[0], -x[1]))
    fitting = [x for x in found if x[0]] or found[:NEAREST]
    return [(text, source) for _, _, text, source in fitting[:BELIEFS]]


def _believed(w: HasPressures, who: str, belief: Belief) -> str:
    """A belief in the words of `who`; "" if it has none, or is a secret between them and another."""
    fact = w.beliefs.facts[belief.fact]
    if fact.kind in HUSHED and not fact.how and who in (belief.a, belief.b):
        return ""
    return myself(clean(fact_sentence(w, fact, belief.slots), TEXT_LENGTH), w.handbook.name(who))


def _feelings(w: HasPressures, who: str, named: Sequence[str], t: int) -> dict[str, str]:
    """Name -> feeling in words, for the people named in the question, else for the closest ones."""
    ties, day = w.people.ties.get(who, {}), w.clock.day(t)
    near = sorted(ties, key=lambda other: -closeness_at(ties[other], day, w.tie_parameters))
    people = named or near[:NEAREST]
    values = {other: ties[other].feeling if other in ties else 0.0 for other in people}
    told = {other: next(text for least, text in FEELINGS if value >= least) for other, value in values.items()}
    return {
        w.handbook.name(other): TORN if text == EVEN and _behind(w, who, other) else text
        for other, text in told.items()
    }


def _behind(w: HasPressures, who: str, other: str) -> bool:
    """Whether a neutral feeling towards `other` hides mixed ones: an event once moved it by FAR, it left a mark, or
    `who` knows of an open pressure between the two.
    """
    tie = w.people.ties.get(who, {}).get(other)
    far = tie is not None and any(x.what == "feeling" and abs(x.delta) >= FAR for x in tie.causes)
    left = any(m.whom == other for m in w.people.residents[who].mood.marks)
    return far or left or any(who == p.holder or who in p.known_by for p in pressures_between(w.pressures, who, other))


def _matter(w: HasPressures, who: str, matters: Collection[str], t: int) -> list[tuple[str, str]]:
    """What `who` can say of these pressures, with who told it: first their own or one they know of, else a belief. At
    most one; no secrets.
    """
    found = [p for id in matters if (p := w.pressures.open.get(id)) is not None and p.kind not in HUSHED]
    mine = [p for p in found if p.holder == who] + [p for p in found if p.holder != who and who in p.known_by]
    own = next((text for p in mine if (text := _own(w, p, who))), "")
    if own:
        return [(own, "")]
    for b in current_beliefs(w.beliefs, who, t, w.belief_parameters):
        text = _believed(w, who, b) if w.beliefs.facts[b.fact].matter in matters else ""
        if text:
            return [(text, "" if b.source in FIRSTHAND else w.handbook.name(b.source))]
    return []


def _facts(w: HasPressures, who: str, ask: str, matters: Collection[str]) -> tuple[str, ...]:
    """The facts that `who` knows of the matter asked about, in their words; no secrets. matters: ids it may be; none =
    the one whose facts share most words with the question, two at least.
    """
    asked, best = set(content_words(ask)) - _EMPTY, (FEW_WORDS - 1, tuple[str, ...]())
    for p in w.pressures.open.values():
        if p.kind in HUSHED or (matters and p.id not in matters) or not (facts := facts_known_to(w, p, who)):
            continue
        told = tuple([fact_forms(w, p, fact, who, "").fact for fact in facts.values()])
        shared = len(asked.intersection(content_words(f"{p.stakes} {' '.join(told)}")))
        if matters or shared > best[0]:
            best = shared, told
    return best[1]


def _pressed(w: HasPressures, who: str, t: int) -> str:
    """The most intense of a person's own pressures, in their words; no secrets."""
    mine = [p for p in w.pressures.open.values() if p.holder == who and p.kind not in HUSHED]
    p = max(mine, key=lambda p: (intensity_at(p, t, w.pressure_parameters), p.id), default=None)
    return _own(w, p, who) if p is not None else ""


def _own(w: HasPressures, p: ActivePressure, who: str) -> str:
    """A pressure in the words of `who`, who knows of it; "" if its kind has no words."""
    return myself(clean(as_said(w, p), TEXT_LENGTH), w.handbook.name(who))


def _ahead(w: HasPressures, who: str, t: int) -> tuple[str, ...]:
    """What is still planned before sleep, one phrase a block, at most AHEAD."""
    plan = w.people.residents[who].plan
    left = [b for b in plan[block_at(w.people.residents[who], t) :] if b.start > t and b.do != "sleep"] if plan else []
    if not left and not w.people.residents[who].awake:  # the day is still to be planned
        left = [b for b in usual_blocks(w, who, w.clock.day(t)) if b.start > t and b.do != "sleep"]
    return tuple(islice(_phrases(w, left), AHEAD))


def _tomorrow(w: HasPressures, who: str, t: int) -> tuple[str, ...]:
    """Up to two phrases for the next day: an occasion from the calendar, and what the person usually does first."""
    day = w.clock.day(t) + 1
    mine = sorted((o for o in w.calendar.on(day) if who in o.who), key=lambda o: len(o.who))  # one's own before all's
    titles = [f"be there for {mid_sentence(o.title)} {w.handbook.at(o.where)}" for o in mine]
    kinds = (DUTY, LEISURE)
    do = _phrases(w, (b for b in usual_blocks(w, who, day) if b.do != "sleep" and w.handbook.kind(b.do) in kinds))
    return tuple(dict.fromkeys((*titles[:1], *do)))[:2]


def _phrases(w: HasPressures, blocks: Iterable[Block]) -> Iterable[str]:
    """Blocks as phrases such as "have lunch at the cafe", without repeats."""
    said = set()
    for b in blocks:
        do = f"look for {w.handbook.name(b.whom)}" if b.whom else w.handbook.infinitive(b.do)
        where = "" if " at " in do or b.whom else f" {w.handbook.at(b.where)}"
        if do not in said:
            said.add(do)
            yield clean(do + where, TEXT_LENGTH)
