"""How a post spreads: reposts, depth and breadth (seed 003, 3.3.1, B.2, B.3 and E.2).

Each seed is a separate instance: a network of 100 to 700 users and a source with followers, who posts once. A cascade
is the source and all who repost, each below the user whose card they reposted.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sandbox.core.faults import in_quotes, path_text
from sandbox.core.plain import safe_line as plain
from sandbox.core.vectors import Vectors, local
from sandbox.feed.graph import add_follows, merge
from sandbox.feed.model import NEVER, CrowdParameters
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.platform import Platform
from sandbox.feed.tables import draws
from sandbox.feed.word_lists import TOPICS
from sandbox.feed.wording import default_wording
from sandbox.lab.studies.declaring import declared_minds, declared_study
from sandbox.lab.studies.readers import Readers, Screen
from sandbox.lab.studies.site import TICK
from sandbox.lab.studies.study import Case, Found, ModelPanel

STEPS = 50
SMALL, LARGE = 100, 700  # users of an instance
OLDER = 3600  # seconds: posts by others are up to so much older
FANS = 0.3  # share of those with its topic who follow the source
WAYS = ("scale", "depth", "breadth")
START = "2025-03-04 12:00"
ACTS = ("like_post", "repost", "follow", "do_nothing")  # of readers for whom a model decides


class Blind:
    """A maker of meaningless vectors: each text has a random direction, seeded by its letters."""

    name = "blind"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text, (n, 64)."""
        rows = np.stack([np.random.Generator(np.random.Philox(key=_key(text))).normal(size=64) for text in texts])
        found: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        return found


def _key(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=16).digest())


def maker(name: str) -> Vectors:
    """The maker of vectors of that name. Raises ValueError if it is not installed."""
    return Blind() if name == "blind" else local(name)


def run(case: Case, seed: int) -> Found:
    """One run, with its distance from another of the full case in the same instance, or from a given curve."""
    s = dict(case.settings)
    curve: dict[str, list[float]] | None = s.pop("curve", None)
    instance = s.pop("instance", seed)
    ours = _spread(s, instance, seed + s.pop("chance", 0))
    return describe_spread(ours, curve if curve is not None else _spread({}, instance, seed + 500_000))


def describe_spread(ours: dict[str, list[float]], beside: Mapping[str, list[float]] | None) -> Found:
    """The measures of a cascade. ours: its curves; beside: the curves to compare with, None = none."""
    values: dict[str, float | None] = {way: ours[way][-1] for way in WAYS}
    values |= {f"nrmse_{way}": nrmse(ours[way], beside[way]) if beside else None for way in WAYS}
    half = next(i for i, x in enumerate(ours["scale"]) if 2 * x >= ours["scale"][-1])
    values["minutes"] = (half + 1) * TICK / 60
    gaps = {f"error_{way}": errors(ours[way], beside[way]) for way in WAYS} if beside else {}
    return Found(values, ours | {name: gap for name, gap in gaps.items() if gap})


def _spread(s: dict[str, Any], instance: int, seed: int) -> dict[str, list[float]]:
    """Scale, depth and breadth after each step."""
    usually: dict[str, Any] = {"vectors": "embedded", "always": False, "noise": 0, "repost": -4.0}
    s = usually | {"graph": "zipf", "recommender": "mix", "network": 0.5} | s
    draw = draws(instance, "instance")
    users, topic = int(draw.integers(SMALL, LARGE + 1)), int(draw.integers(0, len(TOPICS)))
    site = Platform(
        "x",
        start=START,
        seed=seed,
        parameters=FeedParameters(
            crowd=users, graph=s["graph"], recommender=s["recommender"], network=s["network"], read=5
        ),
        crowd=CrowdParameters(comment=NEVER, dislike=NEVER, posts=0.0, repost=s["repost"]),
        vectors=maker(s["vectors"]),
        threads=1,
    )
    if s["always"]:
        site.feed.hours[:] = 255
    source = add_account(site, "source", topic, draw)
    post = publish_posts(site, source, topic, s["noise"], draw, instance)
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(STEPS):
        site.tick(TICK)
        add_shape(found, site, post)
    return found


def add_account(site: Platform, handle: str, topic: int, draw: np.random.Generator) -> int:
    """An account about a topic, whom a share of those who care for it have followed for long; its number."""
    number = site.sign_up(handle, handle.capitalize(), default_wording().topic_text(topic)[:200])
    fits = np.flatnonzero((site.feed.profiles.topics == topic).any(axis=1))
    fans = fits[draw.random(len(fits)) < FANS].astype(np.int32)
    add_follows(site.feed.graph, fans, np.full(len(fans), number, np.int32))
    if site.feed.graph.waiting:
        merge(site.feed.graph)
    site.feed.users.fans[number] = len(fans)
    return number


def publish_posts(site: Platform, source: int, topic: int, noise: int, draw: np.random.Generator, instance: int) -> int:
    """Publish `noise` posts by others, up to an hour old, then the source's post; returns its number. There is one
    other author per topic, each followed as the source is.
    """
    words = default_wording()
    others = [add_account(site, f"other{i}", i, draw) for i in range(len(TOPICS))] if noise else []
    for i, age in enumerate(-np.sort(-draw.integers(0, OLDER, noise))):
        site.now = OLDER - int(age)
        about = int(draw.integers(0, len(TOPICS)))
        site.create_post(others[about], words.post(about, 0.0, 0.1, 1, i, instance))
    site.now = OLDER
    return site.create_post(source, words.post(topic, 0.5, 0.3, 0, 0, instance), 0.5)


