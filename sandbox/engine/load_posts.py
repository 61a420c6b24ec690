"""Reads a table of what is on the feed when a world begins: posts and reposts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

import numpy as np

from sandbox.core.faults import in_quotes, unknown
from sandbox.core.vectors import DIMENSIONS, Vectors, project
from sandbox.engine.load_tables import TOGETHER, Batch, TableFile
from sandbox.engine.load_users import parse_numbers, users_of
from sandbox.feed import loaded_tables
from sandbox.feed.loaded_tables import UNSAID_STANCE, LoadedCards, roots_of
from sandbox.feed.model import norms
from sandbox.feed.tables import Bytes, Flags, Ints, Longs, Small
from sandbox.feed.word_lists import TOPICS

EPOCHS = {"epoch": 1, "epoch_ms": 1000}  # columns of times since 1970 -> units per second
COLUMNS = ("time", *EPOCHS)
_DATE = r"(?P<year>\d{4})(?:-?(?P<month>\d{2})-?(?P<day>\d{2})|-?W(?P<week>\d{2})-?(?P<weekday>[1-7])|-?(?P<of>\d{3}))"
_BEGUN = re.compile(r"(?P<month>\d{4}-\d{2})|\d{4}-?W\d{2}", re.ASCII | re.IGNORECASE)  # stands for its first day
_CLOCK = r"(?P<hour>\d{2})(?::?(?P<minute>\d{2})(?::?(?P<second>\d{2}))?)?(?:[.,](?P<part>\d{1,12}))?"
_ZONE = r"(?P<zone>Z|[-+\u2212]\d{2}(?::?\d{2})?)"
_ISO = re.compile(rf"{_DATE}(?:[Tt ]{_CLOCK} ?{_ZONE}?)?", re.ASCII | re.IGNORECASE)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_SPELT = re.compile(
    rf"[A-Z]{{3}} (?P<name>{'|'.join(_MONTHS)}) (?P<day>\d{{1,2}}) (?P<clock>\d\d:\d\d:\d\d) (?P<zone>[-+]\d{{4}}) "
    r"(?P<year>\d{4})",
    re.ASCII | re.IGNORECASE,
)
_SECONDS = re.compile(r"[-+]?[0-9]{1,15}(?:\.[0-9]{0,9})?")
_EXAMPLE = 'write it as "2025-03-04 07:12", or as seconds before the start: -1080'


def seconds_since_start(cell: str, start: datetime, column: str) -> int:
    """Whole seconds from a world's start to a time, 0 or less. cell: stripped. column: of COLUMNS. Raises ValueError
    with a sentence that says how to fix it.
    """
    if column in EPOCHS:
        seconds = _epoch(cell, column) - start.replace(tzinfo=UTC).timestamp()
    elif _SECONDS.fullmatch(cell) and not _ISO.fullmatch(cell):  # 20250304 is a day, not that many seconds
        seconds = float(cell)
        if seconds > 0:
            mend = "if it is since 1970, call the column epoch, or epoch_ms where it is in milliseconds"
            raise ValueError(f"{in_quotes(cell)} is after the world's start; {mend}")
    else:
        seconds = (_moment(cell) - start).total_seconds()
    if seconds > 0:
        raise ValueError(f"{in_quotes(cell)} is after the world's start, {start:%Y-%m-%d %H:%M}; leave the post out")
    if seconds < -loaded_tables.OLDEST:
        raise ValueError(f"{in_quotes(cell)} is more than 30 years before the world's start; leave the post out")
    return int(seconds // 1)


def _epoch(cell: str, column: str) -> float:
    if not _SECONDS.fullmatch(cell):
        unit = "seconds" if EPOCHS[column] == 1 else "milliseconds"
        raise ValueError(f"{in_quotes(cell)} is no number; write {unit} since 1970, or call the column time")
    return float(cell) / EPOCHS[column]


def _moment(cell: str) -> datetime:
    """A date, perhaps with time and offset, to the second; a month or a week means its beginning. Raises ValueError."""
    begun = _BEGUN.fullmatch(cell)
    iso = _ISO.fullmatch(cell if begun is None else cell + ("-01" if begun["month"] else "-1"))
    spelt = _SPELT.fullmatch(cell)
    try:
        if iso is not None:
            return _of_iso(iso)
        if spelt is not None:
            day = date(int(spelt["year"]), _MONTHS.index(spelt["name"].lower()) + 1, int(spelt["day"]))
            again = _ISO.fullmatch(f"{day}T{spelt['clock']}{spelt['zone']}")
            assert again is not None
            return _of_iso(again)
    except (ValueError, OverflowError):
        raise ValueError(f"{in_quotes(cell)} is no date; {_EXAMPLE}") from None
    raise ValueError(f"{in_quotes(cell)} is no time; {_EXAMPLE}" if cell else f"is empty; {_EXAMPLE}")


def _of_iso(found: re.Match[str]) -> datetime:
    """The time of an ISO 8601 text: a date by month, week or day of the year. Raises ValueError, OverflowError."""
    year = int(found["year"])
    if found["week"]:
        day = date.fromisocalendar(year, int(found["week"]), int(found["weekday"]))
    elif found["of"]:
        day = date(year, 1, 1) + timedelta(int(found["of"]) - 1)
        if found["of"] == "000" or day.year != year:
            raise ValueError(found["of"])
    else:
        day = date(year, int(found["month"]), int(found["day"]))
    hour, minute, second = (int(found[name] or 0) for name in ("hour", "minute", "second"))
    unit = 1 if found["second"] else 60 if found["minute"] else 3600  # a fraction belongs to the smallest unit given
    part = found["part"] or "0"
    time = timedelta(hours=hour, minutes=minute, seconds=second + unit * int(part) // 10 ** len(part))
    if minute > 59 or second > 60 or time + timedelta(seconds=int(part) > 0) > timedelta(1):
        raise ValueError(found[0])
    return datetime.combine(day, datetime.min.time()) + time - timedelta(seconds=_offset(found["zone"]))


def _offset(zone: str | None) -> int:
    """Seconds by which a zone is ahead of UTC. Raises ValueError."""
    if zone is None or zone in "Zz":
        return 0
    hours, minutes = int(zone[1:3]), int(zone[-2:]) if len(zone) > 3 else 0
    if hours > 23 or minutes > 59:
        raise ValueError(zone)
    return (1 if zone[0] == "+" else -1) * (3600 * hours + 60 * minutes)


POSTS = ("author", *COLUMNS, "text", "topic", "stance", "likes", "dislikes", "id", "repost_of")
NEEDED = frozenset({"author", " or ".join(COLUMNS), "text"})
_OPEN, _PATH = -2, -1  # marks of cards whose depth is unknown, and being computed


def read_posts(
    table: TableFile, users: Mapping[str, int], start: datetime, vectors: Vectors, topics: Small
) -> LoadedCards | None:
    """The feed's cards at the start, oldest first; None if there are faults. topics: vectors of the topics."""
    reading = _Posts(table, users, start)
    for batch in table.batches():
        if len(reading.lines) + len(batch.lines) > loaded_tables.MOST_POSTS:
            table.fail("rows", batch.lines[0], f"has more than {loaded_tables.MOST_POSTS:,} rows; leave some out")
            break
        reading.take(batch)
    return reading.whole(vectors, topics)


