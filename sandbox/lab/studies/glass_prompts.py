"""How what agents of a society are asked is put to a language model (seed 002, B.2, in words of ours), and what is
wrong with an answer. What they are asked stands in `society/questions.py`, the words in `lab/prompts/society_*.j2`.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

import msgspec

from sandbox.core.chance import Stream
from sandbox.lab.asked_models import COLD, Text, model_question, prompt_source
from sandbox.minds.prompt_form import Key, Offered, Prompt, PromptOption, Unusable, pick
from sandbox.minds.prompt_text import fill_template, tidy_text
from sandbox.society.model import MOST_WORDS, Grant, Proposal, Vector
from sandbox.society.questions import (
    AgentShown,
    AgentTask,
    AnswerItem,
    Consider,
    Considered,
    ItemAnswered,
    Propose,
    Proposed,
)

TOKENS, ROUNDS = 100, 4  # the most of each; effort is from 0 to 1
PITCH = 1500  # letters of a pitch
WARM = 0.4  # temperature (B.5)
ROLES = {
    "explainer": "you lay open what your snippet says and what follows from it, so that others can use it",
    "verifier": "you check what others claim against your snippet, and name what does not hold",
    "proponent": "you argue for the answer that you hold likeliest",
    "opponent": "you argue against the answer that others hold likeliest",
    "comprehensive": "you take everything in that may bear on the question, and weigh all of it",
    "selective": "you take in little, and only what bears on the question most",
}  # of ours, after the roles that 5.2 names


class PitchForm(msgspec.Struct, frozen=True):
    """The form of a proposal."""

    pitch: Text
    tokens: int
    rounds: int
    effort: float


class GrantForm(msgspec.Struct, frozen=True):
    """The form of a grant."""

    accepted: bool
    tokens: int
    rounds: int
    effort: float


class AnswerForm(msgspec.Struct, frozen=True):
    """The form of an answer to an item."""

    why: Text
    answer: Key


def grant_vector(tokens: int, rounds: int, effort: float) -> Vector:
    """The three as parts of the most there can be, each in [0, 1]. Raises Unusable."""
    for name, x, most in (("tokens", tokens, TOKENS), ("rounds", rounds, ROUNDS), ("effort", effort, 1)):
        if not 0 <= x <= most:
            raise Unusable(f"{name} is out of range: from 0 to {most}, not {x:g}")
    return round(tokens / TOKENS, 6), round(rounds / ROUNDS, 6), round(effort, 6)


def reason(fault: str) -> str:
    """Why no answer could be used, in a word or two, of REASONS."""
    return next((told for part, told in REASONS.items() if part in fault), SILENT)


SILENT = "no answer"
REASONS = {
    "out of range": "out of range",
    "cut off": "too long",
    "broke off": "too long",
    "no JSON": "no JSON",
    "was empty": "no JSON",
    "no words": "no words",
    "gave no answer that fits": "other form",
}  # part of a fault -> its name; else none came


def _proposed(q: Propose, got: PitchForm, offered: Offered, chance: Stream) -> Proposed:
    words = tidy_text(got.pitch, min(PITCH, MOST_WORDS))
    if not words:
        raise Unusable("the pitch has no words")
    return Proposed(proposal=Proposal(words, grant_vector(got.tokens, got.rounds, got.effort)))


def _considered(q: Consider, got: GrantForm, offered: Offered, chance: Stream) -> Considered:
    given = grant_vector(got.tokens, got.rounds, got.effort)
    if not got.accepted and any(given):
        raise Unusable("a refusal grants 0 of each; say accepted true, or grant 0")
    return Considered(grant=Grant(given, got.accepted and any(given)))


def _answered(q: AnswerItem, got: AnswerForm, offered: Offered, chance: Stream) -> ItemAnswered:
    return ItemAnswered(place=pick(offered, "ways", got.answer))


def _letters(q: AnswerItem, chance: Stream) -> Offered:
    return {"ways": {ascii_lowercase[i]: PromptOption("", i) for i in range(len(q.task.answers))}}


def _named(agent: AgentShown) -> str:
    """What is said of an agent behind its number."""
    parts = [f"its role: {agent.role}"] * bool(agent.role) + [f"its model: {agent.model}"] * bool(agent.model)
    return f" ({'; '.join(parts)})" if parts else ""


def _words(q: Propose | Consider | AnswerItem) -> dict[str, Any]:
    me = q.task.me
    told = f", {me.role}: {ROLES[me.role]}" if me.role else ""
    found = {"task": fill_template(TASK, q=q, me=told, letters=ascii_lowercase)}
    if isinstance(q, AnswerItem):
        heard = [(v.by.number, _named(v.by), v.thinks, v.snippet) for v in q.heard]
        return found | {"voices": [dict(zip(("number", "told", "thinks", "snippet"), v, strict=True)) for v in heard]}
    if isinstance(q, Consider):
        tokens, rounds, effort = q.proposal.asked
        found |= {"tokens": f"{tokens * TOKENS:g}", "rounds": f"{rounds * ROUNDS:g}", "effort": f"{effort:g}"}
    return found | {"other": _named(q.other)}


TASK, SYSTEM = prompt_source("society_task.j2"), prompt_source("society_system.j2")
_ANN, _BEN = AgentShown(0, "explainer", "one"), AgentShown(1, "verifier", "other")
_TASK = AgentTask(_ANN, "Who was it?", ("the miller", "the smith"), "The smith was away.")
SPECS = (
    model_question(Propose, Proposed, Propose("", task=_TASK, other=_BEN)),
    model_question(
        Consider, Considered, Consider("", task=_TASK, other=_BEN, theirs="It rained.", proposal=Proposal("Let us."))
    ),
    model_question(AnswerItem, ItemAnswered, AnswerItem("", task=_TASK)),
)


def _prompt(question: type, file: str, form: type, read: Any, tokens: int, **more: Any) -> Prompt:
    said: dict[str, Any] = {"words": _words, "system": SYSTEM, "briefed": False, "temperature": WARM} | more
    return Prompt(question, prompt_source(file), form, read, tokens=tokens, **said)


PROMPTS = (
    _prompt(Propose, "society_propose.j2", PitchForm, _proposed, 250),
    _prompt(Consider, "society_consider.j2", GrantForm, _considered, 150),
    _prompt(AnswerItem, "society_answer.j2", AnswerForm, _answered, 200, offer=_letters, temperature=COLD),
)
