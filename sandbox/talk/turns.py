"""The exchanges of a talk: which moves, about what, in which words, and what they do to the moods of both."""

from __future__ import annotations

from msgspec.structs import replace

from sandbox.core.chance import Stream
from sandbox.core.protocols import Step
from sandbox.core.text import clean
from sandbox.people.beliefs import Told
from sandbox.people.moods import mood_of
from sandbox.people.played import is_played
from sandbox.people.pressures.deck import COVER, LIE, ways_of
from sandbox.people.pressures.model import Press, Turned
from sandbox.people.pressures.rules import intensity_at
from sandbox.talk import agenda
from sandbox.talk.aims import aim_content, came_for, features, known, knows, seeks, with_bars
from sandbox.talk.asked import honest, owned
from sandbox.talk.byhand import bidden, bidden_turn, put_again, waits
from sandbox.talk.content import NOTHING, Content, all_aloud, hurry, mind, tie_of
from sandbox.talk.deciding.effects import Appraise, Appraised, appraise
from sandbox.talk.deciding.replies import Respond, Responded
from sandbox.talk.deciding.say import SPOKEN, Said
from sandbox.talk.deciding.ways import remembered
from sandbox.talk.model import ASIDES, SMALL, Exchanged, HasTalk, Talk, Utterance
from sandbox.talk.rumours import about, answered, breaks, covers, denied, lied, owed, possible, sours, tellable
from sandbox.talk.saying import Turn, appraisal, question, shift, sound, taken, utterance
from sandbox.talk.subjects import about as of_their_own

ROW = -0.4  # mean valence of a talk that ends in anger
GREETS = 0.42  # how often somebody who has come with nothing greets before they say something
BOTH = 0.2  # how often a goodbye is answered with one
NO_WORDS = Said("")
TOLD = frozenset(("recall", "when", "third", "third_fact", "rumour", "cause"))  # what news consist of


async def exchange(step: Step, w: HasTalk, ready: list[Talk], aloud: bool = False) -> list[tuple[Talk, int]]:
    """One exchange of each talk; returns the talks that said goodbye, with the second they end. aloud: with words."""
    led = [_hushed(w, _lead(step, w, talk)) for talk in ready]
    led = [turn._replace(silent=False) for turn in led] if aloud else led
    words = await _words(step, w, led)
    on = [(turn, first) for turn, first in zip(led, words, strict=True) if not waits(step, w, turn, first)]
    leads, said = [turn for turn, _ in on], [first for _, first in on]
    pressed = [(turn, words) for turn, words in zip(leads, said, strict=True) if turn.aim]
    answers: list[Responded] = await step.ask([_respond(step, w, turn, words) for turn, words in pressed])
    how = {turn.talk.id: answer for (turn, _), answer in zip(pressed, answers, strict=True)}
    replies = [_reply(step, w, turn, how.get(turn.talk.id)) for turn in leads]
    replies = [
        reply._replace(silent=True) if lead.silent else reply for lead, reply in zip(leads, replies, strict=True)
    ]
    answered = await _words(step, w, replies, said)
    spoken = [
        (utterance(w, lead, first), utterance(w, reply, second))
        for lead, first, reply, second in zip(leads, said, replies, answered, strict=True)
    ]
    felt = await _felt(step, w, leads, spoken)
    ending: list[tuple[Talk, int]] = []
    for k, (lead, reply, lines) in enumerate(zip(leads, replies, spoken, strict=True)):
        t = max(lead.talk.at, step.now)
        moods = {who: mood_of(w, who, t) for who in lead.talk.who}
        shifts = tuple(shift(w, who, x, moods[who], t) for who, x in zip(lead.talk.who, felt[k], strict=False))
        if lead.content.memory >= 0:
            step.recall(lead.who, (lead.content.memory,))
        n = lead.talk.exchanges + 1
        closes = (said[k].closes or answered[k].closes) and not lead.closing
        told, feelings = _told(w, lead, reply)
        event = Exchanged(
            lead.talk.id,
            n,
            lead.moves[-1],
            lines,
            shifts,
            why=reply.why,
            told=told,
            feelings=feelings,
            closes=closes,
            over=lead.content.over,
        )
        if reply.answer is not None:
            event = replace(event, aim=lead.aim, do=lead.do, answer=reply.answer.how, why=reply.answer.why)
        step.emit(event, t=t, actor=lead.who, causes=(lead.talk.seq, *_read_in(w, lead)))
        if lead.closing:
            ending.append((lead.talk, min(t + w.talk_parameters.exchange, step.end) - 1))
    return ending


