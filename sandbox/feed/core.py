"""The machinery of a platform: its time, its recommender, and the one place where an action becomes an event."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

import msgspec
import numpy as np
from msgspec.structs import replace

from sandbox.core.chance import Chance
from sandbox.core.clock import Clock, parse_start
from sandbox.core.events import Record, Stamp
from sandbox.core.fields import plainly
from sandbox.core.plain import count_of, shown_as
from sandbox.core.vectors import Embedded, Vectors
from sandbox.feed import cards, reading
from sandbox.feed.acting import ActingUser, a_card, a_user
from sandbox.feed.action_context import ReadyCards, TextVectors
from sandbox.feed.cards import Card, Person
from sandbox.feed.commands import action_event
from sandbox.feed.crowd import Crowd
from sandbox.feed.events import Browsed, Deed, SignedUp, StanceTold, number_made
from sandbox.feed.handlers import HANDLERS, stance_told
from sandbox.feed.model import CLAIM, NOBODY, REBUTTAL, UNIT, Account, CrowdParameters, Feed, Message
from sandbox.feed.packing import CrowdActed, apply_crowd_acts
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.parameters import recommender as usual_recommender
from sandbox.feed.population import create_feed
from sandbox.feed.reading import PLAIN, WordSource
from sandbox.feed.recommenders import Ranks, Recommender
from sandbox.feed.steering import PolicySeat, SeatedPolicy, Steered, Watched, apply_steered, apply_watched
from sandbox.feed.tables import Small

T = TypeVar("T", bound=msgspec.Struct)
D = TypeVar("D", bound=Deed)
HAPPENS: dict[type[Any], Callable[..., None]] = {
    CrowdActed: apply_crowd_acts, Steered: apply_steered, Watched: apply_watched, StanceTold: stance_told,
}  # fmt: skip
EPOCH = parse_start("1970-01-01 00:00")
LONGEST = 86400  # seconds of a tick at most
LAST = (1 << 31) - 1  # the last second


def valid_parameters(parameters: T) -> T:
    """The same parameters. Raises ValueError if one is out of range or not an allowed word."""
    try:
        return msgspec.convert(msgspec.to_builtins(parameters), type(parameters))
    except msgspec.ValidationError as error:
        raise ValueError(f"a parameter cannot be: {plainly(error)}") from None


def valid_seconds(seconds: int) -> int:
    """The same number of seconds. Raises ValueError unless it is a whole number from 1 on."""
    if not isinstance(seconds, int | np.integer) or seconds < 1:
        raise ValueError(f"time moves on by whole seconds, 1 or more, not by {seconds!r}")
    return int(seconds)


def valid_time(t: int) -> int:
    """The same second. Raises ValueError if a feed cannot have it."""
    if t > LAST:
        raise ValueError(f"a feed's time ends after {LAST:,} seconds, which is 68 years; let less of it pass")
    return t


def spaced(count: int, start: int, seconds: int) -> list[int]:
    """Evenly spaced seconds for `count` actions within a tick, in order.

    Args: start, seconds: first second and length of the tick.
    """
    return [start + i * seconds // count for i in range(count)]


def topic_vectors(vector: TextVectors) -> Small:
    """The vectors of the nine topics, (9, 32) int8."""
    from sandbox.feed.word_lists import TOPICS
    from sandbox.feed.wording import default_wording  # imported only here: its lists are large

    texts = [default_wording().topic_text(i) for i in range(len(TOPICS))]
    vector.prepare(texts)
    return np.frombuffer(b"".join(map(vector, texts)), np.int8).reshape(len(texts), -1)


class PlatformCore:
    """A platform without a method for each action.

    kind: x or reddit. start: date and time of second 0. seed: of all random numbers, from 0 on. recommender: an object
    or a name; None = that of the parameters, or else of the kind. vectors: makes rows of texts. keep: called with each
    event. words: texts of the crowd. crowd: how it acts, if the parameters give one; threads: that plan for it, 0 = as
    many as there are processors. feed: an existing one. policy: what steers it (`policy/contract.py`). Raises
    ValueError.

    feed: the state, to be read (reading.py, cards.py). now: seconds since the start; step: how often time has advanced.
    Actions take users by number; `do` also takes handles. An impossible action raises `Refused` and changes nothing.
    """

    def __init__(
        self,
        kind: str = "x",
        *,
        start: str = "2025-03-04 07:30",
        seed: int = 1,
        recommender: Recommender | str | None = None,
        parameters: FeedParameters = FeedParameters(),  # noqa: B008  # it cannot change
        vectors: Vectors | None = None,
        keep: Callable[[Record], None] | None = None,
        words: WordSource = PLAIN,
        crowd: CrowdParameters = CrowdParameters(),  # noqa: B008
        threads: int = 0,
        feed: Feed | None = None,
        policy: SeatedPolicy | None = None,
    ) -> None:
        if kind not in ("x", "reddit"):
            raise ValueError(f"there is no kind of platform {kind!r}; the kinds are x and reddit")
        if not isinstance(seed, int | np.integer) or seed < 0:
            raise ValueError(f"a seed is a whole number from 0 on, not {seed!r}")
        parameters = replace(parameters, kind=kind)
        if isinstance(recommender, str):
            parameters, recommender = replace(parameters, recommender=recommender), None
        parameters, crowd, seed = valid_parameters(parameters), valid_parameters(crowd), int(seed)
        if recommender is not None and not isinstance(recommender, Recommender):
            recommender = Ranks(recommender)
        begins = parse_start(start)
        maker = vectors if vectors is not None else Embedded()
        self.clock = Clock(begins)
        self.vector = TextVectors(maker)
        if feed is None:
            epoch = int((begins - EPOCH).total_seconds())
            feed = create_feed(parameters, crowd, seed, epoch, topic_vectors(self.vector))
        self.feed = feed
        self.seed, self.parameters, self.words = seed, parameters, words
        self.recommender = recommender if recommender is not None else usual_recommender(self.feed, parameters)
        self.now, self.step, self.seq = 0, 1, 0
        self.crowd = Crowd(self.feed, parameters, crowd, self.recommender, threads)
        self.ready = ReadyCards(self.feed, parameters, self.recommender, Chance(seed), words)
        self._keep = keep
        if policy is not None and (isinstance(policy, type) or not callable(getattr(policy, "seat", None))):
            mend = "give one that is made, of a class that inherits sandbox.policy.contract.Policy"
            raise ValueError(f"{policy!r} is no policy: {mend}")
        self.seat: PolicySeat | None = policy.seat(self.feed, seed) if policy is not None else None

    def __repr__(self) -> str:
        who = f"{count_of(len(self.feed.accounts), 'account')}, a crowd of {self.feed.crowd:,}"
        what = f"{count_of(self.feed.posts.n, 'card')}, second {self.now:,}, {self.recommender.name}"
        return shown_as(self, f"{self.feed.kind}, {who}, {what}", ".refresh(user), .card(n), .person(n), .feed")

    # ---- time, and what is shown

    def advance(self, seconds: int) -> None:
        """Let time pass: one step of `seconds`, from 1 on. Raises ValueError."""
        self.now = valid_time(self.now + valid_seconds(seconds))
        self.step += 1

    def tick(self, seconds: int = 0) -> None:
        """Run the crowd's sittings in the next `seconds` (0 = the parameters' tick), and let that time pass."""
        span = seconds or self.parameters.tick
        if type(span) is not int or not 1 <= span <= LONGEST:
            raise ValueError(f"a tick lasts 1 to {LONGEST} whole seconds, not {span}")
        valid_time(self.now + span)
        self._run_tick(self.step, self.now, span)
        self.advance(span)

    def _run_tick(self, number: int, t: int, span: int) -> None:
        """Let the policy decide, if there is one, and the crowd act, in a tick that begins at second t."""
        if self.seat is not None:
            self.happens(self.seat.steer(number, t, lambda: self.crowd.sitters(self.seed, number, t, span)), t)
        self.happens(self.crowd.tick(self.seed, number, t, span), t)

    def happens(self, event: CrowdActed | Steered | Watched | StanceTold, t: int) -> None:
        """Apply and keep what is no act of an account. t: second at which it happens, or its tick begins."""
        stamp = Stamp(self.seq + 1, self.step, t + event.seconds - 1 if isinstance(event, CrowdActed) else t, "", ())
        HAPPENS[type(event)](self, event, stamp)
        self.seq += 1
        if isinstance(event, Steered):
            self.ready.clear()  # they may be ranked by another mix
        if self._keep is not None:
            self._keep(Record(stamp, event))

    def steer(self, event: Steered) -> None:
        """Steer this round by hand (`steering.pack_steered`), until the next decision. Raises ValueError."""
        self.happens(event, self.now)

    def watch(self, post: int, rebuttal: bool = False) -> None:
        """Watch a post as a false claim, or as its rebuttal (`claims.py`). Raises Refused."""
        root = self.feed.posts.root.item(a_card(self.feed, post))
        self.happens(Watched(root, REBUTTAL if rebuttal else CLAIM), self.now)

    def tell_stance(self, user: int, stance: float) -> None:
        """Tell where a user stands, from -1 to 1, as somebody outside has found it. Raises Refused or ValueError."""
        if not -1 <= stance <= 1:  # also refuses NaN
            raise ValueError(f"a stance is a number from -1 to 1, not {stance!r}")
        self.happens(StanceTold(a_user(self.feed, user), round(UNIT * float(stance))), self.now)

    def rank(self, users: Iterable[int] | None = None) -> None:
        """Rank again what is kept ready for these users; None = for all accounts."""
        who = list(self.feed.accounts) if users is None else [self._account(user).number for user in users]
        self.ready.rank(who, self.now, self.step, whole=users is None)

    def cached(self, user: int) -> list[int]:
        """The ready cards of a user that are visible to them."""
        self._account(user)
        return reading.visible_cards(self.feed, user, self.ready.kept.get(user, ()), self.words)

    def chosen(self, feed: Feed, user: int, now: int, count: int) -> list[int]:
        """The cards that a refresh shows: `count` of the user's ready cards, drawn at random without repeats."""
        return self.ready.chosen(user, now, self.step, count)

    # ---- acting

    def do(self, user: int, action: str, /, reason: str = "", **arguments: Any) -> Any:
        """Perform an action by its name (`acts.ACTIONS`) and arguments; returns what its method returns. user: a number
        or handle, -1 to sign up. Raises Refused.
        """
        event = action_event(self.feed, user, self.now, action, arguments, reason=reason, means=self)
        return self._result(self._act(event))

    def _on(self, user: int, reason: str) -> ActingUser:
        return ActingUser(self.feed, user, self.now, reason, self)

    def _account(self, user: int) -> Account:
        return ActingUser(self.feed, user, self.now).me

    def _act(self, event: D) -> D:
        """Apply an event and keep it."""
        account = self.feed.accounts.get(event.user)
        handle = account.handle if account is not None else cast(SignedUp, event).handle
        stamp = Stamp(self.seq + 1, self.step, self.now, handle, ())
        HANDLERS[type(event)](self, event, stamp)
        self.seq += 1
        if self._keep is not None:
            self._keep(Record(stamp, event))
        return event

    def _result(self, event: Deed) -> Any:
        if isinstance(event, Browsed):
            return self._shown(event)
        made = number_made(event)
        return made if made != NOBODY else None

    def _shown(self, event: Browsed) -> list[Card] | list[Person] | list[Message]:
        if event.act == "search_users":
            return self._people(event)
        return self._messages(event) if event.act == "listen" else self._cards(event)

    def _cards(self, event: Browsed) -> list[Card]:
        return cards.cards_for(self.feed, event.user, event.shown, self.words)

    def _people(self, event: Browsed) -> list[Person]:
        return cards.people_for(self.feed, event.user, event.shown, self.words)

    def _messages(self, event: Browsed) -> list[Message]:
        return [self.feed.messages[number] for number in event.shown]
