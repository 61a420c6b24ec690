"""Effects of reading: beliefs, feelings, opinions and moods change by what people read, and by reactions to their
posts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sandbox.core.clock import DAY
from sandbox.core.events import Stamp, r6
from sandbox.core.protocols import Step
from sandbox.drama.consequences import free_moment
from sandbox.drama.hearsay import follow_hearsay
from sandbox.drama.truth import follow_new_beliefs
from sandbox.feed.model import NOBODY
from sandbox.people.beliefs import SEEN, STATED, BeliefUpdate, fact_sentence, learns
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.pressure_handlers import find_fact
from sandbox.people.pressure_model import Turned
from sandbox.people.ties import REMEMBERED, change_feeling, closer, like_reciprocity, liked_at, tie_evidence
from sandbox.phones.model import CardResponse, HasPhones, OpinionShift, Read, Written
from sandbox.phones.rule_form import guess_person
from sandbox.phones.rule_hooks import read_by
from sandbox.phones.seeing import hostile, opinion_of, pleases, resident_of
from sandbox.talk.content import tie_of
from sandbox.talk.model import Relation
from sandbox.talk.rumours import hearer_feelings, rumours_run

LIKE, DISLIKE, WORDS = 0.02, -0.04, 0.04  # change in feeling per like and dislike, and by a comment's or text's valence


def relation_after_reading(
    w: HasPhones, me: str, written: Written, t: int, new: bool, turned: Sequence[Turned] = ()
) -> Relation | None:
    """The reader's tie to the writer after reading something to or about themselves; None if it was neither. new:
    whether they learned something; turned: how their feelings changed by it already.
    """
    if written.kind != "message" and me not in (written.whom, written.a, written.b):
        return None
    name = w.handbook.name(written.author)
    why = f"had a message from {name}" if written.kind == "message" else f"was written of by {name}"
    affect = written.valence if written.kind == "message" else 0.0
    now = next((f.feeling for f in reversed(turned) if (f.u, f.v) == (me, written.author)), None)
    return _came_out(w, me, written.author, t, why, affect=affect, change=WORDS * written.valence, new=new, now=now)


def _voted(w: HasPhones, me: str, by: str, contacts: list[CardResponse], t: int) -> Relation:
    likes, dislikes = (sum(c.what == what for c in contacts) for what in ("like", "dislike"))
    change = LIKE * likes + DISLIKE * dislikes + WORDS * sum(c.tone for c in contacts)
    did = " and ".join(
        word
        for word, n in (("liked", likes), ("disliked", dislikes), ("answered", len(contacts) - likes - dislikes))
        if n
    )
    why = f"{w.handbook.name(by)} {did} what was posted"
    return _came_out(w, me, by, t, why, likes=likes, dislikes=dislikes, change=change)


def _came_out(
    w: HasPhones, me: str, other: str, t: int, why: str,
    *, likes: int = 0, dislikes: int = 0, affect: float = 0.0, change: float = 0.0, new: bool = False,
    now: float | None = None,
) -> Relation:  # fmt: skip
    tie, p, day = tie_of(w, me, other), w.tie_parameters, w.clock.day(t)
    liked = r6(liked_at(tie, day) + (1.0 - REMEMBERED) * likes)
    back = like_reciprocity(liked, liked_at(tie_of(w, other, me), day))
    approval = (likes - dislikes) / (likes + dislikes) if likes or dislikes else 0.0
    after, gained, today = closer(tie, day, tie_evidence(float(new), approval, affect, back), p)
    before = tie.feeling if now is None else now
    feeling, delta = change_feeling(before, change * (1.0 - before if change > 0.0 else 1.0 + before), p)
    return Relation(me, other, delta, feeling, gained, after, today, why, liked)


STICKS = 0.45  # chance that a post without other effect is remembered
DEAR, FOND, FOE = 0.35, 0.2, -0.2  # feelings: for the person meant; for a liked, and a disliked, writer
ECHO = 1.5  # added belief strength, as a factor, at a hundred reactions
LEAST = 0.12  # least strength of an emotion
PRAISE = 3  # new likes (or dislikes) from which one reacts
LOOKS_BACK = 2 * DAY  # greatest age of own posts that are checked
MOVED = 0.004  # least change of a stance


def echoes(w: HasPhones, card: int) -> float:
    """How much a post is amplified by reactions: 1 with none, 1 + ECHO with a hundred."""
    posts = w.feed.posts
    many = posts.reposts.item(card) + posts.quotes.item(card) + posts.comments.item(card)
    return 1.0 + ECHO * math.log10(1 + many) / 2.0


def _told(w: HasPhones, me: str, written: Written, t: int, loud: float) -> list[BeliefUpdate]:
    """What a reader comes to believe from a post; nothing about their own deeds."""
    fact = find_fact(w, written.fact) if written.fact and rumours_run(w) else None
    if fact is None or not written.a or me in (fact.a, written.a):  # people know their own deeds
        return []
    strength = SEEN if written.proof else r6(min(SEEN, STATED * loud))
    return [learns(w, me, fact, (written.a, written.b, written.where, written.bad), strength, written.author, t)]


def _emotion(w: HasPhones, me: str, written: Written) -> tuple[str, float]:
    """The emotion that reading it causes, and its strength."""
    f, v = tie_of(w, me, written.author).feeling, written.valence
    spoken_of = (written.a, written.b) if written.kind == "message" else (written.whom, written.a, written.b)
    if me in spoken_of:
        if v < 0:
            proud = w.cast[me].big_five.agreeableness < 0.2
            return ("anger" if proud else "shame"), 0.45 + 0.4 * abs(v)
        return "gratitude", 0.35 + 0.3 * v
    dear = tie_of(w, me, written.whom).feeling if written.whom and written.whom != me else 0.0
    if dear >= DEAR and v < 0:
        return "resentment", 0.25 + 0.3 * dear
    if f >= FOND:
        return ("happy-for" if v > 0 else "pity"), 0.6 * abs(v) * (0.4 + f)
    if f <= FOE:
        return ("resentment" if v > 0 else "gloating"), 0.6 * abs(v) * (0.4 - f)
    return "", 0.0


def take_in(step: Step, w: HasPhones, me: str, written: Written, cause: int, loud: float = 1.0) -> None:
    """Let a resident read something that another wrote. cause: the event of their look; loud: amplification."""
    t = free_moment(step, w, me)
    guessed = guess_person(step, w, me, written, t) if written.move == "subtweet" else None
    rows = _told(w, me, written, t, loud)
    feelings: tuple[Turned, ...] = ()
    for row in rows:
        fact = find_fact(w, row.fact)
        if (fact is not None and fact.id in w.beliefs.facts) or row.fact in w.pressures.open:
            says = fact_sentence(w, fact, row.slots) if fact is not None else written.topic
            feelings += hearer_feelings(w, row, says)
    swayed: tuple[OpinionShift, ...] = ()
    if written.opinion and written.opinion in w.cast[me].opinions and w.phone_parameters.sways:
        before = opinion_of(w, me, written.opinion)
        after = r6(before + w.phone_parameters.sways * (written.stance - before))
        swayed = (OpinionShift(written.opinion, r6(before), after),) if abs(after - before) >= MOVED else ()
    emotion, size = _emotion(w, me, written)
    met = relation_after_reading(w, me, written, t, bool(rows), feelings)
    strong = any(row.strength for row in rows) or bool(guessed) or size >= LEAST or met is not None
    if not strong and not swayed and step.chance(me, f"sticks {written.kind} {written.name}").unit() >= STICKS:
        return
    poignancy = 2 + min(6, round(8 * size)) if strong else 2
    event = Read(
        written.kind, written.number, written.author, written.topic, tuple(rows), feelings, swayed,
        guessed.whom if guessed is not None else "", relations=() if met is None else (met,), poignancy=poignancy,
    )  # fmt: skip
    seq = step.emit(event, t=t, actor=me, causes=(cause, written.seq))
    at = Stamp(seq, step.number, t, me, ())
    follow_hearsay(step, w, at, rows)
    follow_new_beliefs(step, w, at, rows)
    if emotion and size >= LEAST:
        name = w.handbook.name(written.author)
        what = {"post": "posted", "comment": "wrote", "message": "wrote in a message"}[written.kind]
        why = f"read what {name} {what} about {written.topic}" if written.topic else f"read what {name} {what}"
        express(step, w, me, Appraisal(emotion, min(1.0, size), why, written.author, "reading"), t, seq)
    read_by(step, w, me, written, seq, guessed)


def read_answers(step: Step, w: HasPhones, me: str, cause: int) -> None:
    """Let somebody read residents' replies to them under other people's cards."""
    for c in [*w.phones.waiting.get(me, ())]:
        x, card = w.phones.comments.get(c.comment), w.phones.written.get(c.card)
        if x is not None and card is not None and card.author != me:
            take_in(step, w, me, x, cause)


def see_reactions(step: Step, w: HasPhones, me: str, cause: int) -> tuple[int, ...]:
    """Let somebody see the reactions to their latest posts. Returns the newest comment under each with new ones."""
    answers: list[int] = []
    posts, phone = w.feed.posts, w.phones.phones.get(me)
    own = [c.on for c in w.phones.comments.values() if c.author == me]
    for x in [x for x in w.phones.written.values() if x.author == me]:
        card, t = x.number, free_moment(step, w, me)
        if t - x.t > LOOKS_BACK or posts.gone.item(card):
            continue
        waiting = [c for c in w.phones.waiting.get(me, ()) if c.card == card]
        now = (posts.likes.item(card), posts.dislikes.item(card), max(0, posts.comments.item(card) - own.count(card)))
        before = phone.seen.get(card, (0, 0, 0)) if phone is not None else (0, 0, 0)
        likes, dislikes, comments = (a - b for a, b in zip(now, before, strict=True))
        much = likes >= PRAISE or dislikes >= PRAISE or comments > 0
        if not much and not waiting:
            continue
        foes = min(comments, hostile(w, card))
        newest = posts.last.item(card) if comments else NOBODY
        if newest != NOBODY and resident_of(w, w.feed.comments.author.item(newest)) != me:
            answers.append(newest)
        good = pleases(likes, dislikes, comments, foes)
        size = min(0.8, 0.12 + 0.2 * math.log10(1 + likes + dislikes + 2 * comments))
        standing = r6((0.03 if good else -0.04) * math.log10(1 + likes + dislikes + comments))
        relations = tuple(
            _voted(w, me, by, [c for c in waiting if c.by == by], t) for by in dict.fromkeys(c.by for c in waiting)
        )
        event = Read(
            "post", card, me, x.topic, counts=now, standing=standing, relations=relations,
            poignancy=1 + round(4 * size),
        )  # fmt: skip
        seq = step.emit(event, t=t, actor=me, causes=(cause, x.seq))
        if not much:
            continue
        emotion = "pride" if good else "shame" if w.cast[me].big_five.neuroticism > 0 else "anger"
        words = f"saw what people make of the post about {x.topic}" if x.topic else "saw what people make of a post"
        express(step, w, me, Appraisal(emotion, size, words, "", "reading"), t, seq)
    return tuple(answers)