def _read_in(w: HasTalk, lead: Turn) -> tuple[int, ...]:
    """The event by which somebody has read what they now speak of, if it is that."""
    if lead.content.kind != "post":
        return ()
    read = w.memories.streams[lead.who].node(lead.content.memory)
    return (read.seq,) if read is not None else ()


async def _felt(
    step: Step, w: HasTalk, leads: list[Turn], spoken: list[tuple[Utterance, Utterance]]
) -> list[tuple[Appraised, ...]]:
    """What each exchange makes both of its people feel; nobody feels anything without the module of moods."""
    if not w.mood_parameters.on:
        return [() for _ in leads]
    found: list[tuple[Appraise, bool]] = []
    for lead, lines in zip(leads, spoken, strict=True):
        t, all_said = max(lead.talk.at, step.now), all(line.text for line in lines)
        sounds = tuple(sound(step, w, lead.talk, line, t) for line in lines)
        found += [(appraisal(w, who, lines, sounds, t), all_said) for who in lead.talk.who]
    worded: list[Appraised] = await step.ask([q for q, words in found if words])
    answered = iter(worded)
    answers = [next(answered) if words else appraise(q, step.chance(q.who, "manner")) for q, words in found]
    return [(answers[2 * k], answers[2 * k + 1]) for k in range(len(leads))]


async def _words(step: Step, w: HasTalk, turns: list[Turn], just: list[Said] | None = None) -> list[Said]:
    """The words of these turns; none of those that are silent. just: what each answers."""
    asked = [
        question(step, w, turn, int(just is not None), just[k] if just is not None else None)
        for k, turn in enumerate(turns)
        if not turn.silent
    ]
    said: list[Said] = await step.ask(asked)
    found = iter(said)
    return [NO_WORDS if turn.silent else next(found) for turn in turns]


def _hushed(w: HasTalk, turn: Turn) -> Turn:
    """A turn without words, if it brings nothing that matters to the two, and its talk has none or has had its asides.
    What stays with something has words if that had.
    """
    talk, move = turn.talk, turn.moves[-1]
    if turn.closing or turn.aim or all_aloud(w) or w.played.who in talk.who or move in agenda.LOUD:
        return turn
    told = turn.content.told
    if told is not None and told.strength > 0.0 and (not talk.quiet or talk.intent in SMALL or breaks(w, told)):
        return turn
    if move in agenda.FOLLOWED:
        return turn._replace(silent=talk.hushed)
    return turn._replace(silent=talk.quiet or talk.asides >= ASIDES)


def _leader(step: Step, w: HasTalk, talk: Talk) -> int:
    """Who leads the next exchange: the one who began, then whoever has more to say."""
    if not talk.exchanges:
        return 0
    move, turned = agenda.follow(talk.beats[-1], _taken(w, talk), talk.third, talk.grave, _stay(step, talk))
    if move and talk.led >= 0:
        return 1 - talk.led if turned else talk.led
    if talk.low >= 0:
        return 1 - talk.low
    for i in (0, 1):
        if not talk.aim and seeks(w, talk.who[i], talk.who[1 - i], max(talk.at, step.now)):
            return i
    a, b = (w.cast[who].big_five.extraversion for who in talk.who)
    return 0 if step.chance(talk.id, "leader", talk.exchanges).unit() < 0.5 + 0.2 * (a - b) else 1


def _taken(w: HasTalk, talk: Talk) -> str:
    """How what the last exchange was for has been taken, or "" if it was for nothing."""
    x = w.drama.exchanges.get(talk.do)
    return taken(w, talk) if x is not None and talk.beats[-1] == x.move else ""


def _stay(step: Step, talk: Talk) -> float:
    """The chance by which the next exchange stays with what the last was about."""
    return step.chance(talk.id, "stay", talk.exchanges).unit()


def _followed(step: Step, w: HasTalk, talk: Talk, me: str, other: str) -> Turn | None:
    """A turn that stays with what the last exchange was about, if there is more to say."""
    answer = _taken(w, talk)
    move, _ = agenda.follow(talk.beats[-1], answer, talk.third, talk.grave, _stay(step, talk))
    if not move or talk.beats.count(move) > 1:
        return None
    if answer:
        return Turn(talk, me, other, [move], _fresh(_matter(w, talk.aim, me, other), talk.said))
    if move == "ask_on":
        topic = talk.topics[-1] if talk.topics and not talk.grave else ""
        asked = Content(topic, "concern", slots={"topic": topic} if topic else {})
        return Turn(talk, me, other, [move], asked) if topic or talk.grave else None
    t = max(talk.at, step.now)
    content = about(w, move, me, other, t, talk.topics, step.chance(talk.id, "news", talk.exchanges))
    return Turn(talk, me, other, [content.move or move], content) if content is not None else None


