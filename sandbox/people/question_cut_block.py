"""The question how to cut a block of a day into activities, and its rule."""

from __future__ import annotations

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.questions import QuestionSpec, nobody
from sandbox.people.handbook import Activity
from sandbox.people.model import BlockItem
from sandbox.people.mood import Pad


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
QUESTIONS = (CUT_BLOCK,)
