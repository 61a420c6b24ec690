"""What somebody does with a phone, as events: acts on cards, own posts, messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandbox.core.clock import HOUR
from sandbox.core.domain import CommandEvent
from sandbox.core.protocols import Step
from sandbox.core.text import clean
from sandbox.drama.consequences import free_moment
from sandbox.feed import acts_of_people as people
from sandbox.feed import acts_of_posts as posts
from sandbox.feed.acting import ActingUser, Refused
from sandbox.feed.commands import OnFeed, run_feed_command
from sandbox.feed.events import REASON, TEXT, Commented, Deed, Messaged, Quoted, Writing, WritingDetails
from sandbox.feed.reading import comment_text, either_blocked, name_of_user, text_of
from sandbox.people.beliefs import fact_sentence
from sandbox.people.mood_queries import tag_of
from sandbox.people.pressure_deck import PressureWay, ways_of
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import intensity_at
from sandbox.phones import rule_hooks
from sandbox.phones.ideas import Idea, is_already_cited
from sandbox.phones.model import HasPhones, Written, kind_and_number
from sandbox.phones.question_use import PhoneAct, UsePhone
from sandbox.phones.question_write import BACK, PostSays, Write, of_answer, of_comment, of_idea, refresh_question
from sandbox.phones.rule_falsehood import RIGHT, knows_better, untrue
from sandbox.phones.rule_form import rule_to_begin
from sandbox.phones.seeing import account_of, phones_enabled, resident_of
from sandbox.talk.content import may_joke, stake_of, tie_of
from sandbox.talk.pressure_aims import aim_content, hearers
from sandbox.talk.saying import Said
from sandbox.talk.sentiment import sentiment

WRITTEN = ("confide", "complain", "share_trouble")  # exchanges that can also happen by message
AGAIN = 20 * HOUR  # minimum time before writing of the same matter again
LEAST = 0.35  # least weight times intensity to write


class MessageWish(NamedTuple):
    """A message somebody would like to send about a pressure. way: the deck's; size: how strong the wish is."""

    press: ActivePressure
    way: PressureWay
    to: str
    size: float


def wish(w: HasPhones, me: str, t: int) -> MessageWish | None:
    """The strongest wish to write to somebody; None if there is none."""
    account = account_of(w, me)
    best: MessageWish | None = None
    if account is None:
        return None
    for p in w.pressures.open.values():
        if p.holder != me or any(
            x.author == me and x.matter == p.id and t - x.t < AGAIN for x in w.phones.messages.values()
        ):
            continue
        for way in ways_of(w.drama, p.id, p.kind):
            if (
                way.do not in WRITTEN
                or (way.by, way.to) != ("holder", "other")
                or not way.stage <= p.stage <= way.until
            ):
                continue
            size = way.weight * intensity_at(p, t, w.pressure_parameters)
            if size >= LEAST and (best is None or size > best.size) and (to := _friend(w, me, p, way, t)):
                best = MessageWish(p, way, to, size)
    return best


def _friend(w: HasPhones, me: str, p: ActivePressure, way: PressureWay, t: int) -> str:
    """The person somebody likes most who is reachable, does not know of it and is not beside them; "" for nobody."""
    mine = account_of(w, me)
    near = {*hearers(w, me, me, t)}
    ties = w.people.ties.get(me, {})
    for who in sorted(ties, key=lambda x: (-tie_of(w, me, x).feeling, x)):
        if tie_of(w, me, who).feeling < max(0.2, way.fond):
            return ""
        theirs = account_of(w, who)
        if theirs is None or mine is None or either_blocked(mine, theirs.number):
            continue
        if who not in (p.holder, p.about, *p.known_by) and who not in near:
            return who
    return ""


KIND_WORDS, UNKIND_WORDS = ("back_up", "pardon_all"), ("have_a_go", "refuse_all")  # moves of comments
NAMING = ("recall", "rumour", "matter", "topic", "third")  # slots that name what a post comes from
WARM, COLD = 0.15, -0.15  # attitude from which answers are kind, and down to which they are unkind
BY_HAND = {"post": "post_news", "comment": "chip_in", "message": "note"}  # moves of what a player wrote


