"""How the embedded mind plans a day and cuts its blocks into acts.

The usual day is the frame; the calendar, chance, company and mood bend it.
"""

from __future__ import annotations

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.clock import MINUTE
from sandbox.people.activities import Activity
from sandbox.people.model import Block, Item
from sandbox.people.questions import CutBlock, DayPlan, Friend, Items, PlanDay, React, Reacted

SHORTEST = 10 * MINUTE
LATE = 100 * MINUTE
MEANT = 0.15  # how much likelier a free hour goes to a visit if one means to see somebody
SORE = 0.08  # how far below its rest pleasure must be for hard words to upset a plan
ALONG = (0.6, 0.15)  # chance to go along with the other after a warm talk, and after a plain one


def plan_day(q: PlanDay, chance: Stream) -> DayPlan:
    """Blocks from now to the next waking, without gaps."""
    assert q.persona is not None
    traits = q.persona.big_five
    loose = q.jitter * (1.0 - 0.5 * traits.conscientiousness)
    starts: list[Block] = []
    meant = _meant(q)
    for b in q.usual:
        shift = 0 if b.do in q.bound and traits.conscientiousness > 0.4 else int(chance.normal() * loose * 0.5)
        starts.append(_bend(Block(b.start + shift * MINUTE, 0, b.do, b.where, b.why or "as usual"), q, meant, chance))
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
    return DayPlan((*blocks, Block(start, wake, "sleep", q.bed, "bedtime")))


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
    """What mood, company and curiosity make of a usual block. Whom one meant to see is seen once."""
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
            return Block(block.start, 0, "visit", kind[0].home, f"{low}, {kind[1]}")
        return Block(block.start, 0, "rest", q.bed, f"{low}, wants to be alone")
    if a > 0.45 and p < 0.1 and x < 0.5:
        walks = [o for o in q.leisure if o[0] == "walk"]
        if walks:
            return Block(block.start, 0, *chance.choice(walks), "needs to walk it off")
    if q.friends and x < 0.12 + 0.1 * traits.extraversion + (MEANT if meant else 0.0):
        if meant:
            friend, why = meant.pop(0)
            return Block(block.start, 0, "visit", friend.home, why)
        friend = q.friends[0] if chance.unit() < 0.5 else chance.choice(q.friends)
        return Block(block.start, 0, "visit", friend.home, f"wants to see {friend.name}")
    if q.leisure and x < 0.30 + 0.15 * traits.openness:
        do, where = chance.choice(q.leisure)
        return Block(block.start, 0, do, where, "feels like a change")
    return block


def _over(b: Block, start: int, end: int) -> Block:
    """The same block over other hours."""
    return msgspec.structs.replace(b, start=start, end=end)


def _ends(starts: list[Block], sleep: int, q: PlanDay) -> list[Block]:
    out: list[Block] = []
    for i, b in enumerate(starts):
        end = starts[i + 1].start if i + 1 < len(starts) else sleep
        if end - b.start >= SHORTEST:
            out.append(_over(b, out[-1].end if out else b.start, end))
    if out and out[-1].do in q.free and out[-1].end - out[-1].start > LATE and out[-1].where != q.bed:
        last = out.pop()
        home = last.start + LATE
        out += [
            _over(last, last.start, home),
            Block(home, last.end, "rest", q.bed, "home for the night"),
        ]
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


def cut_block(q: CutBlock, chance: Stream) -> Items:
    """Activities that fill the block, not repeating the last ones; without options, the block itself in pieces."""
    if q.do == "sleep":
        return Items((Item("sleep", q.minutes),))
    left = q.minutes
    items: list[Item] = []
    recent = list(q.recent)
    while left > 0:
        options: list[Activity] = [o for o in q.options if o.do not in recent[-3:]] or list(q.options)
        if not options:
            items.append(Item(q.do, min(left, 30)))
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
        items.append(Item(found.do, minutes))
        recent.append(found.do)
        left -= minutes
    return Items(tuple(items))


def react(q: React, chance: Stream) -> Reacted:
    """Plan anew if the day has run on or the words hurt; go along with somebody where the talk was good."""
    if q.late or (q.hard and q.sore > SORE):
        return Reacted("change")
    along = q.join is not None and not q.hard and chance.unit() < ALONG[not q.warm]
    return Reacted("join" if along else "keep")
