"""The talk domain: talks under way, and when two people last talked."""

from __future__ import annotations

from typing import Any

from sandbox.core.domain import Domain, ParameterTable, Phase, State, System
from sandbox.people.mood import sort_of_old
from sandbox.talk import closing, model, question_effects, question_replies, question_wishes, speaker
from sandbox.talk.lines import witty_variants
from sandbox.talk.model import TalkParameters, TalkState
from sandbox.talk.turns import converse


def _check(w: Any, state: TalkState, now: int) -> None:
    for talk in state.open.values():
        if not {*talk.who} <= w.cast.keys() or (talk.answer and talk.do not in w.drama.exchanges):
            raise ValueError("other talks")


def _settle(w: Any, scenario: Any) -> None:
    w.witty = witty_variants(scenario.lines.lines)


TALK = Domain(
    "talk",
    states=(State("talk", TalkState, lambda w: TalkState(), _check),),
    tables=(ParameterTable("talk", "talk_parameters", TalkParameters),),
    settle=_settle,
    handlers={**model.HANDLERS, **closing.HANDLERS},
    memories=closing.REMEMBER,
    questions=(
        *question_wishes.QUESTIONS,
        *question_replies.QUESTIONS,
        *speaker.QUESTIONS,
        *question_effects.QUESTIONS,
        *closing.QUESTIONS,
    ),
    upcasters={("exchanged", 1): lambda e: {**e, "shifts": [[*shift, sort_of_old(shift[3])] for shift in e["shifts"]]}},
    systems=(System(lambda: converse, (Phase.TALK,)),),
)
