"""The feed's tab of the platform's policy: who steers, the levers of this round, its chosen cards, what came of the
rounds so far, and how the town's stances move. All of it is of the log, so that a replay shows the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, cast

import numpy as np

from sandbox.core.plain import count_of
from sandbox.feed.model import Steering
from sandbox.feed.recommenders import OF_KIND, RECOMMENDERS
from sandbox.feed.steering import FULL, Steered
from sandbox.policy.model import HAND, steering_settings
from sandbox.readers.steered_rounds import KINDS, SteeredRound, SteeredRounds, curve
from sandbox.store.errors import explain_unfitting
from sandbox.tui.graph.metrics import measure_chart
from sandbox.tui.panes.feed_reader import FeedReader
from sandbox.tui.panes.feed_reasons import ChosenCard, cards_chosen
from sandbox.tui.panes.feed_tabs import FeedTab
from sandbox.tui.view.action import first_key
from sandbox.tui.view.card_lists import KeyList, OrderedKeys
from sandbox.tui.view.text_lines import Line, as_lines, fit, gauge, hung, ink, outside, to_width, with_end
from sandbox.tui.view.viewer import Viewer

CHOOSE = "platform.choose"  # id of the action that lets somebody steer
LEVERS = {"cards": "choose cards for readers", "exposure": "turn authors down", "mix": "set the mix"}
MIX = ("followed", "personal", "headlines")
SLICE = 20_000  # events of the log among which a fold looks at a time
ROWS = 5  # moments at which the stances are shown
BLOCKS = "▁▂▃▄▅▆▇"


class Panel(NamedTuple):
    """An item of the tab: one of its parts, by name."""

    name: str


class RoundBook:
    """What the log says of the rounds of a feed, as far as it has been read; `read` goes on to the moment shown."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._fold: SteeredRounds | None = None

    @property
    def upto(self) -> int:
        """The number of the last event that was read, 0 = none."""
        return self._fold.upto if self._fold is not None else 0

    @property
    def end(self) -> int:
        """The number of the last event of the last whole step at the moment shown."""
        return min(self._viewer.world.seq, self._viewer.session.save.last_seq)

    @property
    def shown(self) -> list[SteeredRound]:
        """The rounds that are over at the moment shown."""
        rounds, now = self._fold.rounds if self._fold is not None else [], self._viewer.world.now
        return [one for one in rounds if one.t < now]

    async def read(self) -> None:
        """Read the log up to the moment shown. Raises SaveError."""
        save = self._viewer.session.save
        if self._fold is None:
            self._fold = await asyncio.to_thread(SteeredRounds, self._viewer.world)
        fold = self._fold
        with explain_unfitting(save.path):
            while (after := fold.upto) < (end := self.end):
                upto = min(end, after + SLICE)
                await asyncio.to_thread(fold.take, await save.records(KINDS, after, upto), upto)


