"""The subject of a turn, and the relation of the two speakers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.mood import Pad
from sandbox.people.mood_queries import mood_of
from sandbox.people.mood_words import colour, term
from sandbox.people.perceive import area_at
from sandbox.people.persona import Persona
from sandbox.people.planning import block_at
from sandbox.people.played import is_played
from sandbox.people.pressure_model import Turned
from sandbox.people.pressure_rules import intensity_at
from sandbox.people.ties import Tie, change_feeling, closeness_at, kind, pair_key
from sandbox.people.wording import lately
from sandbox.talk.model import HasTalk, Talk
from sandbox.talk.move_rules import ROW, ReplyFactors
from sandbox.talk.question_wishes import Partner
from sandbox.town.plan import Arena, sector_of

MOODS = {"joy": "happy", "surprise": "surprised", "disgust": "contempt", "vague": "calm"}
PLACES = (
    ("Square", "market"),
    ("Cafe", "cafe"),
    ("Park", "park"),
    ("Library", "library"),
    ("Clinic", "clinic"),
    ("Hall", "hall"),
    ("Meadow", "meadow"),
)
TAGS = (
    ("worship", "chapel"),
    ("school", "school"),
    ("drink", "bar"),
    ("shop", "shop"),
    ("office", "hall"),
    ("food", "cafe"),
)


def spoken_mood(pad: Pad) -> str:
    """A mood in the words of the line book's criteria."""
    if term(pad) == "bored":
        return "bored"
    c = colour(pad)
    return MOODS.get(c, c)


def relation(a: Persona, b: Persona) -> str:
    """What b is to a: family, housemate, child, colleague, elder or neighbour ("" for none). Members of one household
    are family if they share the surname.
    """
    if a.household == b.household:
        return "family" if a.family == b.family else "housemate"
    if b.age < 16 <= a.age:
        return "child"
    if a.work and b.work and sector_of(a.work) == sector_of(b.work):
        return "colleague"
    if b.age >= 65 and a.age < 60:
        return "elder"
    return "neighbour" if sector_of(a.home) == sector_of(b.home) else ""


def age_word(age: int) -> str:
    """An age in the words of the line book's criteria."""
    return "child" if age < 13 else "teen" if age < 18 else "adult" if age < 65 else "elder"


def place_word(w: HasTalk, who: str, address: str) -> str:
    """The kind of a place in the words of the line book's criteria, from this person's view."""
    persona = w.cast[who]
    sector = sector_of(address)
    if not address:
        return "street"
    if sector == sector_of(persona.home):
        return "home"
    if persona.work and sector == sector_of(persona.work):
        return "work"
    for word, value in PLACES:
        if word in sector:
            return value
    arena: Arena = w.map.areas[address].arena
    return next((value for tag, value in TAGS if tag in arena.tags), "street")


def when_it_was(w: HasTalk, then: int, now: int) -> str:
    """When something was, as said in talk."""
    return lately(w.clock, then, now) or "the other day"


def plan_words(w: HasTalk, who: str, t: int) -> str:
    """What a person plans next: "have lunch at the cafe"; the place is left out if they are there."""
    r = w.people.residents[who]
    here = area_at(w, who, t)
    for block in r.plan:
        if block.start > t and block.do != "sleep":
            do = w.handbook.infinitive(block.do)
            return do if " at " in do or block.where == here else f"{do} {w.handbook.at(block.where)}"
    return "see to things at home"


def act_words(w: HasTalk, who: str) -> str:
    """What a person is doing: "kneading dough"."""
    r = w.people.residents[who]
    act = r.act or r.going
    return w.handbook.doing(act.do) if act and act.block != "sleep" else "catching my breath"


NO_TIE = Tie(closeness=0.0, feeling=0.0, day=0, causes=[])


