"""How the events of playing change the state."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.core.events import Event, Stamp
from sandbox.director.conditions import condition_parts
from sandbox.people.claim_handlers import person
from sandbox.people.goal_model import GoalAdvanced
from sandbox.people.guest_model import in_town
from sandbox.people.handlers import end, possible
from sandbox.people.model import Block, set_due
from sandbox.people.played import SET_RIGHT, TWIST, WORDED, PlayedState, PutTo, TalkWish, begun_key, given_key
from sandbox.people.pressure_handlers import check_residents, turn_feelings
from sandbox.people.pressure_model import Began, Ended
from sandbox.play.model import (
    STEP,
    Aside,
    Bidden,
    Handed,
    HasPlay,
    Headed,
    Leaned,
    PlayBegan,
    PlayEnded,
    Replied,
    Saving,
    SawAll,
    Settled,
    Swayed,
    TookLeave,
    TookPhone,
    Wished,
    WishOver,
    goals_of,
)
from sandbox.talk.model import Closed, Declined, Exchanged
from sandbox.town.model import Arrived, Walked

FIRM = 0.6  # stance of somebody who has decided


def began(w: HasPlay, e: PlayBegan, stamp: Stamp) -> None:
    w.played = _anew(w.played, stamp.actor, step=e.step)
    w.played.since = stamp.t if w.played.since < 0 else w.played.since
    w.next_seconds = STEP
    _idle(w, stamp)


def settled(w: HasPlay, e: Settled, stamp: Stamp) -> None:
    began(w, e, stamp)
    offer_goals(w, stamp.actor)


def offer_goals(w: HasPlay, who: str) -> None:
    """Add the goals of a newcomer to those offered, except goals about matters that they left out."""
    new, stay = w.newcomers.get(who), w.guests.stays[who]
    if new is None:
        return
    left = {p.id for p in new.settling.pressures} - {p.id for p in stay.pressures}
    for aim in goals_of(new, w.clock, stay.came):
        if not any(getattr(part, "matter", "") in left for part in condition_parts(aim.wants)):
            w.aim_deck[aim.id] = aim


def _anew(old: PlayedState, who: str = "", aside: bool = False, step: int = 0) -> PlayedState:
    """A new state in which nothing is under way; what belongs to the whole save is copied from `old`."""
    return PlayedState(
        who,
        aside,
        step,
        since=old.since,
        did=old.did,
        saw_all=old.saw_all,
        given=old.given,
        begun=old.begun,
        lied=old.lied,
    )


def _did(w: HasPlay, e: Event, words: str = "") -> None:
    """Record that this kind of act was done by hand."""
    w.played.did += [x for x in (e.KIND, *([WORDED] if words else [])) if x not in w.played.did]


def ended(w: HasPlay, e: PlayEnded, stamp: Stamp) -> None:
    w.next_seconds = w.played.step
    _did(w, e)
    w.played = _anew(w.played)
    if in_town(w, stamp.actor):
        set_due(w.people, stamp.actor, stamp.t)  # so that they plan their day


def aside(w: HasPlay, e: Aside, stamp: Stamp) -> None:
    before, w.played = w.played, _anew(w.played, stamp.actor, e.on, w.played.step)
    w.played.sees_all, w.played.turning, w.played.votes = before.sees_all, before.turning, before.votes
    if e.on:
        set_due(w.people, stamp.actor, stamp.t)
    else:
        _idle(w, stamp)


def _idle(w: HasPlay, stamp: Stamp) -> None:
    """They continue their current activity, with nothing planned after it."""
    r = w.people.residents[stamp.actor]
    r.upset, r.replan, r.replan_cause, r.join = "", "", 0, None
    if r.awake:
        r.plan, r.block, r.items, r.item = (), -1, (), 0


def headed(w: HasPlay, e: Headed, stamp: Stamp) -> None:
    if e.x >= w.map.width or e.y >= w.map.height:
        raise ValueError(f"there is no tile {e.x},{e.y}")
    _drop(w, stamp)
    _did(w, e)
    w.played.heading = e.y * w.map.width + e.x


def walked(w: HasPlay, e: Walked | Arrived, stamp: Stamp) -> None:
    """They have set out, or arrived: the order to walk is done."""
    if stamp.actor == w.played.who:
        w.played.heading = -1


def bidden(w: HasPlay, e: Bidden, stamp: Stamp) -> None:
    _did(w, e)
    _goes(w, e.block, stamp)


def _goes(w: HasPlay, block: Block, stamp: Stamp) -> None:
    possible(w, (block,))
    _drop(w, stamp)
    w.people.residents[stamp.actor].plan = (block,)
    set_due(w.people, stamp.actor, stamp.t)


def _drop(w: HasPlay, stamp: Stamp) -> None:
    """They stop what they are doing."""
    r = w.people.residents[stamp.actor]
    end(w, stamp.actor)
    r.going, r.plan, r.block, r.items, r.item = None, (), -1, (), 0
    w.played.heading = -1


def wished(w: HasPlay, e: Wished, stamp: Stamp) -> None:
    check_residents(w, e.whom, e.third)
    _did(w, e, e.words)
    w.played.wish = TalkWish(e.whom, e.do, e.aim, e.words, e.until, stamp.seq, e.begin, e.third, e.coins)
    if e.block is not None:
        _goes(w, e.block, stamp)


def wish_over(w: HasPlay, e: WishOver, stamp: Stamp) -> None:
    w.played.wish = None


def begun(w: HasPlay, e: Began, stamp: Stamp) -> None:
    """Remember when a beginning was made."""
    wish = w.played.wish
    if wish is not None and wish.begin and wish.aim == e.id:
        w.played.begun[begun_key(stamp.actor, wish)] = stamp.t


def over(w: HasPlay, e: Ended, stamp: Stamp) -> None:
    """If the matter put to them has ended meanwhile, stop waiting for their answer."""
    put = w.played.put
    if put is not None and put.aim == e.id:
        _put(w, None)
        talk = w.talk.open[put.talk]
        talk.at = min(talk.at, max(stamp.t, talk.since))


def handed(w: HasPlay, e: Handed, stamp: Stamp) -> None:
    turn_feelings(w, e.feelings, stamp)
    w.played.wish = None
    if e.feelings:
        w.played.given[given_key(stamp.actor, e.whom)] = stamp.t


def leaned(w: HasPlay, e: Leaned, stamp: Stamp) -> None:
    """They will vote so while played; people who like them hear their opinion."""
    w.played.votes[e.opinion] = e.yes
    held = w.cast[stamp.actor].opinions.get(e.opinion)
    if held is not None:
        firm = max(FIRM, abs(held.stance))
        w.people.residents[stamp.actor].leanings |= {e.opinion: firm if e.yes else -firm}
        w.cast[stamp.actor] = person(w, stamp.actor)


def saving(w: HasPlay, e: Saving, stamp: Stamp) -> None:
    """They mean to save coins; the saving is another event of this step."""
    if e.matter not in w.goals.open:
        raise ValueError(f"there is no plan for {e.matter}")
    w.played.saves = e.matter


def advanced(w: HasPlay, e: GoalAdvanced, stamp: Stamp) -> None:
    if w.played.saves == e.id:
        w.played.saves = ""


def took_phone(w: HasPlay, e: TookPhone, stamp: Stamp) -> None:
    """The phone is taken out; what they see is another event of this step."""


def swayed(w: HasPlay, e: Swayed, stamp: Stamp) -> None:
    if e.opinion not in w.cast[stamp.actor].opinions:
        raise ValueError(f"{stamp.actor} has no view of it")
    w.people.residents[stamp.actor].leanings |= {e.opinion: e.after}
    w.cast[stamp.actor] = person(w, stamp.actor)


def _put(w: HasPlay, e: PutTo | None) -> None:
    """Something new is put to them, or None; it has no answer yet."""
    w.played.put, w.played.how, w.played.words = e, "", ""


def put_to(w: HasPlay, e: PutTo, stamp: Stamp) -> None:
    talk = w.talk.open[e.talk]
    _put(w, e)
    talk.at = e.until


def replied(w: HasPlay, e: Replied, stamp: Stamp) -> None:
    talk = w.talk.open[e.talk]
    if w.played.put is None:
        raise ValueError("nothing was put to them")
    _did(w, e, e.words)
    w.played.how, w.played.words = e.how, e.words
    talk.at = stamp.t


def took_leave(w: HasPlay, e: TookLeave, stamp: Stamp) -> None:
    w.played.wish = None
    _put(w, None)
    talk = w.talk.open.get(w.people.residents[stamp.actor].talk)
    w.played.leaves = talk is not None
    if talk is not None:
        talk.at = min(talk.at, max(stamp.t, talk.since))


def saw_all(w: HasPlay, e: SawAll, stamp: Stamp) -> None:
    w.played.sees_all = e.on
    w.played.saw_all = stamp.t if w.played.saw_all < 0 else w.played.saw_all


def exchanged(w: HasPlay, e: Exchanged, stamp: Stamp) -> None:
    """Their wish has been said, or what was put to them is answered."""
    p = w.played
    if not p.who or p.who not in e.touches():
        return
    _put(w, None)
    if p.wish is not None and e.lines[0].who == p.who and p.wish.whom in e.touches():
        _told(w, p.wish)
        p.wish = None


def _told(w: HasPlay, wish: TalkWish) -> None:
    """Remember a lie until it is set right."""
    lied = w.played.lied.setdefault(given_key(w.played.who, wish.whom), [])
    if wish.do == TWIST and wish.aim not in lied:
        lied.append(wish.aim)
    elif wish.do == SET_RIGHT and wish.aim in lied:
        lied.remove(wish.aim)


def declined(w: HasPlay, e: Declined, stamp: Stamp) -> None:
    if e.other == w.played.who and w.played.wish is not None and w.played.wish.whom == stamp.actor:
        w.played.wish = None


def closed(w: HasPlay, e: Closed, stamp: Stamp) -> None:
    if w.played.who in e.who:
        _put(w, None)
        w.played.leaves = False


HANDLERS: dict[type[Event], Callable[..., None]] = {
    PlayBegan: began, Settled: settled, PlayEnded: ended, Aside: aside, Headed: headed, Walked: walked,
    Arrived: walked, Bidden: bidden, Wished: wished,
    WishOver: wish_over, Began: begun, Ended: over, Handed: handed, Swayed: swayed, Leaned: leaned,
    Saving: saving, GoalAdvanced: advanced, TookPhone: took_phone, PutTo: put_to,
    Replied: replied, TookLeave: took_leave, SawAll: saw_all, Exchanged: exchanged,
    Declined: declined, Closed: closed,
}  # fmt: skip
