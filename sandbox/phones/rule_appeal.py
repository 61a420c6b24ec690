"""Appeal for money before a debt is due: strangers give by how credible it is, the creditor is shamed, and somebody may
look into it later.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.clock import DAY, HOUR
from sandbox.core.protocols import Step
from sandbox.core.text import spelt
from sandbox.people.needs import level
from sandbox.people.paying import has
from sandbox.people.pressure_deck import gist
from sandbox.people.pressure_rules import intensity_at
from sandbox.phones.deck import RULE_POSTS
from sandbox.phones.ideas import Idea, features_towards
from sandbox.phones.model import HasPhones, Written
from sandbox.phones.rule_form import (
    Guess,
    Hooks,
    finds,
    record_crossing,
    record_crossing_by_reading,
    ripe,
    rule_to_begin,
    start_pressure,
    wrote_of_matter,
)

NAME = "appeal"
SOON = 2 * DAY  # how soon before the due time an appeal is made
WAITS = 3 * HOUR  # time after which donations are counted
GIVES = 0.8  # coins per like, if fully believed
LEAST_BELIEVED = 0.3  # credibility at standing 0
LATER = DAY // 2  # time after which a reader may look into it


def ideas(w: HasPhones, me: str, t: int) -> Iterator[Idea]:
    """Debts that somebody cannot pay in time."""
    for p in w.pressures.open.values():
        if p.holder != me or p.kind != "debt" or not p.amount or p.due < 0 or p.due - t > SOON or not p.about:
            continue
        rule = rule_to_begin(w, NAME, p.id, t)
        if rule is None or has(w, me, p.amount + round(rule.least)):
            continue
        sum_ = spelt(p.amount)
        yield Idea(
            NAME, RULE_POSTS[NAME], intensity_at(p, t, w.pressure_parameters), gist(p.stakes),
            {"matter": gist(p.stakes), "topic": sum_, "third": w.handbook.name(p.about)}, p.last,
            features_towards(w, me, p.about, t, p),
            {"topic_kind": "pressure", "pressure": p.kind, "stage": str(p.stage)},
            matter=p.id, fact=p.id, says=(me, p.about, "", 0), whom=p.about, valence=-0.2, rule=NAME, why=p.cause,
        )  # fmt: skip


def credibility(w: HasPhones, who: str, t: int) -> float:
    """How far strangers believe somebody, in [LEAST_BELIEVED, 1], by their standing."""
    standing = level(w.people.residents[who].needs, "standing", t, w.need_parameters)
    return LEAST_BELIEVED + (1.0 - LEAST_BELIEVED) * standing


def passes(step: Step, w: HasPhones) -> None:
    """Pay out what appeals have earned after WAITS."""
    fired = w.phones.fired.get(NAME, {})
    for card, x in [*w.phones.written.items()] if fired else ():
        if x.rule != NAME or step.now - x.t < WAITS or f"paid {card}" in fired:
            continue
        p, posts = w.pressures.open.get(x.matter), w.feed.posts
        many = posts.likes.item(card) + 2 * posts.reposts.item(card) - 2 * posts.dislikes.item(card)
        given = 0 if posts.gone.item(card) else int(max(0, many) * GIVES * credibility(w, x.author, step.now))
        coins = min(given, p.amount if p is not None else 0)
        what = f"{spelt(coins)} from strangers" if coins else "nothing came in"
        record_crossing(step, w, NAME, "street", f"paid {card}", x.author, x.whom, what, (x.seq,), card, coins=coins)


def read(step: Step, w: HasPhones, me: str, written: Written, seq: int, guess: Guess | None) -> None:
    """The creditor sees themselves shown as a miser; much later, a reader may grow suspicious."""
    rule = ripe(w, NAME, f"{me} {written.number}", step.now) if written.rule == NAME else None
    if rule is None:
        return
    if me == written.whom:
        finds(step, w, NAME, "miser", me, written, seq)
    elif step.now - written.t > LATER and ripe(w, NAME, f"looks {written.number}", step.now) is not None:
        if step.chance(me, f"looks into {written.name}").unit() >= rule.chance:
            return
        cause = record_crossing_by_reading(step, w, NAME, me, written, seq, key=f"looks {written.number}")
        start_pressure(step, w, rule, "looks", cause, me, written.author)


HOOKS = Hooks(NAME, ideas, wrote_of_matter, read, passes=passes)
