"""A tick of the crowd: who has a sitting, what each user is shown, and how they react (docs/feed.md; our design).

Work is planned in chunks of a fixed size, on several threads if available, and applied on one, in order. Random numbers
belong to a chunk, so that a seed gives the same acts for any number of threads. All decisions use whole numbers, or
rounded tables and exact sums.
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
from sandbox.feed.card_scores import Ranker
from sandbox.feed.graph import following
from sandbox.feed.model import HOT, UNIT, UNTOLD, CrowdParameters, Feed, norms, post_vectors
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
from sandbox.feed.parameters import FeedParameters
from sandbox.feed.recommenders import Recommender
from sandbox.feed.tables import Bytes, Floats, Ints, Longs, Pairs, Small, draws, hash_numbers, pair_keys, run_starts

CHUNK = 4096  # sittings planned together
SITTING = 180  # seconds; the hourly tables hold the chance that a sitting begins within them
LEVELS = 1 << 16  # number of values of a draw
SCORES = 1 << 16  # scores whose logarithm is in a table
ALWAYS = 1 << 40  # later than any second: nothing is too new to be seen
TONE = 0.25  # agreement from which a comment has a tone
SWAYED = 0.5  # weight of the score shown, relative to its weight for liking, in how much a comment doubts a post
STIRRED = (1, 2, 4)  # acts of these indices are made likelier by heat
# Possible acts on a post that was read.
SEEN = (ActKind.LIKE, ActKind.DISLIKE, ActKind.REPOST, ActKind.FOLLOW, ActKind.NEUTRAL)


def _logits() -> Floats:
    """A table LOGIT: for a 16-bit draw r, x > LOGIT[r] has the chance sigmoid(x)."""
    p = (np.arange(LEVELS) + 0.5) / LEVELS
    return np.round(np.log(p / (1 - p)), 4).astype(np.float32)


LOGIT: Floats = _logits()
LOG10: Floats = np.round(np.log10(1 + np.arange(SCORES)), 4).astype(np.float32)


Done: TypeAlias = tuple[Longs, Bytes, Longs]  # users, acts, targets


class CrowdPlan(NamedTuple):
    """The plan of a chunk of sittings. user, act, target: intended acts, before duplicates are dropped; reader, by:
    whose stance moves, and how far, in thousandths.
    """

    user: Longs
    act: NDArray[np.uint8]
    target: Longs
    reader: Longs
    by: NDArray[np.int32]


class Crowd:
    """The crowd of one feed, run by a system. threads: how many plan, 0: as many as is usual; the acts do not depend on
    it.
    """

    def __init__(
        self, feed: Feed, parameters: FeedParameters, c: CrowdParameters, recommender: Recommender, threads: int = 0
    ) -> None:
        self.feed, self.p, self.c, self.recommender = feed, parameters, c, recommender
        self.threads = threads or usual_threads()

    def tick(self, seed: int, number: int, t: int, seconds: int) -> CrowdActed:
        """What the crowd does in a tick. seed, number: of its random streams; t: its first second."""
        feed = self.feed
        barred = self._barred()
        sitters = self.active(draws(seed, "sittings", number), t, seconds)
        ready = self.recommender.prepare(feed, t, draws(seed, "pool", number))
        salt = int(draws(seed, "lots").integers(1 << 63))
        parts = [sitters[at : at + CHUNK] for at in range(0, len(sitters), CHUNK)]

        def plan(i: int) -> CrowdPlan:
            return self.plan(ready, parts[i], draws(seed, "crowd", number, i), barred, t, salt)

        jobs = range(len(parts))
        with _libraries().limit(limits=1):  # threads of these libraries would compete with ours
            several = self.threads > 1 and len(parts) > 1
            plans = [*_pool(self.threads).map(plan, jobs)] if several else [*map(plan, jobs)]
        return self._commit(plans, seconds)

    def active(self, draw: np.random.Generator, t: int, seconds: int) -> Longs:
        """Users with a sitting in a tick, in order, repeated for several sittings."""
        feed = self.feed
        rate = np.zeros(feed.crowd, np.int64)  # in units of 1 / LEVELS
        chances = np.arange(256) * 257 + (np.arange(256) > 0)  # 255 * 257 + 1 = LEVELS
        begin = t
        while begin < t + seconds:
            end = min(t + seconds, begin + HOUR - (feed.epoch + begin) % HOUR)
            rate += (chances * (end - begin))[feed.hours[(feed.epoch + begin) % DAY // HOUR]]
            begin = end
        rate //= SITTING
        sittings = (rate >> 16) + (draw.integers(0, LEVELS, feed.crowd, np.uint16) < (rate & (LEVELS - 1)))
        return np.repeat(np.arange(feed.crowd), sittings)

    # ---- planning: reads the feed, changes nothing

    def _barred(self) -> Pairs | None:
        """Pairs of a crowd user and an account that has blocked them; None if there are none."""
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
        """The plan of users' sittings, one each. barred: pairs (user, account whose posts are hidden). t: later posts
        are not seen. salt: of the draws that belong to a pair of user and post.
        """
        feed, c = self.feed, self.c
        ranked = ready(users, self._kept(), draw)
        ranked = np.where(feed.posts.t[np.maximum(ranked, 0)] > t, np.int32(-1), ranked)
        if barred is not None:  # before the draw, so that hidden cards take up no place
            cards, who = np.maximum(ranked, 0), np.repeat(users, ranked.shape[1])
            for by in (cards, feed.posts.root[cards]):  # the reposter, and the author
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
        topics = feed.profiles.topics[posts, about[posting]].astype(np.int64)
        parts.append((posts, np.full(len(posts), ActKind.POST, np.uint8), topics))
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
        readers = np.concatenate([none, *(who for who, _ in moves)])
        by = np.concatenate([none.astype(np.int32), *(by for _, by in moves)])
        return CrowdPlan(user, act.astype(np.uint8), target.astype(np.int64), readers, by)

    def _about_posts(
        self, reader: Longs, card: Longs, root: Ints, base: Floats, lots: NDArray[np.uint16], noise: Small
    ) -> Done:
        """Acts on the posts that were read. lots: 16-bit draws for each; noise: of a comment's tone, hundredths."""
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
        of = np.stack((lots[0], ~lots[0], *lots[1:]))  # near to liking: far from disliking
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
        """The kind of each comment: an act with a tone, or with a degree of doubt."""
        if self.c.doubts:
            belief = own[at] + np.float32(SWAYED) * sway[at] + np.float32(0.5) * noise
            doubt: Bytes = (DOUBT + np.clip(np.rint(5.5 - 4.5 * belief), 1, 10)).astype(np.uint8)
            return doubt
        warmth = own[at] * other[at] + np.float32(self.c.mood / 100) * self.feed.users.pleasure[reader[at]] + noise
        tone: Bytes = (ActKind.NEUTRAL + (warmth > TONE).astype(np.int8) - (warmth < -TONE)).astype(np.uint8)
        return tone

    def _comments(self, root: Ints) -> tuple[Longs, Longs]:
        """The newest comments of these posts: the index of each one's post, and its number."""
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
        """Acts on the comments that were read. lots: 16-bit draws for each."""
        comments, c = self.feed.comments, self.c
        own, other = self._stances(reader, comments.stance[comment])
        leans = np.float32(c.stance) * own * other + self._sway(comments.likes[comment] - comments.dislikes[comment])
        wish = np.stack((c.like + base + leans, c.dislike + base - leans)).astype(np.float32)
        kind, at = np.nonzero(wish > LOGIT[np.stack((lots[0], ~lots[0]))])
        return reader[at], np.array((ActKind.LIKE_COMMENT, ActKind.DISLIKE_COMMENT), np.uint8)[kind], comment[at]

    def _kept(self) -> int:
        return max(self.p.cache, self.p.read)

    def _read(self, ranked: Ints, draw: np.random.Generator) -> Ints:
        """A random selection of the ranked cards, as many as are read in a sitting."""
        n, k = ranked.shape
        if self.p.read >= k:
            return self._once(ranked)
        lots = draw.integers(0, LEVELS, (n, k), np.uint16).astype(np.int32) * k + np.arange(k, dtype=np.int32)
        lots = np.where(ranked < 0, -1 - np.arange(k, dtype=np.int32), lots)  # distinct among equals
        chosen = np.argpartition(lots, k - self.p.read, axis=1)[:, k - self.p.read :]
        return self._once(np.take_along_axis(ranked, np.sort(chosen, axis=1), axis=1))

    def _once(self, shown: Ints) -> Ints:
        """The cards shown, with a repeat of a root to the same user replaced by none."""
        root = np.where(shown >= 0, self.feed.posts.root[np.maximum(shown, 0)], -1)
        found = shown.copy()
        for i in range(1, shown.shape[1]):
            found[(root[:, :i] == root[:, i : i + 1]).any(axis=1), i] = -1
        return found

    def _base(self, reader: Longs, root: Ints) -> Floats:
        """What match and mood add to the logit of any act."""
        feed, c = self.feed, self.c
        mine = feed.users.vector[reader].astype(np.float32)
        roots, which = np.unique(root, return_inverse=True)  # many read the same posts
        its = post_vectors(feed, roots)
        cosine = np.einsum("ij,ij->i", mine, its[which]) / np.maximum(norms(mine) * norms(its)[which], 1)
        base = np.float32(c.match / 2) * cosine  # match is (1 + cosine) / 2; an average match adds nothing
        found: Floats = (base + np.float32(c.mood / 100) * feed.users.pleasure[reader]).astype(np.float32)
        return found

    def _stances(self, reader: Longs, told: NDArray[np.int16]) -> tuple[Floats, Floats]:
        """The stances of readers and of what they read, 0 for texts without one."""
        own = self.feed.users.stance[reader] * np.float32(1 / UNIT)
        other = np.where(told == UNTOLD, 0, told) * np.float32(1 / UNIT)
        return own.astype(np.float32), other.astype(np.float32)

    def _sway(self, score: Ints) -> Floats:
        """What the score shown adds to the logit of liking: k sign(v) log10(1 + |v|)."""
        above, below = self.c.herd if self.c.shown else (0.0, 0.0)
        size = LOG10[np.minimum(np.abs(score), self.c.ceiling or SCORES - 1)]
        return np.where(score > 0, np.float32(above) * size, np.float32(-below) * size)

    def _drawn(self, reader: Longs, told: NDArray[np.int16]) -> NDArray[np.int32]:
        """How far reading moves each reader's stance, in thousandths."""
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
        """Merge the plans without impossible acts: liking, commenting or reposting twice, following twice or following
        oneself.
        """
        feed = self.feed
        empty = np.zeros(0, np.int64)
        user = np.concatenate([empty, *(p.user for p in plans)])
        act = np.concatenate([np.zeros(0, np.uint8), *(p.act for p in plans)])
        target = np.concatenate([empty, *(p.target for p in plans)])
        root = target_roots(feed, act, target)
        keys = (user << 40) | (act.astype(np.int64) << 32) | root
        order = np.lexsort((target, keys))
        user, act, target, root = user[order], act[order], target[order], root[order]
        able = run_starts(keys[order]) | ~ONCE[act]
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
    """Four 16-bit draws for each reader and target, the same at every reading: seeing a post again gives no new chance
    to like it, unless something has changed meanwhile.
    """
    found = hash_numbers(hash_numbers(pair_keys(reader, on), salt), salt)
    found ^= found >> np.uint64(32)
    return np.stack([(found >> np.uint64(16 * i)).astype(np.uint16) for i in range(4)])


def usual_threads() -> int:
    """The number of processors, at most eight; SANDBOX_THREADS overrides it."""
    said = os.environ.get("SANDBOX_THREADS", "")
    return max(1, int(said)) if said.isdecimal() else min(8, os.cpu_count() or 1)


@cache
def _libraries() -> ThreadpoolController:
    """Controls the threads of libraries beneath numpy, such as those for matrix products."""
    return ThreadpoolController()


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "crowd")
