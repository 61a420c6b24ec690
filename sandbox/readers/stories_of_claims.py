"""Stories of what people have of one another and want: claims that begin and end, plans to win one, and coins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.core.text import spelt, upper
from sandbox.people.claim_handlers import claim_clause, claim_words
from sandbox.people.claim_model import Broken, Claim, ClaimEvent, Made
from sandbox.people.goal_model import GoalAdvanced, GoalPlanned, GoalPursued
from sandbox.people.handbook import Handbook
from sandbox.people.paying import GIFT, LOAN, PART, Earned, Lacked, Paid
from sandbox.readers.facts import EndedMatter, Outside, Payment
from sandbox.readers.pressures import MATTER, Matter
from sandbox.readers.stories_of_pressures import matter_blocks, of_matter
from sandbox.readers.story import Block, MarkAndWeight, Story, Teller, WrappedText

CHANGED = "#"  # mark of timeline rows about claims
COINS = "$"  # mark of timeline rows about money


def news_of(handbook: Handbook, e: ClaimEvent) -> str:
    """What an event made true, or ended, as a clause; "" if the claim is private, or another takes its place."""
    kind = handbook.claims.kinds[e.kind]
    if kind.private or (isinstance(e, Broken) and e.instead):
        return ""
    return claim_clause(handbook, kind.ended(e) if isinstance(e, Broken) else kind.made, e)


def _story(over: bool) -> Story:
    """The story of a claim that was made, or has ended (over)."""

    def sentence(teller: Teller, e: ClaimEvent, stamp: Stamp) -> str:
        kind = teller.handbook.claims.kinds[e.kind]
        return claim_words(teller.handbook, kind.ended(e) if over else kind.made, e)

    def weigh(teller: Teller, e: ClaimEvent, stamp: Stamp) -> MarkAndWeight | None:
        kind = teller.handbook.claims.kinds[e.kind]
        if kind.private and not over:
            return None  # the row about the confidence has said it
        size = "hard" if kind.hard else "soft"
        key = "passed" if isinstance(e, Broken) and e.instead else f"{'broken' if over else 'made'}_{size}"
        return MarkAndWeight(CHANGED, teller.notable[f"claim.{key}"], why=e.why)

    def sheet(teller: Teller, e: ClaimEvent, clock: Clock) -> list[Block]:
        stood = [c.since for c in teller.handbook.claims.claims if over and c.id == e.id and c.since]
        return [*(WrappedText(f"so since {since}") for since in stood), *([WrappedText(e.why, "dim")] if e.why else [])]

    return Story(sentence=sentence, weigh=weigh, sheet=sheet, about=lambda e: (e.a, e.b), aftermath=lambda e: "claims")


# ---- plans over several days


def step_words(handbook: Handbook, m: Matter | None, step: str, whom: str, done: bool = False) -> str:
    """A step of a plan: "have Una put in a word with Otis"; done: as a sentence saying that it was taken."""
    found = handbook.drama.steps.get(step)
    if found is None or m is None:
        return "A step is taken" if done else "take the next step"
    name = handbook.name
    said = {"holder": name(m.holder), "about": name(m.about), "whom": name(whom), "stakes": m.gist}
    text = (found.done if done else found.says).format(**said)
    return upper(text) if done else text


def aimed_at(handbook: Handbook, m: Matter) -> str:
    """What somebody wants, in a few words: the stakes, or the person if the kind's sentence names only them."""
    kind = handbook.drama.kinds.get(m.kind)
    named = kind is None or "{stakes}" in kind.says
    return m.gist if named or not m.about else handbook.name(m.about)


def wanted_claim_words(handbook: Handbook, claim: Claim) -> str:
    """The claim that somebody wants to hold: "Vera is mayor"."""
    kind = handbook.claims.kinds.get(claim.kind)
    return claim_words(handbook, kind.says, claim) if kind is not None else claim.terms


