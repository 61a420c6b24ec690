"""What the game of friends asks a language model, and what it answers, as plain values; how that is put to the model,
the form of an answer, and what is wrong with one (seed 000, appendix A).

A plan that breaks a rule goes back to the model with the rule and what would do; where no answer fits after all tries,
nothing is done.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer, Question
from sandbox.lab.asked_models import COLD, Text, model_question, prompt_source
from sandbox.lab.friends import measures
from sandbox.lab.friends.model import DM, NOT, POST, PUBLIC, GameAct, GameRules, PlanItem
from sandbox.lab.friends.plan import PlayerView, wrongs
from sandbox.lab.friends.words import find_mentions
from sandbox.minds.prompt_form import Offered, Prompt, Unusable
from sandbox.minds.prompt_text import fill_template, tidy_text


class PlayerProfile(msgspec.Struct, frozen=True):
    """Who plays. stance, traits: in words."""

    handle: str
    name: str
    role: str
    about: str
    style: str
    stance: str
    traits: str


class SeenAct(msgspec.Struct, frozen=True):
    """Something that is shown to somebody. by: a handle; near: closeness in words, "" = not stated."""

    number: int
    by: str
    topic: str
    text: str
    near: str = ""


class PlanRound(Question, frozen=True, kw_only=True):
    """What somebody does in a round. goals: lines on what they value and how it went; rules: what pays for these, in
    words; best, last: their best round, and what they did in the last one. conversation: lines of what was said by
    them and to them before that, the last ones; peers: of what has passed between them and those they last had to do
    with; opinions: of how kindly they have spoken of topics. posts: that may be commented on; dms: to them.
    """

    player: PlayerProfile
    subject: str
    round: int
    actions: int
    goals: tuple[str, ...]
    rules: tuple[str, ...]
    users: tuple[str, ...]
    topics: tuple[str, ...] = ()
    posts: tuple[SeenAct, ...] = ()
    dms: tuple[SeenAct, ...] = ()
    best: str = ""
    last: tuple[str, ...] = ()
    conversation: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    opinions: tuple[str, ...] = ()
    tips: tuple[str, ...] = ()


class RoundPlan(Answer, frozen=True, kw_only=True):
    """A plan that keeps the rules, and the words of each item; of none there was no answer."""

    items: tuple[PlanItem, ...] = ()
    texts: tuple[str, ...] = ()


class VoteRound(Question, frozen=True, kw_only=True):
    """What somebody thinks of what others have published."""

    player: PlayerProfile
    shown: tuple[SeenAct, ...]


class Voted(Answer, frozen=True, kw_only=True):
    """The numbers of what is liked, and of what is disliked; the rest is neither."""

    likes: tuple[int, ...] = ()
    dislikes: tuple[int, ...] = ()


class Peer(msgspec.Struct, frozen=True):
    """Somebody one had words with in a round. said: whose they were ("you", or a handle), and the words."""

    handle: str
    said: tuple[tuple[str, str], ...]


class RatePeers(Question, frozen=True, kw_only=True):
    """How strong a round's words speak for being closer to each, by the words alone."""

    player: PlayerProfile
    peers: tuple[Peer, ...]


class RatedPeers(Answer, frozen=True, kw_only=True):
    """Handle -> 0 to 5; a missing handle means 0."""

    scores: dict[str, int] = {}


class CoachRound(Question, frozen=True, kw_only=True):
    """What a coach would have somebody do. focus: their rewards, furthest below its weight first, in words."""

    focus: tuple[str, ...]
    rules: tuple[str, ...]
    users: tuple[str, ...]
    senders: tuple[str, ...] = ()
    partners: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    liked: tuple[SeenAct, ...] = ()


class Coached(Answer, frozen=True, kw_only=True):
    """Three to five tips of one line each; none if there was no answer."""

    tips: tuple[str, ...] = ()


class Survey(Question, frozen=True, kw_only=True):
    """The Mini-IPIP: how well each item describes somebody."""

    player: PlayerProfile
    items: tuple[str, ...]


class Surveyed(Answer, frozen=True, kw_only=True):
    """An answer from 1 to 5 to each item; none if there was no answer."""

    answers: tuple[int, ...] = ()


# ---- how they are put

WORDS, TIP, TOPIC = 280, 200, 60  # letters


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
            raise Unusable(f"{n} is not one of the numbers shown")
    if both := {*got.likes} & {*got.dislikes}:
        raise Unusable(f"{min(both)} is both liked and disliked; choose one")
    return Voted(likes=tuple(sorted({*got.likes})), dislikes=tuple(sorted({*got.dislikes})))


def _rated(q: RatePeers, got: PeerScoresForm, offered: Offered, chance: Stream) -> RatedPeers:
    known, scores = {p.handle for p in q.peers}, {}
    for one in got.scores:
        who = one.who.strip().lstrip("@")
        if who not in known:
            raise Unusable(f"{tidy_text(who, 40)!r} is nobody you exchanged words with: {', '.join(sorted(known))}")
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


def _who(q: PlanRound | VoteRound | RatePeers | Survey) -> dict[str, Any]:
    return {"who": fill_template(WHO, q=q)}


WHO, SYSTEM = prompt_source("friends_who.j2"), prompt_source("friends_system.j2")
_ANN = PlayerProfile("ann", "Ann", "baker", "Ann bakes.", "short", "in between", "calm")
_SEEN = (SeenAct(3, "ben", "rain", "It rains."),)


SPECS = (
    model_question(
        PlanRound,
        RoundPlan,
        PlanRound("", player=_ANN, subject="rain", round=2, actions=1, goals=(), rules=(), users=("ben",), posts=_SEEN),
    ),
    model_question(VoteRound, Voted, VoteRound("", player=_ANN, shown=_SEEN)),
    model_question(RatePeers, RatedPeers, RatePeers("", player=_ANN, peers=())),
    model_question(CoachRound, Coached, CoachRound("", focus=(), rules=(), users=("ben",))),
    model_question(Survey, Surveyed, Survey("", player=_ANN, items=measures.ITEMS)),
)


def _prompt(question: type, file: str, form: type, read: Callable[..., Answer], tokens: int, **more: Any) -> Prompt:
    return Prompt(question, prompt_source(file), form, read, tokens=tokens, briefed=False, system=SYSTEM, **more)


PROMPTS = (
    _prompt(PlanRound, "friends_plan.j2", GamePlanForm, _planned, 700, words=_who),
    _prompt(VoteRound, "friends_vote.j2", Votes, _voted, 250, words=_who),
    _prompt(RatePeers, "friends_rate.j2", PeerScoresForm, _rated, 400, words=_who, temperature=COLD),
    _prompt(CoachRound, "friends_coach.j2", Tips, _coached, 300),
    _prompt(Survey, "friends_survey.j2", SurveyForm, _surveyed, 150, words=_who, temperature=COLD),
)
