"""The system of talk: who speaks to whom, and the exchanges of every talk under way, as far as the step's time
reaches.
"""

from __future__ import annotations

from sandbox.core.clock import part_of_day
from sandbox.core.protocols import Step
from sandbox.people.feel import Appraisal, express
from sandbox.people.live import block_at, stop
from sandbox.people.model import Recalled
from sandbox.people.mood import Pad, moved
from sandbox.people.occ import delta as occ_delta
from sandbox.people.occ import together
from sandbox.people.perceive import near_pairs
from sandbox.people.ties import closer, evidence, felt
from sandbox.talk import agenda
from sandbox.talk.appraise import MOVES, listener_emotion, tone
from sandbox.talk.content import (
    NOTHING,
    Content,
    about,
    act_words,
    busy,
    hurry,
    mind,
    mood_of,
    partner,
    place_word,
    plan_words,
    possible,
    relation,
    spoken_mood,
    tie_of,
)
from sandbox.talk.model import (
    Accept,
    Accepted,
    Approach,
    Approached,
    Closed,
    Declined,
    Exchanged,
    FeelAbout,
    FeltAbout,
    HasTalk,
    Opened,
    Relation,
    Said,
    Say,
    Shift,
    Talk,
    Utterance,
    pair,
)
from sandbox.town.rules import tile_at

WALKING = 0.35
WORKING = 0.6


async def converse(step: Step, w: HasTalk) -> None:
    """Begin the talks that begin, then run exchanges until every open talk has reached the end of the step."""
    await _meet(step, w)
    while True:
        ready = [talk for talk in w.talk.open.values() if talk.at < step.end]
        if not ready:
            return
        ready.sort(key=lambda talk: talk.id)
        step.chance("", "talks", ready[0].exchanges).shuffle(ready)
        await _exchange(step, w, ready)
        await step.breathe()


# ---- meeting


def _encounters(step: Step, w: HasTalk) -> list[tuple[str, str, int]]:
    """Pairs that think of talking now, with the second; each person at most once."""
    p = w.talk_parameters
    spots, last, width = w.town.spots, w.last, w.map.width
    tiles = {
        who: tile_at(spots[who], max(step.now, last.get(who, 0)), width)
        for who, r in w.people.residents.items()
        if r.awake and not r.talk and (r.act is not None or r.going is not None)
    }
    pairs = []
    minutes = (step.end - step.now) / 60.0
    inside = w.map.inside
    for a, b, _ in near_pairs(w, tiles, p.reach):
        ta, tb = tiles[a], tiles[b]
        if (
            inside[ta] != inside[tb]
            or (inside[ta] and w.map.area_of[ta] != w.map.area_of[tb])
            or not w.ways.sees(ta, tb)
        ):
            continue
        t = max(step.now, last.get(a, 0), last.get(b, 0))
        before = w.talk.last.get(pair(a, b))
        if t >= step.end or (before is not None and t - before < p.cooldown * 60):
            continue
        rate = p.rate * (0.6 + 0.2 * (w.cast[a].big_five.extraversion + w.cast[b].big_five.extraversion))
        tie = tie_of(w, a, b)
        rate *= 0.6 + 1.2 * tie.closeness + 0.5 * abs(tie.feeling)
        for who in (a, b):
            if spots[who].path:
                rate *= WALKING
            elif busy(w, who):
                rate *= WORKING
        if step.chance(a, b).unit() < 1.0 - (1.0 - min(0.9, max(0.0, rate))) ** minutes:
            pairs.append((a, b, t))
    step.chance("", "meet").shuffle(pairs)
    taken: set[str] = set()
    out: list[tuple[str, str, int]] = []
    for a, b, t in pairs:
        if a not in taken and b not in taken:
            taken |= {a, b}
            chance = step.chance(a, "who first", len(out))
            lead = 0.5 + 0.25 * (w.cast[a].big_five.extraversion - w.cast[b].big_five.extraversion)
            out.append((a, b, t) if chance.unit() < lead else (b, a, t))
    return out


async def _meet(step: Step, w: HasTalk) -> None:
    met = _encounters(step, w)
    if not met:
        return
    wanted: list[Approached] = await step.ask([_approach(step, w, a, b, t) for a, b, t in met])
    keen = [(a, b, t, want) for (a, b, t), want in zip(met, wanted, strict=True) if want.intent]
    if not keen:
        return
    answers: list[Accepted] = await step.ask([_accept(w, a, b, t, want.intent) for a, b, t, want in keen])
    for (a, b, t, want), answer in zip(keen, answers, strict=True):
        if w.people.residents[a].talk or w.people.residents[b].talk:
            continue
        if answer.how != "accept":
            seq = step.emit(Declined(a, answer.how, want.intent, answer.why), t=t, actor=b)
            if w.mood_parameters.on:
                express(step, w, a, _turned_away(w, a, b, answer.how), t, seq)
            continue
        for who in (a, b):
            stop(step, w, who, t)
        traits = w.cast[a].big_five
        close = tie_of(w, a, b).closeness
        rushed = hurry(w, a, t) or hurry(w, b, t) or (busy(w, a) and busy(w, b))
        chance = step.chance(a, "length")
        length = agenda.length(traits.extraversion, close, mood_of(w, a, t).a, rushed, w.talk_parameters.cap, chance)
        tile = tile_at(w.town.spots[a], t, w.map.width)
        id_ = f"{step.number}.{a}.{b}"
        step.emit(
            Opened(id_, b, w.map.area_of[tile], want.intent, want.topic, length, want.why, want.over), t=t, actor=a
        )


