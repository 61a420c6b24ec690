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
from sandbox.feed import opinion
from sandbox.feed.card_scores import Ranker
from sandbox.feed.model import HOT, NEVER, UNIT, UNTOLD, CrowdParameters, Feed, norms, post_vectors, told_stances
from sandbox.feed.packing import (
    DOUBT,
    ActColumns,
    ActKind,
    CrowdActed,
    group_acts,
    ordered_acts,
    pack_acts,
    undone_acts,
)
from sandbox.feed.parameters import FeedParameters, steered_recommender
from sandbox.feed.recommenders import Recommender
from sandbox.feed.steering import chosen_cards, lots, lots_salt, put_first, salted, silenced_cards
from sandbox.feed.tables import Bytes, Floats, Ints, Longs, Pairs, Small, draws

CHUNK = 4096  # sittings planned together
SITTING = 180  # seconds; the hourly tables hold the chance that a sitting begins within them
LEVELS = 1 << 16  # number of values of a draw
SCORES = 1 << 16  # scores whose logarithm is in a table
ALWAYS = 1 << 40  # later than any second: nothing is too new to be seen
TONE = 0.25  # agreement from which a comment has a tone
SWAYED = 0.5  # weight of the score shown, relative to its weight for liking, in how much a comment doubts a post
# Possible acts on a post that was read; for each, whether it is against the post, and whether heat makes it likelier.
SEEN: Bytes = np.array(
    (ActKind.LIKE, ActKind.DISLIKE, ActKind.REPOST, ActKind.FOLLOW, ActKind.NEUTRAL, ActKind.UNFOLLOW), np.uint8
)
AGAINST = np.array((0, 1, 0, 0, 0, 1))
STIRRED = np.array((False, True, True, False, True, False))
# By the chance of a sitting, in 255ths: the same in units of 1 / LEVELS.
CHANCES: Longs = np.arange(256) * 257 + (np.arange(256) > 0)  # 255 * 257 + 1 = LEVELS


def _logits() -> Floats:
    """A table LOGIT: for a 16-bit draw r, x > LOGIT[r] has the chance sigmoid(x)."""
    p = (np.arange(LEVELS) + 0.5) / LEVELS
    return np.round(np.log(p / (1 - p)), 4).astype(np.float32)


LOGIT: Floats = _logits()
LOG10: Floats = np.round(np.log10(1 + np.arange(SCORES)), 4).astype(np.float32)


Done: TypeAlias = tuple[Longs, Bytes, Longs]  # users, acts, targets


class CrowdPlan(NamedTuple):
    """The plan of a chunk of sittings. user, act, target: intended acts, before duplicates are dropped; reader, by:
    whose stance moves, and how far, in thousandths, or what they read (`opinion.py`). who, read: the cards that were
    read.
    """

    user: Longs
    act: NDArray[np.uint8]
    target: Longs
    reader: Longs
    by: NDArray[np.int32]
    who: Longs
    read: Longs


NOBODY: Longs = np.zeros(0, np.int64)
NO_PLAN = CrowdPlan(NOBODY, np.zeros(0, np.uint8), NOBODY, NOBODY, np.zeros(0, np.int32), NOBODY, NOBODY)


