"""Ideas for posts: what about, from which event, and what readers would believe."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.core.text import mid_sentence
from sandbox.people import beliefs
from sandbox.people.beliefs import CLUE, FIRSTHAND, TRUTH, Belief, Fact, Slots
from sandbox.people.memory_stream import Memory
from sandbox.people.needs import unmet_needs
from sandbox.people.perceive import area_at
from sandbox.people.pressure_deck import HUSHED, gist
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at
from sandbox.people.wording import memory_sentence, myself
from sandbox.phones.deck import POSTS
from sandbox.phones.model import HasPhones, RecentTurn
from sandbox.talk.content import act_words, tie_of, when_it_was
from sandbox.talk.model import HasTalk
from sandbox.talk.pressure_aims import feature_values, of_oneself
from sandbox.talk.rumours import fact_tone, keeps, rumours_run

LOOKED_BACK = 60  # how many of the latest memories may be posted about
FRESH = 14 * HOUR  # how old they may be
TOLD = DAY  # how long nobody else posts the same words about a shared event
ROUTINE = 1  # poignancy of everyday routine
MOVED = 0.06  # least change in pleasure that makes one post for that reason
AHEAD = 8 * HOUR  # how far ahead a coming occasion is posted about
PRIVATE = ("confide", "leak", "own_up", "flirt", "declare")  # exchanges nobody posts about
ASKED = ("worry", "ambition", "rivalry")  # kinds of pressure about which people ask publicly
PRESSES = 0.4  # least intensity to ask
_CLAUSE = re.compile(
    r"^[A-Z][\w'’-]*( and [A-Z][\w'’-]*)? (has|have|is|are|was|were|had|will|cannot|no longer|lives?|works?) "
)
# Fallback topics of posts.
NAMELESS = {"vent": "a bad day", "brag": "a good day", "thanks": "a kindness", "news": "what has happened"}
NO_SLOTS: Slots = ("", "", "", 0)


class Idea(NamedTuple):
    """reason: a key of POSTS, or a rule. move: of the line book. size: how much there is to say, 0 to 1. topic: in a
    few words. slots, context: for its words; tells: gives further slots, once it is posted. cites: the event it comes
    from. heat: how much it provokes strangers; features: what the wish to post depends on. The rest as in `Written`.
    """

    reason: str
    move: str
    size: float
    topic: str
    slots: dict[str, str]
    cites: int
    features: dict[str, float]
    context: dict[str, str] = {}
    matter: str = ""
    fact: str = ""
    says: Slots = NO_SLOTS
    proof: bool = False
    whom: str = ""
    valence: float = 0.0
    opinion: str = ""
    stance: float = 0.0
    heat: float = 0.0
    rule: str = ""
    why: str = ""
    tells: Callable[[], dict[str, str]] = dict


def solo_features(w: HasTalk, me: str, t: int, p: ActivePressure | None = None) -> dict[str, float]:
    """The features of a wish that involves nobody else (people/pressure_beginnings.py)."""
    return {
        "base": 1.0,
        **of_oneself(w, me, t),
        "pressed": intensity_at(p, t, w.pressure_parameters) if p is not None else 0.0,
        "worn": min(1.0, len(unmet_needs(w.people.residents[me].needs, t, w.need_parameters)) / 2.0),
    }


def features_towards(w: HasTalk, me: str, other: str, t: int, p: ActivePressure | None = None) -> dict[str, float]:
    """The features of a wish that may involve another person."""
    return feature_values(w, me, other, t, p) if other else solo_features(w, me, t, p)


def is_already_cited(w: HasPhones, me: str, seq: int) -> bool:
    """Whether somebody has already written about an event, or the limit of posts about it is reached."""
    times, by_me = w.phones.cited.get(seq, 0), (x for x in w.phones.written.values() if x.author == me)
    return times >= w.phone_parameters.cites or (times > 0 and any(x.cites == seq for x in by_me))


def ideas(w: HasPhones, me: str, t: int) -> list[Idea]:
    """All that somebody could post of their own accord: the weightiest idea of each reason."""
    mine = solo_features(w, me, t)
    best: dict[str, Idea] = {}
    for idea in (*_remembered(w, me, t, mine), *_believed(w, me, t, mine), *_ahead(w, me, t, mine),
                 *_liked(w, me, t, mine), *_views(w, me, t, mine), *_asks(w, me, t)):  # fmt: skip
        if idea.reason in w.phone_deck.posts and (idea.reason not in best or idea.size > best[idea.reason].size):
            best[idea.reason] = idea
    return list(best.values())


# ---- memories


def _remembered(w: HasPhones, me: str, t: int, mine: dict[str, float]) -> Iterator[Idea]:
    private = [x for name, x in w.drama.exchanges.items() if name in PRIVATE]
    hidden = [words for x in private for words in (x.did.partition("{to}")[0], x.says) if words]
    posted = [w.feed.texts.get(x.number, "") for x in w.phones.written.values() if t - x.t < TOLD]
    most: dict[str, float] = {}
    for m in w.memories.streams[me][-LOOKED_BACK:]:
        if m.kind != "event" or t - m.t > FRESH or not m.seq:
            continue
        x = w.phones.lately.get(m.seq)
        size = min(1.0, 0.1 * m.poignancy + abs(m.delta[0]) + (0.25 if x is not None and x.turn else 0.0))
        reason = _reason(m, x)
        if size <= most.get(reason, -1.0) or is_already_cited(w, me, m.seq) or any(map(m.text.__contains__, hidden)):
            continue  # of a reason only the weightiest counts
        if not m.about and any(m.text in text for text in posted):
            continue  # others shared the event and posted it in these words
        idea = _of_memory(w, me, m, x, t, mine, reason, size)
        if idea is not None:
            most[reason] = size
            yield idea


def _of_memory(
    w: HasPhones, me: str, memory: Memory, x: RecentTurn | None, t: int, mine: dict[str, float], reason: str,
    size: float,
) -> Idea | None:  # fmt: skip
    """The idea for a post about a memory; None if it is private or cannot be put into words."""
    if x is not None and ((x.kind in HUSHED and me in (x.holder, x.about)) or (x.kind == "guilt" and me == x.holder)):
        return None
    if memory.form not in ("deed", "hearing", "outcome") and not _CLAUSE.match(memory.text):
        return None
    third = memory.about[0] if memory.about else ""
    slots = {"third": w.handbook.name(third)} if third else {}
    topic = gist(x.stakes) if x is not None else _topic(w, me, memory)
    fact = x.matter if x is not None and w.beliefs.facts.get(x.matter) is not None else ""
    kind = "memory" if memory.form == "deed" else "rumour"
    if reason == "small":
        slots |= {"act": act_words(w, me), "place": place_in_words(w, me, t)}
        kind = ""
    elif topic in w.cast[me].concerns:
        slots |= {"topic": topic}
        kind = "concern"
    topic = topic or NAMELESS.get(reason, "")
    return Idea(
        reason, POSTS[reason], size, topic, slots, memory.seq, mine,
        {"topic_kind": kind}, matter=x.matter if x is not None else "",
        fact=fact, says=(x.holder, x.about, "", 0) if fact and x else NO_SLOTS,
        whom=third, valence=max(-1.0, min(1.0, 2.0 * _pleased(memory, x))), why=memory.text,
        tells=partial(_told_of_memory, w, me, memory, x, t, kind),
    )  # fmt: skip


def _told_of_memory(w: HasPhones, me: str, m: Memory, x: RecentTurn | None, t: int, kind: str) -> dict[str, str]:
    """The slots for what somebody remembers."""
    told, name = {"when": when_it_was(w, m.t, t)}, w.handbook.name(me)
    if m.form == "deed" and kind == "concern":
        return told
    says = memory_sentence(m, name) if m.form in ("deed", "hearing", "outcome") else myself(m.text, name)
    says = says.removeprefix("I ") if m.form == "deed" else says
    if x is not None and m.form in ("deed", "hearing"):
        says = of_matter(w, x, says)
    return told | {"recall" if m.form == "deed" else "rumour": says}


def of_matter(w: HasPhones, x: RecentTurn, did: str) -> str:
    """A deed with its subject inserted before its outcome: "asked for time over a loan, and I gave it"."""
    exchange = w.drama.exchanges.get(x.do)
    if exchange is None or not exchange.over:
        return f"{did}: {gist(x.stakes)}"
    deed, came, what = did.partition(", and ")
    return (
        f"{did}, and it was over {gist(x.stakes)}" if ", who " in deed else f"{deed} over {gist(x.stakes)}{came}{what}"
    )


def _pleased(memory: Memory, x: RecentTurn | None) -> float:
    """How far somebody is pleased with what they remember, in [-1, 1]."""
    return memory.delta[0] if x is None else 0.3 if x.good else -0.3


def _reason(memory: Memory, x: RecentTurn | None) -> str:
    """The reason to post about a memory."""
    pleased = _pleased(memory, x)
    if x is None and memory.poignancy <= ROUTINE:
        return "small"
    if pleased >= MOVED:
        if x is not None and memory.about and x.who == memory.about[0] and not x.hostile:
            return "thanks"
        return "brag" if memory.form == "deed" else "news"
    if pleased <= -MOVED:
        return "vent"
    return "news" if memory.poignancy >= 3 else "small"


def place_in_words(w: HasTalk, me: str, t: int) -> str:
    """Where somebody is, in words."""
    where = area_at(w, me, t)
    return w.handbook.place(where) if where else "the street"


def _topic(w: HasTalk, me: str, memory: Memory) -> str:
    """What a memory is about in a few words; "" if unknown."""
    if memory.topic:
        known = memory.topic in w.handbook.activities or memory.topic in w.handbook.deck.blocks
        return w.handbook.doing(memory.topic) if known else memory.topic
    concern = next((x for x in w.cast[me].concerns if x in memory.text), "")
    return concern or (w.handbook.name(memory.about[0]) if memory.about else "")


# ---- beliefs about others


def _believed(w: HasPhones, me: str, t: int, mine: dict[str, float]) -> Iterator[Idea]:
    if not rumours_run(w):
        return
    found = []
    for b in beliefs.current_beliefs(w.beliefs, me, t, w.belief_parameters):
        fact = w.beliefs.facts[b.fact]
        if t - b.since <= DAY and me not in (b.a, b.b, fact.a, fact.b):
            size = 0.3 + 0.1 * b.bad + (0.2 if fact.how else 0.0) + (0.1 if b.source in FIRSTHAND else 0.0)
            found.append((min(1.0, size), b, fact))
    for size, b, fact in sorted(found, key=lambda x: -x[0]):  # only the weightiest counts
        if is_already_cited(w, me, b.seq) or is_kept_secret(w, me, fact):
            continue
        says = beliefs.fact_sentence(w, fact, b.slots)
        if not says or w.handbook.name(me) in says:  # nobody repeats gossip about themselves
            continue
        likes = tie_of(w, me, b.a).feeling
        yield Idea(
            "gossip", POSTS["gossip"], size, belief_topic(w, fact, b),
            {"rumour": says, "third": w.handbook.name(b.a)}, b.seq, {**mine, "fond": likes},
            {"topic_kind": "rumour", "told": fact_tone(fact)}, matter=fact.matter, fact=fact.id, says=b.slots,
            whom=b.a, valence=0.3 if fact.good else -0.4, why=says,
        )  # fmt: skip
        return


def is_kept_secret(w: HasTalk, me: str, fact: Fact) -> bool:
    """Whether somebody would not post this: a secret, or a clue to one they are let into."""
    return (fact.kind in HUSHED and fact.how in ("", TRUTH)) or keeps(w, me, fact)


def belief_topic(w: HasTalk, fact: Fact, belief: Belief) -> str:
    """What a belief is about in a few words: the stakes or, for a clue or truth, the person."""
    return w.handbook.name(belief.a) if fact.how in (CLUE, TRUTH) else gist(fact.stakes)


# ---- coming events, likes, opinions and questions


def _ahead(w: HasPhones, me: str, t: int, mine: dict[str, float]) -> Iterator[Idea]:
    day, second = w.clock.day(t), w.clock.second_of_day(t)
    for o in w.calendar.of(me, day):
        if not 0 < o.from_ - second < AHEAD:
            continue
        title = mid_sentence(o.title)
        plan = next((m for m in reversed(w.memories.streams[me][-400:]) if m.kind == "plan" and not m.topic), None)
        if not any(x.author == me and x.topic == title and t - x.t < DAY for x in w.phones.written.values()):
            yield Idea(
                "plan", POSTS["plan"], 0.6 if o.decides is not None else 0.3, title, {"topic": title},
                plan.seq if plan is not None else 0, mine, {"topic_kind": "occasion"}, valence=0.2, why=title,
            )  # fmt: skip


def _liked(w: HasPhones, me: str, t: int, mine: dict[str, float]) -> Iterator[Idea]:
    """A post about something one likes and has not written about for days. It cites no event."""
    likes = w.cast[me].likes
    if not likes:
        return
    topic = w.chance.stream(0, me, "likes", w.clock.day(t)).choice(likes)
    if not any(x.author == me and x.topic == topic and t - x.t < 3 * DAY for x in w.phones.written.values()):
        yield Idea(
            "small", POSTS["small"], 0.35, topic, 
            {"topic": topic, "act": act_words(w, me), "place": place_in_words(w, me, t)},
            0, mine, {"topic_kind": "like"}, valence=0.3, why=topic,
        )  # fmt: skip


def _views(w: HasPhones, me: str, t: int, mine: dict[str, float]) -> Iterator[Idea]:
    posted = {x.opinion for x in w.phones.written.values() if x.author == me and t - x.t < DAY}
    heard = [m for m in w.memories.streams[me][-200:] if m.kind in ("chat", "read") and t - m.t < DAY]
    for topic, view in w.cast[me].opinions.items():
        if topic in posted or w.calendar.decided(topic, t):
            continue
        spoke = next((m for m in reversed(heard) if m.topic == topic or topic in m.text), None)  # had to do with it
        yield Idea(
            "view", POSTS["view"], min(1.0, abs(view.stance) * (0.7 if spoke is None else 1.0)), topic,
            {"topic": topic, "why": view.why}, spoke.seq if spoke is not None else 0, mine,
            {"topic_kind": "opinion", "stance": "for" if view.stance >= 0 else "against"},
            opinion=topic, stance=view.stance, valence=0.2 if view.stance > 0 else -0.2, why=topic,
        )  # fmt: skip


def _asks(w: HasPhones, me: str, t: int) -> Iterator[Idea]:
    for p in w.pressures.open.values():
        x = intensity_at(p, t, w.pressure_parameters)
        if p.holder != me or p.kind not in ASKED or x < PRESSES or is_already_cited(w, me, p.last):
            continue
        if any(a.author == me and a.matter == p.id and t - a.t < DAY for a in w.phones.written.values()):
            continue
        slots = {"matter": gist(p.stakes), "topic": gist(p.stakes)}
        if p.about and p.about != me:
            slots["third"] = w.handbook.name(p.about)
        yield Idea(
            "ask", POSTS["ask"], x, gist(p.stakes), slots, p.last, solo_features(w, me, t, p),
            {"topic_kind": "pressure", "pressure": p.kind, "stage": str(p.stage)}, matter=p.id, fact=p.id,
            says=(p.holder, p.about, "", 0), valence=-0.1, why=p.cause,
        )  # fmt: skip
