"""Cards of the feed: a post shown to everybody, and a forged post in somebody's name."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandbox.core.protocols import Step
from sandbox.director.card_papers import check_says_something
from sandbox.director.card_rule import (
    DONE,
    CardRule,
    Touch,
    fact_of,
    mentioned_person,
    paper_text,
    reach,
    slots_of,
    spawn_pressures,
)
from sandbox.director.deck import DeckCard
from sandbox.director.model import Dealt, HasDirector, WaitingCard
from sandbox.drama.consequences import free_moment
from sandbox.feed.acting import ActingUser, Refused
from sandbox.feed.acts_of_posts import create_post
from sandbox.feed.events import TEXT, WritingDetails
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.mood_queries import tag_of
from sandbox.phones.acting import BY_HAND, tone_of
from sandbox.phones.seeing import account_of, phones_enabled
from sandbox.talk.content import tie_of
from sandbox.town.conditions import ConditionBegan, offline

HOT = 0.8  # heat of a forged post: how much it stirs up strangers


def run_trend(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Show a post to everybody who looks at their phone."""
    if w.feed.posts.gone.item(waiting.dealt.post):
        return "the post was taken down before"
    written = w.phones.written.get(waiting.dealt.post)
    says = "one post is shown to everybody who looks at the feed"
    began = ConditionBegan("pushed", waiting.until, says, post=waiting.dealt.post)
    step.emit(began, causes=(seq, *((written.seq,) if written is not None else ())))
    if written is not None and written.whom:
        author, whom = written.author, written.whom
        at = reach(
            step, w, seq, author, "heard", "saw that everybody is shown what they posted", about=whom, poignancy=5
        )
        spawn_pressures(step, w, card, at, author, whom, written.topic)
    return DONE


def trend_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    """Its author, whom it is about, and everybody with a phone who has not read it."""
    x = w.phones.written.get(dealt.post)
    for who in w.cast:
        phone = w.phones.phones.get(who)
        if x is not None and who == x.author:
            yield Touch(who, "wrote it", 1.0)
        elif x is not None and who in (x.whom, x.a, x.b):
            yield Touch(who, "it is about them", 1.0)
        elif account_of(w, who) is not None and (phone is None or dealt.post not in phone.read):
            yield Touch(who, "has not read it", 0.3)


def check_post(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError unless there is a feed with that post on it."""
    if not phones_enabled(w):
        raise ValueError("this world has no feed; begin one with `--set feed.on=true`")
    if not 0 <= dealt.post < w.feed.posts.n or w.feed.posts.gone.item(dealt.post):
        raise ValueError(f"there is no post {dealt.post}; the feed has posts 0 to {w.feed.posts.n - 1}")


def run_forgery(step: Step, w: HasDirector, seq: int, waiting: WaitingCard, card: DeckCard) -> str:
    """Publish a post in the name of somebody who did not write it."""
    d = waiting.dealt
    account = account_of(w, d.to)
    if account is None or offline(w, d.to):
        return "" if step.now < waiting.until else f"{w.handbook.name(d.to)} had no account that could be used"
    t, words = free_moment(step, w, d.to), paper_text(w, d)[:TEXT]
    try:
        event = create_post(ActingUser(w.feed, account.number, t, "", w.means), words, None, HOT)
    except Refused as refused:
        return str(refused)
    fact = fact_of(w, d)
    a, b, where, bad = slots_of(fact, d) if fact is not None else ("", "", "", 0)
    about = WritingDetails(
        move=BY_HAND["post"], cites=seq, matter=fact.matter if fact is not None else "",
        fact=fact.id if fact is not None else "", a=a, b=b, where=where, bad=bad,
        whom=a or mentioned_person(w, words, d.to), valence=tone_of(words),
    )  # fmt: skip
    at = step.emit(replace(event, about=about, mood=tag_of(w, d.to, t)), t=t, actor=d.to, causes=(seq,))
    says = f"found a post in their own name that they never wrote: {words}"
    found = reach(step, w, seq, d.to, "found", says, (at,), about=about.whom, poignancy=8)
    express(step, w, d.to, Appraisal("anger", 0.6, "somebody has posted in their name"), step.now, found)
    spawn_pressures(step, w, card, found, d.to, about.whom)
    return DONE


def follower_touches(w: HasDirector, dealt: Dealt, card: DeckCard) -> Iterator[Touch]:
    """Whose name it bears, whom it mentions, and who is fond of the latter."""
    fact = fact_of(w, dealt)
    whom = slots_of(fact, dealt)[0] if fact is not None else mentioned_person(w, dealt.words, dealt.to)
    yield Touch(dealt.to, "is taken for who wrote it", 1.0)
    if whom and whom != dealt.to:
        yield Touch(whom, "is named in it", 1.0)
        for who in w.cast:
            if who not in (dealt.to, whom) and tie_of(w, who, whom).feeling >= FOND:
                yield Touch(who, f"is fond of {w.handbook.name(whom)}", 0.4)


FOND = 0.4  # feeling from which somebody is fond of another


def check_account(w: HasDirector, dealt: Dealt, card: DeckCard) -> None:
    """Raise ValueError unless somebody with an account, and words, are given."""
    if not phones_enabled(w):
        raise ValueError("this world has no feed; begin one with `--set feed.on=true`")
    if account_of(w, dealt.to) is None:
        raise ValueError(f"{w.handbook.name(dealt.to)} has no account on the feed; name somebody who has")
    check_says_something(w, dealt, card)


FEED = {
    "trend": CardRule(run_trend, trend_touches, check_post, needs=("post",)),
    "forgery": CardRule(run_forgery, follower_touches, check_account, needs=("to",), noun="a post in your name"),
}
