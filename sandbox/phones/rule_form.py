"""The form of a rule that links town and feed: its hooks, and helpers to run it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

from sandbox.core.clock import DAY
from sandbox.core.events import r6
from sandbox.core.protocols import Step
from sandbox.drama.consequences import free_moment
from sandbox.drama.new_pressures import MOST, bear, open_of, room
from sandbox.feed.acting import ActingUser, Refused
from sandbox.feed.acts_of_posts import delete_post
from sandbox.people.beliefs import ROW, current_beliefs
from sandbox.people.pressure_model import ActivePressure, Turned
from sandbox.people.pressure_rules import pressures_between
from sandbox.phones.deck import BEGINS, TieRule
from sandbox.phones.ideas import Idea
from sandbox.phones.model import Crossed, HasPhones, Written
from sandbox.phones.seeing import account_of
from sandbox.talk.content import feeling_change, tie_of
from sandbox.talk.pressure_aims import known_slots

CONSCIENCE = 0.55  # chance that somebody with a bad conscience towards the writer feels meant
FEARS = 0.3  # added chance by neuroticism
WONDERS = 0.5  # chance that somebody who knows of another quarrel of the writer's thinks of that


class Guess(NamedTuple):
    """whom: whom the reader thinks is meant. right: whether that is so. why: a clause."""

    whom: str
    right: bool
    why: str


def guess_person(step: Step, w: HasPhones, me: str, written: Written, t: int) -> Guess | None:
    """Whom somebody thinks a post without a name means; None if they have no idea."""
    p = w.pressures.open.get(written.matter)
    if p is None:
        return None
    name = w.handbook.name(written.author)
    knows = me == p.about and "matter" in known_slots(w, p, me)
    if knows or me in p.known_by or p.id in w.beliefs.held.get(me, {}):
        return Guess(
            p.about, True, f"knows what {name} has against {'them' if me == p.about else w.handbook.name(p.about)}"
        )
    chance = step.chance(me, f"guess {written.name}")
    uneasy = tie_of(w, me, written.author).feeling < 0 or any(
        y.holder == me and y.kind in ("guilt", "debt", "secret", "promise")
        for y in pressures_between(w.pressures, me, written.author)
    )
    likely = CONSCIENCE + FEARS * w.cast[me].big_five.neuroticism
    if uneasy and chance.unit() < likely:
        return Guess(me, me == p.about, f"has something to answer to {name} for")
    at_odds = [
        b.b if b.a == written.author else b.a
        for b in current_beliefs(w.beliefs, me, t, w.belief_parameters)
        if written.author in (b.a, b.b)
        and (w.beliefs.facts[b.fact].how == ROW or w.beliefs.facts[b.fact].kind == "grudge")
    ]
    found = [who for who in dict.fromkeys(reversed(at_odds)) if who and who not in (me, written.author)]
    if found and chance.unit() < WONDERS:
        return Guess(found[0], found[0] == p.about, f"has heard of {name} and {w.handbook.name(found[0])}")
    return None


LEAST = 0.3  # least chance that a pressure starts, however full the town is
Ideas: TypeAlias = Callable[[HasPhones, str, int], Iterable[Idea]]
Wrote: TypeAlias = Callable[[Step, HasPhones, Written], None]
ReadBy: TypeAlias = Callable[[Step, HasPhones, str, Written, int, "Guess | None"], None]
Looked: TypeAlias = Callable[[Step, HasPhones, str, int], None]
Passes: TypeAlias = Callable[[Step, HasPhones], None]


class Hooks(NamedTuple):
    """A rule; each hook is optional. ideas: posts it makes somebody want to write. wrote: after such a post. read:
    after somebody read anything (with that event, and their guess of whom it means). looked: when somebody takes their
    phone out (with that event). passes: once per slice.
    """

    name: str
    ideas: Ideas | None = None
    wrote: Wrote | None = None
    read: ReadBy | None = None
    looked: Looked | None = None
    passes: Passes | None = None


def rule_of(w: HasPhones, name: str) -> TieRule | None:
    """A rule's definition in the deck; None if it does not run."""
    return w.phone_deck.rules.get(name) if w.phone_parameters.rules else None


def ripe(w: HasPhones, name: str, key: str, t: int) -> TieRule | None:
    """A rule's definition if it may run for this key now, else None."""
    rule = rule_of(w, name)
    if rule is None:
        return None
    last = w.phones.fired.get(name, {}).get(key)
    return rule if last is None or t - last >= rule.every else None


