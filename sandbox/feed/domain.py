"""The feed as a domain: its numbers, how it begins, what its events do, and its ticks."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import numpy as np

from sandbox.core.domain import Domain, Place, State, System, Table
from sandbox.core.vectors import DIMENSIONS
from sandbox.feed.again import AGAIN
from sandbox.feed.apply import HANDLERS
from sandbox.feed.commands import OnFeed, on_feed
from sandbox.feed.means import TownMeans
from sandbox.feed.model import CrowdParameters, Feed, FeedParameters
from sandbox.feed.packing import CrowdActed, acted
from sandbox.feed.population import found
from sandbox.feed.system import ticking


def _found(w: Any) -> Feed:
    """The feed at second 0: its crowd, and an account for each of the cast, whom the crowd has known for long."""
    p, said = w.feed_parameters, w.scenario.feed
    epoch = int(w.clock.start.replace(tzinfo=UTC).timestamp())
    if said is None:
        return Feed(p, epoch, np.zeros((9, DIMENSIONS), np.int8))
    topics = np.frombuffer(said.topics, np.int8).reshape(9, DIMENSIONS)
    people = [(w.cast[who], np.frombuffer(row, np.int8)) for who, row in said.people.items() if who in w.cast]
    return found(p, w.crowd_parameters, w.scenario.seed, epoch, topics, people, said.population)


def _settle(w: Any, scenario: Any) -> None:
    w.means = TownMeans(w)


FEED = Domain(
    "feed",
    settle=_settle,
    states=(State("feed", Feed, _found, proof=Feed.proof),),
    tables=(
        Table("feed", "feed_parameters", FeedParameters),
        Table("crowd", "crowd_parameters", CrowdParameters),
    ),
    handlers={CrowdActed: acted, **HANDLERS},
    commands={OnFeed: on_feed},
    again=AGAIN,
    systems=(System(ticking, (Place.FEED,)),),
)
