"""The list of domains: all that the town's life is made of. A new one is a row here, and what it adds to a world's
type a base of `Lives`.
"""

from __future__ import annotations

from sandbox.director.bet_domain import BETS
from sandbox.director.domain import DIRECTOR
from sandbox.director.goal_domain import AIMS
from sandbox.director.history import ANNALS
from sandbox.drama.domain import DRAMA
from sandbox.feed.domain import FEED
from sandbox.feed.model import CrowdParameters, Feed
from sandbox.feed.parameters import FeedParameters
from sandbox.people.domain import CLAIMS, GOALS, MARKS, PEOPLE, PRESSURES
from sandbox.phones.domain import PHONES
from sandbox.play.domain import PLAY
from sandbox.play.model import HasPlay
from sandbox.policy.domain import POLICY
from sandbox.policy.model import HasPolicy
from sandbox.society.saved import GROWN, HasGrown
from sandbox.society.town_domain import SOCIETY
from sandbox.society.town_model import HasSociety
from sandbox.talk.domain import TALK
from sandbox.town.domain import TOWN

# The order is that of founding, of handlers of one event, and of parts in a snapshot.
# Phones come before pressures: they note what happens to a pressure that ends by it.
DOMAINS = (
    TOWN, PEOPLE, TALK, PHONES, PRESSURES, DRAMA, CLAIMS, MARKS, GOALS, FEED, POLICY, ANNALS, DIRECTOR, AIMS, BETS,
    PLAY, SOCIETY, GROWN,
)  # fmt: skip


class Lives(HasPlay, HasPolicy, HasSociety, HasGrown):
    """What all domains together see of a world."""

    feed: Feed
    feed_parameters: FeedParameters
    crowd_parameters: CrowdParameters