def _planned(teller: Teller, e: GoalPlanned, stamp: Stamp) -> str:
    m, name = teller.matters.get(e.id), teller.name(stamp.actor)
    steps = [step_words(teller.handbook, m, x.step, x.whom) for x in e.steps]
    if e.why:
        return (
            f"{upper(e.why)}; {f'now {name} means to {steps[0]}' if steps else f'now {name} has to ask straight out'}"
        )
    goal = aimed_at(teller.handbook, m) if m is not None else wanted_claim_words(teller.handbook, e.claim)
    return f"{name} has a plan for {goal}: to {', and then to '.join(steps) or 'ask straight out'}"


def _steps(teller: Teller, e: GoalPlanned, clock: Clock) -> Sequence[Block]:
    m = teller.matters.get(e.id)
    steps = [WrappedText(f"{i}. {step_words(teller.handbook, m, x.step, x.whom)}") for i, x in enumerate(e.steps, 1)]
    return [WrappedText(f"what is wanted: {wanted_claim_words(teller.handbook, e.claim)}"), *steps]


def _advanced(teller: Teller, e: GoalAdvanced, stamp: Stamp) -> str:
    m = teller.matters.get(e.id)
    if m is None:
        return f"{teller.name(stamp.actor)} is one step nearer to what they want"
    text = step_words(teller.handbook, m, e.step, e.whom, done=True)
    return f"{text}: one step nearer to {aimed_at(teller.handbook, m)}" + (
        "" if e.left else ", and only the asking is left"
    )


# ---- money


def _paid(teller: Teller, e: Paid, stamp: Stamp) -> str:
    name, sum_, to = teller.name(stamp.actor), spelt(e.amount), teller.name(e.to)
    if not e.to:
        return f"{name} paid {sum_} for {e.what}"
    if e.what == LOAN:
        return f"{name} gave {to} {sum_}, to be paid back"
    if e.what == GIFT:
        return f"{name} gave {to} {sum_}"
    m = teller.matters.get(e.debt)
    what = f": {m.gist}" if m is not None else ""
    return f"{name} paid {to} {sum_} of what was owed{what}" if e.what == PART else f"{name} paid {to} {sum_}{what}"


def _weigh_paid(teller: Teller, e: Paid, stamp: Stamp) -> MarkAndWeight | None:
    """Only part payments make a row; that a debt begins or is settled is in the rows of the debt."""
    return MarkAndWeight(MATTER, teller.notable["money.part"]) if e.what == PART else None


def _lacked(teller: Teller, e: Lacked, stamp: Stamp) -> str:
    near = f"; {teller.name(e.seen)} was there" if e.seen else ""
    return f"{teller.name(stamp.actor)} had not got {spelt(e.price)} for {e.what}{near}"


STORIES: dict[type[Event], Story] = {
    Made: replace(_story(over=False), claims=lambda e: (e,)),
    Broken: replace(_story(over=True), ends=lambda e: EndedMatter(e.id, e.why)),
    GoalPlanned: of_matter(
        sentence=_planned,
        weigh=lambda teller, e, at: MarkAndWeight(MATTER, teller.notable["goal.anew" if e.why else "goal.planned"]),
        about=lambda e: (x.whom for x in e.steps),
        sheet=_steps,
    ),
    GoalPursued: of_matter(
        sentence=lambda teller, e, at: f"{teller.name(at.actor)} takes a free hour {e.why}",
        mark=MATTER,
        weight="goal.pursued",
    ),
    GoalAdvanced: of_matter(
        sentence=_advanced,
        mark=MATTER,
        weight="goal.advanced",
        sheet=lambda teller, e, clock: matter_blocks(teller, e.id),
    ),
    Paid: Story(
        sentence=_paid,
        weigh=_weigh_paid,
        sheet=lambda teller, e, clock: matter_blocks(teller, e.debt),
        matter=lambda e: e.debt,
        payments=lambda e, at: (Payment(at.actor, e.to, e.amount, e.what, e.debt, e.left),),
    ),
    Lacked: Story(
        sentence=_lacked,
        untold="what comes of it is told: a loan, a feeling",
        outside=lambda e, at: Outside((at.actor, e.seen), seen=False),
    ),
    Earned: Story(
        sentence=lambda teller, e, at: f"Pay day: {len(e.wages)} people have their wages of the week",
        mark=COINS,
        weight="money.payday",
        payments=lambda e, at: (Payment("", who, coins, "wages") for who, coins in e.wages.items()),
    ),
}
