"""What a played person can know: whom they see and hear, which events have reached them, what they believe of others
and from whom. Whatever shows a town to a player must ask here.
"""

from __future__ import annotations

from typing import NamedTuple

from sandbox.core.events import Record
from sandbox.director.bet_offers import BetPlaced, BetSettled
from sandbox.director.goal_domain import GoalChosen, GoalDropped, GoalJudged
from sandbox.director.model import CardOver, CardPlayed
from sandbox.drama.outcomes import Decided
from sandbox.drama.taking_sides import Showdown
from sandbox.feed.events import Deleted, Writing
from sandbox.people.beliefs import EVENT, HELD, Belief, current_beliefs, fact_sentence, rows_of
from sandbox.people.claim_model import Broken, Made
from sandbox.people.guest_handlers import Came, Left
from sandbox.people.memory_stream import Memory
from sandbox.people.model import Chose, Felt, Noticed, Planned, Reflected, Woke
from sandbox.people.paying import Earned
from sandbox.people.perceive import in_view
from sandbox.people.pressure_model import ActivePressure, Began, Ended, Sought, Stirred
from sandbox.people.pressure_rules import of
from sandbox.phones.model import Crossed
from sandbox.phones.old_log import OldWrote
from sandbox.phones.seeing import account_of
from sandbox.play.model import HasPlay
from sandbox.talk.model import Closed, Declined, Exchanged
from sandbox.talk.pressure_aims import earshot
from sandbox.town.conditions import ConditionBegan, ConditionEnded

# Events known to the whole town, and the player's acts outside the town.
PUBLIC = (
    Decided, Came, Left, ConditionBegan, ConditionEnded, Earned,
    CardPlayed, CardOver, BetPlaced, BetSettled, GoalChosen, GoalDropped, GoalJudged,
)  # fmt: skip
INNER = (Felt, Noticed, Planned, Reflected, Sought, Crossed)  # inner events, which nobody sees
SPOKEN = (Closed, Declined, Exchanged)  # heard by people nearby
SEEN = (Woke, Chose)  # seen by people in sight
BACK = 600  # recent memories searched, at most


class Believed(NamedTuple):
    """A belief about somebody, in words, with the belief itself (source and time)."""

    says: str
    belief: Belief


# ---- what they see and hear


def can_see(w: HasPlay, me: str, mine: int, theirs: int) -> bool:
    """Whether somebody on tile `mine` sees tile `theirs`; never while asleep."""
    return w.people.residents[me].awake and in_view(w, mine, theirs)


def hears(w: HasPlay, me: str, mine: int, theirs: int) -> bool:
    """Whether somebody on tile `mine` hears what is said on tile `theirs`; never while asleep."""
    return w.people.residents[me].awake and earshot(w, mine, theirs)


# ---- which events have come to them


def knows_of(w: HasPlay, me: str, record: Record, saw: bool = False, heard: bool = False) -> bool:
    """Whether `me` knows of an event: they took part, were told, or were there. saw: they saw the actor; heard: what
    was said. Kinds of event that are not listed are known to participants only.
    """
    at, e = record
    if at.actor == me or isinstance(e, PUBLIC) or any(row.who == me and row.strength >= HELD for row in rows_of(e)):
        return True
    if isinstance(e, Began | Stirred | Ended):
        return _of_matter(w, me, e, heard)
    if isinstance(e, Made | Broken):
        return me in (e.a, e.b) or not w.claim_deck.kinds[e.kind].private
    if isinstance(e, Writing | OldWrote) and e.about is not None and e.about.whom == me:
        return True
    if isinstance(e, Writing | OldWrote | Deleted):
        return reaches(w, me, at.actor)
    if isinstance(e, INNER):
        return False
    if isinstance(e, Showdown) and me in e.there:
        return True
    return me in e.touches() or (isinstance(e, SPOKEN) and heard) or (isinstance(e, SEEN) and saw)


def _of_matter(w: HasPlay, me: str, e: Began | Stirred | Ended, heard: bool) -> bool:
    """Whether `me` knows of a matter's event: it is theirs, they were told, or hear it spoken of."""
    p = w.pressures.open.get(e.id)
    if isinstance(e, Began):
        return p is not None and knows_matter(w, me, p)
    if e.to == me or (isinstance(e, Stirred) and me in e.told):
        return True
    return heard and bool(e.answer)


def knows_matter(w: HasPlay, me: str, p: ActivePressure) -> bool:
    """Whether `me` knows of a pressure: it is theirs, they were told, or its kind is mutual."""
    kind = w.drama.kinds.get(p.kind)
    return me in (p.holder, *p.known_by) or (me == p.about and kind is not None and kind.mutual)


def reaches(w: HasPlay, me: str, author: str) -> bool:
    """Whether public posts of `author` reach the phone of `me`."""
    account, theirs = account_of(w, me), account_of(w, author)
    return account is not None and theirs is not None and theirs.number in account.follows


def remembers(w: HasPlay, me: str, seq: int) -> bool:
    """Whether `me` believes something because of an event, or about it."""
    held = w.beliefs.held.get(me, {})
    return f"{EVENT}{seq}" in held or any(b.seq == seq for b in held.values())


# ---- what they know of somebody


def beliefs_about(w: HasPlay, me: str, who: str, t: int) -> list[Believed]:
    """What `me` believes of somebody, the latest first."""
    found = [b for b in current_beliefs(w.beliefs, me, t, w.belief_parameters) if who in (b.a, b.b)]
    found.sort(key=lambda b: (-b.since, b.fact))
    told = [Believed(fact_sentence(w, w.beliefs.facts[b.fact], b.slots), b) for b in found]
    return [one for one in told if one.says]


def known_pressures(w: HasPlay, me: str, who: str) -> list[ActivePressure]:
    """The open pressures between the two that `me` knows of, their own first."""
    found = [p for p in of(w.pressures, me) if who in (p.holder, p.about) and knows_matter(w, me, p)]
    return sorted(found, key=lambda p: (p.holder != me, p.id))


def memories_about(w: HasPlay, me: str, who: str, most: int) -> list[Memory]:
    """What `me` remembers of somebody, the latest first; [] while memories are not loaded."""
    if not w.memories.live:
        return []
    stream, out = w.memories.streams[me], []
    for place in range(len(stream) - 1, max(-1, len(stream) - 1 - BACK), -1):
        node = stream[place]
        if who in node.about:
            out.append(node)
            if len(out) == most:
                break
    return out