class Task(NamedTuple):
    """Something to be written. q: the question for its words; what: post, comment, quote or message; move: of the line
    book; idea: of a post; on: the card it refers to; to: whom a message goes to; wish: of a message about a pressure;
    why: as the event gives it; right: the true version, in a correction.
    """

    me: str
    q: Write
    what: str
    move: str
    idea: Idea | None = None
    on: int = -1
    to: str = ""
    wish: MessageWish | None = None
    why: str = ""
    right: str = ""


def reason_for_act(x: PhoneAct) -> str:
    """Why somebody does this, for the trace."""
    return clean("; ".join(rule.name for rule in x.why), REASON)


def do_wordless_act(step: Step, w: HasPhones, me: str, act: str, card: int, why: str) -> None:
    """Carry out an act without words; does nothing if the platform refuses it."""
    t, account = free_moment(step, w, me), account_of(w, me)
    assert account is not None
    on = ActingUser(w.feed, account.number, t, why, w.means)
    author = w.feed.posts.author.item(w.feed.posts.root.item(card))
    x = w.phones.written.get(w.feed.posts.root.item(card))
    try:
        event = WORDLESS[act](on, card, author)
    except Refused:
        return
    step.emit(event, t=t, actor=me, causes=(x.seq,) if x is not None else ())


# Act without words -> its event, of who acts, a card and its author. Each raises Refused.
WORDLESS: Mapping[str, Callable[[ActingUser, int, int], Deed]] = {
    "like": lambda actor, card, author: posts.react_to(actor, "like", "post", card),
    "dislike": lambda actor, card, author: posts.react_to(actor, "dislike", "post", card),
    "repost": lambda actor, card, author: posts.repost(actor, card),
    "follow": lambda actor, card, author: people.connect_to(actor, "follow", author),
    "mute": lambda actor, card, author: people.connect_to(actor, "mute", author),
}


def attitude(w: HasPhones, me: str, x: Written | None, features: dict[str, float]) -> float:
    """What somebody thinks of a post; below 0 is against it."""
    score = (
        features["fond"] + 1.2 * features["agrees"] + 0.5 * features["about_dear"] * (x.valence if x is not None else 0)
    )
    return score - 0.6 * features["about_me"] * features["bitter"] + 0.3 * features["warm"] - 0.1


def task(w: HasPhones, me: str, q: UsePhone, x: PhoneAct, ideas: list[Idea], t: int, n: int) -> Task | None:
    """What has to be worded for an act; None if it needs no words."""
    if x.act == "post":
        idea = ideas[x.at]
        idea = idea._replace(slots=idea.tells() | idea.slots)
        return Task(
            me, of_idea(w, me, idea, t, n), "post", idea.move, idea, why=reason_for_act(x) or clean(idea.why, REASON)
        )
    if x.act not in ("comment", "quote", "message"):
        return None
    seen = q.cards[x.at]
    root = w.feed.posts.root.item(seen.card)
    author = resident_of(w, w.feed.posts.author.item(root))
    written = w.phones.written.get(root)
    how = attitude(w, me, written, seen.features)
    to = text_of(w.feed, root, w.means.words)
    if x.act == "comment":
        move, right = _answer(w, me, written, how, seen.features)
        more = {"rumour": right} if right else {}
        tone = written.valence if written is not None else 0.0
        about = written.topic if written is not None else w.means.words.subject(w.feed, root)
        words = of_comment(w, me, move, written, PostSays(to, about, tone), author, seen.by, to, t, n, more)
        return Task(me, words, "comment", move, on=root, why=reason_for_act(x), to=author, right=right)
    if x.act == "quote":
        move = "quote_for" if how >= 0 else "quote_against"
        words = of_answer(w, me, "quote", move, written, author, seen.by, to, t, n)
        return Task(me, words, "quote", move, on=seen.card, why=reason_for_act(x), to=author)
    if author:
        words = of_answer(w, me, "message", "note", written, author, seen.by, to, t, n)
        return Task(me, words, "message", "note", to=author, on=root, why=reason_for_act(x))
    return None