class Content(NamedTuple):
    """What a turn is about. topic: with people's names; kind: like, concern, opinion, occasion, memory, rumour, post,
    pressure or news; about: a third person; memory: the speaker's memory that is told (-1 = none); slots: words for the
    line; opposed: how far the two disagree, in [0, 1]; stance: the speaker's; move: replaces the intent's; told: what
    the listener comes to believe; tone: the kind of a rumour or news (rumours.fact_tone); theirs: slots that only the
    other knows more about than was said; over: the pressure or outcome it is about. stake: of what it tells, in [0, 1].
    """

    topic: str = ""
    kind: str = ""
    about: str = ""
    memory: int = -1
    slots: dict[str, str] = {}
    opposed: float = 0.0
    stance: float = 0.0
    move: str = ""
    told: BeliefUpdate | None = None
    tone: str = ""
    theirs: frozenset[str] = frozenset()
    over: str = ""
    stake: float = 0.0


NOTHING = Content()
SAD = 1.25  # stake in a talk with somebody per displeasure of theirs: half of all from -0.4 down
ANGRY = 0.5  # and if they are angry
BAD_NEWS = 0.75  # stake in bad news of a life, and in a talk that turned hostile
WORST_RUMOUR = 4.0  # how bad a rumour would have to be for everything to be at stake; the worst is 3


def stake_of(w: HasTalk, who: Iterable[str], t: int, matter: str = "") -> float:
    """How much is at stake in a talk of these people, in [0, 1]: what presses, if that is still open, and how sad or
    angry they are.
    """
    p = w.pressures.open.get(matter)
    found = [intensity_at(p, t, w.pressure_parameters)] if p is not None else []
    for mood in [mood_of(w, x, t) for x in who]:
        found += [-SAD * mood.p, ANGRY * (colour(mood) == "angry")]
    return min(1.0, max([0.0, *found]))


def talk_stake(w: HasTalk, talk: Talk, over: str, t: int) -> float:
    """How much is at stake in the next words of a talk. over: the pressure they are about ("" = what the talk was about
    before).
    """
    sore = talk.grave or talk.tone <= ROW
    return max(BAD_NEWS * sore, stake_of(w, talk.who, t, over or talk.over or talk.aim))


def may_joke(w: HasTalk, me: str, stake: float, t: int) -> bool:
    """Whether somebody may joke: little is at stake, and they have jokes left for that day."""
    rule = w.talk_parameters
    if stake >= rule.gravity:
        return False
    second = w.clock.second_of_day(t)
    morning = t - second + (DAWN if second >= DAWN else DAWN - DAY)
    joked = 0
    for variant, said in reversed(w.memories.spoken.said.get(me, {}).items()):
        if said < morning:
            break
        joked += variant in w.witty
    return joked < joke_budget(w.cast[me], rule.wit)


WITTY = frozenset(
    ("dry", "funny when cross", "inventive", "playful", "quick to laugh", "sly", "teasing", "witty", "wry")
)  # traits of those who joke more than others
DAWN = 4 * HOUR  # second of the day from which the jokes of that day count


def joke_budget(a: Persona, times: float) -> int:
    """How many jokes somebody has for a day: two, more for a playful voice, a witty trait, and for who is outgoing and
    open. times: how many times as many as usual.
    """
    character = max(0.0, a.big_five.extraversion + a.big_five.openness)
    usual = 2 + 3 * (a.voice == "playful") + 2 * (not WITTY.isdisjoint(a.traits)) - (a.voice == "formal") + character
    return round(times * min(8.0, usual))


def tie_of(w: HasTalk, u: str, v: str) -> Tie:
    """u's tie to v, or the empty one."""
    return w.people.ties.get(u, {}).get(v, NO_TIE)


def met_today(w: HasTalk, u: str, v: str, t: int) -> bool:
    """Whether two have talked on the day of second t."""
    spoke = tie_of(w, u, v).last_talk
    return spoke >= 0 and w.clock.day(spoke) == w.clock.day(t)


def feeling_change(w: HasTalk, u: str, v: str, change: float, why: str) -> Turned:
    """How a change affects u's feeling for v, within the world's limits."""
    feeling, delta = change_feeling(tie_of(w, u, v).feeling, change, w.tie_parameters)
    return Turned(u, v, delta, feeling, why)


