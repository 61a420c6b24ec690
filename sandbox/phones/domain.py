"""The phones domain: what is known of posts on the feed, and what people do with their phones."""

from __future__ import annotations

from typing import Any

from sandbox.core.domain import Domain, ParameterTable, Phase, State, System
from sandbox.feed.commands import OnFeed
from sandbox.phones import old_log, question_use, question_write
from sandbox.phones.acting import run_on_feed
from sandbox.phones.handlers import HANDLERS, REMEMBER
from sandbox.phones.model import PhoneParameters, PhoneState
from sandbox.phones.system import run_phones


def _settle(w: Any, scenario: Any) -> None:
    w.phone_deck = scenario.phones
    w.written_moves = frozenset(line.move for line in scenario.lines.lines)


def _check(w: Any, state: PhoneState, now: int) -> None:
    """Raise ValueError if the state does not fit this world."""
    people = w.cast.keys()
    named = {*state.phones, *state.piles, *state.waiting}
    named |= {c.by for waiting in state.waiting.values() for c in waiting}
    written = (x for table in (state.written, state.comments, state.messages) for x in table.values())
    named |= {who for x in written for who in (x.author, x.whom, x.a, x.b) if who}
    pairs = [key.split(">") for key in state.let_go]
    liked = [key.rpartition(" ") for key in (*state.liked, *state.counted)]
    named |= {who for pair in pairs for who in pair} | {who for who, _, _ in liked}
    if any(len(pair) != 2 for pair in pairs) or not all(number.isdecimal() for _, _, number in liked):
        raise ValueError("what is liked or let go of has keys of another form")
    if not named <= people:
        raise ValueError(f"phones name people who are not there: {', '.join(sorted(named - people))}")


PHONES = Domain(
    "phones",
    states=(State("phones", PhoneState, lambda w: PhoneState(), check=_check, later=True),),
    tables=(ParameterTable("phones", "phone_parameters", PhoneParameters),),
    settle=_settle,
    handlers={**HANDLERS, **old_log.HANDLERS},
    memories={**REMEMBER, **old_log.REMEMBER},
    commands={OnFeed: run_on_feed},
    systems=(System(lambda: run_phones, (Phase.PHONES,)),),
    questions=(*question_use.QUESTIONS, *question_write.QUESTIONS),
)
