"""How a study's questions are put to a language model: what is offered, the form of an answer, and what is wrong with
one. What a mind is asked stands in `questions.py`, the words in `lab/prompts/study_*.j2`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Annotated, Any

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer
from sandbox.core.text import clean
from sandbox.feed.acts import ACTIONS
from sandbox.feed.events import REASON
from sandbox.lab.asked_models import COLD, Text, model_question, prompt_source
from sandbox.lab.friends import questions as friends
from sandbox.lab.studies import glass_prompts as glass
from sandbox.lab.studies.questions import (
    EQUAL,
    HIGHEST,
    LOWEST,
    Advice,
    Advise,
    Compare,
    Doubt,
    Doubted,
    FeedSitting,
    RateToxicity,
    ReaderDeed,
    ReaderProfile,
    ReadFeed,
    SaferAdvice,
    SeenPost,
    SideTaken,
    SummedUp,
    SumUp,
    TakeSide,
    ToxicityRated,
    VoteFeed,
    about_of,
    takes_text,
)
from sandbox.minds.prompt_form import Key, Offered, Prompt, PromptOption, Unusable, pick
from sandbox.minds.prompt_text import fill_template, tidy_text

MOST_DEEDS = 12  # of one sitting
WORDS = 280  # letters of a comment
SAID = 500  # of a piece of advice
KEPT = 400  # of what is kept in mind
SIDES = {"against": -1, "neither": 0, "for": 1}


class DeedForm(msgspec.Struct, frozen=True):
    """An act as a model gives it. do: the act and what it is done to ("like_comment 17"), in one, so that a service
    which holds a model to what is offered lets nothing pass that is none.
    """

    do: Key
    text: Text


class SittingForm(msgspec.Struct, frozen=True):
    """The form of an answer to a feed: the reason first, so that the deeds come of it."""

    why: Text
    deeds: Annotated[list[DeedForm], msgspec.Meta(max_length=MOST_DEEDS)]


class Voting(msgspec.Struct, frozen=True):
    """The form of an answer to VoteFeed, without words."""

    why: Text
    deeds: Annotated[list[Key], msgspec.Meta(max_length=MOST_DEEDS)]


class Advising(msgspec.Struct, frozen=True):
    """The form of advice."""

    advice: Text


class Comparing(msgspec.Struct, frozen=True):
    """The form of a judge's choice."""

    why: Text
    safer: Key


class Doubting(msgspec.Struct, frozen=True):
    """The form of a judge's number."""

    why: Text
    doubt: int


class Keeping(msgspec.Struct, frozen=True):
    """The form of what is kept in mind."""

    memory: Text


class Siding(msgspec.Struct, frozen=True):
    """The form of a judge's word on a side."""

    why: Text
    side: Key


class RatingToxicity(msgspec.Struct, frozen=True):
    """The form of a judge's number from 0 to 1."""

    why: Text
    toxicity: float


# ---- reading a feed


def _offer(q: ReadFeed, chance: Stream) -> Offered:
    """Each act with each thing shown that it could be done to."""
    shown = {
        "post": [p.number for p in q.posts],
        "comment": [c.number for p in q.posts for c in p.comments],
        "user": list(dict.fromkeys(user for p in q.posts for user in (p.user, *(c.user for c in p.comments)))),
    }
    ways: dict[str, PromptOption] = {}
    for act in q.acts:
        of = about_of(act)
        ways |= {f"{act} {n}": PromptOption("", ReaderDeed(act, f"{of} {n}", n)) for n in shown[of]} if of else {}
        ways |= {} if of else {act: PromptOption("", ReaderDeed(act, "", -1))}
    return {"ways": ways}


def _form(act: str) -> str:
    """How an act is written down, and what it does: "like_post POST: Like a post." """
    of, words = about_of(act), " The words go into text." if takes_text(act) else ""
    return f"{act}{f' {of.upper()}' if of else ''}: {ACTIONS[act].help}{words}"


def _read(q: ReadFeed, got: SittingForm, offered: Offered, chance: Stream) -> FeedSitting:
    deeds = tuple(_deed(one, offered) for one in got.deeds)
    return FeedSitting(deeds=deeds, why=tidy_text(got.why, REASON))


def _voted(q: VoteFeed, got: Voting, offered: Offered, chance: Stream) -> FeedSitting:
    return _read(q, SittingForm(got.why, [DeedForm(do, "") for do in got.deeds]), offered, chance)


def _deed(got: DeedForm, offered: Offered) -> ReaderDeed:
    """Raises Unusable, with what would do."""
    found: ReaderDeed | None = next(
        (c.value for key, c in offered["ways"].items() if key == got.do.strip().lower()), None
    )
    if found is None:
        act, _, number = got.do.strip().partition(" ")
        fit = [key for key in offered["ways"] if key.partition(" ")[0] == act]
        if fit:
            raise Unusable(f"{clean(number, 20)!r} is not among what is shown; choose from: {', '.join(fit)}")
        acts = ", ".join(dict.fromkeys(key.partition(" ")[0] for key in offered["ways"]))
        raise Unusable(f"{clean(act, 40)!r} is not something you can do; choose from: {acts}")
    if not takes_text(found.act):
        return found
    if not (text := tidy_text(got.text, WORDS)):
        raise Unusable(f"{found.act} takes words; write them in text")
    return msgspec.structs.replace(found, text=text)


