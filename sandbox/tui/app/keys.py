"""Write docs/keys.md from the table of actions: `python -m sandbox.tui.app.keys docs/keys.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sandbox.tui.app.actions import ACTIONS
from sandbox.tui.panes.roster import PANES
from sandbox.tui.view.action import ANYWHERE, LIST, LIVE, REPLAY, SHEET, Action, keys_of, shown_key

HEAD = """\
# Keys

This page is made from the table of actions (`make keys`). Press `?` on the screen for the keys of the pane in focus;
there, enter or a click does what a row says. `ctrl+p` opens the palette: the same actions by name.

One rule for keys: digits are panes, brackets are tabs, `enter` goes in, `escape` goes out, letters act on what is
chosen. Lists move with the arrows or `j` and `k`. With the mouse: a click chooses, a click on what is chosen goes in,
dragging and the wheel move the map or the list, and the wheel with ctrl zooms.
"""

TAIL = """\
## Other keys

Keys are changed in the settings file, under `keys:`, by the id of the action. The file's place stands at the end of
the settings (`f2`); it is `settings.yaml` in the folder `SANDBOX_HOME`, or in your folder for the data of programs.

```yaml
keys:
  time.pause: P             # one key instead of those above
  go.find: [f3, ctrl+f]     # or several
  app.picture: "*"          # signs in quotes
  chosen.favourite: f8      # which had the "*" before
```

What is named in the file replaces all keys of that action. A letter is what it gives (`N` is shift and n); other keys
are called `space`, `enter`, `tab`, `escape`, `backspace`, `delete`, `insert`, `home`, `end`, `pageup`, `pagedown`,
`left`, `right`, `up`, `down`, `f1` to `f12`, and `ctrl+`, `alt+` or `shift+` may stand before. Not every terminal
sends them all. `ctrl+c`, `ctrl+q`, `ctrl+p` and `ctrl+z` stay what they are. `ctrl+z` stops the program and gives the
terminal to the shell, whatever is open; `fg` brings it back as it was, and no time of the town has passed. Where no
shell waits it says so, and does nothing.

Keys that would do two things, keys that do not exist, and ids that are none are named when the program starts, with
the line of the file; what had the key before keeps it.

## Copying

`y` sends the text to the terminal (OSC 52), which may put it into the clipboard or not: some ask, some must be told to
in their settings. tmux passes on what a program inside it sends only with `set -g set-clipboard on` in `tmux.conf`
(usual is `external`); so within tmux the text is loaded into its newest buffer, too, which tmux pastes (prefix and `]`)
and, from 3.2 on, hands to its own terminal's clipboard.
"""

PLACES = {
    ANYWHERE: "",
    LIST: "in lists",
    SHEET: "on sheets",
    **{kind.PLACE.name: kind.PLACE.at for kind in PANES},
}


def keys_page() -> str:
    """The page in Markdown."""
    groups: dict[str, list[Action[Any]]] = {}
    for action in ACTIONS:
        groups.setdefault(action.group, []).append(action)
    tables = (f"## {group}\n\n{_table(rows)}" for group, rows in groups.items())
    return "\n".join((HEAD, *tables, TAIL))


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
