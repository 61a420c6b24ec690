"""How the game's questions (`questions.py`) are put to a language model, the form of an answer, and what is wrong with
one.

A plan that breaks a rule goes back to the model with the rule and what would do; where no answer fits after all tries,
nothing is done (seed 000, appendix A).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.questions import QuestionSpec, nobody
from sandbox.lab.friends import measures
from sandbox.lab.friends.model import DM, NOT, POST, PUBLIC, GameAct, GameRules, PlanItem
from sandbox.lab.friends.plan import PlayerView, wrongs
from sandbox.lab.friends.questions import (
    Coached,
    CoachRound,
    PlanRound,
    PlayerProfile,
    RatedPeers,
    RatePeers,
    RoundPlan,
    SeenAct,
    Survey,
    Surveyed,
    Voted,
    VoteRound,
)
from sandbox.lab.friends.words import find_mentions
from sandbox.minds.prompt_form import WARM, Offered, Prompt, Unusable
from sandbox.minds.prompt_text import fill_template, tidy_text

FOLDER = Path(__file__).parent.parent / "prompts"
COLD = 0.0
WORDS, TIP, TOPIC = 280, 200, 60  # letters
Text = Annotated[str, msgspec.Meta(max_length=2000)]


class GameActionForm(msgspec.Struct, frozen=True):
    """An action as a model gives it: "" and -1 stand for none."""

    type: Text
    recipient: Text
    topic: Text
    target: int
    mention: bool
    tone: Text
    text: Text


class GamePlanForm(msgspec.Struct, frozen=True):
    """The form of a plan."""

    actions: Annotated[list[GameActionForm], msgspec.Meta(max_length=12)]


class Votes(msgspec.Struct, frozen=True):
    """The form of votes."""

    likes: list[int]
    dislikes: list[int]


class PeerScoreForm(msgspec.Struct, frozen=True):
    """The form of a rating."""

    who: Text
    score: int


class PeerScoresForm(msgspec.Struct, frozen=True):
    """The form of ratings."""

    scores: list[PeerScoreForm]


class Tips(msgspec.Struct, frozen=True):
    """The form of tips."""

    tips: Annotated[list[Text], msgspec.Meta(max_length=12)]


class SurveyForm(msgspec.Struct, frozen=True):
    """The form of a survey."""

    answers: Annotated[list[int], msgspec.Meta(max_length=40)]


def _planned(q: PlanRound, got: GamePlanForm, offered: Offered, chance: Stream) -> RoundPlan:
    items, texts = [], []
    for one in got.actions:
        kind, topic = one.type.strip().upper(), tidy_text(one.topic, TOPIC) or None
        to = one.recipient.strip().lstrip("@") or None
        items.append(
            PlanItem(kind, to, topic, None if one.target < 0 else one.target, one.mention, one.tone.strip().lower())
        )
        texts.append("" if kind == NOT else tidy_text(one.text, WORDS))
    handles = (q.player.handle, *q.users)
    numbers = {handle: i for i, handle in enumerate(handles)}
    view = PlayerView(
        0,
        q.round,
        handles,
        q.subject,
        tuple(GameAct(a.number, 0, POST, numbers[a.by], topic=a.topic) for a in q.posts),
        tuple(GameAct(a.number, 0, DM, numbers[a.by], 0, topic=a.topic) for a in q.dms),
    )
    found = [str(w) for w in wrongs(items, view, GameRules(actions=q.actions))]
    for i, (item, text) in enumerate(zip(items, texts, strict=True), 1):
        if item.kind != NOT and not text:
            found.append(f"plan item {i}: text: a {item.kind} has words; write them")
        if item.kind in PUBLIC and item.mention and not find_mentions(text, numbers):
            found.append(f"plan item {i}: text: it names nobody; write @handle in it, or mention false")
    if found:
        raise Unusable("; ".join(found[:3]))
    return RoundPlan(items=tuple(items), texts=tuple(texts))


def _voted(q: VoteRound, got: Votes, offered: Offered, chance: Stream) -> Voted:
    known = {a.number for a in q.shown}
    for n in (*got.likes, *got.dislikes):
        if n not in known:
            raise Unusable(f"{n} is none of the numbers shown")
    if both := {*got.likes} & {*got.dislikes}:
        raise Unusable(f"{min(both)} is liked and disliked; choose one")
    return Voted(likes=tuple(sorted({*got.likes})), dislikes=tuple(sorted({*got.dislikes})))


def _rated(q: RatePeers, got: PeerScoresForm, offered: Offered, chance: Stream) -> RatedPeers:
    known, scores = {p.handle for p in q.peers}, {}
    for one in got.scores:
        who = one.who.strip().lstrip("@")
        if who not in known:
            raise Unusable(f"{tidy_text(who, 40)!r} is nobody you had words with: {', '.join(sorted(known))}")
        if not 0 <= one.score <= 5:
            raise Unusable(f"a score is a whole number from 0 to 5, not {one.score}")
        scores[who] = one.score
    return RatedPeers(scores=scores)


def _coached(q: CoachRound, got: Tips, offered: Offered, chance: Stream) -> Coached:
    said = tuple(line for tip in got.tips if (line := tidy_text(tip, TIP)))
    if not 3 <= len(said) <= 5:
        raise Unusable(f"there are {len(said)} tips; give three to five")
    return Coached(tips=said)


def _surveyed(q: Survey, got: SurveyForm, offered: Offered, chance: Stream) -> Surveyed:
    measures.trait_scores(got.answers)  # raises ValueError with the mend
    return Surveyed(answers=tuple(got.answers))


def _source(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _who(q: PlanRound | VoteRound | RatePeers | Survey) -> dict[str, Any]:
    return {"who": fill_template(WHO, q=q)}


WHO, SYSTEM = _source("friends_who.j2"), _source("friends_system.j2")
_ANN = PlayerProfile("ann", "Ann", "baker", "Ann bakes.", "short", "in between", "calm")
_SEEN = (SeenAct(3, "ben", "rain", "It rains."),)


def _spec(question: type, answer: type, sample: Any, nothing: Any) -> QuestionSpec:
    """Of a question that no rule answers: where the model does not, there is nothing."""
    return QuestionSpec(
        question=question, answer=answer, name=question.__name__, rule=lambda q, chance: nothing,
        fault=lambda q, a: "", samples=(sample,), concerns=nobody, taken=False, asks=question.__name__.lower(),
        asked=True,
    )  # fmt: skip


SPECS = (
    _spec(PlanRound, RoundPlan, PlanRound("", player=_ANN, subject="rain", round=2, actions=1, goals=(), rules=(),
                                        users=("ben",), posts=_SEEN), RoundPlan()),
    _spec(VoteRound, Voted, VoteRound("", player=_ANN, shown=_SEEN), Voted()),
    _spec(RatePeers, RatedPeers, RatePeers("", player=_ANN, peers=()), RatedPeers()),
    _spec(CoachRound, Coached, CoachRound("", focus=(), rules=(), users=("ben",)), Coached()),
    _spec(Survey, Surveyed, Survey("", player=_ANN, items=measures.ITEMS), Surveyed()),
)  # fmt: skip
PROMPTS = (
    Prompt(PlanRound, _source("friends_plan.j2"), GamePlanForm, _planned, words=_who, tokens=700, briefed=False,
           system=SYSTEM, temperature=WARM),
    Prompt(VoteRound, _source("friends_vote.j2"), Votes, _voted, words=_who, tokens=250, briefed=False, system=SYSTEM,
           temperature=WARM),
    Prompt(RatePeers, _source("friends_rate.j2"), PeerScoresForm, _rated, words=_who, tokens=400, briefed=False,
           system=SYSTEM, temperature=COLD),
    Prompt(CoachRound, _source("friends_coach.j2"), Tips, _coached, tokens=300, briefed=False, system=SYSTEM,
           temperature=WARM),
    Prompt(Survey, _source("friends_survey.j2"), SurveyForm, _surveyed, words=_who, tokens=150, briefed=False,
           system=SYSTEM, temperature=COLD),
)  # fmt: skip
