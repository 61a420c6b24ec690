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


VIEWS: dict[str, str] = {
    "said": (
        f"SELECT seq, step, t, {_CLOCK}, {_fields('talk', 'n')},"
        f" {_of('line.value', 'who', 'text', 'move', 'topic', 'about', 'valence')}"
        " FROM events, json_each(data, '$.lines') AS line WHERE kind = 'exchanged'"
    ),
    "talks": (
        f"SELECT seq, step, t, {_CLOCK}, actor AS who, {_fields('other', 'place', 'intent', 'id talk')}"
        " FROM events WHERE kind = 'talk_opened'"
    ),
    "endings": (
        f"SELECT seq, step, t, {_CLOCK}, {_fields('talk', 'tone', 'topic', 'gist')}"
        " FROM events WHERE kind = 'talk_closed'"
    ),
    "feelings": (
        f"SELECT seq, step, t, {_CLOCK},"
        f" {_of('tie.value', 'who', 'whom', '', 'feeling', '', 'closeness', '', 'why')}"
        " FROM events, json_each(data, '$.relations') AS tie WHERE kind = 'talk_closed'"
    ),
    "moods": (
        f"SELECT seq, step, t, {_CLOCK}, actor AS who, {_mood('data', '$.after')},"
        " coalesce(json_extract(data, '$.why'), 'looking back') AS why"
        " FROM events WHERE kind IN ('felt', 'reflected') UNION ALL "
        f"SELECT seq, step, t, {_CLOCK}, json_extract(shift.value, '$[0]'), {_mood('shift.value', '$[2]')},"
        " json_extract(shift.value, '$[3]')"
        " FROM events, json_each(data, '$.shifts') AS shift WHERE kind = 'exchanged'"
    ),
    "pressures": (
        f"SELECT seq, step, t, {_CLOCK}, substr(kind, 10) AS what, actor AS who,"
        f" {_fields('id', 'how', 'answer', 'to whom', 'intensity', 'stage', 'stakes', 'cause')}"
        " FROM events WHERE kind IN ('pressure_began', 'pressure_stirred', 'pressure_ended')"
    ),
    "acts": (
        f"SELECT seq, step, t, {_CLOCK}, actor AS who, {_fields('do', 'where place', 'thing', 'seconds')}"
        " FROM events WHERE kind = 'chose'"
    ),
    "walks": (
        f"SELECT seq, step, t, {_CLOCK}, actor AS who, {_fields('x', 'y')},"
        " length(json_extract(data, '$.path')) AS tiles, json_extract(data, '$.to') AS goal"
        " FROM events WHERE kind = 'walked'"
    ),
    "thoughts": (
        f"SELECT seq, step, t, {_CLOCK}, actor AS who, {_of('insight.value', 'text', '', 'poignancy', 'about')}"
        " FROM events, json_each(data, '$.insights') AS insight WHERE kind = 'reflected'"
    ),
}
