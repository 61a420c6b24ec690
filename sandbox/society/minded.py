"""A society whose agents are minds: each proposal, grant and answer is a question (seed 002, B.2)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from sandbox.core.protocols import Answer, Question
from sandbox.feed.tables import draws
from sandbox.society.growth import Growth
from sandbox.society.hearing import Talks
from sandbox.society.items import SNIPPETS, Item
from sandbox.society.many import Longs
from sandbox.society.model import NOBODY, NONE, TYPES, Asking, B, Grant, Grew, Proposal, R
from sandbox.society.questions import AgentShown, AgentTask, AnswerItem, Consider, Heard, Propose

REFUSED = "turned down"
NOTHING = Grant(NONE, accepted=False)


class Voice(Protocol):
    """Who answers for agents."""

    async def ask(self, questions: Sequence[Question], of: str = "") -> list[Any]:
        """An answer to each question, in order. of: the type of the agents, of TYPES."""
        ...


class MindedAgents:
    """The agents of a growing network, for whom minds decide. roles, models: of types R and B, as others see them.
    debate: whether each answers alone first. reason: what kind of fault kept an answer from being used. rejected: how
    many trials granted nothing, by reason: `turned down`, or what came of `reason`.
    """

    def __init__(
        self,
        growth: Growth,
        item: Item,
        voice: Voice,
        roles: tuple[str, str] = ("", ""),
        models: tuple[str, str] = ("", ""),
        debate: bool = False,
        reason: Callable[[str], str] = lambda fault: "no usable answer",
    ) -> None:
        self.growth, self.item, self.rejected = growth, item, Counter[str]()
        self._voice, self._roles, self._models, self._debate, self._reason = voice, roles, models, debate, reason
        self._thinks: dict[int, int] = {}

    async def grow(self) -> None:
        """Go on until the end."""
        while not self.growth.over:
            await self.step()

    async def step(self) -> Grew:
        """One step of growth: all proposals at once, then all grants. Where no usable answer comes, nothing is
        granted.
        """
        plan, askings = self.growth.ask()
        if self._debate:
            known = self.growth.types.tolist() + [bool(plan.newborn[0] == R)] * int(plan.newborn[0] != NOBODY)
            await self._answer_alone({i: of_r for i, of_r in enumerate(known) if i not in self._thinks})
        proposed = await self._ask([self._propose(a) for a in askings], [a.of_r[0] for a in askings])
        asked = [(a, p.proposal) for a, p in zip(askings, proposed, strict=True) if p.proposal is not None]
        considered = iter(await self._ask([self._consider(a, p) for a, p in asked], [a.of_r[1] for a, _ in asked]))
        said = []
        for p in proposed:
            answer = p if p.proposal is None else next(considered)
            grant = None if p.proposal is None else answer.grant
            if grant is None or not grant.accepted:
                self.rejected[self._reason(answer.fault) if grant is None else REFUSED] += 1
            said.append((p.proposal or Proposal(asked=NONE), grant or NOTHING))
        return self.growth.take(plan, askings, said)

    async def talk(self, talks: Talks) -> None:
        """A round of talk on the network that has grown: all answer at once; who gives no usable answer keeps to
        theirs, if they have any.
        """
        hearing, who = talks.hear()
        types, before = self.growth.types.tolist(), talks.answers[0].tolist()
        asked = [
            AnswerItem(
                self._name(i),
                task=self._task(i, bool(of_r), before[i]),
                known=tuple(s.text for n, s in enumerate(self.item.snippets) if int(hearing.known[0, i]) >> n & 1),
                heard=tuple(
                    self._heard(j, bool(types[j]), before[j])
                    for j in who[0, i].tolist()
                    if j != NOBODY and before[j] != NOBODY
                ),
            )
            for i, of_r in enumerate(types)
        ]
        answers = await self._ask(asked, types)
        places = [before[i] if a.place is None else a.place for i, a in enumerate(answers)]
        talks.take(np.array([places]))

    @property
    def holds(self) -> Longs:
        """The snippet that each agent holds, (1, agents), for `Talks`."""
        return np.array([[self._snippet(i) for i in range(self.growth.agents)]])

    # ---- what is asked

    async def _ask(self, questions: Sequence[Question], of_r: Sequence[bool]) -> list[Any]:
        """The answer to each, by the mind of who is asked."""
        found: list[Answer | None] = [None] * len(questions)
        parts = [[i for i, flag in enumerate(of_r) if flag == (kind == R)] for kind in (R, B)]
        told = await asyncio.gather(
            *(self._voice.ask([questions[i] for i in part], TYPES[k]) for k, part in enumerate(parts))
        )
        for part, answers in zip(parts, told, strict=True):
            for i, answer in zip(part, answers, strict=True):
                found[i] = answer
        return found

    async def _answer_alone(self, new: dict[int, bool]) -> None:
        asked = [AnswerItem(self._name(i), task=self._task(i, of_r)) for i, of_r in new.items()]
        for i, answer in zip(new, await self._ask(asked, [*new.values()]), strict=True):
            self._thinks[i] = NOBODY if answer.place is None else answer.place

    def _propose(self, a: Asking) -> Propose:
        task, other = self._task(a.source, a.of_r[0]), self._shown(a.target, a.of_r[1])
        return Propose(self._name(a.source), a.trial, task=task, other=other)

    def _consider(self, a: Asking, proposal: Proposal) -> Consider:
        task, other = self._task(a.target, a.of_r[1]), self._shown(a.source, a.of_r[0])
        theirs = self.item.snippets[self._snippet(a.source)].text
        return Consider(self._name(a.target), a.trial, task=task, other=other, theirs=theirs, proposal=proposal)

    def _task(self, i: int, of_r: bool, thinks: int | None = None) -> AgentTask:
        place = self._thinks.get(i, NOBODY) if thinks is None else thinks
        told = "" if place == NOBODY else self.item.answers[place]
        snippet = self.item.snippets[self._snippet(i)].text
        return AgentTask(self._shown(i, of_r), self.item.question, self.item.answers, snippet, told)

    def _heard(self, i: int, of_r: bool, place: int) -> Heard:
        return Heard(self._shown(i, of_r), self.item.answers[place], self.item.snippets[self._snippet(i)].text)

    def _shown(self, i: int, of_r: bool) -> AgentShown:
        kind = R if of_r else B
        return AgentShown(i, self._roles[kind], self._models[kind])

    def _snippet(self, i: int) -> int:
        return int(draws(self.growth.seed, "snippet", i).integers(0, SNIPPETS))

    def _name(self, i: int) -> str:
        return f"{self.growth.seed} {self.growth.runs.number} {i}"
