"""The one table of what keys do. Bindings, footer, help and palette are made from it; a user remaps by id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from textual.binding import Binding

ANYWHERE, TOWN, LIST, PERSON, SHEET = "anywhere", "town", "list", "person", "sheet"

# What a key is called on a small screen; all others are called by their own name.
_SHOWN = {
    "full_stop": ".",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "question_mark": "?",
    "escape": "esc",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "pageup": "pgup",
    "pagedown": "pgdn",
}


class Action(NamedTuple):
    """A thing that can be done. keys: Textual's names, the first is the one shown. name: the method it calls.

    label: a word for the footer ("" = not shown there). says: a sentence for the help. palette: "area: verb" or "".
    where: ANYWHERE, or the kind of pane that must have the focus. rank: lower ones stay longest in a narrow footer.
    """

    id: str
    keys: str
    name: str
    label: str
    says: str
    group: str
    palette: str = ""
    where: str = ANYWHERE
    rank: int = 5


# fmt: off
ACTIONS: tuple[Action, ...] = (
    Action("time.pause", "space", "pause", "pause", "Pause, or let time go on.",
           "Time", "time: pause or go on", ANYWHERE, 0),
    Action("time.step", "full_stop", "step", "step", "Make one step, and stand still.",
           "Time", "time: one step", ANYWHERE, 3),
    Action("time.slower", "less_than_sign", "slower", "slower", "Slow down: max, fast, normal, slow.",
           "Time", "time: slower", ANYWHERE, 3),
    Action("time.faster", "greater_than_sign", "faster", "faster", "Speed up: slow, normal, fast, max.",
           "Time", "time: faster", ANYWHERE, 3),
    Action("town.next", "j", "screen.next_person", "next", "Choose the next person in view.",
           "Town", "person: next", TOWN, 1),
    Action("town.previous", "k", "screen.previous_person", "", "Choose the one before.",
           "Town", "person: previous", TOWN, 5),
    Action("town.left", "left", "pan(-4,0)", "", "Move the map; with shift by half a screen.",
           "Town", "", TOWN, 5),
    Action("town.right", "right", "pan(4,0)", "", "",
           "Town", "", TOWN, 5),
    Action("town.up", "up", "pan(0,-2)", "", "",
           "Town", "", TOWN, 5),
    Action("town.down", "down", "pan(0,2)", "", "",
           "Town", "", TOWN, 5),
    Action("town.far_left", "shift+left", "leap(-1,0)", "", "",
           "Town", "", TOWN, 5),
    Action("town.far_right", "shift+right", "leap(1,0)", "", "",
           "Town", "", TOWN, 5),
    Action("town.far_up", "shift+up", "leap(0,-1)", "", "",
           "Town", "", TOWN, 5),
    Action("town.far_down", "shift+down", "leap(0,1)", "", "",
           "Town", "", TOWN, 5),
    Action("town.labels", "l", "labels", "", "Names of places on the map, or none.",
           "Town", "town: names of places", TOWN, 5),
    Action("list.down", "j,down", "move(1)", "down", "Go down the list.",
           "Lists", "", LIST, 1),
    Action("list.up", "k,up", "move(-1)", "up", "Go up.",
           "Lists", "", LIST, 2),
    Action("list.page_down", "pagedown", "page(1)", "", "A page down.",
           "Lists", "", LIST, 5),
    Action("list.page_up", "pageup", "page(-1)", "", "A page up.",
           "Lists", "", LIST, 5),
    Action("list.first", "g,home", "first", "", "To the beginning.",
           "Lists", "", LIST, 5),
    Action("list.last", "G,end", "last", "newest", "To the end, and stay there.",
           "Lists", "", LIST, 4),
    Action("open", "enter", "open", "open", "Go in: to the person, from a person to why, from a row to its talk.",
           "Chosen", "person: open", ANYWHERE, 1),
    Action("camera.follow", "f", "follow", "follow", "Follow the person with the map, or stop.",
           "Chosen", "camera: follow", ANYWHERE, 2),
    Action("camera.centre", "c", "centre", "centre", "Centre the map on the person.",
           "Chosen", "camera: centre", ANYWHERE, 4),
    Action("talk.read", "t", "talk", "talk", "The person's talk in full: the present one, else the last.",
           "Chosen", "talk: read", ANYWHERE, 1),
    Action("person.why", "w", "why", "why", "Why they feel as they do: every cause, its size and age.",
           "Chosen", "person: why", ANYWHERE, 1),
    Action("pane.town", "1", "pane('town')", "", "The town.",
           "Panes", "pane: town", ANYWHERE, 5),
    Action("pane.timeline", "2", "pane('timeline')", "", "The timeline.",
           "Panes", "pane: timeline", ANYWHERE, 5),
    Action("pane.person", "3", "pane('person')", "", "The person.",
           "Panes", "pane: person", ANYWHERE, 5),
    Action("pane.next", "tab", "next_pane", "pane", "The next pane.",
           "Panes", "pane: next", ANYWHERE, 1),
    Action("pane.maximise", "z", "maximise", "", "Give the pane all the room, or take it back.",
           "Panes", "pane: maximise", ANYWHERE, 5),
    Action("back", "escape", "back", "", "Out: of a sheet, a large pane, following, a choice.",
           "Panes", "pane: back", ANYWHERE, 5),
    Action("help", "question_mark,f1", "help", "help", "The keys of this pane.",
           "Panes", "help: keys", ANYWHERE, 0),
    Action("quit", "q", "leave", "quit", "Close the sheet; without one leave. What is shown as saved stays saved.",
           "Panes", "app: quit", ANYWHERE, 0),
)
# fmt: on
BY_ID = {action.id: action for action in ACTIONS}


def bindings(where: str) -> list[Binding]:
    """Textual's bindings of a kind of pane."""
    return [
        Binding(a.keys, a.name, a.says, show=bool(a.label), id=a.id, priority=a.id == "pane.next")
        for a in (usable(where) if where == PERSON else ACTIONS)
        if a.where == where or (where == PERSON and a.where == TOWN)
    ]


def keys_of(action: Action, keymap: Mapping[str, str]) -> list[str]:
    """The keys that do it, as Textual calls them, remapped ones included."""
    return keymap.get(action.id, action.keys).split(",")


def shown_key(key: str) -> str:
    """A key as a person calls it."""
    return _SHOWN.get(key, key)


def usable(where: str) -> list[Action]:
    """What can be done with that kind of pane in focus, its own first."""
    if where == SHEET:
        out = [BY_ID["back"]._replace(label="close", rank=0)]
        lists = (a._replace(label="") if a.id == "list.last" else a for a in ACTIONS if a.where == LIST)
        return [*out, *lists, BY_ID["time.pause"], BY_ID["time.step"]]
    if where == PERSON:
        return [BY_ID["town.next"], BY_ID["town.previous"], *(a for a in ACTIONS if a.where == ANYWHERE)]
    return [a for a in ACTIONS if a.where == where] + [a for a in ACTIONS if a.where == ANYWHERE]
