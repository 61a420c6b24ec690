"""Answers in a talk: how people take what somebody came for, with which move, and its content."""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.core.chance import Stream
from sandbox.core.protocols import Step
from sandbox.people.paying import has
from sandbox.people.pressure_deck import COVER, LIE, PressureWay, child_of, ways_of
from sandbox.people.pressure_handlers import doer
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at
from sandbox.talk import move_rules
from sandbox.talk.content import NOTHING, Content, reply_factors
from sandbox.talk.lines import FOLLOWED
from sandbox.talk.model import HasTalk, ScoredRule
from sandbox.talk.pressure_aims import bound_by, feature_values, knows_pressure, matter_content, payer, with_bars
from sandbox.talk.question_replies import Respond, Responded
from sandbox.talk.question_wishes import impression_rule
from sandbox.talk.rumours import answer_content, denial_content, lie_content, secret_to_cover
from sandbox.talk.saying import TalkTurn, slot_words
from sandbox.talk.subjects import ordinary_content as of_their_own

PENNILESS = ScoredRule("has not got it", -1.0)
INNOCENT = ScoredRule("has done nothing of the kind", -1.0)


def guilty(w: HasTalk, p: ActivePressure) -> bool | None:
    """Whether the one a pressure is about did what it asks about; None if that cannot be known."""
    known = p.asks and w.pressure_parameters.truth and not is_unrelated(w, p, thread_of(w, p.asks))
    by = doer(w, p.asks) if known else ""
    return by == p.about if by else None


def is_unrelated(w: HasTalk, p: ActivePressure, of: str) -> bool:
    """Whether what a pressure asks about is a different affair from the one it arose from, which merely looked odd. of:
    the thread of what it asks about.
    """
    made = None if p.id in w.cast_pressures else w.drama.children.get(child_of(p.id))
    return made is not None and not made.asks and p.thread != of


def thread_of(w: HasTalk, matter: str) -> str:
    """The thread of an open or cast pressure; an ended one is taken to have begun its own."""
    p = w.pressures.open.get(matter)
    found = p if p is not None else w.cast_pressures.get(matter)
    return found.thread if found is not None else matter


def honest(w: HasTalk, p: ActivePressure, do: str, answer: Responded) -> Responded:
    """An answer as it can be given: nobody admits what they have not done, or lends what they do not have."""
    if answer.how == "accept" and payer(p) == p.about and not has(w, p.about, p.amount):
        return replace(answer, how="refuse", why=(PENNILESS, *answer.why[:3]))
    admits = w.drama.kinds[p.kind].admits
    if not admits or guilty(w, p) is not False:
        return answer
    if not any(x.do == do and x.effect(answer.how).end == admits for x in w.drama.kinds[p.kind].ways):
        return answer
    return replace(answer, how="refuse", why=(INNOCENT, *answer.why[:3]))


def effective_way(w: HasTalk, p: ActivePressure, way: PressureWay, answer: str) -> PressureWay:
    """The way whose effects an answer has: a guilty person who answers openly does not clear themselves."""
    kind = w.drama.kinds[p.kind]
    if not kind.clears or way.effect(answer).end != kind.clears or not guilty(w, p):
        return way
    return next((x for x in kind.ways if (x.by, x.to) == (way.by, way.to) and x.accept.end == kind.admits), way)


TOLD = frozenset(("recall", "when", "third", "third_fact", "rumour", "cause"))  # slots that hold news


def respond_question(w: HasTalk, aim: str, do: str, me: str, other: str, t: int, just: str = "") -> Respond:
    """The question how `other` answers what `me` came for. just: what was said."""
    return respond_to(w, w.pressures.open[aim], do, me, other, t, just)


def respond_to(w: HasTalk, p: ActivePressure, do: str, me: str, other: str, t: int, just: str = "") -> Respond:
    """The question how `other` would answer `me` about a pressure, which need not be open yet."""
    exchange = w.drama.exchanges[do]
    x = intensity_at(p, t, w.pressure_parameters)
    lie = exchange.lie if secret_to_cover(w, p, do, other, me) is not None else {}
    found = with_bars(w, exchange, other, me, feature_values(w, other, me, t, p))
    known, bond = knows_pressure(w, p.id, other), bound_by(w, do, me, other)
    return Respond(other, 0, me, do, p.kind, x, exchange.answer, found, lie, just, known, bond, now=t)


