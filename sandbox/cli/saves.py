"""`sandbox saves`: list, describe, name, mark, branch and pack saves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sandbox.cli.moments import SaveMoment, at_moment, clock_of, step_of
from sandbox.cli.options import JSON, JSON_ROWS, SAVE
from sandbox.cli.telling import align_columns, say_json, say_text, wait_for
from sandbox.core.clock import Clock, parse_start
from sandbox.core.faults import path_text, safe
from sandbox.core.places import expand_path, saves_dir
from sandbox.core.plain import safe_line

if TYPE_CHECKING:
    from sandbox.readers.branch_difference import BranchSummary
    from sandbox.store.branch import SaveListing
    from sandbox.store.facts import SaveInfo
    from sandbox.store.save import Save
    from sandbox.store.tree import TreePlace


@click.group()
def saves() -> None:
    """List, describe, name, branch and pack saves.

    \b
    Examples:
      sandbox saves list
      sandbox saves tree
      sandbox saves info saves/larkspur-1.db
      sandbox saves branch saves/larkspur-1.db --at 300 --out what-if.db
    """


@saves.command("list")
@click.argument("folder", required=False, metavar="[FOLDER]")
@JSON_ROWS
def saves_list_command(folder: str | None, as_json: bool) -> None:
    """List the saves of a folder, the newest first; without a folder, your own."""
    from sandbox.store.branch import saves_list

    where = _folder(folder)
    found = wait_for(saves_list(where))
    if as_json:
        say_json([_facts(s.info) if s.info else {"path": str(s.path), "error": s.error} for s in found])
        return
    if not found:
        _none_in(where)
        return

    rows = []
    for one in found:
        i = one.info
        name = path_text(one.path)
        if i is None:
            rows.append((name, "cannot be opened", "", "", ""))
        else:
            rows.append((name, safe(i.title, 40), f"{i.step:,}", _length(i.t), f"{i.size / 1e6:.1f} MB"))
    say_text(align_columns(("SAVE", "WORLD", "STEPS", "LIVED", "SIZE"), rows, right=(2, 3, 4)))
    _broken(found)


def _folder(folder: str | None) -> Path:
    """The folder of saves that an argument means. Raises UsageError if it does not exist."""
    where = saves_dir() if folder is None else expand_path(folder)
    if folder is not None and not where.is_dir():
        raise click.UsageError(f"{folder}: there is no such folder; name one, or leave it out")
    return where


def _none_in(where: Path) -> None:
    say_text(f"no saves in {path_text(where)}; `sandbox play` or `sandbox run WORLD --save FILE` makes one")


def _broken(found: Sequence[SaveListing]) -> None:
    """Print why some saves cannot be opened."""
    for one in found:
        if one.info is None:
            say_text(one.error, err=True)


@saves.command("tree")
@click.argument("folder", required=False, metavar="[FOLDER]")
@JSON_ROWS
def tree_command(folder: str | None, as_json: bool) -> None:
    """List saves, each branch under the save it was made from, with where it left that save and what differed then.

    What differed is the first act of a player in the branch alone, or else the first event that came out differently.
    """
    from sandbox.readers.branch_difference import Forks
    from sandbox.store.branch import saves_list
    from sandbox.store.tree import tree, with_parents

    where = _folder(folder)

    async def look() -> list[tuple[TreePlace, BranchSummary | None]]:
        forks = Forks()
        return [(place, await forks.of(place)) for place in tree(await with_parents(await saves_list(where)))]

    found = wait_for(look())
    if as_json:
        say_json([_place_facts(place, fork) for place, fork in found])
        return
    if not found:
        _none_in(where)
        return
    for place, fork in found:
        _place(place, fork)
    _broken([place.save for place, _ in found])


def _place(place: TreePlace, fork: BranchSummary | None) -> None:
    """Print a save in the tree, and below a branch where it left its parent, and what differed first."""
    info, name = place.save.info, path_text(place.save.path)
    drawn, below = _drawn(place.over)
    if info is None:
        say_text(f"{drawn}{name}  cannot be opened")
        return
    say_text(f"{drawn}{name}  {safe(info.title, 40)}, {info.step:,} steps, {_length(info.t)}, {info.size / 1e6:.1f} MB")
    if place.lost:
        say_text(f"{below}{place.lost}")
    elif info.fork is not None and fork is not None:
        say_text(f"{below}left at step {info.fork.step:,}, {_hour(info, info.fork.t)}: {fork.text}")


def _drawn(over: Sequence[bool]) -> tuple[str, str]:
    """The lines drawn before a save, and before a line below it. over: see `TreePlace`."""
    before = "".join("│  " if more else "   " for more in over[:-1])
    if not over:
        return "", "   "
    return before + ("├─ " if over[-1] else "└─ "), before + ("│  " if over[-1] else "   ") + "   "


def _hour(info: SaveInfo, t: int) -> str:
    """ "day 2, 14:10"; "after 14:10" of town time if the save does not say when its world began."""
    try:
        clock = Clock(parse_start(info.start))
    except ValueError:
        return f"after {_length(t)}"
    return f"day {clock.day(t)}, {clock.hhmm(t)}"


def _place_facts(place: TreePlace, fork: BranchSummary | None) -> dict[str, Any]:
    info = place.save.info
    if info is None:
        return {"path": str(place.save.path), "error": place.save.error}
    left = info.fork if place.parent is not None else None
    return {
        **_facts(info),
        "depth": len(place.over),
        "of": str(place.parent.path) if place.parent is not None else None,
        "lost": place.lost or None,
        "left": None if left is None else {"step": left.step, "t": left.t, "time": _hour(info, left.t)},
        "different": None if fork is None else fork.text,
    }


@saves.command("name")
@SAVE
@click.argument("title", metavar="NAME")
def name_command(save: str, title: str) -> None:
    """Name a save; lists show the name.

    A branch that `U` on the screen made, to take an act back, is deleted once there are more than ten of them; a branch
    that has been named stays.

    \b
    Example:
      sandbox saves name larkspur-3.db "if nobody had asked"
    """
    from sandbox.store.branch import give_title
    from sandbox.store.files import path_of_save

    path = path_of_save(save)
    say_text(f"{path}: called {wait_for(give_title(path, title))}")


@saves.command("info")
@SAVE
@JSON
def info_command(save: str, as_json: bool) -> None:
    """Show what a save holds: its world, how far it goes, its digest, where it came from."""
    from sandbox.store.save import read_save

    async def look() -> tuple[SaveInfo, dict[str, Any], int, dict[int, str]]:
        async with await read_save(save) as opened:
            founding = await opened.founding_said()
            s = founding.scenario
            clock = Clock(parse_start(s.start))
            facts = {
                "world": s.name,
                "seed": s.seed,
                "residents": len(s.cast),
                "crowd": crowd if isinstance(crowd := s.parameters.get("feed.crowd"), int) else 0,
                "start": s.start,
                "time": f"{clock.at(opened.now):%Y-%m-%d %H:%M}",
                "versions": founding.versions,
            }
            facts["unversioned"] = await _unversioned(opened)
            return await opened.info(), facts, len(await opened.cached("snapshots")), await opened.bookmarks()

    info, facts, snapshots, marks = wait_for(look())
    if as_json:
        say_json({**_facts(info), **facts, "snapshots": snapshots, "bookmarks": marks})
        return

    rows = [
        ("world", f"{safe_line(info.title)} ({safe_line(facts['world'])}), seed {facts['seed']}"),
        ("people", str(facts["residents"])),
        *[("crowd", f"{facts['crowd']:,}")] * bool(facts["crowd"]),
        ("from", safe_line(facts["start"])),
        ("to", f"{facts['time']} ({info.step:,} steps, {_length(info.t)})"),
        ("events", f"{info.events:,}, {snapshots} snapshots, {info.size / 1e6:.1f} MB"),
        ("digest", info.digest),
        *[("unversioned", facts["unversioned"])] * bool(facts["unversioned"]),
        (
            "made",
            f"{safe_line(info.created)} by {safe_line(', '.join(f'{k} {v}' for k, v in facts['versions'].items()))}",
        ),
        ("id", safe_line(info.uid)),
    ]
    if info.parent:
        lay = info.meta.get("parent_at", "")
        where = f", which lay at {safe_line(lay)} seen from its folder" if lay else ""
        rows.append(("branch of", f"{safe_line(info.parent)} at step {info.parent_step:,}{where}"))
    rows += [(f"step {step:,}", safe_line(note)) for step, note in marks.items()]
    say_text(align_columns((), rows))


async def _unversioned(opened: Save) -> str | None:
    """The digest without versions, in hex; None if part of the log cannot be read."""
    from sandbox.store.errors import SaveError

    try:
        return (await opened.unversioned()).hex()
    except SaveError:
        return None


@saves.command("mark")
@SAVE
@click.argument("note", metavar="NOTE")
@at_moment('The step (780) or time (12:40, "day 3 12:40") to mark. Default: the last step.')
def mark_command(save: str, note: str, at: SaveMoment | None) -> None:
    """Put a bookmark on a step; `saves info` shows it. An empty note removes it.

    Bookmarks are kept beside the log: they change neither the digest nor what `replay --verify` finds.

    \b
    Example:
      sandbox saves mark week.db --at 600 "the row at the bakery"
    """
    from sandbox.store.files import path_of_save
    from sandbox.store.save import Save

    async def put() -> str:
        async with await Save.open(path_of_save(save)) as opened:
            step = await step_of(opened, at)
            await opened.bookmark(step, safe_line(note))
            hour = (await clock_of(opened)).words((await opened.steps(step, step))[0].t)
            return f"{path_text(opened.path)}: step {step:,}, {hour}"

    where, words = wait_for(put()), safe(safe_line(note), 200)
    say_text(f"{where}: “{words}”; `saves info` lists it" if words else f"{where}: the bookmark is removed")


@saves.command("branch")
@SAVE
@at_moment('The last step that the branch shares (780), or its time (12:40, "day 3 12:40").', required=True)
@click.option("--out", required=True, metavar="FILE", help="The new save.")
@click.option("--title", metavar="TEXT", help="A name for it.")
@click.option("--force", is_flag=True, help="Replace the file of --out if it exists.")
def branch_command(save: str, at: SaveMoment | None, out: str, title: str | None, force: bool) -> None:
    """Write a new save that ends at a step of another, to go on from there.

    A time means the step that ends then, or the first that ends later.

    \b
    Examples:
      sandbox saves branch day.db --at 300 --out what-if.db && sandbox run what-if.db --days 1
      sandbox saves branch week.db --at "day 2 08:00" --out what-if.db
    """
    from sandbox.store.branch import branch
    from sandbox.store.files import path_of_save
    from sandbox.store.save import Save

    if at is None:
        raise click.UsageError('--at needs a step as 780, or a time as "day 2 08:00"')
    source, called = path_of_save(save), None if title is None else safe_line(title)

    async def make() -> tuple[Path, int]:
        step = at.step
        if step is None:
            async with await Save.open(source, read_only=True) as opened:
                step = await step_of(opened, at)
        return await branch(source, step, expand_path(out), title=called, overwrite=force), step

    path, step = wait_for(make())
    say_text(f"{path}: a branch of {save} at step {step:,}; go on with `sandbox run {path}`")


@saves.command("pack")
@SAVE
def pack_command(save: str) -> None:
    """Make a save small: write it anew as this version does, in its place. Its events and digest stay.

    A save of an older version is also quick to look back in again after this. It must not be open, and for a moment
    takes room for two small copies.

    \b
    Example:
      sandbox saves pack week.db
    """
    from sandbox.store.files import path_of_save
    from sandbox.store.player import pack

    path = path_of_save(save)
    before, after = wait_for(pack(path))
    say_text(f"{path_text(path)}: {before / 1e6:.1f} MB before, {after / 1e6:.1f} MB now")


def _length(seconds: int) -> str:
    """Seconds of town time as "1 d 02:30"."""
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
        "unversioned": info.unversioned or None,
        "parent": info.parent or None,
        "parent_step": info.parent_step if info.parent else None,
        "parent_at": info.meta.get("parent_at") or None,
        "bytes": info.size,
    }
