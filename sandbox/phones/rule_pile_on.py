"""Pile-on: when many strangers attack somebody, their standing and trade suffer and friends worry, until it passes."""

from __future__ import annotations

from sandbox.core.clock import DAY, HOUR
from sandbox.core.protocols import Step
from sandbox.feed.packing import CrowdActed
from sandbox.phones.model import HasPhones, Pile, Written
from sandbox.phones.rule_form import (
    Guess,
    Hooks,
    delete,
    feelings_for_event,
    matter_thread,
    record_crossing,
    rule_to_begin,
    start_pressure,
)
from sandbox.phones.seeing import hostile, pleases
from sandbox.talk.content import tie_of

DELETED = "it is deleted"
NAME = "pile_on"
FRIEND, COOL = 0.3, 0.1  # feeling from which friends worry, and below which others think less of them
WORRY = 2  # most friends who worry
LESS = -0.04  # change in feeling of those who do not like them
TRADE = 12  # divisor: share of a week's wage lost by who depends on customers
TRADES = ("shop", "food", "drink")  # tags of workplaces that depend on customers
FLINCHES = 0.12  # chance per look to delete the post, and more with neuroticism
QUIET = 10 * HOUR  # time without new attacks after which it is over


def pile_on_threshold(w: HasPhones) -> int:
    """How many hostile strangers make a pile-on: a share of the crowd, with a minimum."""
    rule = w.phone_deck.rules[NAME]
    return max(round(rule.least), round(rule.share * w.feed.crowd))


def passes(step: Step, w: HasPhones) -> None:
    """End pile-ons that are over, and start new ones."""
    if not w.feed.crowd:
        return
    for who, pile in [*w.phones.piles.items()]:
        _ends(step, w, who, pile)
    least, posts = pile_on_threshold(w), w.feed.posts
    comments = posts.comments.data
    for card in [card for card in w.phones.written if comments[card] >= least]:
        made = posts.likes.item(card), posts.dislikes.item(card), comments[card]
        if pleases(*made, made[2]):
            continue  # even if all comments are hostile
        x = w.phones.written[card]
        if step.now - x.t > DAY or x.author in w.phones.piles or rule_to_begin(w, NAME, x.author, step.now) is None:
            continue
        many = hostile(w, card)
        if many >= least and not pleases(*made, many):
            _begins(step, w, x, many)


def _begins(step: Step, w: HasPhones, written: Written, many: int) -> None:
    """Begin a pile-on on the author of a post, and end that of anybody else: there is one at a time. many: hostile
    strangers. Friends worry only where they and the town have room for it. `passes` has tested everything.
    """
    rule = w.phone_deck.rules[NAME]
    for who in [who for who in w.phones.piles if who != written.author]:
        _over(step, w, who, "the next one has come")
    me = written.author
    cool = [who for who in w.people.ties if who != me and tie_of(w, who, me).feeling < COOL]
    feelings = tuple(
        f
        for who in cool
        for f in feelings_for_event(w, who, me, LESS, f"what all the county writes of {w.handbook.name(me)}")
    )
    seq = record_crossing(
        step, w, NAME, "street", me, me, written.whom, written.topic, (written.seq, *_latest(step)), written.number,
        feelings, hostile=many, pile=True, standing=rule.standing, coins=-_custom(w, me),
    )  # fmt: skip
    friends = sorted(
        (-tie_of(w, who, me).feeling, who) for who in w.people.ties if tie_of(w, who, me).feeling >= FRIEND
    )
    for _, who in friends[:WORRY]:
        start_pressure(step, w, rule, "worries", seq, who, me, thread=matter_thread(w, written))


def _latest(step: Step) -> tuple[int, ...]:
    """The crowd's last event in this step, if any."""
    return tuple(at.seq for at, e in step.happened if isinstance(e, CrowdActed))[-1:]


def _custom(w: HasPhones, who: str) -> int:
    """The coins somebody loses whose workplace depends on customers."""
    persona, purse = w.cast[who], w.people.residents[who].purse
    if w.money is None or not persona.work or not set(TRADES) & {*w.map.areas[persona.work].arena.tags}:
        return 0
    wage = persona.wage if persona.wage is not None else w.money.wages.get(persona.job, 0)
    return min(purse.coins, wage // TRADE)


def _ends(step: Step, w: HasPhones, who: str, pile: Pile) -> None:
    """End it if nobody has attacked for QUIET, or the post is gone."""
    gone = bool(w.feed.posts.gone[pile.card])
    if gone or (step.now - pile.since > QUIET and not hostile(w, pile.card, step.now - QUIET)):
        _over(step, w, who, DELETED if gone else "people have tired of it")


def _over(step: Step, w: HasPhones, who: str, why: str, *causes: int) -> None:
    pile = w.phones.piles[who]
    record_crossing(step, w, NAME, "street", who, who, "", why, (*causes, pile.seq), pile.card, pile=False)


def read(step: Step, w: HasPhones, me: str, written: Written, seq: int, guess: Guess | None) -> None:
    """A public apology ends it."""
    if written.move == "apologise_all" and written.author in w.phones.piles and me == written.whom:
        _over(step, w, written.author, "there is an apology", seq)


def looked(step: Step, w: HasPhones, me: str, cause: int) -> None:
    """The one attacked may delete the post, the more nervous the likelier."""
    pile = w.phones.piles.get(me)
    x = w.phones.written.get(pile.card) if pile is not None else None
    if pile is None or x is None:
        return
    likely = FLINCHES + FLINCHES * w.cast[me].big_five.neuroticism
    if step.chance(me, f"takes down {x.name}").unit() >= likely:
        return
    gone = delete(step, w, x, "cannot bear what strangers write under it", (cause, pile.seq))
    if gone:
        _over(step, w, me, DELETED, gone)


HOOKS = Hooks(NAME, read=read, looked=looked, passes=passes)
