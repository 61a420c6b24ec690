"""What a rule between street and feed can do, and when: each fills in the moments at which it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from sandbox.core.clock import DAY
from sandbox.core.events import r6
from sandbox.core.protocols import Step
from sandbox.drama.consequences import free_moment
from sandbox.drama.new_pressures import MOST, bear, open_of, room
from sandbox.feed.acting import ActingUser, Refused
from sandbox.feed.acts_of_posts import delete_post
from sandbox.people.pressure_model import ActivePressure, Turned
from sandbox.phones.deck import BEGINS, TieRule
from sandbox.phones.guessing import Guess
from sandbox.phones.ideas import Idea
from sandbox.phones.model import Crossed, HasPhones, Written
from sandbox.phones.seeing import account_of
from sandbox.talk.content import feeling_change

LEAST = 0.3  # chance that something is minded however much is open in town
Ideas: TypeAlias = Callable[[HasPhones, str, int], Iterable[Idea]]
Wrote: TypeAlias = Callable[[Step, HasPhones, Written], None]
ReadBy: TypeAlias = Callable[[Step, HasPhones, str, Written, int, "Guess | None"], None]
Looked: TypeAlias = Callable[[Step, HasPhones, str, int], None]
Passes: TypeAlias = Callable[[Step, HasPhones], None]


class Hooks(NamedTuple):
    """A rule. ideas: what it makes somebody want to post. wrote: such a post has been written. read: somebody has read
    something (the event that says so, and whom they take it to be meant for). looked: somebody takes their phone out
    (the event). passes: once in every slice of a step.
    """

    name: str
    ideas: Ideas | None = None
    wrote: Wrote | None = None
    read: ReadBy | None = None
    looked: Looked | None = None
    passes: Passes | None = None


def rule_of(w: HasPhones, name: str) -> TieRule | None:
    """What the deck says of a rule; None if it does not run."""
    return w.phone_deck.rules.get(name) if w.phone_parameters.rules else None


def ripe(w: HasPhones, name: str, key: str, t: int) -> TieRule | None:
    """What the deck says of a rule, if it may run for that key now."""
    rule = rule_of(w, name)
    if rule is None:
        return None
    last = w.phones.fired.get(name, {}).get(key)
    return rule if last is None or t - last >= rule.every else None


def rule_to_begin(w: HasPhones, name: str, key: str, t: int) -> TieRule | None:
    """What the deck says of a rule, if it may begin for that key now: not too often in one day, in the whole town."""
    rule = ripe(w, name, key, t)
    if rule is None or sum(t - x < DAY for x in w.phones.begun.get(name, ())) >= rule.most:
        return None
    return rule


def cross(
    step: Step, w: HasPhones, name: str, way: str, key: str, me: str, whom: str, what: str, causes: tuple[int, ...],
    card: int = -1, feelings: tuple[Turned, ...] = (), **more: object,
) -> int:  # fmt: skip
    """Tell that a rule has run; the event's number."""
    rule = w.phone_deck.rules[name]
    template = rule.says if way == BEGINS[name] and more.get("pile") is not False else rule.back
    says = template.format(who=w.handbook.name(me), whom=w.handbook.name(whom) if whom else "somebody", what=what)
    event = Crossed(name, way, key, says, whom, card, feelings, **more)  # type: ignore[arg-type]
    return step.emit(event, t=free_moment(step, w, me), actor=me, causes=tuple(dict.fromkeys(x for x in causes if x)))


def child(
    step: Step, w: HasPhones, rule: TieRule, part: str, seq: int, actor: str, target: str, *, stakes: str = "",
    asks: str = "", thread: str = "", parent: ActivePressure | None = None,
) -> str:  # fmt: skip
    """Bring what the deck has for that part of a rule into the world; the thread it is of, "" if nothing is born."""
    name = rule.children.get(part, "")
    if not name or name not in w.drama.children or not actor or not target or actor == target:
        return ""
    t = free_moment(step, w, actor)
    if open_of(w, actor) >= MOST or step.chance(actor, f"minds {name}", t).unit() >= max(LEAST, room(w, t)):
        return ""  # enough is open as it is
    return bear(
        step, w, name, (seq,), actor, target, parent, since=t, stakes=stakes, asks=asks, thread=thread
    )  # fmt: skip


def finds(step: Step, w: HasPhones, name: str, part: str, me: str, written: Written, seq: int) -> None:
    """Somebody who is in a post by a rule has come upon it: it touches their standing and begins what the deck has for
    that part, once.
    """
    key = f"{me} {written.number}"
    rule = ripe(w, name, key, step.now)
    if rule is not None:
        at = cross(
            step,
            w,
            name,
            "street",
            key,
            me,
            written.author,
            written.topic,
            (seq,),
            written.number,
            standing=rule.standing,
        )
        child(step, w, rule, part, at, me, written.author, thread=matter_thread(w, written))


def delete(step: Step, w: HasPhones, written: Written, why: str, causes: tuple[int, ...]) -> int:
    """Have somebody take a post of theirs down: the event's number, 0 if it was not there any more. Those who have read
    it go on believing.
    """
    t, account = free_moment(step, w, written.author), account_of(w, written.author)
    if account is None:
        return 0
    try:
        event = delete_post(ActingUser(w.feed, account.number, t, why, w.means), written.number)
    except Refused:
        return 0
    return step.emit(event, t=t, actor=written.author, causes=tuple(dict.fromkeys((*causes, written.seq))))


def feelings_for_event(w: HasPhones, u: str, v: str, change: float, why: str) -> tuple[Turned, ...]:
    """How a feeling turns by a change, as an event carries it; () if it does not."""
    found = feeling_change(w, u, v, r6(change), why)
    return (found,) if found.delta else ()


def matter_thread(w: HasPhones, written: Written) -> str:
    """The thread of the matter that something written is about, "" for none."""
    p = w.pressures.open.get(written.matter)
    return p.thread if p is not None else ""
