"""The table of all actions: footer, palette, help and docs/keys.md are made from it. Settings remap keys by id.

Each action is declared beside its code: those of the town as a whole in `commands/`, those of a pane in its own file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import signature
from typing import Any

from sandbox.tui.commands import app, chosen, go, platform, playing, saves, time
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.panes.roster import PANES
from sandbox.tui.view.action import ANYWHERE, BOTH, LIST, LIVE, REPLAY, SHEET, Action, keys_of, shown_key
from sandbox.tui.widgets.lines import LIST_ACTIONS, TAB_ACTIONS, ListPane
from sandbox.tui.widgets.pane import Pane


def _lifted(action: Action[Any], where: str, pane: Callable[[TownLayout], Any]) -> Action[TownLayout]:
    """Turn a pane's action into one of its layout. where: the new `where`; pane: finds the pane, None = do nothing."""

    def does(layout: TownLayout) -> object:
        on = pane(layout)
        return action.does(on) if on is not None else None

    return Action(*action[:4], does, action.palette, where, *action[7:])


def _own(kind: type[Pane]) -> list[Action[TownLayout]]:
    """The actions a pane declares."""
    return [_lifted(action, kind.PLACE.name, lambda layout: layout.find(kind)) for action in kind.ACTIONS]


def _on_list(action: Action[ListPane]) -> Action[TownLayout]:
    """An action that any list has, done to the open sheet, else to the pane in focus."""
    return _lifted(action, LIST, lambda layout: layout.list)


def _shows(kind: type[Pane]) -> Action[TownLayout]:
    """The action that shows a pane, on the pane's digit key."""
    place = kind.PLACE

    def does(layout: TownLayout) -> None:
        layout.close_all()
        layout.show_pane(place.name)

    says = f"{place.says.capitalize()}."
    return Action(f"pane.{place.name}", place.digit, "", says, does, f"pane: {place.name}")


def check_actions(rows: Iterable[Action[TownLayout]]) -> tuple[Action[TownLayout], ...]:
    """The actions as a tuple. Raises TypeError for a repeated id, or a `does` not callable with one argument."""
    out: dict[str, Action[TownLayout]] = {}
    for action in rows:
        if action.id in out:
            raise TypeError(f"two actions are called {action.id}")
        try:
            signature(action.does).bind(None)
        except TypeError as error:
            raise TypeError(f"action {action.id}: its does cannot be called with one argument ({error})") from error
        out[action.id] = action
    return tuple(out.values())


_LISTS = [kind for kind in PANES if issubclass(kind, ListPane)]
LISTS = frozenset((SHEET, *(kind.PLACE.name for kind in _LISTS)))
WHERES = (*(kind.PLACE.name for kind in PANES), SHEET)
ACTIONS = check_actions(
    (
        *time.ACTIONS,
        *(action for kind in PANES if kind not in _LISTS for action in _own(kind)),
        *map(_on_list, LIST_ACTIONS),
        *(action for kind in _LISTS for action in _own(kind)),
        *map(_on_list, TAB_ACTIONS),
        *chosen.ACTIONS,
        *playing.DIRECTING,
        *map(_shows, PANES),
        *go.ACTIONS,
        *playing.ACTIONS,
        *platform.ACTIONS,
        *saves.ACTIONS,
        *app.ACTIONS,
    )
)
BY_ID = {action.id: action for action in ACTIONS}
KEYS = {action.id: action.keys for action in ACTIONS}
_OVER_SHEETS = ("chosen.open", "chosen.copy", "time.pause", "time.step", "time.go_on", "app.quit")


def usable(where: str, when: str = LIVE) -> list[Action[TownLayout]]:
    """The actions that can be done with that pane in focus, the pane's own first. when: LIVE or REPLAY."""
    now = [a for a in ACTIONS if a.when in (BOTH, when)]
    own = [a for a in now if a.where == where or (a.where == LIST and where in LISTS)]
    if where == SHEET:
        over = [BY_ID[i] if i != "app.quit" else BY_ID[i]._replace(label="") for i in _OVER_SHEETS]
        return [BY_ID["go.out"]._replace(label="close", rank=0), *own, *over]  # quit closes a sheet too: no 2nd label
    return [*own, *(a for a in now if a.where == ANYWHERE)]


def sheet_actions(rows: Sequence[Action[TownLayout]], labels: Mapping[str, str], when: str) -> list[Action[TownLayout]]:
    """The actions `rows` with a sheet's own labels; those that only `labels` names come after that of enter."""
    known = {a.id for a in rows}
    own = [BY_ID[id]._replace(label=label, rank=3) for id, label in labels.items() if id not in known]
    own = [a for a in own if a.when in (BOTH, when)]
    named = [a._replace(label=labels.get(a.id, a.label)) for a in rows]
    after = 1 + next((i for i, a in enumerate(named) if a.id == "chosen.open"), len(named) - 1)
    return [*named[:after], *own, *named[after:]]


def over_lists(id: str) -> bool:
    """Whether an action may be done while a list to choose from is open: those of lists, sheets and the program."""
    action = BY_ID[id]
    return action.group == "App" or action.where == LIST or id in ("go.out", *_OVER_SHEETS)


def clashes(keymap: Mapping[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """Keys that two actions share: (where, key as shown, id of the one, id of the other), each pair once."""
    said = set()
    for where in WHERES:
        for when in (LIVE, REPLAY):
            seen: dict[str, str] = {}
            for action in usable(where, when):
                for key in keys_of(action, keymap):
                    other = seen.setdefault(key, action.id)
                    if other != action.id and (other, action.id) not in said:
                        said.add((other, action.id))
                        yield where, shown_key(key), other, action.id


def keymap(keys: Mapping[str, str]) -> dict[str, str]:
    """The keymap (id -> keys) to give to Textual. keys: the player's own. Textual drops all bindings of a remapped key,
    so actions that share keys with a remapped one are listed again with theirs.
    """
    moved = {key for id in keys for key in KEYS[id].split(",")}
    return {**{id: own for id, own in KEYS.items() if own and moved & set(own.split(","))}, **keys}
