"""`sandbox saves`: what saves there are, what is in one, and branches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sandbox.cli.telling import columns, say, say_json, wait_for
from sandbox.core.clock import Clock, parse_start
from sandbox.core.faults import safe, shown
from sandbox.core.places import saves_dir, typed
from sandbox.core.plain import visible

if TYPE_CHECKING:
    from sandbox.store.facts import SaveInfo


@click.group()
def saves() -> None:
    """List, describe and branch saves.

    \b
    Examples:
      sandbox saves list
      sandbox saves info saves/larkspur-1.db
      sandbox saves branch saves/larkspur-1.db --at 300 --out what-if.db
    """


@saves.command("list")
@click.argument("folder", required=False, metavar="[FOLDER]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a script.")
def list_command(folder: str | None, as_json: bool) -> None:
    """List the saves of a folder, the newest first; without a folder, your own."""
    from sandbox.store.branch import saves_list

    where = saves_dir() if folder is None else typed(folder)
    if folder is not None and not where.is_dir():
        raise click.UsageError(f"{folder}: there is no such folder; name one, or leave it out")
    found = wait_for(saves_list(where))
    if as_json:
        say_json([_facts(s.info) if s.info else {"path": str(s.path), "error": s.error} for s in found])
        return
    if not found:
        say(f"no saves in {shown(where)}; `sandbox play` or `sandbox run WORLD --save FILE` makes one")
        return

    rows = []
    for one in found:
        i = one.info
        name = shown(one.path)
        if i is None:
            rows.append((name, "cannot be opened", "", "", ""))
        else:
            rows.append((name, safe(i.title, 40), f"{i.step:,}", _length(i.t), f"{i.size / 1e6:.1f} MB"))
    say(columns(("SAVE", "WORLD", "STEPS", "LIVED", "SIZE"), rows, right=(2, 3, 4)))
    for one in found:
        if one.info is None:
            say(one.error, err=True)


@saves.command("info")
@click.argument("save", metavar="SAVE")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a script.")
def info_command(save: str, as_json: bool) -> None:
    """Tell what a save holds: its world, how far it goes, its digest, where it came from."""
    from sandbox.store.session import read_save

    async def look() -> tuple[SaveInfo, dict[str, Any], int, dict[int, str]]:
        async with await read_save(save) as opened:
            from sandbox.engine.scenario import Founded

            event = (await opened.found()).event
            assert isinstance(event, Founded)
            s = event.scenario
            clock = Clock(parse_start(s.start))
            facts = {
                "world": s.name,
                "seed": s.seed,
                "residents": len(s.cast),
                "crowd": s.parameters.get("feed.crowd", 0),
                "start": s.start,
                "time": f"{clock.at(opened.now):%Y-%m-%d %H:%M}",
                "versions": event.versions,
            }
            return await opened.info(), facts, len(await opened.cached("snapshots")), await opened.bookmarks()

    info, facts, snapshots, marks = wait_for(look())
    if as_json:
        say_json({**_facts(info), **facts, "snapshots": snapshots, "bookmarks": marks})
        return

    rows = [
        ("world", f"{visible(info.title)} ({visible(facts['world'])}), seed {facts['seed']}"),
        ("people", str(facts["residents"])),
        *[("crowd", f"{facts['crowd']:,}")] * bool(facts["crowd"]),
        ("from", visible(facts["start"])),
        ("to", f"{facts['time']} ({info.step:,} steps, {_length(info.t)})"),
        ("events", f"{info.events:,}, {snapshots} snapshots, {info.size / 1e6:.1f} MB"),
        ("digest", info.digest),
        ("made", f"{visible(info.created)} by {visible(', '.join(f'{k} {v}' for k, v in facts['versions'].items()))}"),
        ("id", visible(info.uid)),
    ]
    if info.parent:
        rows.append(("branch of", f"{visible(info.parent)} at step {info.parent_step:,}"))
    rows += [(f"step {step:,}", visible(note)) for step, note in marks.items()]
    say(columns((), rows))


@saves.command("mark")
@click.argument("save", metavar="SAVE")
@click.argument("note", metavar="NOTE")
@click.option("--at", type=click.IntRange(0), metavar="STEP", help="The step it belongs to. Default: the last.")
def mark_command(save: str, note: str, at: int | None) -> None:
    """Put a bookmark to a step; `saves info` shows it. An empty note takes it away.

    Bookmarks lie beside the log: they change neither the digest nor what `replay --verify` finds.

    \b
    Example:
      sandbox saves mark week.db --at 600 "the row at the bakery"
    """
    from sandbox.store.save import Save
    from sandbox.store.session import save_named

    async def put() -> None:
        async with await Save.open(save_named(save)) as opened:
            await opened.bookmark(opened.last_step if at is None else at, visible(note))

    wait_for(put())


@saves.command("branch")
@click.argument("save", metavar="SAVE")
@click.option("--at", type=click.IntRange(0), required=True, metavar="STEP", help="The last step the branch shares.")
@click.option("--out", required=True, metavar="FILE", help="The new save.")
@click.option("--title", metavar="TEXT", help="What to call it.")
@click.option("--force", is_flag=True, help="Replace the file of --out if it exists.")
def branch_command(save: str, at: int, out: str, title: str | None, force: bool) -> None:
    """Write a new save that ends at a step of another, to go on from there.

    \b
    Example:
      sandbox saves branch day.db --at 300 --out what-if.db && sandbox run what-if.db --days 1
    """
    from sandbox.store.branch import branch
    from sandbox.store.session import save_named

    called = None if title is None else visible(title)
    path = wait_for(branch(save_named(save), at, typed(out), title=called, overwrite=force))
    say(f"{path}: a branch of {save} at step {at:,}; go on with `sandbox run {path}`")


def _length(seconds: int) -> str:
    """ "1 d 02:30" lived."""
    days, rest = divmod(seconds, 86400)
    clock = f"{rest // 3600:02d}:{rest % 3600 // 60:02d}"
    return f"{days} d {clock}" if days else clock


def _facts(info: SaveInfo) -> dict[str, Any]:
    return {
        "path": str(info.path),
        "title": info.title,
        "uid": info.uid,
        "created": info.created,
        "steps": info.step,
        "seconds": info.t,
        "events": info.events,
        "digest": info.digest,
        "parent": info.parent or None,
        "parent_step": info.parent_step if info.parent else None,
        "bytes": info.size,
    }
