"""A policy in a town: chosen in its file or live, taught again after a break, and not needed by whoever replays."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from sandbox.cli.main import cli
from sandbox.engine.loading import WorldFaults, find_world, load
from sandbox.policy.model import PolicyParameters, Steer, SteerByHand
from sandbox.store.save import Save
from sandbox.store.session import Session, open_session
from sandbox.store.verify import verify

LIVELY = (
    "feed.crowd=400", "feed.tick=180", "crowd.activity=0.3", "crowd.posts=0.2", "crowd.like=0", "crowd.comment=-1",
    "crowd.repost=-2",
)  # fmt: skip
CALM = """
import numpy as np
from sandbox.policy.choice import Choice
from sandbox.policy.contract import Policy


class Calm(Policy):
    name = "calm"

    def begin(self, seed):
        self.rounds = 0

    def choose(self, view, draw):
        if not view.fresh.any():
            return Choice()
        rows = np.flatnonzero(view.fresh.any(axis=1))
        return Choice.of_arms(view.readers[rows], view.posts.number[view.fresh[rows].argmax(axis=1)], self.rounds)

    def learn(self, seen):
        self.rounds += 1
"""


def county(save: Path | None, steps: int, policy: str = "", seed: int = 1, **more: Any) -> bytes:
    """Run a world of a crowd alone, or go on with a save; the digest of its whole log."""

    async def go() -> bytes:
        given: dict[str, Any] = {"policy": policy, **more}
        if save is None or not save.exists():
            given |= {"set": LIVELY, "save": save, "seed": seed}
        async with open_session("county" if "set" in given else save, **given) as session:  # type: ignore[arg-type]
            for _ in range(steps):
                await session.engine.step()
            return session.save.digest

    return asyncio.run(go())


async def lived(session: Session, steps: int) -> None:
    for _ in range(steps):
        await session.engine.step()


@pytest.mark.parametrize("policy", ["linucb", pytest.param("networks", marks=pytest.mark.slow)])
def test_a_policy_taught_again_from_the_log_decides_as_if_it_had_gone_on(tmp_path: Path, policy: str) -> None:
    whole = county(tmp_path / "whole.db", 24, policy)
    county(tmp_path / "parts.db", 10, policy)
    for steps in (1, 6, 7):
        parts = county(tmp_path / "parts.db", steps)
    assert parts == whole


def test_one_of_ones_own_is_taught_again_and_one_that_is_not_given_is_missed(tmp_path: Path) -> None:
    file = tmp_path / "calm.py"
    file.write_text(CALM)
    whole = county(tmp_path / "whole.db", 16, str(file))
    county(tmp_path / "parts.db", 10, str(file))
    shutil.copy(tmp_path / "parts.db", tmp_path / "other.db")
    assert county(tmp_path / "parts.db", 6, str(file)) == whole
    county(tmp_path / "other.db", 2)
    last = rounds(tmp_path / "other.db")[-1]
    assert last.policy == "calm"
    assert "give it with --policy" in last.fault


def rounds(save: Path) -> list[Any]:
    async def go() -> list[Any]:
        async with await Save.open(save, read_only=True) as opened:
            return [r.event for r in await opened.records({"steered"}, 0, opened.last_seq)]

    return asyncio.run(go())


@pytest.mark.slow
def test_killed_in_mid_round_resumed_and_replayed_without_the_policy(tmp_path: Path) -> None:
    """Nothing of the policy's code is there when the save is replayed: its modules are made to fail."""
    save, whole = tmp_path / "killed.db", county(tmp_path / "whole.db", 30, "linucb")
    script = (
        "import asyncio, sys\nfrom sandbox.store.session import open_session\n"
        "async def go():\n"
        f"    given = dict(set={LIVELY!r}, save=sys.argv[1], seed=1, policy='linucb', paced=True)\n"
        "    async with open_session('county', **given) as s:\n"
        "        for i in range(30):\n"
        "            await s.engine.step()\n"
        "            await s.save.settle()\n"
        "            print(i, flush=True)\n"
        "asyncio.run(go())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script, str(save)], stdout=subprocess.PIPE, env=os.environ) as running:
        assert running.stdout is not None
        for _ in range(11):
            running.stdout.readline()
        running.send_signal(signal.SIGKILL)
        running.wait()

    async def reached() -> int:
        async with await Save.open(save, read_only=True) as opened:
            return opened.last_step

    assert county(save, 30 - asyncio.run(reached())) == whole
    blind = (
        "import asyncio, sys\nfrom pathlib import Path\nimport sandbox.policy.seat as seat\n"
        "def gone(*a, **k): raise RuntimeError('no policy here')\n"
        "seat.Seat.__init__ = gone\n"
        "from sandbox.store.verify import verify\n"
        "from sandbox.store.save import Save\n"
        "async def go():\n"
        "    async with await Save.open(sys.argv[1], read_only=True) as save:\n"
        "        found = await save.verify()\n"
        "        assert found.ok, found\n"
        "asyncio.run(go())\n"
    )
    subprocess.run([sys.executable, "-c", blind, str(save)], check=True)


def test_a_jump_reaches_the_middle_of_a_round(tmp_path: Path) -> None:
    save = tmp_path / "a.db"
    county(save, 24, "linucb")

    async def go() -> list[bytes]:
        async with await Save.open(save, read_only=True) as opened:
            found = []
            for step in (7, 19, 12, 24):
                world = await opened.seek(step)
                found.append(world.feed.proof())
                assert world.feed.steering is not None
            assert (await verify(opened)).ok
            return found

    assert len(set(asyncio.run(go()))) == 4


def test_the_world_file_names_a_policy_and_faults_are_told_with_line_and_mend(tmp_path: Path) -> None:
    world = tmp_path / "mine"
    shutil.copytree(find_world("county"), world)
    file = world / "world.yaml"
    before = file.read_text()
    file.write_text(f"{before}\npolicy:\n  learner: linucb\n  objective: cross_stance\n  mix: true\n")
    assert load(world).parameters["policy.learner"] == "linucb"
    assert load(world).parameters["policy.mix"] is True
    for line, why in (
        ("learner: linucbe", 'no learner "linucbe"; did you mean "linucb"'),
        ("objective: peace", 'no objective "peace"'),
        ("lever: mix", 'no setting of a policy "lever"'),
        ("silenced: 0.5", "silenced"),
        ("hops: 3", "hops"),
    ):
        file.write_text(f"{before}\npolicy:\n  {line}\n")
        with pytest.raises(WorldFaults) as faults:
            load(world)
        assert why in str(faults.value)
        assert f"world.yaml:{before.count(chr(10)) + 3}" in str(faults.value)


def test_a_world_without_a_feed_has_nothing_to_steer(tmp_path: Path) -> None:
    with pytest.raises(WorldFaults, match=r"there is no feed; say `feed\.on: true`"):
        load(find_world("larkspur"), set=["feed.on=false", "feed.crowd=0", "policy.learner=linucb"])

    async def go() -> None:
        async with open_session("larkspur", set=["feed.on=false", "feed.crowd=0"]) as session:
            with pytest.raises(ValueError, match="no feed to steer; start one with --crowd"):
                session.engine.do(Steer(settings=PolicyParameters("linucb")))

    asyncio.run(go())


def test_a_policy_is_changed_in_mid_run_and_let_go(tmp_path: Path) -> None:
    async def go() -> Sequence[str]:
        async with open_session("county", set=LIVELY, save=tmp_path / "a.db") as session:
            await lived(session, 4)
            for learner in ("linucb", "random", ""):
                session.engine.do(Steer(settings=PolicyParameters(learner)))
                await lived(session, 4)
            assert session.world.feed.steering is None
        return [e.policy for e in await asyncio.to_thread(rounds, tmp_path / "a.db")]

    assert asyncio.run(go()) == ["linucb"] * 4 + ["random"] * 4 + [""]


def test_nobody_steers_unless_a_policy_is_named(tmp_path: Path) -> None:
    county(tmp_path / "a.db", 6)
    assert rounds(tmp_path / "a.db") == []


def test_whoever_takes_the_platforms_seat_sets_mix_and_exposure() -> None:
    async def go() -> None:
        async with open_session("county", set=LIVELY, policy="hand") as session:
            await lived(session, 3)
            world = session.world
            session.engine.do(SteerByHand(mix=(0.2, 0.3, 0.5), down={5: 25, 3: 0}))
            await lived(session, 1)
            assert world.feed.steering is not None
            assert world.feed.steering.mix == (0.2, 0.3, 0.5)
            assert world.feed.steering.level is not None
            assert np.flatnonzero(world.feed.steering.level < 100).tolist() == [3, 5]
            for command, why in (
                (SteerByHand(mix=(0.9, 0.9, 0.0)), "sum to 1"),
                (SteerByHand(down={10**6: 0}), "there is no user"),
                (SteerByHand(down={1: 100}), "0 to 99"),
                (SteerByHand(down=dict.fromkeys(range(41), 0)), "at most 40 can be turned down"),
            ):
                with pytest.raises(ValueError, match=why):
                    session.engine.do(command)
            session.engine.do(Steer(settings=PolicyParameters("linucb")))
            await lived(session, 1)
            with pytest.raises(ValueError, match="somebody else is in the platform's seat"):
                session.engine.do(SteerByHand())

    asyncio.run(go())


def test_the_command_line_takes_a_policy_and_says_what_is_wrong_with_one(tmp_path: Path) -> None:
    file = tmp_path / "calm.py"
    file.write_text(CALM)
    run = ["run", "county", "--crowd", "200", "--steps", "3"]
    assert CliRunner().invoke(cli, [*run, "--policy", str(file)]).exit_code == 0
    wrong = CliRunner().invoke(cli, [*run, "--policy", "linucbe"])
    assert wrong.exit_code == 2
    assert 'did you mean "linucb"' in wrong.output
