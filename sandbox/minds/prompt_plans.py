"""Plans: how somebody spends their free hours, and what a block is made of.

A model changes the usual day and does not invent one: its changes go into the question, and the embedded planner lays
the blocks over the calendar, so that the result is always a full day without gaps, in places that exist.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.clock import DAY, MINUTE, parse_time
from sandbox.minds.prompt_form import Offered, Prompt, PromptOption, SlotKey, Thing, Unusable, pick
from sandbox.minds.prompt_text import phrase
from sandbox.people.model import Block, BlockItem
from sandbox.people.mood import Pad
from sandbox.people.question_plan import CutBlock, DayPlan, Items, PlanDay, cut_block, plan_day

LEISURE, CALLS, WHY = 8, 4, 60  # options shown of leisure and of calls; letters of a reason
SOON = 10 * MINUTE  # a block that ends sooner is not replanned
LONGEST, SHORTEST = 60, 5  # minutes of an activity, at most and at least
EVEN = Pad(0.0, 0.0, 0.0)


class DayChange(msgspec.Struct, frozen=True, rename={"from_": "from"}):
    """Another use of some hours. from_: "HH:MM"."""

    slot: SlotKey
    do: Thing
    from_: Annotated[str, msgspec.Meta(max_length=20)] = ""
    why: Annotated[str, msgspec.Meta(max_length=1000)] = ""


class PlanDayReply(msgspec.Struct, frozen=True):
    """Changes to the usual day."""

    changes: Annotated[list[DayChange], msgspec.Meta(max_length=40)]


def _hhmm(q: PlanDay, t: int) -> str:
    minutes = (t - q.midnight) // MINUTE % (DAY // MINUTE)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _told(do: str, where: str) -> str:
    return f"{do.replace('_', ' ')} ({where})"


def _spans(q: PlanDay) -> list[tuple[Block, int]]:
    """The usual blocks that may change (not fixed, not over), each with its end."""
    ends = [*(b.start for b in q.usual[1:]), q.sleep]
    return [
        (b, end)
        for b, end in zip(q.usual, ends, strict=True)
        if b.do in q.free and not b.why and end > q.now + SOON and end > b.start
    ]


def _options(q: PlanDay, chance: Stream) -> Offered | None:
    """The hours that may change, and what for: some leisure, and visits to friends."""
    spans = _spans(q)
    leisure = list(q.leisure)
    chance.shuffle(leisure)
    things = {"a": PromptOption(_told("rest", q.bed), ("rest", q.bed))}
    for do, where in leisure[:LEISURE]:
        things[chr(ord("a") + len(things))] = PromptOption(_told(do, where), (do, where))
    for friend in q.friends[:CALLS]:
        words = f"call on {friend.name} ({friend.home})"
        things[chr(ord("a") + len(things))] = PromptOption(words, ("visit", friend.home))
    slots = {
        str(i): PromptOption(
            f"{_hhmm(q, max(b.start, q.now))} to {_hhmm(q, end)}, usually {_told(b.do, b.where)}", (b, end)
        )
        for i, (b, end) in enumerate(spans, 1)
    }
    return {"slots": slots, "things": things} if slots else None


def _lines(q: PlanDay) -> dict[str, list[str]]:
    return {
        "usual": [f"{_hhmm(q, b.start)} {_told(b.do, b.where)}{f': {b.why}' if b.why else ''}" for b in q.usual[:16]],
        "coming": [
            f"{_hhmm(q, b.start)} to {_hhmm(q, b.end)} {b.why} ({b.where})" for b in q.occasions[:8] if b.end > q.now
        ],
    }


def _planned(q: PlanDay, got: PlanDayReply, offered: Offered, chance: Stream) -> DayPlan:
    """The day with these changes. Mood and whim are switched off, since the model has considered them."""
    blocks = {b.start: b for b in q.usual}
    for change in got.changes:
        usual, end = pick(offered, "slots", change.slot)
        do, where = pick(offered, "things", change.do)
        start = _start(q, change.from_, usual.start, end)
        blocks.pop(usual.start, None)
        if start > usual.start:  # before that the hours stay as usual
            blocks[usual.start] = usual
        blocks[start] = Block(start, 0, do, where, phrase(change.why, WHY))
    frame = msgspec.structs.replace(
        q, usual=tuple(blocks[t] for t in sorted(blocks)), leisure=(), friends=(), mood=EVEN, shaken=False
    )
    return plan_day(frame, chance)


def _start(q: PlanDay, text: str, first: int, end: int) -> int:
    """When a change begins: as asked if within its hours, else at their beginning."""
    if not text.strip():
        return first
    try:
        t = q.midnight + parse_time(text.strip())
    except (ValueError, OverflowError):
        raise Unusable('"from" must be a time such as "18:30"') from None
    if t < first and t + DAY < end:  # after midnight
        t += DAY
    return t if first <= t < end - SOON else first


class TimedActivity(msgspec.Struct, frozen=True):
    """An activity, and its minutes."""

    do: Thing
    minutes: Annotated[float, msgspec.Meta(ge=0, le=1440)]


class CutBlockReply(msgspec.Struct, frozen=True):
    """Activities one after another."""

    items: Annotated[list[TimedActivity], msgspec.Meta(max_length=40)]


def _things(q: CutBlock, chance: Stream) -> Offered | None:
    things = {str(i): PromptOption(a.do, a.do) for i, a in enumerate(q.options[:24], 1)}
    return {"things": things} if q.do != "sleep" and len(things) > 1 else None


def _cut(q: CutBlock, got: CutBlockReply, offered: Offered, chance: Stream) -> Items:
    """The activities, cut or extended to the block's length."""
    left, items = q.minutes, []
    for piece in got.items:
        minutes = min(left, max(SHORTEST, min(LONGEST, round(piece.minutes))))
        if minutes > 0:
            items.append(BlockItem(pick(offered, "things", piece.do), minutes))
            left -= minutes
    if left >= SHORTEST or not items:
        recent = (*q.recent, *(item.do for item in items))
        items += cut_block(msgspec.structs.replace(q, minutes=left, recent=recent), chance).items
    elif left:
        items[-1] = BlockItem(items[-1].do, items[-1].minutes + left)
    return Items(tuple(items))


PROMPTS = (
    Prompt(PlanDay, "plan.j2", PlanDayReply, _planned, _options, _lines, tokens=300),
    Prompt(
        CutBlock,
        "decompose.j2",
        CutBlockReply,
        _cut,
        _things,
        lambda q: {"recent": ", ".join(q.recent[-3:]), "block": _told(q.do, q.where)},
        tokens=240,
    ),
)
