"""The list of studies, and how each is run with a language model, if it is."""

from __future__ import annotations

from dataclasses import replace

from sandbox.lab.studies import cascade_minds, counterfactual_minds, friends_minds, herd_minds, polarization_minds
from sandbox.lab.studies.cascade import CASCADE
from sandbox.lab.studies.counterfactual import COUNTERFACTUAL
from sandbox.lab.studies.friends import FRIENDS
from sandbox.lab.studies.herd import HERD
from sandbox.lab.studies.polarization import POLARIZATION
from sandbox.lab.studies.study import Minded, Study

_EACH: tuple[tuple[Study, Minded | None], ...] = (
    (CASCADE, cascade_minds.MINDS),
    (POLARIZATION, polarization_minds.MINDS),
    (HERD, herd_minds.MINDS),
    (COUNTERFACTUAL, counterfactual_minds.MINDS),
    (FRIENDS, friends_minds.MINDS),
)
STUDIES: dict[str, Study] = {study.name: replace(study, minds=minds) for study, minds in _EACH}
