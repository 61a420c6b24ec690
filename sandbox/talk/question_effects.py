"""Questions on the effects of a talk: emotions at a line, the gist, poignancy, and the change in feeling afterwards."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.core.questions import Concern, QuestionSpec, nobody, text_fault
from sandbox.people.mood import OCC, Sort


class Impact(NamedTuple):
    """speaker, listener: an OCC emotion ("" = none) with its intensity in [0, 1]; valence: how warm the move is, in
    [-1, 1]. said, heard: the reason in the mood ledger of the speaker, and of the listener (from {name}).
    """

    speaker: str
    speaker_intensity: float
    listener: str
    listener_intensity: float
    valence: float
    said: str = "a few words"
    heard: str = "a few words with {name}"


MOVES: dict[str, Impact] = {
    "greet": Impact("joy", 0.1, "joy", 0.12, 0.2, "a greeting", "a greeting from {name}"),
    "how_are_you": Impact("", 0.0, "liking", 0.15, 0.25, "a friendly word", "{name} asking"),
    "answer_well": Impact("joy", 0.25, "happy-for", 0.2, 0.2, "saying how well things are", "{name}'s good spirits"),
    "answer_fine": Impact("", 0.0, "", 0.0, 0.05),
    "answer_low": Impact("relief", 0.15, "pity", 0.3, 0.05, "owning up to feeling low", "{name} being low"),
    "small_talk": Impact("joy", 0.1, "joy", 0.12, 0.15, "small talk", "small talk with {name}"),
    "small_talk_back": Impact("joy", 0.1, "joy", 0.12, 0.15, "small talk", "small talk with {name}"),
    "share_news": Impact("joy", 0.2, "hope", 0.15, 0.2, "news worth telling", "{name}'s news"),
    "react_news": Impact("joy", 0.1, "gratification", 0.2, 0.25, "hearing the news", "{name} listening"),
    "ask_plans": Impact("", 0.0, "liking", 0.1, 0.15, heard="{name} asking"),
    "tell_plans": Impact("hope", 0.25, "joy", 0.1, 0.1, "having plans", "{name}'s plans"),
    "opinion": Impact("pride", 0.2, "", 0.0, 0.0, "speaking out", "{name}'s opinion"),
    "agree": Impact(
        "satisfaction", 0.25, "gratification", 0.3, 0.4, "finding agreement", "{name} being of the same mind"
    ),
    "disagree": Impact("reproach", 0.3, "anger", 0.35, -0.45, "standing up to somebody", "{name}'s contradiction"),
    "ask_about": Impact("", 0.0, "gratitude", 0.25, 0.4, "a question asked", "{name}'s interest"),
    "answer_about": Impact("relief", 0.25, "liking", 0.2, 0.2, "talking it through", "{name}'s confidence"),
    "compliment": Impact("admiration", 0.25, "pride", 0.45, 0.7, "a compliment given", "praise from {name}"),
    "thank": Impact("gratitude", 0.3, "satisfaction", 0.25, 0.5, "saying thank you", "thanks from {name}"),
    "tease": Impact("gloating", 0.25, "joy", 0.3, 0.2, "teasing somebody", "being teased by {name}"),
    "tease_back": Impact("joy", 0.3, "joy", 0.25, 0.3, "giving as good as it came", "{name}'s quick answer"),
    "gossip": Impact("gloating", 0.2, "gloating", 0.2, 0.15, "a bit of gossip", "gossip from {name}"),
    "react_gossip": Impact("gloating", 0.15, "satisfaction", 0.15, 0.15, "a bit of gossip", "gossip with {name}"),
    "vent": Impact("relief", 0.3, "pity", 0.3, 0.0, "letting off steam", "{name} letting off steam"),
    "comfort": Impact("satisfaction", 0.25, "gratitude", 0.5, 0.8, "a kind word given", "comfort from {name}"),
    "complain_back": Impact(
        "resentment", 0.25, "distress", 0.3, -0.15, "complaining in company", "{name} complaining back"
    ),
    "worry": Impact("fear", 0.3, "pity", 0.3, 0.0, "putting a worry into words", "{name}'s worry"),
    "reassure": Impact("satisfaction", 0.2, "relief", 0.45, 0.7, "a kind word given", "a kind word from {name}"),
    "remember": Impact("joy", 0.3, "joy", 0.3, 0.5, "old times remembered", "old times with {name}"),
    "mention_post": Impact("", 0.0, "gratification", 0.2, 0.15, "having read it", "{name} having read it"),
    "of_my_post": Impact("satisfaction", 0.2, "liking", 0.1, 0.15, "being read", "{name} on what was posted"),
    "tell_post": Impact("", 0.0, "hope", 0.1, 0.1, "what stands on the feed", "what {name} had read"),
    "dodge": Impact("shame", 0.2, "disappointment", 0.3, -0.3, "dodging a question", "being brushed off by {name}"),
    "turn_aside": Impact(
        "reproach", 0.15, "disappointment", 0.25, -0.25, "not wanting to hear it", "{name} not wanting to hear it"
    ),
    "cold_reply": Impact("reproach", 0.3, "distress", 0.35, -0.6, "giving a cold answer", "a cold answer from {name}"),
    "snap": Impact("anger", 0.5, "anger", 0.6, -0.9, "losing patience", "a sharp word from {name}"),
    "preclose": Impact("", 0.0, "", 0.0, 0.05, heard="{name} having to go"),
    "bye": Impact("", 0.0, "joy", 0.05, 0.1, "a goodbye", "a goodbye from {name}"),
    # under pressure: what somebody raises ...
    "pay_back": Impact("relief", 0.4, "satisfaction", 0.4, 0.4, "paying what was owed", "{name} paying up"),
    "put_off": Impact(
        "shame", 0.3, "disappointment", 0.3, -0.15, "having to ask for more time", "{name} asking for more time"
    ),
    "remind": Impact("reproach", 0.3, "shame", 0.45, -0.2, "having to ask twice", "being reminded by {name}"),
    "let_off": Impact("satisfaction", 0.3, "gratitude", 0.6, 0.8, "letting it go", "{name}'s generosity"),
    "hand_over": Impact("pride", 0.3, "gratitude", 0.5, 0.7, "a promise kept", "{name} keeping a promise"),
    "beg_off": Impact(
        "shame", 0.3, "disappointment", 0.35, -0.2, "getting out of a promise", "{name} getting out of a promise"
    ),
    "confide": Impact("relief", 0.35, "liking", 0.25, 0.3, "telling somebody at last", "{name}'s trust"),
    "leak": Impact(
        "gloating", 0.25, "gloating", 0.25, 0.1, "passing on what was not theirs to tell", "what {name} had to tell"
    ),
    "own_up": Impact("shame", 0.4, "disappointment", 0.3, -0.05, "owning up", "{name} owning up"),
    "flirt": Impact("hope", 0.35, "joy", 0.25, 0.35, "being brave for a moment", "{name}'s attentions"),
    "declare": Impact("fear", 0.4, "joy", 0.3, 0.5, "saying it out loud", "{name} saying it out loud"),
    "complain_of": Impact("resentment", 0.4, "pity", 0.2, 0.0, "complaining of somebody", "{name}'s complaint"),
    "confront": Impact("anger", 0.6, "anger", 0.55, -0.5, "having it out", "{name} having it out"),
    "expose": Impact(
        "anger", 0.6, "shame", 0.6, -0.75, "saying it before everybody", "being shown up by {name} before everybody"
    ),
    "bargain": Impact("hope", 0.3, "hope", 0.2, 0.15, "offering terms", "{name}'s offer"),
    "appeal": Impact("hope", 0.25, "pity", 0.15, 0.0, "asking somebody to see to it", "what {name} came about"),
    "break_off": Impact("distress", 0.45, "distress", 0.6, -0.6, "parting ways", "{name} parting ways with them"),
    "apologise": Impact("remorse", 0.35, "relief", 0.25, 0.35, "saying sorry", "{name} saying sorry"),
    "boast": Impact("pride", 0.35, "resentment", 0.15, 0.0, "a bit of boasting", "{name} boasting"),
    "challenge": Impact("pride", 0.3, "resentment", 0.2, -0.1, "a dare", "{name}'s dare"),
    "ask_help": Impact("hope", 0.3, "liking", 0.1, 0.15, "asking for help", "{name} asking for help"),
    "share_trouble": Impact("fear", 0.25, "pity", 0.3, 0.1, "sharing a worry", "{name}'s worry"),
    "ask_straight": Impact("hope", 0.2, "fear", 0.2, 0.05, "asking straight out", "{name} asking straight out"),
    "ask_around": Impact("hope", 0.15, "", 0.0, 0.05, "asking around", "{name}'s questions"),
    "accuse": Impact("anger", 0.65, "anger", 0.7, -0.7, "saying it to somebody's face", "being accused by {name}"),
    "be_kind": Impact("liking", 0.2, "gratitude", 0.5, 0.6, "doing somebody good", "{name}'s kindness"),
    # ... and the answers
    "take_it": Impact("satisfaction", 0.35, "relief", 0.35, 0.5, "getting what was owed", "{name} taking it well"),
    "promise_soon": Impact("shame", 0.2, "hope", 0.3, 0.15, "being reminded", "{name}'s promise"),
    "grant": Impact("satisfaction", 0.25, "gratitude", 0.5, 0.6, "being generous", "{name}'s kindness"),
    "begrudge": Impact("reproach", 0.4, "disappointment", 0.65, -0.55, "saying no", "{name} saying no"),
    "side_with": Impact("resentment", 0.2, "satisfaction", 0.35, 0.35, "taking sides", "{name} taking their side"),
    "soothe": Impact("satisfaction", 0.15, "relief", 0.25, 0.3, "calming somebody down", "{name}'s good sense"),
    "keep_mum": Impact("pity", 0.15, "gratitude", 0.4, 0.5, "being trusted", "{name} keeping a secret"),
    "gasp": Impact("gloating", 0.3, "gloating", 0.2, 0.15, "hearing it all", "{name} all ears"),
    "flirt_back": Impact("joy", 0.4, "joy", 0.5, 0.6, "being courted", "{name} flirting back"),
    "laugh_off": Impact("joy", 0.1, "shame", 0.15, -0.05, "laughing it off", "{name} laughing"),
    "yes_love": Impact("love", 0.8, "love", 0.9, 1.0, "saying yes", "{name} saying yes"),
    "turn_down": Impact("pity", 0.4, "disappointment", 0.95, -0.35, "having to say no", "{name} saying no"),
    "give_in": Impact("shame", 0.4, "satisfaction", 0.45, 0.35, "having been in the wrong", "{name} giving in"),
    "hit_back": Impact("anger", 0.75, "anger", 0.8, -0.95, "a row", "a row with {name}"),
    "pardon": Impact("satisfaction", 0.3, "relief", 0.6, 0.8, "forgiving somebody", "{name}'s forgiveness"),
    "reject": Impact("reproach", 0.55, "distress", 0.75, -0.7, "not being able to forgive", "{name} not forgiving it"),
    "applaud": Impact("admiration", 0.2, "pride", 0.35, 0.4, "wishing somebody luck", "{name}'s good wishes"),
    "scoff": Impact("gloating", 0.35, "anger", 0.55, -0.5, "putting somebody in their place", "{name} scoffing"),
    "take_up": Impact("pride", 0.3, "satisfaction", 0.25, 0.2, "taking up a dare", "{name} taking up the dare"),
    "strike_bargain": Impact(
        "satisfaction", 0.3, "relief", 0.45, 0.5, "coming to terms", "coming to terms with {name}"
    ),
    "see_to_it": Impact("pride", 0.2, "hope", 0.4, 0.35, "being asked to see to it", "{name} seeing to it"),
    "so_be_it": Impact("distress", 0.45, "distress", 0.3, -0.3, "something being over", "{name} letting it be over"),
    "hold_on": Impact("fear", 0.35, "pity", 0.3, 0.05, "not letting go", "{name} not letting go"),
    "come_clean": Impact("relief", 0.35, "relief", 0.3, 0.2, "the truth told", "the truth from {name}"),
    "deny": Impact("anger", 0.6, "anger", 0.55, -0.6, "being accused", "{name} denying it"),
    "tell_what": Impact("satisfaction", 0.15, "satisfaction", 0.2, 0.2, "telling what one knows", "what {name} knows"),
    "clear_up": Impact("relief", 0.3, "relief", 0.35, 0.3, "clearing it up", "{name} clearing it up"),
    "stand_proud": Impact("pride", 0.3, "disappointment", 0.3, -0.4, "owing nobody a favour", "{name}'s pride"),
    # ... and in a showdown
    "call_out": Impact("anger", 0.55, "anger", 0.5, -0.5, "having it out before everybody", "{name} before everybody"),
    "stand_firm": Impact("pride", 0.35, "anger", 0.4, -0.4, "standing firm", "{name} giving no inch"),
    "take_side": Impact("reproach", 0.3, "distress", 0.45, -0.4, "taking sides", "{name} speaking against them"),
    "calm_down": Impact("pity", 0.2, "relief", 0.25, 0.3, "asking for peace", "{name}'s good sense"),
    "climb_down": Impact("shame", 0.45, "satisfaction", 0.5, 0.3, "climbing down", "{name} climbing down"),
    "shake_hands": Impact("relief", 0.45, "relief", 0.45, 0.7, "shaking hands on it", "{name}'s hand"),
    "walk_off": Impact("anger", 0.7, "distress", 0.6, -0.9, "walking off", "{name} walking off"),
    # ... and afterwards
    "ask_on": Impact("", 0.0, "gratitude", 0.2, 0.3, "asking on", "{name}'s interest"),
    "tell_on": Impact("relief", 0.2, "liking", 0.15, 0.15, "talking it through", "{name}'s confidence"),
    "be_glad": Impact("relief", 0.25, "joy", 0.2, 0.4, "having it behind one", "{name}'s relief"),
    "be_glad_back": Impact("joy", 0.2, "joy", 0.25, 0.4, "having it behind one", "{name}'s kind word"),
    # what is new in a life: told, answered, asked after
    "my_news": Impact("hope", 0.2, "liking", 0.2, 0.25, "telling one's news", "{name}'s news"),
    "glad_for": Impact("joy", 0.2, "pride", 0.35, 0.55, "being glad for somebody", "{name} being glad"),
    "sorry_for": Impact("pity", 0.25, "gratitude", 0.45, 0.6, "a kind word given", "{name}'s sympathy"),
    "ask_after": Impact("", 0.0, "gratitude", 0.3, 0.4, "a question asked", "{name}'s interest"),
    "tell_after": Impact("relief", 0.25, "liking", 0.2, 0.2, "talking it through", "{name}'s confidence"),
    # rumours: passed on, told to the one concerned, denied by a lie, and taken by the one concerned
    "pass_on": Impact("gloating", 0.2, "gloating", 0.2, 0.15, "a rumour passed on", "a rumour from {name}"),
    "warn": Impact("pity", 0.15, "", 0.0, 0.1, "telling somebody what is said of them", "{name} telling what is said"),
    "cover_up": Impact("fear", 0.3, "relief", 0.2, 0.1, "a lie told", "{name}'s answer"),
    "bristle": Impact("reproach", 0.3, "pity", 0.15, -0.05, "being talked about", "{name} minding what is said"),
}

# The listener's emotion when they dislike the speaker.
SOURED = {
    "joy": "resentment",
    "liking": "resentment",
    "pride": "reproach",
    "gloating": "reproach",
    "hope": "resentment",
}


def listener_emotion(move: str, feeling: float) -> tuple[str, float]:
    """The listener's emotion and its intensity, depending on their feeling for the speaker."""
    e = MOVES[move]
    if feeling <= -0.2 and e.listener in SOURED:
        return SOURED[e.listener], e.listener_intensity
    if move == "tease" and feeling < 0.1:
        return "anger", 0.3
    if feeling >= 0.3 and e.valence > 0:
        return e.listener, min(1.0, e.listener_intensity * 1.3)
    return e.listener, e.listener_intensity


