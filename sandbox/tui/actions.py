"""The one table of what can be done: bindings, footer, palette, help and docs/keys.md come from it. Ids remap.

An action `area.verb` is the method `verb` of that area's hand (`sandbox/tui/hands/`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from textual.binding import Binding
from textual.keys import Keys

TOWN, TIMELINE, PERSON, PEOPLE, SHEET = "town", "timeline", "person", "people", "sheet"
LIST, ANYWHERE = "list", "anywhere"
LISTS = frozenset((TIMELINE, PERSON, PEOPLE, SHEET))
WHERES = (TOWN, TIMELINE, PERSON, PEOPLE, SHEET)
LIVE, REPLAY, BOTH = "live", "replay", "both"
GO_ON = "time.go_on"  # there while a mind is waited for
KEPT = frozenset(("ctrl+c", "ctrl+q", "ctrl+p", "ctrl+z"))

# What a key is called on a small screen; all others are called by their own name.
_SHOWN = {
    "full_stop": ".",
    "comma": ",",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "question_mark": "?",
    "exclamation_mark": "!",
    "slash": "/",
    "asterisk": "*",
    "plus": "+",
    "minus": "-",
    "equals_sign": "=",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "escape": "esc",
    "backspace": "bksp",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "pageup": "pgup",
    "pagedown": "pgdn",
}
_NAMED = {shown: name for name, shown in _SHOWN.items()}
_ORDER = ("alt", "ctrl", "shift")  # as Textual names what is held
_HELD = frozenset(_ORDER)
_KNOWN = frozenset((*_SHOWN, *(key.value for key in Keys if "+" not in key.value and "<" not in key.value)))


class Action(NamedTuple):
    """A thing that can be done. keys: Textual's names, the first is the one shown; "" = by palette and menu alone.

    label: a word for the footer ("" = not shown there). says: a sentence for the help ("" = told with another).
    palette: "area: verb" or "". where: ANYWHERE, LIST (any list) or the pane that must have the focus. rank: lower
    ones stay longest in a narrow footer. when: LIVE, REPLAY or BOTH.
    """

    id: str
    keys: str
    label: str
    says: str
    group: str
    palette: str = ""
    where: str = ANYWHERE
    rank: int = 5
    when: str = BOTH


# fmt: off
ACTIONS: tuple[Action, ...] = (
    Action("time.pause", "space", "pause", "Pause, or let time go on; also after a stop.",
           "Time", "time: pause or go on", ANYWHERE, 0),
    Action("time.step", "full_stop", "step", "Make one step, and stand still.",
           "Time", "time: one step", ANYWHERE, 4),
    Action("time.slower", "less_than_sign", "slower", "Slow down: max, fast, normal, slow.",
           "Time", "time: slower", ANYWHERE, 4),
    Action("time.faster", "greater_than_sign", "faster", "Speed up: slow, normal, fast, max.",
           "Time", "time: faster", ANYWHERE, 3),
    Action("time.next", "n", "next event", "Run to the next notable event, and go there.",
           "Time", "time: next notable event", ANYWHERE, 1),
    Action("time.last", "N", "", "Go to the last notable event.",
           "Time", "time: last notable event"),
    Action("time.go_on", "m", "go on", "While the model is waited for: go on without it.",
           "Time", "time: go on without the model", ANYWHERE, 0, LIVE),
    Action("time.until", "u", "until", "Run until an hour, the morning, a talk, a mood ...",
           "Time", "time: run until", ANYWHERE, 4),
    Action("time.rewind", "r", "rewind", "Watch again what was lived, from this moment.",
           "Time", "time: rewind", ANYWHERE, 4, LIVE),
    Action("replay.back", "comma", "back", "One step back.",
           "Replay", "replay: one step back", ANYWHERE, 2, REPLAY),
    Action("replay.hour_back", "left_curly_bracket", "hour back", "An hour back.",
           "Replay", "replay: an hour back", ANYWHERE, 3, REPLAY),
    Action("replay.hour_on", "right_curly_bracket", "hour on", "An hour on.",
           "Replay", "replay: an hour on", ANYWHERE, 3, REPLAY),
    Action("replay.mark", "B", "", "Put a bookmark to this moment, or take it away.",
           "Replay", "replay: bookmark", ANYWHERE, 3),
    Action("replay.marks", "", "", "Bookmarks of this save; go to one.",
           "Replay", "replay: go to a bookmark", ANYWHERE, 5, REPLAY),
    Action("replay.branch", "b", "live on", "Go on live from here, in a save of its own.",
           "Replay", "replay: go on live from here", ANYWHERE, 3, REPLAY),
    Action("replay.leave", "r", "leave", "Back to the town that lives, or to the menu.",
           "Replay", "replay: leave", ANYWHERE, 0, REPLAY),
    Action("town.next", "j", "next", "Choose the next person in view.",
           "Town", "person: next", TOWN, 2),
    Action("town.previous", "k", "", "Choose the one before.",
           "Town", "person: previous", TOWN),
    Action("town.left", "left", "", "Move the map, with shift by half a screen; with v the look cursor.",
           "Town", "", TOWN),
    Action("town.right", "right", "", "", "Town", "", TOWN),
    Action("town.up", "up", "", "", "Town", "", TOWN),
    Action("town.down", "down", "", "", "Town", "", TOWN),
    Action("town.far_left", "shift+left", "", "", "Town", "", TOWN),
    Action("town.far_right", "shift+right", "", "", "Town", "", TOWN),
    Action("town.far_up", "shift+up", "", "", "Town", "", TOWN),
    Action("town.far_down", "shift+down", "", "", "Town", "", TOWN),
    Action("town.nearer", "plus,equals_sign", "", "Zoom in.",
           "Town", "town: zoom in", TOWN),
    Action("town.farther", "minus", "zoom", "Zoom out, until the whole town fits.",
           "Town", "town: zoom out", TOWN, 5),
    Action("town.look", "v", "look", "A cursor that names what lies under it; enter chooses, escape ends it.",
           "Town", "town: look around", TOWN, 5),
    Action("town.roofs", "o", "", "Roofs: auto, open, closed.",
           "Town", "town: roofs", TOWN),
    Action("town.camera", "a", "", "The camera that looks around by itself, on or off.",
           "Town", "camera: by itself", TOWN),
    Action("town.names", "l", "", "Names of places on the map, or none.",
           "Town", "town: names of places", TOWN),
    Action("list.down", "j,down", "down", "Go down the list.",
           "Lists", "", LIST, 2),
    Action("list.up", "k,up", "", "Go up.",
           "Lists", "", LIST, 3),
    Action("list.page_down", "pagedown", "", "A page down.",
           "Lists", "", LIST),
    Action("list.page_up", "pageup", "", "A page up.",
           "Lists", "", LIST),
    Action("list.first", "g,home", "", "To the beginning.",
           "Lists", "", LIST),
    Action("list.last", "G,end", "", "To the end; in the timeline, and stay there.",
           "Lists", "", LIST),
    Action("list.filter", "F", "filter", "Show all, notable, the followed, or talk.",
           "Lists", "timeline: filter", TIMELINE, 3),
    Action("list.sort", "s", "sort", "Sort by trouble, mood, talked about, lonely, name.",
           "Lists", "people: sort", PEOPLE, 3),
    Action("list.order", "s", "", "Memories: newest or weightiest first.",
           "Lists", "", PERSON),
    Action("tab.next", "right_square_bracket", "tab", "The next tab of the pane; in a talk, the next talk of the two.",
           "Panes", "pane: next tab", LIST, 3),
    Action("tab.previous", "left_square_bracket", "", "The one before.",
           "Panes", "pane: previous tab", LIST),
    Action("chosen.open", "enter", "open", "Go in: to the person, the talk, the event, the place.",
           "Chosen", "chosen: open", ANYWHERE, 1),
    Action("chosen.why", "w", "why", "Why time stopped; why of a mood, a tie, a choice: every cause, size, age.",
           "Chosen", "chosen: why", ANYWHERE, 1),
    Action("chosen.talk", "t", "talk", "The talk in full: the present one, else the last.",
           "Chosen", "chosen: talk", ANYWHERE, 1),
    Action("chosen.interview", "i", "ask", "Ask the person something; nothing in the town changes by it.",
           "Chosen", "chosen: interview", ANYWHERE, 3),
    Action("chosen.follow", "f", "follow", "Follow the person with the map, or stop.",
           "Chosen", "camera: follow", ANYWHERE, 2),
    Action("chosen.favourite", "asterisk", "", "Favourite: first among people, and alerts of what befalls them.",
           "Chosen", "chosen: favourite"),
    Action("chosen.centre", "c", "", "Centre the map on the person.",
           "Chosen", "camera: centre"),
    Action("chosen.copy", "y", "", "Copy the chosen row, or what is open, as text.",
           "Chosen", "chosen: copy"),
    Action("pane.town", "1", "", "The town.",
           "Panes", "pane: town"),
    Action("pane.timeline", "2", "", "The timeline.",
           "Panes", "pane: timeline"),
    Action("pane.person", "3", "", "The person.",
           "Panes", "pane: person"),
    Action("pane.people", "4", "", "The people.",
           "Panes", "pane: people"),
    Action("pane.next", "tab", "pane", "The next pane.",
           "Panes", "pane: next", ANYWHERE, 2),
    Action("pane.maximise", "z", "", "Give the pane all the room, or take it back.",
           "Panes", "pane: maximise"),
    Action("go.find", "slash", "find", "Find a person, a place or an event.",
           "Go", "find: person, place, event", ANYWHERE, 2),
    Action("go.alerts", "exclamation_mark", "",
           "The last twenty alerts; enter goes there. ! 3 in the first row: three are new.",
           "Go", "alerts: show", ANYWHERE, 4),
    Action("go.since", "", "", "What happened since you looked.",
           "Go", "timeline: since you looked"),
    Action("go.page", "", "", "The page of the last whole day.",
           "Go", "day: its page"),
    Action("go.back", "backspace", "", "Back to where you were: place, person, pane.",
           "Go", "go: back", ANYWHERE, 5),
    Action("go.out", "escape", "", "Out of the innermost thing: a sheet, a cursor, following, a choice.",
           "Go", "go: out"),
    Action("app.help", "question_mark,f1", "help", "The keys of this pane; enter does what the row says.",
           "App", "help: keys", ANYWHERE, 0),
    Action("app.settings", "f2", "", "Colours, marks, motion, time.",
           "App", "settings: open"),
    Action("app.menu", "f10", "", "The menu: another town, another save, a recorded day.",
           "App", "app: menu"),
    Action("app.picture", "f12", "", "The screen as a picture (SVG), in the folder of saves.",
           "App", "app: picture of the screen"),
    Action("app.facts", "", "", "Seed, step, sizes, versions.",
           "App", "world: facts"),
    Action("app.quit", "q", "quit", "Close the sheet; without one leave. What is shown as saved stays saved.",
           "App", "app: quit", ANYWHERE, 0),
)
# fmt: on
BY_ID = {action.id: action for action in ACTIONS}


def bindings(where: str) -> list[Binding]:
    """Textual's bindings of the screen (ANYWHERE) or of a pane."""
    return [
        Binding(a.keys, f"screen.do('{a.id}')", a.says, show=bool(a.label), id=a.id, priority=a.id == "pane.next")
        for a in ACTIONS
        if a.keys and (a.where == where or (where in LISTS and a.where == LIST))
    ]


