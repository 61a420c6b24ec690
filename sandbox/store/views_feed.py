"""SQL views for whoever opens a save with other tools: what was said, felt and done in a town, and who wrote, liked and
followed what on its feed.

They are queries over the events' JSON. Those of the feed are about accounts: what was taken back (a like, a follow, a
post) is not in them; `feed_trace` has every action. The crowd, its actions and posts from before the start are packed,
and in none of them: `sandbox export --what feed`, `feed-users` and so on have them.
"""

from __future__ import annotations

_CLOCK = "datetime((SELECT start FROM founding), '+' || t || ' seconds') AS clock"


def _of(array: str, *names: str) -> str:
    """Columns from the elements of an array by position; "" skips one."""
    return ", ".join(f"json_extract({array}, '$[{i}]') AS {name}" for i, name in enumerate(names) if name)


def _fields(*names: str) -> str:
    """Columns from fields of the event; "to whom": field `to`, called whom."""
    return ", ".join(f"json_extract(data, '$.{name.split()[0]}') AS {name.split()[-1]}" for name in names)


def _mood(value: str, path: str) -> str:
    """Three columns from the mood at a path of a JSON value."""
    axes = ("pleasure", "arousal", "dominance")
    return ", ".join(f"json_extract({value}, '{path}[{i}]') AS {axis}" for i, axis in enumerate(axes))


def _view(kinds: str, *columns: str, each: str = "") -> str:
    """A row for each event of these kinds. each: "lines line" = a row for each of its `lines`, called `line`."""
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


_USER = "actor AS who"
BIO = 400  # letters, as in `population.bio`, which is not imported for this


def _standing(kind: str, act: str, target: str, begins: str, ends: str, also: str = "") -> str:
    """A row for each thing an account has begun and not ended: where the last event of account and target is one that
    begins it. act, target: fields of the event; also: a further condition.
    """
    also = f" AND {also}" if also else ""
    columns = f"seq, step, t, {_CLOCK}, {_USER}, {_fields('user', target, 'reason')}"
    key = f"actor, json_extract(data, '$.{target.split()[0]}')"
    ranked = (
        f"SELECT {columns}, json_extract(data, '$.{act}') AS act,"
        f" row_number() OVER (PARTITION BY {key} ORDER BY seq DESC) AS back"
        f" FROM events WHERE kind = '{kind}' AND json_extract(data, '$.{act}') IN ('{begins}', '{ends}'){also}"
    )
    name = target.split()[-1]
    return f"SELECT seq, step, t, clock, who, user, {name}, reason FROM ({ranked}) WHERE back = 1 AND act = '{begins}'"


def _followed() -> str:
    """Follows: the last event between two accounts is a follow; a block by either counts as an event."""
    own = (
        f"SELECT seq, step, t, {_CLOCK}, {_USER}, {_fields('user', 'other', 'act', 'reason')},"
        " json_extract(data, '$.user') AS a, json_extract(data, '$.other') AS b"
        " FROM events WHERE kind = 'connected' AND json_extract(data, '$.act') IN ('follow', 'unfollow', 'block')"
    )
    back = (
        f"SELECT seq, step, t, {_CLOCK}, {_USER}, {_fields('user', 'other', 'act', 'reason')},"
        " json_extract(data, '$.other') AS a, json_extract(data, '$.user') AS b"
        " FROM events WHERE kind = 'connected' AND json_extract(data, '$.act') = 'block'"
    )
    ranked = f"SELECT *, row_number() OVER (PARTITION BY a, b ORDER BY seq DESC) AS back FROM ({own} UNION ALL {back})"
    return f"SELECT seq, step, t, clock, who, user, other, reason FROM ({ranked}) WHERE back = 1 AND act = 'follow'"


def _members() -> str:
    """Who is in which group: an account's last event about it is that it made or joined it."""
    ranked = (
        f"SELECT seq, step, t, {_CLOCK}, {_USER}, {_fields('user', 'group room', 'act', 'reason')},"
        " row_number() OVER (PARTITION BY actor, json_extract(data, '$.group') ORDER BY seq DESC) AS back"
        " FROM events WHERE kind = 'grouped'"
    )
    named = (
        "(SELECT json_extract(data, '$.name') FROM events WHERE kind = 'grouped'"
        " AND json_extract(data, '$.act') = 'create' AND json_extract(data, '$.group') = room) AS name"
    )
    columns = f"seq, step, t, clock, who, user, room, {named}, reason"
    return f"SELECT {columns} FROM ({ranked}) WHERE back = 1 AND act != 'leave'"


