"""Saves as a tree: each branch under the save it was made from, if that exists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sandbox.core.faults import safe
from sandbox.store.branch import PARENT_AT, SaveListing, parent_path, read_listing
from sandbox.store.facts import SaveInfo

ELSEWHERE = 100  # most saves that are read outside the listed folder


class TreePlace(NamedTuple):
    """The place of a save in the tree. over: for each level from the top down to its own, whether a sibling follows;
    empty for a root. parent: what it is a branch of. lost: why a branch is a root, else "".
    """

    save: SaveListing
    over: tuple[bool, ...] = ()
    parent: SaveListing | None = None
    lost: str = ""


async def with_parents(saves: Sequence[SaveListing]) -> list[SaveListing]:
    """These saves, then the parents of their branches, and so on, that exist in other folders."""
    found = [*saves]
    known = {save.info.uid for save in saves if save.info is not None}
    looked: set[tuple[str, Path]] = set()
    for save in found:  # the list grows meanwhile
        path = parent_path(save)
        if save.info is None or path is None or save.info.parent in known or (save.info.parent, path) in looked:
            continue
        looked.add((save.info.parent, path))
        above = await read_listing(path)
        if above.info is not None and above.info.uid == save.info.parent:
            known.add(save.info.parent)
            found.append(above)
        if len(found) >= len(saves) + ELSEWHERE:
            break
    return found


def tree(saves: Sequence[SaveListing]) -> list[TreePlace]:
    """All these saves in the order of a tree: roots as given, each followed by its branches, as given. A family stands
    where its first member stood.
    """
    by_uid: dict[str, SaveListing] = {}
    for save in saves:
        if save.info is not None and save.info.uid:
            by_uid.setdefault(save.info.uid, save)
    parents = {id(save): _parent(save, by_uid) for save in saves}
    children: dict[int, list[SaveListing]] = {}
    for save in saves:
        above = parents[id(save)][0]
        if above is not None:
            children.setdefault(id(above), []).append(save)
    out: list[TreePlace] = []
    done: set[int] = set()
    for save in saves:
        top, seen = save, {id(save)}
        while (above := parents[id(top)][0]) is not None and id(above) not in seen:
            top = above
            seen.add(id(top))
        if id(top) not in done:
            out += _below(top, parents, children, done)
    return out


def _parent(save: SaveListing, by_uid: dict[str, SaveListing]) -> tuple[SaveListing | None, str]:
    """The save that a save is a branch of; None and the reason if that is unknown."""
    info = save.info
    if info is None or not info.parent:
        return None, ""
    above = by_uid.get(info.parent)
    if above is None:
        return None, _not_here(info)
    if above is save or above.info is None or info.uid == info.parent:
        return None, "says it is a branch of itself"
    if info.fork is None or info.fork.digest.hex() != info.meta.get("parent_digest"):
        return None, "does not say where it left the save it is a branch of"
    if above.info.root != info.root:
        return None, "a branch of a save that has begun otherwise"
    return above, ""


def _not_here(info: SaveInfo) -> str:
    at = info.meta.get(PARENT_AT, "")
    return "a branch of a save that is not here" + (
        f"; it lay at {safe(at, 80)}, and has moved away or is gone" if at else ""
    )


def _below(
    top: SaveListing,
    parents: dict[int, tuple[SaveListing | None, str]],
    children: dict[int, list[SaveListing]],
    done: set[int],
) -> Iterator[TreePlace]:
    """A save and all its branches. Saves that name each other as parents appear once."""
    waiting: list[tuple[SaveListing, tuple[bool, ...]]] = [(top, ())]
    while waiting:
        save, over = waiting.pop()
        if id(save) in done:
            continue
        done.add(id(save))
        above, lost = parents[id(save)]
        if not over and above is not None:
            above, lost = None, "says it is a branch of its own branch"
        yield TreePlace(save, over, above, lost)
        below = children.get(id(save), [])
        waiting += reversed([(one, (*over, one is not below[-1])) for one in below])