def talk_tone(warmth: float, worst: float) -> str:
    """warm, plain, tense or hostile: from the mean valence of a talk and its worst line."""
    if worst <= -0.8 and warmth < 0.2:
        return "hostile"
    if warmth < 0.0 or (worst <= -0.55 and warmth < 0.2):
        return "tense"
    return "warm" if warmth >= 0.3 else "plain"


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
USUAL = 0.1  # mean sentiment of ordinary lines
WORDS, ALONE, PLAIN = 0.8, 0.3, 0.3  # weight of words with a move, and alone; difference from usual for the latter
MOST, MOST_TURN = 0.05, 0.3  # largest change in feeling by an ordinary talk, and by one with a turn
STAYS = {"warm": 3, "plain": 3, "tense": 5, "hostile": 6}  # poignancy by tone


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


def appraise(q: Appraise, chance: Stream) -> Appraised:
    """The emotions of each line's move (`talk.appraise`); those of heard lines also depend on how it sounds and on the
    stake.
    """
    felt: list[tuple[str, float]] = []
    why, strongest = "", 0.0
    sort: Sort = "event"
    for line in q.lines:
        for emotion, intensity in _felt(line, q.stake):
            intensity = min(1.0, max(0.0, intensity * (1.0 + 0.4 * q.neuroticism)))
            felt.append((emotion, intensity))
            if intensity > strongest:
                strongest, why = intensity, _named(line)
                sort = "small_talk" if line.mine and line.move in SMALL else "event"
    return Appraised(tuple(felt), why, sort)


def _felt(line: HeardLine, stake: float) -> Iterator[tuple[str, float]]:
    """The emotions that a line causes. The move gives the expected one; words warmer or colder than usual change its
    intensity or add an emotion of their own.
    """
    if line.mine:
        effect = MOVES[line.move]
        expected = effect.speaker, effect.speaker_intensity
    else:
        emotion, intensity = listener_emotion(line.move, line.feeling)
        said = line.sounds - USUAL
        pleasant = not emotion or OCC[emotion].p >= 0.0
        expected = emotion, stake * intensity * (1.0 + WORDS * (said if pleasant else -said))
        if abs(said) > PLAIN and not (emotion and pleasant == (said > 0.0)):
            yield "joy" if said > 0.0 else "distress", stake * ALONE * abs(said)
    if expected[0]:
        yield expected


def _named(line: HeardLine) -> str:
    effect = MOVES[line.move]
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
    most = MOST_TURN if q.turn else MOST
    u = max(-most, min(most, u))
    room = 1.0 - q.feeling if u > 0 else 1.0 + q.feeling
    return FeltAbout(u * min(1.0, room))


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
