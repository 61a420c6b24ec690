"""Views for whoever opens a save with other tools: what was said, felt and done, as plain tables.

They are queries over the events' JSON, never a second truth; nothing in this package reads them. `clock` is the time in
the world. A changed or added view reaches older saves by any later migration (an empty one will do).
"""

from __future__ import annotations

_CLOCK = (
    "datetime((SELECT json_extract(data, '$.scenario.start') FROM events WHERE seq = 1), '+' || t || ' seconds')"
    " AS clock"
)


def _of(array: str, *names: str) -> str:
    """Columns from the places of an array, "" for a place not shown."""
    return ", ".join(f"json_extract({array}, '$[{i}]') AS {name}" for i, name in enumerate(names) if name)


def _fields(*names: str) -> str:
    return ", ".join(f"json_extract(data, '$.{name.split()[0]}') AS {name.split()[-1]}" for name in names)


def _mood(value: str, path: str) -> str:
    """Three columns from the mood at a path of a JSON value."""
    axes = ("pleasure", "arousal", "dominance")
    return ", ".join(f"json_extract({value}, '{path}[{i}]') AS {axis}" for i, axis in enumerate(axes))


def _view(kinds: str, *columns: str, each: str = "") -> str:
    """A row an event of these kinds. each: "lines line" = a row for each of its `lines`, which is called `line`."""
    of = ", json_each(data, '$.{}') AS {}".format(*each.split()) if each else ""
    names = ", ".join(map(repr, kinds.split()))
    among = f"IN ({names})" if " " in kinds else f"= {names}"
    return f"SELECT seq, step, t, {_CLOCK}, {', '.join(columns)} FROM events{of} WHERE kind {among}"


_FELT = _view(
    "felt reflected",
    "actor AS who",
    _mood("data", "$.after"),
    "coalesce(json_extract(data, '$.why'), 'looking back') AS why",
)
_SHIFTED = ("json_extract(shift.value, '$[0]')", _mood("shift.value", "$[2]"), "json_extract(shift.value, '$[3]')")
_SAID = _of("line.value", "who", "text", "move", "topic", "about", "valence")
_TIES = _of("tie.value", "who", "whom", "", "feeling", "", "closeness", "", "why")
_HELD = _fields("id", "how", "answer", "to whom", "intensity", "stage", "stakes", "cause")
_WALK = "length(json_extract(data, '$.path')) AS tiles, json_extract(data, '$.to') AS goal"
_THOUGHT = _of("insight.value", "text", "", "poignancy", "about")

VIEWS: dict[str, str] = {
    "said": _view("exchanged", _fields("talk", "n"), _SAID, each="lines line"),
    "talks": _view("talk_opened", "actor AS who", _fields("other", "place", "intent", "id talk")),
    "endings": _view("talk_closed", _fields("talk", "tone", "topic", "gist")),
    "feelings": _view("talk_closed", _TIES, each="relations tie"),
    "moods": f"{_FELT} UNION ALL {_view('exchanged', *_SHIFTED, each='shifts shift')}",
    "pressures": _view(
        "pressure_began pressure_stirred pressure_ended", "substr(kind, 10) AS what", "actor AS who", _HELD
    ),
    "acts": _view("chose", "actor AS who", _fields("do", "where place", "thing", "seconds")),
    "walks": _view("walked", "actor AS who", _fields("x", "y"), _WALK),
    "thoughts": _view("reflected", "actor AS who", _THOUGHT, each="insights insight"),
}
