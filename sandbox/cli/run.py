"""`sandbox run`: run a world or a save without a screen, also for `play` where there is none."""

from __future__ import annotations

import gc
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sandbox.cli.moments import clock_of
from sandbox.cli.options import SEED, TownArguments, WholeNumber, as_one, check_force, parse_with, town_options
from sandbox.cli.telling import STOPPED, digests, progress_bar, say_json, say_text, wait_for, warn
from sandbox.core.clock import DAY, Clock, When, parse_start, parse_when
from sandbox.core.plain import count_of, safe_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractAsyncContextManager

    from sandbox.core.events import Record
    from sandbox.director.script import CueOutcome, Prompter
    from sandbox.engine.world import World
    from sandbox.store.session import Session


@click.command()
@click.argument("target", metavar="WORLD_OR_SAVE")
@click.option("--steps", type=WholeNumber(1), metavar="N", help="Run N steps.")
@click.option("--days", type=WholeNumber(1, 36500), metavar="D", help="Run D days of 24 hours.")
@click.option(
    "--until",
    callback=parse_with(parse_when),
    metavar="MOMENT",
    help='Run until the next time of day (12:30) or a moment ("tomorrow 08:00", "day 2 08:00").',
)
@SEED
@click.option(
    "--save", metavar="FILE", help="Keep the log in a new file; for a save, branch at its end into that file."
)
@town_options
@click.option("--do", "script", metavar="FILE", help="Deal the cards of a script, each at its hour or condition.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a script instead of the digest.")
@click.option("--force", is_flag=True, help="Replace the file of --save if it exists.")
@as_one(TownArguments)
def run(
    town: TownArguments,
    steps: int | None,
    days: int | None,
    until: When | None,
    save: str | None,
    script: str | None,
    as_json: bool,
    force: bool,
) -> None:
    """Run a world without a screen, as fast as possible, and print its last day.

    A folder is a world, a file is a save, anything else is the name of a world. A save is continued, and the new
    steps are added to it; with --save they go to a branch instead. A world without --save is kept in memory only.
    Without a length, the run is one day of 24 hours. `drama SAVE --day N --tell` prints another day.

    --do deals cards (docs/directing.md): a YAML file of `steps`, each with `at:` a moment or `when:` a condition, and
    `deal:` a line as `sandbox do` takes it. Cards that were not dealt are listed at the end, with the reason.

    The same seed and the same script give the same events, and so the same digest.

    \b
    Examples:
      sandbox run larkspur                          a day, printed
      sandbox run larkspur --days 7 --save week.db  a week, kept
      sandbox run week.db --until "12:30"           on until half past twelve
      sandbox run week.db --until "day 9 08:00"     on until the ninth morning
      sandbox run week.db --days 1 --save other.db  another eighth day, in a branch
      sandbox run larkspur --seed 7 --step 20m --set talk.cooldown=30 --json
      sandbox run larkspur --days 4 --do plan.yaml  four days, directed
      sandbox run county --crowd 100000 --steps 20  a feed of a hundred thousand
    """
    if sum(x is not None for x in (steps, days, until)) > 1:
        raise click.UsageError("--steps, --days and --until exclude each other; give one")
    check_force(force, save, "--save")

    from sandbox.core.protocols import JournalFull

    if until is not None and until.day is not None:
        wait_for(check_ahead(town.target, until))
    length = Length(steps, None if days is None else days * DAY, until)
    opened: list[Session] = []
    try:
        work = _live(town.open(save=save, force=force), length, script, opened)
        lived, unversioned = wait_for(work, lambda: _kept(opened))
    except JournalFull as full:
        path = opened[0].path if opened else None
        on = f"; whole steps are kept as far as they fit, continue with `sandbox run {path}`" if path else ""
        raise JournalFull(f"{full}{on}") from full
    _report(opened[0], lived, unversioned, as_json)
    if any(x.fault for x in lived.script):
        raise SystemExit(1)


