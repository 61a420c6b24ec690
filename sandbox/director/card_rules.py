"""All card rules by name, and the system that runs them."""

from __future__ import annotations

from sandbox.core.protocols import Step
from sandbox.director.card_condition import CONDITION, lift_conditions
from sandbox.director.card_courage import COURAGE
from sandbox.director.card_feed import FEED
from sandbox.director.card_force import FORCE
from sandbox.director.card_guest import GUEST
from sandbox.director.card_papers import PAPERS
from sandbox.director.card_people import PEOPLE
from sandbox.director.card_rule import CardRule
from sandbox.director.card_town import TOWN
from sandbox.director.model import CardOver, HasDirector
from sandbox.people.guest_model import in_town

RULES: dict[str, CardRule] = {**PAPERS, **CONDITION, **TOWN, **PEOPLE, **COURAGE, **FEED, **GUEST, **FORCE}


# ---- the system of cards


UNKNOWN = "there is no such card any more"


async def direct(step: Step, w: HasDirector) -> None:
    """Run all waiting cards for one slice. Emits no event in a town without cards."""
    if w.conditions.open:
        lift_conditions(step, w)
    for seq, waiting in [*w.director.waiting.items()]:
        if waiting.t >= step.end:
            continue
        card = w.card_deck.cards.get(waiting.dealt.card)
        away = [who for who in (waiting.dealt.to, waiting.dealt.whom) if who and not in_town(w, who)]
        if card is None:
            how = UNKNOWN
        elif away:
            how = f"{w.handbook.name(away[0])} had left town"
        else:
            how = RULES[card.rule].run(step, w, seq, waiting, card)
        if how:
            step.emit(CardOver(seq, how), causes=(seq,))