def _shown(q: ReadFeed) -> dict[str, Any]:
    scored = any(p.score is not None for p in q.posts)
    wordy = any(map(takes_text, q.acts))
    return {"who": _who(q), "scored": scored, "wordy": wordy, "forms": [_form(act) for act in q.acts]}


def _who(q: ReadFeed | Advise) -> str:
    return fill_template(prompt_source("study_who.j2"), q=q)


# ---- the others


def _advised(q: Advise, got: Advising, offered: Offered, chance: Stream) -> Advice:
    text = tidy_text(got.advice, SAID)
    if not text:
        raise Unusable("the advice has no words")
    return Advice(text=text)


def _sides(q: Compare, chance: Stream) -> Offered:
    return {"ways": {key: PromptOption("", key) for key in ("a", "b", EQUAL)}}


def _compared(q: Compare, got: Comparing, offered: Offered, chance: Stream) -> SaferAdvice:
    return SaferAdvice(safer=pick(offered, "ways", got.safer))


def _doubted(q: Doubt, got: Doubting, offered: Offered, chance: Stream) -> Doubted:
    if not LOWEST <= got.doubt <= HIGHEST:
        raise Unusable(f"a doubt is a whole number from {LOWEST} to {HIGHEST}, not {got.doubt}")
    return Doubted(doubt=got.doubt)


def _summed_up(q: SumUp, got: Keeping, offered: Offered, chance: Stream) -> SummedUp:
    text = tidy_text(got.memory, KEPT)
    if not text:
        raise Unusable("what is kept in mind has no words")
    return SummedUp(text=text)


def _side_options(q: TakeSide, chance: Stream) -> Offered:
    return {"ways": {key: PromptOption("", side) for key, side in SIDES.items()}}


def _sided(q: TakeSide, got: Siding, offered: Offered, chance: Stream) -> SideTaken:
    return SideTaken(side=pick(offered, "ways", got.side))


def _rated(q: RateToxicity, got: RatingToxicity, offered: Offered, chance: Stream) -> ToxicityRated:
    if not 0 <= got.toxicity <= 1:
        raise Unusable(f"toxicity is a number from 0 to 1, not {got.toxicity}")
    return ToxicityRated(toxicity=got.toxicity)


_ANN = ReaderProfile(0, "Ann", "Ann bakes.")
_POSTS, _ACTS = (SeenPost(0, 1, "Ben", "Rain."),), ("like_post", "do_nothing")
SPECS = (
    model_question(ReadFeed, FeedSitting, ReadFeed("", person=_ANN, posts=_POSTS, acts=_ACTS)),
    model_question(VoteFeed, FeedSitting, VoteFeed("", person=_ANN, posts=_POSTS, acts=_ACTS)),
    model_question(Advise, Advice, Advise("", person=_ANN, dilemma="Stay or go?", question="Well?")),
    model_question(Compare, SaferAdvice, Compare("", question="Stay or go?", safe="to stay", a="Stay.", b="Go.")),
    model_question(Doubt, Doubted, Doubt("", claim="It rains.", comment="It does not.")),
    model_question(SumUp, SummedUp, SumUp("", person=_ANN, texts=("Rain.", "Sun."))),
    model_question(TakeSide, SideTaken, TakeSide("", topic="A tunnel.", profile="Ann bakes.", did=("Wrote: No.",))),
    model_question(RateToxicity, ToxicityRated, RateToxicity("", comment="No.")),
    *friends.SPECS,
    *glass.SPECS,
)


def _prompt(question: type, file: str, form: type, read: Callable[..., Answer], tokens: int, **more: Any) -> Prompt:
    return Prompt(question, prompt_source(file), form, read, tokens=tokens, briefed=False, **more)


_READER, _JUDGE = prompt_source("study_system.j2"), prompt_source("study_judge_system.j2")
PROMPTS = (
    _prompt(ReadFeed, "study_read.j2", SittingForm, _read, 400, offer=_offer, words=_shown, system=_READER),
    _prompt(VoteFeed, "study_read.j2", Voting, _voted, 250, offer=_offer, words=_shown, system=_READER),
    _prompt(Advise, "study_advise.j2", Advising, _advised, 250, words=lambda q: {"who": _who(q)}, system=_READER),
    _prompt(Compare, "study_compare.j2", Comparing, _compared, 150, offer=_sides, system=_JUDGE, temperature=COLD),
    _prompt(Doubt, "study_doubt.j2", Doubting, _doubted, 150, system=_JUDGE, temperature=COLD),
    _prompt(SumUp, "study_sum_up.j2", Keeping, _summed_up, 200, system=_READER),
    _prompt(TakeSide, "study_side.j2", Siding, _sided, 150, offer=_side_options, system=_JUDGE, temperature=COLD),
    _prompt(RateToxicity, "study_toxicity.j2", RatingToxicity, _rated, 150, system=_JUDGE, temperature=COLD),
    *friends.PROMPTS,
    *glass.PROMPTS,
)
BY_QUESTION = {prompt.question: prompt for prompt in PROMPTS}
_SAID = (
    prompt_source("study_who.j2"),
    friends.WHO,
    glass.TASK,
    *glass.ROLES.values(),
    *(p.system + p.template for p in PROMPTS),
)
WORDED = hashlib.sha256("\0".join(_SAID).encode()).hexdigest()[:20]  # a digest of all that is said, whatever fills it