class _Posts:
    """Rows of posts as columns, in file order."""

    def __init__(self, table: TableFile, users: Mapping[str, int], start: datetime) -> None:
        self._table, self._users = table, users
        self._start = start.replace(tzinfo=None)
        self.lines: list[int] = []
        self._authors: list[int] = []
        self._times: list[int] = []
        self._texts: list[str] = []
        self._topics: list[int] = []
        self._more: list[Sequence[Longs]] = []  # stance, likes and dislikes of each batch
        self._of: list[str] = []
        self._ids: dict[str, int] = {}

    def take(self, batch: Batch) -> None:
        """Add the rows of a batch."""
        first = len(self.lines)
        self.lines += batch.lines
        self._authors += users_of(self._table, batch, "author", self._users)
        times = {name: batch.columns[name] for name in COLUMNS if name in batch.columns}
        self._times += [self._time(i, times, batch) for i in range(len(batch.lines))]
        stance, likes, dislikes = (
            self._numbers(batch, name, low, high, unit)
            for name, low, high, unit in (
                ("stance", -1, 1, loaded_tables.THOUSAND),
                ("likes", 0, loaded_tables.COUNTED, 1),
                ("dislikes", 0, loaded_tables.COUNTED, 1),
            )
        )
        for i, (ident, of, text, topic) in enumerate(
            zip(*(batch.get(name) for name in ("id", "repost_of", "text", "topic")), strict=True)
        ):
            self._named(i, ident.strip(), first, batch)
            self._of.append(of.strip())
            self._texts.append(self._text(i, text, bool(self._of[-1]), batch))
            self._topics.append(self._topic(i, topic.strip().lower(), batch))
            own = bool(topic.strip()) or stance[i] != UNSAID_STANCE or likes[i] > 0 or dislikes[i] > 0
            if self._of[-1] and own:
                words = "a repost has no topic, stance, likes and dislikes of its own; leave them empty"
                self._table.fault("reposts", batch.lines[i], "repost_of", words)
        self._more.append((stance, likes, dislikes))

    def _numbers(self, batch: Batch, name: str, low: int, high: int, unit: int) -> Longs:
        def tell(i: int, words: str) -> None:
            self._table.fault(name, batch.lines[i], name, words)

        found = parse_numbers(batch.get(name), low, high, tell, unit == 1)
        return np.where(np.isnan(found), 0 if unit == 1 else UNSAID_STANCE, np.rint(found * unit)).astype(np.int64)

    def _named(self, i: int, ident: str, first: int, batch: Batch) -> None:
        if ident and self._ids.setdefault(ident, first + i) != first + i:
            where = f"stands in {self._table.place(self.lines[self._ids[ident]])}, too; keep one"
            twice = "posts that stand there twice"
            self._table.fault(twice, batch.lines[i], "id", f"{in_quotes(ident)} {where}", beside=True)

    def _text(self, i: int, text: str, again: bool, batch: Batch) -> str:
        wrong = ""
        if again and text.strip():
            wrong = "a repost has no words; leave its text empty"
        elif not again and not text.strip():
            wrong = "is empty; write what is posted, or the id of a post as repost_of"
        elif len(text) > loaded_tables.TEXT:
            wrong = f"is {len(text):,} letters long; the most is {loaded_tables.TEXT}"
        if wrong:
            self._table.fault("texts", batch.lines[i], "text", wrong)
        return "" if again or wrong else text

    def _topic(self, i: int, word: str, batch: Batch) -> int:
        if word and word not in TOPICS:
            near = unknown("topic", word, TOPICS) if self._table.told.room("topic") else ""
            self._table.fault("topic", batch.lines[i], "topic", near)
        return TOPICS.index(word) if word in TOPICS else -1

    def _time(self, i: int, columns: Mapping[str, Sequence[str]], batch: Batch) -> int:
        """Seconds since the start, from the one column that has a time in row i. columns: those of times."""
        said, cell, column = "", "", COLUMNS[0]
        for name, cells in columns.items():
            if found := cells[i].strip():
                said, cell, column = cell and column, found, name
        try:
            if said:
                raise ValueError(f"{said} says a time, too; keep one")
            return seconds_since_start(cell, self._start, column)
        except ValueError as wrong:
            self._table.fault("times", batch.lines[i], column, str(wrong))
            return 0

    # ---- all of them together

    def whole(self, vectors: Vectors, topics: Small) -> LoadedCards | None:
        """The posts ordered by time."""
        count = len(self.lines)
        t = np.array(self._times, np.int64)
        via, depth = self._acted_on(t)
        order = np.lexsort((np.arange(count), depth, t))
        place = np.empty(count, np.int64)
        place[order] = np.arange(count)
        of = np.where(via < 0, -1, place[via])[order].astype(np.int32)
        author = np.array(self._authors, np.int32)[order]
        if not self._table.told.count:
            self._passed_on_once(author, of, order)
        if self._table.told.count:
            return None
        texts = [self._texts[i] for i in order[of < 0].tolist()]
        vector = embed_texts(texts, vectors)
        topic = np.array(self._topics, np.int8)[order]
        words = np.flatnonzero(of < 0)
        unsaid = topic[words] < 0
        topic[words[unsaid]] = nearest_one(vector[unsaid], topics)
        stance, likes, dislikes = (np.concatenate([m[k] for m in self._more] or [t])[order] for k in range(3))
        return LoadedCards(
            author,
            t[order].astype(np.int32),
            of,
            topic,
            stance.astype(np.int16),
            likes.astype(np.int32),
            dislikes.astype(np.int32),
            vector,
            texts,
        )

    def _acted_on(self, t: Longs) -> tuple[Longs, Longs]:
        """(the row that each repost passes on, -1 for a post; how many cards lie between it and its post)."""
        via = np.full(len(self.lines), -1, np.int64)
        for i, of in enumerate(self._of):
            if not of:
                continue
            at = self._ids.get(of, -1)
            if at < 0:
                words = f"there is no post {in_quotes(of)}; write the id of a row of this table"
                self._table.fault("unknown posts", self.lines[i], "repost_of", words, beside=True)
            elif t[at] > t[i]:
                where = self._table.place(self.lines[at])
                words = f"{in_quotes(of)} is later than its repost, in {where}; put one of the times right"
                self._table.fault("reposts", self.lines[i], "repost_of", words, beside=True)
            else:
                via[i] = at
        depth = self._depths(via)
        if self._table.rows:
            self._lost_with(via, depth)
        return via, depth

    def _lost_with(self, via: Longs, depth: Longs) -> None:
        """Report reposts of faulty rows as faulty, too."""
        for i in np.argsort(depth, kind="stable").tolist():
            if via[i] >= 0 and self.lines[via[i]] in self._table.rows and self.lines[i] not in self._table.rows:
                words = "is of a row that cannot be; mend that one"
                self._table.fault("unknown posts", self.lines[i], "repost_of", words, beside=True)

    def _depths(self, via: Longs) -> Longs:
        """How many cards lie between each card and its post; reports circles."""
        on, depth = via.tolist(), [_OPEN] * len(via)
        for i in range(len(on)):
            path, at = [], i
            while at >= 0 and depth[at] == _OPEN:
                depth[at] = _PATH
                path.append(at)
                at = on[at]
            circle = at >= 0 and depth[at] == _PATH
            deep = -1 if at < 0 or circle else depth[at]
            for k in reversed(path):
                deep = 0 if circle else deep + 1
                depth[k] = deep
            if circle:
                words = "leads back to itself; one of these rows must be a post"
                self._table.fault("reposts in a circle", self.lines[i], "repost_of", words, beside=True)
        return np.array(depth, np.int64)

    def _passed_on_once(self, author: Ints, via: Ints, order: Longs) -> None:
        again = np.flatnonzero(via >= 0)
        keys = (author[again].astype(np.int64) << 32) | roots_of(via)[again]
        by = np.argsort(keys, kind="stable")
        twice = again[by[1:][keys[by][1:] == keys[by][:-1]]]
        for at in np.sort(twice).tolist():
            words = "its author has passed on that post before; keep one row"
            self._table.fault("reposts that stand there twice", self.lines[order[at]], "repost_of", words, beside=True)