def _answer(w: HasPhones, me: str, x: Written | None, how: float, features: dict[str, float]) -> tuple[str, str]:
    """The move of a comment, and the true version if it corrects a falsehood (else "")."""
    if x is not None and x.fact and untrue(w, x) and knows_better(w, me, x):
        fact = w.beliefs.facts[x.fact]
        return RIGHT, fact_sentence(w, fact, (fact.a, fact.b, "", fact.bad))
    if x is not None and x.move == "apologise_all" and x.whom == me:
        answered = w.phones.fired.get("apology", {}).get(f"{me} {x.number}") is not None
        taken = answered and x.matter not in w.pressures.open
        return ("pardon_all" if taken else "refuse_all"), ""
    if features["asks"] and how >= COLD:
        return "answer_post", ""
    return ("back_up" if how >= WARM else "have_a_go" if how <= COLD else "chip_in"), ""


def message_task(w: HasPhones, me: str, found: MessageWish, t: int, n: int) -> Task:
    """The task of writing a message about a pressure."""
    content = aim_content(w, found.press.id, me, found.to)
    move = w.drama.exchanges[found.way.do].move
    words = of_answer(w, me, "message", move, None, found.to, w.handbook.name(found.to), "", t, n, content.slots)
    context = {**words.context, "topic_kind": "pressure", "pressure": found.press.kind, "stage": str(found.press.stage)}
    wit = may_joke(w, me, stake_of(w, (me, found.to), t, found.press.id), t)
    return Task(
        me, replace(words, context=context, wit=wit), "message", move, to=found.to, wish=found, why=found.press.cause
    )


def answer_task(w: HasPhones, me: str, comment: int, t: int, n: int) -> Task:
    """The task in which a post's writer answers a comment under it."""
    comments = w.feed.comments
    card, user = comments.post.item(comment), comments.author.item(comment)
    name, to = name_of_user(w.feed, user, w.means.words), comment_text(w.feed, comment, w.means.words)
    other, x = resident_of(w, user), w.phones.written.get(card)
    post = PostSays(
        text_of(w.feed, card, w.means.words), x.topic if x is not None else "", float(comments.tone.item(comment))
    )
    words = of_comment(w, me, BACK, x, post, other, name, to, t, n)
    return Task(me, words, "comment", BACK, on=card, to=other, why=f"answers {name}")


async def put_all(step: Step, w: HasPhones, tasks: list[Task]) -> None:
    """Word and record all tasks. If two get the same words, the first keeps them and the other is asked again."""
    while tasks:
        answers: list[Said] = await step.ask([x.q for x in tasks])
        used: set[str] = set()
        again = []
        for x, said in zip(tasks, answers, strict=True):
            if used.isdisjoint(said.variants):
                _put(step, w, x, said)
                used.update(said.variants)
            else:
                again.append(x._replace(q=refresh_question(w, x.q)))
        tasks = again


def _put(step: Step, w: HasPhones, task: Task, said: Said) -> None:
    """Write something, which also does what a rule does when its post is written."""
    me, t = task.me, free_moment(step, w, task.me)
    account = account_of(w, me)
    words = clean(said.text, TEXT)
    if account is None:
        return
    if not words:
        if task.what == "comment" and task.move in ("back_up", "chip_in"):  # nothing to say to it
            do_wordless_act(step, w, me, "like", task.on, task.why)
        return
    on = ActingUser(w.feed, account.number, t, clean(task.why, REASON), w.means)
    idea, x = task.idea, w.phones.written.get(task.on)
    if _late(w, task, words, t):
        return
    causes: tuple[int, ...] = ()
    try:
        event: Writing
        if task.what == "post" and idea is not None:
            event = posts.create_post(on, words, idea.stance if idea.opinion else None, idea.heat or 0.0)
            p = w.pressures.open.get(idea.matter)
            causes = tuple(dict.fromkeys(s for s in (idea.cites, p.last if p is not None else 0) if s))
        elif task.what == "comment":
            side = 1 if task.move in KIND_WORDS else -1 if task.move in UNKIND_WORDS else 0
            event = posts.create_comment(on, task.on, words, side)
            causes = (x.seq,) if x is not None else ()
        elif task.what == "quote":
            event = posts.quote_post(on, task.on, words)
            causes = (x.seq,) if x is not None else ()
        else:
            event = people.send_message(on, w.feed.handles[task.to.lower()], words)
            causes = (task.wish.press.last,) if task.wish is not None else (x.seq,) if x is not None else ()
    except Refused:
        return
    if idea is not None and not words_match_idea(idea, words):
        idea = idea._replace(cites=0)
        task, causes = task._replace(idea=idea), ()
    about = WritingDetails(move=task.move, **_about(w, task, x, words))
    event = replace(event, about=about, mood=tag_of(w, me, t), variants=said.variants)
    step.emit(event, t=t, actor=me, causes=causes)
    if about.rule:
        rule_hooks.wrote(step, w, w.phones.written[kind_and_number(event)[1]])