def rule_to_begin(w: HasPhones, name: str, key: str, t: int) -> TieRule | None:
    """A rule's definition if it may start for this key now, within its daily limit for the town; else None."""
    rule = ripe(w, name, key, t)
    if rule is None or sum(t - x < DAY for x in w.phones.begun.get(name, ())) >= rule.most:
        return None
    return rule


def record_crossing(
    step: Step, w: HasPhones, name: str, way: str, key: str, me: str, whom: str, what: str, causes: tuple[int, ...],
    card: int = -1, feelings: tuple[Turned, ...] = (), **more: object,
) -> int:  # fmt: skip
    """Record that a rule has run; returns the event's number."""
    rule = w.phone_deck.rules[name]
    template = rule.says if way == BEGINS[name] and more.get("pile") is not False else rule.back
    says = template.format(who=w.handbook.name(me), whom=w.handbook.name(whom) if whom else "somebody", what=what)
    event = Crossed(name, way, key, says, whom, card, feelings, **more)  # type: ignore[arg-type]
    return step.emit(event, t=free_moment(step, w, me), actor=me, causes=tuple(dict.fromkeys(x for x in causes if x)))


def record_crossing_by_posting(step: Step, w: HasPhones, name: str, key: str, written: Written, *causes: int) -> int:
    """Record that a post by a rule is on the feed; returns the event's number. causes: besides the post."""
    return record_crossing(
        step, w, name, "feed", key, written.author, written.whom, written.topic, (written.seq, *causes), written.number
    )  # fmt: skip


def wrote_of_matter(step: Step, w: HasPhones, written: Written) -> None:
    """Record that a post by its rule, about a pressure, is on the feed."""
    record_crossing_by_posting(step, w, written.rule, written.matter, written)


def record_crossing_by_reading(
    step: Step, w: HasPhones, name: str, me: str, written: Written, seq: int, *, key: str = "", whom: str = "",
    what: str = "", **more: Any,
) -> int:  # fmt: skip
    """Record that a rule has run for the reader of a post; returns the event's number. seq: of the reading. key, whom,
    what: of the reader and the post, its author, its topic, unless given.
    """
    key = key or f"{me} {written.number}"
    whom, what = whom or written.author, what or written.topic
    return record_crossing(step, w, name, "street", key, me, whom, what, (seq,), written.number, **more)


def start_pressure(
    step: Step, w: HasPhones, rule: TieRule, part: str, seq: int, actor: str, target: str, *, stakes: str = "",
    asks: str = "", thread: str = "", parent: ActivePressure | None = None,
) -> str:  # fmt: skip
    """Start the pressure that the deck has for this part of a rule. Returns its thread, "" if none began."""
    name = rule.children.get(part, "")
    if not name or name not in w.drama.children or not actor or not target or actor == target:
        return ""
    t = free_moment(step, w, actor)
    if open_of(w, actor) >= MOST or step.chance(actor, f"minds {name}", t).unit() >= max(LEAST, room(w, t)):
        return ""  # the person or the town has enough open
    return bear(step, w, name, (seq,), actor, target, parent, since=t, stakes=stakes, asks=asks, thread=thread)


def finds(step: Step, w: HasPhones, name: str, part: str, me: str, written: Written, seq: int) -> None:
    """Somebody finds a rule's post about themselves: change their standing and start the part's pressure, once."""
    rule = ripe(w, name, f"{me} {written.number}", step.now)
    if rule is not None:
        at = record_crossing_by_reading(step, w, name, me, written, seq, standing=rule.standing)
        start_pressure(step, w, rule, part, at, me, written.author, thread=matter_thread(w, written))


def delete(step: Step, w: HasPhones, written: Written, why: str, causes: tuple[int, ...]) -> int:
    """Delete a resident's post. Returns the event's number, 0 if it was gone. Readers go on believing it."""
    t, account = free_moment(step, w, written.author), account_of(w, written.author)
    if account is None:
        return 0
    try:
        event = delete_post(ActingUser(w.feed, account.number, t, why, w.means), written.number)
    except Refused:
        return 0
    return step.emit(event, t=t, actor=written.author, causes=tuple(dict.fromkeys((*causes, written.seq))))


def feelings_for_event(w: HasPhones, u: str, v: str, change: float, why: str) -> tuple[Turned, ...]:
    """A change in feeling as an event carries it; () if there is none."""
    found = feeling_change(w, u, v, r6(change), why)
    return (found,) if found.delta else ()


def matter_thread(w: HasPhones, written: Written) -> str:
    """The thread of the pressure that a text is about, "" for none."""
    p = w.pressures.open.get(written.matter)
    return p.thread if p is not None else ""