def cascade_shape(posts: Any, root: int) -> tuple[int, int, int]:
    """Scale, depth and max breadth of a cascade: number of users, greatest distance from the source, and most users at
    one distance. posts: table of cards; root: number of the post.
    """
    cards = np.flatnonzero(posts.root[: posts.n] == root)
    depth = {root: 0}
    for card in cards[1:].tolist():  # a card comes after the one it reposts
        depth[card] = depth[int(posts.via[card])] + 1
    levels = np.bincount([*depth.values()])
    return len(cards), len(levels) - 1, int(levels.max())


def add_shape(curves: dict[str, list[float]], site: Platform, post: int) -> None:
    """Append the current shape of the post's cascade to the curves."""
    for way, x in zip(WAYS, cascade_shape(site.feed.posts, post), strict=True):
        curves[way].append(float(x))


def read_curve(path: Path) -> dict[str, list[float]]:
    """A real cascade: a CSV with the columns minute, scale, depth and breadth, by minute. What is between two rows is
    as at the row before. Raises ValueError, with file, row and mend.
    """
    rows: list[list[float]] = []
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            if missing := [name for name in ("minute", *WAYS) if name not in (reader.fieldnames or ())]:
                raise ValueError(
                    f"{path_text(path)}: no column {in_quotes(missing[0])}; it has minute, scale, depth, breadth"
                )
            for row in reader:
                at = f"{path_text(path)}:{reader.line_num}"
                try:
                    rows.append([float(row[name] or "") for name in ("minute", *WAYS)])
                except (TypeError, ValueError):
                    raise ValueError(
                        f"{at}: minute, scale, depth and breadth are numbers; correct or remove the row"
                    ) from None
                if not all(0 <= x < 1e9 for x in rows[-1]) or (len(rows) > 1 and rows[-1][0] <= rows[-2][0]):
                    raise ValueError(f"{at}: numbers are 0 or more, and minutes go up; correct or remove the row")
    except OSError as error:
        why = (error.strerror or "not readable").lower()
        raise ValueError(f"{path_text(path)}: cannot be read ({why}); name a CSV that is there") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path_text(path)}: cannot be read ({plain(str(error))}); name a CSV in UTF-8") from None
    if not rows:
        raise ValueError(f"{path_text(path)}: holds no row; give a row for each minute")
    minutes = np.array([row[0] for row in rows])
    ends = np.arange(1, STEPS + 1) * TICK / 60
    at_step = np.searchsorted(minutes, ends, side="right") - 1
    return {way: [rows[i][k] if i >= 0 else 0.0 for i in at_step] for k, way in enumerate(WAYS, 1)}


def nrmse(ours: Sequence[float], theirs: Sequence[float]) -> float | None:
    """sqrt(mean((ours - theirs)^2)) / the last of theirs, over the steps that both have (seed 003, eq. 7)."""
    n = min(len(ours), len(theirs))
    if not n or not theirs[n - 1]:
        return None
    gap = np.array(ours[:n]) - np.array(theirs[:n])
    return float(np.sqrt((gap**2).mean()) / theirs[n - 1])


def errors(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    """|ours - theirs| / the last of theirs at each step (seed 003, E.2)."""
    n = min(len(ours), len(theirs))
    return [abs(a - b) / theirs[n - 1] for a, b in zip(ours, theirs, strict=False)] if n and theirs[n - 1] else []


# ---- with a language model in the readers' place


async def run_minds(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One run with a model, and how far it is from a curve, if one was given. settings: steps, recommender,
    noise, always, chance; and curve.
    """
    s: dict[str, Any] = {"steps": STEPS, "recommender": "mix", "noise": 0, "always": False, "chance": 0}
    s |= dict(case.settings)
    site, post, readers = _begin(s, seed, voice.users)
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(s["steps"]):
        await readers.step(voice, TICK)
        add_shape(found, site, post)
    return describe_spread(found, s.get("curve"))


def _begin(s: dict[str, Any], instance: int, count: int) -> tuple[Platform, int, Readers]:
    """The platform once the source has posted, the post, and the readers, three in ten of whom follow the source among
    those who share its topic; one at least.
    """
    draw = draws(instance, "instance")
    users, topic = int(draw.integers(SMALL, LARGE + 1)), int(draw.integers(0, len(TOPICS)))
    crowd = FeedParameters(crowd=max(users, count))
    drawn = Platform("x", start=START, seed=instance, parameters=crowd, threads=1)
    if s["always"]:
        drawn.feed.hours[:] = 255
    shown = FeedParameters(recommender=s["recommender"], read=5)
    site = Platform("x", start=START, seed=instance + s["chance"], parameters=shown, threads=1)
    readers = Readers(site, drawn, count, instance, Screen(ACTS))
    source = site.sign_up("source", "Source", default_wording().topic_text(topic)[:200])
    fits = np.flatnonzero((drawn.feed.profiles.topics[:count] == topic).any(axis=1))
    fans = fits[draw.random(len(fits)) < FANS].tolist() or fits[:1].tolist() or [0]
    for user in fans:
        site.follow(user, source)
    return site, publish_posts(site, source, topic, s["noise"], draw, instance), readers


CASCADE = replace(declared_study("cascade", run), curve=read_curve)
MINDS = declared_minds(CASCADE, run_minds)
