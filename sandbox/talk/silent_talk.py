"""What of a talk has words: what matters in it, and a little beside. The rest is made when somebody asks for it."""

from __future__ import annotations

from sandbox.core.protocols import Step
from sandbox.people.beliefs import BeliefUpdate
from sandbox.talk import move_rules
from sandbox.talk.content import hurry, met_today
from sandbox.talk.matters import have_spoken
from sandbox.talk.model import ASIDES, SMALL, HasTalk, Talk
from sandbox.talk.question_wishes import Chosen
from sandbox.talk.rumours import breaks_claim, gone_round
from sandbox.talk.saying import TalkTurn

ROUND = 8  # times that what goes round is told in words: then whoever listens to the town knows it
BOTH = 0.2  # how often a goodbye is answered with one


def all_aloud(w: HasTalk, a: str, b: str) -> bool:
    """Whether all that two say has words: the town is set so, or its ties go by them, or one of the two is played."""
    return not w.talk_parameters.quiet or w.tie_parameters.text or w.played.who in (a, b)


def begins_unheard(w: HasTalk, a: str, b: str, t: int, want: Chosen) -> bool:
    """Whether two begin to talk without words: they have met today, or it is but small talk."""
    if all_aloud(w, a, b) or want.aim:
        return False
    return want.intent in SMALL or met_today(w, a, b, t)


def leads_unheard(w: HasTalk, turn: TalkTurn, t: int) -> bool:
    """Whether an exchange has no words: it brings nothing that matters to the two, and its talk has none or has had its
    asides; or just what has been told so often, or goes round of somebody's own family, which is not said as of
    strangers. What stays with something has words if that had.
    """
    talk, move = turn.talk, turn.moves[-1]
    if all_aloud(w, *talk.who):
        return False
    if turn.closing:
        return talk.quiet or (talk.tone > move_rules.ROW and _stay(w, talk, t))
    if turn.aim or move in move_rules.LOUD:
        return False
    told = turn.content.told
    if told is not None and told.strength > 0.0:
        if breaks_claim(w, told) and told.fact not in w.beliefs.held.get(told.who, {}):
            return False
        if not talk.quiet or talk.intent in SMALL:
            return _of_kin(w, turn, told) or gone_round(w, told.fact) >= ROUND
    if move in move_rules.FOLLOWED:
        return talk.hushed
    if talk.quiet:
        return not turn.content.over or have_spoken(w, turn.who, turn.other, turn.content.over)
    return talk.asides >= ASIDES


def answers_unheard(step: Step, w: HasTalk, lead: TalkTurn) -> bool:
    """Whether the answer to what leads has no words: as that, but that one goodbye does for both, mostly."""
    if lead.silent or not lead.closing or all_aloud(w, *lead.talk.who):
        return lead.silent
    return step.chance(lead.talk.id, "bye").unit() >= BOTH


def _of_kin(w: HasTalk, turn: TalkTurn, told: BeliefUpdate) -> bool:
    """Whether what goes round is of the family of whoever tells it, or of whoever hears it."""
    two = {w.cast[who].family for who in (turn.who, turn.other)}
    return any(w.cast[who].family in two for who in (told.a, told.b) if who)


def _stay(w: HasTalk, talk: Talk, t: int) -> bool:
    """Whether both go on where they are when the talk is over: then nobody takes leave."""
    return all(w.people.residents[who].going is None and not hurry(w, who, t) for who in talk.who)
