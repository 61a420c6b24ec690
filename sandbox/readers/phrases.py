"""The words stories are told in: how moods turn, how ties change, what people come for. No numbers, no ids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sandbox.core.clock import HOUR, Clock, part_of_day
from sandbox.people.causes import DONE_TO, OWN, Sort
from sandbox.people.handbook import Handbook
from sandbox.people.impressions import Remains
from sandbox.people.mood import Pad
from sandbox.people.mood_words import VALENCES, colour
from sandbox.people.pressure_beginnings import FEATURES
from sandbox.people.ties import kind
from sandbox.talk.model import Relation, ScoredRule


class Intent(NamedTuple):
    """What somebody wants of another. brought: of whoever was turned away; sought: why somebody began a talk;

    thought_of: what else somebody might have done who began one.
    """

    brought: str
    sought: str
    thought_of: str


INTENTS = {
    "chat": Intent("who wanted a chat", "for a chat", "just a chat"),
    "small_talk": Intent("who came with the weather", "for some small talk", "some small talk"),
    "share_news": Intent("who came with news", "to tell some news", "telling some news"),
    "gossip": Intent("who came with gossip", "to gossip", "gossiping"),
    "vent": Intent("who needed to let off steam", "to let off steam", "letting off steam"),
    "worry": Intent("who came with a worry", "to share a worry", "sharing a worry"),
    "opinion": Intent("who came with an opinion", "to speak their mind", "speaking their mind"),
    "ask_about": Intent("who came to ask how things are", "to ask how things are", "asking how things are"),
    "ask_plans": Intent("who came to ask about the day", "to ask about the day", "asking about the day"),
    "compliment": Intent("who came with a kind word", "to say a kind word", "saying a kind word"),
    "tease": Intent("who came to tease", "to tease", "teasing"),
    "remember": Intent("who came with old times", "to remember old times", "remembering old times"),
    "mention": Intent("who came with what stands on the feed", "to speak of a post", "speaking of a post"),
    "own_news": Intent("who came with news of their own", "to tell their own news", "telling their own news"),
    "ask_after": Intent("who asked how it was since", "to ask after somebody", "asking after somebody"),
    "snap": Intent("who came with sharp words", "to have it out", "having it out"),
}
TALKING = Intent("", "to talk", "something else")  # an intent of no name here
# What a mood turning to a colour is called, and what moved: an axis, and which way. "vague" is not worth telling.
TURNED = {
    "joy": ("cheered up", 0, 1.0),
    "sad": ("lost heart", 0, -1.0),
    "angry": ("grew angry", 0, -1.0),
    "afraid": ("grew uneasy", 0, -1.0),
    "disgust": ("was put off", 0, -1.0),
    "surprise": ("was stirred up", 1, 1.0),
    "contempt": ("turned scornful", 0, -1.0),
    "calm": ("settled down", 1, -1.0),
}
# What a turn is called if its colour's words would say what has not moved: by the axis that moved most, up and down.
MOVED = (("felt better", "felt worse"), ("was stirred up", "quietened down"), ("grew bolder", "grew unsure"))
SLIGHT, MARKED = 0.02, 0.12  # changes of a feeling: below the first nothing is said, from the second it is a good deal
LEFT = ("still glad of", "still sore from")
REPLY = "reply"
READY = ("the readier for it", "the less ready for it")
# What somebody wanted, or that they replied -> what the last talks did where they spoke for it, and where against.
RECALLED = {"small_talk": ("keeps to small talk", READY[1]), REPLY: ("answers warmly", "answers coldly")}


class NotableChange(NamedTuple):
    """What came of something, as a sentence. who: whom it has to do with; weight 0..10: how notable."""

    mark: str
    text: str
    who: tuple[str, ...]
    weight: float


PAIR = re.compile(r"(\S+) and (\S+) ")


def with_why(text: str, why: str) -> str:
    """A sentence and how it came to that; a pair that both begin with is named once."""
    found = PAIR.match(text)
    if found is not None and why.startswith((f"{found[1]} and {found[2]} ", f"{found[2]} and {found[1]} ")):
        why = f"they {why[len(found[0]) :]}"
    return f"{text}: {why}" if why else text


def says_where(title: str, place: str) -> bool:
    """Whether a title says its place itself: "The soup at the Heron" needs no "at the cafe"."""
    return " at " in title or place.rpartition(" ")[2] in title.split()


def before(after: Sequence[float], delta: Sequence[float]) -> Pad:
    """The mood a change set out from."""
    return Pad(*(x - d for x, d in zip(after, delta, strict=True)))


class MoodTurn(NamedTuple):
    """A mood that crossed into another colour. words: what became of somebody, by what moved: an axis, up (1) or down;
    "" for nothing to tell. colour: whose mark tells it.
    """

    words: str
    axis: int = 0
    sign: float = 1.0
    colour: str = ""

    def along(self, delta: Sequence[float]) -> float:
        """How far a change goes the way of the words."""
        return self.sign * delta[self.axis]


def mood_turn(old: Pad, new: Pad) -> MoodTurn:
    """How a mood has turned. No word says of an axis what that has not done, nor a glad one that pleasure fell."""
    now = colour(new)
    if now == colour(old) or now not in TURNED:
        return MoodTurn("")
    delta = [x - y for x, y in zip(new, old, strict=True)]
    words, axis, sign = TURNED[now]
    if sign * delta[axis] > 0.0 and VALENCES[now] * delta[0] >= 0.0:
        return MoodTurn(words, axis, sign, now)
    axis = max(range(len(delta)), key=lambda i: abs(delta[i]))
    sign = 1.0 if delta[axis] > 0.0 else -1.0
    if axis == 0 and VALENCES[now] * sign < 0.0:  # a mark of what pleases tells no loss, nor the contrary
        now = "surprise" if sign > 0.0 else "vague"
    return MoodTurn(MOVED[axis][sign < 0.0], axis, sign, now)


def mood_turn_sentence(name: str, old: Pad, new: Pad, why: str, sort: Sort) -> tuple[str, str]:
    """A mood that crossed into another colour, as a sentence, and the colour whose mark tells it; ("", "") if there is
    nothing to tell. why: its cause in words, of which sort that is.
    """
    found = mood_turn(old, new)
    return (reason_sentence(name, found.words, why, sort), found.colour) if found.words else ("", "")


def reason_sentence(name: str, became: str, why: str, sort: Sort) -> str:
    """ "Mara cheered up: Bo praised them", or with a deed of one's own "Mara spoke their mind and cheered up"."""
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
    """A tie that became another kind, seen from u; "" if there is nothing to say. u, v: names."""
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
    """The same crossing in both directions, as one sentence."""
    return {
        "close": f"{u} and {v} have grown close",
        "friendly": f"{u} and {v} have warmed to each other",
        "sour": f"{u} and {v} have fallen out",
    }.get(new, f"{u} and {v} have drifted apart")


