"""Talks with a played person: who speaks first, the player's turn, what is put to them; and which talk has words."""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.core.protocols import Step
from sandbox.core.text import clean
from sandbox.people.beliefs import HELD, ROW, WORST, Belief, BeliefUpdate, current_beliefs, fact_sentence, strength_at
from sandbox.people.played import SET_RIGHT, SPOKEN, TOLD_OF, TWIST, PutTo, given_key, is_played, put_in, wish_for
from sandbox.talk import move_rules
from sandbox.talk.content import NOTHING, hurry, met_today
from sandbox.talk.lines import FOLLOWED, LOUD
from sandbox.talk.model import ASIDES, SMALL, HasTalk, Talk
from sandbox.talk.news import have_spoken
from sandbox.talk.pressure_aims import aim_content
from sandbox.talk.question_wishes import Chosen
from sandbox.talk.rumours import breaks_claim, gone_round, lead_content, rumour_content, tellable, told_as
from sandbox.talk.saying import Said, TalkTurn

WAITS = 60  # seconds a talk waits for the player's answer


def first_speaker(w: HasTalk, a: str, b: str) -> str:
    """Who of two speaks first: the played one if they mean to, else the other; "" if neither is played."""
    for me, other in ((a, b), (b, a)):
        if is_played(w, me):
            return me if wish_for(w, other) is not None else other
    return ""


def played_lead(w: HasTalk, talk: Talk) -> int:
    """Which of the two leads because the player wants to speak or leave; -1 for neither."""
    for i in (0, 1):
        me, other = talk.who[i], talk.who[1 - i]
        means = wish_for(w, other) is not None and (i == 0 or talk.exchanges > 0)  # the initiator speaks first
        if is_played(w, me) and (means or w.played.leaves):
            return i
    return -1


def played_turn(step: Step, w: HasTalk, talk: Talk, me: str, other: str, t: int) -> TalkTurn | None:
    """The player's turn: the goodbye, or what they mean to say. None if that is no longer possible."""
    if w.played.leaves:
        return TalkTurn(talk, me, other, ["bye"], NOTHING, closing=True)
    wish = wish_for(w, other)
    if wish is None:
        return None
    if wish.do in TOLD_OF and wish.aim:
        held = belief_to_tell(w, me, other, t, wish.do, wish.aim)
        if held is None:
            return None
        if wish.do == SET_RIGHT:
            told = told_as(w, held, held.slots, me, other, t)
        else:
            told = rumour_content(w, held, me, other, t, step.chance(talk.id, "lead", talk.exchanges))
        return TalkTurn(talk, me, other, [told.move], told)
    if wish.aim:
        content = aim_content(w, wish.aim, me, other)
        if content is NOTHING:
            return None
        return TalkTurn(talk, me, other, [w.drama.exchanges[wish.do].move], content, aim=wish.aim, do=wish.do)
    lead = move_rules.LEADS.get(wish.do, "small_talk")
    found = lead_content(w, lead, me, other, t, talk.topics, step.chance(talk.id, "lead", talk.exchanges))
    if found is not None:
        return TalkTurn(talk, me, other, [found.move or lead], found)
    return TalkTurn(talk, me, other, ["small_talk"], NOTHING) if wish.words else None


def belief_to_tell(w: HasTalk, me: str, other: str, t: int, do: str, fact: str) -> Belief | None:
    """What somebody would tell another about a fact; None if they cannot. do: gossip, twist or set_right."""
    found = to_set_right(w, me, other, t) if do == SET_RIGHT else tellable(w, me, other, t)
    held = next((b for b in found if b.fact == fact), None)
    return worse(w, held) if held is not None and do == TWIST else held


def to_set_right(w: HasTalk, me: str, other: str, t: int) -> list[Belief]:
    """Beliefs about which somebody has misled another, by a lie or because their own belief changed; oldest first."""
    theirs, q = w.beliefs.held.get(other, {}), w.belief_parameters
    lied = w.played.lied.get(given_key(me, other), ()) if is_played(w, me) else ()

    def wrong(belief: Belief) -> bool:
        x = theirs.get(belief.fact)
        return x is not None and x.source == me and x.slots != belief.slots and strength_at(x, t, q) >= HELD

    return [b for b in current_beliefs(w.beliefs, me, t, q) if b.fact in lied or wrong(b)]