def _residents() -> str:
    """The accounts of a town's people, which exist from the start: `founding` has them from event 1, and their numbers
    follow the crowd's. The bio is that of `population.bio`, except that SQLite capitalizes only a to z.
    """
    likes = "json_array_length(data, '$.likes')"
    others = f"(SELECT group_concat(value, ', ') FROM json_each(data, '$.likes') WHERE key < {likes} - 1)"
    listed = f"coalesce({others} || ' and ', '') || json_extract(data, '$.likes[#-1]')"
    job = "json_extract(data, '$.job')"
    bio = (
        f"substr(upper(substr({job}, 1, 1)) || substr({job}, 2) || '.'"
        f" || CASE {likes} WHEN 0 THEN '' ELSE ' Likes ' || {listed} || '.' END, 1, {BIO}) AS bio"
    )
    people = (
        "SELECT seq, 0 AS step, 0 AS t, person.value AS data, crowd + own.key AS user FROM founding,"
        " json_each(accounts) AS own JOIN json_each(people) AS person"
        " ON json_extract(person.value, '$.id') = own.value"
    )
    known = "json_extract(data, '$.id') AS who, user, json_extract(data, '$.id') AS handle"
    return f"SELECT seq, step, t, {_CLOCK}, {known}, {_fields('name')}, {bio}, '' AS reason FROM ({people})"


_DELETED = "SELECT json_extract(data, '$.post') FROM events WHERE kind = 'deleted'"
_CARDS = (
    f"SELECT seq, step, t, {_CLOCK}, {_USER}, {_fields('user', 'post')}, CASE kind WHEN 'posted' THEN 'post'"
    " WHEN 'quoted' THEN 'quote' ELSE 'repost' END AS what,"
    " coalesce(json_extract(data, '$.root'), json_extract(data, '$.post')) AS root,"
    " json_extract(data, '$.of') AS of, json_extract(data, '$.via') AS via,"
    f" {_fields('text', 'topic', 'stance', 'reason')}"
    " FROM events WHERE kind IN ('posted', 'quoted', 'reposted')"
)
_LIVE = f"SELECT * FROM ({_CARDS}) WHERE post NOT IN ({_DELETED}) AND root NOT IN ({_DELETED})"
_COMMENTS = _view("commented", _USER, _fields("user", "comment", "post", "text", "tone", "doubt", "reason"))
_SHOWN_BY = "json_extract(data, '$.act') = 'refresh'"

VIEWS_FEED: dict[str, str] = {
    "feed_users": f"{_residents()} UNION ALL"
    f" {_view('signed_up', _USER, _fields('user', 'handle', 'name', 'bio', 'reason'))}",
    "feed_posts": _LIVE,
    "feed_comments": f"SELECT * FROM ({_COMMENTS}) WHERE post NOT IN ({_DELETED})",
    "feed_likes": _standing("reacted", "act", "target post", "like", "unlike", "json_extract(data, '$.on') = 'post'"),
    "feed_dislikes": _standing(
        "reacted", "act", "target post", "dislike", "undo_dislike", "json_extract(data, '$.on') = 'post'"
    ),
    "feed_comment_likes": _standing(
        "reacted", "act", "target comment", "like", "unlike", "json_extract(data, '$.on') = 'comment'"
    ),
    "feed_comment_dislikes": _standing(
        "reacted", "act", "target comment", "dislike", "undo_dislike", "json_extract(data, '$.on') = 'comment'"
    ),
    "feed_follows": _followed(),
    "feed_mutes": _standing("connected", "act", "other", "mute", "unmute"),
    "feed_blocks": _standing("connected", "act", "other", "block", "unblock"),
    "feed_messages": _view("messaged", _USER, _fields("user", "message", "to other", "group room", "text", "quotes")),
    "feed_groups": _members(),
    "feed_reports": _view("reported", _USER, _fields("user", "post", "why", "reason")),
    "feed_trace": _view(
        "signed_up posted quoted reposted commented reacted connected muted_word reported deleted messaged grouped"
        " browsed",
        _USER,
        "kind",
        _fields("user", "act"),
        "data AS arguments",
        _fields("reason"),
    ),
    "feed_shown": _view(
        "browsed", _USER, _fields("user"), "shown.value AS post", "shown.key AS place", each="shown shown"
    )
    + f" AND {_SHOWN_BY}",
}
