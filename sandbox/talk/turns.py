"""The exchanges of a talk: who leads with what, how the other takes it, with which move they answer; and the system."""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.core.chance import Stream
from sandbox.core.protocols import Step, by_lot
from sandbox.core.text import clean
from sandbox.people.played import SPOKEN, is_played
from sandbox.people.pressure_deck import COVER, LIE, gist, ways_of
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at
from sandbox.talk import move_rules
from sandbox.talk.closing import close_talks
from sandbox.talk.content import NOTHING, Content, reply_factors, tie_of
from sandbox.talk.fact_turns import answer_fact, further_fact, lead_fact
from sandbox.talk.lines import FOLLOWED, STANCES
from sandbox.talk.meeting import meet
from sandbox.talk.model import SMALL, HasTalk, Talk, talk_reception
from sandbox.talk.played_talk import (
    answers_unheard,
    leads_unheard,
    played_lead,
    played_turn,
    put_again,
    wait_for_player,
)
from sandbox.talk.pressure_aims import (
    aim_content,
    bound_by,
    came_for,
    effective_way,
    feature_values,
    honest,
    knows_pressure,
    matter_content,
    seeks,
    with_bars,
)
from sandbox.talk.question_effects import exchange_event, feel_exchanges
from sandbox.talk.question_replies import Respond, Responded
from sandbox.talk.question_wishes import impression_rule
from sandbox.talk.rumours import (
    answer_content,
    denial_content,
    lead_content,
    lie_content,
    owes_telling,
    possible_intents,
    secret_to_cover,
    tellable,
)
from sandbox.talk.saying import Said, TalkTurn, say_question, slot_words, utterance
from sandbox.talk.subjects import ordinary_content as of_their_own
from sandbox.town.plan import sector_of

NEWS_SLOTS = frozenset(("recall", "when", "third", "third_fact", "rumour", "cause"))  # slots that hold news


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
        return _reply_to_matter(step, w, lead, answer)
    if lead.fact is not None and lead.moves[-1] in STANCES:
        return _taken_up(w, lead, talk.answer)
    if lead.content.kind == "pressure":
        more = matter_content(w, talk.aim, me, other, talk.said)
        move = FOLLOWED[lead.moves[-1]]
        fact = answer_fact(w, lead.fact, move, me, other) if lead.fact is not None else None
        return TalkTurn(talk, me, other, [move], more, fact=fact)
    turn = _answered(step, w, lead)
    if just and turn.content.topic and not _named(w, lead, just):
        turn = turn._replace(content=turn.content._replace(theirs=turn.content.theirs | {"topic"}))
    if lead.fact is not None and turn.moves[-1] != COVER:
        return turn._replace(moves=turn.moves[-1:], fact=answer_fact(w, lead.fact, turn.moves[-1], me, other))
    return turn


def _taken_up(w: HasTalk, lead: TalkTurn, how: str) -> TalkTurn:
    """The answer to a further fact of a matter. how: what the matter itself was answered with."""
    fact = answer_fact(w, lead.fact, how, lead.other, lead.who) if lead.fact is not None else None
    content = matter_content(w, lead.talk.aim, lead.other, lead.who, lead.talk.said)
    return TalkTurn(lead.talk, lead.other, lead.who, [fact.stance if fact is not None else "dodge"], content, fact=fact)


def _named(w: HasTalk, lead: TalkTurn, just: str) -> bool:
    """Whether the lead's words name its pressure, if it is about one."""
    topic = lead.content.topic
    if not lead.content.over or not topic:
        return True
    return slot_words(w, lead.who, lead.other, "topic", topic).casefold() in just.casefold()


def _reply_to_matter(step: Step, w: HasTalk, lead: TalkTurn, answer: Responded) -> TalkTurn:
    """The answer to what somebody came for, as wished or as the truth requires."""
    talk, me, other, p = lead.talk, lead.other, lead.who, w.pressures.open[lead.aim]
    answer = honest(w, p, lead.do, answer)
    asked = next(x for x in ways_of(w.drama, p.id, p.kind) if x.do == lead.do)
    move = w.drama.exchanges[effective_way(w, p, asked, answer.how).do].replies[answer.how]
    chance = step.chance(talk.id, "lie", talk.exchanges)
    mine = matter_content(w, lead.aim, me, other)
    content = _answer_content(w, lead, mine, answer.how, max(talk.at, step.now), chance)
    told = lead.fact if content.told is None else None
    fact = answer_fact(w, told, answer.how, me, other) if told is not None else None
    return TalkTurn(talk, me, other, [move], content, aim=lead.aim, do=lead.do, answer=answer, fact=fact)


def _answered(step: Step, w: HasTalk, lead: TalkTurn) -> TalkTurn:
    """The answer to ordinary talk, by the answerer's state and impression; or a lie in denial."""
    talk, me, other = lead.talk, lead.other, lead.who
    t = max(talk.at, step.now)
    m = reply_factors(w, me, other, t, lead.content)
    of = (m, m._replace(left=0.0)) if m.left else (m,)
    move, *usual = [move_rules.reply_move(lead.moves[-1], x, step.chance(talk.id, "reply", talk.exchanges)) for x in of]
    why = (impression_rule(m.left, 1.0),) if usual and usual != [move] else ()
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
    return content._replace(memory=-1, slots=slots, stance=stance, told=None, theirs=NEWS_SLOTS)


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


