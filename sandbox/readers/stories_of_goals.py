"""Stories of goals over several days: a plan made, time spent on it, a step taken."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.core.text import upper
from sandbox.people.claim_handlers import claim_words
from sandbox.people.claim_model import Claim
from sandbox.people.goal_model import GoalAdvanced, GoalPlanned, GoalPursued
from sandbox.people.handbook import Handbook
from sandbox.readers.pressures import MATTER, Matter
from sandbox.readers.stories_of_pressures import matter_blocks
from sandbox.readers.story import Block, MarkAndWeight, Story, Teller, WrappedText


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


STORIES: dict[type[Event], Story] = {
    GoalPlanned: Story(
        sentence=_planned,
        weigh=lambda teller, e, at: MarkAndWeight(MATTER, teller.notable["goal.anew" if e.why else "goal.planned"]),
        about=lambda e: (x.whom for x in e.steps if x.whom),
        sheet=_steps,
        result=True,
        matter=lambda e: e.id,
    ),
    GoalPursued: Story(
        sentence=lambda teller, e, at: f"{teller.name(at.actor)} takes a free hour {e.why}",
        mark=MATTER,
        weight="goal.pursued",
        result=True,
        matter=lambda e: e.id,
    ),
    GoalAdvanced: Story(
        sentence=_advanced,
        mark=MATTER,
        weight="goal.advanced",
        sheet=lambda teller, e, clock: matter_blocks(teller, e.id),
        result=True,
        matter=lambda e: e.id,
    ),
}
