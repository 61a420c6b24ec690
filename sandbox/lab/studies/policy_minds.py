"""Learners of cards among people for whom a language model decides: accounts with a profile, a memory and a stance, on
a platform without a crowd (seed 001, 2.1, 4.3 and A.2; docs/policy.md). In a round news is pinned, the policy decides,
and everybody looks, remembers and acts; then judges say which side each has taken, and how toxic comments are.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec.structs import replace
from threadpoolctl import threadpool_limits

from sandbox.feed.model import UNIT, UNTOLD
from sandbox.feed.opinion import ema, side_of
from sandbox.feed.reading import comment_text, text_of
from sandbox.feed.steering import pack_steered
from sandbox.feed.tables import Longs, draws
from sandbox.feed.word_lists import BANDS
from sandbox.lab.studies.declaring import declared_minds
from sandbox.lab.studies.policy_cards import CROSS
from sandbox.lab.studies.policy_runs import Setup, Trace, card_policy, check_seat, count_answers, policy_measures
from sandbox.lab.studies.questions import (
    RateToxicity,
    ReaderDeed,
    ReadFeed,
    SeenPost,
    SummedUp,
    SumUp,
    TakeSide,
)
from sandbox.lab.studies.readers import Readers, Screen
from sandbox.lab.studies.site import TICK, empty_platform, mean_of, platform
from sandbox.lab.studies.study import Case, Found, ModelPanel
from sandbox.policy.objectives import MU, CrossStance
from sandbox.policy.people import LONG, SHORT, Remembered, draw_memories, joined_memory, metadata_of, profile_of
from sandbox.policy.seen import answers_since
from sandbox.policy.toxicity import CommentToxicity, lexicon

# Acts of a reader on a message, several at once; and a post apart from them.
ACTS = (
    "like_post", "dislike_post", "repost", "quote_post", "create_comment", "follow", "unfollow", "create_post",
    "do_nothing",
)  # fmt: skip
SIDES = {"like_post": 1, "repost": 1, "dislike_post": -1}  # acts for and against the stance of a post
DRAWN = 1000  # users of the crowd whose first are the readers
READ, COMMENTS, BEGUN = 5, 3, 2  # cards of a look; comments shown of each; posts of each reader before the first round
NOBODY: Longs = np.zeros(0, np.int64)


class DividingMatter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stances are about (`matter.yaml`). topic: in words. news: (round, a headline that everybody is shown in it).
    said: of BANDS -> posts that readers of such a stance begin with.
    """

    topic: str
    news: tuple[tuple[int, str], ...]
    said: dict[str, tuple[str, ...]]


class PeopleSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of a case. arm: of LEARNERS, "" = nobody decides. mu: weight of toxicity in the reward. chance:
    added to the seed.
    """

    arm: str = ""
    rounds: int = 10
    mu: float = MU
    chance: int = 0


MATTER = msgspec.yaml.decode(Path(__file__).with_name("matter.yaml").read_bytes(), type=DividingMatter)


class JudgedToxicity:
    """How toxic texts are, by judges: a scorer for `CommentToxicity` that knows the texts it has been told (`hear`);
    the lexicon scores all others. unjudged: texts without a usable answer.
    """

    def __init__(self) -> None:
        self.unjudged = 0
        self._known: dict[str, float] = {}

    async def hear(self, texts: Sequence[str], voice: ModelPanel) -> None:
        """Ask judges for texts that are new; the mean of their answers counts."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        told = await voice.judge([RateToxicity("", comment=text) for text in new])
        for text, answers in zip(new, zip(*told, strict=True), strict=True):
            known = [answer.toxicity for answer in answers if answer.toxicity is not None]
            self.unjudged += not known
            self._known[text] = sum(known) / len(known) if known else lexicon([text])[0]

    def __call__(self, texts: Sequence[str]) -> list[float]:
        return [self._known[text] if text in self._known else lexicon([text])[0] for text in texts]


