"""What `bench` measures: one method a group of figures. The help of `sandbox bench` says what each figure means."""

from __future__ import annotations

import gc
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import NamedTuple

from sandbox.cli.figures_branches import MANY, measure_branch, measure_compare, measure_tree
from sandbox.cli.figures_cards import measure_cards, measure_receipt
from sandbox.cli.figures_feed import SIZES, Crowded, linear, measure_kept, measure_platform
from sandbox.cli.figures_feed import measure_feed_crowd as measure_feed
from sandbox.cli.figures_long import measure_lab, measure_old, measure_town_crowd
from sandbox.cli.figures_minds import measure_minds
from sandbox.cli.figures_parts import (
    MEMORIES,
    loop,
    measure_claims,
    measure_incidents,
    measure_retrieval,
    measure_talk,
    unkept,
)
from sandbox.cli.figures_phones import measure_phones
from sandbox.cli.figures_play import measure_line, measure_screen
from sandbox.cli.figures_played import measure_player
from sandbox.cli.figures_screen import measure_frames, measure_graph, measure_jumps, measure_keys, measure_start
from sandbox.cli.figures_ties import PEOPLE, measure_lines, measure_report, measure_round
from sandbox.core.chance import Stream
from sandbox.core.clock import DAY, HOUR
from sandbox.core.plain import count_of
from sandbox.engine.drivers import run_free
from sandbox.engine.loading import find_world, load
from sandbox.engine.scaled_town import copies
from sandbox.engine.scenario import Scenario
from sandbox.store.player import relive
from sandbox.store.save import Save
from sandbox.store.session import open_session

WORLD, SEED, STEP = "larkspur", 42, 60
TOWNS = 40
WINDOW = (8 * HOUR, 10 * HOUR)  # time of day over which a head's cost is taken
JUMPS = 20
MOMENTS = 100
WEEK, MONTH = 7, 30
CROWD, CROWD_DAYS = 4, 6  # times the people, and days of them
SEEDS = 60  # that the paper's experiment asks for, and
TRIED = 10  # of which so many are timed
KEYS = 100
FRAMES = 200
PICTURES = 100
NONE_OF = ("litellm", "scipy")
USUAL = ("day", "head", "seek", "replay", "drama", "memory", "start", "frame", "key", "play", "line")
GROUPS = (
    *USUAL,
    "feed",
    "phones",
    "minds",
    "lab",
    "ties",
    "cards",
    "played",
    "receipt",
    "branches",
    "old",
)  # minutes: one, a third, one (most of it waiting), a half, three times some seconds, a sixth, two, five
MILLION, SMALL = 1_000_000, 100_000


class BenchFigure(NamedTuple):
    """A measure. ok: None without a value or a target. more: the target is the least, not the most.

    loop_ms: the calibration loop beside it; ratio: value / loop, for times.
    """

    name: str
    value: float | None
    unit: str
    target: float | None
    ok: bool | None
    loop_ms: float
    ratio: float | None = None
    more: bool = False
    note: str = ""