def worse(w: HasTalk, held: Belief) -> Belief | None:
    """A belief exaggerated by one degree; None if there are no words for that."""
    fact = w.beliefs.facts[held.fact]
    if held.bad >= WORST or fact.how not in ("", ROW):
        return None
    twisted = replace(held, bad=held.bad + 1)
    told = fact_sentence(w, fact, twisted.slots)
    return twisted if told and told != fact_sentence(w, fact, held.slots) else None


def put_again(w: HasTalk, talk: Talk) -> TalkTurn | None:
    """The turn that awaits the player's answer; None if there is none."""
    put = put_in(w, talk.id)
    content = aim_content(w, put.aim, put.other, w.played.who) if put is not None else NOTHING
    if put is None or content is NOTHING:
        return None
    move = w.drama.exchanges[put.do].move
    return TalkTurn(talk, put.other, w.played.who, [move], content, aim=put.aim, do=put.do)


def wait_for_player(step: Step, w: HasTalk, turn: TalkTurn, said: Said) -> bool:
    """Put a concern to the player, if it is theirs to answer. Returns whether the talk waits."""
    if not turn.aim or not is_played(w, turn.other) or put_in(w, turn.talk.id) is not None:
        return False
    t = max(turn.talk.at, step.now)
    event = PutTo(turn.talk.id, turn.who, turn.do, turn.aim, clean(said.text, SPOKEN), said.variants, t + WAITS)
    step.emit(event, t=t, actor=turn.other, causes=(turn.talk.seq,))
    return True


# ---- which part of a talk has words


ROUND = 8  # how often a rumour is told in words; after that, whoever listens knows it
BOTH = 0.2  # chance that a goodbye is answered in words


def all_aloud(w: HasTalk, a: str, b: str) -> bool:
    """Whether everything the two say has words: by the world's settings, or because one of them is played."""
    return not w.talk_parameters.quiet or w.tie_parameters.text or w.played.who in (a, b)


def begins_unheard(w: HasTalk, a: str, b: str, t: int, want: Chosen) -> bool:
    """Whether a talk begins without words: the two have met today, or it is small talk."""
    if all_aloud(w, a, b) or want.aim:
        return False
    return want.intent in SMALL or met_today(w, a, b, t)


def leads_unheard(w: HasTalk, turn: TalkTurn, t: int) -> bool:
    """Whether an exchange has no words. That is so if it does not matter to the two and the talk is quiet or has had
    its side subjects, or if it only repeats a widespread rumour or one about the speakers' own family. Follow-ups have
    words if the last exchange had.
    """
    talk, move = turn.talk, turn.moves[-1]
    if all_aloud(w, *talk.who):
        return False
    if turn.closing:
        return talk.quiet or (talk.tone > move_rules.ROW and _stay(w, talk, t))
    if turn.aim or move in LOUD:
        return False
    told = turn.content.told
    if told is not None and told.strength > 0.0:
        if breaks_claim(w, told) and told.fact not in w.beliefs.held.get(told.who, {}):
            return False
        if not talk.quiet or talk.intent in SMALL:
            return _of_kin(w, turn, told) or gone_round(w, told.fact) >= ROUND
    if move in FOLLOWED:
        return talk.hushed
    if talk.quiet:
        return not turn.content.over or have_spoken(w, turn.who, turn.other, turn.content.over)
    return talk.asides >= ASIDES


def answers_unheard(step: Step, w: HasTalk, lead: TalkTurn) -> bool:
    """Whether an answer has no words: if the lead has none, or mostly if the lead's goodbye serves for both."""
    if lead.silent or not lead.closing or all_aloud(w, *lead.talk.who):
        return lead.silent
    return step.chance(lead.talk.id, "bye").unit() >= BOTH


def _of_kin(w: HasTalk, turn: TalkTurn, told: BeliefUpdate) -> bool:
    """Whether a rumour is about the family of its teller or listener."""
    two = {w.cast[who].family for who in (turn.who, turn.other)}
    return any(w.cast[who].family in two for who in (told.a, told.b) if who)


def _stay(w: HasTalk, talk: Talk, t: int) -> bool:
    """Whether both stay where they are after the talk; then nobody takes leave."""
    return all(w.people.residents[who].going is None and not hurry(w, who, t) for who in talk.who)
