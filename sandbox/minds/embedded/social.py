"""Whom to speak to and why, whether to go into it, and how one feels afterwards: sums of named rules.

Each rule has a name, so that "why did she say that?" has an answer (as in Comme il Faut and Ensemble).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer
from sandbox.people.pressures.deck import FEATURES
from sandbox.talk.model import Rule
from sandbox.talk.questions import (
    Accept,
    Accepted,
    Aim,
    Approach,
    Approached,
    Chosen,
    Exchange,
    FeelAbout,
    FeltAbout,
    Respond,
    Responded,
)

BASE = {
    "chat": 1.1,
    "small_talk": 1.4,
    "ask_plans": 0.3,
    "share_news": 0.5,
    "gossip": 0.7,
    "vent": 0.6,
    "worry": 1.1,
    "opinion": 0.2,
    "ask_about": 0.8,
    "compliment": 0.1,
    "tease": -0.6,
    "remember": 1.2,
    "snap": -0.9,
}
# What a mood does to the wish for each intent: times pleasure, arousal and dominance.
MOODY = {
    "chat": (0.2, -0.4, -0.4),
    "small_talk": (-0.8, -0.8, -0.2),
    "ask_plans": (0.4, 0.8, 0.6),
    "share_news": (1.6, 1.3, 0.0),
    "gossip": (-0.6, 1.2, 0.8),
    "vent": (-2.6, 1.4, 0.2),
    "worry": (-2.2, 0.4, -1.2),
    "opinion": (-0.6, 0.6, 1.7),
    "ask_about": (0.8, -0.9, 0.0),
    "compliment": (2.0, 0.0, -0.4),
    "tease": (1.3, 1.0, 1.0),
    "remember": (0.2, -1.4, -0.2),
    "snap": (-1.2, 1.0, 0.5),
}
MOODS = (("in good spirits", "in low spirits"), ("worked up", "calm"), ("sure of themselves", "unsure of themselves"))
TEMPERATURE = 0.3
CAME = 2.5
ACCEPTS = 0.35  # from which somebody gives in to what another has come for, or lies about it
HOW_HARD = ((0.8, " hard"), (0.3, ""), (0.0, " a little"))  # from which intensity on
DUE = 45.0  # minutes before its hour in which a pressure weighs more


class Way(NamedTuple):
    """A way to answer a question, and its utility."""

    answer: Answer
    score: float


def _utilities(q: Approach) -> list[tuple[str, list[tuple[str, float]]]]:
    """Each intent with what speaks for and against it, by name."""
    other = q.other
    assert other is not None
    moods = [more if x >= 0 else less for x, (more, less) in zip(q.pad, MOODS, strict=True)]
    out = []
    for intent in q.options:
        rules = [(intent.replace("_", " "), BASE[intent])]

        def add(name: str, value: float, rules: list[tuple[str, float]] = rules) -> None:
            if value >= 0.05 or value <= -0.05:
                rules.append((name, value))

        for weight, x, name in zip(MOODY[intent], q.pad, moods, strict=True):
            add(name, weight * x)
        if intent == "snap":
            add("cannot stand them", 2.0 * max(0.0, -other.feeling - 0.2))
            add("good manners", -0.6 * q.agreeableness)
        else:
            add("fond of them" if other.feeling >= 0 else "does not like them", 0.8 * other.feeling)
        if intent in ("chat", "ask_about"):
            add("they look low", 0.8 * (other.mood in ("sad", "afraid")) * (0.5 + q.agreeableness))
            add("first meeting today", 0.4 * q.first_today * (intent == "chat"))
            add("close", 0.5 * other.closeness)
        elif intent == "small_talk":
            add("hardly knows them", 0.7 * (other.closeness < 0.2))
            add("in a hurry", 0.5 * q.hurry)
        elif intent in ("share_news", "gossip"):
            add("talkative", 0.5 * q.extraversion)
            if intent == "gossip":
                add("kind-hearted", -0.7 * q.agreeableness)
                add("trusts them", 0.8 * other.closeness)
        elif intent in ("vent", "worry"):
            add("trusts them", 1.0 * other.closeness)
            add("nervous by nature", 0.5 * q.neuroticism)
        elif intent == "opinion":
            add("they differ", 1.2 * other.opposed)
        elif intent == "compliment":
            add("warm-hearted", 0.5 * q.agreeableness)
        elif intent == "tease":
            add("knows them well", 1.0 * other.closeness)
            add("dislikes them", 0.6 * max(0.0, -other.feeling))
        elif intent == "remember":
            add("old ties", 0.9 * other.closeness)
        out.append((intent, rules))
    return out


def weighed(weights: Mapping[str, float], features: Mapping[str, float]) -> list[Rule]:
    """Each weight times its feature, under the name it has for that sign."""
    out = []
    for name, weight in weights.items():
        value = round(weight * features[name], 2)
        if abs(value) >= 0.05:
            out.append(Rule(FEATURES[name][value < 0 if name == "base" else features[name] < 0], value))
    return out


def _aimed(aim: Aim) -> list[Rule]:
    """What speaks for doing what a pressure asks."""
    how = next(how for least, how in HOW_HARD if aim.intensity >= least)
    rules = [Rule(f"the {aim.kind.replace('_', ' ')} presses{how}", round(aim.intensity * aim.weight, 2))]
    if 0 <= aim.due < DUE:
        rules.append(Rule("its hour is near" if aim.due else "its hour has come", round(1.6 * (1 - aim.due / DUE), 2)))
    if aim.sought:
        rules.append(Rule("came looking for them", CAME))
    return rules + weighed(aim.wish, aim.features)


def approach(q: Approach, chance: Stream) -> Approached:
    """Whether the wish to talk, or what presses, wins."""
    other = q.other
    assert other is not None
    wish = 0.35 + 0.35 * q.extraversion + 0.5 * other.closeness + 0.5 * other.feeling
    wish += 0.8 * q.pad[0] + 0.3 * q.pad[1] + 0.15 * q.first_today - 0.3 * q.hurry - 0.15 * q.busy - 0.2 * other.busy
    if other.feeling < -0.25 and q.pad[2] > 0.1:
        wish += 0.5
    pressing = max((sum([rule.value for rule in _aimed(aim)]) for aim in q.aims), default=0.0)
    return Approached(chance.unit() <= 0.36 + 0.4 * wish + 0.5 * max(0.0, pressing))


def exchanges(q: Exchange) -> list[Way]:
    """All that one could want of the other, in the order asked."""
    options = [(intent, rules, "") for intent, rules in _utilities(q)]
    options += [(aim.do, [(r.name, r.value) for r in _aimed(aim)], aim.pressure) for aim in q.aims]
    scores = [sum([value for _, value in rules]) for _, rules, _ in options]
    out = []
    for (intent, rules, aim), score in zip(options, scores, strict=True):
        over = max(
            ((s, name) for s, (name, _, _) in zip(scores, options, strict=True) if name != intent), default=(0, "")
        )
        rules.sort(key=lambda r: -abs(r[1]))
        why = tuple(Rule(name, round(value, 2)) for name, value in rules[:4])
        out.append(Way(Chosen(intent, why, over[1], aim), score))
    return out


def exchange(q: Exchange, chance: Stream) -> Answer:
    """The exchange with the best utility (softmax among all)."""
    ways = exchanges(q)
    return chance.softmax(ways, [way.score for way in ways], TEMPERATURE).answer


def acceptances(q: Accept, chance: Stream) -> list[Way]:
    """Going into it, and turning it away as one would (deflect: no time; refuse: no wish to), by named rules."""
    other = q.other
    assert other is not None
    p, a, _ = q.pad
    rules = [
        Rule("civility", round(0.55 + 0.3 * q.agreeableness, 2)),
        Rule("fond of them" if other.feeling >= 0 else "does not like them", round(1.6 * other.feeling, 2)),
        Rule("likes company", round(0.3 * q.extraversion, 2)),
        Rule("at work", -0.35 * q.busy),
        Rule("in a hurry", -0.7 * q.hurry),
        Rule("in good spirits" if p >= 0 else "in low spirits", round(2.0 * p, 2)),
        Rule("too tired for it", round(0.8 * min(0.0, a), 2)),
    ]
    score = sum(r.value for r in rules) + 0.35 * chance.normal()
    shown = tuple(sorted((r for r in rules if abs(r.value) >= 0.05), key=lambda r: r.value)[:3])
    no: Answer = Accepted("refuse" if other.feeling < -0.2 else "deflect", shown)
    return [Way(Accepted("accept", tuple(reversed(shown))), score), Way(no, ACCEPTS)]


def accept(q: Accept, chance: Stream) -> Answer:
    """Accept, deflect or refuse: the better way."""
    return best(acceptances(q, chance))


def responses(q: Respond, chance: Stream) -> list[Way]:
    """How somebody may take what another has come for: by the sum s of named rules, refuse 0, dodge s, accept
    2 s - ACCEPTS, so that dodging is best from 0 and accepting from ACCEPTS on. A lie that would be told is as good as
    what it stands for.
    """
    rules = weighed(q.weights, q.features)
    score = sum(r.value for r in rules) + 0.25 * chance.normal()
    why = tuple(sorted(rules, key=lambda r: -abs(r.value))[:4])
    ways = [
        Way(Responded("accept", why), 2.0 * score - ACCEPTS),
        Way(Responded("dodge", why), score),
        Way(Responded("refuse", why), 0.0),
    ]
    if q.lie and score < ACCEPTS:
        lie = weighed(q.lie, q.features)
        if sum(r.value for r in lie) + 0.25 * chance.normal() >= ACCEPTS:
            told = Responded("lie", tuple(sorted(lie, key=lambda r: -abs(r.value))[:4]))
            ways.insert(0, Way(told, max(way.score for way in ways)))
    return ways


def respond(q: Respond, chance: Stream) -> Answer:
    """Accept, dodge, refuse or lie: the best way, the kinder of two that are as good."""
    return best(responses(q, chance))


def best(ways: list[Way]) -> Answer:
    """The way with the highest utility, the first of equals."""
    return max(ways, key=lambda way: way.score).answer


def feel_about(q: FeelAbout, chance: Stream) -> FeltAbout:
    """Warmth received moves the feeling; a bad mood and a hard heart discount it; near the ends it moves less."""
    u = 0.10 * (q.warmth - 0.12) + 0.02 * q.pleasure + 0.01 * q.agreeableness
    if q.warmth < -0.2:
        u = 0.22 * q.warmth * (1.0 + 0.4 * q.neuroticism)
    room = 1.0 - q.feeling if u > 0 else 1.0 + q.feeling
    return FeltAbout(u * min(1.0, room))