async def _live(
    sitting: AbstractAsyncContextManager[Session], length: Length, script: str | None, opened: list[Session]
) -> tuple[RunResult, bytes]:
    """Run a session; the result, and the digest without versions. opened: receives the session, so that the caller has
    it even if the run is interrupted.
    """
    async with sitting as session:
        opened.append(session)
        prompter = None if script is None else await load_prompter(session, script)
        return await live_session(session, length, prompter), await session.save.unversioned()


def _kept(opened: Sequence[Session]) -> str:
    """The message after an interruption, with what is kept. opened: the session, if it was opened."""
    if not opened:
        return STOPPED
    session = opened[0]
    made = session.save.last_step - session.first_step
    where = f"; go on with `sandbox run {session.path}`" if session.path is not None else ""
    return f"{STOPPED} after {count_of(made, 'step')}, at {session.world.clock.words(session.save.now)}{where}"


async def check_ahead(target: str, until: When) -> None:
    """Raise UsageError if a moment has passed in that world or save, before that is opened for running."""
    from sandbox.engine.loading import find_world, load
    from sandbox.store.files import is_save
    from sandbox.store.save import read_save

    if is_save(target) is None:
        clock, now = Clock(parse_start(load(find_world(target)).start)), 0
    else:
        async with await read_save(target) as save:
            clock, now = await clock_of(save), save.now
    t = until.seen_from(clock, now)
    if t <= now:
        was = "is past" if t < now else "is reached"
        raise click.UsageError(f"--until: {clock.words(t)} {was}; it is {clock.words(now)} there now")


async def load_prompter(session: Session, name: str) -> Prompter:
    """Load a script of cards to be dealt into a session. Raises WorldFaults for faults in it."""
    from sandbox.core.places import expand_path
    from sandbox.director.history import OpenAnnals
    from sandbox.director.script import Prompter
    from sandbox.engine.loading import read_script
    from sandbox.store.session import annals_before

    world = session.world
    script = read_script(expand_path(name), world.scenario)
    if script.waits and not world.annals.kept:
        session.engine.do(OpenAnnals(before=await annals_before(session.save, world)))
    return Prompter(script)


def _report(session: Session, lived: RunResult, unversioned: bytes, as_json: bool) -> None:
    from sandbox.readers.edition import day_page
    from sandbox.readers.feedday import feed_sums

    scenario, digest, path = session.world.scenario, session.save.digest, session.path
    if as_json:
        say_json(
            {
                "world": scenario.name,
                "seed": scenario.seed,
                "steps": lived.steps,
                "events": lived.events,
                "residents": len(scenario.cast),
                "feed": feed_sums(session.world),
                "digest": digest.hex(),
                "unversioned": unversioned.hex(),
                "wall_s": round(lived.wall, 3),
                "steps_per_s": round(lived.steps / max(lived.wall, 1e-9), 1),
                "save": None if path is None else str(path),
                "minds": _minds(session),
                "policy": _policy(session),
                "script": [{"line": x.line, "deal": x.deal, "t": x.t, "fault": x.fault} for x in lived.script],
            }
        )
        return
    made = f"{count_of(lived.steps, 'step')}, {count_of(lived.events, 'event')} in {lived.wall:.1f} s"
    where = "kept in memory only; give --save FILE to keep it" if path is None else f"kept in {path}"
    told = [line for line in (told_minds(session), told_policy(session)) if line]
    page = day_page(lived.records, session.world, before=lived.before)
    dealt = [_told(session.world, x) for x in lived.script]
    lines = [page, "", *told, *dealt, f"{made}; {where}", digests(digest, unversioned)]
    say_text("\n".join(lines))


def _told(world: World, x: CueOutcome) -> str:
    """The outcome of a step of the script, in a line."""
    if x.fault:
        return f"not dealt, line {x.line}: {x.deal}: {x.fault}"
    return f"dealt {world.clock.words(x.t)}, line {x.line}: {x.deal}"


def _minds(session: Session) -> dict[str, object] | None:
    """What language models did, for JSON; None if there are none."""
    t = session.thinking
    if t is None:
        return None
    return {
        "models": list(dict.fromkeys(t.models.values())),
        "answered": t.answered,
        "stood_in": t.fallbacks,
        "fault": t.fault,
        "calls": t.spent.calls,
        "tokens": t.spent.tokens,
        "usd": round(t.spent.cost, 6),
    }