def feeling_change_words(u: str, v: str, delta: float) -> str:
    """A change of feeling of that size, "" if slight. u, v: names."""
    if abs(delta) < SLIGHT:
        return ""
    much = "a good deal " if abs(delta) >= MARKED else "a little "
    return f"{u} likes {v} {much}{'more' if delta > 0 else 'less'}"


def intent_clause(handbook: Handbook, intent: str) -> str:
    """What somebody came with who was turned away, a clause: "who came with news", "who came to own up"; "" unknown."""
    exchange = handbook.drama.exchanges.get(intent)
    return f"who came {exchange.says}" if exchange else INTENTS.get(intent, TALKING).brought


def intent_words(handbook: Handbook, intent: str) -> str:
    """What the one who began a talk wanted: "a chat", "to share a worry", "to own up"."""
    exchange = handbook.drama.exchanges.get(intent)
    if exchange is None:
        return INTENTS.get(intent, TALKING).sought.removeprefix("for ")
    return exchange.says if exchange.says.startswith("to ") else f"to come {exchange.says}"


def thought_of(handbook: Handbook, intent: str) -> str:
    """What else the one who began a talk might have done: "gossiping", "coming to own up"."""
    exchange = handbook.drama.exchanges.get(intent)
    return f"coming {exchange.says}" if exchange else INTENTS.get(intent, TALKING).thought_of


def opening(handbook: Handbook, who: str, other: str, intent: str, matter: str = "") -> str:
    """Why a talk began, in a clause: "Jory went to Mara to share a worry". matter: what it is about, "" = unknown."""
    exchange = handbook.drama.exchanges.get(intent)
    what = exchange.says if exchange else INTENTS.get(intent, TALKING).sought
    clause = f"{handbook.name(who)} went to {handbook.name(other)} {what}"
    return f"{clause}: {matter}" if matter else clause


# ---- what talks leave


def on_day(clock: Clock, then: int, now: int) -> str:
    """A day within some weeks of now, on which something was or will be: "", "Tuesday", "Tue 18 Mar"."""
    d, days = clock.at(then), clock.day(then) - clock.day(now)
    return "" if not days else f"{d:%A}" if abs(days) < 7 else f"{d:%a} {d.day} {d:%b}"


def moment_words(clock: Clock, then: int, now: int) -> str:
    """A moment: "at 14:20", "on Tuesday at 14:20"."""
    day = on_day(clock, then, now)
    return f"{f'on {day} ' if day else ''}at {clock.hhmm(then)}"


def the_talk(clock: Clock, then: int, now: int) -> str:
    """A talk that ended then."""
    return f"the talk {moment_words(clock, then, now)}"


def remains_words(clock: Clock, left: Remains, now: int) -> tuple[str, str]:
    """What the last talks have left: by which, and by when it will have faded."""
    talk = the_talk(clock, left.t, now)
    came = f"{LEFT[left.value < 0]} {talk if left.last else f'what was before {talk}'}"
    second, day = clock.second_of_day(left.until), on_day(clock, left.until, now)
    part = "morning" if second < 5 * HOUR else part_of_day(second)
    if clock.day(left.until) - clock.day(now) == 1:
        day = "tomorrow"
    return came, f"faded by {f'{day} {part}' if day else clock.hhmm(left.until)}"


def last_talk_effect(rule: ScoredRule, do: str, talk: str) -> str:
    """What the last talks did to a decision: "still sore from the talk at 14:20: keeps to small talk"; "" of a rule of
    something else. do: the intent, or REPLY.
    """
    if rule.name not in FEATURES["left"]:
        return ""
    sore = FEATURES["left"].index(rule.name)
    return f"{LEFT[sore]} {talk}: {RECALLED.get(do, READY)[rule.value < 0]}"