def next_lead(step: Step, w: HasTalk, talk: Talk) -> TalkTurn:
    """The lead of the next exchange: one put to a player, the player's own, a follow-up, or a new subject."""
    if (put := put_again(w, talk)) is not None:
        return put
    t = max(talk.at, step.now)
    i = played_lead(w, talk)
    if i >= 0 and (turn := played_turn(step, w, talk, talk.who[i], talk.who[1 - i], t)) is not None:
        return turn
    i = _leader(step, w, talk)
    i = 1 - i if is_played(w, talk.who[i]) else i  # a player chooses what to say
    me, other = talk.who[i], talk.who[1 - i]
    n, chance = talk.exchanges, step.chance(talk.id, "lead", talk.exchanges)
    if n and move_rules.closing(n, talk.length, w.talk_parameters.cap, talk.tone):
        return _goodbye(talk, *_leaver(w, talk, me, other), chance)
    if n and talk.further:
        return _further(w, talk) or _goodbye(talk, *_leaver(w, talk, me, other), chance)
    if n and (followed := _followed(step, w, talk, me, other)) is not None:
        return followed
    aim, do = (talk.aim, talk.intent) if n == 0 else came_for(w, talk, me, other, t)
    if aim and (aimed := aim_content(w, aim, me, other)) is not NOTHING:  # whoever came for something says it at once
        exchange = w.drama.exchanges[do]
        fact = lead_fact(w, aim, exchange.move, me, other, exchange.facts)
        return TalkTurn(talk, me, other, [exchange.move], aimed, aim=aim, do=do, fact=fact)
    meets = n == 0 and tie_of(w, me, other).feeling > -0.4
    moves = ["greet"] if meets and step.chance(talk.id, "greet").unit() < move_rules.GREETS else []
    wish = move_rules.LEADS.get(talk.intent, "") if n == 0 else "comfort" if talk.low >= 0 else ""
    content = lead_content(w, wish, me, other, t, talk.topics, chance) if wish else None
    if content is None:
        wish, content = _subject(w, talk, me, other, t, chance)
    move = content.move or wish
    fact = lead_fact(w, content.over or _as_it_is(w, content), move, me, other)
    return TalkTurn(talk, me, other, [*moves, move], content, fact=fact)


def _as_it_is(w: HasTalk, content: Content) -> str:
    """The open pressure that a rumour is about, if it is told as it is; "" otherwise."""
    row = content.told
    p = w.pressures.open.get(row.fact) if row is not None else None
    return p.id if p is not None and row is not None and row.slots == (p.holder, p.about, "", 0) else ""


def _further(w: HasTalk, talk: Talk) -> TalkTurn | None:
    """A further fact of what a talk was begun for: told by whoever came for it, if what they said settled nothing;
    asked for by the other, if they were told of somebody else; None if there is none.
    """
    i = 1 - talk.came if talk.third and talk.answer == "accept" else talk.came
    me, other = talk.who[i], talk.who[1 - i]
    if is_played(w, me):
        return None
    move = "ask_on" if i != talk.came else w.drama.exchanges[talk.do].move
    fact = (lead_fact if i != talk.came else further_fact)(w, talk.aim, move, me, other)
    if fact is None:
        return None
    return TalkTurn(talk, me, other, [fact.stance], matter_content(w, talk.aim, me, other, talk.said), fact=fact)


def _goodbye(talk: Talk, me: str, other: str, chance: Stream) -> TalkTurn:
    """Take leave: curtly after a row, else mostly with a reason."""
    x = chance.unit()
    move = "bye" if talk.tone <= move_rules.ROW or x < 0.3 else "preclose"
    return TalkTurn(talk, me, other, [move], NOTHING, closing=True)


def _leaver(w: HasTalk, talk: Talk, me: str, other: str) -> tuple[str, str]:
    """Who takes leave of whom: the visitor of the one at home, unless the visitor is played."""
    here = sector_of(talk.place)
    at_home = [sector_of(w.cast[who].home) == here for who in (me, other)]
    return (other, me) if at_home == [True, False] and not is_played(w, other) else (me, other)