def _matter(w: HasTalk, aim: str, me: str, other: str) -> Content:
    """A pressure as one speaks of it, also once it has ended."""
    found = aim_content(w, aim, me, other)
    if found is NOTHING:
        return Content(kind="pressure")
    return found._replace(theirs=frozenset(found.slots) - known(w, w.pressures.open[aim], me))


def _fresh(content: Content, said: str) -> Content:
    """The same without what has just been said of it."""
    told = said.casefold()
    slots = {k: v for k, v in content.slots.items() if k not in ("matter", "cause") or v.casefold() not in told}
    return content._replace(slots=slots)


def _lead(step: Step, w: HasTalk, talk: Talk) -> Turn:
    if (put := put_again(w, talk)) is not None:
        return put
    t = max(talk.at, step.now)
    i = bidden(w, talk)
    if i >= 0 and (turn := bidden_turn(step, w, talk, talk.who[i], talk.who[1 - i], t)) is not None:
        return turn
    i = _leader(step, w, talk)
    i = 1 - i if is_played(w, talk.who[i]) else i  # they say what they are told to
    me, other = talk.who[i], talk.who[1 - i]
    n = talk.exchanges
    chance = step.chance(talk.id, "lead", n)
    mean = sum(talk.warmth) / max(1, sum(talk.words))
    if n and agenda.closing(n, talk.length, w.talk_parameters.cap, mean):
        x = chance.unit()
        words = ["bye"] if mean <= ROW or x < 0.3 else ["preclose"] if x < 0.85 else ["preclose", "bye"]
        aloud = w.played.who in talk.who or all_aloud(w)
        silent = not aloud and (talk.quiet or (mean > ROW and _stays(w, talk, t)))
        return Turn(talk, me, other, words, NOTHING, closing=True, silent=silent)
    if n and (followed := _followed(step, w, talk, me, other)) is not None:
        return followed
    aim, do = (talk.aim, talk.intent) if n == 0 else came_for(w, talk, me, other, t)
    if aim and (aimed := aim_content(w, aim, me, other)) is not NOTHING:  # who comes for something says it at once
        return Turn(talk, me, other, [w.drama.exchanges[do].move], aimed, aim=aim, do=do)
    meets = n == 0 and tie_of(w, me, other).feeling > -0.4
    moves = ["greet"] if meets and step.chance(talk.id, "greet").unit() < GREETS else []
    wish = agenda.LEADS.get(talk.intent, "") if n == 0 else "comfort" if talk.low >= 0 else ""
    content = about(w, wish, me, other, t, talk.topics, chance) if wish else None
    if content is None:
        held = tellable(w, me, other, t)
        options = [m for m in possible(w, me, other, t, held) if agenda.LEADS[m] not in talk.beats and m != "snap"]
        options = [m for m in options if m != "mention" or "tell_post" not in talk.beats]
        chance.shuffle(options)
        options.sort(key=SMALL.__contains__)  # what concerns somebody comes first
        if chance.unit() < agenda.NEWS or owed(w, me, other, held):
            options.sort(key=lambda intent: intent not in ("share_news", "gossip", "mention"))
        wish, content = "small_talk", NOTHING
        for intent in options:
            found = about(w, agenda.LEADS[intent], me, other, t, talk.topics, chance, held)
            if found is not None and (intent != "tease" or tie_of(w, me, other).feeling > 0.2):
                wish, content = agenda.LEADS[intent], found
                break
    return Turn(talk, me, other, [*moves, content.move or wish], content)


def _stays(w: HasTalk, talk: Talk, t: int) -> bool:
    """Whether both go on where they are when the talk is over: then nobody takes leave."""
    return all(w.people.residents[who].going is None and not hurry(w, who, t) for who in talk.who)


def _respond(step: Step, w: HasTalk, lead: Turn, words: Said) -> Respond:
    t = max(lead.talk.at, step.now)
    return respond_question(w, lead.aim, lead.do, lead.who, lead.other, t, clean(words.text, SPOKEN))


def respond_question(w: HasTalk, aim: str, do: str, me: str, other: str, t: int, just: str = "") -> Respond:
    """The question how `other` takes what `me` has come for. just: what was said."""
    return respond_to(w, w.pressures.open[aim], do, me, other, t, just)


