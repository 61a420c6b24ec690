"""The phrases stories are made of: how moods turn, how ties change, what people come for. No numbers, no ids."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from sandbox.core.clock import HOUR, Clock, part_of_day
from sandbox.people.handbook import Handbook
from sandbox.people.impressions import Remains
from sandbox.people.mood import DONE_TO, OWN, Pad, Sort
from sandbox.people.mood_words import VALENCES, colour
from sandbox.people.pressure_beginnings import FEATURES
from sandbox.people.ties import kind
from sandbox.talk.model import Relation, ScoredRule


class IntentPhrases(NamedTuple):
    """Phrases for what somebody wants from another. brought: said of one who was turned away; sought: why they began a
    talk; thought_of: what else they might have done.
    """

    brought: str
    sought: str
    thought_of: str


class Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What phrases.yaml holds. intents: by intent. turned: colour a mood turns to -> phrase, the axis (of P, A, D) that
    must have moved, and its sign; "vague" has no phrase.
    """

    intents: dict[str, IntentPhrases]
    turned: dict[str, tuple[str, int, float]]


PHRASES = msgspec.yaml.decode(Path(__file__).with_name("phrases.yaml").read_bytes(), type=Phrases)
INTENTS, TURNED = PHRASES.intents, PHRASES.turned
TALKING = IntentPhrases("", "to talk", "something else")  # for an intent without an entry above
# Phrases (up, down) by axis, for a turn whose phrase in TURNED would claim a movement that did not happen.
MOVED = (("felt better", "felt worse"), ("was stirred up", "quietened down"), ("grew bolder", "grew unsure"))
SLIGHT, MARKED = 0.02, 0.12  # changes of a feeling: below the first not mentioned, from the second "a good deal"
LEFT = ("still glad of", "still sore from")
REPLY = "reply"
READY = ("the readier for it", "the less ready for it")
# IntentPhrases, or REPLY -> what the effect of the last talks did where it spoke for it, and where against.
RECALLED = {"small_talk": ("keeps to small talk", READY[1]), REPLY: ("answers warmly", "answers coldly")}


class NotableChange(NamedTuple):
    """A change as a sentence. who: ids of those concerned; weight: how notable, from 0 to 10."""

    mark: str
    text: str
    who: tuple[str, ...]
    weight: float


def says_where(title: str, place: str) -> bool:
    """Whether a title names its place already: "The soup at the Heron" needs no "at the cafe"."""
    return " at " in title or place.rpartition(" ")[2] in title.split()


def before(after: Sequence[float], delta: Sequence[float]) -> Pad:
    """The mood before a change. after: the mood after it; delta: the change."""
    return Pad(*(x - d for x, d in zip(after, delta, strict=True)))


class MoodTurn(NamedTuple):
    """A mood that turned to another colour. words: a phrase, "" if there is nothing to say; axis, sign: the movement
    that the phrase speaks of, up (1) or down (-1). colour: the one whose mark is shown.
    """

    words: str
    axis: int = 0
    sign: float = 1.0
    colour: str = ""

    def along(self, delta: Sequence[float]) -> float:
        """How far a change goes in the direction of the phrase."""
        return self.sign * delta[self.axis]


def mood_turn(old: Pad, new: Pad) -> MoodTurn:
    """How a mood turned. The phrase never claims a movement that did not happen, nor gladness when pleasure fell."""
    now = colour(new)
    if now == colour(old) or now not in TURNED:
        return MoodTurn("")
    delta = [x - y for x, y in zip(new, old, strict=True)]
    words, axis, sign = TURNED[now]
    if sign * delta[axis] > 0.0 and VALENCES[now] * delta[0] >= 0.0:
        return MoodTurn(words, axis, sign, now)
    axis = max(range(len(delta)), key=lambda i: abs(delta[i]))
    sign = 1.0 if delta[axis] > 0.0 else -1.0
    if axis == 0 and VALENCES[now] * sign < 0.0:  # no pleasant mark for a loss, nor the other way round
        now = "surprise" if sign > 0.0 else "vague"
    return MoodTurn(MOVED[axis][sign < 0.0], axis, sign, now)


def mood_turn_sentence(name: str, old: Pad, new: Pad, why: str, sort: Sort) -> tuple[str, str]:
    """A turn of mood as a sentence, and the colour whose mark is shown; ("", "") if there is nothing to say. why: its
    cause in words; sort: of the cause.
    """
    found = mood_turn(old, new)
    return (reason_sentence(name, found.words, why, sort), found.colour) if found.words else ("", "")


def reason_sentence(name: str, became: str, why: str, sort: Sort) -> str:
    """A turn with its cause: "Mara cheered up: Bo praised them"; by their own deed: "Mara spoke up and cheered up"."""
    if sort == "small_talk":
        return f"{name} {became} over small talk"
    if sort in DONE_TO:
        return f"{name} was {why} and {became}"
    if sort in OWN:
        return f"{name} {why} and {became}"
    return f"{name} {became}: {why}" if why else f"{name} {became}"


def reason_suffix(why: str, sort: Sort) -> str:
    """A reason after a name: ": Bo praised them", ", who woke thinking about the pie"; "" without one."""
    if not why or sort == "small_talk":
        return ""
    return f", who was {why}" if sort in DONE_TO else f", who {why}" if sort in OWN else f": {why}"


