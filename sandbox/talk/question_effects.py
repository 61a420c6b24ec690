"""What an exchange does to both: the emotions of each line, the shifts of their moods, what they come to believe and
feel of others, and the event that carries all of it. Also the questions on a talk that is over: its gist, poignancy,
and the change in feeling.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question, Step
from sandbox.core.questions import Concern, QuestionSpec, nobody, text_fault
from sandbox.core.text import clean
from sandbox.people import pressure_rules
from sandbox.people.beliefs import BeliefUpdate
from sandbox.people.mood import OCC, Pad, Sort, dampen, shift_mood, sum_deltas
from sandbox.people.mood import delta as occ_delta
from sandbox.people.mood_queries import mood_of, rest_of
from sandbox.people.needs import level
from sandbox.people.pressure_model import Turned
from sandbox.talk.content import tie_of
from sandbox.talk.lines import EFFECTS
from sandbox.talk.model import Exchanged, HasTalk, Shift, Talk, Utterance
from sandbox.talk.rumours import hearer_feelings
from sandbox.talk.saying import TalkTurn
from sandbox.talk.sentiment import manner, sentiment

# Gist of a talk without topics, by its intent.
VAGUE = {
    "chat": "how things are",
    "ask_plans": "the day's plans",
    "compliment": "each other's good points",
    "tease": "nothing serious",
    "snap": "old sores",
}
_TOPICAL = "vent worry disagree agree opinion comfort reassure answer_about dodge turn_aside gossip ask_about"
TOPICAL = frozenset(_TOPICAL.split())  # moves whose topic is named with them
SMALL = frozenset(("small_talk", "small_talk_back"))  # moves that say nothing worth naming
USUAL_SOUND = 0.1  # mean sentiment of ordinary lines
WORDS, ALONE, PLAIN = 0.8, 0.3, 0.3  # weight of words with a move, and alone; difference from usual for the latter
MOST_CHANGE, MOST_TURN = 0.05, 0.3  # largest change in feeling by an ordinary talk, and by one with a turn
WHY = 120  # most characters of a mood's reason
STAYS = {"warm": 3, "plain": 3, "tense": 5, "hostile": 6}  # poignancy by tone
# The listener's emotion when they dislike the speaker.
SOURED = {
    "joy": "resentment",
    "liking": "resentment",
    "pride": "reproach",
    "gloating": "reproach",
    "hope": "resentment",
}


class HeardLine(msgspec.Struct, frozen=True):
    """Something said in an exchange, as one of the two perceives it. mine: they said it; name: the speaker's; feeling:
    theirs for the speaker (0 for their own words); sounds: how kind or harsh, in [-1, 1].
    """

    mine: bool
    name: str
    text: str
    move: str
    topic: str
    feeling: float
    sounds: float = 0.0


class Appraise(Question, frozen=True):
    """You have said one line and heard the other: what do you feel? stake: how much it matters; 1 is as usual."""

    lines: tuple[HeardLine, ...] = ()
    neuroticism: float = 0.0
    stake: float = 1.0


class Appraised(Answer, frozen=True):
    """felt: OCC emotions with intensity in [0, 1]. why: cause of the strongest, as in the mood ledger; sort: of that
    cause.
    """

    felt: tuple[tuple[str, float], ...]
    why: str
    sort: Sort = "event"


class Summarise(Question, frozen=True):
    """The talk is over: what was it about? topics: those named, in order; intent: what it was begun for."""

    other: str = ""
    topics: tuple[str, ...] = ()
    intent: str = ""


class Summary(Answer, frozen=True):
    """A clause that fits after "talked about"."""

    gist: str


class Rate(Question, frozen=True):
    """How much will you remember of this talk? gist: what it was about; tone: warm, plain, tense or hostile."""

    other: str = ""
    gist: str = ""
    tone: str = "plain"


class Rated(Answer, frozen=True):
    """Poignancy from 1 (as every day) to 10 (turns a life)."""

    poignancy: int


class FeelAbout(Question, frozen=True):
    """The talk is over: how has your feeling for `other` changed? warmth: mean valence of their words, in [-1, 1].
    went: pleasure from the talk beyond an ordinary one's (0 without moods). turn: somebody came for something and got
    an answer.
    """

    other: str = ""
    feeling: float = 0.0
    warmth: float = 0.0
    pleasure: float = 0.0
    agreeableness: float = 0.0
    neuroticism: float = 0.0
    went: float = 0.0
    turn: bool = False


class FeltAbout(Answer, frozen=True):
    """u: the signed change wanted; the world limits it."""

    u: float


def listener_emotion(move: str, feeling: float) -> tuple[str, float]:
    """The listener's emotion and its intensity, depending on their feeling for the speaker."""
    emotion, intensity = EFFECTS[move].listener
    if feeling <= -0.2 and emotion in SOURED:
        return SOURED[emotion], intensity
    if move == "tease" and feeling < 0.1:
        return "anger", 0.3
    if feeling >= 0.3 and EFFECTS[move].valence > 0:
        return emotion, min(1.0, intensity * 1.3)
    return emotion, intensity