def _turned_away(w: HasTalk, who: str, by: str, how: str) -> Appraisal:
    name = w.handbook.name(by)
    if how == "refuse":
        proud = w.cast[who].big_five.agreeableness < 0.2
        return Appraisal("anger" if proud else "shame", 0.8, f"{name} turned them away", by)
    return Appraisal("disappointment", 0.4, f"{name} had no time for them", by)


def _approach(step: Step, w: HasTalk, a: str, b: str, t: int) -> Approach:
    traits = w.cast[a].big_five
    spoke = w.talk.last.get(pair(a, b))
    return Approach(
        who=a,
        other=partner(w, a, b, t),
        options=tuple((intent, "") for intent in possible(w, a, b, t)),
        pad=mood_of(w, a, t),
        extraversion=traits.extraversion,
        agreeableness=traits.agreeableness,
        neuroticism=traits.neuroticism,
        busy=busy(w, a),
        hurry=hurry(w, a, t),
        first_today=spoke is None or w.clock.day(spoke) != w.clock.day(t),
        concern=bool(w.cast[a].concerns),
    )


def _accept(w: HasTalk, a: str, b: str, t: int, intent: str) -> Accept:
    traits = w.cast[b].big_five
    return Accept(
        who=b,
        other=partner(w, b, a, t),
        intent=intent,
        pad=mood_of(w, b, t),
        agreeableness=traits.agreeableness,
        extraversion=traits.extraversion,
        busy=busy(w, b),
        hurry=hurry(w, b, t),
    )


# ---- exchanges


class Turn:
    """A turn being made: who says which moves about what. closing: it is part of the goodbye."""

    __slots__ = ("closing", "content", "moves", "other", "talk", "who")

    def __init__(
        self, talk: Talk, who: str, other: str, moves: list[str], content: Content, closing: bool = False
    ) -> None:
        self.talk, self.who, self.other, self.moves, self.content = talk, who, other, moves, content
        self.closing = closing


async def _exchange(step: Step, w: HasTalk, ready: list[Talk]) -> None:
    leads = [_lead(step, w, talk) for talk in ready]
    said: list[Said] = await step.ask([_say(step, w, turn, 0) for turn in leads])
    replies = [_reply(step, w, turn) for turn in leads]
    answered: list[Said] = await step.ask([_say(step, w, turn, 1) for turn in replies])
    ending: list[tuple[Talk, int]] = []
    for lead, first, reply, second in zip(leads, said, replies, answered, strict=True):
        t = max(lead.talk.at, step.now)
        moods = {who: mood_of(w, who, t) for who in lead.talk.who}
        lines = (_utterance(lead, first), _utterance(reply, second))
        shifts = tuple(_shift(w, who, lines, moods[who]) for who in lead.talk.who) if w.mood_parameters.on else ()
        if lead.content.memory >= 0:
            step.emit(Recalled((lead.content.memory,)), t=t, actor=lead.who)
        n = lead.talk.exchanges + 1
        step.emit(
            Exchanged(lead.talk.id, n, lead.moves[-1], lines, shifts), t=t, actor=lead.who, causes=(lead.talk.seq,)
        )
        if lead.closing:
            ending.append((lead.talk, min(t + w.talk_parameters.exchange, step.end) - 1))
    if ending:
        await _close(step, w, ending)


def _leader(step: Step, w: HasTalk, talk: Talk) -> int:
    """Who leads the next exchange: the one who began, then whoever has more to say."""
    if not talk.exchanges:
        return 0
    if talk.low >= 0:
        return 1 - talk.low
    a, b = (w.cast[who].big_five.extraversion for who in talk.who)
    return 0 if step.chance(talk.id, "leader", talk.exchanges).unit() < 0.5 + 0.2 * (a - b) else 1


