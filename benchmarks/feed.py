"""What the feed costs: the platform as a library, and crowds in processes of their own; all by the wall."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

import msgspec
import numpy as np

from benchmarks.figures import FigureSpec, Reading
from benchmarks.run import BenchmarkRun, FigureGroup
from sandbox.cli.calibration import calibration_time
from sandbox.cli.screen_speed import call_command, resident_bytes
from sandbox.cli.telling import say_json
from sandbox.core.chance import Stream
from sandbox.core.events import Record
from sandbox.engine.drivers import run_free
from sandbox.feed import Platform, Refused
from sandbox.feed.packing import CrowdActed
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.recommenders import Hot
from sandbox.feed.tables import draws
from sandbox.store.feeds import open_feed
from sandbox.store.session import open_session

ACCOUNTS, POSTS, ACTS = 10_000, 1_000, 60_000
ACTS_A_STEP = 1_000  # on a platform with a save
TENTH = 26  # of 255: the chance of a sitting in 3 minutes by which a tenth of a crowd is there
WARM, TIMED = 3, 12  # steps of a crowd that are run first, and then timed
TRIES = 3  # of which the best counts
MILLION, SMALL = 1_000_000, 100_000
SIZES = (10_000, 50_000, SMALL, 200_000, MILLION)  # users; the time should grow linearly with those who are there
# What accounts do, and in how many of a hundred acts.
MIX = (("like", 40), ("dislike", 10), ("comment", 10), ("follow", 10), ("repost", 10), ("refresh", 15), ("post", 5))


class PlatformRates(NamedTuple):
    """acts, refreshes: how many a second, in memory. hot: seconds to rank the hottest posts once for everybody."""

    acts: float
    refreshes: float
    hot: float


class CrowdSpeed(msgspec.Struct, frozen=True):
    """made: seconds to make a feed with its crowd. step: wall seconds, the median of several, all saved. there: users
    who had a sitting in a step. acts: in a step. memory: bytes at the end, None if unknown. unit: CPU seconds of the
    calibration loop beside it.
    """

    made: float
    step: float
    there: float
    acts: float
    memory: int | None
    unit: float


async def measure_feed_group(run: BenchmarkRun) -> list[Reading]:
    """Measure a platform, and crowds of several sizes."""
    got = measure_platform()
    kept = await measure_kept_platform(run.folder / "feed.db")
    sizes = (SMALL,) if run.quick else SIZES
    found = {users: measure_crowd(users, run.folder) for users in sizes}
    note = f"{ACCOUNTS:,} accounts"
    readings = [
        Reading("feed.act", got.acts, note),
        Reading("feed.kept", kept, f"{note}, all in a save"),
        Reading("feed.refresh", got.refreshes, note),
        Reading("feed.hot", got.hot, f"a list of 100, {note}"),
        Reading("crowd.small", found[SMALL].step, _told(SMALL, found[SMALL])),
    ]
    large = found.get(MILLION)
    if large is None:
        return readings
    rate = large.there / large.step
    return [
        *readings,
        Reading("crowd.step", large.step, _told(MILLION, large)),
        Reading("crowd.made", large.made, f"{MILLION:,} users and their graph"),
        Reading("crowd.memory", large.memory, f"{MILLION:,} users"),
        Reading("crowd.ranked", rate, f"{rate * large.unit:,.0f} in the time of a loop"),
        Reading("crowd.linear", _straightness([*found.values()])),
    ]


def _told(users: int, got: CrowdSpeed) -> str:
    return f"{users:,} users, {got.there:,.0f} there, {got.acts:,.0f} acts"


def _straightness(found: Sequence[CrowdSpeed]) -> float:
    """How linear the time of a step is in the number of users there: the share of the variance explained."""
    x, y = np.array([crowd.there for crowd in found]), np.array([crowd.step for crowd in found])
    return float(np.corrcoef(x, y)[0, 1] ** 2)


# ---- the platform


def fill_platform(platform: Platform) -> tuple[list[int], list[int]]:
    """Make accounts and posts to act on, and return their numbers."""
    users = [platform.sign_up(f"user{i}", f"User {i}") for i in range(ACCOUNTS)]
    texts = [f"Loaf number {i} is out of the oven, and it rains again." for i in range(POSTS)]
    platform.vector.prepare(texts)
    return users, [platform.create_post(users[i % ACCOUNTS], text) for i, text in enumerate(texts)]


def make_act(platform: Platform, users: list[int], posts: list[int], seed: bytes) -> Callable[[], None]:
    """A function that does one act of MIX, with a random user and post; a refused act counts too."""
    chance = Stream(seed)
    kinds = [kind for kind, share in MIX for _ in range(share)]

    def act() -> None:
        kind, user, post = chance.choice(kinds), chance.choice(users), chance.choice(posts)
        with suppress(Refused):
            if kind == "like":
                platform.like_post(user, post)
            elif kind == "dislike":
                platform.dislike_post(user, post)
            elif kind == "comment":
                platform.create_comment(user, post, "So it does here.")
            elif kind == "follow":
                platform.follow(user, chance.choice(users))
            elif kind == "repost":
                platform.repost(user, post)
            elif kind == "refresh":
                platform.refresh(user, 5)
            else:
                platform.create_post(user, "The same again, with seeds.")

    return act


def measure_platform() -> PlatformRates:
    """Measure the platform as a library, in memory."""
    platform = Platform("x", parameters=FeedParameters(cache=20))
    users, posts = fill_platform(platform)
    platform.rank()
    act = make_act(platform, users, posts, b"bench feed")
    acts = max(_rate(act, ACTS // TRIES) for _ in range(TRIES))
    chance = Stream(b"bench refresh")
    refreshes = max(_rate(lambda: platform.refresh(chance.choice(users), 5), ACTS // 6) for _ in range(TRIES))
    everybody = np.array(users, np.int64)
    hot = min(
        _seconds(lambda: Hot(100).rank(platform.feed, everybody, platform.now, 100, draws(1, "bench")))
        for _ in range(TRIES)
    )
    return PlatformRates(acts, refreshes, hot)


def _seconds(work: Callable[[], object]) -> float:
    began = perf_counter()
    work()
    return perf_counter() - began


def _rate(act: Callable[[], object], count: int) -> float:
    """Calls a second, over so many calls."""
    gc.collect()
    began = perf_counter()
    for _ in range(count):
        act()
    return count / (perf_counter() - began)


async def measure_kept_platform(path: Path) -> float:
    """Acts a second, with each of them in a save."""
    async with open_feed(path, set=("feed.cache=20",)) as platform:
        users, posts = fill_platform(platform)
        platform.rank()
        await platform.end_step()
        act = make_act(platform, users, posts, b"bench kept")
        found = 0.0
        for _ in range(TRIES):
            gc.collect()
            began = perf_counter()
            for _ in range(ACTS // TRIES // ACTS_A_STEP):
                for _ in range(ACTS_A_STEP):
                    act()
                await platform.end_step()
            await platform.save.settle()
            found = max(found, ACTS // TRIES / (perf_counter() - began))
        return found


# ---- a crowd


def measure_crowd(users: int, folder: Path) -> CrowdSpeed:
    """Measure a crowd of so many users, in its own process."""
    command = call_command(live_crowd, str(users), str(folder / f"crowd-{users}.db"))
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return msgspec.json.decode(told, type=CrowdSpeed)


def live_crowd(users: str, path: str) -> None:
    """The work of that process: run a crowd, and print its CrowdSpeed as JSON."""
    say_json(msgspec.to_builtins(asyncio.run(_live(int(users), Path(path)))))


async def _live(users: int, path: Path) -> CrowdSpeed:
    unit = calibration_time()
    began = perf_counter()
    async with open_session("county", set=(f"feed.crowd={users}",), save=path) as session:
        feed = session.world.feed
        made = perf_counter() - began
        feed.hours[:] = TENTH
        times, acts, done = list[float](), list[int](), [0]

        def saw(records: Sequence[Record]) -> None:
            done.extend(len(r.event.acts) for r in records if isinstance(r.event, CrowdActed))

        session.engine.watchers.append(saw)
        for step in range(WARM + TIMED):
            began = perf_counter()
            await run_free(session.engine, steps=1)
            await session.save.settle()
            if step >= WARM:
                times.append(perf_counter() - began)
                acts.append(done[-1])
        return CrowdSpeed(made, median(times), users * TENTH / 255, median(acts), resident_bytes(os.getpid()), unit)


FEED_GROUP = FigureGroup(
    "feed",
    (
        FigureSpec("feed.act", "1/s", "actions of accounts, in memory, 10,000 of them", 50_000, more=True),
        FigureSpec("feed.kept", "1/s", "the same, each in a save", 20_000, more=True),
        FigureSpec("feed.refresh", "1/s", "looks at the feed", 20_000, more=True),
        FigureSpec("feed.hot", "ms", "the hundred hottest posts", 5.0),
        FigureSpec("crowd.step", "s", "a step of 1,000,000 users, 544 posts weighed for each, saved", 0.5),
        FigureSpec("crowd.small", "s", "a step of 100,000", 0.06),
        FigureSpec("crowd.made", "s", "making 1,000,000 users and their graph", 20.0),
        FigureSpec("crowd.memory", "MB", "resident memory after that", 800.0),
        FigureSpec("crowd.ranked", "users/s", "users for whom posts are ranked, read and acted on"),
        FigureSpec(
            "crowd.linear",
            "r2",
            "how close to a straight line: time by users who are there, 10,000 to 1,000,000",
            0.98,
            more=True,
        ),
    ),
    measure_feed_group,
    "the social feed, and crowds of which a tenth is there in a step; times are wall; a minute",
)