class SteeredReaders(Readers):
    """Readers with memory and stance, and whoever decides what they are shown."""

    def __init__(self, s: PeopleSetup, count: int, seed: int) -> None:
        site, drawn = empty_platform("x", seed, {"read": READ}), platform("x", seed, {"crowd": DRAWN}, {})
        super().__init__(site, drawn, count, seed, Screen(ACTS, comments=COMMENTS, follows=True), lambda who: "")
        self.s, self.number = s, 0
        self.stance = drawn.feed.users.stance[:count] / UNIT  # until judges have told it
        self.pool: list[list[Remembered]] = [[] for _ in range(count)]
        self.did: list[list[ReaderDeed]] = [[] for _ in range(count)]
        self.by_rule = 0  # sides that no judge told
        self.judged, self.objective = JudgedToxicity(), CrossStance(s.mu)
        self.toxicity = CommentToxicity(self.judged)
        self.found = Trace([], [], [], [], [], [], [], [])
        for user in range(count):
            self._begin(user)
        self.newsroom = site.sign_up("newsroom", "Newsroom", MATTER.topic)
        policy = card_policy(Setup(arm=s.arm, mu=s.mu), self.objective, site) if s.arm else None
        self.seat = policy.seat(site.feed, seed, toxicity=self.toxicity) if policy is not None else None

    def _begin(self, user: int) -> None:
        """Let a reader post what fits the stance they are drawn with, and make their profile of it."""
        lines = MATTER.said[BANDS[int(side_of(self.stance[user : user + 1]).item()) + 1]]
        for i in draws(self.seed, "begun", user).permutation(len(lines))[:BEGUN].tolist():
            self._do(user, ReaderDeed("create_post", "", -1, lines[i]), "")
            self.lately[user].append(f'create_post, saying "{lines[i]}"')
            self._keep(user, f"I wrote: {lines[i]}")
        profile = profile_of(metadata_of(self.site.feed, user, self.site.now, self.site.words))
        self.people[user] = replace(self.people[user], persona=profile.text)

    # ---- a round

    async def take_sides(self, voice: ModelPanel) -> None:
        """Let judges say which side each reader is on by what they did, and tell the feed where they stand then. The
        mean of the judges' words counts; where none is usable, the rule.
        """
        questions = [
            TakeSide(f"side {self._who(user)}", topic=MATTER.topic, profile=person.persona, did=self._told(user))
            for user, person in enumerate(self.people)
        ]
        for user, answers in enumerate(zip(*await voice.judge(questions), strict=True)):
            known = [answer.side for answer in answers if answer.side is not None]
            self.by_rule += not known
            mean = sum(known) / len(known) if known else self.stance[user] + self._acted(user)
            side = side_of(np.array([mean]))
            self.stance[user] = (ema(self.stance[user : user + 1], side) if self.number else side).item()
            self.site.tell_stance(user, self.stance.item(user))
            self.did[user].clear()

    async def round(self, voice: ModelPanel) -> None:
        """Pin what is news, and let the policy decide and everybody look, act and be judged."""
        self.number += 1
        feed, before = self.site.feed, (self.site.feed.posts.n, self.site.feed.comments.n)
        news = [text for number, text in MATTER.news if number == self.number - 1]
        self.steer(tuple(self.site.create_post(self.newsroom, text) for text in news))
        await self.step(voice, TICK)
        await self.take_sides(voice)
        await self.judged.hear([comment_text(feed, i) for i in range(before[1], feed.comments.n)], voice)
        self.found.stance.append(float(self.stance.mean()))
        self.found.sd.append(float(self.stance.std()))
        count_answers(self.found, answers_since(feed, before, self.toxicity), self.objective, self.count)

    def steer(self, pins: tuple[int, ...] = ()) -> None:
        """Let the policy learn from the round before, and decide for the next one."""
        site = self.site
        event = pack_steered(site.step, "", None)
        if self.seat is not None:
            with threadpool_limits(1):
                event = self.seat.steer(site.step, site.now, lambda: NOBODY)
            if (seen := self.seat.seen) is not None:
                self.found.reward.append(mean_of(self.objective.of_arms(seen)) or 0.0 if len(seen.users) else np.nan)
        site.happens(replace(event, pins=pins), site.now)

    def _sitters(self, seconds: int) -> list[int]:
        return [*range(self.count)]

    # ---- what comes to mind

    async def _questions(self, shown: list[tuple[int, tuple[SeenPost, ...]]], voice: ModelPanel) -> list[ReadFeed]:
        """What readers are asked, with what comes to their mind; and then they keep in mind what they are shown."""
        users, minds, long = [user for user, _ in shown], [], []
        read = [[f"{p.name}: {p.text}" for p in posts] for _, posts in shown]
        for user, texts in zip(users, read, strict=True):
            query = np.frombuffer(self.site.vector(" ".join(texts)), np.int8)
            draw = draws(self.seed, f"memory {self.number}", user)
            minds.append([m.text for m in draw_memories(self.pool[user], query, self.number, draw)])
            own = [text for text in texts if len(text) > SHORT]
            long.append([self.pool[user][-1].text, *own] if own else [])
        memories, kept = await self._summed(voice, users, minds), await self._summed(voice, users, long)
        for user, texts, text in zip(users, read, kept, strict=True):
            for said in (*(text for text in texts if len(text) <= SHORT), *filter(None, (text,))):
                self._keep(user, said)
        asked = [self._question(user, posts) for user, posts in shown]
        return [replace(q, topic=MATTER.topic, memory=memory) for q, memory in zip(asked, memories, strict=True)]

    async def _summed(self, voice: ModelPanel, users: list[int], texts: list[list[str]]) -> list[str]:
        """One memory of each user's texts: they themselves if they are short, else as the mind sums them up, or cut."""
        long = [i for i, own in enumerate(texts) if sum(map(len, own)) > LONG]
        asked = [SumUp(self._who(users[i]), person=self.people[users[i]], texts=tuple(texts[i])) for i in long]
        told: dict[int, SummedUp] = dict(zip(long, await voice.ask(asked), strict=True))
        return [told[i].text if i in told and told[i].text else joined_memory(own) for i, own in enumerate(texts)]

    def _keep(self, user: int, text: str) -> None:
        self.pool[user].append(Remembered(text, np.frombuffer(self.site.vector(text), np.int8), self.number))

    # ---- what is done

    def _do(self, user: int, deed: ReaderDeed, why: str) -> None:
        """Do it; what is posted, or quoted with words, has the stance of who does."""
        own = {"stance": self.stance.item(user)} if deed.act in ("create_post", "quote_post") else {}
        self.site.do(user, deed.act, reason=why, **deed.arguments, **own)
        self.did[user].append(deed)

    def _who(self, user: int) -> str:
        return f"{self.site.seed} {self.number} {user}"

    def _told(self, user: int) -> tuple[str, ...]:
        """What a reader did in the round, in words."""
        feed, told = self.site.feed, []
        for deed in self.did[user]:
            about = deed.about.startswith("post")
            on = f' on "{text_of(feed, feed.posts.root.item(deed.number))}"' if about else ""
            told.append(f"{deed.act}{on}" + (f', saying "{deed.text}"' if deed.text else ""))
        return tuple(told)

    def _acted(self, user: int) -> float:
        """What the acts of the round say, by rules: the stances of posts, for or against."""
        total = 0.0
        for deed in self.did[user]:
            if side := SIDES.get(deed.act, 0):
                stance = self.site.feed.posts.stance.item(deed.number)
                total += side * (0 if stance == UNTOLD else stance) / UNIT
        return total


async def run_minds(case: Case, seed: int, voice: ModelPanel) -> Found:
    """One run with a model: who decides, of nobody, chance and a learner, is the case's."""
    s = msgspec.convert(dict(case.settings), PeopleSetup)
    people = SteeredReaders(s, voice.users, seed + s.chance)
    await people.take_sides(voice)
    for _ in range(s.rounds):
        await people.round(voice)
    people.steer()  # the policy is told of the last round
    check_seat(people.seat)
    own = people.found
    told: dict[str, float | None] = {"by_rule": float(people.by_rule), "by_lexicon": float(people.judged.unjudged)}
    return Found(policy_measures(own, s.rounds) | told, {"stance": own.stance, "sd": own.sd})


MINDS = declared_minds(CROSS, run_minds)