def keys_of(action: Action, keymap: Mapping[str, str]) -> list[str]:
    """The keys that do it, as Textual calls them, remapped ones included; none if it has none."""
    keys = keymap.get(action.id, action.keys)
    return keys.split(",") if keys else []


def first_key(id: str, keymap: Mapping[str, str]) -> str:
    """The key that is shown for an action, as a person calls it; "" if it has none."""
    keys = keys_of(BY_ID[id], keymap)
    return shown_key(keys[0]) if keys else ""


def shown_key(key: str) -> str:
    """A key as a person calls it."""
    return _SHOWN.get(key, key)


def named_key(key: str) -> str:
    """A key as Textual calls it, from what a person calls it ("?", "esc", "Ctrl+N"); "" if there is no such key."""
    key = key.strip()
    if len(key) == 1:
        return _NAMED.get(key, key) if key.isprintable() and not key.isspace() else ""
    *held, last = key.lower().split("+") if not key.endswith("++") else [*key.lower()[:-2].split("+"), "+"]
    last = _NAMED.get(last, last)
    if not set(held) <= _HELD or not (last in _KNOWN or (held and len(last) == 1 and last.isprintable())):
        return ""
    if held == ["shift"] and len(last) == 1:
        return last.upper()
    return "+".join((*(h for h in _ORDER if h in held), last))


def usable(where: str, when: str = LIVE) -> list[Action]:
    """What can be done with that pane in focus, live or in a replay, its own first."""
    now = [a for a in ACTIONS if a.when in (BOTH, when)]
    own = [a for a in now if a.where == where or (a.where == LIST and where in LISTS)]
    if where == SHEET:
        over = [BY_ID[i] if i != "app.quit" else BY_ID[i]._replace(label="") for i in _OVER_SHEETS]  # it closes, too
        return [BY_ID["go.out"]._replace(label="close", rank=0), *own, *over]
    return [*own, *(a for a in now if a.where == ANYWHERE)]


def over_lists(id: str) -> bool:
    """Whether an action may be done while a list to choose from is open: what its footer shows, and the program's."""
    action = BY_ID[id]
    return action.group == "App" or action.where == LIST or id in ("go.out", *_OVER_SHEETS)


_OVER_SHEETS = ("chosen.open", "chosen.copy", "time.pause", "time.step", "time.go_on", "app.quit")


def clashes(keymap: Mapping[str, str]) -> Iterator[tuple[str, str, str, str]]:
    """Keys that would do two things: (where, key as shown, id of the one, id of the other)."""
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
