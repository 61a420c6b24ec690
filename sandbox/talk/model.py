"""Talks under way, the events of talk, and what these do (HANDLERS); what the end of a talk does, and what is
remembered of one, stands in talk/closing.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, ClassVar, Literal

import msgspec

from sandbox.core.chance import Chance
from sandbox.core.events import Event, Stamp
from sandbox.core.protocols import Step
from sandbox.people.beliefs import BeliefUpdate, believe
from sandbox.people.goal_handlers import HasGoals
from sandbox.people.handlers import feel
from sandbox.people.matters import left_to_say, note_told
from sandbox.people.model import Block
from sandbox.people.mood import Pad, Sort
from sandbox.people.needs import feed_from
from sandbox.people.planning import HasWays
from sandbox.people.pressure_deck import COME_CLEAN
from sandbox.people.pressure_handlers import facts_of, turn_feelings
from sandbox.people.pressure_model import Turned
from sandbox.people.ties import Closeness, Delta, Feeling, pair_key
from sandbox.talk.lines import COLD, EFFECTS, FOLLOWED, LOUD, SORRY

# Intents of small talk; such a talk has no words unless something comes of it.
SMALL = frozenset(("chat", "small_talk", "ask_plans", "compliment", "tease", "share_news", "gossip", "remember"))


ASIDES = 1  # most ordinary side subjects with words in a talk


class TalkParameters(msgspec.Struct, frozen=True):
    """cooldown: minutes until the same two talk again. rate: chance per minute that two in reach think of it. reach: in
    tiles. exchange: seconds per pair of turns. cap: most exchanges of a talk. quiet: whether small talk, repeated talks
    of a day and side subjects run without words; if not, everything said has words, each goodbye included. gravity:
    stake from which nobody jokes (above 1: never); wit: how many times as much as usual people joke.
    """

    cooldown: Annotated[float, msgspec.Meta(ge=0, le=43200)] = 60.0
    rate: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.09
    reach: Annotated[int, msgspec.Meta(ge=1, le=30)] = 4
    exchange: Annotated[int, msgspec.Meta(ge=10, le=600)] = 60
    cap: Annotated[int, msgspec.Meta(ge=3, le=60)] = 8
    quiet: bool = True
    gravity: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.5
    wit: Annotated[float, msgspec.Meta(ge=0, le=10)] = 1.0


Side = Annotated[int, msgspec.Meta(ge=-1, le=1)]  # which of the two in a talk; -1 = neither


class Talk(msgspec.Struct):
    """A talk under way; who[0] began it. at: second of the next exchange. length: planned exchanges. beats: leading
    moves so far. warmth: sum of valences of what each said; words: turns of each. told: whether each brought something
    new. aim: the pressure it was begun for; the intent is then an exchange of the deck. led: who led the last exchange.
    do, answer: the last exchange of the deck and its answer; third: whether it was about somebody else; came: who had
    come for it; said: its leading words. quiet: no words so far. asides: ordinary subjects that had words; hushed: the
    last exchange had none. grave: it told bad news; cold: it was answered coldly or evaded.
    over: the pressure that ordinary talk was last about; further: exchanges to come about facts of what it was for.
    """

    id: str
    who: tuple[str, str]
    since: int
    at: int
    place: str
    intent: str
    length: int
    seq: int
    exchanges: int = 0
    beats: list[str] = []
    topics: list[str] = []
    warmth: list[float] = []
    words: list[int] = []
    told: list[bool] = []
    worst: float = 0.0
    low: Side = -1
    aim: str = ""
    led: Side = -1
    do: str = ""
    answer: str = ""
    third: bool = False
    came: Side = -1
    said: str = ""
    quiet: bool = False
    asides: int = 0
    hushed: bool = False
    grave: bool = False
    cold: bool = False
    over: str = ""
    further: int = 0

    @property
    def tone(self) -> float:
        """Mean valence of everything said so far, in [-1, 1]; 0 before anything was."""
        return sum(self.warmth) / max(1, sum(self.words))

    def kindness(self, i: int) -> float:
        """Mean valence of what one of the two has said."""
        return self.warmth[i] / max(1, self.words[i])


class TalkState(msgspec.Struct):
    """open: talks under way, by id. last: pair -> end of their last talk or declined offer. spoken_of: "speaker
    listener" -> pressures and outcomes they have spoken about, oldest first.
    """

    open: dict[str, Talk] = msgspec.field(default_factory=dict)
    last: dict[str, int] = msgspec.field(default_factory=dict)
    spoken_of: dict[str, list[str]] = msgspec.field(default_factory=dict)


class HasTalk(HasWays, HasGoals):
    """The part of a world that this package uses. witty: keys of the variants that joke. turn_to: chooses whom somebody
    turns to of those they could, "" of none; None = the first (society/town_domain.py).
    """

    chance: Chance
    rules: dict[str, str]
    talk: TalkState
    talk_parameters: TalkParameters
    witty: frozenset[str]
    turn_to: Callable[[Step, str, Sequence[str]], str] | None


class ScoredRule(msgspec.Struct, frozen=True, array_like=True):
    """A named part of a decision's utility."""

    name: str
    value: float


