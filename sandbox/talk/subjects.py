"""Subjects for talk between two: memories, things read, opinions, and people's own affairs, which are what troubles
them and their news. These are never raised with the one they are directed against; see talk/pressure_aims.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandbox.core.chance import Stream
from sandbox.core.clock import HOUR
from sandbox.core.text import mid_sentence
from sandbox.people.claim_effects import occasions_of
from sandbox.people.guest_model import in_town
from sandbox.people.memory import retrieve
from sandbox.people.memory_stream import Memory
from sandbox.people.mood_queries import mood_of
from sandbox.people.perceive import area_at
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.wording import as_told, mentions_person, object_told, since_phrase
from sandbox.talk.content import BAD_NEWS, NOTHING, Content, contested_topic, opinion_gap, tie_of, when_it_was
from sandbox.talk.lines import PERSON, kind_of
from sandbox.talk.model import HasTalk
from sandbox.talk.news import news_text, untold_news

# Kinds of pressure that their holder vents, or worries, about to others.
OPENLY = {
    "vent": frozenset(("grudge", "rivalry", "suspicion")),
    "worry": frozenset(("worry", "debt", "promise", "ambition", "suspicion")),
}
ASKED = frozenset(("debt", "promise", "rivalry", "ambition", "worry", "grudge"))  # a knowing friend asks about these
PRESSING = 0.75  # chance to choose a pressure rather than another concern
ASKS_AFTER = 0.15  # least closeness to ask after another's news
RECENT, RECENT_FOR = 60, 36 * HOUR  # how many latest memories are searched, and their greatest age
READ, READ_FOR = 80, 12 * HOUR  # the same two limits for things read


def open_concerns(w: HasTalk, who: str, other: str) -> list[str]:
    """Somebody's concerns that they can discuss with `other`: not those in which `other` has a part, nor at home a
    person who may be `other`.
    """
    p, near = w.cast[who], w.cast[who].household == w.cast[other].household
    theirs = [x for x, id in p.matters.items() if (c := w.cast_pressures.get(id)) and other in (c.holder, c.about)]
    return [x for x in p.concerns if x not in theirs and not (near and kind_of(x) == PERSON)]


def tellable_pressures(w: HasTalk, lead: str, me: str, other: str) -> list[ActivePressure]:
    """Somebody's pressures that they can mention to `other`, whom they are not about."""
    return [
        p
        for p in w.pressures.open.values()
        if p.holder == me
        and p.kind in OPENLY[lead]
        and other != p.about
        and _said(p)
        and (not p.about or in_town(w, p.about))
    ]


def known_of(w: HasTalk, me: str, other: str) -> list[ActivePressure]:
    """The other's pressures that `me` knows of and that are not about `me`."""
    return [
        p
        for p in w.pressures.open.values()
        if p.holder == other and p.kind in ASKED and me != p.about and me in p.known_by and _said(p)
    ]


def _said(p: ActivePressure) -> bool:
    """Whether the stakes can be spoken of: not if they are a deed ("to ...")."""
    return not p.stakes.startswith("to ")


def can_name(w: HasTalk, p: ActivePressure, me: str, other: str) -> bool:
    """Whether the stakes can be worded between the two, as "I" and "you"."""
    both = w.handbook.name(me), w.handbook.name(other)
    text = object_told(gist(p.stakes), *both)
    return not any(mentions_person(text, name) for name in both)


def _tellable(w: HasTalk, me: str, other: str, t: int, third: bool | None) -> list[Memory]:
    """Recent memories of deeds and sights, not about the listener and not yet told to them. third: True = about others,
    False = about nobody else, None = both.
    """
    stream = w.memories.streams[me]
    told = w.memories.spoken.told.get((me, other), ())
    return [
        m
        for m in stream[-RECENT:]
        if m.kind == "event"
        and m.topic
        and t - m.t < RECENT_FOR
        and other not in m.about
        and m.id not in told
        and (third is None or bool(m.about) == third)
    ]


def _memory(w: HasTalk, me: str, other: str, t: int, third: bool | None, chance: Stream) -> Memory | None:
    among = _tellable(w, me, other, t, third)
    if not among:
        return None
    stream = w.memories.streams[me]
    query = " ".join(w.cast[other].likes[:2]) if chance.unit() < 0.5 else ""
    found = retrieve(stream, query, t, mood_of(w, me, t), w.memory_parameters, 4, among)
    return chance.choice([m for m in found if not remembers_same(w, other, m)] or found)


def read_of_late(w: HasTalk, me: str, other: str, t: int) -> Memory | None:
    """The most memorable thing somebody has read and not told the listener, preferably by the listener. What was
    written about oneself is only raised with its author. None if there is none.
    """
    return max(_read_lately(w, me, other, t), key=lambda m: (other in m.about, m.poignancy, m.id), default=None)


