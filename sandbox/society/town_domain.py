"""Asking for help as a domain: what an exchange and the end of its talk leave, the round that is made of it, and by
what standing people turn to one another. Without a type (`society.type`) nothing of it happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sandbox.core.domain import Domain, ParameterTable, Phase, State, System
from sandbox.core.events import Stamp
from sandbox.core.protocols import Step
from sandbox.core.text import clean
from sandbox.people.guest_handlers import Came
from sandbox.people.persona import Persona
from sandbox.people.pressure_deck import gist
from sandbox.society.model import D
from sandbox.society.town import as_trial, beta_in_force, deferences, help_asked, round_weights
from sandbox.society.town_model import (
    ABOUT,
    KEPT,
    DayMark,
    HelpRound,
    Member,
    PairGrants,
    PastAsk,
    PendingAsk,
    SocietyParameters,
    SocietyState,
)
from sandbox.society.town_types import Somebody, is_of_type, middle_age
from sandbox.talk.lines import FOLLOWED
from sandbox.talk.model import Closed, Exchanged


def _found(w: Any) -> SocietyState:
    """The state at the start: who lives there then."""
    if not w.society_parameters.type:
        return SocietyState()
    members = {p.id: _member(w, p, came=False) for p in w.scenario.cast}
    return SocietyState(members, pairs=[PairGrants([0.0] * D) for _ in range(4)])


def _member(w: Any, person: Persona, came: bool) -> Member:
    somebody = Somebody(person, came, middle_age(w.scenario.cast))
    return Member(is_of_type(w.society_parameters.type, somebody), [0.0] * D)


def _check(w: Any, state: SocietyState, now: int) -> None:
    """Raise ValueError unless the network is of this town's people."""
    if bool(state.members) != bool(w.society_parameters.type and w.scenario.cast) or len(state.pairs) not in (0, 4):
        raise ValueError("a network of who asks whom, in a town without one")
    asks = [*state.done, *(ask for asks in state.open.values() for ask in asks)]
    named = {who for ask in asks for who in (ask.source, ask.target)}
    if not named <= state.members.keys() or not state.members.keys() <= w.cast.keys():
        raise ValueError("people who ask and are not there")


def came(w: Any, e: Came, stamp: Stamp) -> None:
    s: SocietyState = w.society
    if s.members and e.persona.id not in s.members:
        s.members[e.persona.id] = _member(w, e.persona, came=True)


def exchanged(w: Any, e: Exchanged, stamp: Stamp) -> None:
    s: SocietyState = w.society
    if not s.members or len(e.lines) < 2:
        return
    asker, answers = e.lines[0].who, [line for line in e.lines[1:] if line.who != e.lines[0].who]
    if e.aim and help_asked(w, e.do) and answers:
        pressure = w.pressures.open.get(e.aim)
        about = clean(gist(pressure.stakes), ABOUT) if pressure is not None else ""
        ask = PendingAsk(
            stamp.seq, stamp.t, asker, answers[0].who, e.do, about, e.answer, _words(e, answers[0].who),
            answers[0].valence, e.lines[0].text, answers[0].text,
        )  # fmt: skip
        s.open.setdefault(e.talk, []).append(ask)
    elif e.lead in FOLLOWED and e.talk in s.open:
        last = s.open[e.talk][-1]
        last.rounds += 1
        last.words += _words(e, last.target)


def _words(e: Exchanged, who: str) -> int:
    return sum(len(line.text.split()) for line in e.lines if line.who == who)


def closed(w: Any, e: Closed, stamp: Stamp) -> None:
    if asks := w.society.open.pop(e.talk, None):
        w.society.done.extend(asks)


def credited(w: Any, e: HelpRound, stamp: Stamp) -> None:
    """Add a round: one unit of mass in each coordinate in which anything was granted."""
    s: SocietyState = w.society
    asks, numbers = s.done[: len(e.trials)], {who: i for i, who in enumerate(s.members)}
    over = [(x.source, x.target, x.t, x.do, numbers[x.source], numbers[x.target]) for x in asks]
    told = [(x.asker, x.asked, x.t, x.do, x.trial.source, x.trial.target) for x in e.trials]
    if e.number != s.number + 1 or told != over or [*stamp.causes[: len(asks)]] != [x.seq for x in asks]:
        raise ValueError(f"round {e.number} does not follow round {s.number}, or is not of the asks that are over")
    of_r = [(s.members[x.asker].of_r, s.members[x.asked].of_r) for x in e.trials]
    given = np.array([x.trial.grant.given for x in e.trials])
    added = round_weights(w.society_parameters, e.beta, of_r, given).tolist()
    for types, x, weight, seq in zip(of_r, e.trials, added, stamp.causes, strict=False):
        asked, raw = s.members[x.asked], x.trial.grant.given
        _add(asked.asked, weight)
        asked.times += 1
        asked.asks = [*asked.asks, PastAsk(seq, x.t, x.asker, x.do, x.about, raw, sum(weight))][-KEPT:]
        pair = s.pairs[2 * (not types[1]) + (not types[0])]
        _add(pair.given, raw)
        pair.many, pair.granted = pair.many + 1, pair.granted + x.trial.grant.accepted
    s.number, s.betas = e.number, s.betas + e.beta
    del s.done[: len(e.trials)]
    if (share := s.share) is not None:
        day, before = w.clock.day(stamp.t), s.days
        if before and w.clock.day(before[-1].t) == day:
            before.pop()
        before.append(DayMark(stamp.t, s.number, share, s.of_r))


def _add(to: list[float], more: Sequence[float]) -> None:
    to[:] = [x + y for x, y in zip(to, more, strict=True)]


async def make_rounds(step: Step, w: Any) -> None:
    """Make a round of every M asks whose talks are over."""
    s, many = w.society, w.society_parameters.trials
    while len(s.done) >= many:
        numbers = {who: i for i, who in enumerate(s.members)}
        trials = tuple(as_trial(ask, numbers) for ask in s.done[:many])
        causes = tuple(x.seq for x in (*s.done[:many], *deferences(w)))
        step.emit(HelpRound(s.number + 1, beta_in_force(w), trials), t=step.end - 1, causes=causes)


def _settle(w: Any, scenario: Any) -> None:
    def turn_to(step: Step, who: str, of: Sequence[str]) -> str:
        """One by lot, by what each was credited with and delta more."""
        if len(of) < 2:
            return of[0] if of else ""
        weights = [w.society.members[x].mass + w.society_parameters.target for x in of]
        return step.chance(who, "turn to").weighted(of, weights)

    w.turn_to = turn_to if w.society_parameters.type else None


SOCIETY = Domain(
    "society",
    settle=_settle,
    states=(State("society", SocietyState, _found, _check, later=True),),
    tables=(ParameterTable("society", "society_parameters", SocietyParameters),),
    handlers={Came: came, Exchanged: exchanged, Closed: closed, HelpRound: credited},
    systems=(System(lambda: make_rounds, (Phase.HELP,)),),
)
