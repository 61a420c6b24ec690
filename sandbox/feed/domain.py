"""The feed as a domain: its parameters, initial state, handlers and ticks."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import numpy as np

from sandbox.core.domain import Domain, ParameterTable, Phase, State, System
from sandbox.core.vectors import DIMENSIONS
from sandbox.feed.action_context import TownMeans
from sandbox.feed.commands_again import AGAIN
from sandbox.feed.handlers import HANDLERS
from sandbox.feed.model import CrowdParameters, Feed
from sandbox.feed.packing import CrowdActed, apply_crowd_acts
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.population import create_feed
from sandbox.feed.system import ticking


def _found(w: Any) -> Feed:
    """The feed at second 0: its crowd, and an account for each of the cast, who already have followers."""
    p, said = w.feed_parameters, w.scenario.feed
    epoch = int(w.clock.start.replace(tzinfo=UTC).timestamp())
    if said is None:
        return Feed(p.kind, epoch, np.zeros((9, DIMENSIONS), np.int8), p.on)
    topics = np.frombuffer(said.topics, np.int8).reshape(9, DIMENSIONS)
    people = [(w.cast[who], np.frombuffer(row, np.int8)) for who, row in said.people.items() if who in w.cast]
    return create_feed(p, w.crowd_parameters, w.scenario.seed, epoch, topics, people, said.population)


def _settle(w: Any, scenario: Any) -> None:
    w.means = TownMeans(w)


FEED = Domain(
    "feed",
    settle=_settle,
    states=(State("feed", Feed, _found, proof=Feed.proof),),
    tables=(
        ParameterTable("feed", "feed_parameters", FeedParameters),
        ParameterTable("crowd", "crowd_parameters", CrowdParameters),
    ),
    handlers={CrowdActed: apply_crowd_acts, **HANDLERS},
    again=AGAIN,
    systems=(System(ticking, (Phase.FEED,)),),
)