def _subject(w: HasTalk, talk: Talk, me: str, other: str, t: int, chance: Stream) -> tuple[str, Content]:
    """A new subject, as move and content; concerns before small talk."""
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
    """Who leads the next exchange: first the initiator, then whoever has more to say."""
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
    """A turn that continues the last subject, if there is more to say."""
    answer = _taken(w, talk)
    move, _ = move_rules.follow_up(talk.beats[-1], answer, talk.third, talk.grave, talk.cold, _staying(step, talk))
    if not move or talk.beats.count(move) > 1:
        return None
    if answer:
        return TalkTurn(talk, me, other, [move], matter_content(w, talk.aim, me, other, talk.said))
    if move == "ask_on" and talk.over in w.pressures.open:
        fact = lead_fact(w, talk.over, move, me, other)
        if fact is not None:
            over = Content(gist(w.pressures.open[talk.over].stakes), "concern", over=talk.over)
            return TalkTurn(talk, me, other, [move], over, fact=fact)
    if move == "ask_on":
        topic = talk.topics[-1] if talk.topics and not talk.grave else ""
        asked = Content(topic, "concern", slots={"topic": topic} if topic else {})
        return TalkTurn(talk, me, other, [move], asked) if topic or talk.grave else None
    t = max(talk.at, step.now)
    content = lead_content(w, move, me, other, t, talk.topics, step.chance(talk.id, "news", talk.exchanges))
    return TalkTurn(talk, me, other, [content.move or move], content) if content is not None else None


def _taken(w: HasTalk, talk: Talk) -> str:
    """How the last exchange's purpose was received, "" if it had none."""
    x = w.drama.exchanges.get(talk.do)
    return talk_reception(w, talk) if x is not None and talk.beats[-1] == x.move else ""


def _staying(step: Step, talk: Talk) -> float:
    """The random number that decides whether the subject is continued, where chance does."""
    return step.chance(talk.id, "stay", talk.exchanges).unit() if talk.beats[-1] in move_rules.BY_CHANCE else 0.0


NO_WORDS = Said("")


async def run_exchanges(step: Step, w: HasTalk, ready: list[Talk], aloud: bool = False) -> list[tuple[Talk, int]]:
    """Run one exchange of each talk. Returns the talks that said goodbye, with the second they end. aloud: always with
    words.
    """
    led = [next_lead(step, w, talk) for talk in ready]
    if not aloud:
        led = [
            turn._replace(silent=True) if leads_unheard(w, turn, max(turn.talk.at, step.now)) else turn for turn in led
        ]
    words = await _words(step, w, led)
    on = [(turn, first) for turn, first in zip(led, words, strict=True) if not wait_for_player(step, w, turn, first)]
    leads, said = [turn for turn, _ in on], [first for _, first in on]
    pressed = [(turn, words) for turn, words in zip(leads, said, strict=True) if turn.aim]
    asked = [
        respond_to(
            w, w.pressures.open[x.aim], x.do, x.who, x.other, max(x.talk.at, step.now), clean(words.text, SPOKEN)
        )
        for x, words in pressed
    ]
    answers: list[Responded] = await step.ask(asked)
    how = {turn.talk.id: answer for (turn, _), answer in zip(pressed, answers, strict=True)}
    replies = [
        reply_to(step, w, turn, how.get(turn.talk.id), first.text)._replace(silent=answers_unheard(step, w, turn))
        for turn, first in zip(leads, said, strict=True)
    ]
    answered = await _words(step, w, replies, said)
    spoken = [
        (utterance(w, lead, first), utterance(w, reply, second))
        for lead, first, reply, second in zip(leads, said, replies, answered, strict=True)
    ]
    felt = await feel_exchanges(step, w, leads, spoken)
    ending: list[tuple[Talk, int]] = []
    for k, (lead, reply, lines) in enumerate(zip(leads, replies, spoken, strict=True)):
        t = max(lead.talk.at, step.now)
        if lead.content.memory >= 0:
            step.recall(lead.who, (lead.content.memory,))
        event = exchange_event(w, lead, reply, lines, felt[k], t)
        if (said[k].closes or answered[k].closes) and not lead.closing:
            event = replace(event, closes=True)
        step.emit(event, t=t, actor=lead.who, causes=(lead.talk.seq, *_read_in(w, lead)))
        if lead.closing:
            ending.append((lead.talk, min(t + w.talk_parameters.exchange, step.end) - 1))
    return ending


async def _words(step: Step, w: HasTalk, turns: list[TalkTurn], just: list[Said] | None = None) -> list[Said]:
    """The words of these turns, none for silent ones. just: what each answers."""
    asked = [
        say_question(step, w, turn, int(just is not None), just[k] if just is not None else None)
        for k, turn in enumerate(turns)
        if not turn.silent
    ]
    said: list[Said] = await step.ask(asked)
    found = iter(said)
    return [NO_WORDS if turn.silent else next(found) for turn in turns]


def _read_in(w: HasTalk, lead: TalkTurn) -> tuple[int, ...]:
    """The event by which the speaker read what they now speak about, if any."""
    if lead.content.kind != "post":
        return ()
    read = w.memories.streams[lead.who].node(lead.content.memory)
    return (read.seq,) if read is not None else ()


# ---- the system of talk


async def converse(step: Step, w: HasTalk) -> None:
    """Begin new talks, then run exchanges until every open talk has reached the end of the step."""
    await meet(step, w)
    while True:
        ready = [talk for talk in w.talk.open.values() if talk.at < step.end]
        if not ready:
            return
        ending = await run_exchanges(step, w, by_lot(step, "turn", ready, lambda talk: (talk.id, talk.exchanges)))
        if ending:
            await close_talks(step, w, ending)
        await step.breathe()
