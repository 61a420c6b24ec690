"""What an exchange of a talk begins with: who leads it, with which move, about what."""

from __future__ import annotations

from sandbox.core.chance import Stream
from sandbox.core.protocols import Step
from sandbox.people.played import is_played
from sandbox.talk import move_rules
from sandbox.talk.content import NOTHING, Content, tie_of
from sandbox.talk.model import SMALL, HasTalk, Talk
from sandbox.talk.played_talk import played_lead, played_turn, put_again
from sandbox.talk.pressure_aims import aim_content, came_for, matter_content, seeks
from sandbox.talk.rumours import lead_content, owes_telling, possible_intents, tellable
from sandbox.talk.saying import TalkTurn, talk_reception
from sandbox.town.plan import sector_of


def next_lead(step: Step, w: HasTalk, talk: Talk) -> TalkTurn:
    """What the next exchange begins with: what a player has put, what stays with the last, or something new."""
    if (put := put_again(w, talk)) is not None:
        return put
    t = max(talk.at, step.now)
    i = played_lead(w, talk)
    if i >= 0 and (turn := played_turn(step, w, talk, talk.who[i], talk.who[1 - i], t)) is not None:
        return turn
    i = _leader(step, w, talk)
    i = 1 - i if is_played(w, talk.who[i]) else i  # they say what they are told to
    me, other = talk.who[i], talk.who[1 - i]
    n, chance = talk.exchanges, step.chance(talk.id, "lead", talk.exchanges)
    if n and move_rules.closing(n, talk.length, w.talk_parameters.cap, talk.tone):
        return _goodbye(talk, *_leaver(w, talk, me, other), chance)
    if n and (followed := _followed(step, w, talk, me, other)) is not None:
        return followed
    aim, do = (talk.aim, talk.intent) if n == 0 else came_for(w, talk, me, other, t)
    if aim and (aimed := aim_content(w, aim, me, other)) is not NOTHING:  # who comes for something says it at once
        return TalkTurn(talk, me, other, [w.drama.exchanges[do].move], aimed, aim=aim, do=do)
    meets = n == 0 and tie_of(w, me, other).feeling > -0.4
    moves = ["greet"] if meets and step.chance(talk.id, "greet").unit() < move_rules.GREETS else []
    wish = move_rules.LEADS.get(talk.intent, "") if n == 0 else "comfort" if talk.low >= 0 else ""
    content = lead_content(w, wish, me, other, t, talk.topics, chance) if wish else None
    if content is None:
        wish, content = _subject(w, talk, me, other, t, chance)
    return TalkTurn(talk, me, other, [*moves, content.move or wish], content)


def _goodbye(talk: Talk, me: str, other: str, chance: Stream) -> TalkTurn:
    """Somebody takes leave: curtly after a row, else mostly with a reason."""
    x = chance.unit()
    move = "bye" if talk.tone <= move_rules.ROW or x < 0.3 else "preclose"
    return TalkTurn(talk, me, other, [move], NOTHING, closing=True)


def _leaver(w: HasTalk, talk: Talk, me: str, other: str) -> tuple[str, str]:
    """Who takes leave of whom: the visitor of whoever is at home, unless they are played."""
    here = sector_of(talk.place)
    at_home = [sector_of(w.cast[who].home) == here for who in (me, other)]
    return (other, me) if at_home == [True, False] and not is_played(w, other) else (me, other)


def _subject(w: HasTalk, talk: Talk, me: str, other: str, t: int, chance: Stream) -> tuple[str, Content]:
    """What somebody comes to of themselves, the move and what it is about: what concerns them before small talk."""
    held = tellable(w, me, other, t)
    options = [
        m for m in possible_intents(w, me, other, t, held) if move_rules.LEADS[m] not in talk.beats and m != "snap"
    ]
    options = [m for m in options if m != "mention" or "tell_post" not in talk.beats]
    chance.shuffle(options)
    options.sort(key=SMALL.__contains__)
    if chance.unit() < move_rules.NEWS or owes_telling(w, me, other, held):
        options.sort(key=lambda intent: intent not in ("share_news", "gossip", "mention"))
    for intent in options:
        found = lead_content(w, move_rules.LEADS[intent], me, other, t, talk.topics, chance, held)
        if found is not None and (intent != "tease" or tie_of(w, me, other).feeling > 0.2):
            return move_rules.LEADS[intent], found
    return "small_talk", NOTHING


def _leader(step: Step, w: HasTalk, talk: Talk) -> int:
    """Who leads the next exchange: the one who began, then whoever has more to say."""
    if not talk.exchanges:
        return 0
    move, turned = move_rules.follow_up(
        talk.beats[-1], _taken(w, talk), talk.third, talk.grave, talk.cold, _staying(step, talk)
    )
    if move and talk.led >= 0:
        return 1 - talk.led if turned else talk.led
    if talk.low >= 0:
        return 1 - talk.low
    for i in (0, 1):
        if not talk.aim and seeks(w, talk.who[i], talk.who[1 - i], max(talk.at, step.now)):
            return i
    a, b = (w.cast[who].big_five.extraversion for who in talk.who)
    return 0 if step.chance(talk.id, "leader", talk.exchanges).unit() < 0.5 + 0.2 * (a - b) else 1


def _followed(step: Step, w: HasTalk, talk: Talk, me: str, other: str) -> TalkTurn | None:
    """A turn that stays with what the last exchange was about, if there is more to say."""
    answer = _taken(w, talk)
    move, _ = move_rules.follow_up(talk.beats[-1], answer, talk.third, talk.grave, talk.cold, _staying(step, talk))
    if not move or talk.beats.count(move) > 1:
        return None
    if answer:
        return TalkTurn(talk, me, other, [move], matter_content(w, talk.aim, me, other, talk.said))
    if move == "ask_on":
        topic = talk.topics[-1] if talk.topics and not talk.grave else ""
        asked = Content(topic, "concern", slots={"topic": topic} if topic else {})
        return TalkTurn(talk, me, other, [move], asked) if topic or talk.grave else None
    t = max(talk.at, step.now)
    content = lead_content(w, move, me, other, t, talk.topics, step.chance(talk.id, "news", talk.exchanges))
    return TalkTurn(talk, me, other, [content.move or move], content) if content is not None else None


def _taken(w: HasTalk, talk: Talk) -> str:
    """How what the last exchange was for has been taken, or "" if it was for nothing."""
    x = w.drama.exchanges.get(talk.do)
    return talk_reception(w, talk) if x is not None and talk.beats[-1] == x.move else ""


def _staying(step: Step, talk: Talk) -> float:
    """The chance by which the next exchange stays with what the last was about."""
    return step.chance(talk.id, "stay", talk.exchanges).unit()