class Opened(Event, frozen=True):
    """The actor begins a talk. intent: what for; why: the rules in favour; over: the runner-up. aim: the pressure it is
    for, or "". quiet: it begins without words: small talk, or with somebody met today.
    """

    KIND: ClassVar[str] = "talk_opened"
    id: str
    other: str
    place: str
    intent: str
    length: int
    why: tuple[ScoredRule, ...]
    over: str = ""
    aim: str = ""
    quiet: bool = False

    def touches(self) -> tuple[str, ...]:
        return (self.other,)


class Declined(Event, frozen=True):
    """The actor does not go into a talk that `other` offered. how: deflect (busy) or refuse (does not want to).
    mood: of the one turned away; aim: the pressure they came for, or ""."""

    KIND: ClassVar[str] = "talk_declined"
    other: str
    how: str
    intent: str
    why: tuple[ScoredRule, ...]
    mood: Pad = Pad(0.0, 0.0, 0.0)
    aim: str = ""

    def touches(self) -> tuple[str, ...]:
        return (self.other,)


class Utterance(msgspec.Struct, frozen=True, array_like=True):
    """One turn. text: the words ("" = none: a nod, or unheard small talk); about: a third person; valence: in [-1, 1];
    variants: the line book's, as used; memory: the one told (-1 = none). facts: of the matter it is about, those told,
    the first that the turn is about; "?..." asked for (people/matters.py).
    """

    who: str
    text: str
    move: str
    topic: str
    about: str
    valence: float
    variants: tuple[str, ...]
    memory: int = -1
    facts: tuple[str, ...] = ()


class Shift(msgspec.Struct, frozen=True, array_like=True):
    """A mood changed by an exchange: delta as applied, the mood after, the reason and its sort."""

    who: str
    delta: Pad
    after: Pad
    why: str
    sort: Sort = "event"


class Exchanged(Event, frozen=True, omit_defaults=True):
    """A pair of turns. n: its number in the talk, from 1; lead: the leading move; shifts: changes of mood. aim: the
    pressure it is about ("" = none), do: the exchange, answer: accept, dodge, refuse or lie; why: reasons for the
    answer, or for an unusual reply. told: new beliefs; feelings: as changed by them. closes: one of them wants to end
    the talk. over: the pressure or outcome that ordinary talk is about ("" = none).
    """

    KIND: ClassVar[str] = "exchanged"
    VERSION: ClassVar[int] = 2
    talk: str
    n: int
    lead: str
    lines: tuple[Utterance, ...]
    shifts: tuple[Shift, ...]
    aim: str = ""
    do: str = ""
    answer: Literal["", "accept", "dodge", "refuse", "lie"] = ""
    why: tuple[ScoredRule, ...] = ()
    told: tuple[BeliefUpdate, ...] = ()
    feelings: tuple[Turned, ...] = ()
    closes: bool = False
    over: str = ""

    @property
    def in_words(self) -> bool:
        """Whether any of it has words."""
        return any(line.text for line in self.lines)

    def touches(self) -> tuple[str, ...]:
        return tuple(line.who for line in self.lines)


class Relation(msgspec.Struct, frozen=True, array_like=True):
    """How u's tie to v came out of a talk or of reading the feed: deltas as applied and values after; grown: closeness
    gained today; liked: moving average of v's likes of u's posts (-1 = unchanged).
    """

    u: str
    v: str
    feeling_delta: Delta
    feeling: Feeling
    closeness_delta: Delta
    closeness: Closeness
    grown: Closeness
    why: str
    liked: Annotated[float, msgspec.Meta(ge=-1, le=1_000_000)] = -1.0


class Replan(msgspec.Struct, frozen=True, array_like=True):
    """A plan that a talk has upset. late: they drop their activity; shaken: by harsh words; join: a block to make room
    for.
    """

    who: str
    why: str
    late: bool = False
    shaken: bool = False
    join: Block | None = None


class Closed(Event, frozen=True):
    """A talk ends. gist: what it was about, a clause. tone: warm, plain, tense or hostile. replans: plans it upset.
    moods: of the two at the end. stays: poignancy for each, 1 to 10.
    """

    KIND: ClassVar[str] = "talk_closed"
    talk: str
    who: tuple[str, str]
    gist: str
    tone: str
    topic: str
    relations: tuple[Relation, ...]
    replans: tuple[Replan, ...] = ()
    moods: tuple[Pad, ...] = ()
    stays: tuple[int, ...] = ()

    def touches(self) -> tuple[str, ...]:
        return self.who


# ---- what these events do to the state


