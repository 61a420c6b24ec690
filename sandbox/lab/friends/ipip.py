"""The Mini-IPIP, twenty items of the Big Five (Donnellan et al. 2006; the items are in the public domain).

Key: items 1-20 are of E A C N O in turn; 6-10 and 15-20 are keyed the other way round.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.chance import Stream
from sandbox.people.persona import BigFive

TRAITS = ("extraversion", "agreeableness", "conscientiousness", "neuroticism", "openness")
ITEMS = (
    "Am the life of the party.", "Sympathize with others' feelings.", "Get chores done right away.",
    "Have frequent mood swings.", "Have a vivid imagination.",
    "Don't talk a lot.", "Am not interested in other people's problems.",
    "Often forget to put things back in their proper place.", "Am relaxed most of the time.",
    "Am not interested in abstract ideas.",
    "Talk to a lot of different people at parties.", "Feel others' emotions.", "Like order.", "Get upset easily.",
    "Have difficulty understanding abstract ideas.",
    "Keep in the background.", "Am not really interested in others.", "Make a mess of things.", "Seldom feel blue.",
    "Do not have a good imagination.",
)  # fmt: skip
LOWEST, HIGHEST = 1, 5  # very inaccurate .. very accurate
REVERSED = frozenset((*range(6, 11), *range(15, 21)))
SLIP = 0.7  # standard deviation of an answer, in points


def trait_of(item: int) -> str:
    """Which trait an item, from 1 to 20, is of."""
    return TRAITS[(item - 1) % len(TRAITS)]


def trait_scores(answers: Sequence[int]) -> dict[str, float]:
    """Trait -> mean of its four items, 1 to 5, those keyed the other way round as 6 - x. Raises ValueError for anything
    but twenty answers from 1 to 5.
    """
    if len(answers) != len(ITEMS):
        raise ValueError(f"{len(answers)} answers; the Mini-IPIP has {len(ITEMS)}")
    sums = dict.fromkeys(TRAITS, 0.0)
    for item, x in enumerate(answers, 1):
        if not LOWEST <= x <= HIGHEST:
            raise ValueError(f"item {item}: {x} is no answer; write a number from {LOWEST} to {HIGHEST}")
        sums[trait_of(item)] += 6 - x if item in REVERSED else x
    return {trait: total / 4 for trait, total in sums.items()}


def survey_answers(traits: BigFive, chance: Stream) -> tuple[int, ...]:
    """How somebody of these traits answers: about the middle and twice the trait, give or take, as people do."""
    out = []
    for item in range(1, len(ITEMS) + 1):
        trait = getattr(traits, trait_of(item))
        x = 3.0 + 2.0 * (-trait if item in REVERSED else trait) + SLIP * chance.normal()
        out.append(max(LOWEST, min(HIGHEST, round(x))))
    return tuple(out)


def expected_traits(traits: BigFive) -> dict[str, float]:
    """What a persona's file says of each trait, on the scale of the answers, 1 to 5."""
    return {trait: 3.0 + 2.0 * getattr(traits, trait) for trait in TRAITS}