def tie_kinds(relation: Relation) -> tuple[str, str]:
    """The kind of u's tie to v before and after a talk (they have met now, so never a stranger's after it)."""
    old = kind(relation.feeling - relation.feeling_delta, relation.closeness - relation.closeness_delta, 1)
    return old, kind(relation.feeling, relation.closeness, 1)


def crossing(u: str, v: str, old: str, new: str) -> str:
    """A tie that became another kind, as a sentence about u; "" if there is nothing to say. u, v: names."""
    if old == new:
        return ""
    if new == "sour":
        return f"{u} has soured on {v}"
    if old == "sour":
        return f"{u} no longer holds it against {v}"
    return {
        "close": f"{u} has grown close to {v}",
        "friendly": f"{u} has cooled a little towards {v}" if old == "close" else f"{u} has warmed to {v}",
        "cool": f"{u} has drifted away from {v}",
    }.get(new, "")


def both(u: str, v: str, new: str) -> str:
    """A sentence for two people whose ties to each other both became the kind `new`. u, v: names."""
    return {
        "close": f"{u} and {v} have grown close",
        "friendly": f"{u} and {v} have warmed to each other",
        "sour": f"{u} and {v} have fallen out",
    }.get(new, f"{u} and {v} have drifted apart")


def feeling_change_words(u: str, v: str, delta: float) -> str:
    """A change of u's feeling for v as a sentence, "" if slight. u, v: names."""
    if abs(delta) < SLIGHT:
        return ""
    much = "a good deal " if abs(delta) >= MARKED else "a little "
    return f"{u} likes {v} {much}{'more' if delta > 0 else 'less'}"


def intent_clause(handbook: Handbook, intent: str) -> str:
    """What somebody who was turned away had come for: "who came with news", "who came to own up"; "" if unknown."""
    exchange = handbook.drama.exchanges.get(intent)
    return f"who came {exchange.says}" if exchange else INTENTS.get(intent, TALKING).brought


def intent_words(handbook: Handbook, intent: str) -> str:
    """What the person who began a talk wanted: "a chat", "to share a worry", "to own up"."""
    exchange = handbook.drama.exchanges.get(intent)
    if exchange is None:
        return INTENTS.get(intent, TALKING).sought.removeprefix("for ")
    return exchange.says if exchange.says.startswith("to ") else f"to come {exchange.says}"


def thought_of(handbook: Handbook, intent: str) -> str:
    """What else the person who began a talk might have done: "gossiping", "coming to own up"."""
    exchange = handbook.drama.exchanges.get(intent)
    return f"coming {exchange.says}" if exchange else INTENTS.get(intent, TALKING).thought_of


def opening(handbook: Handbook, who: str, other: str, intent: str, matter: str = "") -> str:
    """Why a talk began: "Jory went to Mara to share a worry". matter: the gist of a pressure, "" = none."""
    exchange = handbook.drama.exchanges.get(intent)
    what = exchange.says if exchange else INTENTS.get(intent, TALKING).sought
    clause = f"{handbook.name(who)} went to {handbook.name(other)} {what}"
    return f"{clause}: {matter}" if matter else clause


# ---- what talks leave behind


def on_day(clock: Clock, then: int, now: int) -> str:
    """The day of second `then` seen from `now`: "" (the same day), "Tuesday", "Tue 18 Mar"."""
    d, days = clock.at(then), clock.day(then) - clock.day(now)
    return "" if not days else f"{d:%A}" if abs(days) < 7 else f"{d:%a} {d.day} {d:%b}"


def moment_words(clock: Clock, then: int, now: int) -> str:
    """Second `then` seen from `now`: "at 14:20", "on Tuesday at 14:20"."""
    day = on_day(clock, then, now)
    return f"{f'on {day} ' if day else ''}at {clock.hhmm(then)}"


def the_talk(clock: Clock, then: int, now: int) -> str:
    """A talk that ended at second `then`: "the talk at 14:20"."""
    return f"the talk {moment_words(clock, then, now)}"


def remains_words(clock: Clock, left: Remains, now: int) -> tuple[str, str]:
    """What the last talks left of feeling: "still glad of the talk at 14:20", and by when it will have faded."""
    talk = the_talk(clock, left.t, now)
    came = f"{LEFT[left.value < 0]} {talk if left.last else f'what was before {talk}'}"
    second, day = clock.second_of_day(left.until), on_day(clock, left.until, now)
    part = "morning" if second < 5 * HOUR else part_of_day(second)
    if clock.day(left.until) - clock.day(now) == 1:
        day = "tomorrow"
    return came, f"faded by {f'{day} {part}' if day else clock.hhmm(left.until)}"


def last_talk_effect(rule: ScoredRule, do: str, talk: str) -> str:
    """How the last talks weighed on a decision: "still sore from the talk at 14:20: keeps to small talk"; "" if the
    rule is about something else. do: the intent, or REPLY; talk: the talk in words.
    """
    if rule.name not in FEATURES["left"]:
        return ""
    sore = FEATURES["left"].index(rule.name)
    return f"{LEFT[sore]} {talk}: {RECALLED.get(do, READY)[rule.value < 0]}"