class Bench:
    """A round of measuring in an empty folder. What one group makes, another uses."""

    def __init__(self, folder: Path, quick: bool = False) -> None:
        self.quick = quick
        self._folder = folder
        self._loop = 1.0
        self._scenario = load(find_world(WORLD), seed=SEED, step=STEP)
        self._day: Path | None = None
        self._day_cpu = self._day_wall = 0.0

    async def group(self, name: str) -> list[BenchFigure]:
        """The figures of a group, one of GROUPS: the method of that name."""
        gc.collect()
        gc.freeze()  # what earlier groups left is not this one's to look at
        self._loop = loop()
        found: list[BenchFigure] = await getattr(self, name)()
        return found

    def _figure(
        self,
        name: str,
        value: float | None,
        unit: str,
        target: float | None,
        more: bool = False,
        note: str = "",
    ) -> BenchFigure:
        ok = None
        if value is not None and target is not None:
            ok = value >= target if more else value <= target
        seconds = {"s": 1.0, "ms": 1e-3, "us": 1e-6}.get(unit)
        ratio = None if value is None or seconds is None else float(f"{value * seconds / self._loop:.4g}")
        shown = None if value is None else round(value, 4)
        return BenchFigure(name, shown, unit, target, ok, round(self._loop * 1e3, 2), ratio, more, note)

    async def day(self) -> list[BenchFigure]:
        path = await self._saved_day()
        return [
            self._figure("day.cpu", self._day_cpu, "s", 5.0),
            self._figure("day.wall", self._day_wall, "s", 5.0),
            self._figure("day.size", path.stat().st_size / 1e6, "MB", 6.0),
        ]

    async def _saved_day(self) -> Path:
        """The save of a day; making it is what `day` measures."""
        if self._day is None:
            path = self._folder / "day.db"
            async with open_session(WORLD, seed=SEED, step=STEP, save=path) as session:
                wall, cpu = perf_counter(), process_time()
                await run_free(session.engine, until=DAY)
                await session.save.settle()
                self._day_cpu, self._day_wall = process_time() - cpu, perf_counter() - wall
            self._day = path
        return self._day

    async def head(self) -> list[BenchFigure]:
        small, people = await self._cost(self._scenario)
        figures = [self._figure("head.25", small / people * 1e3, "ms", None, note=f"{people} people")]
        if not self.quick:
            large, many = await self._cost(copies(self._scenario, TOWNS))
            figures.append(self._figure("head.1000", large / many * 1e3, "ms", None, note=f"{many:,} people"))
            figures.append(self._figure("head.factor", large / many / (small / people), "", 1.5))
        return figures

    async def _cost(self, scenario: Scenario) -> tuple[float, int]:
        """CPU seconds over the window, nothing kept, and how many people there are."""
        engine = unkept(scenario)
        first = engine.world.clock.midnight(1)
        await run_free(engine, until=first + WINDOW[0])
        began = process_time()
        await run_free(engine, until=first + WINDOW[1])
        return process_time() - began, len(scenario.cast)

    async def _saved_days(self) -> tuple[Path, int]:
        """A save of a week, made once; of a day if it must be quick. And how many days."""
        day = await self._saved_day()
        if self.quick:
            return day, 1
        week = self._folder / "week.db"
        if not week.exists():
            async with open_session(day, save=week) as session:
                await run_free(session.engine, until=WEEK * DAY)
        return week, WEEK

    async def seek(self) -> list[BenchFigure]:
        path, days = await self._saved_days()
        chance = Stream(b"bench seek")
        times = []
        for _ in range(JUMPS):
            began = perf_counter()
            async with await Save.open(path, read_only=True) as save:
                await save.seek(1 + chance.below(save.last_step))
                times.append(perf_counter() - began)
        note = f"{count_of(days, 'day')}, worst {max(times) * 1e3:.0f} ms, middle {median(times) * 1e3:.0f} ms"
        return [self._figure("seek.worst", max(times) / self._loop, "loops", 10.0, note=note)]

    async def replay(self) -> list[BenchFigure]:
        path, days = await self._saved_days()
        gc.collect()
        gc.freeze()  # a program that replays has no bench's past to look after
        rate = 0.0
        for _ in range(3):
            async with await Save.open(path, read_only=True) as save:
                began = 0.0
                async for lived in relive(save):
                    if not lived.world.step:  # making the world anew is not replaying
                        began = process_time()
                rate = max(rate, save.last_step / (process_time() - began))
        note = count_of(days, "day")
        told, jumps = await measure_jumps(path, MOMENTS)
        middle = f"{note}, 120x40, worst {max(jumps) * 1e3:.0f} ms, middle of {MOMENTS} {median(jumps) * 1e3:.0f} ms"
        return [
            self._figure("replay.rate", rate, "steps/s", 11_000, more=True, note=note),
            self._figure("replay.told", told, "s", 2.0, note=note),
            self._figure("replay.jump", max(jumps) / self._loop, "loops", 5.0, note=middle),
        ]

    async def drama(self) -> list[BenchFigure]:
        got = await measure_talk(self._scenario, DAY)
        event, events = await measure_incidents(await self._saved_day())
        claim, claims = measure_claims(self._scenario)
        path, days = await self._saved_days()
        size = None if self.quick else path.stat().st_size / 1e6
        return [
            self._figure("talk.line", got.line * 1e3, "ms", 0.1, note=f"{got.lines:,} lines"),
            self._figure("talk.decision", got.decision * 1e3, "ms", 0.15, note=f"{got.decisions:,} decisions"),
            self._figure("drama.event", event * 1e3, "ms", 0.01, note=f"{events:,} events"),
            self._figure("drama.claim", claim * 1e6, "us", 2.0, note=f"{claims:,} claims"),
            self._figure("drama.week", size, "MB", 25.0, note="left out" if self.quick else f"{days} days"),
        ]

    async def memory(self) -> list[BenchFigure]:
        got = measure_retrieval()
        note = f"{MEMORIES:,} memories, {got.size / MEMORIES:.0f} bytes each beside the text"
        return [self._figure("retrieval.10k", got.seconds * 1e3, "ms", 1.0, note=note)]

    async def start(self) -> list[BenchFigure]:
        got = measure_start(WORLD, self._folder, NONE_OF)
        modules = None if got.modules is None else float(len(got.modules))
        return [
            self._figure("start.wall", got.wall, "s", 1.0, note=got.note),
            self._figure("start.memory", got.memory / 1e6 if got.memory else None, "MB", 150.0),
            self._figure("start.modules", modules, "", 0.0, note=", ".join(got.modules or ())),
        ]

    async def frame(self) -> list[BenchFigure]:
        got = await measure_frames(self._scenario, FRAMES)
        return [
            self._figure("frame.cpu", got.cpu * 1e3, "ms", 4.0, note=f"worst {got.worst * 1e3:.1f} ms"),
            self._figure("frame.size", got.size / 1e3, "kB", 35.0, note=f"a new view {got.first / 1e3:.0f} kB"),
        ]

    async def key(self) -> list[BenchFigure]:
        waits = sorted(await measure_keys(WORLD, self._folder / "keys.db", KEYS))
        usual = waits[int(len(waits) * 0.95)]
        note = f"95 of 100; middle {median(waits) * 1e3:.0f} ms, worst {waits[-1] * 1e3:.0f} ms"
        return [self._figure("key.wait", usual * 1e3, "ms", 50.0, note=note)]

    async def play(self) -> list[BenchFigure]:
        got = await measure_screen(WORLD, self._folder / "play.db")
        note = f"watching costs {got.watch * 1e6:.0f} microseconds a step"
        return [
            self._figure("play.pan", got.pan * 1e3, "ms", 8.0),
            self._figure("play.steps", got.steps, "", 1.5, note=note),
            self._figure("play.talk", got.talk * 1e3, "ms", 50.0),
            self._figure("play.timeline", got.scroll * 1e3, "ms", 5.0, note="200,000 rows"),
        ]

    async def line(self) -> list[BenchFigure]:
        got = await measure_line(WORLD, self._folder)
        if got is None:
            return [self._figure("line.frames", None, "1/s", 5.0, more=True, note="no pseudo terminal here")]
        usual = got.keys[int(len(got.keys) * 0.9)]
        note = f"9 of 10 of {len(got.keys)}; middle {median(got.keys) * 1e3:.0f} ms, worst {got.keys[-1] * 1e3:.0f} ms"
        return [
            self._figure("line.frames", got.frames, "1/s", 5.0, more=True, note="25 people moving, 200 kB/s, 120x40"),
            self._figure("line.key", usual * 1e3, "ms", 100.0, note=note),
        ]

    async def feed(self) -> list[BenchFigure]:
        got = measure_platform()
        kept = await measure_kept(self._folder / "feed.db")
        found = {users: measure_feed(users, self._folder) for users in (SMALL,) if self.quick} or {
            users: measure_feed(users, self._folder) for users in (*SIZES, MILLION)
        }
        large, small = found.get(MILLION), found[SMALL]
        note = "10,000 accounts"
        figures = [
            self._figure("feed.act", got.acts, "1/s", 50_000, more=True, note=note),
            self._figure("feed.kept", kept, "1/s", 20_000, more=True, note=f"{note}, all in a save"),
            self._figure("feed.refresh", got.refreshes, "1/s", 20_000, more=True, note=note),
            self._figure("feed.hot", got.hot * 1e3, "ms", 5.0, note=f"a list of 100, {note}"),
            self._figure("crowd.small", small.step, "s", 0.06, note=_told(SMALL, small)),
        ]
        if large is None:
            return figures
        memory = None if large.memory is None else large.memory / 1e6
        fit = linear([found[users] for users in (*SIZES, MILLION)])
        rate = large.there / large.step
        ranked = f"{rate * large.unit:,.0f} in the time of a loop"
        return [
            *figures,
            self._figure("crowd.step", large.step, "s", 0.5, note=_told(MILLION, large)),
            self._figure("crowd.made", large.made, "s", 20.0, note=f"{MILLION:,} users and their graph"),
            self._figure("crowd.memory", memory, "MB", 800.0, note=f"{MILLION:,} users"),
            self._figure("crowd.ranked", rate, "users/s", None, note=ranked),
            self._figure("crowd.linear", fit, "", 0.98, more=True, note="time of a step by users who are there, r2"),
        ]

    async def phones(self) -> list[BenchFigure]:
        got = await measure_phones(WORLD, self._folder)
        usual = got.keys[len(got.keys) * 95 // 100]
        note = f"{got.day:.2f} s with, {got.without:.2f} s without"
        wait = f"95 of 100; middle {median(got.keys) * 1e3:.0f} ms, worst {got.keys[-1] * 1e3:.0f} ms"
        return [
            self._figure("phones.day", got.day - got.without, "s", 2.0, note=note),
            self._figure("phones.card", got.card * 1e3, "ms", 0.2),
            self._figure("phones.key", usual * 1e3, "ms", 50.0, note=wait),
        ]

    async def minds(self) -> list[BenchFigure]:
        got = await measure_minds(self._scenario)
        note = f"{got.calls} calls in {got.waves} waves, {got.wall:.1f} s against {got.bare:.1f} s"
        return [
            self._figure("mind.overhead", got.wall / got.bare, "", 1.15, note=note),
            self._figure("mind.cpu", got.cpu * 1e3, "ms", 5.0),
            self._figure("mind.prompt", got.prompt, "tokens", 900.0),
            self._figure("mind.tokens", got.tokens, "tokens/h", None, note="of prompts, for each resident"),
        ]

    async def lab(self) -> list[BenchFigure]:
        seeds = 2 if self.quick else TRIED
        took = measure_lab(self._folder / "lab", seeds)
        note = f"by {seeds} seeds of two arms, in {took:.0f} s"
        return [self._figure("lab.sixty", took * SEEDS / seeds, "s", 240.0, note=note)]

    async def ties(self) -> list[BenchFigure]:
        report, edges = measure_report()
        path, days = await self._saved_days()
        lines = await measure_lines(path)
        drawn = await measure_graph(path, PICTURES)
        note = f"{PEOPLE:,} people, {edges:,} ties, who all know one another by sight"
        return [
            self._figure("ties.round", measure_round() * 1e3, "ms", 20.0, note=f"{PEOPLE:,} people, all pairs active"),
            self._figure("ties.report", report, "s", 3.0, note=note),
            self._figure("ties.read", lines.read * 1e3, "ms", 500.0, note=f"{count_of(days, 'day')}, 25 people"),
            self._figure("ties.at", lines.at * 1e3, "ms", 2.0, note=f"{lines.pairs} pairs"),
            self._figure("ties.redraw", median(drawn) * 1e3, "ms", 8.0, note=f"worst {max(drawn) * 1e3:.1f} ms"),
        ]

    async def cards(self) -> list[BenchFigure]:
        got = await measure_cards(WORLD, SEED, self._folder / "cards.db")
        note = f"a step without one {got.step * 1e3:.1f} ms"
        return [
            self._figure("cards.touch", got.touch * 1e3, "ms", 20.0, note="the slowest of nine"),
            self._figure("cards.deal", got.deal * 1e3, "ms", 50.0, note=note),
        ]

    async def played(self) -> list[BenchFigure]:
        got = await measure_player(WORLD, SEED, self._folder / "played.db", KEYS)
        usual = got.keys[len(got.keys) * 95 // 100]
        acts = f"the slowest of {len(got.acts)}; middle {median(got.acts) * 1e3:.1f} ms"
        wait = f"95 of 100; middle {median(got.keys) * 1e3:.0f} ms, worst {got.keys[-1] * 1e3:.0f} ms"
        return [
            self._figure("played.acts", got.acts[-1] * 1e3, "ms", 20.0, note=acts),
            self._figure("played.key", usual * 1e3, "ms", 50.0, note=wait),
        ]

    async def receipt(self) -> list[BenchFigure]:
        got = await measure_receipt(WORLD, SEED, self._folder / "receipt.db")
        note = f"{got.chain} of {got.events:,} events"
        return [
            self._figure("receipt.told", got.told, "s", 1.0, note=note),
            self._figure("receipt.twin", got.whole, "s", 4.0, note="with the day lived without it"),
        ]

    async def branches(self) -> list[BenchFigure]:
        path, days = await self._saved_days()
        async with await Save.open(path, read_only=True) as save:
            fork = save.last_step // days if days > 1 else save.last_step // 2
        side = await measure_compare(path, fork, self._folder / "other.db")
        long = path
        if not self.quick:
            long = self._folder / "month.db"
            async with open_session(path, save=long) as session:
                await run_free(session.engine, until=MONTH * DAY)
        made = await measure_branch(long, self._folder / "branch.db")
        told = await measure_tree(path, self._folder / "tree")
        rows = f"{count_of(days, 'day')}, parted after {fork:,} steps, {side.rows} rows in one only"
        return [
            self._figure("branch.compare", side.seconds, "s", 2.0, note=rows),
            self._figure("branch.made", made, "s", 1.0, note=f"of {long.stat().st_size / 1e6:.0f} MB"),
            self._figure("branch.tree", told, "s", 2.0, note=f"{MANY} saves"),
        ]

    async def old(self) -> list[BenchFigure]:
        days, short = (WEEK, 2) if self.quick else (MONTH, CROWD_DAYS)
        got = measure_old(WORLD, SEED, self._folder / "old.db", days)
        lived, growth = measure_town_crowd(WORLD, SEED, CROWD, self._folder / "crowd.db", short)
        note = f"{days} days"
        memory = None if got.memory is None else got.memory / 1e6
        costs = ", ".join(f"{day.cost * self._loop:.0f} s" for day in lived)
        return [
            self._figure("old.step", got.step, "s", 1.5, note=note),
            self._figure("old.beside", got.beside, "", 1.2, note=note),
            self._figure("old.day", got.growth, "", 1.05, note=note),
            self._figure("old.memory", memory, "MB/day", 2.0, note=note),
            self._figure("old.crowd", growth, "", 1.15, note=f"{short} days: {costs}"),
        ]


def _told(users: int, got: Crowded) -> str:
    return f"{users:,} users, {got.there:,.0f} there, {got.acts:,.0f} acts"
