"""A telling like: somebody sees their partner like a post of their rival or of the partner's old love."""

from __future__ import annotations

from sandbox.core.clock import DAY
from sandbox.core.protocols import Step
from sandbox.people.claim_handlers import COUPLE, claims_of
from sandbox.people.pressure_rules import pressures_between
from sandbox.phones.model import HasPhones
from sandbox.phones.rule_form import Hooks, feelings_for_event, record_crossing, rule_to_begin, start_pressure
from sandbox.talk.content import tie_of

NAME = "telling_like"
WITHIN = 2 * DAY  # greatest age of the post
SMARTS = -0.08  # change in feeling for the partner


def couple_partner(w: HasPhones, me: str) -> str:
    """Somebody's partner, "" for none."""
    found = (who for c in claims_of(w, me, COUPLE) for who in c.people if who != me)
    return next(found, "")


def why_like_hurts(w: HasPhones, me: str, mate: str, author: str) -> str:
    """Why a partner's like of this author's post hurts; "" if it does not."""
    name = w.handbook.name(author)
    loves = any(p.kind == "crush" and {p.holder, p.about} == {mate, author} for p in w.pressures.open.values())
    was = COUPLE in w.claims.was.get("|".join(sorted((mate, author))), {})
    if loves or was:
        return f"{name} has been more than a neighbour"
    if any(p.kind in ("rivalry", "grudge") for p in pressures_between(w.pressures, me, author)) or (
        tie_of(w, me, author).feeling < w.phone_deck.rules[NAME].least
    ):
        return f"there is bad blood with {name}"
    return ""


def looked(step: Step, w: HasPhones, me: str, cause: int) -> None:
    """Let somebody notice what their partner has liked."""
    rule, mate = w.phone_deck.rules.get(NAME), couple_partner(w, me)
    if rule is None or not mate:
        return
    for card, x in [*w.phones.written.items()]:
        like = w.phones.liked.get(f"{mate} {card}") if x.author != me and step.now - x.t <= WITHIN else None
        if like is None or x.author == mate:
            continue
        why = why_like_hurts(w, me, mate, x.author)
        if not why or rule_to_begin(w, NAME, f"{me} {x.author}", step.now) is None:
            continue
        if step.chance(me, f"sees the like {x.name}").unit() < rule.chance:
            feelings = feelings_for_event(
                w, me, mate, SMARTS, f"liked what {w.handbook.name(x.author)} wrote, and {why}"
            )
            seq = record_crossing(
                step, w, NAME, "street", f"{me} {x.author}", me, mate, w.handbook.name(x.author), (cause, like, x.seq),
                card, feelings,
            )  # fmt: skip
            start_pressure(step, w, rule, "jealous", seq, me, mate, stakes=w.handbook.name(x.author))
            return


HOOKS = Hooks(NAME, looked=looked)