def _read_lately(w: HasTalk, me: str, other: str, t: int) -> Iterator[Memory]:
    mine, told = w.handbook.name(me), w.memories.spoken.told.get((me, other), ())
    latest = w.memories.streams[me][-READ:]
    read = (m for m in latest if m.kind == "read" and t - m.t < READ_FOR and m.topic and m.id not in told)
    return (m for m in read if other in m.about or not mentions_person(m.topic, mine))


def remembers_same(w: HasTalk, who: str, told: Memory) -> bool:
    """Whether somebody remembers the same event with the same people within the hour."""
    return any(
        m.topic == told.topic and m.kind == "event" and abs(m.t - told.t) < HOUR and set(m.about) == set(told.about)
        for m in w.memories.streams[who][-RECENT:]
    )


def ordinary_intents(w: HasTalk, me: str, other: str, t: int) -> list[str]:
    """The intents that have a subject between these two."""
    a, b = w.cast[me], w.cast[other]
    tie = tie_of(w, me, other)
    out = ["chat", "small_talk", "ask_plans", "compliment", "tease"]
    if tie.feeling < -0.25:
        out.append("snap")
    worries = open_concerns(w, me, other)
    out += [intent for intent in ("vent", "worry") if worries or tellable_pressures(w, intent, me, other)]
    if b.concerns or b.opinions or known_of(w, me, other):
        out.append("ask_about")
    if untold_news(w, me, other, t, own=True):
        out.append("own_news")
    if tie.closeness > ASKS_AFTER and untold_news(w, me, other, t, own=False):
        out.append("ask_after")
    if any(not w.calendar.decided(topic, t) for topic in a.opinions):
        out.append("opinion")
    if any(_read_lately(w, me, other, t)):
        out.append("mention")
    if found := _tellable(w, me, other, t, None):
        out.append("share_news")
        if any(m.about for m in found):
            out.append("gossip")
        if tie.talks or tie.closeness > 0.3:
            out.append("remember")
    return out


def occasions(w: HasTalk, me: str, other: str, t: int) -> list[str]:
    """Titles of occasions that either attends, from now until the end of tomorrow."""
    day, second = w.clock.day(t), w.clock.second_of_day(t)
    found = [o for who in (me, other) for o in occasions_of(w, who, day) if o.to > second]
    found += [o for who in (me, other) for o in occasions_of(w, who, day + 1)]
    return list(dict.fromkeys(mid_sentence(o.title) for o in found))


def told_here(w: HasTalk, text: str, who: str, to: str, t: int) -> str:
    """A memory as somebody tells it; the place is left out if they are there."""
    return as_told(
        text.removesuffix(f" {w.handbook.at(area_at(w, who, t))}"), w.handbook.name(who), w.handbook.name(to)
    )


def ordinary_content(
    w: HasTalk, lead: str, me: str, other: str, t: int, used: list[str], chance: Stream
) -> Content | None:
    """The content of a leading move; None if there is nothing for it. used: topics this talk has had."""
    a, b = w.cast[me], w.cast[other]

    def fresh(items: Iterable[str]) -> list[str]:
        return [i for i in items if i not in used]

    if lead == "mention_post":
        return _read(w, me, other, t)
    if lead in ("share_news", "gossip", "remember"):
        return _recalled(w, lead, me, other, t, chance)
    if lead in ("my_news", "ask_after"):
        return _new(w, lead, me, other, t)
    if lead in ("vent", "worry"):
        return _troubling(w, lead, me, other, used, chance)
    if lead == "opinion":
        return _view(w, me, other, t, fresh(sorted(a.opinions, key=lambda k: (-abs(a.opinions[k].stance), k))), chance)
    if lead == "ask_about":
        return _asked(w, me, other, t, used, chance)
    if lead == "ask_plans":
        ahead = [(i, "occasion") for i in fresh(occasions(w, other, other, t))]
        return _topic(ahead, chance) if ahead and chance.unit() < 0.4 else NOTHING
    if lead == "small_talk":
        ahead = [(i, "occasion") for i in fresh(occasions(w, me, other, t))]
        return _topic(ahead + [(i, "like") for i in fresh(a.likes)], chance) or NOTHING
    if lead == "tease":
        return _topic([(i, "like") for i in fresh(b.likes)], chance) or NOTHING
    if lead == "comfort":
        return _topic([(i, "concern") for i in b.concerns if i in used], chance) or NOTHING
    return NOTHING


def _read(w: HasTalk, me: str, other: str, t: int) -> Content | None:
    """Content about something read: told to its author, or to another."""
    post = read_of_late(w, me, other, t)
    if post is None:
        return None
    by = post.about[0]
    slots = {"topic": post.topic, "when": when_it_was(w, post.t, t)}
    if by == other:
        return Content(post.topic, "post", "", post.id, slots, move="mention_post")
    return Content(post.topic, "post", by, post.id, {**slots, "third": w.handbook.name(by)}, move="tell_post")


