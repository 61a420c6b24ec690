"""All rules by name."""

from __future__ import annotations

from sandbox.director.rules.condition import CONDITION
from sandbox.director.rules.courage import COURAGE
from sandbox.director.rules.feed import FEED
from sandbox.director.rules.force import FORCE
from sandbox.director.rules.guest import GUEST
from sandbox.director.rules.papers import PAPERS
from sandbox.director.rules.people import PEOPLE
from sandbox.director.rules.rule import CardRule
from sandbox.director.rules.town import TOWN

RULES: dict[str, CardRule] = {**PAPERS, **CONDITION, **TOWN, **PEOPLE, **COURAGE, **FEED, **GUEST, **FORCE}
