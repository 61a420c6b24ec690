"""`sandbox receipt`: what came of an act, what would have been without it, and what cannot be asked."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from clishell import Shell
from test_cli_foreign_saves import ACTIVE

from sandbox.core.events import Record, Stamp
from sandbox.engine.scenario import Founded, Scenario
from sandbox.engine.world import World
from sandbox.feed.commands import OnFeed
from sandbox.feed.events import Connected
from sandbox.lab.receipts import ReceiptFacts, ReceiptTeller
from sandbox.readers.all_stories import event_sentence
from sandbox.store.session import open_session

SAID = "Basil owes me for bread, and he knows it."


def acted(save: Path, text: str = SAID, steps: int = 90) -> Path:
    """Go on with a save: Mara posts something by hand, and time passes."""

    async def run() -> None:
        async with open_session(save) as session:
            session.engine.do(OnFeed(by="mara", action="create_post", arguments={"text": text}))
            for _ in range(steps):
                await session.engine.step()
            assert not session.engine.refused

    asyncio.run(run())
    return save


@pytest.mark.slow
def test_the_last_act_is_told_with_its_way_and_beside_the_same_time_without_it(shell: Shell, save: Path) -> None:
    done = shell("receipt", acted(save))
    assert done.code == 0
    assert "Mara posted" in done.out
    assert "the save ends before" in done.out, "a day has not passed"
    assert "WITHOUT IT" in done.out
    assert "would not be there" in done.out
    assert "Other luck with it" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.slow
def test_json_has_the_same_and_is_told_of_any_event_and_span(shell: Shell, save: Path) -> None:
    found = shell("receipt", acted(save), "--json").json
    assert found["told"]["act"]["text"].startswith("Mara posted")
    assert (found["asked"], found["whole"], found["untwinned"]) == (86400, False, "")
    assert found["luck"]["came"] <= found["told"]["events"]
    seq = found["told"]["act"]["seq"]
    short = shell("receipt", save, seq, "--hours", "0.5", "--no-twin", "--json").json
    assert (short["asked"], short["whole"], short["luck"]) == (1800, True, None)
    assert short["untwinned"] == "it was not asked for"
    other = shell("receipt", save, 30, "--json").json
    assert other["luck"] is None
    assert "not done by hand" in other["untwinned"]


def test_the_people_of_the_town_are_named_in_what_a_receipt_tells_of_the_feed(larkspur: Scenario) -> None:
    world = World.found(Record(Stamp(1, 0, 0, "", ()), Founded(larkspur, {})), remember=False)
    otis = next(n for n, account in world.feed.accounts.items() if account.handle == "otis")
    did = Record(Stamp(11, 1, 60, "mara", ()), Connected(user=0, act="block", other=otis))
    teller = ReceiptTeller(ReceiptFacts(did, [did], [], world, 60, 60, 120, by_hand=True)).teller([did])
    assert event_sentence(did, teller) == "Mara has blocked Otis on the feed"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "holds no act by hand; name the event"),
        (("999999",), "has no event 999999 that can lead to others; name one from 2 to "),
        (("1",), "the number of an event must be 2 or more, not 1"),
        (("x",), 'the number of an event must be a whole number from 2 up, not "x"'),
        (("30", "--hours", "0"), "--hours must be more than 0, not 0"),
        (("-5",), "the number of an event must be 2 or more, not -5"),
        (("30", "--hours", "nan"), '--hours must be a number above 0, 720 at most, not "nan"'),
    ],
)
def test_what_cannot_be_told_is_said_in_a_sentence(shell: Shell, save: Path, words: tuple[str, ...], told: str) -> None:
    done = shell("receipt", save, *words)
    assert done.code == 2
    assert told in done.err
    assert "Traceback" not in done.err


def test_words_from_outside_reach_the_terminal_as_text(shell: Shell, save: Path) -> None:
    done = shell("receipt", acted(save, f"Look \x9b31m[bold]{SAID}", 3), "--no-twin")
    assert done.code == 0
    assert not ACTIVE.search(done.out)