def embed_texts(texts: Sequence[str], vectors: Vectors) -> Small:
    """The vectors of texts, (n, 32)."""
    parts = [project(vectors.embed(texts[at : at + TOGETHER]), vectors.name) for at in range(0, len(texts), TOGETHER)]
    return np.concatenate([np.zeros((0, DIMENSIONS), np.int8), *parts])


def nearest_one(rows: Small, topics: Small) -> Small:
    """The topic nearest to each vector, -1 if near to none (`acts_of_posts.topic_of`)."""
    near = rows.astype(np.float32) @ topics.astype(np.float32).T / np.maximum(norms(topics), np.float32(1))
    return np.where(near.max(axis=1) > 0, near.argmax(axis=1), -1).astype(np.int8)


def posting_hours(cards: LoadedCards, count: int, epoch: int) -> tuple[Flags, Bytes]:
    """(who has posted, of `count` users; for those the chance of using the phone in each hour, in 255ths of the highest
    in that hour; seed 003, D.1). epoch: seconds from any midnight to second 0.
    """
    hour = (epoch + cards.t.astype(np.int64)) // 3600 % loaded_tables.HOURS
    times = np.bincount(cards.author * np.int64(loaded_tables.HOURS) + hour, minlength=count * loaded_tables.HOURS)
    times = times.reshape(count, loaded_tables.HOURS)
    some: Flags = times.sum(axis=1) > 0
    times = times[some]
    chances = np.rint(255 * times / np.maximum(times.max(axis=0, initial=0), 1))
    return some, chances.astype(np.uint8)


def epoch_of(start: datetime) -> int:
    """Seconds from 1970 to a world's start."""
    return int(start.replace(tzinfo=UTC).timestamp())