def _lead(step: Step, w: HasTalk, talk: Talk) -> Turn:
    i = _leader(step, w, talk)
    me, other = talk.who[i], talk.who[1 - i]
    n = talk.exchanges
    t = max(talk.at, step.now)
    chance = step.chance(talk.id, "lead", n)
    mean = sum(talk.warmth) / max(1, sum(talk.words))
    if n and agenda.closing(n, talk.length, w.talk_parameters.cap, mean):
        x = chance.unit()
        words = ["bye"] if mean <= -0.4 or x < 0.3 else ["preclose"] if x < 0.85 else ["preclose", "bye"]
        return Turn(talk, me, other, words, NOTHING, closing=True)
    moves = ["greet"] if n == 0 and tie_of(w, me, other).feeling > -0.4 else []
    wish = agenda.LEADS[talk.intent] if n == 0 else "comfort" if talk.low >= 0 else ""
    content = about(w, wish, me, other, t, talk.topics, chance) if wish else None
    if content is None:
        options = [m for m in possible(w, me, other, t) if agenda.LEADS[m] not in talk.beats and m != "snap"]
        chance.shuffle(options)
        wish, content = "small_talk", NOTHING
        for intent in options:
            found = about(w, agenda.LEADS[intent], me, other, t, talk.topics, chance)
            if found is not None and (intent != "tease" or tie_of(w, me, other).feeling > 0.2):
                wish, content = agenda.LEADS[intent], found
                break
    return Turn(talk, me, other, [*moves, wish], content)


def _reply(step: Step, w: HasTalk, lead: Turn) -> Turn:
    talk, me, other = lead.talk, lead.other, lead.who
    t = max(talk.at, step.now)
    if lead.closing:
        return Turn(talk, me, other, ["bye"], NOTHING, closing=True)
    m = mind(w, me, other, t, lead.content)
    move = agenda.reply(lead.moves[-1], m, step.chance(talk.id, "reply", talk.exchanges))
    opinion = w.cast[me].opinions.get(lead.content.topic)
    slots = dict(lead.content.slots)
    if opinion:
        slots["why"] = opinion.why
    elif "why" in slots:
        del slots["why"]
    content = lead.content._replace(memory=-1, slots=slots, stance=opinion.stance if opinion else 0.0)
    if move == "remember":
        content = content._replace(slots={k: v for k, v in slots.items() if k != "recall"})
    warm = move not in ("snap", "cold_reply") and talk.length > 2
    greet = ["greet"] if "greet" in lead.moves and warm and step.chance(me, "greet").unit() < 0.5 else []
    return Turn(talk, me, other, [*greet, move], content)


def _say(step: Step, w: HasTalk, turn: Turn, n: int) -> Say:
    talk, me, other = turn.talk, turn.who, turn.other
    t = max(talk.at, step.now)
    persona = w.cast[me]
    pad = mood_of(w, me, t)
    who = partner(w, me, other, t)
    spoke = w.talk.last.get(pair(me, other))
    context = {
        "hour": part_of_day(w.clock.second_of_day(t)),
        "mood": spoken_mood(pad),
        "listener_mood": who.mood,
        "tie": who.tie,
        "place": place_word(w, me, talk.place),
        "with": relation(persona, w.cast[other]),
        "first_today": "true" if spoke is None or w.clock.day(spoke) != w.clock.day(t) else "false",
        "arousal": "high" if pad.a > 0.35 else "low" if pad.a < -0.2 else "",
        "hurry": "true" if talk.length <= 2 else "false",
        "topic_kind": turn.content.kind,
        "stance": "",
    }
    if turn.content.kind == "opinion":
        context["stance"] = "for" if turn.content.stance >= 0 else "against"
        context["sides"] = "opposed" if turn.content.opposed > 0.25 else "same"
    slots = {
        "name": who.name,
        "place": w.handbook.place(talk.place),
        "act": act_words(w, me),
        "listener_act": act_words(w, other),
        "plan": plan_words(w, me, t),
        **turn.content.slots,
    }
    avoid = tuple(w.talk.said.get(me, ()))
    return Say(
        me, 2 * talk.exchanges + n, tuple(turn.moves), persona.voice, context, persona.traits, slots, pad, avoid,
        w.talk.heard, persona.catchphrase,
    )  # fmt: skip


def _utterance(turn: Turn, said: Said) -> Utterance:
    move = turn.moves[-1]
    valence = MOVES[move].valence
    return Utterance(
        turn.who, said.text, move, turn.content.topic, turn.content.about, valence, said.variants, turn.content.memory
    )


