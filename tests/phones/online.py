"""A town with phones in which only what a test does happens: pressures are set by hand, posts are put up by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace
from staged import Stage, pressure

from sandbox.core.events import Event, Record
from sandbox.engine.engine import Running
from sandbox.engine.scenario import Scenario
from sandbox.feed.acting import ActingUser
from sandbox.feed.acts_of_people import send_message
from sandbox.feed.acts_of_posts import create_comment, create_post
from sandbox.feed.events import WritingDetails
from sandbox.people.handlers import tie
from sandbox.people.persona import Pressure
from sandbox.phones import rule_hooks
from sandbox.phones.ideas import Idea
from sandbox.phones.model import Crossed, Written
from sandbox.phones.reading import take_in
from sandbox.phones.seeing import account_of

NOON = 5 * 3600

__all__ = ["NOON", "Online", "pressure"]


class Online(Stage):
    """The stage of drama with phones. All are awake, nobody talks, and a feed with no crowd but what a test adds."""

    def __init__(self, scenario: Scenario, *pressures: Pressure, crowd: int = 0, **more: Any) -> None:
        quiet = {**scenario.parameters, "feed.crowd": crowd, "pressures.crowd": 100}  # there is room for all
        super().__init__(replace(scenario, parameters=quiet), *pressures, **more)
        for r in self.world.people.residents.values():
            r.awake = True
        if pressures:
            self.wake()

    def at(self, t: int = NOON) -> Running:
        step = self.step(t)
        step.end = t + 180
        return step

    def kept(self, step: Running) -> list[Record]:
        """What has happened in a step, also kept for `crossings`."""
        self.records += step.records
        return list(step.records)

    def post(self, idea: Idea | None, author: str, t: int = NOON, text: str = "It is so.", **about: Any) -> Written:
        """Have somebody post what a rule gave them, or what a test says."""
        w, step = self.world, self.at(t)
        account = account_of(w, author)
        assert account is not None
        heat = idea.heat if idea is not None else 0.0
        event = create_post(ActingUser(w.feed, account.number, t, "", w.means), text, None, heat)
        if idea is not None:
            a, b, where, bad = idea.says
            about = {
                "cites": idea.cites, "topic": idea.topic, "matter": idea.matter, "fact": idea.fact, "a": a, "b": b,
                "where": where, "bad": bad, "proof": idea.proof, "whom": idea.whom, "valence": idea.valence,
                "rule": idea.rule, **about,
            }  # fmt: skip
        move = idea.move if idea is not None else about.pop("move", "post_news")
        step.emit(replace(event, about=WritingDetails(move=move, **about)), t=t, actor=author)
        x = w.phones.written[event.post]
        rule_hooks.wrote(step, w, x)
        self.kept(step)
        return x

    def message(self, author: str, to: str, t: int = NOON, text: str = "Between us.", **about: Any) -> Written:
        """Have somebody write to another."""
        w, step = self.world, self.at(t)
        account, other = account_of(w, author), account_of(w, to)
        assert account is not None
        assert other is not None
        event = send_message(ActingUser(w.feed, account.number, t, "", w.means), other.number, text)
        step.emit(replace(event, about=WritingDetails(move="confide", whom=to, **about)), t=t, actor=author)
        self.kept(step)
        return w.phones.messages[event.message]

    def comment(
        self, author: str, x: Written, text: str, tone: int = 0, t: int = NOON, move: str = "chip_in",
        valence: float = 0.0,
    ) -> None:  # fmt: skip
        w, step = self.world, self.at(t)
        account = account_of(w, author)
        assert account is not None
        event = create_comment(ActingUser(w.feed, account.number, t, "", w.means), x.number, text, tone)
        about = WritingDetails(move=move, on=x.number, valence=valence)
        step.emit(replace(event, about=about), t=t, actor=author)
        self.kept(step)

    def read(self, me: str, x: Written, t: int = NOON, loud: float = 1.0) -> list[Record]:
        """Somebody reads it."""
        step = self.at(t)
        take_in(step, self.world, me, x, x.seq, loud)
        return self.kept(step)

    def looks(self, me: str, t: int = NOON) -> list[Record]:
        """What rules make of it that somebody takes their phone out."""
        step = self.at(t)
        rule_hooks.looked(step, self.world, me, self.world.seq)
        return self.kept(step)

    def passes(self, t: int = NOON) -> list[Record]:
        """What rules make of it that time passes."""
        step = self.at(t)
        rule_hooks.passes(step, self.world)
        return self.kept(step)

    def ideas(self, me: str, rule: str, t: int = NOON) -> list[Idea]:
        """What a rule makes somebody want to post."""
        return [idea for idea in rule_hooks.ideas(self.world, me, t) if idea.rule == rule]

    def feels(self, u: str, v: str, feeling: float) -> None:
        tie(self.world.people, u, v).feeling = feeling

    def crossings(self, rule: str) -> list[Crossed]:
        return [r.event for r in self.records if isinstance(r.event, Crossed) and r.event.rule == rule]


def of(records: Sequence[Record], kind: type[Event]) -> list[Any]:
    return [r.event for r in records if isinstance(r.event, kind)]