def _late(w: HasPhones, task: Task, words: str, t: int) -> bool:
    """Whether it comes too late: the event has been cited often enough, the rule may not begin any more, or somebody
    has commented in these words.
    """
    idea = task.idea
    if idea is not None and task.what == "post":
        return (bool(idea.cites) and is_already_cited(w, task.me, idea.cites)) or (
            bool(idea.rule) and rule_to_begin(w, idea.rule, "", t) is None
        )
    under = (n for n, c in w.phones.comments.items() if c.on == task.on) if task.what == "comment" else ()
    return any(w.feed.comment_texts.get(n) == words for n in under)


def words_match_idea(idea: Idea, words: str) -> bool:
    """Whether the words mention the event the idea comes from; a rule's posts always count."""
    if idea.rule:
        return True
    text = words.casefold()
    return any(part.casefold().rstrip(".") in text for slot, part in idea.slots.items() if slot in NAMING and part)


def run_on_feed(w: HasPhones, c: OnFeed) -> Sequence[CommandEvent]:
    """The events of a command to the feed, with what can be told of words that are written: whom they name and how they
    sound. Raises Refused.
    """
    acts = run_feed_command(w, c)
    if c.by not in w.people.residents or not phones_enabled(w):
        return acts
    return [act._replace(event=_told_of(w, c.by, act.event)) if isinstance(act.event, Writing) else act for act in acts]


def _told_of(w: HasPhones, me: str, e: Writing) -> Writing:
    """A player's act with what can be told of its words."""
    on = e.post if isinstance(e, Commented) else e.of if isinstance(e, Quoted) else -1
    named = (who for who in w.cast if who != me and re.search(rf"\b{re.escape(w.handbook.name(who))}\b", e.text))
    whom = resident_of(w, e.to) if isinstance(e, Messaged) else next(named, "")
    about = WritingDetails(move=BY_HAND[kind_and_number(e)[0]], whom=whom, valence=tone_of(e.text), on=on)
    return replace(e, about=about, mood=tag_of(w, me, w.now))


def tone_of(words: str) -> float:
    """How warm words sound, in [-1, 1], as an event carries it."""
    return max(-1.0, min(1.0, round(sentiment(words), 3)))


def _about(w: HasPhones, task: Task, x: Written | None, words: str) -> dict[str, Any]:
    """What something written is about, as fields of `WritingDetails`."""
    idea = task.idea
    if idea is not None:
        a, b, where, bad = idea.says
        valence = idea.valence if abs(idea.valence) > 0.1 else tone_of(words)
        return {
            "cites": idea.cites, "topic": clean(idea.topic, 120), "matter": idea.matter, "fact": idea.fact, "a": a,
            "b": b, "where": where, "bad": bad, "proof": idea.proof, "whom": idea.whom,
            "valence": round(max(-1.0, min(1.0, valence)), 3), "opinion": idea.opinion, "stance": round(idea.stance, 3),
            "rule": idea.rule,
        }  # fmt: skip
    if task.wish is not None:
        p = task.wish.press
        return {
            "cites": p.last, "topic": clean(p.stakes, 120), "matter": p.id, "fact": p.id, "a": p.holder, "b": p.about,
            "whom": task.to, "valence": -0.2,
        }  # fmt: skip
    about: dict[str, Any] = {"valence": tone_of(words), "on": task.on, "whom": task.to}
    if x is not None:
        against = task.move in ("have_a_go", "quote_against", "refuse_all")
        about |= {"topic": x.topic, "cites": x.seq, "matter": x.matter}
        if task.what == "quote":  # a quote's claim has the quoter as its source
            about |= {"fact": x.fact, "a": x.a, "b": x.b, "where": x.where, "bad": x.bad, "opinion": x.opinion,
                      "stance": round(-x.stance if against else x.stance, 3)}  # fmt: skip
        if task.right and x.fact:
            fact = w.beliefs.facts[x.fact]
            about |= {"fact": x.fact, "a": fact.a, "b": fact.b, "where": fact.where, "bad": fact.bad}
    return about