# ---- running


class Length(NamedTuple):
    """How long to run: a number of steps, of seconds, or until a moment; 24 hours if all are None."""

    steps: int | None = None
    seconds: int | None = None
    until: When | None = None

    def ends(self, session: Session) -> tuple[int | None, int | None]:
        """(number of steps, second at which to stop), one of them None."""
        if self.steps is not None:
            return self.steps, None
        world = session.world
        if self.until is not None:
            return None, self.until.seen_from(world.clock, world.now)
        return None, world.now + (DAY if self.seconds is None else self.seconds)


class RunResult(NamedTuple):
    """The result of a run. events: how many there were; wall: seconds by the wall; records: the events of its last 24
    hours; before: earlier ones that began pressures; script: the outcomes of the script's steps.
    """

    steps: int
    events: int
    wall: float
    records: list[Record]
    script: list[CueOutcome] = []
    before: list[Record] = []


async def live_session(session: Session, length: Length, prompter: Prompter | None = None) -> RunResult:
    """Run a session that long at full speed, and write it to disk; prints withheld models and progress to standard
    error.

    Raises JournalFull if the disk is full.
    """
    from sandbox.engine.drivers import run_free
    from sandbox.readers.all_stories import BEGINNINGS

    world = session.world
    steps, until = length.ends(session)
    seconds = 0 if until is None else until - world.now
    day: deque[Record] = deque()
    made = 0
    warn(session.notice)
    gc.freeze()
    with progress_bar(world.scenario.title, "steps") as moved:

        def after() -> None:
            nonlocal made
            made += 1
            if prompter is not None:
                prompter.prompt(session.engine)
            while day and day[0].stamp.t < world.now - DAY:
                day.popleft()
            if steps is not None:
                moved(made, steps)
            elif until is not None:
                left = -(-max(0, until - world.now) // world.step_seconds)
                moved(made, made + left if seconds else 0)

        def keep(records: Sequence[Record]) -> None:
            day.extend(r for r in records if not r.event.PACKED)

        session.engine.watchers.append(keep)
        if prompter is not None:
            prompter.prompt(session.engine)
        began = perf_counter()
        try:
            await run_free(session.engine, steps=steps, until=until, on_step=after)
            await session.save.settle()
        finally:
            session.engine.watchers.remove(keep)
        told = prompter.end(world) if prompter is not None else []
        wall = perf_counter() - began
        before = await session.save.records(BEGINNINGS, 0, day[0].stamp.seq - 1) if day else []
        return RunResult(made, world.seq - session.first_seq, wall, list(day), told, before)


def _policy(session: Session) -> dict[str, Any] | None:
    seat = session.world.desk.seat
    return None if seat is None else {"name": seat.policy.name, "faults": seat.faults}


def told_policy(session: Session) -> str:
    """A line on who steers the feed, "" if nobody does."""
    seat = session.world.desk.seat
    if seat is None:
        return ""
    failed = f"; it failed in {count_of(seat.faults, 'round')}, which nobody steered" if seat.faults else ""
    return f"the feed is steered by {safe_line(seat.policy.name)}{failed}"


def told_minds(session: Session) -> str:
    """A line on what language models did in this session, "" without any."""
    t = session.thinking
    if t is None:
        return ""
    models = ", ".join(dict.fromkeys(t.models.values()))
    spent = f"{t.spent.calls:,} calls and {t.spent.tokens:,} tokens in this save so far"
    if not t.fallbacks:
        return f"{models} answered {count_of(t.answered, 'question')}; {spent}"
    if not t.answered:
        none = f"{models} answered none of {count_of(t.fallbacks, 'question')}"
        return f"{none}; the embedded mind did instead, because {t.fault}"
    instead = f"the embedded mind answered the other {t.fallbacks:,}, most recently because {t.fault}"
    return f"{models} answered {t.answered:,} of {count_of(t.answered + t.fallbacks, 'question')}; {instead}; {spent}"