def _shift(w: HasTalk, who: str, lines: tuple[Utterance, ...], pad: Pad) -> Shift:
    """The fast update of one person: what they said and what they heard, appraised."""
    p = w.mood_parameters
    traits = w.cast[who].big_five
    deltas: list[Pad] = []
    why, strongest = "", 0.0
    for line in lines:
        effect = MOVES[line.move]
        if line.who == who:
            emotion, intensity = effect.speaker, effect.speaker_intensity
            words = f"{_WORDS.get(line.move, 'talked')}"
        else:
            feeling = tie_of(w, who, line.who).feeling
            emotion, intensity = listener_emotion(line.move, feeling)
            words = f"{w.handbook.name(line.who)} {_HEARD.get(line.move, 'talked to them')}"
        if line.topic and line.move in _TOPICAL:
            words += f" about {line.topic}"
        if emotion:
            intensity *= 1.0 + 0.4 * traits.neuroticism
            deltas.append(occ_delta(emotion, min(1.0, max(0.0, intensity)), p.fast))
            if intensity > strongest:
                strongest, why = intensity, words
    after, applied = moved(pad, together(deltas, p.limit))
    return Shift(who, applied, after, why or "small talk")


_TOPICAL = frozenset(
    ("vent", "worry", "disagree", "agree", "opinion", "comfort", "reassure", "answer_about", "dodge", "gossip")
)
_WORDS = {
    "vent": "let off steam",
    "worry": "voiced a worry",
    "comfort": "comforted somebody",
    "snap": "snapped",
    "cold_reply": "gave a cold answer",
    "gossip": "gossiped",
    "compliment": "paid a compliment",
    "disagree": "argued",
    "dodge": "dodged a question",
    "remember": "remembered old times",
    "share_news": "told some news",
    "thank": "said thanks",
    "tease": "teased somebody",
    "tease_back": "teased back",
    "answer_low": "owned up to feeling low",
    "answer_well": "said how well things are",
    "tell_plans": "told their plans",
    "reassure": "reassured somebody",
    "agree": "found agreement",
    "opinion": "spoke their mind",
}
_HEARD = {
    "vent": "let off steam at them",
    "worry": "confided a worry",
    "comfort": "comforted them",
    "snap": "snapped at them",
    "cold_reply": "answered them coldly",
    "gossip": "gossiped with them",
    "compliment": "praised them",
    "disagree": "contradicted them",
    "dodge": "brushed them off",
    "remember": "remembered old times with them",
    "share_news": "told them some news",
    "thank": "thanked them",
    "tease": "teased them",
    "tease_back": "teased them back",
    "ask_about": "asked after them",
    "how_are_you": "asked how they are",
    "agree": "agreed with them",
    "reassure": "reassured them",
    "greet": "greeted them",
    "react_news": "listened to their news",
    "complain_back": "topped their complaint",
    "answer_low": "was low",
}


# ---- closing


async def _close(step: Step, w: HasTalk, ending: list[tuple[Talk, int]]) -> None:
    questions = []
    for talk, t in ending:
        for i in (0, 1):
            me, other = talk.who[i], talk.who[1 - i]
            traits = w.cast[me].big_five
            warmth = talk.warmth[1 - i] / max(1, talk.words[1 - i])
            questions.append(
                FeelAbout(
                    me,
                    i,
                    other,
                    tie_of(w, me, other).feeling,
                    warmth,
                    mood_of(w, me, t).p,
                    traits.agreeableness,
                    traits.neuroticism,
                )
            )
    answers: list[FeltAbout] = await step.ask(questions)
    for k, (talk, t) in enumerate(ending):
        words = _gist(talk)
        relations = tuple(_relation(w, talk, i, answers[2 * k + i].u, t, words) for i in (0, 1))
        mean = sum(talk.warmth) / max(1, sum(talk.words))
        late = tuple(who for who in talk.who if _late(w, who, t))
        topic = talk.topics[0] if talk.topics else ""
        step.emit(
            Closed(talk.id, talk.who, words, tone(mean, talk.worst), topic, relations, late),
            t=t,
            actor=talk.who[0],
            causes=(talk.seq,),
        )


def _gist(talk: Talk) -> str:
    if talk.topics:
        return " and ".join(talk.topics[:2])
    return {
        "chat": "how things are",
        "ask_plans": "the day's plans",
        "compliment": "nothing but good",
        "snap": "old sores",
    }.get(talk.intent, "this and that")


def _relation(w: HasTalk, talk: Talk, i: int, u: float, t: int, words: str) -> Relation:
    me, other = talk.who[i], talk.who[1 - i]
    tie = tie_of(w, me, other)
    p = w.tie_parameters
    warmth = talk.warmth[1 - i] / max(1, talk.words[1 - i])
    feeling, change = felt(tie.feeling, u, p)
    day = w.clock.day(t)
    e = evidence(1.0 if talk.told[1 - i] else 0.0, 0.0, warmth, 0.0)
    close, gained, today = closer(tie, day, e, p)
    return Relation(me, other, change, feeling, gained, close, today, f"talked about {words}")


def _late(w: HasTalk, who: str, t: int) -> bool:
    """Whether the talk made somebody miss the start of the next block by too much."""
    r = w.people.residents[who]
    if not r.plan:
        return False
    i = block_at(r, t)
    return i > r.block >= 0 and t - r.plan[i].start > w.plan_parameters.late * 60
