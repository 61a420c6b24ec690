"""The page of all keys, from the table of actions: `python tests/keys_page.py docs/keys.md` writes it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sandbox.tui.app.actions import ACTIONS
from sandbox.tui.panes.roster import PANES
from sandbox.tui.view.action import ANYWHERE, LIST, LIVE, REPLAY, SHEET, Action, keys_of, shown_key

TEMPLATE = Path(__file__).with_name("keys.md")
PLACES = {ANYWHERE: "", LIST: "in lists", SHEET: "on sheets", **{kind.PLACE.name: kind.PLACE.at for kind in PANES}}


def keys_page() -> str:
    """The page in Markdown: keys.md with a table for each group of actions."""
    groups: dict[str, list[Action[Any]]] = {}
    for action in ACTIONS:
        groups.setdefault(action.group, []).append(action)
    tables = (f"## {group}\n\n{_table(rows)}" for group, rows in groups.items())
    text = TEMPLATE.read_text(encoding="utf-8")
    return text.replace("<!-- the tables of actions -->\n", "\n".join(tables))


def _table(rows: Iterable[Action[Any]]) -> str:
    said = ""
    lines = ["| keys | what it does | where | id |", "|---|---|---|---|"]
    for action in rows:
        said = action.says or said
        lines.append(f"| {_keys(action)} | {_cell(said)} | {_where(action)} | `{action.id}` |")
    return "\n".join(lines) + "\n"


def _keys(action: Action[Any]) -> str:
    shown = (shown_key(key) for key in keys_of(action, {}))
    return " ".join(f"`{key}`" for key in shown) or "palette"


def _where(action: Action[Any]) -> str:
    when = {LIVE: "in a living town", REPLAY: "in a replay"}.get(action.when, "")
    return ", ".join(part for part in (PLACES[action.where], when) if part)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(keys_page(), encoding="utf-8")
