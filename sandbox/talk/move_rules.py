"""How a conversation runs: which move leads an exchange, which answers, and when the talk closes. Pure rules.

Obligations before goals: a greeting is returned, a question answered or dodged, low spirits get comfort. Closing is a
state of its own and begins early enough to end by the cap (docs/mechanisms.md, Talk).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sandbox.core.chance import Stream
from sandbox.people.impressions import SORE
from sandbox.people.mood import Pad
from sandbox.people.persona import BigFive
from sandbox.people.pressure_deck import BRISTLE, PASS_ON, WARN
from sandbox.talk.lines import ROWS, SORRY
from sandbox.talk.question_wishes import INTENTS

LEADS = {intent: intent for intent in INTENTS} | {
    "chat": "how_are_you",
    "mention": "mention_post",
    "own_news": "my_news",
}  # intent -> the move that leads it
QUESTIONS = frozenset(("how_are_you", "ask_plans", "ask_about", "ask_on", "ask_after"))
POSTS = ("mention_post", "tell_post")  # moves about something read
ANSWERED = frozenset(("answer_well", "answer_fine", "answer_low"))  # answers that may also tell a memory
COLDLY = frozenset(("small_talk", "share_news", "compliment", "remember", "gossip", PASS_ON, *POSTS))  # if sour
TURNS = frozenset(
    ("small_talk", "share_news", "gossip", "vent", "worry", "opinion", "ask_about", "ask_plans", "remember", "my_news")
)
TROUBLES, TOLD = frozenset(("vent", "worry")), frozenset(("share_news", "gossip"))
BY_CHANCE = TROUBLES | TOLD  # moves whose subject chance continues
# Chances of asking on about a trouble, of returning news for news, and of starting with news.
STAY, RETURN, NEWS = 0.5, 0.4, 0.16
GREETS = 0.42  # chance to greet before speaking
ROW = -0.4  # tone of a talk that ends in anger
SULKS = 0.7  # greatest chance that soreness from the last talk makes somebody cold


class ReplyFactors(NamedTuple):
    """What determines a person's reply. feeling: for the other; third: for the third person; glad: the news about that
    one is good; left: impression of the last talks.
    """

    feeling: float
    closeness: float
    mood: Pad
    traits: BigFive
    third: float
    opposed: float
    glad: bool = False
    left: float = 0.0


def length(extraversion: float, closeness: float, arousal: float, hurry: bool, cap: int, chance: Stream) -> int:
    """How many exchanges a talk is planned to have, closing included: from 2 to cap - 1."""
    if hurry:
        return 2
    x = 2.4 + 1.2 * extraversion + 2.2 * closeness + 0.8 * arousal + chance.between(-0.8, 1.6)
    return max(2, min(cap - 1, round(x)))


# Answers to a move. x: chance, in [0, 1); sour: whether one will not be kind.


def _to_how_are_you(m: ReplyFactors, x: float, sour: bool) -> str:
    if sour:
        return "cold_reply"
    if m.mood.p < -0.15:
        return "answer_low" if m.closeness > 0.2 or x < 0.4 else "answer_fine"
    return "answer_well" if m.mood.p > 0.25 or x < 0.3 + m.left else "answer_fine"


def _to_tease(m: ReplyFactors, x: float, sour: bool) -> str:
    hurt = m.mood.p < -0.2 and x < 0.4 + 0.3 * m.traits.neuroticism
    return "snap" if sour or hurt else "tease_back"


def _to_gossip(m: ReplyFactors, x: float, sour: bool) -> str:
    spares = m.third > 0.4 and not m.glad and x < 0.5 + 0.3 * m.traits.agreeableness
    return "turn_aside" if spares else "react_gossip"


def _to_vent(m: ReplyFactors, x: float, sour: bool) -> str:
    if sour:
        return "turn_aside"
    warm = 0.45 + 0.35 * m.traits.agreeableness + 0.3 * m.feeling + m.left
    return "comfort" if x < warm else "complain_back" if m.mood.p < 0.1 else "reassure"


def _to_opinion(m: ReplyFactors, x: float, sour: bool) -> str:
    contrary = 0.6 - 0.3 * m.traits.agreeableness - m.left
    return "disagree" if m.opposed > 0.45 or (m.opposed > 0.2 and x < contrary) else "agree"


WEIGHED: dict[str, Callable[[ReplyFactors, float, bool], str]] = {
    "how_are_you": _to_how_are_you,
    "snap": lambda m, x, sour: "snap" if m.mood.d > 0.1 or m.mood.p < -0.2 else "cold_reply",
    "tease": _to_tease,
    WARN: lambda m, x, sour: "cold_reply" if sour else BRISTLE,
    "gossip": _to_gossip,
    PASS_ON: _to_gossip,
    "vent": _to_vent,
    "worry": lambda m, x, sour: (
        "turn_aside" if sour else "reassure" if x < 0.6 + 0.3 * m.traits.agreeableness else "comfort"
    ),
    "opinion": _to_opinion,
    "disagree": lambda m, x, sour: "snap" if m.mood.p < -0.3 else "disagree",
    "my_news": lambda m, x, sour: "cold_reply" if sour else "glad_for" if m.glad else SORRY,
    "ask_after": lambda m, x, sour: "dodge" if sour or (m.closeness < 0.1 and x < 0.2) else "tell_after",
    "ask_about": lambda m, x, sour: "dodge" if sour or (m.closeness < 0.1 and x < 0.3) else "answer_about",
}


def reply_move(lead: str, m: ReplyFactors, chance: Stream) -> str:
    """The move that answers a leading one, by the answerer's mood, feeling and traits."""
    x = chance.unit()
    sour = m.feeling <= -0.25 or chance.unit() < min(SULKS, 3.0 * (SORE - m.left))
    if sour and lead in COLDLY:
        return "cold_reply" if x < 0.7 else "turn_aside"
    weighed = WEIGHED.get(lead)
    if weighed is not None:
        return weighed(m, x, sour)
    return ROWS[lead].answers[0] if ROWS[lead].answers else "small_talk_back"


def follow_up(beat: str, answer: str, third: bool, grave: bool, cold: bool, x: float) -> tuple[str, bool]:
    """The move that continues the subject of the last exchange, and whether its listener leads it; ("", False) to
    change the subject. beat: its leading move; answer: how a pressure's matter was taken ("" = none); third: whether
    that was about somebody else; grave: it was bad news; cold: answered with one of COLD; x: chance, in [0, 1).
    """
    if answer:
        return ("", False) if answer != "accept" else ("ask_on", True) if third else ("be_glad", False)
    if cold:
        return "", False
    if grave or (beat in TROUBLES and x < STAY):
        return "ask_on", True
    return (beat, True) if beat in TOLD and x < RETURN else ("", False)


def parting_tone(answer: str, hostile: bool, third: bool) -> str:
    """How people part over what one came for: good, open, bad or row. third: it was about somebody else."""
    if answer == "refuse" and not third:
        return "row" if hostile else "bad"
    return "good" if answer == "accept" else "open"


def closing(exchanges: int, length: int, cap: int, tone: float) -> bool:
    """Whether the next exchange is the goodbye: planned length reached, cap near, or a hostile tone."""
    return exchanges + 1 >= min(length, cap) or (tone <= -0.6 and exchanges >= 1)