MEANT = 0.45  # least absolute valence of a line that changes standing
FURTHER = 2  # most exchanges in which two go on about the facts of a matter
AFTER = 2  # exchanges left once its purpose has been met: one follow-up and a goodbye
SPOKEN_OF = 40  # most subjects remembered as spoken of, per pair


def talk_reception(w: HasTalk, talk: Talk) -> str:
    """How a talk's purpose was received, "" if it had none. An unpleasant "accept" counts as a dodge, as nobody follows
    up on it gladly.
    """
    x = w.drama.exchanges.get(talk.do)
    if x is None or talk.answer != "accept":
        return talk.answer
    answer = x.replies["accept"]
    sour = answer == COME_CLEAN or EFFECTS[answer].valence < 0.0 or (x.hostile and talk.third)
    return "dodge" if sour else "accept"


def opened(w: HasTalk, e: Opened, stamp: Stamp) -> None:
    who = (stamp.actor, e.other)
    talk = Talk(e.id, who, stamp.t, stamp.t, e.place, e.intent, e.length, stamp.seq, aim=e.aim, quiet=e.quiet)
    talk.warmth, talk.words, talk.told = [0.0, 0.0], [0, 0], [False, False]
    w.talk.open[e.id] = talk
    for person in who:
        w.people.residents[person].talk = e.id


def declined(w: HasTalk, e: Declined, stamp: Stamp) -> None:
    w.talk.last[pair_key(stamp.actor, e.other)] = stamp.t


def exchanged(w: HasTalk, e: Exchanged, stamp: Stamp) -> None:
    talk = w.talk.open[e.talk]
    if e.aim and e.do not in w.drama.exchanges:
        raise ValueError(f"nobody can come for that: {e.do}")
    talk.exchanges = e.n
    talk.at = stamp.t + w.talk_parameters.exchange
    talk.beats.append(e.lead)
    talk.low = -1
    talk.hushed = not e.in_words
    talk.quiet = talk.quiet and talk.hushed
    talk.grave = any(line.move == SORRY for line in e.lines)
    talk.cold = any(line.move in COLD for line in e.lines[1:])
    talk.asides = ASIDES if talk.grave else talk.asides + _is_aside(talk, e)  # after bad news nothing else has words
    talk.led = talk.who.index(e.lines[0].who) if e.lines and e.lines[0].who in talk.who else -1
    for s in e.shifts:
        feel(w.people, s.who, s.delta, s.after, stamp, s.why, s.sort)
    first = talk.who[0]
    for line in e.lines:
        i = 0 if line.who == first else 1
        talk.warmth[i] += line.valence
        talk.words[i] += 1
        if line.valence < talk.worst:
            talk.worst = line.valence
        if line.topic and line.topic not in talk.topics:
            talk.topics.append(line.topic)
        if line.move == "answer_low":
            talk.low = i
        if line.memory >= 0:
            talk.told[i] = True
        other = talk.who[1 - i]
        if line.facts:
            note_told(w, line.who, other, line.facts)
        praise = line.valence if abs(line.valence) >= MEANT else 0.0
        feed_from(w.people.residents[other].needs, stamp.t, w.need_parameters, {"words": 1, "praise": praise})
    if e.aim:
        _raise_matter(w, talk, e)
    elif talk.further:
        talk.further -= 1
    talk.over = e.over
    if e.over:
        spoken_of(w, talk, e.over)
    if e.closes:
        talk.length = min(talk.length, e.n + 1)
    if e.told:
        believe(w, e.told, facts_of(w, e.told), stamp)
    turn_feelings(w, e.feelings, stamp)


def _is_aside(talk: Talk, e: Exchanged) -> bool:
    """Whether an exchange is about an ordinary side subject, in words."""
    return not (talk.hushed or e.aim or e.told or e.lead in FOLLOWED or e.lead in LOUD)


def _raise_matter(w: HasTalk, talk: Talk, e: Exchanged) -> None:
    """Note in a talk what somebody came for, how it was taken, and how much longer the two go on about it."""
    talk.aim = talk.aim or e.aim
    talk.do, talk.answer, talk.third = e.do, e.answer, any(line.about for line in e.lines[:1])
    talk.came = talk.led
    talk.said = e.lines[0].text if e.lines else ""
    told = any(line.facts for line in e.lines) and (talk.third or talk_reception(w, talk) != "accept")
    talk.further = min(FURTHER, left_to_say(w, e.aim, *talk.who)) if told else 0
    talk.length = e.n + talk.further + (AFTER if talk_reception(w, talk) == "accept" else 1)


def spoken_of(w: HasTalk, talk: Talk, over: str) -> None:
    """Note that the two have spoken about a pressure or outcome."""
    for key in (" ".join(talk.who), " ".join(talk.who[::-1])):
        said = w.talk.spoken_of.setdefault(key, [])
        if over not in said:
            said.append(over)
            del said[:-SPOKEN_OF]


HANDLERS: dict[type[Event], Callable[..., None]] = {Opened: opened, Declined: declined, Exchanged: exchanged}