def _recalled(w: HasTalk, lead: str, me: str, other: str, t: int, chance: Stream) -> Content | None:
    """Content of a memory, or of what one saw a third person do."""
    third = True if lead == "gossip" else False if lead == "remember" else None
    memory = _memory(w, me, other, t, third, chance)
    if memory is None:
        return None
    text = told_here(w, memory.text, me, other, t)
    slots = {"recall": text, "when": when_it_was(w, memory.t, t)}
    whom = memory.about[0] if memory.about else ""
    if lead == "gossip":
        where = text.partition(w.handbook.doing(memory.topic))[2]
        slots["third"] = w.handbook.name(whom)
        slots["third_fact"] = w.handbook.past(memory.topic) + where
        return Content(w.handbook.name(whom), "memory", whom, memory.id, slots)
    topic = w.handbook.name(whom) if whom else w.handbook.doing(memory.topic)
    return Content(topic, "memory", whom, memory.id, {**slots, "topic": topic})


def _new(w: HasTalk, lead: str, me: str, other: str, t: int) -> Content | None:
    """Content of one's own news, or of the other's."""
    news = next(iter(untold_news(w, me, other, t, own=lead == "my_news")), None)
    if news is None:
        return None
    slots = {"news": news_text(w, news, me, other), "ago": since_phrase(w.clock, news.t, t) if news.t >= 0 else ""}
    tone, stake = ("good", 0.0) if news.good else ("bad", BAD_NEWS)
    return Content("", "news", slots=slots, tone=tone, over=news.id, stake=stake)


def _troubling(w: HasTalk, lead: str, me: str, other: str, used: list[str], chance: Stream) -> Content | None:
    """What somebody vents or worries about: mostly a pressure, else a concern or dislike."""
    a = w.cast[me]
    pressing = _sayable(w, tellable_pressures(w, lead, me, other), me, other, used)
    worries = open_concerns(w, me, other)
    items = [i for i in (worries if lead == "worry" else (*worries, *a.dislikes)) if i not in used]
    if pressing and (not items or chance.unit() < PRESSING):
        return _pressed(*chance.choice(pressing))
    if not items:
        return None
    topic = chance.choice(items)
    matter = w.files[me].matters.get(topic, "")
    if matter in w.pressures.open:
        return Content(topic, "concern", slots={"topic": topic}, over=matter)
    why = a.opinions[topic].why if topic in a.opinions else ""
    return Content(topic, "concern", slots={"topic": topic, "why": why})


def _view(w: HasTalk, me: str, other: str, t: int, items: list[str], chance: Stream) -> Content | None:
    """An opinion: one the two disagree on comes first. items: topics, firmest opinion first."""
    items = [topic for topic in items if not w.calendar.decided(topic, t)]
    if not items:
        return None
    a, b = w.cast[me], w.cast[other]
    over = contested_topic(w, me, other, t)
    topic = over if over in items else items[0] if chance.unit() < 0.5 else chance.choice(items)
    held = a.opinions[topic]
    slots = {"topic": topic, "why": held.why}
    return Content(topic, "opinion", slots=slots, opposed=opinion_gap(a, b, topic), stance=held.stance)


def _asked(w: HasTalk, me: str, other: str, t: int, used: list[str], chance: Stream) -> Content | None:
    """What one asks the other about: mostly a known pressure, else an opinion or concern of theirs."""
    known = _sayable(w, known_of(w, me, other), me, other, used)
    asked = [(i, "opinion") for i in w.cast[other].opinions if not w.calendar.decided(i, t)]
    if tie_of(w, me, other).closeness > 0.2:
        asked += [(i, "concern") for i in open_concerns(w, other, me)] * 2
    asked = [i for i in asked if i[0] not in used]
    if known and (not asked or chance.unit() < PRESSING):
        return _pressed(*chance.choice(known))
    return _topic(asked, chance)


def _sayable(
    w: HasTalk, found: list[ActivePressure], me: str, other: str, used: list[str]
) -> list[tuple[ActivePressure, str]]:
    """The pressures that the two can name and have not discussed, each with its topic."""
    named = [(p, gist(p.stakes)) for p in found if can_name(w, p, me, other)]
    return [(p, topic) for p, topic in named if topic not in used]


def _pressed(p: ActivePressure, topic: str) -> Content:
    """The content of mentioning a pressure in ordinary talk."""
    return Content(topic, "concern", slots={"topic": topic}, over=p.id)


def _topic(items: list[tuple[str, str]], chance: Stream) -> Content | None:
    """One of these (topic, kind) at random; None if there is none."""
    if not items:
        return None
    topic, kind_ = chance.choice(items)
    return Content(topic, kind_, slots={"topic": topic})
