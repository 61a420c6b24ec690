"""Bad worlds and bad saves: a clear line, exit code 2, no traceback, and the file as it was."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from clishell import Shell

from sandbox.core.places import shipped_folder
from sandbox.store.save import Save

Break = Callable[[Path], None]


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, f"{old!r} is not in {path}"
    path.write_text(text.replace(old, new, 1))


def own_person(world: Path, who: str, old: str, new: str) -> None:
    """A persona of the world's own, changed, that goes before the shipped one."""
    (world / "personas").mkdir(exist_ok=True)
    path = world / "personas" / f"{who}.yaml"
    path.write_text((shipped_folder("personas") / f"{who}.yaml").read_text())
    change(path, old, new)


def broken_yaml(world: Path) -> None:
    change(world / "world.yaml", "cast:", "cast: [")


def unknown_key(world: Path) -> None:
    change(world / "world.yaml", "title:", "titel: x\ntitle:")


def missing_place(world: Path) -> None:
    own_person(world, "mara", "Tansy Bakery / kitchen", "Tansy Bakery / kitchin")


def unreachable_room(world: Path) -> None:
    """Wall up the doors of the chapel."""
    areas, rows = (world / "areas.yaml").read_text(), (world / "map.txt").read_text().split("\n")
    x, y, w, h = map(int, re.search(r"\n  Chapel:[^\[]*\[(\d+), (\d+), (\d+), (\d+)\]", areas).groups())
    for j in range(y, y + h):
        rows[j] = rows[j][:x] + rows[j][x : x + w].replace("+", "#") + rows[j][x + w :]
    (world / "map.txt").write_text("\n".join(rows))


def two_of_a_name(world: Path) -> None:
    name = re.search(r"^name: (.*)$", (shipped_folder("personas") / "vera.yaml").read_text(), re.M)[1]
    own = re.search(r"^name: (.*)$", (shipped_folder("personas") / "mara.yaml").read_text(), re.M)[1]
    own_person(world, "mara", f"name: {own}", f"name: {name}")


def ragged_map(world: Path) -> None:
    rows = (world / "map.txt").read_text().split("\n")
    rows[3] = rows[3][:-4]
    (world / "map.txt").write_text("\n".join(rows))


def duplicate_key(world: Path) -> None:
    change(world / "world.yaml", "title:", "seed: 1\ntitle:")


def no_map(world: Path) -> None:
    (world / "map.txt").unlink()


WORLDS: list[tuple[Break, str]] = [
    (broken_yaml, "world.yaml:"),
    (unknown_key, '"titel"'),
    (missing_place, 'did you mean "Tansy Bakery / kitchen"?'),
    (unreachable_room, "Chapel"),
    (two_of_a_name, "is the name of"),
    (ragged_map, "map.txt:4"),
    (duplicate_key, "twice"),
    (no_map, "map.txt"),
]


@pytest.mark.sampled(10)
@pytest.mark.parametrize(("spoil", "says"), WORLDS, ids=[b.__name__ for b, _ in WORLDS])
@pytest.mark.parametrize("command", [["run"], ["play"], ["worlds", "check"]], ids=lambda c: c[0])
def test_a_broken_world_is_told_line_by_line(
    shell: Shell, world: Path, spoil: Break, says: str, command: list[str]
) -> None:
    spoil(world)
    done = shell(*command, world)
    assert done.code == 2
    said = done.err + (done.out if command == ["worlds", "check"] else "")
    assert says in said, said
    assert "Traceback" not in said
    assert all(re.match(r"\S.*: \S", line) for line in done.err.splitlines() if "fault" not in line), done.err
    assert not (Path("home") / "saves").exists()


@pytest.mark.slow
def test_an_unquoted_time_is_a_time(shell: Shell, world: Path) -> None:
    """YAML 1.1 reads 12:30 as 750; here it is half past twelve, quoted or not."""
    lunch = re.search(r'at: ("1[23]:\d\d")', (shipped_folder("personas") / "mara.yaml").read_text())[1]
    own_person(world, "mara", lunch, lunch.strip('"'))
    world = world.rename("larkspur")
    plain = shell(
        "run", Path(shipped_folder("worlds") / "larkspur"), "--until", "08:30", "--step", "10m", "--json"
    ).json
    assert shell("run", world, "--until", "08:30", "--step", "10m", "--json").json["digest"] == plain["digest"]