class PolicyTab(FeedTab):
    """Who steers the feed, and what comes of it."""

    name = short = "Policy"

    def __init__(self, reader: FeedReader) -> None:
        super().__init__(reader)
        self.book = RoundBook(reader.viewer)

    @property
    def key(self) -> object:
        return (self.reader.state, self.book.upto, self.reader.viewer.knower)

    @property
    def steering(self) -> Steering | None:
        """What is steered in this round, None if nothing is."""
        return self.reader.feed.steering

    def lacks(self) -> bool:
        world = self.reader.viewer.world
        steered = self.steering is not None or world.policy.chosen is not None
        return steered and not self.reader.viewer.knower and self.book.upto < self.book.end

    async def read(self) -> None:
        await self.book.read()

    def find(self) -> OrderedKeys:
        world = self.reader.viewer.world
        if self.reader.viewer.knower or not (steering_settings(world).learner or world.policy.own or self.steering):
            return KeyList()
        parts = [Panel("who"), Panel("levers"), Panel("rewards"), Panel("stances")]
        if self.steering is None:
            return KeyList(parts[:1] if not self.book.shown else [parts[0], *parts[2:]])
        arms = sorted(cards_chosen(self.steering), key=lambda arm: (not self.reader.resident(arm.user), -arm.score))
        return KeyList([*parts, *([Panel("arms")] if arms else []), *arms])

    def empty(self) -> str:
        viewer = self.reader.viewer
        if viewer.knower:
            key = first_key("play.see_all", viewer.keys)
            return f"You cannot know what the platform decides; {key} (all-knowing view) would show it."
        if viewer.replaying:
            return "Nobody steers the feed at the moment shown: it shows what the world's recommender finds."
        key = first_key(CHOOSE, viewer.keys)
        return f"Nobody steers the feed. {key} chooses who does: a policy that learns what to show, or you."

    def lines(self, key: Hashable, width: int) -> Sequence[Line]:
        if isinstance(key, ChosenCard):
            return self._arm(key, width)
        if key == Panel("arms"):
            return [[ink("Cards chosen this round", "accent")]]
        draw: dict[str, Callable[[int], list[Line]]] = {
            "who": self._who, "levers": self._levers, "rewards": self._rewards, "stances": self._stances,
        }  # fmt: skip
        return [*draw[key.name](width), []] if isinstance(key, Panel) else []

    # ---- who, and with what

    def _who(self, width: int) -> list[Line]:
        world = self.reader.viewer.world
        settings, own = steering_settings(world), world.policy.own
        goal = settings.objective.replace("_", " ")
        event = cast(Steered, self.steering.event) if self.steering is not None else None
        if own:
            says: Line = [outside(own, "accent", bold=True), ink(" steers, a policy of your own")]
        elif settings.learner == HAND:
            says = [ink("You", "accent", bold=True), ink(f" steer; worth: {goal}")]
        elif settings.learner:
            says = [ink(settings.learner, "accent", bold=True), ink(f" steers, for {goal}")]
        else:
            says = [ink("Nobody", "accent", bold=True), ink(" steers from the next round on")]
        out = [with_end(says, [ink(f"round {event.number:,}", "dim")] if event is not None else [], width)]
        if settings.learner not in ("", HAND) and not own:
            may = [words for lever, words in LEVERS.items() if getattr(settings, lever)]
            out += as_lines(f"It may {', '.join(may) or 'do nothing: it has no lever'}.", width, "dim")
        if settings.learner == HAND and not own and not self.reader.viewer.replaying:
            mix, down, match = (first_key(f"platform.{do}", self.reader.viewer.keys) for do in ("mix", "down", "match"))
            hint = f"{mix} sets the mix, {down} turns a card's author down, {match} sets you against a bandit."
            out += as_lines(hint, width, "dim")
        if event is None:
            out += as_lines("It begins with the next round.", width, "dim")
        elif event.fault:
            out += as_lines(f"It failed, and nobody steers this round: {event.fault}", width, "alarm", most=4)
        return out

    def _levers(self, width: int) -> list[Line]:
        reader, steering = self.reader, self.steering
        assert steering is not None
        p, out = reader.viewer.world.feed_parameters, list[Line]()
        shares, by = steering.mix, "set"
        if shares is None and "network" in RECOMMENDERS[name := p.recommender or OF_KIND[reader.feed.kind]].takes:
            left = 1 - p.headline
            shares, by = (left * p.network, left * (1 - p.network), p.headline), "as usual"
        elif shares is None:
            out.append([ink("Mix  ", "accent"), ink(f"none: the recommender is {name}", "dim")])
        for i, share in enumerate(shares or ()):
            left_: Line = [ink("Mix  " if not i else "     ", "accent"), ink(f"{MIX[i]:<10}", "soft")]
            bar = gauge(share, max(8, min(30, width - 40)), "link")
            out.append(fit([*left_, *bar, ink(f" {share:4.0%}"), ink(f"  {by}" if not i else "", "dim")], width))
        users = len(np.unique(steering.users))
        cards = f"{count_of(len(steering.users), 'card')} chosen for {count_of(users, 'reader')}"
        out.append([ink("Cards  ", "accent"), ink(cards if users else "none chosen", "soft" if users else "dim")])
        out += hung([ink("Down  ", "accent")], self._down(steering), width, "soft", most=3)
        if steering.pins:
            out.append([ink("Pins  ", "accent"), ink(f"{count_of(len(steering.pins), 'card')} first for all", "soft")])
        return out

    def _down(self, steering: Steering) -> str:
        """The authors turned down, in words, the best known of them by name."""
        reader = self.reader
        if steering.level is None:
            return "nobody is turned down"
        users = reader.feed.users
        level = steering.level[: users.n]
        down = (level < FULL).nonzero()[0]
        best = down[np.argsort(-users.fans[down].astype(np.int64), kind="stable")[:3]].tolist()
        names = ", ".join(f"{reader.short(user)} {level.item(user)}" for user in best)
        return f"{count_of(len(down), 'author')}; of a hundred cards pass: {names}" + " ..." * (len(down) > len(best))

    # ---- what comes of it

    def _rewards(self, width: int) -> list[Line]:
        rounds = self.book.shown
        if not rounds:
            says = "reading the rounds ..." if self.lacks() else "No round is over yet."
            return [fit([ink("Reward a round  ", "accent"), ink(says, "dim")], width)]
        out = _curve("Reward a round", [one.reward for one in rounds], width, 2)
        cards = [one.of_cards for one in rounds]
        if any(value is not None for value in cards):
            out += _curve("of its cards", cards, width, 1)
        if any(one.regret is not None for one in rounds):
            out += _curve("regret", [one.regret for one in rounds], width, 1)
        last = rounds[-1]
        across = f"{last.across} of {count_of(last.answers, 'answer')} went across to the other side"
        if last.misinformed >= 0:
            across += f"; {last.misinformed:,} believe the watched claim"
        return [*out, *as_lines(f"Last round: {across}.", width, "dim")]

    def _stances(self, width: int) -> list[Line]:
        rounds = self.book.shown
        if not rounds:
            return []
        clock, last = self.reader.viewer.world.clock, rounds[-1]
        at = sorted({*np.linspace(0, len(rounds) - 1, min(ROWS, len(rounds))).round().astype(int).tolist()})
        most = max(max(rounds[i].stances) for i in at) or 1
        wide = max(1, (width - 6) // len(last.stances))
        sizes = [ink(f"mean {last.mean:+.2f}, sd {last.deviation:.2f}", "dim")]
        out = [with_end([ink("Stances", "accent")], sizes, width)]
        for i in at:
            bars = "".join((BLOCKS[n * 6 // most] if n else " ") * wide for n in rounds[i].stances)
            out.append([ink(f"{clock.hhmm(rounds[i].t)} ", "dim"), ink(bars, "text" if i == at[-1] else "link")])
        span = wide * len(last.stances)
        return [*out, [ink(" " * 6), ink(f"-1{'0':^{span - 4}}+1", "dim")]]

    def _arm(self, arm: ChosenCard, width: int) -> list[Line]:
        reader = self.reader
        for_ = to_width([outside(reader.short(arm.user), "text")], 14)
        end = [ink(f" {arm.score:.2f}", "link"), ink(f"  {arm.rank} of {arm.of}", "dim")]
        if not reader.has(arm.card):
            return [with_end([*for_, ink(" a card that is not there", "faint")], end, width)]
        card = reader.card(arm.card)
        says = [ink(" "), outside(f"{reader.short(card.writer)}: ", "soft"), outside(card.text, "dim")]
        return [with_end([*for_, *says], end, width)]


def _curve(name: str, values: Sequence[float | None], width: int, rows: int) -> list[Line]:
    """A series as a small chart under its name, its last value and its mean."""
    known = [value for value in values if value is not None]
    last = f"{known[-1]:.3f}" if values[-1] is not None else "-"
    mean = [ink(f"mean {sum(known) / len(known):.3f} in {count_of(len(known), 'round')}", "dim")]
    chart, _, _ = measure_chart(curve(values, width - 2), rows, 1)
    head = with_end([ink(f"{name}  ", "accent"), ink(last)], mean, width)
    return [head, *([ink("  "), ink(line, "link")] for line in chart)]
