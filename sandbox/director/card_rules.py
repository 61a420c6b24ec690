"""All rules by name."""

from __future__ import annotations

from sandbox.director.card_condition import CONDITION
from sandbox.director.card_courage import COURAGE
from sandbox.director.card_feed import FEED
from sandbox.director.card_force import FORCE
from sandbox.director.card_guest import GUEST
from sandbox.director.card_papers import PAPERS
from sandbox.director.card_people import PEOPLE
from sandbox.director.card_rule import CardRule
from sandbox.director.card_town import TOWN

RULES: dict[str, CardRule] = {**PAPERS, **CONDITION, **TOWN, **PEOPLE, **COURAGE, **FEED, **GUEST, **FORCE}