def opinion_gap(a: Persona, b: Persona, topic: str) -> float:
    """How far apart two people are on a topic, in [0, 1]; 0 if one has no opinion."""
    x, y = a.opinions.get(topic), b.opinions.get(topic)
    return abs(x.stance - y.stance) / 2.0 if x and y else 0.0


def busy(w: HasTalk, who: str) -> bool:
    """Whether somebody is at a duty, which makes talks shorter and rarer."""
    r = w.people.residents[who]
    return r.act is not None and w.handbook.kind(r.act.block) == "duty"


def hurry(w: HasTalk, who: str, t: int) -> bool:
    """Whether somebody's next block has begun, or begins elsewhere within three minutes."""
    r = w.people.residents[who]
    if not r.plan or is_played(w, who):
        return False
    i = block_at(r, t)
    if i != r.block:
        return True
    return i + 1 < len(r.plan) and r.plan[i].end - t < 180 and r.plan[i + 1].where != r.plan[i].where


def tie_word(w: HasTalk, tie: Tie, close: float, new: bool = False) -> str:
    """The word for a tie; in a town where everybody knows everybody only newcomers are strangers."""
    word = kind(tie.feeling, close, tie.talks)
    return "cool" if word == "stranger" and not (new or w.tie_parameters.strangers) else word


def contested_topic(w: HasTalk, me: str, other: str, t: int) -> str:
    """The undecided topic on which two disagree most, with opposite stances; "" for none."""
    mine, theirs = w.cast[me].opinions, w.cast[other].opinions
    split = [k for k in mine if k in theirs and mine[k].stance * theirs[k].stance < 0.0]
    open_ = [k for k in split if not w.calendar.decided(k, t)]
    return max(open_, key=lambda k: (opinion_gap(w.cast[me], w.cast[other], k), k)) if open_ else ""


def partner_of(w: HasTalk, me: str, other: str, t: int) -> Partner:
    """What `other` is to `me`, for a question."""
    a, b = w.cast[me], w.cast[other]
    tie = tie_of(w, me, other)
    close = closeness_at(tie, w.clock.day(t), w.tie_parameters)
    over = contested_topic(w, me, other, t)
    return Partner(
        other,
        a.speech.calls.get(other, b.first),
        tie.feeling,
        close,
        tie_word(w, tie, close, me in w.guests.stays or other in w.guests.stays),
        relation(a, b),
        spoken_mood(mood_of(w, other, t)),
        busy(w, other),
        b.age,
        b.big_five.extraversion,
        opinion_gap(a, b, over),
        impression_of(w, me, other, t),
    )


def impression_of(w: HasTalk, me: str, other: str, t: int) -> float:
    """The impression that the last talks with the other have left, in [-1, 1]."""
    return w.memories.spoken.impressions.at(me, _taken_for(w, me, other), w.cast, t)


def impression_word(w: HasTalk, me: str, other: str, t: int) -> str:
    """The impression of the last talks in a word: warm, sore or ""."""
    return w.memories.spoken.impressions.told(me, _taken_for(w, me, other), w.cast, t)


def _taken_for(w: HasTalk, me: str, other: str) -> str:
    """Whose talks one remembers: the other's. For the experiment `memory.blind`, a random other partner's, drawn once
    between two talks.
    """
    found = w.memories.spoken.impressions
    if not w.memory_parameters.blind or (me, other) not in found.left:
        return other
    others = [x for x in found.partners(me) if x != other] or [other]
    return w.chance.stream(0, me, f"taken for {other}", w.talk.last.get(pair_key(me, other), 0)).choice(others)


def reply_factors(w: HasTalk, me: str, other: str, t: int, content: Content) -> ReplyFactors:
    """What determines a person's reply."""
    tie = tie_of(w, me, other)
    close = closeness_at(tie, w.clock.day(t), w.tie_parameters)
    third = tie_of(w, me, content.about).feeling if content.about else 0.0
    mood, traits = mood_of(w, me, t), w.cast[me].big_five
    left = impression_of(w, me, other, t)
    return ReplyFactors(tie.feeling, close, mood, traits, third, content.opposed, content.tone == "good", left)