def test_a_number_for_a_time_is_refused(shell: Shell, world: Path) -> None:
    own_person(
        world,
        "mara",
        re.search(r'wake: ("\d\d:\d\d")', (shipped_folder("personas") / "mara.yaml").read_text())[1],
        "750",
    )
    done = shell("run", world, "--steps", 1)
    assert done.code == 2
    assert re.search(r'mara\.yaml:\d+: .*"750" is no time of day', done.err), done.err


def test_a_folder_without_a_world_says_so(shell: Shell) -> None:
    Path("empty").mkdir()
    done = shell("run", "empty")
    assert (done.code, done.err) == (2, "empty: holds no world.yaml; add one, or name another folder\n")


def cut(save: Path) -> None:
    save.write_bytes(save.read_bytes()[:70_000])


def cut_in_header(save: Path) -> None:
    save.write_bytes(save.read_bytes()[:50])


def empty(save: Path) -> None:
    save.write_bytes(b"")


def noise(save: Path) -> None:
    save.write_bytes(bytes((i * i * 31 + i * 7) % 251 for i in range(100_000)))


def newer(save: Path) -> None:
    data = bytearray(save.read_bytes())
    data[60:64] = (999).to_bytes(4, "big")
    save.write_bytes(bytes(data))


def foreign(save: Path) -> None:
    import sqlite3

    save.unlink()
    db = sqlite3.connect(save)
    db.execute("CREATE TABLE notes (text)")
    db.commit()
    db.close()


SAVES: list[tuple[Break, str]] = [
    (cut, "is cut short"),
    (cut_in_header, "is cut short"),
    (empty, "is empty"),
    (noise, "is not a save"),
    (newer, "newer version (format 999)"),
    (foreign, "not a save"),
]
READERS = [
    ["run"],
    ["play"],
    ["replay", "--verify"],
    ["replay", "--verify", "--json"],
    ["replay"],
    ["saves", "info"],
    ["saves", "branch", "--at", "3", "--out", "b.db"],
]


@pytest.mark.sampled(40, slow=999)
@pytest.mark.parametrize(("spoil", "says"), SAVES, ids=[b.__name__ for b, _ in SAVES])
@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_what_is_no_save_is_told_and_left_alone(
    shell: Shell, save: Path, spoil: Break, says: str, command: list[str]
) -> None:
    spoil(save)
    before = save.read_bytes()
    done = shell(*command, save)
    assert done.code == 2
    assert done.err.strip().splitlines()[-1].startswith(f"{save}: ")
    assert len(done.err.strip().splitlines()) == 1
    assert says in done.err
    assert save.read_bytes() == before
    assert [p.name for p in save.parent.glob("*.db*")] == ["a.db"]


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_no_such_save_is_told(shell: Shell, command: list[str]) -> None:
    done = shell(*command, "none.db")
    assert done.code == 2
    assert "none.db: there is no such save" in done.err
    assert not list(Path().glob("*.db*"))


def test_a_save_being_played_is_watched_but_not_gone_on_with(shell: Shell, save: Path) -> None:
    async def player() -> tuple[int, str, int, int]:
        async with await Save.open(save):
            refused = await asyncio.to_thread(shell, "run", save, "--steps", 1)
            watched = await asyncio.to_thread(shell, "replay", save, "--verify")
            looked = await asyncio.to_thread(shell, "saves", "info", save)
            return refused.code, refused.err, watched.code, looked.code

    code, err, watched, looked = asyncio.run(player())
    assert (code, watched, looked) == (2, 0, 0)
    assert "is being played by another process" in err
    assert "Traceback" not in err


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="everything may be written by root")
def test_a_file_that_may_not_be_written_is_watched_but_not_gone_on_with(shell: Shell, save: Path) -> None:
    before = save.read_bytes()
    save.chmod(0o444)
    save.parent.chmod(0o555)
    try:
        assert shell("replay", save, "--verify").code == 0
        done = shell("run", save, "--steps", 1)
        assert done.code == 2
        assert "Traceback" not in done.err
        assert save.read_bytes() == before
    finally:
        save.parent.chmod(0o755)
        save.chmod(0o644)
