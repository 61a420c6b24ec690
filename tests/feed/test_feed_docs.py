"""docs/feed.md: its example works, and its tables are complete."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from sandbox.feed.acting import Why
from sandbox.feed.acts import ACTIONS, COMMON, FeedAction
from sandbox.store.schema import FOUNDING
from sandbox.store.views_feed import VIEWS_FEED

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "feed.md").read_text(encoding="utf-8")


def row(action: FeedAction) -> str:
    """The row of an action, as the page has it."""
    takes = " ".join(f"`{a.name}`" if a.needed else f"[`{a.name}`]" for a in action.arguments)
    return f"| `{action.name}` | {takes} | {action.help} | {' '.join(f'`{why}`' for why in action.refusals)} |"


def test_the_example_prints_what_the_page_says() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    (printed,) = re.findall(r"It prints\n\n```\n(.*?)```", PAGE, re.S)
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ran.stdout == printed


def test_the_table_of_actions_is_that_of_the_program() -> None:
    told = [line for line in PAGE.partition("## Actions")[2].splitlines() if line.startswith("| `")]
    assert told[: len(ACTIONS)] == [row(action) for action in ACTIONS.values()]


def test_every_reason_is_told() -> None:
    assert {why for why in Why if f"`{why}`" not in PAGE} == set()
    assert all(f"`{why}`" in PAGE.partition("| action")[0] for why in COMMON)


def test_every_view_is_told() -> None:
    told = re.findall(r"^\| `(feed_\w+)` \| `([\w, ]+)` \|", PAGE, re.M)
    assert [name for name, _ in told] == list(VIEWS_FEED)


def test_the_columns_of_the_views_are_told() -> None:
    import sqlite3

    told = dict(re.findall(r"^\| `(feed_\w+)` \| `([\w, ]+)` \|", PAGE, re.M))
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE events (seq, step, t, kind, v, actor, causes, data)")
    db.execute(FOUNDING)
    for name, query in VIEWS_FEED.items():
        columns = [c[0] for c in db.execute(query).description]
        assert ", ".join(columns) == f"seq, step, t, clock, who, {told[name]}"
    db.close()
