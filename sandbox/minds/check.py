"""What every mind must hold to, as a check that anybody can run on theirs: `await check_mind(make_mind)`.

It ships a question of every type, so that a mind of one's own is tested without a town.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandbox.core.clock import DAY, HOUR
from sandbox.core.protocols import Answer, Brief, Mind, Question
from sandbox.people.activities import Activity
from sandbox.people.model import Block, Insight
from sandbox.people.mood import Pad
from sandbox.people.occ import OCC
from sandbox.people.persona import BigFive, Persona, Routine
from sandbox.people.questions import (
    CutBlock,
    DayPlan,
    Described,
    DescribeMood,
    FindInsights,
    Focus,
    Focused,
    Friend,
    Insights,
    Interview,
    Interviewed,
    Items,
    Look,
    LookBack,
    PlanDay,
    React,
    Reacted,
    Recollection,
    Reflect,
    Reflection,
    Wonder,
)
from sandbox.talk.model import Rule
from sandbox.talk.questions import (
    Accept,
    Accepted,
    Aim,
    Appraise,
    Appraised,
    Approach,
    Approached,
    Chosen,
    Exchange,
    FeelAbout,
    FeltAbout,
    Line,
    Partner,
    Rate,
    Rated,
    Respond,
    Responded,
    Said,
    Say,
    Summarise,
    Summary,
)

LETTERS = 200  # of a reason
ANN = Persona(
    "ann", "Ann Lee", 40, "lee", "baker", "Lee House / bedroom", BigFive(0.1, 0.3, 0.2, 0.1, 0.0),
    Routine(6 * HOUR, 22 * HOUR, ()), traits=("brisk", "kind"), likes=("rye",), concerns=("the oven",),
)  # fmt: skip
BO = Partner("bo", "Bo", 0.2, 0.4, "friendly", "neighbour", "calm", False, 35, 0.1, 0.2)
AIM = Aim("p1", "debt", "remind", 0.6, 1.0, {"base": 0.2, "bold": 0.4}, {"base": 1.0, "bold": 0.3})
BRIEF = Brief(
    1,
    "Ann",
    "Ann Lee, 40, baker. Brisk, kind.",
    "Ann feels calm.",
    "Tuesday, 09:00 (morning), at the bakery; kneading dough.",
    "Bo, 35, joiner (neighbour). You are on friendly terms, and you like them.",
    ("saw Bo at the market", "baked two hundred rolls"),
    (("Bo", "Morning, Ann."),),
    "the wheelbarrow",
    {"bo": "Bo"},
)
LOOKS = (
    Look(3, "chat", "talked with Bo about rain", ("bo",), 3, 0.1, "rain"),
    Look(5, "event", "Bo brought back the wheelbarrow", ("bo",), 5, 0.3, "the wheelbarrow"),
)
RECALLED = Recollection(5, "event", "saw Bo wheeling a barrow", ("bo",), 5, 0.3, "barrow", when="this morning")


def samples() -> tuple[Question, ...]:
    """A question of each type that a town asks, each with a brief. All differ in who, type or n."""
    bed, shop, pub = "Lee House / bedroom", "Bakery / shop", "Lantern / taproom"
    usual = tuple(
        Block(int(at * HOUR), 0, do, where, "")
        for at, do, where in ((6, "breakfast", bed), (8, "work", shop), (17, "walk", "Park / lawn"), (19, "drink", pub))
    )
    day = PlanDay(
        "ann",
        now=6 * HOUR,
        wake_next=30 * HOUR,
        sleep=22 * HOUR,
        bed=bed,
        usual=usual,
        occasions=(Block(18 * HOUR, 19 * HOUR, "choir", "Chapel / nave", "choir practice"),),
        leisure=(("walk", "Park / lawn"), ("read", "Library / room"), ("drink", pub)),
        free=("walk", "drink", "read", "rest", "visit"),
        bound=("work", "choir"),
        friends=(Friend("bo", "Bo", 0.4, 0.5, "Mill / parlour"),),
        persona=ANN,
        mood=Pad(0.1, 0.1, 0.0),
    )
    activities = tuple(
        Activity(do, f"{do}ing", f"{do}ed", ("work",), (5, 30)) for do in ("knead dough", "sweep", "serve")
    )
    asked: dict[str, Any] = {"other": BO, "pad": (0.1, 0.0, 0.0)}
    looking: dict[str, Any] = {"memories": LOOKS, "names": {"bo": "Bo"}, "feelings": {"bo": 0.2}, "persona": ANN}
    weights = {"fond": 0.5}
    lines = (Line(True, "Ann", "Morning.", "greet", "", 0.0), Line(False, "Bo", "Ta.", "thank", "", 0.2))
    exchange = Exchange("ann", options=("chat", "small_talk", "vent"), aims=(AIM,), **asked)
    found: tuple[Question, ...] = (
        day,
        CutBlock("ann", do="work", where=shop, minutes=55, options=activities),
        Focus("ann", **looking),
        FindInsights("ann", question=Wonder("What is it with Bo?", "bo"), **looking),
        Reflect("ann", insights=(Insight("Bo means well", (5,), 5, "bo"),), talks=LOOKS[:1], **looking),
        DescribeMood("ann", persona=ANN, labels=("Happiness", "Neutral", "Neutral"), mood=Pad(0.3, 0.1, 0.1)),
        React("ann", other="bo", hard=True, sore=0.2),
        React("ann", 1, other="bo", warm=True, join=Block(9 * HOUR, 10 * HOUR, "walk", "Park / lawn", "a walk")),
        Approach("ann", options=("chat",), **asked),
        exchange,
        Accept("ann", intent="chat", **asked),
        Accept("cid", other=msgspec.structs.replace(BO, feeling=-0.8), intent="remind", hurry=True),
        Respond("ann", other="bo", do="remind", kind="debt", intensity=0.6, weights=weights, features={"fond": 0.2}),
        Say("ann", moves=("greet", "small_talk"), slots={"name": "Bo", "act": "kneading dough", "place": "the bakery"}),
        Appraise("ann", lines=lines),
        Summarise("ann", other="bo", topics=("rain", "the wheelbarrow"), intent="chat"),
        Rate("ann", other="bo", gist="rain", tone="tense"),
        FeelAbout("ann", other="bo", feeling=0.2, warmth=0.3),
        Interview(
            "ann",
            ask="What do you think of Bo?",
            persona=ANN,
            mood="Ann feels calm.",
            memories=(RECALLED,),
            feelings={"Bo": "likes Bo"},
            felt=DescribeMood("ann", persona=ANN, labels=("Neutral", "Neutral", "Neutral")),
            about=("bo",),
            plan="work at the bakery",
            ahead=("work at the bakery",),
            names={"bo": "Bo"},
        ),
    )  # fmt: skip
    return tuple(msgspec.structs.replace(q, brief=BRIEF) for q in found)


def _shown(text: str) -> bool:
    return len(text) <= LETTERS and text.isprintable()


def _why(rules: Sequence[Rule]) -> str:
    fine = all(_shown(r.name) and math.isfinite(r.value) and round(r.value, 6) == r.value for r in rules)
    return "" if fine else "a reason without a name or of no size"


def _day(q: PlanDay, a: DayPlan) -> str:
    sought = {b.whom for b in (*q.usual, *q.occasions)}
    places = {where for _, where in q.leisure} | {b.where for b in (*q.usual, *q.occasions)} | {q.bed}
    places |= {f.home for f in q.friends}
    gaps = any(x.end != y.start for x, y in zip(a.blocks, a.blocks[1:], strict=False))
    return (
        "no blocks" if not a.blocks
        else "gaps" if gaps or any(b.end <= b.start for b in a.blocks)
        else "another beginning or end" if a.blocks[0].start != q.now or a.blocks[-1].end > q.now + 2 * DAY
        else "it does not end in sleep" if a.blocks[-1].do != "sleep"
        else "somebody who is not looked for" if {b.whom for b in a.blocks} - sought - {""}
        else "words that cannot be shown" if not all(_shown(b.do) and _shown(b.why) for b in a.blocks)
        else "a place nobody named" if {b.where for b in a.blocks} - places
        else ""
    )  # fmt: skip


def _items(q: CutBlock, a: Items) -> str:
    known = {o.do for o in q.options} | {q.do}
    if sum(i.minutes for i in a.items) != q.minutes or any(i.minutes < 1 for i in a.items):
        return f"its minutes are not the {q.minutes} of the block"
    return "something that cannot be done there" if {i.do for i in a.items} - known else ""


def _insights(q: LookBack, insights: Sequence[Insight]) -> str:
    ids = {m.id for m in (*q.memories, *getattr(q, "talks", ()))}
    if any(set(i.evidence) - ids or not 1 <= i.poignancy <= 10 or not i.text for i in insights):
        return "an insight without words, of no weight, or on memories that were not shown"
    return ""


def _reflection(q: Reflect, a: Reflection) -> str:
    fine = (not a.emotion or a.emotion in OCC) and 0.0 <= a.intensity <= 1.0
    return _insights(q, a.moments) if fine else "no emotion there is"


def _appraised(q: Appraise, a: Appraised) -> str:
    return "" if all(e in OCC and 0.0 <= x <= 1.0 for e, x in a.felt) else "no emotion there is, or of no size"


def _exchange(q: Exchange, a: Chosen) -> str:
    aims = {(aim.do, aim.pressure) for aim in q.aims}
    fine = _shown(a.over) and ((a.intent, a.aim) in aims if a.aim else a.intent in q.options)
    return _why(a.why) if fine else "what was not among the options"


def _accepted(q: Accept, a: Accepted) -> str:
    return _why(a.why) if a.how in ("accept", "deflect", "refuse") else "no way to take it"


def _responded(q: Respond, a: Responded) -> str:
    fine = a.how in ("accept", "dodge", "refuse", *(["lie"] if q.lie else []))
    return _why(a.why) if fine else "no way to take it"


def _words(text: str, most: int) -> str:
    if not text.strip() or len(text) > most:
        return f"no words, or more than {most} letters"
    return "" if text.isprintable() else "words that cannot be printed"


def _rests(q: Interview, a: Interviewed) -> str:
    return "a memory that was not shown" if set(a.memories) - {m.id for m in q.memories} else ""


def _reacted(q: React, a: Reacted) -> str:
    fine = a.do == "keep" or (a.do == "change" and (q.late or q.hard)) or (a.do == "join" and q.join is not None)
    return "" if fine else f'"{a.do}", which was not possible'


# Question -> its answer's type, and what is wrong with one ("" if nothing is).
RULES: dict[type[Question], tuple[type[Answer], Callable[[Any, Any], str]]] = {
    PlanDay: (DayPlan, _day),
    CutBlock: (Items, _items),
    Focus: (Focused, lambda q, a: "" if all(x.text for x in a.questions) else "a question without words"),
    FindInsights: (Insights, lambda q, a: _insights(q, a.insights)),
    Reflect: (Reflection, _reflection),
    DescribeMood: (Described, lambda q, a: _words(a.text, 800)),
    React: (Reacted, _reacted),
    Approach: (Approached, lambda q, a: "" if isinstance(a.yes, bool) else "neither yes nor no"),
    Exchange: (Chosen, _exchange),
    Accept: (Accepted, _accepted),
    Respond: (Responded, _responded),
    Say: (
        Said,
        lambda q, a: _words(a.text, 300) or ("" if all(map(_shown, a.variants)) else "variants without a name"),
    ),
    Appraise: (Appraised, _appraised),
    Summarise: (Summary, lambda q, a: _words(a.gist, 200)),
    Rate: (Rated, lambda q, a: "" if 1 <= a.poignancy <= 10 else "a weight not in 1 to 10"),
    Interview: (Interviewed, lambda q, a: _words(a.text, 1200) or _rests(q, a)),
    FeelAbout: (FeltAbout, lambda q, a: "" if math.isfinite(a.u) and abs(a.u) <= 1 else "no change a feeling can take"),
}


def fault_of(q: Question, a: Answer) -> str:
    """Why an answer is not of its type or not within its bounds, in words; "" if it is."""
    kind = type(q).__name__
    rule = RULES.get(type(q))
    if rule is None:
        return ""
    if type(a) is not rule[0]:
        return f"{kind} was answered by {type(a).__name__}, not by {rule[0].__name__}"
    fault = rule[1](q, a)
    return fault and f"{kind} was answered with {fault}"


def check_answer(q: Question, a: Answer) -> None:
    """Whether an answer is of its type and within its bounds. Raises AssertionError with words."""
    if fault := fault_of(q, a):
        raise AssertionError(fault)


async def check_mind(
    make_mind: Callable[[], Mind], questions: Sequence[Question] | None = None, *, same: bool = True
) -> None:
    """Ask a mind a question of every type, in several ways. Raises AssertionError with words for what it breaks.

    make_mind: makes a new mind each time. questions: in place of the samples. same: the mind promises the same answer
    to the same question (a language model does not, unless its service does).
    """
    asked = list(samples() if questions is None else questions)
    before = msgspec.msgpack.encode(asked)
    mind = make_mind()
    for q in asked:
        assert isinstance(mind.reads(q), bool), f"reads() gave {mind.reads(q)!r} for {type(q).__name__}, not a bool"
    together = await _batches(mind, asked)
    for q, a in zip(asked, together, strict=True):
        check_answer(q, a)
        assert isinstance(a.fault, str), "a fault is text"
    assert await mind.answer([], 3) == [], "a batch without questions has no answers"
    assert msgspec.msgpack.encode(asked) == before, "a question was changed by asking it"
    if not same:
        return
    again = make_mind()
    assert await _batches(again, asked) == together, "the same questions got other answers"
    single = [(await again.answer([q], 3))[0] for q in asked]
    assert single == together, "a batch is not answered as its questions one by one"
    assert (await _batches(again, asked[::-1]))[::-1] == together, "the order of a batch changes its answers"


async def _batches(mind: Mind, questions: Sequence[Question]) -> list[Answer]:
    """The answers to all, asked as one batch."""
    answers = await mind.answer(questions, 3)
    assert len(answers) == len(questions), f"{len(questions)} questions got {len(answers)} answers"
    return list(answers)
