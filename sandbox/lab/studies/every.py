"""The list of studies, and how each is run with a language model."""

from __future__ import annotations

from dataclasses import replace

from sandbox.lab.studies import (
    cascade,
    counterfactual,
    friends_minds,
    glass_ceiling,
    glass_minds,
    glass_talks,
    herd,
    polarization,
    policy_cards,
    policy_minds,
    policy_misinformation,
    policy_news,
)
from sandbox.lab.studies.friends import FRIENDS

STUDIES = {
    study.name: replace(study, minds=minds)
    for study, minds in (
        (cascade.CASCADE, cascade.MINDS),
        (polarization.POLARIZATION, polarization.MINDS),
        (herd.HERD, herd.MINDS),
        (counterfactual.COUNTERFACTUAL, counterfactual.MINDS),
        (FRIENDS, friends_minds.MINDS),
        (policy_cards.CROSS, policy_minds.MINDS),
        (policy_misinformation.MISINFORMATION, None),
        (policy_news.NEWS, None),
        (policy_cards.CROWD, None),
        (policy_cards.ABLATION, None),
        (glass_ceiling.CEILING, glass_minds.CEILING_MINDS),
        (glass_talks.RUMOUR, glass_minds.RUMOUR_MINDS),
        (glass_talks.BETA, glass_minds.BETA_MINDS),
    )
}
