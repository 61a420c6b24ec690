"""Carries out the player's orders in each step: the person walks where they were sent, a wish that can no longer be
said is dropped, and questions that the player has answered already are put to no mind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sandbox.core.clock import MINUTE
from sandbox.core.domain import Answers, Command
from sandbox.core.events import Record, r6
from sandbox.core.protocols import Question, Step
from sandbox.drama.consequences import free_moment
from sandbox.people.daily_life import walk_to
from sandbox.people.guest_model import in_town
from sandbox.people.handbook import Handbook
from sandbox.people.model import SEEK
from sandbox.people.played import HANDED, CameToHead, TalkWish, is_played, pressure_behind, put_in, wish_for
from sandbox.people.pressure_deck import child_of
from sandbox.play.acts import can_start_talk, hand_over, no_hand, why_unsaid
from sandbox.play.beginnings import born, line_of, topics, why_not
from sandbox.play.model import Begin, HasPlay, Reply, Speak, Stand, Swayed, WishOver
from sandbox.talk.model import Declined, Exchanged
from sandbox.talk.question_replies import Accept, Accepted, Respond, Responded
from sandbox.talk.question_wishes import Approach, Approached, Chosen, Exchange
from sandbox.talk.saying import Said, Say

PATIENCE = 30 * MINUTE  # after which one checks again on somebody still under way


async def carry_out(step: Step, w: HasPlay) -> None:
    """Carry out orders for one slice. Emits no event in a town where nobody is played."""
    me = w.played.who
    if not me or not is_played(w, me):
        return
    t = max(step.now, w.last.get(me, 0))
    if t >= step.end:
        return
    r = w.people.residents[me]
    if w.played.heading >= 0 and r.awake and not r.talk:
        walk_to(step, w, me, w.played.heading, w.map.area_of[w.played.heading], t)
    wish = w.played.wish
    if wish is not None and can_start_talk(w, me, wish.whom):
        if wish.do in HANDED and not no_hand(w, me, wish):
            hand_over(step, w, me, wish)
            return
        if wish.begin and wish.aim not in w.pressures.open and not why_not(w, me, wish):
            step.emit(born(w, me, wish, t), t=t, actor=me, causes=(wish.seq,))
    if wish is not None and (why := _vain(w, me, wish, t)):
        step.emit(WishOver(wish.whom, why), t=t, actor=me, causes=(wish.seq,))


def is_under_way(w: HasPlay) -> bool:
    """Whether the played person still walks or talks, or means to say something."""
    r = w.people.residents[w.played.who]
    return bool(r.talk or w.town.spots[w.played.who].path) or w.played.wish is not None or w.played.heading >= 0


def busy_until(w: HasPlay) -> int:
    """The second until which the played person does what they were told; 0 if nothing."""
    plan = w.people.residents[w.played.who].plan
    return plan[-1].end if plan and plan[-1].do != SEEK and w.now < plan[-1].end else 0


def has_said(command: Command | None, me: str, records: Iterable[Record]) -> bool:
    """Whether what the player told them to say, or to answer, has been said, so that the player must choose again."""
    if not isinstance(command, Speak | Begin | Reply | Stand):
        return False
    said = (r.stamp for r in records if isinstance(r.event, Exchanged) and me in r.event.touches())
    return any(at.actor == me or isinstance(command, Reply) for at in said)


def comes_to_head(records: Iterable[Record]) -> bool:
    """Whether a turning point has come for the played person."""
    return any(isinstance(r.event, CameToHead) for r in records)


def vain_words(handbook: Handbook, me: str, record: Record) -> str:
    """Why something was not said by the played person, if this event tells; else ""."""
    at, e = record
    if isinstance(e, Declined) and e.other == me:
        why = "does not want to talk" if e.how == "refuse" else "has no time just now"
        return f"{handbook.name(at.actor)} {why}" + (f": {e.why[0].name}" if e.why else "")
    return e.why if isinstance(e, WishOver) and at.actor == me else ""


def goes_on(w: HasPlay, began: int) -> bool:
    """Whether the played person still does what they were told at second `began`: a talk, a walk or a search for
    PATIENCE at most, an activity as long as it lasts.
    """
    return w.now < busy_until(w) or (is_under_way(w) and w.now - began < PATIENCE)


def _vain(w: HasPlay, me: str, wish: TalkWish, t: int) -> str:
    """Why a wish can no longer be said; "" if it can."""
    name = w.handbook.name(wish.whom)
    if not in_town(w, wish.whom):
        return f"{name} has left town"
    if not w.people.residents[wish.whom].awake:
        return f"{name} has gone to sleep"
    if t >= wish.until:
        return f"{name} could not be found, or had no time"
    return why_unsaid(w, me, wish)


async def come_round(step: Step, w: HasPlay) -> None:
    """Whoever gives in when persuaded about a vote changes their view."""
    if not w.played.who:
        return
    for stamp, e in tuple(step.happened):
        if not isinstance(e, Exchanged) or stamp.t < step.now or stamp.actor != w.played.who:
            continue
        begun = w.drama.beginnings.get(child_of(e.aim))
        if begun is None or not begun.sways:
            continue
        other = next(x.who for x in e.lines if x.who != stamp.actor)
        topic = next(iter(topics(w, stamp.actor, other, begun)), "")
        if e.answer == "accept" and topic:
            before = w.cast[other].opinions[topic].stance
            after = r6(max(-1.0, min(1.0, before + begun.sways)))
            t = free_moment(step, w, other)
            step.emit(Swayed(stamp.actor, topic, before, after), t=t, actor=other, causes=(stamp.seq,))


# ---- answers that the player has already given


def player_approach(w: HasPlay, q: Approach) -> Approached | None:
    """They speak only to the person they mean to."""
    if not is_played(w, q.who):
        return None
    wish = wish_for(w, q.other.who) if q.other is not None else None
    return Approached(wish is not None and not why_unsaid(w, q.who, wish))


def player_exchange(w: HasPlay, q: Exchange) -> Chosen | None:
    """They speak about what they mean to."""
    wish = wish_for(w, q.other.who) if q.other is not None and is_played(w, q.who) else None
    return Chosen(wish.do, (), "", pressure_behind(wish.do, wish.aim)) if wish is not None else None


def player_acceptance(w: HasPlay, q: Accept) -> Accepted | None:
    """They listen to everybody, since they can leave at any time."""
    return Accepted("accept") if is_played(w, q.who) else None


def player_response(w: HasPlay, q: Respond) -> Responded | None:
    """The answer that the player chose; without one they dodge."""
    if not is_played(w, q.who):
        return None
    how = w.played.how if put_in(w, w.people.residents[q.who].talk) is not None else ""
    if how == "lie" and not q.lie:
        how = "dodge"  # there is nothing left to hide
    return Responded(how or "dodge")


def player_words(w: HasPlay, q: Say) -> Said | None:
    """The player's own words, if any; what is put to the player is said in its fixed words."""
    if (put := w.played.put) is not None and q.who == put.other and q.other == w.played.who and not q.turn % 2:
        return Said(put.says, put.variants) if put_in(w, put.talk) is not None else None
    if not is_played(w, q.who):
        return None
    wish, put = wish_for(w, q.other), put_in(w, w.people.residents[q.who].talk)
    replies = q.turn % 2 == 1
    words = w.played.words if put is not None and replies else ""
    if wish is not None and not replies:
        words = line_of(w, wish)
    return Said(words) if words else None


ANSWERS: Mapping[type[Question], Answers] = {
    Approach: player_approach, Exchange: player_exchange, Accept: player_acceptance, Respond: player_response,
    Say: player_words,
}  # fmt: skip