def reply_to(step: Step, w: HasTalk, lead: TalkTurn, answer: Responded | None, just: str = "") -> TalkTurn:
    """The turn that answers a lead. answer: how the other takes what was raised; None if nothing was. just: the lead's
    words; a pressure not named in them stays known to its holder only.
    """
    talk, me, other = lead.talk, lead.other, lead.who
    if lead.closing:
        return TalkTurn(talk, me, other, ["bye"], NOTHING, closing=True)
    if answer is not None:
        return _taken(step, w, lead, answer)
    if lead.content.kind == "pressure":
        more = matter_content(w, talk.aim, me, other, talk.said)
        return TalkTurn(talk, me, other, [FOLLOWED[lead.moves[-1]]], more)
    turn = _answered(step, w, lead)
    if just and turn.content.topic and not _named(w, lead, just):
        turn = turn._replace(content=turn.content._replace(theirs=turn.content.theirs | {"topic"}))
    return turn


def _named(w: HasTalk, lead: TalkTurn, just: str) -> bool:
    """Whether the lead's words name its pressure, if it is about one."""
    topic = lead.content.topic
    if not lead.content.over or not topic:
        return True
    return slot_words(w, lead.who, lead.other, "topic", topic).casefold() in just.casefold()


def _taken(step: Step, w: HasTalk, lead: TalkTurn, answer: Responded) -> TalkTurn:
    """The answer to what somebody came for, as wished or as the truth requires."""
    talk, me, other, p = lead.talk, lead.other, lead.who, w.pressures.open[lead.aim]
    answer = honest(w, p, lead.do, answer)
    asked = next(x for x in ways_of(w.drama, p.id, p.kind) if x.do == lead.do)
    move = w.drama.exchanges[effective_way(w, p, asked, answer.how).do].replies[answer.how]
    chance = step.chance(talk.id, "lie", talk.exchanges)
    mine = matter_content(w, lead.aim, me, other)
    content = _answer_content(w, lead, mine, answer.how, max(talk.at, step.now), chance)
    return TalkTurn(talk, me, other, [move], content, aim=lead.aim, do=lead.do, answer=answer)


def _answered(step: Step, w: HasTalk, lead: TalkTurn) -> TalkTurn:
    """The answer to ordinary talk, by the answerer's state and impression; or a lie in denial."""
    talk, me, other = lead.talk, lead.other, lead.who
    t = max(talk.at, step.now)
    m = reply_factors(w, me, other, t, lead.content)
    of = (m, m._replace(left=0.0))
    move, usual = (move_rules.reply_move(lead.moves[-1], x, step.chance(talk.id, "reply", talk.exchanges)) for x in of)
    why = (impression_rule(m.left, 1.0),) if move != usual else ()
    if move in move_rules.ANSWERED:
        chance = step.chance(talk.id, "tell", talk.exchanges)
        told = of_their_own(w, "share_news", me, other, t, talk.topics, chance)
        if told is not None:
            return TalkTurn(talk, me, other, [move], told, why=why)
    content = _as_seen(w, lead.content, me, move)
    denial = denial_content(w, lead.content, me, other, t, step.chance(talk.id, "denial", talk.exchanges))
    if denial is not None:
        move, content, why = COVER, denial, ()
    greeted = move in move_rules.ANSWERED and "greet" in lead.moves and talk.length > 2
    nods = greeted and step.chance(me, "greet").unit() < move_rules.GREETS
    return TalkTurn(talk, me, other, [*(["greet"] if nods else []), move], content, why=why)


def _as_seen(w: HasTalk, content: Content, me: str, move: str) -> Content:
    """The subject of the other's turn, from one's own point of view."""
    opinion = w.cast[me].opinions.get(content.topic)
    left_out = {"why"} | ({"recall"} if move == "remember" else set())
    slots = {k: v for k, v in content.slots.items() if k not in left_out}
    if opinion:
        slots["why"] = opinion.why
    stance = opinion.stance if opinion else 0.0
    return content._replace(memory=-1, slots=slots, stance=stance, told=None, theirs=TOLD)


def _answer_content(w: HasTalk, lead: TalkTurn, mine: Content, how: str, t: int, chance: Stream) -> Content:
    """The content of an answer: what was raised, as the answerer knows it (mine), plus a lie, or what they know when
    asked around.
    """
    p = w.pressures.open[lead.aim]
    found: Content | None = None
    if how == LIE:
        secret = secret_to_cover(w, p, lead.do, lead.other, lead.who)
        found = lie_content(w, secret, lead.other, lead.who, t, chance) if secret is not None else None
    elif how == "accept" and w.drama.exchanges[lead.do].replies[how] == "tell_what":
        found = answer_content(w, p, lead.other, lead.who, t)
    if found is None:
        return mine
    return found._replace(slots={**mine.slots, **found.slots}, theirs=mine.theirs - found.slots.keys())
