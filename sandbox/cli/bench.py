"""`sandbox bench`: the figures of speed, memory and size, each beside its target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from sandbox.cli.telling import progress_bar, say_json, wait_for
from sandbox.core.faults import unknown

if TYPE_CHECKING:
    from sandbox.cli.figures import BenchFigure


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a script.")
@click.option("--only", metavar="NAMES", help="Only these groups, parted by commas.")
@click.option("--quick", is_flag=True, help="Leave out 1,000 people, and seek in one day instead of seven.")
def bench(as_json: bool, only: str | None, quick: bool) -> None:
    """Measure speed, memory and size against their targets. Exit code 1 if one is missed.

    Times are CPU time unless they are called wall. A fixed loop of plain Python is timed beside each group;
    RATIO is a time divided by that loop's, and stays alike from machine to machine.

    \b
    The groups and their figures:
      day     day.cpu, day.wall   a day of Larkspur, 25 people, steps of a minute, kept in a file (s)
              day.size            that file (MB)
      head    head.25, head.1000  a head from 08:00 to 10:00, nothing kept, of the town and of 40 of them joined (ms)
              head.factor         how much more a head costs among 1,000
      seek    seek.worst          the slowest of 20 jumps into a save of seven days, opened anew (wall, in loops)
      replay  replay.rate         steps a second when those days are lived again from their log, without proof
              replay.told         until their log is told on the screen of a replay (s, wall)
              replay.jump         the slowest of 100 jumps on that screen, with the frame (wall, in loops)
      drama   talk.line           a line of the embedded mind, over a day (ms)
              talk.decision       a decision: whom to talk to and why, whether to, how to take it (ms)
              drama.event         an event of the log, when incidents are found in it (ms)
              drama.claim         what is so between two people, looked up (us)
              drama.week          a save of a week (MB)
      memory  retrieval.10k       what comes to mind of 10,000 memories, by a question and a mood (ms)
      start   start.wall          from the command to the first frame of the screen (s)
              start.memory        resident memory then (MB)
              start.modules       how many of litellm and scipy were imported by then
      frame   frame.cpu           a frame of the map, 100x40 cells, 25 people walking, middle of 200 (ms)
              frame.size          what such a frame sends to the terminal, middle of 200 (kB)
      key     key.wait            from a key to its effect at full speed, 95 of 100 keys (ms, wall)
      play    play.pan            a frame while the map is panned, 120x40 (ms)
              play.steps          how much more its frames cost at 500 steps a second than at one a frame
              play.talk           until a talk is told in full (ms, wall)
              play.timeline       a page of a timeline of 200,000 rows (ms)
      line    line.frames         frames a second on a line of 200 kB/s, 25 people moving
              line.key            from a key to its effect on that terminal, 9 of 10 keys (ms, wall)
      feed    (only if named) the social feed, and crowds of which a tenth is there in a step; times are wall
              feed.act            actions of accounts a second, in memory, 10,000 of them
              feed.kept           the same, each in a save
              feed.refresh        looks at the feed a second
              feed.hot            the hundred hottest posts (ms)
              crowd.step          a step of 1,000,000 users, 544 posts weighed for each, saved (s)
              crowd.small         a step of 100,000 (s)
              crowd.made          until there are 1,000,000 users and their graph (s)
              crowd.memory        resident memory then (MB)
              crowd.ranked        users a second for whom posts are ranked, read and acted on
              crowd.linear        how straight a line time is by users who are there, 10,000 to 1,000,000 (r2)
      phones  (only if named) people at their phones amid the strangers of a county
              phones.day          what they add to a day of Larkspur (s)
              phones.card         a card of the feed, made to be shown (ms)
              phones.key          from a key in the feed to its effect while the crowd ticks, 95 of 100 keys (ms, wall)
      minds   (only if named) against a scripted model on this computer that takes 200 ms to answer
              mind.overhead       how much longer a town takes than litellm alone with the same requests
              mind.cpu            CPU of a call, litellm's apart (ms)
              mind.prompt         the middle prompt (tokens)
              mind.tokens         tokens of all prompts, a resident-hour
      lab     (only if named) two arms of sentipolis in two processes, with the report
              lab.sixty           what sixty seeds take, by ten (s, wall)
      ties    (only if named) the network of ties
              ties.round          a round of the rule of ties, 1,000 people, all pairs active (ms)
              ties.report         its measures, of 1,000 people who all know one another (s)
              ties.read           how all stood to all, read from a save of seven days (ms, wall)
              ties.at             how they stood at one moment (ms, wall)
              ties.redraw         a picture of the graph, 100x34 cells, 25 people drifting, middle of 100 (ms)
      cards   (only if named) the cards of a director, the slowest of nine
              cards.touch         whom one is likely to touch (ms, wall)
              cards.deal          from the command until it has taken effect (ms, wall)
      played  (only if named) being somebody in a town at half past ten
              played.acts         what there is to say to somebody, with forecasts, the slowest (ms, wall)
              played.key          from a key to what it does (a walk, a sheet), 95 of 100 keys (ms, wall)
      receipt (only if named) what came of a post by hand in a day of Larkspur
              receipt.told        what its chain of causes holds, read and told (s)
              receipt.twin        the same with the day lived without it (s)
      branches (only if named) saves and branches of them
              branch.compare      two branches of seven days that part after the first, compared (s)
              branch.made         a branch of a save of thirty days, made (s)
              branch.tree         a folder of fifty branches, told as a tree (s)
      old     (only if named) a town of thirty days, and one of a hundred people, six days
              old.step            from the command until that town has lived one step more (s, wall)
              old.beside          what that costs, beside the same after its first day (CPU)
              old.day             what an event costs in its last week, beside the first
              old.memory          resident memory that a day adds (MB)
              old.crowd           what an event of the hundred costs on their last day, beside the first

    \b
    Examples:
      sandbox bench
      sandbox bench --only day,frame --json
    """
    import tempfile
    from pathlib import Path

    from sandbox.cli.figures import GROUPS, USUAL, Bench

    chosen = list(USUAL) if only is None else [name.strip() for name in only.split(",")]
    for name in chosen:
        if name not in GROUPS:
            raise click.UsageError(unknown("group of figures", name, GROUPS))

    async def measure() -> list[BenchFigure]:
        found: list[BenchFigure] = []
        with (
            tempfile.TemporaryDirectory(prefix="sandbox-bench-") as folder,
            progress_bar("measuring", "groups") as moved,
        ):
            laboratory = Bench(Path(folder), quick)
            for done, name in enumerate(chosen):
                moved(done, len(chosen))
                found += await laboratory.group(name)
        return found

    figures = wait_for(measure())
    fine = all(f.ok is not False for f in figures)
    if as_json:
        say_json({"ok": fine, "quick": quick, "figures": [f._asdict() for f in figures]})
    else:
        _table(figures, quick)
    if not fine:
        raise SystemExit(1)


def _table(figures: list[BenchFigure], quick: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title="quick" if quick else None, title_justify="left")
    for head in ("FIGURE", "VALUE", "UNIT", "TARGET", "", "RATIO", "LOOP MS", "NOTE"):
        table.add_column(head, justify="right" if head in ("VALUE", "TARGET", "RATIO", "LOOP MS") else "left")
    for f in figures:
        state = "[dim]-[/dim]" if f.ok is None else "[green]ok[/green]" if f.ok else "[red]missed[/red]"
        value = "-" if f.value is None else f"{f.value:,.3g}" if f.value < 1000 else f"{f.value:,.0f}"
        target = "-" if f.target is None else f"{'>=' if f.more else '<='} {f.target:,g}"
        ratio = "" if f.ratio is None else f"{f.ratio:,.3g}"
        table.add_row(f.name, value, f.unit, target, state, ratio, f"{f.loop_ms:.1f}", f.note)
    console = Console()
    if not console.is_terminal:
        console.width = 120
    console.print(table)
