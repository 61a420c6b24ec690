"""The phone system: who takes one out, what they read, do and write."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from sandbox.core.clock import HOUR, MINUTE
from sandbox.core.protocols import Step, by_lot
from sandbox.drama.consequences import free_moment
from sandbox.feed.acting import ActingUser
from sandbox.feed.acts_of_reading import read_messages, refresh, unread_messages
from sandbox.feed.events import MOST_SHOWN
from sandbox.people.mood_queries import mood_of
from sandbox.people.needs import level
from sandbox.people.played import is_played
from sandbox.phones import rule_hooks
from sandbox.phones.acting import (
    WORDLESS,
    Task,
    answer_task,
    do_wordless_act,
    message_task,
    put_all,
    reason_for_act,
    task,
    wish,
)
from sandbox.phones.ideas import Idea, ideas
from sandbox.phones.model import HasPhones
from sandbox.phones.question_use import Draft, Used, UsePhone
from sandbox.phones.question_write import of_answer
from sandbox.phones.reading import echoes, read_answers, see_reactions, take_in
from sandbox.phones.rule_falsehood import RIGHT
from sandbox.phones.seeing import account_of, phones_enabled, seen_card
from sandbox.town.conditions import offline, pushed_posts

# Factors on looking, by activity: at a duty, walking, at leisure, otherwise.
DUTY, WALKING, LEISURE, USUAL = 0.35, 0.3, 1.7, 1.0
APART = 9 * MINUTE  # least time between two looks of one person
RINGS = 3.0  # factor on looking with an unread message
MOST = 4.6  # more than habit (2.47) and mood (1.84) can multiply looking by
QUIET = 80 * MINUTE  # time after a post in which another is less likely
WRITES = 0.3  # chance per look to write to a friend about something pressing
BACK = 0.3  # chance to answer the newest comment under an own post
ANSWERS = 0.75  # chance that a message is answered
THANKS = "note_back"  # the move that answers a message; it is not answered itself
AWAKE = 16.0  # waking hours of a day


class PhoneLook(NamedTuple):
    """One look at a phone. seq: its event; cards: shown and not read before; ideas: possible posts; notes: whose
    messages were read; answers: others' new comments under own posts.
    """

    me: str
    seq: int
    cards: tuple[int, ...]
    ideas: list[Idea]
    notes: tuple[str, ...]
    answers: tuple[int, ...]


def who_looks(step: Step, w: HasPhones) -> list[str]:
    """Who takes their phone out in this slice. Most lots are too high for whatever speaks for it."""
    likely, now = w.phone_parameters.looks / (AWAKE * HOUR) * (step.end - step.now), step.now
    most, phones, ready = min(0.9, likely * LEISURE * MOST * RINGS), w.phones.phones, []
    for me, r in w.people.residents.items():
        phone = phones.get(me)
        if r.awake and not r.talk and (phone is None or phone.looked < 0 or phone.looked <= now - APART):
            ready.append(me)
    lots = zip(ready, step.lots(ready, "phone"), strict=True)
    return [me for me, lot in lots if lot < most and _takes_out(w, me, now, lot, likely)]


def _takes_out(w: HasPhones, me: str, now: int, lot: float, likely: float) -> bool:
    """Whether somebody takes their phone out: by activity, habit, mood and messages."""
    if (account := account_of(w, me)) is None:
        return False
    unread = [other for other, some in account.unread.items() if some]
    rings = RINGS if any(unread_messages(w.feed, account.number, other) for other in unread) else 1.0
    if lot >= likely * LEISURE * rings * MOST:
        return False
    r = w.people.residents[me]
    kind = w.handbook.kind(r.act.block) if r.act is not None else ""
    at = WALKING if w.town.spots[me].path else DUTY if kind == "duty" else LEISURE if kind == "leisure" else USUAL
    if lot >= likely * at * rings * MOST or offline(w, me) or is_played(w, me):
        return False
    traits, age, pad = w.cast[me].big_five, w.cast[me].age, mood_of(w, me, now)
    habit = max(0.15, 1.0 + 0.35 * traits.extraversion + 0.25 * traits.neuroticism - 0.3 * traits.conscientiousness)
    habit *= 0.5 if age >= 65 or age < 12 else 1.3 if age < 30 else 1.0
    lonely = 1.0 - level(r.needs, "company", now, w.need_parameters)
    mood = 1.0 + 0.4 * max(0.0, pad.a) - 0.2 * pad.p + 0.4 * max(0.0, lonely - 0.4)
    return lot < min(0.9, likely * at * habit * mood * rings)


async def run_phones(step: Step, w: HasPhones) -> None:
    """Let people use their phones in this slice, and run the rules that act by time."""
    if not phones_enabled(w):
        return
    if out := who_looks(step, w):
        await _use(step, w, by_lot(step, "phones", out, lambda who: (who, 0)))
    rule_hooks.passes(step, w)
    await step.breathe()


async def _use(step: Step, w: HasPhones, out: list[str]) -> None:
    looks = [look for who in out if (look := look_at(step, w, who)) is not None]
    questions = [_question(w, look, free_moment(step, w, look.me)) for look in looks]
    answers: list[Used] = await step.ask(questions)
    tasks: list[Task] = []
    for look, q, answer in zip(looks, questions, answers, strict=True):
        tasks += _do(step, w, look, q, answer)
    await put_all(step, w, [x for x in tasks if x.move in w.written_moves])


def look_at(step: Step, w: HasPhones, me: str) -> PhoneLook | None:
    """Show somebody what the recommender chooses and let them read it, their messages, and reactions to their posts.
    None if the slice is over.
    """
    account, t = account_of(w, me), free_moment(step, w, me)
    if account is None or t >= step.end:
        return None
    on = ActingUser(w.feed, account.number, t, "", w.means)
    event = refresh(on)
    phone = w.phones.phones.get(me)
    read = phone.read.keys() if phone is not None else ()
    if pushed := [c for c in pushed_posts(w) if not w.feed.posts.gone.item(c)]:
        event = replace(event, shown=tuple(dict.fromkeys((*pushed, *event.shown)))[:MOST_SHOWN])
    fresh = tuple(c for c in event.shown if c not in read and w.feed.posts.author.item(c) != account.number)
    seq = step.emit(event, t=t, actor=me)
    answers = see_reactions(step, w, me, seq)
    read_answers(step, w, me, seq)
    notes = _messages(step, w, me, seq)
    roots = {w.feed.posts.root.item(card) for card in read if card not in fresh}
    for card in fresh:
        root = w.feed.posts.root.item(card)
        x = w.phones.written.get(root)
        if x is not None and x.author != me and root not in roots:
            take_in(step, w, me, x, seq, echoes(w, root))
            right = next((c for c in reversed(w.phones.comments.values()) if c.on == root and c.move == RIGHT), None)
            if right is not None and right.author != me:
                take_in(step, w, me, right, seq)
        roots.add(root)
    rule_hooks.looked(step, w, me, seq)
    t = free_moment(step, w, me)
    return PhoneLook(
        me, seq, fresh, [*rule_hooks.ideas(w, me, t), *ideas(w, me, t)] if _may_post(w, me, t) else [], notes, answers
    )


def _messages(step: Step, w: HasPhones, me: str, seq: int) -> tuple[str, ...]:
    """Read the unread messages; returns their authors."""
    account = account_of(w, me)
    assert account is not None
    out = []
    for other, numbers in [*account.unread.items()]:
        t = free_moment(step, w, me)
        event = read_messages(ActingUser(w.feed, account.number, t, "", w.means), other) if numbers else None
        if event is None or not event.shown:
            continue  # hidden from this reader
        at = step.emit(event, t=t, actor=me, causes=(seq,))
        for number in event.shown:
            x = w.phones.messages.get(number)
            if x is not None:
                take_in(step, w, me, x, at)
                if x.move != THANKS:
                    out.append(x.author)
    return tuple(dict.fromkeys(out))


def _may_post(w: HasPhones, me: str, t: int) -> bool:
    phone = w.phones.phones.get(me)
    today = 0 if phone is None else sum(w.clock.day(x) == w.clock.day(t) for x in phone.wrote)
    return today < w.phone_parameters.posts


def _question(w: HasPhones, look: PhoneLook, t: int) -> UsePhone:
    phone = w.phones.phones.get(look.me)
    last = phone.wrote[-1] if phone is not None and phone.wrote else -QUIET
    quiet = max(0.0, 1.0 - (t - last) / QUIET)
    cards = tuple(seen_card(w, look.me, card, t) for card in look.cards)
    drafts = tuple(_draft(w, idea) for idea in look.ideas)
    return UsePhone(look.me, now=t, cards=cards, drafts=drafts, quiet=round(quiet, 3))


def _draft(w: HasPhones, idea: Idea) -> Draft:
    deck = w.phone_deck
    weights = deck.rules[idea.rule].wish if idea.rule else deck.posts[idea.reason]
    return Draft(idea.reason, idea.topic, weights, idea.features, round(idea.size, 3))


def _do(step: Step, w: HasPhones, look: PhoneLook, q: UsePhone, answer: Used) -> list[Task]:
    """Carry out the acts without words; return the tasks of those with words."""
    me, out = look.me, []
    t = free_moment(step, w, me)
    for n, x in enumerate(answer.acts):
        found = task(w, me, q, x, look.ideas, t, n)
        if found is not None and found.what == "quote" and not _may_post(w, me, t):
            continue
        if found is not None:
            out.append(found)
        elif x.act in WORDLESS:
            do_wordless_act(step, w, me, x.act, q.cards[x.at].card, reason_for_act(x))
    for other in look.notes:
        if step.chance(me, f"answers {other}", q.now).unit() < ANSWERS and not any(
            x.to == other and x.what == "message" for x in out
        ):
            words = of_answer(w, me, "message", THANKS, None, other, w.handbook.name(other), "", t, len(out) + 20)
            out.append(Task(me, words, "message", THANKS, to=other, why="answers a message"))
    if look.answers and step.chance(me, "answers back", q.now).unit() < BACK:
        out.append(answer_task(w, me, look.answers[0], t, len(out) + 60))
    if step.chance(me, "writes to somebody", q.now).unit() < WRITES and (found_wish := wish(w, me, t)) is not None:
        out.append(message_task(w, me, found_wish, t, len(out) + 40))
    return out
