"""The list of domains: all that the town's life is made of. A new one is a row here, and what it adds to a world's
type a base of `Lives`.
"""

from __future__ import annotations

from sandbox.drama.domain import DRAMA
from sandbox.feed.domain import FEED
from sandbox.feed.model import CrowdParameters, Feed, FeedParameters, HasFeed
from sandbox.people.claims.domain import CLAIMS
from sandbox.people.domain import PEOPLE
from sandbox.people.goals.domain import GOALS
from sandbox.people.marks.domain import MARKS
from sandbox.people.pressures.domain import PRESSURES
from sandbox.talk.domain import TALK
from sandbox.talk.model import HasTalk
from sandbox.town.domain import TOWN

# The order is that of founding, of handlers of one event, and of parts in a snapshot.
DOMAINS = (TOWN, PEOPLE, TALK, PRESSURES, DRAMA, CLAIMS, MARKS, GOALS, FEED)


class Lives(HasTalk, HasFeed):
    """What all domains together see of a world."""

    feed: Feed
    feed_parameters: FeedParameters
    crowd_parameters: CrowdParameters