def talk_tone(warmth: float, worst: float) -> str:
    """warm, plain, tense or hostile: from the mean valence of a talk and its worst line."""
    if worst <= -0.8 and warmth < 0.2:
        return "hostile"
    if warmth < 0.0 or (worst <= -0.55 and warmth < 0.2):
        return "tense"
    return "warm" if warmth >= 0.3 else "plain"


def appraise(q: Appraise, chance: Stream) -> Appraised:
    """The emotions of each line's move (`data/moves.yaml`); those of heard lines also depend on how they sound and on
    the stake.
    """
    felt: list[tuple[str, float]] = []
    cause, strongest = None, 0.0
    for line in q.lines:
        for emotion, intensity in _felt(line, q.stake):
            intensity = min(1.0, max(0.0, intensity * (1.0 + 0.4 * q.neuroticism)))
            felt.append((emotion, intensity))
            if intensity > strongest:
                strongest, cause = intensity, line
    if cause is None:
        return Appraised(tuple(felt), "")
    return Appraised(tuple(felt), _named(cause), "small_talk" if cause.mine and cause.move in SMALL else "event")


def _felt(line: HeardLine, stake: float) -> Iterator[tuple[str, float]]:
    """The emotions that a line causes. The move gives the expected one; words warmer or colder than usual change its
    intensity or add an emotion of their own.
    """
    if line.mine:
        expected = EFFECTS[line.move].speaker
    else:
        emotion, intensity = listener_emotion(line.move, line.feeling)
        said = line.sounds - USUAL_SOUND
        pleasant = not emotion or OCC[emotion].p >= 0.0
        expected = emotion, stake * intensity * (1.0 + WORDS * (said if pleasant else -said))
        if abs(said) > PLAIN and not (emotion and pleasant == (said > 0.0)):
            yield "joy" if said > 0.0 else "distress", stake * ALONE * abs(said)
    if expected[0]:
        yield expected


def _named(line: HeardLine) -> str:
    effect = EFFECTS[line.move]
    words = effect.said if line.mine else effect.heard.format(name=line.name)
    return f"{words}, about {line.topic}" if line.topic and line.move in TOPICAL else words


def summarise(q: Summarise, chance: Stream) -> Summary:
    """The first topics named, else by what the talk was begun for."""
    if q.topics:
        first, *more = q.topics
        return Summary(f"{first}, then {more[0]}" if more and "," not in first + more[0] else first)
    return Summary(VAGUE.get(q.intent, "this and that"))


def rate(q: Rate, chance: Stream) -> Rated:
    """Poignancy by tone."""
    return Rated(STAYS[q.tone])


def feel_about(q: FeelAbout, chance: Stream) -> FeltAbout:
    """The change in feeling: by warmth received and by how the talk went, modified by mood and character; less near the
    ends of the scale.
    """
    u = 0.10 * (q.warmth - 0.12) + 0.02 * q.pleasure + 0.01 * q.agreeableness + 0.2 * q.went
    if q.warmth < -0.2:
        u = 0.22 * q.warmth * (1.0 + 0.4 * q.neuroticism)
    most = MOST_TURN if q.turn else MOST_CHANGE
    u = max(-most, min(most, u))
    room = 1.0 - q.feeling if u > 0 else 1.0 + q.feeling
    return FeltAbout(u * min(1.0, room))


# ---- what an exchange does: the event of it


async def feel_exchanges(
    step: Step, w: HasTalk, leads: list[TalkTurn], spoken: list[tuple[Utterance, Utterance]]
) -> list[tuple[Appraised, ...]]:
    """What each exchange makes its two people feel; nothing without moods."""
    if not w.mood_parameters.on:
        return [() for _ in leads]
    found: list[tuple[Appraise, bool]] = []
    for lead, lines in zip(leads, spoken, strict=True):
        t, all_said = max(lead.talk.at, step.now), all(line.text for line in lines)
        sounds = tuple(sound_of_line(step, w, lead.talk, line, t) for line in lines)
        found += [(appraisal(w, who, lines, sounds, t), all_said) for who in lead.talk.who]
    worded: list[Appraised] = await step.ask([q for q, words in found if words])
    answered, undrawn = iter(worded), step.chance("", "manner")  # the rule draws nothing from it
    answers = [next(answered) if words else appraise(q, undrawn) for q, words in found]
    return [(answers[2 * k], answers[2 * k + 1]) for k in range(len(leads))]


def sound_of_line(step: Step, w: HasTalk, talk: Talk, line: Utterance, t: int) -> float:
    """How kind a line sounds: by its words, or without words by the speaker's mood."""
    if line.text:
        return sentiment(line.text)
    return manner(mood_of(w, line.who, t).p, step.chance(talk.id, f"manner {line.who}", talk.exchanges))


