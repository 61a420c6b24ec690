"""A tick of the crowd: who has a sitting, what each is shown, and what they do about it (docs/feed.md; ours).

The work is planned in chunks of a fixed size, on several threads if there are, and carried out alone, in order: chance
belongs to a chunk, so that the same seed gives the same acts for any number of threads. Whatever decides is whole
numbers, or comes of rounded tables and sums that are exact.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from sandbox.core.clock import DAY, HOUR
from sandbox.feed.chance import draws
from sandbox.feed.graph import following
from sandbox.feed.model import HOT, UNIT, UNTOLD, CrowdParameters, Feed, FeedParameters, norms, post_vectors
from sandbox.feed.packing import (
    COMMENTS,
    DOUBT,
    ONCE,
    ActColumns,
    ActKind,
    CrowdActed,
    first_of_pair,
    once_only_pairs,
    pack_acts,
    target_roots,
)
from sandbox.feed.recommenders import Ranker, Recommender
from sandbox.feed.tables import Bytes, Floats, Ints, Longs, Pairs, Small, hash_numbers, pair_keys

CHUNK = 4096  # sittings planned together
SITTING = 180  # seconds: the hourly tables say how likely one is to begin in these
LEVELS = 1 << 16  # of a draw
SCORES = 1 << 16  # scores with a logarithm of their own
ALWAYS = 1 << 40  # later than any second
TONE = 0.25  # from which what one thinks of a post tells in a comment
SWAYED = 0.5  # of what a score weighs, in how much a comment doubts a post
STIRRED = (1, 2, 4)  # of these acts, those that heat makes likelier
SEEN = (
    ActKind.LIKE,
    ActKind.DISLIKE,
    ActKind.REPOST,
    ActKind.FOLLOW,
    ActKind.NEUTRAL,
)  # what may be done about a post one has read


def _logits() -> Floats:
    """x > LOGIT[r], for a draw r of 16 bits, has the chance sigmoid(x)."""
    p = (np.arange(LEVELS) + 0.5) / LEVELS
    return np.round(np.log(p / (1 - p)), 4).astype(np.float32)


LOGIT: Floats = _logits()
LOG10: Floats = np.round(np.log10(1 + np.arange(SCORES)), 4).astype(np.float32)


Done: TypeAlias = tuple[Longs, Bytes, Longs]  # users, acts, and on what


class CrowdPlan(NamedTuple):
    """What a chunk of sittings comes to. user, act, target: acts, before it is known which can be; reader, by: whose
    stance moves, and how far, in thousandths.
    """

    user: Longs
    act: NDArray[np.uint8]
    target: Longs
    reader: Longs
    by: NDArray[np.int32]


class Crowd:
    """The crowd of one feed, as a system drives it. threads: how many plan; the acts do not depend on it."""

    def __init__(
        self, feed: Feed, parameters: FeedParameters, c: CrowdParameters, recommender: Recommender, threads: int = 0
    ) -> None:
        self.feed, self.p, self.c, self.recommender = feed, parameters, c, recommender
        self.threads = threads or usual_threads()

    def tick(self, seed: int, number: int, t: int, seconds: int) -> CrowdActed:
        """What the crowd does in a tick. seed, number: its chance; t: its first second."""
        feed = self.feed
        barred = self._barred()
        sitters = self.active(draws(seed, "sittings", number), t, seconds)
        ready = self.recommender.prepare(feed, t, draws(seed, "pool", number))
        salt = int(draws(seed, "lots").integers(1 << 63))
        parts = [sitters[at : at + CHUNK] for at in range(0, len(sitters), CHUNK)]

        def plan(i: int) -> CrowdPlan:
            return self.plan(ready, parts[i], draws(seed, "crowd", number, i), barred, t, salt)

        jobs = range(len(parts))
        with _libraries().limit(limits=1):  # their threads and ours would stand in each other's way
            several = self.threads > 1 and len(parts) > 1
            plans = [*_pool(self.threads).map(plan, jobs)] if several else [*map(plan, jobs)]
        return self._commit(plans, seconds)

    def active(self, draw: np.random.Generator, t: int, seconds: int) -> Longs:
        """Who has a sitting in a tick, in order; whoever has several stands there as often."""
        feed = self.feed
        rate = np.zeros(feed.crowd, np.int64)  # in LEVELS
        begin = t
        while begin < t + seconds:
            end = min(t + seconds, begin + HOUR - (feed.epoch + begin) % HOUR)
            chance = feed.hours[(feed.epoch + begin) % DAY // HOUR].astype(np.int64)
            rate += (chance * 257 + (chance > 0)) * (end - begin)  # 255 * 257 + 1 = LEVELS
            begin = end
        rate //= SITTING
        sittings = (rate >> 16) + (draw.integers(0, LEVELS, feed.crowd, np.uint16) < (rate & (LEVELS - 1)))
        return np.repeat(np.arange(feed.crowd), sittings)

    # ---- planning: reads the feed, changes nothing

    def _barred(self) -> Pairs | None:
        """Users of the crowd and the accounts that have blocked them; None if nobody has."""
        found = Pairs()
        for account in self.feed.accounts.values():
            blocked = [user for user in account.blocks if user < self.feed.crowd]
            if blocked:
                found.add(np.array(blocked, np.int64), account.number)
        return found if found.n else None

    def plan(
        self,
        ready: Ranker,
        users: Longs,
        draw: np.random.Generator,
        barred: Pairs | None = None,
        t: int = ALWAYS,
        salt: int = 0,
    ) -> CrowdPlan:
        """What users come to do, one sitting each. barred: who is not shown whose posts. t: what was written after that
        second is not seen yet. salt: of the chance that a user and a post have.
        """
        feed, c = self.feed, self.c
        ranked = ready(users, self._kept(), draw)
        ranked = np.where(feed.posts.t[np.maximum(ranked, 0)] > t, np.int32(-1), ranked)
        if barred is not None:  # before any are drawn: what is not shown takes no place
            cards, who = np.maximum(ranked, 0), np.repeat(users, ranked.shape[1])
            for by in (cards, feed.posts.root[cards]):  # whoever passed it on, and whoever wrote it
                hidden = barred.has(who, feed.posts.author[by].ravel()).reshape(ranked.shape)
                ranked = np.where(hidden, np.int32(-1), ranked)
        shown = self._read(ranked, draw)
        place, column = np.nonzero(shown >= 0)
        reader, card = users[place], shown[place, column].astype(np.int64)
        root = feed.posts.root[card]
        base = self._base(reader, root)
        noise = draw.integers(-50, 51, shown.shape, np.int8)[place, column]
        parts = [self._about_posts(reader, card, root, base, lots(reader, root, salt), noise)]
        moves = [(reader, self._drawn(reader, feed.posts.stance[root]))] if c.moves else []
        posting = draw.integers(0, LEVELS, len(users), np.uint16) < c.posts * LEVELS
        about = draw.integers(0, 2, len(users))
        posts = users[posting]
        parts.append(
            (
                posts,
                np.full(len(posts), ActKind.POST, np.uint8),
                feed.profiles.topics[posts, about[posting]].astype(np.int64),
            )
        )
        if c.comments:
            at, comment = self._comments(root)
            seen = feed.comments.t[comment] <= t
            if barred is not None:
                seen &= ~barred.has(reader[at], feed.comments.author[comment])
            at, comment = at[seen], comment[seen]
            parts.append(self._about_comments(reader[at], comment, base[at], lots(reader[at], comment, salt + 1)))
            if c.moves:
                moves.append((reader[at], self._drawn(reader[at], feed.comments.stance[comment])))
        user, act, target = (np.concatenate([part[i] for part in parts]) for i in range(3))
        none = np.zeros(0, np.int64)
        return CrowdPlan(
            user,
            act.astype(np.uint8),
            target.astype(np.int64),
            np.concatenate([none, *(who for who, _ in moves)]),
            np.concatenate([none.astype(np.int32), *(by for _, by in moves)]),
        )

    def _about_posts(
        self,
        reader: Longs,
        card: Longs,
        root: Ints,
        base: Floats,
        lots: NDArray[np.uint16],
        noise: Small,
    ) -> Done:
        """What is done about posts that are read. lots: of these; noise: in the tone of a comment, hundredths."""
        feed, c = self.feed, self.c
        own, other = self._stances(reader, feed.posts.stance[root])
        sway = self._sway(feed.posts.likes[root] - feed.posts.dislikes[root])
        agree = np.float32(c.stance) * own * other
        for_it = base + agree + sway
        against = base - agree - sway
        wish = np.stack((c.like + for_it, c.dislike + against, *(x + for_it for x in (c.repost, c.follow, c.comment))))
        hot = np.float32(c.heat / HOT) * feed.posts.heat[root] if feed.heated and c.heat else None
        if hot is not None:
            wish[np.array(STIRRED)] += hot
        of = np.stack((lots[0], ~lots[0], *lots[1:]))  # whoever is near to liking it is far from disliking it
        kind, at = np.nonzero(wish.astype(np.float32) > LOGIT[of])
        act = np.array(SEEN, np.uint8)[kind]
        said = np.flatnonzero(act == ActKind.NEUTRAL)
        heard = (noise[at[said]] * np.float32(0.01)).astype(np.float32)
        if hot is not None:
            heard = heard - np.minimum(hot[at[said]], np.float32(1))
        act[said] = self._said(at[said], own, other, sway, reader, heard)
        passed = np.where(act == ActKind.REPOST, card[at], root[at])
        return reader[at], act, np.where(act == ActKind.FOLLOW, feed.posts.author[root[at]], passed)

    def _said(self, at: Longs, own: Floats, other: Floats, sway: Floats, reader: Longs, noise: Floats) -> Bytes:
        """What kind of comment somebody writes: in a tone, or with so much doubt."""
        if self.c.doubts:
            belief = own[at] + np.float32(SWAYED) * sway[at] + np.float32(0.5) * noise
            doubt: Bytes = (DOUBT + np.clip(np.rint(5.5 - 4.5 * belief), 1, 10)).astype(np.uint8)
            return doubt
        warmth = own[at] * other[at] + np.float32(self.c.mood / 100) * self.feed.users.pleasure[reader[at]] + noise
        tone: Bytes = (ActKind.NEUTRAL + (warmth > TONE).astype(np.int8) - (warmth < -TONE)).astype(np.uint8)
        return tone

    def _comments(self, root: Ints) -> tuple[Longs, Longs]:
        """The newest comments of these posts: the place of each among them, and its number."""
        places, found = [], []
        at, comment = np.arange(len(root)), self.feed.posts.last[root].astype(np.int64)
        for _ in range(self.c.comments):
            there = comment >= 0
            at, comment = at[there], comment[there]
            places.append(at)
            found.append(comment)
            comment = self.feed.comments.before[comment].astype(np.int64)
        return np.concatenate(places), np.concatenate(found)

    def _about_comments(self, reader: Longs, comment: Longs, base: Floats, lots: NDArray[np.uint16]) -> Done:
        """What is done about comments that are read. lots: of these."""
        comments, c = self.feed.comments, self.c
        own, other = self._stances(reader, comments.stance[comment])
        leans = np.float32(c.stance) * own * other + self._sway(comments.likes[comment] - comments.dislikes[comment])
        wish = np.stack((c.like + base + leans, c.dislike + base - leans)).astype(np.float32)
        kind, at = np.nonzero(wish > LOGIT[np.stack((lots[0], ~lots[0]))])
        return reader[at], np.array((ActKind.LIKE_COMMENT, ActKind.DISLIKE_COMMENT), np.uint8)[kind], comment[at]

    def _kept(self) -> int:
        return max(self.p.cache, self.p.read)

    def _read(self, ranked: Ints, draw: np.random.Generator) -> Ints:
        """What is read of what was ranked: so many, drawn from all that is kept ready."""
        n, k = ranked.shape
        if self.p.read >= k:
            return self._once(ranked)
        lots = draw.integers(0, LEVELS, (n, k), np.uint16).astype(np.int32) * k + np.arange(k, dtype=np.int32)
        lots = np.where(ranked < 0, -1 - np.arange(k, dtype=np.int32), lots)  # of equals each machine takes others
        chosen = np.argpartition(lots, k - self.p.read, axis=1)[:, k - self.p.read :]
        return self._once(np.take_along_axis(ranked, np.sort(chosen, axis=1), axis=1))

    def _once(self, shown: Ints) -> Ints:
        """The same, without cards that show what another before them shows to the same user."""
        root = np.where(shown >= 0, self.feed.posts.root[np.maximum(shown, 0)], -1)
        found = shown.copy()
        for i in range(1, shown.shape[1]):
            found[(root[:, :i] == root[:, i : i + 1]).any(axis=1), i] = -1
        return found

    def _base(self, reader: Longs, root: Ints) -> Floats:
        """What match and mood add to any act."""
        feed, c = self.feed, self.c
        mine = feed.users.vector[reader].astype(np.float32)
        its = post_vectors(feed, root)
        cosine = np.einsum("ij,ij->i", mine, its) / np.maximum(norms(mine) * norms(its), 1)
        base = np.float32(c.match / 2) * cosine  # match is (1 + cosine) / 2, and a middling one adds nothing
        found: Floats = (base + np.float32(c.mood / 100) * feed.users.pleasure[reader]).astype(np.float32)
        return found

    def _stances(self, reader: Longs, told: NDArray[np.int16]) -> tuple[Floats, Floats]:
        """The stances of readers and of what they read, 0 where it takes none."""
        own = self.feed.users.stance[reader] * np.float32(1 / UNIT)
        other = np.where(told == UNTOLD, 0, told) * np.float32(1 / UNIT)
        return own.astype(np.float32), other.astype(np.float32)

    def _sway(self, score: Ints) -> Floats:
        """What the score shown adds to a wish to like: k sign(v) log10(1 + |v|)."""
        above, below = self.c.herd if self.c.shown else (0.0, 0.0)
        size = LOG10[np.minimum(np.abs(score), self.c.ceiling or SCORES - 1)]
        return np.where(score > 0, np.float32(above) * size, np.float32(-below) * size)

    def _drawn(self, reader: Longs, told: NDArray[np.int16]) -> NDArray[np.int32]:
        """How far what is read moves a stance, in thousandths."""
        c, s = self.c, self.feed.users.stance[reader].astype(np.int32)
        x = np.where(told == UNTOLD, s, told)
        gap = x - s
        near = np.abs(gap) <= c.near * UNIT
        moved = np.where(near, np.rint(np.float32(c.pull) * gap), 0)
        sides = (np.sign(x) == np.sign(s)) & (np.abs(x) >= np.abs(s)) & (told != UNTOLD)
        moved += np.where(sides, c.harden * UNIT * np.sign(s), 0)
        moved -= np.where(np.abs(gap) > c.far * UNIT, c.push * UNIT * np.sign(gap), 0)
        return np.rint(moved).astype(np.int32)

    # ---- carrying out

    def _commit(self, plans: list[CrowdPlan], seconds: int) -> CrowdActed:
        """What of the plans can be: nobody likes, comments or passes on twice, or follows whom they follow or
        themselves.
        """
        feed = self.feed
        empty = np.zeros(0, np.int64)
        user = np.concatenate([empty, *(p.user for p in plans)])
        act = np.concatenate([np.zeros(0, np.uint8), *(p.act for p in plans)])
        target = np.concatenate([empty, *(p.target for p in plans)])
        root = target_roots(feed, act, target)
        order = np.lexsort((target, root, act, user))
        user, act, target, root = user[order], act[order], target[order], root[order]
        able = np.ones(len(user), bool)
        first = np.ones(len(user), bool)
        first[1:] = (user[1:] != user[:-1]) | (act[1:] != act[:-1]) | (root[1:] != root[:-1])
        able &= first | ~ONCE[act]
        for kind, pairs in once_only_pairs(feed):
            which = np.flatnonzero((act == kind) & able)
            able[which] = ~pairs.has(user[which], root[which])
        which = np.flatnonzero(COMMENTS[act])
        able[which] = first_of_pair(user[which], root[which]) & ~feed.commented.has(user[which], root[which])
        which = np.flatnonzero((act == ActKind.FOLLOW) & able)
        able[which] = (user[which] != target[which]) & ~following(feed.graph, user[which], target[which])
        reader = np.concatenate([empty, *(p.reader for p in plans)])
        by = np.concatenate([np.zeros(0, np.int32), *(p.by for p in plans)])
        moved = np.bincount(reader, by, feed.crowd) if len(reader) else np.zeros(feed.crowd)
        return pack_acts(feed, ActColumns(user[able], act[able], target[able]), moved.astype(np.int32), seconds)


def lots(reader: Longs, on: NDArray[np.integer], salt: int) -> NDArray[np.uint16]:
    """Four draws of 16 bits for each reader and what they read: the same whenever they read it, so that who has passed
    something by has not another chance to like it for seeing it again, but for what has changed meanwhile.
    """
    found = hash_numbers(hash_numbers(pair_keys(reader, on), salt), salt)
    found ^= found >> np.uint64(32)
    return np.stack([(found >> np.uint64(16 * i)).astype(np.uint16) for i in range(4)])


def usual_threads() -> int:
    """As many as there are processors, at most eight; SANDBOX_THREADS says otherwise."""
    said = os.environ.get("SANDBOX_THREADS", "")
    return max(1, int(said)) if said.isdecimal() else min(8, os.cpu_count() or 1)


@cache
def _libraries() -> ThreadpoolController:
    """The libraries beneath numpy that use several threads, as those that multiply matrices do."""
    return ThreadpoolController()


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "crowd")
