"""What somebody wants who does what they planned: the want behind a habit or an occasion, in words."""

from __future__ import annotations

from sandbox.people.model import Block, HasPeople
from sandbox.people.question_plan import BEDTIME, USUAL


def behind(w: HasPeople, who: str, block: Block) -> str:
    """Why somebody is at a block of their plan, a clause without a subject: "wants to get some air". An occasion that
    brings them stands behind the want: "wants to be seen to: The walk-in clinic".
    """
    found = w.handbook.deck.blocks.get(block.do)
    want = f"wants {(found.want or f'to {found.do}') if found is not None else f'to {block.do}'}"
    if block.why in (USUAL, BEDTIME):
        return want
    called = (o.title for o in w.calendar.of(who, w.clock.day(block.start)) if o.block == block.do)
    return f"{want}: {block.why}" if block.why in called else block.why