def respond_to(w: HasTalk, p: Press, do: str, me: str, other: str, t: int, just: str = "") -> Respond:
    """The same for a pressure that need not be open yet."""
    exchange = w.drama.exchanges[do]
    x = intensity_at(p, t, w.pressure_parameters)
    lie = exchange.lie if covers(w, p, do, other, me) is not None else {}
    found = with_bars(w, exchange, other, me, features(w, other, me, t, p))
    return Respond(other, 0, me, do, p.kind, x, exchange.answer, found, lie, just, knows(w, p.id, other), now=t)


def _reply(step: Step, w: HasTalk, lead: Turn, answer: Responded | None) -> Turn:
    talk, me, other = lead.talk, lead.other, lead.who
    t = max(talk.at, step.now)
    if lead.closing:  # one goodbye does for both, mostly
        aloud = w.played.who in talk.who or all_aloud(w)
        silent = lead.silent or not (aloud or step.chance(talk.id, "bye").unit() < BOTH)
        return Turn(talk, me, other, ["bye"], NOTHING, closing=True, silent=silent)
    if answer is not None:
        p = w.pressures.open[lead.aim]
        answer = honest(w, p, lead.do, answer)
        asked = next(x for x in ways_of(w.drama, p.id, p.kind) if x.do == lead.do)
        move = w.drama.exchanges[owned(w, p, asked, answer.how).do].replies[answer.how]
        mine = _matter(w, lead.aim, me, other)
        content = _answer_content(w, lead, mine, answer.how, t, step.chance(talk.id, "lie", talk.exchanges))
        return Turn(talk, me, other, [move], content, aim=lead.aim, do=lead.do, answer=answer)
    if lead.content.kind == "pressure":
        return Turn(
            talk, me, other, [agenda.FOLLOWED[lead.moves[-1]]], _fresh(_matter(w, talk.aim, me, other), talk.said)
        )
    m = mind(w, me, other, t, lead.content)
    chance = step.chance(talk.id, "tell", talk.exchanges)
    of = (m, m._replace(left=0.0))
    move, usual = (agenda.reply(lead.moves[-1], x, step.chance(talk.id, "reply", talk.exchanges)) for x in of)
    why = (remembered(m.left, 1.0),) if move != usual else ()
    if move in agenda.ANSWERED:
        told = of_their_own(w, "share_news", me, other, t, talk.topics, chance)
        if told is not None:
            return Turn(talk, me, other, [move], told, why=why)
    opinion = w.cast[me].opinions.get(lead.content.topic)
    slots = dict(lead.content.slots)
    if opinion:
        slots["why"] = opinion.why
    elif "why" in slots:
        del slots["why"]
    content = lead.content._replace(
        memory=-1, slots=slots, stance=opinion.stance if opinion else 0.0, told=None, theirs=TOLD
    )
    if move == "remember":
        content = content._replace(slots={k: v for k, v in slots.items() if k != "recall"})
    warm = move not in ("snap", "cold_reply") and talk.length > 2
    denial = denied(w, lead.content, me, other, t, step.chance(talk.id, "denial", talk.exchanges))
    if denial is not None:
        move, content, why = COVER, denial, ()
    nods = move in agenda.ANSWERED and "greet" in lead.moves and warm and step.chance(me, "greet").unit() < GREETS
    return Turn(talk, me, other, [*(["greet"] if nods else []), move], content, why=why)


def _answer_content(w: HasTalk, lead: Turn, mine: Content, how: str, t: int, chance: Stream) -> Content:
    """What an answer is about: what was asked, as the one asked sees it (mine), and with it a lie, or what somebody
    knows who was asked around.
    """
    p = w.pressures.open[lead.aim]
    found: Content | None = None
    if how == LIE:
        secret = covers(w, p, lead.do, lead.other, lead.who)
        found = lied(w, secret, lead.other, lead.who, t, chance) if secret is not None else None
    elif how == "accept" and w.drama.exchanges[lead.do].replies[how] == "tell_what":
        found = answered(w, p, lead.other, lead.who, t)
    if found is None:
        return mine
    return found._replace(slots={**mine.slots, **found.slots}, theirs=mine.theirs - found.slots.keys())


def _told(w: HasTalk, *turns: Turn) -> tuple[tuple[Told, ...], tuple[Turned, ...]]:
    """What people come to believe by what was said in these turns, and how their feelings turn with it."""
    found = [(turn.content.told, turn.content.slots["rumour"]) for turn in turns if turn.content.told is not None]
    return tuple(row for row, _ in found), tuple(f for row, says in found for f in sours(w, row, says))