def appraisal(w: HasTalk, who: str, lines: tuple[Utterance, ...], sounds: tuple[float, ...], t: int) -> Appraise:
    """The question what an exchange makes somebody feel. sounds: how kind each line sounds."""
    heard, name, other = [], w.handbook.name, lines[0 if lines[1].who == who else 1].who
    for line, kind in zip(lines, sounds, strict=True):
        mine = line.who == who
        feeling = 0.0 if mine else tie_of(w, who, other).feeling
        heard.append(HeardLine(mine, name(line.who), line.text, line.move, line.topic, feeling, kind))
    stake = listener_stake(w, who, other, t)
    return Appraise(who, now=t, lines=tuple(heard), neuroticism=w.cast[who].big_five.neuroticism, stake=stake)


def listener_stake(w: HasTalk, me: str, other: str, t: int) -> float:
    """How much the other's words matter, 1 is as usual: by closeness, need for company and standing, and pressures
    about the other.
    """
    needs, p = w.people.residents[me].needs, w.need_parameters
    wants = (1.0 - level(needs, "company", t, p)) + (1.0 - level(needs, "standing", t, p))
    about = [x for x in w.pressures.open.values() if x.holder == me and x.about == other]
    presses = max([pressure_rules.intensity_at(x, t, w.pressure_parameters) for x in about], default=0.0)
    return 0.6 + 0.4 * tie_of(w, me, other).closeness + 0.3 * wants + 0.4 * presses


def shift(w: HasTalk, who: str, answer: Appraised, pad: Pad, t: int) -> Shift:
    """The change of one person's mood by an exchange."""
    p = w.mood_parameters
    felt = [occ_delta(e, min(1.0, max(0.0, x)), p.fast) for e, x in answer.felt if e in OCC]
    rest = rest_of(w, who, t)
    after, applied = shift_mood(pad, dampen(sum_deltas(felt, p.limit), pad, rest, p.dull))
    why = clean(answer.why, WHY)
    return Shift(who, applied, after, why or "small talk", answer.sort if why else "small_talk")


def exchange_event(
    w: HasTalk, lead: TalkTurn, reply: TalkTurn, lines: tuple[Utterance, Utterance], felt: tuple[Appraised, ...], t: int
) -> Exchanged:
    """The event of an exchange. felt: what each of the two feels, empty without moods."""
    who = lead.talk.who
    moods = {x: mood_of(w, x, t) for x in who}
    shifts = tuple(shift(w, x, feels, moods[x], t) for x, feels in zip(who, felt, strict=False))
    told, feelings = _told(w, lead, reply)
    event = Exchanged(
        lead.talk.id, lead.talk.exchanges + 1, lead.moves[-1], lines, shifts, why=reply.why, told=told,
        feelings=feelings, over=lead.content.over,
    )  # fmt: skip
    if reply.answer is None:
        return event
    return replace(event, aim=lead.aim, do=lead.do, answer=reply.answer.how, why=reply.answer.why)


def _told(w: HasTalk, *turns: TalkTurn) -> tuple[tuple[BeliefUpdate, ...], tuple[Turned, ...]]:
    """The beliefs that these turns cause, and the resulting changes in feeling."""
    found = [(turn.content.told, turn.content.slots["rumour"]) for turn in turns if turn.content.told is not None]
    return tuple(row for row, _ in found), tuple(f for row, says in found for f in hearer_feelings(w, row, says))


# ---- the questions


def _appraised(q: Appraise, a: Appraised) -> str:
    return "" if all(e in OCC and 0.0 <= x <= 1.0 for e, x in a.felt) else "no emotion there is, or of no size"


_LINES = (HeardLine(True, "Ann", "Morning.", "greet", "", 0.0), HeardLine(False, "Bo", "Ta.", "thank", "", 0.2))
APPRAISE = QuestionSpec(
    question=Appraise, answer=Appraised, name="Appraise", rule=appraise, fault=_appraised,
    samples=(Appraise("ann", lines=_LINES),), concerns=nobody, taken=False, asks="appraise", asked=False,
)  # fmt: skip
SUMMARISE = QuestionSpec(
    question=Summarise, answer=Summary, name="Summarise", rule=summarise, fault=lambda q, a: text_fault(a.gist, 200),
    samples=(Summarise("ann", other="bo", topics=("rain", "the wheelbarrow"), intent="chat"),),
    concerns=lambda q: Concern(q.other), taken=False, asks="summarise", asked=True,
)  # fmt: skip
RATE = QuestionSpec(
    question=Rate, answer=Rated, name="Rate", rule=rate,
    fault=lambda q, a: "" if 1 <= a.poignancy <= 10 else "a weight not in 1 to 10",
    samples=(Rate("ann", other="bo", gist="rain", tone="tense"),),
    concerns=lambda q: Concern(q.other, words=q.gist), taken=False, asks="rate", asked=False,
)  # fmt: skip
FEEL_ABOUT = QuestionSpec(
    question=FeelAbout, answer=FeltAbout, name="FeelAbout", rule=feel_about,
    fault=lambda q, a: "" if math.isfinite(a.u) and abs(a.u) <= 1 else "no change a feeling can take",
    samples=(FeelAbout("ann", other="bo", feeling=0.2, warmth=0.3),),
    concerns=lambda q: Concern(q.other), taken=False, asks="feel about", asked=True,
)  # fmt: skip
QUESTIONS = (APPRAISE, SUMMARISE, RATE, FEEL_ABOUT)
