"""How somebody plans a day, whether a talk changes the plan, and how a block of it is cut into activities.

The usual day is the frame; the calendar, chance, company and mood bend it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.clock import DAY, HOUR, MINUTE
from sandbox.core.protocols import Answer, Question
from sandbox.core.questions import Concern, QuestionSpec, is_showable, nobody
from sandbox.people.handbook import Activity
from sandbox.people.model import Block, BlockItem, Note
from sandbox.people.mood import Pad
from sandbox.people.persona import Persona
from sandbox.people.question_parts import ANN

SHORTEST = 10 * MINUTE  # shorter blocks are dropped
LATE = 100 * MINUTE  # longest last outing before going home for the night
VISIT = "visit"  # what one does who calls on somebody
USUAL, BEDTIME = "as usual", "bedtime"  # why one is at what one does as a rule, and why one goes to bed
MEANT = 0.15  # how much likelier a free hour goes to a visit if one means to see somebody
SORE = 0.08  # how far below its rest pleasure must be for hard words to upset a plan
ALONG = (0.6, 0.15)  # chance to go along with the other after a warm talk, and after a plain one


class Friend(msgspec.Struct, frozen=True):
    """Somebody the planner may want to see. feeling in [-1, 1]; closeness in [0, 1]; home: the arena to call at."""

    who: str
    name: str
    feeling: float
    closeness: float
    home: str


class PlanDay(Question, frozen=True):
    """What will you do from `now` until you sleep, and when do you wake? Times are seconds since the world's start.

    usual: the routine's blocks of that day; one that says why is not as usual, and settled. occasions: what the
    calendar offers this person today. leisure: (block, where) one may choose instead. free, bound: blocks that may give
    way, and blocks that begin on time. notes: whom one means to see, about what, the newest first; of them only those
    one has not talked with since. midnight: t of the day's start. mood: PAD. why: "" in the morning, else what upset
    the old plan. shaken: it was words that hurt.
    """

    day: int = 1
    midnight: int = 0
    wake_next: int = 0
    sleep: int = 0
    bed: str = ""
    usual: tuple[Block, ...] = ()
    occasions: tuple[Block, ...] = ()
    leisure: tuple[tuple[str, str], ...] = ()
    free: tuple[str, ...] = ()
    bound: tuple[str, ...] = ()
    friends: tuple[Friend, ...] = ()
    notes: tuple[Note, ...] = ()
    persona: Persona | None = None
    mood: Pad = Pad(0.0, 0.0, 0.0)
    jitter: float = 8.0
    why: str = ""
    shaken: bool = False


class DayPlan(Answer, frozen=True):
    """Blocks in order without gaps; the last is sleep and ends when the person wakes."""

    blocks: tuple[Block, ...]


def plan_day(q: PlanDay, chance: Stream) -> DayPlan:
    """Blocks from now to the next waking, without gaps."""
    assert q.persona is not None
    traits = q.persona.big_five
    loose = q.jitter * (1.0 - 0.5 * traits.conscientiousness)
    starts: list[Block] = []
    meant = _meant(q)
    for b in q.usual:
        shift = 0 if b.do in q.bound and traits.conscientiousness > 0.4 else int(chance.normal() * loose * 0.5)
        usual = Block(b.start + shift * MINUTE, 0, b.do, b.where, b.why or USUAL)
        starts.append(usual if b.why else _bend(usual, q, meant, chance))
    starts.sort(key=lambda b: b.start)
    sleep = q.sleep + int(chance.normal() * loose) * MINUTE
    wake = q.wake_next + int(chance.normal() * loose * 0.5) * MINUTE
    sleep = max(sleep, q.now + MINUTE)
    wake = max(wake, sleep + 3 * 60 * MINUTE)
    blocks = _ends([b for b in starts if b.start < sleep - SHORTEST], sleep, q)
    for occasion in q.occasions:
        blocks = _insert(blocks, occasion, sleep)
    blocks = [_over(b, max(b.start, q.now), b.end) for b in blocks if b.end > q.now + 2 * MINUTE]
    if blocks and blocks[0].start > q.now:
        first = blocks[0]
        if first.start - q.now <= SHORTEST:
            blocks[0] = _over(first, q.now, first.end)
        else:
            blocks.insert(0, Block(q.now, first.start, "chores", q.bed, "there is time before the day begins"))
    if not blocks and sleep > q.now + MINUTE:
        blocks = [Block(q.now, sleep, "rest", q.bed, "nothing else to do")]
    start = blocks[-1].end if blocks else q.now
    return DayPlan((*blocks, Block(start, wake, "sleep", q.bed, BEDTIME)))


def _meant(q: PlanDay) -> list[tuple[Friend, str]]:
    """The friends one means to see, and why, in words."""
    friends = {f.who: f for f in q.friends}
    out = []
    for note in q.notes:
        friend = friends.get(note.about)
        if friend is not None:
            about = f"see {friend.name}, about {note.topic}" if note.topic else note.text
            out.append((friend, f"wants to {about}"))
    return out


def _bend(block: Block, q: PlanDay, meant: list[tuple[Friend, str]], chance: Stream) -> Block:
    """A usual block changed by mood, company or curiosity. Uses up one entry of `meant` for a visit to it."""
    assert q.persona is not None
    traits = q.persona.big_five
    if block.do not in q.free:
        return block
    p, a, _ = q.mood
    x = chance.unit()
    if q.shaken or (p < -0.2 and x < 0.55):
        low = "shaken" if q.shaken else "feeling low"
        kind = next((m for m in meant if m[0].feeling > 0.3), None)
        kind = kind or next(((f, f"wants to see {f.name}") for f in q.friends if f.feeling > 0.3), None)
        if kind and traits.extraversion + traits.agreeableness > -0.3:
            return Block(block.start, 0, VISIT, kind[0].home, f"{low}, {kind[1]}")
        return Block(block.start, 0, "rest", q.bed, f"{low}, wants to be alone")
    if a > 0.45 and p < 0.1 and x < 0.5:
        walks = [o for o in q.leisure if o[0] == "walk"]
        if walks:
            return Block(block.start, 0, *chance.choice(walks), "needs to walk it off")
    if q.friends and x < 0.12 + 0.1 * traits.extraversion + (MEANT if meant else 0.0):
        if meant:
            friend, why = meant.pop(0)
            return Block(block.start, 0, VISIT, friend.home, why)
        friend = q.friends[0] if chance.unit() < 0.5 else chance.choice(q.friends)
        return Block(block.start, 0, VISIT, friend.home, f"wants to see {friend.name}")
    if q.leisure and x < 0.30 + 0.15 * traits.openness:
        do, where = chance.choice(q.leisure)
        return Block(block.start, 0, do, where, "feels like a change")
    return block


def _over(block: Block, start: int, end: int) -> Block:
    """The same block over other hours."""
    return msgspec.structs.replace(block, start=start, end=end)


def _ends(starts: list[Block], sleep: int, q: PlanDay) -> list[Block]:
    out: list[Block] = []
    for i, b in enumerate(starts):
        end = starts[i + 1].start if i + 1 < len(starts) else sleep
        if end - b.start >= SHORTEST:
            out.append(_over(b, out[-1].end if out else b.start, end))
    if out and out[-1].do in q.free and out[-1].end - out[-1].start > LATE and out[-1].where != q.bed:
        last = out.pop()
        home = last.start + LATE
        out += [_over(last, last.start, home), Block(home, last.end, "rest", q.bed, "home for the night")]
    return out


def _insert(blocks: list[Block], o: Block, sleep: int) -> list[Block]:
    """Make room for an occasion; what is cut too short falls away."""
    end = min(o.end, sleep)
    if end - o.start < SHORTEST:
        return blocks
    out: list[Block] = []
    for b in blocks:
        if b.end <= o.start or b.start >= end:
            out.append(b)
            continue
        if o.start - b.start >= SHORTEST:
            out.append(_over(b, b.start, o.start))
        if b.end - end >= SHORTEST:
            out.append(_over(b, end, b.end))
    out.append(_over(o, o.start, end))
    out.sort(key=lambda b: b.start)
    filled = []
    for i, b in enumerate(out):
        stop = out[i + 1].start if i + 1 < len(out) else b.end
        filled.append(_over(b, b.start, max(b.end, stop)))
    return filled


def _day_fault(q: PlanDay, a: DayPlan) -> str:
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
        else "words that cannot be shown" if not all(is_showable(b.do) and is_showable(b.why) for b in a.blocks)
        else "a place nobody named" if {b.where for b in a.blocks} - places
        else ""
    )  # fmt: skip


_BED, _SHOP, _LAWN, _PUB = "Lee House / bedroom", "Bakery / shop", "Park / lawn", "Lantern / taproom"
_USUAL = ((6, "breakfast", _BED), (8, "work", _SHOP), (17, "walk", _LAWN), (19, "drink", _PUB))
_DAY = PlanDay(
    "ann",
    now=6 * HOUR,
    wake_next=30 * HOUR,
    sleep=22 * HOUR,
    bed=_BED,
    usual=tuple(Block(at * HOUR, 0, do, where, "") for at, do, where in _USUAL),
    occasions=(Block(18 * HOUR, 19 * HOUR, "choir", "Chapel / nave", "choir practice"),),
    leisure=(("walk", _LAWN), ("read", "Library / room"), ("drink", _PUB)),
    free=("walk", "drink", "read", "rest", "visit"),
    bound=("work", "choir"),
    friends=(Friend("bo", "Bo", 0.4, 0.5, "Mill / parlour"),),
    persona=ANN,
    mood=Pad(0.1, 0.1, 0.0),
)
PLAN_DAY = QuestionSpec(
    question=PlanDay, answer=DayPlan, name="PlanDay", rule=plan_day, fault=_day_fault, samples=(_DAY,),
    concerns=nobody, taken=True, asks="plan", asked=True,
)  # fmt: skip


# ---- after a talk


class React(Question, frozen=True):
    """A talk is over: go on as planned, or change the plan? late: it has run into what comes next. hard: the words
    were tense or hostile; sore: how far pleasure lies below its rest. join: what the other goes to and one could, too.
    """

    other: str = ""
    late: bool = False
    hard: bool = False
    sore: float = 0.0
    warm: bool = False
    join: Block | None = None


class Reacted(Answer, frozen=True):
    """keep: as planned; change: plan anew; join: go along with the other."""

    do: Literal["keep", "change", "join"]


def react(q: React, chance: Stream) -> Reacted:
    """Plan anew if the day has run on or the words hurt; go along with somebody where the talk was good."""
    if q.late or (q.hard and q.sore > SORE):
        return Reacted("change")
    along = q.join is not None and not q.hard and chance.unit() < ALONG[not q.warm]
    return Reacted("join" if along else "keep")


def _react_fault(q: React, a: Reacted) -> str:
    fine = a.do == "keep" or (a.do == "change" and (q.late or q.hard)) or (a.do == "join" and q.join is not None)
    return "" if fine else f'"{a.do}", which was not possible'


REACT = QuestionSpec(
    question=React, answer=Reacted, name="React", rule=react, fault=_react_fault,
    samples=(
        React("ann", other="bo", hard=True, sore=0.2),
        React("ann", 1, other="bo", warm=True, join=Block(9 * HOUR, 10 * HOUR, "walk", _LAWN, "a walk")),
    ),
    concerns=lambda q: Concern(q.other), taken=False, asks="react", asked=True,
)  # fmt: skip


# ---- how a block is cut into activities


class CutBlock(Question, frozen=True):
    """Cut a block into activities. options: those possible there; recent: what was done lately; minutes: its length."""

    do: str = ""
    where: str = ""
    minutes: int = 0
    options: tuple[Activity, ...] = ()
    recent: tuple[str, ...] = ()
    mood: Pad = Pad(0.0, 0.0, 0.0)


class Items(Answer, frozen=True):
    """Activities in order."""

    items: tuple[BlockItem, ...]


def cut_block(q: CutBlock, chance: Stream) -> Items:
    """Activities that fill the block, not repeating the last ones; without options, the block itself in pieces."""
    if q.do == "sleep":
        return Items((BlockItem("sleep", q.minutes),))
    left = q.minutes
    items: list[BlockItem] = []
    recent = list(q.recent)
    while left > 0:
        options: list[Activity] = [o for o in q.options if o.do not in recent[-3:]] or list(q.options)
        if not options:
            items.append(BlockItem(q.do, min(left, 30)))
            left -= 30
            continue
        found = chance.weighted(
            options, [1.0 + 2.5 * bool(o.jobs) + 1.2 * bool(o.where) + bool(o.needs) for o in options]
        )
        low, high = found.minutes
        longer = max(chance.below(high - low + 1), chance.below(high - low + 1))  # people like to finish things
        minutes = min(left, low + longer)
        if left - minutes < 5:
            minutes = left
        items.append(BlockItem(found.do, minutes))
        recent.append(found.do)
        left -= minutes
    return Items(tuple(items))


def _fault(q: CutBlock, a: Items) -> str:
    known = {o.do for o in q.options} | {q.do}
    if sum(i.minutes for i in a.items) != q.minutes or any(i.minutes < 1 for i in a.items):
        return f"its minutes are not the {q.minutes} of the block"
    return "something that cannot be done there" if {i.do for i in a.items} - known else ""


_POSSIBLE = tuple(Activity(do, f"{do}ing", f"{do}ed", ("work",), (5, 30)) for do in ("knead dough", "sweep", "serve"))
CUT_BLOCK = QuestionSpec(
    question=CutBlock, answer=Items, name="CutBlock", rule=cut_block, fault=_fault,
    samples=(CutBlock("ann", do="work", where="Bakery / shop", minutes=55, options=_POSSIBLE),),
    concerns=nobody, taken=True, asks="decompose", asked=False,
)  # fmt: skip
QUESTIONS = (PLAN_DAY, REACT, CUT_BLOCK)