class Crowd:
    """The crowd of one feed, run by a system. threads: how many plan, 0: as many as is usual; the acts do not depend on
    it.
    """

    def __init__(
        self, feed: Feed, parameters: FeedParameters, c: CrowdParameters, recommender: Recommender, threads: int = 0
    ) -> None:
        self.feed, self.p, self.c, self.recommender = feed, parameters, c, recommender
        self.threads = threads or usual_threads()
        self._read_in: list[tuple[Longs, Longs]] = []  # chunks of the last tick: users and cards that were read
        self._sitters: tuple[tuple[int, ...], Longs] = (), NOBODY  # what was asked for, and what was found
        self._salt = (-1, 0)  # the seed it was drawn by, and the salt of lots
        ending = (c.unfollow,) if c.unfollow > NEVER else ()
        self._wishes = np.array((c.like, c.dislike, c.repost, c.follow, c.comment, *ending), np.float32)
        above, below = c.herd if c.shown else (0.0, 0.0)
        size = LOG10[: (c.ceiling or SCORES - 1) + 1]
        # By the score shown, those below 0 from the end: what it adds to the logit of liking, k sign(v) log10(1 + |v|).
        self._sways: Floats = np.append(np.float32(above) * size, np.float32(-below) * size[:0:-1])

    def tick(self, seed: int, number: int, t: int, seconds: int) -> CrowdActed:
        """What the crowd does in a tick. seed, number: of its random streams; t: its first second."""
        feed = self.feed
        barred = self._barred()
        sitters = self.sitters(seed, number, t, seconds)
        ready = steered_recommender(feed, self.p, self.recommender).prepare(feed, t, draws(seed, "pool", number))
        if self._salt[0] != seed:
            self._salt = seed, lots_salt(seed)

        def plan(i: int) -> CrowdPlan:
            users = sitters[i * CHUNK : (i + 1) * CHUNK]
            chosen = chosen_cards(feed, users, sitters[i * CHUNK - 1] if i else -1)
            return self.plan(ready, users, draws(seed, "crowd", number, i), barred, t, self._salt[1], chosen)

        jobs = range(-(-len(sitters) // CHUNK))
        with libraries().limit(limits=1):  # threads of these libraries would compete with ours
            several = self.threads > 1 and len(jobs) > 1
            plans = [*_pool(self.threads).map(plan, jobs)] if several else [*map(plan, jobs)]
        self._read_in = [(one.who, one.read) for one in plans]
        return self._commit(plans, seconds)

    @property
    def read(self) -> tuple[Longs, Longs]:
        """(users, cards) that were read in the last tick."""
        who, cards = zip((NOBODY, NOBODY), *self._read_in, strict=True)
        return np.concatenate(who), np.concatenate(cards)

    def sitters(self, seed: int, number: int, t: int, seconds: int) -> Longs:
        """Who has a sitting in a tick (`active`), asked for twice where one is steered. seed, number: of its random
        streams; t: its first second.
        """
        asked = seed, number, t, seconds
        if self._sitters[0] != asked:
            self._sitters = asked, self.active(draws(seed, "sittings", number), t, seconds)
        return self._sitters[1]

    def active(self, draw: np.random.Generator, t: int, seconds: int) -> Longs:
        """Users with a sitting in a tick, in order, repeated for several sittings."""
        feed = self.feed
        spans, begin = [], t
        while begin < t + seconds:
            end = min(t + seconds, begin + HOUR - (feed.epoch + begin) % HOUR)
            spans.append((CHANCES * (end - begin), feed.hours[(feed.epoch + begin) % DAY // HOUR]))
            begin = end
        lots = draw.integers(0, LEVELS, feed.crowd, np.uint16)
        rate = (spans[0][0] if len(spans) == 1 else sum(by[at] for by, at in spans)) // SITTING
        surely, maybe = (rate >> 16).astype(np.uint16), (rate & (LEVELS - 1)).astype(np.uint16)
        if len(spans) == 1:  # by the chance
            surely, maybe = surely.take(spans[0][1]), maybe.take(spans[0][1])
        return np.repeat(np.arange(feed.crowd), surely + (lots < maybe))

    # ---- planning: reads the feed, changes nothing

    def _barred(self) -> Pairs | None:
        """Pairs of a crowd user and an account that has blocked them; None if there are none."""
        found = Pairs(1)
        for account in self.feed.accounts.values():
            blocked = [user for user in account.blocks if user < self.feed.crowd] if account.blocks else ()
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
        chosen: Ints | None = None,
    ) -> CrowdPlan:
        """The plan of users' sittings, one each. barred: pairs (user, account whose posts are hidden). t: later posts
        are not seen. salt: of the draws that belong to a pair of user and post. chosen: cards that are read for certain
        (`steering.chosen_cards`).
        """
        feed, c, cards = self.feed, self.c, self.feed.posts
        ranked = ready(users, max(self.p.cache, self.p.read), draw)
        ranked = self._visible(users, ranked, barred, t)
        silenced = silenced_cards(feed, users, ranked, salted(salt))
        if silenced is not None:  # before the draw, so that hidden cards take up no place
            ranked = np.where(silenced, np.int32(-1), ranked)
        shown = self._read(ranked, draw)
        if chosen is not None:
            shown = self._once(put_first(shown, self._visible(users, chosen, barred, t)))
        at = (shown >= 0).ravel().nonzero()[0]
        reader, card = users[at // shown.shape[1]], shown.ravel()[at].astype(np.int64)
        root = cards.root[card]
        base = self._base(reader, root)
        noise = draw.integers(-50, 51, shown.shape, np.int8).ravel()[at]
        parts = [self._about_posts(reader, card, root, base, lots(reader, root, salt), noise)]
        moves = [self._heard(users, reader, cards.stance[root])] if c.moves else []
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
                moves.append(self._heard(users, reader[at], feed.comments.stance[comment]))
        user, act, target = (np.concatenate([part[i] for part in parts]) for i in range(3))
        readers, by = map(np.concatenate, zip(*moves, strict=True)) if moves else NO_PLAN[3:5]
        return CrowdPlan(user, act, target, readers, by, reader, card)

    def _visible(self, users: Longs, shown: Ints, barred: Pairs | None, t: int) -> Ints:
        """The cards, with those that are later than t, deleted, or by somebody who bars the user replaced by none."""
        cards = self.feed.posts
        there = np.maximum(shown, 0)
        shown = np.where(cards.t.take(there) > t, np.int32(-1), shown)
        if barred is not None:
            who = np.repeat(users, shown.shape[1])
            for by in (there, cards.root[there]):  # the reposter, and the author
                hidden = barred.has(who, cards.author[by].ravel()).reshape(shown.shape)
                shown = np.where(hidden, np.int32(-1), shown)
        return shown

    def _about_posts(
        self, reader: Longs, card: Longs, root: Ints, base: Floats, lots: NDArray[np.uint16], noise: Small
    ) -> Done:
        """Acts on the posts that were read. lots: 16-bit draws for each; noise: of a comment's tone, hundredths."""
        feed, c = self.feed, self.c
        own, other = self._stances(reader, feed.posts.stance[root])
        sway = self._sway(feed.posts.likes[root] - feed.posts.dislikes[root])
        agree = np.float32(c.stance) * own * other
        leans = np.stack((base + agree + sway, base - agree - sway))
        many = len(self._wishes)
        of = np.concatenate((lots[:1], ~lots[:1], lots[1:], ~lots[2:3]))[:many]  # near to liking: far from disliking
        most = self._wishes + leans.max(axis=1, initial=-np.inf)[AGAINST[:many]]
        hot = np.float32(c.heat / HOT) * feed.posts.heat[root] if feed.heated and c.heat else None
        if hot is not None:
            most += STIRRED[:many] * hot.max(initial=0)
        last = np.minimum(LOGIT.searchsorted(most), LEVELS - 1).astype(np.uint16)
        kind, at = np.nonzero(of <= last[:, None])  # the others are beyond the highest wish
        wish = self._wishes[kind] + leans[AGAINST[kind], at]
        if hot is not None:
            wish += STIRRED[kind] * hot[at]
        able = wish > LOGIT[of[kind, at]]
        kind, at = kind[able], at[able]
        reposts, follows, comments, unfollows = kind.searchsorted((2, 3, 4, 5)).tolist()
        act, target = SEEN[kind], root[at].astype(np.int64)
        target[reposts:follows] = card[at[reposts:follows]]
        for part in (slice(follows, comments), slice(unfollows, None)):
            target[part] = feed.posts.author[target[part]]
        said = at[comments:unfollows]
        heard = noise[said] * np.float32(0.01)
        if hot is not None:
            heard = heard - np.minimum(hot[said], np.float32(1))
        act[comments:unfollows] = self._said(said, own, other, sway, reader, heard)
        return reader[at], act, target

    def odds(self, reader: Longs, root: Longs) -> Floats:
        """The chance of each act of SEEN by each reader on each post, (acts, n)."""
        own, other = self._stances(reader, self.feed.posts.stance[root])
        base = self._base(reader, root.astype(np.int32))
        agree = np.float32(self.c.stance) * own * other
        agree = agree + self._sway(self.feed.posts.likes[root] - self.feed.posts.dislikes[root])
        kinds = len(self._wishes)
        wish = self._wishes[:, None] + np.stack((base + agree, base - agree))[AGAINST[:kinds]]
        wish += STIRRED[:kinds, None] * np.float32(self.c.heat / HOT) * self.feed.posts.heat[root]
        found: Floats = 1 / (1 + np.exp(-wish))
        return found

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

    def _read(self, ranked: Ints, draw: np.random.Generator) -> Ints:
        """A random selection of the ranked cards, as many as are read in a sitting."""
        n, k = ranked.shape
        if self.p.read >= k:
            return self._once(ranked)
        column = np.arange(k, dtype=np.int32)
        lots = draw.integers(0, LEVELS, (n, k), np.uint16).astype(np.int32) * k + column
        lots = np.where(ranked < 0, -1 - column, lots)  # distinct among equals
        least = np.partition(lots, k - self.p.read, axis=1)[:, k - self.p.read, None]
        return self._once(ranked[lots >= least].reshape(n, self.p.read))

    def _once(self, shown: Ints) -> Ints:
        """The cards shown, with a repeat of a root to the same user replaced by none."""
        root = np.where(shown >= 0, self.feed.posts.root[shown], -1)
        inorder = np.sort(root, axis=1)
        if not ((inorder[:, 1:] == inorder[:, :-1]) & (inorder[:, 1:] >= 0)).any():
            return shown
        found = shown.copy()
        for i in range(1, shown.shape[1]):
            found[(root[:, :i] == root[:, i : i + 1]).any(axis=1), i] = -1
        return found

    def _base(self, reader: Longs, root: Ints) -> Floats:
        """What match and mood add to the logit of any act."""
        feed, c = self.feed, self.c
        mine = feed.users.vector[reader].astype(np.float32)
        its = post_vectors(feed, root)
        cosine = np.einsum("ij,ij->i", mine, its) / np.maximum(norms(mine) * norms(its), 1)
        base = np.float32(c.match / 2) * cosine  # match is (1 + cosine) / 2; an average match adds nothing
        found: Floats = base + np.float32(c.mood / 100) * feed.users.pleasure[reader]
        return found

    def _stances(self, reader: Longs, told: NDArray[np.int16]) -> tuple[Floats, Floats]:
        """The stances of readers and of what they read, 0 for texts without one."""
        own = self.feed.users.stance[reader] * np.float32(1 / UNIT)
        return own, told_stances(told)

    def _sway(self, score: Ints) -> Floats:
        """What the score shown adds to the logit of liking."""
        most = len(self._sways) // 2
        return self._sways[np.minimum(np.maximum(score, -most), most)]

    def _heard(self, users: Longs, reader: Longs, told: NDArray[np.int16]) -> tuple[Longs, NDArray[np.integer]]:
        """Readings as the model of opinion takes them: who, and how far it moves them (`reading`) or what they read; of
        `ema`, to which what is read says nothing, who has a sitting.
        """
        if self.c.opinion == "reading":
            return reader, opinion.attraction(self.feed.users.stance[reader], told, self.c)
        if self.c.opinion == "ema":
            return users, np.zeros(len(users), np.int32)
        return reader[told != UNTOLD], told[told != UNTOLD]

    # ---- carrying out

    def _commit(self, plans: list[CrowdPlan], seconds: int) -> CrowdActed:
        """Merge the plans without impossible acts: liking, commenting or reposting twice, following twice or following
        oneself, unfollowing whom one does not follow.
        """
        several = zip(*(plan[:5] for plan in (NO_PLAN, *plans)), strict=True)
        user, act, target, reader, by = plans[0][:5] if len(plans) == 1 else map(np.concatenate, several)
        passed = act == ActKind.REPOST
        root = np.where(passed, self.feed.posts.root[np.where(passed, target, 0)], target)
        order = np.lexsort((target, user << 40 | act.astype(np.int64) << 32 | root))
        user, act, target = user[order], act[order], target[order]
        grouped = group_acts(self.feed, ActColumns(user, act, target))
        able = ordered_acts(grouped) & undone_acts(self.feed, grouped)
        acts = ActColumns(user[able], act[able], target[able])
        moved = opinion.moved(self.feed, self.c, reader, by, acts)
        self.feed.made = made = pack_acts(self.feed, acts, moved, seconds)
        return made


def usual_threads() -> int:
    """The number of processors, at most eight; SANDBOX_THREADS overrides it."""
    said = os.environ.get("SANDBOX_THREADS", "")
    return max(1, int(said)) if said.isdecimal() else min(8, os.cpu_count() or 1)


@cache
def libraries() -> ThreadpoolController:
    """Controls the threads of libraries beneath numpy, such as those for matrix products."""
    return ThreadpoolController()


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "crowd")
